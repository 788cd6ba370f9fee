"""`count`: a file of ballots or an exported votes.csv under any rule; what is no ballot is refused in a sentence."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed
from debate_core.record.events import dump_record
from debate_core.report.facts.polls import count_id, revealed_results
from debate_core.spec.people import Person
from debate_core.spec.rules import CountedRule, Elected, Plurality, ballot_kind
from debate_core.spec.values import BallotKind, Given
from tests.people import FAY, room_spec
from tests.playing import Played

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


OPTIONS = ("adopt", "=defer", "to > be, re-jected")
VOTERS = tuple(
    Person(id=f"p-v{n}", name=f"V{n}", electorate="room" if n % 3 else "panel", weight=1 + n % 2) for n in range(12)
)
RULES: tuple[CountedRule, ...] = (
    Plurality(),
    *(
        Elected(kind=k)
        for k in ("approval", "score", "star", "borda", "copeland", "schulze", "irv", "cumulative", "consent")
    ),
)


def ballot(kind: BallotKind, n: int) -> BallotCast:
    """Something else for every voter."""
    turned = OPTIONS[n % 3 :] + OPTIONS[: n % 3]
    points = {
        "approval": (1, 1),
        "ranking": (1, 2, 2 + n % 2),
        "score": (5, n % 5, 0),
        "dots": (3, 2),
        "consent": (0, 1, 0),
        "one": (),
    }[kind]
    given = tuple(Given(option=o, points=p) for o, p in zip(turned, points, strict=False))
    return BallotCast(poll="final", choice=turned[0] if kind == "one" else None, given=given)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)
def test_an_exported_poll_counts_as_it_was_recorded(rule: CountedRule, tmp_path: Path, capsys):
    spec = room_spec((FAY, *VOTERS), vote=rule, pre_vote="none").model_copy(update={"options": OPTIONS})
    held = Played(spec)
    held.to_the_end("adopt")
    held.act(FAY, PollOpened(poll="final"))
    for n, voter in enumerate(VOTERS):
        held.act(voter, ballot(ballot_kind(rule), n + 1))
        held.act(voter, BallotCast(poll="final", choice="abstain") if n == 7 else ballot(ballot_kind(rule), n * n))
    held.act(FAY, PollClosed(poll="final"))
    held.act(FAY, PollRevealed(poll="final"))
    (tmp_path / "r.jsonl").write_text(dump_record(held.events))
    assert main(["export", str(tmp_path / "r.jsonl"), "--to", str(tmp_path), "--format", "csv"]) == 0
    for poll, result in revealed_results(held.state):
        capsys.readouterr()
        name = count_id(poll.id, result.electorate)
        assert main(["count", str(tmp_path / "votes.csv"), "--poll", name, "--rule", rule.kind, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert tuple(told["winners"]) == result.winners
        assert told["tally"] == pytest.approx({p.option: float(Fraction(p.points)) for p in result.points})


@pytest.mark.parametrize(
    ("text", "flags", "said"),
    [
        (
            "poll_id,stage,voter_alias,status,choice\nfinal.room,final,a,cast,x\n",
            ["--poll", "pre.room"],
            "no such count",
        ),
        (
            "poll_id,stage,voter_alias,status,choice\nfinal.room,final,a,cast,x\npre.room,pre,a,cast,x\n",
            [],
            "choose one",
        ),
    ],
)
def test_a_count_that_is_not_there_is_named(text: str, flags: list[str], said: str, tmp_path: Path, capsys):
    (tmp_path / "votes.csv").write_text(text)
    assert main(["count", str(tmp_path / "votes.csv"), "--rule", "plurality", *flags]) == 2
    assert said in capsys.readouterr().err


def test_a_file_with_one_count_has_no_poll_to_choose(tmp_path: Path, capsys):
    (tmp_path / "b.abif").write_text("1:A>B\n")
    assert main(["count", str(tmp_path / "b.abif"), "--rule", "irv", "--poll", "final.room"]) == 2
    assert "--poll chooses a count in our own votes.csv" in capsys.readouterr().err


def test_a_record_with_something_sealed_is_not_exported(tmp_path: Path, capsys):
    held = Played(room_spec((FAY, *VOTERS)))
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(VOTERS[0], "pre", "adopt")
    (tmp_path / "r.jsonl").write_text(dump_record(held.events))
    assert main(["export", str(tmp_path / "r.jsonl"), "--to", str(tmp_path / "out")]) == 2
    assert "sealed until revealed: the pre-vote" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
