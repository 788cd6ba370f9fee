"""Fillers: the code that answers for a seat without a person. The engine does not know which filler answers.

A filler gets a request and a view and returns a command; it streams text to `on_text`.
"""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from debate_core.engine.seat_view import View
from debate_core.record.commands import AnyCommand, FailTurn
from debate_core.record.state import Request, State
from debate_core.seats.server_queue import ServerQueue
from debate_core.spec.values import MAX_TEXT_CHARS, TurnError, Usage

if TYPE_CHECKING:
    from debate_core.seats.scripted import Script


class OnText(Protocol):
    """Receives the whole prose so far, so that a lost call loses nothing. `thinking` is not part of the turn."""

    def __call__(self, request: str, text: str, /, thinking: str = "") -> None: ...


MAX_MESSAGE_CHARS = 2_000
FREE = Usage(calls=0, cost_usd="0")
"""Usage of a turn without a call."""


def failed_turn(
    request: Request,
    error: TurnError,
    message: str,
    partial: str,
    usage: Usage = FREE,
    *,
    permanent: bool = False,
    retry_after_ms: int = 0,
    transport: bool = False,
    began: bool = False,
    reached: bool = False,
) -> FailTurn:
    """The failed attempt at a request, with its texts cut to what an event can hold."""
    return FailTurn(
        by=request.seat,
        request=request.id,
        error=error,
        message=message[:MAX_MESSAGE_CHARS],
        partial=partial[:MAX_TEXT_CHARS],
        usage=usage,
        permanent=permanent,
        retry_after_ms=retry_after_ms,
        transport=transport,
        began=began,
        reached=reached,
    )


class Filler(Protocol):
    """Answers a request with TakeTurn, FailTurn or SkipTurn, or raises a SeatError, which becomes a FailTurn."""

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand: ...


@runtime_checkable
class Paid(Protocol):
    """A filler whose calls cost money: it keeps the deadline of a call and waits in the queue of a server.

    Before each call it names the maximum usage; `close` closes its connection.
    """

    deadline_s: float
    queue: ServerQueue
    """The queue of its server."""

    def reserve(self, request: Request, view: View) -> Usage: ...

    async def close(self) -> None: ...


def fillers_for(state: State, *, script: "Script | None", pace_cps: int) -> dict[str, Filler]:
    """Seat id -> filler for the offline and the scripted seats, not for people and models.

    `pace_cps` is characters per second, 0 = at once. A scripted seat without a script fails its turns and never waits.
    """
    # Imported here because the seats import the types above.
    from debate_core.seats.offline import EvidencePanel
    from debate_core.seats.scripted import Player, Script

    panel = EvidencePanel(state.spec.evidence_panel(), pace_cps)
    player = Player(script or Script(), state, pace_cps)
    by_occupant: dict[str, Filler] = {"offline": panel, "scripted": player}
    return {s.id: by_occupant[s.occupant] for s in state.spec.seats if s.occupant in by_occupant}
