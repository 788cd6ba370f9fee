"""A debate that is decided by weighted criteria, from a script and a protocol of one's own to its record and tables."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from tests.holding import SEATS, Said, script

RULES = """
name = "matrix"

[[each_round]]
name = "score"
order = "at_once"

[[stop]]
kind = "max_rounds"

[decide]
kind = "weighted_criteria"
quorum = 2
"""
SCORES = (
    {"release": {"cost": 4, "speed": 2}, "revise": {"cost": 1, "speed": 5}},
    {"release": {"cost": 5}, "revise": {"speed": 4}},
)


def _files(tmp_path: Path, drivers: list[Said]) -> list[str]:
    said: list[Said] = [{"scores": SCORES[0]}, {"scores": SCORES[1]}, {"vote": "abstain"}]
    turns: list[Said] = [
        {"seat": seat, "content": {"rationale": "So.", **ballot}} for seat, ballot in zip(SEATS, said, strict=True)
    ]
    path, rules = tmp_path / "script.json", tmp_path / "matrix.toml"
    path.write_text(json.dumps(script(turns, drivers=drivers, settings={"rounds": 1})), "utf-8")
    rules.write_text(RULES, "utf-8")
    return ["--script", str(path), "--protocol", str(rules)]


def test_a_script_is_decided_by_a_protocol_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    flags = _files(tmp_path, [{"name": "cost", "weight": 60}, {"name": "speed", "weight": 40}])
    record = tmp_path / "r.jsonl"
    assert main(["run", *flags, "--out", str(record), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["decision"], told["decision_rule"]) == ("release", "weighted_criteria")
    assert told["tally"] == {"release": 3.5, "revise": 2.4, "escalate": 0}
    assert main(["verify", str(record)]) == 0
    assert main(["export", str(record), "--to", str(tmp_path), "--format", "csv"]) == 0
    capsys.readouterr()
    table = next(tmp_path.rglob("*votes.csv"))
    assert main(["count", str(table), "--rule", "weighted_criteria"]) == 2
    said = capsys.readouterr().err
    assert "weighted_criteria needs the weights of the drivers, which no table of ballots has" in said


def test_without_drivers_the_debate_does_not_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", *_files(tmp_path, [])]) == 2
    assert "weighted_criteria gives points under decision drivers, and none are named" in capsys.readouterr().err
