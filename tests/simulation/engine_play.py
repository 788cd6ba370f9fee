"""A debate by the rules of the engine, for the simulator: its record is followed from the first event to the last."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, requests, submit
from debate_core.engine.seat_view import View
from debate_core.errors import RuleViolation
from debate_core.host.run_loop import Attempt, Planner
from debate_core.host.run_options import RunOptions
from debate_core.host.run_planner import RunPlanner, failed
from debate_core.record.commands import AnyCommand, Pause, Resume, SkipTurn, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.seats import OnText
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import Majority, MaxRounds
from debate_core.spec.values import Occupant, Seat
from tests.simulation.history import Person
from tests.simulation.process import Time

AT = datetime(2026, 1, 1, tzinfo=UTC)
SEATS: dict[str, Occupant] = {"a": "scripted", "b": "scripted", "p": "human"}
SPEC = Spec(
    question="Adopt it?",
    options=("adopt", "defer"),
    seats=tuple(Seat(id=name, occupant=occupant) for name, occupant in SEATS.items()),
    protocol=Protocol(
        name="trial",
        each_round=(Phase(name="opening", order="at_once"), Phase(name="reply")),
        decide=Majority(),
        stop=(MaxRounds(),),
    ),
    max_rounds=2,
)
TURNS = [(number, phase, seat) for number in (1, 2) for phase in ("opening", "reply") for seat in SEATS]


async def nobody(request: Request, view: View, on_text: OnText) -> AnyCommand:
    """In whose seat the simulator answers."""
    raise AssertionError(f"the simulator answers {request.id}, and asks nobody")


class EnginePlay:
    """Two seats beside a person, in two rounds; a chair who makes a pause, and skips a turn."""

    def __init__(self, seed: int) -> None:
        self.debate = f"d-{seed}"
        self._random = Random(seed)
        self._acts: list[AnyCommand] = [Pause(by="chair", reason="tea")] if self._random.random() < 0.5 else []
        self._skips = self._random.random() < 0.5

    def opening(self) -> Sequence[Event]:
        return open_debate(SPEC, debate_id=self.debate, at=AT)

    def planner(self, time: Time) -> Planner:
        fillers = {seat: nobody for seat, occupant in SEATS.items() if occupant != "human"}
        return RunPlanner(fillers, RunOptions(clock=lambda: _at(time())))

    def answer(self, attempt: Attempt) -> AnyCommand:
        chance = self._random.random()
        if chance < 0.1:
            return failed(attempt.request, "timeout", "it took too long", "So f")
        return self._turn(attempt.request, "nothing like it" if chance > 0.95 else None)

    def _turn(self, request: Request, vote: str | None = None) -> TakeTurn:
        said = Argument(rationale=f"I am {request.id}.", vote=vote or self._random.choice(SPEC.options))
        return TakeTurn(by=request.seat, request=request.id, content=said)

    def people(self) -> Sequence[Person]:
        person = Person(self._speaks, self._random.uniform(0, 3), again_s=1.0)
        return person, Person(self._leads, self._random.uniform(0, 10), again_s=3.0)

    def again_s(self, _planner: Planner) -> float | None:
        return None

    def _speaks(self, record: Sequence[Event], at_s: float) -> Sequence[Event]:
        state = replay(record)
        mine = next((request for request in requests(state) if request.seat == "p"), None)
        return () if mine is None else _done(state, self._turn(mine), at_s)

    def _leads(self, record: Sequence[Event], at_s: float) -> Sequence[Event]:
        """Ends a pause, or makes one, or skips whoever is asked, each once."""
        state = replay(record)
        if state.paused is not None:
            return _done(state, Resume(by="chair"), at_s)
        if not any(event.kind == "paused" for event in record) and self._acts:
            return _done(state, self._acts[0], at_s)
        asked = requests(state)
        if self._skips and asked and not any(event.kind == "turn_skipped" for event in record):
            return _done(state, SkipTurn(by="chair", request=asked[0].id, reason="too long"), at_s)
        return ()

    def faults(self, record: Sequence[Event]) -> Sequence[str]:
        state = replay(record)
        wrong = [str(finding) for finding in verify(record)]
        turns = [(turn.round, turn.phase, turn.seat) for turn in state.turns]
        return wrong if turns == TURNS else [*wrong, f"these are not the turns that were agreed: {turns}"]


def _at(seconds: float) -> datetime:
    return AT + timedelta(seconds=seconds)


def _done(state: State, command: AnyCommand, at_s: float) -> Sequence[Event]:
    try:
        return submit(state, command, at=_at(at_s))
    except RuleViolation:
        return ()
