"""Debates of models that are interrupted: killed, stopped, late, taken elsewhere, without a key; and `resume`."""

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
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.host.stores import open_store
from debate_core.record.events import AttemptStarted, dump_record, parse_record
from debate_core.spec.models import ModelLine, Template
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Seat
from tests.commanding import asking, printed_json
from tests.holding import AT
from tests.model_faults import Fault
from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Should we move the orders database?"


def _quick(tmp_path: Path, server: ModelServer) -> list[str]:
    """The command of a debate of two seats in turn, in a process of its own."""
    agreed = 'name = "quick"\n[[each_round]]\nname = "say"\n[decide]\nkind = "threshold_vote"\nvotes = 2\n'
    (tmp_path / "p.toml").write_text(agreed, "utf-8")
    rules = ["--options", "adopt,defer,reject", "--protocol", str(tmp_path / "p.toml")]
    seats = ["--seat", "a=now", "--seat", "b=later"]
    return [sys.executable, "-m", "debate_core", "run", QUESTION, *asking(server), *seats, *rules]


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
    told = printed_json(capsys)
    assert told["tally"] == {"adopt": 2}
    assert len(server.log) == 3
    # The call that was lost is counted.
    assert told["usage"]["calls"] == 3
    store = open_store(url)
    started = [e.body.request for e in store.load(debate_id) if isinstance(e.body, AttemptStarted)]
    store.close()
    assert started == ["1.say.a.1", "1.say.b.1", "1.say.b.1"]


def test_a_terminal_shows_why_a_turn_is_asked_again(server: ModelServer, tmp_path, monkeypatch):
    monkeypatch.setenv("DEBATE_TURN_DEADLINE_S", "2")
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


@pytest.mark.usefixtures("ctrl_c")
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
    assert main(["run", QUESTION, *asking(server), *flags, "--db", here, "--json"]) == 5
    debate_id = printed_json(capsys)["debate_id"]
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
        ({}, (Template(name="rules", sha256="0" * 64),), "the prompts rules have changed since this debate was opened"),
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
    store.put_note("models", "d1", "own")
    store.append("d1", open_debate(spec, debate_id="d1", at=AT), after=0)
    store.close()
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    assert main(["resume", "d1", "--db", url, "--json"]) == 5
    out, err = capsys.readouterr()
    assert json.loads(out)["waiting_for"] == ["a", "b", "c"]
    assert word in err
