"""Every preset on the command line: listed, held by the evidence panel, held by models on loopback."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from debate_core.__main__ import main
from debate_core.engine.audit import verify
from debate_core.record.events import DebateOpened, parse_record
from debate_core.spec import presets
from debate_core.spec.protocol import Protocol
from tests.commanding import asking, printed_json, refused
from tests.model_server import ModelServer

QUESTION = "Should we move the orders database?"
NAMES = sorted(presets.PROTOCOLS)


def _held(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, dict[str, Any]]:
    out = tmp_path / "r.jsonl"
    status = main(
        ["run", QUESTION, "--options", "adopt,defer", "--protocol", name, *flags, "--out", str(out), "--json"]
    )
    assert verify(parse_record(out.read_bytes())) == ()
    return status, printed_json(capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_evidence_panel_ends_every_preset_without_deciding(name, tmp_path, capsys):
    # R036, R060
    source = tmp_path / "adr.md"
    source.write_text("# Orders\n\nThe cost of the orders database grows with every tenant.\n", "utf-8")
    status, told = _held(name, tmp_path, capsys, "--offline", "--source", str(source))
    assert (status, told["status"], told["decision"]) == (3, "undecided", "escalate")
    assert told["tally"] == {}
    assert told["verdict"] is None or told["verdict"]["option"] is None


@pytest.mark.parametrize("name", NAMES)
def test_models_hold_every_preset_to_its_end(name, server: ModelServer, tmp_path, capsys):
    status, told = _held(name, tmp_path, capsys, *asking(server))
    assert {t["status"] for t in told["turns"]} == {"ok"}
    assert told["usage"]["calls"] == len(told["turns"]) == len(server.log)
    assert status in (0, 3)
    if told["ballots"]["cast"]:
        assert (status, told["decision"]) == (0, "adopt")


def test_protocols_lists_presets_with_purpose_and_source(capsys):
    assert main(["protocols"]) == 0
    listed = capsys.readouterr().out
    for rules in presets.PROTOCOLS.values():
        assert f"{rules.name}: {rules.purpose}\n" in listed
        assert f"source: {rules.source}\n" in listed


def test_a_preset_is_printed_whole_and_can_be_read_again(capsys):
    assert main(["protocols", "tit_for_tat", "--json"]) == 0
    assert Protocol.model_validate(json.loads(capsys.readouterr().out)) == presets.protocol("tit_for_tat")


def test_an_unknown_preset_lists_those_there_are(capsys):
    refused(["run", QUESTION, "--protocol", "theatre", "--offline"], capsys, "theatre", *NAMES)


def test_a_panel_of_the_wrong_size_is_refused_before_any_write(capsys):
    flags = ["--protocol", "proposer_critic", "--offline", "--panel-size", "4"]
    refused(["run", QUESTION, *flags], capsys, "proposer_critic seats exactly 3 debaters")
    flags = ["--protocol", "proposer_critic", "--offline", "--seat", "a=for it", "--seat", "b=against it"]
    refused(["run", QUESTION, *flags], capsys, "'rebuttal' asks debater 3, but there are only 2")


@pytest.mark.parametrize(
    ("name", "office", "waits_after"),
    [
        ("stance_judge", "judge", "argument"),
        ("moderated_judge", "moderator", None),
        ("proposer_critic", "framer", None),
    ],
)
def test_a_person_can_hold_any_office(name, office, waits_after, tmp_path, capsys):
    # Nobody goes on until they have given it.
    status, told = _held(name, tmp_path, capsys, "--offline", "--human", office)
    assert (status, told["status"], told["waiting_for"]) == (5, "waiting", [office])
    assert ([t["phase"] for t in told["turns"]] or [None])[-1] == waits_after


def test_one_line_asks_a_panel_of_any_size(server: ModelServer, monkeypatch, capsys):
    # R207: the question stands by itself, and the same line holds in mock mode
    line = ["run", QUESTION, *asking(server), "--panel-size", "4", "--rounds", "1", "--json"]
    assert main(line) in (0, 3)
    told = printed_json(capsys)
    seats = told["speaker_schedule"]
    assert (told["question"], told["protocol"], told["max_rounds"]) == (QUESTION, "expert_panel", 1)
    assert len(set(seats[:4])) == 4
    assert told["usage"]["calls"] == len(server.log) == 5
    monkeypatch.setenv("SWARM_MOCK", "true")
    assert main(line) == 3
    assert printed_json(capsys)["speaker_schedule"][:4] == seats[:4]
    assert len(server.log) == 5


def test_a_debate_has_an_id_of_its_own_and_each_turn_its_round(capsys):
    # R226
    line = ["run", QUESTION, "--protocol", "deliberation", "--rounds", "2", "--offline", "--json"]
    ids = set()
    for _ in range(2):
        assert main(line) == 3
        told = printed_json(capsys)
        assert (UUID(told["debate_id"]).version, told["question"]) == (4, QUESTION)
        assert [(t["round"], t["phase"]) for t in told["turns"]] == [
            (1, "opening"),
            (1, "opening"),
            (2, "closing"),
            (2, "closing"),
            (2, "synthesis"),
        ]
        ids.add(told["debate_id"])
    assert len(ids) == 2


def test_how_firmly_a_seat_argues_is_a_flag(tmp_path, capsys):
    # R066
    flags = ("--offline", "--seat", "ana=adopt", "--seat", "ben=defer", "--commitment", "ben=adversary")
    _held("deliberation", tmp_path, capsys, *flags, "--max-wait-s", "3600")
    opened = parse_record((tmp_path / "r.jsonl").read_bytes())[0].body
    assert isinstance(opened, DebateOpened)
    assert {s.id: s.commitment for s in opened.spec.debaters()} == {"ana": "concede_points", "ben": "adversary"}
    assert opened.spec.max_wait_s == 3_600
