"""Comparison of names: equal names, confusable names, and their visible part.

Names of people, options and similar things are compared only here. Blanks, case, the encoding of a letter (`é` as one
character or two) and invisible characters make no difference. Letters of other scripts that look like Latin ones do:
such a name is marked (`told_apart`) or refused.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Default_Ignorable_Code_Point of Unicode 16 outside of category Cf, the braille pattern without dots, and other
# characters that are drawn as a blank.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffc"
    "\U0001d159\U000e0000-\U000e0fff]"
)
_UNSEEN_CATEGORIES = frozenset({"Cf", "Cc", "Cs"})
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""These change the appearance of Persian, Hindi and emoji within a name, but not at its ends."""

_LOOKS_LIKE = {
    "A": "\u0391\u0410\u13aa",
    "B": "\u0392\u0412\u13f4",
    "C": "\u03f9\u0421\u13df",
    "D": "\u13a0",
    "E": "\u0395\u0415\u13ac",
    "G": "\u050c\u13c0",
    "H": "\u0397\u041d\u13bb",
    "I": "\u0399\u0406\u04c0",
    "J": "\u037f\u0408\u13ab",
    "K": "\u039a\u041a\u13e6",
    "L": "\u13de",
    "M": "\u039c\u041c\u13b7",
    "N": "\u039d",
    "O": "\u039f\u041e\u0555",
    "P": "\u03a1\u0420\u13e2",
    "Q": "\u051a",
    "R": "\u13a1\u13d2",
    "S": "\u0405\u054f\u13da",
    "T": "\u03a4\u0422\u13a2",
    "U": "\u054d",
    "V": "\u0474\u13d9",
    "W": "\u051c\u13b3",
    "X": "\u03a7\u0425",
    "Y": "\u03a5\u04ae\u13a9",
    "Z": "\u0396\u13c3",
    "a": "\u03b1\u0430\u0251",
    "b": "\u042c\u044c",
    "c": "\u03f2\u0441",
    "d": "\u0501",
    "e": "\u0435",
    "g": "\u0261\u0581",
    "h": "\u04bb\u0570",
    "i": "\u03b9\u0456\u0131",
    "j": "\u03f3\u0458\u0575",
    "k": "\u03ba\u043a",
    "l": "\u04cf",
    "n": "\u03b7\u043f\u0578",
    "o": "\u03bf\u03c3\u043e\u0585",
    "p": "\u03c1\u0440",
    "q": "\u051b\u0566",
    "r": "\u0433",
    "s": "\u0455",
    "t": "\u03c4",
    "u": "\u03c5\u057d",
    "v": "\u03bd\u0475",
    "w": "\u03c9\u051d",
    "x": "\u03c7\u0445",
    "y": "\u03b3\u0443\u04af",
}
"""Latin letter -> Greek, Cyrillic, Armenian, Cherokee and phonetic letters that look alike.

From the confusables of Unicode Technical Standard 39, restricted to letters in use.
"""
_TO_LATIN = str.maketrans({other: latin for latin, others in _LOOKS_LIKE.items() for other in others})
_STROKES = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
"""Alike in many typefaces: `Il1|`, `O0`."""
_MIXED = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
"""Scripts that ordinary words never mix with Latin letters."""


def visible_name(text: str) -> str:
    """A name on one line, without invisible characters and direction marks."""
    words = [word.strip(_JOINERS) for word in without_unseen(text).split()]
    name = " ".join(word for word in words if word)
    return name if name_key(name) else ""


def without_unseen(text: str) -> str:
    """The text without invisible characters, but with its blanks."""
    return "".join(char for char in text if char.isspace() or char in _JOINERS or _is_seen(char))


@lru_cache(maxsize=4096)
def _is_seen(char: str) -> bool:
    return unicodedata.category(char) not in _UNSEEN_CATEGORIES and not _BLANK.match(char)


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """A canonical form that all spellings of one name share; "" for a name without visible characters."""
    # Twice, because case folding can produce sequences that need normalising again.
    key = _composed(_composed(name).casefold())
    has_a_base = any(not unicodedata.category(char).startswith(("M", "Z")) for char in key)
    return key if has_a_base else ""


def _composed(text: str) -> str:
    normal = unicodedata.normalize("NFKC", text)
    seen = "".join(char for char in normal if char.isspace() or _is_seen(char))
    return " ".join(unicodedata.normalize("NFKC", seen).split())


def is_same_name(name: str, other: str) -> bool:
    """True for two spellings of one name."""
    return name_key(name) == name_key(other)


@lru_cache(maxsize=4096)
def looks_of(name: str) -> frozenset[str]:
    """The appearances of a name; names without a common one cannot be confused."""
    apart = unicodedata.normalize("NFD", _composed(name)).translate(_TO_LATIN)
    drawn = unicodedata.normalize("NFC", apart)
    return frozenset({drawn.casefold(), f"={drawn.translate(_STROKES)}"})


def looks_like(name: str, others: Iterable[str]) -> str | None:
    """The first of these names that can be confused with this one, or None."""
    looks = looks_of(name)
    return next((other for other in others if looks & looks_of(other)), None)


def told_apart(name: str, others: Iterable[str] = (), *, max_chars: int) -> str:
    """The name, with its scripts in brackets if it mixes scripts or can be confused with one of the others.

    `Fay` with a Cyrillic letter becomes `Fay (Cyrillic and Latin letters)`, cut so that the mark fits. Other spellings
    of a name, and names that look alike within one script, are unchanged.
    """
    other = looks_like(name, others)
    is_mistakable = other is not None and not is_same_name(name, other) and _scripts(name) != _scripts(other)
    if not (is_mistakable or _mixes_scripts(name)):
        return name
    mark = f" ({' and '.join(_scripts(name))} letters)"
    if name.endswith(mark):
        return name
    return f"{name[: max_chars - len(mark)].rstrip()}{mark}"


def _mixes_scripts(name: str) -> bool:
    """True if one word mixes Latin letters with a script that looks like Latin."""
    for word in re.findall(r"[^\W\d_]+", name):
        scripts = {_script(char) for char in word}
        if "LATIN" in scripts and not scripts.isdisjoint(_MIXED):
            return True
    return False


def _scripts(name: str) -> tuple[str, ...]:
    """The scripts of its letters, `Cyrillic`, `Latin`, in alphabetical order."""
    return tuple(sorted({_script(char).capitalize() for char in name if char.isalpha()}))


def _script(letter: str) -> str:
    """The first word of the letter's Unicode name: `CYRILLIC` for `CYRILLIC SMALL LETTER A`."""
    return unicodedata.name(letter, "OTHER").partition(" ")[0]
