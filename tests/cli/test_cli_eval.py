"""`eval`: figures beside their bars, as text and as JSON."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main

PAIRS = (
    '{"a": "Queues lose no order of a customer", "b": "Queues lose no customer order", "label": 1, "claim_id": 1}\n'
    '{"a": "Calls are simple to follow", "b": "Rents rise in towns", "label": 0, "claim_id": 1}\n'
)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    (tmp_path / "data" / "text").mkdir(parents=True)
    (tmp_path / "data" / "text" / "restate_x.jsonl").write_text(PAIRS, "utf-8")
    return tmp_path / "data"


def test_every_detector_stands_beside_its_bar(labelled: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["eval", str(labelled)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "restatement (2 cases)"
    assert " ".join(lines[2].split()) == "precision 1.000 0.025 to 1.000 at least 0.9 met"
    assert "judge_swap: not measured, too little in judge/judge_swap*.jsonl" in lines


def test_the_same_as_json(labelled: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["eval", str(labelled), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told) == 10
    found = told["restatement"]
    assert (found["n"], found["precision"], found["bar"]["precision"]) == (2, 1, 0.9)
    assert (found["interval"]["precision"], found["verdict"]["precision"]) == ([pytest.approx(0.025), 1], "met")
    assert told["calibration"] == {"n": 0, "bar": {}, "bar_is_the_most": [], "interval": {}, "verdict": {}}


@pytest.mark.parametrize(
    ("make", "said"), [(False, "nowhere is no folder: name the one"), (True, "nowhere holds no labelled set")]
)
def test_a_folder_without_sets_is_refused(make: bool, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    if make:
        (tmp_path / "nowhere").mkdir()
    assert main(["eval", "nowhere"]) == 2
    assert said in capsys.readouterr().err
