"""The facilitator's script: the words for each state of a room, and the whole course of a debate."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.acts import PollOpened
from debate_core.ui.room.role_panels.script import DO, SAY, ScriptStep, course, moment
from tests.app.visiting import at, did, opened, words
from tests.e2e import room_states
from tests.people import ANN, FAY

EXPECTED: dict[str, ScriptStep] = {
    "lobby": "lobby",
    "brief": "brief",
    "facts": "facts",
    "pre_vote": "pre_vote",
    "opening": "round",
    "persons_turn": "round",
    "running": "round",
    "paused": "paused",
    "between_rounds": "held",
    "quick_poll": "quick_poll",
    "last_round": "last_round",
    "marks": "marks",
    "synthesis": "closing",
    "vote_due": "vote_due",
    "final_vote": "final_vote",
    "sealed_vote": "sealed",
    "tied": "tied",
    "sign_off": "sign",
    "signed": "signed",
    "unreached": "trouble",
}


@pytest.mark.parametrize("state", room_states.STATES)
def test_every_state_has_its_words(state: str):
    assert moment(room_states.STATES[state]().state) == EXPECTED[state]


def test_course_lists_the_planned_steps_in_order():
    assert list(course(room_states.lobby().state)) == [
        "lobby",
        "brief",
        "facts",
        "pre_vote",
        "begin",
        "round",
        "held",
        "last_round",
        "closing",
        "vote_due",
        "final_vote",
        "sealed",
        "sign",
        "signed",
    ]


def test_script_is_for_those_who_lead(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    debate = opened(host)
    at(app, debate, FAY)
    assert "**First:** let phones join" in words(app)
    monkeypatch.setattr(host, "public_url", "https://debates.example.org")
    app.run()
    assert SAY["lobby"] in words(app)
    did(host, debate, FAY, PollOpened(poll="pre"))
    app.run()
    assert SAY["pre_vote"] in words(app)
    assert DO["pre_vote"] in words(app)
    at(app, debate, ANN)
    assert SAY["pre_vote"] not in words(app)
