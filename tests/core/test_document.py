"""The forms of a document, and the HTML file of a debate: no text of people becomes markup in any of them."""

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
    items,
    unlike,
)
from debate_core.report.files.export import export_files
from debate_core.report.files.page import html_page
from tests.holding import SEATS, hold, script, turn
from tests.people import whole_workshop

EVERY_BLOCK: tuple[Block, ...] = (
    Heading(1, "Which queue?"),
    Paragraph(Strong("Decided: adopt.")),
    Paragraph(("Head ", Code("ab12"), ".")),
    Items(("one", "two"), label="Flag"),
    Heading(2, "Votes of the room"),
    Items(("adopt 2",)),
    Verbatim("verify events.jsonl"),
    Speech("round 1, opening", "risk", ", votes adopt", "It held.\n\nTwice.", ("briefing: load",)),
    Heading(2, "Costs"),
    Table(("seat", "USD"), (("risk", "0.03"),)),
    Heading(2, "Signature", number=3),
    Quote("Ann accepted."),
)


def test_terminal_output_has_blank_lines_before_new_parts():
    assert Document(EVERY_BLOCK).terminal() == (
        "Which queue?\n\nDecided: adopt.\nHead ab12.\nFlag: one\nFlag: two\n\nVotes of the room:\n  adopt 2\n\n"
        "verify events.jsonl\n\n[round 1, opening] risk, votes adopt\n  It held.\n  \n  Twice.\n  - briefing: load\n\n"
        "Costs:\nseat  USD\nrisk  0.03\n\nSignature:\n  Ann accepted.\n"
    )


def test_markdown_has_a_blank_line_between_blocks():
    assert Document(EVERY_BLOCK, {"status": "accepted", "informed": ()}, marker="*").markdown() == (
        '---\nstatus: "accepted"\n---\n\n# Which queue?\n\n**Decided: adopt.**\n\nHead `ab12`.\n\n* one\n* two\n\n'
        "## Votes of the room\n\n* adopt 2\n\n    verify events.jsonl\n\n**risk**, votes adopt\n\n"
        "> It held.\n>\n> Twice.\n\n* briefing: load\n\n## Costs\n\n| seat | USD |\n|---|---|\n| risk | 0\\.03 |\n\n"
        "## 3. Signature\n\n> Ann accepted.\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# no heading", "\\# no heading"),
        ("[a](b) <b>", "\\[a\\](b) \\<b\\>"),
        ("{{ page.title }}", "\\{\\{ page.title \\}\\}"),
        (": no definition", "\\: no definition"),
        ("two\nlines", "two lines"),
        ("decided by 2.critique.risk", "decided by 2.critique.risk"),
    ],
)
def test_text_becomes_no_markup(text: str, shown: str):
    assert Document((Paragraph(text),)).markdown() == f"{shown}\n"
    assert Document((Items((text,)),)).markdown() == f"- {shown}\n"
    assert Document((Table(("a",), ((text,),)),)).markdown() == f"| a |\n|---|\n| {shown} |\n"


def test_an_id_that_is_none_breaks_out_of_nothing():
    assert Document((Paragraph(Code("a`b\nc")),)).markdown() == "`a?b?c`\n"


def test_own_words_are_written_as_they_are():
    assert Document((Heading(3, Own("Round 1, first_word")),)).markdown() == "### Round 1, first_word\n"


def test_terminal_commands_are_removed_from_both_forms():
    document = Document((Paragraph("a\x1b[31mb"), Quote("c\x07d")))
    assert document.terminal() == "a[31mb\n  cd\n"
    assert document.markdown() == "a\\[31mb\n\n> cd\n"


def test_a_list_without_items_is_no_block():
    assert items([]) == []


def test_a_heading_reads_like_no_heading_before_it():
    assert unlike("Record?", ["Decision", "record"]) == "Record (2)"
    assert unlike("...", []) == "unnamed"


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
