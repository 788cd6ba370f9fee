"""Starting a rehearsal from any page."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from debate_core.errors import DebateError
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_text

READ_ALONG_CPS = 60


def enter(start: Callable[..., str]) -> None:
    """Open a debate with `start` and go to its room, or show the error."""
    try:
        begin = partial(start, by=session.FACILITATOR, client=session.client(), owner=session.owner())
        debate_id = session.as_host(begin)
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
        return
    session.open_room_as_facilitator(debate_id)
