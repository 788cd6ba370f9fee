"""Outcomes of decisions on the command line: recorded, read by `metrics`, refused in one sentence."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.stores import open_store
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.events import dump_record
from debate_core.spec.people import Person
from tests.commanding import printed_json, refused
from tests.holding import script, steady
from tests.people import ABE, FAY, room_spec
from tests.playing import Played

TWO_OF_THREE = {"planner": "release", "critic": "revise", "operator": "revise"}


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'kept.db'}"


def held(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    """A rehearsal decided for `revise`; its id."""
    said = tmp_path / "said.json"
    said.write_text(json.dumps(script(steady(TWO_OF_THREE))), "utf-8")
    assert main(["run", "--script", str(said), "--db", url, "--json", *flags]) == 0
    debate_id = printed_json(capsys)["debate_id"]
    assert isinstance(debate_id, str)
    return debate_id


def imported(url: str, tmp_path: Path, people: Sequence[Person]) -> str:
    """A debate with people that was held elsewhere."""
    played = Played(room_spec(people, rounds=1)).to_the_end()
    record = tmp_path / "r.jsonl"
    record.write_text(dump_record(played.events), "utf-8")
    assert main(["import", str(record), "--db", url]) == 0
    return played.state.debate


def outcomes(url: str, debate_id: str) -> list[tuple[str, OutcomeRecorded]]:
    store = open_store(url)
    found = [(e.actor, e.body) for e in store.load(debate_id) if isinstance(e.body, OutcomeRecorded)]
    store.close()
    return found


def test_recorded_outcomes_are_counted_by_kind_of_decision(url: str, tmp_path: Path, capsys):
    # R134, R260
    for number in range(6):
        debate_id = held(url, tmp_path, capsys, "--task", "security")
        result = ("held", "held", "held", "revised", "reversed", "reversed")[number]
        right = ["--right", "release"] if result == "reversed" else []
        assert main(["outcome", debate_id, result, *right, "--reason", "a year on", "--db", url, "--by", "ana"]) == 0
        assert f"Release the migration?: {result}" in capsys.readouterr().out
    held(url, tmp_path, capsys, "--task", "contract")
    assert main(["metrics", "--db", url, "--rehearsals", "--json"]) == 0
    printed = printed_json(capsys)
    told = {metric["name"]: metric for metric in printed["metrics"]}
    quality = told["outcome_quality"]
    assert (quality["n"], quality["value"]) == (6, 0.5)
    assert quality["interval"] == [pytest.approx(0.188, abs=0.001), pytest.approx(0.812, abs=0.001)]
    assert [(part["of"], part["n"], part["value"]) for part in quality["parts"]] == [("security", 6, 0.5)]
    assert told["debate_right"]["sentence"] == (
        "Unknown: it needs at least 20 decisions whose right answer is recorded; there are 5."
    )
    record = printed["track_record"]
    assert (record["debates"], record["known"], record["unnamed"]) == (7, 5, 0)
    seats = {row["who"]: (row["n"], row["accuracy"]["value"]) for row in record["scores"] if row["group"] == "seat"}
    assert seats == {"planner": (5, 0.4), "critic": (5, 0.6), "operator": (5, 0.6)}
    assert record["needs"][0] == (
        "Scores and calibration of a judge need 5 decisions with a known outcome; there are none."
    )
    assert printed["left_out"] == {"rehearsals": 0, "origin_unknown": 0, "still_judged": 0, "held_elsewhere": 0}
    assert main(["metrics", "--db", url, "--rehearsals"]) == 0
    out = capsys.readouterr().out
    assert "Decisions that held: 50 % (19 to 81). 3 of 6 decisions whose outcome is recorded (50 %) held" in out
    assert "    security: 50 % (19 to 81), from 6" in out


def test_it_says_who_recorded_what_and_when(url: str, tmp_path: Path, capsys):
    debate_id = held(url, tmp_path, capsys)
    assert main(["outcome", debate_id, "revised", "--reason", "half of it stands", "--db", url, "--json"]) == 0
    told = printed_json(capsys)
    assert (told["result"], told["option"], told["by"], told["reason"]) == (
        "revised",
        None,
        "the operator",
        "half of it stands",
    )
    assert [(by, act.result) for by, act in outcomes(url, debate_id)] == [("the operator", "revised")]


def test_an_imported_debates_outcome_needs_a_permitted_person(url: str, tmp_path: Path, capsys):
    debate_id = imported(url, tmp_path, (FAY, ABE))
    argv = ["outcome", debate_id, "held", "--reason", "it runs", "--db", url]
    capsys.readouterr()
    refused(argv, capsys, "--by ID", "p-fay (Fay)", "p-abe (Abe)")
    refused([*argv, "--by", "p-eve"], capsys, "'p-eve' may not record it", "p-abe (Abe)")
    assert main([*argv, "--by", "p-abe"]) == 0
    assert [by for by, _ in outcomes(url, debate_id)] == ["p-abe"]


def test_what_cannot_be_recorded_is_refused_in_one_sentence(url: str, tmp_path: Path, capsys):
    debate_id = held(url, tmp_path, capsys)
    flags = ["--db", url]
    refused(["outcome", debate_id, "held", "--reason", " ", *flags], capsys, "--reason is empty")
    refused(["outcome", debate_id, "won", "--reason", "x", *flags], capsys, "'won'", "held", "revised", "reversed")
    refused(["outcome", debate_id, "held", *flags], capsys, "--reason")
    wrong = ["outcome", debate_id, "reversed", "--right", "relese", "--reason", "x", *flags]
    refused(wrong, capsys, "'relese' is none of the options: release, revise, escalate")
    refused(["outcome", "d-nobody", "held", "--reason", "x", *flags], capsys, "d-nobody")
    refused(["outcome", debate_id, "held", "--reason", "x", "--db", "sqlite:///none.db"], capsys, "no database none.db")
    assert outcomes(url, debate_id) == []


def test_a_debate_that_goes_on_has_no_outcome_yet(url: str, capsys):
    assert main(["run", "Adopt it?", "--offline", "--seat", "ann=adopt", "--human", "ann", "--db", url, "--json"]) == 5
    debate_id = printed_json(capsys)["debate_id"]
    refused(["outcome", debate_id, "held", "--reason", "x", "--db", url], capsys, "the debate is still running")


def test_foreign_decisions_are_left_out_and_counted(url: str, tmp_path: Path, capsys):
    held(url, tmp_path, capsys)
    imported(url, tmp_path, [FAY, ABE])
    capsys.readouterr()
    assert main(["metrics", "--db", url, "--json"]) == 0
    printed = printed_json(capsys)
    assert printed["left_out"] == {"rehearsals": 1, "origin_unknown": 1, "still_judged": 0, "held_elsewhere": 0}
    assert (printed["debates"], printed["track_record"]["debates"]) == (0, 0)
    assert main(["metrics", "--db", url]) == 0
    told = capsys.readouterr().out.splitlines()
    after = told[told.index("Track record") :]
    assert after[1:4] == [
        "Outcome known for 0 of 0 debates.",
        "1 rehearsal is left out.",
        "1 debate from a file of unknown origin is left out.",
    ]
    assert "Scores of a seat need 5 decisions with a known outcome; there are none." in after
