"""A document as screens open it: its blocks from top to bottom, and the stretch around a quote."""

import pytest

from debate_core.report.facts.source_text import SourceBlock, blocks_of, blocks_within, stretch_around


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("\n  \n", []),
        ("One line", ["One line"]),
        ("One line\nand its end\n\nAnother", ["One line\nand its end", "Another"]),
        ("# Title\nText", ["h:Title", "Text"]),
        ("## Title ##\n\nText", ["h:Title", "Text"]),
        ("Title\n=====\nText", ["h:Title", "Text"]),
        ("Title\n=====\r\n\r\nText.", ["h:Title", "Text."]),
        ("---\n\n", []),
        ("Title\n-----\n\nText", ["h:Title", "Text"]),
        ("Two\nlines\n-----\nText", ["Two\nlines", "Text"]),
        # Headings are those that a quote is said to stand under: none in front matter, code and comments.
        ("---\nstatus: open\n---\nText", ["status: open", "Text"]),
        ("```\n# no title\n```", ["```\n# no title\n```"]),
        ("<!-- # no\n# title -->\n## Title", ["<!-- # no\n# title -->", "h:Title"]),
        ("**Pros**\n- one\n\n> ## Quoted ##", ["h:Pros", "- one", "h:Quoted"]),
        ("== Title ==\n| a | b |\n|---|---|\n| c | d |", ["h:Title", "| a | b |", "|---|---|", "| c | d |"]),
        ("-----\nText", ["Text"]),
        ("Text\n\n-----\nMore", ["Text", "More"]),
        ("- one\n- two\n  of it\n* three", ["- one", "- two\n  of it", "* three"]),
        ("Text\n# Title\nMore\nand more", ["Text", "h:Title", "More\nand more"]),
    ],
)
def test_blocks_stand_in_the_text_from_top_to_bottom(text: str, blocks: list[str]):
    found = blocks_of(text)
    assert [f"{'h:' if b.is_heading else ''}{text[b.start : b.end]}" for b in found] == blocks
    places = [place for block in found for place in (block.start, block.end)]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("length", "place", "stretch"),
    [
        (20_000, 19_999, (0, 20_000)),
        (20_001, 0, (0, 18_000)),
        (180_000, 5_999, (0, 18_000)),
        (180_000, 6_000, (0, 18_000)),
        (180_000, 11_999, (0, 18_000)),
        (180_000, 12_000, (6_000, 24_000)),
        (180_005, 180_004, (174_000, 180_005)),
        (180_005, 179_999, (168_000, 180_005)),
    ],
)
def test_a_long_document_opens_around_the_quoted_step(length: int, place: int, stretch):
    text = "x" * length
    start, end = stretch_around(text, place)
    assert start <= place < end <= length
    assert (start, end) == stretch


def test_blocks_at_the_ends_of_a_stretch_are_cut():
    blocks = (SourceBlock(0, 4, is_heading=True), SourceBlock(5, 10), SourceBlock(11, 20), SourceBlock(21, 30))
    assert blocks_within(blocks, (4, 21)) == blocks[1:3]
    assert blocks_within(blocks, (3, 22)) == (SourceBlock(3, 4, is_heading=True), *blocks[1:3], SourceBlock(21, 22))
    assert blocks_within(blocks, (6, 8)) == (SourceBlock(6, 8),)
