"""The number of a decision record in its folder, written as most files there write theirs.

Knows `0012-title.md`, `001-title.md`, `7-title.md` and `ADR-012-title.md`. A date before a title is no number.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
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
"""Below so many files a number such as 2024 is a year."""
USUAL_WIDTH = 4


@dataclass(frozen=True, slots=True)
class RecordNumber:
    """A number with its form: `ADR-` before it, at least so many digits, a dash behind it."""

    number: int = 1
    prefix: str = ""
    width: int = USUAL_WIDTH
    separator: str = "-"

    def file_name(self, title: str) -> str:
        """The name of the file of this number: `0012-which-database.md`."""
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


def is_numbered(name: str) -> bool:
    """Return True for the name of a file that begins with a number, or with ADR and a number."""
    return _numbered(name) is not None


def _numbered(name: str) -> _Numbered | None:
    found = _FILE.fullmatch(name)
    if found is None or _DATE.match(name, found.start("digits")):
        return None
    return _Numbered(name, found["prefix"], found["digits"], found["separator"] or "-")


def next_number(folder: Mapping[str, str], debate_id: str) -> RecordNumber:
    """The number for a debate in a folder, file name -> text: the one that it has there, else one above the highest."""
    files = [file for name in folder if (file := _numbered(name))]
    if len(files) < MANY_FILES:
        files = [file for file in files if not _YEAR.fullmatch(file.digits)]
    own = next((file for file in files if is_decision_record_of(folder[file.name], debate_id)), None)
    if own is not None:
        return RecordNumber(own.number, own.prefix, len(own.digits), own.separator)
    if not files:
        return RecordNumber()
    forms = Counter((file.prefix, file.separator) for file in files)
    prefix, separator = forms.most_common(1)[0][0]
    same_form = [file for file in files if (file.prefix, file.separator) == (prefix, separator)]
    width = _width(same_form)
    # A number of more digits than the others is not one of theirs.
    numbers = [file.number for file in same_form if len(file.digits) == width or width == 1]
    return RecordNumber(max(numbers) + 1, prefix, width, separator)


def _width(files: Collection[_Numbered]) -> int:
    """The number of digits of most files; 1 where no number begins with a zero."""
    if not any(file.digits.startswith("0") for file in files):
        return 1
    return Counter(len(file.digits) for file in files).most_common(1)[0][0]
