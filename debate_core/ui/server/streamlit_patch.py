"""Two mends of Streamlit's, until it does so itself: for a press that comes too soon, and for a page that was left.

What a press does runs before the page is drawn. If another message came from the browser in that moment (the transcript
tells of news, somebody types on), Streamlit would break it off at its next look at the session, and the press would be
forgotten. It is carried out to its end first.

A fragment may ask to be drawn anew (by a timer, or as the transcript tells of news) in the moment in which the server
turns to another page. Streamlit would run it under the address of the page that was left, and the browser would clear
the page it has just shown. It is not run.
"""

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

_run = ScriptRunner._run_script
_break_off = ScriptRunner._maybe_handle_execution_control_request


def _run_unless_left(runner: ScriptRunner, asked: RerunData) -> None:
    here = runner._pages_manager.current_page_script_hash
    if asked.fragment_id_queue and asked.page_script_hash not in ("", here):
        return
    _run(runner, asked)


def _break_off_unless_pressed(runner: ScriptRunner) -> None:
    drawing = get_script_run_ctx()
    if drawing is None or drawing.has_script_started:
        _break_off(runner)


def apply() -> None:
    """From now on, for every visitor of this process."""
    ScriptRunner._run_script = _run_unless_left  # type: ignore[method-assign, assignment]
    ScriptRunner._maybe_handle_execution_control_request = _break_off_unless_pressed  # type: ignore[method-assign, assignment]
