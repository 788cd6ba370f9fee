"""What a page asks for after it was left is not drawn: a mend of Streamlit's, until it does so itself.

A fragment may ask to be drawn anew (by a timer, or as the transcript tells of news) in the moment in which the server
turns to another page. Streamlit would run it under the address of the page that was left, and the browser would clear
the page it has just shown.
"""

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

_run = ScriptRunner._run_script


def _run_unless_left(runner: ScriptRunner, asked: RerunData) -> None:
    here = runner._pages_manager.current_page_script_hash
    if asked.fragment_id_queue and asked.page_script_hash not in ("", here):
        return
    _run(runner, asked)


def discard() -> None:
    """From now on, for every visitor of this process."""
    ScriptRunner._run_script = _run_unless_left  # type: ignore[method-assign, assignment]
