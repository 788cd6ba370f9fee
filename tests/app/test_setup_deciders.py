"""The answer to *Who decides?* in set-up: the protocols it offers, and debates that need no more settings."""

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.spec.presets import PROTOCOLS, QUOTING
from debate_core.spec.rules import Supermajority
from debate_core.ui.setup.mapping import draft_of
from debate_core.ui.setup.readiness import problem
from tests.app.test_setup import button, draft_of_page, fill, page, shown
from tests.app.visiting import let_decide, step


def test_protocol_and_decider_follow_each_other(app: AppTest):
    page(app)
    fill(app)
    step(app, "people")
    for name, decider in (("adversary", "judge"), ("bounded_vote", "debaters"), ("stance_judge", "judge")):
        offered = app.selectbox(key=f"setup_protocol_{draft_of_page(app).protocol}")
        assert set(offered.options) == {title_of(other) for other in PROTOCOLS}
        offered.set_value(name).run()
        assert draft_of_page(app).decider() == decider
        assert app.segmented_control(key=f"setup_decider_{decider}").value == decider
        assert problem(draft_of_page(app)) is None
    let_decide(app, "debaters")
    assert draft_of_page(app).protocol == "expert_panel"


def test_the_suggested_name_of_a_seat_says_its_kind(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "people", "seat")
    first = app.session_state["setup_draft"].panel()[0]
    of_seat = f"setup_seat_{first.key}"
    assert first.id in QUOTING.values()
    app.selectbox(key=f"{of_seat}_who").set_value("human").run()
    assert QUOTING[app.session_state["setup_draft"].panel()[0].id] == first.id
    assert "quotes" not in str(app.text_input(key=f"{of_seat}_id").value).casefold()
    app.selectbox(key=f"{of_seat}_who").set_value("offline").run()
    assert app.session_state["setup_draft"].panel()[0].id == first.id
    app.text_input(key=f"{of_seat}_id").set_value("Archivist").run()
    app.selectbox(key=f"{of_seat}_who").set_value("human").run()
    assert app.session_state["setup_draft"].panel()[0].id == "Archivist"


def test_a_share_for_four_seats_with_stances_is_set_first(app: AppTest, host: Host):
    """Nothing under *More settings* is needed."""
    page(app)
    fill(app)
    step(app, "people", "seats")
    button(app, "Add a seat").click().run()
    app.selectbox(key="setup_decide_expert_panel_rule").set_value("3/5").run()
    seats = [str(field.key).removesuffix("_who") for field in app.selectbox if str(field.key).endswith("_who")]
    for at, seat in enumerate(seats):
        app.selectbox(key=f"{seat}_who").set_value("human")
        app.selectbox(key=f"{seat}_stance").set_value(("adopt", "defer")[at % 2])
    app.run()
    assert "3 of 4 current votes \\(3/5\\)" in shown(app)
    button(app, "Start debate").click().run()
    spec = host.state(host.debates()[0].id).spec
    assert [seat.stance for seat in spec.debaters()] == ["adopt", "defer", "adopt", "defer"]
    assert spec.protocol.decide == Supermajority(numerator=3, denominator=5)


def test_one_judge_decides_over_two_debaters(app: AppTest, host: Host):
    page(app)
    fill(app)
    let_decide(app, "judge")
    assert next(field for field in app.selectbox if field.label == "Who judges?").value == "human"
    button(app, "Start debate").click().run()
    spec = host.state(host.debates()[0].id).spec
    assert (spec.protocol.name, spec.seat("judge").occupant) == ("stance_judge", "human")
    assert [seat.stance for seat in spec.debaters()] == ["adopt", "defer"]


def test_every_list_is_preset_with_what_holds_now(app: AppTest):
    """A browser takes the preset of the drawing that it sees first, which may be a later one."""
    page(app)
    fill(app)
    let_decide(app, "debaters")
    app.selectbox(key="setup_decide_expert_panel_rule").set_value("2/3").run()
    for section in ("", "counting", "undecided", "course", "time", "protocol", "roles"):
        step(app, "people", section)
        app.run()
        boxes = [box for box in app.selectbox if box.value is not None]
        assert {box.key: box.proto.default for box in boxes} == {box.key: box.index for box in boxes}


def test_a_typed_name_of_a_program_stays(app: AppTest, host: Host):
    page(app)
    fill(app)
    step(app, "people", "seat")
    of_seat = f"setup_seat_{app.session_state['setup_draft'].panel()[0].key}"
    app.text_input(key=f"{of_seat}_id").set_value("database_expert").run()
    assert draft_of_page(app).panel()[0].id == "database_expert"
    for who in ("human", "offline"):
        app.selectbox(key=f"{of_seat}_who").set_value(who).run()
        assert draft_of_page(app).panel()[0].id == "database_expert"
    button(app, "Start debate").click().run()
    spec = host.state(host.debates()[0].id).spec
    assert spec.debaters()[0].id == "database_expert"
    assert draft_of(spec).panel()[0].id == "database_expert"


def test_answer_to_who_decides_says_what_follows(app: AppTest):
    page(app)
    fill(app)
    step(app, "people")
    assert any("Programs quote your documents, and vote" in one.value for one in app.caption)
    app.segmented_control(key="setup_decider_debaters").set_value("room").run()
    assert draft_of_page(app).decider() == "room"
    assert any("Everyone who joins as a voter votes" in one.value for one in app.caption)
