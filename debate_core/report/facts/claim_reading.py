"""A claim as a reader opens it: its option, its quote in the source, and reactions of others."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from debate_core.documents.document import headings_at, in_one_line
from debate_core.engine.private_sources import opened_sources
from debate_core.engine.quotes import Slice, quote_places
from debate_core.record.state import GivenMark, Turn
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.option_reasons import OptionReason, ReasonSide, option_reasons, repeated_reasons
from debate_core.report.facts.source_text import stretch_around
from debate_core.report.facts.turns import turn_text
from debate_core.spec.values import Source

LinkKind = Literal["answers", "repeats", "answered", "accepted", "moved"]
MAX_CHARS = 1_000_000
"""Bound on the document text opened at once; beyond it a claim shows only its quote."""


def rows_by_wording(account: Account) -> Mapping[str, Sequence[ClaimRow]]:
    """First wording -> the rows of all claims with these words; their reactions together give the status of each."""
    said = defaultdict[str, list[ClaimRow]](list)
    for row in account.claims:
        said[row.wording].append(row)
    return said


@dataclass(frozen=True, slots=True)
class ClaimLink:
    """Another claim or turn that is linked to this one."""

    kind: LinkKind
    """This claim `answers` or `repeats` the other, which `answered` or `accepted` it; it `moved` the ballot there."""
    seat: str
    round: int
    text: str
    claim_id: str = ""


@dataclass(frozen=True, slots=True)
class Quoted:
    """Position of a claim's quote. `stretch` is the opened part of the document and contains all `places`."""

    source: Source
    heading: str
    places: tuple[Slice, ...]
    stretch: Slice


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """A claim with everything that its page shows."""

    row: ClaimRow
    number: int
    option: str | None
    side: ReasonSide | Literal[""]
    quoted: Quoted | None
    """None if the source is missing or not for all yet, or MAX_CHARS are open already."""
    links: tuple[ClaimLink, ...]
    mark: GivenMark | None
    argues_for: str
    """The option that its turn argues for, if the ballot of the turn puts another one highest; or empty."""
    is_struck: bool


def claim_readings(account: Account) -> tuple[ClaimReading, ...]:
    """Every claim that this reader may read, by its number."""
    numbers, sides = account.state.claim_numbers(), _sides(account)
    claims = {row.claim_id: row for row in account.claims}
    turns = {turn.request: turn for turn in account.readable_turns}
    moved = _moved_ballots(account)
    opened = _OpenSources(account)
    readings = []
    for row in sorted(account.claims, key=lambda row: numbers[row.claim_id]):
        option, reason = sides.get(row.claim_id, (None, None))
        # No seat made the facts of the room.
        turn = turns.get(row.turn_id)
        argues_for = turn.argues_for if turn else None
        is_struck = turn is not None and turn.status == "struck"
        reading = ClaimReading(
            row=row,
            number=numbers[row.claim_id],
            option=option,
            side=reason.side if reason else "",
            quoted=opened.quoted(row),
            links=(*_links(row, claims, turns), *moved.get(row.claim_id, ())),
            mark=account.state.marks.get(row.claim_id),
            argues_for=argues_for or "",
            is_struck=is_struck,
        )
        readings.append(reading)
    return tuple(readings)


def _sides(account: Account) -> Mapping[str, tuple[str, OptionReason]]:
    """Claim id -> the option that most people read it for or against, else the one that its seat chose."""
    sides = {reason.row.claim_id: (option, reason) for option, reason in repeated_reasons(account)}
    for option, reasons in account.once(option_reasons).items():
        for reason in reasons:
            known = sides.get(reason.row.claim_id)
            if known is None or reason.readers > known[1].readers:
                sides[reason.row.claim_id] = option, reason
    return sides


class _OpenSources:
    """The documents of a debate, and the parts opened so far."""

    def __init__(self, account: Account) -> None:
        self._sources = {source.id: source for source in opened_sources(account.state)}
        self._open: Counter[tuple[str, Slice]] = Counter()

    def quoted(self, row: ClaimRow) -> Quoted | None:
        source = self._sources.get(row.source_ref)
        if source is None or not source.text or not row.evidence_text:
            return None
        places = quote_places(source.text, row.evidence_text)
        begin = places[0][0] if places else 0
        low, high = stretch_around(source.text, begin)
        is_open = (source.id, (low, high)) in self._open
        if not is_open and self._open.total() + high - low > MAX_CHARS:
            return None
        self._open[source.id, (low, high)] = high - low
        heading = in_one_line(headings_at(source.text, begin)) if places else ""
        shown = tuple((start, min(end, high)) for start, end in places if low <= start < high)
        return Quoted(source, heading, shown, (low, high))


def _links(row: ClaimRow, claims: Mapping[str, ClaimRow], turns: Mapping[str, Turn]) -> Iterator[ClaimLink]:
    """Yield links to claims and turns that this reader may read."""

    def to(kind: LinkKind, *places: str) -> Iterator[ClaimLink]:
        for place in places:
            if place in claims:
                other = claims[place]
                yield ClaimLink(kind, other.seat, other.round, other.claim, place)
            elif place in turns:
                yield ClaimLink(kind, turns[place].seat, turns[place].round, turn_text(turns[place]))

    yield from to("answers", *row.answers)
    yield from to("answered", *row.attacked_by)
    yield from to("accepted", *row.conceded_by)
    yield from to("repeats", *filter(None, [row.duplicate_of]))


def contesting_seats(account: Account) -> Mapping[str, Sequence[str]]:
    """Wording of a claim -> the seats that answered these words and have not accepted them."""
    found = defaultdict[str, dict[LinkKind, list[str]]](lambda: defaultdict(list))
    for reading in account.once(claim_readings):
        for link in reading.links:
            found[reading.row.wording][link.kind].append(link.seat)
    return {
        wording: [seat for seat in dict.fromkeys(by["answered"]) if seat not in by["accepted"]]
        for wording, by in found.items()
    }


def _moved_ballots(account: Account) -> Mapping[str, Sequence[ClaimLink]]:
    """Claim id -> the ballots that it moved."""
    moved = defaultdict[str, list[ClaimLink]](list)
    for ballot in account.votes:
        for claim_id in set(ballot.changed_by or ()):
            moved[claim_id].append(ClaimLink("moved", ballot.voter, ballot.round, ballot.said or ""))
    return moved
