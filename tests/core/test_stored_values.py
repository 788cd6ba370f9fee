"""Defaults of omitted values in records and files, and bounds of their lengths and sizes."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from debate_core.record import acts, commands, events
from debate_core.record.state import Request
from debate_core.spec import contents, models, people, protocol, rules, values

LEFT_OUT: dict[type[values.Value], dict[str, Any]] = {
    acts.BeliefReported: {"final": False},
    acts.Dissented: {"named": True},
    acts.Extended: {"seconds": 0, "rounds": 0},
    commands.FailTurn: {"permanent": False, "retry_after_ms": 0, "transport": False, "began": False},
    commands.Resume: {"gives_up": False},
    events.DebateOpened: {"format": 1, "measures": None},
    events.TurnFailed: {"permanent": False, "retry_after_ms": 0, "transport": False, "began": False},
    events.Paused: {"unreached": False},
    events.Resumed: {"gives_up": False},
    contents.Directive: {"done": False, "redo": False},
    contents.Evaluation: {"recommend_another_round": False},
    models.ModelLine: {"max_tokens": 4_000, "context_tokens": 0, "warm_cache": False},
    people.Person: {"weight": 1},
    people.PollResult: {
        "cast": 0,
        "abstained": 0,
        "eligible": 0,
        "weight_cast": 0,
        "weight_eligible": 0,
        "quorum_met": True,
    },
    people.Room: {"max_chars": 1_000},
    protocol.Phase: {"directed": False, "after_redo": False, "unless_decided": False, "sealed": False},
    protocol.Protocol: {"attempts": 2},
    protocol.Rounds: {"default": 2, "warn_above": 4, "hard_max": 8},
    protocol.Sees: {"shuffle": False},
    protocol.Spec: {"max_rounds": 2, "seed": 0},
    rules.BySeat: {"decides_unheard": False},
    rules.Elected: {"most_points": 5, "dots": 5},
    rules.Majority: {"ballots_in_a_row": 1},
    rules.Supermajority: {"numerator": 2, "denominator": 3},
    rules.Threshold: {"allows_two_winners": False},
    rules.Unanimity: {"all_but": 0},
    values.Seat: {"weight": 1},
    values.Source: {"from_round": 1},
    values.Tally: {"cast": 0, "eligible": 0},
    values.Usage: {
        "calls": 0,
        "input_tokens": 0,
        "cached_tokens": 0,
        "output_tokens": 0,
        "reasoning_tokens": 0,
        "estimated": False,
    },
}
"""Values of which records are full: another default would change what older ones say."""


@pytest.mark.parametrize("kind", LEFT_OUT, ids=lambda kind: kind.__name__)
def test_what_is_left_out_is_read_as_it_always_was(kind: type[values.Value]):
    assert {name: kind.model_fields[name].default for name in LEFT_OUT[kind]} == LEFT_OUT[kind]


def test_a_turn_is_the_first_of_its_seat_in_its_phase():
    asked = Request(id="1.open.s0.1", seat="s0", round=1, phase="open", gives="argument", attempt=1)
    assert asked.nth == 1


@pytest.mark.parametrize(
    ("kind", "allowed", "refused"),
    [
        (values.Line, ["", "x" * 2_000], ["x" * 2_001]),
        (values.Text, ["", "x" * 20_000], ["x" * 20_001]),
        (acts.Reason, ["x", "x" * 2_000], ["", "x" * 2_001]),
        (people.PersonName, ["x", "x" * 80], ["", "x" * 81]),
        (protocol.Identifier, ["a", "a" * 40], ["", "A", "1a", "a" * 41]),
    ],
)
def test_texts_have_these_lengths(kind: Any, allowed: list[str], refused: list[str]):
    lines = TypeAdapter(kind)
    assert [lines.validate_python(text) for text in allowed] == allowed
    for text in refused:
        with pytest.raises(ValidationError):
            lines.validate_python(text)


@pytest.mark.parametrize(
    ("kind", "given", "read"),
    [
        (values.Percent, -1, 0),
        (values.Percent, 0, 0),
        (values.Percent, 100, 100),
        (values.Percent, 101, 100),
        (values.Score, 0, 1),
        (values.Score, 1, 1),
        (values.Score, 10, 10),
        (values.Score, 11, 10),
    ],
)
def test_a_percentage_and_a_rating_are_kept_within_their_scale(kind: Any, given: int, read: int):
    assert TypeAdapter(kind).validate_python(given) == read


def test_lists_and_documents_end_at_these_sizes():
    assert (values.MAX_QUESTION_CHARS, values.MAX_TEXT_CHARS, values.MAX_SOURCE_CHARS) == (2_000, 20_000, 10_000_000)
    assert (values.MAX_GIVEN, protocol.MAX_DRIVERS, contents.MAX_LEFT_OUT) == (96, 12, 50)
    assert protocol.MAX_WAIT_S == 366 * 24 * 60 * 60


def test_a_stored_value_is_immutable_and_has_no_unknown_field():
    seat = values.Seat(id="s0")
    with pytest.raises(ValidationError, match="frozen"):
        seat.weight = 2  # type: ignore[misc]
    with pytest.raises(ValidationError, match="not permitted"):
        values.Seat.model_validate({"id": "s0", "colour": "red"})
