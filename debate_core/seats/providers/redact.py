"""Removes from a server's text broken characters, control characters in names, and our own key.

Half a surrogate pair cannot be written, and a server can send back our key: a record must hold neither. Knows no
dialect and no debate.
"""

import re

MIN_KEY_CHARS = 12
"""Minimum length of a secret; local servers accept any word as their key."""
MAX_NAME_CHARS = 200
HIDDEN = "[...]"


def printable(text: str) -> str:
    """Replace every character that is not visible by a blank."""
    return "".join(c if c.isprintable() else " " for c in text)


def name_of(text: str, key: str) -> str:
    """The name of a model as it can be recorded; "" if it is empty or contains the key."""
    name = printable(text).strip()[:MAX_NAME_CHARS]
    return "" if len(key) >= MIN_KEY_CHARS and key[:MAX_NAME_CHARS] in name else name


def without_key(text: str, key: str) -> str:
    """Remove runs of 8 letters that are in the key, its last 4 letters as a word, and a short key."""
    size = min(8, len(key))
    if not size:
        return text
    hidden = set[int]()
    for start in range(len(text) - size + 1):
        if text[start : start + size] in key:
            hidden |= set(range(start, start + size))
    text = "".join("*" if place in hidden else char for place, char in enumerate(text))
    if len(key) > 4:
        text = re.sub(rf"\b{re.escape(key[-4:])}\b", "**", text)
    return re.sub(r"\*{2,}", "**", text)


class Redactor:
    """Removes a key from a streamed text; a possible beginning of the key, or half a character, waits for the next
    piece."""

    def __init__(self, key: str) -> None:
        self._key = key if len(key) >= MIN_KEY_CHARS else ""
        self._waiting = ""

    def __call__(self, more: str) -> str:
        """Add a piece; return the text that can be passed on now."""
        text = self._waiting + more
        if self._key:
            text = text.replace(self._key, HIDDEN)
        certain = len(text) - self._unsure(text)
        self._waiting = text[certain:]
        return _whole(text[:certain])

    def rest(self) -> str:
        """The waiting text at the end of the stream; most of a key is hidden like the whole key."""
        rest, self._waiting = self._waiting, ""
        return HIDDEN if len(rest) >= MIN_KEY_CHARS else _whole(rest)

    def _unsure(self, text: str) -> int:
        """Number of characters at the end that may belong to something longer."""
        if text and "\ud800" <= text[-1] <= "\udbff":
            return 1
        for size in range(len(self._key) - 1, 0, -1):
            if text.endswith(self._key[:size]):
                return size
        return 0


def _whole(text: str) -> str:
    """Join surrogate pairs; replace a lone half by the replacement character."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
