"""The reason for the end of a debate, as a clause."""

from collections.abc import Iterable

from debate_core.engine import stopping
from debate_core.language import Words, _, message, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import AllOf, StopRule
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
        "all_agree": "all debaters voted for the same option",
        "stable": "no ballot had changed since the previous round",
        "moderator_done": "the moderator had declared this the last round",
        "no_further_round": "the evaluator did not recommend another round",
        "synthesiser_done": "the synthesiser did not recommend another round",
        "stop_function": "a function of the program, agreed before the start, had ended the rounds",
        "text_mention": "a turn contained the agreed closing phrase",
        "max_turns": "the agreed number of turns was reached",
        "from_round": "the agreed round was reached",
        "no_progress": "the round had brought no new claim",
        "converged": "all debaters had converged on the same option",
        "top_settled": "the best options were clearly ahead of the rest",
        stopping.NO_CANDIDATES: "there were fewer than two candidates to compare",
        stopping.ceiling_name("calls"): "the limit of calls was reached",
        stopping.ceiling_name("tokens"): "the limit of tokens was reached",
        stopping.ceiling_name("seconds"): "the time was over",
        stopping.ceiling_name("usd"): "the limit of money was reached",
    }
)
"""Name of a stop rule or another end -> the reason; `all_of` has its own words."""
_STOPS: Words[str] = Words(
    {
        "max_rounds": "after the last round",
        "decision_reached": "when the rule has a winner",
        "ceiling": "at a limit",
        "all_agree": "when all debaters vote for the same option",
        "stable": "when no ballot changes in a round",
        "moderator_done": "when the moderator declares the last round",
        "no_further_round": "when the evaluator recommends no further round",
        "synthesiser_done": "when the synthesiser recommends no further round",
        "stop_function": "when a function of the program, agreed before the start, says so",
        "text_mention": "when a turn contains the agreed closing phrase",
        "max_turns": "after the agreed number of turns",
        "from_round": "from the agreed round on",
        "no_progress": "after a round without a new claim",
        "converged": "when all debaters converge on the same option",
        "top_settled": "when the best options are clearly ahead of the rest",
    }
)
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


def stops_words(rules: Iterable[StopRule]) -> str:
    """`after the last round, or when the rule has a winner`."""
    return _(", or ").join(map(_stop_words, rules))


def _stop_words(rule: StopRule) -> str:
    if isinstance(rule, AllOf):
        return spoken_list([_STOPS[part.kind] for part in rule.rules])
    return _STOPS[rule.kind]


def _together_words(spec: Spec) -> str:
    """The conditions that were met together, each as a clause."""
    together = [stop for stop in spec.protocol.stop if isinstance(stop, AllOf)]
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
