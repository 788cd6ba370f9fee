"""Home: rehearsals, examples, search, going on, re-opening a file. Warm and cold."""

import re

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.door.cookies import cookie_name
from debate_core.host.host import Host
from debate_core.record.acts import PollOpened
from debate_core.record.events import dump_record
from debate_core.spec.presets import EXAMPLE_QUESTIONS, compose, default_seats, protocol
from tests.app.visiting import at, did, opened
from tests.people import FAY, JUNE, room_spec
from tests.playing import Played


def labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button]


def badges(app: AppTest) -> list[str]:
    """What the badges of a status say."""
    found = (re.fullmatch(r":orange-badge\[(?::material/\w+: )?([^\]]+)\]", m.value) for m in app.markdown)
    return [b[1] for b in found if b]


def address(app: AppTest) -> str:
    """The id in the address, which the test app gives bare or as a list."""
    given = app.query_params["id"]
    return given if isinstance(given, str) else given[0]


def open_one(host: Host, question: str = "Which store do we take?") -> str:
    rules, options = protocol("bounded_vote"), ["one", "two"]
    people = default_seats(rules, question, options, "human", 2)
    return host.create(compose(question, options, rules, people), by="ana")


def test_a_first_visitor_finds_a_way_in_without_a_key(app: AppTest):
    app.run()
    assert not app.exception
    assert app.title[0].value == "Debate room"
    assert labels(app).count("Use this question") == len(EXAMPLE_QUESTIONS)
    assert "Open the rehearsal" in labels(app)
    assert "New debate" in labels(app)


def test_one_click_after_the_pace_opens_a_rehearsal(app: AppTest, host: Host):
    app.run()
    app.segmented_control(key="pace").set_value("At once").run()
    name = host.rehearsals()[0].name
    app.button(key=f"rehearse_{name}").click().run()
    assert not app.exception
    row = host.debates()[0]
    assert row.rehearsal
    assert address(app) == row.id


def test_an_example_question_fills_the_set_up(app: AppTest):
    app.run()
    app.button(key="example_0").click().run()
    question, options = EXAMPLE_QUESTIONS[0]
    assert app.text_area(key="setup_question").value == question
    assert [app.text_input(key=f"setup_option_o{n}").value for n in range(1, 4)] == list(options)


def test_debates_that_go_on_say_who_is_waited_for(app: AppTest, host: Host):
    debate_id = open_one(host)
    app.run()
    assert [h.value for h in app.header][:1] == ["Going on"]
    assert any("waiting for" in c.value for c in app.caption)
    assert any("Waiting for people" in m.value for m in app.markdown)
    app.button(key=f"open_{debate_id}").click().run()
    assert address(app) == debate_id


def test_a_room_that_votes_before_the_start_is_listed_as_such_and_not_as_a_lobby(app: AppTest, host: Host):
    debate = opened(host)
    app.run()
    assert badges(app) == ["Lobby open"]
    did(host, debate, FAY, PollOpened(poll="pre"))
    app.run()
    assert badges(app) == ["Vote before the start"]
    assert badges(at(app, debate, FAY)) == ["Vote before the start"]


def test_search_keeps_what_has_every_word(app: AppTest, host: Host):
    ids = [open_one(host, f"Do we take store number {n}?") for n in range(4)]
    app.run()
    app.text_input(key="home_search").set_value("NUMBER 2").run()
    found = [b.key for b in app.button if b.key and b.key.startswith("open_")]
    assert found == [f"open_{ids[2]}"]
    app.text_input(key="home_search").set_value("nothing like it").run()
    assert any("No question has" in c.value for c in app.caption)


def test_text_of_a_question_is_shown_as_it_is(app: AppTest, host: Host):
    open_one(host, "Is $5/month <b>much</b> at https://example.org, :red[really]?")
    app.run()
    shown = next(m.value for m in app.markdown if "month" in m.value)
    assert "\\$5" in shown
    assert "\\<b\\>" in shown
    assert "https://" not in shown
    assert ":red[" not in shown


def test_a_record_comes_back_and_a_changed_one_is_refused(app: AppTest, host: Host):
    debate_id = open_one(host)
    record = dump_record(host.events(debate_id)).encode()
    app.run()
    app.file_uploader(key="reopen").set_value(("events.jsonl", record, "application/jsonl")).run()
    assert [s.value for s in app.success] == ["The record keeps its own rules. It is in the list of debates now."]
    changed = record.replace(b"Which store", b"Which stork")
    app.file_uploader(key="reopen").set_value(("events.jsonl", changed, "application/jsonl")).run()
    assert "line 1" in app.error[0].value


def test_a_script_that_is_none_gets_one_sentence(app: AppTest):
    app.run()
    app.file_uploader(key="reopen").set_value(("script.json", b"\xff\xfe", "application/json")).run()
    assert len(app.error) == 1
    assert not app.exception


def test_who_still_judges_a_debate_does_not_read_here_what_was_decided(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch
):
    held = Played(room_spec())
    held.to_the_end("adopt")
    debate = host.import_record(dump_record(held.events).encode())
    app.run()
    assert "adopt" in [m.value for m in app.markdown]
    cookie = host.door.cookies.of(host.door.invitations.make(debate, "judge", name="June", person=JUNE.id), JUNE.id)
    monkeypatch.setattr(ContextProxy, "cookies", {cookie_name(debate): cookie})
    app.run()
    assert not app.exception
    shown = [m.value for m in app.markdown] + [c.value for c in app.caption]
    assert "it is judged first" in shown
    assert not any("adopt" in text or "Decided" in text for text in shown)
