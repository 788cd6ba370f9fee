"""The state of a debate: everything that the record contains so far, as values.

`debate_core/record/fold.py` changes it by events; `debate_core/engine` applies the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from debate_core.record.events import BaselineHeld, DeadlinePassed, LimitMet, Predecessor, Stopped, Truncated
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.look_ups import LookedUp
from debate_core.record.ownership import Ownership
from debate_core.record.people import RoomState
from debate_core.spec.contents import Argument, Claim, Content, Gives, LeftOut, Mark
from debate_core.spec.protocol import Phase, Slot, Spec
from debate_core.spec.values import ASKED_ABOUT, Ballot, BaselineName, Outcome, Tally, TurnStatus, Usage


class Request(NamedTuple):
    """An open request to a seat. `id` is the text of a `RequestId`, e.g. `2.critique.risk.1`."""

    id: str
    seat: str
    round: int
    phase: str
    gives: Gives
    attempt: int
    nth: int = 1
    """Number of this turn among those of the seat in this phase."""

    def turn(self) -> TurnId:
        """The turn, independent of the attempt."""
        return TurnId(self.round, self.phase, self.seat, self.nth)

    def place(self) -> str:
        """The turn's id as text: `2.critique.risk`."""
        return str(self.turn())


class Turn(NamedTuple):
    """The result of one request: content if `status` is ok, else the partial text and the reason."""

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
    """Unreadable optional parts of the reply."""

    nth: int = 1
    """Number of this turn among those of the seat in this phase."""
    argues_for: str | None = None
    """The single option that its text argues for while its ballot ranks another one first."""
    no_reason: bool = False
    """True if its text gives no reason for its ballot."""
    match: str | None = None
    """The debate that compared the two options of this turn."""
    transport: bool = False
    """True for a call without a complete reply, for reasons other than its content."""
    began: bool = False
    """True with `transport` if a reply had begun."""
    reached: bool = False
    """True for a failed turn whose server was reached: it refused the call for good, or was late."""

    @property
    def argument(self) -> Argument | None:
        """The content if it is an argument, else None."""
        return self.content if isinstance(self.content, Argument) else None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of an argument; () for other turns."""
        return self.content.claims if isinstance(self.content, Argument) else ()

    def address(self) -> TurnId:
        """The turn, independent of the attempt."""
        return TurnId(self.round, self.phase, self.seat, self.nth)

    def place(self) -> str:
        """The turn's id as text: `2.critique.risk`."""
        return str(self.address())


@dataclass(frozen=True, slots=True)
class Counted:
    """All ballots at the end of a phase that asks for them."""

    round: int
    phase: str
    tally: Tally
    ballots: Mapping[str, Ballot]


@dataclass(frozen=True)
class OpenPhase:
    """The open phase. `answers` has the ended turns, `failures` the number of failed attempts at each."""

    slot: Slot
    round: int
    speakers: tuple[str, ...]
    """Seats in schedule order; a seat listed twice has two turns."""
    answers: Mapping[TurnId, Turn] = field(default_factory=dict)
    failures: Mapping[TurnId, int] = field(default_factory=dict)
    started: Mapping[TurnId, str] = field(default_factory=dict)
    """Start of the latest attempt at a turn (UTC text)."""
    since: str = ""
    """Time from which people could answer: the phase's start, or its release by the facilitator."""
    unreached: Mapping[TurnId, Turn] = field(default_factory=dict)
    """Failed turns during a pause because no seat could be reached. They are asked again."""
    given_up: bool = False
    """True once the debate continued without them."""
    pairs: tuple[tuple[str, str], ...] = ()
    """The two options that each speaker compares, in comparisons."""

    @cached_property
    def asked(self) -> tuple[TurnId, ...]:
        """Every turn of the phase, in schedule order."""
        name = self.slot.phase.name
        times: dict[str, int] = {}
        asked = []
        for seat in self.speakers:
            times[seat] = times.get(seat, 0) + 1
            asked.append(TurnId(self.round, name, seat, times[seat]))
        return tuple(asked)

    def compared(self) -> dict[TurnId, tuple[str, str]]:
        """Turn -> the two options to compare."""
        if not self.pairs:
            return {}
        return dict(zip(self.asked, self.pairs, strict=True))

    def missing(self) -> tuple[TurnId, ...]:
        """Turns that have not ended, in schedule order."""
        return tuple(turn for turn in self.asked if turn not in self.answers)

    def is_complete(self) -> bool:
        """True if every turn has ended."""
        return all(turn in self.answers for turn in self.asked)

    def waiting(self) -> tuple[str, ...]:
        """Seats that still have to answer, each once, in schedule order."""
        return tuple(dict.fromkeys(turn.seat for turn in self.missing()))

    def turns(self) -> tuple[Turn, ...]:
        """Ended turns in schedule order, independent of their arrival."""
        return tuple(self.answers[turn] for turn in self.asked if turn in self.answers)


@dataclass(frozen=True, slots=True)
class GivenMark:
    """A mark with its author and time."""

    mark: Mark
    by: str
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TextReading:
    """Recorded readings of a debate's texts, which the rules use instead of measuring them."""

    anything_new: bool
    """This round brought a new claim, or new prose."""
    converged: bool
    """The stances of this round name the same single option."""
    refuses: bool
    """The winning option rests on false quotes."""


@dataclass(frozen=True)
class State:
    """Everything that the record contains so far. Only `apply` makes one."""

    spec: Spec
    debate: str
    slots: tuple[Slot, ...]
    version: int
    head: str
    opened_at: str
    measures: int = 1
    """Version of the text measures of this debate."""
    reading: TextReading | None = None
    """None = texts are measured. Set by `audit` for records made with other measures."""
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
    """Options proposed during the debate, in the order in which they joined."""
    ballots: Mapping[str, Ballot] = field(default_factory=dict)
    counted: tuple[Counted, ...] = ()
    claims: Mapping[str, Claim] = field(default_factory=dict)
    """Claims of turns, and `facts`, by id."""
    facts: tuple[Claim, ...] = ()
    """What people wrote before the first vote, once it is shown. No seat made these claims."""
    marks: Mapping[str, GivenMark] = field(default_factory=dict)
    attempts: tuple[str, ...] = ()
    """Request ids of every started attempt, in order; a replayed script has used these."""
    failed_attempts: tuple[Turn, ...] = ()
    """Failed attempts that were asked again; the last one of a turn is in `turns`."""
    look_ups: tuple[LookedUp, ...] = ()
    """Every look-up, in order."""
    reserved: tuple[tuple[str, Usage], ...] = ()
    """(request id, reservation) of paid calls of unknown use: running or lost."""
    stop_verdicts: Mapping[tuple[int, str], bool] = field(default_factory=dict)
    """(round, stop function) -> its verdict."""
    paused: str | None = None
    paused_at: str = ""
    """Start of the current pause."""
    limit_met: LimitMet | None = None
    """The limit at which a paused debate waits."""
    waited: timedelta = timedelta()
    """Total duration of all earlier pauses."""
    stopped: Stopped | None = None
    truncated: Truncated | None = None
    deadline_passed: DeadlinePassed | None = None
    outcome: Outcome | None = None
    closed_at: str = ""
    baselines_asked: tuple[BaselineName, ...] = ()
    """Baselines that were asked since the end of the debate."""
    baselines: tuple[BaselineHeld, ...] = ()
    """Answers of baselines, asked after the end; no part of the debate."""
    said_head: str = ""
    """Hash of the last event of the debate itself, to which people's ballots are tied."""
    said_at: str = ""
    """Time of that event (UTC text)."""
    room: RoomState = field(default_factory=RoomState)
    ownership: Ownership = field(default_factory=Ownership)
    predecessor: Predecessor | None = None
    """The record from which this one was made by removing a person's name."""

    def __repr__(self) -> str:
        """A short text: asyncio formats the results of tasks, and a whole record would take tenths of a second."""
        return f"<State of {self.debate} at event {self.version}>"

    def phase(self, name: str) -> Phase:
        return next(p for p in self.spec.protocol.phases() if p.name == name)

    def all_turns(self) -> tuple[Turn, ...]:
        """Ended turns, including those of the open phase, in schedule order."""
        if self.open is None:
            return self.turns
        return self.turns + self.open.turns()

    def is_by_person(self, turn: Turn) -> bool:
        """True if a person gave this turn, for their own seat or for one that they took over."""
        return turn.by != turn.seat or self.spec.seat(turn.seat).occupant == "human"

    def claim_numbers(self) -> dict[str, int]:
        """Claim id -> the number that people see: `claim 7` is the seventh in schedule order, after `facts`.

        Arrival order in an at_once phase changes no number, so numbers do not reveal who answered first. A number is
        final once its phase has ended.
        """
        claims = [*self.facts, *(claim for turn in self.all_turns() for claim in turn.claims)]
        return {claim.id: number for number, claim in enumerate(claims, start=1)}

    def replies_lost(self, turn: TurnId) -> int:
        """Number of attempts at a turn that failed because of their reply.

        Calls without a complete reply and questions about a complete turn do not count.
        """
        lost = 0
        for attempt in self.failed_attempts:
            if attempt.address() == turn and not attempt.transport and attempt.status not in ASKED_ABOUT:
                lost += 1
        return lost

    def look_ups_of(self, turn: TurnId) -> tuple[LookedUp, ...]:
        """The look-ups before this turn, in order, of all its attempts."""
        return tuple(one for one in self.look_ups if RequestId.parse(one.request).turn == turn)

    def current_round(self) -> int:
        """Round of the last phase that began; 0 before it."""
        return self.ran[-1][0] if self.ran else 0


Folded = TypeVar("Folded", State, OpenPhase)


def replace(value: Folded, **changes: Any) -> Folded:
    """dataclasses.replace for the two values of the fold, which have no slots; fast, as it runs for every event."""
    new = object.__new__(type(value))
    object.__setattr__(new, "__dict__", value.__dict__ | changes)
    return new


def waited_since(state: State, at: str) -> timedelta:
    """Duration of the current pause until `at` (UTC text); zero without one."""
    if state.paused is None:
        return timedelta()
    return datetime.fromisoformat(at) - datetime.fromisoformat(state.paused_at)
