"""Normal operation of each dialect, and the wait of a seat when a server asks for it."""

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from itertools import pairwise

import pytest

from debate_core.engine import limits
from debate_core.engine.engine import open_debate
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import now, run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Resume
from debate_core.record.events import AttemptStarted, TurnFailed, TurnTaken
from debate_core.seats.model import model_fillers
from debate_core.spec.models import Dialect
from tests.model_faults import Fault
from tests.model_server import ModelServer
from tests.wire.rig import DIALECTS, HEALTHY, KEYS, PRICE, SEATS, SPLIT, check, hold, line, panel


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_debate_without_faults(server: ModelServer, dialect: Dialect):
    server.set(votes=SPLIT, model="test-model-1-0901", latency_s=0.05)
    held = asyncio.run(hold(panel(line(server, dialect, price=PRICE))))
    check(held, server)
    assert held.failures() == []
    assert len(server.log) == HEALTHY
    assert {u.model for u in held.usage()} == {"test-model-1-0901"}
    assert {c.path for c in server.log} == {
        {"chat": "/v1/chat/completions", "responses": "/v1/responses", "messages": "/v1/messages"}[dialect]
    }
    # Three seats side by side, twice.
    assert server.most_at_once == 3
    # Ten USD for a million tokens in, a hundred for a million out.
    tokens = [c.tokens for c in server.log if c.tokens]
    micros = sum(10 * t.input + 100 * t.output for t in tokens)
    assert limits.spent(held.state).cost_usd == limits.decimal_text(Decimal(micros) / 1_000_000)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_server_that_keeps_no_connection_loses_no_call(server: ModelServer, dialect: Dialect):
    server.set(votes=SPLIT, hangs_up=True)
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    assert held.failures() == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_text_and_thinking_are_heard_as_they_come(server: ModelServer, dialect: Dialect):
    server.set(votes=SPLIT, thinking="I weigh both sides first.", latency_s=2, piece_chars=10)
    told: list[tuple[str, str]] = []

    def heard(request: str, text: str, /, thinking: str = "") -> None:
        if request == "1.opening.risk.1":
            told.append((text, thinking))

    spec, store = panel(line(server, dialect)), MemoryStore()
    store.append("d1", open_debate(spec, debate_id="d1", at=now()), after=0)
    options = RunOptions(on_text=heard, deadline_s=8)
    asyncio.run(run("d1", store, lambda s: model_fillers(s, KEYS, deadline_s=8), options))
    said = [e.body.content for e in store.load("d1") if isinstance(e.body, TurnTaken) and ".risk." in e.body.request]
    assert told[-1] == (said[0].rationale, "I weigh both sides first. ")  # type: ignore[union-attr]
    assert told[0][0] == ""
    assert told[0][1] != ""
    texts = [text for text, _ in told]
    assert all(later.startswith(earlier) for earlier, later in pairwise(texts))
    assert len(set(texts)) >= 8


def test_seats_of_three_dialects_in_one_debate(server: ModelServer):
    server.set(votes=SPLIT)
    spec = panel(line(server, "chat"))
    lines = tuple(line(server, d, id=d) for d in DIALECTS)
    seated = {seat: asked.id for seat, asked in zip(SEATS, lines, strict=True)}
    seats = tuple(s.model_copy(update={"model": seated.get(s.id, "chat")}) for s in spec.seats)
    held = asyncio.run(hold(spec.model_copy(update={"seats": seats, "models": lines})))
    check(held, server)
    assert len(server.log) == HEALTHY
    assert sorted(c.dialect for c in server.log) == sorted([*DIALECTS, *DIALECTS, "chat"])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_both_attempts_are_billed(server: ModelServer, dialect: Dialect):
    # R225
    server.set(votes=SPLIT, faults=[Fault("garbage", at=(HEALTHY,))])
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    ends = [e.body for e in held.events if isinstance(e.body, TurnTaken | TurnFailed) and "synthesis" in e.body.request]
    assert [e.request for e in ends] == ["2.synthesis.synthesiser.1", "2.synthesis.synthesiser.2"]
    assert [(e.usage.calls, e.usage.estimated) for e in ends if e.usage] == [(1, False), (1, False)]
    # The second prompt says why the first reply could not be used.
    assert server.log[-1].tokens is not None
    assert server.log[-2].tokens is not None
    assert server.log[-1].tokens.input > server.log[-2].tokens.input + 1


def in_two_seconds() -> str:
    """A date has whole seconds, so that up to one is lost."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)


@pytest.mark.parametrize(
    ("name", "value", "at_least_s"),
    [("retry-after", "1", 1.0), ("retry-after-ms", "300", 0.3), ("retry-after", "date", 0.9)],
)
def test_a_seat_waits_as_long_as_the_server_asks(server: ModelServer, name: str, value: str, at_least_s: float):
    headers = {name: in_two_seconds() if value == "date" else value}
    server.set(votes=SPLIT, faults=[Fault("429", at=(1,), headers=headers)])
    held = asyncio.run(hold(panel(line(server, "responses"))))
    check(held, server)
    waits_s = server.log[3].received_at - (server.log[0].ended_at or 0)
    assert at_least_s <= waits_s < at_least_s + 1.5
    assert held.failures()[0].retry_after_ms > 0


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nobody_waits_longer_than_a_turn_may_take(server: ModelServer, dialect: Dialect):
    server.set(votes=SPLIT, faults=[Fault("429", headers={"retry-after": "3600"})])
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    assert held.state.outcome is None
    assert "it asks to wait 3600 s, a turn may take 8 s" in (held.state.paused or "")
    assert len(server.log) == 3
    assert [(f.error, f.permanent) for f in held.failures()] == [("failed", True)] * 3


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_server_that_is_not_there(dialect: Dialect):
    """Nothing was sent, so no call is counted, though every attempt is in the record."""
    with ModelServer() as gone:
        asked = line(gone, dialect)
    held = asyncio.run(hold(panel(asked), then=(Resume(by="operator", gives_up=True),)))
    assert held.state.outcome is not None
    assert held.state.outcome.ended_by == "provider_down"
    attempts = [e for e in held.events if isinstance(e.body, AttemptStarted)]
    assert 3 < len(attempts) <= 2 * HEALTHY
    assert [(u.calls, u.cost_usd) for u in held.usage()] == [(0, "0")] * len(attempts)
    assert "is the server running" in held.failures()[0].message
