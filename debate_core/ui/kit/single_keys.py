"""Single-key shortcuts of buttons, and the personal setting that disables them (WCAG 2.1.4)."""

from functools import partial

import streamlit as st

from debate_core.language import _
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_SETTING
from debate_core.ui.kit.session import Me


def single_key(state: State, me: Me, key: str | None) -> str | None:
    """Return the shortcut of a button, or None if the person has disabled shortcuts."""
    return key if key and are_keys_on(state, me) else None


def digit_key(state: State, me: Me, place: int) -> str | None:
    """Return the digit for a button, counted from 0; the tenth button and later ones have none."""
    return single_key(state, me, str(place + 1)) if place < 9 else None


def are_keys_on(state: State, me: Me) -> bool:
    """Return the setting stored on the server; shortcuts are enabled by default."""
    place = _stored_name(state, me)
    if place not in st.session_state:
        st.session_state[place] = session.kept(place) or "on"
    return bool(st.session_state[place] == "on")


def setting(state: State, me: Me) -> None:
    """Draw the switch for shortcuts."""
    st.toggle(
        _("Single keys press buttons"),
        value=are_keys_on(state, me),
        key="single-keys",
        on_change=_save_setting,
        args=(state, me),
        help=_(
            "N next, P pause, E one minute more, 1 to 9 marks; for a judge N next turn, P previous turn. Switch them "
            "off if you dictate, or press keys by mistake: Tab reaches every button."
        ),
    )


def _save_setting(state: State, me: Me) -> None:
    place = _stored_name(state, me)
    setting = "on" if st.session_state["single-keys"] else "off"
    st.session_state[place] = setting
    save = partial(session.host().drafts.save, place, setting)
    session.keep(state.debate, me, save, unsaved=UNSAVED_SETTING)


def _stored_name(state: State, me: Me) -> str:
    return f"keys-{state.debate}-{me.actor}"
