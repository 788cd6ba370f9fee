"""Options from a file: one per line, or CSV with a column `option` and optionally `text`.

A `text` becomes a document titled by its option; seats that compare two options read the documents of both.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from debate_core.csv_text import separated
from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.protocol import MOST_COMPARED
from debate_core.spec.values import Source
from debate_core.text import folded

OPTION = "option"
TEXT = "text"
MOST_CHARS = 2_000
"""Maximum length of an option."""


class _CandidateLine(NamedTuple):
    """A candidate with its line number in the file."""

    line: int
    option: str
    text: str


def read_candidates(text: str, *, where: str) -> tuple[tuple[str, ...], tuple[Source, ...]]:
    """The options, and a document for each that has a text. InvalidSpec names the invalid line."""
    rows = [*_rows(text.removeprefix("\ufeff"), where)]
    _refuse_repeats(rows, where)
    options = tuple(row.option for row in rows)
    if not 2 <= len(options) <= MOST_COMPARED:
        many = Sentence("no candidates")
        if options:
            many = Sentence.counted(len(options), "{n} candidate", "{n} candidates")
        raise InvalidSpec(
            "{where} has {many}: a tournament needs 2 to {most_compared}",
            where=where,
            many=many,
            most_compared=MOST_COMPARED,
        )
    with_text = [row for row in rows if row.text]
    sources = [Source(id=f"C{n}", title=row.option, text=row.text) for n, row in enumerate(with_text, start=1)]
    return options, tuple(sources)


def _refuse_repeats(rows: Sequence[_CandidateLine], where: str) -> None:
    """Raise InvalidSpec for the first repeated option."""
    rows_of: dict[str, list[_CandidateLine]] = {}
    for row in rows:
        rows_of.setdefault(folded(row.option), []).append(row)
    for first, *again in rows_of.values():
        if again:
            raise InvalidSpec(
                "{where} names {option!r} in lines {first} and {second}: once is enough",
                where=where,
                option=first.option,
                first=first.line,
                second=again[0].line,
            )


def _rows(text: str, where: str) -> Iterator[_CandidateLine]:
    """Every non-empty line except the header."""
    table, separator = separated(text, [OPTION])
    reader = csv.reader(io.StringIO(table), delimiter=separator, strict=True)
    columns: list[str] = []
    try:
        for line in reader:
            cells = [cell.strip() for cell in line]
            if not any(cells):
                continue
            if not columns:
                columns = _columns(cells, where)
                if columns == [cell.casefold() for cell in cells]:
                    continue
            if any(beyond := cells[len(columns) :]):
                raise InvalidSpec(
                    "{where}, line {line}, has more columns than the first line, from {beyond!r} on: put quotes around "
                    "a text that has the sign between columns in it",
                    where=where,
                    line=reader.line_num,
                    beyond=next(filter(None, beyond))[:80],
                )
            yield _row(dict(zip(columns, cells, strict=False)), reader.line_num, where)
    except csv.Error as error:
        raise InvalidSpec(
            "{where}, line {line_num}, is no CSV: {error}", where=where, line_num=reader.line_num, error=str(error)
        ) from None


def _columns(first_line: Sequence[str], where: str) -> list[str]:
    """The column names; a file of options alone has no header."""
    columns = [name.casefold() for name in first_line]
    if OPTION in columns:
        return columns
    if len(columns) == 1:
        return [OPTION]
    raise InvalidSpec(
        "{where} has the columns {row}: one of them must be {option!r}",
        where=where,
        row=", ".join(first_line)[:80],
        option=OPTION,
    )


def _row(cells: dict[str, str], line: int, where: str) -> _CandidateLine:
    option = cells.get(OPTION, "")
    if not option:
        raise InvalidSpec("{where}, line {line}, names no option", where=where, line=line)
    if len(option) > MOST_CHARS:
        raise InvalidSpec(
            "{where}, line {line}: an option has at most {most_chars} characters, not {n_option}",
            where=where,
            line=line,
            most_chars=MOST_CHARS,
            n_option=len(option),
        )
    return _CandidateLine(line, option, cells.get(TEXT, ""))
