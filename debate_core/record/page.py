"""A record inside an HTML page: JSON lines in one data element, and the same bytes read back.

Knows no other part of the page.
"""

import re

from debate_core.errors import BrokenRecord

RECORD_FILES = (".jsonl", ".html")
"""Extensions of files that hold a record."""
RECORD_TYPES = [ending.removeprefix(".") for ending in RECORD_FILES]
"""The extensions without dots, for uploads."""
_START = '<script type="application/jsonl" id="record">'
_END = "</script>"
_ESCAPED = re.compile(rb"\\(u003c|.)", re.DOTALL)
r"""An escape of JSON, such as `\n`, `\\` or `\u003c`. Canonical JSON never writes the last one."""
_MAX_BEFORE_CHARS = 64
"""White space and byte order mark that an editor may have put before a page."""


def is_record_file(name: str) -> bool:
    """True for a file name of a record, as JSON lines or in a page."""
    return name.lower().endswith(RECORD_FILES)


def holds_record(name: str, data: bytes) -> bool:
    """True for a record as JSON lines, by its name, and for a page with a record in it, whole or not."""
    is_page = not name.lower().endswith(".jsonl")
    return is_record_file(name) and (not is_page or _START.encode() in data)


def record_element(record: str) -> str:
    """The element that holds a record. Every `<` is escaped, so no text can end it; its lines stay JSON."""
    escaped = record.replace("<", "\\u003c")
    return f"{_START}\n{escaped}{_END}"


def record_in(data: bytes) -> bytes:
    """The record in a page, byte for byte; other data unchanged. BrokenRecord for a page with none, half or two."""
    before = data[:_MAX_BEFORE_CHARS].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not before.startswith(b"<"):
        return data
    _, *found = data.split(_START.encode())
    if not found:
        raise BrokenRecord("there is no record in this page: export the debate with --format html", 1)
    if len(found) > 1:
        raise BrokenRecord("there are {n} records in this page: a page has one", 1, n=len(found))
    record, end, _ = found[0].partition(_END.encode())
    if not end:
        raise BrokenRecord("the page is cut short within its record", 1)
    return _ESCAPED.sub(_unescape, record.removeprefix(b"\n"))


def _unescape(escape: re.Match[bytes]) -> bytes:
    return b"<" if escape[1] == b"u003c" else escape[0]
