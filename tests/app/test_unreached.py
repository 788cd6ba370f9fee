"""The room of a debate whose models cannot be reached: why it waits, and the two ways on."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.host import Host
from debate_core.record.acts import BallotCast, PollOpened
from debate_core.record.commands import Act, FailTurn, Resume
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Seat
from tests.app.visiting import at, new_browser, press_label, room, words
from tests.people import FAY, GUS, room_spec


def lose_turns(host: Host, debate: str) -> None:
    """No seat of the open phase can be reached."""
    for request in requests(host.state(debate)):
        fault = {"error": "failed", "message": "no connection to here", "transport": True, "permanent": True}
        host.submit(debate, FailTurn.model_validate({"by": request.seat, "request": request.id, **fault}))


@pytest.mark.parametrize(("button", "outcome"), [("Ask again", None), ("Go on without them", "provider_down")])
def test_whoever_leads_asks_again_or_goes_on_without_them(app: AppTest, host: Host, button: str, outcome: str | None):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(compose("Ship it?", ["release", "revise"], BOUNDED_VOTE, seats), by="ann")
    lose_turns(host, debate)
    room(app, debate, "facilitator")
    assert "ana, ben could not be reached" in words(app)
    assert "no connection to here" in words(app)
    assert "Resume" not in [b.label for b in app.button]
    press_label(app, button)
    state = host.state(debate)
    assert (state.paused, state.outcome and state.outcome.ended_by) == (None, outcome)


def test_people_without_the_lead_read_no_fault_of_a_server(app: AppTest, host: Host):
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(room_spec((FAY, GUS), seats=seats, pre_vote="none", decides="room"), by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    lose_turns(host, debate)
    at(app, debate, GUS)
    assert "no connection to here" not in words(app)
    assert "The facilitator asks them again or goes on without them. Votes that were cast stay." in words(app)
    at(leads := new_browser(), debate, FAY)
    assert "no connection to here" in words(leads)
    assert "The final vote of the people follows in either case." in words(leads)
    press_label(leads, "Go on without them")
    assert host.state(debate).outcome is not None
    host.submit(debate, Act(by=FAY.id, act=PollOpened(poll="final")))
    host.submit(debate, Act(by=GUS.id, act=BallotCast(poll="final", choice="adopt")))
    assert host.state(debate).room.polls["final"].ballots.keys() == {GUS.id}
