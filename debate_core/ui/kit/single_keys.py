"""Buttons that a single key presses, and the setting of a person that takes these keys off them (WCAG 2.1.4)."""

from functools import partial

import streamlit as st

from debate_core.language import _
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_SETTING
from debate_core.ui.kit.session import Me


def single_key(state: State, me: Me, key: str | None) -> str | None:
    """The key of a button, unless this person has switched single keys off."""
    return key if key and are_keys_on(state, me) else None


def digit_key(state: State, me: Me, place: int) -> str | None:
    """The digit of the button at this place, the first is 0; the tenth button and those after it have none."""
    return single_key(state, me, str(place + 1)) if place < 9 else None


def are_keys_on(state: State, me: Me) -> bool:
    """True until this person switches them off; the server remembers it."""
    place = _kept_as(state, me)
    if place not in st.session_state:
        st.session_state[place] = session.kept(place) or "on"
    return bool(st.session_state[place] == "on")


def setting(state: State, me: Me) -> None:
    """The switch."""
    st.toggle(
        _("Single keys press buttons"),
        value=are_keys_on(state, me),
        key="single-keys",
        on_change=_switch,
        args=(state, me),
        help=_(
            "N next, P pause, E one minute more, 1 to 9 marks. Switch them off if you dictate, or press keys by "
            "mistake: Tab reaches every button."
        ),
    )


def _switch(state: State, me: Me) -> None:
    place = _kept_as(state, me)
    setting = "on" if st.session_state["single-keys"] else "off"
    st.session_state[place] = setting
    save = partial(session.host().drafts.save, place, setting)
    session.keep(state.debate, me, save, unsaved=UNSAVED_SETTING)


def _kept_as(state: State, me: Me) -> str:
    return f"keys-{state.debate}-{me.actor}"
