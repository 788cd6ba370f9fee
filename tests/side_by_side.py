"""Distribution of tests over workers: `pytest -n 3 -p tests.side_by_side`, as `make test` does.

Without it, and without workers, every test runs alone anyway.
"""

import fcntl
import os
from collections.abc import Generator

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

BROWSER_TESTS = "tests/e2e/"
HALFWAY = BROWSER_TESTS + "test_p"


class TwoBrowsers(LoadScopeScheduling):  # type: ignore[misc]
    """Every test goes to whichever worker is free, but those that drive a browser, which are begun first, to two."""

    def _split_scope(self, nodeid: str) -> str:
        if not nodeid.startswith(BROWSER_TESTS):
            return nodeid
        # Halves of about the same length.
        return "browser 1" if nodeid < HALFWAY else "browser 2"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> TwoBrowsers:
    """Marks of groups would say the same, but this pytest and this xdist do not understand each other there."""
    return TwoBrowsers(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """While a test that measures time is running, no other worker runs any. Tests in a browser go first."""
    # The browser tests are the longest chain: other workers use what it leaves of the processors.
    if not item.nodeid.startswith(BROWSER_TESTS) and os.nice(0) == 0:
        os.nice(10)
    folder = item.config.cache.mkdir("alone")
    how = fcntl.LOCK_EX if item.get_closest_marker("alone") else fcntl.LOCK_SH
    with (folder / "room").open("w") as room:
        # Whoever waits for an empty room stands in its door, so that nobody goes in before them.
        with (folder / "door").open("w") as door:
            fcntl.flock(door, fcntl.LOCK_EX)
            fcntl.flock(room, how)
        try:
            return (yield)
        finally:
            fcntl.flock(room, fcntl.LOCK_UN)
