"""Workers and web processes on one PostgreSQL: who takes up a debate, who hears its seats, what a death costs."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from bench.fleet import SECRET, SIGNING_KEY, kills, texts, zombies
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.host import job_queue
from debate_core.host.access.door import Door
from debate_core.host.host import Host, HostOptions
from debate_core.host.live_texts import TextPiece, _Saying
from debate_core.host.notifier import coordination_of
from debate_core.host.run_loop import LEASE_TTL_S
from debate_core.host.runner import now
from debate_core.host.settings import Worker
from debate_core.host.stores import open_store
from debate_core.record.commands import Pause, Resume
from debate_core.seats.scripted import read_script, spec_of
from tests import postgres
from tests.core.test_host import PROSE, is_over, script, start
from tests.waiting import until

ROLES = Path(__file__).resolve().parents[2] / "deploy" / "postgres-role.sql"
Process = Callable[[Worker], Host]


@pytest.fixture
def url() -> Iterator[sa.URL]:
    with postgres.new_database() as made:
        yield made


@pytest.fixture
def process(url: sa.URL) -> Iterator[Process]:
    """Makes hosts that share a database and nothing else, with the rights of the app and no others."""
    role = f"app_{url.database}"
    address = postgres.written(url.set(username=role))
    with postgres.admin(url) as db, ExitStack() as stack:
        db.execute(f"CREATE ROLE {role} LOGIN")
        db.execute(ROLES.read_text("utf-8").replace("debate_app", role))
        stack.callback(lambda: db.execute(f"DROP OWNED BY {role}; DROP ROLE {role}"))

        def begin(worker: Worker) -> Host:
            store = open_store(address)
            door = Door(store, clock=now, secret=SECRET)
            coordination = coordination_of(address, worker)
            host = Host(
                store, HostOptions(worker=worker, coordination=coordination, door=door, signing_key=SIGNING_KEY)
            )
            stack.callback(host.close)
            return host.start()

        yield begin


def jobs(url: sa.URL) -> list[tuple[str, str, bool]]:
    """Every job: its task, its status, and whether it is for later."""
    with postgres.admin(url) as db:
        asked = "SELECT task_name, status::text, scheduled_at > now() FROM procrastinate_jobs ORDER BY id"
        return [(task, status, bool(later)) for task, status, later in db.execute(asked)]


def jobs_ever(url: sa.URL) -> int:
    """The number of the last job that there was."""
    with postgres.admin(url) as db:
        last = db.execute("SELECT last_value FROM procrastinate_jobs_id_seq").fetchone()
    assert last is not None
    return int(last[0])


@pytest.mark.slow
def test_a_worker_runs_a_debate_and_others_hear_its_seats(process: Process, url: sa.URL):
    web, other, worker = process("none"), process("none"), process("only")
    debate = start(web, pace_cps=20)
    until(lambda: other.cache(debate).live())
    # Whoever comes when the seats are speaking sees the words of before too, and the same as everybody.
    late = process("none")
    request, text = next(iter(late.cache(debate).live().items()))
    assert PROSE.startswith(text)
    until(lambda: len(late.cache(debate).live().get(request, "")) > len(text))
    assert (len(web.runs.running), len(worker.runs.running)) == (0, 1)
    web.stop(debate, by="chair", reason="enough")
    until(is_over(late, debate))
    until(lambda: jobs(url) == [])
    assert web.cache(debate).live() == late.cache(debate).live() == {}
    with postgres.admin(url) as db:
        until(lambda: db.execute("SELECT count(*) FROM live_texts").fetchone() == (0,))
    whole = start(web)
    until(is_over(late, whole))
    assert verify(late.events(whole)) == ()
    assert late.events(whole) == worker.events(whole)


@pytest.mark.slow
def test_a_stop_keeps_what_was_said_in_another_process(process: Process):
    # A process that shows debates and asks seats, beside one that only shows them.
    both, web = process("inline"), process("none")
    debate = start(web, pace_cps=20)
    until(lambda: len(web.cache(debate).live()) == 2)
    said = web.cache(debate).live()
    assert all(both.cache(debate).live().get(name, PROSE).startswith(text) for name, text in said.items())
    # Nobody has looked there yet.
    stopped = process("none").stop(debate, by="chair", reason="enough").stopped
    assert stopped is not None
    assert {p.request for p in stopped.partials} == said.keys() == {"1.proposal.risk.1", "1.proposal.cost.1"}
    assert all(PROSE.startswith(p.text) and p.text.startswith(said[p.request]) for p in stopped.partials)


@pytest.mark.slow
def test_a_short_database_outage_loses_nothing(process: Process, url: sa.URL):
    worker, web = process("only"), process("none")
    debate = start(web, pace_cps=20)
    until(lambda: web.cache(debate).live())
    with postgres.admin(url) as db:
        theirs = "datname = current_database() AND usename LIKE 'app%'"
        db.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {theirs}")
    before = web.cache(debate).live()
    until(lambda: any(len(t) > len(before.get(r, "")) for r, t in web.cache(debate).live().items()))
    for request, text in web.cache(debate).live().items():
        assert PROSE.startswith(text)
        assert worker.cache(debate).live().get(request, PROSE).startswith(text)
    # Jobs are fetched again too.
    after = start(web)
    until(is_over(web, after))
    web.stop(debate, by="chair", reason="enough")


@pytest.mark.slow
def test_a_waiting_debate_is_one_row_and_wakes_at_its_deadline(process: Process, url: sa.URL):
    web, worker = process("none"), process("only")
    told = script("cost")
    spec = spec_of(read_script(told))
    debate = web.create(spec.model_copy(update={"max_wait_s": 14 * 86_400}), by="chair", script_text=told)
    until(lambda: web.debates()[0].status == "waiting")
    until(lambda: jobs(url) == [("due", "todo", True)])
    assert len(worker.runs.running) == 0
    # The wait ends later by what the pause took, and the first job for later goes.
    web.submit(debate, Pause(by="chair", reason="tea"))
    until(lambda: [status for task, status, _ in jobs(url) if task == "look"] == [])
    web.submit(debate, Resume(by="chair"))
    until(lambda: jobs(url) == [("due", "todo", True)] and not worker.runs.running)
    # As if the time had come: somebody looks, and finds that it has not.
    with postgres.admin(url) as db:
        number = db.execute("UPDATE procrastinate_jobs SET scheduled_at = now() RETURNING id").fetchone()
        until(lambda: db.execute("SELECT id > %s FROM procrastinate_jobs WHERE task_name = 'due'", number).fetchone())
    until(lambda: jobs(url) == [("due", "todo", True)])
    assert web.state(debate).outcome is None


@pytest.mark.slow
def test_jobs_of_a_dead_worker_pass_to_another(process: Process, url: sa.URL, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(job_queue, "STALLED_S", 0.5)
    web = process("none")
    alone, woken = start(web), start(web)
    with postgres.admin(url) as db:
        dead = "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour') RETURNING id"
        number = db.execute(dead).fetchone()
        assert number is not None
        db.execute("UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s", number)
    web.runs.wake(woken)
    assert sorted(jobs(url)) == [("look", "doing", False), ("look", "doing", False), ("look", "todo", False)]
    process("only")
    for debate in (alone, woken):
        until(is_over(web, debate))
    until(lambda: jobs(url) == [])


@pytest.mark.slow
def test_what_nobody_woke_is_found_by_the_sweep(process: Process, url: sa.URL):
    web, worker = process("none"), process("only")
    debate = start(web, human="cost")
    until(lambda: web.debates()[0].status == "waiting")
    with postgres.admin(url) as db:
        db.execute("DELETE FROM procrastinate_jobs")
    web.submit(debate, Pause(by="chair", reason="tea"))
    until(lambda: jobs(url) == [])
    assert worker.runs.look_for_work_s >= 10
    before = jobs_ever(url)
    worker.runs.look_for_work()
    # It may be done, and gone, by now.
    assert jobs_ever(url) > before


@pytest.mark.slow
def test_two_workers_of_different_versions(process: Process, url: sa.URL, caplog: pytest.LogCaptureFixture):
    web, worker = process("none"), process("only")
    events = open_debate(spec_of(read_script(script())), debate_id="d-newer", at=now(), by="chair")
    newer = [event._replace(body_json=event.body_json.replace('"edition":2', '"edition":99')) for event in events]
    with caplog.at_level(logging.WARNING, "debate_core.host.background"):
        worker._store.append("d-newer", newer, after=0)
        worker.runs.look_for_work()
        # It is left, and looked at again later: by then a newer worker may be there.
        until(lambda: jobs(url) == [("due", "todo", True)])
        worker.runs.wake("d-newer")
        until(lambda: [job for job in jobs(url) if job[0] == "look"] == [])
    own = start(web)
    until(is_over(web, own))
    assert [record.getMessage()[:50] for record in caplog.records if record.name.endswith("background")] == [
        "d-newer is left to a process of a newer version: t"
    ]


@pytest.mark.parametrize(
    ("pieces", "goes_on", "text"),
    [
        ([(1, 3, " b")], True, "one b"),
        # Told twice, or read in the table before it is heard.
        ([(0, 0, "one"), (1, 3, "!")], True, "one!"),
        ([(1, 3, " two"), (1, 3, " two")], True, "one two"),
        # The end of what was said is taken back.
        ([(1, 2, "ce")], True, "once"),
        ([(2, 3, "?")], False, "one"),
        ([(1, 9, "?")], False, "one"),
    ],
)
def test_a_text_resumes_or_requests_its_missing_part(pieces: list[tuple[int, int, str]], goes_on: bool, text: str):
    stream = _Saying(7, 0, "one")
    taken = [stream.take(TextPiece("d-1", "1.opening.s0.1", False, 7, *piece)) for piece in pieces]
    assert (all(taken), stream.text) == (goes_on, text)


@pytest.mark.slow
def test_killed_or_stopped_workers_lose_and_repeat_nothing():
    found = zombies(times=1, lease_s=1.5, latency_s=0.2, kill=True)
    assert holds(found)
    assert found["zombies_refused"] == found["take_overs_from_the_dead"] == 1


@pytest.mark.nightly
def test_forty_debates_and_twenty_kills():
    found = kills(debates=40, workers=3, webs=2, n_kills=20, latency_s=0.8, seed=7)
    assert holds(found)
    assert found["shown_otherwise"] == 0
    assert found["take_overs"] == found["debates_whose_worker_died"]
    assert isinstance(found["take_over_max_s"], float)
    assert found["take_over_max_s"] <= 10


@pytest.mark.nightly
def test_zombies_are_refused():
    found = zombies(times=5, lease_s=LEASE_TTL_S, latency_s=0.8)
    assert holds(found)
    assert found["zombies_refused"] == 5


@pytest.mark.nightly
def test_a_hundred_viewers_survive_the_loss_of_a_web_process():
    found = texts(n_viewers=100, seconds=30)
    assert (found["pieces_lost_or_twice"], found["different_texts_at_the_end"]) == (0, 1)
    assert found["viewers_who_moved"] == 50
    assert isinstance(found["away_max_s"], float)
    assert found["away_max_s"] <= 5
    assert isinstance(found["said_to_received_p95_ms"], float)
    assert found["said_to_received_p95_ms"] <= 150


def holds(found: dict[str, object]) -> bool:
    """Every debate ended, whole and once."""
    wrong = ("without_end", "turns_lost", "turns_twice", "ballots_twice", "broken_records")
    return {name: found[name] for name in wrong} == dict.fromkeys(wrong, 0)


@pytest.mark.slow
def test_a_worker_stops_on_request_without_the_database(process: Process, url: sa.URL):
    web, worker = process("none"), process("only")
    until(is_over(web, start(web)))
    with postgres.admin() as db:
        db.execute(f"ALTER DATABASE {url.database} ALLOW_CONNECTIONS false")
        db.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app_{url.database}'")
        ending = threading.Thread(target=worker.close, daemon=True)
        ending.start()
        ending.join(timeout=60)
        db.execute(f"ALTER DATABASE {url.database} ALLOW_CONNECTIONS true")
    assert not ending.is_alive()
