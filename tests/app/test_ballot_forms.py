"""The form of a turn whose vote ranks, scores, approves, spends dots or consents; each refusal in one sentence."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Driver
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import Elected, ElectedKind
from debate_core.spec.values import Given, Seat
from tests.app.visiting import drawings, new_browser, tells

OPTIONS = ("migrate", "stay", "defer")
PEOPLE = [Seat(id="ana", occupant="human"), Seat(id="ben", occupant="human")]


def form(app: AppTest, host: Host, kind: ElectedKind, drivers: tuple[Driver, ...] = ()) -> str:
    """Ana's form in a debate that is decided by this rule."""
    rules = with_decision(protocol("bounded_vote"), Elected(kind=kind))
    debate = host.create(compose("Which?", OPTIONS, rules, PEOPLE, drivers=drivers), by="tests")
    app.query_params["id"], app.query_params["as"] = debate, "ana"
    app.switch_page("room.py").run()
    assert not app.exception
    prefix = f"{debate}/ana/1.proposal:"
    app.text_area(key=f"{prefix}rationale").input("So it is.").run()
    return prefix


def give(app: AppTest) -> None:
    next(b for b in app.button if b.label.startswith("Give this")).click().run()
    assert not app.exception


def anyway(app: AppTest) -> None:
    next(b for b in app.button if b.label == "Send it anyway").click().run()
    assert not app.exception


def given(host: Host) -> Argument:
    held = host.state(host.debates()[0].id).open
    assert held is not None
    content = held.turns()[0].content
    assert isinstance(content, Argument)
    return content


def test_places_are_tapped_and_level_ones_are_a_tie(app: AppTest, host: Host):
    form(app, host, "schulze")
    (rows,) = drawings(app, "pick")
    assert [o["letter"] for o in rows["options"]] == ["A", "B", "C"]
    give(app)
    assert "Your vote is empty" in app.error[0].value
    tells(app, "pick", {"points": [2, 1, 2], "abstains": False})
    give(app)
    places = (("migrate", 2), ("stay", 1), ("defer", 2))
    assert given(host).ballot == tuple(Given(option=o, points=p) for o, p in places)
    assert given(host).vote is None


def test_dots_are_added_up_before_they_are_sent(app: AppTest, host: Host):
    form(app, host, "cumulative")
    assert drawings(app, "pick")[0]["most"] == 5
    # A browser that ignores this gets the usual error.
    tells(app, "pick", {"points": [4, 3, None], "abstains": False})
    give(app)
    assert "it has 1 to 5 to spend" in app.error[0].value
    tells(app, "pick", {"points": [4, 1, None], "abstains": False})
    give(app)
    assert {g.option: g.points for g in given(host).ballot} == {"migrate": 4, "stay": 1}


@pytest.mark.parametrize("told", [{"points": [1, 2]}, {"points": ["1", None, True]}, {"points": 3}, [1, 2, 3], "x"])
def test_what_no_ballot_of_ours_tells_is_an_empty_one(app: AppTest, host: Host, told: object):
    form(app, host, "borda")
    tells(app, "pick", told)
    give(app)
    assert "Your vote is empty" in app.error[0].value


def test_what_was_tapped_survives_a_reload(app: AppTest, host: Host):
    form(app, host, "borda")
    tells(app, "pick", {"points": [None, 1, 2], "abstains": False})
    again = new_browser()
    again.query_params["id"], again.query_params["as"] = app.query_params["id"], "ana"
    again.switch_page("room.py").run()
    assert drawings(again, "pick")[0]["given"] == {"points": [None, 1, 2], "abstains": False}
    give(again)
    assert {g.option: g.points for g in given(host).ballot} == {"stay": 1, "defer": 2}


def test_an_objection_asks_for_its_reason(app: AppTest, host: Host):
    prefix = form(app, host, "consent")
    tells(app, "pick", {"points": [2, 0, None], "abstains": False})
    give(app)
    assert "An objection needs its reason" in app.error[0].value
    app.text_area(key=f"{prefix}reason0").input("No way back; a rehearsal would lift it.").run()
    give(app)
    assert app.warning[0].value.replace("\\", "") == (
        "1 of 3 rows has no answer: defer. The ballot says nothing about the others."
    )
    anyway(app)
    assert given(host).ballot == (
        Given(option="migrate", points=2, reason="No way back; a rehearsal would lift it."),
        Given(option="stay", points=0),
    )


def test_approvals_are_pressed(app: AppTest, host: Host):
    form(app, host, "approval")
    tells(app, "pick", {"points": [None, 1, 1], "abstains": False})
    give(app)
    assert {g.option for g in given(host).ballot} == {"stay", "defer"}


def test_an_abstention_is_said_as_such(app: AppTest, host: Host):
    prefix = form(app, host, "star")
    tells(app, "pick", {"points": [None, None, None], "abstains": True})
    assert not app.number_input(key=f"{prefix}confidence").value
    give(app)
    assert (given(host).vote, given(host).ballot) == ("abstain", ())


def test_points_are_tapped_under_each_driver(app: AppTest, host: Host):
    form(app, host, "weighted_criteria", (Driver(name="cost", weight=70), Driver(name="speed", weight=30)))
    (rows,) = drawings(app, "pick")
    assert rows["drivers"][0] == {"name": "cost", "beside": "weight 70 of 100"}
    assert rows["given"]["points"] == [None] * 6
    give(app)
    assert "give each option 0 to 5 points under each driver, or say that you abstain" in app.error[0].value
    tells(app, "pick", {"points": [4, None, None, 0, None, 5], "abstains": False})
    give(app)
    assert "3 of 6 rows have no answer: stay: all 2; defer: cost." in app.warning[0].value.replace("\\", "")
    anyway(app)
    assert given(host).ballot == (
        Given(option="migrate", driver="cost", points=4),
        Given(option="migrate", driver="speed", points=0),
        Given(option="defer", driver="speed", points=5),
    )
