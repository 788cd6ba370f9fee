"""Why a debate ended, as a clause."""

from debate_core.engine import stopping
from debate_core.language import Words, _, message, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import AllOf
from debate_core.spec.values import Outcome, TurnStatus, in_words

LOST: Words[TurnStatus] = Words(
    {
        "timeout": "late",
        "refused": "refused",
        "cut": "cut short",
        "unparseable": "unreadable",
        "failed": "failed",
        "weak": "too weak",
        "skipped": "skipped",
        "struck": "struck",
    }
)
"""What became of a turn that was lost."""
ENDED: Words[str] = Words(
    {
        stopping.MAX_ROUNDS: "the last round was over",
        stopping.LAST_ROUND: "somebody had called this the last round",
        stopping.PROVIDER_DOWN: "no debater answered any more",
        stopping.UNREADABLE: "no reply of the debaters could be used any more",
        stopping.CALLS_REFUSED: "the servers refused every call for the debaters",
        stopping.REPLIES_LATE: "no reply of the debaters came in time any more",
        stopping.STOPPED: "a person stopped it",
        stopping.UNVERIFIED_QUOTES: "what would win rests on unverified quotes, and the protocol refuses that",
        stopping.QUORUM: "too few ballots were cast for a decision",
        stopping.DEADLINE: "people were waited for longer than was agreed",
        stopping.SIDE_UNHEARD: "a side was not heard",
        "decision_reached": "the rule had a winner",
        "all_agree": "all debaters voted for the same option",
        "stable": "no ballot had changed since the round before",
        "moderator_done": "the moderator had called this the last round",
        "no_further_round": "the evaluator did not recommend another round",
        "text_mention": "somebody had said the phrase that was agreed to end it",
        "max_turns": "as many turns had been given as were agreed",
        "from_round": "the round had come that was waited for",
        "no_progress": "the round had brought no new claim",
        "converged": "all debaters had come to hold the same option",
        "top_settled": "the best were told apart from the rest",
        stopping.NO_CANDIDATES: "there were fewer than two candidates to compare",
        stopping.ceiling_name("calls"): "the limit of calls was reached",
        stopping.ceiling_name("tokens"): "the limit of tokens was reached",
        stopping.ceiling_name("seconds"): "the time was over",
        stopping.ceiling_name("usd"): "the limit of money was reached",
    }
)
"""By the names under which stop rules end a debate, and by whatever else ends one; but see `all_of`."""
TOGETHER = message("all had come that was to end it together")


def ended_words(account: Account) -> str:
    """Why the debate ended, as a clause: `the last round was over`; empty while it runs."""
    state = account.state
    if state.outcome is None:
        return ""
    name = state.outcome.ended_by
    if name in (stopping.QUORUM, stopping.SIDE_UNHEARD):
        name = state.outcome.fired[0]
    if name == state.spec.protocol.decide.kind:
        return _winner_words(account)
    if name == "all_of":
        return _together_words(state.spec)
    # Only a record that was changed names another end.
    return ENDED.get(name, in_words(name))


def _winner_words(account: Account) -> str:
    if role := account.ruling.seat_role:
        return _("the {role} had named an option", role=named(role))
    return ENDED["decision_reached"]


def _together_words(spec: Spec) -> str:
    """What had to come together, each as a clause."""
    together = [stop for stop in spec.protocol.stop if isinstance(stop, AllOf)]
    if len(together) > 1:
        # Which of them it was is not on record.
        return _(TOGETHER)
    return spoken_list([ENDED[part.kind] for stop in together for part in stop.rules])


def end_words(outcome: Outcome) -> str:
    """The same as far as the end itself tells, for whoever has nothing but it."""
    if outcome.ended_by == "all_of":
        return _(TOGETHER)
    if known := ENDED.get(outcome.ended_by):
        return known
    # What ended it is the rule that decides.
    if outcome.ended_by == "by_seat":
        return _("an option had been named")
    return ENDED["decision_reached"]
