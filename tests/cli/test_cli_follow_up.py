"""Commands for an unresolved outcome: flags, debate files, the follow-up as files."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from tests.commanding import printed_json, refused
from tests.holding import script, steady

SPLIT = {"planner": "release", "critic": "revise", "operator": "escalate"}
BOARD = {"to": "Board", "by": "2999-01-15"}


def written(path: Path, **fields: object) -> str:
    path.write_text(json.dumps(script(steady(SPLIT), **fields)), "utf-8")
    return str(path)


def test_an_undecided_run_prints_its_addressee(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = written(tmp_path / "split.json")
    flags = ["--escalate-to", "Board", "--escalate-by", "2999-01-15"]
    assert main(["run", "--script", file, *flags, "--out", "r.jsonl", "--json"]) == 3
    assert printed_json(capsys)["escalation"] == {**BOARD, "options_left": [*SPLIT.values()]}
    assert main(["report", "r.jsonl"]) == 0
    assert "The open points go to Board, due on 2999-01-15." in capsys.readouterr().out


def test_flags_beat_the_addressee_of_a_debate_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    settings = {"rounds": 1, "threshold": 2, "escalate_to": "Team", "escalate_by": "2999-01-15"}
    file = written(tmp_path / "split.json", settings=settings)
    assert main(["run", "--script", file, "--json"]) == 3
    assert printed_json(capsys)["escalation"]["to"] == "Team"
    assert main(["run", "--script", file, "--escalate-to", "Board", "--json"]) == 3
    assert printed_json(capsys)["escalation"] == {**BOARD, "options_left": [*SPLIT.values()]}


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--escalate-by", "2999-01-15"], "escalation has a date and no addressee"),
        (["--escalate-to", "Board", "--escalate-by", "soon"], "write a date as year-month-day, as in 2027-01-15"),
        (["--escalate-to", " "], "it names no one"),
    ],
)
def test_a_bad_addressee_is_refused(flags: list[str], why: str, capsys: pytest.CaptureFixture[str]):
    refused(["run", "Should we move?", "--offline", *flags, "--out", "r.jsonl"], capsys, why)


def test_a_past_date_is_refused_and_leaves_no_debate(capsys: pytest.CaptureFixture[str]):
    flags = ["--escalate-to", "Board", "--escalate-by", "2020-01-01"]
    refused(["run", "Should we move?", "--offline", *flags, "--out", "r.jsonl"], capsys, "due on 2020-01-01")


def test_the_exported_follow_up_can_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = written(tmp_path / "split.json")
    assert main(["run", "--script", file, "--out", "r.jsonl"]) == 3
    assert main(["export", "r.jsonl", "--to", "out", "--format", "follow-up"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["follow-up.json", "follow-up.md"]
    assert main(["run", "--script", "out/follow-up.json", "--offline", "--json"]) == 3
