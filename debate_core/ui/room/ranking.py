"""A tournament in the room: how the options stand by the comparisons of all ended rounds, and what is compared now.

Names no winner: that is for the rule, once the tournament has ended.
"""

from collections.abc import Collection

import streamlit as st

from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.figures.ranking import ranking_table
from debate_core.report.words.tournament import next_words, progress_words, settled_words
from debate_core.ui.kit import accounts
from debate_core.ui.kit.face.ranked import draw_proposals, draw_ranking
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.live.transcript import blind_seats


def show(state: State, holds: Collection[str]) -> None:
    """Progress for everybody; the ranking for whoever compares nothing just now, for it would sway them."""
    st.subheader(_("The ranking so far") if state.outcome is None else _("The ranking"), anchor=False)
    st.caption(safe_line(f"{progress_words(state)}."))
    if blind_seats(state, holds):
        st.caption(_("Shown once you have given your comparisons of this round, so that it sways nobody."))
        return
    told = accounts.of_reader(state, holds)
    if not state.spec.options:
        st.caption(_("Nothing is compared yet: candidates are still proposed."))
        draw_proposals(told)
        return
    st.markdown(safe_line(f"{settled_words(told)}."))
    if words := next_words(state):
        st.caption(safe_line(f"{words}."))
    draw_proposals(told)
    if not told.compared:
        st.caption(_("The ranking appears once the first round has ended."))
        return
    draw_ranking(told)
    # Drawn when somebody opens it, as under the count.
    twin = st.expander(_("The same as a table"), key="ranking_twin", on_change="rerun")
    if twin.open:
        with twin:
            draw_table(ranking_table(told), key="ranking_table", alt=_("Options by strength"))
