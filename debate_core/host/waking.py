"""How a debate that can go on is taken up by a process that asks seats: in this one, or through a queue of many.

Correctness never rests on it: the lease of the runner does. Knows no debate.
"""

from collections.abc import Callable
from typing import Protocol

from debate_core.host.background import Background, OnBreak, RunDebate
from debate_core.host.settings import Worker


class Wake(Protocol):
    """Takes up debates that were woken; from any thread."""

    @property
    def n_running(self) -> int:
        """How many debates this process is running now."""

    @property
    def reaches_others(self) -> bool:
        """True if what is woken here is taken up by whichever process is free."""

    def is_running(self, debate_id: str) -> bool:
        """True while this process is running this debate."""

    def wake(self, debate_id: str) -> None:
        """See to it that somebody looks whom to ask in this debate."""

    def close(self) -> None:
        """Cut off the seats that are asked here, and give back every lease."""


WakeMaker = Callable[[RunDebate, OnBreak], Wake]


def wake_maker(worker: Worker) -> WakeMaker:
    """What takes up debates in a process that works like this."""

    def make(run: RunDebate, on_break: OnBreak) -> Wake:
        return Background(run, on_break, idle=worker == "none")

    return make
