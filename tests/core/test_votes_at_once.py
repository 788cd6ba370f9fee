"""Many people act at the same time, in threads and on servers of one store: nothing is lost or counted twice."""

import csv
import json
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.count.ballot_files import read_ballots
from debate_core.engine.count.methods import elect
from debate_core.engine.engine import advance, requests
from debate_core.engine.stage import result_of
from debate_core.errors import Busy, RuleViolation, StoreError
from debate_core.host.debate_cache import DebateCache
from debate_core.host.group_commit import GroupCommit
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import Continue
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import BallotCast, PersonJoined, PollClosed, PollOpened, PollRevealed
from debate_core.record.commands import Act, AnyCommand, Pause, Resume, TakeTurn
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.ballots import poll_ballots
from debate_core.report.facts.counts import agrees, counts_of
from debate_core.report.facts.polls import aliases
from debate_core.report.files.export import csv_files
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.values import Seat
from tests import postgres
from tests.contracts.test_stores import AT, opened
from tests.people import ANN, FAY, OPTIONS, room_spec
from tests.waiting import until

PROCESSES, VOTERS_EACH = 4, 50
PEOPLE_EACH = 4


def asked_host(host: Host, *people: Person) -> str:
    """A debate whose seats are people, so that nothing happens by itself."""
    seats = tuple(Seat(id=f"s{n}", occupant="human") for n in range(2))
    return host.create(room_spec((FAY, *people), seats=seats, rounds=1, pre_vote="shown_at_close"), by="p-fay")


def test_thirty_voters_change_votes_and_the_export_recounts():
    host, rng = Host(MemoryStore(), HostOptions(worker="none")), random.Random(30)
    debate = asked_host(host, ANN)
    people = [Person(id=f"p-n{n}", name=f"Nobody {n}", electorate="room") for n in range(30)]
    last: dict[str, str] = {}
    host.submit(debate, Act(by=FAY.id, act=PollOpened(poll="pre")))
    for step in range(200):
        person = rng.choice(people)
        if person.id not in host.state(debate).room.people:
            host.submit(debate, Act(by=person.id, act=PersonJoined(person=person)))
        last[person.id] = rng.choice((*OPTIONS, "abstain"))
        host.submit(debate, Act(by=person.id, act=BallotCast(poll="pre", choice=last[person.id], reason=f"{step}")))
    assert len(last) == 30
    host.submit(debate, Act(by=FAY.id, act=PollClosed(poll="pre")))
    host.submit(debate, Act(by=FAY.id, act=PollRevealed(poll="pre")))
    state, events = host.state(debate), host.events(debate)
    result = result_of(state, "pre", "room")
    assert result is not None
    expected = Counter(v for v in last.values() if v != "abstain")
    assert {p.option: int(p.points) for p in result.points} == {o: expected[o] for o in OPTIONS}
    assert (result.cast, result.abstained, result.eligible) == (expected.total(), 30 - expected.total(), 30)
    text = csv_files(account(state, events))["votes.csv"]
    again = elect("plurality", read_ballots(text, name="votes.csv", poll="pre.room"))
    assert {o: int(p) for o, p in again.tally.items()} == {o: expected[o] for o in OPTIONS}
    assert again.winners == result.winners
    rows = [r for r in csv.DictReader(StringIO(text)) if r["poll_id"] == "pre.room"]
    assert len(rows) == 200
    named = aliases(state)
    assert {r["voter_alias"]: r["choice"] or "abstain" for r in rows if not r["replaced_by"]} == {
        named[i]: choice for i, choice in last.items()
    }
    assert all(r["joined_after_open"] == "true" for r in rows)
    assert agrees(counts_of(state)[-1], result)
    assert verify(events) == ()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with postgres.address_of(request.param, tmp_path) as made:
        yield made


def open_pre_vote(url: str, voters: int) -> str:
    """Id of a debate with so many voters whose pre-vote is open."""
    host = postgres.host_of(url)
    debate = asked_host(host, *(Person(id=f"p-v{n}", name=f"V{n}", electorate="room") for n in range(voters)))
    host.submit(debate, Act(by=FAY.id, act=PollOpened(poll="pre")))
    host.close()
    return debate


def vote_in_a_process(url: str, debate: str, place: int, votes: int, told: Path) -> int:
    """Pid of a server of its own that casts its votes as fast as it can, and writes down what it was told is kept."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        host, rng = postgres.host_of(url), random.Random(place)
        kept = {}
        for n in range(votes):
            voter, choice = f"p-v{place * VOTERS_EACH + n % VOTERS_EACH}", rng.choice(OPTIONS)
            host.submit(debate, Act(by=voter, act=BallotCast(poll="pre", choice=choice, reason=f"{n}")))
            kept[voter] = choice
        told.write_text(json.dumps(kept))
        host.close()
        status = 0
    finally:
        os._exit(status)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("votes", [50, pytest.param(200, marks=pytest.mark.nightly)])
def test_hundreds_of_votes_from_four_servers_at_once(url: str, votes: int, tmp_path: Path):
    debate = open_pre_vote(url, PROCESSES * VOTERS_EACH)
    began_s, files = time.monotonic(), [tmp_path / f"{place}.json" for place in range(PROCESSES)]
    pids = [vote_in_a_process(url, debate, place, votes, told) for place, told in enumerate(files)]
    assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids] == [0] * PROCESSES
    print(f"{round(PROCESSES * votes / (time.monotonic() - began_s))} votes a second")
    host = postgres.host_of(url)
    host.submit(debate, Act(by=FAY.id, act=PollClosed(poll="pre")))
    host.submit(debate, Act(by=FAY.id, act=PollRevealed(poll="pre")))
    state, events = host.state(debate), host.events(debate)
    host.close()
    kept: dict[str, str] = {}
    for told in files:
        kept |= json.loads(told.read_text())
    assert len(poll_ballots(state)) == PROCESSES * votes
    assert {i: d.fact.choice for i, d in state.room.polls["pre"].ballots.items()} == kept
    found = counts_of(state)[-1].result()
    assert {o: int(p) for o, p in found.points.items()} == {o: Counter(kept.values())[o] for o in OPTIONS}
    assert verify(events) == ()


def vote_until_killed(url: str, debate: str, process: int, journal: Path) -> int:
    """Pid of a server in which several people vote at once, each noting the ballots that were acknowledged."""
    pid = os.fork()
    if pid:
        return pid
    try:
        host = postgres.host_of(url)

        def vote(person: int) -> None:
            for n in range(VOTERS_EACH):
                act = BallotCast(poll="pre", choice="adopt", reason=f"{os.getpid()}.{person}.{n}")
                host.submit(debate, Act(by=f"p-v{process * PEOPLE_EACH + person}", act=act))
                # One unbuffered write per line: a line was acknowledged before the kill.
                journal_file.write(f"{act.reason}\n".encode())

        with journal.open("ab", buffering=0) as journal_file, ThreadPoolExecutor(PEOPLE_EACH) as people:
            list(people.map(vote, range(PEOPLE_EACH)))
        host.close()
    finally:
        os._exit(0)


def has_lines(folder: Path, pattern: str) -> bool:
    return any(one.read_bytes() for one in folder.glob(pattern))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_killed_servers_lose_no_ballot_and_write_none_twice(url: str, kills: int, tmp_path: Path):
    debate = open_pre_vote(url, PROCESSES * PEOPLE_EACH)
    rng, journals = random.Random(5), tmp_path / "journals"
    journals.mkdir()
    for number in range(kills):
        pids = [vote_until_killed(url, debate, n, journals / f"{number}.{n}") for n in range(PROCESSES)]
        until(partial(has_lines, journals, f"{number}.*"))
        time.sleep(rng.uniform(0, 0.2))
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    acknowledged = [line for one in journals.iterdir() for line in one.read_text().split()]
    host = postgres.host_of(url)
    events = host.events(debate)
    host.close()
    kept = [event.body.reason for event in events if isinstance(event.body, BallotCast)]
    assert len(kept) == len(set(kept))
    assert set(acknowledged) <= set(kept)
    assert acknowledged
    assert verify(events) == ()


def test_a_ballot_between_turns_is_bound_to_the_readable_text():
    host = Host(MemoryStore(), HostOptions(worker="none"))
    debate = asked_host(host, ANN)
    host.submit(debate, Resume(by=FAY.id))
    assert [r.seat for r in requests(host.state(debate))] == ["s0", "s1"]
    host.submit(debate, Act(by=FAY.id, act=PollOpened(poll="pulse-1")))
    host.submit(debate, Act(by=ANN.id, act=BallotCast(poll="pulse-1", choice="adopt")))
    before = host.state(debate).room.polls["pulse-1"].ballots[ANN.id].fact.transcript
    dan = Person(id="p-dan", name="Dan", role="debater", seats=("s0",))
    host.submit(debate, Act(by=dan.id, act=PersonJoined(person=dan)))
    asked = requests(host.state(debate))[0]
    host.submit(debate, TakeTurn(by=dan.id, request=asked.id, content=Argument(rationale="why", vote="adopt")))
    host.submit(debate, Act(by=ANN.id, act=BallotCast(poll="pulse-1", choice="adopt")))
    after = host.state(debate).room.polls["pulse-1"].ballots[ANN.id].fact.transcript
    hashes = [e.hash for e in host.events(debate)]
    assert hashes.index(before) < hashes.index(after)


class Gated(MemoryStore):
    """A store whose first extension waits until it may go on: for its turn, or with its events before they are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.append("d-1", opened(), after=0)
        self.is_lost = False
        self.waits_for_its_turn = False
        self.has_come = threading.Event()
        self.may_go_on = threading.Event()
        self.n_extensions = 0
        self.fault: Busy | None = None

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        self.n_extensions += 1
        if self.waits_for_its_turn:
            self.wait()
        if self.is_lost:
            raise StoreError("the disk is gone")
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


def test_command_that_a_lost_store_refused_is_written_by_nobody():
    desk = Desk()
    desk.store.may_go_on.set()
    desk.store.is_lost = True
    with pytest.raises(StoreError):
        desk.write(Pause(by="a", reason="tea"))
    desk.store.is_lost = False
    desk.write(Pause(by="b", reason="tea"))
    assert [event.actor for event in desk.store.load("d-1")][len(opened()) :] == ["b"]


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
