"""Words that would be untrue for one kind of person in one state of a room."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.spec.people import Person
from tests.app.visiting import at, drawings, words
from tests.e2e import room_states
from tests.people import JUNE, OLA
from tests.playing import Played


def seen_by(app: AppTest, host: Host, make: Callable[[], Played], who: Person | None) -> AppTest:
    """The room in a state, as this person sees it; None = a stranger."""
    held = make()
    host._store.append(held.state.debate, held.events, after=0)
    return at(app, held.state.debate, who)


@pytest.mark.parametrize("who", [None, JUNE], ids=("stranger", "judge"))
@pytest.mark.parametrize(
    ("make", "status"),
    [
        (room_states.vote_due, "The vote decides"),
        (room_states.final_vote, "The vote is open"),
        (room_states.sealed_vote, "Closed, not revealed yet"),
    ],
)
def test_no_debate_is_over_before_its_final_vote(
    app: AppTest, host: Host, who: Person | None, make: Callable[[], Played], status: str
):
    page = seen_by(app, host, make, who)
    assert [part["words"] for part in drawings(page, "status")] == [status]
    assert "The debate is over" not in words(page)


@pytest.mark.parametrize("make", [room_states.tied, room_states.sign_off])
def test_a_stranger_reads_no_result_while_people_judge(app: AppTest, host: Host, make: Callable[[], Played]):
    page = seen_by(app, host, make, None)
    assert [part["words"] for part in drawings(page, "status")] == ["Over"]
    assert drawings(page, "hero") == []


def test_debaters_learn_between_rounds_when_they_speak(app: AppTest, host: Host):
    page = seen_by(app, host, room_states.between_rounds, room_states.ANA)
    assert [box.value for box in page.info] == ["You speak as soon as the facilitator lets the round begin."]


def test_no_one_speaks_in_a_pause(app: AppTest, host: Host):
    shown = words(seen_by(app, host, room_states.paused, room_states.SYNTHESISER))
    assert "You speak next after the rounds: synthesis." in shown.replace("\\", "")
    assert "Checkout engineer → Data platform" in shown


@pytest.mark.parametrize("make", [room_states.brief, room_states.facts])
def test_observers_are_asked_for_nothing(app: AppTest, host: Host, make: Callable[[], Played]):
    shown = words(seen_by(app, host, make, OLA))
    assert "Questions and concerns go" not in shown
    assert "One per line" not in shown
