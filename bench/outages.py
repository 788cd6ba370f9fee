"""Effects of a failing provider: every protocol with unreachable seats, and every fault of a server.

Models are called over real connections in three dialects. Every single seat and every pair of seats in turn calls an
address without a server; the other seats support the same option, so that only silence can prevent a decision. Then one
protocol meets every fault of the fault server, the error bodies of vendors, outages of 1, 10 and 60 seconds, and a
server that breaks off about every third stream. The runner has a simulated clock, so that waits between calls take no
time; calls, their deadlines and the program's back-off are real. Prints tables, and exits with 1 if a debate was
decided with an unheard side or too few ballots, if a ballot was invented, if a temporary fault closed a debate or a
permanent one decided it, or if a debate made more than twice the calls of a healthy one.

Takes some minutes; `python -m bench.outages NAME ...` plays only these protocols, and `faults` only the faults.
Importable only in a checkout.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from debate_core.engine.engine import open_debate, submit
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Resume
from debate_core.record.state import State
from debate_core.seats.model import model_fillers
from debate_core.spec.models import Dialect, ModelLine, Price
from debate_core.spec.presets import PROTOCOLS, compose, default_seats
from debate_core.spec.protocol import Spec
from debate_core.text import plural
from tests.model_faults import BAD_TEXT, BROKEN, NO_STREAM, REFUSING, VENDOR_BODIES, Fault, Kind
from tests.model_server import ModelServer
from tests.silence import outages, over_silence
from tests.virtual_time import Outage, VirtualTime
from tests.wire import rig

DIALECTS: tuple[Dialect, ...] = ("chat", "responses", "messages")
OPTIONS = ("adopt", "defer")
PRICE = Price(input="0", output="0")
"""A known price, because a protocol with a money limit asks no unpriced model."""
MAX_ROUNDS = 2
AT_ONCE = 8
"""Simultaneous debates; most of their time they wait."""
DEADLINE_S = 20
ENDS = ("decided", "quorum", "side_unheard", "provider_down", "unreadable", "other", "over silence")
"""Columns of the table: the kinds of end, and the one that must never occur."""


def table(name: str, dialect: Dialect, up: ModelServer, down: ModelServer) -> Spec:
    """Build a debate with the default seats of a protocol, all on the working provider."""
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
    """Move these seats to the failing provider."""
    seats = [s.model_copy(update={"model": "down"}) if s.id in dead else s for s in spec.seats]
    return spec.model_copy(update={"seats": tuple(seats)})


async def hold(spec: Spec, turn: asyncio.Semaphore) -> State:
    """Hold a debate to its end within the semaphore; whenever it waits, continue without the dead seats."""
    async with turn:
        store, time = MemoryStore(), VirtualTime()
        store.append("d1", open_debate(spec, debate_id="d1", at=time.at), after=0)
        fillers = partial(model_fillers, keys={}, deadline_s=DEADLINE_S)
        while True:
            options = RunOptions(deadline_s=DEADLINE_S, clock=time.clock, sleep=time.sleep)
            state = await run("d1", store, fillers, options)
            if state.outcome is not None:
                return state
            without_them = submit(state, Resume(by="operator", gives_up=True), at=time.at)
            store.append("d1", without_them, after=state.version)


async def held(spec: Spec) -> list[State]:
    """Hold this debate with every outage of one or two seats."""
    turn = asyncio.Semaphore(AT_ONCE)
    return await asyncio.gather(*(hold(without(spec, dead), turn) for dead in outages(spec)))


def ends(states: Iterable[State]) -> Counter[str]:
    """Count the debates by their end."""
    counted = Counter[str]()
    for state in states:
        assert state.outcome is not None
        ended_by = "decided" if state.outcome.status == "decided" else state.outcome.ended_by
        counted[ended_by if ended_by in ENDS else "other"] += 1
        counted["over silence"] += over_silence(state)
    return counted


FAULTS: tuple[Kind, ...] = (*REFUSING, *NO_STREAM, *BROKEN, *BAD_TEXT)
SLOW: tuple[Kind, ...] = ("hang", "stall", "drip")
SLOW_DEADLINE_S, FAULT_DEADLINE_S = 2, 120
MIDDLE = 4
"""The first call of the second phase, which asks three seats at once."""
OUTAGES_S = (1, 10, 60)
AWAY: tuple[Kind, ...] = ("429", "503", "closed", "html")
FLAKY: tuple[Kind, ...] = ("cut", "reset", "error_event", "bad_event")
FLAKY_SHARE = 0.35
"""Share of broken streams on such a server, chosen at random."""
LOST_BY = ("provider_down", "unreadable", "quorum", "side_unheard")
"""Ends of a debate that a fault has closed."""


@dataclass(frozen=True, slots=True)
class Endured:
    """Result of one debate under one fault."""

    invented: bool
    """True if a counted ballot is not from a complete valid reply."""
    closed: bool
    decided: bool
    calls: int
    lost: int
    """Requested turns that were not given."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault of a server and how long it lasts."""

    name: str
    fault: Fault
    passes: bool
    seconds: float | None = None
    """None = the fault's own number."""
    share: float | None = None
    """Share of the calls that it hits; None = all."""

    def over(self, time: VirtualTime) -> Fault:
        """Return the fault on this clock."""
        if self.share is not None:
            lot, share = Random(self.name), self.share
            return replace(self.fault, lasts=lambda: lot.random() < share)
        return self.fault if self.seconds is None else replace(self.fault, lasts=Outage(time, self.seconds).lasts)


def endured(server: ModelServer, dialect: Dialect, trouble: Trouble) -> Endured:
    """Hold a debate; when it waits, resume it, without the unreachable seats if the fault is permanent."""
    time, go_on = VirtualTime(), Resume(by="operator", gives_up=not trouble.passes)
    server.reset(votes=rig.SPLIT, faults=[trouble.over(time)])
    deadline_s = SLOW_DEADLINE_S if trouble.fault.kind in SLOW else FAULT_DEADLINE_S
    debate = rig.panel(rig.line(server, dialect))
    held = asyncio.run(rig.hold(debate, deadline_s=deadline_s, time=time, then=[go_on] * rig.HEALTHY))
    outcome = held.state.outcome
    assert outcome is not None, trouble
    try:
        rig.check(held, server)
        invented = False
    except AssertionError:
        invented = True
    closed, lost = outcome.ended_by in LOST_BY, sum(turn.status != "ok" for turn in held.state.turns)
    return Endured(invented, closed, outcome.status == "decided", len(server.log), lost)


def in_every_dialect(servers: Mapping[Dialect, ModelServer], trouble: Trouble) -> list[Endured]:
    """Hold a debate in every dialect at the same time."""
    with ThreadPoolExecutor(len(servers)) as threads:
        return list(threads.map(lambda dialect: endured(servers[dialect], dialect, trouble), servers))


def every_trouble() -> Iterator[Trouble]:
    """Yield all faults and vendors' error bodies, once in the middle and permanently, and outages in the middle."""
    soon = {"retry-after-ms": "10"}
    for kind in FAULTS:
        yield Trouble(f"{kind}, once", Fault(kind, at=(MIDDLE,), headers=soon), passes=True)
        yield Trouble(f"{kind}, for ever", Fault(kind, headers=soon), passes=False)
    for name, said in VENDOR_BODIES.items():
        yield Trouble(f"{name}, once", Fault("429", at=(MIDDLE,), headers={}, said=said), passes=True)
        yield Trouble(f"{name}, for ever", Fault("429", headers={}, said=said), passes=False)
    for kind in AWAY:
        for seconds in OUTAGES_S:
            away = Fault(kind, first=MIDDLE, headers={})
            yield Trouble(f"{kind}, for {seconds} s", away, passes=True, seconds=seconds)
    for kind in FLAKY:
        for drawn in range(1, 6):
            name = f"{kind}, {FLAKY_SHARE:.0%}, lot {drawn}"
            yield Trouble(name, Fault(kind), passes=True, share=FLAKY_SHARE)


def faults() -> int:
    """Print a row for each fault; returns 1 if one broke a rule."""
    columns = ("debates", "invented", "closed", "decided", "turns lost", "most calls")
    print(f"{'fault':28}" + "".join(f"{name:>12}" for name in columns) + f" of {rig.HEALTHY}")
    bad, rows = 0, 0
    with ExitStack() as entered:
        servers = {dialect: entered.enter_context(ModelServer()) for dialect in DIALECTS}
        for trouble in every_trouble():
            bad += print_fault(trouble, in_every_dialect(servers, trouble))
            rows += 1
    print(f"{rows} faults, {rows * len(DIALECTS)} debates; what none may do was done {plural(bad, 'time')}")
    return 1 if bad else 0


def print_fault(trouble: Trouble, found: Sequence[Endured]) -> int:
    """Print the row of a fault; returns the number of broken rules."""
    invented = sum(one.invented for one in found)
    closed = sum(one.closed for one in found)
    decided = sum(one.decided for one in found)
    lost = sum(one.lost for one in found)
    most_calls = max(one.calls for one in found)
    row = (len(found), invented, closed, decided, lost, most_calls)
    print(f"{trouble.name:28}" + "".join(f"{number:>12}" for number in row), flush=True)
    wrong_ends = closed if trouble.passes else decided
    return invented + wrong_ends + (most_calls > 2 * rig.HEALTHY)


def main(names: Collection[str]) -> int:
    """Print the chosen tables; returns 1 if a rule was broken."""
    if list(names) == ["faults"]:
        return faults()
    return max(silences(names or sorted(PROTOCOLS)), 0 if names else faults())


def silences(names: Collection[str]) -> int:
    """Print a row for each protocol; returns 1 if silence decided anything."""
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
    sys.exit(main(sys.argv[1:]))
