"""How often, and how long, one run of a debate asks again where no reply comes, and when it gives a turn up.

A call without a reply uses up no attempt: attempts are for what is replied. It is made again while its server may be
back within the deadline of a turn, and as long as the debate makes no more than twice the calls that it has turns. A
stream that breaks off uses up no attempt either; what came of it has to be paid, so there are few repeats of it.
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
"""A server that asks to wait longer is waited for without a runner, where somebody wakes the debate then."""
MAX_PARKED = timedelta(days=1)
MAX_PARKS = 24
"""How long, and how often, one turn waits so before its server counts as out of reach."""
PAID_REPEATS = 2
"""Calls for one turn that are made again because the stream of the one before broke off."""


class Patience:
    """Of one run: somebody who resumes a debate begins anew."""

    def __init__(self, state: State, *, at: datetime, parks: bool = False) -> None:
        """`parks`: somebody wakes the debate when a server may be asked again."""
        self._began = at
        self._parks = parks
        speakers = [len(state.spec.seats_of(slot.phase.role)) for slot in state.slots]
        self._calls_left = sum(speakers)
        """Calls that may be made again: as many as the debate has turns."""
        self._kept = max(speakers, default=0)
        """Of those, as many as may be due side by side when a server is back: nobody looks whether it is with them."""
        self._attempts = state.spec.protocol.attempts
        self._lost: dict[str, FailTurn] = {}
        """Turn -> its latest call, while no reply has come to it."""
        self._timeouts = Counter[str]()
        self._broken_off = Counter[str]()

    def asking(self, request: Request) -> None:
        """This turn is asked, for the first time or again."""
        if request.place() in self._lost:
            self._calls_left -= 1

    def after(
        self, state: State, request: Request, failed: FailTurn, place: Place, *, deadline_s: float, at: datetime
    ) -> FailTurn:
        """A call without a reply as it is recorded: with the time to wait, or as the end of its turn."""
        if self._names_long_wait(failed, deadline_s):
            return self._asked_to_wait(state, request, failed, place, at)
        has_refused = not failed.retry_after_ms and failed.error != "timeout"
        if failed.permanent or has_refused:
            # The server answers: it refuses the call, or a part of it that is left out from now on.
            place.answered(at=at)
            return failed
        if failed.began:
            return self._after_break(request, failed, place, at)
        place.lost(at=at, asked_s=failed.retry_after_ms / 1000)
        self._lost[request.place()] = failed
        self._timeouts[request.place()] += failed.error == "timeout"
        if self._is_over(request, place.queue, deadline_s):
            return _lasting(failed)
        wait_s = ((place.queue.next_call(at=at) or at) - at).total_seconds()
        return failed.model_copy(update={"retry_after_ms": max(1, math.ceil(wait_s * 1000))})

    def _names_long_wait(self, failed: FailTurn, deadline_s: float) -> bool:
        """True where the server says itself when it may be called again, and that is too long to stand and wait."""
        most_s = min(PARK_S, deadline_s) if self._parks else deadline_s
        return failed.retry_after_ms > most_s * 1000

    def _asked_to_wait(self, state: State, request: Request, failed: FailTurn, place: Place, at: datetime) -> FailTurn:
        """The server is there, and says when it may be called again: nobody calls this line of it until then."""
        if not self._parks:
            place.answered(at=at)
            return _lasting(failed)
        wait = timedelta(milliseconds=failed.retry_after_ms)
        place.told_to_wait(at=at, asked_s=wait.total_seconds())
        before = [turn.at for turn in state.failed_attempts if turn.place() == request.place() and turn.retry_after_ms]
        waited = at - datetime.fromisoformat(before[0]) if before else timedelta()
        if len(before) >= MAX_PARKS or waited + wait > MAX_PARKED:
            return _lasting(failed)
        return failed

    def _after_break(self, request: Request, failed: FailTurn, place: Place, at: datetime) -> FailTurn:
        """The server was there: others are asked meanwhile, and this call is made again after a wait of its own."""
        place.answered(at=at)
        turn = request.place()
        self._lost.pop(turn, None)
        n_before = self._broken_off[turn]
        if n_before == PAID_REPEATS or self._calls_left <= 0:
            return _lasting(failed)
        self._broken_off[turn] += 1
        self._calls_left -= 1
        wait_ms = math.ceil(back_off_s(n_before) * 1000)
        return failed.model_copy(update={"retry_after_ms": max(wait_ms, failed.retry_after_ms)})

    def given_up(self, request: Request, filler: Paid, *, at: datetime) -> FailTurn | None:
        """The end of a turn that is not asked any more; None = it is still worth asking, or was not asked yet."""
        failed = self._lost.get(request.place())
        if failed is None or filler.queue.known().looking(at.timestamp()):
            return None
        if not self._is_over(request, filler.queue, filler.deadline_s):
            return None
        return _lasting(failed).model_copy(update={"request": request.id, "partial": "", "usage": None})

    def _is_over(self, request: Request, queue: ServerQueue, deadline_s: float) -> bool:
        if self._timeouts[request.place()] >= self._attempts:
            return True
        known = queue.known()
        if known.down_since_s is None or known.next_look_s is None:
            return False
        if self._calls_left < self._kept:
            return True
        return known.next_look_s - max(known.down_since_s, self._began.timestamp()) > deadline_s


def _lasting(failed: FailTurn) -> FailTurn:
    """The end of its turn: nobody asks again."""
    return failed.model_copy(update={"permanent": True, "retry_after_ms": 0})
