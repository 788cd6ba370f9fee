"""What a run of a debate goes by that is no part of the debate: limits, clocks, and who is told what."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from debate_core.host.daily_budget import DailyBudget
from debate_core.record.events import Event
from debate_core.seats import OnText

AtLimit = Literal["end", "wait"]
"""What follows where the next call could pass a limit: the end, or a wait for whoever leads."""


def _ignore_text(_request: str, _text: str, /, thinking: str = "") -> None:
    """Discards the text: nobody listens."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of one run; by default it is alone, nobody listens, and it ends where a limit is met."""

    on_text: OnText = _ignore_text
    """Hears what a seat has said so far of its turn."""
    on_events: Callable[[Sequence[Event]], None] = lambda _events: None
    """Hears what was appended, by this run or by others meanwhile."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    """Gives the times that stand in the record."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Waits so many seconds of that clock, while no seat is answering."""
    deadline_s: float = 120
    """How long a seat may take that nobody pays for; a paid one keeps a deadline of its own."""
    wake: asyncio.Event | None = None
    """Makes it look at the record at once."""
    at_limit: AtLimit = "end"
    """`wait`: somebody is there who may raise the limit."""
    budget: DailyBudget | None = None
    """What may be spent in a day; None = there is no such limit."""
    waits_hours: bool = False
    """It also returns where servers asked to wait for longer: somebody begins another run then."""
    on_parked: Callable[[datetime], None] = lambda _until: None
    """Hears until when, if it returned because of that."""
    look_s: float | None = None
    """How often it looks at the record by itself; None = as usual."""
    is_ending: Callable[[], bool] = lambda: False
    """From then on it asks nobody, and returns when the calls that somebody pays for are on record."""


AS_USUAL = RunOptions()
