"""A button that asks back once where somebody is missing.

Knows no rules: its caller names the missing people in one sentence, at each press and each time it is drawn.
"""

from collections.abc import Callable

import streamlit as st

from debate_core.language import _
from debate_core.record.state import State
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room.live.component import polled

_ASKS = "asks_first"


def button(
    state: State,
    words: str,
    *,
    key: str,
    missing: Callable[[], str],
    anyway: str,
    press: Callable[[], None],
    shortcut: str | None = None,
    is_first: bool = True,
    about: str = "",
) -> None:
    """A button, primary if it `is_first`; with somebody `missing` it says who, and *anyway* does it after all.

    It asks back for as long as the button says the same, or is `about` the same where its words count what is typed.
    The question follows the state: it is redrawn as ballots and marks come in, and goes when no one is missing.
    """
    asked = f"{key} {about or words}"
    if st.session_state.get(_ASKS) == asked and (who := missing()):
        with st.container(key=f"{key}-asks"):
            st.warning(f"**{safe_text(who)}** {safe_text(anyway)}?", icon=":material/group:")
            polled(state, key=f"{key}-asks", reruns=True)
            with st.container(horizontal=True, gap="small"):
                st.button(anyway, key=f"{key}-anyway", type="primary", on_click=_pressed, args=(press,))
                st.button(_("Wait"), key=f"{key}-wait", on_click=_forget)
        return
    st.button(
        words,
        key=key,
        type="primary" if is_first else "secondary",
        icon=":material/arrow_forward:" if is_first else None,
        shortcut=shortcut,
        on_click=_press_or_ask,
        args=(asked, missing, press),
    )


def _press_or_ask(asked: str, missing: Callable[[], str], press: Callable[[], None]) -> None:
    # Asked as it is pressed: a page is not drawn anew for each ballot.
    if missing():
        st.session_state[_ASKS] = asked
    else:
        _pressed(press)


def _forget() -> None:
    st.session_state.pop(_ASKS, None)


def _pressed(press: Callable[[], None]) -> None:
    _forget()
    press()
