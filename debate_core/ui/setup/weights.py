"""What the ballot of each seat weighs, agreed before the start. Most debates weigh every ballot 1.

Draws the weights and gives the draft as it stands now.
"""

import streamlit as st

from debate_core.spec.rules import BySeat
from debate_core.spec.values import in_words
from debate_core.text import plural
from debate_core.ui.kit.text import safe_label
from debate_core.ui.setup.draft import MAX_WEIGHT, Draft


def weights(draft: Draft) -> Draft:
    """One number for each debater; nothing where no ballots are counted."""
    panel = draft.panel()
    if isinstance(draft.rules().decide, BySeat) or len(panel) < 2:
        return draft
    with st.expander("What each ballot weighs", icon=":material/balance:", expanded=draft.total_weight() > len(panel)):
        st.caption("Fixed with the first turn. Results are shown with these weights, and as if every ballot weighed 1.")
        grid = st.grid(3, min_column_width=140)
        typed = [
            grid.number_input(
                safe_label(in_words(seat.id) or f"Seat {n}"),
                1,
                MAX_WEIGHT,
                seat.weight,
                key=f"setup_seat_{seat.key}_weight",
            )
            for n, seat in enumerate(panel, start=1)
        ]
        if sum(typed) > len(panel):
            st.caption(f"{plural(len(panel), 'ballot')} weigh {sum(typed)} together.")
    if typed == [s.weight for s in panel]:
        return draft
    weighed = tuple(s.model_copy(update={"weight": w}) for s, w in zip(panel, typed, strict=True))
    return draft.model_copy(update={"seats": weighed})
