"""Positions of a quote in its source as slices of the loaded text, for display only."""

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from debate_core.engine.quotes import (
    LINK_TARGET,
    MIN_QUOTE_WORDS,
    WORD,
    Gap,
    check_quote,
    parts_of,
    pieces,
    run_of,
    shortest_gaps,
    words,
)

Slice = tuple[int, int]
NEAR_CHARS = 600
"""Maximum distance between pieces of an altered quote and its longest piece."""
_ONE_BY_ONE = {**dict.fromkeys(map(ord, "‘’‚‛′"), "'"), **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")}
_PLACED_WORD = re.compile(rf"(?:(?<!\w)-)?\d+(?:,\d{{3}}(?!\d))+(?:[.:]\d+)*|{WORD.pattern}")
"""A word of a quote; a number with commas is one word: 9,000."""


def quote_places(source_text: str, quote: str) -> tuple[Slice, ...]:
    """The slices of the text with the parts of the quote; for an altered quote, those of its words that appear.

    Empty if nothing similar appears.
    """
    if check_quote(source_text, quote).verdict in ("not_found", "no_source"):
        return ()
    source = _placed_text(source_text)
    return tuple(source.slice(start, stop) for start, stop in _places_in(source.text, quote))


def _places_in(text: str, quote: str) -> list[Slice]:
    """Slices in a text of words: the whole quote, else its parts in order, else nearby pieces."""
    whole = run_of(words(quote))
    start = text.find(whole)
    if start >= 0:
        return [(start, start + len(whole))]
    return _parts_in_order(text, quote) or _near_one_another(_pieces_of(text, words(quote)))


def _parts_in_order(text: str, quote: str) -> list[Slice]:
    """The parts between ellipses where they omit the least; [] for a single part or if they do not follow."""
    runs = [run_of(part) for part in parts_of(quote)]
    if len(runs) < 2:
        return []
    nearest = min(shortest_gaps(text, runs), key=_chars_left_out, default=None)
    if nearest is None:
        return []
    start = nearest[0][0] + 1 - len(runs[0])
    slices = [(start, start + len(runs[0]))]
    for run, (_, start) in zip(runs[1:], nearest, strict=True):
        slices.append((start, start + len(run)))
    return slices


def _chars_left_out(gaps: Sequence[Gap]) -> int:
    return sum(stop - start for start, stop in gaps)


def _pieces_of(text: str, part: Sequence[str]) -> list[Slice]:
    """The words, halved until a piece of them appears."""
    at = text.find(run_of(part))
    if at >= 0:
        return [(at, at + len(run_of(part)))]
    if len(part) < 2 * MIN_QUOTE_WORDS:
        return []
    half = len(part) // 2
    return [*_pieces_of(text, part[:half]), *_pieces_of(text, part[half:])]


def _near_one_another(pieces: Sequence[Slice]) -> list[Slice]:
    longest = max(pieces, key=lambda piece: piece[1] - piece[0], default=(0, 0))
    return sorted(piece for piece in pieces if abs(piece[0] - longest[0]) <= NEAR_CHARS)


@dataclass(frozen=True, slots=True)
class _PlacedText:
    """A document as words between single blanks, with the start of each word there and its place in the loaded text."""

    text: str
    words: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]

    def slice(self, start: int, stop: int) -> Slice:
        """The slice of the loaded text for these words."""
        return self.starts[bisect_left(self.words, start)], self.ends[bisect_left(self.words, stop) - 1]


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
