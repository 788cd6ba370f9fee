"""Buttons that lose no click when a redraw overtakes the run that should handle it.

Streamlit reports a click only to the next run. If that run is replaced before it reaches the button, the click is lost.
These buttons store the click until a run handles it. A button that only changes stored data needs just `on_click`.
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
"""An unhandled click expires after this time: the person has left the page."""
LOOK_S = 0.1
"""Interval in which a long task looks for other clicks."""
T = TypeVar("T")


def pressed(
    label: str, *, key: str, place: DeltaGenerator | None = None, may: Callable[[], bool] | None = None, **button: Any
) -> bool:
    """Draw a button, here or in `place`, and return True once after each click. `button`: arguments of `st.button`.

    `may` is called at the click. If it returns False, the click is ignored; `may` itself reports the reason.
    """
    draw = place.button if place else st.button
    draw(label, key=key, on_click=_note_if, args=(key, label, may), **button)
    return bool(taken(key))


def pressed_until_done(label: str, *, key: str, **button: Any) -> bool:
    """Draw a button for a long task that can be restarted: return True until `done` is called."""
    st.button(label, key=key, on_click=note, args=(key, label), **button)
    return bool(_noted(key))


def done(key: str) -> None:
    """Mark the task of `pressed_until_done` as done."""
    taken(key)


def while_others_are_heard(work: Callable[[], T]) -> T:
    """Run a long task in a thread, and return or raise its result. The task must not use Streamlit.

    Another click interrupts the page within `LOOK_S`; the result of `work` is then ignored.
    """
    result: Future[T] = Future()
    # A daemon thread: the server does not wait for it at shutdown.
    Thread(target=copy_context().run, args=(_finish, work, result), daemon=True).start()
    while wait([result], LOOK_S).not_done:
        # Streamlit restarts the page here after a click: it checks for one at each access to the session state.
        st.session_state.get(_name(""))
    return result.result()


def _finish(work: Callable[[], T], result: Future[T]) -> None:
    try:
        result.set_result(work())
    except DebateError as error:
        result.set_exception(error)
    finally:
        if not result.done():
            # A bug: the server log has the traceback.
            result.set_exception(RuntimeError("a background task of the page has failed"))


def submitted(
    label: str, *, key: str, place: DeltaGenerator | None = None, may: Callable[[], bool] | None = None, **button: Any
) -> bool:
    """Draw the button of a form; otherwise like `pressed`."""
    submit = place.form_submit_button if place else st.form_submit_button
    submit(label, key=key, on_click=_note_if, args=(key, label, may), **button)
    return bool(taken(key))


def _note_if(key: str, what: str, may: Callable[[], bool] | None) -> None:
    if may is None or may():
        note(key, what)


def note(key: str, what: str) -> None:
    """Store a click, in a callback."""
    st.session_state[_name(key)] = what, time.monotonic()


def taken(key: str) -> str:
    """Remove and return the stored click; empty if there is none."""
    what = _noted(key)
    st.session_state.pop(_name(key), None)
    return what


def _noted(key: str) -> str:
    what, at = st.session_state.get(_name(key), ("", 0.0))
    return what if time.monotonic() - at < GOOD_FOR_S else ""


def _name(key: str) -> str:
    return f"pressed {key}"
