"""Connects the processes of one database: wakes for debates with open work, and live texts of seats.

Records do not depend on either, only on leases and turns. Knows no debate.
"""

from collections.abc import Callable, Collection, Set
from functools import partial
from typing import NamedTuple, Protocol

from debate_core.host.background import Background, OnBreak, RunDebate
from debate_core.host.debate_cache import DebateCaches
from debate_core.host.settings import Worker
from debate_core.host.stores import POSTGRES


class Notifier(Protocol):
    """Runs debates that were woken; thread-safe."""

    @property
    def running(self) -> Set[str]:
        """Ids of the debates running in this process."""

    @property
    def reaches_others(self) -> bool:
        """True if any free process picks up a woken debate."""

    def start(self) -> None:
        """Start running debates, including those woken by other processes."""

    def wake(self, debate_id: str) -> None:
        """Start the debate, or wake its run."""

    def nudge(self, debate_id: str) -> None:
        """Wake the run of this debate if it runs in this process."""

    def close(self, drain_s: float = 0) -> None:
        """Give the runs `drain_s` to finish, cancel the rest and release every lease."""


class TextsOfAll(Protocol):
    """Live texts of all processes, in the caches of this one."""

    def catch_up(self, debate_id: str) -> None:
        """Read all current texts of this debate, of any process."""

    def close(self) -> None:
        """Stop sending and listening."""


TextsMaker = Callable[[DebateCaches, Callable[[], Collection[str]]], TextsOfAll]
"""Receives the caches of a process and the debates it runs."""
NotifierMaker = Callable[[RunDebate, OnBreak], Notifier]


class Coordination(NamedTuple):
    """The cooperation of a process with others on its database."""

    notifier: NotifierMaker
    texts: TextsMaker | None = None


def coordination_of(database_url: str, worker: Worker) -> Coordination:
    """Several processes can share a PostgreSQL database; those on a SQLite file do not communicate."""
    if not database_url.startswith(POSTGRES):
        return Coordination(partial(Background, idle=worker == "none"))
    # Server-only packages load only on a server.
    from debate_core.host.job_queue import JobQueue
    from debate_core.host.live_texts import LiveTexts
    from debate_core.host.stores.postgres import connect, plain_url, read_url

    url = read_url(database_url)
    return Coordination(
        partial(JobQueue, plain_url(url), works=worker != "none"),
        partial(LiveTexts, partial(connect, url), worker=worker),
    )
