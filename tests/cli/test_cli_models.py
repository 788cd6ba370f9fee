"""`run` and `resume` with models: real requests to a server on loopback, and what is kept, told and never told."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.audit import verify
from debate_core.engine import open_debate
from debate_core.events import AttemptStarted, DebateOpened, dump_record, parse_record
from debate_core.model import ModelLine, Seat, Template
from debate_core.presets import BOUNDED_VOTE, compose
from debate_core.stores import open_store
from tests.holding import AT
from tests.model_faults import Fault
from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Should we move the orders database?"
KEY = "key-of-nobody-1234567890"
PRICED = """
[lines.cheap]
provider = "here"
family = "one"
model = "cheap-model"
dialect = "chat"
base_url = "URL/v1"
key_env = "CHEAP_KEY"
max_tokens = 1000
price = { input = "1", output = "2" }

[lines.open]
provider = "here"
dialect = "chat"
base_url = "URL/v1"

[lines.unpriced]
provider = "here"
model = "unpriced-model"
dialect = "chat"
base_url = "URL/v1"

[lines.far]
provider = "far"
model = "far-model"
dialect = "chat"
base_url = "https://models.example/v1"
key_env = "FAR_KEY"

[panels.cheap]
debaters = ["cheap"]

[panels.mixed]
debaters = ["cheap", "open"]

[panels.unpriced]
debaters = ["unpriced"]

[panels.far]
debaters = ["far"]
"""


def _told(capsys: pytest.CaptureFixture[str]) -> dict:  # type: ignore[type-arg]
    told = json.loads(capsys.readouterr().out)
    assert isinstance(told, dict)
    return told


def _asking(server: ModelServer, dialect: str = "chat") -> list[str]:
    return ["--model", "some-model", "--base-url", server.base_url(dialect), "--dialect", dialect]  # type: ignore[arg-type]


@pytest.fixture
def panels(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "panels.toml"
    path.write_text(PRICED.replace("URL", server.url), "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(path))


def _sums(server: ModelServer) -> dict[str, int]:
    tokens = [call.tokens for call in server.log if call.tokens is not None]
    return {
        "calls": len(server.log),
        "input_tokens": sum(t.input for t in tokens),
        "cached_tokens": sum(t.cached for t in tokens),
        "output_tokens": sum(t.output for t in tokens),
    }


@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_a_debate_of_models_in_every_dialect(dialect: str, server: ModelServer, tmp_path: Path, capsys):
    # R004, R010
    out = tmp_path / "r.jsonl"
    assert main(["run", QUESTION, *_asking(server, dialect), "--out", str(out), "--json"]) == 0
    printed, err = capsys.readouterr()
    told = json.loads(printed)
    assert {call.dialect for call in server.log} == {dialect}
    assert told["usage"] == {**_sums(server), "cost_usd": None}
    turns = [
        {
            "round": 1,
            "phase": "opening",
            "seat": seat,
            "status": "ok",
            "vote": "adopt",
            "text": told["turns"][i]["text"],
        }
        for i, seat in enumerate(told["speaker_schedule"][:3])
    ]
    closing = {"round": 1, "phase": "synthesis", "seat": "synthesiser", "status": "ok", "vote": None}
    turns.append({**closing, "text": told["turns"][3]["text"]})
    assert {k: v for k, v in told.items() if k not in ("debate_id", "synthesis", "usage", "flags")} == {
        "question": QUESTION,
        "protocol": "expert_panel",
        "status": "decided",
        "decision": "adopt",
        "ended_by": "majority",
        "decided_by": "majority",
        "decision_rule": "majority",
        "tally": {"adopt": 3},
        "first_tally": {"adopt": 3},
        "ballots": {"cast": 3, "abstained": 0, "unparseable": 0, "failed": 0, "struck": 0},
        "agreement": "consensus",
        "rounds_run": 1,
        "max_rounds": 2,
        "phase_sequence": ["opening", "synthesis"],
        "speaker_schedule": told["speaker_schedule"],
        "speaker_selected_by": "schedule",
        "turns": turns,
        "directives": [],
        "verdict": None,
        "waiting_for": [],
        "record": str(out),
    }
    assert all(turn["text"] for turn in turns)
    events = parse_record(out.read_bytes())
    assert verify(events) == ()
    opened = events[0].body
    assert isinstance(opened, DebateOpened)
    assert [(m.model, m.base_url, m.dialect) for m in opened.spec.models] == [
        ("some-model", server.base_url(dialect), dialect)  # type: ignore[arg-type]
    ]
    assert {s.occupant for s in opened.spec.seats} == {"model"}
    assert opened.spec.templates
    assert "4 calls" in err
    assert "unknown" in err


def test_the_only_model_of_a_server_needs_no_name(server: ModelServer, capsys):
    assert main(["run", QUESTION, "--base-url", server.base_url("chat"), "--json"]) == 0
    assert {call.model for call in server.log} == {"only-model"}
    assert _told(capsys)["tally"] == {"adopt": 3}


@pytest.mark.usefixtures("panels")
def test_a_panel_with_a_line_that_names_no_model(server: ModelServer, capsys):
    assert main(["run", QUESTION, "--panel", "mixed", "--json"]) == 0
    assert [call.model for call in server.log].count("only-model") == 1
    server.reset(votes=["adopt"])
    assert main(["run", QUESTION, "--panel", "mixed", "--model", "mine", "--json"]) == 0
    assert {call.model for call in server.log} == {"mine", "cheap-model"}


def test_a_person_takes_a_seat_away_from_the_model(server: ModelServer, capsys):
    # R007
    flags = ["--seat", "a=now", "--seat", "b=later", "--human", "b", "--json"]
    assert main(["run", QUESTION, *_asking(server), *flags]) == 5
    assert _told(capsys)["waiting_for"] == ["b"]
    assert len(server.log) == 1


def test_offline_goes_before_models(server: ModelServer, monkeypatch, capsys):
    # R206
    assert main(["run", QUESTION, *_asking(server), "--offline", "--json"]) == 3
    assert "no model is asked" in capsys.readouterr().err
    assert main(["run", QUESTION, "--model", "nobody-knows-where", "--offline", "--json"]) == 3
    assert main(["run", QUESTION, "--panel", "balanced", "--offline", "--json"]) == 3
    monkeypatch.setenv("SWARM_MOCK", "true")
    assert main(["run", QUESTION, *_asking(server), "--json"]) == 3
    assert server.log == []


def test_no_key_is_needed_where_people_take_every_seat(capsys):
    flags = ["--seat", "a=now", "--seat", "b=later", "--human", "a", "--human", "b", "--human", "synthesiser"]
    assert main(["run", QUESTION, "--panel", "balanced", *flags, "--json"]) == 5
    assert _told(capsys)["waiting_for"] == ["a", "b"]


def test_models_in_the_seats_of_a_script(server: ModelServer, tmp_path, capsys):
    said = {"seat": "a", "content": {"rationale": "because", "vote": "x"}, "repeat": True}
    seats = [{"id": "a"}, {"id": "b", "occupant": "model"}]
    script = {"question": "Q?", "options": ["x", "y"], "seats": seats, "turns": [said], "protocol": "bounded_vote"}
    path = tmp_path / "s.json"
    path.write_text(json.dumps(script), "utf-8")
    server.set(votes=["x"])
    assert main(["run", "--script", str(path), *_asking(server), "--json"]) == 0
    assert (_told(capsys)["tally"], len(server.log)) == ({"x": 2}, 1)


@pytest.mark.usefixtures("panels")
def test_a_script_names_its_lines(server: ModelServer, tmp_path, capsys):
    seats = [{"id": s, "occupant": "model", "model": "cheap"} for s in ("a", "b")]
    path = tmp_path / "s.json"
    fields = {"question": "Q?", "options": ["x", "y"], "seats": seats, "protocol": "bounded_vote"}
    path.write_text(json.dumps(fields), "utf-8")
    server.set(votes=["y"])
    assert main(["run", "--script", str(path), "--json"]) == 0
    assert _told(capsys)["tally"] == {"y": 2}
    assert {call.model for call in server.log} == {"cheap-model"}


@pytest.mark.usefixtures("panels")
@pytest.mark.parametrize(
    ("limit", "axis", "calls"),
    [
        (["--budget-usd", "0.01"], "usd", None),
        (["--budget-usd", "0"], "usd", 0),
        (["--max-calls", "2"], "calls", 2),
        (["--max-calls", "0"], "calls", 0),
        (["--max-tokens", "3000"], "tokens", None),
    ],
)
def test_a_limit_ends_the_debate_and_keeps_everything(limit, axis, calls, server, tmp_path, capsys):
    # R225, R248, R294
    server.set(votes=["adopt", "defer", "reject"])
    out = tmp_path / "r.jsonl"
    assert main(["run", QUESTION, "--panel", "cheap", *limit, "--out", str(out), "--json"]) == 4
    told = _told(capsys)
    assert (told["status"], told["ended_by"], told["decision"]) == ("truncated", f"ceiling_{axis}", "escalate")
    assert "DEBATE_TRUNCATED" in told["flags"]
    assert (told["usage"]["calls"], told["usage"]["input_tokens"]) == (len(server.log), _sums(server)["input_tokens"])
    assert calls is None or len(server.log) == calls
    assert told["usage"]["cost_usd"] <= 0.01
    assert verify(parse_record(out.read_bytes())) == ()


def test_a_model_that_only_its_vendor_sells_has_the_vendors_price(server: ModelServer, capsys):
    flags = ["--model", "gpt-6-luna", "--base-url", server.base_url("chat"), "--budget-usd", "0.00001", "--json"]
    assert main(["run", QUESTION, *flags]) == 4
    assert "priced as by openai" in capsys.readouterr().err
    assert server.log == []


@pytest.mark.usefixtures("panels")
@pytest.mark.parametrize("fault", [[], [Fault("401")]], ids=["accepted", "rejected"])
def test_a_key_is_sent_and_never_told(fault, server: ModelServer, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CHEAP_KEY", KEY)
    server.set(faults=fault)
    out, url = tmp_path / "r.jsonl", f"sqlite:///{tmp_path}/d.db"
    flags = ["--out", str(out), "--db", url]
    assert main(["run", QUESTION, "--panel", "cheap", *flags]) == (3 if fault else 0)
    assert main(["estimate", QUESTION, "--panel", "cheap"]) == 0
    assert main(["probe", "--panel", "cheap"]) == (1 if fault else 0)
    assert server.log
    assert all(call.has_key for call in server.log)
    told = "".join(capsys.readouterr())
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert [KEY[i : i + 8] for i in range(len(KEY) - 8) if KEY[i : i + 8] in told] == []
    assert KEY.encode() not in kept
    assert b"CHEAP_KEY" in kept


def test_declared_prompts_are_recorded_whole(server: ModelServer, tmp_path, capsys):
    # R262
    own = tmp_path / "seat.txt"
    name = "argument"
    own.write_text("Answer as you would in a pub.", "utf-8")
    out = tmp_path / "r.jsonl"
    assert main(["run", QUESTION, *_asking(server), "--prompt", f"{name}={own}", "--out", str(out), "--json"]) == 0
    assert "custom_prompts" in _told(capsys)["flags"]
    opened = parse_record(out.read_bytes())[0].body
    assert isinstance(opened, DebateOpened)
    assert [t.text for t in opened.spec.templates if t.text] == ["Answer as you would in a pub."]


def test_a_killed_run_goes_on_without_asking_again(server: ModelServer, tmp_path, capsys):
    url = f"sqlite:///{tmp_path}/d.db"
    # The second call hangs, and there the program is killed: the first turn is finished by then.
    server.set(faults=[Fault("hang", at=(2,))])
    command = [*_quick(tmp_path, server), "--db", url]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server.wait_for("received_at", 2, within_s=60)
    process.kill()
    process.wait()
    server.set(faults=[])
    store = open_store(url)
    (debate_id,) = store.debates()
    store.close()
    assert main(["resume", debate_id, "--db", url, "--json"]) == 0
    told = _told(capsys)
    assert told["tally"] == {"adopt": 2}
    assert len(server.log) == 3
    # The call that was lost is counted.
    assert told["usage"]["calls"] == 3
    store = open_store(url)
    started = [e.body.request for e in store.load(debate_id) if isinstance(e.body, AttemptStarted)]
    store.close()
    assert started == ["1.say.a.1", "1.say.b.1", "1.say.b.1"]


def _quick(tmp_path: Path, server: ModelServer) -> list[str]:
    """The command of a debate of two seats in turn, in a process of its own."""
    rules = 'name = "quick"\n[[each_round]]\nname = "say"\n[decide]\nkind = "threshold_vote"\nvotes = 2\n'
    (tmp_path / "p.toml").write_text(rules, "utf-8")
    seats = ["--seat", "a=now", "--seat", "b=later", "--protocol", str(tmp_path / "p.toml")]
    return [sys.executable, "-m", "debate_core", "run", QUESTION, *_asking(server), *seats]


def test_a_terminal_shows_why_a_turn_is_asked_again(server: ModelServer, tmp_path, monkeypatch):
    monkeypatch.setenv("DEBATE_TURN_DEADLINE_S", "1")
    server.set(faults=[Fault("hang", at=(1,))])
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as screen:
        command = [*_quick(tmp_path, server), "--db", f"sqlite:///{tmp_path}/d.db", "--json"]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how a closed terminal ends on Linux
            while piece := screen.read(4_096):
                shown += piece
    assert process.wait() == 0
    text = shown.decode()
    assert "1.say.a: attempt 2 after timeout" in text
    assert "round 1, say: adopt 2" in text
    assert "3 calls" in text


def test_ctrl_c_keeps_what_a_model_was_saying(server: ModelServer, tmp_path):
    server.set(faults=[Fault("stall", at=(2,))])
    out = tmp_path / "r.jsonl"
    command = [*_quick(tmp_path, server), "--out", str(out), "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        server.wait_for("first_token_at", 2, within_s=60)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        printed, err = process.communicate()
    told = json.loads(printed)
    assert (process.returncode, told["status"], told["ended_by"]) == (1, "aborted", "stopped")
    assert [(t["seat"], t["status"], bool(t["text"])) for t in told["turns"]] == [("a", "ok", True), ("b", "cut", True)]
    # The call that was broken off may cost something, and nobody knows what.
    assert (told["usage"]["calls"], told["usage"]["cost_usd"]) == (2, None)
    assert "Traceback" not in err
    assert "Warning" not in err
    assert verify(parse_record(out.read_bytes())) == ()


def test_a_record_from_elsewhere_asks_no_model(server: ModelServer, tmp_path, capsys):
    flags = ["--seat", "a=now", "--seat", "b=later", "--human", "b", "--protocol", "bounded_vote"]
    here, there = f"sqlite:///{tmp_path}/here.db", f"sqlite:///{tmp_path}/there.db"
    assert main(["run", QUESTION, *_asking(server), *flags, "--db", here, "--json"]) == 5
    debate_id = _told(capsys)["debate_id"]
    store = open_store(here)
    first = store.load(debate_id)[:2]
    store.close()
    path = tmp_path / "r.jsonl"
    path.write_text(dump_record(first), "utf-8")
    assert main(["import", str(path), "--db", there]) == 0
    calls = len(server.log)
    capsys.readouterr()
    assert main(["resume", debate_id, "--db", there, "--json"]) == 5
    out, err = capsys.readouterr()
    assert json.loads(out)["waiting_for"] == ["a", "b"]
    assert "was not opened here" in err
    assert len(server.log) == calls


@pytest.mark.parametrize(
    ("setting", "templates", "word"),
    [
        ({}, (), "FAR_KEY"),
        ({"SWARM_MOCK": "true"}, (), "SWARM_MOCK"),
        ({}, (Template(name="rules", sha256="0" * 64),), "the prompts rules are not those"),
    ],
)
def test_a_debate_whose_models_cannot_go_on_waits(setting, templates, word, tmp_path, monkeypatch, capsys):
    # R262
    far = ModelLine(
        id="far", model="m", provider="far", dialect="chat", base_url="https://models.example/v1", key_env="FAR_KEY"
    )
    seats = [Seat(id=name, model="far") for name in ("a", "b", "c")]
    spec = compose(QUESTION, ["x", "y"], BOUNDED_VOTE, seats, models=[far], templates=templates)
    url = f"sqlite:///{tmp_path}/d.db"
    store = open_store(url)
    store.put_paper("models", "d1", "own")
    store.append("d1", open_debate(spec, debate_id="d1", at=AT), after=0)
    store.close()
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    assert main(["resume", "d1", "--db", url, "--json"]) == 5
    out, err = capsys.readouterr()
    assert json.loads(out)["waiting_for"] == ["a", "b", "c"]
    assert word in err


@pytest.mark.usefixtures("panels")
def test_an_outage_is_no_decision(server: ModelServer, capsys):
    server.set(faults=[Fault("500")])
    began = time.monotonic()
    assert main(["run", QUESTION, "--panel", "cheap", "--json"]) == 3
    told = _told(capsys)
    assert (told["status"], told["ended_by"], told["tally"]) == ("undecided", "provider_down", {})
    assert len(server.log) <= 8
    assert time.monotonic() - began < 30
