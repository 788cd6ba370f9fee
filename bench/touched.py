"""Which test enters which function: a plugin of pytest for `bench/mutants.py`, which says what it wants by environment.

`TOUCHED_OUT`: every test is watched, and this file gets one JSON line a test: its id, seconds and functions.
`TOUCHED_ONLY`: only the tests of this list are run, one id a line, in its order, with so much CPU time in all that
a test that hangs is ended: `TOUCHED_CPU_S`.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Generator
from pathlib import Path
from types import FrameType

import pytest

HERE = f"{Path.cwd()}/"
WATCHED = f"{HERE}debate_core/"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down what the test entered."""
    out = os.environ.get("TOUCHED_OUT")
    if not out:
        return (yield)
    entered = set[str]()

    def enter(frame: FrameType, *_: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(WATCHED):
            entered.add(f"{code.co_filename.removeprefix(HERE)}:{code.co_qualname.split('.<locals>')[0]}")

    start = time.process_time()
    sys.settrace(enter)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        row = {"test": item.nodeid, "seconds": time.process_time() - start, "entered": sorted(entered)}
        with Path(out).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep what is wanted, in the order in which it is wanted."""
    if wanted := os.environ.get("TOUCHED_ONLY"):
        place = {test: n for n, test in enumerate(Path(wanted).read_text("utf-8").splitlines())}
        items[:] = sorted((i for i in items if i.nodeid in place), key=lambda item: place[item.nodeid])
        limit_s = int(time.process_time() + float(os.environ["TOUCHED_CPU_S"]))
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
