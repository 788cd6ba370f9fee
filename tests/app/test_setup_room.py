"""People in set-up: off by default, formats that fill in, lists and roles, and what is said before the start."""

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.errors import InvalidSpec
from debate_core.host.host import Host
from debate_core.report.phrases.agreement import contract
from debate_core.spec.people import Person, Room
from debate_core.spec.rules import Majority, Plurality, Supermajority, Threshold, Unanimity
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import HolderDraft, RoomDraft, SeatDraft, SetupDraft, example
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.people_mapping import room_from, with_one_list
from debate_core.ui.setup.people_rows import MAX_ROWS
from debate_core.ui.setup.readiness import doubts, problem, room_doubts
from tests.app.visiting import count_controls, drawings, let_decide, new_browser, press_label, step, values
from tests.people import room_spec

SEATS = (
    Seat(id="ana", occupant="human"),
    Seat(id="bot", occupant="offline"),
    Seat(id="chair", role="chair", occupant="human"),
    Seat(id="synthesiser", role="synthesiser", occupant="human"),
)


def room(**changes: Any) -> Room:
    made = room_from(RoomDraft(on=True, name="Fay", **changes), SEATS)
    assert made is not None
    return made


def short(people: tuple[Person, ...]) -> list[tuple[str, str, str | None, int, tuple[str, ...]]]:
    return [(p.name, p.role, p.electorate, p.weight, p.seats) for p in people]


def opened(app: AppTest) -> AppTest:
    app.switch_page("setup.py").run()
    app.text_area(key="setup_question").set_value("Should we move?")
    app.text_input(key="setup_option_o1").set_value("migrate")
    app.text_input(key="setup_option_o2").set_value("stay").run()
    assert not app.exception
    return app


def shown(app: AppTest) -> str:
    return "\n".join(m.value for m in (*app.markdown, *app.caption))


def plain(app: AppTest) -> str:
    return shown(app).replace("\\", "")


def list_people(app: AppTest, text: str) -> None:
    """Paste a list in place of the people in the rows."""
    while drop := [one for one in app.button if str(one.key).endswith("_drop")]:
        drop[0].click().run()
    app.text_area(key="setup_people_pasted").set_value(text)
    press_label(app, "Add these people")
    assert not app.exception


def rows(app: AppTest) -> list[tuple[str | None, str | None]]:
    """Name and role of each row, as shown; no role where none is chosen."""
    keys = [str(field.key).removesuffix("_name") for field in app.text_input if "setup_person_" in str(field.key)]
    boxes = [app.selectbox(key=f"{key}_role") for key in keys]
    return [
        (app.text_input(key=f"{key}_name").value, None if box.index is None else box.options[box.index])
        for key, box in zip(keys, boxes, strict=True)
    ]


def test_without_people_a_debate_belongs_to_this_screen(app: AppTest, host: Host):
    opened(app)
    press_label(app, "Start debate")
    assert host.state(host.debates()[0].id).spec.room is None


def test_who_may_read_it_is_chosen_and_agreed(app: AppTest, host: Host):
    opened(app)
    let_decide(app, "room")
    app.text_input(key="setup_room_name").set_value("Fay").run()
    assert "It is in no list of other hosts" in shown(app)
    step(app, "people", "roles")
    app.selectbox(key="setup_room_readers").set_value("link").run()
    assert "anyone with the link to the results" in shown(app)
    press_label(app, "Start debate")
    assert host.state(host.debates()[0].id).spec.terms.readers == "link"


def test_a_format_and_a_name_are_enough(app: AppTest, host: Host):
    opened(app)
    let_decide(app, "room")
    assert "your name is missing" in shown(app).casefold()
    app.text_input(key="setup_room_name").set_value("Fay").run()
    step(app, "people", "time")
    app.selectbox(key="setup_format").set_value(25).run()
    assert "cannot be ruled out" in shown(app)
    assert "At most 2 rounds, 2 minutes for each phase" in shown(app)
    press_label(app, "Start debate")
    state = host.state(host.debates()[0].id)
    fay = Person(id="p-1", name="Fay", role="facilitator", seats=("chair",))
    assert state.spec.room == Room(
        people=(fay,),
        phase_seconds=120,
        max_chars=750,
        readers="members",
        decides="room",
        vote=Majority(),
        hold="none",
    )
    assert state.spec.max_rounds == 2
    assert "How people join" in [s.value for s in app.subheader]
    assert set(app.query_params) == {"id"}


def only_people() -> None:
    """A drawing of set-up that another one overtakes once the formats are there."""
    import streamlit as st

    from debate_core.ui.setup import draft_store, people

    people.edit_time(people.edit_decider(draft_store.load()))
    st.stop()


def test_a_format_chosen_while_loading_is_that_of_a_room(host: Host):
    app = AppTest.from_function(only_people).run()
    app.segmented_control(key="setup_decider_debaters").set_value("room").run()
    app.selectbox(key="setup_format").set_value(60).run()
    assert app.selectbox(key="setup_format").value == 60
    assert app.session_state["setup_draft"].rounds == 2


def test_the_address_identifies_a_person_only_without_a_cookie(app: AppTest, host: Host):
    opened(app)
    press_label(app, "Start debate")
    assert app.query_params["as"] == "facilitator,chair"
    alone = host.debates()[0].id
    opened(app)
    let_decide(app, "room")
    app.text_input(key="setup_room_name").set_value("Fay").run()
    step(app, "people", "people")
    list_people(app, "June, judge")
    step(app, "people", "roles")
    app.selectbox(key="setup_room_afterwards").set_value("timed").run()
    press_label(app, "Start debate")
    assert host.debates()[0].id != alone
    agreed = host.state(host.debates()[0].id).spec.room
    assert agreed is not None
    assert agreed.afterwards == "timed"
    assert set(app.query_params) == {"id"}


def test_people_survive_a_reload_and_leave_when_switched_off(app: AppTest, host: Host):
    opened(app)
    let_decide(app, "panel")
    app.text_input(key="setup_room_name").set_value("Fay")
    list_people(app, "Ann\nBen, voter, 2")
    address = app.query_params["draft"]
    fresh = new_browser()
    fresh.query_params["draft"] = address
    fresh.switch_page("setup.py").run()
    step(fresh, "people")
    assert rows(fresh) == [("Ann", "Voter"), ("Ben", "Voter × 2")]
    assert fresh.session_state["setup_draft"].room.listed == "Ann\nBen, voter, 2"
    told = shown(fresh).replace("\\", "")
    assert "more than half of all eligible voters: 2 of 3 votes" in told
    assert told.index("**Rule:**") < told.index("**Rules for the seats, which only advise**")
    assert "**An option is decided with" not in told
    let_decide(fresh, "debaters")
    press_label(fresh, "Start debate")
    assert host.state(host.debates()[0].id).spec.room is None


def test_names_become_people_with_one_role_and_listed_votes():
    made = room(
        decides="debaters",
        judges="June, Joe",
        approver="Abe",
        holders=(HolderDraft(seat="ana", name="Ana"),),
        listed="Ann, voter, 2\nJune\nFay, voter, 1, room",
    )
    assert short(made.people) == [
        ("Fay", "facilitator", "room", 1, ("chair", "synthesiser")),
        ("June", "judge", "panel", 1, ()),
        ("Joe", "judge", None, 1, ()),
        ("Abe", "approver", None, 1, ()),
        ("Ana", "debater", None, 1, ("ana",)),
        ("Ann", "voter", "panel", 2, ()),
    ]
    assert [p.id for p in made.people] == [f"p-{n}" for n in range(1, 7)]
    assert short(room(synthesiser="Syd").people)[1] == ("Syd", "synthesiser", None, 1, ("synthesiser",))


def test_earlier_judges_and_approvers_are_rows_of_the_list(app: AppTest, host: Host):
    roles: dict[str, Any] = {"judges": "June, Bo", "approver": "Cy", "listed": "Ann\nCy, voter, 2\nBo, voter, 1, named"}
    people = RoomDraft(on=True, name="Fay", decides="panel", **roles)
    one_list = with_one_list(people)
    assert one_list.listed == "Ann\nCy, approver, 2, named\nBo, judge, 1, named\nJune, judge"
    made = [room_from(draft, ()) for draft in (people, one_list)]
    assert len({frozenset(short(one.people)) for one in made if one}) == 1
    opened(app)
    app.session_state["setup_draft"] = app.session_state["setup_draft"].replace(room=people)
    step(app, "people", "people")
    assert ("Cy", "Approver × 2, has a vote") in rows(app)
    assert "One option needs 3 of 4 votes." in plain(app)
    assert "Cy signs the decision." in plain(app)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": " "}, "your name is missing"),
        ({"judges": "Fay"}, "Fay is named as facilitator and as judge"),
        ({"judges": "Ann", "listed": "Ann, approver"}, "Ann is named as judge and as approver"),
        ({"listed": "Ann, king"}, "Ann: “king” is no role, choose one"),
        ({"decides": "panel"}, "the named people decide, and none are listed"),
        ({"decides": "room", "joining": "named", "listed": "Ann, observer"}, "no listed person votes in the room"),
        ({"judges": "x" * 81}, "name"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(changes: dict[str, Any], words: str):
    with pytest.raises(InvalidSpec, match=re.escape(words)):
        room_from(RoomDraft(**{"on": True, "name": "Fay", **changes}), SEATS)


def test_the_readiness_check_speaks_of_people():
    said = " ".join(room_doubts(RoomDraft(on=True, name="Fay", joining="named"), SEATS))
    assert "the list is empty" in said
    assert "No approver is named" in said
    assert "No one is named for the seat ana" in said
    assert tuple(room_doubts(RoomDraft(), SEATS)) == ()
    draft = example("Move?", ("yes", "no")).model_copy(update={"room": RoomDraft(on=True)})
    assert "your name is missing" in (problem(draft) or "")
    draft = draft.model_copy(update={"room": RoomDraft(on=True, name="Fay")})
    assert problem(draft) is None
    assert any("vote twice from two devices" in doubt for doubt in doubts(draft))


def test_listed_people_vote_where_it_is_decided_by_default():
    listed = {"listed": "Ann\nBen, voter, 1, panel\nCy, observer"}
    votes = {p.name: p.electorate for p in room(**listed).people}
    assert votes == {"Fay": None, "Ann": "room", "Ben": "panel", "Cy": None}
    assert {p.name: p.electorate for p in room(decides="debaters", **listed).people}["Ann"] == "panel"


def test_people_in_the_room_decide_and_the_seats_advise(app: AppTest, host: Host):
    opened(app)
    let_decide(app, "room")
    app.text_input(key="setup_room_name").set_value("Fay").run()
    step(app, "people", "people")
    assert "3 programs quote documents in at most 2 rounds, and advise." in shown(app).replace("\\", "")
    (warned,) = (m for m in app.markdown if "Phones cannot join yet" in m.value)
    assert "make workshop" not in warned.value
    assert "The lobby says how to let them in." in warned.value
    app.selectbox(key="setup_room_rule").set_value("unanimity").run()
    press_label(app, "Start debate")
    terms = host.state(host.debates()[0].id).spec.terms
    assert (terms.decides, terms.vote) == ("room", Unanimity())


def test_a_human_seat_has_the_person_who_was_named_for_it():
    seats = (SeatDraft(key="a", id="ana", who="human"), SeatDraft(key="b", id="bo"))
    people = RoomDraft(on=True, name="Fay", holders=(HolderDraft(seat="ana", name="Ana"),))
    spec = spec_from(SetupDraft(**{**example("Move?", ("yes", "no")).model_dump(), "seats": seats, "room": people}))
    assert {p.name: p.seats for p in spec.people()} == {"Fay": ("chair",), "Ana": ("ana",)}


PANEL = tuple(Person(id=f"p-{n}", name=str(n), electorate="panel", weight=w) for n, w in enumerate((1, 1, 3)))
FAY = Person(id="p-fay", name="Fay", role="facilitator")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Plurality(), "The option with the most votes is elected."),
        (Majority(), "more than half of all eligible voters: 3 of 5 votes"),
        (Majority(base="cast", quorum=2), "more than half of the ballots cast. At least 2 of 3 ballots must be cast."),
        (Supermajority(), "at least 2/3 of all eligible voters: 4 of 5 votes"),
        (Unanimity(), "the votes of all eligible voters: 5 of 5 votes"),
        (Threshold(votes=4), "elected with 4 of 5 votes"),
    ],
)
def test_the_contract_works_the_rule_out(rule: Any, said: str):
    spec = room_spec((FAY, *PANEL), decides="panel", vote=rule, phase_seconds=240)
    points = dict(contract(spec, spec.people()))
    assert said in points["Rule"]
    assert "The ballots of 3 people weigh 5 together." in points["Rule"]
    assert (
        points["Without a winner"]
        == "If no option wins, nothing is decided here: the question is passed on to someone who can decide it."
    )
    assert points["Time"] == "At most 2 rounds, 4 minutes for each phase; each round waits for the facilitator."


def test_the_contract_does_not_guess_how_many_will_come():
    spec = room_spec((FAY,), decides="room", vote=Majority(tie=("approver",)))
    points = dict(contract(spec, spec.people()))
    assert points["Rule"] == "An option is elected with more than half of all eligible voters."
    assert "double votes" not in points["Who decides"]
    assert "cannot be ruled out" in points["Votes of people"]
    assert points["Tie-break"].startswith("Tie-break: the approver")
    assert dict(contract(room_spec((FAY,)), (FAY,)))["Rule"].startswith("An option is decided with 2 of 3")


def test_the_list_says_who_votes_and_names_its_faults(app: AppTest, host: Host):
    let_decide(opened(app), "room")
    step(app, "people", "people")
    list_people(app, "Cleo Diaz\nBo Chen, judge\nAna Ruiz, voter, 2\nEli, voter, 1, named")
    said = shown(app).replace("\\", "")
    assert "Their votes are advice: Eli." in said
    assert rows(app) == [
        ("Cleo Diaz", "Voter"),
        ("Bo Chen", "Judge"),
        ("Ana Ruiz", "Voter × 2"),
        ("Eli", "Voter, advice only"),
    ]
    people = {p.name: (p.role, p.electorate, p.weight) for p in room(listed=listed(app)).people}
    assert people["Cleo Diaz"] == ("voter", "room", 1)
    assert people["Eli"] == ("voter", "panel", 1)
    assert people["Bo Chen"] == ("judge", None, 1)
    list_people(app, "Cleo Diaz\nDee Fox, boss\n")
    assert "Dee Fox: “boss” is no role, choose one." in shown(app).replace("\\", "")
    # The people are there again when the row comes back, which counts the people without the fault.
    step(app, "people", "counting")
    assert values(app)["People"] == "Everyone with the link or code · 1 listed"
    step(app, "people", "people")
    assert rows(app) == [("Cleo Diaz", "Voter"), ("Dee Fox", None)]
    pick_role(app, 2, "Judge")
    assert listed(app) == "Cleo Diaz\nDee Fox, judge"
    assert "choose one" not in shown(app)


def pick_role(app: AppTest, number: int, role: str) -> None:
    next(box for box in app.selectbox if box.label == f"Role of person {number}").select(role).run()


def name_person(app: AppTest, number: int, name: str) -> None:
    next(field for field in app.text_input if field.label == f"Name of person {number}").set_value(name).run()


def test_people_are_added_named_and_removed_in_rows(app: AppTest, host: Host):
    let_decide(opened(app), "room")
    step(app, "people", "people")
    assert "You can leave this empty" in plain(app)
    assert rows(app) == [("", "Voter")]
    pick_role(app, 1, "Judge")
    assert "Person 1: write a name. Without one this row is left out." in plain(app)
    assert listed(app) == ""
    name_person(app, 1, "Bo Chen")
    press_label(app, "Add a person")
    name_person(app, 2, "Ruiz, Ana")
    pick_role(app, 2, "Voter × 3")
    assert {p.name: (p.role, p.weight) for p in room(listed=listed(app)).people[1:]} == {
        "Bo Chen": ("judge", 1),
        "Ruiz, Ana": ("voter", 3),
    }
    assert "without one this row" not in plain(app)
    press_label(app, "Remove person 1")
    assert rows(app) == [("Ruiz, Ana", "Voter × 3")]
    name_person(app, 1, "ann@example.org")
    assert ": an e-mail address is not a name" in plain(app)
    press_label(app, "Remove person 1")
    assert (rows(app), listed(app)) == ([("", "Voter")], "")


def test_a_name_just_typed_is_kept_when_a_row_is_added(app: AppTest, host: Host):
    let_decide(opened(app), "panel")
    field = next(field for field in app.text_input if field.label == "Name of person 1")
    field.set_value("Ann")
    press_label(app, "Add a person")
    assert rows(app) == [("Ann", "Voter"), ("", "Voter")]
    assert listed(app) == "Ann"
    step(app, "question")
    step(app, "people")
    assert rows(app) == [("Ann", "Voter"), ("", "Voter")]


def test_a_long_list_has_pages_and_names_faults_of_all(app: AppTest, host: Host):
    let_decide(opened(app), "room")
    step(app, "people", "people")
    list_people(app, "\n".join(["Ann", "Ben, king", *(f"Voter {letter}" for letter in "CDEFG")]))
    assert len(rows(app)) == MAX_ROWS < 7
    press_label(app, "Add a person")
    assert rows(app) == [("Voter F", "Voter"), ("Voter G", "Voter"), ("", "Voter")]
    assert "Ben: “king” is no role, choose one." in plain(app)
    assert len(listed(app).splitlines()) == 7
    assert count_controls(app) <= 40


def listed(app: AppTest) -> str:
    lines: str = app.session_state["setup_draft"].room.listed
    return lines


def test_the_card_names_the_signer_and_the_rule(app: AppTest, host: Host):
    let_decide(opened(app), "room")
    step(app, "people", "people")
    assert "No one is named to sign yet" in shown(app).replace("\\", "")
    app.button(key="setup_add_approver").click().run()
    name_person(app, 1, "Ola")
    assert "Ola signs the decision." in shown(app).replace("\\", "")
    assert "No approver is named" not in plain(app)
    app.selectbox(key="setup_room_base").set_value("cast").run()
    (rule,) = drawings(app, "rule")
    assert (rule["title"], rule["under"]) == (
        "The room decides",
        "One option needs more than half of the ballots cast",
    )
    app.button(key="setup_open_people_more").click().run()
    assert values(app)["Counting"] == "a tie stays undecided"
    assert values(app)["Votes of people"] == "people vote before and after"


def test_a_reviser_is_asked_for_only_beside_a_synthesis_by_code(app: AppTest, host: Host):
    let_decide(opened(app), "room")
    step(app, "people", "roles")
    app.text_input(key="setup_room_synthesiser").set_value("Syd").run()
    assert app.session_state["setup_draft"].room.synthesiser == "Syd"
    app.text_input(key="setup_room_synthesiser").set_value("").run()
    office = next(field for field in app.selectbox if field.label == "Who sums up?")
    office.set_value("human").run()
    app.run()
    assert "setup_room_synthesiser" not in {field.key for field in app.text_input}


def test_settings_of_judges_are_shown_with_a_judge(app: AppTest, host: Host):
    let_decide(opened(app), "room")
    step(app, "people", "roles")
    labels = [box.label for box in app.selectbox]
    assert "The audience sees the speakers as" in labels
    assert "Judging after the end" not in labels
    step(app, "people", "people")
    list_people(app, "June, judge")
    step(app, "people", "roles")
    labels = [box.label for box in app.selectbox]
    assert "Judges and the audience see the speakers as" in labels
    assert "Judging after the end" in labels


def test_time_is_one_choice_with_own_minutes_below(app: AppTest, host: Host):
    let_decide(opened(app), "room")
    step(app, "people", "time")
    assert not [field for field in app.number_input if field.key == "setup_room_phase_minutes"]
    app.selectbox(key="setup_format").set_value(25).run()
    app.selectbox(key="setup_format").set_value(-1).run()
    assert app.number_input(key="setup_room_phase_minutes").value == 2
    app.number_input(key="setup_room_phase_minutes").set_value(7).run()
    assert app.session_state["setup_draft"].room.phase_minutes == 7
    app.selectbox(key="setup_format").set_value(0).run()
    assert app.session_state["setup_draft"].room.phase_minutes == 0
    step(app, "people", "seats")
    assert values(app)["Time"] == "no fixed time"
