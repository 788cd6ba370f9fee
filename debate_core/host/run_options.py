"""Options of a run that are not part of the debate: limits, clocks and subscribers."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from debate_core.engine.seat_view import View
from debate_core.host.daily_budget import DailyBudget
from debate_core.record.events import Event
from debate_core.seats import OnText

AtLimit = Literal["end", "wait"]
"""What happens when the next call could pass a limit: end, or wait for the facilitator."""


def _ignore_text(_request: str, _text: str, /, thinking: str = "") -> None:
    """Discard the text."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of one run; by default it has no subscribers and ends at a limit."""

    on_text: OnText = _ignore_text
    """Receives the partial text of a turn."""
    on_events: Callable[[Sequence[Event]], None] = lambda _events: None
    """Receives appended events, of this run and of others."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    """The clock for times in the record."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Sleeps by that clock, while no seat is answering."""
    deadline_s: float = 120
    """Time limit for a free seat; a seat with costs has its own deadline."""
    wake: asyncio.Event | None = None
    """Makes the run check the record at once."""
    at_limit: AtLimit = "end"
    """`wait` if someone can raise the limit."""
    budget: DailyBudget | None = None
    """The daily budget; None = unlimited."""
    waits_hours: bool = False
    """Return where servers ask for a long wait; the caller starts another run later."""
    on_parked: Callable[[datetime], None] = lambda _until: None
    """Receives the end of that wait."""
    look_s: float | None = None
    """Interval between checks of the record; None = default."""
    instructions: Mapping[str, Callable[[View], str]] = field(default_factory=dict)
    """Seat id -> a function that adds instructions to each prompt of this seat while a model holds it.

    The text is recorded with the call; "" adds none. An exception ends the run, and the record keeps what it has.
    """
    is_ending: Callable[[], bool] = lambda: False
    """Once true, the run asks no seat and returns when paid calls are in the record."""


AS_USUAL = RunOptions()
