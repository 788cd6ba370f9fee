"""Who can sit in a seat without being a person: fillers. The engine does not know which one answers.

A filler gets a request and a view and gives a command; what it streams on the way goes to `on_text`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from debate_core.events import AnyCommand
from debate_core.model import Usage
from debate_core.state import Request, State
from debate_core.views import View

if TYPE_CHECKING:
    from debate_core.seats.scripted import Script

OnText = Callable[[str, str], None]
"""(request id, text so far): the whole prose up to now, so that a lost call loses nothing."""

FREE = Usage(calls=0, cost_usd="0")
"""What a turn uses for which nobody is called."""


class Filler(Protocol):
    """TakeTurn, FailTurn or SkipTurn for the request; or raises a SeatError, which becomes a FailTurn."""

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand: ...


def fillers_for(state: State, *, script: "Script | None", pace_cps: int) -> dict[str, Filler]:
    """Seat id -> filler for the offline and the scripted seats; people and seats of models have none here.

    `pace_cps` is characters per second, 0 = at once. A scripted seat without a script fails its turns: it never waits.
    """
    # Only now: the seats import the types above.
    from debate_core.seats.offline import EvidencePanel
    from debate_core.seats.scripted import Player, Script

    panel = EvidencePanel(pace_cps)
    player = Player(script or Script(), state, pace_cps)
    by_occupant: dict[str, Filler] = {"offline": panel, "scripted": player}
    return {s.id: by_occupant[s.occupant] for s in state.spec.seats if s.occupant in by_occupant}
