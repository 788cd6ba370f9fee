"""Bounds of fields in agreements and records: each just inside and just outside, and default values.

The numbers stand here once more on purpose. A bound that becomes narrower makes records unreadable that were written
before, and another default changes what they say.
"""

from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from debate_core.errors import InvalidSpec
from debate_core.record import acts, commands, events
from debate_core.record.events import EDITION, DebateOpened, Failure
from debate_core.spec import contents, models, people, protocol, rules, values
from debate_core.spec.people import Person, PollResult, Room
from debate_core.spec.protocol import Phase, Protocol, Rounds, Sees, Spec, read
from debate_core.spec.rules import Plurality
from debate_core.spec.values import Given, Seat, Source, Tally, Usage, Value

LENGTHS: tuple[tuple[Any, int, int], ...] = (
    (values.Line, 0, 2_000),
    (values.Text, 0, 20_000),
    (acts.Reason, 1, 2_000),
    (people.PersonName, 1, 80),
    ((Seat, "model"), 0, 200),
    ((Seat, "family"), 0, 80),
    ((Source, "text"), 0, 10_000_000),
    ((Usage, "model"), 0, 200),
    ((contents.Claim, "id"), 0, 60),
    ((contents.Claim, "source_id"), 0, 60),
    ((contents.Argument, "rationale"), 1, 20_000),
    ((contents.Position, "name"), 0, 120),
    ((rules.TextMention, "phrase"), 1, 200),
    ((models.ModelLine, "model"), 0, 200),
    ((models.ModelLine, "family"), 0, 80),
    ((models.ModelLine, "base_url"), 0, 300),
    ((protocol.Driver, "name"), 0, 120),
    ((Spec, "question"), 0, 2_000),
    ((Spec, "context"), 0, 20_000),
    ((acts.Intervened, "text"), 1, 4_000),
    ((acts.Asked, "text"), 1, 1_000),
    ((acts.Dissented, "text"), 1, 2_000),
    ((commands.Command, "by"), 1, 80),
)
"""The fewest and the most characters."""

NUMBERS: tuple[tuple[Any, int, int | None], ...] = (
    ((Seat, "weight"), 1, 100),
    ((Source, "from_round"), 1, 50),
    ((Given, "points"), 0, 1_000),
    ((Usage, "calls"), 0, None),
    ((Usage, "input_tokens"), 0, None),
    ((Usage, "cached_tokens"), 0, None),
    ((Usage, "output_tokens"), 0, None),
    ((Usage, "reasoning_tokens"), 0, None),
    ((Usage, "cache_write_tokens"), 0, None),
    ((values.OptionVotes, "votes"), 0, None),
    ((rules.Ceiling, "calls"), 0, None),
    ((rules.Ceiling, "tokens"), 0, None),
    ((rules.Ceiling, "seconds"), 1, None),
    ((rules.FromRound, "round"), 2, 50),
    ((rules.ByCount, "quorum"), 1, None),
    ((rules.Threshold, "votes"), 1, None),
    ((rules.Majority, "ballots_in_a_row"), 1, 5),
    ((rules.Supermajority, "numerator"), 1, 100),
    ((rules.Supermajority, "denominator"), 1, 100),
    ((rules.Unanimity, "all_but"), 0, 100),
    ((rules.Elected, "floor_percent"), 1, 100),
    ((rules.Elected, "dots"), 1, 100),
    ((Person, "weight"), 1, 100),
    ((Room, "phase_seconds"), 10, 86_400),
    ((Room, "max_chars"), 100, 20_000),
    ((models.ModelLine, "max_tokens"), 64, 128_000),
    ((models.ModelLine, "context_tokens"), 0, 100_000_000),
    ((models.ModelLine, "tokens_per_minute"), 1, 1_000_000_000),
    ((Phase, "min_strength"), 1, 10),
    ((Rounds, "default"), 1, None),
    ((Rounds, "warn_above"), 1, None),
    ((Rounds, "hard_max"), 1, 50),
    ((Protocol, "attempts"), 1, 4),
    ((protocol.Driver, "weight"), 1, 100),
    ((Spec, "seed"), 0, 2**53 - 1),
    ((acts.Believed, "percent"), 0, 100),
    ((acts.BeliefReported, "round"), 0, 50),
    ((acts.BeliefReported, "read_s"), 0, None),
    ((acts.BeliefsRevealed, "round"), 0, 50),
    ((acts.Rated, "score"), 1, 5),
    ((acts.Upvoted, "question"), 1, None),
    ((acts.Extended, "seconds"), 0, 86_400),
    ((acts.Extended, "rounds"), 0, 1),
    ((acts.FlagResolved, "flag"), 1, None),
    ((DebateOpened, "edition"), EDITION, None),
    ((Failure, "retry_after_ms"), 0, 86_400_000),
)
"""The least and the most; None = there is no most."""

PHASE = Phase(name="argument")
FAY = Person(id="p-fay", name="Fay", role="facilitator")
ITEMS: tuple[tuple[Any, object, int, int | None], ...] = (
    ((contents.Argument, "claims"), {"text": "It pays."}, 0, 20),
    ((contents.Argument, "ballot"), {"option": "a", "points": 1}, 0, 96),
    ((contents.Positions, "positions"), {"name": "for", "claim": "It pays.", "because": "It is cheap."}, 0, 20),
    ((rules.AllOf, "rules"), {"kind": "stable"}, 2, 8),
    ((rules.ByCount, "tie"), "lot", 0, 4),
    ((Room, "people"), FAY, 1, None),
    ((Phase, "places"), 1, 0, None),
    ((Protocol, "each_round"), PHASE, 1, None),
    ((Protocol, "stop"), {"kind": "max_rounds"}, 1, None),
    ((Spec, "drivers"), {"name": "cost", "weight": 8}, 0, 12),
    ((acts.BallotCast, "given"), {"option": "a", "points": 1}, 0, 96),
    ((acts.BeliefReported, "beliefs"), {"option": "a", "percent": 50}, 2, 8),
    ((acts.Judged, "ratings"), {"option": "a", "criterion": "risk"}, 1, 56),
    ((acts.SynthesisRevised, "own_words"), {"line": "It pays.", "reason": "I say so."}, 0, 200),
)
"""An example, and the fewest and the most of its kind."""

SPELLINGS: tuple[tuple[Any, tuple[str, ...], tuple[str, ...]], ...] = (
    (values.SeatId, ("a", "A_b-9", "x" * 40), ("", "x" * 41, "a b", "a.b", "ä")),
    (values.Amount, ("0", "123456789.123456789012"), ("", "1234567890", "1.", ".5", "-1", "1.1234567890123", "1e3")),
    (people.PersonId, ("p-a", "p-" + "9" * 32), ("p-", "p-" + "9" * 33, "p-A", "q-a", "a")),
    (people.PollId, ("pre", "final", "pulse-1", "pulse-99"), ("", "pulse-0", "pulse-100", "pulse", "post")),
    (protocol.Identifier, ("a", "a_1", "a" * 40), ("", "a" * 41, "A", "1a", "_a", "a-b")),
    (acts.TurnPlace, ("1.opening.s0", "12.a_1.A-b"), ("opening.s0", "1.Opening.s0", "1.opening.s0.1", "1.opening.")),
    ((people.Points, "points"), ("0", "-7/2", "9" * 64 + "/" + "9" * 64), ("", "1.5", "9" * 65, "1/" + "9" * 65)),
    ((models.ModelLine, "provider"), ("a.b_c-9", "a" * 40), ("", "A", "a" * 41)),
    ((models.ModelLine, "key_env"), ("", "A_1", "A" * 80), ("a", "1A", "A" * 81)),
    ((models.Template, "name"), ("a_b", "a" * 40), ("", "A", "a" * 41)),
    ((models.Template, "sha256"), ("0" * 64,), ("0" * 63, "0" * 65, "G" * 64)),
    ((Spec, "parent"), ("a", "A_b-9" + "x" * 59), ("", "x" * 65, "a.b")),
    ((events.Partial, "request"), ("1.opening.s0.1",), ("1.opening.s0", "opening.s0.1", "1.opening.s0.x")),
)


def type_of(field: Any) -> Any:
    """A type, or that of the field of a value."""
    if not isinstance(field, tuple):
        return field
    info = field[0].model_fields[field[1]]
    return Annotated[info.annotation, info]


def accepts(field: Any, given: object) -> bool:
    """True if this can stand in the field."""
    try:
        TypeAdapter(type_of(field)).validate_python(given)
    except ValidationError:
        return False
    return True


def test_texts_are_as_long_as_agreed():
    for field, fewest, most in LENGTHS:
        inside = [accepts(field, "x" * chars) for chars in (fewest, most)]
        outside = [accepts(field, "x" * chars) for chars in (fewest - 1, most + 1) if chars >= 0]
        assert (all(inside), any(outside)) == (True, False), field


def test_numbers_end_where_agreed():
    for field, least, most in NUMBERS:
        last = 2**40 if most is None else most
        assert (accepts(field, least), accepts(field, last)) == (True, True), field
        assert not accepts(field, least - 1), field
        assert most is None or not accepts(field, most + 1), field


def test_lists_have_as_many_items_as_agreed():
    for field, item, fewest, most in ITEMS:
        last = 300 if most is None else most
        assert (accepts(field, (item,) * fewest), accepts(field, (item,) * last)) == (True, True), field
        assert fewest == 0 or not accepts(field, (item,) * (fewest - 1)), field
        assert most is None or not accepts(field, (item,) * (most + 1)), field


def test_ids_and_amounts_are_spelt_as_agreed():
    for field, right, wrong in SPELLINGS:
        assert [text for text in right if not accepts(field, text)] == [], field
        assert [text for text in wrong if accepts(field, text)] == [], field


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        (values.Percent, -3, 0),
        (values.Percent, 0, 0),
        (values.Percent, 99.6, 100),
        (values.Percent, 250, 100),
        (values.Score, -3, 1),
        (values.Score, 1, 1),
        (values.Score, 9.6, 10),
        (values.Score, 70, 10),
    ],
)
def test_what_a_model_says_beyond_the_scale_is_taken_as_its_end(kind: Any, given: float, kept: int):
    assert TypeAdapter(kind).validate_python(given) == kept


def test_values_are_immutable_and_unknown_fields_are_errors():
    with pytest.raises(InvalidSpec, match="colour"):
        read(Seat, {"id": "a", "colour": "red"})
    with pytest.raises(ValueError, match="frozen"):
        Seat(id="a").weight = 2  # type: ignore[misc]


PLURALITY = Plurality()
PROTOCOL = Protocol(name="p", each_round=(PHASE,), decide=PLURALITY)
LEFT_OUT: tuple[tuple[Value, dict[str, object]], ...] = (
    (Seat(id="a"), {"weight": 1, "commitment": "concede_points", "occupant": "model", "role": "debater"}),
    (Source(id="E1", title="t", text="x"), {"from_round": 1}),
    (Usage(), {"calls": 0, "input_tokens": 0, "cached_tokens": 0, "output_tokens": 0, "reasoning_tokens": 0}),
    (Usage(), {"estimated": False, "cost_usd": None}),
    (Tally(), {"cast": 0, "eligible": 0}),
    (Sees(), {"turns": "all", "names": "stance", "shuffle": False, "mirrors": None}),
    (PHASE, {"directed": False, "after_redo": False, "unless_decided": False, "sealed": False, "places": ()}),
    (PHASE, {"when": "every", "order": "in_turn", "starts": "declared", "min_strength": None}),
    (Rounds(), {"default": 2, "warn_above": 4, "hard_max": 8}),
    (PROTOCOL, {"attempts": 2, "check_after": "phase"}),
    (PLURALITY, {"quorum": None, "base": "eligible", "tie": (), "if_undecided": "escalate"}),
    (rules.Threshold(votes=2), {"allows_two_winners": False}),
    (rules.Majority(), {"ballots_in_a_row": 1}),
    (rules.Supermajority(), {"numerator": 2, "denominator": 3}),
    (rules.Unanimity(), {"all_but": 0}),
    (rules.Elected(kind="cumulative"), {"dots": 5, "floor_percent": None}),
    (rules.BySeat(), {"role": "synthesiser", "if_undecided": "escalate"}),
    (FAY, {"weight": 1, "electorate": None, "seats": ()}),
    (Room(people=(FAY,)), {"max_chars": 1_000, "phase_seconds": None, "hold": "round", "blind": "blind"}),
    (Room.alone(), {"max_chars": 20_000, "hold": "none", "pre_vote": "none", "final_vote": "none"}),
    (PollResult(electorate="room", rule="plurality"), {"cast": 0, "abstained": 0, "eligible": 0, "quorum_met": True}),
    (PollResult(electorate="room", rule="plurality"), {"weight_cast": 0, "weight_eligible": 0}),
    (models.ModelLine(id="m", provider="p", dialect="chat"), {"max_tokens": 4_000, "context_tokens": 0}),
    (models.ModelLine(id="m", provider="p", dialect="chat"), {"warm_cache": False, "structured": "schema"}),
    (contents.Directive(reason="go on"), {"done": False, "redo": False}),
    (contents.Evaluation(synthesis="so far"), {"recommend_another_round": False}),
    (acts.Extended(reason="more"), {"seconds": 0, "rounds": 0}),
    (acts.Dissented(text="no"), {"named": True, "kind": "dissent"}),
    (Failure(request="1.a.s0.1", error="failed"), {"permanent": False, "retry_after_ms": 0}),
)


def test_what_a_record_leaves_out_is_read_as_it_was_meant():
    for value, meant in LEFT_OUT:
        assert {name: getattr(value, name) for name in meant} == meant, type(value).__name__


def test_a_record_without_a_format_is_of_the_first():
    seats = (Seat(id="a"), Seat(id="b"))
    spec = Spec(question="Adopt?", options=("yes", "no"), seats=seats, protocol=PROTOCOL)
    opened = read(DebateOpened, {"spec": spec, "edition": EDITION})
    assert (opened.format, opened.spec.max_rounds, opened.spec.seed) == (1, 2, 0)
