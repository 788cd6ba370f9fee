"""The two forms of a document, and that no text of people becomes markup in either."""

import pytest

from debate_core.report.files.document import (
    Block,
    Code,
    Document,
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
