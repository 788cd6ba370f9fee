"""A provider that is away for a while, in the middle of a debate: nothing is invented, nothing ends, few calls more.

Waits take no time here: the runner has its clock and its sleep from the test.
"""

import asyncio

import pytest

from debate_core.engine.audit import verify
from debate_core.record.commands import Resume
from debate_core.record.events import Paused
from debate_core.spec.models import Dialect
from tests.model_faults import Fault, Kind
from tests.model_server import ModelServer
from tests.virtual_time import Outage, VirtualTime
from tests.wire.rig import DIALECTS, HEALTHY, SPLIT, Held, check, hold, line, panel

DEADLINE_S = 120
FOR_EVER = 10**9
AGAIN, WITHOUT_THEM = Resume(by="operator"), Resume(by="operator", gives_up=True)
MIDDLE = 4
"""The first call of the second phase, in which three seats are asked side by side."""


@pytest.fixture(autouse=True)
def _soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waits are those of the program."""
    monkeypatch.setattr("debate_core.seats.server_state.BACK_OFF_S", (1.0, 3.0, 9.0, 27.0))


def away(server: ModelServer, dialect: Dialect, kind: Kind, seconds: float, *then: Resume, first: int = MIDDLE) -> Held:
    """A debate whose server is away so long, from this call on."""
    time = VirtualTime()
    outage = Outage(time, seconds)
    server.set(votes=SPLIT, faults=[Fault(kind, first=first, lasts=outage.lasts, headers={})])
    return asyncio.run(hold(panel(line(server, dialect)), deadline_s=DEADLINE_S, time=time, then=then))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", ["503", "429", "closed", "html"])
@pytest.mark.parametrize(("seconds", "most"), [(1, 11), (10, 12), (60, 2 * HEALTHY)])
def test_an_outage_in_the_middle_costs_a_wait_and_nothing_else(
    server: ModelServer, seconds: int, most: int, kind: Kind, dialect: Dialect
):
    held = away(server, dialect, kind, seconds)
    check(held, server)
    assert held.state.outcome is not None
    assert [turn.status for turn in held.state.turns] == ["ok"] * HEALTHY
    assert not any(isinstance(event.body, Paused) for event in held.events)
    assert all(failed.transport for failed in held.failures())
    assert HEALTHY < len(server.log) <= most
    # Seats side by side are lost together; from then on one at a time looks.
    assert [c.fault for c in server.log[MIDDLE - 1 : MIDDLE + 2]] == [kind] * 3


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_unreachable_panel_pauses_the_debate_and_resumes(server: ModelServer, dialect: Dialect):
    held = away(server, dialect, "503", 150, AGAIN, AGAIN, AGAIN)
    check(held, server)
    (waited, *more) = [event.body for event in held.events if isinstance(event.body, Paused)]
    assert waited.unreached
    assert waited.reason.startswith("cost, risk, delivery could not be reached: 127.0.0.1:")
    assert len(more) <= 2
    assert held.state.outcome is not None
    assert [turn.status for turn in held.state.turns] == ["ok"] * HEALTHY


def test_a_paused_debate_keeps_its_state_and_asks_everyone(server: ModelServer):
    held = away(server, "chat", "closed", FOR_EVER)
    check(held, server)
    assert (held.state.outcome, held.state.open is not None and held.state.open.answers) == (None, {})
    assert held.state.paused is not None
    assert [ballot.status for ballot in held.state.counted[-1].ballots.values()] == ["cast"] * 3
    assert len(server.log) <= 2 * HEALTHY


@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_ends_undecided_when_somebody_says_so(server: ModelServer, dialect: Dialect):
    held = away(server, dialect, "503", FOR_EVER, WITHOUT_THEM)
    check(held, server)
    assert held.state.outcome is not None
    assert (held.state.outcome.status, held.state.outcome.ended_by) == ("undecided", "provider_down")
    assert {ballot.status for ballot in held.state.ballots.values()} == {"failed"}
    assert held.state.outcome.tally.cast == 0


def test_an_unreachable_synthesiser_is_awaited_or_given_up(server: ModelServer):
    held = away(server, "chat", "401", FOR_EVER, AGAIN, WITHOUT_THEM, first=HEALTHY)
    check(held, server)
    waited = [event.body for event in held.events if isinstance(event.body, Paused)]
    assert [("rejects the key" in pause.reason, pause.unreached) for pause in waited] == [(True, True)] * 2
    assert held.state.outcome is not None
    # Their count stands without its words.
    assert [(t.seat, t.status) for t in held.state.turns[-1:]] == [("synthesiser", "failed")]
    assert held.state.outcome.tally.cast == 3


def test_one_seat_out_of_reach_is_given_up_where_others_answer(server: ModelServer):
    server.set(votes=SPLIT, faults=[Fault("503", model="gone", headers={})])
    spec = panel(line(server, "chat"))
    gone = line(server, "chat", id="gone", model="gone")
    seats = tuple(s.model_copy(update={"model": "gone"}) if s.id == "risk" else s for s in spec.seats)
    spec = spec.model_copy(update={"seats": seats, "models": (*spec.models, gone)})
    held = asyncio.run(hold(spec, deadline_s=DEADLINE_S, time=VirtualTime()))
    check(held, server)
    lost = [turn for turn in held.state.turns if turn.status != "ok"]
    assert {turn.seat for turn in lost} == {"risk"}
    assert all(turn.transport for turn in lost)
    assert len(server.log) <= 2 * HEALTHY
    assert held.state.outcome is not None
    assert verify(held.events) == ()
