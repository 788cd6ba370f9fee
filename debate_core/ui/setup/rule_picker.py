"""Fields for a rule that counts votes, of people or of the debaters: the votes needed, their base, and the rest."""

from fractions import Fraction
from typing import get_args

import streamlit as st

from debate_core.engine.count.methods import METHODS
from debate_core.language import Words, _
from debate_core.report.facts.terms import named
from debate_core.report.phrases.rules import STEPS
from debate_core.spec.rules import CountedRule, Elected, Majority, Supermajority, Unanimity
from debate_core.spec.values import TieBreak
from debate_core.text import capitalized
from debate_core.ui.setup.fields import select_word

KINDS = tuple(name for name, method in METHODS.items() if method.rule.kind == name)
SHARES = ("3/5", "2/3", "3/4", "4/5", "9/10")
CHOICES = tuple(name for kind in KINDS for name in (SHARES if kind == "supermajority" else (kind,)))
BASES: Words[str] = Words({"eligible": "all eligible voters", "cast": "the ballots cast"})
BASES_OF_SEATS: Words[str] = Words({"eligible": "every seat", "cast": "the ballots cast"})


def pick_rule(rule: CountedRule, *, key: str, has_drivers: bool) -> CountedRule:
    """Draw the list of rules, with each share of a supermajority, and return the chosen rule.

    Weighted criteria need drivers.
    """
    now = f"{rule.numerator}/{rule.denominator}" if isinstance(rule, Supermajority) else rule.kind
    choices = [*CHOICES]
    if isinstance(rule, Supermajority) and now not in choices:
        choices.insert(choices.index(SHARES[0]), now)
    if not has_drivers and rule.kind != "weighted_criteria":
        choices.remove("weighted_criteria")
    # A browser that saw only a later drawing of the field takes the preset of that one for the choice.
    chosen = st.selectbox(_("Votes needed"), choices, choices.index(now), key=key, format_func=_choice_words)
    if chosen == now:
        return rule
    same = {"tie": rule.tie, "quorum": rule.quorum}
    if "/" in chosen:
        above, below = map(int, chosen.split("/"))
        return Supermajority(numerator=above, denominator=below, base=rule.base).model_copy(update=same)
    return METHODS[chosen].rule.model_copy(update=same)


def _choice_words(choice: str) -> str:
    if "/" in choice:
        return _("At least {share} ({percent} %)", share=choice, percent=round(100 * Fraction(choice)))
    return f"{capitalized(named(choice.replace('_vote', '')))}: {named(METHODS[choice].wins)}"


def pick_base(rule: CountedRule, words: Words[str], *, key: str) -> CountedRule:
    """Ask for the base of a share, beside it: `more than half` out of `the ballots cast`. Other rules have none."""
    if not isinstance(rule, Majority | Supermajority | Unanimity):
        return rule
    return rule.model_copy(update={"base": select_word(_("Out of"), words, rule.base, key=key)})


def edit_rule(rule: CountedRule, *, key: str, most: int = 500, looks_back: bool = False) -> CountedRule:
    """Draw quorum, tie-break and the numbers of a rule, and return the edited rule.

    `most` is the number of voters. Consecutive counts need several counts (`looks_back`).
    """
    chosen = _edit_figures(rule, key, most)
    if looks_back and isinstance(chosen, Majority):
        help_row = _("How many counts one after another an option has to win.")
        n = st.number_input(_("Consecutive counts"), 1, 5, chosen.ballots_in_a_row, key=f"{key}_row", help=help_row)
        chosen = chosen.model_copy(update={"ballots_in_a_row": n})
    left, right = st.columns(2)
    with left:
        now = None if rule.quorum is None else min(rule.quorum, most)
        quorum = st.number_input(
            _("Ballots that must be cast"),
            1,
            most,
            now,
            key=f"{key}_quorum",
            placeholder=_("more than half of eligible voters"),
        )
    with right:
        tie = st.multiselect(
            _("Tie-break"),
            list(get_args(TieBreak)),
            list(rule.tie),
            key=f"{key}_tie",
            format_func=lambda step: STEPS[step],
            placeholder=_("none: a tie is undecided"),
        )
    return chosen.model_copy(update={"tie": tuple(tie), "quorum": quorum})


def _edit_figures(rule: CountedRule, key: str, most: int) -> CountedRule:
    """Ask for the numbers of the rule, if it has any."""
    match rule:
        case Unanimity():
            return _edit_exceptions(rule, key, most)
        case Elected():
            return _edit_points(rule, key)
        case _:
            return rule


def _edit_exceptions(rule: Unanimity, key: str, most: int) -> Unanimity:
    fewer_than_half = (most - 1) // 2
    if not fewer_than_half:
        return rule
    now = min(rule.all_but, fewer_than_half)
    but = st.number_input(_("All but"), 0, fewer_than_half, now, key=f"{key}_but", help=_("0 = all votes"))
    return rule.model_copy(update={"all_but": but})


def _edit_points(rule: Elected, key: str) -> Elected:
    match rule.kind:
        case "cumulative":
            dots = st.number_input(_("Dots per ballot"), 1, 100, rule.dots, key=f"{key}_dots")
            return rule.model_copy(update={"dots": dots})
        case "approval":
            return _edit_floor(rule, key, _("Minimum share of the ballots, %"))
        case "weighted_criteria":
            most_points = st.number_input(_("Maximum points"), 1, 1_000, rule.most_points, key=f"{key}_most_points")
            rule = _edit_floor(rule, key, _("Minimum share of the points, %"))
            return rule.model_copy(update={"most_points": most_points})
        case _:
            return rule


def _edit_floor(rule: Elected, key: str, label: str) -> Elected:
    floor = st.number_input(label, 0, 100, rule.floor_percent or 0, key=f"{key}_floor", help=_("0 = none"))
    return rule.model_copy(update={"floor_percent": floor or None})
