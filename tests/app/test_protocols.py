"""The Protocols page: every preset is drawn from its data, compared, tried, taken as a file, and used in set-up."""

import tomllib

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.errors import InvalidSpec
from debate_core.host.host import Host
from debate_core.language import spoken
from debate_core.report.phrases.ending import stop_words
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.presets.goals import GOALS
from debate_core.spec.protocol import Phase, Protocol, Sees, asks_ballot
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.spec.rules import AllAgree, AllOf, MaxRounds, Stable
from debate_core.ui.kit.course import course_of
from debate_core.ui.kit.protocol_words import phases_of, step_words
from debate_core.ui.pages.protocols import GOAL_WORDS
from debate_core.ui.setup.draft import OfficeDraft, example
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.readiness import problem
from debate_core.ui.setup.rules import with_rules
from tests.app.visiting import drawings, press, press_part, step, words

OWN = PROTOCOLS["moderated_judge"].model_copy(update={"name": "our_rules", "purpose": "As we do it"})


def page(app: AppTest, name: str = "protocols.py") -> AppTest:
    app.switch_page(name).run()
    assert not app.exception
    return app


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_a_protocol_comes_back_from_its_file_as_it_was(protocol: Protocol):
    assert protocol_from_toml(protocol_to_toml(protocol), where="a.toml") == protocol


def test_stop_rules_that_hold_together_come_back_too():
    both = AllOf(rules=(AllAgree(), Stable()))
    rules = PROTOCOLS["society"].model_copy(update={"stop": (both, MaxRounds())})
    assert protocol_from_toml(protocol_to_toml(rules), where="a.toml") == rules
    assert stop_words(both) == (
        "when every debater votes for the same option and after a round in which no vote changed"
    )
    with spoken("de"):
        assert " und nach einer Runde, in der sich keine Stimme änderte" in stop_words(both)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('gives = "directive"', 'gives = "orders"', "phase 'direction' of each_round: gives: input should be"),
        ('name = "argument"', 'nam = "argument"', "phase 5 of each_round: name: field required"),
        ("hard_max = 8", 'hard_max = "many"', "rounds.hard_max: input should be a valid integer"),
        ("[rounds]", "[rounds", "is not readable TOML"),
        (
            'kind = "by_seat"',
            'kind = "oracle"',
            "decide: there is no rule of kind 'oracle': choose one of 'threshold_vote'",
        ),
        ('kind = "by_seat"\n', "", "decide: its kind is missing, which says what rule it is"),
        (
            'gives = "directive"',
            'gives = "critique"\nmin_strength = 50',
            "phase 'direction' of each_round: min_strength:",
        ),
    ],
)
def test_a_bad_protocol_file_is_refused_with_phase_and_field(before: str, after: str, sentence: str):
    text = protocol_to_toml(OWN)
    assert before in text
    with pytest.raises(InvalidSpec) as refused:
        protocol_from_toml(text.replace(before, after, 1), where="ours.toml")
    assert str(refused.value).startswith("protocol ours.toml")
    assert sentence in str(refused.value)


def test_every_preset_has_words_for_each_phase():
    for protocol in PROTOCOLS.values():
        assert [p.name for p in phases_of(protocol)] == [p.name.replace("_", " ") for p in protocol.phases()]


def test_a_phase_says_who_speaks_what_it_sees_and_what_it_gives():
    direction, gate, again, _, argument, verdict = phases_of(PROTOCOLS["moderated_judge"])
    assert (direction.speaks, direction.order, direction.sees) == (
        "the moderator",
        "alone",
        "everything said so far, with names",
    )
    assert (gate.speaks, gate.notes) == ("the chair", ())
    assert again.notes == ("only if the chair sends the directive back",)
    assert argument.notes == ("the moderator says who speaks",)
    assert (verdict.section, verdict.gives, verdict.counted) == ("At the end", "a verdict", False)
    answer = phases_of(PROTOCOLS["self_consistency"])[0]
    assert (answer.order, answer.sees, answer.gives) == ("side by side", "only its own turns", "an argument and a vote")
    shown = Phase(name="critique", sees=Sees(votes="shown"))
    told = phases_of(PROTOCOLS["self_consistency"].model_copy(update={"each_round": (shown,)}))[0].sees
    assert told == "everything said so far, without names, with the votes so far"


def test_every_protocol_can_be_looked_at(app: AppTest, host: Host):
    page(app)
    for name, protocol in PROTOCOLS.items():
        app.selectbox(key="protocol_chosen").set_value(name).run()
        assert not app.exception, name
        assert app.query_params["protocol"] == name
        for phase in protocol.phases():
            assert f"{phase.name.replace('_', ' ').capitalize()}**" in words(app).replace("\\", "")
    app.selectbox(key="protocol_chosen").set_value("single_call").run()
    assert "About **1 call**" in words(app)
    assert ",000 tokens in 1 round" in words(app)


def test_all_protocols_are_drawn_by_goal_and_open_at_a_click(app: AppTest, host: Host):
    page(app)
    (drawn,) = drawings(app, "protocols")
    cards = {card["name"]: card for group in drawn["groups"] for card in group["cards"]}
    assert [group["title"] for group in drawn["groups"]] == [GOAL_WORDS[goal] for goal in GOALS]
    assert set(cards) == set(PROTOCOLS)
    assert cards["bounded_vote"]["flow"][0][0] == "Each round"
    assert cards["bounded_vote"]["flow"][0][1].startswith("propose → ")
    assert {card["flow"][-1][0] for card in cards.values()} == {"Decides"}
    assert cards["stance_judge"]["flow"][-1][1] == "the judge"
    assert cards["bounded_vote"]["flow"][-1][1] == "2 votes for one option"
    assert cards["expert_panel"]["flow"] == [
        ["Round 1", "argue"],
        ["Round 2", "mark quotes → criticise"],
        ["At the end", "sum up"],
        ["Decides", "more than half of all the seats"],
    ]
    assert {card["size"] for card in cards.values()} >= {"2 seats, 1 round", "3 seats, 2 rounds"}
    assert any(card["size"].startswith("a seat per option, ") for card in cards.values())
    assert drawn["groups"][0]["more"] == f"{len(drawn['groups'][0]['cards']) - 1} more for this goal"
    assert cards["deliberation"]["purpose"] == PROTOCOLS["deliberation"].purpose
    assert cards["bounded_vote"]["purpose"] == "Seats vote after each of four short phases until enough agree."
    assert cards["mallm_report"]["purpose"] == PROTOCOLS["mallm_report"].purpose
    press_part(app, "protocols", "open", "bounded_vote")
    assert next(h.value for h in app.header) == "Bounded vote"
    assert app.query_params["protocol"] == "bounded_vote"
    press(app, "protocol_all")
    assert len(drawings(app, "protocols")) == 1
    assert "protocol" not in app.query_params


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_the_course_of_a_protocol_is_drawn_from_its_phases(protocol: Protocol):
    drawn = course_of(protocol)
    for steps, phases in ((drawn["before"], protocol.before), (drawn["each"], protocol.each_round)):
        assert [bool(step["speaks"]) for step in steps] == [phase.role == "debater" for phase in phases]
        assert [step["votes"] for step in steps] == [asks_ballot(protocol, phase) for phase in phases]
    assert len(drawn["after"]) == len(protocol.after)
    assert drawn["decides"] == ("seat" if protocol.deciding_role else "count")
    always = [phase for phase in protocol.phases() if phase.when == "every" and not phase.only_in]
    assert all(step_words(phase) in drawn["alt"] for phase in always)


def test_a_course_shows_who_speaks_and_whether_in_turn():
    draft, exchange, _second = course_of(PROTOCOLS["mallm_debate"])["each"]
    assert (draft["speaks"], draft["in_turn"]) == ([True, False, False], False)
    assert (exchange["speaks"], exchange["in_turn"]) == ([False, True, True], True)


def test_two_protocols_stand_side_by_side_with_differences(app: AppTest, host: Host):
    page(app)
    app.selectbox(key="protocol_chosen").set_value("deliberation").run()
    app.selectbox(key="protocol_other").set_value("society").run()
    assert not app.exception
    assert [h.value for h in app.header].count("Equal seats") == 1
    assert [("course" in drawn, bool(drawn["legend"])) for drawn in drawings(app, "course")] == [
        (False, True),
        (True, False),
        (True, False),
    ]
    differ, same = ({row["Property"]: row for row in one.value.to_dict("records")} for one in app.table)
    assert (differ["Rounds"]["Deliberation"], differ["Rounds"]["Equal seats"]) == ("3", "2")
    assert "Attempts at a turn" in same
    assert f"{len(differ)} differences" in [h.value for h in app.subheader]
    assert all(row["Deliberation"] != row["Equal seats"] for row in differ.values())
    assert all(row["Deliberation"] == row["Equal seats"] for row in same.values())
    press(app, "protocol_use_right")
    page(app, "setup.py")
    assert app.session_state["setup_draft"].protocol == "society"


def test_compared_protocols_with_one_title_have_two_columns():
    app = AppTest.from_function(_draw_comparison).run()
    table = app.table[0].value.set_index("Property")
    assert [*table.loc["Rounds"]] == ["2", "3"]


def _draw_comparison() -> None:
    from debate_core.spec.presets import PROTOCOLS
    from debate_core.ui.pages.protocols import compare

    other = PROTOCOLS["deliberation"].model_copy(update={"name": "equal_seats"})
    compare(PROTOCOLS["society"], other)


def test_a_protocol_is_tried_as_a_rehearsal_by_one_press(app: AppTest, host: Host):
    page(app)
    app.selectbox(key="protocol_chosen").set_value("expert_panel").run()
    press(app, "protocol_try")
    (row,) = host.debates()
    assert (row.rehearsal, row.protocol, row.has_people) == (True, "expert_panel", False)


def test_a_card_begins_a_rehearsal(app: AppTest, host: Host):
    page(app)
    press_part(app, "protocols", "try", "bounded_vote")
    (row,) = host.debates()
    assert (row.rehearsal, row.protocol) == (True, "bounded_vote")


def test_a_protocol_is_used_in_the_set_up(app: AppTest, host: Host):
    page(app)
    app.selectbox(key="protocol_chosen").set_value("moderated_judge").run()
    app.button(key="protocol_use").click().run()
    assert not app.exception
    page(app, "setup.py")
    step(app, "people")
    assert app.segmented_control(key="setup_decider_judge").value == "judge"
    assert app.session_state["setup_draft"].protocol == "moderated_judge"
    step(app, "question")
    app.text_area(key="setup_question").set_value("Which store?")
    app.text_input(key="setup_option_o1").set_value("adopt")
    app.text_input(key="setup_option_o2").set_value("defer").run()
    step(app, "people", "roles")
    offices = {s.label: s for s in app.selectbox if s.label in ("Who moderates?", "Who judges?")}
    assert {label: s.value for label, s in offices.items()} == {"Who moderates?": "offline", "Who judges?": "human"}
    assert "No one: every debater speaks in every round" in offices["Who moderates?"].options
    offices["Who moderates?"].set_value("human").run()
    next(b for b in app.button if b.label == "Start debate").click().run()
    assert not app.exception
    spec = host.state(host.debates()[0].id).spec
    assert [(s.id, s.occupant) for s in spec.seats if s.role != "debater"] == [
        ("chair", "human"),
        ("moderator", "human"),
        ("judge", "human"),
    ]
    assert [s.stance for s in spec.debaters()] == ["adopt", "defer"]


def test_a_protocol_of_ones_own_is_brought_and_used(app: AppTest, host: Host):
    page(app)
    app.file_uploader(key="protocol_file").set_value(("ours.toml", protocol_to_toml(OWN).encode(), "x/toml")).run()
    assert not app.exception
    assert app.selectbox(key="protocol_chosen").value == "our_rules"
    app.button(key="protocol_use").click().run()
    page(app, "setup.py")
    step(app, "people")
    assert app.session_state["setup_draft"].protocol == "our_rules"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (protocol_to_toml(OWN).replace('role = "moderator"', 'role = "king"'), "phase 'direction' of each_round"),
        (protocol_to_toml(OWN.model_copy(update={"name": "society"})), "is taken by a shipped protocol"),
        (protocol_to_toml(OWN.model_copy(update={"stop": (AllAgree(),)})), "max_rounds"),
    ],
)
def test_a_bad_file_is_said_on_the_page(app: AppTest, host: Host, text: str, sentence: str):
    page(app)
    app.file_uploader(key="protocol_file").set_value(("ours.toml", text.encode(), "x/toml")).run()
    assert len(app.error) == 1
    assert sentence in app.error[0].value.replace("\\", "")
    assert "our_rules" not in app.selectbox(key="protocol_chosen").options


def test_a_preset_is_recognised_after_its_source_was_reworded(app: AppTest):
    page(app)
    society = PROTOCOLS["society"].model_copy(update={"source": "as it was called before"})
    app.file_uploader(key="protocol_file").set_value(("ours.toml", protocol_to_toml(society).encode(), "x/toml")).run()
    assert not app.error
    assert "is ready to use" in app.success[0].value


def test_every_preset_can_be_set_up_with_its_usual_cast():
    for name, protocol in PROTOCOLS.items():
        draft = with_rules(example("Which store?", ("adopt", "defer")), protocol)
        assert problem(draft) is None, name
        assert spec_from(draft).protocol.name == name
    assert tomllib.loads(protocol_to_toml(OWN))["name"] == "our_rules"


def test_rules_that_a_seat_decides_want_somebody_in_it():
    draft = with_rules(example("Which store?", ("adopt", "defer")), PROTOCOLS["stance_judge"])
    empty = draft.with_office(OfficeDraft(role="judge", who="offline"))
    assert problem(empty) == "a program cannot choose an option: seat a person or a model as judge"
    assert problem(draft) is None
