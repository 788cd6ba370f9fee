"""Search in decided records by words (BM25 over an inverted index), superseding links and contradictions.

No model, no vectors and no network: the same records and query always give the same answer.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from debate_core.documents.choices import compared
from debate_core.engine.passages import terms
from debate_core.spec.values import Value

ArchivedStatus = Literal["in_force", "challenged", "open", "withdrawn", "superseded", "unknown"]
"""`challenged`: in force, but an assumption of it broke. `unknown`: a document without a known status."""
MAX_SHOWN = 3
HEAD_WEIGHT = 3
"""A word of the question or an option counts as often as this in the text: it names the subject."""
MIN_SHARE = 0.25
"""Least share of the rarity of the query's words that a record must contain, so that unrelated records stay out."""
LEAST_RECORDS = 50
"""Rarity is counted as among at least so many records: among three, a word of two of them would weigh nothing."""
SAME_QUESTION = 0.75
"""Least share of common words, by rarity (Dice), of two questions that ask the same: one other rare word is enough to
make it another question."""


class RejectedOption(Value):
    """An option that was not decided. `votes`: empty where nothing was counted. `why`: claims against it."""

    option: str
    votes: str = ""
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecidedRecord:
    """A decision of a debate or a document. `id`: the id of the debate, or the path of the file in its folder."""

    id: str
    question: str
    status: ArchivedStatus
    status_words: str = ""
    """The status as written in a document."""
    options: tuple[str, ...] = ()
    chosen: str = ""
    votes: str = ""
    """Votes of the chosen option; empty where nothing was counted."""
    rejected: tuple[RejectedOption, ...] = ()
    date: str = ""
    outcome: str = ""
    """The outcome as recorded later: held, revised or reversed."""
    replaces: tuple[str, ...] = ()
    """Ids of the records that it supersedes."""
    replaced_by: tuple[str, ...] = ()
    title: str = ""
    """Of the document made of it: the path of the file, or the question."""
    text: str = ""
    """Everything that is searched besides question and options, and the text of the document made of it."""


class RecordConflict(NamedTuple):
    """Two records in force on one question: each chose an option that the other turned down."""

    first: DecidedRecord
    second: DecidedRecord


class RecordIndex:
    """Decided records with the words in them. Building reads every text once; a search reads only matching words."""

    def __init__(self, records: Sequence[DecidedRecord]) -> None:
        self.records = tuple(records)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        for number, record in enumerate(self.records):
            bag = Counter(terms(record.text))
            for term in terms(" ".join((record.question, *record.options))):
                bag[term] += HEAD_WEIGHT
            for term, count in bag.items():
                self._postings[term].append((number, count))
            lengths.append(bag.total())
        self._lengths = lengths
        self._mean_length = sum(lengths) / max(1, len(lengths)) or 1.0

    def find(self, query: str, most: int = MAX_SHOWN) -> tuple[DecidedRecord, ...]:
        """The best records for a query, best first, equal ones in the order of the index."""
        scores: dict[int, float] = defaultdict(float)
        shares: dict[int, float] = defaultdict(float)
        total = 0.0
        for term in dict.fromkeys(terms(query)):
            postings = self._postings.get(term, ())
            rarity = _rarity(len(self.records), len(postings))
            total += rarity
            for number, count in postings:
                # 1.5 and 0.75 are the usual constants k1 and b of BM25.
                saturation = 1.5 * (0.25 + 0.75 * self._lengths[number] / self._mean_length)
                scores[number] += rarity * count * 2.5 / (count + saturation)
                shares[number] += rarity
        near = [number for number in scores if shares[number] >= MIN_SHARE * total]
        near.sort(key=lambda number: (-round(scores[number], 9), number))
        return tuple(self.records[number] for number in near[:most])


def contradictions(records: Sequence[DecidedRecord]) -> Iterator[RecordConflict]:
    """Pairs of records in force on one question, of which each chose an option that the other rejected.

    Records without listed options, and records that supersede each other, are never a pair.
    """
    asked = {record.id: _asked(record) for record in records}
    n_with = Counter(term for words in asked.values() for term in words)
    rarity = {term: _rarity(len(records), n) for term, n in n_with.items()}
    for first, second in _opposed(records):
        if _is_same(asked[first.id], asked[second.id], rarity):
            yield RecordConflict(first, second)


def _opposed(records: Sequence[DecidedRecord]) -> Iterator[tuple[DecidedRecord, DecidedRecord]]:
    """Pairs of records in force that reject each other's choice, and do not supersede each other."""
    by_choice: dict[str, list[DecidedRecord]] = defaultdict(list)
    for record in records:
        if record.status in ("in_force", "challenged") and record.chosen and len(record.options) > 1:
            by_choice[compared(record.chosen)].append(record)
    rejected = {record.id: _rejected_names(record) for record in records}
    for ours in sorted(by_choice):
        for first in by_choice[ours]:
            for theirs in sorted(rejected[first.id]):
                # Each pair once.
                for second in by_choice.get(theirs, ()) if ours < theirs else ():
                    is_chain = first.id in second.replaces or second.id in first.replaces
                    if ours in rejected[second.id] and not is_chain:
                        yield first, second


def _rejected_names(record: DecidedRecord) -> set[str]:
    return {compared(option) for option in record.options} - {compared(record.chosen)}


def _asked(record: DecidedRecord) -> frozenset[str]:
    """The words of a question without those of its options, as a title often contains the choice."""
    return frozenset(terms(record.question)).difference(*(terms(option) for option in record.options))


def _is_same(ours: frozenset[str], theirs: frozenset[str], rarity: Mapping[str, float]) -> bool:
    def total(words: frozenset[str]) -> float:
        return sum(rarity[word] for word in sorted(words))

    return 2 * total(ours & theirs) >= SAME_QUESTION * (total(ours) + total(theirs)) > 0


def _rarity(n_records: int, n_with: int) -> float:
    """The weight of a word in BM25: large for a word of few records."""
    n_all = max(n_records, LEAST_RECORDS)
    return math.log(1 + (n_all - n_with + 0.5) / (n_with + 0.5))
