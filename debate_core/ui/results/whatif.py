"""Counts under other assumptions on the results page: another threshold, rule or weights, or fewer voters.

Asks no model and records nothing. The agreed result stays on top.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pandas as pd
import streamlit as st

from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.margin_of_victory import Flip
from debate_core.engine.count.methods import METHODS
from debate_core.language import _, _n
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import counted_words
from debate_core.report.facts.counts import RuleResult, number, rule_results, rules_to_try, what_if
from debate_core.report.facts.terms import named
from debate_core.report.facts.usage import family_of
from debate_core.report.phrases.counts import count_words, counted_by_words, flip_words, winners_words
from debate_core.spec.people import vote_name
from debate_core.spec.rules import CountedRule, Supermajority, Threshold
from debate_core.spec.values import in_words
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results.sections import rule_title

_SHARES = ("2/3", "3/4", "3/5", "9/10")


def can_ask(account: Account) -> bool:
    """True after the end of a debate with counted ballots."""
    return account.state.outcome is not None and bool(account.counts)


def section(account: Account) -> None:
    """Draw the agreed result of one count, and the result under another rule, other weights or fewer voters."""
    state = account.state
    counts = account.counts
    st.caption(_("The same ballots, counted differently. Nothing is recorded; the agreed result still counts."))
    names = [count.name for count in counts]
    decides = vote_name("final", state.spec.terms.decides)
    place = names.index(decides) if decides in names else 0
    if len(counts) > 1:
        place = st.selectbox(
            _("Whose ballots"),
            range(len(counts)),
            place,
            format_func=[*map(named, names)].__getitem__,
            key="if_whose",
        )
    agreed = counts[place]
    result = agreed.result()
    st.markdown(
        _(
            ":material/lock: Agreed, {rule} → **{result}**",
            rule=counted_by_words(agreed),
            result=safe_line(count_words(result)),
        )
    )
    families = {seat.id: family for seat in state.spec.debaters() if (family := family_of(state.spec, seat))}
    count = _ask_changes(agreed, families, f"if {place}")
    again = count.result()
    ended = _(", after {name}", name=count.name) if len(count.earlier) < len(agreed.earlier) else ""
    other = again.winners != result.winners
    sign = ":material/change_circle:" if other else ":material/equal:"
    same = "" if other else _(" (the same)")
    said = f"{safe_line(count_words(again))}{safe_line(ended)}"
    st.markdown(
        _(
            "{sign} What if, {rule} → **{result}**{same}",
            sign=sign,
            rule=counted_by_words(count),
            result=said,
            same=same,
        )
    )
    st.caption(_flip_words(_flip(count)))
    _draw_options(agreed, result, count, again)
    _draw_rules(account, place)


def _ask_changes(agreed: Count, families: Mapping[str, str], key: str) -> Count:
    """Draw the widgets; return the count with the chosen changes. `families`: seat -> family of its model."""
    with st.container(border=True):
        left, right = st.columns(2)
        with left:
            rule = _ask_rule(agreed, key)
        with right:
            gone = _ask_left_out(agreed, families, key)
        weights = _ask_weights(agreed, key)
    return agreed.under(rule).weighing(weights).without(gone).played_through()


def _ask_rule(agreed: Count, key: str) -> CountedRule:
    def name_rule(place: int) -> str:
        name = _("number of votes") if isinstance(rules[place], Threshold) else named(rules[place].kind)
        return rule_title(name, agreed=place == 0)

    rules = rules_to_try(agreed)
    place = st.selectbox(_("Rule"), range(len(rules)), format_func=name_rule, key=f"{key} rule")
    rule = rules[place]
    most = max(sum(agreed.voters().values()), 2)
    if isinstance(rule, Threshold):
        needed = st.slider(_("Votes needed"), 1, most, min(rule.votes, most), key=f"{key} bar")
        return rule.model_copy(update={"votes": needed, "allows_two_winners": True})
    if isinstance(rule, Supermajority):
        first = f"{rule.numerator}/{rule.denominator}"
        share = st.select_slider(_("Share"), sorted({first, *_SHARES}, key=Fraction), first, key=f"{key} share")
        above, below = map(int, share.split("/"))
        return rule.model_copy(update={"numerator": above, "denominator": below})
    return rule


def _ask_left_out(agreed: Count, families: Mapping[str, str], key: str) -> frozenset[str]:
    voters = list(agreed.voters())
    gone = st.multiselect(
        _("Without these voters"), voters, key=f"{key} without", format_func=in_words, placeholder=_("None")
    )
    of_family = {voter: families[voter] for voter in voters if voter in families}
    if of_family:
        names = sorted(set(of_family.values()))
        chosen = st.multiselect(_("Without these model families"), names, key=f"{key} families", placeholder=_("None"))
        gone += [voter for voter, family in of_family.items() if family in chosen]
    return frozenset(gone)


def _ask_weights(agreed: Count, key: str) -> Mapping[str, int]:
    """Draw a table of weights; return the changed ones."""
    weights = agreed.voters()
    ballots = {ballot.voter: counted_words(agreed.kind, ballot, abstains="abstained") for ballot in agreed.ballots}
    with st.expander(_("Change the weights of the voters"), icon=":material/balance:", key="whatif-weights"):
        rows = [
            {_("Voter"): in_words(voter), _("Ballot"): ballots.get(voter, _("none")), _("Weight"): weight}
            for voter, weight in weights.items()
        ]
        number_field = st.column_config.NumberColumn(min_value=0, max_value=100, step=1, required=True)
        edited = st.data_editor(
            pd.DataFrame(rows),
            key=f"{key} weights",
            disabled=[_("Voter"), _("Ballot")],
            column_config={_("Weight"): number_field},
        )
    now = dict(zip(weights, edited[_("Weight")].tolist(), strict=True))
    return {voter: int(weight) for voter, weight in now.items() if int(weight) != weights[voter]}


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs={Count: repr})
def _flip(count: Count) -> Flip:
    # Cached: the search counts up to some thousand times.
    return count.flip()


def _flip_words(flip: Flip) -> str:
    if flip.ballots is None:
        return _n(
            flip.tried,
            "No other result was found with up to {n} changed ballot.",
            "No other result was found with up to {n} changed ballots.",
        )
    most = ""
    if not flip.exact:
        most = _("More than {tried} and at most ", tried=flip.tried) if flip.tried else _("At most ")
    return _n(
        flip.ballots,
        "{most}{n} changed ballot would change this result.",
        "{most}{n} changed ballots would change this result.",
        most=most,
    )


def _draw_options(agreed: Count, result: Result, count: Count, again: Result) -> None:
    """Draw the agreed and the what-if points of every option, in the units of the two rules."""
    elected = _("yes") if len(again.winners) == 1 else _("level")
    rows = [
        {
            _("Option"): option,
            _("Agreed"): number(result.points[option]),
            _("What if"): number(again.points[option]),
            _("Elected"): elected if option in again.winners else "",
        }
        for option in count.options
    ]
    # Narrow, so that a long option does not push the counts out of sight.
    columns = {_("Option"): st.column_config.TextColumn(width=140)}
    draw_table(rows, key="if_table", column_config=columns, alt=_("Every option as agreed and what if"))
    needed = _("the most win") if again.needed is None else _("{needed} needed", needed=number(again.needed))
    cast = _(
        "{cast} of {eligible} ballots, weighing {cast_weight} of {eligible_weight}",
        cast=again.cast,
        eligible=again.eligible,
        cast_weight=again.cast_weight,
        eligible_weight=again.eligible_weight,
    )
    unit, other_unit = (named(METHODS[one.rule.kind].unit) for one in (agreed, count))
    units = unit if unit == other_unit else _("{unit} and {other_unit}", unit=unit, other_unit=other_unit)
    st.caption(_("In {units}. What if: {cast}; {needed}.", units=units, cast=cast, needed=needed))


def _draw_rules(account: Account, place: int) -> None:
    """Draw the results of the same ballots under the agreed rule and under every other rule that can count them."""
    rows = account.once(_count_by_rules, place)
    if len(rows) < 2:
        return
    cells = [_rule_cells(row) for row in rows]
    draw_table(cells, key="what_if", alt=_("Results of the same ballots under other rules"))


def _rule_cells(row: RuleResult) -> dict[str, str]:
    cells = {
        _("Rule"): rule_title(named(row.rule), agreed=row.agreed),
        _("Votes needed"): _("the most") if row.needed is None else str(row.needed),
        _("Result"): winners_words(row),
    }
    if row.flip:
        cells[_("Ballots from flipping")] = flip_words(row.flip)
    return cells


def _count_by_rules(account: Account, place: int) -> Sequence[RuleResult]:
    """The result of each rule; for seats with the margin of victory, which counts some thousand times."""
    count = account.counts[place]
    return what_if(count) if count == account.ruling.count else rule_results(count)
