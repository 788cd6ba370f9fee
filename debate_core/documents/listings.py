"""Listings of a section: the rows of a table, the items of a list, headings, or paragraphs that begin with a name."""

import re
from collections.abc import Sequence
from itertools import takewhile

from debate_core.documents.blocks import TextBlock
from debate_core.documents.inline import InlineText
from debate_core.documents.option_names import is_labelled
from debate_core.documents.section_names import is_named, kinds_of

# Heads of columns that number the rows: "#", "No.", "ID"
_NUMBERS = re.compile(r"#|№|no\.?|nr\.?|n°|id|num(?:ber)?|pos\.?", re.IGNORECASE)
# Cells that only number their row: "1", "2.", "A", "O1"
_NUMBER_CELL = re.compile(r"[A-Z]{0,2}\d{0,3}[.)]?")
# Heads of a first column of criteria: the other columns are the options
_COMPARES = re.compile(
    r"criteri(?:a|on)|aspects?|features?|kriteri(?:um|en)|merkmale?|criterios?|crit[èe]res?|critérios?"
)


def listed(blocks: Sequence[TextBlock], *, of_options: bool) -> list[InlineText]:
    """The first table or list of a section before any heading."""
    before = list(takewhile(lambda block: block.kind != "heading", blocks))
    first = next((block.kind for block in before if block.kind in ("item", "row")), "")
    return _column(before, of_options=of_options) if first == "row" else _items(before)


def option_headings(blocks: Sequence[TextBlock]) -> list[InlineText]:
    """The headings of the highest level, or those that are labelled as options on any level."""
    headings = [block for block in blocks if block.kind == "heading" and not kinds_of(block.words)]
    labelled = [block for block in headings if is_labelled(block.words)]
    if len(labelled) > 1:
        return [block.inline for block in labelled]
    level = min((heading.level for heading in headings), default=0)
    return [heading.inline for heading in headings if heading.level == level]


def named_paragraphs(blocks: Sequence[TextBlock]) -> list[InlineText]:
    """Paragraphs that begin with a name in bold letters, or with the label of an option."""
    paragraphs = [block.inline for block in blocks if block.kind == "paragraph" and block.level == 0]
    return [words for words in paragraphs if (words.lead and words.rest) or is_labelled(words.words)]


def _items(blocks: Sequence[TextBlock]) -> list[InlineText]:
    """The items of the first list; items within items explain them.

    A list continues behind a paragraph if its numbers do, or if none of its items has another one beside it.
    """
    outer = min((block.level for block in blocks if block.kind == "item"), default=0)
    chunks: list[list[TextBlock]] = []
    is_apart = True
    for block in blocks:
        if block.kind != "item":
            is_apart = is_apart or block.level < outer
        elif block.level == outer:
            if is_apart and chunks and not _continues(chunks, block):
                break
            if is_apart:
                chunks.append([])
            chunks[-1].append(block)
            is_apart = False
    return [item.inline for chunk in chunks for item in chunk]


def _continues(chunks: Sequence[Sequence[TextBlock]], item: TextBlock) -> bool:
    last = chunks[-1][-1].number
    counts_on = last is not None and item.number == last + 1
    return counts_on or all(len(chunk) == 1 for chunk in chunks)


def _column(blocks: Sequence[TextBlock], *, of_options: bool) -> list[InlineText]:
    """The names of the first table: its first column that does more than number the rows."""
    table = _first_table(blocks)
    head, body = table[0], table[1:]
    names = [cell.words for cell in map(head.cell, range(len(head.cells)))]
    if of_options and _COMPARES.fullmatch(names[0].casefold()) and not any(is_named(n, "aspect") for n in names[1:]):
        return [head.cell(column) for column in range(1, len(names))]
    for column, name in enumerate(names):
        cells = [row.cell(column) for row in body]
        is_number = _NUMBERS.fullmatch(name) or all(_NUMBER_CELL.fullmatch(cell.words) for cell in cells)
        if not is_number or column == len(names) - 1:
            return cells
    return []


def _first_table(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    rows: list[TextBlock] = []
    for block in blocks:
        if rows and (block.kind != "row" or block.is_head):
            break
        if block.kind == "row":
            rows.append(block)
    return rows
