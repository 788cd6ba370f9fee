"""How alike two texts are, and whether a claim says again what another one has said.

By the grams of their words: a hint, which knows nothing of meaning. Cuts were set on labelled public text.
"""

import re
from functools import lru_cache

from debate_core.spec.protocol import Spec

RESTATED = 0.33
"""Two claims are the same one in other words from this likeness on: on labelled pairs nine of ten such finds are right,
and three of five paraphrases are found."""
LEAST_DICE = 0.35
"""Claims with fewer grams in common are never the same: a long one may hold all of a short one, and much beside it."""
BEYOND_SUBJECT = 0.25
"""The least likeness of two such claims in what is not of their subject: half of the false finds have less."""
PHRASE_WORDS = 6
"""The name of a subject has hardly more words."""
FEW_WORDS = 2
"""Claims with no more telling words than these are alike by chance: they restate only what has the same ones."""
HEAD = 4
"""Words that begin with the same letters, as many as this, are forms of one word."""
SENTENCE_WORDS = 5
CHARS_PER_WORD = 3
"""For scripts without blanks between words."""

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
"""Words that tell nothing of a subject. Negations are none of them."""


@lru_cache(maxsize=8192)
def grams(text: str) -> frozenset[str]:
    """Character 4-grams of the words, each padded with blanks, short words whole; 3-grams where it is not Latin."""
    folded = text.lower()
    if not _is_latin(folded):
        raw = " ".join(folded.split())
        return frozenset(raw[i : i + 3] for i in range(max(1, len(raw) - 2)))
    padded = (f" {w} " for w in _WORD.findall(folded))
    return frozenset(w[i : i + 4] for w in padded for i in range(max(1, len(w) - 3)))


def _is_latin(folded: str) -> bool:
    return 2 * sum(map(len, _WORD.findall(folded))) >= len(_LETTER.findall(folded))


def dice(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1: shared grams over all grams of both."""
    return _shared(grams(a), grams(b))


def _shared(mine: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(mine & other) / (len(mine) + len(other)) if mine or other else 0.0


def likeness(claim: str, earlier: str) -> float:
    """How far two claims say the same, 0 to 1: the mean of three measures of what they share.

    Dice of their grams, the share of the shorter one's grams, and Dice of their telling words less the longest phrase
    that both have: what they are about, such as `the minimum wage`, is no part of what they say of it.
    """
    mine, others = grams(claim), grams(earlier)
    shorter = min(len(mine), len(others))
    held = len(mine & others) / shorter if shorter else 0.0
    phrase = _shared_phrase(claim, earlier)
    beyond_phrase = _shared(_telling(claim) - phrase, _telling(earlier) - phrase)
    return (_shared(mine, others) + held + beyond_phrase) / 3


def _shared_phrase(claim: str, earlier: str) -> frozenset[str]:
    """The heads of the longest run of words, up to `PHRASE_WORDS`, that both texts have; of equal ones the first."""
    mine, others = _heads(claim), _heads(earlier)
    for length in range(min(PHRASE_WORDS, len(mine), len(others)), 0, -1):
        runs = {others[start : start + length] for start in range(len(others) - length + 1)}
        for start in range(len(mine) - length + 1):
            if mine[start : start + length] in runs:
                return frozenset(mine[start : start + length])
    return frozenset()


@lru_cache(maxsize=8192)
def _heads(text: str) -> tuple[str, ...]:
    return tuple(word[:HEAD] for word in _WORD.findall(text.lower()))


def restates(claim: str, earlier: str, asked: str = "") -> bool:
    """True if a claim says in about the same words what an earlier one said: the one definition of "not new".

    `asked` is the question with its options: claims must share more than the words of their subject.
    """
    if dice(claim, earlier) < LEAST_DICE or likeness(claim, earlier) < RESTATED:
        return False
    mine, others = _telling(claim), _telling(earlier)
    if min(len(mine), len(others)) <= FEW_WORDS:
        return mine == others
    return not _other_figures(claim, earlier) and _beyond_subject(claim, earlier, grams(asked))


def asked_words(spec: Spec) -> str:
    """The question with its options: the words of the subject, which everybody uses."""
    return " ".join((spec.question, *spec.options))


def _beyond_subject(claim: str, earlier: str, subject: frozenset[str]) -> bool:
    mine, others = grams(claim) - subject, grams(earlier) - subject
    return not mine or not others or _shared(mine, others) >= BEYOND_SUBJECT


def _other_figures(claim: str, earlier: str) -> bool:
    """True if both name figures, and the claim one that the earlier one has not."""
    mine, others = set(_NUMBER.findall(claim)), set(_NUMBER.findall(earlier))
    return bool(others) and not mine <= others


@lru_cache(maxsize=8192)
def _telling(text: str) -> frozenset[str]:
    """How the words begin that are no grammar; a text of grammar alone is one, and where it is not Latin its grams."""
    folded = text.lower()
    if not _is_latin(folded):
        return grams(text)
    words = _WORD.findall(folded)
    heads = frozenset(word[:HEAD] for word in words if word not in _GRAMMAR)
    return heads or frozenset({" ".join(sorted(words))})


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of at least five words: shorter ones are alike by chance."""
    return tuple(s for s in split_sentences(text) if _is_long(s))


def split_sentences(text: str) -> tuple[str, ...]:
    """Every sentence or line, without blanks around it."""
    return tuple(s for part in _END.split(text) if (s := part.strip()))


def _is_long(sentence: str) -> bool:
    words = _ANY_WORD.findall(sentence)
    foreign = sum(len(w) for w in words if not w.isascii())
    return len(words) >= SENTENCE_WORDS or foreign >= SENTENCE_WORDS * CHARS_PER_WORD
