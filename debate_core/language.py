"""The language of sentences for people: English in the code, other languages in catalogues next to it.

A sentence is complete, with named placeholders: `_("{cast} of {voters} voters have voted.", cast=7, voters=12)`. Texts
of people, models and documents are never translated. Records, tables and everything for models are in English.
"""

import json
import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

from debate_core.errors import DebateError
from debate_core.sentence import Sentence

Language = Literal["en", "de"]
K = TypeVar("K")
T = TypeVar("T")
Catalogue = Mapping[tuple[str, ...], tuple[str, ...]]
"""(English,) or (English singular, English plural) -> the translation."""

_spoken: ContextVar[Language | None] = ContextVar("language", default=None)
_asked: list[Callable[[], Language | None]] = []


def current() -> Language:
    """The language of the current user; English without one."""
    language = _spoken.get()
    if language is None and _asked:
        language = _asked[-1]()
    return language or "en"


def ask(whom: Callable[[], Language | None]) -> None:
    """Set the function that returns the user's language where no `spoken` applies; None = no user."""
    _asked[:] = [whom]


@contextmanager
def spoken(language: Language) -> Iterator[None]:
    """Use this language for sentences within the block."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def later(language: Language, make: Callable[[], T]) -> Callable[[], T]:
    """Wrap `make` so that a later call uses this language."""

    def made() -> T:
        with spoken(language):
            return make()

    return made


def preferred(wishes: str) -> Language:
    """The first known language in a header such as `de-AT,de;q=0.9,en;q=0.8`; English if there is none."""
    for wish in sorted(wishes.split(","), key=_quality, reverse=True):
        language = known(re.split("[-;]", wish.strip().lower())[0].rstrip())
        if language is not None and _quality(wish) > 0:
            return language
    return "en"


def _quality(wish: str) -> float:
    quality = re.search(r";\s*q=([01](?:\.\d+)?)", wish)
    return float(quality[1]) if quality else 1.0


def known(code: str) -> Language | None:
    """`de`; None for an unknown language."""
    return next((language for language in LANGUAGES if language == code), None)


def _(text: str, /, **values: object) -> str:
    """This sentence in the current language, with its values filled in."""
    return _filled(_translated((text,))[0], values)


def _n(n: int, one: str, many: str, /, **values: object) -> str:
    """This sentence with a number: `_n(2, "{n} vote", "{n} votes")`."""
    return _filled(_form(_translated((one, many)), n), {"n": n, **values})


def said(what: str | DebateError) -> str:
    """A message of the core in the current language; unchanged if no catalogue has it."""
    sentence = what.sentence if isinstance(what, DebateError) else what
    if not isinstance(sentence, Sentence):
        return _(sentence)
    forms = _translated(sentence.forms)
    if len(forms) == 1:
        return _filled(forms[0], sentence.values)
    return _filled(_form(forms, sentence.values["n"]), sentence.values)


def _translated(english: tuple[str, ...]) -> tuple[str, ...]:
    """A sentence, or its singular and plural, in the current language; unchanged if no catalogue has it."""
    return _catalogue(current()).get(english, english)


def _form(forms: tuple[str, ...], n: object) -> str:
    # English and German have a singular and a plural; a language with more forms needs its rule here.
    one, many = forms
    return one if n == 1 else many


def spoken_list(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; `a, b und c`."""
    *first, last = items or [""]
    if not first:
        return last
    return _("{first} and {last}", first=", ".join(first), last=last)


def quoted(words: str) -> str:
    """The words in the quotation marks of the current language."""
    return _("“{words}”", words=words)


def message(text: str) -> str:
    """Mark a sentence for translation that `_` translates elsewhere."""
    return text


class Words(Mapping[K, str]):
    """A table of words; lookups return the current language."""

    def __init__(self, table: Mapping[K, str]) -> None:
        self._table = table

    def __getitem__(self, key: K) -> str:
        return _(self._table[key])

    def english(self, key: K) -> str:
        """The English word, for comparisons and later translation."""
        return self._table[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


class _Figures(string.Formatter):
    """Formats numbers in English: `1,234.5` and `70 %` with a no-break space."""

    def format_field(self, value: object, format_spec: str) -> str:
        written = format(value, format_spec)
        return written if isinstance(value, str) else re.sub(r"(?<=\d)%", "\N{NO-BREAK SPACE}%", written)


class _GermanFigures(_Figures):
    """Formats numbers in German: `1.234,5`."""

    def format_field(self, value: object, format_spec: str) -> str:
        written = super().format_field(value, format_spec)
        if isinstance(value, str):
            return written
        return re.sub(r"(?<=\d)[.,](?=\d)", lambda sign: "," if sign[0] == "." else ".", written)


@dataclass(frozen=True, slots=True)
class LanguageFacts:
    """The name of a language in this language, and how it writes numbers."""

    name: str
    figures: string.Formatter


LANGUAGES: Mapping[Language, LanguageFacts] = {
    "en": LanguageFacts("English", _Figures()),
    "de": LanguageFacts("Deutsch", _GermanFigures()),
}


def format_number(value: float | Decimal, spec: str = "") -> str:
    """A number in the current language: `1,234.5`, in German `1.234,5`. Sentences apply it to their values."""
    return str(LANGUAGES[current()].figures.format_field(value, spec))


def _filled(text: str, values: Mapping[str, object]) -> str:
    if not values:
        return text
    spoken_values = {name: _spoken_value(value) for name, value in values.items()}
    if (language := current()) == "en" and "%}" not in text:
        # The same as its formatter without a share, at a fifth of the time.
        return text.format_map(spoken_values)
    return LANGUAGES[language].figures.vformat(text, (), spoken_values)


def _spoken_value(value: object) -> object:
    return said(value) if isinstance(value, Sentence | DebateError) else value


@cache
def _catalogue(language: Language) -> Catalogue:
    if language == "en":
        return {}
    folder = files("debate_core") / "locale" / language / "LC_MESSAGES"
    return read_catalogue((folder / "debate.po").read_text("utf-8"))


_PO_LINE = re.compile(r'(?P<keyword>msg(?:id|id_plural|str)(?:\[\d\])?)?\s*(?P<text>".*")')


def _read_entry(entry: str) -> dict[str, str]:
    """The texts of one entry by keyword, as `msgid` or `msgstr[0]`; a text may continue over lines."""
    parts: dict[str, str] = {}
    keyword = ""
    for line in entry.splitlines():
        if told := _PO_LINE.fullmatch(line.strip()):
            keyword = told["keyword"] or keyword
            parts[keyword] = parts.get(keyword, "") + json.loads(told["text"])
    return parts


def read_catalogue(po: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The entries of a gettext `.po` file, without its header and untranslated entries."""
    found = {}
    for entry in re.split(r"\n\s*\n", po):
        parts = _read_entry(entry)
        english = tuple(text for name, text in parts.items() if name.startswith("msgid"))
        translated = tuple(text for name, text in parts.items() if name.startswith("msgstr"))
        if english and english[0] and all(translated):
            found[english] = translated
    return found
