"""What a server says, without what must not pass on: halves of characters, control characters in names, our own key.

A half of a character cannot be written down, and a server can send back the key that it was sent: in a record both
would do harm. Knows no dialect and no debate.
"""

import re

MIN_KEY_CHARS = 12
"""A shorter key is a word, like those that local servers are content with."""
MAX_NAME_CHARS = 200
HIDDEN = "[...]"


def printable(text: str) -> str:
    """The same on one line: a blank for everything that is no visible character."""
    return "".join(c if c.isprintable() else " " for c in text)


def name_of(text: str, key: str) -> str:
    """The name of a model as it can be recorded; empty if it is none, or holds the key."""
    name = printable(text).strip()[:MAX_NAME_CHARS]
    return "" if len(key) >= MIN_KEY_CHARS and key[:MAX_NAME_CHARS] in name else name


def without_key(text: str, key: str) -> str:
    """Without any 8 letters in a row that are in the key, without its last 4 as a word, without a short key."""
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
    """A text that comes in pieces; what may be the beginning of a key, or half a character, waits for the next one."""

    def __init__(self, key: str) -> None:
        self._key = key if len(key) >= MIN_KEY_CHARS else ""
        self._waiting = ""

    def __call__(self, more: str) -> str:
        """What can be passed on now."""
        text = self._waiting + more
        if self._key:
            text = text.replace(self._key, HIDDEN)
        certain = len(text) - self._unsure(text)
        self._waiting = text[certain:]
        return _whole(text[:certain])

    def rest(self) -> str:
        """What was waiting, when nothing more comes; most of a key is as bad as the whole of it."""
        rest, self._waiting = self._waiting, ""
        return HIDDEN if len(rest) >= MIN_KEY_CHARS else _whole(rest)

    def _unsure(self, text: str) -> int:
        """How many characters at the end may be part of something longer."""
        if text and "\ud800" <= text[-1] <= "\udbff":
            return 1
        for size in range(len(self._key) - 1, 0, -1):
            if text.endswith(self._key[:size]):
                return size
        return 0


def _whole(text: str) -> str:
    """Two halves of a character become one, a lone half the sign for what cannot be read."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
