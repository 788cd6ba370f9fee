"""Text similarity, and whether a claim restates an earlier one.

Uses character n-grams; it has no knowledge of meaning. Thresholds were set on labelled public text.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from debate_core.spec.contents import Claim
from debate_core.spec.protocol import Spec

RESTATED = 0.33
"""Likeness from which a claim counts as restated. On labelled pairs precision is 0.9 and recall on paraphrases 0.6."""
LEAST_DICE = 0.35
"""Minimum Dice of the grams: a long claim may contain a short one and much besides."""
BEYOND_SUBJECT = 0.25
"""Minimum likeness outside the words of the question; half of the false positives have less."""
PHRASE_WORDS = 6
"""Maximum length of a shared phrase; names of subjects are rarely longer."""
FEW_WORDS = 2
"""Claims with this many content words or fewer are alike by chance; they restate only claims with the same ones."""
HEAD = 4
"""Words with the same first letters, this many, count as forms of one word."""
SENTENCE_WORDS = 5
CHARS_PER_WORD = 3
"""For scripts without spaces between words."""

_WORD = re.compile(r"[a-z0-9]+")
_LETTER = re.compile(r"[^\W_]")
_ANY_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_GRAMMAR = frozenset(
    _WORD.findall(
        "a an the of to in on at by for from with as is are am be was were has have had do does did can it its this "
        "that i we you and or but so then"
    )
)
"""Words without content. Negations are not among them."""


@lru_cache(maxsize=8192)
def grams(text: str) -> frozenset[str]:
    """Character 4-grams of the words, each padded with blanks; 3-grams of the whole text if it is not Latin."""
    folded = text.lower()
    if not _is_latin(folded):
        raw = " ".join(folded.split())
        return frozenset(raw[i : i + 3] for i in range(max(1, len(raw) - 2)))
    return frozenset[str]().union(*map(_grams_of_word, _WORD.findall(folded)))


# Texts of one debate share most of their words.
@lru_cache(maxsize=8192)
def _grams_of_word(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    return tuple(padded[i : i + 4] for i in range(max(1, len(padded) - 3)))


def _is_latin(folded: str) -> bool:
    return folded.isascii() or 2 * sum(map(len, _WORD.findall(folded))) >= len(_LETTER.findall(folded))


def dice(a: str, b: str) -> float:
    """Dice similarity of two texts, 0 to 1: shared grams over all grams."""
    return _shared(grams(a), grams(b))


def _shared(mine: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(mine & other) / (len(mine) + len(other)) if mine or other else 0.0


def likeness(claim: str, earlier: str) -> float:
    """Likeness of two claims, 0 to 1: the mean of three measures.

    Dice of their grams; the share of the shorter one's grams; and Dice of their content words without the longest
    shared phrase, since a common subject such as `the minimum wage` is not part of the statement.
    """
    mine, others = grams(claim), grams(earlier)
    shorter = min(len(mine), len(others))
    held = len(mine & others) / shorter if shorter else 0.0
    phrase = _shared_phrase(claim, earlier)
    beyond_phrase = _shared(_telling(claim) - phrase, _telling(earlier) - phrase)
    return (_shared(mine, others) + held + beyond_phrase) / 3


def _shared_phrase(claim: str, earlier: str) -> frozenset[str]:
    """The word heads of the longest shared run of up to `PHRASE_WORDS` words; the first one of equal length."""
    mine, others = _heads(claim), _heads(earlier)
    longest: tuple[str, ...] = ()
    # Upwards, because a shared run contains shorter ones: most pairs share none of two words.
    for length in range(1, PHRASE_WORDS + 1):
        runs = {others[start : start + length] for start in range(len(others) - length + 1)}
        shared = (run for start in range(len(mine) - length + 1) if (run := mine[start : start + length]) in runs)
        found = next(shared, None)
        if found is None:
            break
        longest = found
    return frozenset(longest)


@lru_cache(maxsize=8192)
def _heads(text: str) -> tuple[str, ...]:
    return tuple(word[:HEAD] for word in _WORD.findall(text.lower()))


def restates(claim: str, earlier: str, asked: str = "") -> bool:
    """True if a claim says about the same as an earlier one: the single definition of "not new".

    `asked` is the question with its options: claims must share more than the words of their subject.
    """
    return dice(claim, earlier) >= LEAST_DICE and similar_restates(claim, earlier, grams(asked))


def similar_restates(claim: str, earlier: str, subject: frozenset[str]) -> bool:
    """True if a claim restates an earlier one with `LEAST_DICE` or more; `subject`: the grams of what is asked."""
    mine, others = _telling(claim), _telling(earlier)
    if min(len(mine), len(others)) <= FEW_WORDS:
        return mine == others and likeness(claim, earlier) >= RESTATED
    # Other figures first: among many similar claims they are the usual difference, and the cheapest to see.
    is_same = not _other_figures(claim, earlier) and likeness(claim, earlier) >= RESTATED
    return is_same and _beyond_subject(claim, earlier, subject)


def new_claims_of(claims: Iterable[tuple[int, Claim]], number: int, asked: str) -> Iterator[Claim]:
    """The claims of this round that restate no earlier one; each claim comes with its round, in order."""
    known: list[str] = []
    for round_number, claim in claims:
        is_old = any(restates(claim.text, earlier, asked) for earlier in known)
        if round_number == number and not is_old:
            yield claim
        known.append(claim.text)


def asked_words(spec: Spec) -> str:
    """The question with its options: the words that all claims share."""
    return " ".join((spec.question, *spec.options))


def _beyond_subject(claim: str, earlier: str, subject: frozenset[str]) -> bool:
    mine, others = grams(claim) - subject, grams(earlier) - subject
    return not mine or not others or _shared(mine, others) >= BEYOND_SUBJECT


def _other_figures(claim: str, earlier: str) -> bool:
    """True if both contain figures, and the claim has one that the earlier one lacks."""
    mine, others = _figures(claim), _figures(earlier)
    return bool(others) and not mine <= others


@lru_cache(maxsize=8192)
def _figures(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


@lru_cache(maxsize=8192)
def _telling(text: str) -> frozenset[str]:
    """Heads of the content words; a text without any counts as one word, a non-Latin one as its grams."""
    folded = text.lower()
    if not _is_latin(folded):
        return grams(text)
    words = _WORD.findall(folded)
    heads = frozenset(word[:HEAD] for word in words if word not in _GRAMMAR)
    return heads or frozenset({" ".join(sorted(words))})


def sentences(text: str) -> tuple[str, ...]:
    """Sentences of at least five words; shorter ones are alike by chance."""
    return tuple(s for s in split_sentences(text) if _is_long(s))


def split_sentences(text: str) -> tuple[str, ...]:
    """Every sentence or line, stripped."""
    return tuple(s for part in _END.split(text) if (s := part.strip()))


def _is_long(sentence: str) -> bool:
    words = _ANY_WORD.findall(sentence)
    foreign = sum(len(w) for w in words if not w.isascii())
    return len(words) >= SENTENCE_WORDS or foreign >= SENTENCE_WORDS * CHARS_PER_WORD
