"""Contributions of single debates to figures over many, kept beside their records."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_core.engine.audit import refuse_broken
from debate_core.host.debate_list import DebateRow
from debate_core.host.kept_values import KeptValues, ValueKind
from debate_core.host.stores import Store
from debate_core.record.events import MEASURES
from debate_core.record.fold import replay
from debate_core.report.facts.debate_facts import Facts, facts
from debate_core.report.facts.limits_from_use import DebateUse, use_of
from debate_core.seats.forecast import forecast_when_opened


@dataclass(frozen=True, slots=True)
class DebateFigures:
    """One debate's contribution to the track record and to proposed limits; None where it has none."""

    facts: Facts | None
    use: DebateUse | None


FIGURES = ValueKind("figures", DebateFigures, rules=f"3.{MEASURES}")


class FiguresList:
    """The figures of the debates of one store. They are derived only when a record grew."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = KeptValues(store, FIGURES, keeps=lambda _figures: True)

    def of(self, rows: Iterable[DebateRow]) -> Mapping[str, DebateFigures]:
        """Figures by debate id; unreadable and invalid records are left out and logged."""
        return self._kept.of({row.id: str(row.version) for row in rows}, self._derive)

    def _derive(self, debate_id: str) -> DebateFigures:
        events = self._store.load(debate_id)
        refuse_broken(events, "the record breaks its own rules")
        state = replay(events)
        return DebateFigures(facts(state, forecast_usd=forecast_when_opened(state)), use_of(state))
