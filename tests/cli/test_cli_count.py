"""`count`: one file of ballots, any rule; what is no ballot or no rule is refused in one sentence."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main

TENNESSEE = """\
42:Memphis>Nashville>Chattanooga>Knoxville
26:Nashville>Chattanooga>Knoxville>Memphis
15:Chattanooga>Knoxville>Nashville>Memphis
17:Knoxville>Chattanooga>Nashville>Memphis
"""


@pytest.fixture
def ballots(tmp_path):
    file = tmp_path / "tennessee.abif"
    file.write_text(TENNESSEE)
    return str(file)


def test_the_whole_answer(ballots, capsys):
    assert main(["count", ballots, "--rule", "irv", "--seats", "150", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first = {"Memphis": 42, "Nashville": 26, "Knoxville": 17, "Chattanooga": 15}
    rounds = [
        {"tally": first, "exhausted": 0, "eliminated": ["Chattanooga"]},
        {"tally": {"Memphis": 42, "Knoxville": 32, "Nashville": 26}, "exhausted": 0, "eliminated": ["Nashville"]},
        {"tally": {"Knoxville": 58, "Memphis": 42}, "exhausted": 0, "eliminated": []},
    ]
    assert told == {
        "rule": "irv",
        "winners": ["Knoxville"],
        "tie": False,
        "tally": first,
        "rounds": rounds,
        "quorum_met": True,
        "contradicting_ballots": 0,
        "winners_without_them": ["Knoxville"],
    }


def test_shares_use_all_eligible_voters_once_known(ballots, capsys):
    assert main(["count", ballots, "--rule", "threshold_vote", "--threshold", "42", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["winners"] == ["Memphis"]
    assert main(["count", ballots, "--rule", "majority", "--seats", "201", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["winners"], told["quorum_met"]) == ([], False)


@pytest.mark.parametrize(
    ("ballots", "flags", "said"),
    [
        ("1:A>B", ["--rule", "plurality"], "plurality: A (1 ballot, 1 names an option)\n  A: 1\n  B: 0\n"),
        ("1234567:A>B\n1:B>A", ["--rule", "plurality"], "  A: 1234567\n"),
        ("1:A=B\n", ["--rule", "plurality"], "  A: 0.5\n"),
        ("2:A>B", ["--rule", "plurality", "--seats", "4"], "No quorum: more than half of the 4 eligible voters would"),
    ],
)
def test_every_digit_is_told_and_what_lacks_for_a_quorum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ballots: str, flags: list[str], said: str
):
    file = tmp_path / "some.abif"
    file.write_text(ballots)
    assert main(["count", str(file), *flags]) == 0
    assert said in capsys.readouterr().out
    assert main(["count", str(file), "--rule", "plurality", "--seats", "4000000"]) == 0
    assert "No quorum" in capsys.readouterr().out


def test_a_tie_is_said_as_one(tmp_path, capsys):
    file = tmp_path / "tie.abif"
    file.write_text("1:A>B\n1:B>A\n")
    assert main(["count", str(file), "--rule", "schulze"]) == 0
    assert capsys.readouterr().out.startswith("schulze: tie: A and B (2 ballots, 2 name an option)")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--rule", "lottery"], "unknown rule 'lottery': choose one of anti_plurality"),
        (["--rule", "star"], "these ballots give none"),
        (["--rule", "threshold_vote"], "needs --threshold N"),
        (["--rule", "irv", "--threshold", "2"], "--threshold belongs to --rule threshold_vote"),
        (["--rule", "irv", "--seats", "3"], "fewer than the 100 ballots"),
        ([], "--rule"),
    ],
)
def test_what_cannot_be_counted(ballots, capsys, flags, said):
    assert main(["count", ballots, *flags, "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err


def test_too_many_equal_margins_are_refused_and_no_tie_is_broken(tmp_path, capsys):
    file = tmp_path / "circle.abif"
    names = "ABCDEFGHIJKLM"
    file.write_text("\n".join(f"1:{'>'.join(names[i:] + names[:i])}" for i in range(len(names))))
    assert main(["count", str(file), "--rule", "ranked_pairs"]) == 2
    assert "equal margins can be ordered in more than" in capsys.readouterr().err
