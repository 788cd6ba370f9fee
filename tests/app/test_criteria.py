"""Weighted criteria on the pages: offered where drivers are named, voted on in a poll, and told as a matrix."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.engine.judge_view import option_order
from debate_core.host.host import Host
from debate_core.record.acts import PollClosed, PollOpened, PollRevealed
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Driver
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import Elected
from debate_core.spec.values import Given, Seat
from tests.app.test_polls import key
from tests.app.test_setup import button, fill, page, shown
from tests.app.visiting import at, did, drawings, step, take_protocol, tells, unfolded, words
from tests.people import FAY, GUS, room_spec

RULE = Elected(kind="weighted_criteria")
DRIVERS = (Driver(name="cost", weight=60), Driver(name="speed", weight=40))
CHOICE = "setup_decide_bounded_vote_rule"


def test_the_rule_is_offered_where_drivers_are_named(app: AppTest, host: Host):
    page(app)
    fill(app)
    take_protocol(app, "bounded_vote")
    assert not [o for o in app.selectbox(key=CHOICE).options if o.startswith("Weighted criteria")]
    step(app, "question", "drivers")
    button(app, "Add a driver").click().run()
    next(t for t in app.text_input if t.label.startswith("Driver")).set_value("cost").run()
    step(app, "people")
    app.selectbox(key=CHOICE).set_value("weighted_criteria").run()
    assert "Each ballot gives every option 0 to 5 points under each decision driver" in shown(app)
    step(app, "people", "counting")
    app.number_input(key="setup_decide_bounded_vote_most_points").set_value(100).run()
    app.number_input(key="setup_decide_bounded_vote_floor").set_value(70).run()
    assert "gives every option 0 to 100 points under each decision driver" in shown(app)
    button(app, "Start debate").click().run()
    assert not app.exception
    spec = host.state(host.debates()[0].id).spec
    scale = RULE.model_copy(update={"most_points": 100, "floor_percent": 70})
    assert (spec.protocol.decide, [(d.name, d.weight) for d in spec.drivers]) == (scale, [("cost", 100)])


GIVEN = {"ana": {("a", "cost"): 4, ("a", "speed"): 2, ("b", "cost"): 1, ("b", "speed"): 5}, "ben": {("a", "cost"): 5}}


def test_results_show_the_matrix_and_the_decisive_weights(app: AppTest, host: Host):
    rules = with_decision(protocol("bounded_vote"), RULE)
    seats = [Seat(id=name, occupant="human") for name in GIVEN]
    debate = host.create(compose("Which?", ["a", "b"], rules, seats, max_rounds=1, drivers=DRIVERS), by="ana")
    while asked := requests(host.state(debate)):
        for request in asked:
            points = GIVEN[request.seat].items()
            ballot = tuple(Given(option=o, driver=d, points=p) for (o, d), p in points)
            content = Argument(rationale="So it is.", ballot=ballot)
            host.submit(debate, TakeTurn(by=request.seat, request=request.id, content=content))
    assert host.state(debate).outcome is not None
    at(unfolded(app, "criteria-debaters-as-table"), debate, None, "results.py", tab="Votes")
    matrix = next(t.value for t in app.dataframe if "Weighted sum" in t.value)
    assert matrix.to_dict("records") == [
        {"Option": "a", "cost (weighs 60)": 4.5, "speed (weighs 40)": 2.0, "Weighted sum": 3.5},
        {"Option": "b", "cost (weighs 60)": 1.0, "speed (weighs 40)": 5.0, "Weighted sum": 2.6},
    ]
    # 4.5x + 2(1-x) = x + 5(1-x) at x = 6/13
    told = words(app).replace("\\", "")
    assert "cost: 46.15 instead of 60: b ties, and wins beyond" in told
    assert "speed: 53.85 instead of 40: b ties, and wins beyond" in told


@pytest.fixture
def polled(host: Host) -> str:
    spec = room_spec(vote=RULE, pre_vote="shown_at_close").model_copy(update={"drivers": DRIVERS})
    seats = tuple(s.model_copy(update={"occupant": "human"}) for s in spec.seats)
    return host.create(spec.model_copy(update={"seats": seats}), by="p-fay")


def test_people_score_each_driver_and_read_the_matrix(app: AppTest, host: Host, polled: str):
    did(host, polled, FAY, PollOpened(poll="pre"))
    at(app, polled, GUS)
    order = option_order(host.state(polled), "p-gus")
    given = {(0, "adopt"): 4, (1, "defer"): 5}
    points = [given.get((driver, option)) for driver in range(len(DRIVERS)) for option in order]
    tells(app, "pick", {"points": points, "abstains": False})
    app.button(key(polled, GUS, "cast")).click().run()
    assert "p-gus" not in host.state(polled).room.polls["pre"].ballots
    asked = app.warning[0].value.replace("\\", "")
    assert asked.startswith("4 of 6 rows have no answer: ")
    assert "adopt: speed" in asked
    assert "reject: all 2" in asked
    assert asked.endswith("A row without a number is no grade: it enters no mean.")
    app.button(key(polled, GUS, "anyway")).click().run()
    mine = host.state(polled).room.polls["pre"].ballots["p-gus"].fact
    assert mine.given == (
        Given(option="adopt", driver="cost", points=4),
        Given(option="defer", driver="speed", points=5),
    )
    assert "**adopt**  \ncost **4** · speed **–**" in shown(app).replace("\\", "")
    assert "2 of 6 graded" in shown(app)
    # The next ballot starts with this one.
    assert drawings(app, "pick")[0]["given"]["points"] == points
    did(host, polled, FAY, PollClosed(poll="pre"))
    did(host, polled, FAY, PollRevealed(poll="pre"))
    at(unfolded(app, "vote-detail", "advice-people"), polled, FAY, "results.py", tab="Votes")
    unfolded(app, "criteria-room-as-table").run()
    (matrix,) = (t.value for t in app.dataframe if "Weighted sum" in t.value)
    assert [*zip(matrix["Option"], matrix["Weighted sum"], strict=True)][:2] == [("adopt", 2.4), ("defer", 2.0)]
    at(unfolded(app, "vote-detail", "recount"), polled, FAY, "results.py", tab="Votes")
    assert "The weights of the drivers are in the record and not in this table." in [c.value for c in app.caption]
