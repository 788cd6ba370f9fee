"""`run` and `resume`: printed results, written files, and the exit status of each end."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.cli import run
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import View
from debate_core.host.signatures import Signatures
from debate_core.host.stores import open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import AnyCommand
from debate_core.record.events import parse_record
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.report.facts.turns import turn_rows
from debate_core.seats import OnText
from debate_core.spec.presets import BOUNDED_VOTE, compose, default_seats
from tests.commanding import printed_json
from tests.holding import AT, SEATS, Said, script, steady, turn

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Should we move the orders database?"


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "adr.md"
    lines = (
        "The cost is $120/month and grows with every tenant of the orders database.",
        "A migration risks an outage of the write path until the rollback is practised.",
    )
    path.write_text("# Orders\n\n" + "\n\n".join(lines), "utf-8")
    return str(path)


def _script_file(tmp_path: Path, said: Said) -> str:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(said), "utf-8")
    return str(path)


@pytest.mark.parametrize(("rounds", "warns"), [("4", False), ("5", True)])
def test_more_than_four_rounds_of_people_show_a_warning(rounds: str, warns: bool, capsys):
    people = [flag for seat in ("a", "b", "synthesiser") for flag in ("--human", seat)]
    flags = ["--seat", "a=now", "--seat", "b=later", *people, "--rounds", rounds, "--out", "r.jsonl"]
    assert main(["run", QUESTION, *flags]) == 5
    told = capsys.readouterr().err
    assert ("5 rounds are more than 4: later rounds rarely add arguments" in told) == warns


def test_the_evidence_panel_quotes_abstains_and_decides_nothing(tmp_path, source, capsys):
    # R195, R204, R206
    out = tmp_path / "r.jsonl"
    flags = ["--options", "adopt,defer,reject", "--source", source, "--offline", "--out", str(out), "--json"]
    assert main(["run", QUESTION, "--protocol", "expert_panel", *flags]) == 3
    told = printed_json(capsys)
    assert (told["status"], told["decision"], told["tally"]) == ("undecided", "escalate", {})
    assert told["ballots"] == {"cast": 0, "abstained": 3, "unparseable": 0, "failed": 0, "struck": 0}
    assert told["record"] == str(out)
    assert told["phase_sequence"] == ["opening", "critique", "synthesis"]
    events = parse_record(out.read_bytes())
    assert verify(events) == ()
    text = Path(source).read_text("utf-8")
    quotes = [c.quote for e in events for c in getattr(getattr(e.body, "content", None), "claims", ())]
    assert quotes
    assert all(q in text for q in quotes)


@pytest.mark.parametrize(
    ("protocol", "seats", "rounds"), [("bounded_vote", 3, 2), ("expert_panel", 3, 2), ("deliberation", 2, 3)]
)
def test_every_preset_ends_by_itself_offline(protocol, seats, rounds, source, capsys):
    # R136, R161, R191
    assert main(["run", QUESTION, "--protocol", protocol, "--offline", "--source", source, "--json"]) == 3
    told = printed_json(capsys)
    debaters = {t["seat"] for t in told["turns"] if t["phase"] != "synthesis"}
    assert (len(debaters), told["max_rounds"]) == (seats, rounds)


def test_a_decision_is_told_as_text_without_json(tmp_path, capsys):
    path = _script_file(tmp_path, script(steady(dict.fromkeys(SEATS, "release"))))
    assert main(["run", "--script", path]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Rehearsal: ")
    assert "Decided: release. 3 of 3 seats, 2 needed" in out


def test_silence_decides_nothing_and_ends_undecided(tmp_path, capsys):
    # R036, R224: of three voters two are out; a side says nothing before a judge
    society = script([turn("planner", "release", repeat=True)], protocol="society", settings={"rounds": 2})
    assert main(["run", "--script", _script_file(tmp_path, society), "--json"]) == 3
    told = printed_json(capsys)
    assert (told["status"], told["ended_by"], told["tally"]) == ("undecided", "quorum", {"release": 1})
    assert told["agreement"] != "consensus"
    sides = [{"id": "a", "stance": "release"}, {"id": "b", "stance": "revise"}, {"id": "judge", "role": "judge"}]
    verdict: Said = {"seat": "judge", "content": {"reasoning": "So.", "verdict": "now", "option": "release"}}
    said: list[Said] = [{"seat": "a", "content": {"rationale": "It pays."}, "repeat": True}, verdict]
    path = _script_file(tmp_path, script(said, protocol="stance_judge", seats=sides, settings={"rounds": 2}))
    assert main(["run", "--script", path, "--json"]) == 3
    told = printed_json(capsys)
    assert (told["ended_by"], told["decided_by"], told["verdict"]["winner"]) == ("side_unheard", None, "release")
    assert [(side["seats"], side["given"], side["since"]) for side in told["unheard"]] == [(["b"], 0, 1)]
    assert main(["run", "--script", path]) == 3
    assert "B was not heard: 0 of 2 turns given" in capsys.readouterr().out


def test_a_decision_on_invented_quotes_is_marked_or_refused(tmp_path, capsys):  # R263, R270
    invented = {"text": "It is cheap.", "source_id": "E1", "quote": "The store costs nothing for all of the years"}
    sources = [{"id": "E1", "title": "Bill", "text": "The store costs 90 USD a month from the first year on."}]
    said = [turn(s, "release", claims=[invented], repeat=True) for s in SEATS]
    assert main(["run", "--script", _script_file(tmp_path, script(said, sources=sources))]) == 0
    out = capsys.readouterr().out
    assert "Decided: release (rests on unverified quotes). 3 of 3 seats, 2 needed" in out
    assert "Flag: The decision rests on unverified quotes" in out
    assert "No findings" not in out
    rules = BOUNDED_VOTE.model_copy(update={"unverified_quotes": "refuse"}).model_dump(mode="json")
    path = _script_file(tmp_path, script(said, sources=sources, protocol=rules))
    assert main(["run", "--script", path, "--json"]) == 3
    told = printed_json(capsys)
    assert (told["status"], told["ended_by"]) == ("undecided", "unverified_quotes")
    assert "false_quotes" in told["flags"]


def test_flags_beat_the_script(tmp_path, capsys):
    path = _script_file(tmp_path, script(steady({"planner": "release", "critic": "revise", "operator": "revise"})))
    flags = ["--threshold", "3", "--rounds", "1", "--seed", "7", "--json"]
    assert main(["run", "Another question?", "--script", path, *flags]) == 3
    told = printed_json(capsys)
    assert (told["question"], told["max_rounds"], told["decision"]) == ("Another question?", 1, "escalate")


def test_a_synthesis_in_every_round_can_end_the_rounds(tmp_path, capsys):
    source = tmp_path / "note.md"
    source.write_text("The store costs 300 dollars a month, paid by the platform team.", "utf-8")
    out = tmp_path / "debate.jsonl"
    flags = ["--protocol", "deliberation", "--source", str(source), "--rounds", "6", "--offline", "--out", str(out)]
    assert main(["run", QUESTION, "--synthesiser-may-end", "2", *flags]) == 3
    state = replay(parse_record(out.read_bytes()))
    assert state.ran[-2:] == ((2, "interim_synthesis"), (2, "synthesis"))
    assert state.outcome is not None
    assert "synthesiser_done" in state.outcome.fired


def test_rotating_models_are_a_rule_of_the_record(tmp_path):
    out = tmp_path / "debate.jsonl"
    main(["run", QUESTION, "--rotate-models", "--offline", "--out", str(out)])
    assert replay(parse_record(out.read_bytes())).spec.protocol.rotate_models is True


def test_seats_by_hand(capsys):
    # R101, R109
    flags = ["--seat", "planner=release now", "--seat", "critic=wait for the audit", "--offline", "--json"]
    assert main(["run", QUESTION, "--protocol", "deliberation", *flags]) == 3
    assert {t["seat"] for t in printed_json(capsys)["turns"]} == {"planner", "critic", "synthesiser"}


def test_a_protocol_from_a_file(tmp_path, capsys):
    path = tmp_path / "quick.toml"
    rules = 'name = "quick"\n[[each_round]]\nname = "say"\norder = "at_once"\n'
    path.write_text(rules + '[decide]\nkind = "threshold_vote"\nvotes = 2\n', "utf-8")
    assert main(["run", QUESTION, "--protocol", str(path), "--offline", "--json"]) == 3
    assert printed_json(capsys)["phase_sequence"] == ["say", "say"]


def test_mock_mode_of_the_environment(monkeypatch, capsys):
    # R206
    monkeypatch.setenv("SWARM_MOCK", "true")
    assert main(["run", QUESTION, "--json"]) == 3
    assert printed_json(capsys)["protocol"] == "expert_panel"


def test_a_person_is_waited_for_and_nothing_is_lost(tmp_path, capsys):
    # R007
    out, url = tmp_path / "r.jsonl", f"sqlite:///{tmp_path}/d.db"
    flags = ["--protocol", "deliberation", "--human", "synthesiser", "--offline", "--json"]
    assert main(["run", QUESTION, *flags, "--db", url, "--out", str(out)]) == 5
    told = printed_json(capsys)
    assert (told["status"], told["waiting_for"], told["decision"]) == ("waiting", ["synthesiser"], None)
    assert verify(parse_record(out.read_bytes())) == ()
    assert main(["resume", told["debate_id"], "--db", url, "--json"]) == 5
    assert printed_json(capsys) == {**told, "record": None}


def test_a_waiting_debate_goes_to_the_default_database(tmp_path, capsys):
    assert main(["run", QUESTION, "--human", "chair", "--human", "risk_manager", "--json", "--offline"]) == 5
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert told["debate_id"] in err
    with_default = main(["resume", told["debate_id"], "--json"])
    assert (with_default, printed_json(capsys)["waiting_for"]) == (5, told["waiting_for"])


def test_the_chair_marks_between_rounds_but_takes_no_turn(capsys):
    # The panel's passages wait for a person before round 2.
    text = ["--source", str(ROOT / "CONTRIBUTING.md")]
    assert main(["run", QUESTION, "--human", "chair", "--offline", "--json", *text]) == 5
    told = printed_json(capsys)
    assert (told["waiting_for"], told["phase_sequence"]) == (["chair"], ["opening"])
    assert "chair" not in told["speaker_schedule"]


def test_a_script_goes_on_where_it_was_cut(tmp_path, capsys):
    path = _script_file(tmp_path, script([turn(s, "release", repeat=True) for s in SEATS]))
    url = f"sqlite:///{tmp_path}/d.db"
    assert main(["run", "--script", path, "--human", "operator", "--db", url, "--json"]) == 5
    assert printed_json(capsys)["waiting_for"] == ["operator"]


def test_a_second_runner_is_refused(tmp_path, capsys):
    url = f"sqlite:///{tmp_path}/d.db"
    spec = compose(QUESTION, ["a", "b"], BOUNDED_VOTE, default_seats(BOUNDED_VOTE, QUESTION, ["a", "b"], "offline"))
    store = open_store(url)
    store.append("d1", open_debate(spec, debate_id="d1", at=AT), after=0)
    lease = store.acquire("d1", f"{os.getpid()}-other", ttl_s=60)
    assert main(["resume", "d1", "--db", url, "--json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    store.release(lease)
    assert main(["resume", "d1", "--db", url, "--json"]) == 3
    store.close()


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_what_was_being_said():
    async def slow(request: Request, view: View, on_text: OnText) -> AnyCommand:
        assert view.request == request
        on_text(request.id, f"{request.seat} was about to say")
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(30)
        raise AssertionError("unreachable")

    spec = compose(QUESTION, ["a", "b"], BOUNDED_VOTE, default_seats(BOUNDED_VOTE, QUESTION, ["a", "b"], "offline"))
    store = MemoryStore()
    store.append("d1", open_debate(spec, debate_id="d1", at=AT), after=0)
    state = run.play("d1", store, {s.id: slow for s in spec.seats}, Signatures(store), 60)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.ended_by) == ("aborted", "stopped")
    rows = turn_rows(state)
    assert rows
    assert {(r.status, r.text) for r in rows} <= {("cut", f"{s.id} was about to say") for s in spec.seats}
    assert verify(store.load("d1")) == ()


def test_a_real_process_prints_nothing_but_json(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "debate_core", "run", QUESTION, "--offline", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert "is kept in sqlite:" in done.stderr
    assert json.loads(done.stdout)["status"] == "undecided"
