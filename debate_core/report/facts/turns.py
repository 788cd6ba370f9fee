"""What a debate says as typed rows: its turns and the transcript.

Derived from the state; nothing is counted here that the rules did not count. Knows no file format: tables,
charts, CSV and screens are drawn from these rows, those of `ballots`, and those of `evidence.claim_rows`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from debate_core.engine import judge_view
from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import hidden_seats, stance_tag
from debate_core.record.address import RequestId
from debate_core.record.events import Event, PhaseEnded
from debate_core.record.state import OpenPhase, State, Turn
from debate_core.report.facts.claims import ClaimRow, claim_rows
from debate_core.report.facts.interventions import said_in
from debate_core.report.facts.usage import Used, family_of, used_by_place
from debate_core.spec.contents import Argument, LeftOut, Synthesis, Verdict
from debate_core.spec.protocol import asks_ballot
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, Occupant, TurnStatus, Usage


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn. `turn_id` is the id of its request; what is not known is None or empty, never 0."""

    turn_id: str
    round: int
    phase: str
    seq: int
    seat: str
    role: str
    occupant: Occupant
    provider: str | None
    model: str | None
    """The one that answered, as its server named it, or the one that was asked."""
    model_line: str | None
    family: str | None
    alias: str
    by: str
    stance: str
    vote: str | None
    """The option, the ballot in words, "abstain", or None if no ballot was asked or none was given."""
    confidence: int | None
    strength: int | None
    """How hard a critique hits by its own judgement, 1 to 10."""
    text: str
    reply_to: tuple[str, ...]
    concedes: tuple[str, ...]
    claims: int
    quotes_verified: int
    quotes_unverified: int
    usage: Usage | None
    """Of all attempts at this turn together; None if there was no call, or of none it is known."""
    started_at: str
    submitted_at: str
    revealed_at: str
    status: TurnStatus
    retries: int
    failures: tuple[str, ...]
    """Why each attempt before this one gave nothing."""
    message: str
    left_out: tuple[LeftOut, ...]
    """What of the reply could not be read and was not needed."""
    argues_for: str | None
    """The option that its text argues for, where its ballot puts another one highest."""

    def latency_ms(self) -> int | None:
        """From the start of the last attempt to its end; None if no start was recorded, as for people."""
        if not self.started_at or not self.submitted_at:
            return None
        took = datetime.fromisoformat(self.submitted_at) - datetime.fromisoformat(self.started_at)
        return round(took.total_seconds() * 1000)


@dataclass(frozen=True, slots=True)
class TranscriptRow:
    """A turn that was given, in the seeds' own spelling (seed 001: round, agentName, stance, text)."""

    round: int
    agent_name: str
    stance: str
    text: str
    vote: str | None


def sealed_seats(state: State, holds: Collection[str] = ()) -> frozenset[str]:
    """Seats whose turn the open phase still hides from whoever holds these seats; none once the debate is over."""
    return frozenset() if state.outcome else hidden_seats(state, holds)


def readable_claims(state: State, holds: Collection[str] = ()) -> tuple[ClaimRow, ...]:
    """The evidence table without what the open phase still hides, and without what follows from it for other claims."""
    return claim_rows(state, sealed_seats(state, holds))


def readable_turns(state: State, holds: Collection[str] = ()) -> tuple[Turn, ...]:
    """Turns in schedule order, without the chair's reviews and what the open phase still hides.

    Texts that were being given when a person stopped the debate are turns with status `cut`.
    """
    ended = tuple(turn for turn in state.turns if state.phase(turn.phase).gives != "review")
    if state.open is None or state.open.slot.phase.gives == "review":
        return ended
    sealed = sealed_seats(state, holds)
    answers = tuple(turn for turn in state.open.turns() if turn.seat not in sealed)
    return ended + answers + tuple(_cut_turns(state, state.open))


def _cut_turns(state: State, phase: OpenPhase) -> Iterator[Turn]:
    for partial in state.stopped.partials if state.stopped else ():
        address = RequestId.parse(partial.request).turn
        seat = address.seat
        if partial.text and address in phase.missing():
            yield Turn(
                round=phase.round,
                phase=phase.slot.phase.name,
                seat=seat,
                status="cut",
                request=partial.request,
                by=seat,
                at=state.closed_at,
                attempts=phase.failures.get(address, 0) + 1,
                nth=address.nth,
                text=partial.text,
            )


def turn_rows(state: State, events: Iterable[Event] = (), holds: Collection[str] = ()) -> tuple[TurnRow, ...]:
    """One row per turn; `events` only to say when turns given at once became visible to the others."""
    ended = {(e.body.round, e.body.phase): e.at for e in events if isinstance(e.body, PhaseEnded)}
    claims = {row.claim_id: row for row in claim_rows(state)}
    used = used_by_place(state)
    rows = []
    for seq, turn in enumerate(readable_turns(state, holds), start=1):
        in_turn = state.phase(turn.phase).order == "in_turn"
        revealed_at = turn.at if in_turn else ended.get((turn.round, turn.phase), "")
        row = _turn_row(state, turn, seq, claims, revealed_at)
        rows.append(_with_calls(state, turn, row, used.get(turn.address(), Used())))
    return tuple(rows)


def _with_calls(state: State, turn: Turn, row: TurnRow, used: Used) -> TurnRow:
    """The row with what was asked of which model to get it."""
    tried = [t for t in state.failed_attempts if t.address() == turn.address()]
    row = replace(row, failures=tuple(t.message or t.status for t in tried))
    seat = state.spec.seat(row.seat)
    line = state.spec.line(seat) if row.occupant == "model" else None
    if used.calls:
        known = used.tokens()
        row = replace(row, usage=known and known.model_copy(update={"cost_usd": used.cost_usd}))
    if line is None:
        return row
    model = used.models[-1] if used.models else line.model or None
    return replace(row, provider=line.provider, model=model, model_line=line.id, family=family_of(state.spec, seat))


def turn_text(turn: Turn) -> str:
    """The prose of a turn; of one that gave no content, the text that had arrived."""
    return turn.content.prose if turn.content else turn.text


def _turn_row(state: State, turn: Turn, seq: int, known: Mapping[str, ClaimRow], revealed_at: str) -> TurnRow:
    seat, content = state.spec.seat(turn.seat), turn.content
    said = content if isinstance(content, Argument) else None
    claims = said.claims if said else ()
    quotes = [known[c.id].quote_verified == "verbatim" for c in claims if c.quote]
    return TurnRow(
        turn_id=turn.request,
        round=turn.round,
        phase=turn.phase,
        seq=seq,
        seat=turn.seat,
        role=seat.role,
        # Somebody who gives the turn under a name of their own is a person, whoever was to sit there.
        occupant="human" if turn.status == "ok" and turn.by != turn.seat else seat.occupant,
        provider=None,
        model=None,
        model_line=None,
        family=None,
        alias=stance_tag(state, turn.seat),
        by=turn.by,
        stance=(said.stance if said else "") or stance_of(state, turn.seat),
        vote=_vote(state, turn),
        confidence=content.confidence if isinstance(content, Argument | Synthesis | Verdict) else None,
        strength=said.strength if said else None,
        text=turn_text(turn),
        reply_to=said.answers if said else (),
        concedes=said.concedes if said else (),
        claims=len(claims),
        quotes_verified=sum(quotes),
        quotes_unverified=len(quotes) - sum(quotes),
        usage=None,
        started_at=turn.started_at,
        submitted_at=turn.at,
        revealed_at=revealed_at,
        status=turn.status,
        retries=turn.attempts - 1,
        failures=(),
        message=turn.message,
        left_out=turn.left_out,
        argues_for=turn.argues_for,
    )


def _vote(state: State, turn: Turn) -> str | None:
    if not isinstance(turn.content, Argument) or not asks_ballot(state.spec.protocol, state.phase(turn.phase)):
        return None
    if turn.content.ballot:
        return ballot_words(ballot_kind(state.spec.protocol.decide), turn.content.ballot)
    return turn.content.vote or ABSTAIN


def shown_text(row: TurnRow) -> str:
    """What a transcript shows of a turn: its words, or what became of it. A struck turn is a placeholder there."""
    return f"[struck: {row.message}]" if row.status == "struck" else row.text or row.message


def transcript_rows(state: State, rows: Sequence[TurnRow]) -> tuple[TranscriptRow, ...]:
    """The turns as read, only those given whole, a placeholder for struck ones; and what was given to all seats."""
    to_all, transcript = said_in(state), list[TranscriptRow]()
    for place in state.ran:
        transcript += [
            TranscriptRow(row.round, row.seat, row.stance, shown_text(row), row.vote)
            for row in rows
            if row.status in ("ok", "struck") and (row.round, row.phase) == place
        ]
        transcript += [TranscriptRow(place[0], given.speaker, "", given.text, None) for given in to_all.get(place, ())]
    return tuple(transcript)


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One seat; `share` is of the words of all seats."""

    seat: str
    turns: int
    words: int
    share: float


def share_rows(state: State, holds: Collection[str] = ()) -> tuple[ShareRow, ...]:
    """Every seat that has spoken, in the order of the seats; empty while nobody has said a word."""
    turns, words = Counter[str](), Counter[str]()
    for turn in readable_turns(state, holds):
        if turn.content is not None:
            turns[turn.seat] += 1
            words[turn.seat] += len(judge_view.spoken(turn.content).split())
    total = words.total()
    if not total:
        return ()
    speakers = [seat.id for seat in state.spec.seats if turns[seat.id]]
    return tuple(ShareRow(seat, turns[seat], words[seat], words[seat] / total) for seat in speakers)
