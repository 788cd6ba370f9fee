"""Wakes debates through jobs in the PostgreSQL database that holds them: whichever worker is free takes them up.

At most one job of a debate waits, and at most one is being done (`queueing_lock` and `lock` of procrastinate). Jobs of
a worker that shows no heartbeat any more are done by another one. A debate that waits for people has no job but the
one that is due when the wait ends. Jobs only say where to look: the lease of the runner decides who may write.
"""

import asyncio
import logging
import threading
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import psycopg
from procrastinate import App, PsycopgConnector, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import Job, JobDeferrer, Status
from procrastinate.manager import JobManager
from procrastinate.worker import Worker

from debate_core.host.background import OnBreak, RunDebate, Running
from debate_core.host.course import LEASE_TTL_S

QUEUE = "debates"
LOOK, DUE = "look", "due"
"""Tasks: run this debate as far as it goes; wake it, because it is time to."""
DEBATES_AT_ONCE = 100
"""Which a worker runs: nearly all of them wait for models all the time."""
FETCH_S = 0.5
"""How often to look for jobs of which no notice comes: those that are due, or were taken from a dead worker."""
HEARTBEAT_S = 1.0
STALLED_S = 5.0
"""How long a worker may show no heartbeat before its jobs are done by another one."""
RETRY_S = 5.0
"""When to try again to run a debate that somebody else runs, or whose record could not be read or written."""
RECONNECT_S = 1.0

log = logging.getLogger(__name__)
# What goes wrong in a debate is told by `Running`, and a database that is away by this module, in a sentence each.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


class JobQueue:
    """`works`: this process also does jobs, in a thread of its own; else it only tells others what to look at."""

    reaches_others = True

    def __init__(self, conninfo: str, run: RunDebate, on_break: OnBreak, *, works: bool) -> None:
        self._conninfo = conninfo
        self._works = works
        self._running = Running(run, on_break, retry_s=RETRY_S, patience_s=LEASE_TTL_S + HEARTBEAT_S)
        self._sender = App(connector=SyncPsycopgConnector(conninfo=conninfo, min_size=1, max_size=4, timeout=5))
        self._sender.open()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._work: asyncio.Task[None] | None = None
        self._worker: Worker | None = None
        self._is_ending = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to do jobs, if this process does any."""
        if self._works:
            loop = self._loop = asyncio.new_event_loop()
            work = self._work = loop.create_task(self._working())
            self._thread = threading.Thread(target=self._until_closed, args=(loop, work), name="debates", daemon=True)
            self._thread.start()

    @property
    def running(self) -> Set[str]:
        """The debates that this process is running now."""
        return self._running.debates

    def wake(self, debate_id: str) -> None:
        """Leave a job for whoever is free; from any thread. One that cannot be left is found by the next sweep."""
        self.nudge(debate_id)
        with _unless_left_already(debate_id):
            _look_at(self._sender, debate_id).defer(debate_id=debate_id)

    def nudge(self, debate_id: str) -> None:
        """Let whoever runs it in this process look at once; nothing if nobody does."""
        if self._loop is not None and debate_id in self.running:
            self._loop.call_soon_threadsafe(self._running.nudge, debate_id)

    def close(self, drain_s: float = 0) -> None:
        """Let the runs so long end by themselves, then cut off the seats; give back every lease, and leave what is not
        over to others."""
        work, self._work = self._work, None
        if self._loop and self._thread and work:
            self._loop.call_soon_threadsafe(self._end, work, drain_s)
            self._thread.join()
        self._sender.close()

    # Everything below runs on the loop of the worker.

    @staticmethod
    def _until_closed(loop: asyncio.AbstractEventLoop, work: "asyncio.Task[None]") -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(work)
        loop.close()

    def _end(self, work: "asyncio.Task[None]", drain_s: float) -> None:
        self._is_ending = True
        self._running.end()
        if self._worker is not None:
            self._worker.shutdown_graceful_timeout = drain_s
        work.cancel()

    async def _working(self) -> None:
        """Do jobs until this is cancelled; where the database was away, begin anew."""
        while True:
            try:
                await self._work_once()
            except (ConnectorException, psycopg.Error) as error:
                log.warning("no jobs can be fetched for now: %s", _why(error))
            if self._is_ending:
                # What went wrong at the end has taken the place of being cancelled.
                return
            await asyncio.sleep(RECONNECT_S)

    async def _work_once(self) -> None:
        app = App(connector=PsycopgConnector(conninfo=self._conninfo, min_size=1, max_size=8, timeout=5))
        sender = _Sender(app)

        @app.task(name=LOOK, queue=QUEUE)
        async def look(debate_id: str) -> None:
            await self._look(debate_id, sender)

        @app.task(name=DUE, queue=QUEUE)
        async def due(debate_id: str) -> None:
            await sender.wake(debate_id)

        async with app.open_async():
            worker = self._worker = Worker(
                app,
                queues=[QUEUE],
                concurrency=DEBATES_AT_ONCE,
                fetch_job_polling_interval=FETCH_S,
                # Unless it is told to end: where the database is away, its jobs are not waited for.
                shutdown_graceful_timeout=0,
                delete_jobs="always",
                install_signal_handlers=False,
                update_heartbeat_interval=HEARTBEAT_S,
                stalled_worker_timeout=STALLED_S,
            )
            beside = [asyncio.create_task(one) for one in (_take_over(app.job_manager), self._beat_to_the_end(worker))]
            try:
                await worker.run()  # type: ignore[no-untyped-call]
            finally:
                for task in beside:
                    task.cancel()

    async def _beat_to_the_end(self, worker: Worker) -> None:
        """Show its heartbeat while it ends what it has begun: the library does not, and others would take over."""
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            if self._is_ending and worker.worker_id is not None:
                with suppress(ConnectorException):
                    await worker.app.job_manager.update_heartbeat(worker.worker_id)

    async def _look(self, debate_id: str, sender: "_Sender") -> None:
        if self._running.nudge(debate_id):
            return
        try:
            look_again_s = await self._running.serve(debate_id, self._running.begin(debate_id))
        except asyncio.CancelledError:
            # This process ends; this job goes with it, and another worker gets the next one.
            await sender.wake(debate_id)
            raise
        if self._is_ending:
            # Whatever is not over yet.
            await sender.wake(debate_id)
        if look_again_s is not None:
            await sender.wake_in(debate_id, look_again_s)


class _Sender:
    """Leaves jobs, from the loop of a worker."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def wake(self, debate_id: str) -> None:
        with _unless_left_already(debate_id):
            await _look_at(self._app, debate_id).defer_async(debate_id=debate_id)

    async def wake_in(self, debate_id: str, seconds: float) -> None:
        """The one job of this debate that is for later; it has no lock, so that it stands before none for now."""
        name = f"{debate_id} later"
        jobs = self._app.job_manager
        for job in await jobs.list_jobs_async(queue=QUEUE, queueing_lock=name, status=Status.TODO.value):
            assert job.id is not None
            await jobs.cancel_job_by_id_async(job.id, delete_job=True)
        at = datetime.now(UTC) + timedelta(seconds=seconds)
        with _unless_left_already(debate_id):
            later = self._app.configure_task(DUE, queue=QUEUE, queueing_lock=name, schedule_at=at)
            await later.defer_async(debate_id=debate_id)


def _look_at(app: App, debate_id: str) -> JobDeferrer:
    return app.configure_task(LOOK, queue=QUEUE, lock=debate_id, queueing_lock=debate_id)


@contextmanager
def _unless_left_already(debate_id: str) -> Iterator[None]:
    try:
        yield
    except AlreadyEnqueued:
        pass
    except ConnectorException as error:
        log.warning("%s could not be woken, and waits for the next sweep: %s", debate_id, _why(error))


def _why(error: Exception) -> str:
    """What the database said, in one line: the library says only that there was something."""
    return " ".join(str(error.__cause__ or error).split())


async def _take_over(jobs: JobManager) -> None:
    """Free the jobs of workers that show no heartbeat any more, for as long as this is not cancelled."""
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        try:
            for job in await jobs.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED_S):
                await _free(jobs, job)
        except ConnectorException as error:
            log.warning("nobody could look for stalled jobs: %s", _why(error))


async def _free(jobs: JobManager, job: Job) -> None:
    """Let another worker do it. Where the debate was woken meanwhile, that job is as good, and this one goes."""
    assert job.id is not None
    try:
        await jobs.retry_job(job)
    except UniqueViolation:
        with suppress(ConnectorException):
            await jobs.finish_job_by_id_async(job.id, Status.FAILED, delete_job=True)
    except ConnectorException:
        log.debug("job %s was taken from its dead worker by somebody else", job.id)
