"""Who can sit in a seat without being a person: fillers. The engine does not know which one answers.

A filler gets a request and a view and gives a command; what it streams on the way goes to `on_text`.
"""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from debate_core.engine.seat_view import View
from debate_core.record.commands import AnyCommand
from debate_core.record.state import Request, State
from debate_core.seats.server_queue import ServerQueue
from debate_core.spec.values import Usage

if TYPE_CHECKING:
    from debate_core.seats.scripted import Script


class OnText(Protocol):
    """Hears the whole prose up to now, so that a lost call loses nothing. `thinking` is no part of the turn."""

    def __call__(self, request: str, text: str, /, thinking: str = "") -> None: ...


FREE = Usage(calls=0, cost_usd="0")
"""What a turn uses for which nobody is called."""


class Filler(Protocol):
    """TakeTurn, FailTurn or SkipTurn for the request; or raises a SeatError, which becomes a FailTurn."""

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand: ...


@runtime_checkable
class Paid(Protocol):
    """A filler that somebody pays for: it keeps the deadline of a call itself, and waits its turn at a server.

    It says before each call what that may use at most, and lets go of its line when it is closed.
    """

    deadline_s: float
    queue: ServerQueue
    """Where it waits for its turn at its server."""

    def reserve(self, request: Request, view: View) -> Usage: ...

    async def close(self) -> None: ...


def fillers_for(state: State, *, script: "Script | None", pace_cps: int) -> dict[str, Filler]:
    """Seat id -> filler for the offline and the scripted seats; people and seats of models have none here.

    `pace_cps` is characters per second, 0 = at once. A scripted seat without a script fails its turns: it never waits.
    """
    # Only now: the seats import the types above.
    from debate_core.seats.offline import EvidencePanel
    from debate_core.seats.scripted import Player, Script

    panel = EvidencePanel(state.spec.evidence_panel(), pace_cps)
    player = Player(script or Script(), state, pace_cps)
    by_occupant: dict[str, Filler] = {"offline": panel, "scripted": player}
    return {s.id: by_occupant[s.occupant] for s in state.spec.seats if s.occupant in by_occupant}
