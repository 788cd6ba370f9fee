"""Whether a document says what a quote says: compared word by word, without judging.

Typography, markup and punctuation do not count; words, numbers with their sign, units and negations do.
"""

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

QuoteVerdict = Literal["verbatim", "near", "altered", "not_found", "no_source"]

MIN_QUOTE_WORDS = 3
MIN_QUOTE_CHARS = 12
"""A part of a quote with fewer words and fewer characters stands in too many documents to prove anything."""
SHORT_GAP_WORDS = 8
"""An ellipsis over no more words than these must not hide a negation: "is … safe" for "is not known to be safe"."""
SAME_SENTENCE_SHARE = 0.7
"""With a smaller share of its words in place, a quote is no altered sentence of the document but another one."""
CANDIDATES = 3
"""How many stretches of the document are compared with a quote, those with the most words in place first."""
BUCKET_WORDS = 4
"""Stretches that begin within so many words of one another are one candidate: words were left out or put in."""
SLACK_WORDS = 12
"""How many words a stretch is longer than the quote, and a quarter of the quote more: words may have been left out."""

_FOLD = {
    **dict.fromkeys(map(ord, "‘’‚‛′"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff")),
}
"""Quotation marks and dashes become plain; signs without width go."""
_RAISED = re.compile("[²³¹⁰⁴-⁹¼-¾⅐-⅞]")
"""10² is 10 2 and not 102."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""9,000 is 9000."""
_LINK_TARGET = re.compile(r"\]\([^)\s]*\)")
"""The address in [the report](https://example.org/report)."""
_WORD = re.compile(
    r"(?<!\w)-?\d+(?:[.:]\d+)*"  # -3, 12:30, 1.2.3
    r"|\d+(?:[.:]\d+)*"  # the 2 of v2
    r"|[^\W\d_](?:[^\W_]|'(?=[^\W_]))*"  # latency, don't, b2b
    r"|[%$€£¥≤≥±]|[<>](?=\s?[\d$€£])"  # %, $, < 5
)
_ELLIPSIS = re.compile(r"\[?(?:…|\.\s?\.\s?\.)\.*\]?")
"""…, ..., [. . .]"""
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "neither", "nor", "nobody", "nothing", "nowhere", "without", "cannot"}
    | {"hardly", "barely", "unless", "except", "only"}
)


def words(text: str) -> list[str]:
    """Words, numbers with their sign, and units: what must agree. Typography, markup and punctuation are dropped."""
    text = _LINK_TARGET.sub("]", text)
    text = _RAISED.sub(lambda raised: f" {raised.group()}", text)
    plain = unicodedata.normalize("NFKC", text).translate(_FOLD).casefold()
    return _WORD.findall(_THOUSANDS.sub("", plain))


@lru_cache(maxsize=16)
def _folded(text: str) -> str:
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=8192)
def verify_quote(source_text: str, quote: str) -> QuoteVerdict:
    """Whether the source says this. `near` and `altered` name no support: they only tell what may have happened.

    verbatim: every part between ellipses stands there word by word, in order; near: words were left out, or it is
    too short to be sure; altered: a word, a number or a negation differs; not_found: nothing like it.
    """
    whole = words(quote)
    if not whole:
        return "not_found"
    source = _folded(source_text)
    parts = [part for part in map(words, _ELLIPSIS.split(quote)) if part]
    exact = _in_order(source, [whole]) or _in_order(source, parts)
    if exact is not None:
        return exact
    return _nearest(source.split(), whole)


def _in_order(source: str, parts: list[list[str]]) -> QuoteVerdict | None:
    """The verdict if each part is an exact run of words after the part before it, else None."""
    end_of_last, one_is_short = 0, False
    for number, part in enumerate(parts):
        run = f" {' '.join(part)} "
        start = source.find(run, end_of_last)
        if start < 0:
            return None
        gap = source[end_of_last:start].split()
        if number and len(gap) <= SHORT_GAP_WORDS and any(map(negates, gap)):
            return "altered"
        if len(part) < MIN_QUOTE_WORDS and len(run.strip()) < MIN_QUOTE_CHARS:
            one_is_short = True
        end_of_last = start + len(run) - 1
    if not one_is_short:
        return "verbatim"
    return "near" if len(parts) == 1 else None


def negates(word: str) -> bool:
    """True for a word that turns what is said into its opposite, or limits it."""
    return word in _NEGATIONS or word.endswith("n't")


def _nearest(source: list[str], quote: list[str]) -> QuoteVerdict:
    """Compare with the stretches of the source that share most words in place."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(quote):
        places.setdefault(word, []).append(place)
    shared: Counter[int] = Counter()
    for at, word in enumerate(source):
        shared.update((at - place) // BUCKET_WORDS for place in places.get(word, ()))
    most_shared_first = sorted(shared.items(), key=lambda bucket: (-bucket[1], bucket[0]))
    length = len(quote) + len(quote) // 4 + SLACK_WORDS
    verdicts = []
    for bucket, _ in most_shared_first[:CANDIDATES]:
        start = max(0, BUCKET_WORDS * (bucket - 1))
        verdicts.append(_aligned(source[start : start + length], quote))
    return min(verdicts, key=("near", "altered", "not_found").index, default="not_found")


def _aligned(stretch: list[str], quote: list[str]) -> QuoteVerdict:
    """What the quote is of this stretch: words left out, words altered, or something else."""
    matching = SequenceMatcher(None, stretch, quote, autojunk=False).get_matching_blocks()
    blocks = [block for block in matching if block.size]
    same = sum(block.size for block in blocks)
    if same < max(MIN_QUOTE_WORDS, SAME_SENTENCE_SHARE * len(quote)):
        return "not_found"
    kept = {at for block in blocks for at in range(block.a, block.a + block.size)}
    end = blocks[-1].a + blocks[-1].size
    left_out = [stretch[at] for at in range(blocks[0].a, end) if at not in kept]
    changes_meaning = any(negates(word) or not word[0].isalpha() for word in left_out)
    few_left_out = len(left_out) <= max(2, len(quote) // 4)
    if same == len(quote) and few_left_out and not changes_meaning:
        return "near"
    return "altered"
