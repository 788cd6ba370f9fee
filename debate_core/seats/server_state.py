"""What all who call a server know of it: the calls under way, whether it is out of reach, who was asked to wait.

A value, and what becomes of it. Where it is kept, so that several processes share it, is in `server_queue`. Times are
seconds since 1970 by one clock for all. Knows no debate.
"""

import random
from collections.abc import Collection, Mapping
from typing import Literal

from pydantic import ConfigDict

from debate_core.spec.values import Value

BACK_OFF_S = (1.0, 3.0, 9.0, 27.0)
"""Before each look at a server that is out of reach; the last one from then on."""
JITTER = 0.25
"""Up to this share longer, at random, so that programs that lost a server together do not come back together."""
PLACE_S = 10.0
"""How long a place is held unless it is renewed: that of a process that has died comes back then."""
WINDOW_S = 60.0
"""What tokens a minute are counted over."""
Circuit = Literal["closed", "open", "half-open"]
"""Of a breaker: calls pass, none does until the next look, one looks whether the server is back."""


def back_off_s(n_lost: int) -> float:
    """How long to wait after so many calls were lost before this one."""
    return BACK_OFF_S[min(n_lost, len(BACK_OFF_S) - 1)] * (1 + JITTER * random.random())


class LineLimits(Value):
    """What a line of the panel file allows at its server."""

    model: str = ""
    places: int = 256
    """Calls at a time, those of other lines at the same server included."""
    tokens_per_minute: int | None = None
    """Of this model; None = any number."""
    heeds_waits: bool = True
    """False for a run that cannot wait for hours: it calls although the server asked to wait, and takes its no."""


class PlacedCall(Value):
    """A call that has its place, or had it less than a minute ago."""

    id: str
    model: str
    tokens: int
    """At most, until it is known how many it used; 0 where nobody counts them."""
    until_s: float
    """It has its place until then: renewed while it is under way, and cut short when it ends."""
    is_look: bool = False
    """True for the one call that looks whether the server is back, or may be called again."""

    def counts_at(self, now_s: float) -> bool:
        """True while it has its place, and while its tokens count."""
        counts_for_s = WINDOW_S if self.tokens else 0
        return now_s < self.until_s + counts_for_s


class ServerState(Value):
    """What is known of one server. Whoever asks it says when (`now_s`)."""

    # Processes of different versions can share one.
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    calls: tuple[PlacedCall, ...] = ()
    down_since_s: float | None = None
    """When the first call was lost that no later one has made good; None = it answers, as far as is known."""
    next_look_s: float | None = None
    """When one call may look whether it is back."""
    n_looks: int = 0
    """Looks that failed, one after the other."""
    waits: Mapping[str, float] = {}
    """Model -> until when the server asked not to be called for it; until it answers, then one call at a time looks."""

    def under_way(self, now_s: float) -> tuple[PlacedCall, ...]:
        """The calls that have a place now."""
        return tuple(call for call in self.calls if now_s < call.until_s)

    def looking(self, now_s: float) -> bool:
        """True while a call looks whether the server is back."""
        return any(call.is_look for call in self.under_way(now_s))

    def circuit(self, now_s: float) -> Circuit:
        """Whether calls pass."""
        if self.down_since_s is None:
            return "closed"
        return "half-open" if self.looking(now_s) else "open"

    def not_before_s(self, line: LineLimits, now_s: float) -> float | None:
        """When this line may be called at the earliest; None = nothing is known against now."""
        times_s = []
        if self.next_look_s is not None and not self.looking(now_s):
            times_s.append(self.next_look_s)
        asked_s = self.waits.get(line.model, now_s)
        if line.heeds_waits and asked_s > now_s:
            times_s.append(asked_s)
        return max(times_s, default=None)

    def has_place(self, line: LineLimits, tokens: int, now_s: float) -> bool:
        """True if a call that may use so many tokens can begin now."""
        if self._asks_to_wait(line, now_s) or self._waits_for_look(now_s):
            return False
        if len(self.under_way(now_s)) >= line.places:
            return False
        most = line.tokens_per_minute
        # A call that fits into no minute is none: its seat says so instead of making it.
        return most is None or tokens > most or self._tokens(line.model, now_s) + tokens <= most

    def _asks_to_wait(self, line: LineLimits, now_s: float) -> bool:
        """True until its wait is over, and then while one call looks."""
        if not line.heeds_waits or line.model not in self.waits:
            return False
        is_called = any(call.model == line.model for call in self.under_way(now_s))
        return is_called or now_s < self.waits[line.model]

    def _waits_for_look(self, now_s: float) -> bool:
        """True while it is out of reach, and it is not yet time to look, or somebody does."""
        if self.down_since_s is None:
            return False
        is_too_soon = self.next_look_s is not None and now_s < self.next_look_s
        return is_too_soon or self.looking(now_s)

    def _tokens(self, model: str, now_s: float) -> int:
        """Of calls that are under way or ended within a minute: whenever its server counts them, it has no more."""
        return sum(call.tokens for call in self.calls if call.model == model and now_s < call.until_s + WINDOW_S)

    def entered(self, call_id: str, line: LineLimits, tokens: int, now_s: float) -> "ServerState":
        """With a place for this call, if there is one."""
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
        """These are still under way. A place that has lapsed is gone: somebody else may have it."""
        return self._until(call_ids, now_s + PLACE_S, now_s)

    def left(self, call_id: str, tokens: int | None, now_s: float) -> "ServerState":
        """This call has ended, and used so many tokens; None = that is not known, and what was reserved counts."""
        calls = list[PlacedCall]()
        for call in self._until((call_id,), now_s, now_s).calls:
            if call.id != call_id:
                calls.append(call)
            elif call.tokens:
                # It counts for a minute more.
                used = call.tokens if tokens is None else tokens
                calls.append(call.model_copy(update={"tokens": used}))
        return self.model_copy(update={"calls": tuple(calls)})

    def _until(self, call_ids: Collection[str], until_s: float, now_s: float) -> "ServerState":
        """Those of these calls that have a place now have it until then."""
        calls = list[PlacedCall]()
        for call in self.calls:
            has_place = call.id in call_ids and now_s < call.until_s
            calls.append(call.model_copy(update={"until_s": until_s}) if has_place else call)
        return self.model_copy(update={"calls": tuple(calls)})

    def lost(self, *, is_look: bool, asked_s: float, now_s: float) -> "ServerState":
        """No reply came; the server asks to wait at least `asked_s`. Calls that were side by side count once."""
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
        """It is back, and may be called for this model."""
        waits = {other: until_s for other, until_s in self.waits.items() if other != model}
        return self.model_copy(update={"down_since_s": None, "next_look_s": None, "n_looks": 0, "waits": waits})

    def told_to_wait(self, model: str, asked_s: float, now_s: float) -> "ServerState":
        """It is there, and asks not to be called for this model so long."""
        until_s = max(now_s + asked_s, self.waits.get(model, 0))
        return self.model_copy(update={"waits": {**self.waits, model: until_s}})

    def look_now(self) -> "ServerState":
        """Somebody wants to know at once whether it is back."""
        return self.model_copy(update={"next_look_s": None})
