"""The runner: seats side by side, people who cut in, seats that fail, and one runner at a time."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, submit
from debate_core.engine.seat_view import View
from debate_core.errors import BadReply, Busy, Leased, Refused, UnknownDebate
from debate_core.host.run_loop import LEASE_TTL_S
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.sqlite import SqliteStore, driver
from debate_core.record.commands import AnyCommand, Pause, Resume, SkipTurn, StartAttempt, Stop, TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.seats import Filler, OnText
from debate_core.seats.providers.wire import Call, OnPiece, Reply
from debate_core.spec.contents import Argument, Synthesis
from debate_core.spec.presets import EXPERT_PANEL
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import Majority, MaxRounds
from debate_core.spec.values import Occupant, Seat
from tests.model_seats import GOOD, SaidBefore, complete, line, seat_of, spec_of

AT = datetime(2026, 1, 1, tzinfo=UTC)
PROTOCOL = Protocol(
    name="trial", each_round=(Phase(name="opening", order="at_once"),), decide=Majority(), stop=(MaxRounds(),)
)
Says = Callable[[Request, View, OnText], Awaitable[AnyCommand]]


def spec(people: str = "", seats: str = "a b c", phases: tuple[Phase, ...] = PROTOCOL.each_round) -> Spec:
    def occupant(seat: str) -> Occupant:
        return "human" if seat in people.split() else "scripted"

    return Spec(
        question="Adopt it?",
        options=("adopt", "defer"),
        seats=tuple(Seat(id=s, occupant=occupant(s)) for s in seats.split()),
        protocol=PROTOCOL.model_copy(update={"each_round": phases}),
        max_rounds=1,
    )


def opened(wanted: Spec) -> MemoryStore:
    store = MemoryStore()
    store.append("d", open_debate(wanted, debate_id="d", at=AT), after=0)
    return store


def put(store: MemoryStore, command: AnyCommand) -> None:
    """Perform an act of a person or of another process."""
    state = replay(store.load("d"))
    store.append("d", submit(state, command, at=AT), after=state.version)


def turn(request: Request, vote: str = "adopt") -> TakeTurn:
    return TakeTurn(by=request.seat, request=request.id, content=Argument(rationale="Because.", vote=vote))


def after(delay_s: float) -> Filler:
    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        on_text(request.id, "Beca")
        await asyncio.sleep(delay_s)
        return turn(request)

    return says


def clock() -> Callable[[], datetime]:
    ticks = iter(range(100_000))
    return lambda: AT + timedelta(seconds=next(ticks))


async def play(store: MemoryStore, fillers: Mapping[str, Filler], **settings: float) -> State:
    state = await run("d", store, fillers, RunOptions(clock=clock(), deadline_s=settings.get("deadline_s", 5)))
    assert verify(store.load("d")) == ()
    assert state == replay(store.load("d"))
    return state


async def until_kept(store: MemoryStore, kind: str) -> None:
    """Wait until an event of this kind is in the store."""
    while kind not in kinds(store):
        await asyncio.sleep(0.005)


def kinds(store: MemoryStore) -> list[str]:
    return [e.kind for e in store.load("d")]


def test_seats_of_a_phase_are_asked_in_parallel_once_recorded():
    # R192: whoever is asked alone would wait here for ever
    all_asked = asyncio.Barrier(3)

    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        await all_asked.wait()
        return turn(request)

    store = opened(spec())
    state = asyncio.run(play(store, dict.fromkeys("abc", says)))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "adopt")
    assert kinds(store) == [
        "debate_opened",
        "phase_began",
        *["attempt_started"] * 3,
        *["turn_taken"] * 3,
        "phase_ended",
        "closed",
    ]


def test_openings_and_critiques_of_the_panel_run_in_parallel():
    """A phase ends only if its three seats are asked at the same time; no seat reads another turn of its phase."""
    barriers = {name: asyncio.Barrier(3) for name in ("opening", "critique")}
    read: dict[str, set[str]] = {}

    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        read.setdefault(request.phase, set()).update(turn.phase for turn in view.turns)
        if request.phase in barriers:
            async with asyncio.timeout(3):
                await barriers[request.phase].wait()
            return turn(request, "adopt" if request.seat == "a" else "defer" if request.seat == "b" else "abstain")
        return TakeTurn(by=request.seat, request=request.id, content=Synthesis(answer="So."))

    wanted = spec(seats="a b c")
    closing = Seat(id="syn", role="synthesiser", occupant="scripted", commitment="open")
    changes = {"protocol": EXPERT_PANEL, "max_rounds": 2, "seats": (*wanted.seats, closing)}
    state = asyncio.run(play(opened(wanted.model_copy(update=changes)), dict.fromkeys(("a", "b", "c", "syn"), says)))
    assert [(turn.phase, turn.status) for turn in state.turns] == [
        *[("opening", "ok")] * 3,
        *[("critique", "ok")] * 3,
        ("synthesis", "ok"),
    ]
    assert (read["opening"], read["critique"]) == (set(), {"opening"})


def test_seats_in_turn_see_each_other():
    seen: list[int] = []

    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        seen.append(len(view.turns))
        return turn(request)

    store = opened(spec(phases=(Phase(name="opening"),)))
    asyncio.run(play(store, dict.fromkeys("abc", says)))
    assert seen == [0, 1, 2]


def test_it_stops_at_people_and_goes_on_when_they_have_answered():
    store = opened(spec(people="b", phases=(Phase(name="opening"),)))
    fillers = {"a": after(0), "c": after(0)}
    state = asyncio.run(play(store, fillers))
    assert state.outcome is None
    assert state.open is not None
    assert state.open.waiting() == ("b", "c")
    person = TakeTurn(by="b", request="1.opening.b.1", content=Argument(rationale="I say so.", vote="defer"))
    put(store, person)
    assert asyncio.run(play(store, fillers)).outcome is not None


def test_a_debate_that_waits_for_people_is_held_by_nobody():
    store = opened(spec(people="a b c"))
    asyncio.run(play(store, {}))
    assert store.acquire("d", "elsewhere:1:1", ttl_s=1).fence == 1


def test_a_pause_lets_turns_end_and_asks_nobody():
    async def both() -> None:
        store = opened(spec(phases=(Phase(name="opening"),)))
        running = asyncio.create_task(play(store, dict.fromkeys("abc", after(0.1))))
        await until_kept(store, "attempt_started")
        put(store, Pause(by="chair", reason="tea"))
        state = await running
        assert state.paused == "tea"
        assert [t.seat for t in state.all_turns()] == ["a"]
        assert state.attempts == ("1.opening.a.1",)
        assert (await play(store, dict.fromkeys("abc", after(0)))).version == state.version
        put(store, Resume(by="chair"))
        assert (await play(store, dict.fromkeys("abc", after(0)))).outcome is not None

    asyncio.run(both())


@pytest.mark.parametrize(
    "command", [SkipTurn(by="chair", request="1.opening.a.1", reason="too long"), Stop(by="chair", reason="enough")]
)
def test_a_turn_that_is_no_longer_asked_is_cut_off_at_once(command: AnyCommand, monkeypatch: pytest.MonkeyPatch):
    # It would look for itself in a minute: nothing but being woken ends this within ten seconds.
    monkeypatch.setattr("debate_core.host.run_planner.LOOK_S", 60)
    cut: list[str] = []

    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cut.append(request.id)
            raise
        return turn(request)

    async def both() -> None:
        store, wake = opened(spec(seats="a b")), asyncio.Event()
        fillers: dict[str, Filler] = {"a": says, "b": after(0)}
        running = asyncio.create_task(run("d", store, fillers, RunOptions(wake=wake)))
        await until_kept(store, "turn_taken")
        put(store, command)
        wake.set()
        state = await asyncio.wait_for(running, timeout=10)
        assert cut == ["1.opening.a.1"]
        assert state.outcome is not None
        assert verify(store.load("d")) == ()

    asyncio.run(both())


@pytest.mark.slow
def test_what_others_append_is_noticed_without_being_woken():
    async def both() -> None:
        store = opened(spec(seats="a"))
        running = asyncio.create_task(play(store, {"a": after(600)}))
        await until_kept(store, "attempt_started")
        put(store, Stop(by="chair", reason="enough"))
        state = await asyncio.wait_for(running, timeout=60)
        assert state.outcome is not None
        assert state.outcome.status == "aborted"

    asyncio.run(both())


@pytest.mark.slow
def test_a_late_seat_times_out_and_is_asked_again():
    delays = iter([60, 0])

    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        on_text(request.id, f"attempt {request.attempt}")
        await asyncio.sleep(next(delays))
        return turn(request)

    store = opened(spec(seats="a"))
    state = asyncio.run(play(store, {"a": says}, deadline_s=0.5))
    failed = state.failed_attempts
    assert [(t.status, t.text, t.message, t.request) for t in failed] == [
        ("timeout", "attempt 1", "no answer within 0.5 s", "1.opening.a.1")
    ]
    assert state.attempts == ("1.opening.a.1", "1.opening.a.2")
    assert [(t.status, t.attempts) for t in state.turns] == [("ok", 2)]


@pytest.mark.parametrize(
    ("error", "status", "message", "attempts"),
    [
        (RuntimeError("key sk-123"), "failed", "the seat broke with RuntimeError", 2),
        (TimeoutError("socket"), "failed", "the seat broke with TimeoutError", 2),
        (BadReply("no vote"), "unparseable", "no vote", 2),
        (Refused("it declined"), "refused", "it declined", 1),
    ],
)
def test_a_seat_that_fails_is_recorded_and_is_no_ballot(
    error: Exception, status: str, message: str, attempts: int, caplog: pytest.LogCaptureFixture
):
    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        on_text(request.id, "So f")
        raise error

    store = opened(spec())
    state = asyncio.run(play(store, {"a": says, "b": after(0), "c": after(0)}))
    broken = state.turns[0]
    assert (broken.status, broken.message, broken.text, broken.attempts) == (status, message, "So f", attempts)
    assert state.ballots["a"].status in ("failed", "unparseable", "abstained")
    assert state.ballots["a"].choice is None
    # Where it broke is for the log, what was said there is not.
    is_broken = message.startswith("the seat broke")
    told = [record.getMessage() for record in caplog.records if "broke" in record.getMessage()]
    assert len(told) == (attempts if is_broken else 0)
    assert all("test_runner.py:" in line and line.endswith(" says") for line in told)
    assert str(error) not in caplog.text


def answers_for_another(request: Request) -> AnyCommand:
    return TakeTurn(by=request.seat, request="1.opening.b.1", content=Argument(rationale="I am b.", vote="adopt"))


def pauses(request: Request) -> AnyCommand:
    return Pause(by=request.seat, reason="I can stop it")


def votes_for_nothing(request: Request) -> AnyCommand:
    return turn(request, vote="nothing like it")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (answers_for_another, "something other than its turn"),
        (pauses, "something other than its turn"),
        (votes_for_nothing, "none of the options"),
    ],
)
def test_an_answer_that_the_rules_refuse_is_a_failed_attempt(answer: Callable[[Request], AnyCommand], message: str):
    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        return answer(request)

    store = opened(spec())
    state = asyncio.run(play(store, {"a": says, "b": after(0.01), "c": after(0.01)}))
    assert [t.status for t in state.turns] == ["unparseable", "ok", "ok"]
    assert message in state.turns[0].message


def test_a_second_runner_is_refused_while_the_first_lives():
    async def both() -> None:
        store = opened(spec())
        running = asyncio.create_task(play(store, dict.fromkeys("abc", after(0.1))))
        await until_kept(store, "attempt_started")
        with pytest.raises(Leased, match="is being run by"):
            await run("d", store, dict.fromkeys("abc", after(0)))
        await running
        assert kinds(store).count("attempt_started") == 3

    asyncio.run(both())


def test_a_runner_that_was_taken_over_writes_nothing_more():
    async def both() -> None:
        store = opened(spec())
        running = asyncio.create_task(run("d", store, dict.fromkeys("abc", after(0.1))))
        await until_kept(store, "attempt_started")
        store.release(store._leases["d"].lease)
        store.acquire("d", "elsewhere:1:1", ttl_s=60)
        with pytest.raises(Leased, match="taken over by elsewhere"):
            await running
        assert "turn_taken" not in kinds(store)

    asyncio.run(both())


def test_an_attempt_lost_to_a_crash_is_repeated_and_both_show():
    store = opened(spec(seats="a"))
    put(store, StartAttempt(by="a", request="1.opening.a.1"))
    state = asyncio.run(play(store, {"a": after(0)}))
    assert state.attempts == ("1.opening.a.1", "1.opening.a.1")
    assert [t.status for t in state.turns] == ["ok"]


def test_two_answers_to_one_request_one_wins():
    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        put(store, SkipTurn(by="chair", request=request.id, reason="I was first"))
        return turn(request)

    store = opened(spec())
    state = asyncio.run(play(store, {"a": says, "b": after(0.01), "c": after(0.01)}))
    assert [t.status for t in state.turns] == ["skipped", "ok", "ok"]


def test_what_is_appended_and_said_is_told():
    heard: list[str] = []
    told: list[int] = []

    async def one() -> None:
        await run(
            "d",
            store,
            lambda state: {s.id: after(0) for s in state.spec.seats},
            RunOptions(
                on_text=lambda request, text, thinking="": heard.append(f"{request}: {text}"),
                on_events=lambda events: told.extend(e.seq for e in events),
            ),
        )

    store = opened(spec(seats="a"))
    asyncio.run(one())
    assert heard == ["1.opening.a.1: Beca"]
    assert told == [e.seq for e in store.load("d")][2:]


class OwnLine(SaidBefore):
    """A wire that tells whether its line was closed, which may be impossible."""

    def __init__(self, *, can_close: bool) -> None:
        super().__init__()
        self._can_close = can_close
        self.was_closed = False

    async def ask(self, call: Call, on_piece: OnPiece, *, deadline_s: float) -> Reply:
        return complete(GOOD)

    async def close(self) -> None:
        if not self._can_close:
            raise OSError("the line is gone")
        self.was_closed = True


def test_a_client_that_fails_to_close_does_not_harm_the_debate(caplog: pytest.LogCaptureFixture):
    # All turns are on record by then: the fault is one of the operator's network, and no reason to pause a debate.
    wanted = spec_of(line())
    wires = [OwnLine(can_close=can_close) for can_close in (False, True, False, True)]
    seats = {seat.id: seat_of(wanted, wire) for seat, wire in zip(wanted.seats, wires, strict=True)}
    store = opened(wanted)
    state = asyncio.run(run("d", store, lambda state: seats))
    assert state.outcome is not None
    assert [wire.was_closed for wire in wires] == [False, True, False, True]
    told = [record.getMessage() for record in caplog.records if "a line of d broke" in record.getMessage()]
    assert len(told) == 2
    assert all("OSError" in one and one.endswith("close") for one in told)
    assert "the line is gone" not in caplog.text
    store.release(store.acquire("d", "somebody else", ttl_s=5))


def locked(store: SqliteStore) -> sqlite3.Connection:
    """Somebody who writes into the file, and does not end."""
    other: sqlite3.Connection = driver.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with one debate of one seat."""
    store = SqliteStore(tmp_path / "debates.db")
    store.append("d", open_debate(spec(seats="a"), debate_id="d", at=AT), after=0)
    yield store
    store.close()


@pytest.mark.slow
def test_the_loop_continues_while_others_write(file: SqliteStore):
    asked: list[str] = []

    async def both() -> None:
        async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
            asked.append(request.id)
            other = locked(file)
            # Ended by the loop itself: if the runner stood still in it, nobody would end it.
            asyncio.get_running_loop().call_later(0.05, other.close)
            return turn(request)

        state = await run("d", file, {"a": says})
        assert [t.status for t in state.turns] == ["ok"]

    began_s = time.monotonic()
    asyncio.run(both())
    assert asked == ["1.opening.a.1"]
    assert time.monotonic() - began_s < LEASE_TTL_S


@pytest.mark.slow
def test_a_store_that_stays_locked_is_told(file: SqliteStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("debate_core.host.run_loop.BUSY_S", 0.0)
    other = locked(file)
    with pytest.raises(Busy, match="database is locked"):
        asyncio.run(run("d", file, {"a": after(0)}))
    other.close()
    assert asyncio.run(run("d", file, {"a": after(0)})).outcome is not None


def test_an_unknown_debate():
    with pytest.raises(UnknownDebate):
        asyncio.run(run("nobody", MemoryStore(), {}))
