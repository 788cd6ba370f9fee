"""Waiting for what has to happen, however busy the machine is: a limit is there only for what never comes."""

import time
from collections.abc import Callable

NEVER_S = 60


def until(happened: Callable[[], object], *, within_s: float = NEVER_S) -> None:
    """Return once this is so."""
    give_up = time.monotonic() + within_s
    while not happened():
        assert time.monotonic() < give_up, "it never happened"
        time.sleep(0.01)
