"""Numbers with units, dates, addresses and names in a text, and those that are missing in another text.

Compares tokens exactly: `40%`, `40 percent` and `forty percent` are equal, `40 ms` is not. A verbatim copy has no
missing facts. Knows no debate.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from debate_core.engine.quotes import words

_UNIT_SPELLINGS: Mapping[str, str] = {
    "%": "% percent pct",
    "ms": "ms millisecond milliseconds msec",
    "μs": "μs us microsecond microseconds",
    "ns": "ns nanosecond nanoseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "day": "d day days",
    "week": "week weeks",
    "month": "mo month months",
    "year": "y yr yrs year years",
    "$": "$ usd dollar dollars",
    "€": "€ eur euro euros",
    "£": "£ gbp pound pounds",
    "¥": "¥ jpy yen",
    "kb": "kb kib kilobyte kilobytes",
    "mb": "mb mib megabyte megabytes",
    "gb": "gb gib gigabyte gigabytes",
    "tb": "tb tib terabyte terabytes",
    "byte": "byte bytes",
    "req": "rps qps tps req request requests",
    "x": "x times fold",
}
_UNITS = {spelt: unit for unit, all_ in _UNIT_SPELLINGS.items() for spelt in all_.split()}
_CURRENCIES = frozenset("$€£¥")
_MAGNITUDES = {"k": 10**3, "hundred": 100, "thousand": 10**3, "million": 10**6, "bn": 10**9, "billion": 10**9}
_LETTERS = re.compile("[a-z]+")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_SPELT = {word: n for n, word in enumerate(_LETTERS.findall(_ONES))}
_TENS = {w: 10 * n for n, w in enumerate(_LETTERS.findall("twenty thirty forty fifty sixty seventy eighty ninety"), 2)}
_NAMES_OF_MONTHS = "january february march april may june july august september october november december"
_MONTHS = {spelt: n for n, m in enumerate(_LETTERS.findall(_NAMES_OF_MONTHS), 1) for spelt in (m, m[:3])} | {"sept": 9}
_URL = re.compile(r"(?:https?://|www\.)[^\s)>\]\"”]+", re.I)
_MONTH = "|".join(_MONTHS)
_DATE = re.compile(
    r"\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{4}-(?:0[1-9]|1[0-2])\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b"
    rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+)?(?:{_MONTH})\.?\s+\d{{4}}\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b"
    rf"|\b(?:{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?",
    re.I,
)
_VERSION = re.compile(r"\bv(?=\d)", re.I)
_WORD = re.compile(r"[^\W\d_]\w*(?:['’][^\W_]+)?")
_BEGINS = re.compile(r"(?:^|[.!?:;•\n…])[\s\"'“”‘’(\[*_–—-]*$")
LOOK_BACK_CHARS = 40
"""Maximum length of quotation marks and blanks between the start of a sentence and its first word."""
_SPEAKS = re.compile(r"\s+(?:said|says|reported|reports|announced|claimed|warned|warns|argued|wrote|estimates)\b")
_COMMON = frozenset(
    _LETTERS.findall(
        "a about above after again against all also am an and any are as at be because been before being below "
        "between both but by can could did do does doing down during each either else even ever every few for from "
        "further had has have having he her here hers him his how however i if in into is it its itself just least "
        "less like made make many may me might more most much must my neither never no nor not now of off on once one "
        "only or other our out over own per rather same she should since so some still such than that the their them "
        "then there these they this those though through to too two under until up upon us use used using very was we "
        "well were what when where whether which while who whom whose why will with within without would yes yet you "
        "your say says said side sides point points option debate claim claims argument arguments answer seat seats "
    )
)
"""Function words and words about debates: no names, even if capitalised."""
_VAGUE = frozenset(
    _LETTERS.findall(
        "think thinks thought seem seems really good better best bad believe believes agree agrees need needs want "
        "wants know knows clear clearly show shows showed shown give gives given take takes taken sense reason reasons "
        "right wrong thing things something anything nothing everything someone anyone actually probably maybe sure "
        "quite pretty little lots kind sort part parts case cases time times first last next another different "
        "important main possible likely true false fact facts mean means meant going goes gone come comes came look "
        "looks find found tell tells told seen back around long great high help helps work works people person "
        "question questions evidence quote quotes choose chosen decide decided "
    )
)
"""Words that say little about a subject: with the common ones they are not significant."""


_SAME_START = 5
"""Letters of the shorter of two names that count as one because one begins with the other: Postgres, PostgreSQL."""


@lru_cache(maxsize=4096)
def _run(text: str) -> str:
    return f" {' '.join(words(text))} "


def copied(text: str, support: Sequence[str]) -> bool:
    """True if one of these texts contains the text verbatim."""
    run = _run(text)
    return bool(run.strip()) and any(run in _run(whole) for whole in support)


def missing(text: str, support: Sequence[str], names: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Numbers, dates, addresses and names that none of these texts has; `names` are stems allowed everywhere."""
    if copied(text, support):
        return ()
    plain = _URL.sub(" ", text)
    undated = _DATE.sub(" ", plain)
    whole = " ".join(support).casefold()
    absent = [link for link in _URL.findall(text) if link.rstrip(".,;:!?").casefold() not in whole]
    absent += _missing_dates(plain, support)
    numbers = frozenset[tuple[str, str]]().union(*map(_numbers_said, support))
    absent += [shown for shown, number in _numbers_named(undated) if number not in numbers]
    known_stems = vocabulary(support) | names
    absent += [name for name in _names(undated) if not is_known(_stem(name), known_stems)]
    return tuple(dict.fromkeys(absent))


def _missing_dates(text: str, support: Sequence[str]) -> list[str]:
    """A date is known if one date of the support has all its parts: `March 2024` of `3 March 2024`."""
    dates = [date for source in support for date in _dates(source)]
    return [shown for shown, date in _dates_shown(text) if not any(date <= known for known in dates)]


def _dates_shown(text: str) -> Iterator[tuple[str, frozenset[int]]]:
    for match in _DATE.finditer(text):
        parts = re.findall(r"\d+|[a-z]+", match.group().casefold())
        numbers = (int(p) if p.isdigit() else _MONTHS.get(p, 0) for p in parts)
        yield match.group(), frozenset(n for n in numbers if n)


@lru_cache(maxsize=1024)
def _dates(text: str) -> tuple[frozenset[int], ...]:
    return tuple(date for _, date in _dates_shown(text))


def _tokens(text: str) -> list[str]:
    return words(_VERSION.sub("", re.sub(r"\bper cent\b", "%", text, flags=re.I)))


def is_unit(word: str) -> bool:
    """True for a spelling of a unit: `ms`, `percent`, `dollars`."""
    return word.casefold() in _UNITS


def _value(token: str) -> str | None:
    """Normalise a number; versions and times of day stay."""
    if not re.match(r"-?\d", token):
        return None
    if not re.fullmatch(r"-?\d+(?:\.\d+)?", token):
        return token
    return format(Decimal(token).normalize(), "f")


def _counted(tokens: Sequence[str]) -> Iterator[tuple[str, bool, int, int]]:
    """Yield every number: its value, True if it is spelt out, and its start and end."""
    i = 0
    while i < len(tokens):
        value = _value(tokens[i])
        end = i + 1
        if value is not None:
            yield value, False, i, end
        elif tokens[i] in _TENS or tokens[i] in _SPELT:
            number, end = _spelt_out(tokens, i)
            yield str(number), True, i, end
        i = end


def _spelt_out(tokens: Sequence[str], start: int) -> tuple[int, int]:
    """`twenty`, `five` -> (25, end)."""
    end = start + 1
    if tokens[start] not in _TENS:
        return _SPELT[tokens[start]], end
    tens = _TENS[tokens[start]]
    ones = _SPELT.get(tokens[end], 0) if end < len(tokens) else 0
    if 0 < ones < 10:
        return tens + ones, end + 1
    return tens, end


def _scaled(value: str, tokens: Sequence[str], end: int) -> tuple[str, int]:
    """`10`, `k` -> (`10000`, end)."""
    while end < len(tokens) and tokens[end] in _MAGNITUDES and re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        value, end = format((Decimal(value) * _MAGNITUDES[tokens[end]]).normalize(), "f"), end + 1
    return value, end


def _behind(tokens: Sequence[str], end: int) -> str:
    return _UNITS.get(tokens[end], "") if end < len(tokens) else ""


def _before(tokens: Sequence[str], start: int) -> str:
    if start == 0 or tokens[start - 1] not in _CURRENCIES:
        return ""
    return tokens[start - 1]


@lru_cache(maxsize=1024)
def _numbers_said(text: str) -> frozenset[tuple[str, str]]:
    """Every number in every reading, with its units and without."""
    tokens = _tokens(text)
    found = set[tuple[str, str]]()
    for value, _, start, end in _counted(tokens):
        scaled, last = _scaled(value, tokens, end)
        for number, at in ((value, end), (scaled, last)):
            found |= {(number, unit) for unit in ("", _behind(tokens, at), _before(tokens, start))}
    return frozenset(found)


def _numbers_named(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each number as shown with its reading; spelt ones only with a unit, because `two sides` is no figure."""
    tokens = _tokens(text)
    for value, spelt, start, end in _counted(tokens):
        scaled, last = _scaled(value, tokens, end)
        behind = _behind(tokens, last)
        before = _before(tokens, start)
        if spelt and not behind and last == end:
            continue
        shown = tokens[start - bool(before and not behind) : last + bool(behind)]
        yield " ".join(shown), (scaled, behind or before)


def _names(text: str) -> Iterator[str]:
    """Yield capitalised words inside a sentence, and words that can only be names: `API`, `PostgreSQL`, `p95`."""
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s$", "", match.group())
        if len(word) < 2 or _is_common(word.casefold()) or _VERSION.match(word):
            continue
        if _is_only_a_name(word) or (word[0].isupper() and _is_capitalised_name(word, text, match)):
            yield word


def _is_common(plain: str) -> bool:
    return plain in _COMMON or plain in _UNITS or re.split("['’]", plain)[0] == "i"


def _is_only_a_name(word: str) -> bool:
    """True for a word with a digit, or with a capital after its first letter."""
    has_digit = any(sign.isdigit() for sign in word)
    return has_digit or any(sign.isupper() for sign in word[1:])


def _is_capitalised_name(word: str, text: str, match: re.Match[str]) -> bool:
    """True for a capitalised word inside a sentence, or at its start before a verb of speech: `Gartner reported`."""
    start = match.start()
    begins_sentence = _BEGINS.search(text, max(0, start - LOOK_BACK_CHARS), start) is not None
    return not begins_sentence or _speaks(word, text, match.end())


def _speaks(word: str, text: str, end: int) -> bool:
    return not word.endswith(("s", "ing")) and _SPEAKS.match(text, end) is not None


def _stem(word: str) -> str:
    plain = re.sub(r"['’]s?$", "", word.casefold()).strip("'’")
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") else plain


@lru_cache(maxsize=1024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(w) for w in _WORD.findall(text))


def vocabulary(texts: Collection[str]) -> frozenset[str]:
    """Stems of all words of these texts."""
    return frozenset[str]().union(*map(_stems, texts))


def is_known(stem: str, known: frozenset[str]) -> bool:
    """True if the word, or a longer or shorter form of it, is known."""
    if stem in known:
        return True
    if len(stem) < _SAME_START:
        return False
    shorter = {stem[:length] for length in range(_SAME_START, len(stem))}
    return any(other in shorter or other.startswith(stem) for other in known)


def telling(text: str) -> frozenset[str]:
    """Stems of the significant words of a text."""
    found = (w for w in _WORD.findall(text) if len(w) > 3)
    return frozenset(_stem(w) for w in found if w.casefold() not in _COMMON | _VAGUE)
