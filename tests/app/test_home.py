"""The debates page: waiting, live and closed debates; the welcome; examples and files."""

import json
from datetime import date, timedelta
from typing import Any

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.access.cookies import cookie_name
from debate_core.host.host import Host
from debate_core.language import spoken
from debate_core.record.acts import BallotCast, PollOpened
from debate_core.record.commands import Act, TakeTurn
from debate_core.record.events import dump_record
from debate_core.spec.contents import Argument
from debate_core.spec.presets import EXAMPLE_QUESTIONS, compose, default_seats, protocol
from debate_core.spec.values import ABSTAIN
from debate_core.ui.kit.dates import day_words
from debate_core.ui.pages import home
from debate_core.ui.pages.debate_rows import JUDGE_FIRST
from debate_core.ui.pages.home import PAGE_ROWS
from tests.app.visiting import at, begun, did, drawings, gives, lists, new_browser, opened, parts_of, press, press_row
from tests.people import ABE, FAY, GUS, JUNE, OLA, room_spec
from tests.playing import AT, Played


def labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button]


def row_of(app: AppTest, debate: str) -> tuple[str, dict[str, Any]]:
    """The list in which this debate stands, and its row."""
    return next((label, row) for label, rows in lists(app).items() for row in rows if row["name"] == debate)


def address(app: AppTest) -> str:
    """The id in the address, which the test app gives bare or as a list."""
    given = app.query_params["id"]
    return given if isinstance(given, str) else given[0]


def open_one(host: Host, question: str = "Which store do we take?") -> str:
    rules, options = protocol("bounded_vote"), ["one", "two"]
    people = default_seats(rules, question, options, "human", 2)
    return host.create(compose(question, options, rules, people), by="ana")


def test_a_first_visitor_finds_a_way_in_without_a_key(app: AppTest, host: Host):
    app.run()
    assert not app.exception
    assert app.title[0].value == "Debates"
    assert [row["question"] for row in lists(app)["Questions to start from"]] == [q for q, _ in EXAMPLE_QUESTIONS]
    assert len(lists(app)["Examples to watch"]) == len(host.rehearsals())
    assert "New workshop: 25 min with people" in labels(app)
    assert len(app.caption) == 0
    press(app, "watch")
    assert host.debates()[0].rehearsal
    assert address(app) == host.debates()[0].id


def test_one_click_after_the_pace_opens_a_rehearsal(app: AppTest, host: Host):
    app.run()
    app.segmented_control(key="pace").set_value("At once").run()
    press_row(app, host.rehearsals()[0].name)
    row = host.debates()[0]
    assert row.rehearsal
    assert address(app) == row.id


def test_an_example_question_fills_the_set_up(app: AppTest):
    app.run()
    press_row(app, "example_0")
    question, options = EXAMPLE_QUESTIONS[0]
    assert app.text_area(key="setup_question").value == question
    assert [app.text_input(key=f"setup_option_o{n}").value for n in range(1, 4)] == list(options)
    # Without a model no one else could answer it.
    assert "You decide" in [rule["title"] for rule in parts_of(app, "rule")]


def test_a_seat_of_a_person_waits_for_whoever_sits_here(app: AppTest, host: Host):
    debate_id = open_one(host)
    app.run()
    label, row = row_of(app, debate_id)
    assert (label, row["button"], row["primary"]) == ("Waiting for you", "Speak", True)
    assert "waiting for" in row["stands"]
    press_row(app, debate_id)
    assert address(app) == debate_id


def test_a_room_is_listed_by_stage_and_by_who_can_continue_it(app: AppTest, host: Host):
    debate = opened(host)
    app.run()
    assert [(label, row["stands"], row["button"]) for label, row in [row_of(app, debate)]] == [
        ("Under way", "Lobby · waiting for Fay", "Follow")
    ]
    did(host, debate, FAY, PollOpened(poll="pre"))
    for who, word in ((FAY, "Lead"), (GUS, "Vote"), (OLA, "Follow")):
        fresh = at(new_browser(), debate, who, "home.py")
        label, row = row_of(fresh, debate)
        # The filled button is the person's own next act.
        is_next = word != "Follow"
        assert (label, row["primary"]) == ("Waiting for you" if is_next else "Under way", is_next)
        assert (row["stands"], row["button"]) == ("Pre-vote · 3 ballots missing", word)
    host.submit(debate, Act(by=GUS.id, act=BallotCast(poll="pre", choice="adopt")))
    row = row_of(at(new_browser(), debate, GUS, "home.py"), debate)[1]
    assert (row["stands"], row["button"], row["primary"]) == ("Pre-vote · 2 ballots missing", "Continue", True)
    assert [part["words"] for part in drawings(at(app, debate, FAY), "status")] == ["Pre-vote"]


def test_a_closed_row_has_the_decision_and_reads_no_record(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    """Beyond the few unsigned debates that name their signer, each row comes from the kept rows alone."""
    monkeypatch.setattr(home, "FEW_ROWS", 0)
    held = Played(room_spec((FAY, ABE)))
    held.to_the_end("defer")
    host._store.append("d-room", held.events, after=0)
    app.run()
    label, row = row_of(app, "d-room")
    assert label == "Waiting for a signature"
    assert (row["stands"], row["letter"], row["beside"]) == ("defer", "B", "Decided, not signed")
    assert (row["decided"], row["override"], row["button"]) == (True, "", "")
    assert "d-room" not in host._caches.ids()
    press_row(app, "d-room")
    assert address(app) == "d-room"


def decided_alone(host: Host) -> str:
    """A debate of seats without people that has decided and is not signed."""
    alone = open_one(host)
    for seat in host.state(alone).spec.debaters():
        vote = Argument(rationale="so", vote="one", claims=())
        host.submit(alone, TakeTurn(by=seat.id, request=f"1.proposal.{seat.id}.1", content=vote))
    return alone


@pytest.mark.parametrize(("few", "first"), [(4, "Waiting for a signature"), (0, "Under way")])
def test_a_decision_to_sign_comes_before_what_goes_on(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, few: int, first: str
):
    monkeypatch.setattr(home, "FEW_ROWS", few)
    held = Played(room_spec((FAY, ABE)))
    held.go_on()
    host._store.append("d-room", held.events, after=0)
    decided_alone(host)
    app.run()
    assert next(label for label in lists(app) if label in ("Waiting for a signature", "Under way")) == first


def test_all_that_is_decided_and_not_signed_is_in_one_list(app: AppTest, host: Host):
    held = Played(room_spec((FAY, ABE)))
    held.to_the_end("defer")
    host._store.append("d-room", held.events, after=0)
    alone = decided_alone(host)
    app.run()
    found = {debate: row_of(app, debate) for debate in ("d-room", alone)}
    assert {label for label, _row in found.values()} == {"Waiting for a signature"}
    assert {row["beside"] for _label, row in found.values()} == {
        "Decided, not signed",
        "Decided, not signed · Abe signs",
    }
    assert {debate: row["button"] for debate, (_label, row) in found.items()} == {"d-room": "Read", alone: "Sign"}


def test_debates_on_one_question_say_when_each_was_opened(app: AppTest, host: Host):
    first, other = open_one(host), open_one(host, "Another?")
    app.run()
    assert "opened" not in row_of(app, first)[1]["beside"]
    second = open_one(host)
    app.run()
    for debate in (first, second):
        row = row_of(app, debate)[1]
        assert row["beside"].endswith(f"{host.events(debate)[0].at[11:16]} UTC")
    assert "opened" not in row_of(app, other)[1]["beside"]


def test_the_list_hides_the_count_from_a_judge_during_the_debate(app: AppTest, host: Host):
    debate = begun(host)
    gives(host, debate)
    seen = {who.id: row_of(at(new_browser(), debate, who, "home.py"), debate)[1]["votes"] for who in (FAY, JUNE)}
    assert seen[FAY.id] is not None
    assert seen[JUNE.id] is None


def test_a_closed_row_has_the_day_on_which_it_closed(app: AppTest, host: Host):
    held = Played(room_spec(pre_vote="none", final_vote="none"))
    held.go_on()
    held.play()
    held.after(seconds=3 * 86_400).to_the_end()
    debate = host.import_record(dump_record(held.events).encode())
    assert (held.events[0].at[:10], held.state.outcome is not None) == ("2026-03-04", True)
    assert row_of(at(app, debate, page="home.py"), debate)[1]["date"].startswith("7 Mar")
    with spoken("de"):
        assert day_words(date(2026, 3, 7)) == "7. März 2026"


def test_search_and_filter_appear_with_many_debates(app: AppTest, host: Host):
    ids = [open_one(host, f"Do we take store number {n}?") for n in range(PAGE_ROWS)]
    app.run()
    assert "home_search" not in [field.key for field in app.text_input]
    ids.append(open_one(host, "Do we take store number 9?"))
    app.run()
    app.text_input(key="home_search").set_value("NUMBER 2").run()
    assert [row["name"] for row in lists(app)["Waiting for you"]] == [ids[2]]
    app.text_input(key="home_search").set_value("nothing like it").run()
    assert any("No debate matches" in c.value for c in app.caption)


def test_a_page_past_the_end_of_the_list_becomes_the_first(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(home, "CLOSED_ROWS", 2)
    monkeypatch.setattr(home, "PAGE_ROWS", 2)
    for number in range(5):
        spec, opened_at = room_spec(pre_vote="none", final_vote="none"), AT + timedelta(hours=number)
        held = Played(spec, f"d-{number}", at=opened_at)
        held.to_the_end("adopt" if number < 2 else ABSTAIN)
        host.import_record(dump_record(held.events).encode())
    app.run()
    app.session_state["unsigned_page"] = 3
    app.run()
    assert [row["name"] for row in lists(app)["Waiting for a signature"]] == ["d-0"]
    app.pills(key="unsigned_kind").set_value("Undecided").run()
    assert app.session_state["unsigned_page"] == 1
    assert [row["name"] for row in lists(app)["Waiting for a signature"]] == ["d-4", "d-3"]


def test_a_record_comes_back_and_a_changed_one_is_refused(app: AppTest, host: Host):
    held = Played(room_spec(pre_vote="none", final_vote="none"))
    held.go_on()
    record = dump_record(held.events).encode()
    app.run()
    app.file_uploader(key="reopen").set_value(("events.jsonl", record, "application/jsonl")).run()
    assert [s.value for s in app.success] == ["The record is consistent. It is in the list of debates now."]
    assert row_of(app, held.state.debate)[1]["question"] == "Which?"
    changed = record.replace(b"Which?", b"Whose?")
    app.file_uploader(key="reopen").set_value(("events.jsonl", changed, "application/jsonl")).run()
    assert "line 1" in app.error[0].value


def test_an_unreadable_script_is_named_and_the_page_survives(app: AppTest, host: Host):
    host._store.put_note("setup", "old.json", '{"seats": 3}')
    app.run()
    assert not app.exception
    assert app.error[0].value.startswith("old\\.json")
    assert "New workshop: 25 min with people" in labels(app)


def test_a_start_without_a_question_names_what_is_missing(app: AppTest):
    app.run()
    press(app, "set-it-up")
    assert [e.value for e in app.error] == ["Type first what you have to decide."]


def test_a_script_that_is_none_gets_one_sentence(app: AppTest):
    app.run()
    app.file_uploader(key="reopen").set_value(("script.json", b"\xff\xfe", "application/json")).run()
    assert len(app.error) == 1
    assert not app.exception


def test_an_open_judgement_hides_the_decision_on_the_home_page(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch
):
    held = Played(room_spec())
    held.to_the_end("adopt")
    debate = host.import_record(dump_record(held.events).encode())
    app.run()
    assert row_of(app, debate)[1]["stands"] == "adopt"
    cookie = host.door.cookies.of(host.door.invitations.make(debate, "judge", name="June", person=JUNE.id), JUNE.id)
    monkeypatch.setattr(ContextProxy, "cookies", {cookie_name(debate): cookie})
    app.run()
    assert not app.exception
    row = row_of(app, debate)[1]
    assert row["stands"] == JUDGE_FIRST
    assert (row["letter"], row["votes"], row["count"], row["beside"]) == ("", None, "", "")
    assert "adopt" not in json.dumps(row)
