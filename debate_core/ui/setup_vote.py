"""How the votes of people are counted: one rule for every poll, with what it needs besides.

Draws a rule and gives it as it stands now. Called by `setup_room`.
"""

from typing import get_args

import streamlit as st

from debate_core.model import TieBreak
from debate_core.report.rule_words import STEPS, WINS
from debate_core.rulebook import (
    CountedRule,
    Elected,
    ElectedKind,
    Majority,
    Plurality,
    Supermajority,
    Threshold,
    Unanimity,
)

SIMPLE = {
    "plurality": "the option with the most votes wins",
    "majority": "more than half",
    "supermajority": "at least two thirds",
    "unanimity": "all votes",
    "threshold_vote": "a number of votes",
}
KINDS: tuple[str, ...] = (*SIMPLE, *get_args(ElectedKind))
BASES: dict[str, str] = {"eligible": "All who may vote", "cast": "Ballots cast"}


def picker(rule: CountedRule) -> CountedRule:
    """The rule of all polls, as chosen."""
    kind = st.selectbox(
        "Rule of the votes of people", KINDS, KINDS.index(rule.kind), key="setup_room_rule", format_func=_words
    )
    made = rule if kind == rule.kind else _usual(kind)
    left, middle, right = st.columns(3)
    with left:
        made = _figures(made)
    with middle:
        label, none = "Ballots that must be cast", "0 = any number"
        quorum = st.number_input(label, 0, 500, rule.quorum or 0, key="setup_room_quorum", help=none)
    with right:
        tie = st.multiselect(
            "Level options go to",
            list(get_args(TieBreak)),
            list(rule.tie),
            key="setup_room_tie",
            format_func=lambda step: STEPS[step],
            placeholder="nothing: a tie",
        )
    return made.model_copy(update={"tie": tuple(tie), "quorum": quorum or None})


def _words(kind: str) -> str:
    words = SIMPLE.get(kind) or next(text for name, text in WINS.items() if name == kind)
    return f"{kind.replace('_vote', '').replace('_', ' ').capitalize()}: {words}"


def _usual(kind: str) -> CountedRule:
    match kind:
        case "majority":
            return Majority()
        case "supermajority":
            return Supermajority()
        case "unanimity":
            return Unanimity()
        case "threshold_vote":
            return Threshold(votes=2)
        case "plurality":
            return Plurality()
        case _:
            return Elected(kind=next(k for k in get_args(ElectedKind) if k == kind))


def _figures(rule: CountedRule) -> CountedRule:
    """Number of votes, base or dots, where the rule has them."""
    match rule:
        case Threshold():
            votes = st.number_input("Votes needed", 1, 500, rule.votes, key="setup_room_votes")
            return rule.model_copy(update={"votes": votes})
        case Majority() | Supermajority() | Unanimity():
            base = st.selectbox(
                "Of", tuple(BASES), tuple(BASES).index(rule.base), key="setup_room_base", format_func=lambda b: BASES[b]
            )
            return rule.model_copy(update={"base": base})
        case Elected() if rule.kind == "cumulative":
            dots = st.number_input("Dots of a ballot", 1, 100, rule.dots, key="setup_room_dots")
            return rule.model_copy(update={"dots": dots})
        case _:
            return rule
