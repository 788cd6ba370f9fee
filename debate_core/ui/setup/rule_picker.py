"""Fields for a rule that counts votes, of people or of the debaters.

Draws a rule and returns the edited rule.
"""

from fractions import Fraction
from typing import get_args

import streamlit as st

from debate_core.engine.count.methods import METHODS
from debate_core.language import Words, _
from debate_core.report.facts.terms import named
from debate_core.report.phrases.rules import STEPS
from debate_core.spec.rules import CountedRule, Elected, Majority, Supermajority, Threshold, Unanimity
from debate_core.spec.values import TieBreak
from debate_core.text import capitalized
from debate_core.ui.setup.fields import select_word

KINDS = tuple(name for name, method in METHODS.items() if method.rule.kind == name)
SHARES = ("3/5", "2/3", "3/4", "4/5", "9/10")
BASES: Words[str] = Words({"eligible": "All eligible voters", "cast": "Ballots cast"})


def pick_rule(
    rule: CountedRule,
    *,
    key: str = "setup_room",
    label: str,
    whose: str = "",
    most: int = 500,
    asks_votes: bool = True,
    has_drivers: bool = False,
    looks_back: bool = False,
) -> CountedRule:
    """Draw fields for a rule, and return the chosen rule.

    `whose` is added to the labels if the page shows two rules. `most` is the number of voters. `asks_votes` False hides
    the threshold. Weighted criteria need drivers; consecutive counts need several counts (`looks_back`).
    """
    kind = _pick_kind(rule, label, f"{key}_rule", has_drivers=has_drivers)
    chosen = rule if kind == rule.kind else METHODS[kind].rule
    left, middle, right = st.columns(3)
    with left:
        if asks_votes or not isinstance(chosen, Threshold):
            chosen = _edit_figures(chosen, key, most, whose)
        if looks_back and isinstance(chosen, Majority):
            n = st.number_input(_of(_("Consecutive counts"), whose), 1, 5, chosen.ballots_in_a_row, key=f"{key}_row")
            chosen = chosen.model_copy(update={"ballots_in_a_row": n})
    with middle:
        now = min(rule.quorum or 0, most)
        half = _("0 = more than half of all eligible voters")
        quorum = st.number_input(
            _of(_("Ballots that must be cast"), whose), 0, most, now, key=f"{key}_quorum", help=half
        )
    with right:
        tie = st.multiselect(
            _of(_("Tie-break"), whose),
            list(get_args(TieBreak)),
            list(rule.tie),
            key=f"{key}_tie",
            format_func=lambda step: STEPS[step],
            placeholder=_("nothing: a tie"),
        )
    return chosen.model_copy(update={"tie": tuple(tie), "quorum": quorum or None})


def _of(label: str, whose: str) -> str:
    return f"{label}, {whose}" if whose else label


def _pick_kind(rule: CountedRule, label: str, key: str, *, has_drivers: bool) -> str:
    kinds = list(KINDS)
    if not has_drivers and rule.kind != "weighted_criteria":
        kinds.remove("weighted_criteria")
    # Code may have set the field already.
    now = 0 if key in st.session_state else kinds.index(rule.kind)
    return st.selectbox(
        label,
        kinds,
        now,
        key=key,
        format_func=lambda kind: f"{capitalized(named(kind.replace('_vote', '')))}: {named(METHODS[kind].wins)}",
    )


def _edit_share(rule: CountedRule, key: str, most: int, whose: str) -> CountedRule:
    """Ask for the share of a supermajority, or the exceptions from unanimity."""
    if isinstance(rule, Supermajority):
        now = f"{rule.numerator}/{rule.denominator}"
        shares = sorted({*SHARES, now}, key=lambda share: Fraction(share))
        share = st.select_slider(_of(_("Share"), whose), shares, now, key=f"{key}_share")
        above, below = map(int, share.split("/"))
        return rule.model_copy(update={"numerator": above, "denominator": below})
    fewer_than_half = (most - 1) // 2
    if isinstance(rule, Unanimity) and fewer_than_half:
        all_but = min(rule.all_but, fewer_than_half)
        all_but = st.number_input(
            _of(_("All but"), whose), 0, fewer_than_half, all_but, key=f"{key}_but", help=_("0 = all votes")
        )
        return rule.model_copy(update={"all_but": all_but})
    return rule


def _edit_figures(rule: CountedRule, key: str, most: int, whose: str) -> CountedRule:
    """Ask for the numbers of the rule, if it has any."""
    match rule:
        case Threshold():
            votes = st.number_input(_of(_("Votes needed"), whose), 1, most, min(rule.votes, most), key=f"{key}_votes")
            return rule.model_copy(update={"votes": votes})
        case Majority() | Supermajority() | Unanimity():
            base = select_word(_of(_("Of"), whose), BASES, rule.base, key=f"{key}_base")
            return _edit_share(rule.model_copy(update={"base": base}), key, most, whose)
        case Elected():
            return _edit_points(rule, key, whose)
        case _:
            return rule


def _edit_points(rule: Elected, key: str, whose: str) -> Elected:
    match rule.kind:
        case "cumulative":
            dots = st.number_input(_of(_("Dots per ballot"), whose), 1, 100, rule.dots, key=f"{key}_dots")
            return rule.model_copy(update={"dots": dots})
        case "approval":
            return _edit_floor(rule, key, _of(_("Minimum share of the ballots, %"), whose))
        case "weighted_criteria":
            most_points = st.number_input(
                _of(_("Maximum points"), whose), 1, 1_000, rule.most_points, key=f"{key}_most_points"
            )
            rule = _edit_floor(rule, key, _of(_("Minimum share of the points, %"), whose))
            return rule.model_copy(update={"most_points": most_points})
        case _:
            return rule


def _edit_floor(rule: Elected, key: str, label: str) -> Elected:
    floor = st.number_input(label, 0, 100, rule.floor_percent or 0, key=f"{key}_floor", help=_("0 = none"))
    return rule.model_copy(update={"floor_percent": floor or None})
