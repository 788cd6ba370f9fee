"""Fixed text with wildcards in source files, regardless of layout, quotes and comments; linear in the text.

A pattern that begins or ends with a letter matches whole words: `redis` is not in `redisson`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

MAX_GAP = 200
"""Largest number of characters between two pieces of a pattern."""
_NEEDLESS_SPACE = re.compile(r"(?<!\w) | (?!\w)")
_HASH = "py rb sh bash yml yaml toml tf cfg conf ini properties r pl txt dockerfile makefile"
_SLASHES = "js jsx ts tsx mjs java go rs c h cc cpp hpp cs kt kts swift scala php gradle groovy proto jsonc css scss"
_LINE_MARKS = {
    **dict.fromkeys(_HASH.split(), "#"),
    **dict.fromkeys(_SLASHES.split(), "//"),
    **dict.fromkeys(["sql", "lua", "hs"], "--"),
}
"""The end of a file's name -> the sign that begins a comment until the end of its line."""
_BLOCK_MARKS = {
    **dict.fromkeys([*_SLASHES.split(), "sql"], ("/*", "*/")),
    **dict.fromkeys(["html", "htm", "xml", "svg", "vue"], ("<!--", "-->")),
}


def squeezed(text: str) -> str:
    """The text without spaces that only lay it out, and with one kind of quotation mark."""
    return _NEEDLESS_SPACE.sub("", " ".join(text.replace("'", '"').split()))


def has_pattern(text: str, pattern: str) -> bool:
    """True if a squeezed text contains a pattern; a wildcard matches at most MAX_GAP characters."""
    pieces = squeezed(pattern).split("*")
    last = len(pieces) - 1
    ends: list[int] | None = None
    for number, piece in enumerate(pieces):
        if not piece:
            continue
        found = list[int]()
        for start in _places(text, piece, is_first=number == 0, is_last=number == last):
            before = start if ends is None else _latest(ends, start)
            if before is not None and start - before <= MAX_GAP:
                found.append(start + len(piece))
        if not found:
            return False
        ends = found
    return True


def _latest(ends: list[int], start: int) -> int | None:
    at = bisect_right(ends, start)
    return ends[at - 1] if at else None


def _places(text: str, piece: str, *, is_first: bool, is_last: bool) -> Iterator[int]:
    start = text.find(piece)
    while start >= 0:
        stop = start + len(piece)
        joined_before = is_first and start > 0 and _is_word(text[start - 1]) and _is_word(piece[0])
        joined_after = is_last and stop < len(text) and _is_word(text[stop]) and _is_word(piece[-1])
        if not joined_before and not joined_after:
            yield start
        start = text.find(piece, start + 1)


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def source_text(path: str, text: str) -> str:
    """The text of a file without its comments, squeezed."""
    return squeezed(without_comments(path, text))


def without_comments(path: str, text: str) -> str:
    """The text of a source file without its comments; other files stay whole."""
    suffix = path.rsplit("/", 1)[-1].rsplit(".", 1)[-1].lower()
    if marks := _BLOCK_MARKS.get(suffix):
        text = _without_blocks(text, *marks)
    if mark := _LINE_MARKS.get(suffix):
        text = "\n".join(_before_comment(line, mark) for line in text.splitlines())
    return text


def _without_blocks(text: str, opening: str, closing: str) -> str:
    kept = list[str]()
    at = looked = end = 0
    while (begin := text.find(opening, looked)) >= 0:
        # The same end serves every opening before it: a search from each would take for ever in a minified file.
        if end < begin + len(opening):
            end = text.find(closing, begin + len(opening))
        # "src/**" in a string is no comment.
        is_comment = begin == 0 or text[begin - 1] in " \t\r\n;{}(),>"
        if end < 0:
            break
        looked = begin + len(opening)
        if is_comment:
            kept.append(text[at:begin])
            at = looked = end + len(closing)
    return " ".join([*kept, text[at:]])


def _before_comment(line: str, mark: str) -> str:
    at = line.find(mark)
    counted = n_double = n_single = 0
    while at >= 0:
        n_double += line.count('"', counted, at)
        n_single += line.count("'", counted, at)
        counted = at
        is_outside = n_double % 2 == 0 and n_single % 2 == 0
        if is_outside and (at == 0 or line[at - 1].isspace() or line[at - 1] in ";{}(),"):
            return line[:at]
        at = line.find(mark, at + 1)
    return line
