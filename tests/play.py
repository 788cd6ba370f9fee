"""Play a debate with its own fillers on the pure engine: no store, no clock, no pace."""

from collections.abc import Mapping
from datetime import UTC, datetime

from debate_core.engine.engine import open_debate, requests, submit
from debate_core.engine.seat_view import view
from debate_core.record.commands import AnyCommand, StartAttempt
from debate_core.record.events import Event
from debate_core.record.fold import apply, replay
from debate_core.record.state import Request, State
from debate_core.seats import Filler, fillers_for
from debate_core.seats.scripted import Script
from debate_core.spec.protocol import Spec

AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def silent(request: str, text: str, /, thinking: str = "") -> None:
    """Somebody who does not watch."""


def opened(spec: Spec) -> tuple[Event, ...]:
    """The first events."""
    return open_debate(spec, debate_id="d1", at=AT)


def act(events: list[Event], state: State, command: AnyCommand) -> State:
    """Submit one command, keep its events."""
    for event in submit(state, command, at=AT):
        events.append(event)
        state = apply(state, event)
    return state


async def play(spec: Spec, script: Script | None = None, *, max_turns: int = 500) -> tuple[tuple[Event, ...], State]:
    """Ask every seat that has a filler until the debate is over or only people are asked."""
    events = list(opened(spec))
    state = replay(events)
    fillers = fillers_for(state, script=script, pace_cps=0)
    for _ in range(max_turns):
        request = next_with(fillers, state)
        if request is None:
            break
        state = act(events, state, StartAttempt(by="runner", request=request.id))
        command = await fillers[request.seat](request, view(state, request), silent)
        state = act(events, state, command)
    return tuple(events), state


def next_with(fillers: Mapping[str, Filler], state: State) -> Request | None:
    """The first open request of a seat that is not a person's."""
    return next((r for r in requests(state) if r.seat in fillers), None)
