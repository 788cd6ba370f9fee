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


class OneBrowser(LoadScopeScheduling):  # type: ignore[misc]
    """Every file goes to whichever worker is free, but those that drive a browser, which are begun first, to one.

    Tests of a file share what is dear to make: syntax trees, catalogues, played debates, pages that are compiled.
    """

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith(BROWSER_TESTS) else nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser:
    """Marks of groups would say the same, but this pytest and this xdist do not understand each other there."""
    # In the order of `pytest_collection_modifyitems`.
    config.option.loadscopereorder = False
    return OneBrowser(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests in a browser first, and then files with slow tests, so that no worker is left with one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (not item.nodeid.startswith(BROWSER_TESTS), item.path not in slow))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, object, object]:
    """Let one worker at a time import a file or a folder: the first one compiles it, and the others read the result."""
    if not isinstance(collector, pytest.File | pytest.Directory):
        return (yield)
    name = f"{collector.nodeid.replace('/', '-')}.lock"
    with (collector.config.cache.mkdir("imports") / name).open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        return (yield)


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
