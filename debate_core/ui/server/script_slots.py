"""At most as many script runs at once as the machine has cores, and what people press before redraws.

More runs at once only delay each other: they share one interpreter, and the transcripts of all viewers wait for it too.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

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
