"""Audit of a record: derive every event again and list each disagreement.

Takes events and trusts nothing in them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import product

from debate_core.engine import command_handlers, engine, idempotency_keys, rights, schedule
from debate_core.errors import BrokenRecord, DebateError
from debate_core.record.events import (
    MEASURES,
    DebateOpened,
    Event,
    StopVerdict,
    TurnFailed,
    TurnTaken,
    chain_fault,
    utc_text,
)
from debate_core.record.fold import apply
from debate_core.record.state import State, TextReading, replace
from debate_core.sentence import Sentence
from debate_core.spec.checks import check_recorded

_READINGS = tuple(TextReading(*answers) for answers in product((True, False), repeat=3))
"""Every combination of readings that the texts of a debate can have."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One disagreement: the number of the event (0 = the whole record) and a sentence."""

    seq: int
    message: str


def verify(events: Sequence[Event]) -> tuple[Finding, ...]:
    """() if the record obeys the rules. Stops at the first event that cannot be followed."""
    state: State | None = None
    previous: Event | None = None
    for event in events:
        try:
            fault = chain_fault(event, previous) or _time_fault(event) or _fault(state, event)
            if fault:
                return (_finding(event, fault),)
            state, previous = apply(state, event), event
        except DebateError as error:
            return (_finding(event, error.sentence),)
        except (ValueError, StopIteration, IndexError) as error:
            return (_finding(event, str(error)),)
    if state is None:
        return (Finding(0, Sentence("the record has no event")),)
    if engine.due(state, _without_functions) is not None:
        stops = Sentence(
            "the record stops at event {version}, but the rules require another event", version=state.version
        )
        return (Finding(state.version, stops),)
    return ()


def _finding(event: Event, fault: str) -> Finding:
    return Finding(event.seq, Sentence("event {seq} ({kind}): {fault}", seq=event.seq, kind=event.kind, fault=fault))


def measures_texts(events: Sequence[Event]) -> bool:
    """False for a record made with other text measures than today's, or derived from another record.

    Whether a claim was new, stances agreed, or a winner rested on its quotes is then taken from the record, as far as
    the rules allow. Everything else is derived again.
    """
    opened = events[0].body if events else None
    if not isinstance(opened, DebateOpened):
        return True
    return (opened.measures or 1) == MEASURES and opened.successor_of is None


def refuse_broken(events: Sequence[Event], what: str) -> None:
    """Raise BrokenRecord for a record that `verify` does not accept; the message begins with `what`."""
    findings = verify(events)
    if findings:
        raise BrokenRecord("{what}: {message}", findings[0].seq, what=what, message=findings[0].message)


def _time_fault(event: Event) -> Sentence | None:
    try:
        written = utc_text(datetime.fromisoformat(event.at))
    except (ValueError, OverflowError):
        written = None
    if event.at == written:
        return None
    return Sentence("its time {at!r} is none in UTC", at=event.at[:80])


def _fault(state: State | None, event: Event) -> Sentence | None:
    if state is None:
        if not isinstance(event.body, DebateOpened):
            return Sentence("a record must begin with debate_opened")
        check_recorded(event.body.spec)
        if event.key == "open":
            return None
        return Sentence("its key is {key!r}, not 'open'", key=event.key)
    if state.measures == MEASURES and state.predecessor is None:
        return _fault_in_next(state, event)
    faults = [_fault_in_next(replace(state, reading=reading), event) for reading in _READINGS]
    return None if None in faults else faults[0]


def _fault_in_next(state: State, event: Event) -> Sentence | None:
    recorded = event.body
    verdict = isinstance(recorded, StopVerdict) and recorded.holds
    follows = engine.due(state, lambda _state, _function: verdict)
    if follows is not None:
        if event.body != follows:
            return Sentence(
                "re-counted, it should be {kind} {difference}",
                kind=type(follows).__name__,
                difference=_difference(follows, event.body),
            )
        if event.actor != rights.ENGINE:
            return Sentence("the engine adds this event, but it names {actor!r} as its actor", actor=event.actor)
    else:
        engine.refuse(state, event.body, by=event.actor, at=event.at)
        if isinstance(event.body, TurnTaken | TurnFailed) and not _is_numbered(state, event.body):
            return Sentence("its claims do not carry the numbers that follow")
    expected = idempotency_keys.key_of(state, event.body)
    if event.key == expected:
        return None
    return Sentence("its key is {key!r}, not {expected!r}", key=event.key, expected=expected)


def _without_functions(_state: State, _function: str) -> bool:
    """The verdict of a function that is not asked, because every verdict must be in the record."""
    return False


def _is_numbered(state: State, body: TurnTaken | TurnFailed) -> bool:
    if body.content is None:
        return True
    request = schedule.request_of(state, body.request)
    return command_handlers.numbered(state, request, body.content) == body.content


def _difference(expected: object, recorded: object) -> str:
    if type(expected) is not type(recorded):
        return f"(the record has {type(recorded).__name__})"
    fields = [n for n in getattr(type(expected), "model_fields", {}) if getattr(expected, n) != getattr(recorded, n)]
    return "with " + ", ".join(f"{n} = {getattr(expected, n)}" for n in fields)
