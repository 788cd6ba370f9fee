"""A record inside an HTML page comes back byte for byte, and a page without one is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.errors import BrokenRecord
from debate_core.record.events import dump_record, parse_record
from debate_core.record.page import is_record_file, record_element, record_in
from tests.holding import SEATS, hold, script, turn

HOSTILE = ("</script>", "<!--", "<script>", "-->", "]]>", "\\u003c", "\\\\u003c", "\\", "&lt;", "<", "\r\n", "\u2028")
texts = st.lists(st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), max_size=5), max_size=8).map("".join)


def _page(record: str) -> bytes:
    return f"<!doctype html>\n<title>A</title>\n{record_element(record)}\n</body>".encode()


@given(texts)
def test_any_text_survives_the_page_byte_for_byte(text: str):
    lines = f"{json.dumps({'text': text}, ensure_ascii=False)}\n"
    page = _page(lines)
    assert record_in(page) == lines.encode()
    assert page.count(b"</script") == 1
    assert b"<!--" not in page


@given(texts)
def test_lines_within_the_page_are_json(text: str):
    element = record_element(f"{json.dumps({'text': text}, ensure_ascii=False)}\n")
    assert json.loads(element.split("\n", 1)[1].removesuffix("</script>")) == {"text": text}


def test_a_record_with_hostile_turns_keeps_its_head():
    turns = [turn(seat, "release", repeat=True, rationale="".join(HOSTILE).strip()) for seat in SEATS]
    events = hold(script(turns))[1]
    assert "</script>" in dump_record(events)
    page = _page(dump_record(events))
    assert parse_record(page) == events
    assert parse_record(b"\xef\xbb\xbf\n" + page)[-1].hash == events[-1].hash


def test_a_changed_page_is_refused_as_a_changed_record():
    record = dump_record(hold(script([turn(seat, "release", repeat=True) for seat in SEATS]))[1])
    changed = record.replace("planner rationale", "planner Rationale", 1)
    assert changed != record
    with pytest.raises(BrokenRecord) as of_record:
        parse_record(changed.encode())
    with pytest.raises(BrokenRecord) as of_page:
        parse_record(_page(changed))
    assert str(of_page.value) == str(of_record.value)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (b"<html><p>Minutes</p></html>", "there is no record in this page: export the debate with --format html"),
        (_page("{}\n").partition(b"</script>")[0], "the page is cut short within its record"),
        (_page("{}\n") * 2, "there are 2 records in this page: a page has one"),
    ],
)
def test_a_page_without_one_whole_record_is_refused(page: bytes, words: str):
    with pytest.raises(BrokenRecord, match=words):
        parse_record(page)


def test_record_files_are_known_by_their_extension():
    assert [is_record_file(name) for name in ("a.jsonl", "A.HTML", "a.json", "html")] == [True, True, False, False]
