"""Many histories, one seed after the other, and what all of them have come to."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from debate_core.host.run_loop import Planner, Steps, run_loop
from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from tests.simulation.history import History, Play
from tests.simulation.process import Time

LAST_LINES = 60
"""What is shown of a history in which something is wrong."""


@dataclass
class Played:
    """Results of a number of histories."""

    wrong: dict[int, list[str]] = field(default_factory=dict)
    """Seed -> what was wrong."""
    counts: Counter[str] = field(default_factory=Counter)
    digest: int = 0


def play_many(
    seeds: Iterable[int],
    play: Callable[[int], Play],
    *,
    store: Callable[[Time], Store] = MemoryStore,
    loop: Callable[[Planner], Steps[datetime | None]] = run_loop,
) -> Played:
    """Play a history for each of these seeds."""
    played = Played()
    for seed in seeds:
        history = History(seed, play(seed), store=store, loop=loop).played()
        played.counts += history.counts
        played.digest = (played.digest * 31 + history.digest) % (1 << 61)
        if history.watch.wrong:
            played.wrong[seed] = history.watch.wrong
    return played


def told(seed: int, play: Callable[[int], Play]) -> str:
    """One history in words: its last lines, and what is wrong with it."""
    history = History(seed, play(seed), trace=True).played()
    return "\n".join([*history.lines[-LAST_LINES:], *(f"seed {seed}: {what}" for what in history.watch.wrong)])
