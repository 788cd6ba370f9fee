"""A runner killed at random moments: every written event is there, once."""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import View
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import run
from debate_core.host.stores import open_store
from debate_core.record.commands import AnyCommand, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.seats import OnText
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import Majority, MaxRounds
from debate_core.spec.values import Seat
from tests import postgres

KILLS, KILLS_ON_A_SERVER = 20, 8
MAX_LIFE_S = 0.1
SEATS = ("a", "b", "c")
SPEC = Spec(
    question="Adopt it?",
    options=("adopt", "defer"),
    seats=tuple(Seat(id=s, occupant="scripted") for s in SEATS),
    protocol=Protocol(
        name="trial",
        each_round=(Phase(name="opening", order="at_once"), Phase(name="reply")),
        decide=Majority(),
        stop=(MaxRounds(),),
    ),
    max_rounds=3,
)
EXPECTED = [(n, phase, seat) for n in (1, 2, 3) for phase in ("opening", "reply") for seat in SEATS]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]


async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
    await asyncio.sleep(0.004)
    claims = (Claim(text="One."), Claim(text="Two."))
    content = Argument(rationale=f"I am {request.id}.", claims=claims, vote="adopt")
    return TakeTurn(by=request.seat, request=request.id, content=content)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with postgres.address_of(request.param, tmp_path) as made:
        yield made


def run_until_killed(url: str, debate_id: str, journal: Path) -> int:
    """Pid of a process that runs the debate and writes into the journal each event that the store confirmed."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        # One unbuffered write per line: what is in the journal was acknowledged before the kill.
        with journal.open("ab", buffering=0) as told:

            def tell(events: Sequence[Event]) -> None:
                for event in events:
                    told.write(f"{debate_id} {event.hash}\n".encode())

            store = open_store(url)
            asyncio.run(run(debate_id, store, dict.fromkeys(SEATS, says), RunOptions(on_events=tell)))
            store.close()
        status = 0
    finally:
        os._exit(status)


def test_killed_again_and_again(url: str, tmp_path: Path):
    journal, rng = tmp_path / "journal", Random(7)
    n_kills = KILLS if url.startswith("sqlite") else KILLS_ON_A_SERVER
    kills: Counter[str] = Counter()
    debates: list[str] = []
    while kills.total() < n_kills:
        debates.append(f"d-{len(debates)}")
        store = open_store(url)
        store.append(debates[-1], open_debate(SPEC, debate_id=debates[-1], at=datetime.now(UTC)), after=0)
        store.close()
        over = False
        while not over:
            pid = run_until_killed(url, debates[-1], journal)
            if kills.total() < n_kills:
                time.sleep(rng.uniform(0, MAX_LIFE_S))
                os.kill(pid, signal.SIGKILL)
            ended = os.waitpid(pid, 0)[1]
            over = not os.WIFSIGNALED(ended)
            assert not over or os.waitstatus_to_exitcode(ended) == 0
            kills[debates[-1]] += not over
    store = open_store(url)
    for debate_id in debates:
        events = store.load(debate_id)
        state = replay(events)
        assert verify(events) == ()
        assert [(t.round, t.phase, t.seat) for t in state.turns] == EXPECTED
        assert {t.status for t in state.turns} == {"ok"}
        # An attempt that was cut off is seen as one made twice: at most every seat of a phase per kill.
        assert len(EXPECTED) <= len(state.attempts) <= len(EXPECTED) + kills[debate_id] * len(SEATS)
        told = {line.split()[1] for line in journal.read_text().splitlines() if line.startswith(f"{debate_id} ")}
        assert told <= {e.hash for e in events}
    assert kills.total() == n_kills
    store.close()
