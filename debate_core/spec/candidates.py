"""Many options from a file: one a line, or CSV with a column `option` and, where there is one, a column `text`.

What stands under `text` becomes a document with the title of its option: whoever compares two options reads the
documents of these two.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.protocol import MOST_COMPARED
from debate_core.spec.values import Source

OPTION, TEXT = "option", "text"
MOST_CHARS = 2_000
"""Of an option, as everywhere."""


def read_candidates(text: str, *, where: str) -> tuple[tuple[str, ...], tuple[Source, ...]]:
    """The options, and a document for each that has a text. InvalidSpec names the line that cannot be taken."""
    found = [*_rows(text.removeprefix("\ufeff"), where)]
    options = tuple(option for _, option, _ in found)
    again = next((name for name, n in Counter(map(as_read, options)).items() if n > 1), None)
    if again is not None:
        first, second = [line for line, option, _ in found if as_read(option) == again][:2]
        raise InvalidSpec(
            "{where} names {option!r} in lines {first} and {second}: once is enough",
            where=where,
            option=options[_at(found, first)],
            first=first,
            second=second,
        )
    if not 2 <= len(options) <= MOST_COMPARED:
        none, some = Sentence("no candidates"), Sentence.counted(len(options), "{n} candidate", "{n} candidates")
        many = some if options else none
        raise InvalidSpec(
            "{where} has {many}: a tournament needs 2 to {most_compared}",
            where=where,
            many=many,
            most_compared=MOST_COMPARED,
        )
    with_text = [(option, body) for _, option, body in found if body]
    sources = (Source(id=f"C{n}", title=option, text=body) for n, (option, body) in enumerate(with_text, start=1))
    return options, tuple(sources)


def as_read(option: str) -> str:
    """Two options that read the same are one: blanks and capitals tell nobody apart."""
    return " ".join(option.casefold().split())


def _separator(text: str) -> str:
    """What stands between the columns: a comma, or what a spreadsheet wrote instead of it."""
    head = text.lstrip().split("\n", 1)[0].casefold()
    columns = {mark: [name.strip(' "\r') for name in head.split(mark)] for mark in ";\t"}
    return next((mark for mark, names in columns.items() if OPTION in names and len(names) > 1), ",")


def _at(found: list[tuple[int, str, str]], line: int) -> int:
    return next(place for place, row in enumerate(found) if row[0] == line)


def _rows(text: str, where: str) -> Iterator[tuple[int, str, str]]:
    """(line, option, text) of every line that is not empty."""
    reader = csv.reader(io.StringIO(text), delimiter=_separator(text), strict=True)
    columns: list[str] = []
    try:
        for cells in reader:
            row = [cell.strip() for cell in cells]
            if not any(row):
                continue
            if not columns:
                columns = [name.casefold() for name in row]
                if OPTION in columns:
                    continue
                if len(row) > 1:
                    raise InvalidSpec(
                        "{where} has the columns {row}: one of them must be {option!r}",
                        where=where,
                        row=", ".join(row)[:80],
                        option=OPTION,
                    )
                columns = [OPTION]
            yield _row(dict(zip(columns, row, strict=False)), reader.line_num, where)
    except csv.Error as error:
        raise InvalidSpec(
            "{where}, line {line_num}, is no CSV: {error}", where=where, line_num=reader.line_num, error=str(error)
        ) from None


def _row(cells: dict[str, str], line: int, where: str) -> tuple[int, str, str]:
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
    return line, option, cells.get(TEXT, "")
