"""`count` over an exported votes.csv: each poll of people gives the result that the record has."""

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
