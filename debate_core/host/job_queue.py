"""Wakes debates through jobs in their PostgreSQL database; any free worker picks them up.

At most one job per debate waits, and at most one runs (`queueing_lock` and `lock` of procrastinate). Other workers take
over the jobs of a worker without a heartbeat. A debate that waits for people has only the job for the end of that wait.
A job only names the debate: the lease of the runner decides who writes.
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
from debate_core.host.run_loop import LEASE_TTL_S

QUEUE = "debates"
LOOK, DUE = "look", "due"
"""Tasks: run this debate as far as possible; wake it at its time."""
DEBATES_AT_ONCE = 100
"""Debates per worker: most of them wait for models."""
FETCH_S = 0.5
"""Interval of polling for jobs without a notification: scheduled ones, and those of dead workers."""
HEARTBEAT_S = 1.0
STALLED_S = 5.0
"""Time without a heartbeat after which others take over a worker's jobs."""
RETRY_S = 5.0
"""How soon to retry a debate that another process runs, or whose record was unavailable."""
RECONNECT_S = 1.0

log = logging.getLogger(__name__)
# `Running` and this module log the same faults in one sentence each.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


class JobQueue:
    """A `Notifier` for all processes of a database. `works`: this process also runs jobs, on its own thread."""

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
        if self._works:
            loop = self._loop = asyncio.new_event_loop()
            work = self._work = loop.create_task(self._working())
            self._thread = threading.Thread(target=self._until_closed, args=(loop, work), name="debates", daemon=True)
            self._thread.start()

    @property
    def running(self) -> Set[str]:
        return self._running.debates

    def wake(self, debate_id: str) -> None:
        """Add a job for any free worker; thread-safe. If adding fails, the next sweep finds the debate."""
        self.nudge(debate_id)
        with _unless_queued(debate_id):
            _make_job(self._sender, debate_id).defer(debate_id=debate_id)

    def nudge(self, debate_id: str) -> None:
        if self._loop is not None and debate_id in self.running:
            self._loop.call_soon_threadsafe(self._running.nudge, debate_id)

    def close(self, drain_s: float = 0) -> None:
        work, self._work = self._work, None
        if self._loop and self._thread and work:
            self._loop.call_soon_threadsafe(self._cancel_work, work, drain_s)
            self._thread.join()
        self._sender.close()

    # The methods below run on the loop of the worker.

    @staticmethod
    def _until_closed(loop: asyncio.AbstractEventLoop, work: "asyncio.Task[None]") -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(work)
        loop.close()

    def _cancel_work(self, work: "asyncio.Task[None]", drain_s: float) -> None:
        self._is_ending = True
        self._running.end()
        if self._worker is not None:
            self._worker.shutdown_graceful_timeout = drain_s
        work.cancel()

    async def _working(self) -> None:
        """Run jobs until cancelled; reconnect after a loss of the database."""
        while True:
            try:
                await self._work_once()
            except (ConnectorException, psycopg.Error) as error:
                log.warning("no jobs can be fetched for now: %s", _why(error))
            if self._is_ending:
                # An error at the end replaced the cancellation.
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
                # Only `close` waits for running jobs: after a loss of the database they are abandoned.
                shutdown_graceful_timeout=0,
                delete_jobs="always",
                install_signal_handlers=False,
                update_heartbeat_interval=HEARTBEAT_S,
                stalled_worker_timeout=STALLED_S,
            )
            beside = [
                asyncio.create_task(one) for one in (_take_over(app.job_manager), self._beat_while_ending(worker))
            ]
            try:
                await worker.run()  # type: ignore[no-untyped-call]
            finally:
                for task in beside:
                    task.cancel()

    async def _beat_while_ending(self, worker: Worker) -> None:
        """Send heartbeats while finishing jobs: the library does not, and others would take over."""
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
            # On shutdown, drop the job and requeue it for another worker.
            await sender.wake(debate_id)
            raise
        if self._is_ending:
            # The debate may be unfinished.
            await sender.wake(debate_id)
        if look_again_s is not None:
            await sender.wake_in(debate_id, look_again_s)


class _Sender:
    """Adds jobs from the loop of a worker."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def wake(self, debate_id: str) -> None:
        with _unless_queued(debate_id):
            await _make_job(self._app, debate_id).defer_async(debate_id=debate_id)

    async def wake_in(self, debate_id: str, seconds: float) -> None:
        """Schedule the one later job of this debate; without a lock, so that it blocks no job for now."""
        name = f"{debate_id} later"
        jobs = self._app.job_manager
        for job in await jobs.list_jobs_async(queue=QUEUE, queueing_lock=name, status=Status.TODO.value):
            assert job.id is not None
            await jobs.cancel_job_by_id_async(job.id, delete_job=True)
        at = datetime.now(UTC) + timedelta(seconds=seconds)
        with _unless_queued(debate_id):
            later = self._app.configure_task(DUE, queue=QUEUE, queueing_lock=name, schedule_at=at)
            await later.defer_async(debate_id=debate_id)


def _make_job(app: App, debate_id: str) -> JobDeferrer:
    return app.configure_task(LOOK, queue=QUEUE, lock=debate_id, queueing_lock=debate_id)


@contextmanager
def _unless_queued(debate_id: str) -> Iterator[None]:
    try:
        yield
    except AlreadyEnqueued:
        pass
    except ConnectorException as error:
        log.warning("%s could not be woken and waits for the next sweep: %s", debate_id, _why(error))


def _why(error: Exception) -> str:
    """The database's message on one line; the library's own message says nothing."""
    return " ".join(str(error.__cause__ or error).split())


async def _take_over(jobs: JobManager) -> None:
    """Free the jobs of workers without a heartbeat, until cancelled."""
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        try:
            for job in await jobs.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED_S):
                await _free(jobs, job)
        except ConnectorException as error:
            log.warning("stalled jobs could not be read: %s", _why(error))


async def _free(jobs: JobManager, job: Job) -> None:
    """Let another worker run it. If the debate has a newer job, drop this one."""
    assert job.id is not None
    try:
        await jobs.retry_job(job)
    except UniqueViolation:
        with suppress(ConnectorException):
            await jobs.finish_job_by_id_async(job.id, Status.FAILED, delete_job=True)
    except ConnectorException:
        log.debug("another worker has taken over job %s", job.id)
