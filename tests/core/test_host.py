"""The host: debates that run behind the screens, from any thread, and go on after a restart."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import submit
from debate_core.errors import BrokenRecord, Conflict, InvalidSpec, RuleViolation, UnknownDebate
from debate_core.host import background
from debate_core.host.debate_cache import DebateCaches
from debate_core.host.host import Host, HostOptions, reset_shared_host, shared_host
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.stores import Continue, Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.owner import this_process
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.record.commands import Pause, Resume, SetMark, SkipTurn, TakeTurn
from debate_core.record.events import Event, dump_record
from debate_core.record.fold import replay
from debate_core.seats.scripted import read_script, shipped_scripts, spec_of
from debate_core.spec.contents import Argument, Mark
from tests.waiting import until

PROSE = "This is what I have to say about it, at some length. " * 4


def script(human: str = "", other_vote: str = "adopt") -> str:
    seats = [
        {"id": "risk", "stance": "against"},
        {"id": "cost", "stance": "for", "occupant": "human" if human == "cost" else "scripted"},
    ]
    said = {"rationale": PROSE, "vote": "adopt", "claims": ["It is cheap."]}
    wanted = {
        "question": "Adopt it?",
        "options": ["adopt", "defer"],
        "protocol": "bounded_vote",
        "settings": {"rounds": 1, "threshold": 2},
        "seats": seats,
        "turns": [
            {"seat": "risk", "content": said, "repeat": True},
            {"seat": "cost", "content": {**said, "vote": other_vote}, "repeat": True},
        ],
    }
    return json.dumps(wanted)


def start(host: Host, *, human: str = "", other_vote: str = "adopt", pace_cps: int = 0) -> str:
    text = script(human, other_vote)
    return host.create(spec_of(read_script(text)), by="chair", script_text=text, pace_cps=pace_cps)


def is_over(host: Host, debate_id: str) -> Callable[[], bool]:
    return lambda: host.state(debate_id).outcome is not None


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return SqliteStore(tmp_path / "debates.db")


@pytest.fixture
def host(store: Store) -> Iterator[Host]:
    made = Host(store)
    yield made
    made.close()


def test_a_debate_runs_by_itself(host: Host):
    debate_id = start(host)
    until(is_over(host, debate_id))
    state = host.state(debate_id)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "adopt")
    assert verify(host.events(debate_id)) == ()
    assert host.cache(debate_id).live() == {}
    (row,) = host.debates()
    assert (row.id, row.question, row.protocol, row.status) == (debate_id, "Adopt it?", "bounded_vote", "decided")
    assert (row.decision, row.round, row.max_rounds, row.waiting_for) == ("adopt", 1, 1, ())
    assert (row.opened_at, row.rehearsal) == (state.opened_at, True)


def test_text_streams_and_a_stop_keeps_it(host: Host):
    debate_id = start(host, pace_cps=200)
    until(lambda: len(host.cache(debate_id).live()) == 2)
    before = host.cache(debate_id).feed
    until(lambda: host.cache(debate_id).feed > before)
    request, text = next(iter(host.cache(debate_id).live().items()))
    assert request in ("1.proposal.risk.1", "1.proposal.cost.1")
    assert PROSE.startswith(text)
    state = host.stop(debate_id, by="chair", reason="enough")
    assert state.stopped is not None
    assert {p.request for p in state.stopped.partials} == {"1.proposal.risk.1", "1.proposal.cost.1"}
    assert all(PROSE.startswith(p.text) and len(p.text) >= 8 for p in state.stopped.partials)
    assert host.cache(debate_id).live() == {}
    assert host.debates()[0].status == "aborted"
    with pytest.raises(RuleViolation, match="the debate is over"):
        host.submit(debate_id, Pause(by="chair", reason="tea"))


def test_a_person_answers_and_the_seats_go_on(host: Host):
    debate_id = start(host, human="cost")
    until(lambda: host.debates()[0].status == "waiting")
    assert host.debates()[0].waiting_for == ("cost",)
    with pytest.raises(RuleViolation, match=r"asked: 1\.proposal\.cost\.1"):
        host.submit(debate_id, SkipTurn(by="chair", request="1.proposal.risk.1", reason="late"))
    own = Argument(rationale="I say so.", vote="adopt")
    host.submit(debate_id, TakeTurn(by="cost", request="1.proposal.cost.1", content=own))
    until(is_over(host, debate_id))


def test_pause_and_resume(host: Host):
    debate_id = start(host, other_vote="defer", pace_cps=400)
    host.submit(debate_id, Pause(by="chair", reason="tea"))
    assert host.debates()[0].status == "paused"
    until(lambda: not host.cache(debate_id).live())
    host.submit(debate_id, Resume(by="chair"))
    assert host.debates()[0].status == "running"
    host.stop(debate_id, by="chair", reason="enough")


@pytest.mark.slow
def test_it_goes_on_after_a_restart(tmp_path: Path):
    first = Host(SqliteStore(tmp_path / "debates.db"))
    debate_id = start(first, pace_cps=400)
    waiting = start(first, human="cost")
    until(lambda: first.cache(debate_id).live())
    first.drafts.save("form", "half a sentence")
    first.close()
    second = Host(SqliteStore(tmp_path / "debates.db")).start()
    until(lambda: len(second.state(debate_id).attempts) > 2)
    live = second.cache(debate_id).live()
    assert live == {} or PROSE.startswith(next(iter(live.values())))
    until(lambda: second.state(waiting).all_turns())
    assert second.drafts.text("form") == "half a sentence"
    until(is_over(second, debate_id))
    assert verify(second.events(debate_id)) == ()
    assert [t.status for t in second.state(debate_id).turns] == ["ok", "ok"]
    second.close()


def test_a_paused_debate_stays_paused_after_a_restart(tmp_path: Path):
    first = Host(SqliteStore(tmp_path / "debates.db"), HostOptions(worker="none"))
    debate_id = start(first)
    first.submit(debate_id, Pause(by="chair", reason="tea"))
    first.close()
    second = Host(SqliteStore(tmp_path / "debates.db")).start()
    time.sleep(0.1)
    assert second.state(debate_id).attempts == ()
    second.submit(debate_id, Resume(by="chair"))
    until(is_over(second, debate_id))
    second.close()


@pytest.mark.slow
def test_another_process_is_watched_and_not_disturbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(background, "RETRY_S", 0.05)
    other = SqliteStore(tmp_path / "debates.db")
    runner = Host(SqliteStore(tmp_path / "debates.db"))
    watcher = Host(SqliteStore(tmp_path / "debates.db"), HostOptions(worker="none"))
    debate_id = start(watcher)
    lease = other.acquire(debate_id, this_process(), ttl_s=60)
    before = watcher.cache(debate_id).feed
    runner.runs.wake(debate_id)
    time.sleep(0.1)
    assert runner.state(debate_id).attempts == ()
    other.release(lease)
    until(is_over(runner, debate_id))
    until(is_over(watcher, debate_id))
    assert watcher.cache(debate_id).feed > before
    assert watcher.events(debate_id) == runner.events(debate_id)
    for made in (watcher, runner):
        made.close()
    other.close()


def test_watching_asks_the_store_at_most_twice_a_second(monkeypatch: pytest.MonkeyPatch):
    class Counting(MemoryStore):
        loads = 0

        def load(self, debate_id: str, after: int = 0):
            self.loads += 1
            return super().load(debate_id, after)

    counting = Counting()
    host = Host(counting, HostOptions(worker="none"))
    debate_id = start(host)
    host.state(debate_id)
    before, began_s = counting.loads, time.monotonic()
    for _ in range(1_000):
        host.state(debate_id)
        assert host.cache(debate_id).feed > 0
        assert host.cache(debate_id).live() == {}
    assert counting.loads - before <= 1 + 2 * (time.monotonic() - began_s)
    host.close()


def test_a_start_reads_no_debate_that_is_over():
    class Counting(MemoryStore):
        read: list[str]

        def load(self, debate_id: str, after: int = 0):
            self.read.append(debate_id)
            return super().load(debate_id, after)

        def find(self, debate_id: str, key: str):
            self.read.append(debate_id)
            return super().find(debate_id, key)

    counting = Counting()
    counting.read = []
    before = Host(counting)
    over = [start(before) for _ in range(3)]
    waiting = start(before, human="cost")
    for debate_id in over:
        until(is_over(before, debate_id))
    before.close()
    counting.read = []
    host = Host(counting).start()
    until(lambda: counting.read and not host.runs.running)
    host.close()
    assert set(counting.read) == {waiting}


def test_debates_that_nobody_has_any_more_leave_the_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("debate_core.host.debate_cache.KEPT", 2)
    store = MemoryStore()
    host = Host(store, HostOptions(worker="none"))
    debates = [start(host) for _ in range(5)]
    caches = DebateCaches(store)
    watched = caches.of(debates[0])
    watched.on_text("1.proposal.risk.1", "Well")
    for debate_id in debates[1:]:
        caches.of(debate_id)
    # Whoever has one goes on with the one that all others get: words that are being said are nowhere else.
    assert set(caches.ids()) == {debates[0], *debates[-2:]}
    assert caches.of(debates[0]) is watched
    assert caches.known(debates[1]) is None
    assert caches.of(debates[1]).state == host.state(debates[1])


def test_people_who_act_at_once_all_get_through(host: Host):
    debate_id = start(host)
    until(is_over(host, debate_id))

    def mark(number: int) -> None:
        wanted = Mark(claim_id="risk.1.1", reading="neutral")
        host.submit(debate_id, SetMark(by=f"voter {number}", mark=wanted))

    before = len(host.events(debate_id))
    threads = [threading.Thread(target=mark, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(host.events(debate_id)) == before + 8
    assert verify(host.events(debate_id)) == ()


class Crowded(MemoryStore):
    """A store to which `others` write before each extension."""

    others = 0

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        for number in range(self.others):
            mark = SetMark(by=f"voter {number}", mark=Mark(claim_id="risk.1.1", reading="neutral"))
            before = replay(self.load(debate_id))
            self.append(debate_id, submit(before, mark, at=now()), after=before.version)
        return super().extend(debate_id, following, after=after)


@pytest.fixture
def crowded() -> Iterator[tuple[Crowded, Host, str]]:
    """A debate that is over, and can still be marked."""
    store = Crowded()
    host = Host(store)
    debate_id = start(host)
    until(is_over(host, debate_id))
    yield store, host, debate_id
    host.close()


def marks(host: Host, debate_id: str) -> None:
    host.submit(debate_id, SetMark(by="chair", mark=Mark(claim_id="risk.1.1", reading="neutral")))


def test_command_amid_a_crowd_follows_its_events(crowded: tuple[Crowded, Host, str]):
    store, host, debate_id = crowded
    before = len(host.events(debate_id))
    store.others = 60
    marks(host, debate_id)
    events = host.events(debate_id)
    assert (len(events), events[-1].actor, verify(events)) == (before + 61, "chair", ())


def test_refused_command_still_shows_the_events_of_others(crowded: tuple[Crowded, Host, str]):
    store, host, debate_id = crowded
    before = len(host.events(debate_id))
    store.others = 2
    with pytest.raises(RuleViolation):
        host.submit(debate_id, Resume(by="chair"))
    assert len(host.events(debate_id)) == before + 2
    assert host.health.report()["refused_acts"] == 1


def test_a_record_comes_back(host: Host, tmp_path: Path):
    debate_id = start(host)
    until(is_over(host, debate_id))
    data = dump_record(host.events(debate_id)).encode()
    assert host.import_record(data) == debate_id
    elsewhere = Host(MemoryStore())
    assert elsewhere.import_record(data) == debate_id
    assert elsewhere.events(debate_id) == host.events(debate_id)
    assert elsewhere.debates() == tuple(replace(row, origin_unknown=True) for row in host.debates())
    with pytest.raises(BrokenRecord, match="line 5"):
        elsewhere.import_record(data.replace(b"length", b"lenght", 1))
    elsewhere.submit(debate_id, SetMark(by="me", mark=Mark(claim_id="risk.1.1", reading="neutral")))
    with pytest.raises(Conflict, match="here already and ends differently"):
        elsewhere.import_record(data)
    elsewhere.close()


def test_the_record_of_a_rehearsal_without_its_script_waits(host: Host):
    away = Host(MemoryStore(), HostOptions(worker="none"))
    debate_id = start(away)
    host.import_record(dump_record(away.events(debate_id)).encode())
    away.close()
    time.sleep(0.05)
    assert host.state(debate_id).attempts == ()
    assert (host.debates()[0].status, host.debates()[0].waiting_for) == ("waiting", ("risk", "cost"))


def test_nobody_is_seated_who_cannot_speak(host: Host):
    spec = spec_of(read_script(script()))
    with pytest.raises(InvalidSpec, match="there is no occupant for risk, cost: choose people"):
        host.create(spec, by="chair")
    model = spec.model_copy(update={"seats": (spec.seats[0].model_copy(update={"occupant": "model"}),)})
    with pytest.raises(InvalidSpec):
        host.create(model, by="chair", script_text=script())
    assert host.debates() == ()


@pytest.mark.slow
def test_every_shipped_rehearsal_plays_to_its_end(host: Host):
    assert [row.name for row in host.rehearsals()] == sorted(shipped_scripts())
    assert all(row.title and row.summary for row in host.rehearsals())
    for row in host.rehearsals():
        debate_id = host.start_rehearsal(row.name, by="chair", pace_cps=0)
        until(lambda: host.debates()[0].status != "running")
        assert verify(host.events(debate_id)) == ()
    with pytest.raises(InvalidSpec, match="unknown rehearsal 'none such'"):
        host.start_rehearsal("none such", by="chair", pace_cps=0)


def test_a_runner_that_breaks_pauses_the_debate_and_says_so(host: Host, store: Store):
    away = start(host, human="cost")
    until(lambda: host.debates()[0].status == "waiting")
    store.put_note("pace", away, "not a number")
    host.submit(away, Pause(by="chair", reason="tea"))
    host.submit(away, Resume(by="chair"))
    until(lambda: host.state(away).paused)
    assert host.state(away).paused == "the runner broke with ValueError: resume to try again"
    store.put_note("pace", away, "0")
    host.submit(away, Resume(by="chair"))
    until(lambda: host.debates()[0].status == "waiting")


def test_drafts_and_setups(host: Host, store: Store):
    assert host.drafts.text("a") is None
    host.drafts.save("a", "text")
    assert host.drafts.text("a") == "text"
    host.drafts.drop("a")
    assert host.drafts.text("a") is None
    store.put_note("setup", "mine", script())
    assert dict(host.drafts.scripts()) == {"mine": script()}


def test_an_unknown_debate(host: Host):
    with pytest.raises(UnknownDebate, match="'nobody'"):
        host.cache("nobody")


def test_one_host_for_all(tmp_path: Path):
    settings = Settings(f"sqlite:///{tmp_path}/debates.db")
    reset_shared_host()
    found: list[Host] = []
    threads = [threading.Thread(target=lambda: found.append(shared_host(settings))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 1
    assert dict(found[0].health.report()).keys() == {
        "store",
        "debates",
        "running",
        "workers",
        "servers",
        "refused_joins",
        "refused_acts",
    }
    reset_shared_host()
