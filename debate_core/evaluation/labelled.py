"""Labelled files of a folder, found by a pattern, because their full names differ between sets."""

import csv
import gzip
import io
import zlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from debate_core.csv_text import separated
from debate_core.errors import InvalidSpec
from debate_core.host.uploads import utf8
from debate_core.spec.decode import Undecodable, decode_json

LabelledRow = Mapping[str, Any]


def rows(folder: Path, pattern: str, needs: Collection[str]) -> list[LabelledRow]:
    """The rows of all files that match a pattern (.jsonl, .jsonl.gz, .csv), in order; empty without any.

    `needs` are the required fields of every row. InvalidSpec names the file and line of a row without them.
    """
    found: list[LabelledRow] = []
    for path in sorted(folder.glob(pattern)):
        try:
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidSpec(f"{path} cannot be read: {error}") from None
        text = utf8(str(path), data)
        read = _csv_rows(path, text, needs) if path.suffix == ".csv" else _json_rows(path, text)
        for line, row in read:
            missing = [name for name in needs if row.get(name) is None]
            if missing:
                raise InvalidSpec(f"{path}, line {line}, has no {missing[0]!r}: every row needs {', '.join(needs)}")
            found.append(row)
    return found


def number(row: LabelledRow, name: str) -> float:
    """A field of a row as a number; InvalidSpec if it is none."""
    try:
        return float(row[name])
    except (TypeError, ValueError, OverflowError):
        raise InvalidSpec(f"{name} must be a number in every row, not {str(row[name])[:40]!r}") from None


def _csv_rows(path: Path, text: str, needs: Collection[str]) -> Iterable[tuple[int, LabelledRow]]:
    table, separator = separated(text, needs)
    reader = csv.DictReader(io.StringIO(table, newline=""), delimiter=separator)
    try:
        columns = [column.strip() for column in reader.fieldnames or ()]
        if len(set(columns)) < len(columns):
            raise InvalidSpec(f"{path} names a column twice")
        rows = [(reader.line_num, row) for row in reader]
        if longer := next((line for line, row in rows if any(row.get(None) or ())), 0):
            raise InvalidSpec(f"{path}, line {longer}, has more cells than columns")
        return rows
    except csv.Error as error:
        raise InvalidSpec(f"{path}, line {reader.line_num}, is no CSV: {error}") from None


def _json_rows(path: Path, text: str) -> Iterable[tuple[int, LabelledRow]]:
    found: list[tuple[int, LabelledRow]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = decode_json(line)
        except Undecodable:
            raise InvalidSpec(f"{path}, line {number}, is no JSON") from None
        if not isinstance(row, dict):
            raise InvalidSpec(f"{path}, line {number}, is no JSON object")
        found.append((number, row))
    return found
