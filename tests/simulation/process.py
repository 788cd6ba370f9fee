"""A process that runs a debate, as the simulator knows it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from debate_core.host.run_loop import Planner, Steps
from debate_core.host.stores import Lease
from debate_core.record.commands import AnyCommand

Time = Callable[[], float]
"""A clock in seconds."""


@dataclass(slots=True, eq=False)
class Process:
    """Current activity of the process, and its known state from outside."""

    number: int
    skew_s: float
    """How much its clock is fast."""
    planner: Planner | None = None
    steps: Steps[datetime | None] | None = None
    """What it is doing; None = it is dead, or has nothing to do."""
    lease: Lease | None = None
    is_dead: bool = False
    life: int = 0
    """How often it lost what it had in hand: what was to happen in a former life does not."""
    woken: bool = False
    listens: int = 0
    """Which of its waits this is; 0 = it does not wait."""
    again_s: float | None = None
    """How long to wait before the next run; None = until it is woken."""
    in_flight: dict[str, tuple[float, AnyCommand]] = field(default_factory=dict)
    """Request -> when its seat has answered, and what."""

    unwritten: set[str] = field(default_factory=set)
    """Requests that it asks or has heard the answer of, and that are not in the record."""
    recorded: set[str] = field(default_factory=set)
    """Requests whose attempts it has recorded and not asked yet."""
    renewed_s: float = 0.0
    stalled_until_s: float = 0.0
    """When it last stood still, or could not write."""
    busy_since_s: float | None = None
    """When it first met a busy store, if nothing came of its tries since."""
    must_know: int = 0
    """As many events were in the record when it was last woken, or heard nothing."""

    def forgets(self) -> None:
        """Lose everything that the process holds in memory."""
        self.life += 1
        self.listens = 0
        self.busy_since_s = None
        self.in_flight.clear()
        self.unwritten.clear()
        self.recorded.clear()
