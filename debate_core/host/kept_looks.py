"""Keeps the comparison of all turns of a debate that is over, as a note beside its record.

A new process reads the note instead of comparing 1,000 turns again for more than a second. A missing, outdated or
damaged note is derived again from the record. Thread-safe. It does not compare texts itself.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress

from pydantic import TypeAdapter

from debate_core.errors import StoreError
from debate_core.host.stores import Store
from debate_core.record.events import MEASURES
from debate_core.record.state import State
from debate_core.report.facts.repetition import Look, LookFigures, has_comparison, looks, looks_of
from debate_core.text import line

log = logging.getLogger(__name__)
FORM = f"1.{MEASURES}"
"""Version of the comparison: the first number changes whenever the same turns get other figures."""
_FIGURES = TypeAdapter(list[LookFigures])


class KeptLooks:
    """The comparisons of the debates of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, state: State) -> Sequence[Look]:
        """Return the same as `looks`, from the note of this version if there is one and nothing is in memory."""
        if state.outcome is None or has_comparison(state):
            return looks(state)
        mark = f"{FORM} {state.head}"
        head, _, text = (self._store.note("looks", state.debate) or "").partition("\n")
        if head == mark:
            # A damaged note is as good as none.
            with suppress(ValueError):
                return looks_of(state, _FIGURES.validate_json(text))
        found = looks(state)
        text = _FIGURES.dump_json([look.figures for look in found]).decode()
        try:
            self._store.put_notes("looks", {state.debate: f"{mark}\n{text}"})
        except StoreError as error:
            log.warning("the results of %s stay slow to open: %s", state.debate, line(str(error)))
        return found
