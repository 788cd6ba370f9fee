"""`run` and `resume` with models on loopback: what is kept and told, also of debates that are interrupted."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.host.stores import open_store
from debate_core.record.events import AttemptStarted, DebateOpened, dump_record, parse_record
from debate_core.spec.models import Dialect, ModelLine, Template
from debate_core.spec.presets import BOUNDED_VOTE, PROTOCOLS, compose
from debate_core.spec.protocol_files import protocol_to_toml
from debate_core.spec.values import Seat
from tests.commanding import asking, printed_json, refused
from tests.holding import AT
from tests.model_faults import Fault
from tests.model_server import ModelServer

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


@pytest.fixture
def panels(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "panels.toml"
    path.write_text(PRICED.replace("URL", server.url), "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(path))


def _sums(server: ModelServer) -> dict[str, int | None]:
    totals = Counter[str](calls=len(server.log), input_tokens=0, cached_tokens=0, output_tokens=0)
    for call in server.log:
        if call.tokens is not None:
            totals["input_tokens"] += call.tokens.input
            totals["cached_tokens"] += call.tokens.cached
            totals["output_tokens"] += call.tokens.output
    is_chat_only = {call.dialect for call in server.log} <= {"chat"}
    # `chat` does not report it.
    return {**totals, "cache_write_tokens": None if is_chat_only else 0}


@pytest.mark.parametrize("dialect", ["chat", "responses", "messages"])
def test_a_debate_of_models_in_every_dialect(dialect: Dialect, server: ModelServer, tmp_path: Path, capsys):
    out = tmp_path / "r.jsonl"
    assert main(["run", QUESTION, *asking(server, dialect), "--out", str(out), "--json"]) == 0
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
    assert {k: v for k, v in told.items() if k not in ("debate_id", "synthesis", "usage", "flags", "who_decided")} == {
        "question": QUESTION,
        "protocol": "expert_panel",
        "status": "decided",
        "decision": "adopt",
        "ended_by": "majority",
        "decided_by": "majority",
        "decision_rule": "majority",
        "unheard": [],
        "rests_on_unverified_quotes": [],
        "contradicting_ballots": None,
        "baselines": [],
        "baselines_pending": [],
        "tally": {"adopt": 3},
        "tally_unit": "votes",
        "tie_steps": [],
        "debater_ids": ["database_expert", "cost_analyst", "risk_manager"],
        "consensus_threshold": 2,
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
        "waits_until": None,
        "paused": None,
        "limit_met": None,
        "record": str(out),
    }
    assert all(turn["text"] for turn in turns)
    assert told["who_decided"]["sentence"] == "Decided by the seats: adopt. Not signed."
    assert told["who_decided"]["note"].startswith(
        "No person voted on this result. Agreement among models is no evidence"
    )
    events = parse_record(out.read_bytes())
    assert verify(events) == ()
    opened = events[0].body
    assert isinstance(opened, DebateOpened)
    assert [(m.model, m.base_url, m.dialect) for m in opened.spec.models] == [
        ("some-model", server.base_url(dialect), dialect)
    ]
    assert {s.occupant for s in opened.spec.seats} == {"model"}
    assert opened.spec.templates
    assert "4 calls" in err
    assert "unknown" in err


def test_the_only_model_of_a_server_needs_no_name(server: ModelServer, capsys):
    assert main(["run", QUESTION, "--base-url", server.base_url("chat"), "--json"]) == 0
    assert {call.model for call in server.log} == {"only-model"}
    assert printed_json(capsys)["tally"] == {"adopt": 3}


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
    assert main(["run", QUESTION, *asking(server), *flags]) == 5
    assert printed_json(capsys)["waiting_for"] == ["b"]
    assert len(server.log) == 1


def test_offline_goes_before_models(server: ModelServer, monkeypatch, capsys):
    # R206
    assert main(["run", QUESTION, *asking(server), "--offline", "--json"]) == 3
    assert "no model is asked" in capsys.readouterr().err
    assert main(["run", QUESTION, "--model", "nobody-knows-where", "--offline", "--json"]) == 3
    assert main(["run", QUESTION, "--panel", "balanced", "--offline", "--json"]) == 3
    monkeypatch.setenv("SWARM_MOCK", "true")
    assert main(["run", QUESTION, *asking(server), "--json"]) == 3
    assert server.log == []


def test_two_seats_with_the_same_words_are_told_of(server: ModelServer, capsys):
    # R059
    seats = ["--seat", "a=now", "--seat", "b=now", "--seat", "c=later"]
    main(["run", QUESTION, *asking(server), *seats, "--json"])
    assert "two seats have the same stance and persona" in capsys.readouterr().err


def test_no_key_is_needed_where_people_take_every_seat(capsys):
    flags = ["--seat", "a=now", "--seat", "b=later", "--human", "a", "--human", "b", "--human", "synthesiser"]
    assert main(["run", QUESTION, "--panel", "balanced", *flags, "--json"]) == 5
    assert printed_json(capsys)["waiting_for"] == ["a", "b"]


def test_models_in_the_seats_of_a_script(server: ModelServer, tmp_path, capsys):
    said = {"seat": "a", "content": {"rationale": "because", "vote": "x"}, "repeat": True}
    seats = [{"id": "a"}, {"id": "b", "occupant": "model"}]
    script = {"question": "Q?", "options": ["x", "y"], "seats": seats, "turns": [said], "protocol": "bounded_vote"}
    path = tmp_path / "s.json"
    path.write_text(json.dumps(script), "utf-8")
    server.set(votes=["x"])
    assert main(["run", "--script", str(path), *asking(server), "--json"]) == 0
    assert (printed_json(capsys)["tally"], len(server.log)) == ({"x": 2}, 1)


@pytest.mark.usefixtures("panels")
def test_a_script_names_its_lines(server: ModelServer, tmp_path, capsys):
    seats = [{"id": s, "occupant": "model", "model": "cheap"} for s in ("a", "b")]
    path = tmp_path / "s.json"
    fields = {"question": "Q?", "options": ["x", "y"], "seats": seats, "protocol": "bounded_vote"}
    path.write_text(json.dumps(fields), "utf-8")
    server.set(votes=["y"])
    assert main(["run", "--script", str(path), "--json"]) == 0
    assert printed_json(capsys)["tally"] == {"y": 2}
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
    told = printed_json(capsys)
    assert (told["status"], told["ended_by"], told["decision"]) == ("truncated", f"ceiling_{axis}", "escalate")
    assert "DEBATE_TRUNCATED" in told["flags"]
    assert (told["usage"]["calls"], told["usage"]["input_tokens"]) == (len(server.log), _sums(server)["input_tokens"])
    assert calls is None or len(server.log) == calls
    assert told["usage"]["cost_usd"] <= 0.01
    assert verify(parse_record(out.read_bytes())) == ()


def test_a_model_of_one_vendor_has_the_vendors_price(server: ModelServer, capsys):
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
    assert main(["run", QUESTION, "--panel", "cheap", *flags]) == (5 if fault else 0)
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
    assert main(["run", QUESTION, *asking(server), "--prompt", f"{name}={own}", "--out", str(out), "--json"]) == 0
    assert "custom_prompts" in printed_json(capsys)["flags"]
    opened = parse_record(out.read_bytes())[0].body
    assert isinstance(opened, DebateOpened)
    assert [t.text for t in opened.spec.templates if t.text] == ["Answer as you would in a pub."]


@pytest.mark.usefixtures("panels")
@pytest.mark.parametrize(("back", "status"), [(True, 0), (False, 3)], ids=["back", "given up"])
def test_an_outage_is_waited_for_and_is_no_decision(back: bool, status: int, server: ModelServer, tmp_path, capsys):
    server.set(faults=[Fault("500")])
    url = f"sqlite:///{tmp_path}/d.db"
    assert main(["run", QUESTION, "--panel", "cheap", "--db", url, "--json"]) == 5
    told = printed_json(capsys)
    assert (told["status"], told["tally"], len(told["waiting_for"])) == ("waiting", {}, 3)
    assert "could not be reached" in told["paused"]
    # Three turns in each of two rounds and a synthesis.
    assert len(server.log) <= 2 * 7
    # All who share the database know it.
    with closing(open_store(url)) as store:
        assert "down_since_s" in store.notes("server")[f"http://127.0.0.1:{server.port}"]
    resume = ["resume", told["debate_id"], "--db", url]
    refused([*resume, "--give-up", "--max-calls", "99"], capsys, "--give-up and a new limit are separate acts")
    if back:
        server.set(faults=[])
    assert main([*resume, *([] if back else ["--give-up"])]) == status
    assert ("provider_down" in capsys.readouterr().out) == (not back)
    refused([*resume, "--give-up"], capsys, "--give-up is for a debate that waits")


@pytest.mark.parametrize(
    ("more", "limits"),
    [
        ([], {}),
        (["--max-calls", "4"], {"calls": 4}),
        (["--max-tokens", "90000", "--max-seconds", "600"], {"tokens": 90_000, "seconds": 600}),
        (["--rounds", "1"], {}),
    ],
)
def test_usual_budget_is_left_out_without_a_price(more, limits, server: ModelServer, tmp_path: Path, capsys):
    """R249: a limit that cannot be kept would end the debate before its first call."""
    path = tmp_path / "r.jsonl"
    argv = ["run", QUESTION, *asking(server), "--protocol", "proposer_critic", *more, "--out", str(path), "--json"]
    status = main(argv)
    out, err = capsys.readouterr()
    assert (status, json.loads(out)["ended_by"]) != (4, "ceiling_usd")
    assert "proposer_critic usually has a money limit: a price is unknown here, so there is none" in err
    opened = json.loads(path.read_text("utf-8").splitlines()[0])
    (agreed,) = [rule for rule in opened["body"]["spec"]["protocol"]["stop"] if rule["kind"] == "ceiling"] or [{}]
    assert {axis: limit for axis, limit in agreed.items() if limit is not None and axis != "kind"} == limits


def test_budget_of_an_own_protocol_is_refused_without_a_price(server: ModelServer, tmp_path: Path, capsys):
    own = PROTOCOLS["proposer_critic"].model_copy(update={"name": "own"})
    (tmp_path / "own.toml").write_text(protocol_to_toml(own), "utf-8")
    argv = ["run", QUESTION, *asking(server), "--protocol", str(tmp_path / "own.toml")]
    refused(argv, capsys, "the limit of USD in its protocol cannot be kept")
    refused([*argv, "--budget-usd", "1"], capsys, "--budget-usd cannot be kept")


KEYED = """
[lines.small]
provider = "x"
family = "x"
model = "m-small"
dialect = "chat"
base_url = "{url}"
key_env = "X_API_KEY"
price = {{ input = "1", output = "2" }}

[lines.large]
provider = "x"
family = "x"
model = "m-large"
dialect = "chat"
base_url = "{url}"
key_env = "X_API_KEY"
price = {{ input = "10", output = "20" }}
"""


# R199, R249
@pytest.mark.parametrize(
    ("flags", "limit"), [([], "0.50"), (["--budget-usd", "2"], "2"), (["--max-calls", "40"], "0.50")]
)
def test_a_key_is_enough(flags, limit, server: ModelServer, tmp_path: Path, monkeypatch, capsys):
    (tmp_path / "own.toml").write_text(KEYED.format(url=server.base_url("chat")), "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(tmp_path / "own.toml"))
    monkeypatch.setenv("X_API_KEY", "key-of-nobody-1234567890")
    argv = ["Shall we?", "--options", "adopt,defer", *flags]
    assert main(["estimate", *argv, "--json"]) == 0
    why = "models of one family share errors, so one is asked several times and one criticises (m-small): about"
    assert any(why in note for note in json.loads(capsys.readouterr().out)["warnings"])
    assert server.log == []
    assert main(["run", *argv, "--out", "r.jsonl", "--json"]) == 0
    said = capsys.readouterr().err
    assert f"a key is set and no seat was named; {why}" in said
    assert "--protocol expert_panel holds a debate" in said
    assert f"no more than {Decimal(limit):.2f} USD" in said
    assert {call.model for call in server.log} == {"m-small"}
    opened = json.loads(Path("r.jsonl").read_text("utf-8").splitlines()[0])
    assert limit in json.dumps(opened)
    spec = opened["body"]["spec"]
    assert spec["protocol"]["name"] == "checked_answers"
    assert main(["estimate", *argv, "--protocol", "expert_panel"]) == 0
    assert "models debate (m-small): about" in capsys.readouterr().out


@pytest.mark.parametrize(("flags", "mock"), [(["--offline"], "false"), ([], "true")])
def test_a_key_alone_asks_nobody_where_somebody_is_named(
    flags, mock, server: ModelServer, tmp_path: Path, monkeypatch, capsys
):
    monkeypatch.setenv("SWARM_MOCK", mock)
    (tmp_path / "own.toml").write_text(KEYED.format(url=server.base_url("chat")), "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(tmp_path / "own.toml"))
    monkeypatch.setenv("X_API_KEY", "key-of-nobody-1234567890")
    main(["run", "Shall we?", "--options", "adopt,defer", *flags, "--out", "r.jsonl"])
    assert (server.log, "a key is set" in capsys.readouterr().err) == ([], False)


ROOT = Path(__file__).resolve().parents[2]


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
