"""People who came by the link for all: noticed when they are too many, and removed with their ballots."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.errors import TooManyTries
from debate_core.host.access.rate_limit import MAX_IN_WINDOW, Arrivals
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import Act
from debate_core.spec.values import Seat
from debate_core.ui.room.role_panels.newcomers import warning_words
from tests.app.visiting import at, press, told, unfolded
from tests.core.test_invites import Clock
from tests.people import FAY, room_spec


@pytest.fixture
def stuffed(host: Host) -> str:
    """A lobby with an open vote, in which one person has voted five times by the link for all."""
    seats = [Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]
    debate = host.create(room_spec(seats=seats), by=FAY.id)
    host.submit(debate, Act(by=FAY.id, act=acts.PollOpened(poll="pre")))
    invite = host.door.invitations.make(debate, "voter", kind="open")
    for _ in range(5):
        person = host.admit(invite)
        host.submit(debate, Act(by=person, act=acts.BallotCast(poll="pre", choice="defer")))
    return debate


def test_more_people_than_expected_are_told_to_who_leads(host: Host, stuffed: str, app: AppTest):
    page = at(app, stuffed, FAY)
    assert "expected" not in " ".join(w.value for w in page.warning)
    page.number_input(key=f"expected-{stuffed}").set_value(3).run()
    assert "5 joined by the link for all, 3 expected." in told(page)
    assert host.expected_people(stuffed) == 3


def test_they_are_removed_with_their_ballots_and_a_reason(host: Host, stuffed: str, app: AppTest):
    page = at(unfolded(app, "people"), stuffed, FAY)
    since = page.selectbox(key=f"since-{stuffed}")
    assert since.options[-1].endswith("5 people, 5 ballots")
    since.select_index(len(since.options) - 1).run()
    assert page.button(key=f"remove-since-{stuffed}").disabled
    page.text_input(key=f"why-since-{stuffed}").set_value("a script").run()
    press(page, f"remove-since-{stuffed}")
    room = host.state(stuffed).room
    assert len(room.left) == 5
    assert room.polls["pre"].ballots == {}
    assert {d.fact.reason for d in room.of(acts.PersonLeft)} == {"a script"}


def test_who_is_removed_and_why_is_read_as_the_button_is_pressed(host: Host, stuffed: str, app: AppTest):
    page = at(unfolded(app, "people"), stuffed, FAY)
    since, reason = f"since-{stuffed}", f"why-since-{stuffed}"

    def chosen() -> None:
        page.selectbox(key=since).select_index(0).run()
        page.text_input(key=reason).set_value("a script").run()

    chosen()
    page.selectbox(key=since).set_value(None)
    press(page, f"remove-since-{stuffed}")
    assert not host.state(stuffed).room.left
    chosen()
    page.text_input(key=reason).set_value("five times one phone")
    press(page, f"remove-since-{stuffed}")
    assert {left.reason for left in host.state(stuffed).room.facts(acts.PersonLeft)} == {"five times one phone"}


@pytest.mark.parametrize(
    ("came", "expected", "at_once", "words"),
    [
        (3, None, 3, ""),
        (3, 3, 3, ""),
        (93, 12, 9, "93 joined by the link for all, 12 expected."),
        (60, None, 60, "60 of them came from one address within one minute, as from behind one router."),
    ],
)
def test_what_is_odd_is_said(came: int, expected: int | None, at_once: int, words: str):
    assert warning_words(came, expected, at_once) == words


def test_a_room_at_one_address_joins_and_a_script_is_slowed():
    clock = Clock()
    arrivals = Arrivals(clock)
    for _ in range(MAX_IN_WINDOW):
        arrivals.let_in("d-1", "10.0.0.1")
    with pytest.raises(TooManyTries):
        arrivals.let_in("d-1", "10.0.0.1")
    arrivals.let_in("d-1", "10.0.0.2")
    arrivals.let_in("d-2", "10.0.0.1")
    assert (arrivals.most_at_once("d-1"), arrivals.most_at_once("d-3")) == (MAX_IN_WINDOW, 0)
    clock.wait(seconds=61)
    arrivals.let_in("d-1", "10.0.0.1")
