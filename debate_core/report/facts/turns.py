"""Turns and the transcript as typed rows.

Derived from the state; adds nothing to the counts of the rules. Knows no file format: tables, charts, CSV and screens
are drawn from these rows.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from debate_core.engine import judge_view
from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.evidence import checked
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import hidden_seats, seats_not_live, stance_tag
from debate_core.record.events import Event, PhaseEnded
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.state import OpenPhase, State, Turn
from debate_core.report.facts.claims import ClaimRow, claim_rows
from debate_core.report.facts.interventions import said_in
from debate_core.report.facts.usage import Used, family_of, used_by_place
from debate_core.spec.contents import Argument, LeftOut, Synthesis, Verdict
from debate_core.spec.protocol import asks_ballot
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, Occupant, TurnStatus, Usage


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn. `turn_id` is the id of its request; unknown values are None or empty, never 0."""

    turn_id: str
    round: int
    phase: str
    seq: int
    seat: str
    role: str
    occupant: Occupant
    provider: str | None
    model: str | None
    """The model that answered, as named by its server, else the requested one."""
    model_line: str | None
    family: str | None
    alias: str
    by: str
    stance: str
    vote: str | None
    """The option, the ballot in words, "abstain", or None if no ballot was asked or none was given."""
    confidence: int | None
    strength: int | None
    """Self-rated strength of a critique, 1 to 10."""
    text: str
    reply_to: tuple[str, ...]
    concedes: tuple[str, ...]
    claims: int
    quotes_verified: int
    quotes_unverified: int
    usage: Usage | None
    """Sum over all attempts at this turn; None without a call, or if all usage is unknown."""
    started_at: str
    submitted_at: str
    revealed_at: str
    status: TurnStatus
    retries: int
    failures: tuple[str, ...]
    """Reasons for failed attempts."""
    message: str
    left_out: tuple[LeftOut, ...]
    """Unreadable parts of the reply that were not needed."""
    argues_for: str | None
    """The option that its text argues for, if its ballot puts another one highest."""
    no_reason: bool
    """True if its text gives no reason for its ballot."""

    def latency_ms(self) -> int | None:
        """Duration of the last attempt; None without a recorded start, as for people."""
        if not self.started_at or not self.submitted_at:
            return None
        took = datetime.fromisoformat(self.submitted_at) - datetime.fromisoformat(self.started_at)
        return round(took.total_seconds() * 1000)


@dataclass(frozen=True, slots=True)
class TranscriptRow:
    """A turn in the spelling of flow-state-dev (round, agentName, stance, text)."""

    round: int
    agent_name: str
    stance: str
    text: str
    vote: str | None


def sealed_seats(state: State, holds: Collection[str] = ()) -> frozenset[str]:
    """Seats whose turn in the open phase is sealed from the holder of `holds`; none once the debate is over."""
    if state.outcome is not None:
        return frozenset()
    return hidden_seats(state, holds) | seats_not_live(state, None, holds)


def readable_claims(state: State, holds: Collection[str] = ()) -> tuple[ClaimRow, ...]:
    """The evidence table without claims sealed in the open phase, and their effects on other claims."""
    return claim_rows(state, sealed_seats(state, holds))


def readable_turns(state: State, holds: Collection[str] = ()) -> tuple[Turn, ...]:
    """Turns in schedule order, without the chair's reviews and turns sealed in the open phase.

    Partial texts at a stop by a person are turns with status `cut`.
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
    """One row per turn; `events` gives the time at which simultaneous turns became visible."""
    ended = {(e.body.round, e.body.phase): e.at for e in events if isinstance(e.body, PhaseEnded)}
    used = used_by_place(state)
    failures = _failures(state)
    rows = []
    for seq, turn in enumerate(readable_turns(state, holds), start=1):
        in_turn = state.phase(turn.phase).order == "in_turn"
        revealed_at = turn.at if in_turn else ended.get((turn.round, turn.phase), "")
        address = turn.address()
        row = _turn_row(state, turn, seq, revealed_at, failures.get(address, ()))
        rows.append(_with_calls(state, row, used.get(address, Used())))
    return tuple(rows)


def _failures(state: State) -> Mapping[TurnId, tuple[str, ...]]:
    """Turn -> reasons for its failed attempts."""
    failures: dict[TurnId, tuple[str, ...]] = {}
    for attempt in state.failed_attempts:
        address = attempt.address()
        failures[address] = (*failures.get(address, ()), attempt.message or attempt.status)
    return failures


def _with_calls(state: State, row: TurnRow, used: Used) -> TurnRow:
    """Add model and usage to the row."""
    known = used.tokens() if used.calls else None
    if known is not None:
        row = replace(row, usage=known.model_copy(update={"cost_usd": used.cost_usd}))
    seat = seat_in_round(state.spec, row.seat, row.round)
    line = state.spec.line(seat)
    if row.occupant != "model" or line is None:
        return row
    model = used.models[-1] if used.models else line.model or None
    return replace(row, provider=line.provider, model=model, model_line=line.id, family=family_of(state.spec, seat))


def turn_text(turn: Turn) -> str:
    """The prose of a turn; for one without content, the partial text."""
    return turn.content.prose if turn.content else turn.text


def _turn_row(state: State, turn: Turn, seq: int, revealed_at: str, failures: tuple[str, ...]) -> TurnRow:
    seat = state.spec.seat(turn.seat)
    argument = turn.argument
    quotes = [checked(state.spec.sources, claim).verdict == "verbatim" for claim in turn.claims if claim.quote]
    # A turn given under another name than the seat's comes from a person.
    is_for_seat = turn.status == "ok" and turn.by != turn.seat
    row = TurnRow(
        turn_id=turn.request,
        round=turn.round,
        phase=turn.phase,
        seq=seq,
        seat=turn.seat,
        role=seat.role,
        occupant="human" if is_for_seat else seat.occupant,
        provider=None,
        model=None,
        model_line=None,
        family=None,
        alias=stance_tag(state, turn.seat),
        by=turn.by,
        stance=stance_of(state, turn.seat),
        vote=None if state.spec.held_elsewhere else _vote(state, turn),
        confidence=_confidence(turn),
        strength=None,
        text=turn_text(turn),
        reply_to=(),
        concedes=(),
        claims=len(turn.claims),
        quotes_verified=sum(quotes),
        quotes_unverified=len(quotes) - sum(quotes),
        usage=None,
        started_at=turn.started_at,
        submitted_at=turn.at,
        revealed_at=revealed_at,
        status=turn.status,
        retries=turn.attempts - 1,
        failures=failures,
        message=turn.message,
        left_out=turn.left_out,
        argues_for=turn.argues_for,
        no_reason=turn.no_reason,
    )
    if argument is None:
        return row
    return replace(
        row,
        stance=argument.stance or row.stance,
        strength=argument.strength,
        reply_to=argument.answers,
        concedes=argument.concedes,
    )


def _confidence(turn: Turn) -> int | None:
    if isinstance(turn.content, Argument | Synthesis | Verdict):
        return turn.content.confidence
    return None


def _vote(state: State, turn: Turn) -> str | None:
    argument = turn.argument
    if argument is None or not asks_ballot(state.spec.protocol, state.phase(turn.phase)):
        return None
    if argument.ballot:
        return ballot_words(ballot_kind(state.spec.protocol.decide), argument.ballot)
    return argument.vote or ABSTAIN


def shown_text(row: TurnRow) -> str:
    """Text of a turn in a transcript, or its failure message; a struck turn has a placeholder."""
    if row.status == "struck":
        return f"[struck: {row.message}]"
    return row.text or row.message


def transcript_rows(state: State, rows: Sequence[TurnRow]) -> tuple[TranscriptRow, ...]:
    """Complete turns, placeholders for struck ones, and messages and documents to all seats."""
    by_place: dict[tuple[int, str], list[TranscriptRow]] = {place: [] for place in state.ran}
    for row in rows:
        if row.status in ("ok", "struck"):
            said = TranscriptRow(row.round, row.seat, row.stance, shown_text(row), row.vote)
            by_place[row.round, row.phase].append(said)
    for place, given in said_in(state).items():
        by_place[place] += [TranscriptRow(place[0], one.speaker, "", one.text, None) for one in given]
    return tuple(chain.from_iterable(by_place.values()))


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One seat; `share` is of the words of all seats."""

    seat: str
    turns: int
    words: int
    share: float


def share_rows(state: State, holds: Collection[str] = ()) -> tuple[ShareRow, ...]:
    """Every seat that has spoken, in the order of the seats; () before the first word."""
    turns = Counter[str]()
    words = Counter[str]()
    for turn in readable_turns(state, holds):
        if turn.content is not None:
            turns[turn.seat] += 1
            words[turn.seat] += len(judge_view.spoken(turn.content).split())
    total = words.total()
    if not total:
        return ()
    speakers = [seat.id for seat in state.spec.seats if turns[seat.id]]
    return tuple(ShareRow(seat, turns[seat], words[seat], words[seat] / total) for seat in speakers)
