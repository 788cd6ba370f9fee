"""The separator of a table in CSV: a comma, or the sign that a spreadsheet wrote in its place."""

import re
from collections.abc import Collection

# The first line by which Excel tells itself the separator: "sep=;"
_HINT = re.compile(r"sep=([,;\t|])[ \t]*(?:\r\n|\r|\n)", re.IGNORECASE)
_SEPARATORS = ",;\t|"


def separated(text: str, columns: Collection[str]) -> tuple[str, str]:
    """The text of a table without byte order mark and hint, and the separator of its columns.

    `columns` are names that its first line must have; without them the separator is a comma.
    """
    text = text.removeprefix("\ufeff")
    if hint := _HINT.match(text):
        return text[hint.end() :], hint[1]
    head = text.lstrip("\r\n").split("\n", 1)[0].casefold()
    for mark in _SEPARATORS:
        names = {cell.strip(' "\r') for cell in head.split(mark)}
        if len(names) > 1 and names.issuperset(map(str.casefold, columns)):
            return text, mark
    return text, ","
