"""Practice debates: those that ship hold together, their records verify, and bad ones are refused in a sentence."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from debate_core.engine import judge_view
from debate_core.engine.audit import refuse_broken
from debate_core.errors import InvalidSpec
from debate_core.evaluation import practice
from debate_core.evaluation.practice import PracticeCase
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay

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
