"""State of one model server, as a value and its changes: running calls, outage, waits that it asked for.

Several processes share it through `server_queue`. Times are seconds since 1970 by one clock for all. Knows no debate.
"""

import random
from collections.abc import Collection, Mapping
from typing import Literal

from pydantic import ConfigDict

from debate_core.spec.values import Value

BACK_OFF_S = (1.0, 3.0, 9.0, 27.0)
"""Waits before each check of a server that is out of reach; the last one repeats."""
JITTER = 0.25
"""Random extension, so that programs that lost a server together do not return together."""
PLACE_S = 10.0
"""Time after which an unrenewed place expires, as after the crash of its process."""
WINDOW_S = 60.0
"""Window for tokens per minute."""
Circuit = Literal["closed", "open", "half-open"]
"""State of a circuit breaker: calls pass; none until the next check; one call checks the server."""


def back_off_s(n_lost: int) -> float:
    """Wait before the next check after `n_lost` failed ones."""
    return BACK_OFF_S[min(n_lost, len(BACK_OFF_S) - 1)] * (1 + JITTER * random.random())


class LineLimits(Value):
    """Limits of a line of the panel file at its server."""

    model: str = ""
    places: int = 256
    """Calls at a time, including those of other lines at the same server."""
    tokens_per_minute: int | None = None
    """Limit of this model; None = unlimited."""
    heeds_waits: bool = True
    """False for a run that cannot wait for hours: it calls during a wait that the server asked for."""


class PlacedCall(Value):
    """A call that has a place, or had one less than a minute ago."""

    id: str
    model: str
    tokens: int
    """Maximum until the used number is known; 0 if tokens are not counted."""
    until_s: float
    """End of its place: extended while the call runs, cut short when it ends."""
    is_look: bool = False
    """True for the call that checks whether the server is back, or may be called again."""

    def counts_at(self, now_s: float) -> bool:
        """True while the call has its place, or its tokens count."""
        counts_for_s = WINDOW_S if self.tokens else 0
        return now_s < self.until_s + counts_for_s


class ServerState(Value):
    """State of one server; the caller passes the time (`now_s`)."""

    # Processes of different versions can share a state.
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    calls: tuple[PlacedCall, ...] = ()
    down_since_s: float | None = None
    """Time of the first lost call since the last answer; None = the server answers, as far as known."""
    next_look_s: float | None = None
    """Time from which one call may check the server."""
    n_looks: int = 0
    """Consecutive failed checks."""
    waits: Mapping[str, float] = {}
    """Model -> end of a wait that the server asked for; then one call at a time checks, until it answers."""

    def under_way(self, now_s: float) -> tuple[PlacedCall, ...]:
        return tuple(call for call in self.calls if now_s < call.until_s)

    def looking(self, now_s: float) -> bool:
        return any(call.is_look for call in self.under_way(now_s))

    def circuit(self, now_s: float) -> Circuit:
        if self.down_since_s is None:
            return "closed"
        return "half-open" if self.looking(now_s) else "open"

    def not_before_s(self, line: LineLimits, now_s: float) -> float | None:
        """The earliest time for a call of this line; None = no restriction is known."""
        times_s = []
        if self.next_look_s is not None and not self.looking(now_s):
            times_s.append(self.next_look_s)
        asked_s = self.waits.get(line.model, now_s)
        if line.heeds_waits and asked_s > now_s:
            times_s.append(asked_s)
        return max(times_s, default=None)

    def has_place(self, line: LineLimits, tokens: int, now_s: float) -> bool:
        """True if a call of at most `tokens` can begin now."""
        if self._asks_to_wait(line, now_s) or self._waits_for_look(now_s):
            return False
        if len(self.under_way(now_s)) >= line.places:
            return False
        most = line.tokens_per_minute
        # A call above the limit of a minute is never made: its seat reports that instead.
        if most is None or tokens > most:
            return True
        # Includes calls that ended within a minute, whenever the server counts them.
        counted = [call for call in self.calls if call.model == line.model and now_s < call.until_s + WINDOW_S]
        return sum(call.tokens for call in counted) + tokens <= most

    def _asks_to_wait(self, line: LineLimits, now_s: float) -> bool:
        """True during a wait that the server asked for, and while one call checks after it."""
        if not line.heeds_waits or line.model not in self.waits:
            return False
        is_called = any(call.model == line.model for call in self.under_way(now_s))
        return is_called or now_s < self.waits[line.model]

    def _waits_for_look(self, now_s: float) -> bool:
        """True while the server is out of reach and it is too early for a check, or one is running."""
        if self.down_since_s is None:
            return False
        is_too_soon = self.next_look_s is not None and now_s < self.next_look_s
        return is_too_soon or self.looking(now_s)

    def entered(self, call_id: str, line: LineLimits, tokens: int, now_s: float) -> "ServerState":
        """Add a place for this call, if there is one."""
        if not self.has_place(line, tokens, now_s):
            return self
        call = PlacedCall(
            id=call_id,
            model=line.model,
            tokens=0 if line.tokens_per_minute is None else tokens,
            until_s=now_s + PLACE_S,
            is_look=self.down_since_s is not None or line.model in self.waits,
        )
        others = [other for other in self.calls if other.counts_at(now_s)]
        return self.model_copy(update={"calls": (*others, call)})

    def renewed(self, call_ids: Collection[str], now_s: float) -> "ServerState":
        """Extend the places of running calls. An expired place is gone, as another call may have it."""
        return self._until(call_ids, now_s + PLACE_S, now_s)

    def left(self, call_id: str, tokens: int | None, now_s: float) -> "ServerState":
        """End this call, which used `tokens`; None = unknown, so its reservation counts."""
        calls = list[PlacedCall]()
        for call in self._until((call_id,), now_s, now_s).calls:
            if call.id != call_id:
                calls.append(call)
            elif call.tokens:
                # Its tokens count for another minute.
                used = call.tokens if tokens is None else tokens
                calls.append(call.model_copy(update={"tokens": used}))
        return self.model_copy(update={"calls": tuple(calls)})

    def _until(self, call_ids: Collection[str], until_s: float, now_s: float) -> "ServerState":
        """Set the end of the places that these calls have now."""
        calls = list[PlacedCall]()
        for call in self.calls:
            has_place = call.id in call_ids and now_s < call.until_s
            calls.append(call.model_copy(update={"until_s": until_s}) if has_place else call)
        return self.model_copy(update={"calls": tuple(calls)})

    def lost(self, *, is_look: bool, asked_s: float, now_s: float) -> "ServerState":
        """Record a lost call; the server asks to wait at least `asked_s`. Parallel lost calls count once."""
        next_look_s = self.next_look_s
        n_looks = self.n_looks
        if self.down_since_s is None or is_look:
            next_look_s = now_s + back_off_s(n_looks)
            n_looks += 1
        asked_until_s = now_s + asked_s
        since_s = now_s if self.down_since_s is None else self.down_since_s
        look_s = max(next_look_s or asked_until_s, asked_until_s)
        return self.model_copy(update={"down_since_s": since_s, "next_look_s": look_s, "n_looks": n_looks})

    def answered(self, model: str) -> "ServerState":
        """Record an answer: the server is back, and may be called for this model."""
        waits = {other: until_s for other, until_s in self.waits.items() if other != model}
        return self.model_copy(update={"down_since_s": None, "next_look_s": None, "n_looks": 0, "waits": waits})

    def told_to_wait(self, model: str, asked_s: float, now_s: float) -> "ServerState":
        """Record that the server asks not to be called for this model."""
        until_s = max(now_s + asked_s, self.waits.get(model, 0))
        return self.model_copy(update={"waits": {**self.waits, model: until_s}})

    def look_now(self) -> "ServerState":
        """Allow a check at once."""
        return self.model_copy(update={"next_look_s": None})
