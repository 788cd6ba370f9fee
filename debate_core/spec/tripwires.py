"""Checks of an assumption, as data: what would show in a folder, or on a day, that it no longer holds.

Nothing in a check is executed. Patterns are fixed text with wildcards, because no such pattern can be slow. `watch`
evaluates checks; this module knows no files.
"""

import re
from datetime import date
from operator import not_
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.protocol import first_problem
from debate_core.spec.values import Line, Value

MAX_WILDCARDS = 8
MAX_CHECK_CHARS = 5_000
"""More than the longest check has. A file can hold longer texts, and to read those takes for ever."""
_REGEX = re.compile(r"\(\?|\\[wdsbWDSB]|[*+]\)[*+]|[\])]\+|[\])]\{\d")
r"""Signs of a regular expression: `(?:a|b)`, `\d`, `(a+)+`, `[a-z]+`, `(ab){3}`."""


def _read_pattern(pattern: str) -> str:
    if found := _REGEX.search(pattern):
        raise ValueError(
            Sentence(
                "{found!r} belongs to a regular expression: write fixed text, with * for anything in between",
                found=found[0],
            )
        )
    if not pattern.replace("*", "").strip():
        raise ValueError(Sentence("a pattern needs some fixed text beside its wildcards"))
    if pattern.count("*") > MAX_WILDCARDS:
        raise ValueError(Sentence("a pattern has at most {n} wildcards", n=MAX_WILDCARDS))
    return pattern


def _read_glob(glob: str) -> str:
    if glob.startswith("/") or "\\" in glob or ".." in glob.split("/"):
        raise ValueError(Sentence("name files inside the folder, as in src/**/*.py or prices.csv"))
    if glob.count("*") > MAX_WILDCARDS:
        raise ValueError(Sentence("a pattern has at most {n} wildcards", n=MAX_WILDCARDS))
    return glob


def _read_day(day: str) -> str:
    try:
        # Only the form with dashes, which sorts like the dates themselves.
        if date.fromisoformat(day).isoformat() == day:
            return day
    except ValueError:
        pass
    raise ValueError(Sentence("{day!r} is no date: write it as 2027-03-01", day=day[:20]))


Glob = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_read_glob)]
"""Files of a folder: `*` within a name, `**` for any folders; a name without `/` is found in every folder."""
Pattern = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_read_pattern)]
Day = Annotated[str, AfterValidator(_read_day)]
Bound = Annotated[str, Field(pattern=r"^-?\d{1,15}(\.\d{1,9})?$")]


class PatternCheck(Value):
    """Text that at least one of the files must have, or none of them."""

    kind: Literal["pattern"] = "pattern"
    files: Glob
    expects: Literal["has", "lacks"]
    pattern: Pattern


class NumberCheck(Value):
    """A number that has to stay under or over a bound: a column of a CSV file, or a path into a JSON file.

    `row` is the first cell of the row; empty = the last row.
    """

    kind: Literal["number"] = "number"
    files: Glob
    at: Annotated[Line, Field(min_length=1)]
    row: Annotated[Line, Field(exclude_if=not_)] = ""
    expects: Literal["under", "over"]
    bound: Bound


class VersionCheck(Value):
    """A version of a dependency, as lock files and manifests state it; `files` narrows the search."""

    kind: Literal["version"] = "version"
    package: Annotated[Line, Field(min_length=1)]
    expects: Literal["below", "at least"]
    version: Annotated[str, Field(pattern=r"^v?\d[0-9A-Za-z.+-]{0,60}$")]
    files: Annotated[str, Field(max_length=200, exclude_if=not_), AfterValidator(_read_glob)] = ""


class PassageCheck(Value):
    """Words of a document that have to stay as they were quoted."""

    kind: Literal["quote"] = "quote"
    files: Glob
    quote: Annotated[Line, Field(min_length=1)]


class DateCheck(Value):
    """A day until which the assumption holds."""

    kind: Literal["date"] = "date"
    day: Day


class AskCheck(Value):
    """A person to ask on a day."""

    kind: Literal["ask"] = "ask"
    person: Annotated[Line, Field(min_length=1)]
    day: Day


Check = Annotated[
    PatternCheck | NumberCheck | VersionCheck | PassageCheck | DateCheck | AskCheck, Field(discriminator="kind")
]
CHECK: TypeAdapter[Check] = TypeAdapter(Check)
FORMS = (
    "files src/** has TEXT",
    "files src/** lacks TEXT",
    "number FILE COLUMN under 2000",
    "version PACKAGE below 4",
    "quote FILE WORDS",
    "date 2027-03-01",
    "ask NAME on 2027-03-01",
)
"""An example of each check as text."""
_READ = {
    "pattern": r"files (?P<files>\S+) (?P<expects>has|lacks) (?P<pattern>.+)",
    "number": r"number (?P<files>\S+) (?P<at>.+?)(?: of (?P<row>.+?))? (?P<expects>under|over) (?P<bound>\S+)",
    "version": r"version (?P<package>\S+) (?P<expects>below|at least) (?P<version>\S+)(?: in (?P<files>\S+))?",
    "quote": r"quote (?P<files>\S+) (?P<quote>.+)",
    "date": r"date (?P<day>\S+)",
    "ask": r"ask (?P<person>.+) on (?P<day>\S+)",
}
"""The text of each kind of check; `FORMS` has examples."""


def read_check(text: str) -> Check:
    """Read a check from one line, as `check_text` writes it. InvalidSpec for anything else."""
    text = " ".join(text.split())
    forms = _READ if len(text) <= MAX_CHECK_CHARS else {}
    for kind, form in forms.items():
        if found := re.fullmatch(form, text):
            given = {name: value for name, value in found.groupdict().items() if value is not None}
            return check_of({"kind": kind, **given})
    raise InvalidSpec("{text!r} is no check: write one of {forms}", text=text[:80], forms="; ".join(FORMS))


def check_of(given: object) -> Check:
    """Read a check from its fields. InvalidSpec names the first field that does not fit."""
    try:
        return CHECK.validate_python(given)
    except ValidationError as error:
        raise InvalidSpec("this check cannot be used: {why}", why=first_problem(error)) from None


def check_text(check: Check) -> str:
    """Write a check on one line."""
    match check:
        case PatternCheck():
            return f"files {check.files} {check.expects} {check.pattern}"
        case NumberCheck():
            row = f" of {check.row}" if check.row else ""
            return f"number {check.files} {check.at}{row} {check.expects} {check.bound}"
        case VersionCheck():
            files = f" in {check.files}" if check.files else ""
            return f"version {check.package} {check.expects} {check.version}{files}"
        case PassageCheck():
            return f"quote {check.files} {check.quote}"
        case DateCheck():
            return f"date {check.day}"
        case AskCheck():
            return f"ask {check.person} on {check.day}"
