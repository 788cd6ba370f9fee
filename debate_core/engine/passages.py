"""Passages of sources for the evidence panel: slices of prose, their ranking, and their distribution to lenses.

A passage is a contiguous piece of the text as loaded. Ranking finds the subject and knows no side.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from debate_core.documents.document import in_one_line, paragraphs_of
from debate_core.engine.checkable_claims import has_marker
from debate_core.engine.reason_labels import label_of, split_reasons
from debate_core.spec.values import Source

MIN_PASSAGE_CHARS = 40
MIN_PASSAGE_WORDS = 5
USUAL_PASSAGE_CHARS = 400
MAX_PASSAGE_CHARS = 600
MARKER_BOOST = 1.25
REASONS_BOOST = 1.25


@dataclass(frozen=True, slots=True)
class Passage:
    """The slice `start:end` of a source, as loaded. `id` is the source and a number in reading order: `E1.p12`."""

    id: str
    source_id: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    """Its headings, outermost first, without the title of the document; the last one may be its speaker."""
    speaker: str = ""

    @property
    def heading(self) -> str:
        """`Options / Pros`; empty if it is only under the title."""
        return in_one_line(self.headings)


# A separate word of letters: not a path, a name with digits or an address
_PROSE_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\s,;:.!?)\"'|*`])")
# "[text](address)", "[to be filled in]", an address, "{to be filled in}"
_NO_SENTENCE = re.compile(r"!?\[[^\[\]]*\](?:\([^()\s]*(?:\s[^()]*)?\))?|<?https?://\S+|\{[^{}]*\}")
_CODE_SIGN = re.compile(r"[{}()\[\]<>;=]")
# Licences of the file, and instructions of templates
_BOILERPLATE = re.compile(
    r"copyright (?:\(c\)|©|\d{4})|©\s*\d{4}|all rights reserved|SPDX-License|permission is hereby granted"
    r"|this (?:file|document|work|project|template|record) is licen[sc]ed under|warranty of any kind"
    r"|(?:these are|this is an) optional element|feel free to remove|numbers? of (?:options|drivers) can vary"
    r"|what is the issue that we're seeing|what is the change that we're (?:proposing|actually proposing)"
    r"|what is the status, such as|what becomes easier or (?:more )?(?:difficult|harder)"
    r"|free form using two to three sentences|which meets k\.o\. criterion decision driver",
    re.IGNORECASE,
)
# Headings of reasons
_REASONS = re.compile(
    r"\b(?:pros?|cons?|(?:dis)?advantages?|consequences?|drivers?|drawbacks?|benefits?|risks?|trade-?offs?|outcome"
    r"|decision|rationale|justification|why|problem)\b",
    re.IGNORECASE,
)
# The end of "He said so.)" with its brackets and quotes
_SENTENCE_END = re.compile(r"[.!?][)\"'”’*_]*(?=\s)")


@lru_cache(maxsize=16)
def passages_of(source: Source) -> tuple[Passage, ...]:
    """The passages of a source: paragraphs, list items, labelled reasons and runs of sentences, up to 600 characters,
    only prose."""
    text = source.text
    passages: list[Passage] = []
    for paragraph in paragraphs_of(text):
        reasons = split_reasons(text, paragraph.start, paragraph.end)
        for low, high in chain.from_iterable(_windows(text, *reason) for reason in reasons):
            if is_prose(text[low:high]):
                name = f"{source.id}.p{len(passages) + 1}"
                quoted = text[low:high]
                passages.append(Passage(name, source.id, low, high, quoted, paragraph.headings, paragraph.speaker))
    return tuple(passages)


def is_prose(text: str) -> bool:
    """True for prose: no code, list of links, licence or template."""
    own = _NO_SENTENCE.sub(" ", text)
    words = _PROSE_WORD.findall(own)
    n_signs = sum(not sign.isspace() for sign in own)
    # A labelled reason is complete, however short: "Bad, because few run one."
    is_long_enough = len(text) >= MIN_PASSAGE_CHARS or label_of(text) is not None
    # In code, half of the signs are no words, or a tenth are brackets and similar signs.
    is_worded = 2 * sum(map(len, words)) >= n_signs >= 10 * len(_CODE_SIGN.findall(own))
    # One sentence such as "The drivers are these:" only announces the text after it.
    announces = text.rstrip("*_").endswith(":") and _SENTENCE_END.search(text) is None
    has_words = is_long_enough and is_worded and len(words) >= MIN_PASSAGE_WORDS
    return has_words and not announces and _BOILERPLATE.search(text) is None


def _windows(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a block into runs of whole sentences; a sentence that is too long is cut between words."""
    if end - start <= USUAL_PASSAGE_CHARS:
        return [(start, end)]
    sentence_ends = [sentence.end() for sentence in _SENTENCE_END.finditer(text, start, end) if sentence.end() < end]
    windows: list[tuple[int, int]] = []
    low = high = start
    for stop in [*sentence_ends, end]:
        if stop - low > USUAL_PASSAGE_CHARS and high > low:
            windows.append((low, high))
            low = _skip_blanks(text, high)
        while stop - low > MAX_PASSAGE_CHARS:
            blank = text.rfind(" ", low + MIN_PASSAGE_CHARS, low + MAX_PASSAGE_CHARS)
            cut = blank if blank > 0 else low + MAX_PASSAGE_CHARS
            windows.append((low, cut))
            low = _skip_blanks(text, cut)
        high = stop
    if high > low:
        windows.append((low, high))
    return windows


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
    """Search terms: lower case, without endings and the most common words."""
    words = re.findall(r"[^\W_]{2,}", text.casefold())
    return tuple(_stem(w) for w in words if w not in _STOP_WORDS)


_ENDINGS = (
    *("ations", "ation", "ating", "ated", "ates", "ate", "ings", "ing"),
    *("ions", "ion", "ies", "ed", "es", "e", "s", "y"),
)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return _stem(word[: -len(ending)])
    return word


@dataclass(frozen=True, slots=True)
class Index:
    """Passages with their words, and the frequency of each word in them."""

    passages: tuple[Passage, ...]
    bags: tuple[Counter[str], ...]
    mean_length: float
    n_with: Counter[str]


def index_of(passages: Sequence[Passage]) -> Index:
    """Index passages by their text and headings."""
    bags = tuple(Counter((*terms(p.text), *terms(" ".join(p.headings)))) for p in passages)
    mean_length = sum(bag.total() for bag in bags) / max(1, len(bags)) or 1.0
    return Index(tuple(passages), bags, mean_length, Counter(term for bag in bags for term in bag))


def scores(index: Index, words: Mapping[str, float]) -> tuple[float, ...]:
    """BM25 score of each passage for the weighted terms, 0 for a passage without any.

    A passage with an evidence marker, or under a heading of reasons, scores a quarter more.
    """
    n = len(index.bags)
    # Sorted, because sums of floats depend on the order.
    known = sorted((term, weight) for term, weight in words.items() if index.n_with[term])
    rarity = {term: math.log(1 + (n - index.n_with[term] + 0.5) / (index.n_with[term] + 0.5)) for term, _ in known}

    def score(passage: Passage, bag: Counter[str]) -> float:
        # 1.5 and 0.75 are the usual constants k1 and b of BM25.
        saturation = 1.5 * (0.25 + 0.75 * bag.total() / index.mean_length)
        value = sum(w * rarity[t] * bag[t] * 2.5 / (bag[t] + saturation) for t, w in known if bag[t])
        if has_marker(passage.text):
            value *= MARKER_BOOST
        if _REASONS.search(passage.heading):
            value *= REASONS_BOOST
        return value

    return tuple(score(passage, bag) for passage, bag in zip(index.passages, index.bags, strict=True))


def _best_last(fit: Sequence[float]) -> list[int]:
    """Places of the passages, the best one last, of equal ones the first in reading order."""
    return sorted(range(len(fit)), key=lambda place: (fit[place], -place))


def _drop_taken(queue: list[int], taken: Collection[int]) -> None:
    while queue[-1] in taken:
        queue.pop()


def shared_out(passages: Sequence[Passage], lenses: Sequence[Mapping[str, float]]) -> tuple[tuple[Passage, ...], ...]:
    """Assign every passage to one lens, in its order of quoting; repeated text only once.

    The lenses choose in turns, each its best remaining passage. If two want the same one, the one with the higher score
    gets it, in a tie the first.
    """
    distinct: dict[str, Passage] = {}
    for passage in passages:
        distinct.setdefault(" ".join(passage.text.split()), passage)
    index = index_of(tuple(distinct.values()))
    fits = [scores(index, lens) for lens in lenses]
    shares: list[list[Passage]] = [[] for _ in lenses]
    queues = [_best_last(fit) for fit in fits]
    taken: set[int] = set()
    waiting: list[int] = []
    while lenses and len(taken) < len(index.passages):
        waiting = waiting or list(range(len(lenses)))
        for lens_number in waiting:
            _drop_taken(queues[lens_number], taken)
        chooser = max(waiting, key=lambda number: fits[number][queues[number][-1]])
        place = queues[chooser][-1]
        taken.add(place)
        shares[chooser].append(index.passages[place])
        waiting.remove(chooser)
    return tuple(tuple(share) for share in shares)
