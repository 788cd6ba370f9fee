"""Ceilings and stops while models are speaking: nothing is called beyond them, nothing that was said is lost."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from debate_core.engine import limits
from debate_core.engine.audit import verify
from debate_core.errors import TooMany
from debate_core.host.daily_budget import NO_LIMIT, DailyBudget, DayLimit
from debate_core.host.fillers import Access
from debate_core.host.host import Host, HostOptions
from debate_core.host.runner import now
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Resume
from debate_core.record.events import AttemptStarted, Stopped
from debate_core.record.fold import apply
from debate_core.record.state import State
from debate_core.spec.models import Dialect
from debate_core.spec.panels import PanelFile
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Usage
from tests.model_server import ModelServer
from tests.virtual_time import VirtualTime
from tests.waiting import until
from tests.wire.rig import DIALECTS, HEALTHY, KEYS, PRICE, SPLIT, Held, check, hold, line, panel


def states(held: Held) -> Iterator[State]:
    """The state after each event."""
    state: State | None = None
    for event in held.events:
        state = apply(state, event)
        yield state


def check_never_above(held: Held, bound: Ceiling) -> None:
    """At no moment was more used or promised than allowed."""
    for state in states(held):
        used = limits.spent(state)
        assert bound.calls is None or used.calls <= bound.calls
        assert bound.tokens is None or used.input_tokens + used.output_tokens <= bound.tokens
        assert bound.usd is None or float(used.cost_usd or 0) <= float(bound.usd)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("calls", [0, 2, 5])
def test_a_ceiling_of_calls(server: ModelServer, dialect: Dialect, calls: int):
    # R248 R294
    server.set(votes=SPLIT)
    bound = Ceiling(calls=calls)
    held = asyncio.run(hold(panel(line(server, dialect), bound)))
    check(held, server)
    check_never_above(held, bound)
    assert len(server.log) == calls
    assert held.state.outcome is not None
    assert (held.state.outcome.status, held.state.outcome.ended_by) == ("truncated", "ceiling_calls")
    assert sum(t.status == "ok" for t in held.state.all_turns()) == calls


@pytest.mark.parametrize(
    ("axis", "bound"), [("tokens", Ceiling(tokens=9_000)), ("usd", Ceiling(usd="0.45"))], ids=["tokens", "usd"]
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_seats_side_by_side_share_a_ceiling(server: ModelServer, dialect: Dialect, axis: str, bound: Ceiling):
    # R225 R248. The reply takes long enough that a second call arrives meanwhile on a busy machine, too.
    server.set(votes=SPLIT, latency_s=0.3, text_chars=2_000)
    held = asyncio.run(hold(panel(line(server, dialect, price=PRICE), bound)))
    check(held, server)
    check_never_above(held, bound)
    assert held.state.outcome is not None
    assert (held.state.outcome.status, held.state.outcome.ended_by) == ("truncated", f"ceiling_{axis}")
    # Two fit at once, and what they leave lets others follow.
    assert server.most_at_once == 2
    assert 3 <= len(server.log) < HEALTHY
    assert sum(t.status == "ok" for t in held.state.all_turns()) == len(server.log)


@dataclass
class TimePerCall(VirtualTime):
    """Time that advances by these seconds with every call that the server receives."""

    server: ModelServer = field(kw_only=True)
    seconds: float = field(kw_only=True)

    def clock(self) -> datetime:
        return self.at + len(self.server.log) * timedelta(seconds=self.seconds)


@pytest.mark.parametrize(("seconds", "n_calls"), [(0.19, 6), (0.34, 3)])
def test_a_ceiling_of_seconds(server: ModelServer, seconds: float, n_calls: int):
    # R225. No call begins after a second. The seats of a phase begin together, so that whole phases of three fit.
    server.set(votes=SPLIT)
    time = TimePerCall(server=server, seconds=seconds)
    held = asyncio.run(hold(panel(line(server, "chat"), Ceiling(seconds=1)), time=time))
    check(held, server)
    assert held.state.outcome is not None
    assert held.state.outcome.ended_by == "ceiling_seconds"
    assert len(server.log) == n_calls


def test_no_call_is_made_at_an_unknown_price_under_a_budget(server: ModelServer):
    held = asyncio.run(hold(panel(line(server, "chat", model="nobody-knows-1"), Ceiling(usd="100"))))
    assert held.state.outcome is not None
    assert held.state.outcome.ended_by == "ceiling_usd"
    assert server.log == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_stop_in_mid_stream(server: ModelServer, dialect: Dialect):
    """The sockets are closed, the partial texts kept, and the lost calls count at what was reserved for them."""
    server.set(votes=SPLIT, latency_s=20, first_s=0.05, piece_chars=5)
    asked = line(server, dialect)
    host = Host(MemoryStore(), HostOptions(access=Access(PanelFile(lines=(asked,)), keys=KEYS, turn_deadline_s=30)))
    try:
        debate_id = host.create(panel(asked), by="chair")
        server.wait_for("first_token_at", 3)
        until(lambda: len([t for t in host.cache(debate_id).live().values() if t]) == 3)
        state = host.stop(debate_id, by="chair", reason="enough")
        server.wait_for("client_left", 3)
        events = host.events(debate_id)
    finally:
        host.close()
    assert state.outcome is not None
    assert state.outcome.status == "aborted"
    assert verify(events) == ()
    stopped = next(e.body for e in events if isinstance(e.body, Stopped))
    assert len(stopped.partials) == 3
    assert all(p.text.startswith("Call ") for p in stopped.partials)
    assert len(server.log) == 3
    reserved = [e.body.reserved for e in events if isinstance(e.body, AttemptStarted) and e.body.reserved]
    assert limits.spent(state) == limits.total(reserved)
    assert limits.spent(state).calls == 3


@pytest.mark.parametrize(
    ("limit", "of_owner", "n_calls"),
    [(DayLimit(calls=3), NO_LIMIT, 3), (DayLimit(usd=Decimal("0.001")), NO_LIMIT, 0), (NO_LIMIT, DayLimit(calls=3), 3)],
    ids=["calls", "usd", "of an owner"],
)
def test_all_debates_of_a_server_share_a_daily_budget(
    server: ModelServer, limit: DayLimit, of_owner: DayLimit, n_calls: int
):
    # Whoever pays for the keys has a limit that no set-up can raise.
    server.set(votes=SPLIT)
    days = 0

    def clock() -> datetime:
        return now() + timedelta(days=days)

    asked, store = line(server, "chat", price=PRICE), MemoryStore()
    access = Access(PanelFile(lines=(asked,)), keys=KEYS, turn_deadline_s=30)
    host = Host(
        store,
        HostOptions(access=access, clock=clock, budget=DailyBudget(store, clock=clock, limit=limit, of_owner=of_owner)),
    )
    try:
        debates = [host.create(panel(asked), by="chair", owner="u-ola") for _ in range(2)]
        until(lambda: all(host.state(debate).paused for debate in debates))
        assert all("a day" in str(host.state(debate).paused) for debate in debates)
        assert len(server.log) == n_calls
        if n_calls:
            with pytest.raises(TooMany, match=r"a day"):
                host.probe(asked, owner="u-ola")
        days = 1
        host.submit(debates[0], Resume(by="chair"))
        until(lambda: host.state(debates[0]).paused)
        assert len(server.log) == 2 * n_calls
        assert verify(host.events(debates[0])) == ()
    finally:
        host.close()


def test_a_call_counts_at_its_usage_once_known():
    budget = DailyBudget(MemoryStore(), clock=now, limit=DayLimit(usd=Decimal("1.00")))
    reserved = Usage(calls=1, cost_usd="0.60")
    first = budget.reserve(reserved)
    with pytest.raises(TooMany, match=r"could pass the 1.00 USD a day that this server may spend: resume tomorrow"):
        budget.reserve(reserved)
    first.settle(Usage(calls=1, cost_usd="0.05"))
    # What a lost call used is not known: it stays at what was reserved.
    budget.reserve(reserved).settle(None)
    with pytest.raises(TooMany):
        budget.reserve(reserved)


def test_calls_are_counted_where_their_price_is_not_known():
    budget = DailyBudget(MemoryStore(), clock=now, limit=DayLimit(calls=3))
    # In two steps, of which the first came to nothing: there was no second one.
    budget.reserve(Usage(calls=2)).settle(Usage(calls=1, input_tokens=900))
    budget.reserve(Usage(calls=2)).settle(Usage(calls=2, input_tokens=900))
    with pytest.raises(TooMany, match=r"has made the 3 calls"):
        budget.reserve(Usage(calls=1))
