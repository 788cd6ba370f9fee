"""The room of a debate whose models cannot be reached: why it waits, and the two ways on."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.commands import FailTurn
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Seat
from tests.app.test_limit import press
from tests.app.visiting import room, words


@pytest.mark.parametrize(("button", "outcome"), [("Ask again", None), ("Go on without them", "provider_down")])
def test_whoever_leads_asks_again_or_goes_on_without_them(app: AppTest, host: Host, button: str, outcome: str | None):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(compose("Ship it?", ["release", "revise"], BOUNDED_VOTE, seats), by="ann")
    for seat in ("ana", "ben"):
        fault = {"error": "failed", "message": "no connection to here", "transport": True, "permanent": True}
        host.submit(debate, FailTurn.model_validate({"by": seat, "request": f"1.proposal.{seat}.1", **fault}))
    room(app, debate, "facilitator")
    assert "ana, ben could not be reached" in words(app)
    assert "no connection to here" in words(app)
    assert "Resume" not in [b.label for b in app.button]
    press(app, button)
    state = host.state(debate)
    assert (state.paused, state.outcome and state.outcome.ended_by) == (None, outcome)
