"""Ballots that rank or give points, on the results page: rounds of an elimination, pairs of options, weighted criteria.

Knows no rule: draws rows that `report` derived.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import streamlit as st

from debate_core.engine.count.criteria import Cells, tips
from debate_core.language import Language, _, current
from debate_core.record.state import State
from debate_core.report.facts.counts import PairRow, RoundRow, debaters_count, pairs_of, rounds_of
from debate_core.report.figures import polls
from debate_core.report.words.counts import percent, tip_words
from debate_core.ui.kit.chart import theme
from debate_core.ui.kit.tables import draw_table

if TYPE_CHECKING:
    from plotly import graph_objects as go


def show(state: State) -> None:
    """The last count of the debaters, step by step; nothing where a vote is one option."""
    count = debaters_count(state)
    if count is None:
        return
    if rounds := rounds_of(count):
        st.subheader(_("Round by round"), anchor=False)
        rounds_table(rounds, key="ballots-rounds")
    if cells := count.matrix():
        st.subheader(_("Weighted criteria"), anchor=False)
        criteria_tables(cells, key="ballots-criteria")
    if pairs := pairs_of(count.name, count):
        st.subheader(_("Pair by pair"), anchor=False)
        matrix(pairs, state.spec.options, key="ballots-pairs")


def rounds_table(rows: Sequence[RoundRow], *, key: str) -> None:
    """Votes of whoever was left in each round, and who went out after it."""
    st.caption(_("Round by round: the last go out, and their ballots go to the next option that is left."))
    draw_table(
        [
            {
                _("Round"): r.round,
                _("Option"): r.option,
                _("Votes"): r.votes,
                "": _("out") if r.out else "",
                _("Exhausted"): r.exhausted,
            }
            for r in rows
        ],
        key=key,
        alt=_("The rounds of the elimination"),
    )


def criteria_tables(cells: Cells, *, key: str) -> None:
    """Mean points of every option under every driver, the weighted sum, and which weight would change the winner."""
    st.caption(_("Mean points of the ballots that give any; where none does, 0 is counted."))
    sums = cells.sums()
    rows = [
        {
            _("Option"): option,
            **{
                _("{driver} (weighs {weight:g})", driver=d, weight=percent(w)): _read(cells.mean[option, d])
                for d, w in cells.weights.items()
            },
            _("Weighted sum"): _read(sums[option]),
        }
        for option in sorted(cells.options, key=lambda o: -sums[o])
    ]
    draw_table(rows, key=key, alt=_("Mean points of each option under each driver"))
    near = tips(cells)
    if not near:
        st.caption(_("No option is ahead alone: there is no winner that other weights could change."))
        return
    st.caption(_("How much one driver would have to weigh for another winner, the others scaled in proportion."))
    draw_table(
        [
            {
                _("Driver"): t.driver,
                _("Weight"): percent(t.weight),
                _("Weight that changes it"): None if t.to is None else percent(t.to),
                "": tip_words(t),
            }
            for t in near
        ],
        key=f"{key}-flips",
        alt=_("The nearest weight of each driver that changes the winner"),
    )


def _read(points: Fraction) -> float:
    return round(float(points), 3)


def matrix(pairs: Sequence[PairRow], options: Sequence[str], *, key: str) -> None:
    """The heat map of one count, and the same as a table."""
    st.caption(_("Pair by pair: votes that put the option of the row above the one of the column."))
    alt = polls.pair_alt(pairs)
    st.plotly_chart(
        _drawn(tuple(pairs), tuple(options), theme(), current()),
        key=f"{key}-map",
        config={"displayModeBar": False},
        alt=alt,
    )
    with st.expander(_("The same as a table"), key=f"{key}-as-table"):
        draw_table(polls.pair_table(pairs, options), key=key, alt=alt)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={PairRow: repr})
def _drawn(
    pairs: tuple[PairRow, ...],
    options: tuple[str, ...],
    theme: str,
    language: Language,  # noqa: ARG001
) -> "go.Figure":
    return polls.pair_chart(pairs, options, theme)
