"""What all debates of a server may use in a day together: a limit of whoever pays, beside the limits of each debate.

Calls and USD, by days of UTC. A call is counted when it is begun, at what was reserved for it, and at what it has used
when that is known. A price that is not known is not counted: the limit of calls holds for it too.
"""

import json
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal

from debate_core.engine.ceiling import decimal_text
from debate_core.host.stores import Store
from debate_core.sentence import Sentence
from debate_core.spec.values import Usage

_KIND = "spent"


class DailyBudget:
    """The limits, and what was used today. None = no limit."""

    def __init__(
        self, store: Store, *, clock: Callable[[], datetime], calls: int | None = None, usd: Decimal | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._calls = calls
        self._usd = usd
        self._lock = threading.Lock()

    def refusal(self, reserved: Sequence[Usage]) -> Sentence | None:
        """Why these calls may not all be made today, in one sentence, or None."""
        if self._calls is None and self._usd is None:
            return None
        calls, usd = self._spent()
        if self._calls is not None and calls + sum(call.calls for call in reserved) > self._calls:
            return Sentence(
                "this server has made the {calls} calls that it may make in a day: resume tomorrow (UTC)",
                calls=self._calls,
            )
        if self._usd is not None and usd + sum(map(_cost, reserved)) > self._usd:
            return Sentence(
                "the next call could pass the {usd} USD a day that this server may spend: resume tomorrow (UTC)",
                usd=self._usd,
            )
        return None

    def begun(self, reserved: Usage) -> None:
        """Count a call at what was reserved for it."""
        self._add(reserved.calls, _cost(reserved))

    def ended(self, reserved: Usage, used: Usage | None) -> None:
        """Count it at what it used instead; None = that is not known, and the reservation stays."""
        if used is not None and used.cost_usd is not None:
            self._add(used.calls - reserved.calls, _cost(used) - _cost(reserved))

    def _spent(self) -> tuple[int, Decimal]:
        kept = json.loads(self._store.note(_KIND, self._today()) or '{"calls": 0, "usd": "0"}')
        return int(kept["calls"]), Decimal(kept["usd"])

    def _add(self, calls: int, usd: Decimal) -> None:
        if self._calls is None and self._usd is None:
            return
        with self._lock:
            had_calls, had_usd = self._spent()
            now = {"calls": had_calls + calls, "usd": decimal_text(max(had_usd + usd, Decimal(0)))}
            self._store.put_note(_KIND, self._today(), json.dumps(now))

    def _today(self) -> str:
        return self._clock().date().isoformat()


def _cost(usage: Usage) -> Decimal:
    return Decimal(usage.cost_usd or 0)
