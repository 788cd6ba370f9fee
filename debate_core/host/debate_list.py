"""Debates and rehearsals as rows of a list, and for whose word a debate that is over waits.

Made from the opening, the end and the few events after it, so that long lists stay cheap.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from debate_core.record.acts import OutcomeRecorded, PollClosed, PollRevealed, Signed
from debate_core.record.events import Event
from debate_core.spec.people import PollResult
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Outcome

WaitsFor = Literal["", "vote", "signature", "decision", "escalated"]
"""`vote`: the final vote decides and is not revealed; `signature`: decided, the approver has not signed; `decision`:
the count decided nothing and nobody has signed; `escalated`: signed so."""


@dataclass(frozen=True, slots=True)
class Word:
    """What was said on a decision so far. `option` is what holds now, None = nothing."""

    waits_for: WaitsFor = ""
    signed: Literal["", "accept", "accept_with_changes", "reject", "escalate"] = ""
    option: str | None = None
    revisit: str = ""
    """When to look at it again, as signed; empty once somebody recorded what became of it."""


@dataclass(frozen=True, slots=True)
class DebateRow:
    """One debate in a list. `status`: running, waiting, paused, lobby, prevote, held, or that of the outcome."""

    id: str
    question: str
    protocol: str
    status: str
    decision: str | None
    """What holds now: what was signed, else what was counted, else what the rule says of an undecided debate."""
    round: int
    max_rounds: int
    opened_at: str
    rehearsal: bool
    waiting_for: tuple[str, ...]
    """Seats that are asked now, none of a blind room; if the status is waiting, none of them can answer by itself."""
    word: Word = Word()


@dataclass(frozen=True, slots=True)
class RehearsalRow:
    """A rehearsal that ships with the program."""

    name: str
    title: str
    summary: str


def ended_row(first: Event, spec: Spec, outcome: Outcome, later: Iterable[Event]) -> DebateRow:
    """A debate that is over; `later` are the events after its end."""
    word = word_on(spec, outcome, later)
    return row_of(first, spec, outcome.status, _holds(spec, outcome, word), outcome.rounds_run, (), word)


def _holds(spec: Spec, outcome: Outcome, word: Word) -> str | None:
    said = {"reject": "rejected", "escalate": "escalated"}.get(word.signed) or word.option
    if said or word.waits_for == "vote":
        return said
    by_people = spec.room is not None and spec.room.decides != "debaters"
    return spec.room.vote.if_undecided if spec.room and by_people else outcome.decision


def row_of(
    first: Event,
    spec: Spec,
    status: str,
    decision: str | None,
    number: int,
    waiting_for: tuple[str, ...],
    word: Word | None = None,
) -> DebateRow:
    """A row; `first` is the opening event."""
    return DebateRow(
        id=first.debate,
        question=spec.question,
        protocol=spec.protocol.name,
        status=status,
        decision=decision,
        round=number,
        max_rounds=spec.max_rounds,
        opened_at=first.at,
        rehearsal=spec.rehearsal,
        waiting_for=waiting_for,
        word=word or Word(),
    )


def word_on(spec: Spec, outcome: Outcome, later: Iterable[Event]) -> Word:
    """What people said after the end, and whose word is missing. A rehearsal and a stopped debate wait for nobody."""
    signed: Signed | None = None
    revisit, results, revealed = "", tuple[PollResult, ...](), False
    for event in later:
        match event.body:
            case Signed() as given:
                signed, revisit = given, given.revisit.strip()
            case OutcomeRecorded():
                revisit = ""
            case PollClosed(poll="final") as closed:
                results = closed.results
            case PollRevealed(poll="final"):
                revealed = True
            case _:
                pass
    if signed is not None:
        waits: WaitsFor = "escalated" if signed.verdict == "escalate" else ""
        return Word(waits, signed.verdict, signed.option, revisit if signed.option is not None else "")
    return _unsigned(spec, outcome, results if revealed else None)


def _unsigned(spec: Spec, outcome: Outcome, final: tuple[PollResult, ...] | None) -> Word:
    option = outcome.decision if outcome.status == "decided" else None
    decides = spec.room.decides if spec.room else "debaters"
    if decides != "debaters":
        found = next((r.winners for r in final or () if r.electorate == decides), ())
        option = found[0] if len(found) == 1 else None
    if outcome.status == "aborted" or (spec.rehearsal and spec.room is None):
        return Word(option=option)
    if decides != "debaters" and final is None:
        return Word("vote")
    if option is None:
        return Word("decision")
    return Word("signature" if spec.room else "", option=option)
