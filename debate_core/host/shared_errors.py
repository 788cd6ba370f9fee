"""Errors that models shared in earlier debates of this store, for the accounts of debates in which they vote.

The figure is the same for all readers of a debate. It rests on debates that every host finds, and for an owned debate
that is not shared also on those of its owner.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from debate_core.errors import DebateError
from debate_core.host.debate_list import DebateRow
from debate_core.host.stores import Store
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.debate_facts import SINGLE_CALL
from debate_core.report.facts.decision_outcomes import right_option
from debate_core.report.facts.forecasts import model_votes, stated
from debate_core.report.facts.joint_errors import LEAST_DEBATES, JointErrors, joint_errors

MAX_DEBATES = 100
"""The latest ones, so that the first look at a result takes seconds at most; a record is read once for each version."""
MAX_AGE_S = 60.0
"""Every account of a list of debates asks, and outcomes are recorded rarely."""

_ModelVotes = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class SharedErrors:
    """The figure for each owner and set of models, computed at most once a minute; thread-safe."""

    store: Store
    read_rows: Callable[[], Iterable[DebateRow]]
    max_age_s: float = MAX_AGE_S
    _listed: "_Listed | None" = None
    _known: dict[str, tuple[int, str | None, _ModelVotes]] = field(default_factory=dict)
    """Debate id -> version, right option, votes of models."""

    def of(self, state: State) -> JointErrors | None:
        """The joint errors of the models that voted in this debate; None if that is unknown.

        It is for a running debate, fewer than two seats of models, and too few debates with a known outcome.
        """
        if state.outcome is None or sum(seat.is_model for seat in state.spec.debaters()) < 2:
            return None
        listed = self._list()
        if len(listed.rows) < LEAST_DEBATES:
            return None
        owner = "" if state.ownership.shared else state.ownership.owner
        models = frozenset(model for model, _option in model_votes(stated(state)))
        if (owner, models) not in listed.found:
            listed.found[owner, models] = self._compute(listed.rows, owner, models)
        return listed.found[owner, models]

    def _list(self) -> "_Listed":
        listed, now = self._listed, time.monotonic()
        if listed is None or now - listed.at_s >= self.max_age_s:
            listed = self._listed = _Listed(now, tuple(row for row in self.read_rows() if _counts(row)))
        return listed

    def _compute(self, rows: Iterable[DebateRow], owner: str, models: frozenset[str]) -> JointErrors:
        owners = {owner} - {""}
        found = [row for row in rows if row.is_open_here or row.ownership.owner in owners]
        cases = []
        for row in found[:MAX_DEBATES]:
            right, votes = self._read(row)
            if right is not None:
                cases.append((right, [option for model, option in votes if model in models]))
        return joint_errors(cases)

    def _read(self, row: DebateRow) -> tuple[str | None, _ModelVotes]:
        version, right, votes = self._known.get(row.id, (0, None, ()))
        if version != row.version:
            right, votes = self._load(row.id)
            self._known[row.id] = row.version, right, votes
        return right, votes

    def _load(self, debate_id: str) -> tuple[str | None, _ModelVotes]:
        try:
            state = replay(self.store.load(debate_id))
        except DebateError:
            # The list logs records that cannot be read.
            return None, ()
        return right_option(state), model_votes(stated(state))


@dataclass(frozen=True, slots=True)
class _Listed:
    """The debates with a known outcome at one time, and the figures computed from them."""

    at_s: float
    rows: tuple[DebateRow, ...]
    found: dict[tuple[str, frozenset[str]], JointErrors] = field(default_factory=dict)


def _counts(row: DebateRow) -> bool:
    """True for a debate of the track record whose actual result is recorded."""
    if not row.has_known_outcome or row.practice or row.protocol == SINGLE_CALL:
        return False
    return row.why_left_out() is None
