"""A document as a reader opens it: paragraphs under headings, or a stretch of a long document around a place.

Headings are those of `debate_core/documents/document.py`; tables and code, which that module omits, are included.
Other characters stay unchanged.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from debate_core.documents.document import heading_places
from debate_core.engine.quotes import Slice

WHOLE_CHARS = 20_000
"""Maximum length of a document that is opened whole."""
STEP_CHARS = 6_000
"""A longer document is opened in a stretch of three steps; adjacent quotes share theirs."""
_RULED = re.compile(r"(?:=+|-+)$")  # "-----", also under a heading
_STARTS_BLOCK = re.compile(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|[|>])")


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """A paragraph, an item of a list, a row of a table or a heading: a slice of the document."""

    start: int
    end: int
    is_heading: bool = False


def blocks_of(text: str) -> tuple[SourceBlock, ...]:
    """The blocks of the document from top to bottom, without blank lines, rules and heading markup."""
    headings = heading_places(text)
    blocks: list[SourceBlock] = []
    at, in_block = 0, False
    for raw in text.splitlines(keepends=True):
        line = raw.rstrip()
        start, end = at, at + len(line)
        at += len(raw)
        next_heading = bisect_left(headings, (start, start))
        if next_heading < len(headings) and headings[next_heading][0] < at:
            blocks.append(SourceBlock(*headings[next_heading], is_heading=True))
            in_block = False
        elif not line or _RULED.match(line):
            in_block = False
        elif in_block and not _STARTS_BLOCK.match(line):
            blocks[-1] = SourceBlock(blocks[-1].start, end)
        else:
            blocks.append(SourceBlock(start, end))
            in_block = True
    return tuple(blocks)


def stretch_around(text: str, place: int) -> Slice:
    """The slice of the document that is opened for a quote at this place."""
    if len(text) <= WHOLE_CHARS:
        return 0, len(text)
    start = max(0, place // STEP_CHARS - 1) * STEP_CHARS
    return start, min(len(text), start + 3 * STEP_CHARS)


def blocks_within(blocks: Sequence[SourceBlock], stretch: Slice) -> tuple[SourceBlock, ...]:
    """The blocks of a stretch; those at its ends may be cut."""
    low, high = stretch
    return tuple(
        SourceBlock(max(block.start, low), min(block.end, high), block.is_heading)
        for block in blocks
        if block.start < high and block.end > low
    )
