"""One number of a table or of a JSON file, found by names and not by position."""

import csv
import json
from decimal import Decimal, InvalidOperation

from debate_core.csv_text import separated
from debate_core.errors import InvalidSpec


def read_number(path: str, text: str, at: str, row: str) -> Decimal:
    """The number at a path of a JSON file, or in a column of a CSV file. InvalidSpec if there is none."""
    found = _in_json(path, text, at) if path.lower().endswith(".json") else _in_csv(path, text, at, row)
    try:
        if isinstance(found, bool):
            raise InvalidOperation
        number = Decimal(str(found).strip().replace("_", ""))
    except InvalidOperation:
        raise InvalidSpec("{path}: {at} is {found!r}, no number", path=path, at=at, found=str(found)[:40]) from None
    if not number.is_finite():
        raise InvalidSpec("{path}: {at} is {found!r}, no number", path=path, at=at, found=str(found)[:40])
    return number


def _in_json(path: str, text: str, at: str) -> object:
    try:
        found = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError):
        raise InvalidSpec("{path} is no JSON", path=path) from None
    for key in at.split("."):
        if isinstance(found, dict) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            raise InvalidSpec("{path} has no {at}", path=path, at=at)
    return found


def _in_csv(path: str, text: str, at: str, row: str) -> str:
    text, separator = separated(text, [at])
    rows = _rows(path, text, separator)
    head, body = (rows or [[]])[0], rows[1:]
    names = [cell.strip().casefold() for cell in head]
    if at.casefold() not in names:
        raise InvalidSpec("{path} has no column {at}, but {known}", path=path, at=at, known=", ".join(head)[:80])
    column = names.index(at.casefold())
    if row:
        body = [cells for cells in body if cells[0].strip().casefold() == row.casefold()]
    if not body or len(body[-1]) <= column:
        raise InvalidSpec("{path} has no row {row}", path=path, row=row or "below its header")
    return body[-1][column]


def _rows(path: str, text: str, separator: str) -> list[list[str]]:
    """The rows of a CSV file with at least one cell that is not blank."""
    try:
        return [cells for cells in csv.reader(text.splitlines(), delimiter=separator) if any(map(str.strip, cells))]
    except csv.Error:
        raise InvalidSpec("{path} is no table", path=path) from None
