"""Buttons whose press is acted on while the page is drawn, and that lose no press.

A page that is drawn anew before it has come to such a button would draw it as one that nobody has pressed. Where the
press only changes what is kept, `on_click` of the button does, and nothing of this is needed.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from debate_core.errors import DebateError

GOOD_FOR_S = 60.0
"""A press that no drawing of its page came to is forgotten after this: the person has gone somewhere else."""
LOOK_S = 0.1
"""How often what takes long looks whether something else was pressed."""
T = TypeVar("T")


def pressed(
    label: str, *, key: str, place: DeltaGenerator | None = None, may: Callable[[], bool] | None = None, **button: Any
) -> bool:
    """A button, here or in `place`; True once after each press. `button`: as `st.button` takes it.

    `may` is asked as it is pressed; if it returns False, the press is dropped. It says why.
    """
    draw = place.button if place else st.button
    draw(label, key=key, on_click=_note_if, args=(key, label, may), **button)
    return bool(taken(key))


def pressed_until_done(label: str, *, key: str, **button: Any) -> bool:
    """The same for what takes a while, and may be begun again: True until `done`, whatever is drawn meanwhile."""
    st.button(label, key=key, on_click=note, args=(key, label), **button)
    return bool(_noted(key))


def done(key: str) -> None:
    """What a press asked for has been done."""
    taken(key)


def while_others_are_heard(work: Callable[[], T]) -> T:
    """What `work` returns or raises, which takes long and asks nothing of the page.

    It is done beside the drawing: whoever presses something else meanwhile waits no longer than for `LOOK_S`, and what
    comes of `work` is left behind.
    """
    result: Future[T] = Future()
    # The server does not wait for it either when it ends.
    Thread(target=copy_context().run, args=(_finish, work, result), daemon=True).start()
    while wait([result], LOOK_S).not_done:
        _hear()
    return result.result()


def _finish(work: Callable[[], T], result: Future[T]) -> None:
    try:
        result.set_result(work())
    except DebateError as error:
        result.set_exception(error)
    finally:
        if not result.done():
            # An error of the program: the server's log has it.
            result.set_exception(RuntimeError("what was to be done beside the page has failed"))


def _hear() -> None:
    """Streamlit draws the page anew here if something was pressed: it looks whenever it is asked for what is kept."""
    st.session_state.get(_name(""))


def submitted(
    label: str, *, key: str, place: DeltaGenerator | None = None, may: Callable[[], bool] | None = None, **button: Any
) -> bool:
    """The same for the button of a form."""
    submit = place.form_submit_button if place else st.form_submit_button
    submit(label, key=key, on_click=_note_if, args=(key, label, may), **button)
    return bool(taken(key))


def _note_if(key: str, what: str, may: Callable[[], bool] | None) -> None:
    if may is None or may():
        note(key, what)


def note(key: str, what: str) -> None:
    """Something was pressed: to be called before the page is drawn."""
    st.session_state[_name(key)] = what, time.monotonic()


def taken(key: str) -> str:
    """What was pressed and not acted on yet, once; empty if nothing was."""
    what = _noted(key)
    st.session_state.pop(_name(key), None)
    return what


def _noted(key: str) -> str:
    what, at = st.session_state.get(_name(key), ("", 0.0))
    return what if time.monotonic() - at < GOOD_FOR_S else ""


def _name(key: str) -> str:
    return f"pressed {key}"
