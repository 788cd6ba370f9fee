"""Retry policy of one run: how often and how long to repeat calls without a reply, and when to give a turn up.

A call without a reply uses up no attempt: attempts count replies. It is repeated while its server may recover within
the deadline of a turn, and while the debate makes at most twice as many calls as it has turns. A stream that breaks off
uses up no attempt either; its tokens cost money, so there are few repeats.
"""

import math
from collections import Counter
from datetime import datetime, timedelta

from debate_core.record.commands import FailTurn
from debate_core.record.state import Request, State
from debate_core.seats import Paid
from debate_core.seats.server_queue import Place, ServerQueue
from debate_core.seats.server_state import back_off_s

PARK_S = 60.0
"""Longer waits end the run, if another run will start later."""
MAX_PARKED = timedelta(days=1)
MAX_PARKS = 24
"""Longest wait, and most waits, of one turn before its server counts as unreachable."""
PAID_REPEATS = 2
"""Repeats of one turn after streams that broke off."""


class RetryPolicy:
    """The retry policy of one run; resuming a debate starts a new one."""

    def __init__(self, state: State, *, at: datetime, parks: bool = False) -> None:
        """`parks`: another run starts when a server may be called again."""
        self._began = at
        self._parks = parks
        speakers = [len(state.spec.seats_of(slot.phase.role)) for slot in state.slots]
        self._calls_left = sum(speakers)
        """Repeats left: as many as the debate has turns."""
        self._kept = max(speakers, default=0)
        """Of those, kept for turns that wait for a server together: none of them probes it."""
        self._attempts = state.spec.protocol.attempts
        self._lost: dict[str, FailTurn] = {}
        """Latest failed call by turn, until a reply arrives."""
        self._timeouts = Counter[str]()
        self._broken_off = Counter[str]()

    def asking(self, request: Request) -> None:
        """Count a call for this turn, the first or a repeat."""
        if request.place() in self._lost:
            self._calls_left -= 1

    def after(
        self, state: State, request: Request, failed: FailTurn, place: Place, *, deadline_s: float, at: datetime
    ) -> FailTurn:
        """Record a call without a reply: with the time to wait, or as the end of its turn."""
        longest_s = min(PARK_S, deadline_s) if self._parks else deadline_s
        if failed.retry_after_ms > longest_s * 1000:
            return self._after_long_wait(state, request, failed, place, at)
        has_refused = not failed.retry_after_ms and failed.error != "timeout"
        if failed.permanent or has_refused:
            # The server is up and refuses the call, or a part of it that later calls leave out.
            place.answered(at=at)
            return failed
        if failed.began:
            return self._after_break(request, failed, place, at)
        place.lost(at=at, asked_s=failed.retry_after_ms / 1000)
        self._lost[request.place()] = failed
        self._timeouts[request.place()] += failed.error == "timeout"
        if self._is_over(request, place.queue, deadline_s):
            return _end_turn(failed)
        wait_s = ((place.queue.next_call(at=at) or at) - at).total_seconds()
        return failed.model_copy(update={"retry_after_ms": max(1, math.ceil(wait_s * 1000))})

    def _after_long_wait(
        self, state: State, request: Request, failed: FailTurn, place: Place, at: datetime
    ) -> FailTurn:
        """The server named a time: this model is not called before."""
        if not self._parks:
            place.answered(at=at)
            return _end_turn(failed)
        wait = timedelta(milliseconds=failed.retry_after_ms)
        place.told_to_wait(at=at, asked_s=wait.total_seconds())
        before = [turn.at for turn in state.failed_attempts if turn.place() == request.place() and turn.retry_after_ms]
        waited = at - datetime.fromisoformat(before[0]) if before else timedelta()
        if len(before) >= MAX_PARKS or waited + wait > MAX_PARKED:
            return _end_turn(failed)
        return failed

    def _after_break(self, request: Request, failed: FailTurn, place: Place, at: datetime) -> FailTurn:
        """The server is up: others continue, and this call is repeated after its own wait."""
        place.answered(at=at)
        turn = request.place()
        self._lost.pop(turn, None)
        n_before = self._broken_off[turn]
        if n_before == PAID_REPEATS or self._calls_left <= 0:
            return _end_turn(failed)
        self._broken_off[turn] += 1
        self._calls_left -= 1
        wait_ms = math.ceil(back_off_s(n_before) * 1000)
        return failed.model_copy(update={"retry_after_ms": max(wait_ms, failed.retry_after_ms)})

    def given_up(self, request: Request, filler: Paid, *, at: datetime) -> FailTurn | None:
        """The end of a turn that is no longer worth asking; None = continue."""
        failed = self._lost.get(request.place())
        if failed is None or filler.queue.known().looking(at.timestamp()):
            return None
        if not self._is_over(request, filler.queue, filler.deadline_s):
            return None
        return _end_turn(failed).model_copy(update={"request": request.id, "partial": "", "usage": None})

    def _is_over(self, request: Request, queue: ServerQueue, deadline_s: float) -> bool:
        if self._timeouts[request.place()] >= self._attempts:
            return True
        known = queue.known()
        if known.down_since_s is None or known.next_look_s is None:
            return False
        if self._calls_left < self._kept:
            return True
        return known.next_look_s - max(known.down_since_s, self._began.timestamp()) > deadline_s


def _end_turn(failed: FailTurn) -> FailTurn:
    """Mark the failure as final."""
    return failed.model_copy(update={"permanent": True, "retry_after_ms": 0})
