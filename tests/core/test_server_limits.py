"""Limits that all who share a store keep together: calls at a time, tokens a minute, one look at a server that is away.

Played in a time of its own by callers who end their calls late, early or never; then by real processes.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from debate_core.errors import Busy, TooMany
from debate_core.host.daily_budget import DailyBudget, DayLimit
from debate_core.host.server_health import StoreBoard
from debate_core.host.stores import NoteChange, Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.seats.server_queue import Board, MemoryBoard, Place, ServerQueue, Servers, renew_places
from debate_core.seats.server_state import PLACE_S, WINDOW_S, LineLimits
from debate_core.spec.models import ModelLine
from debate_core.spec.values import Usage
from tests import postgres

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
HERE = "http://127.0.0.1:1"
ROOT = Path(__file__).resolve().parents[2]


def at(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def queue(board: Board, *, places: int = 8, tokens: int | None = None, model: str = "m") -> ServerQueue:
    return ServerQueue(board, HERE, LineLimits(model=model, places=places, tokens_per_minute=tokens))


@pytest.fixture(params=["memory", "store"])
def boards(request: pytest.FixtureRequest) -> Callable[[], Board]:
    """One board after the other that share what they know, as those of two processes do."""
    if request.param == "memory":
        one = MemoryBoard()
        return lambda: one
    store = MemoryStore()
    return lambda: StoreBoard(store)


@dataclass
class Caller:
    """A call of the play below: from when to when it was made, and what it used."""

    place: Place
    began_s: float
    ends_s: float
    used: int
    dies: bool


def play(seed: int, places: int, most_tokens: int) -> list[Caller]:
    """Ten minutes of three processes at one server; every fifth call dies in the middle."""
    rng, store = random.Random(seed), MemoryStore()
    lines = [queue(StoreBoard(store), places=places, tokens=most_tokens) for _ in range(3)]
    made: list[Caller] = []
    for tick in range(1_200):
        now_s = tick / 2
        under_way = [call for call in made if call.ends_s > now_s]
        for call in made:
            if call.ends_s <= now_s and not call.dies:
                call.place.tokens = call.used
                call.place.leave(at=at(now_s))
        if tick % 6 == 0:
            renew_places([call.place for call in under_way if not call.dies], at=at(now_s))
        reserved = rng.randrange(1, most_tokens // 2)
        place = rng.choice(lines).enter(reserved, at=at(now_s))
        if place is not None:
            place.begin()
            dies = len(made) % 5 == 4
            # Who dies is not renewed: it must be gone when its place comes back.
            lasts_s = rng.uniform(0.1, PLACE_S if dies else 40)
            made.append(Caller(place, now_s, now_s + lasts_s, rng.randint(reserved // 2, reserved), dies))
    return made


@pytest.mark.parametrize("seed", range(6))
def test_calls_and_tokens_stay_within_limits_despite_crashes(seed: int):
    places, most_tokens = 1 + seed % 4, 5_000
    made = play(seed, places, most_tokens)
    for call in made:
        assert sum(other.began_s <= call.began_s < other.ends_s for other in made) <= places
    # Servers count tokens when a call begins, when it ends, or in between.
    for share in (0.0, 0.5, 1.0):
        counted = sorted((call.began_s + share * (call.ends_s - call.began_s), call.used) for call in made)
        for from_s, _ in counted:
            assert sum(used for at_s, used in counted if from_s <= at_s < from_s + WINDOW_S) <= most_tokens
    # And the limits are used: calls that died give their places back.
    assert any(call.dies for call in made[: len(made) // 2])
    assert len(made) > 20


def test_a_slot_is_freed_when_left_or_not_renewed(boards: Callable[[], Board]):
    mine, theirs = queue(boards(), places=1), queue(boards(), places=1)
    first = mine.enter(at=at(0))
    assert first is not None
    assert theirs.enter(at=at(1)) is None
    renew_places([first], at=at(9))
    assert theirs.enter(at=at(PLACE_S + 5)) is None
    first.leave(at=at(PLACE_S + 6))
    second = theirs.enter(at=at(PLACE_S + 7))
    assert second is not None
    # Nobody renews the second one; when it is renewed late, its place is somebody else's.
    third = mine.enter(at=at(2 * PLACE_S + 8))
    assert third is not None
    renew_places([second], at=at(2 * PLACE_S + 9))
    second.leave(at=at(2 * PLACE_S + 9))
    assert theirs.enter(at=at(2 * PLACE_S + 9)) is None


def test_tokens_are_reserved_and_then_counted_for_a_minute(boards: Callable[[], Board]):
    mine, theirs = queue(boards(), tokens=1_000), queue(boards(), tokens=1_000)
    first = mine.enter(900, at=at(0))
    assert first is not None
    assert theirs.enter(200, at=at(1)) is None
    first.begin()
    first.tokens = 500
    first.leave(at=at(5))
    second = theirs.enter(500, at=at(6))
    assert second is not None
    # A call that was never made has used nothing, one of which nothing is known what it reserved.
    second.leave(at=at(7))
    lost = theirs.enter(500, at=at(8))
    assert lost is not None
    lost.begin()
    lost.leave(at=at(9))
    assert mine.enter(1, at=at(5 + WINDOW_S - 1)) is None
    assert mine.enter(500, at=at(6 + WINDOW_S)) is not None
    # Another model of the same server has a minute of its own.
    assert queue(boards(), tokens=1_000, model="other").enter(1_000, at=at(10)) is not None


def test_one_of_all_looks_whether_a_server_is_back(boards: Callable[[], Board]):
    mine, theirs = queue(boards()), queue(boards())
    side_by_side = [mine.enter(at=at(0)), theirs.enter(at=at(0))]
    for place in side_by_side:
        assert place is not None
        place.lost(at=at(1), asked_s=0)
        place.leave(at=at(1))
    known = boards().servers()[HERE]
    assert (known.circuit(at(1).timestamp()), known.n_looks) == ("open", 1)
    look = theirs.enter(at=at(2))
    assert look is not None
    assert mine.enter(at=at(2)) is None
    assert boards().servers()[HERE].circuit(at(2).timestamp()) == "half-open"
    look.answered(at=at(3))
    assert boards().servers()[HERE].circuit(at(3).timestamp()) == "closed"
    assert mine.enter(at=at(3)) is not None


def test_who_looks_and_dies_leaves_the_look_to_the_next(boards: Callable[[], Board]):
    mine, theirs = queue(boards()), queue(boards())
    lost = mine.enter(at=at(0))
    assert lost is not None
    lost.lost(at=at(0), asked_s=0)
    lost.leave(at=at(0))
    assert mine.enter(at=at(1)) is not None
    assert theirs.enter(at=at(2)) is None
    assert theirs.enter(at=at(2 + PLACE_S)) is not None


def test_a_server_asking_to_wait_is_left_alone_by_all_debates(boards: Callable[[], Board]):
    mine, theirs = queue(boards()), queue(boards())
    place = mine.enter(at=at(0))
    assert place is not None
    place.told_to_wait(at=at(0), asked_s=3_600)
    assert theirs.enter(at=at(3_598)) is None
    next_call = theirs.next_call(at=at(5))
    assert next_call is not None
    assert abs(next_call - at(3_600)) < timedelta(seconds=1)
    assert queue(boards(), model="other").enter(at=at(5)) is not None
    theirs.open(at=at(5), waits_hours=False)
    assert theirs.enter(at=at(5)) is not None
    # Then one looks, for all who have waited; as soon as it is answered, all call.
    theirs.open(at=at(5), waits_hours=True)
    look = theirs.enter(at=at(3_601))
    assert look is not None
    assert mine.enter(at=at(3_602)) is None
    assert mine.next_call(at=at(3_602)) is None
    look.answered(at=at(3_603))
    assert mine.enter(at=at(3_603)) is not None
    assert theirs.enter(at=at(3_603)) is not None


def test_what_happened_while_the_store_was_busy_is_kept_later():
    class BusyStore(MemoryStore):
        is_busy = False

        def change_note(self, kind: str, name: str, change: NoteChange) -> None:
            if self.is_busy:
                raise Busy("somebody writes")
            super().change_note(kind, name, change)

    store = BusyStore()
    mine = queue(StoreBoard(store), places=1)
    place = mine.enter(at=at(0))
    assert place is not None
    store.is_busy = True
    place.leave(at=at(1))
    with pytest.raises(Busy):
        mine.enter(at=at(1))
    store.is_busy = False
    assert mine.enter(at=at(2)) is not None


def test_a_note_of_another_version_is_restarted_or_partly_read():
    store = MemoryStore()
    store.put_note("server", HERE, '{"n_looks": 2, "colour": "blue"}')
    assert StoreBoard(store).servers()[HERE].n_looks == 2
    store.put_note("server", HERE, "[]")
    assert queue(StoreBoard(store)).enter(at=at(0)) is not None


def test_lines_of_one_server_share_its_places_and_no_key_is_kept():
    store = MemoryStore()
    servers = Servers(StoreBoard(store))
    fields = {
        "provider": "x",
        "dialect": "chat",
        "base_url": "http://10.0.0.1/v1",
        "key_env": "SOME_KEY",
        "parallel": 1,
    }
    lines = [ModelLine.model_validate({"id": name, "model": name, **fields}) for name in ("a", "b")]
    assert servers.queue(lines[0]).enter(at=at(0)) is not None
    assert servers.queue(lines[1]).enter(at=at(0)) is None
    kept = store.notes("server")
    assert list(kept) == ["http://10.0.0.1"]
    assert "SOME_KEY" not in str(kept)


def spent(budget: DailyBudget, call: Usage, times: int) -> Iterator[bool]:
    for _ in range(times):
        try:
            budget.reserve(call)
        except TooMany:
            yield False
        else:
            yield True


def test_each_owner_has_a_budget_of_a_day_beside_that_of_all():
    store: Store = MemoryStore()
    day = [BEGAN]
    limit, of_owner = DayLimit(calls=5), DayLimit(calls=2, usd=Decimal("0.30"))
    budget = DailyBudget(store, clock=lambda: day[0], limit=limit, of_owner=of_owner)
    call = Usage(calls=1, cost_usd="0.10")
    assert list(spent(budget.of("ana"), call, 3)) == [True, True, False]
    with pytest.raises(TooMany, match="has made the 2 calls a day that it may make for the owner of this"):
        budget.of("ana").reserve(call)
    with pytest.raises(TooMany, match=r"pass the 0.30 USD a day that this server may spend for the owner"):
        budget.of("ben").reserve(Usage(calls=1, cost_usd="0.31"))
    # What was refused to one is not counted for all, and whose calls nobody knows have no limit of an owner.
    assert list(spent(budget.of("ben"), call, 1)) == [True]
    assert list(spent(budget.of(""), call, 3)) == [True, True, False]
    day[0] += timedelta(days=1)
    assert list(spent(budget.of("ana"), call, 1)) == [True]
    # Who debated the day before yesterday is not kept.
    day[0] += timedelta(days=1)
    budget.of("ben").reserve(call)
    assert sorted(store.notes("spent")) == ["2026-01-02", "2026-01-02 ana", "2026-01-03", "2026-01-03 ben"]


def test_a_call_that_was_never_made_is_given_back_on_its_own_day():
    store, day = MemoryStore(), [BEGAN]
    budget = DailyBudget(store, clock=lambda: day[0], limit=DayLimit(calls=1))
    yesterday = budget.reserve(Usage(calls=1))
    day[0] += timedelta(days=1)
    budget.reserve(Usage(calls=1))
    yesterday.give_back()
    yesterday.give_back()
    assert list(spent(budget, Usage(calls=1), 1)) == [False]


CALLER = """
import json, sys, time
from datetime import UTC, datetime
from debate_core.errors import Busy, TooMany
from debate_core.host.daily_budget import DailyBudget, DayLimit
from debate_core.host.server_health import StoreBoard
from debate_core.host.stores import open_store
from debate_core.seats.server_queue import ServerQueue
from debate_core.seats.server_state import LineLimits
from debate_core.spec.values import Usage

now = lambda: datetime.now(UTC)
store = open_store(sys.argv[1])
queue = ServerQueue(StoreBoard(store), "here", LineLimits(model="m", places=3))
budget = DailyBudget(store, clock=now, limit=DayLimit(calls=40))
calls, paid, until_s = [], 0, time.monotonic() + 20
while len(calls) < 12 and time.monotonic() < until_s:
    try:
        place = queue.enter(at=now())
        if place is None:
            time.sleep(0.002)
            continue
        place.begin()
        began_s = time.monotonic()
        time.sleep(0.003)
        calls.append((began_s, time.monotonic()))
        place.leave(at=now())
        budget.reserve(Usage(calls=1))
        paid += 1
    except (Busy, TooMany):
        pass
print(json.dumps([calls, paid]))
"""


@pytest.mark.slow
def test_processes_keep_the_limits_together(tmp_path: Path):
    # Each wants twelve calls; 40 of them may be paid. On a file: see tests/wire/test_fleet_limits.py.
    with postgres.address_of("postgres", tmp_path) as url:
        command = [sys.executable, "-c", CALLER, url]
        running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        told = [json.loads(process.communicate(timeout=60)[0]) for process in running]
    calls = [tuple(call) for made, _ in told for call in made]
    assert max(sum(began <= one[0] < ended for began, ended in calls) for one in calls) <= 3
    assert len(calls) == 48
    assert sum(paid for _, paid in told) == 40
