"""Ballots that rank or give points, on the results page: the rounds of an elimination, and options pair by pair.

Knows no rule: draws rows that `report` derived. Called by the results page and by the votes of the room.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from debate_core import pair_charts
from debate_core.report import PairRow, pair_rows
from debate_core.report.recount import RoundRow, debater_rounds
from debate_core.state import State
from debate_core.ui.parts import theme

if TYPE_CHECKING:
    from plotly import graph_objects as go


def show(state: State) -> None:
    """The last count of the debaters, step by step; nothing where a vote is one option."""
    if rounds := debater_rounds(state):
        st.subheader("Round by round", anchor=False)
        rounds_table(rounds, key="ballots-rounds")
    found = pair_rows(state)
    last = [p for p in found if p.poll_id == found[-1].poll_id]
    if last:
        st.subheader("Pair by pair", anchor=False)
        matrix(last, state.spec.options, key="ballots-pairs")


def rounds_table(rows: Sequence[RoundRow], *, key: str) -> None:
    """Votes of whoever was left in each round, and who went out after it."""
    st.caption("Round by round: the last go out, and their ballots go to the next option that is left.")
    st.dataframe(
        [
            {
                "Round": r.round,
                "Option": r.option,
                "Votes": r.votes,
                "": "out" if r.out else "",
                "Exhausted": r.exhausted,
            }
            for r in rows
        ],
        hide_index=True,
        key=key,
        alt="The rounds of the elimination",
    )


def matrix(pairs: Sequence[PairRow], options: Sequence[str], *, key: str) -> None:
    """The heat map of one count, and the same as a table."""
    st.caption("Pair by pair: votes that put the option of the row above the one of the column.")
    alt = pair_charts.pair_alt(pairs)
    st.plotly_chart(
        _drawn(tuple(pairs), tuple(options), theme()), key=f"{key}-map", config={"displayModeBar": False}, alt=alt
    )
    with st.expander("The same as a table"):
        st.dataframe(pair_charts.pair_table(pairs, options), hide_index=True, key=key, alt=alt)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={PairRow: repr})
def _drawn(pairs: tuple[PairRow, ...], options: tuple[str, ...], theme: str) -> "go.Figure":
    return pair_charts.pair_chart(pairs, options, theme)
