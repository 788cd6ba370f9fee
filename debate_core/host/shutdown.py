"""Ends a process that shuts down too slowly."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def second_signal_kills() -> Iterator[None]:
    """Within the block SIGTERM and Ctrl-C end this process at once. Has no effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
