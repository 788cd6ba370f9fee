"""Outcomes that the orchestration pattern's program gave, through script files and the command line."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from tests.golden_systems import Case, case_of, needs_golden, rows
from tests.holding import Said, script, steady, turn

ESCALATED = case_of("seed000", 8)
pytestmark = needs_golden


def _run(tmp_path: Path, said: Said, *flags: str) -> int:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(said), "utf-8")
    return main(["run", "--script", str(path), "--json", *flags])


def _as_script(case: Case) -> Said:
    ids = case["ids"]
    if "flip" in case:
        ((seat, when),) = case["flip"].items()
        phase = when.removeprefix("from ")
        votes = dict.fromkeys(ids, case["decision"])
        early = [turn(seat, "revise", phase=p) for p in ("proposal", "critique") if p != phase]
        turns = [*early, *steady(votes)]
    else:
        turns = steady(case.get("votes", {}))
    settings = {"rounds": case["max_rounds"], "threshold": case.get("threshold", min(2, len(ids) or 1))}
    return script(turns, seats=[{"id": i} for i in ids], settings=settings)


@pytest.mark.parametrize("case", rows("seed000", lambda c: "ids" in c and "decision" in c))
def test_adopted_runs(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    # R051, R052, R037
    said = _as_script(case)
    flags = ["--threshold", "3"] if "flip" in case else []
    status = _run(tmp_path, said, *flags)
    told = json.loads(capsys.readouterr().out)
    assert status == (3 if case.get("rule") == "max_rounds_exhausted" else 0)
    assert told["decision"] == case["decision"]
    expected = {
        "decision_rule": case.get("rule"),
        "rounds_run": case.get("rounds_run"),
        "tally": case.get("tally"),
        "phase_sequence": case.get("phases"),
        "speaker_schedule": case.get("schedule"),
    }
    wanted = {name: value for name, value in expected.items() if value is not None}
    assert {name: told[name] for name in wanted} == wanted
    assert len(told["turns"]) == case.get("turns", len(told["turns"]))


@pytest.mark.parametrize("case", rows("seed000", lambda c: "error" in c))
def test_adopted_errors(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    # R047, R048
    said = script([], seats=[{"id": i} for i in case["ids"]], settings={"rounds": case.get("max_rounds", 2)})
    flags = [] if case["ids"] == [] else ["--threshold", "1"]
    assert _run(tmp_path, said, *flags) == 2
    out, err = capsys.readouterr()
    assert (out, case["error"] in err) == ("", True)


def test_three_votes_for_escalate_are_a_decision(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    # R040
    assert _run(tmp_path, script(steady(dict.fromkeys(("planner", "critic", "operator"), "escalate")))) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["decision"], told["decision_rule"]) == (ESCALATED["decision"], ESCALATED["rule"])


def test_rejected_a_tie_is_undecided(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    turns = steady({"a": "release", "b": "release", "c": "revise", "d": "revise"})
    assert _run(tmp_path, script(turns, seats=[{"id": i} for i in "abcd"])) == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["decision"], "tie" in told["flags"]) == ("undecided", "escalate", True)


@pytest.mark.parametrize(
    ("seats", "threshold"), [(("a", "b"), "3"), (("a", "b"), "0"), (("a", "a"), "2")], ids=["above", "zero", "twice"]
)
def test_rejected_settings_are_bad_input(
    seats: tuple[str, ...], threshold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    said = script(steady(dict.fromkeys(seats, "release")), seats=[{"id": i} for i in seats], settings={"rounds": 2})
    assert _run(tmp_path, said, "--threshold", threshold) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
