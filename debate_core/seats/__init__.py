"""Who can sit in a seat without being a person: fillers. The engine does not know which one answers.

A filler gets a request and a view and gives a command; what it streams on the way goes to `on_text`.
"""

from collections.abc import Callable
from typing import Protocol

from debate_core.events import AnyCommand
from debate_core.state import Request
from debate_core.views import View

OnText = Callable[[str, str], None]
"""(request id, text so far): the whole prose up to now, so that a lost call loses nothing."""


class Filler(Protocol):
    """TakeTurn, FailTurn or SkipTurn for the request; or raises a SeatError, which becomes a FailTurn."""

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand: ...
