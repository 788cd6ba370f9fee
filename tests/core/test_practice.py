"""Practice debates that ship and those from files: records that verify, and what is refused in a sentence."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from debate_core.__main__ import main
from debate_core.engine import judge_view
from debate_core.engine.audit import refuse_broken
from debate_core.errors import InvalidSpec
from debate_core.evaluation import practice
from debate_core.evaluation.practice import PracticeCase
from debate_core.evaluation.practice_files import is_practice_file, read_practice_file
from debate_core.host.drafts import Drafts
from debate_core.host.stores import open_store
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from tests.commanding import refused

AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
SHIPPED = practice.shipped_cases()
SMALL: Mapping[str, Any] = {
    "question": "Is it?",
    "options": ["yes", "no"],
    "rounds": [[{"text": "It is."}, {"text": "It is not."}]],
    "right": "no",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_debate_verifies_and_is_judged_blind(name: str):
    case = SHIPPED[name]
    events = parse_record(dump_record(practice.played(case, name, "Ann", at=AT)).encode())
    refuse_broken(events, name)
    state, judge = replay(events), practice.judge_of("Ann")
    # The truth is not in the record before the judge has given their final word.
    assert case.truth
    assert case.truth not in dump_record(events)
    assert state.outcome is not None
    assert (state.outcome.status, state.spec.practice) == ("undecided", name)
    assert judge_view.reads_blind(state, judge.id)
    assert (judge_view.mode_of(state, judge.id), judge_view.round_to_judge(state, judge.id)) == ("stepped", 1)
    assert [turn.gives_away for turn in judge_view.reading(state, judge.id, 1)] == [(), ()]
    assert judge_view.reading(state, judge.id, 2) == ()


def test_neither_place_nor_quotes_reveal_the_right_option():
    places = [case.options.index(case.right) for case in SHIPPED.values()]
    assert sorted(places) == [0, 0, 0, 1, 1, 1]
    assert len(SHIPPED) == 6


def test_the_invented_quote_is_not_in_its_document():
    missing = [
        claim.quote
        for case in SHIPPED.values()
        for turns in case.rounds
        for turn in turns
        for claim in turn.claims
        if claim.quote and all(claim.quote not in source.text for source in case.sources)
    ]
    assert missing == ["Teams may shorten the period for payment events to 90 days at their own discretion."]


def test_spellings_of_a_name_are_one_person():
    case = practice.read_case(json.dumps(SMALL))
    changed = case.model_copy(update={"right": "yes"})
    assert practice.debate_of(case, " ann  LEE ") == practice.debate_of(case, "Ann Lee")
    assert len({practice.debate_of(c, n) for c in (case, changed) for n in ("Ann", "Bea")}) == 4


def test_a_side_without_words_is_passed_over():
    silent = {**SMALL, "rounds": [*SMALL["rounds"], [{"text": " "}, {"text": "Nothing came."}]]}
    state = replay(practice.played(practice.read_case(json.dumps(silent)), "silent", "Ann", at=AT))
    assert [turn.status for turn in state.turns] == ["ok", "ok", "skipped", "ok"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"right": "maybe"}, "none of the options"),
        ({"options": ["yes"]}, "options"),
        ({"rounds": []}, "rounds"),
        ({"rounds": [[{"text": "alone"}]]}, "round 1 has 1 turns; it needs one for each option"),
        (
            {"mistakes": [{"round": 1, "option": "yes", "words": "never", "why": "x"}]},
            "round 1 does not contain 'never'",
        ),
        ({"mistakes": [{"round": 2, "option": "yes", "words": "It is", "why": "x"}]}, "in round 2"),
        ({"format": 2}, "format"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_practice_debate_that_does_not_fit_is_refused(change: Mapping[str, Any], words: str):
    with pytest.raises(InvalidSpec, match=words):
        practice.read_case(json.dumps({**SMALL, **change}))


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '"x"'])
def test_what_is_no_practice_debate_is_refused(text: str):
    with pytest.raises(InvalidSpec):
        practice.read_case(text)


def test_the_case_that_is_read_is_the_case_that_is_written():
    for case in SHIPPED.values():
        assert PracticeCase.model_validate_json(case.model_dump_json()) == case


def turn(number: int, side: str, text: str, kind: str = "speech") -> Mapping[str, Any]:
    return {"round": number, "kind": kind, "role": side, "speaker": "Somebody Known", "text": text}


RECORDED: Mapping[str, Any] = {
    "id": "a story/0",
    "question": "Who\nwon?",
    "answers": [" The fox ", "The hare"],
    "correct_index": 1,
    "setting": {"isHuman": True, "isDebate": True},
    "turns": [
        turn(0, "Judge", "I lean to the fox.", "judge"),
        turn(1, "Debater A", "It says <quote>the fox won</quote>."),
        turn(1, "Debater B", "That was the dream."),
        turn(2, "Debater B", "It woke up after it."),
        turn(2, "Debater B", "Read on."),
    ],
}


def file_of(*rows: Mapping[str, Any]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def changed(**fields: Any) -> bytes:
    return file_of({**RECORDED, **fields})


def test_a_recorded_debate_is_read_without_names_or_verdict():
    found = read_practice_file("debates.jsonl", file_of(RECORDED))
    ((name, case),) = found.cases.items()
    assert name.startswith("a-story-0-")
    assert (case.question, case.options, case.right) == ("Who won?", ("The fox", "The hare"), "The hare")
    assert [[said.text for said in turns] for turns in case.rounds] == [
        ["It says “the fox won”.", "That was the dream."],
        ["", "It woke up after it.\n\nRead on."],
    ]
    assert not {"Somebody", "lean"} & set(case.model_dump_json().split())
    refuse_broken(practice.played(case, name, "Ann", at=AT), name)


def test_debates_without_two_sides_are_left_out_and_counted():
    alone = {**RECORDED, "id": "b", "setting": {"isDebate": False}}
    silent = {**RECORDED, "id": "c", "turns": [turn(1, "Debater A", "Only me.")]}
    found = read_practice_file("debates.jsonl", file_of(RECORDED, alone, silent))
    assert (len(found.cases), found.left_out) == (1, 2)
    with pytest.raises(InvalidSpec, match="no debate between two sides"):
        read_practice_file("debates.jsonl", file_of(alone))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (changed(correct_index=2), "line 1: .*correct_index"),
        (changed(answers=["one"]), "line 1: .*answers"),
        (changed(answers=["same", " same"]), "line 1: .*'same' is named twice"),
        (
            changed(turns=[turn(1, "Debater A", "x" * 20_001), turn(1, "Debater B", "y")]),
            "line 1: round 1 of Debater A",
        ),
        (file_of(RECORDED) + b"\n{", "line 2, is no JSON"),
        (b"\xff", "not UTF-8"),
        (b"", "no debate between two sides"),
        (b"\n".join([b"{}"] * 501), "at most 500"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_line(data: bytes, words: str):
    with pytest.raises(InvalidSpec, match=words):
        read_practice_file("debates.jsonl", data)


def test_records_and_scripts_are_not_taken_for_practice_debates():
    own = json.dumps({"question": "x", "options": ["a", "b"], "rounds": [], "right": "a"}).encode()
    assert is_practice_file("own.json", own)
    assert is_practice_file("d.jsonl", b"\xef\xbb\xbf\n" + file_of(RECORDED))
    records = Path(__file__).parents[1] / "records"
    for path in sorted(records.glob("*.jsonl"))[:5]:
        assert not is_practice_file(path.name, path.read_bytes())
    assert not is_practice_file("script.json", b'{"question": "x", "turns": []}')
    assert not is_practice_file("x.json", b"[")


def test_the_command_line_imports_a_file_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    url, path = f"sqlite:///{tmp_path / 'kept.db'}", tmp_path / "debates.jsonl"
    path.write_bytes(file_of(RECORDED, {**RECORDED, "setting": {"isDebate": False}}))
    for _time in range(2):
        assert main(["import", str(path), "--db", url]) == 0
        told = capsys.readouterr().out
        assert told == "1 practice debate imported; 1 left out, because they are not debates between two sides\n"
    store = open_store(url)
    (text,) = Drafts(store).practice_debates().values()
    store.close()
    assert practice.read_case(text).right == "The hare"
    path.write_bytes(changed(correct_index=2))
    refused(["import", str(path), "--db", url], capsys, "line 1", "correct_index")


def test_published_two_sided_debates_can_be_practised(shared: Path):
    path = shared / "data" / "nyu" / "sample_40.jsonl"
    if not path.exists():
        pytest.skip(f"the published debates are not there: {path.name}")
    found = read_practice_file(path.name, path.read_bytes())
    assert (len(found.cases), found.left_out) == (24, 16)
    for name, case in found.cases.items():
        refuse_broken(practice.played(case, name, "Ann", at=AT), name)
