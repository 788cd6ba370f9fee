"""Evaluates checks against the files of a checkout and a day; one function for each kind of check.

A check that cannot be evaluated is unknown, with one sentence. Nothing is executed.
"""

import csv
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Literal, assert_never

from debate_core.csv_text import separated
from debate_core.engine.quotes import MIN_QUOTE_CHARS, MIN_QUOTE_WORDS, run_of, verify_quote, words
from debate_core.errors import InvalidSpec
from debate_core.spec.decode import Undecodable, object_of
from debate_core.spec.tripwires import (
    AskCheck,
    Check,
    DateCheck,
    NumberCheck,
    PassageCheck,
    PatternCheck,
    VersionCheck,
)
from debate_core.watch.checkout import MAX_FILES, Checkout, NotText
from debate_core.watch.lock_files import package_key, reader_of, version_key, versions_in
from debate_core.watch.patterns import has_pattern, source_text

_MAY_BE_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:\.\d{3})+")
"""`1.234` is 1234 in languages whose tables have semicolons."""
CheckResult = Literal["holds", "moved", "unknown"]


@dataclass(frozen=True, slots=True)
class CheckVerdict:
    """The result of a check, and the fact behind it in one sentence."""

    result: CheckResult
    reason: str


class Evaluator:
    """Evaluates checks on one checkout and one day; `checkout` None = only checks that need no files."""

    def __init__(self, checkout: Checkout | None, today: date) -> None:
        self._checkout = checkout
        self._today = today
        self._locks: dict[str, dict[str, list[str]]] = {}

    def evaluate(self, check: Check) -> CheckVerdict:
        """The result of a check; no input makes it fail."""
        try:
            return self._verdict(check)
        except InvalidSpec as error:
            return CheckVerdict("unknown", str(error))

    def _verdict(self, check: Check) -> CheckVerdict:
        match check:
            case PatternCheck():
                return self._pattern(check)
            case NumberCheck():
                return self._number(check)
            case VersionCheck():
                return self._version(check)
            case PassageCheck():
                return self._passage(check)
            case DateCheck():
                return _made(self._today.isoformat() < check.day, f"the day {check.day}", "is ahead", "has come")
            case AskCheck():
                asked = f"{check.day}, the day to ask {check.person},"
                return _made(self._today.isoformat() < check.day, asked, "is ahead", "has come")
            case _:
                assert_never(check)

    def _pattern(self, check: PatternCheck) -> CheckVerdict:
        found, skipped = self._first(
            check.files, lambda path: has_pattern(self._files().text(path, source_text), check.pattern)
        )
        wanted = check.expects == "has"
        if found:
            return CheckVerdict("holds" if wanted else "moved", f"{found} has {check.pattern!r}")
        return CheckVerdict("moved" if wanted else "holds", f"{check.files} has no {check.pattern!r}{skipped}")

    def _passage(self, check: PassageCheck) -> CheckVerdict:
        found, skipped = self._first(check.files, lambda path: _has_quote(self._files().text(path), check.quote))
        if found:
            return CheckVerdict("holds", f"{found} has the quote")
        return CheckVerdict("moved", f"{check.files} no longer has the quote {check.quote[:80]!r}{skipped}")

    def _number(self, check: NumberCheck) -> CheckVerdict:
        paths = self._paths(check.files)
        if len(paths) > 1:
            raise InvalidSpec("{n} files are named {files}: name one", n=len(paths), files=check.files)
        number = read_number(paths[0], self._files().text(paths[0]), check.at, check.row)
        holds = number < Decimal(check.bound) if check.expects == "under" else number > Decimal(check.bound)
        what = f"{paths[0]}: {check.at}{f' of {check.row}' if check.row else ''} is {number},"
        return _made(holds, what, f"{check.expects} {check.bound}", f"not {check.expects} {check.bound}")

    def _version(self, check: VersionCheck) -> CheckVerdict:
        path, versions = self._versions(check)
        bound = version_key(check.version)
        below = {version: version_key(version) < bound for version in versions}
        if len(set(below.values())) > 1:
            both = ", ".join(sorted(below))
            raise InvalidSpec("{path} has {package} as {both}", path=path, package=check.package, both=both)
        holds = next(iter(below.values())) == (check.expects == "below")
        what = f"{path}: {check.package} is {' and '.join(sorted(below))},"
        return _made(holds, what, f"{check.expects} {check.version}", f"not {check.expects} {check.version}")

    def _versions(self, check: VersionCheck) -> tuple[str, list[str]]:
        """The lock file with this package that is highest in the folder, and the versions there."""
        known = [path for path in self._paths(check.files or "**") if reader_of(path)]
        if not known:
            raise InvalidSpec("there is no lock file that is known here")
        faults = list[str]()
        key = package_key(check.package)
        for path in sorted(known, key=_rank):
            try:
                if path not in self._locks:
                    self._locks[path] = versions_in(path, self._files().text(path))
            except InvalidSpec as error:
                faults.append(str(error))
            else:
                if key in self._locks[path]:
                    return path, self._locks[path][key]
        if faults:
            raise InvalidSpec("{fault}", fault=faults[0])
        raise InvalidSpec("{package} is in none of {n} known lock files", package=check.package, n=len(known))

    def _files(self) -> Checkout:
        if self._checkout is None:
            raise InvalidSpec("no folder was named: give the checkout that this check reads")
        return self._checkout

    def _paths(self, glob: str) -> list[str]:
        if paths := self._files().matching(glob):
            return paths
        raise InvalidSpec("there is no file {files}", files=glob)

    def _first(self, glob: str, has: Callable[[str], bool]) -> tuple[str, str]:
        """The first file with a property, empty if none has it; and words on skipped files.

        That none has it is a fact only if every text was read: InvalidSpec otherwise.
        """
        paths = self._paths(glob)
        binary, faults = list[str](), list[str]()
        for path in paths:
            try:
                if has(path):
                    return path, ""
            except NotText as error:
                binary.append(str(error))
            except InvalidSpec as error:
                faults.append(str(error))
        if faults or len(binary) == len(paths):
            raise InvalidSpec("{fault}", fault=(faults or binary)[0])
        if self._files().is_cut:
            raise InvalidSpec("the folder has more than {n} files: watch a part of it", n=MAX_FILES)
        return "", f"; skipped: {binary[0]}" if binary else ""


def _made(holds: bool, what: str, as_agreed: str, otherwise: str) -> CheckVerdict:  # noqa: FBT001
    return CheckVerdict("holds", f"{what} {as_agreed}") if holds else CheckVerdict("moved", f"{what} {otherwise}")


def _has_quote(text: str, quote: str) -> bool:
    said = words(quote)
    is_short = len(said) < MIN_QUOTE_WORDS and len(run_of(said)) < MIN_QUOTE_CHARS
    verdict = verify_quote(text, quote)
    return verdict == "verbatim" or (is_short and verdict == "near")


def _rank(path: str) -> tuple[int, int, str]:
    reader = reader_of(path)
    return path.count("/"), reader.rank if reader else 0, path


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
        found = json.loads(text, parse_float=Decimal, object_pairs_hook=object_of)
    except Undecodable as error:
        raise InvalidSpec("{path}: {fault}", path=path, fault=str(error)) from None
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
    if names.count(at.casefold()) > 1:
        raise InvalidSpec("{path} has the column {at} twice", path=path, at=at)
    column = names.index(at.casefold())
    if row:
        body = [cells for cells in body if cells[0].strip().casefold() == row.casefold()]
    if not body:
        raise InvalidSpec("{path} has no row {row}", path=path, row=row or "below its header")
    cells = body[-1]
    if len(cells) <= column:
        raise InvalidSpec("{path}: its row {row} has no cell for {at}", path=path, row=cells[0][:40], at=at)
    if any(map(str.strip, cells[len(head) :])):
        # A comma within a number would make two cells of it.
        raise InvalidSpec("{path}: its row {row} has more cells than the header", path=path, row=cells[0][:40])
    found = cells[column].strip()
    if separator == ";" and _MAY_BE_THOUSANDS.fullmatch(found):
        raise InvalidSpec("{path}: {at} is {found}, which may be thousands", path=path, at=at, found=found)
    return found


def _rows(path: str, text: str, separator: str) -> list[list[str]]:
    """The rows of a CSV file with at least one cell that is not blank."""
    try:
        return [cells for cells in csv.reader(text.splitlines(), delimiter=separator) if any(map(str.strip, cells))]
    except csv.Error:
        raise InvalidSpec("{path} is no table", path=path) from None
