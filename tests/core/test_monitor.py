"""Output for operators: figures counted once, spans sent once, log lines without anyone's words; nothing without
a request."""

import io
import json
import logging
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec, RuleViolation, Unwritable
from debate_core.host.host import Host, open_host
from debate_core.host.monitor import log_lines
from debate_core.host.monitor.collector import Collector
from debate_core.host.monitor.figures import NEEDS_LIBRARY, ProcessFigures
from debate_core.host.monitor.gauges import Gauges
from debate_core.host.monitor.log_lines import JsonLines
from debate_core.host.monitor.observed import observed
from debate_core.host.settings import MonitorSettings, Settings
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Pause, Resume, StartAttempt, TakeTurn
from debate_core.record.events import Event, dump_record
from debate_core.record.state import Request
from debate_core.report.facts.spans import READS, spans
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.contents import Argument
from tests.holding import script, steady
from tests.monitoring import collecting, fetched, free_port, samples
from tests.paid import RESERVED, Hand, paid_spec, use
from tests.waiting import until

MARK = "Zebrafink"
"""A word that stands in everything that anybody writes here, and nowhere in this program."""
Opens = Callable[..., Host]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opens]:
    """Hosts of one database, with the monitor that is asked for; closed at the end."""
    hosts: list[Host] = []

    def open_one(**monitor: object) -> Host:
        asked = MonitorSettings(**monitor)  # type: ignore[arg-type]
        hosts.append(open_host(Settings(f"sqlite:///{tmp_path / 'debates.db'}", monitor=asked)))
        return hosts[-1]

    yield open_one
    for host in hosts:
        host.close()


def begin(host: Host, *, human: str = "") -> str:
    """A debate of scripted seats, all of whose texts have the mark; one of them may be a person's."""
    votes = dict.fromkeys((f"{MARK}_planner", "critic", "operator"), f"{MARK} adopt")
    seats = [{"id": s, "stance": f"{MARK} {s}", "occupant": "human" if s == human else "scripted"} for s in votes]
    said = script(steady(votes), question=f"Adopt {MARK}?", options=[f"{MARK} adopt", "defer"], seats=seats)
    text = json.dumps(said)
    return host.create(spec_of(read_script(text)), by=f"{MARK} chair", script_text=text)


def over(host: Host, debate_id: str) -> tuple[Event, ...]:
    until(lambda: host.state(debate_id).outcome is not None)
    return host.events(debate_id)


@pytest.mark.slow
def test_events_are_counted_and_fetched_without_the_database():
    figures, port = ProcessFigures(), free_port()
    answers = iter((Gauges(debates={"decided": 1}, paused={"limit": 2}, viewers=3),))

    def read() -> Gauges:
        for gauges in answers:
            return gauges
        raise Unwritable("gone")

    played = Hand(paid_spec())
    first, second, third = played.asked()
    played.unanswered(first, "timeout", f"{MARK} was late", use(900, 40, "0.015", cached_tokens=100))
    again = next(request for request in played.asked() if request not in (second, third))
    played.take(again, "release", use(1_000, 200, "0.02"))
    played.take(second, "release", use(2_000, 300, None)).take(third, "release", use(10, 20, "0.001"))
    assert played.state.outcome is not None
    figures.appended(played.events)
    figures.serve("127.0.0.1", port, read)
    try:
        text, while_away = fetched(port), samples(fetched(port))
    finally:
        figures.close()
    assert {name: value for name, value in samples(text).items() if value} == {
        "debate_opened_total": 1,
        "debate_closed_total decided": 1,
        "debate_attempts_started_total": 4,
        "debate_attempts_failed_total timeout": 1,
        "debate_turns_total argument": 3,
        "debate_calls_total": 4,
        "debate_tokens_total input": 3_910,
        "debate_tokens_total output": 560,
        "debate_cached_tokens_total": 100,
        "debate_usd_total": pytest.approx(0.036),
        "debate_unpriced_calls_total": 1,
        "debate_database_up": 1,
        "debate_debates decided": 1,
        "debate_paused limit": 2,
        "debate_viewers": 3,
    }
    assert MARK not in text
    assert (while_away["debate_database_up"], while_away["debate_opened_total"]) == (0, 1)
    assert "debate_running" not in while_away


@pytest.mark.slow
def test_events_of_two_processes_are_counted_once(opened: Opens):
    # R296
    ports = free_port(), free_port()
    with collecting() as collector:
        asked = {"spans_url": f"{collector.url}/v1/traces", "spans_headers": {"api-key": "secret"}, "service": "ours"}
        web, worker = (opened(metrics_port=port, **asked) for port in ports)
        debate_id = begin(web, human=f"{MARK}_planner")
        until(lambda: [r.seat for r in _asked(web, debate_id)] == [f"{MARK}_planner"])
        worker.cache(debate_id).look()
        (request,) = _asked(worker, debate_id)
        content = Argument(rationale=MARK, vote=f"{MARK} adopt")
        worker.submit(debate_id, TakeTurn(by=request.seat, request=request.id, content=content))
        with pytest.raises(RuleViolation):
            worker.submit(debate_id, TakeTurn(by=request.seat, request=request.id, content=content))
        events = over(web, debate_id)
        expected = sorted((span.name, span.id) for span in spans(events))
        until(lambda: len(collector.spans) >= len(expected))
        texts = [fetched(port) for port in ports]
    assert sorted((str(span["name"]), str(span["spanId"])) for span in collector.spans) == expected
    assert {(told["content-type"], told["api-key"]) for told in collector.headers} == {("application/json", "secret")}
    by_web, by_worker = map(samples, texts)
    given = sum(event.kind == "turn_taken" for event in events)
    assert by_web["debate_turns_total argument"] + by_worker["debate_turns_total argument"] == given
    assert by_worker["debate_turns_total argument"] >= 1
    assert by_web["debate_opened_total"] + by_worker["debate_opened_total"] == 1
    assert (by_web["debate_refused_acts_total"], by_worker["debate_refused_acts_total"]) == (0, 1)
    assert (by_web["debate_debates decided"], by_worker["debate_debates decided"]) == (1, 1)
    assert by_web["debate_store_seconds_count append"] + by_worker["debate_store_seconds_count append"] > 3
    for text in (*texts, json.dumps(collector.spans)):
        assert MARK not in text
    assert debate_id not in "".join(texts)


def _asked(host: Host, debate_id: str) -> tuple[Request, ...]:
    return requests(host.state(debate_id))


@pytest.mark.slow
def test_a_record_that_is_taken_in_was_paid_elsewhere(opened: Opens):
    port = free_port()
    host = opened(metrics_port=port)
    played = Hand(paid_spec(), debate_id="d-elsewhere")
    for request in played.asked():
        played.take(request, "release", use(1_000, 200, "0.02"))
    host.import_record(dump_record(played.events).encode())
    told = samples(fetched(port))
    assert (told["debate_opened_total"], told["debate_calls_total"], told["debate_debates decided"]) == (1, 0, 1)


def test_it_is_said_why_debates_wait(opened: Opens):
    host = opened()
    paused = begin(host, human="critic")
    until(lambda: host.debates()[0].status == "waiting")
    host.submit(paused, Pause(by="chair", reason=MARK))
    host.health.n_viewers = lambda: 4
    # The waiting run has ended, or wakes once more for the pause.
    until(lambda: host.health.gauges() == Gauges(debates={"paused": 1}, paused={"people": 1}, viewers=4))
    host.submit(paused, Resume(by="chair"))


def test_a_fault_of_the_metrics_port_is_one_sentence(opened: Opens, monkeypatch: pytest.MonkeyPatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(InvalidSpec, match=f"^DEBATE_METRICS_PORT: port {port} of 127.0.0.1 cannot be opened: "):
            opened(metrics_port=port)
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(InvalidSpec, match=f"^{NEEDS_LIBRARY}$"):
        opened(metrics_port=port)


@pytest.mark.slow
@pytest.mark.parametrize("status", [503, None])
def test_a_collector_that_is_away_costs_spans_and_no_turn(opened: Opens, status: int | None, caplog):
    # R296
    with collecting() as collector:
        url = collector.url if status else f"http://127.0.0.1:{free_port()}"
        collector.status = status or 200
        port = free_port()
        host = opened(spans_url=f"{url}/v1/traces", metrics_port=port)
        events = over(host, begin(host))
        until(lambda: samples(fetched(port))["debate_spans_dropped_total"] > 0)
    assert events[-1].kind == "closed"
    (line,) = [r.getMessage() for r in caplog.records if "collector" in r.getMessage()]
    assert line.startswith("the collector accepted no spans: ")


@pytest.mark.slow
def test_events_appended_elsewhere_are_read_once():
    store = MemoryStore()
    played = Hand(paid_spec())
    for request in played.asked():
        played.take(request, "release", use(1, 1, "0.01"))
    # Another process died after the first attempt began.
    here = next(n for n, event in enumerate(played.events) if event.kind == "turn_taken")
    store.append("d1", played.events[:here], after=0)
    with collecting() as taken:
        collector = Collector(store, taken.url, headers={})
        watched = observed(store, [collector.appended])
        for n in range(here, len(played.events)):
            watched.append("d1", played.events[n : n + 1], after=n)
        collector.close()
        assert [span["spanId"] for span in taken.spans] == [span.id for span in spans(played.events)]


def test_spans_are_made_of_the_kinds_that_they_read():
    played = Hand(paid_spec())
    request = played.asked()[0]
    played.ask(request).do(StartAttempt(by="planner", request=request, reserved=RESERVED))
    assert spans(e for e in played.events if e.kind in READS) == spans(played.events) != ()


IN_A_PROCESS = """
import logging, sys
from debate_core.errors import Unwritable
from debate_core.host.host import open_host
from debate_core.host.settings import Settings

host = open_host(Settings("sqlite:///" + sys.argv[2])).start()
host.close()
loaded = [m for m in sys.modules if m.startswith(("prometheus", "opentelemetry", "debate_core.host.monitor."))]
print(type(host._store).__name__, *sorted(loaded))

from debate_core.host.monitor.log_lines import write_json_lines
from streamlit.logger import get_logger

def broken(text):
    raise ValueError(f"cannot read {text}")

def log_all(mark):
    ours = logging.getLogger("debate_core.host.host")
    ours.warning("%s cannot go on here for now: %s", "d-1", Unwritable(mark))
    logging.getLogger("uvicorn.error").warning("Took %s", mark)
    for logger in (ours, get_logger("streamlit.early"), get_logger("streamlit.late"), logging.getLogger("asyncio")):
        try:
            broken(mark)
        except ValueError as error:
            logger.exception("It broke" if logger is ours else f"It broke: {error}")
    logging.getLogger("httpx").info("POST http://10.1.2.3/v1 200")
    access = logging.getLogger("uvicorn.access")
    access.setLevel(logging.INFO)
    access.info('%s - "%s %s HTTP/%s" %d', "10.1.2.3:5", "GET", f"/join/{mark}?name={mark}", "1.1", 303)

get_logger("streamlit.early")
write_json_lines()
log_all(sys.argv[1])
"""


@pytest.mark.slow
def test_unrequested_metrics_load_nothing_and_logs_stay_json(tmp_path: Path):
    root, command = Path(__file__).resolve().parents[2], (sys.executable, "-c", IN_A_PROCESS, MARK)
    done = subprocess.run([*command, tmp_path / "d.db"], cwd=root, capture_output=True, text=True, check=False)
    parts = (f"debate_core.host.monitor.{name}" for name in ("gauges", "monitor", "observed"))
    assert (done.returncode, done.stdout.split()) == (0, ["SqliteStore", *parts])
    told = [json.loads(line) for line in done.stderr.splitlines()]
    assert MARK not in done.stderr
    assert "10.1.2.3" not in done.stderr
    assert "httpx" not in {line["logger"] for line in told}
    assert told[0]["message"] == "d-1 cannot go on here for now: Unwritable"
    faults = [line for line in told if line.get("error") == "ValueError"]
    assert {line["logger"] for line in faults} >= {
        "debate_core.host.host",
        "streamlit.early",
        "streamlit.late",
        "asyncio",
    }
    assert all(line["trace"][-1].endswith(" broken") for line in faults)
    assert {name: told[-1][name] for name in ("event", "method", "path", "status")} == {
        "event": "visit",
        "method": "GET",
        "path": "/join",
        "status": 303,
    }


@pytest.fixture
def json_log() -> Iterator[io.StringIO]:
    """Return the JSON lines of our own loggers."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    ours = logging.getLogger("debate_core")
    ours.addHandler(handler)
    before = ours.level
    ours.setLevel(logging.INFO)
    yield stream
    ours.setLevel(before)
    ours.removeHandler(handler)


def test_a_debates_log_has_events_and_no_words(json_log: io.StringIO, tmp_path: Path):
    host = Host(observed(MemoryStore(), [log_lines.appended]))
    events = over(host, begin(host))
    host.close()
    paid = Hand(paid_spec(), debate_id="d-paid")
    first = paid.asked()[0]
    log_lines.appended(paid.unanswered(first, "timeout", f"{MARK} was late", use(900, 40, "0.015")).events)
    told = [json.loads(line) for line in json_log.getvalue().splitlines()]
    assert MARK not in json_log.getvalue()
    assert [line["seq"] for line in told if line.get("debate") == events[0].debate] == [e.seq for e in events]
    closed = next(line for line in told if line.get("event") == "closed")
    assert (closed["status"], closed["logger"], closed["level"]) == ("decided", "debate_core.record", "info")
    failed = next(line for line in told if line.get("event") == "turn_failed")
    assert (failed["error"], failed["unreached"], failed["input_tokens"], failed["usd"]) == (
        "timeout",
        False,
        900,
        "0.015",
    )
