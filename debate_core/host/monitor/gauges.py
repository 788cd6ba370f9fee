"""The current numbers of a host."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Gauges:
    """The first four describe the database and are the same in every process; the others this process."""

    debates: Mapping[str, int] = field(default_factory=dict)
    """Number of debates by status, without practice debates."""
    paused: Mapping[str, int] = field(default_factory=dict)
    """Paused debates by reason: `limit`, `unreached` seats, or `people`."""
    servers: Mapping[str, int] = field(default_factory=dict)
    """Model servers called so far, by circuit state: `closed`, `open`, `half-open`."""
    workers: int = 0
    """Processes that ask seats."""
    running: int = 0
    parked: int = 0
    """Debates waiting because a model server asked for it."""
    viewers: int = 0
    refused_acts: int = 0
    refused_joins: int = 0
    spans_dropped: int | None = None
    """Appends without sent spans; None = spans are off."""
