"""The form of a turn whose vote ranks, scores, approves, spends dots or consents; each refusal in one sentence."""

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Driver, with_decision
from debate_core.spec.rules import Elected, ElectedKind
from debate_core.spec.values import Given, Seat

OPTIONS = ("migrate", "stay", "defer")
PEOPLE = [Seat(id="ana", occupant="human"), Seat(id="ben", occupant="human")]


def form(app: AppTest, host: Host, kind: ElectedKind, drivers: tuple[Driver, ...] = ()) -> str:
    """Ana's form in a debate that is decided by this rule."""
    rules = with_decision(protocol("bounded_vote"), Elected(kind=kind))
    debate = host.create(compose("Which?", OPTIONS, rules, PEOPLE, drivers=drivers), by="tests")
    app.query_params["id"], app.query_params["as"] = debate, "ana"
    app.run()
    app.switch_page("room.py").run()
    assert not app.exception
    prefix = f"{debate}/ana/1.proposal:"
    app.text_area(key=f"{prefix}rationale").input("So it is.").run()
    return prefix


def give(app: AppTest) -> None:
    next(b for b in app.button if b.label.startswith("Give this")).click().run()
    assert not app.exception


def given(host: Host) -> Argument:
    held = host.state(host.debates()[0].id).open
    assert held is not None
    content = held.turns()[0].content
    assert isinstance(content, Argument)
    return content


def test_places_are_typed_and_level_ones_are_a_tie(app: AppTest, host: Host):
    prefix = form(app, host, "schulze")
    give(app)
    assert "your vote is empty" in app.error[0].value
    app.number_input(key=f"{prefix}points0").set_value(2).run()
    app.number_input(key=f"{prefix}points2").set_value(2).run()
    app.number_input(key=f"{prefix}points1").set_value(1).run()
    give(app)
    places = (("migrate", 2), ("stay", 1), ("defer", 2))
    assert given(host).ballot == tuple(Given(option=o, points=p) for o, p in places)
    assert given(host).vote is None


def test_dots_are_added_up_before_they_are_sent(app: AppTest, host: Host):
    prefix = form(app, host, "cumulative")
    app.number_input(key=f"{prefix}points0").set_value(4).run()
    app.number_input(key=f"{prefix}points1").set_value(3).run()
    assert "7 of 5 dots spent." in [c.value for c in app.caption]
    give(app)
    assert "it has 1 to 5 to spend" in app.error[0].value
    app.number_input(key=f"{prefix}points1").set_value(1).run()
    give(app)
    assert {g.option: g.points for g in given(host).ballot} == {"migrate": 4, "stay": 1}


def test_an_objection_asks_for_its_reason(app: AppTest, host: Host):
    prefix = form(app, host, "consent")
    app.segmented_control(key=f"{prefix}says0").set_value("objection").run()
    app.segmented_control(key=f"{prefix}says1").set_value("consent").run()
    give(app)
    assert "an objection needs its reason" in app.error[0].value
    app.text_area(key=f"{prefix}reason0").input("No way back; a rehearsal would lift it.").run()
    give(app)
    assert given(host).ballot == (
        Given(option="migrate", points=2, reason="No way back; a rehearsal would lift it."),
        Given(option="stay", points=0),
    )


def test_approvals_are_pressed_and_scores_typed(app: AppTest, host: Host):
    prefix = form(app, host, "approval")
    app.pills(key=f"{prefix}approvals").set_value(["stay", "defer"]).run()
    give(app)
    assert {g.option for g in given(host).ballot} == {"stay", "defer"}


def test_an_abstention_is_said_as_such(app: AppTest, host: Host):
    prefix = form(app, host, "star")
    app.checkbox(key=f"{prefix}ballot abstains").check().run()
    assert not app.number_input(key=f"{prefix}confidence").value
    give(app)
    assert (given(host).vote, given(host).ballot) == ("abstain", ())


def test_points_are_typed_under_each_driver(app: AppTest, host: Host):
    prefix = form(app, host, "weighted_criteria", (Driver(name="cost", weight=70), Driver(name="speed", weight=30)))
    assert "**cost** (weighs 70 of 100)" in [m.value for m in app.markdown]
    give(app)
    assert "give each option 0 to 5 points under each driver, or say that you abstain" in app.error[0].value
    app.number_input(key=f"{prefix}d0points0").set_value(4).run()
    app.number_input(key=f"{prefix}d1points0").set_value(0).run()
    app.number_input(key=f"{prefix}d1points2").set_value(5).run()
    give(app)
    assert given(host).ballot == (
        Given(option="migrate", driver="cost", points=4),
        Given(option="migrate", driver="speed", points=0),
        Given(option="defer", driver="speed", points=5),
    )
