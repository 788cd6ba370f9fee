"""A source as slices of itself, and which of them speak to a lens: what the evidence panel quotes from.

Every passage is a contiguous piece of the text as loaded. It knows no stance: ranking finds the subject, never
the side.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from debate_core.engine.markers import has_marker
from debate_core.spec.values import Source

MIN_PASSAGE_CHARS = 40
MIN_PASSAGE_WORDS = 5
USUAL_PASSAGE_CHARS = 400
MAX_PASSAGE_CHARS = 600
MARKER_BOOST = 1.25


@dataclass(frozen=True, slots=True)
class Passage:
    """The slice `start:end` of a source, as loaded. `id` is the source and a number in reading order: `E1.p12`."""

    id: str
    source_id: str
    start: int
    end: int
    text: str


# Every line without its end, empty ones too.
_LINE = re.compile(r"[^\n]+|(?<=\n)(?=\n)|\A(?=\n)")
# What stands before the text of an item: "- ", "> 2. ", "- [x] "
_ITEM = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+|>[ \t]*)?(?:\[[ xX]\][ \t]+)?")
# "* text", "12) text", and a row of a table
_STARTS_BLOCK = re.compile(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|\|)")
# "## Heading", "-----", a comment, a picture
_NO_PROSE = re.compile(r"#{1,6}(?:\s|$)|[-=*_| :+]+$|<!--|!\[")
# The line below a heading, or below the head of a table: "====", "|---|:--|"
_UNDERLINE = re.compile(r"[-=|: ]+$")
# A word of letters that stands by itself: not a path, a name with digits or an address
_PROSE_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\s,;:.!?)\"'|*`])")
# "```python", "~~~", also within an item or a quotation
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")
# The end of "He said so.)" with the brackets and quotes that belong to it
_SENTENCE_END = re.compile(r"[.!?][)\"'”’*_]*(?=\s)")


@lru_cache(maxsize=16)
def passages_of(source: Source) -> tuple[Passage, ...]:
    """Paragraphs, list items and runs of sentences, 40 to 600 characters; no headings, code or front matter."""
    text = source.text
    passages: list[Passage] = []
    for start, end in _blocks(text):
        for low, high in _windows(text, start, end):
            words = _PROSE_WORD.findall(text, low, high)
            if high - low >= MIN_PASSAGE_CHARS and len(words) >= MIN_PASSAGE_WORDS:
                name = f"{source.id}.p{len(passages) + 1}"
                passages.append(Passage(name, source.id, low, high, text[low:high]))
    return tuple(passages)


def _blocks(text: str) -> list[tuple[int, int]]:
    """Where paragraphs and list items begin and end."""
    blocks: list[tuple[int, int]] = []
    in_block, fence = False, ""
    for line in _LINE.finditer(text, front_matter_end(text)):
        raw = line.group()
        fence_here = _FENCE.match(raw)
        if fence_here and (not fence or fence_here.group(1).startswith(fence)):
            fence = "" if fence else fence_here.group(1)
            in_block = False
            continue
        item = _ITEM.match(raw)
        start = line.start() + (item.end() if item else 0)
        rest = text[start : line.end()].rstrip()
        end = start + len(rest)
        starts_block = _STARTS_BLOCK.match(raw) is not None
        is_indented_code = raw.startswith(("    ", "\t")) and not in_block and not starts_block
        if in_block and _UNDERLINE.match(rest):
            # The line above is a heading, or the head of a table.
            blocks.pop()
        if fence or is_indented_code or not rest or _NO_PROSE.match(rest):
            in_block = False
        elif in_block and not starts_block:
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((start, end))
            in_block = True
    return blocks


def front_matter_end(text: str) -> int:
    """Where the text begins after a block of metadata between two lines of dashes; 0 if there is none."""
    block = re.match(r"---[ \t]*\r?\n.*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)", text, re.DOTALL)
    return block.end() if block else 0


def _windows(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A block as runs of whole sentences; a sentence that is too long itself is cut between words."""
    if end - start <= USUAL_PASSAGE_CHARS:
        return [(start, end)]
    ends = [m.end() for m in _SENTENCE_END.finditer(text, start, end)]
    windows: list[tuple[int, int]] = []
    low, high = start, start
    for stop in [*(sentence_end for sentence_end in ends if sentence_end < end), end]:
        if stop - low > USUAL_PASSAGE_CHARS and high > low:
            windows.append((low, high))
            low = _skip_blanks(text, high)
        while stop - low > MAX_PASSAGE_CHARS:
            cut = text.rfind(" ", low + MIN_PASSAGE_CHARS, low + MAX_PASSAGE_CHARS)
            cut = cut if cut > 0 else low + MAX_PASSAGE_CHARS
            windows.append((low, cut))
            low = _skip_blanks(text, cut)
        high = stop
    return [*windows, (low, high)] if high > low else windows


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


_STOP_WORDS = frozenset(
    {"a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "do", "does", "for", "from"}
    | {"had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "may", "more", "most", "must", "no"}
    | {"not", "of", "on", "one", "or", "our", "should", "so", "than", "that", "the", "their", "them", "then", "there"}
    | {"these", "they", "this", "to", "too", "was", "we", "were", "what", "when", "where", "which", "who", "why"}
    | {"will", "with", "would", "you", "your"}
)


def terms(text: str) -> tuple[str, ...]:
    """Words to search by: lower case, without endings and the commonest words."""
    words = re.findall(r"[^\W_]{2,}", text.casefold())
    return tuple(_stem(w) for w in words if w not in _STOP_WORDS)


_ENDINGS = (
    "ations",
    "ation",
    "ating",
    "ated",
    "ates",
    "ate",
    "ings",
    "ing",
    "ions",
    "ion",
    "ies",
    "ed",
    "es",
    "e",
    "s",
    "y",
)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return _stem(word[: -len(ending)])
    return word


def rank(passages: Sequence[Passage], words: Mapping[str, float]) -> tuple[Passage, ...]:
    """Passages that hold any of the weighted terms, best first (BM25); level ones in reading order.

    A passage with an evidence marker counts a quarter more.
    """
    bags = [Counter(terms(passage.text)) for passage in passages]
    mean_length = sum(bag.total() for bag in bags) / max(1, len(bags)) or 1.0
    n_with = Counter(term for bag in bags for term in bag)
    rarity = {term: math.log(1 + (len(bags) - n_with[term] + 0.5) / (n_with[term] + 0.5)) for term in words}

    def score(passage: Passage, bag: Counter[str]) -> float:
        # 1.5 and 0.75 are the usual constants k1 and b of BM25.
        saturation = 1.5 * (0.25 + 0.75 * bag.total() / mean_length)
        value = 0.0
        for term, weight in words.items():
            if bag[term]:
                value += weight * rarity[term] * bag[term] * 2.5 / (bag[term] + saturation)
        return value * MARKER_BOOST if has_marker(passage.text) else value

    scores = [score(passage, bag) for passage, bag in zip(passages, bags, strict=True)]
    best_first = sorted(range(len(passages)), key=lambda place: (-scores[place], place))
    return tuple(passages[place] for place in best_first if scores[place] > 0)
