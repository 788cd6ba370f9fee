"""Defaults of agreements: files and records that leave a field out mean this value for ever."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from debate_core.spec import rules
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Driver, Phase, Protocol, Rounds, Sees, Spec
from debate_core.spec.values import Given, Seat, Source

FAY = Person(id="p-fay", name="Fay")
OWN = Protocol(name="own", each_round=(Phase(name="talk"),), stop=(rules.MaxRounds(),), decide=rules.Plurality())
SEES = {"turns": "all", "names": "stance", "shuffle": False, "swaps": None, "mirrors": None, "votes": None}
ROUNDS = {"default": 2, "warn_above": 4, "hard_max": 8}
BY_COUNT: dict[str, object] = {"quorum": None, "base": "eligible", "tie": [], "if_undecided": "escalate"}


@pytest.mark.parametrize(
    ("agreed", "left_out"),
    [
        (Sees(), SEES),
        (
            Phase(name="talk"),
            {
                "gives": "argument",
                "role": "debater",
                "when": "every",
                "order": "in_turn",
                "sees": SEES,
                "only_in": [],
                "places": [],
                "starts": "declared",
                "directed": False,
                "after_redo": False,
                "min_strength": None,
                "unless_decided": False,
                "paired": False,
                "sealed": False,
            },
        ),
        (Rounds(), ROUNDS),
        (
            OWN,
            {
                "purpose": "",
                "source": "",
                "before": [],
                "after": [],
                "unverified_quotes": None,
                "contradicting_ballots": None,
                "check_after": "phase",
                "attempts": 2,
                "min_debaters": None,
                "stances": None,
                "rounds": ROUNDS,
            },
        ),
        (
            Spec(question="Q?", options=("a", "b"), seats=(), protocol=OWN),
            {
                "sources": [],
                "max_rounds": 2,
                "seed": 0,
                "context": "",
                "drivers": [],
                "models": [],
                "templates": [],
                "room": None,
                "max_wait_s": None,
                "parent": None,
                "task": None,
                "practice": None,
                "yes_option": None,
            },
        ),
        (
            Seat(id="s0"),
            {
                "role": "debater",
                "occupant": "model",
                "stance": "",
                "persona": "",
                "commitment": "concede_points",
                "model": None,
                "family": None,
                "weight": 1,
            },
        ),
        (Source(id="E1", title="t", text="x"), {"from_round": 1}),
        (Given(option="a", points=1), {"reason": "", "driver": None}),
        (
            Room(people=(FAY,)),
            {
                "joining": "open",
                "decides": "debaters",
                "vote": {**BY_COUNT, "kind": "plurality"},
                "preparation": [],
                "pre_vote": "shown_at_end",
                "final_vote": "asked",
                "blind": "blind",
                "afterwards": "stepped",
                "hold": "round",
                "phase_seconds": None,
                "max_chars": 1000,
                "readers": "hosts",
            },
        ),
        (FAY, {"role": "voter", "electorate": None, "weight": 1, "seats": [], "interest": ""}),
        (rules.Plurality(), {**BY_COUNT, "kind": "plurality"}),
        (rules.Majority(), {**BY_COUNT, "kind": "majority", "ballots_in_a_row": 1}),
        (rules.Supermajority(), {**BY_COUNT, "kind": "supermajority", "numerator": 2, "denominator": 3}),
        (rules.Unanimity(), {**BY_COUNT, "kind": "unanimity", "all_but": 0}),
        (rules.Threshold(votes=2), {**BY_COUNT, "kind": "threshold_vote", "allows_two_winners": False}),
        (rules.Elected(kind="borda"), {**BY_COUNT, "floor_percent": None, "most_points": 5, "dots": 5}),
        (
            rules.BySeat(),
            {"kind": "by_seat", "role": "synthesiser", "if_undecided": "escalate", "decides_unheard": False},
        ),
        (
            rules.Tournament(),
            {"kind": "tournament", "top": None, "both_orders": False, "at_limit": None, "if_undecided": "escalate"},
        ),
        (rules.Ceiling(), {"kind": "ceiling", "calls": None, "tokens": None, "seconds": None, "usd": None}),
    ],
)
def test_what_is_left_out_means_the_same_for_ever(agreed: BaseModel, left_out: dict[str, Any]) -> None:
    unsaid = set(type(agreed).model_fields) - agreed.model_fields_set
    assert agreed.model_dump(mode="json", include=unsaid) == left_out


def agree(**fields: object) -> Spec:
    """A debate with these fields, as it is read from a record."""
    return Spec.model_validate({"question": "Q?", "options": ("a", "b"), "seats": (), "protocol": OWN, **fields})


def drivers(count: int) -> list[Driver]:
    return [Driver(name=f"driver {number}", weight=1) for number in range(count)]


@pytest.mark.parametrize(
    ("field", "just", "beyond"),
    [
        ("drivers", drivers(12), drivers(13)),
        ("max_wait_s", 60, 59),
        ("max_wait_s", 366 * 24 * 60 * 60, 366 * 24 * 60 * 60 + 1),
        ("seed", 0, -1),
        ("seed", 2**53 - 1, 2**53),
    ],
)
def test_an_agreement_holds_what_is_just_within_its_bounds(field: str, just: object, beyond: object) -> None:
    assert agree(**{field: just}).model_fields_set >= {field}
    with pytest.raises(ValidationError, match=field):
        agree(**{field: beyond})
