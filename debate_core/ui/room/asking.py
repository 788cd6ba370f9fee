"""A button that asks back once where somebody is missing, and the setting that takes single keys off all buttons.

Knows no rules: who is missing is said by its caller in one sentence.
"""

from collections.abc import Callable

import streamlit as st

from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_text

_ASKS = "asks_first"


def button(
    words: str,
    *,
    key: str,
    missing: str,
    anyway: str,
    press: Callable[[], None],
    shortcut: str | None = None,
) -> None:
    """One primary button; with somebody `missing` it says who first, and *anyway* does it after all."""
    asked = f"{key} {words}"
    if missing and st.session_state.get(_ASKS) == asked:
        with st.container(key=f"{key}-asks"):
            st.warning(f"**{safe_text(missing)}** {safe_text(anyway)}?", icon=":material/group:")
            with st.container(horizontal=True, gap="small"):
                st.button(anyway, key=f"{key}-anyway", type="primary", on_click=_pressed, args=(press,))
                st.button("Wait", key=f"{key}-wait", on_click=_forget)
        return
    st.button(
        words,
        key=key,
        type="primary",
        icon=":material/arrow_forward:",
        shortcut=shortcut,
        on_click=_ask if missing else _pressed,
        args=(asked,) if missing else (press,),
    )


def _ask(asked: str) -> None:
    st.session_state[_ASKS] = asked


def _forget() -> None:
    st.session_state.pop(_ASKS, None)


def _pressed(press: Callable[[], None]) -> None:
    _forget()
    press()


def single_key(state: State, me: Me, key: str) -> str | None:
    """The key of a button, unless this person has switched single keys off."""
    return key if key and are_keys_on(state, me) else None


def are_keys_on(state: State, me: Me) -> bool:
    """True until this person switches them off; the server remembers it."""
    place = _kept_as(state, me)
    if place not in st.session_state:
        st.session_state[place] = session.host().drafts.text(place) or "on"
    return bool(st.session_state[place] == "on")


def keys_setting(state: State, me: Me) -> None:
    """The switch, for whoever has buttons with keys."""
    st.toggle(
        "Single keys: N next, P pause, E one minute more",
        value=are_keys_on(state, me),
        key="single-keys",
        on_change=_switch,
        args=(_kept_as(state, me),),
        help="Switch them off if you dictate, or if keys are pressed by mistake. Tab reaches every button.",
    )


def _switch(place: str) -> None:
    st.session_state[place] = "on" if st.session_state["single-keys"] else "off"
    session.host().drafts.save(place, st.session_state[place])


def _kept_as(state: State, me: Me) -> str:
    return f"keys-{state.debate}-{me.actor}"
