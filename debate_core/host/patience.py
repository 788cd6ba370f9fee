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
from debate_core.seats.server_queue import Place, ServerQueue, back_off_s

PAID_REPEATS = 2
"""Calls for one turn that are made again because the stream of the one before broke off."""


class Patience:
    """Of one run: somebody who resumes a debate begins anew."""

    def __init__(self, state: State, *, at: datetime) -> None:
        self._began = at
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

    def after(self, request: Request, failed: FailTurn, place: Place, *, deadline_s: float, at: datetime) -> FailTurn:
        """A call without a reply as it is recorded: with the time to wait, or as the end of its turn."""
        if failed.permanent or (not failed.retry_after_ms and failed.error != "timeout"):
            # The server answers: it refuses the call, or a part of it that is left out from now on.
            place.answered()
            return failed
        if failed.began:
            return self._after_break(request, failed, place)
        place.lost(at=at, asked_s=failed.retry_after_ms / 1000)
        self._lost[request.place()] = failed
        self._timeouts[request.place()] += failed.error == "timeout"
        if self._is_over(request, place.queue, deadline_s):
            return failed.model_copy(update={"permanent": True, "retry_after_ms": 0})
        wait_s = ((place.queue.next_look or at) - at).total_seconds()
        return failed.model_copy(update={"retry_after_ms": max(1, math.ceil(wait_s * 1000))})

    def _after_break(self, request: Request, failed: FailTurn, place: Place) -> FailTurn:
        """The server was there: others are asked meanwhile, and this call is made again after a wait of its own."""
        place.answered()
        turn = request.place()
        self._lost.pop(turn, None)
        n_before = self._broken_off[turn]
        if n_before == PAID_REPEATS or self._calls_left <= 0:
            return failed.model_copy(update={"permanent": True, "retry_after_ms": 0})
        self._broken_off[turn] += 1
        self._calls_left -= 1
        wait_ms = math.ceil(back_off_s(n_before) * 1000)
        return failed.model_copy(update={"retry_after_ms": max(wait_ms, failed.retry_after_ms)})

    def given_up(self, request: Request, filler: Paid) -> FailTurn | None:
        """The end of a turn that is not asked any more; None = it is still worth asking, or was not asked yet."""
        failed = self._lost.get(request.place())
        if failed is None or filler.queue.looking or not self._is_over(request, filler.queue, filler.deadline_s):
            return None
        changes = {"request": request.id, "permanent": True, "retry_after_ms": 0, "partial": "", "usage": None}
        return failed.model_copy(update=changes)

    def _is_over(self, request: Request, queue: ServerQueue, deadline_s: float) -> bool:
        if self._timeouts[request.place()] >= self._attempts:
            return True
        if queue.down_since is None or queue.next_look is None:
            return False
        if self._calls_left < self._kept:
            return True
        return queue.next_look - max(queue.down_since, self._began) > timedelta(seconds=deadline_s)
