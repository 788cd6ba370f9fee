"""Daily limits on calls and money, for all debates of a server together and for those of one owner.

Days are UTC; each debate has its own limits besides. A call is reserved before it is made and settled at its actual
usage. Reservations never exceed a limit, however many processes share the store. Unknown prices are not counted: the
limit on calls still applies.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from debate_core.engine.limits import decimal_text
from debate_core.errors import StoreError, TooMany
from debate_core.host.stores import Store
from debate_core.spec.values import Usage

log = logging.getLogger(__name__)
_KIND = "spent"
DAY_CHARS = len("2026-11-23")
"""Each note's name starts with the day; an owner follows."""


@dataclass(frozen=True, slots=True)
class DayLimit:
    """Maximum per day; None = no limit."""

    calls: int | None = None
    usd: Decimal | None = None


Refuse = Callable[[DayLimit, int, Decimal], None]
"""Raises TooMany if this limit forbids that many calls, or that much money, in a day."""


class Spending:
    """The reservation for one call, in each note that counts it."""

    def __init__(self, store: Store | None = None, reserved: Usage | None = None) -> None:
        self._store = store
        self._reserved = reserved or Usage()
        self._notes: list[str] = []

    def add(self, note: str, limit: DayLimit, refuse: Refuse) -> None:
        """Reserve the call in this note, too. TooMany if that would exceed the limit."""
        if self._store is None or limit == NO_LIMIT:
            return

        is_first = False

        def more(text: str | None, _now_s: float) -> str:
            nonlocal is_first
            is_first = text is None
            calls, usd = _parse_note(text)
            calls += self._reserved.calls
            usd += _cost(self._reserved)
            refuse(limit, calls, usd)
            return _format_note(calls, usd)

        self._store.change_note(_KIND, note, more)
        self._notes.append(note)
        if is_first:
            # Old notes name owners: delete them on the first call of a new day.
            oldest = date.fromisoformat(note[:DAY_CHARS]) - timedelta(days=1)
            for kept in self._store.notes(_KIND):
                if kept[:DAY_CHARS] < oldest.isoformat():
                    self._store.drop_note(_KIND, kept)

    def settle(self, used: Usage | None) -> None:
        """Replace the reservation by the actual usage; unknown parts keep the reserved amount."""
        if used is None:
            return
        usd = _cost(self._reserved) if used.cost_usd is None else _cost(used)
        self._change(used.calls - self._reserved.calls, usd - _cost(self._reserved))

    def give_back(self) -> None:
        """Cancel the reservation."""
        self._change(-self._reserved.calls, -_cost(self._reserved))

    def _change(self, calls: int, usd: Decimal) -> None:
        def changed(text: str | None, _now_s: float) -> str:
            had_calls, had_usd = _parse_note(text)
            return _format_note(max(0, had_calls + calls), max(Decimal(0), had_usd + usd))

        notes, self._notes = self._notes, []
        for note in notes:
            try:
                if self._store is not None:
                    self._store.change_note(_KIND, note, changed)
            except StoreError as error:
                # Then too much is counted, never too little.
                log.warning("what a call used could not be counted for %s: %s", note, error)


NO_LIMIT = DayLimit()
NOTHING = Spending()
"""The reservation of an uncounted call."""


class DailyBudget:
    """The daily limits, with today's reservations and usage."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime],
        limit: DayLimit = NO_LIMIT,
        of_owner: DayLimit = NO_LIMIT,
        owner: str = "",
    ) -> None:
        """`of_owner` applies to each owner; `owner` is charged for the calls, "" = unknown."""
        self._store = store
        self._clock = clock
        self._limit = limit
        self._of_owner = of_owner
        self._owner = owner

    def of(self, owner: str) -> "DailyBudget":
        """The same budget for calls of this owner."""
        return DailyBudget(self._store, clock=self._clock, limit=self._limit, of_owner=self._of_owner, owner=owner)

    def reserve(self, call: Usage) -> Spending:
        """Reserve a call.

        TooMany explains in one sentence why it is not allowed today; then nothing is counted.
        """
        day = self._clock().date().isoformat()
        spending = Spending(self._store, call)
        spending.add(day, self._limit, _refuse)
        try:
            if self._owner:
                spending.add(f"{day} {self._owner}", self._of_owner, _refuse_owner)
        except (TooMany, StoreError):
            spending.give_back()
            raise
        return spending


def _refuse(limit: DayLimit, calls: int, usd: Decimal) -> None:
    if limit.calls is not None and calls > limit.calls:
        raise TooMany(
            "this server has made the {calls} calls that it may make in a day: resume tomorrow (UTC)", calls=limit.calls
        )
    if limit.usd is not None and usd > limit.usd:
        raise TooMany(
            "the next call could pass the {usd} USD a day that this server may spend: resume tomorrow (UTC)",
            usd=limit.usd,
        )


def _refuse_owner(limit: DayLimit, calls: int, usd: Decimal) -> None:
    if limit.calls is not None and calls > limit.calls:
        raise TooMany(
            "this server has made the {calls} calls a day that it may make for the owner of this debate: "
            "resume tomorrow (UTC)",
            calls=limit.calls,
        )
    if limit.usd is not None and usd > limit.usd:
        raise TooMany(
            "the next call could pass the {usd} USD a day that this server may spend for the owner of this debate: "
            "resume tomorrow (UTC)",
            usd=limit.usd,
        )


def _parse_note(text: str | None) -> tuple[int, Decimal]:
    kept = json.loads(text or '{"calls": 0, "usd": "0"}')
    return int(kept["calls"]), Decimal(kept["usd"])


def _format_note(calls: int, usd: Decimal) -> str:
    return json.dumps({"calls": calls, "usd": decimal_text(usd)})


def _cost(usage: Usage) -> Decimal:
    return Decimal(usage.cost_usd or 0)
