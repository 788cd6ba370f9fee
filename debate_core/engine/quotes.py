"""Verification of quotes against documents, word by word, without judgement.

Typography, markup and punctuation are ignored; words, numbers with their sign, units and negations must agree. The
rules of a debate depend on these verdicts: raise `MEASURES` in `debate_core/record/events.py` when you change them.
`quote_places` is for display only.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nsmallest
from itertools import pairwise
from typing import Literal

QuoteVerdict = Literal["verbatim", "near", "altered", "not_found", "no_source"]
FOUND: frozenset[QuoteVerdict] = frozenset({"verbatim", "near"})
"""Results for quotes that are in their sources."""

MIN_QUOTE_WORDS = 3
MIN_QUOTE_CHARS = 12
"""A part with fewer words and fewer characters occurs in too many documents to prove anything."""
SHORT_GAP_WORDS = 8
"""Longest ellipsis within a sentence, in words, that leaves a quote verbatim, unless it hides a negation: "is … safe"
for "is not known to be safe"."""
SAME_SENTENCE_SHARE = 0.7
"""With a smaller share of its words in place, a quote is another sentence, not an altered one."""
MAX_STRETCHES = 3
"""Number of stretches of the document to compare with a quote, those with the most shared words first."""
BUCKET_WORDS = 4
"""Stretches that begin within this many words are compared once, since words may be left out or inserted."""
SLACK_WORDS = 12
"""Words by which a stretch exceeds 5/4 of the quote's length, since words may be left out."""
MAX_LEFT_OUT = 2
"""Words that a quote may leave out without an ellipsis, or a quarter of its words if that is more."""

MAX_PLACES = 50_000
"""Limit on examined word positions, rare words first; in a hostile document every word is everywhere."""
PIECE_CHARS = 100_000
"""Size of the pieces in which a document is read: `re` holds the interpreter lock and blocks other threads."""

_FOLD = {
    **dict.fromkeys(map(ord, "‘’‚‛′"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff")),
}
"""Quotation marks and dashes become plain; characters without width are dropped."""
_RAISED = re.compile("[²³¹⁰⁴-⁹¼-¾⅐-⅞]")
"""10² becomes 10 2, not 102."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""9,000 becomes 9000."""
LINK_TARGET = re.compile(r"\]\([^)\s]{0,2000}\)")
"""The address in [the report](https://example.org/report). Bounded, since a hostile text could take hours."""
WORD = re.compile(
    r"(?<!\w)-?\d+(?:[.:]\d+)*"  # -3, 12:30, 1.2.3
    r"|\d+(?:[.:]\d+)*"  # the 2 of v2
    r"|[^\W\d_](?:[^\W_]|'(?=[^\W_]))*"  # latency, don't, b2b
    r"|[%$€£¥≤≥±]|[<>](?=\s?[\d$€£])"  # %, $, < 5
)
_ELLIPSIS = re.compile(r"\[?(?:…|\.\s?\.\s?\.)\.*\]?")
"""…, ..., [. . .]"""
_SENTENCE_END = re.compile(
    r"[.!?][\"')\]*_]*\s+(?=[^\w\s]*[^\W_a-z])"  # ... in June. The team
    r"|[。．]"
    r"|\n\s*\n"
    r"|\n(?=\s*(?:[-*+#|>]|\d+[.)])\s)"  # the next item of a list, a heading, a row
)
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "neither", "nor", "nobody", "nothing", "nowhere", "without", "cannot"}
    | {"hardly", "barely", "unless", "except", "only"}
)
Slice = tuple[int, int]
NEAR_CHARS = 600
"""Maximum distance between pieces of an altered quote and its longest piece."""
_ONE_BY_ONE = {**dict.fromkeys(map(ord, "‘’‚‛′"), "'"), **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")}
_PLACED_WORD = re.compile(rf"(?:(?<!\w)-)?\d+(?:,\d{{3}}(?!\d))+(?:[.:]\d+)*|{WORD.pattern}")
"""A word of a quote; a number with commas is one word: 9,000."""


def words(text: str) -> list[str]:
    """Words, numbers with their sign, and units, which must agree; typography, markup and punctuation are dropped."""
    return [word for sentence in _sentences(text) for word in sentence]


def _sentences(text: str) -> list[list[str]]:
    """The words of each sentence, list item and paragraph."""
    plain = "".join(map(_plain, pieces(text)))
    return [_words_of(sentence.casefold()) for sentence in _SENTENCE_END.split(plain)]


def _plain(text: str) -> str:
    text = LINK_TARGET.sub("]", text)
    text = _RAISED.sub(lambda raised: f" {raised.group()}", text)
    return _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).translate(_FOLD))


def _words_of(sentence: str) -> list[str]:
    """The words of one sentence. A long one is read word by word: slower, but other threads can run."""
    if len(sentence) <= PIECE_CHARS:
        return WORD.findall(sentence)
    return [word.group() for word in WORD.finditer(sentence)]


def pieces(text: str) -> Iterator[str]:
    """The text in pieces that end at a blank or line break where possible."""
    begin = 0
    while len(text) - begin > PIECE_CHARS:
        end = begin + PIECE_CHARS
        cut = max(text.rfind(" ", begin, end), text.rfind("\n", begin, end)) + 1
        end = cut or end
        yield text[begin:end]
        begin = end
    yield text[begin:]


@dataclass(frozen=True, slots=True)
class _SourceWords:
    """A document as words between single blanks, and the positions of blanks at which a sentence ends."""

    text: str
    ends: Sequence[int]

    def has_end(self, start: int, stop: int) -> bool:
        """True if a sentence ends between these positions, inclusive."""
        return bisect_left(self.ends, start) < bisect_right(self.ends, stop)


@lru_cache(maxsize=16)
def _folded(text: str) -> _SourceWords:
    parts = [" "]
    ends = array("I")
    length = 0
    for sentence in _sentences(text):
        if sentence:
            part = f"{' '.join(sentence)} "
            parts.append(part)
            length += len(part)
            ends.append(length)
    return _SourceWords("".join(parts), ends)


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """The verdict on a quote, and the words of the document that its ellipses leave out, one text each."""

    verdict: QuoteVerdict
    left_out: tuple[str, ...] = ()


def verify_quote(source_text: str, quote: str) -> QuoteVerdict:
    """The verdict on a quote. `near` and `altered` are no support; they only suggest the cause.

    For a source with `The old queue lost nine messages in May. Nobody noticed it.`:

    * verbatim: `The old queue … messages in May`: every part appears word by word, in order, and an ellipsis leaves
      out a few words of one sentence.
    * near: `The old queue … Nobody noticed it` or `The queue lost nine messages in May`: an ellipsis leaves out more,
      or words are missing without one. `in May` is too short to be certain.
    * altered: `The old queue lost two messages in May`: a word, number or negation differs, or an ellipsis hides a
      negation.
    * not_found: `The new cache is slow under load`: nothing similar.
    """
    return check_quote(source_text, quote).verdict


@lru_cache(maxsize=8192)
def check_quote(source_text: str, quote: str) -> QuoteCheck:
    """The verdict on a quote, with its omitted words, at the place where its ellipses omit the least."""
    whole = words(quote)
    if not whole:
        return QuoteCheck("not_found")
    source = _folded(source_text)
    if run_of(whole) in source.text:
        return QuoteCheck("near" if _is_short(whole) else "verbatim")
    in_parts = _in_parts(source, parts_of(quote))
    if in_parts is not None:
        return in_parts
    return QuoteCheck(_nearest(_placed(source_text), whole))


def _in_parts(source: _SourceWords, parts: Sequence[Sequence[str]]) -> QuoteCheck | None:
    """The verdict on a quote with ellipses whose parts appear in order; None for other quotes."""
    short = [part for part in parts if _is_short(part)]
    if len(parts) < 2 or len(short) == len(parts):
        return None
    runs = [run_of(part) for part in parts]
    checks = [_with_gaps(source, gaps) for gaps in shortest_gaps(source.text, runs)]
    if not checks:
        return None
    nearest = min(checks, key=_least_left_out)
    is_unsure = nearest.verdict == "verbatim" and bool(short)
    return replace(nearest, verdict="near") if is_unsure else nearest


def parts_of(quote: str) -> list[list[str]]:
    """The words of each part between the ellipses of a quote."""
    return [part for part in map(words, _ELLIPSIS.split(quote)) if part]


def run_of(part: Sequence[str]) -> str:
    """Words as they appear in a folded text: between single blanks."""
    return f" {' '.join(part)} "


def _is_short(part: Sequence[str]) -> bool:
    return len(part) < MIN_QUOTE_WORDS and len(" ".join(part)) < MIN_QUOTE_CHARS


Gap = tuple[int, int]
"""Positions of the blanks before and after the text that an ellipsis omits."""


def shortest_gaps(text: str, runs: Sequence[str]) -> Iterator[list[Gap]]:
    """The gaps between runs that follow one another, with each run as close to the next as possible.

    The runs ` the cat ` and ` is safe ` have one match in ` the cat or the cat now is safe `, with the gap ` now`; the
    first cat is farther away. Neighbouring runs share the blank between them.
    """
    begin = 0
    while (end := _end_of_all(text, runs, begin)) >= 0:
        gaps: list[Gap] = []
        start = text.rfind(runs[-1], begin, end)
        for run in reversed(runs[:-1]):
            at = text.rfind(run, begin, start + 1)
            gaps.insert(0, (at + len(run) - 1, start))
            start = at
        yield gaps
        begin = start + 1


def _end_of_all(text: str, runs: Sequence[str], begin: int) -> int:
    """The earliest end of the last run, or -1 if the runs do not all follow."""
    for run in runs:
        begin = text.find(run, begin)
        if begin < 0:
            return -1
        # At the last blank of this run, where the next run may begin.
        begin += len(run) - 1
    return begin + 1


def _with_gaps(source: _SourceWords, gaps: Sequence[Gap]) -> QuoteCheck:
    left_out = tuple(source.text[start:stop].strip() for start, stop in gaps)
    verdicts = [_verdict_on(source, place) for place in gaps]
    return QuoteCheck(max(verdicts, key=_WORST_LAST.index), left_out)


_WORST_LAST: Sequence[QuoteVerdict] = ("verbatim", "near", "altered")


def _verdict_on(source: _SourceWords, gap: Gap) -> QuoteVerdict:
    left_out = source.text[slice(*gap)].split()
    if len(left_out) > SHORT_GAP_WORDS:
        return "near"
    if any(map(negates, left_out)):
        return "altered"
    return "near" if source.has_end(*gap) else "verbatim"


def _least_left_out(check: QuoteCheck) -> tuple[int, int]:
    return _WORST_LAST.index(check.verdict), sum(map(len, check.left_out))


def negates(word: str) -> bool:
    """True for a word that negates or limits a statement."""
    return word in _NEGATIONS or word.endswith("n't")


@dataclass(frozen=True, slots=True)
class _PlacedWords:
    """A document as words, with the positions of each word."""

    words: Sequence[str]
    places: Mapping[str, Sequence[int]]


@lru_cache(maxsize=16)
def _placed(text: str) -> _PlacedWords:
    all_words: list[str] = []
    places: dict[str, array[int]] = {}
    once: dict[str, str] = {}
    for piece in pieces(_folded(text).text):
        for word in piece.split():
            # A word that occurs a million times is stored once.
            places.setdefault(word, array("I")).append(len(all_words))
            all_words.append(once.setdefault(word, word))
    return _PlacedWords(all_words, places)


def _nearest(source: _PlacedWords, quote: list[str]) -> QuoteVerdict:
    """Compare with the stretches of the source that share the most words in place.

    Candidates are found by diagonals, as in sequence alignment: a word at 3 in the quote and at 40 in the source
    suggests a stretch from 37, as does one at 4 and 41. Starts are grouped into buckets, so that an omitted or inserted
    word moves few of them.
    """
    shared: Counter[int] = Counter()
    left = MAX_PLACES
    for place in sorted(range(len(quote)), key=lambda place: len(source.places.get(quote[place], ()))):
        looked_at = source.places.get(quote[place], ())[:left]
        shared.update((at - place) // BUCKET_WORDS for at in looked_at)
        left -= len(looked_at)
    most_shared_first = nsmallest(MAX_STRETCHES, shared.items(), key=lambda bucket: (-bucket[1], bucket[0]))
    length = len(quote) + len(quote) // 4 + SLACK_WORDS
    verdicts = []
    for bucket, _ in most_shared_first:
        # Start one bucket earlier: an early omission in the quote moves the rest to later starts.
        start = max(0, BUCKET_WORDS * (bucket - 1))
        verdicts.append(_aligned(list(source.words[start : start + length]), quote))
    return min(verdicts, key=("near", "altered", "not_found").index, default="not_found")


def _aligned(stretch: list[str], quote: list[str]) -> QuoteVerdict:
    """The verdict on the quote against this stretch: near, altered or not found."""
    matching = SequenceMatcher(None, stretch, quote, autojunk=False).get_matching_blocks()
    blocks = [block for block in matching if block.size]
    same = sum(block.size for block in blocks)
    if same < max(MIN_QUOTE_WORDS, SAME_SENTENCE_SHARE * len(quote)):
        return "not_found"
    left_out: list[str] = []
    for block, following in pairwise(blocks):
        left_out += stretch[block.a + block.size : following.a]
    few_left_out = len(left_out) <= max(MAX_LEFT_OUT, len(quote) // 4)
    if same == len(quote) and few_left_out and not _change_meaning(left_out):
        return "near"
    return "altered"


def _change_meaning(left_out: Iterable[str]) -> bool:
    """True if the omitted words include a negation, a number or a unit."""
    return any(negates(word) or _is_number_or_unit(word) for word in left_out)


def _is_number_or_unit(word: str) -> bool:
    """True for `40`, `-3`, `%`, `€` and `<`: all other words begin with a letter."""
    return not word[0].isalpha()


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
