"""Counts of ranked and scored ballots on the results page: rounds of elimination, pairs, weighted criteria.

Knows no rule: draws rows from `report`.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from debate_core.engine.count.criteria import Cells, tips
from debate_core.language import Language, _, current
from debate_core.record.state import State
from debate_core.report.facts.counts import PairRow, RoundRow, debaters_count, pairs_of, rounds_of
from debate_core.report.figures import polls
from debate_core.report.figures.svg import svg_of
from debate_core.report.phrases.counts import percent, tip_words
from debate_core.ui.kit.chart import draw_figure, offer_svg, theme
from debate_core.ui.kit.tables import draw_table

if TYPE_CHECKING:
    from plotly import graph_objects as go


def show(state: State) -> None:
    """Draw the last count of the debaters step by step; nothing if a vote names one option."""
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
        matrix(pairs, state.spec.options, key="ballots-pairs", name=_("Pair by pair"))


def rounds_table(rows: Sequence[RoundRow], *, key: str) -> None:
    """Draw the votes of each round and the options eliminated after it."""
    st.caption(_("Each round eliminates the last option; its ballots go to their next remaining option."))
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
    """Draw mean points by option and driver, the weighted sums, and the weights that would change the winner."""
    st.caption(_("Mean points of the ballots that give any; 0 if none does."))
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
        st.caption(_("No option leads alone, so there is no winner that other weights could change."))
        return
    st.caption(_("Weight of one driver at which another option wins, the others scaled in proportion."))
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


def matrix(pairs: Sequence[PairRow], options: Sequence[str], *, key: str, name: str) -> None:
    """Draw the heat map of one count, its file, and the same as a table."""
    st.caption(_("Votes that prefer the option of the row to the option of the column."))
    alt = polls.pair_alt(pairs)
    drawn = partial(_drawn, tuple(pairs), tuple(options), language=current())
    draw_figure(drawn(theme=theme()), key=f"{key}-map", alt=alt)
    offer_svg(lambda: svg_of(drawn(theme="light"), key=key, title=name, words=alt), key=key, name=name)
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
