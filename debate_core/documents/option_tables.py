"""Tables of options and criteria: a row for each option and a column for each criterion, or the other way round.

A row or column of weights belongs to the criteria. A column `text` describes an option as a whole.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from debate_core.csv_text import separated
from debate_core.errors import InvalidSpec
from debate_core.names import name_key

MAX_ROWS, MAX_COLUMNS = 1_000, 100
# Heads of a first column of options, and of a first column of criteria
_OPTION = re.compile(
    r"options?|alternatives?|solutions?|candidates?|varianten?|optionen|alternativen?|lösung(?:en)?|opci(?:ón|ones)|"
    r"opzion[ei]|opç(?:ão|ões)|opties?"
)
_CRITERION = re.compile(
    r"criteri(?:a|on|um|en|o|os)|drivers?|aspects?|features?|kriteri(?:um|en)|merkmale?|crit[èe]res?|critérios?"
)
_WEIGHT = re.compile(r"weights?|weighting|gewicht(?:e|ung)?|pesos?|poids|pesi")
_TEXT = "text"
# "30", "30 %", "12.5"; not a mark such as "high"
_NUMBER = re.compile(r"(\d{1,3})(?:[.,]\d{1,3})?[ \t]*%?")


class TableCell(NamedTuple):
    """A cell with the line that it ends in, counted from 1."""

    words: str
    line: int


_Grid = list[tuple[TableCell, ...]]


@dataclass(frozen=True, slots=True)
class OptionTable:
    """Options and criteria by name, with the text of each pair."""

    options: tuple[TableCell, ...]
    criteria: tuple[TableCell, ...]
    weights: tuple[int | None, ...]
    """The weight of each criterion, from 1 to 100; None without one."""
    texts: tuple[str, ...]
    """For each option a line a criterion: `Cost: 3,000 a month`."""


def read_option_table(text: str) -> OptionTable:
    """Read a CSV table. InvalidSpec names the line, or the first head that is expected."""
    head, *body = _options_down(_grid(text))
    columns = _criterion_columns(head)
    options = [row for row in body if row[0].words and not _is_of_weights(row)]
    if not options:
        raise InvalidSpec("the table names no option")
    no_weights = (TableCell("", 0),) * len(head)
    weights = next(filter(_is_of_weights, body), no_weights)
    texts = tuple("\n".join(_lines(head, row)) for row in options)
    names = tuple(row[0] for row in options)
    criteria = tuple(head[number] for number in columns)
    _check_names(names)
    _check_names(criteria)
    return OptionTable(
        options=names,
        criteria=criteria,
        weights=tuple(_weight(weights[number].words) for number in columns),
        texts=texts,
    )


def _check_names(cells: Sequence[TableCell]) -> None:
    """InvalidSpec if two cells have the same name."""
    line_of: dict[str, int] = {}
    for name, line in cells:
        key = name_key(name)
        if key in line_of:
            raise InvalidSpec(
                "line {line}: the name {name!r} is in line {first} already: each name may be there once",
                line=line,
                name=name[:80],
                first=line_of[key],
            )
        line_of[key] = line


def _is_of_weights(row: Sequence[TableCell]) -> bool:
    return _WEIGHT.fullmatch(row[0].words.casefold()) is not None


def _criterion_columns(head: Sequence[TableCell]) -> list[int]:
    """Numbers of the named columns after the first, without the one that describes an option as a whole."""
    cells = enumerate(head[1:], start=1)
    return [number for number, cell in cells if cell.words.casefold() not in ("", _TEXT)]


def _options_down(grid: _Grid) -> _Grid:
    """The table with a row for each option: turned if its first column holds criteria."""
    first = grid[0][0].words.casefold()
    if _CRITERION.fullmatch(first):
        return list(zip(*grid, strict=True))
    if not _OPTION.fullmatch(first):
        raise InvalidSpec("the first column of the table is {name!r}: name it option or criterion", name=first[:80])
    return grid


def _lines(head: Sequence[TableCell], row: Sequence[TableCell]) -> Iterator[str]:
    for name, cell in zip(head[1:], row[1:], strict=True):
        if cell.words:
            is_whole = not name.words or name.words.casefold() == _TEXT
            yield cell.words if is_whole else f"{name.words}: {cell.words}"


def _weight(words: str) -> int | None:
    found = _NUMBER.fullmatch(words)
    return int(found[1]) if found and 1 <= int(found[1]) <= 100 else None


def _grid(text: str) -> _Grid:
    """Every row that is not empty, all of one length."""
    table, separator = separated(text, [])
    head = table.lstrip().split("\n", 1)[0]
    if separator == "," and "," not in head:
        separator = next(filter(head.__contains__, ";\t|"), ",")
    rows = list(_rows(table, separator))
    if len(rows) < 2:
        raise InvalidSpec("the table has no row below its head")
    return [*zip(*zip_longest(*rows, fillvalue=TableCell("", 0)), strict=True)]


def _rows(table: str, separator: str) -> Iterator[list[TableCell]]:
    """Every row with words. InvalidSpec for a table that is damaged or too large."""
    reader = csv.reader(io.StringIO(table), delimiter=separator, strict=True)
    count = 0
    try:
        for row in reader:
            cells = [TableCell(" ".join(cell.split()), reader.line_num) for cell in row]
            has_words = any(cell.words for cell in cells)
            count += has_words
            if count > MAX_ROWS or len(cells) > MAX_COLUMNS:
                raise InvalidSpec("the table has more than {rows} rows or {n} columns", rows=MAX_ROWS, n=MAX_COLUMNS)
            if has_words:
                yield cells
    except csv.Error as error:
        raise InvalidSpec("line {line} is no CSV: {error}", line=reader.line_num, error=str(error)) from None
