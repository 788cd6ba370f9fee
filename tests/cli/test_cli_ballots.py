"""From the command line: a debate whose rules rank, its record, its files, and the same count from the files."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.protocol_files import protocol_to_toml
from debate_core.spec.rules import Elected

SAID = {
    "planner": ["release", "revise"],
    "critic": ["revise", "escalate", "release"],
    "operator": ["release", "revise"],
}


def test_a_file_of_rules_that_rank_is_played_from_a_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    made = with_decision(PROTOCOLS["mallm_memory"], Elected(kind="borda", tie=("pairwise", "lot")))
    rules, script, out = tmp_path / "rules.toml", tmp_path / "script.json", tmp_path / "files"
    rules.write_text(protocol_to_toml(made.model_copy(update={"name": "ranked"})), "utf-8")
    turns = [{"seat": s, "repeat": True, "content": {"rationale": "So.", "ranking": r}} for s, r in SAID.items()]
    seats = [{"id": s} for s in SAID]
    options = ["release", "revise", "escalate"]
    script.write_text(json.dumps({"question": "Q?", "options": options, "seats": seats, "turns": turns}), "utf-8")
    record = str(tmp_path / "r.jsonl")
    assert (
        main(["run", "--protocol", str(rules), "--script", str(script), "--rounds", "2", "--out", record, "--json"])
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["decision"], told["decided_by"]) == ("decided", "release", "borda")
    assert told["tally"] == {"release": 4, "revise": 4, "escalate": 1}
    assert (told["tally_unit"], [s["step"] for s in told["tie_steps"]]) == ("points", ["pairwise"])
    assert main(["verify", record]) == 0
    assert main(["export", record, "--format", "csv", "--to", str(out)]) == 0
    capsys.readouterr()
    votes = next(Path(out).rglob("votes.csv"))
    assert main(["count", str(votes), "--rule", "borda", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert (counted["winners"], counted["tally"]) == (["release", "revise"], told["tally"])
    assert main(["count", str(votes), "--rule", "copeland", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["winners"] == ["release"]
