"""Many people vote at the same time, from several servers on one store: every vote counts once, and none is lost."""

import csv
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.count.ballot_files import read_ballots
from debate_core.engine.count.methods import elect
from debate_core.engine.engine import requests
from debate_core.engine.stage import result_of
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import BallotCast, PersonJoined, PollClosed, PollOpened, PollRevealed
from debate_core.record.commands import Act, Resume, TakeTurn
from debate_core.report.facts.account import account
from debate_core.report.facts.ballots import poll_ballots
from debate_core.report.facts.counts import agrees, counts_of
from debate_core.report.facts.polls import aliases
from debate_core.report.files.export import csv_files
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.values import Seat
from tests import postgres
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
