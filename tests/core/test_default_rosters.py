"""Default rosters: every place and role that a protocol's phases ask for, and no other seat."""

import pytest

from debate_core.errors import InvalidSpec
from debate_core.spec import presets
from debate_core.spec.checks import check
from debate_core.spec.presets import commitment_at, default_seats, panel_size
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import BySeat, Majority
from tests.rehearsing import QUESTION

OPTIONS = ("adopt", "defer", "reject")
NAMES = sorted(presets.PROTOCOLS)


@pytest.mark.parametrize("name", NAMES)
def test_every_role_in_use_has_a_seat_and_every_place_is_taken(name: str) -> None:
    rules = presets.protocol(name)
    seats = default_seats(rules, QUESTION, OPTIONS, "model")
    assert {s.role for s in seats} == {p.role for p in rules.phases()} - {"chair"}
    assert len([s for s in seats if s.role == "debater"]) == panel_size(rules, OPTIONS)
    assert {s.occupant for s in seats} == {"model"}
    assert [s.id for s in seats if s.role != "debater"] == [s.role for s in seats if s.role != "debater"]
    check(presets.compose(QUESTION, OPTIONS, rules, seats))
    assert default_seats(rules, QUESTION, OPTIONS, "model") == seats


def _sides(name: str) -> list[tuple[str, str]]:
    seats = default_seats(presets.protocol(name), QUESTION, OPTIONS, "human")
    return [(s.stance, s.commitment) for s in seats if s.role == "debater"]


def test_sides_and_what_may_be_conceded() -> None:
    # R101, R102, R103, R147, R154
    assert _sides("stance_judge") == [(o, "locked") for o in OPTIONS]
    assert _sides("moderated_judge") == [(o, "locked") for o in OPTIONS]
    assert _sides("multi_position") == [(o, "concede_points") for o in OPTIONS]
    assert _sides("deliberation") == [("adopt", "concede_points"), ("defer", "concede_points")]
    assert _sides("two_answers") == [("adopt", "locked"), ("defer", "locked")]
    assert _sides("mediated_rounds") == [("adopt", "concede_points"), ("defer", "adversary")]
    assert _sides("society") == [("", "open")] * 3
    assert _sides("round_robin_panel") == [("", "open")] * 3


def test_proposer_critic_and_rebuttal_are_named_and_opposed() -> None:
    # R220, R237
    seats = default_seats(presets.protocol("proposer_critic"), QUESTION, OPTIONS, "model")
    assert [(s.id, s.role, s.stance, s.commitment) for s in seats] == [
        ("proposer", "debater", "adopt", "concede_points"),
        ("critic", "debater", "against adopt", "adversary"),
        ("rebuttal", "debater", "in defence of adopt", "concede_points"),
        ("framer", "framer", "", "open"),
        ("evaluator", "evaluator", "", "open"),
        ("synthesiser", "synthesiser", "", "open"),
    ]


def test_the_personas_follow_the_question() -> None:
    # R191, R196
    seats = default_seats(presets.EXPERT_PANEL, "Build or buy the billing system, given our budget?", OPTIONS, "model")
    assert "cost_analyst" in [s.id for s in seats]
    assert all(s.persona == presets.PERSONAS[s.id][1] for s in seats if s.role == "debater")


def test_baselines_have_no_personas() -> None:
    seats = default_seats(presets.protocol("self_consistency"), QUESTION, OPTIONS, "model", 3)
    assert [(s.id, s.persona) for s in seats] == [("solver", ""), ("solver_2", ""), ("solver_3", "")]


@pytest.mark.parametrize(("name", "usual"), [("proposer_critic", 3), ("adversary", 2), ("mallm_report", 3)])
def test_seats_that_would_never_speak_are_not_added(name: str, usual: int) -> None:
    with pytest.raises(InvalidSpec, match=f"{name} seats exactly {usual} debaters, one for each place, not 4"):
        default_seats(presets.protocol(name), QUESTION, OPTIONS, "model", 4)


@pytest.mark.parametrize("size", [0, -1, 99])
@pytest.mark.parametrize("name", ["bounded_vote", "self_consistency", "stance_judge"])
def test_a_panel_of_no_or_too_many_seats_is_refused(name: str, size: int) -> None:
    with pytest.raises(InvalidSpec, match="the panel size must be 1 to"):
        default_seats(presets.protocol(name), QUESTION, OPTIONS, "model", size)


def test_a_custom_protocol_gets_a_roster_from_its_rules() -> None:
    judged = Protocol(
        name="own",
        each_round=(Phase(name="case"), Phase(name="third", places=(3,))),
        after=(Phase(name="verdict", gives="verdict", role="judge"),),
        decide=BySeat(role="judge"),
    )
    seats = default_seats(judged, QUESTION, OPTIONS, "model")
    assert [(s.role, s.stance) for s in seats] == [
        ("debater", "adopt"),
        ("debater", "defer"),
        ("debater", "reject"),
        ("judge", ""),
    ]
    counted = Protocol(name="own", each_round=(Phase(name="vote"),), decide=Majority())
    assert [s.stance for s in default_seats(counted, QUESTION, OPTIONS, "model")] == ["", "", ""]


def test_a_seat_named_by_hand_is_bound_like_the_default_one() -> None:
    rules = presets.protocol("proposer_critic")
    assert [commitment_at(rules, place, "a side") for place in (1, 2, 3)] == [
        "concede_points",
        "adversary",
        "concede_points",
    ]
    assert commitment_at(rules, 2, "") == "open"
    assert commitment_at(presets.protocol("stance_judge"), 1, "a side") == "locked"
    assert commitment_at(presets.EXPERT_PANEL, 1, "a side") == "concede_points"
