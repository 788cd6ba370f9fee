"""A record of a transcript is judged like a debate: a judge joins, reads, and gives final probabilities."""

from streamlit.testing.v1 import AppTest

from debate_core.engine.audit import verify
from debate_core.engine.erasure import without_names
from debate_core.host.host import Host
from debate_core.record.acts import BeliefReported, PersonJoined
from debate_core.record.commands import Act
from debate_core.record.events import Predecessor, dump_record
from tests.app.visiting import at, tells, words
from tests.core.test_transcript_record import TALK, record_of, reviewed
from tests.people import GUS, JUNE


def test_a_judge_gives_final_probabilities_for_a_transcript(app: AppTest, host: Host):
    debate = host.import_record(dump_record(record_of(reviewed(TALK))).encode())
    host.submit(debate, Act(by=JUNE.id, act=PersonJoined(person=JUNE)))
    at(app, debate, JUNE)
    shown = words(app).replace("\\", "")
    assert "Redis costs 40 dollars. Fine." in shown
    assert "Not held here: transcript of cache.vtt" in shown
    tells(app, "probs", [70, 30])
    app.text_area[0].set_value("The costs decide.").run()
    app.button(key="give-beliefs").click().run()
    assert not app.exception
    (given,) = host.state(debate).room.facts(BeliefReported)
    assert given.final
    assert "Your final answer, in percent. It cannot be changed." in words(app)
    at(app, debate, JUNE, "results.py")
    events = host.events(debate)
    before = Predecessor(debate=debate, head=events[-1].hash, by="x", reason="asked", at=events[-1].at)
    erased = without_names(events, ["Ann Lee"], debate_id="other", predecessor=before)
    assert verify(erased.events) == ()
    assert "ann_lee" not in dump_record(erased.events)


def test_room_of_a_transcript_shows_no_ballot(app: AppTest, host: Host):
    debate = host.import_record(dump_record(record_of(reviewed(TALK))).encode())
    host.submit(debate, Act(by=GUS.id, act=PersonJoined(person=GUS)))
    at(app, debate, GUS)
    assert "No one voted" in words(app)
    assert "abstained" not in words(app)
    assert "ballots cast" not in words(app)
