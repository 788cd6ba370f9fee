"""Runs the debates of one store in the background while seats other than people's can answer.

It decides which debates run and when; `runner` has the order of steps in one run. It knows no person and is
thread-safe.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping, Sequence, Set
from datetime import datetime
from functools import partial

from debate_core.engine import stage
from debate_core.host import runner
from debate_core.host.background import OnBreak
from debate_core.host.baselines import hold_missing, lacking_baselines
from debate_core.host.daily_budget import DailyBudget
from debate_core.host.debate_cache import DebateCache, DebateCaches
from debate_core.host.fillers import Access, fillers_of, seat_setup_of
from debate_core.host.matches import MatchSetting, with_matches
from debate_core.host.notifier import NotifierMaker
from debate_core.host.run_options import RunOptions
from debate_core.host.settings import Worker
from debate_core.host.stores import Store
from debate_core.host.workers import Workers
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.seats import Filler

log = logging.getLogger(__name__)
LOOK_FOR_WORK_S = 0.5
SWEEP_S = 60.0


class DebateRuns:
    """The debates that this process runs; a `none` worker runs none and only wakes other processes."""

    def __init__(
        self,
        store: Store,
        caches: DebateCaches,
        notifier: NotifierMaker,
        *,
        worker: Worker,
        access: Access,
        budget: DailyBudget,
        clock: Callable[[], datetime],
        on_written: Callable[[DebateCache, Sequence[Event]], None],
        on_break: OnBreak,
    ) -> None:
        """`on_written` receives appended events, `on_break` failed runs."""
        self._store = store
        self._caches = caches
        self._worker = worker
        self._access = access
        self._budget = budget
        self._clock = clock
        self._on_written = on_written
        self._background = notifier(self._run, on_break)
        self.workers = Workers(store)
        self._versions: Mapping[str, int] = {}
        """Versions of all debates at the last look for work."""
        self._parked: set[str] = set()
        """Debates waiting here because a model server asked for it."""
        self._ending = threading.Event()

    @property
    def running(self) -> Set[str]:
        return self._background.running

    @property
    def n_parked(self) -> int:
        """Number of debates waiting here because a model server asked for it."""
        return len(self._parked)

    def start(self) -> None:
        """Continue every debate that may have open work, if this process asks seats."""
        self._background.start()
        if self._worker == "none":
            return
        self.workers.begin(beats=self._worker == "only" or self._background.reaches_others)
        self._versions = self._store.debates()
        unfinished = self._store.debates_without("closed") | lacking_baselines(self._store)
        for debate_id in self._versions:
            if debate_id in unfinished:
                self._background.wake(debate_id)

    def look_for_work(self) -> None:
        """Wake debates that other processes changed since the last look."""
        versions = self._store.debates()
        for debate_id, version in versions.items():
            if self._versions.get(debate_id) != version:
                self._background.wake(debate_id)
        self._versions = versions

    @property
    def look_for_work_s(self) -> float:
        """Interval of looking for work: short without wakes from others, else long, to find lost wakes."""
        return SWEEP_S if self._background.reaches_others else LOOK_FOR_WORK_S

    def wake(self, debate_id: str) -> None:
        """Start the debate, or wake its run."""
        self._background.wake(debate_id)

    def nudge(self, debate_id: str) -> None:
        self._background.nudge(debate_id)

    def close(self, *, drain_s: float) -> None:
        """Start no calls, give running ones `drain_s`, then cancel them and release every lease."""
        self._ending.set()
        if drain_s and self.running:
            log.warning("running debates have %g s to finish their calls; a second signal cancels them", drain_s)
        self._background.close(drain_s)
        self.workers.end()

    async def _run(self, debate_id: str, wake: asyncio.Event) -> float | None:
        """Run one debate until it waits for people or servers; on the background thread.

        Returns the seconds until the next check: the end of a wait for people, or the time a server named.
        """
        cache = self._caches.of(debate_id)
        if cache.state.spec.match_of is not None:
            # Only the run of its tournament asks its seats.
            return None
        parked_until: list[datetime] = []
        options = RunOptions(
            on_text=cache.on_text,
            on_events=partial(self._on_written, cache),
            clock=self._clock,
            deadline_s=self._access.turn_deadline_s,
            wake=wake,
            at_limit="wait",
            budget=self._budget.of(cache.state.ownership.owner),
            waits_hours=True,
            on_parked=parked_until.append,
            look_s=self._caches.look_s,
            is_ending=self._ending.is_set,
        )

        def find_fillers(state: State) -> Mapping[str, Filler]:
            own = fillers_of(state, seat_setup_of(self._store, debate_id), self._access)
            return with_matches(state, own, self._match_setting())

        state = await runner.run(debate_id, self._store, find_fillers, options)
        if parked_until:
            self._parked.add(debate_id)
        else:
            self._parked.discard(debate_id)
        await hold_missing(state, self._store, seat_setup_of(self._store, debate_id), self._access, options)
        times = list(parked_until)
        wait = stage.wait_for_people(state)
        if wait is not None and wait.until is not None:
            times.append(wait.until)
        return max(0.0, (min(times) - self._clock()).total_seconds()) if times else None

    def _match_setting(self) -> MatchSetting:
        """The setting of the matches of a tournament, which has reserved the budget for their calls."""

        def options(match: str) -> RunOptions:
            return RunOptions(
                on_text=lambda request, text, /, thinking="": self._caches.of(match).on_text(request, text, thinking),
                on_events=lambda events: self._on_written(self._caches.of(match), events),
                clock=self._clock,
                deadline_s=self._access.turn_deadline_s,
                look_s=self._caches.look_s,
                is_ending=self._ending.is_set,
            )

        def find_fillers(state: State) -> Mapping[str, Filler]:
            return fillers_of(state, seat_setup_of(self._store, state.debate), self._access)

        return MatchSetting(self._store, find_fillers, options)
