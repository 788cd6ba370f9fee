"""Workarounds for Streamlit: lost presses, reruns of a page that the user has left, and too many runs at once.

A callback of a button runs before the page is drawn. If another message of the browser arrives in that moment (news of
the transcript, further typing), Streamlit interrupts the callback and forgets the press. Here the callback finishes.

A fragment may ask for a rerun (by a timer, or by news of the transcript) in the moment in which the server switches to
another page. Streamlit would run it under the address of the old page, and the browser would clear the new page. Here
it does not run.

Streamlit runs the scripts of all sessions at the same time, each in its own thread. Here they take turns,
at most one on each core, and of redraws one at a time: more would only delay each other, and the transcripts of all
viewers would wait, too. While texts go out, a redraw pauses.

Streamlit wakes the event loop for each element of a page. Here one waking hands over all elements that wait. It also
reads the theme from its settings at each run, here only once.
"""

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from debate_core.ui.kit import text_first

MAX_WAIT_S = 0.5
"""A run keeps its slot for at most this time, so that a slow page, such as one that asks a model, holds up no other."""
MAX_PAUSE_S = 0.01
"""Time for which one redraw waits for texts in all."""


class ScriptSlots:
    """Slots for script runs, from any thread: presses before redraws, and each kind in the order of arrival."""

    def __init__(self, n_slots: int, max_wait_s: float = MAX_WAIT_S, *, n_redraws: int | None = None) -> None:
        """`n_redraws`: how many slots redraws may take; all by default."""
        self._n_slots = n_slots
        self._n_redraws = n_slots if n_redraws is None else n_redraws
        self._max_wait_s = max_wait_s
        self._changed = threading.RLock()
        self._running: dict[threading.Event, _Started] = {}
        """Runs that hold a slot. A run that takes longer than a wait may last keeps none."""
        self._waiting: tuple[deque[threading.Event], deque[threading.Event]] = deque(), deque()
        """Presses and redraws that wait, each for its own event, so that a free slot wakes one thread only."""

    @contextmanager
    def slot(self, *, is_redraw: bool) -> Iterator[None]:
        """Wait for a slot, a redraw also while presses wait, and hold it for the `with` block."""
        turn = threading.Event()
        with self._changed:
            self._waiting[is_redraw].append(turn)
            self._begin_next()
        while not turn.wait(self._max_wait_s):
            with self._changed:
                self._begin_next()
        try:
            yield
        finally:
            with self._changed:
                self._running.pop(turn, None)
                self._begin_next()

    def _begin_next(self) -> None:
        """Begin the runs for which a slot is free."""
        late = time.monotonic() - self._max_wait_s
        self._running = {turn: run for turn, run in self._running.items() if run.at > late}
        for is_redraw in (False, True):
            while self._waiting[is_redraw] and self._has_slot(is_redraw=is_redraw):
                turn = self._waiting[is_redraw].popleft()
                self._running[turn] = _Started(time.monotonic(), is_redraw)
                turn.set()

    def _has_slot(self, *, is_redraw: bool) -> bool:
        if len(self._running) >= self._n_slots:
            return False
        return not is_redraw or sum(run.is_redraw for run in self._running.values()) < self._n_redraws


class _Started(NamedTuple):
    at: float
    is_redraw: bool


SLOTS = ScriptSlots(os.cpu_count() or 1, n_redraws=1)
"""Threads of Python share one processor: a second redraw at the same time would only slow down the first one."""


TRANSCRIPT = "transcript-"
"""Part of the id of the component of the transcript, from its key."""
_run = ScriptRunner._run_script
_break_off = ScriptRunner._maybe_handle_execution_control_request


class _Redraw(threading.local):
    """The time for which the redraw of this thread may still wait for texts; 0 in runs of other kinds."""

    may_wait_s = 0.0


_redraw = _Redraw()


def _run_unless_left(runner: ScriptRunner, asked: RerunData) -> None:
    here = runner._pages_manager.current_page_script_hash
    if asked.fragment_id_queue and asked.page_script_hash not in ("", here):
        return
    is_redraw = _is_redraw(asked)
    with SLOTS.slot(is_redraw=is_redraw):
        _redraw.may_wait_s = MAX_PAUSE_S if is_redraw else 0.0
        _run(runner, asked)


def _is_redraw(asked: RerunData) -> bool:
    """True if news of the transcript asks for the run, and no person."""
    widgets = asked.widget_states.widgets if asked.widget_states else ()
    return any(widget.json_trigger_value and TRANSCRIPT in widget.id for widget in widgets)


def _break_off_unless_pressed(runner: ScriptRunner) -> None:
    if _redraw.may_wait_s > 0:
        _redraw.may_wait_s -= text_first.wait_for_texts(_redraw.may_wait_s)
    drawing = get_script_run_ctx()
    if drawing is None or drawing.has_script_started:
        _break_off(runner)


class _LoopCalls:
    """Calls that wait for the event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []

    def add(self, call: Callable[[], None]) -> bool:
        """Add a call, from any thread. True if it is the first one: then the loop must be woken."""
        with self._lock:
            self._calls.append(call)
            return len(self._calls) == 1

    def run(self) -> None:
        """Let the loop make all of them, in order."""
        with self._lock:
            calls, self._calls = self._calls, []
        loop = asyncio.get_running_loop()
        for call in calls:
            loop.call_soon(call)


def _call_soon(session: AppSession, callback: Callable[[], None]) -> None:
    waiting = session.__dict__.setdefault("_handed_over", _LoopCalls())
    if waiting.add(callback):
        _hand_over(session, waiting.run)


_hand_over = AppSession._call_soon_on_event_loop


def _fill_theme(msg: CustomThemeConfig, section: str = "theme") -> None:
    theme = _theme(section)
    # Merging nothing would mark the section as given.
    if theme.ByteSize():
        msg.MergeFrom(theme)


@cache
def _theme(section: str) -> CustomThemeConfig:
    """Read a section of the theme once for all runs, because it does not change while the server runs."""
    theme = CustomThemeConfig()
    _read_theme(theme, section)
    return theme


_read_theme = app_session._populate_theme_msg


def apply() -> None:
    """Patch Streamlit for all sessions of this process."""
    ScriptRunner._run_script = _run_unless_left  # type: ignore[method-assign, assignment]
    ScriptRunner._maybe_handle_execution_control_request = _break_off_unless_pressed  # type: ignore[method-assign, assignment]
    AppSession._call_soon_on_event_loop = _call_soon  # type: ignore[method-assign, assignment]
    app_session._populate_theme_msg = _fill_theme
