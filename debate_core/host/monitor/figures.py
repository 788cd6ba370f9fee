"""Prometheus metrics of this process, on a separate port.

Counters cover events that this process appended; the database is counted at each scrape. Labels contain only words of
this program, no id, title, name or text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from debate_core.errors import InvalidSpec, StoreError
from debate_core.host.monitor.gauges import Gauges
from debate_core.host.monitor.observed import StoreWork
from debate_core.record.events import (
    AttemptStarted,
    BaselineHeld,
    Closed,
    DebateOpened,
    Event,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
)
from debate_core.record.look_ups import LookedUp
from debate_core.spec.values import Usage

if TYPE_CHECKING:
    from prometheus_client import Metric

NEEDS_LIBRARY = "DEBATE_METRICS_PORT needs prometheus-client: install requirements-server.txt, as `make server` does"
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the histograms: an append takes a millisecond normally, and seconds in trouble."""


class ProcessFigures:
    """The counters of one process, and their port. InvalidSpec if the library is missing."""

    def __init__(self) -> None:
        try:
            from prometheus_client import (
                CollectorRegistry,
                Counter,
                Histogram,
                ProcessCollector,
            )
        except ModuleNotFoundError:
            raise InvalidSpec(NEEDS_LIBRARY) from None
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._read: Callable[[], Gauges] = Gauges
        self._stop: Callable[[], None] = lambda: None

        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"debate_{name}", meaning, labels, registry=registry)

        self._opened = counter("opened", "Debates opened or taken in by this process")
        self._closed = counter("closed", "Debates that ended in this process, by how", "status")
        self._turns = counter("turns", "Turns given or passed over, by what was given", "gives")
        self._started = counter("attempts_started", "Seats without a person that were asked")
        self._failed = counter("attempts_failed", "Attempts that gave no turn, by class of error", "error")
        self._calls = counter("calls", "Calls of models that were answered or have to be paid")
        self._tokens = counter("tokens", "Tokens of models: input (with cached ones) and output", "direction")
        self._cached = counter("cached_tokens", "Of the input tokens: read from a cache of the server")
        self._usd = counter("usd", "Cost in USD, as far as prices are known")
        self._unpriced = counter("unpriced_calls", "Calls whose cost is not known")
        work = Histogram(
            "debate_store_seconds",
            "Seconds to append events, and to look for news at the end of a record",
            ("work",),
            buckets=SECONDS,
            registry=registry,
        )
        self._seconds = {name: work.labels(work=name) for name in ("append", "tail")}
        registry.register(_AtScrape(lambda: self._read()))

    def appended(self, events: Sequence[Event]) -> None:
        """Count events that this process appended."""
        for event in events:
            match event.body:
                case DebateOpened():
                    self._opened.inc()
                case Closed(outcome=outcome):
                    self._closed.labels(status=outcome.status).inc()
                case AttemptStarted():
                    self._started.inc()
                case TurnTaken(content=content, usage=usage):
                    self._turns.labels(gives=content.kind).inc()
                    self._count_usage(usage)
                case LookedUp(usage=usage):
                    self._count_usage(usage)
                case TurnSkipped():
                    self._turns.labels(gives="skip").inc()
                case TurnFailed() as failed:
                    self._failed.labels(error="unreached" if failed.transport else failed.error).inc()
                    self._count_usage(failed.usage)
                case BaselineHeld(replies=replies):
                    for reply in replies:
                        self._count_usage(reply.usage)
                case _:
                    pass

    def took(self, work: StoreWork, seconds: float) -> None:
        """Record the duration of a store operation."""
        self._seconds[work].observe(seconds)

    def _count_usage(self, usage: Usage | None) -> None:
        if usage is None:
            return
        self._calls.inc(usage.calls)
        self._tokens.labels(direction="input").inc(usage.input_tokens)
        self._tokens.labels(direction="output").inc(usage.output_tokens)
        self._cached.inc(usage.cached_tokens)
        if usage.cost_usd is None:
            self._unpriced.inc(usage.calls)
        else:
            self._usd.inc(float(Decimal(usage.cost_usd)))

    def serve(self, address: str, port: int, read: Callable[[], Gauges]) -> None:
        """Serve this port until `close`. InvalidSpec if it cannot be opened."""
        from prometheus_client import start_http_server

        self._read = read
        try:
            server, thread = start_http_server(port, address, self._registry)
        except OSError as error:
            why = error.strerror or str(error)
            raise InvalidSpec(f"DEBATE_METRICS_PORT: port {port} of {address} cannot be opened: {why}") from None

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        self._stop = stop

    def close(self) -> None:
        self._stop()


class _AtScrape:
    """The state of database and memory, read at each scrape."""

    def __init__(self, read: Callable[[], Gauges]) -> None:
        self._read = read

    def describe(self) -> list["Metric"]:
        """Return nothing: otherwise registering would read the database only for the names."""
        return []

    def collect(self) -> Iterator["Metric"]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        def by_word(name: str, meaning: str, label: str, counted: Mapping[str, int]) -> GaugeMetricFamily:
            family = GaugeMetricFamily(f"debate_{name}", meaning, labels=(label,))
            for word, count in sorted(counted.items()):
                family.add_metric((word,), count)
            return family

        try:
            now = self._read()
        except StoreError:
            yield GaugeMetricFamily("debate_database_up", "1 if the database can be read", 0)
            return
        yield GaugeMetricFamily("debate_database_up", "1 if the database can be read", 1)
        yield by_word("debates", "Debates in the database, by status; the same in every process", "status", now.debates)
        yield by_word("paused", "Those that are paused, by why; the same in every process", "why", now.paused)
        circuits = "Servers of models, by whether calls pass: closed, open, half-open; the same in every process"
        yield by_word("model_servers", circuits, "circuit", now.servers)
        yield GaugeMetricFamily("debate_workers", "Processes that ask seats; the same in every process", now.workers)
        yield GaugeMetricFamily("debate_running", "Debates that this process runs now", now.running)
        yield GaugeMetricFamily("debate_parked", "Debates that wait here because a server asked for it", now.parked)
        yield GaugeMetricFamily("debate_viewers", "Open live sockets of this process", now.viewers)
        yield CounterMetricFamily("debate_refused_acts", "Commands that the rules did not allow", now.refused_acts)
        yield CounterMetricFamily("debate_refused_joins", "Wrong links and codes", now.refused_joins)
        if now.spans_dropped is not None:
            yield CounterMetricFamily("debate_spans_dropped", "Appends whose spans were not sent", now.spans_dropped)
