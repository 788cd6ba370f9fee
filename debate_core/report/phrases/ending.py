"""The reason for the end of a debate, as a clause."""

from typing import assert_never

from debate_core.engine import stopping
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named
from debate_core.spec import rules
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.values import Outcome, in_words

TURN_STATUS: Words[str] = Words(
    {
        "ok": "given",
        "timeout": "late",
        "refused": "refused",
        "cut": "cut short",
        "unparseable": "unreadable",
        "failed": "failed",
        "weak": "too weak",
        "skipped": "skipped",
        "struck": "struck",
        "contradicts": "text and ballot differ",
        "mismatch": "deliverable does not match",
    }
)
"""Status of a turn in words."""
ENDED: Words[str] = Words(
    {
        stopping.MAX_ROUNDS: "the last round was over",
        stopping.LAST_ROUND: "a person had declared this the last round",
        stopping.PROVIDER_DOWN: "no debater answered the last request",
        stopping.UNREADABLE: "none of the debaters' last replies was readable",
        stopping.CALLS_REFUSED: "the servers refused every call for the debaters",
        stopping.REPLIES_LATE: "all of the debaters' last replies were late",
        stopping.STOPPED: "a person stopped it",
        stopping.UNVERIFIED_QUOTES: "the winner would rest on unverified quotes, and the protocol refuses that",
        stopping.QUORUM: "too few ballots were cast for a decision",
        stopping.DEADLINE: "people did not answer within the agreed time",
        stopping.SIDE_UNHEARD: "a side was not heard",
        "decision_reached": "the rule had a winner",
        "all_agree": "all seats voted for the same option",
        "stable": "no ballot had changed since the previous round",
        "moderator_done": "the moderator had declared this the last round",
        "no_further_round": "the evaluator did not recommend another round",
        "synthesiser_done": "the synthesiser did not recommend another round",
        "stop_function": "a function of the program, agreed before the start, had ended the rounds",
        "text_mention": "a turn contained the agreed closing phrase",
        "max_turns": "the agreed number of turns was reached",
        "from_round": "the agreed round was reached",
        "no_progress": "the round had brought no new claim",
        "converged": "all seats had converged on the same option",
        "top_settled": "the best options were clearly ahead of the rest",
        stopping.NO_CANDIDATES: "there were fewer than two candidates to compare",
        stopping.ceiling_name("calls"): "the limit of calls was reached",
        stopping.ceiling_name("tokens"): "the limit of tokens was reached",
        stopping.ceiling_name("seconds"): "the time was over",
        stopping.ceiling_name("usd"): "the limit of money was reached",
    }
)
"""Name of a stop rule or another end -> the reason; `all_of` has its own words."""
TOGETHER = message("all conditions that end it together were met")


def ended_words(account: Account) -> str:
    """The reason for the end, as a clause: `the last round was over`; empty while the debate runs."""
    state = account.state
    if state.outcome is None:
        return ""
    name = state.outcome.ended_by
    if name in (stopping.QUORUM, stopping.SIDE_UNHEARD):
        name = state.outcome.fired[0]
    if name == state.spec.protocol.decide.kind:
        role = account.ruling.seat_role
        return _("the {role} had named an option", role=named(role)) if role else ENDED["decision_reached"]
    if name == "all_of":
        return _together_words(state.spec)
    # Only a tampered record names another end.
    return ENDED.get(name, in_words(name))


def stops_words(protocol: Protocol) -> str:
    """`after the last round; or as soon as something is decided`."""
    return _("; or ").join(map(stop_words, protocol.stop))


def stop_words(rule: rules.StopRule) -> str:
    """Return when this rule ends the rounds: `after the last round`."""
    match rule:
        case rules.MaxRounds():
            return _("after the last round")
        case rules.DecisionReached():
            return _("as soon as something is decided")
        case rules.Ceiling():
            return _("before a limit would be passed")
        case rules.AllAgree():
            return _("when every debater votes for the same option")
        case rules.Stable():
            return _("after a round in which no vote changed")
        case rules.ModeratorDone():
            return _("after the round that the moderator calls the last")
        case rules.NoFurtherRound():
            return _("when the evaluator recommends no further round")
        case rules.SynthesiserDone():
            return _(
                "after a round whose synthesis recommends no other, from round {min_rounds} on",
                min_rounds=rule.min_rounds,
            )
        case rules.NoProgress():
            return _("after a round that brought no new claim")
        case rules.Converged():
            return _("after a round in which all hold the same option")
        case rules.TextMention():
            if rule.by is None:
                return _("once someone says “{phrase}”", phrase=rule.phrase)
            return _("once {who} says “{phrase}”", who=" / ".join(rule.by), phrase=rule.phrase)
        case rules.MaxTurns():
            return _n(rule.turns, "after {n} turn", "after {n} turns")
        case rules.StopFunction():
            return _("after a round for which the function {name} returns true", name=rule.function)
        case rules.TopSettled():
            return _("when the best options are separated from the rest")
        case rules.FromRound():
            return _("not before round {round}", round=rule.round)
        case rules.AllOf():
            return spoken_list([stop_words(part) for part in rule.rules])
        case _:
            assert_never(rule)


def _together_words(spec: Spec) -> str:
    """The conditions that were met together, each as a clause."""
    together = [stop for stop in spec.protocol.stop if isinstance(stop, rules.AllOf)]
    if len(together) > 1:
        # The record does not say which of them ended the debate.
        return _(TOGETHER)
    return spoken_list([ENDED[part.kind] for stop in together for part in stop.rules])


def end_words(outcome: Outcome) -> str:
    """The reason for the end, for callers that have only the outcome."""
    if outcome.ended_by == "all_of":
        return _(TOGETHER)
    if known := ENDED.get(outcome.ended_by):
        return known
    # The deciding rule ended the debate.
    if outcome.ended_by == "by_seat":
        return _("an option had been named")
    return ENDED["decision_reached"]
