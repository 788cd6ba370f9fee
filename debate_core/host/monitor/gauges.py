"""What can be read of a host at any moment, as numbers alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Gauges:
    """The first four are of the database, and so the same in every process; the others are of this process."""

    debates: Mapping[str, int] = field(default_factory=dict)
    """Number of debates by status, without those of practice."""
    paused: Mapping[str, int] = field(default_factory=dict)
    """Of those that are paused: how many because of a `limit`, because seats are `unreached`, or by `people`."""
    servers: Mapping[str, int] = field(default_factory=dict)
    """Servers of models that were ever called, by whether calls pass: `closed`, `open`, `half-open`."""
    workers: int = 0
    """Processes that ask seats."""
    running: int = 0
    parked: int = 0
    """Debates that wait for a server of models, because it asked for it."""
    viewers: int = 0
    refused_acts: int = 0
    refused_joins: int = 0
    spans_dropped: int | None = None
    """Appends whose spans were not sent; None = none are."""
