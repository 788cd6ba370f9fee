"""For how long a run waits where a server says itself when it may be called again."""

import pytest

from debate_core.host.retry_policy import RetryPolicy
from debate_core.record.commands import FailTurn
from debate_core.seats.server_queue import ServerQueue
from debate_core.spec.rules import MaxRounds, Plurality
from tests.by_hand import OPEN, small_spec
from tests.playing import AT, Played


@pytest.mark.parametrize(
    ("parks", "deadline_s", "wait_s", "told"),
    [
        pytest.param(False, 60, 30, (False, 30_000), id="within a turn: it is asked again then"),
        pytest.param(False, 20, 30, (True, 0), id="longer than a turn: it is given up"),
        pytest.param(True, 20, 30, (False, 30_000), id="longer than a turn, and somebody wakes the debate"),
        pytest.param(True, 120, 90, (False, 90_000), id="longer than a run waits, and somebody wakes the debate"),
        pytest.param(False, 120, 90, (False, 90_000), id="longer than a minute, and nobody wakes the debate"),
    ],
)
def test_a_wait_that_a_server_names(*, parks: bool, deadline_s: float, wait_s: int, told: tuple[bool, int]):
    held = Played(small_spec(OPEN, decide=Plurality(), stop=(MaxRounds(),)))
    (request, *_) = held.requests()
    place = ServerQueue().enter(at=AT)
    assert place is not None
    lost = FailTurn(by=request.seat, request=request.id, error="failed", retry_after_ms=wait_s * 1000, transport=True)
    patience = RetryPolicy(held.state, at=AT, parks=parks)
    after = patience.after(held.state, request, lost, place, deadline_s=deadline_s, at=AT)
    assert (after.permanent, after.retry_after_ms) == told
