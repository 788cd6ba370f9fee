"""A ballot that contradicts its own text: its sender is asked first, and everyone reads it afterwards."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.report.facts.account import account
from debate_core.report.phrases.contradictions import contradicting_words
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.room.live.transcript import picture
from tests.app.visiting import at, keys, press, room, words

SEATS = ("ana", "ben", "cyd")
MARK = "3 of 3 ballots contradict their own text"
ASKED = "Your text argues for “release”, your ballot says “revise”."


def opened(host: Host) -> str:
    seats = [Seat(id=name, occupant="human", commitment="open") for name in SEATS]
    return host.create(compose("Do we ship it?", ["release", "revise"], protocol("bounded_vote"), seats), by="ana")


def say(host: Host, debate: str, *names: str) -> None:
    for name in names:
        said = Argument(rationale="It is ready. My position: release.", vote="revise")
        host.submit(debate, TakeTurn(by=name, request=f"1.proposal.{name}.1", content=said))


@pytest.mark.parametrize("changes", [True, False])
def test_a_vote_against_ones_text_is_questioned_first(app: AppTest, host: Host, changes: bool):
    debate = opened(host)
    form = f"{debate}/ana/1.proposal"
    room(app, debate, "ana")
    app.text_area(key=f"{form}:rationale").input("It is ready. My position: release.").run()
    app.radio(key=f"{form}:vote").set_value("revise").run()
    assert f"{form}:anyway" not in keys(app)
    press(app, f"{form}:send")
    assert ASKED in words(app).replace("\\", "")
    assert host.state(debate).all_turns() == ()
    if changes:
        app.radio(key=f"{form}:vote").set_value("release").run()
        press(app, f"{form}:send")
    else:
        press(app, f"{form}:anyway")
    (turn,) = host.state(debate).all_turns()
    assert turn.argues_for == (None if changes else "release")
    assert ASKED not in words(app).replace("\\", "")


def test_the_room_the_results_and_the_wall_tell_it(app: AppTest, host: Host):
    debate = opened(host)
    assert "contradict" not in words(room(app, debate))
    say(host, debate, *SEATS)
    for page in ("room.py", "results.py", "screen.py"):
        assert MARK in words(at(app, debate, None, page)).replace("\\", "")
    assert "ana argues for release and votes for revise" in words(at(app, debate, None, "results.py"))
    item = picture(host.state(debate), {}, ())["items"][0]
    assert "its text argues for release, not for its choice" in item["facts"]


def test_while_a_phase_hides_its_turns_nothing_is_told_of_them(host: Host):
    rules = protocol("bounded_vote")
    phases = (rules.each_round[0].model_copy(update={"order": "at_once", "sealed": True}), *rules.each_round[1:])
    seats = [Seat(id=name, occupant="human", commitment="open") for name in SEATS]
    spec = compose("Do we?", ["release", "revise"], rules.model_copy(update={"each_round": phases}), seats)
    debate = host.create(spec, by="ana")
    say(host, debate, "ana", "ben")
    told = account(host.state(debate))
    assert contradicting_words(told) == ""
    assert "contradicting_ballots" not in [found.name for found in told.findings]
    assert "ballots_contradict_text" not in told.flags
    say(host, debate, "cyd")
    assert contradicting_words(account(host.state(debate))) == MARK
