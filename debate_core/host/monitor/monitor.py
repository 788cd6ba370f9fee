"""Sets up the monitoring that the settings ask for: metrics, log lines, spans. Loads nothing else."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from debate_core.host.monitor.gauges import Gauges
from debate_core.host.monitor.observed import Hears, observed
from debate_core.host.settings import MonitorSettings
from debate_core.host.stores import Store

if TYPE_CHECKING:
    from debate_core.host.monitor.collector import Collector
    from debate_core.host.monitor.figures import ProcessFigures


class Monitor:
    """The monitoring of one process and its store. Use `store` from then on; it is the given one if monitoring is off.

    InvalidSpec names the setting that cannot be applied.
    """

    def __init__(self, settings: MonitorSettings, store: Store) -> None:
        self._settings = settings
        self._figures: ProcessFigures | None = None
        self._collector: Collector | None = None
        hears: list[Hears] = []
        if settings.log == "json":
            from debate_core.host.monitor import log_lines

            log_lines.write_json_lines()
            hears.append(log_lines.appended)
        if settings.metrics_port is not None:
            from debate_core.host.monitor import figures

            self._figures = figures.ProcessFigures()
            hears.append(self._figures.appended)
        if settings.spans_url:
            from debate_core.host.monitor import collector

            self._collector = collector.Collector(
                store, settings.spans_url, headers=settings.spans_headers, service=settings.service
            )
            hears.append(self._collector.appended)
        self.store = observed(store, hears, self._figures.took if self._figures is not None else None)

    def serve(self, read: Callable[[], Gauges]) -> None:
        """Open the port of the metrics, if set; `read` is called at each scrape."""
        if self._figures is not None and self._settings.metrics_port is not None:
            self._figures.serve(
                self._settings.metrics_address,
                self._settings.metrics_port,
                lambda: replace(read(), spans_dropped=self._collector.dropped if self._collector else None),
            )

    def close(self) -> None:
        """Send queued spans and close the port, before the store closes."""
        if self._collector is not None:
            self._collector.close()
        if self._figures is not None:
            self._figures.close()
