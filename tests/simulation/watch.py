"""Invariants of every history under any fault, checked from outside at each step and at the end.

Nothing that was kept is lost, nothing is there twice, the chain is whole. Nobody writes under an old lease, asks what
is not in the record, or asks again what is being asked, unless a run was lost that had asked it. A lease is lost only
by whoever cannot renew it, what was heard is written down, and who was woken looks.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from debate_core.errors import Busy, StoreError
from debate_core.host.run_loop import BUSY_S, LEASE_TTL_S
from debate_core.record.events import GENESIS, Event
from tests.simulation.process import Process

SLACK_S = 0.2
"""What effects that are late may add to the longest time that a run listens, a third of what a lease lives."""


class Watch:
    """Observer of one history. `wrong` lists the broken invariants."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.kept: list[Event] = []
        """Everything of which the store said that it has it."""
        self.n_under_old_leases = 0
        self._calls: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        """Request -> how often a run was lost that had asked it, before the answer was in the record."""

    def reads(self, process: Process, events: Sequence[Event]) -> None:
        """Note that foreign writes may end this process's request."""
        if process.unwritten:
            _strike(events, process.unwritten)

    def writes(self, process: Process, events: Sequence[Event], *, fence: int | None, newest: int) -> None:
        """The store has taken these events."""
        self.kept += events
        if fence is not None and fence != newest:
            self.n_under_old_leases += 1
        if process.unwritten:
            _strike(events, process.unwritten)
        for event in events:
            if event.key.startswith("attempt:"):
                process.recorded.add(event.key.split(":")[1])

    def asks(self, process: Process, request: str, *, newest: int) -> None:
        """A seat is called, which somebody may pay for."""
        self._calls[request] += 1
        if request not in process.recorded:
            self.wrong.append(f"{request} is asked, and the attempt is not in the record")
        if self._calls[request] > 1 + self._lost[request]:
            times = self._calls[request]
            self.wrong.append(f"{request} is called {times} times, and was lost {self._lost[request]} times")
        process.recorded.discard(request)
        if process.lease is not None and process.lease.fence == newest:
            process.unwritten.add(request)

    def cuts_off(self, process: Process, requests: Collection[str]) -> None:
        """Nobody asks this any more."""
        if not process.in_flight.keys() >= set(requests):
            self.wrong.append(f"{sorted(requests)} are cut off, and not all of them are being asked")
        process.unwritten.difference_update(requests)

    def listens(self, process: Process) -> None:
        """It has done all that was to be done."""
        if heard := process.unwritten.difference(process.in_flight):
            self.wrong.append(f"{sorted(heard)} were answered, and it is not written down")
        assert process.planner is not None
        if process.in_flight and (obsolete := process.in_flight.keys() - set(process.planner.open_request_ids())):
            self.wrong.append(f"{sorted(obsolete)} are not asked any more, and not cut off")
        if process.planner.version < process.must_know:
            self.wrong.append(f"it knows {process.planner.version} of {process.must_know} events, and does not look")
        process.recorded.clear()

    def renewed(self, process: Process, now_s: float) -> None:
        """It has the lease from now on for some time."""
        process.renewed_s = now_s

    def taken_over(self, former: Process) -> None:
        """Somebody else has its lease now: it must have been unable to renew it when it ended."""
        self.lost(former)
        awake_s = former.renewed_s + LEASE_TTL_S - former.stalled_until_s
        if awake_s > LEASE_TTL_S / 3 + SLACK_S:
            self.wrong.append(f"a lease was lost although its holder could have renewed it for {awake_s:.3f} s")

    def lost(self, process: Process) -> None:
        """Note that the pending request has to be repeated."""
        self._lost.update(process.unwritten | process.recorded)
        process.unwritten.clear()

    def meets(self, process: Process, error: StoreError | None, now_s: float) -> None:
        """Note the result of an attempt to read or write."""
        if not isinstance(error, Busy):
            process.busy_since_s = None
        elif process.busy_since_s is None:
            process.busy_since_s = now_s

    def broke(self, process: Process, error: StoreError, now_s: float) -> None:
        """A run gave up, and with it what it was asking."""
        since_s = now_s if process.busy_since_s is None else process.busy_since_s
        if isinstance(error, Busy) and now_s - since_s < BUSY_S:
            self.wrong.append(f"a run gave up: the store was busy for {now_s - since_s:.3f} s")

    def ended(self, process: Process) -> None:
        """A run has come to its end."""
        if process.in_flight:
            self.wrong.append(f"a run ended while it was asking {[*process.in_flight]}")

    def looks_back(self, record: Sequence[Event]) -> None:
        """Check the invariants once nothing happens any longer."""
        if self.n_under_old_leases:
            self.wrong.append(f"somebody wrote under an old lease {self.n_under_old_leases} times")
        head = GENESIS
        for seq, event in enumerate(record, start=1):
            if (event.seq, event.prev_hash) != (seq, head):
                self.wrong.append(f"event {seq} does not follow the one before")
            head = event.hash
        if len({event.key for event in record}) < len(record):
            times = Counter(event.key for event in record)
            self.wrong += [f"{key} is there {n} times" for key, n in times.items() if n > 1]
        hashes = {event.hash for event in record}
        self.wrong += [f"{event.key} was kept, and is lost" for event in self.kept if event.hash not in hashes]
        if not any(event.key == "closed" for event in record):
            self.wrong.append("nobody goes on, and it is not over")


def _strike(events: Sequence[Event], requests: set[str]) -> None:
    """Take out what these events have ended: `turn:1.a` and `failed:1.a.2` end the request `1.a.2`."""
    for event in events:
        what, _, name = event.key.partition(":")
        if what == "closed":
            requests.clear()
        elif what in ("turn", "failed"):
            requests.difference_update([each for each in requests if name in (each, each.rpartition(".")[0])])
