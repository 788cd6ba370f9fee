"""Every fault of every dialect on the first call, in the middle and on the last one, and for ever."""

import asyncio
from collections.abc import Sequence
from functools import partial

import pytest

from debate_core.engine.stopping import REPLIED
from debate_core.host.retry_policy import PAID_REPEATS
from debate_core.record.commands import Resume
from debate_core.record.events import Paused
from debate_core.spec.models import Dialect
from debate_core.spec.values import TurnError
from tests.model_faults import BAD_TEXT, BROKEN, NO_STREAM, ODD, REFUSING, Fault, Kind
from tests.model_server import ModelServer
from tests.wire.rig import DIALECTS, HEALTHY, SPLIT, Held, check, hold, line, panel

SLOW: tuple[Kind, ...] = ("hang", "stall", "drip")
SHORT_S = 2.0
"""Long enough for a call without a fault on a busy machine."""
ERRORS: dict[TurnError, tuple[Kind, ...]] = {
    "failed": (*REFUSING, "redirect", "closed", "error_event", "failed"),
    "timeout": SLOW,
    "cut": ("cut", "reset", "bad_event", "odd_event", "length"),
    "unparseable": (
        *("html", "badjson", "shape", "nothing"),
        *("garbage", "wrong_fields", "bad_vote", "no_vote", "empty"),
    ),
    "refused": ("refusal", "filter"),
}
ERROR_OF = {kind: error for error, kinds in ERRORS.items() for kind in kinds}
ONCE: tuple[Kind, ...] = ("401", "403", "404", "context", "quota", "redirect", "refusal", "filter")
"""Asking again would give the same."""
TURNED_AWAY: tuple[Kind, ...] = ("401", "403", "404", "context", "quota")
"""The server itself refuses the call for good."""
LATE: tuple[Kind, ...] = ("stall", "drip")
"""A reply begins and does not come to its end in time."""
BROKEN_OFF: tuple[Kind, ...] = tuple(kind for kind in BROKEN if kind not in SLOW)
"""A reply had begun, and was to be paid."""
NO_REPLY: tuple[Kind, ...] = (*(kind for kind in REFUSING if kind != "context"), *NO_STREAM, *BROKEN_OFF)
"""Nothing came that could be called a reply: nobody could be reached."""
WITHOUT_THEM = Resume(by="operator", gives_up=True)
FAULTS = (*REFUSING, *NO_STREAM, *BROKEN, *BAD_TEXT)
PLACES = (1, 4, HEALTHY)


def fault(kind: Kind, **where: object) -> Fault:
    given: dict[str, object] = {"headers": {"retry-after-ms": "10"}, **where}
    return Fault(kind, **given)  # type: ignore[arg-type]


async def hold_all(
    servers: Sequence[ModelServer], dialect: Dialect, deadline_s: float, then: Sequence[Resume] = ()
) -> list[Held]:
    held = (hold(panel(line(s, dialect)), deadline_s=deadline_s, then=then) for s in servers)
    return await asyncio.gather(*held)


def test_every_fault_has_its_name():
    assert set(ERROR_OF) == set(FAULTS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_on_one_call(three_servers: tuple[ModelServer, ...], kind: Kind, dialect: Dialect):
    # R225 R248
    for server, place in zip(three_servers, PLACES, strict=True):
        server.reset(votes=SPLIT, faults=[fault(kind, at=(place,))])
    held = asyncio.run(hold_all(three_servers, dialect, SHORT_S if kind in SLOW else 8))
    for debate, server, place in zip(held, three_servers, PLACES, strict=True):
        check(debate, server)
        # A synthesis may name no option.
        harmless = kind == "no_vote" and place == HEALTHY
        assert [f.error for f in debate.failures()] == ([] if harmless else [ERROR_OF[kind]])
        assert len(server.log) == HEALTHY + (0 if harmless or kind in ONCE else 1)
        assert all(f.message for f in debate.failures())
        again = [name for name in debate.attempts() if name.endswith(".2")]
        assert [f.request[:-1] + "2" for f in debate.failures() if kind not in ONCE] == again


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", ODD)
def test_a_good_turn_in_an_odd_reply(three_servers: tuple[ModelServer, ...], kind: Kind, dialect: Dialect):
    server = three_servers[0]
    server.reset(votes=SPLIT, faults=[fault(kind, wait_s=0.05)])
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    assert held.failures() == []
    assert len(server.log) == HEALTHY


FOR_EVER = [k for k in FAULTS if k not in ("schema", "parameter", "refusal", "filter")]


def ended_by(kind: Kind) -> str:
    """The name of an outage in which every call has this fault."""
    if kind in TURNED_AWAY:
        return "calls_refused"
    if kind in LATE:
        return "replies_late"
    was_read = ERROR_OF[kind] in REPLIED and kind not in BROKEN_OFF
    return "unreadable" if was_read else "provider_down"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_faults_that_never_end(three_servers: tuple[ModelServer, ...], dialect: Dialect):
    """No verdict, no synthesis, at most twice the calls of a healthy debate (R225); it ends when somebody says so."""
    # Those that wait for their deadline wait together.
    rest = sorted(FOR_EVER, key=SLOW.__contains__)
    while rest:
        batch = [(rest.pop(), server) for server in three_servers if rest]
        for kind, server in batch:
            server.reset(votes=SPLIT, faults=[fault(kind)])
        deadline_s = SHORT_S if {k for k, _ in batch} & set(SLOW) else 8
        held = asyncio.run(hold_all([s for _, s in batch], dialect, deadline_s, then=(WITHOUT_THEM,)))
        for debate, (kind, server) in zip(held, batch, strict=True):
            check(debate, server)
            outcome = debate.state.outcome
            assert outcome is not None
            assert (kind, outcome.status, outcome.ended_by) == (kind, "undecided", ended_by(kind))
            assert (kind, outcome.tally.cast, outcome.decided_by) == (kind, 0, None)
            assert not any("synthesis" in name for name in debate.attempts())
            waited = [e.body for e in debate.events if isinstance(e.body, Paused)]
            assert (kind, [paused.unreached for paused in waited]) == (kind, [True] if kind in NO_REPLY else [])
            calls = len(server.log)
            assert calls == (3 if kind in ONCE else 6) or (kind in NO_REPLY and calls <= 2 * HEALTHY)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", ["refusal", "filter"])
def test_models_that_always_refuse_abstain(server: ModelServer, kind: Kind, dialect: Dialect):
    server.reset(votes=SPLIT, faults=[fault(kind)])
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    assert held.state.outcome is not None
    assert held.state.outcome.status == "undecided"
    assert {b.status for b in held.state.ballots.values()} == {"abstained"}
    assert len(server.log) == HEALTHY


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", ["schema", "parameter"])
def test_what_a_server_does_not_take_is_left_out(server: ModelServer, kind: Kind, dialect: Dialect):
    server.reset(votes=SPLIT, faults=[fault(kind)])
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    # The three seats of the opening asked at once; everybody after them knows.
    assert len(server.log) == HEALTHY + 3
    assert [c.status for c in server.log] == [400] * 3 + [200] * HEALTHY
    assert sum(t.status == "ok" for t in held.state.turns) == HEALTHY


def with_a_flaky_server(server: ModelServer, dialect: Dialect, *faults: tuple[Kind, str]) -> Held:
    """One of three seats has a server of its own: `+-+` of a fault = on its first and third call that no other hits."""
    flaky = [
        fault(kind, model="flaky", lasts=partial(next, iter(c == "+" for c in calls), False)) for kind, calls in faults
    ]
    server.reset(votes=SPLIT, faults=flaky)
    spec = panel(line(server, dialect))
    lines = (*spec.models, line(server, dialect, id="flaky", model="flaky"))
    seats = tuple(s.model_copy(update={"model": "flaky"}) if s.id == "risk" else s for s in spec.seats)
    held = asyncio.run(hold(spec.model_copy(update={"seats": seats, "models": lines})))
    check(held, server)
    return held


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", BROKEN_OFF)
def test_a_broken_stream_is_paid_and_retried_twice(server: ModelServer, kind: Kind, dialect: Dialect):
    assert PAID_REPEATS == 2
    held = with_a_flaky_server(server, dialect, (kind, "++--+++"), ("garbage", "+"))
    # Two breaks and a reply that cannot be read leave an attempt; a third break ends a turn.
    assert [(f.transport, f.began) for f in held.failures()] == [(True, True)] * 2 + [(False, False)] + [
        (True, True)
    ] * 3
    assert all(f.usage is not None and f.usage.input_tokens and f.usage.output_tokens for f in held.failures())
    lost = [(t.round, t.seat, t.status, t.transport) for t in held.state.turns if t.status != "ok"]
    assert lost == [(2, "risk", ERROR_OF[kind], True)]
    assert len(server.log) == HEALTHY + 2 + 1 + 2


def test_broken_streams_at_most_double_the_calls(server: ModelServer):
    server.reset(votes=SPLIT, faults=[fault("cut", at=tuple(n for n in range(1, 99) if n % 3))])
    held = asyncio.run(hold(panel(line(server, "chat")), then=(WITHOUT_THEM,)))
    check(held, server)
    assert HEALTHY < len(server.log) <= 2 * HEALTHY


@pytest.mark.parametrize(("kind", "how"), [("length", "content"), ("cut", "transport")])
def test_only_a_reply_at_its_own_limit_is_asked_for_less(server: ModelServer, kind: Kind, how: str):
    with_a_flaky_server(server, "chat", (kind, "+"))
    again = [call.body for call in server.log if call.model == "flaky" and call.body][1]
    assert ("Be much shorter this time" in str(again)) is (how == "content")
