"""What a dead provider does to a debate: every protocol with each seat out of reach, and with each two of them.

Models speak over real wires in three dialects, and the seats of a dead provider ask an address where nobody listens.
All who live are for the same option, so that nothing but silence keeps a debate from being decided. Prints a table, and
exits with 1 if anything was decided over a side that was not heard, or with too few ballots. Takes some minutes;
`python -m bench.outages NAME ...` plays these protocols alone. Importable only in a checkout.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial

from debate_core.engine.engine import open_debate, submit
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Resume
from debate_core.record.state import State
from debate_core.seats.model import model_fillers
from debate_core.spec.models import Dialect, ModelLine, Price
from debate_core.spec.presets import PROTOCOLS, compose, default_seats
from debate_core.spec.protocol import Spec
from tests.model_server import ModelServer
from tests.silence import outages, over_silence
from tests.virtual_time import VirtualTime

DIALECTS: tuple[Dialect, ...] = ("chat", "responses", "messages")
OPTIONS = ("adopt", "defer")
PRICE = Price(input="0", output="0")
"""Known, so that a protocol with a limit in USD lets its seats be asked."""
MAX_ROUNDS = 2
AT_ONCE = 8
"""Debates that are held at the same time: most of their time they wait."""
DEADLINE_S = 20
ENDS = ("decided", "quorum", "side_unheard", "provider_down", "unreadable", "other", "over silence")
"""Columns of the table: how a debate ended, and what must never be."""


def table(name: str, dialect: Dialect, up: ModelServer, down: ModelServer) -> Spec:
    """The usual seats of a protocol, all on the provider that answers."""
    rules = PROTOCOLS[name]
    lines = [
        ModelLine(
            id=line,
            model="m",
            provider="local",
            dialect=dialect,
            base_url=server.base_url(dialect),
            price=PRICE,
            parallel=8,
        )
        for line, server in (("up", up), ("down", down))
    ]
    seats = [s.model_copy(update={"model": "up"}) for s in default_seats(rules, "Move it?", OPTIONS, "model")]
    rounds = min(MAX_ROUNDS, rules.rounds.hard_max)
    return compose("Move it?", OPTIONS, rules, seats, max_rounds=rounds).model_copy(update={"models": tuple(lines)})


def without(spec: Spec, dead: Collection[str]) -> Spec:
    """The same debate with these seats on the provider that is down."""
    seats = [s.model_copy(update={"model": "down"}) if s.id in dead else s for s in spec.seats]
    return spec.model_copy(update={"seats": tuple(seats)})


async def hold(spec: Spec, turn: asyncio.Semaphore) -> State:
    """Hold a debate to its end, when it is its turn; whenever it waits, somebody lets it go on without the dead."""
    async with turn:
        store, time = MemoryStore(), VirtualTime()
        store.append("d1", open_debate(spec, debate_id="d1", at=time.at), after=0)
        fillers = partial(model_fillers, keys={}, deadline_s=DEADLINE_S)
        while True:
            state = await run("d1", store, fillers, deadline_s=DEADLINE_S, clock=time.clock, sleep=time.sleep)
            if state.outcome is not None:
                return state
            without_them = submit(state, Resume(by="operator", gives_up=True), at=time.at)
            store.append("d1", without_them, after=state.version)


async def held(spec: Spec) -> list[State]:
    """Every outage of this debate."""
    turn = asyncio.Semaphore(AT_ONCE)
    return await asyncio.gather(*(hold(without(spec, dead), turn) for dead in outages(spec)))


def ends(states: Iterable[State]) -> Counter[str]:
    """How many debates ended in each way."""
    counted = Counter[str]()
    for state in states:
        assert state.outcome is not None
        ended_by = "decided" if state.outcome.status == "decided" else state.outcome.ended_by
        counted[ended_by if ended_by in ENDS else "other"] += 1
        counted["over silence"] += over_silence(state)
    return counted


def main(names: Collection[str]) -> int:
    """Print a row a protocol; 1 if anything was decided over silence."""
    print(f"{'protocol':28}{'debates':>8}" + "".join(f"{name:>15}" for name in ENDS))
    total, debates = Counter[str](), 0
    with ModelServer() as down:
        pass
    with ModelServer(votes=OPTIONS[:1], text_chars=60) as up:
        for name in names:
            states = [state for d in DIALECTS for state in asyncio.run(held(table(name, d, up, down)))]
            row = ends(states)
            print(f"{name:28}{len(states):>8}" + "".join(f"{row[end]:>15}" for end in ENDS), flush=True)
            total, debates = total + row, debates + len(states)
    print(f"{'all':28}{debates:>8}" + "".join(f"{total[end]:>15}" for end in ENDS))
    return 1 if total["over silence"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or sorted(PROTOCOLS)))
