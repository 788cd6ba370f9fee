"""Text of people made safe for output: one line, Markdown, plurals and lists."""

import re
from collections.abc import Collection, Sequence

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")

_DIRECTION = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


_MARKUP = re.compile(r"[\\`*_\[\]<>|$~&@]|:(?=//)|(?<=[wW]{3})\.")


_LINE_START = re.compile(r"(?m)^[ \t]*(?:([#+=-])|(\d{1,9})([.)]))")


def plain(text: str) -> str:
    """Text without control and direction characters, which could hide something in a terminal or diff."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def without_direction(text: str) -> str:
    """Text without characters that change the writing direction, such as U+202E."""
    return _DIRECTION.sub("", text)


def line(text: str) -> str:
    """The text without these characters, on one line."""
    return " ".join(plain(re.sub(r"[\r\n\x85\u2028\u2029]", " ", text)).split())


def one_line(text: str) -> str:
    """The words of a text with one blank between them."""
    return " ".join(text.split())


def folded(text: str) -> str:
    """The text without differences in case and blanks, which readers do not notice."""
    return one_line(text.casefold())


def first_words(text: str, most: int) -> str:
    """The beginning of a text on one line, with a mark at its end if it was cut."""
    words = line(text).split()
    return " ".join(words) if len(words) <= most else f"{' '.join(words[:most])} …"


def md_text(text: str) -> str:
    """Markdown that renders exactly this text: no heading, list, table, formula, HTML, image or link."""
    escaped = _MARKUP.sub(lambda m: "\\" + m.group(), plain(text))
    return _LINE_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", escaped)


def capitalized(words: str) -> str:
    """The words with a capital first letter; other capitals stay, as for German nouns and names."""
    return f"{words[:1].upper()}{words[1:]}"


def whole_sentence(words: str) -> str:
    """The words with a capital first letter and one final mark; a question keeps its own."""
    return capitalized(with_final_mark(words))


def with_final_mark(words: str) -> str:
    """The words with one final mark; a first word such as the id of a seat keeps its case."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def plural(n: int, noun: str) -> str:
    """`1 vote`, `2 votes`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def spoken_list(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


_FIRST_WORD = re.compile(r"[A-ZÄÖÜ][a-zäöüß]*(?![\w.:])")
_WORD_IN_LOWER_CASE = re.compile(r"(?<![\w/.`@])[a-zäöüß]{2,}(?![\w/`@])")
# "the Redis cluster", "or, Postgres": a capital within a sentence
_CAPITAL_INSIDE = re.compile(r"(?<=[a-zäöüß,;][ \n])[A-ZÄÖÜ][a-zäöüß]+")
_OF_GRAMMAR = frozenset(
    re.findall(
        r"\w+",
        "a all an and any as at because both but by each every few for from half he her his how if in it its many more "
        "most my neither no nobody nothing not on once one only our she since so some such that the their them there "
        "these they this those to two under until we what when where which while who with without you your alle als "
        "am auch auf aus bei beide da das dass dem den der die dies diese dieser dieses durch ein eine einem einen "
        "einer eines er es für im ist jede jeder jedes kein keine man mit nach nicht nichts niemand noch nur ohne sie "
        "sind um und unser unsere vom von vor weil wenn wer wie wir zu zum zur zwei über",
    )
)
"""Words that begin sentences and are no names, in English and German."""


def everyday_words(text: str) -> frozenset[str]:
    """Words that a text writes in lower case and never with a capital within a sentence, so no names."""
    names = {word.lower() for word in _CAPITAL_INSIDE.findall(text)}
    return frozenset(_WORD_IN_LOWER_CASE.findall(text)) - names


def continuing(sentence: str, everyday: Collection[str] = ()) -> str:
    """A sentence as the continuation of another, as after "because": `The load` becomes `the load`.

    Names keep their capital, and so do all words except grammar words and these `everyday` words.
    """
    first = _FIRST_WORD.match(sentence)
    if first is None:
        return sentence
    word = first.group().lower()
    if word not in _OF_GRAMMAR and word not in everyday:
        return sentence
    return f"{word}{sentence[first.end() :]}"
