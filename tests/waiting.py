"""Waiting for what has to happen, however busy the machine is: a limit is there only for what never comes."""

import time
from collections.abc import Callable

NEVER_S = 60


def until(happened: Callable[[], object]) -> None:
    """Return once this is so."""
    give_up = time.monotonic() + NEVER_S
    while not happened():
        assert time.monotonic() < give_up, "it never happened"
        time.sleep(0.01)
