"""Documents of some seats: their text for their readers and for people who lead, for all others who reads them."""

import streamlit as st

from debate_core.engine.private_sources import is_read_by, withheld_sources
from debate_core.record.state import State
from debate_core.report.phrases.source_claims import readers_words
from debate_core.spec.people import LEADS
from debate_core.spec.values import Source
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.room.live.transcript import sides_read
from debate_core.ui.room.live.visibility import names_for, seat_name

MAX_SHOWN_CHARS = 20_000
"""Characters of a document on the page; the rest is in its file."""


def draw_private_sources(state: State, me: Me) -> None:
    """Draw each document that only some seats read; nothing in other debates and after the end."""
    for source in withheld_sources(state):
        title = safe_label(source.title, max_chars=80)
        with st.expander(title, icon=":material/lock:", key=f"private-{source.id}", type="compact"):
            st.caption(safe_line(_readers(state, me, source)))
            leads = me.role in LEADS if state.spec.has_people else me.facilitator
            if leads or is_read_by(source, me.answers_for):
                st.markdown(safe_text(source.text[:MAX_SHOWN_CHARS]))


def _readers(state: State, me: Me, source: Source) -> str:
    """Name the readers of the document as this person knows them."""
    sides = sides_read(state, me.answers_for)
    names = names_for(state, me.person) if state.spec.has_people else {}
    return readers_words(source, lambda seat: sides.get(seat) or seat_name(seat, names))
