"""Workarounds for Streamlit: lost presses, reruns of a page that the user has left, and too many runs at once.

A callback of a button runs before the page is drawn. If another message of the browser arrives in that moment (news of
the transcript, further typing), Streamlit interrupts the callback and forgets the press. Here the callback finishes.

A fragment may ask for a rerun (by a timer, or by news of the transcript) in the moment in which the server switches to
another page. Streamlit would run it under the address of the old page, and the browser would clear the new page. Here
it does not run.

Streamlit runs the scripts of all sessions at the same time, each in its own thread. Here they take turns,
at most one on each core: more would only delay each other, and the transcripts of all viewers would wait, too.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

MAX_WAIT_S = 0.5
"""A run begins at the latest after this time, so that a slow page, such as one that asks a model, holds up no other."""


class ScriptSlots:
    """Slots for script runs, from any thread."""

    def __init__(self, n_slots: int, max_wait_s: float = MAX_WAIT_S) -> None:
        self._n_slots = n_slots
        self._max_wait_s = max_wait_s
        self._changed = Condition()
        self._n_running = 0
        self._n_pressed = 0
        """Presses that wait."""

    @contextmanager
    def slot(self, *, is_redraw: bool) -> Iterator[None]:
        """Wait for a slot, a redraw also while presses wait, and hold it for the `with` block."""
        with self._changed:
            self._n_pressed += not is_redraw
            until = time.monotonic() + self._max_wait_s
            while self._is_busy(is_redraw=is_redraw) and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            self._n_pressed -= not is_redraw
            self._n_running += 1
            # Redraws that waited only for this press may begin, if there are more slots.
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._n_running -= 1
                self._changed.notify_all()

    def _is_busy(self, *, is_redraw: bool) -> bool:
        return self._n_running >= self._n_slots or (is_redraw and self._n_pressed > 0)


SLOTS = ScriptSlots(os.cpu_count() or 1)


TRANSCRIPT = "transcript-"
"""Part of the id of the component of the transcript, from its key."""
_run = ScriptRunner._run_script
_break_off = ScriptRunner._maybe_handle_execution_control_request


def _run_unless_left(runner: ScriptRunner, asked: RerunData) -> None:
    here = runner._pages_manager.current_page_script_hash
    if asked.fragment_id_queue and asked.page_script_hash not in ("", here):
        return
    with SLOTS.slot(is_redraw=_is_redraw(asked)):
        _run(runner, asked)


def _is_redraw(asked: RerunData) -> bool:
    """True if news of the transcript asks for the run, and no person."""
    widgets = asked.widget_states.widgets if asked.widget_states else ()
    return any(widget.json_trigger_value and TRANSCRIPT in widget.id for widget in widgets)


def _break_off_unless_pressed(runner: ScriptRunner) -> None:
    drawing = get_script_run_ctx()
    if drawing is None or drawing.has_script_started:
        _break_off(runner)


def apply() -> None:
    """Patch Streamlit for all sessions of this process."""
    ScriptRunner._run_script = _run_unless_left  # type: ignore[method-assign, assignment]
    ScriptRunner._maybe_handle_execution_control_request = _break_off_unless_pressed  # type: ignore[method-assign, assignment]
