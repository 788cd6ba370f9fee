"""The purpose for which people choose each protocol: the order of the protocols page.

Beside the presets and not in them, because a record contains the rules of its debate and no advice about them.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from debate_core.spec.protocol import Protocol

Goal = Literal["decide", "weigh", "test", "answer", "rank", "compare", "reference", "study"]
GOALS: tuple[Goal, ...] = get_args(Goal)
_OF: Mapping[Goal, tuple[str, ...]] = {
    "decide": (
        "expert_panel",
        "bounded_vote",
        "society",
        "autogpt_debate",
        "autogen_round_robin",
        "mallm_memory",
        "mallm_collective_refinement",
    ),
    "weigh": (
        "deliberation",
        "stance_judge",
        "moderated_judge",
        "multi_position",
        "assigned_positions",
        "two_answers",
        "tit_for_tat",
    ),
    "test": ("adversary", "proposer_critic", "mallm_debate"),
    "answer": ("round_robin_panel", "mediated_rounds"),
    "rank": ("tournament", "co_scientist"),
    "compare": ("referees_one_by_one", "referees_simultaneous", "referees_summarised", "referees_swapped"),
    "reference": ("single_call", "supervised_answer", "self_consistency", "checked_answers"),
    "study": ("mallm_relay", "mallm_report"),
}
"""The presets of each goal, the most usual first."""
GOAL_OF: Mapping[str, Goal] = {name: goal for goal, names in _OF.items() for name in names}


def goal_of(protocol: Protocol) -> Goal:
    """Return the goal of a preset, or the nearest one for rules from a file."""
    if goal := GOAL_OF.get(protocol.name):
        return goal
    if protocol.paired:
        return "rank"
    return "weigh" if protocol.deciding_role else "decide"


def place_of(protocol: Protocol) -> int:
    """Return the place of a protocol among all: presets by goal and use, then the others."""
    names = [*GOAL_OF]
    return names.index(protocol.name) if protocol.name in names else len(names)
