"""Workarounds for Streamlit: lost presses, reruns of a page that the user has left, and too many runs at once.

A callback of a button runs before the page is drawn. If another message of the browser arrives in that moment (news of
the transcript, further typing), Streamlit interrupts the callback and forgets the press. Here the callback finishes.

A fragment may ask for a rerun (by a timer, or by news of the transcript) in the moment in which the server switches to
another page. Streamlit would run it under the address of the old page, and the browser would clear the new page. Here
it does not run.

Streamlit runs the scripts of all sessions at the same time, each in its own thread. Here they take turns
(`script_slots`).
"""

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from debate_core.ui.server.script_slots import SLOTS

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
