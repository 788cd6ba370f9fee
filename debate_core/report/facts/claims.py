"""Claims as rows: reactions by other seats, and verification of the quote.

Reactions are matched by ids. The module does not judge whether a claim is true.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from debate_core.engine.checkable_claims import evidence_type, markers
from debate_core.engine.evidence import is_unverified, shown_check
from debate_core.engine.quotes import QuoteVerdict, words
from debate_core.record.acts import Noted
from debate_core.record.ids import ROOM, ClaimId
from debate_core.record.people import Done
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument, Claim, Content

ClaimStatus = Literal["established", "contested", "unanswered"]


class Reaction(NamedTuple):
    """An answer to a claim, or a concession of it."""

    seat: str
    where: str
    """Id of the reacting claim, or of the request if a whole turn reacts."""


@dataclass(frozen=True, slots=True)
class Reactions:
    """Reactions of other seats to one claim."""

    attacks: tuple[Reaction, ...] = ()
    concessions: tuple[Reaction, ...] = ()

    @property
    def attacked_by(self) -> tuple[str, ...]:
        """Ids of the answers."""
        return tuple(attack.where for attack in self.attacks)

    @property
    def conceded_by(self) -> tuple[str, ...]:
        """Ids of the concessions."""
        return tuple(concession.where for concession in self.concessions)

    def status(self) -> ClaimStatus:
        """Contested while an answering seat has not conceded; established once conceded."""
        gave_in = {concession.seat for concession in self.concessions}
        if any(attack.seat not in gave_in for attack in self.attacks):
            return "contested"
        return "established" if gave_in else "unanswered"


@dataclass(frozen=True, slots=True)
class LinkMade:
    """The links of one turn, or of one claim of it. `where` is the request or claim id."""

    seat: str
    where: str
    answers: tuple[str, ...]
    concedes: tuple[str, ...]


def links_made(seat: str, where: str, content: Content) -> tuple[LinkMade, ...]:
    """The links of one turn: those of the whole turn first, then claim by claim."""
    if not isinstance(content, Argument):
        return ()
    claims = (LinkMade(seat, c.id, c.answers, c.concedes) for c in content.claims)
    return (LinkMade(seat, where, content.answers, content.concedes), *claims)


def reactions_to(claim_ids: Iterable[str], made: Iterable[LinkMade]) -> dict[str, Reactions]:
    """The reactions to every claim; ids that name no claim are in `unknown_ids`."""
    attacks: dict[str, list[Reaction]] = {claim_id: [] for claim_id in claim_ids}
    concessions: dict[str, list[Reaction]] = {claim_id: [] for claim_id in attacks}
    for link in made:
        reaction = Reaction(link.seat, link.where)
        for reactions, named in ((attacks, link.answers), (concessions, link.concedes)):
            for claim_id in dict.fromkeys(named):
                if claim_id in reactions and ClaimId.parse(claim_id).seat != link.seat:
                    reactions[claim_id].append(reaction)
    return {i: Reactions(tuple(attacks[i]), tuple(concessions[i])) for i in attacks}


def _links_of_all(turns: Iterable[Turn]) -> tuple[LinkMade, ...]:
    return tuple(link for t in turns if t.content for link in links_made(t.seat, t.request, t.content))


@dataclass(frozen=True, slots=True)
class UnknownId:
    """An id that names nothing in this debate: kept, flagged, counted as no support."""

    where: str
    """Id of the citing claim or request."""
    kind: Literal["claim", "source"]
    id: str


def unknown_ids(state: State, hidden: Collection[str] = ()) -> tuple[UnknownId, ...]:
    """Fabricated citations: answered, conceded or cited ids that do not exist.

    Links of `hidden` seats in the open phase are left out; ids of hidden claims exist and are not reported.
    """
    turns = _readable(state, hidden)
    found = []
    for link in _links_of_all(turns):
        for claim_id in (*link.answers, *link.concedes):
            if claim_id not in state.claims:
                found.append(UnknownId(link.where, "claim", claim_id))
    known = {source.id for source in state.spec.sources}
    for turn in turns:
        for claim in turn.claims:
            if claim.source_id is not None and claim.source_id not in known:
                found.append(UnknownId(claim.id, "source", claim.source_id))
    return tuple(found)


def _readable(state: State, hidden: Collection[str]) -> tuple[Turn, ...]:
    """All turns except those of hidden seats in the open phase."""
    if state.open is None:
        return state.turns
    return (*state.turns, *(turn for turn in state.open.turns() if turn.seat not in hidden))


@dataclass(frozen=True, slots=True)
class ClaimRow:
    claim_id: str
    turn_id: str
    round: int
    phase: str
    seat: str
    role: str
    stance: str
    claim: str
    has_evidence_marker: bool
    marker_matches: tuple[str, ...]
    evidence_type: str
    evidence_text: str
    source_ref: str
    quote_verified: QuoteVerdict
    left_out_of_quote: tuple[str, ...]
    """Words of the source that each ellipsis of the quote omits."""
    answers: tuple[str, ...]
    attacked_by: tuple[str, ...]
    conceded_by: tuple[str, ...]
    duplicate_of: str
    """The first claim with the same words, or the one that a person names; or empty."""
    status: ClaimStatus
    """By the reactions to all claims with the same words."""
    reviewer: str
    reviewed_at: str
    mark: str
    """`supports adopt`, `against adopt`, `neutral`, or empty if unmarked."""

    @property
    def wording(self) -> str:
        """Id of the first claim with these words."""
        return self.duplicate_of or self.claim_id


def claim_rows(state: State, hidden: Collection[str] = ()) -> tuple[ClaimRow, ...]:
    """The evidence table: a row per claim, in schedule order, without claims of `hidden` seats in the open phase.

    Facts of the room come first.
    """
    return tuple(each_claim_row(state, hidden))


def each_claim_row(state: State, hidden: Collection[str] = ()) -> Iterator[ClaimRow]:
    """Yield the rows of the evidence table, each made when it is asked for."""
    turns = _readable(state, hidden)
    reactions = reactions_to(state.claims, _links_of_all(turns))
    notes = _notes(state)
    first = first_wordings(state, hidden)
    status = _status_by_wording(first, reactions, notes)
    for turn in (*_facts(state), *turns):
        for claim in turn.claims:
            duplicate_of = "" if first[claim.id] == claim.id else first[claim.id]
            row = _claim_row(state, turn, claim, reactions[claim.id], duplicate_of, status[first[claim.id]])
            yield _corrected(row, notes[claim.id]) if claim.id in notes else row


def _status_by_wording(
    first: Mapping[str, str], reactions: Mapping[str, Reactions], notes: Mapping[str, Done[Noted]]
) -> Mapping[str, ClaimStatus]:
    """First wording -> the status of all claims with it: who answers one of them answers the words.

    A correction by a person takes precedence.
    """
    said: dict[str, Reactions] = {}
    for claim_id, wording in first.items():
        before, own = said.get(wording, Reactions()), reactions[claim_id]
        said[wording] = Reactions((*before.attacks, *own.attacks), (*before.concessions, *own.concessions))
    status = {wording: found.status() for wording, found in said.items()}
    for claim_id, note in notes.items():
        if claim_id in first and note.fact.resolved is not None:
            status[first[claim_id]] = "established" if note.fact.resolved else "contested"
    return status


def first_wordings(state: State, hidden: Collection[str] = ()) -> Mapping[str, str]:
    """Claim id -> id of the first claim with the same words, or of the one that a person names; its own if neither."""
    notes = _notes(state)
    first: dict[str, str] = {}
    wordings = {}
    for turn in (*_facts(state), *_readable(state, hidden)):
        for claim in turn.claims:
            earlier = first.setdefault(_plain_words(claim.text), claim.id)
            named = notes[claim.id].fact.duplicate_of if claim.id in notes else None
            wordings[claim.id] = earlier if named is None else named or claim.id
    return wordings


def _notes(state: State) -> Mapping[str, Done[Noted]]:
    """Claim id -> the last correction of this claim by a person."""
    return {done.fact.claim_id: done for done in state.room.of(Noted)}


@lru_cache(maxsize=8192)
def _plain_words(claim: str) -> str:
    return " ".join(words(claim))


def _facts(state: State) -> Iterator[Turn]:
    """Facts of the room in the form of a turn without a request."""
    if state.facts:
        content = Argument(rationale=ROOM, claims=state.facts)
        yield Turn(0, "facts", ROOM, "ok", request="", by="", at="", attempts=0, content=content)


def _corrected(row: ClaimRow, note: Done[Noted]) -> ClaimRow:
    """Apply a correction of one row by a person; fields it leaves out stay as code found them."""
    row = replace(row, reviewer=row.reviewer or note.by, reviewed_at=row.reviewed_at or note.at)
    if note.fact.has_evidence is not None:
        row = replace(row, has_evidence_marker=note.fact.has_evidence)
    return row


def _claim_row(
    state: State, turn: Turn, claim: Claim, reactions: Reactions, duplicate_of: str, status: ClaimStatus
) -> ClaimRow:
    assert isinstance(turn.content, Argument)
    seat = state.spec.seat(turn.seat) if turn.request else None
    quote = claim.quote or ""
    stance = turn.content.stance or (seat.stance if seat else "")
    check = shown_check(state, claim)
    found_markers: tuple[str, ...] = ()
    if not is_unverified(state.spec.sources, claim):
        found_markers = tuple(dict.fromkeys((*markers(claim.text), *markers(quote))))
    row = ClaimRow(
        claim_id=claim.id,
        turn_id=turn.request,
        round=turn.round,
        phase=turn.phase,
        seat=turn.seat,
        role=seat.role if seat else ROOM,
        stance=stance,
        claim=claim.text,
        has_evidence_marker=bool(found_markers),
        marker_matches=found_markers,
        evidence_type=evidence_type(claim),
        evidence_text=quote,
        source_ref=claim.source_id or "",
        quote_verified=check.verdict,
        left_out_of_quote=check.left_out,
        answers=tuple(dict.fromkeys((*claim.answers, *turn.content.answers))),
        attacked_by=reactions.attacked_by,
        conceded_by=reactions.conceded_by,
        duplicate_of=duplicate_of,
        status=status,
        reviewer="",
        reviewed_at="",
        mark="",
    )
    given = state.marks.get(claim.id)
    if given is None:
        return row
    return replace(row, reviewer=given.by, reviewed_at=given.at, mark=given.mark.words())
