"""Keeps the comparison of the turns of a debate as a note beside its record, and extends it while the debate goes on.

A new process reads the note instead of comparing 1,000 turns again for more than a second. A missing, outdated or
damaged note is derived again from the record. Thread-safe. It does not compare texts itself.
"""

import hashlib
import logging
from collections.abc import Sequence
from contextlib import suppress

from pydantic import TypeAdapter

from debate_core.errors import StoreError
from debate_core.host.stores import Store
from debate_core.record.events import MEASURES
from debate_core.record.state import State
from debate_core.report.facts.repetition import Look, LookFigures, Said, has_comparison, looks, looks_of, said
from debate_core.text import line

log = logging.getLogger(__name__)
FORM = f"2.{MEASURES}"
"""Version of the comparison: the first number changes whenever the same turns get other figures."""
MIN_NEW = 50
"""New arguments after which the note of a debate in progress is written again: comparing them takes a tenth of a second
at most."""
_FIGURES = TypeAdapter(list[LookFigures])


class KeptLooks:
    """The comparisons of the debates of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._n_kept: dict[str, int] = {}
        """Arguments in the note of each debate, as far as this process has read or written it."""

    def of(self, state: State) -> Sequence[Look]:
        """Return the same as `looks`; turns in the note are not compared again."""
        found = looks(state) if has_comparison(state) else self._extend(state)
        is_over = state.outcome is not None
        n_kept = self._n_kept.get(state.debate, 0)
        if len(found) - n_kept >= MIN_NEW or (is_over and len(found) != n_kept):
            self._write(state, found)
        return found

    def _extend(self, state: State) -> Sequence[Look]:
        given = said(state)
        known = self._read(state, given)
        self._n_kept[state.debate] = len(known)
        return looks_of(state, known) if known and len(known) == len(given) else looks(state, known)

    def _read(self, state: State, given: Sequence[Said]) -> Sequence[LookFigures]:
        """Return the figures of the first arguments; none without a note of these arguments."""
        mark, _, text = (self._store.note("looks", state.debate) or "").partition("\n")
        # A damaged note is as good as none.
        with suppress(ValueError):
            form, head, turns = mark.split(" ")
            known = _FIGURES.validate_json(text)
            if form != FORM or len(known) > len(given):
                return ()
            if (head, len(known)) == (state.head, len(given)) or turns == _digest(state, given[: len(known)]):
                return known
        return ()

    def _write(self, state: State, found: Sequence[Look]) -> None:
        mark = f"{FORM} {state.head} {_digest(state, [look.said for look in found])}"
        text = _FIGURES.dump_json([look.figures for look in found]).decode()
        try:
            self._store.put_notes("looks", {state.debate: f"{mark}\n{text}"})
        except StoreError as error:
            log.warning("the results of %s stay slow to open: %s", state.debate, line(str(error)))
            return
        self._n_kept[state.debate] = len(found)


def _digest(state: State, given: Sequence[Said]) -> str:
    """Return a digest of all that a comparison depends on: the agreement and these arguments."""
    digest = hashlib.sha256(state.spec.model_dump_json().encode())
    for one in given:
        turn = one.turn
        told = turn.round, turn.phase, turn.seat, turn.by, turn.status, one.content.model_dump_json()
        digest.update(repr(told).encode())
    return digest.hexdigest()
