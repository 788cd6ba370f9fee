"""Search by words: BM25 over inverted indexes, of which each reader gets the ones that they may read.

No model, no vectors and no network: the same texts and query always give the same answer.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from debate_core.engine.passages import terms

MIN_SHARE = 0.25
"""Least share of the rarity of the query's words that a text must contain, so that unrelated texts stay out."""
EVERY_WORD = 1.0
"""The share of texts with all words of the query."""
LEAST_TEXTS = 50
"""Rarity is counted as among at least so many texts: among three, a word of two of them would weigh nothing."""


class WordPlace(NamedTuple):
    """A text that fits: the number of its index among those given, and its number in that."""

    part: int
    number: int


class WordIndex:
    """The words of some texts. Building reads every text once; a search reads only matching words."""

    def __init__(self, bags: Iterable[Counter[str]]) -> None:
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.lengths: list[int] = []
        for number, bag in enumerate(bags):
            for term, count in bag.items():
                self.postings[term].append((number, count))
            self.lengths.append(bag.total())
        self.length = sum(self.lengths)

    def fits(self, term: str, mean_length: float) -> Iterator[tuple[int, float]]:
        """The fit by BM25, before the word's rarity, of each text that contains a word."""
        for number, count in self.postings.get(term, ()):
            # 1.5 and 0.75 are the usual constants k1 and b of BM25.
            saturation = 1.5 * (0.25 + 0.75 * self.lengths[number] / mean_length)
            yield number, count * 2.5 / (count + saturation)


def best_places(indexes: Sequence[WordIndex], query: str, *, min_share: float = MIN_SHARE) -> list[WordPlace]:
    """Places of the texts that fit a query, best first, equal ones in the order of the indexes.

    Rarity is counted over these indexes alone, so that a text which a reader may not read changes no order.
    """
    n_texts = sum(len(index.lengths) for index in indexes)
    mean_length = max(1, sum(index.length for index in indexes)) / max(1, n_texts)
    # Plain tuples, which are made and hashed faster than a `WordPlace`.
    scores: dict[tuple[int, int], float] = defaultdict(float)
    shares: dict[tuple[int, int], float] = defaultdict(float)
    total = 0.0
    for term in dict.fromkeys(terms(query)):
        weight = rarity(n_texts, sum(len(index.postings.get(term, ())) for index in indexes))
        total += weight
        for at, index in enumerate(indexes):
            for number, fit in index.fits(term, mean_length):
                scores[at, number] += weight * fit
                shares[at, number] += weight
    ranked = sorted((-round(score, 9), place) for place, score in scores.items() if shares[place] >= min_share * total)
    return [WordPlace(*place) for _, place in ranked]


def rarity(n_texts: int, n_with: int) -> float:
    """The weight of a word in BM25: large for a word of few texts."""
    n_all = max(n_texts, LEAST_TEXTS)
    return math.log(1 + (n_all - n_with + 0.5) / (n_with + 0.5))
