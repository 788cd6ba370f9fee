"""Texts of a debate go before redraws of pages: both share one processor, and a message takes only a moment of it.

A thread that draws a page gets the processor at every message that the event loop sends, and keeps it for up to five
milliseconds. So a text would reach two hundred viewers a second late. Here a redraw pauses while messages go out.
"""

import time

GAP_S = 0.002
"""Without a message for this time, nothing goes out."""
_PAUSE_S = 0.001


class _Sending:
    latest_s = 0.0


def note_text() -> None:
    """Note that a message goes out now."""
    _Sending.latest_s = time.monotonic()


def wait_for_texts(at_most_s: float) -> float:
    """Wait while messages go out; returns the seconds that this took."""
    begun = now = time.monotonic()
    while now - _Sending.latest_s < GAP_S and now - begun < at_most_s:
        time.sleep(_PAUSE_S)
        now = time.monotonic()
    return now - begun
