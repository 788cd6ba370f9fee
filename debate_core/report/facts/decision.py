"""The decision of record: what the count says, what the approver signed, who dissented, what became of it later.

The count and the signature are two values that stand side by side; neither changes the other. Called by reports,
exports and screens.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from debate_core.engine.stage import final_decision, known_as, present, result_of
from debate_core.record.acts import Dissented, OutcomeRecorded, Signed
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.report.facts.counts import number
from debate_core.report.words.outcome import final_words, outcome_sentence
from debate_core.spec.people import PollResult, RoomRole, poll_name, poll_words
from debate_core.spec.rules import BySeat
from debate_core.spec.values import in_words
from debate_core.text import spoken_list

RecordStatus = Literal["proposed", "accepted", "rejected"]
Verdict = Literal["accept", "accept_with_changes", "reject", "escalate"]
VERDICTS: dict[Verdict, str] = {
    "accept": "accepted",
    "accept_with_changes": "accepted with changes",
    "reject": "rejected",
    "escalate": "escalated",
}
"""What a signature says."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who acted: the id that the record has, their name, and where the debate has a room their role then."""

    id: str
    name: str
    role: RoomRole | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature; `counted` is what the count said when it was given, and stays so."""

    word: Signed
    by: Who
    at: str
    seq: int
    counted: str | None

    @property
    def differs(self) -> bool:
        """True if the approver accepted another option than the count names."""
        return self.word.verdict.startswith("accept") and self.word.option != self.counted


@dataclass(frozen=True, slots=True)
class Dissent:
    """A dissent or objection, word for word; `by` None if it is recorded without a name."""

    kind: Literal["dissent", "objection"]
    text: str
    by: Who | None
    at: str


@dataclass(frozen=True, slots=True)
class Later:
    """What somebody recorded of how the decision turned out."""

    result: Literal["held", "reversed", "unknown"]
    option: str | None
    reason: str
    by: Who
    at: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything that was decided and said about it. `counted` None = the count elects nothing."""

    counted: str | None
    counted_by: Literal["debaters", "panel", "room"]
    pending: bool
    """True as long as the count that decides has not been made, or is sealed."""
    ties: tuple[str, ...]
    arithmetic: str
    signed: Signature | None
    earlier: tuple[Signature, ...]
    """Signatures that a later one replaced, in order."""
    dissents: tuple[Dissent, ...]
    outcomes: tuple[Later, ...]

    @property
    def option(self) -> str | None:
        """What holds now: the option that was signed, else the counted one; None after reject and escalate."""
        return self.signed.word.option if self.signed else self.counted

    @property
    def status(self) -> RecordStatus:
        """Proposed until somebody signs; what was escalated is still proposed."""
        if self.signed is None or self.signed.word.verdict == "escalate":
            return "proposed"
        return "rejected" if self.signed.word.verdict == "reject" else "accepted"


def who(state: State, done: Done[Signed] | Done[Dissented] | Done[OutcomeRecorded]) -> Who:
    """The person behind an act; without a room the record has the name itself. A role taken later changes nothing."""
    person = state.room.people.get(done.by)
    if person is None:
        return Who(done.by, done.by)
    return Who(done.by, person.name, known_as(state, done.by, before=done.seq)[-1].role)


def decision_of(state: State) -> Decision:
    """The decision as it stands."""
    final = final_decision(state)
    signed = tuple(_signature(state, d, final.option) for d in state.room.of(Signed))
    return Decision(
        counted=final.option,
        counted_by=final.by,
        pending=final.pending,
        ties=final.ties,
        arithmetic=arithmetic(state),
        signed=signed[-1] if signed else None,
        earlier=signed[:-1],
        dissents=tuple(_dissent(state, d) for d in state.room.of(Dissented)),
        outcomes=tuple(
            Later(d.fact.result, d.fact.option, d.fact.reason, who(state, d), d.at)
            for d in state.room.of(OutcomeRecorded)
        ),
    )


def _signature(state: State, done: Done[Signed], counted: str | None) -> Signature:
    return Signature(done.fact, who(state, done), done.at, done.seq, counted)


def _dissent(state: State, done: Done[Dissented]) -> Dissent:
    return Dissent(done.fact.kind, done.fact.text, who(state, done) if done.fact.named else None, done.at)


def arithmetic(state: State) -> str:
    """The count that decides, in one sentence with its numbers."""
    final = final_decision(state)
    if final.by == "debaters":
        return outcome_sentence(state)
    result = result_of(state, "final", final.by)
    if final.pending:
        return f"The final vote of the {final.by} decides; it is not counted and revealed yet."
    if result is None:
        return f"The {final.by} decided nothing: nobody belongs to it."
    return f"{_elected(result)}: {poll_points(result)}."


def _elected(result: PollResult) -> str:
    if len(result.winners) == 1:
        return f"The {result.electorate} elected {result.winners[0]}"
    if not result.quorum_met:
        return f"The {result.electorate} decided nothing, its quorum was not met"
    level = f", {spoken_list(result.winners)} stand level" if result.winners else ""
    return f"The {result.electorate} decided nothing{level}"


def poll_points(result: PollResult) -> str:
    """`adopt 2, defer 0 (2 of 3 ballots cast, 1 abstained, weight 3 of 4; rule plurality)`."""
    points = ", ".join(f"{p.option} {number(Fraction(p.points))}" for p in result.points)
    weighed = result.weight_eligible != result.eligible
    weight = f", weight {result.weight_cast} of {result.weight_eligible}" if weighed else ""
    abstained = f", {result.abstained} abstained" if result.abstained else ""
    tries = "".join(f", {s.step} left {spoken_list(s.left)}" for s in result.steps)
    cast = f"{result.cast} of {result.eligible} ballots cast{abstained}{weight}"
    return f"{points} ({cast}; rule {in_words(result.rule)}{tries})"


def tallies(state: State) -> Iterator[tuple[str, str]]:
    """Every count that may be read, with its name: the debaters, then each electorate in each revealed poll."""
    if state.counted and not isinstance(state.spec.protocol.decide, BySeat):
        yield "debaters", final_words(state)
    for poll in state.room.polls.values():
        for result in poll.closed.fact.results if poll.closed and poll.revealed else ():
            yield f"{poll_name(poll.id)} of the {result.electorate}", poll_points(result)


def missing_to_sign(state: State) -> str:
    """What keeps everybody from signing, in one sentence; empty if a signature can be given."""
    if state.outcome is None:
        return "The debate goes on: it is signed when it is over."
    hidden = [p.id for p in state.room.polls.values() if p.closed is None or not p.revealed]
    if final_decision(state).pending and "final" not in state.room.polls:
        hidden.append("final")
    return f"Not yet: {_polls_words(hidden)} not counted and revealed." if hidden else ""


def _polls_words(polls: list[str]) -> str:
    named = [poll_words(p) for p in polls]
    return f"{spoken_list(named)} {'is' if len(named) == 1 else 'are'}"


def approvers(state: State) -> tuple[str, ...]:
    """Names of those who may sign, where the debate has a room."""
    return tuple(p.name for p in present(state) if p.role == "approver")
