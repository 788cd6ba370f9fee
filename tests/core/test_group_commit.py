"""Commands for one debate from many threads: each is decided on the newest state, and waiting ones go together."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.engine import advance
from debate_core.errors import Busy, RuleViolation
from debate_core.host.debate_cache import DebateCache
from debate_core.host.group_commit import GroupCommit
from debate_core.host.stores import Continue
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import AnyCommand, Pause, Resume
from debate_core.record.events import Event
from debate_core.record.state import State
from tests.contracts.test_stores import AT, opened
from tests.waiting import until


class Gated(MemoryStore):
    """A store whose first extension waits until it may go on: for its turn, or with its events before they are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.append("d-1", opened(), after=0)
        self.waits_for_its_turn = False
        self.has_come = threading.Event()
        self.may_go_on = threading.Event()
        self.n_extensions = 0
        self.fault: Busy | None = None

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        self.n_extensions += 1
        if self.waits_for_its_turn:
            self.wait()
        if self.fault is not None and self.n_extensions == 2:
            raise self.fault

        def kept_late(newer: Sequence[Event]) -> Sequence[Event]:
            events = following(newer)
            self.wait()
            return events

        return super().extend(debate_id, kept_late, after=after)

    def wait(self) -> None:
        self.has_come.set()
        self.may_go_on.wait()


class Desk:
    """A process with a debate in a gated store, and the events that it reported."""

    def __init__(self) -> None:
        self.store = Gated()
        self.cache = DebateCache(self.store, "d-1")
        self.reported: list[Event] = []
        self.commits = GroupCommit(self.store, lambda _cache, events: self.reported.extend(events))

    def write(self, command: AnyCommand) -> None:
        self.commits.write(self.cache, lambda state: advance(state, command, at=AT))

    def has_waiting(self, number: int) -> bool:
        return len(self.commits._queues[self.cache].waiting) == number

    @contextmanager
    def one_writes_and_others_wait(self, *others: Callable[[], None]) -> Iterator[Sequence[Future[None]]]:
        """Futures of a first command, whose transaction is open, and of these, which wait in this order."""
        with ThreadPoolExecutor(1 + len(others)) as threads:
            asked = [threads.submit(self.write, Pause(by="first", reason="tea"))]
            self.store.has_come.wait()
            # The first command waits too until the store takes it.
            for number, other in enumerate(others, start=2 if self.store.waits_for_its_turn else 1):
                asked.append(threads.submit(other))
                until(partial(self.has_waiting, number))
            self.store.may_go_on.set()
            yield asked


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(["pause", "resume"]), min_size=1, max_size=5), min_size=1, max_size=6))
def test_commands_of_many_threads_are_written_once(threads: list[list[str]]):
    """Law: the record has the events of the accepted commands, each once; the others were refused in its state."""
    desk = Desk()
    desk.store.may_go_on.set()
    accepted: list[str] = []

    def act(person: int) -> None:
        for number, word in enumerate(threads[person]):
            by = f"p{person}.{number}"
            try:
                desk.write(Pause(by=by, reason="tea") if word == "pause" else Resume(by=by))
            except RuleViolation:
                continue
            accepted.append(by)

    with ThreadPoolExecutor(len(threads)) as pool:
        list(pool.map(act, range(len(threads))))
    events = desk.store.load("d-1")
    written = events[len(opened()) :]
    assert sorted(event.actor for event in written) == sorted(accepted)
    assert [event.kind for event in written] == ["paused", "resumed"] * (len(written) // 2) + ["paused"] * (
        len(written) % 2
    )
    assert desk.reported == list(written)
    assert desk.cache.events() == events
    assert verify(events) == ()


def test_waiting_commands_go_into_one_transaction():
    desk = Desk()
    others = (Resume(by="a"), Resume(by="b"), Pause(by="c", reason="tea"))
    with desk.one_writes_and_others_wait(*(partial(desk.write, one) for one in others)) as asked:
        refused = [type(one.exception()) for one in asked]
    assert refused == [type(None), type(None), RuleViolation, type(None)]
    assert desk.store.n_extensions == 2
    assert [event.actor for event in desk.store.load("d-1")][len(opened()) :] == ["first", "a", "c"]


def test_commands_join_a_transaction_that_waits_for_its_turn():
    desk = Desk()
    desk.store.waits_for_its_turn = True
    with desk.one_writes_and_others_wait(partial(desk.write, Resume(by="a"))) as asked:
        assert [one.exception() for one in asked] == [None, None]
    assert desk.store.n_extensions == 1
    assert [event.actor for event in desk.store.load("d-1")][len(opened()) :] == ["first", "a"]


def test_busy_store_fails_the_whole_group_at_once():
    desk = Desk()
    desk.store.fault = Busy("the disk is busy: try again")
    others = (Resume(by="a"), Pause(by="b", reason="tea"))
    with desk.one_writes_and_others_wait(*(partial(desk.write, one) for one in others)) as asked:
        assert [type(one.exception()) for one in asked] == [type(None), Busy, Busy]
    assert desk.store.n_extensions == 2
    desk.write(Resume(by="a"))
    assert desk.store.load("d-1")[-1].actor == "a"


def test_fault_in_a_command_leaves_the_others_unharmed():
    desk = Desk()

    def broken(_state: State) -> tuple[Sequence[Event], State]:
        raise KeyError("a fault of the program")

    others = (partial(desk.commits.write, desk.cache, broken), partial(desk.write, Resume(by="a")))
    with desk.one_writes_and_others_wait(*others) as (_first, faulty, sound):
        assert isinstance(faulty.exception(), KeyError)
        assert sound.exception() is None
    assert [event.actor for event in desk.store.load("d-1")][len(opened()) :] == ["first", "a"]


def test_reported_events_are_written_even_if_reporting_fails():
    desk = Desk()
    desk.store.may_go_on.set()

    def fail(_cache: DebateCache, _events: Sequence[Event]) -> None:
        raise Busy("no job can be left")

    desk.commits = GroupCommit(desk.store, fail)
    with pytest.raises(Busy):
        desk.write(Pause(by="a", reason="tea"))
    assert desk.cache.events()[-1].actor == "a"
