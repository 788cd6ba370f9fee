"""What joins the processes of one database: who takes up a debate that can go on, and who hears what its seats say.

The record never rests on either: the lease of the runner, and the turns themselves, do. Knows no debate.
"""

from collections.abc import Callable, Collection, Set
from functools import partial
from typing import NamedTuple, Protocol

from debate_core.host.background import Background, OnBreak, RunDebate
from debate_core.host.mirror import Mirrors
from debate_core.host.settings import Worker
from debate_core.host.stores import POSTGRES


class Wake(Protocol):
    """Takes up debates that were woken; from any thread."""

    @property
    def running(self) -> Set[str]:
        """The debates that this process is running now."""

    @property
    def reaches_others(self) -> bool:
        """True if what is woken here is taken up by whichever process is free."""

    def start(self) -> None:
        """Begin to take up debates, also those that other processes woke."""

    def wake(self, debate_id: str) -> None:
        """See to it that somebody looks whom to ask in this debate."""

    def nudge(self, debate_id: str) -> None:
        """Let whoever runs it in this process look at once; nothing if nobody does."""

    def close(self, drain_s: float = 0) -> None:
        """Let the runs so long end by themselves, then cut off the seats that are asked here; give back every lease."""


class TextsOfAll(Protocol):
    """What seats say in all processes, in the mirrors of this one."""

    def catch_up(self, debate_id: str) -> None:
        """Take in all that is being said in this debate, wherever."""

    def close(self) -> None:
        """Tell and hear no more."""


TextsMaker = Callable[[Mirrors, Callable[[], Collection[str]]], TextsOfAll]
"""Given the mirrors of a process and the debates that it runs itself."""
WakeMaker = Callable[[RunDebate, OnBreak], Wake]


class Coordination(NamedTuple):
    """How a process works together with the others of its database."""

    waking: WakeMaker
    texts: TextsMaker | None = None


def coordination_of(database_url: str, worker: Worker) -> Coordination:
    """Many processes share a PostgreSQL database; those of a SQLite file know nothing of each other."""
    if not database_url.startswith(POSTGRES):
        return Coordination(partial(Background, idle=worker == "none"))
    # What only a server needs loads only there.
    from debate_core.host.job_queue import JobQueue
    from debate_core.host.live_texts import LiveTexts
    from debate_core.host.stores.postgres import connect, plain_url, read_url

    url = read_url(database_url)
    return Coordination(
        partial(JobQueue, plain_url(url), works=worker != "none"),
        partial(LiveTexts, partial(connect, url), worker=worker),
    )
