"""The end of a process that was told to end, and of one that does so too slowly for whoever told it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def second_signal_kills() -> Iterator[None]:
    """Within the block SIGTERM and Ctrl-C end this process at once. Nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
