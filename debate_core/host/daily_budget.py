"""What all debates of a server may use in a day together, and those of one owner: limits of whoever pays.

Calls and USD, by days of UTC, beside the limits of each debate. A call is reserved before it is made, and counted at
what it has used when that is known. What is reserved never passes a limit, however many processes share the store. A
price that is not known is not counted: the limit of calls holds for it too.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from debate_core.engine.ceiling import decimal_text
from debate_core.errors import StoreError, TooMany
from debate_core.host.stores import Store
from debate_core.spec.values import Usage

log = logging.getLogger(__name__)
_KIND = "spent"
DAY_CHARS = len("2026-11-23")
"""How the name of each note begins; that of an owner follows."""


@dataclass(frozen=True, slots=True)
class DayLimit:
    """The most in a day. None = no limit."""

    calls: int | None = None
    usd: Decimal | None = None


Refuse = Callable[[DayLimit, int, Decimal], None]
"""Raises TooMany if this limit does not allow so many calls, or so much money, in a day."""


class Spending:
    """What is reserved for one call, in the notes that count it."""

    def __init__(self, store: Store | None = None, reserved: Usage | None = None) -> None:
        self._store = store
        self._reserved = reserved or Usage()
        self._notes: list[str] = []

    def add(self, note: str, limit: DayLimit, refuse: Refuse) -> None:
        """Reserve it in this note too. TooMany if that would pass the limit."""
        if self._store is None or limit == NO_LIMIT:
            return

        is_first = False

        def more(text: str | None, _now_s: float) -> str:
            nonlocal is_first
            is_first = text is None
            calls, usd = _read(text)
            calls += self._reserved.calls
            usd += _cost(self._reserved)
            refuse(limit, calls, usd)
            return _text(calls, usd)

        self._store.change_note(_KIND, note, more)
        self._notes.append(note)
        if is_first:
            _forget_before(date.fromisoformat(note[:DAY_CHARS]) - timedelta(days=1), self._store)

    def settle(self, used: Usage | None) -> None:
        """Count the call at what it used instead, None = that is not known; what is not known stays as reserved."""
        if used is None:
            return
        usd = _cost(self._reserved) if used.cost_usd is None else _cost(used)
        self._change(used.calls - self._reserved.calls, usd - _cost(self._reserved))

    def give_back(self) -> None:
        """The call is not made."""
        self._change(-self._reserved.calls, -_cost(self._reserved))

    def _change(self, calls: int, usd: Decimal) -> None:
        def changed(text: str | None, _now_s: float) -> str:
            had_calls, had_usd = _read(text)
            return _text(max(0, had_calls + calls), max(Decimal(0), had_usd + usd))

        notes, self._notes = self._notes, []
        for note in notes:
            try:
                if self._store is not None:
                    self._store.change_note(_KIND, note, changed)
            except StoreError as error:
                # Too much is counted then, and never too little.
                log.warning("what a call used could not be counted for %s: %s", note, error)


NO_LIMIT = DayLimit()
NOTHING = Spending()
"""Of a call that nobody counts."""


class DailyBudget:
    """The limits of a day, and what was reserved and used today."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime],
        limit: DayLimit = NO_LIMIT,
        of_owner: DayLimit = NO_LIMIT,
        owner: str = "",
    ) -> None:
        """`of_owner` holds for each owner; `owner` is whose calls are counted here, "" = of nobody known."""
        self._store = store
        self._clock = clock
        self._limit = limit
        self._of_owner = of_owner
        self._owner = owner

    def of(self, owner: str) -> "DailyBudget":
        """The same budget, for calls of this owner."""
        return DailyBudget(self._store, clock=self._clock, limit=self._limit, of_owner=self._of_owner, owner=owner)

    def reserve(self, call: Usage) -> Spending:
        """Count a call at what is reserved for it.

        TooMany says in one sentence why it may not be made today; then nothing is counted.
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


def _forget_before(day: date, store: Store) -> None:
    """Whoever debated long ago is named nowhere here."""
    for note in store.notes(_KIND):
        if note[:DAY_CHARS] < day.isoformat():
            store.drop_note(_KIND, note)


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


def _read(text: str | None) -> tuple[int, Decimal]:
    kept = json.loads(text or '{"calls": 0, "usd": "0"}')
    return int(kept["calls"]), Decimal(kept["usd"])


def _text(calls: int, usd: Decimal) -> str:
    return json.dumps({"calls": calls, "usd": decimal_text(usd)})


def _cost(usage: Usage) -> Decimal:
    return Decimal(usage.cost_usd or 0)
