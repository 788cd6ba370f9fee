"""The HTML file of a debate: no text becomes markup, the policy fits the page, and the record is inside."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.errors import InvalidSpec
from debate_core.language import spoken
from debate_core.record.events import parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import Account, account
from debate_core.report.files.document import (
    Block,
    Code,
    Document,
    Drawing,
    Heading,
    Items,
    Own,
    Paragraph,
    Quote,
    Speech,
    Strong,
    Table,
    Verbatim,
)
from debate_core.report.files.export import export_files
from debate_core.report.files.page import html_page
from tests.holding import SEATS, hold, script, turn
from tests.people import whole_workshop

ELEMENTS = frozenset(re.findall(r"\w+", "h2 p strong code ul li blockquote article div table thead tr th tbody td pre"))
"""Everything that text blocks are made of."""
HOSTILE = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \" ' & -->"


class _Tags(HTMLParser):
    """Names and attributes of all elements, and all visible text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags = list[tuple[str, dict[str, str | None]]]()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def _workshop() -> Account:
    held = whole_workshop()
    return account(held.state, held.events)


def _blocks(text: str) -> tuple[Block, ...]:
    return (
        Heading(2, text),
        Paragraph((text, Strong(text), Own(text), Code(text))),
        Items((text,)),
        Quote(text),
        Speech(text, text, text, text, (text,)),
        Table((text,), ((text,),)),
        Verbatim(text),
    )


@given(st.text(st.characters(codec="utf-8"), max_size=20).map(lambda text: f"{text}{HOSTILE}{text}"))
def test_text_becomes_no_element_in_any_block(text: str):
    found = {tag for tag, _ in _Tags(Document(_blocks(text)).html("part")).tags}
    assert found <= ELEMENTS


def test_text_is_read_as_it_was_written():
    shown = _Tags(Document((Quote(HOSTILE), Paragraph(HOSTILE))).html("part")).text
    assert shown.split("\n")[:2] == [HOSTILE, HOSTILE]


def test_contents_name_the_headings_of_the_page():
    document = Document((Heading(1, "Title"), Heading(2, "One"), Heading(3, "Deep"), Heading(2, "Two & more")))
    ids = {tags["id"] for tag, tags in _Tags(document.html("part")).tags if tag == "h2"}
    assert document.contents("part") == [("part-2", "One"), ("part-4", "Two & more")]
    assert ids == {"part-2", "part-4"}


def test_a_drawing_is_words_where_there_are_no_pictures():
    document = Document((Drawing("Votes: adopt 3", "<svg></svg>"),))
    assert (document.markdown(), document.terminal()) == ("Votes: adopt 3\n", "Votes: adopt 3\n")
    assert "<svg>" in document.html("part")


def test_the_policy_allows_the_one_style_and_nothing_else():
    page = html_page(_workshop())
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    tags = _Tags(page).tags
    assert ("meta", {"http-equiv": "Content-Security-Policy", "content": policy}) in tags
    assert [given for tag, given in tags if tag == "script"] == [{"type": "application/jsonl", "id": "record"}]
    asking = {"src", "href", "style", "srcset", "action", "onclick", "onload"}
    asked = [value for _, given in tags for name, value in given.items() if name in asking]
    assert all(value and value.startswith("#") for value in asked)


def test_decision_comes_before_charts_and_transcript():
    text = _Tags(html_page(_workshop())).text
    parts = ("Decided by the named people: adopt. Accepted by Abe.", "Votes in the deciding count", "round 1, opening")
    places = [text.casefold().index(part.casefold()) for part in parts]
    assert places == sorted(places)


def test_ids_on_the_page_are_unique_and_all_targets_exist():
    tags = _Tags(html_page(_workshop())).tags
    ids = [given["id"] for _, given in tags if "id" in given]
    assert len(ids) == len(set(ids))
    targets = [given.get(name) for _, given in tags for name in ("href", "aria-labelledby") if name in given]
    assert {part.removeprefix("#") for target in targets if target for part in target.split()} <= set(ids)


def test_hostile_turns_reach_the_reader_and_come_back_whole():
    state, events = hold(script([turn(seat, "release", repeat=True, rationale=HOSTILE) for seat in SEATS]))
    page = html_page(account(state, events))
    parsed = _Tags(page)
    assert parsed.text.count(HOSTILE) == len(account(state).turns)
    assert [tag for tag, _ in parsed.tags if tag in ("img", "script")] == ["script"]
    assert parse_record(page.encode()) == events


def test_the_page_speaks_the_language_of_its_reader():
    with spoken("de"):
        page = html_page(_workshop())
    assert '<html lang="de">' in page
    assert "Entscheidungsblatt" in page
    assert '<html lang="en">' in html_page(_workshop())


def test_a_running_debate_has_a_page_without_a_decision():
    state, events = hold(script([], seats=[{"id": seat, "occupant": "human"} for seat in SEATS]))
    page = export_files(account(state, events), "html")["debate.html"]
    assert parse_record(page) == events
    assert "Considered Options" not in page.decode()


def test_no_page_leaves_while_something_is_sealed():
    held = whole_workshop()
    opened = next(n for n, event in enumerate(held.events) if event.kind == "poll_closed")
    events = held.events[: opened + 1]
    with pytest.raises(InvalidSpec):
        export_files(account(replay(events), events), "html")
