"""The decider of a debate, or the one who has to decide next, beside the counted option.

Every page, report, decision record and table reads this value.
"""

from dataclasses import dataclass, replace
from typing import Literal

from debate_core.engine import stage, stopping, voting
from debate_core.engine.stage import Final, WaitsFor
from debate_core.record.acts import Signed
from debate_core.record.state import State, Turn
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import Number
from debate_core.report.facts.decision import Signature, approvers
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars
from debate_core.spec.contents import Verdict
from debate_core.spec.rules import Escalation
from debate_core.spec.values import Outcome, Role

Decider = Literal["debaters", "panel", "room", "seat", "comparisons"]
"""The decider agreed before the start: an electorate, a seat that names the option, or comparisons."""
DecisionState = Literal[
    "open",
    "vote_due",
    "counted",
    "accepted",
    "overridden",
    "chosen",
    "changes",
    "rejected",
    "escalated",
    "undecided",
    "truncated",
    "stopped",
    "outage",
]
"""`counted`: decided and not signed; `overridden`: signed against the count; `chosen`: signed without a counted option;
`vote_due`: over, and the deciding vote is not counted or revealed yet."""
SIGNED: frozenset[DecisionState] = frozenset({"accepted", "overridden", "chosen"})
"""States of a decision that a signature has put into force."""
BY_THE_COUNT: frozenset[DecisionState] = frozenset({"counted", "accepted"})
BY_A_PERSON: frozenset[DecisionState] = frozenset({"overridden", "chosen", "rejected"})


@dataclass(frozen=True, slots=True)
class CountSays:
    """Result of the agreed decider, before any signature; without an option it has none."""

    decider: Decider
    seat_role: Role | None
    rule: str
    """The kind of the rule."""
    option: str | None
    has: Number | None
    """Points of the option, `of` a full bar; None where no ballots are counted or the vote is sealed."""
    of: Number | None
    needed: Number | None
    bars: VoteBars | None


@dataclass(frozen=True, slots=True)
class WhoDecided:
    """The decider, or the one who has to decide next."""

    standing: DecisionState
    option: str | None
    """The option in force; None as long as there is none."""
    counted: CountSays
    nothing: DecisionState | None
    """Reason for no counted option: `undecided`, `truncated`, `stopped`, `outage`; None if one is there or awaited."""
    signed: Signature | None
    waits_for: WaitsFor
    has_room: bool
    approvers: tuple[str, ...]
    """Names of people with the right to sign; empty without a room."""
    against_the_count: bool
    """True if the signature names another option than the count elected, or rejects it."""
    people_voted: bool
    """True if a person gave one of the ballots, comparisons or words that the result consists of."""
    others_voted: bool
    """True if a model, code or a script did."""
    escalation: Escalation | None = None
    """Addressee of an unresolved outcome, as agreed before the start."""

    @property
    def is_decided(self) -> bool:
        """True once an option was decided, or the decision was rejected."""
        return self.standing in BY_THE_COUNT | BY_A_PERSON

    @property
    def by_person(self) -> bool:
        """True if a person decided, and not the count."""
        return self.standing in BY_A_PERSON

    @property
    def is_result_of_no_person(self) -> bool:
        """True for an option that models, code or scripts chose, and no person; not if a person decided otherwise."""
        has_result = self.standing not in ("open", "vote_due", "truncated", "stopped", "outage")
        was_chosen = self.counted.option is not None and not self.by_person
        return has_result and was_chosen and self.others_voted and not self.people_voted


def who_decided(account: Account) -> WhoDecided:
    """Derive the decider of this debate for this reader."""
    state = account.state
    decision = account.decision
    final = stage.final_decision(state)
    word = stage.signature(state)
    voted = _voted(account)
    return WhoDecided(
        standing=standing_of(state.outcome, final, word),
        option=decision.option,
        counted=_counted(account),
        nothing=_nothing_decided(state.outcome, final),
        signed=decision.signed,
        waits_for=decision.waits_for,
        has_room=state.spec.has_people,
        approvers=approvers(state),
        against_the_count=is_against_count(final, word),
        people_voted="person" in voted,
        others_voted="other" in voted,
        escalation=state.spec.protocol.escalation,
    )


def _counted(account: Account) -> CountSays:
    decision = account.decision
    bars = deciding_bars(account)
    terms = account.state.spec.terms
    says = CountSays(
        decider=_decider(account),
        seat_role=decision.seat_role,
        rule=account.state.spec.protocol.decide.kind if terms.decides == "debaters" else terms.vote.kind,
        option=decision.counted,
        has=None,
        of=None,
        needed=None,
        bars=bars,
    )
    if bars is None:
        return says
    winner = bars.winner if decision.counted is not None else None
    of = bars.of if bars.in_heads else None
    return replace(says, has=winner.has if winner else None, of=of, needed=bars.needed)


def _decider(account: Account) -> Decider:
    decision = account.decision
    if decision.seat_role:
        return "seat"
    if account.ruling.is_compared and decision.counted_by == "debaters":
        return "comparisons"
    return decision.counted_by


def standing_of(outcome: Outcome | None, final: Final, signed: Signed | None) -> DecisionState:
    """Return the standing of a decision from its end, its count and its latest signature."""
    if outcome is None:
        return "open"
    if signed is not None:
        return _signed_standing(final, signed)
    if final.pending:
        return "vote_due"
    return _nothing_decided(outcome, final) or "counted"


def _signed_standing(final: Final, signed: Signed) -> DecisionState:
    if stage.signed_waits_for(signed) == "changes":
        return "changes"
    if signed.verdict == "reject":
        return "rejected"
    if signed.verdict == "escalate":
        return "escalated"
    if signed.option == final.option:
        return "accepted"
    return "chosen" if final.option is None else "overridden"


def is_against_count(final: Final, signed: Signed | None) -> bool:
    """True if the signature names another option than the count elected, or rejects it."""
    word = signed is not None and signed.verdict != "escalate"
    return word and final.option not in (None, signed.option if signed else None)


def _nothing_decided(outcome: Outcome | None, final: Final) -> DecisionState | None:
    """Reason for no option: where people vote, it is their vote, however the debate ended."""
    if outcome is None or final.pending or final.option is not None:
        return None
    if final.by != "debaters":
        return "undecided"
    if outcome.status == "aborted":
        return "stopped"
    if outcome.status == "truncated":
        return "truncated"
    return "outage" if outcome.ended_by in stopping.OUTAGES else "undecided"


def _voted(account: Account) -> frozenset[Literal["person", "other"]]:
    """Kinds of voters whose ballots, comparisons or words make the result."""
    state = account.state
    decider = _decider(account)
    if decider == "panel" or decider == "room":
        result = stage.result_of(state, "final", decider)
        return frozenset({"person"}) if result is not None and result.cast else frozenset()
    return frozenset("person" if state.is_by_person(turn) else "other" for turn in _deciding_turns(account, decider))


def _deciding_turns(account: Account, decider: Decider) -> tuple[Turn, ...]:
    """The turns whose ballots, comparisons or words the result consists of."""
    state = account.state
    if role := account.decision.seat_role:
        last = voting.last_word(state, role)
        return (last,) if last else ()
    if decider == "comparisons":
        return tuple(turn for turn in state.all_turns() if isinstance(turn.content, Verdict))
    return _latest_ballots(state)


def _latest_ballots(state: State) -> tuple[Turn, ...]:
    """The last turn with a ballot of each seat whose ballot is cast."""
    voters = {seat for seat, ballot in state.ballots.items() if ballot.status == "cast"}
    latest = {}
    for turn in state.all_turns():
        said = turn.argument
        if turn.seat in voters and said is not None and (said.vote or said.ballot):
            latest[turn.seat] = turn
    return tuple(latest.values())
