"""Outcomes of decisions, triage, and figures over all debates of a database, on the command line."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.evaluation import practice
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.events import dump_record, parse_record
from debate_core.report.facts.cross_debate_metrics import metrics
from debate_core.spec.advice import QUESTIONS
from debate_core.spec.people import Person
from tests.commanding import printed_json, refused
from tests.core.test_origin import forged
from tests.holding import script, steady
from tests.paid import begin, paid_spec, use
from tests.people import ABE, FAY, room_spec
from tests.playing import Played
from tests.practising import judged_to_the_end


def test_a_question_that_a_check_decides(capsys):
    # R064, R131
    argv = ["triage", "--contested", "yes", "--check", "yes", "--task", "architecture", "--kind", "risk", "--json"]
    assert main(argv) == 0
    told = printed_json(capsys)
    assert (told["advice"], told["sentence"]) == ("simpler", "Something simpler: 1 answer speaks against a debate.")
    assert told["alternatives"] == [
        {"name": "a test runner", "sentence": "Run the check, and let its result decide.", "preset": None}
    ]
    says = {r["name"]: r["says"] for r in told["reasons"]}
    assert {n: s for n, s in says.items() if s != "open"} == {"contested": "for", "check": "against", "task": "for"}
    assert [f["name"] for f in told["frames"]] == ["optimist", "pessimist"]


def test_every_condition_and_the_gate_as_text(capsys):
    # R142, R244
    given = [text for q in QUESTIONS for text in (f"--{q.name.replace('_', '-')}", q.wanted)]
    assert main(["triage", *given, "--downside-usd", "100", "--debate-usd", "1.50"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "Debate it: all conditions hold and nothing rules it out."
    assert "  + A wrong decision would cost more than that many debates: $100; 50 times the debate is $75." in told
    assert [line for line in told if "instead:" in line] == []


def test_a_preset_is_named_where_there_is_one(capsys):
    assert main(["triage", "--one-critic", "yes"]) == 0
    assert "instead: a single adversary (--protocol adversary)." in capsys.readouterr().out


def test_answers_that_are_none(capsys):
    refused(["triage", "--check", "maybe"], capsys, "--check", "'yes', 'no', 'unknown'")
    refused(["triage", "--task", "lunch"], capsys, "--task", "architecture")
    refused(["triage", "--downside-usd", "much"], capsys, "amount in USD")


@pytest.fixture
def database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Six rehearsals: four decided, two not."""
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    for number in range(6):
        votes = {"planner": "release", "critic": "revise", "operator": "revise" if number < 4 else "escalate"}
        said = tmp_path / f"{number}.json"
        said.write_text(json.dumps(script(steady(votes))), "utf-8")
        assert main(["run", "--script", str(said), "--db", url]) == (0 if number < 4 else 3)
    capsys.readouterr()
    return url


def test_rehearsals_are_left_out_unless_they_are_asked_for(database: str, capsys):
    assert main(["metrics", "--db", database, "--json"]) == 0
    told = printed_json(capsys)
    assert (told["debates"], {m["value"] for m in told["metrics"]}) == (0, {None})
    assert main(["metrics", "--db", database, "--rehearsals", "--json"]) == 0
    told = printed_json(capsys)
    assert (told["debates"], told["protocol"], told["rehearsals"]) == (6, None, True)
    assert [m["name"] for m in told["metrics"]] == [m.name for m in metrics(())]
    assert told["metrics"][0] == {
        "name": "decided",
        "n": 6,
        "value": pytest.approx(2 / 3),
        "unit": "share",
        "bar": None,
        "worse": "above",
        "alert": None,
        "sentence": "4 of 6 debates (67 %) were decided.",
        "source": None,
        "interval": [pytest.approx(0.3, abs=0.001), pytest.approx(0.903, abs=0.001)],
        "parts": [],
    }


def test_figures_as_text(database: str, capsys):
    assert main(["metrics", "--db", database, "--rehearsals", "--protocol", "bounded_vote"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [
        "6 debates counted",
        "  Decided: 67 % (30 to 90). 4 of 6 debates (67 %) were decided.",
        "  Left undecided: 33 % (10 to 70). 2 of 6 debates (33 %) ended undecided.",
    ]
    assert "  Critiques below 5: Unknown: no critique rated itself." in told


def test_a_database_or_protocol_that_is_not_there(database: str, tmp_path: Path, capsys):
    empty = f"sqlite:///{tmp_path / 'empty.db'}"
    open_store(empty).close()
    refused(["metrics", "--db", "sqlite:///none.db"], capsys, "there is no database none.db")
    refused(
        ["metrics", "--db", database, "--protocol", "adversary", "--rehearsals"], capsys, "adversary", "bounded_vote"
    )
    # Some are over there, and are not counted: that is no "there are none".
    refused(
        ["metrics", "--db", database, "--protocol", "bounded_vote"],
        capsys,
        "no debate under --protocol bounded_vote is counted: 6 rehearsals are left out",
    )
    refused(["metrics", "--db", database, "--protocol", "adversary"], capsys, "there are some under bounded_vote")
    refused(["metrics", "--db", empty, "--protocol", "adversary"], capsys, "there are none at all")


def test_practice_debates_are_told_by_themselves(database: str, capsys: pytest.CaptureFixture[str]):
    with closing(open_store(database)) as store:
        host = Host(store, HostOptions(worker="none"))
        for name in practice.shipped_cases():
            judged_to_the_end(host, name, "Ann", 80)
        judged_to_the_end(host, "pool_size", "Bea", 20)
        practice.begin(host, "disk_space", "Bea")
    assert main(["metrics", "--db", database, "--rehearsals", "--json"]) == 0
    told = printed_json(capsys)
    assert (told["debates"], told["track_record"]["debates"]) == (6, 6)
    assert [(row["who"], row["n"]) for row in told["practice"]] == [("Ann", 6), ("Bea", 1)]
    assert told["practice"][0]["brier"]["value"] == pytest.approx(0.04)
    assert "Ann" not in json.dumps(told["track_record"])
    assert main(["metrics", "--db", database]) == 0
    printed = capsys.readouterr().out
    assert "  Ann: right in 100 % (61 to 100) of 6 practice debates, Brier 0.040" in printed
    assert "A row needs 5 practice debates: Bea has 1." in printed


def test_metrics_print_limits_from_experience(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    url = f"sqlite:///{tmp_path / 'paid.db'}"
    with closing(open_store(url)) as store:
        for number in range(20):
            hand = begin(paid_spec(), f"d-{number}")
            for seat in ("planner", "critic", "operator"):
                hand.after(300).take(f"1.proposal.{seat}.1", "release", use(1_000, 200, "0.02"))
            store.append(hand.state.debate, hand.events, after=0)
    assert main(["metrics", "--db", url, "--json"]) == 0
    (row,) = printed_json(capsys)["limits"]
    assert (row["n"], row["p99_calls"], row["calls"], row["tokens"], row["seconds"]) == (20, 3, 5, 5_400, 1_440)
    assert main(["metrics", "--db", url]) == 0
    assert "From 20 debates under bounded vote: 5 calls, 5,400 tokens, 24 minutes." in capsys.readouterr().out


def test_metrics_read_no_record_twice(database: str, capsys, monkeypatch: pytest.MonkeyPatch):
    wanted = ["metrics", "--db", database, "--rehearsals", "--json"]
    assert main(wanted) == 0
    told = printed_json(capsys)
    monkeypatch.setattr(SqliteStore, "load", lambda *_: pytest.fail("a record was read"))
    assert main(wanted) == 0
    assert printed_json(capsys) == told


def test_metrics_leave_out_and_name_an_invalid_record(tmp_path: Path, capsys, caplog: pytest.LogCaptureFixture):
    url = f"sqlite:///{tmp_path / 'forged.db'}"
    record = (Path(__file__).parents[1] / "records" / "format1_split.jsonl").read_bytes()
    events = parse_record(forged(record, lambda lines: lines[-1]["body"]["outcome"].update(rounds_run=9)))
    with closing(open_store(url)) as store:
        store.append(events[0].debate, events, after=0)
    for _ in range(2):
        assert main(["metrics", "--db", url, "--rehearsals", "--json"]) == 0
        assert printed_json(capsys)["debates"] == 0
    left_out = [one for one in caplog.messages if one.startswith(f"{events[0].debate} is left out: ")]
    assert len(left_out) == 2


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
