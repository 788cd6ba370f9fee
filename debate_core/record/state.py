"""The state of a debate: everything the record says so far, as values.

How each event changes it is in `debate_core/record/fold.py`; who may speak and what wins is in `debate_core/engine`.
Everybody reads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, TypeVar

from debate_core.record.address import TurnId
from debate_core.record.events import BaselineHeld, DeadlinePassed, LimitMet, Predecessor, Stopped, Truncated
from debate_core.record.ownership import Ownership
from debate_core.record.people import RoomState
from debate_core.spec.contents import Argument, Claim, Content, Gives, LeftOut, Mark
from debate_core.spec.protocol import Phase, Slot, Spec
from debate_core.spec.values import Ballot, BaselineName, Outcome, Tally, TurnStatus, Usage


@dataclass(frozen=True, slots=True)
class Request:
    """What a seat is asked for now. `id` is the text of a `RequestId`, e.g. `2.critique.risk.1`."""

    id: str
    seat: str
    round: int
    phase: str
    gives: Gives
    attempt: int
    nth: int = 1
    """Which turn of this seat in this phase."""

    def turn(self) -> TurnId:
        """This turn, whichever attempt at it is asked."""
        return TurnId(self.round, self.phase, self.seat, self.nth)

    def place(self) -> str:
        """The same as text: `2.critique.risk`."""
        return str(self.turn())


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of one request: content if `status` is ok, else the partial text and why."""

    round: int
    phase: str
    seat: str
    status: TurnStatus
    request: str
    by: str
    at: str
    attempts: int
    content: Content | None = None
    text: str = ""
    message: str = ""
    usage: Usage | None = None
    started_at: str = ""
    retry_after_ms: int = 0
    left_out: tuple[LeftOut, ...] = ()
    """What of the reply could not be read and was not needed."""

    nth: int = 1
    """Which turn of this seat in this phase."""
    argues_for: str | None = None
    """The one option that its text argues for, where its ballot puts another one highest."""
    no_reason: bool = False
    """True if its text gives no reason for its ballot."""
    transport: bool = False
    """True for a call without a whole reply, through no fault of what was replied."""
    began: bool = False
    """True with `transport` if a reply had begun."""
    reached: bool = False
    """True for a failed turn if its server was reached: it refused the call for good, or was late with its reply."""

    @property
    def argument(self) -> Argument | None:
        """What it argues; None if it gave something else, or nothing."""
        return self.content if isinstance(self.content, Argument) else None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What it claims; nothing for a turn that is no argument."""
        return self.content.claims if isinstance(self.content, Argument) else ()

    def address(self) -> TurnId:
        """This turn, whichever attempt it was."""
        return TurnId(self.round, self.phase, self.seat, self.nth)

    def place(self) -> str:
        """The same as text: `2.critique.risk`."""
        return str(self.address())


@dataclass(frozen=True, slots=True)
class Counted:
    """The ballots as they stood when a phase that asks for them ended."""

    round: int
    phase: str
    tally: Tally
    ballots: Mapping[str, Ballot]


@dataclass(frozen=True)
class OpenPhase:
    """The phase being held. `answers` has the ended turns, `failures` the number of failed attempts at each."""

    slot: Slot
    round: int
    speakers: tuple[str, ...]
    """Seats in schedule order; one that stands here twice has two turns."""
    answers: Mapping[TurnId, Turn] = field(default_factory=dict)
    failures: Mapping[TurnId, int] = field(default_factory=dict)
    started: Mapping[TurnId, str] = field(default_factory=dict)
    """When the latest attempt at a turn began (UTC text)."""
    since: str = ""
    """When people could begin to answer: at its beginning, or when the facilitator let it begin."""
    unreached: Mapping[TurnId, Turn] = field(default_factory=dict)
    """During a pause because nobody could be reached: how their turns had ended. They are asked for again."""
    given_up: bool = False
    """True once somebody let it go on without them."""
    pairs: tuple[tuple[str, str], ...] = ()
    """The two options that each of the speakers compares, where they do."""

    @cached_property
    def asked(self) -> tuple[TurnId, ...]:
        """Every turn of the phase, in schedule order."""
        name = self.slot.phase.name
        times = [self.speakers[: place + 1].count(seat) for place, seat in enumerate(self.speakers)]
        return tuple(TurnId(self.round, name, seat, nth) for seat, nth in zip(self.speakers, times, strict=True))

    def compared(self) -> dict[TurnId, tuple[str, str]]:
        """Turn -> the two options that it is to compare."""
        if not self.pairs:
            return {}
        return dict(zip(self.asked, self.pairs, strict=True))

    def missing(self) -> tuple[TurnId, ...]:
        """Turns that have not ended, in schedule order."""
        return tuple(turn for turn in self.asked if turn not in self.answers)

    def waiting(self) -> tuple[str, ...]:
        """Seats that have still to answer, each once, in schedule order."""
        return tuple(dict.fromkeys(turn.seat for turn in self.missing()))

    def turns(self) -> tuple[Turn, ...]:
        """Ended turns in schedule order, whatever order they arrived in."""
        return tuple(self.answers[turn] for turn in self.asked if turn in self.answers)


@dataclass(frozen=True, slots=True)
class GivenMark:
    """A mark and who gave it when."""

    mark: Mark
    by: str
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TextReading:
    """What the texts of a debate come to where a rule of play asks: instead of measuring them."""

    anything_new: bool
    """A claim of this round, or its words, had not been said before."""
    converged: bool
    """The stances of this round name one and the same option."""
    refuses: bool
    """The option that would win rests on unverified quotes."""


@dataclass(frozen=True)
class State:
    """Everything the record says so far. Only `apply` makes one."""

    spec: Spec
    debate: str
    slots: tuple[Slot, ...]
    version: int
    head: str
    opened_at: str
    measures: int = 1
    """Version of the measures of text with which it was held."""
    reading: TextReading | None = None
    """None = texts are measured; for `audit`, which follows records that were held with other measures."""
    position: int = -1
    """Index in `slots` of the phase that is open or ended last; -1 before the first."""
    open: OpenPhase | None = None
    turns: tuple[Turn, ...] = ()
    """Turns of ended phases, in schedule order within each phase."""
    ran: tuple[tuple[int, str], ...] = ()
    """(round, phase) of every phase that began, in order."""
    compared: Mapping[TurnId, tuple[str, str]] = field(default_factory=dict)
    """Turn -> the two options that it compares, of every phase that began."""
    joined: tuple[str, ...] = ()
    """Options that were proposed in the debate itself, in the order in which they joined the others."""
    ballots: Mapping[str, Ballot] = field(default_factory=dict)
    counted: tuple[Counted, ...] = ()
    claims: Mapping[str, Claim] = field(default_factory=dict)
    marks: Mapping[str, GivenMark] = field(default_factory=dict)
    attempts: tuple[str, ...] = ()
    """Request ids of every started attempt, in order: what a replayed script has already used."""
    failed_attempts: tuple[Turn, ...] = ()
    """Attempts that failed and were asked again; the last one of a turn is in `turns`."""
    reserved: tuple[tuple[str, Usage], ...] = ()
    """(request id, reservation) of paid calls whose use is not known: those under way, and those that were lost."""
    paused: str | None = None
    paused_at: str = ""
    """When the pause that lasts began."""
    limit_met: LimitMet | None = None
    """The limit that a paused debate waits at."""
    waited: timedelta = timedelta()
    """How long all pauses before it took together."""
    stopped: Stopped | None = None
    truncated: Truncated | None = None
    deadline_passed: DeadlinePassed | None = None
    outcome: Outcome | None = None
    closed_at: str = ""
    baselines_asked: tuple[BaselineName, ...] = ()
    """What was wished for beside the debate and has been asked for since its end."""
    baselines: tuple[BaselineHeld, ...] = ()
    """What the same models answered without a debate, asked after its end; no part of it."""
    said_head: str = ""
    """Hash of the last event of the debate itself: what people's ballots are bound to."""
    said_at: str = ""
    """When that event happened (UTC text)."""
    room: RoomState = field(default_factory=RoomState)
    ownership: Ownership = field(default_factory=Ownership)
    predecessor: Predecessor | None = None
    """The record that this one was made from, without the name of one person."""

    def __repr__(self) -> str:
        """Short: asyncio spells out what a task gives, and of a whole record that takes tenths of a second."""
        return f"<State of {self.debate} at event {self.version}>"

    def phase(self, name: str) -> Phase:
        """The phase of this name."""
        return next(p for p in self.spec.protocol.phases() if p.name == name)

    def all_turns(self) -> tuple[Turn, ...]:
        """Ended turns, those of the open phase too, in schedule order."""
        if self.open is None:
            return self.turns
        return self.turns + self.open.turns()

    def claim_numbers(self) -> dict[str, int]:
        """Claim id -> the number by which people call it: `claim 7` is the seventh in the order of the schedule.

        Who answers first among those who answer at once changes no number, so that it tells nobody who was quicker.
        A number is settled once its phase has ended.
        """
        claims = [claim for turn in self.all_turns() for claim in turn.claims]
        return {claim.id: number for number, claim in enumerate(claims, start=1)}

    def replies_lost(self, turn: TurnId) -> int:
        """How many attempts at a turn failed because of what was replied.

        A call without a whole reply is no attempt, and being asked which of two things a seat holds is no fault.
        """
        lost = 0
        for attempt in self.failed_attempts:
            if attempt.address() == turn and not attempt.transport and attempt.status != "contradicts":
                lost += 1
        return lost

    def current_round(self) -> int:
        """Round of the last phase that began; 0 before it."""
        return self.ran[-1][0] if self.ran else 0


Folded = TypeVar("Folded", State, OpenPhase)


def replace(value: Folded, **changes: Any) -> Folded:
    """dataclasses.replace for the two values of the fold, which have no slots: it runs for every event."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__)
    new.__dict__.update(changes)
    return new


def waited_since(state: State, at: str) -> timedelta:
    """How long the pause that lasts has taken until `at` (UTC text); nothing without one."""
    if state.paused is None:
        return timedelta()
    return datetime.fromisoformat(at) - datetime.fromisoformat(state.paused_at)
