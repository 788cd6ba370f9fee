"""A record as OpenTelemetry spans: the debate, each round, each turn and each attempt at a turn.

Attribute names follow the conventions for generative AI, and `debate.*` where these have none. No attribute contains a
text, a title, a person's name, or an id chosen by people: seats have numbers. Trace and span ids are derived from the
record, so that several processes can export one debate, and the same record gives the same spans.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from debate_core.record.events import (
    AttemptStarted,
    Closed,
    DebateOpened,
    Event,
    PhaseBegan,
    PhaseEnded,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
)
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.look_ups import LookedUp
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Spec
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.values import Seat, Usage

AttributeValue = str | int | float | bool
Attributes = Mapping[str, AttributeValue]
PROVIDERS = {"google": "gcp.gemini", "mistral": "mistral_ai", "xai": "x_ai"}
"""Provider name in this program -> name in the conventions, if different."""
READS = frozenset(
    (
        "debate_opened",
        "phase_began",
        "phase_ended",
        "attempt_started",
        "turn_taken",
        "turn_failed",
        "turn_skipped",
        "closed",
    )
)
"""Kinds of events that spans are derived from."""
INTERRUPTED = "interrupted"
"""Error of an attempt that ended without an answer: its process ended, a stop, or a person took the seat."""


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """A span from `start` to `end` (UTC text, as in records). `parent` is the id of the enclosing span, if any."""

    name: str
    trace: str
    """32 hexadecimal digits; span ids have 16."""
    id: str
    parent: str
    start: str
    end: str
    attributes: Attributes
    error: str
    """Type of the failure; empty = none."""
    calls_model: bool
    ended_by: int
    """Number of the event that ended it."""


@dataclass(slots=True)
class _OpenTurn:
    """A turn in progress: its start, and the end of its last attempt."""

    start: str
    end: str = ""
    error: str = ""


@dataclass(slots=True)
class _OpenRound:
    number: int
    start: str


@dataclass(slots=True)
class SpanReader:
    """Derives spans from one record, event by event. `seq` is the number of the last event read."""

    seq: int = 0
    _opened_at: str = ""
    _protocol: str = ""
    _seats: tuple[Seat, ...] = ()
    _spec: Spec | None = None
    _phase_began: str = ""
    _round: _OpenRound | None = None
    _turns: dict[TurnId, _OpenTurn] = field(default_factory=dict)
    _attempts: dict[str, Event] = field(default_factory=dict)
    """Request id -> the event that started the attempt."""

    def take(self, event: Event) -> list[TraceSpan]:
        """Read an event and return the spans that it ends, inner ones first."""
        self.seq = event.seq
        match event.body:
            case DebateOpened(spec=spec):
                self._opened_at = event.at
                self._protocol = spec.protocol.name
                self._seats = spec.seats
                self._spec = spec
            case PhaseBegan(round=number):
                self._phase_began = event.at
                if self._round is None or self._round.number != number:
                    ended = self._end_of_round(event)
                    self._round = _OpenRound(number, event.at)
                    return ended
            case PhaseEnded():
                return self._end_of_turns(event)
            case AttemptStarted(request=request):
                interrupted = self._end_of_attempt(event, request, error=INTERRUPTED)
                self._attempts[request] = event
                self._turns.setdefault(RequestId.parse(request).turn, _OpenTurn(event.at))
                return interrupted
            case LookedUp(request=request, usage=usage):
                return self._end_of_attempt(event, request, error="", usage=usage)
            case TurnTaken() | TurnFailed() | TurnSkipped():
                return self._answered(event, event.body)
            case Closed(outcome=outcome):
                about = {"debate.status": outcome.status, "debate.rounds": outcome.rounds_run}
                return [*self._end_of_turns(event), *self._end_of_round(event), *self._end_of_debate(event, about)]
            case _:
                pass
        return []

    def _answered(self, event: Event, body: TurnTaken | TurnFailed | TurnSkipped) -> list[TraceSpan]:
        asked = RequestId.parse(body.request)
        by_seat = event.actor == asked.seat
        error = body.error if isinstance(body, TurnFailed) else ""
        usage = None if isinstance(body, TurnSkipped) else body.usage
        attempt_error = error if by_seat else INTERRUPTED
        ended = self._end_of_attempt(event, body.request, error=attempt_error, usage=usage if by_seat else None)
        turn = self._turns.setdefault(asked.turn, _OpenTurn(self._phase_began or event.at))
        turn.end = event.at
        turn.error = error
        if isinstance(body, TurnFailed):
            # A retry is known only from the next attempt, or the end of the phase.
            return ended
        status = "skipped" if isinstance(body, TurnSkipped) else "ok"
        return [*ended, *self._end_of_turn(event, asked.turn, status)]

    def _end_of_attempt(self, event: Event, request: str, *, error: str, usage: Usage | None = None) -> list[TraceSpan]:
        started = self._attempts.pop(request, None)
        if started is None:
            return []
        asked = RequestId.parse(request)
        line = self._line(asked.turn)
        name = "attempt"
        attributes: dict[str, AttributeValue] = {"debate.attempt": asked.attempt}
        if line is not None:
            name = f"chat {line.model}".strip()
            attributes |= _call(line, usage)
        # An interrupted request is repeated under the same id.
        path = f"attempt {request} {started.seq}"
        around = f"turn {asked.turn}"
        calls = line is not None
        return [self._span(event, name, path, around, started.at, event.at, attributes, error=error, calls_model=calls)]

    def _end_of_turn(self, event: Event, turn: TurnId, status: str) -> list[TraceSpan]:
        was = self._turns.pop(turn)
        seat = self._seat(turn.seat)
        line = self._line(turn)
        attributes: dict[str, AttributeValue] = {"debate.round": turn.round, "debate.turn.status": status}
        if seat is not None:
            attributes |= {"debate.seat.number": self._seats.index(seat) + 1, "debate.seat.occupant": seat.occupant}
        if line is not None:
            attributes |= {"gen_ai.operation.name": "invoke_agent", **_provider(line)}
        around = f"round {turn.round}"
        return [self._span(event, "turn", f"turn {turn}", around, was.start, was.end, attributes, error=was.error)]

    def _end_of_turns(self, event: Event) -> list[TraceSpan]:
        """End turns that are not repeated, and interrupted attempts."""
        spans = []
        for request in [*self._attempts]:
            spans += self._end_of_attempt(event, request, error=INTERRUPTED)
        for turn, was in [*self._turns.items()]:
            was.error = was.error or INTERRUPTED
            was.end = was.end or event.at
            spans += self._end_of_turn(event, turn, was.error)
        return spans

    def _end_of_round(self, event: Event) -> list[TraceSpan]:
        was = self._round
        self._round = None
        if was is None:
            return []
        path = f"round {was.number}"
        return [self._span(event, "round", path, "debate", was.start, event.at, {"debate.round": was.number})]

    def _end_of_debate(self, event: Event, about: Attributes) -> list[TraceSpan]:
        attributes = {"gen_ai.operation.name": "invoke_workflow", "debate.seats": len(self._seats), **about}
        if self._protocol in PROTOCOLS:
            # The name of a custom protocol may contain private text.
            attributes["gen_ai.workflow.name"] = self._protocol
        return [self._span(event, "debate", "debate", "", self._opened_at, event.at, attributes)]

    def _span(
        self,
        event: Event,
        name: str,
        path: str,
        parent: str,
        start: str,
        end: str,
        attributes: Attributes,
        *,
        error: str = "",
        calls_model: bool = False,
    ) -> TraceSpan:
        about = {"gen_ai.conversation.id": event.debate, **attributes}
        if error:
            about["error.type"] = error
        return TraceSpan(
            name=name,
            trace=_digest(event.debate)[:32],
            id=_digest(f"{event.debate}/{path}")[:16],
            parent=_digest(f"{event.debate}/{parent}")[:16] if parent else "",
            start=start,
            end=end,
            attributes=about,
            error=error,
            calls_model=calls_model,
            ended_by=event.seq,
        )

    def _seat(self, seat_id: str) -> Seat | None:
        return next((seat for seat in self._seats if seat.id == seat_id), None)

    def _line(self, turn: TurnId) -> ModelLine | None:
        if self._spec is None or self._seat(turn.seat) is None:
            return None
        return self._spec.line(seat_in_round(self._spec, turn.seat, turn.round))


def spans(events: Iterable[Event]) -> tuple[TraceSpan, ...]:
    """Spans of a record that have ended."""
    reader = SpanReader()
    return tuple(span for event in events for span in reader.take(event))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _provider(line: ModelLine) -> Attributes:
    return {"gen_ai.provider.name": PROVIDERS.get(line.provider, line.provider), "gen_ai.request.model": line.model}


def _call(line: ModelLine, usage: Usage | None) -> Attributes:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        **_provider(line),
        "gen_ai.request.max_tokens": line.max_tokens,
    }
    if line.temperature is not None:
        attributes["gen_ai.request.temperature"] = float(line.temperature)
    if line.seed is not None:
        attributes["gen_ai.request.seed"] = line.seed
    host = urlsplit(line.base_url).hostname
    if host:
        attributes["server.address"] = host
    if usage is not None:
        attributes |= _usage(usage)
    return attributes


def _usage(usage: Usage) -> Attributes:
    """Known usage; `debate.cost_usd` is a decimal number as text."""
    attributes: dict[str, AttributeValue] = {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
        "debate.usage.estimated": usage.estimated,
    }
    if usage.model:
        attributes["gen_ai.response.model"] = usage.model
    if usage.cost_usd is not None:
        attributes["debate.cost_usd"] = usage.cost_usd
    return attributes
