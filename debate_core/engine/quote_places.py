"""Where the words of a quote stand in its source, as slices of the text as it was loaded: to be shown, not to judge."""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from debate_core.engine.quotes import (
    LINK_TARGET,
    MIN_QUOTE_WORDS,
    WORD,
    check_quote,
    in_order,
    parts_of,
    pieces,
    run_of,
    words,
)

Slice = tuple[int, int]
NEAR_CHARS = 600
"""Pieces of a quote that was altered are looked for no farther than this from its longest piece."""
_ONE_BY_ONE = {**dict.fromkeys(map(ord, "‘’‚‛′"), "'"), **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")}
_PLACED_WORD = re.compile(rf"(?:(?<!\w)-)?\d+(?:,\d{{3}}(?!\d))+(?:[.:]\d+)*|{WORD.pattern}")
"""A word of a quote, and a number with commas, which is one word: 9,000."""


def quote_places(source_text: str, quote: str) -> tuple[Slice, ...]:
    """The slices of the text in which the parts of the quote stand; of an altered quote those of its words that do.

    Empty if nothing like it stands there.
    """
    verdict, source = check_quote(source_text, quote).verdict, _placed_text(source_text)
    if verdict in ("not_found", "no_source"):
        return ()
    runs = [*map(run_of, parts_of(quote))]
    whole = source.text.find(run_of(words(quote)))
    if whole >= 0:
        found = [(whole, whole + len(run_of(words(quote))))]
    elif len(runs) > 1 and (gaps := [*in_order(source.text, runs)]):
        nearest = min(gaps, key=lambda places: sum(stop - start for start, stop in places))
        starts = [nearest[0][0] + 1 - len(runs[0]), *(stop for _, stop in nearest)]
        found = [(start, start + len(run)) for start, run in zip(starts, runs, strict=True)]
    else:
        found = _near_one_another(_pieces_of(source.text, words(quote)))
    return tuple(source.slice(start, stop) for start, stop in found)


def _pieces_of(text: str, part: Sequence[str]) -> list[Slice]:
    """Where the words stand, halved until a piece of them does."""
    at = text.find(run_of(part))
    if at >= 0:
        return [(at, at + len(run_of(part)))]
    if len(part) < 2 * MIN_QUOTE_WORDS:
        return []
    half = len(part) // 2
    return [*_pieces_of(text, part[:half]), *_pieces_of(text, part[half:])]


def _near_one_another(found: Sequence[Slice]) -> list[Slice]:
    longest = max(found, key=lambda place: place[1] - place[0], default=(0, 0))
    return sorted(place for place in found if abs(place[0] - longest[0]) <= NEAR_CHARS)


@dataclass(frozen=True, slots=True)
class _PlacedText:
    """A document as words with one blank around each; where each word begins in that, and where it stands as loaded."""

    text: str
    words: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]

    def slice(self, start: int, stop: int) -> Slice:
        """Where these words, with the blanks around them, stand as loaded."""
        return self.starts[bisect_left(self.words, start)], self.ends[bisect_right(self.words, stop - 2) - 1]


@lru_cache(maxsize=4)
def _placed_text(text: str) -> _PlacedText:
    parts, begins, starts, ends = [" "], array("I"), array("I"), array("I")
    length = done = 0
    for piece in pieces(text):
        plain = LINK_TARGET.sub(lambda target: " " * len(target.group()), piece).translate(_ONE_BY_ONE)
        for found in _PLACED_WORD.finditer(plain):
            word = unicodedata.normalize("NFKC", found.group()).replace(",", "").casefold()
            begins.append(length + 1)
            starts.append(done + found.start())
            ends.append(done + found.end())
            parts.append(f"{word} ")
            length += len(word) + 1
        done += len(piece)
    return _PlacedText("".join(parts), begins, starts, ends)
