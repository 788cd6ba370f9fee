"""Decided records and their index: search by words, a timeline, chains of superseding, contradictions, base rates."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from debate_core.documents.choices import compared
from debate_core.engine.passages import terms
from debate_core.host.precedents.word_index import MIN_SHARE, WordIndex, best_places, rarity
from debate_core.report.facts.base_rates import BaseRate, DecisionFate, base_rates
from debate_core.spec.values import TaskType, Value

ArchivedStatus = Literal["in_force", "challenged", "open", "withdrawn", "superseded", "unknown"]
"""`challenged`: in force, but an assumption of it broke. `unknown`: a document without a known status."""
MAX_SHOWN = 3
HEAD_WEIGHT = 3
"""A word of the question or an option counts as often as this in the text: it names the subject."""
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
    kind: TaskType | None = None
    """The kind of decision that was named in set-up; None for documents."""
    is_debate: bool = False
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
    """Decided records, found by their words; contradictions and chains are looked for once, when first asked."""

    def __init__(self, records: Sequence[DecidedRecord]) -> None:
        self.records = tuple(records)
        self._words = WordIndex(map(_words_of, self.records))

    def find(
        self, query: str, most: int | None = MAX_SHOWN, *, min_share: float = MIN_SHARE
    ) -> Sequence[DecidedRecord]:
        """The best records for a query, best first, equal ones in the order of the index. `most` None = all."""
        places = best_places([self._words], query, min_share=min_share)
        return tuple(self.records[place.number] for place in places[:most])

    @cached_property
    def by_id(self) -> Mapping[str, DecidedRecord]:
        return {record.id: record for record in self.records}

    @cached_property
    def timeline(self) -> tuple[DecidedRecord, ...]:
        """The records, latest first; those without a date of the form 2026-11-29 come last.

        On one day files come in the order of their names, the last first, and debates as in the index.
        """
        by_name = sorted(self.records, key=lambda record: "" if record.is_debate else record.id, reverse=True)
        by_date = sorted(by_name, key=lambda record: record.date * record.date[:4].isdigit(), reverse=True)
        return tuple(by_date)

    @cached_property
    def contradictions(self) -> tuple[RecordConflict, ...]:
        """See `contradictions`; latest first."""
        return tuple(contradictions(self.timeline))

    @cached_property
    def base_rates(self) -> Mapping[TaskType, BaseRate]:
        """Numbers of decisions of each kind that held or did not."""
        return base_rates((record.kind, _fate(record)) for record in self.records if record.kind)


def _words_of(record: DecidedRecord) -> Counter[str]:
    bag = Counter(terms(record.text))
    for term in terms(" ".join((record.question, *record.options))):
        bag[term] += HEAD_WEIGHT
    return bag


def _fate(record: DecidedRecord) -> DecisionFate:
    """The outcome of a decision: known only if a person or a check recorded one, or another decision supersedes it."""
    if record.outcome in ("revised", "reversed") or record.status in ("challenged", "withdrawn"):
        return "overturned"
    if record.status == "superseded":
        return "superseded"
    return "stood" if record.outcome == "held" else "unknown"


def threads(records: Sequence[DecidedRecord]) -> Iterator[list[DecidedRecord]]:
    """Yield the records, with those that supersede each other together: each below the ones that supersede it.

    A thread has the place of its first record. Records that supersede each other in a circle keep their order.
    """
    known = {record.id: record for record in records}
    order = {one: place for place, one in enumerate(known)}
    left = set(known)
    for first in known:
        members = set[str]()
        reached = [first]
        while reached:
            one = reached.pop()
            if one in left:
                left.remove(one)
                members.add(one)
                reached += (*known[one].replaces, *known[one].replaced_by)
        if members:
            yield _newer_first([known[one] for one in sorted(members, key=order.__getitem__)])


def _newer_first(thread: list[DecidedRecord]) -> list[DecidedRecord]:
    """One thread in an order in which each record comes after those that supersede it, as far as there is one."""
    left = {record.id: record for record in thread}
    placed = []
    while left:
        free = (record for record in left.values() if not left.keys() & {*record.replaced_by})
        placed.append(left.pop(next(free, next(iter(left.values()))).id))
    return placed


def contradictions(records: Sequence[DecidedRecord]) -> Iterator[RecordConflict]:
    """Pairs of records in force on one question, of which each chose an option that the other rejected.

    Records without listed options, and records that supersede each other, are never a pair.
    """
    asked = {record.id: _asked(record) for record in records}
    n_with = Counter(term for words in asked.values() for term in words)
    weights = {term: rarity(len(records), n) for term, n in n_with.items()}
    for first, second in _opposed(records):
        if _is_same(asked[first.id], asked[second.id], weights):
            yield RecordConflict(first, second)


def _opposed(records: Sequence[DecidedRecord]) -> Iterator[tuple[DecidedRecord, DecidedRecord]]:
    """Pairs of records in force that reject each other's choice, and do not supersede each other."""
    by_choice = _in_force_by_choice(records)
    rejected = {record.id: _rejected_names(record) for record in records}
    for ours in sorted(by_choice):
        for first in by_choice[ours]:
            for theirs in sorted(rejected[first.id]):
                # Each pair once.
                for second in by_choice.get(theirs, ()) if ours < theirs else ():
                    is_chain = first.id in second.replaces or second.id in first.replaces
                    if ours in rejected[second.id] and not is_chain:
                        yield first, second


def _in_force_by_choice(records: Sequence[DecidedRecord]) -> dict[str, list[DecidedRecord]]:
    """The records in force that chose between options, by the words of their choice."""
    by_choice: dict[str, list[DecidedRecord]] = defaultdict(list)
    for record in records:
        if record.status in ("in_force", "challenged") and record.chosen and len(record.options) > 1:
            by_choice[compared(record.chosen)].append(record)
    return by_choice


def _rejected_names(record: DecidedRecord) -> set[str]:
    return {compared(option) for option in record.options} - {compared(record.chosen)}


def _asked(record: DecidedRecord) -> frozenset[str]:
    """The words of a question without those of its options, as a title often contains the choice."""
    return frozenset(terms(record.question)).difference(*(terms(option) for option in record.options))


def _is_same(ours: frozenset[str], theirs: frozenset[str], weights: Mapping[str, float]) -> bool:
    def total(words: frozenset[str]) -> float:
        return sum(weights[word] for word in sorted(words))

    return 2 * total(ours & theirs) >= SAME_QUESTION * (total(ours) + total(theirs)) > 0
