"""The number of a decision record in its folder, in the form that most files there have.

Known forms are `0012-title.md`, `001-title.md`, `7-title.md` and `ADR-012-title.md`; a date is no number.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from debate_core.report.files.adr.more_information import is_decision_record_of

_FILE = re.compile(
    r"(?P<prefix>(?:(?:M?ADR|LADR|RFC|DR|decision)[-_ ]?)?)(?P<digits>[0-9]{1,6})"
    r"(?P<separator>[-_. ]+)?(?(separator).*)\.(?:md|markdown|adoc|rst|txt)",
    re.IGNORECASE,
)
# "2024-05-01-minutes", "202405 minutes", "01.05.2024 minutes"; not "0005-12-factor"
_DATE = re.compile(
    r"(?:19|20)[0-9]{2}[-_. ]?(?:0[1-9]|1[0-2])(?:[-_. ]?[0-3][0-9])?(?![0-9])"
    r"|[0-3]?[0-9][-_. ][0-3]?[0-9][-_. ](?:19|20)?[0-9]{2}(?![0-9])"
)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
MANY_FILES = 1_000
"""In folders with fewer files, a number such as 2024 is a year."""
USUAL_WIDTH = 4


@dataclass(frozen=True, slots=True)
class RecordNumber:
    """A number with its form: prefix such as `ADR-`, minimum of digits, separator before the title."""

    number: int = 1
    prefix: str = ""
    width: int = USUAL_WIDTH
    separator: str = "-"

    def file_name(self, title: str) -> str:
        """`0012-which-database.md`."""
        return f"{self.prefix}{self.number:0{self.width}d}{self.separator}{title}.md"


@dataclass(frozen=True, slots=True)
class _Numbered:
    name: str
    prefix: str
    digits: str
    separator: str

    @property
    def number(self) -> int:
        return int(self.digits)

    @property
    def form(self) -> tuple[str, str]:
        return self.prefix, self.separator


def is_numbered(name: str) -> bool:
    """True if a file name begins with a number, or with ADR and a number."""
    return _parse_name(name) is not None


def _parse_name(name: str) -> _Numbered | None:
    found = _FILE.fullmatch(name)
    if found is None or _DATE.match(name, found.start("digits")):
        return None
    return _Numbered(name, found["prefix"], found["digits"], found["separator"] or "-")


def next_number(folder: Mapping[str, str], debate_id: str) -> RecordNumber:
    """The number that a debate has in a folder (file name -> text), else one above the highest."""
    files = [file for name in folder if (file := _parse_name(name))]
    if len(files) < MANY_FILES:
        files = [file for file in files if not _YEAR.fullmatch(file.digits)]
    own = next((file for file in files if is_decision_record_of(folder[file.name], debate_id)), None)
    if own is not None:
        return RecordNumber(own.number, own.prefix, len(own.digits), own.separator)
    if not files:
        return RecordNumber()
    return _next_in_series(files)


def _next_in_series(files: Sequence[_Numbered]) -> RecordNumber:
    """One above the highest number of the files in the most common form."""
    form = Counter(file.form for file in files).most_common(1)[0][0]
    files = [file for file in files if file.form == form]
    width = 1
    if any(file.digits.startswith("0") for file in files):
        width = Counter(len(file.digits) for file in files).most_common(1)[0][0]
        # A number with another width belongs to another series.
        files = [file for file in files if len(file.digits) == width]
    highest = max(files, key=lambda file: file.number)
    return RecordNumber(highest.number + 1, highest.prefix, width, highest.separator)
