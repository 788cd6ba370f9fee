"""Another debate from one that exists: everything that was agreed comes along, and it can be opened as it stands."""

from debate_core.engine.engine import open_debate
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.files.report import text_report
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import spec_from
from debate_core.ui.setup.fork import forked
from tests.people import ANN, EVERYBODY, FAY, Held, room_spec
from tests.play import AT

SEATS = (
    Seat(id="s0", occupant="human", stance="adopt"),
    Seat(id="s1", occupant="offline", stance="adopt"),
    Seat(id="s2", occupant="scripted", stance="adopt"),
)


def test_a_fork_can_be_opened_with_the_same_rules_people_and_limits_and_names_its_parent():
    spec = room_spec((*EVERYBODY,), rounds=3, seats=SEATS, decides="panel", phase_seconds=240, blind="named")
    limited = spec.protocol.model_copy(update={"stop": (Ceiling(usd="2.50", seconds=900), *spec.protocol.stop)})
    held = Held(spec.model_copy(update={"protocol": limited, "context": "80 % full"}))
    made = spec_from(forked(held.state, "partition"))
    assert made.options == ("adopt", "defer", "reject", "partition")
    assert (made.parent, made.question, made.max_rounds, made.context) == ("d-room", "Which?", 3, "80 % full")
    assert made.protocol == limited
    assert [(s.id, s.occupant) for s in made.debaters()] == [("s0", "human"), ("s1", "offline"), ("s2", "offline")]
    assert made.room is not None
    assert (made.room.decides, made.room.phase_seconds, made.room.blind) == ("panel", 240, "named")
    people = {(p.name, p.role, p.electorate, p.weight) for p in made.room.people}
    assert {(FAY.name, "facilitator", None, 1), (ANN.name, "voter", "panel", 1), ("Ben", "voter", "panel", 2)} <= people
    events = open_debate(made, debate_id="d-fork", at=AT)
    assert parse_record(dump_record(events).encode()) == events
    assert "Set up anew from the debate d-room, which stays as it is." in text_report(replay(events), events)


def test_an_option_that_is_there_already_is_not_doubled():
    assert spec_from(forked(Held(room_spec()).state, "defer")).options == ("adopt", "defer", "reject")
