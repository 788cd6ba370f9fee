"""The separator of a CSV table: a comma, or a spreadsheet's substitute."""

import re
from collections.abc import Collection

# Excel's hint in the first line: "sep=;"
_HINT = re.compile(r"\"?sep=([,;\t|])\"?[ \t]*\n", re.IGNORECASE)
_SEPARATORS = ",;\t|"


def separated(text: str, columns: Collection[str]) -> tuple[str, str]:
    """The text of a table with one kind of line end, without byte order mark and the words of a hint; its separator.

    `columns` are names required in the header; without them the separator is a comma.
    """
    text = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))
    if hint := _HINT.match(text):
        return f"\n{text[hint.end() :]}", hint[1]
    head = text.lstrip(f"\n {_SEPARATORS}").split("\n", 1)[0].casefold()
    for mark in _SEPARATORS:
        names = {cell.strip(' "') for cell in head.split(mark)}
        if len(names) > 1 and names.issuperset(map(str.casefold, columns)):
            return text, mark
    return text, ","
