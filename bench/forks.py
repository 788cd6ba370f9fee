"""Runs tests in forks of one process that has collected them; each fork may have one fault in its code.

All forks share the imported modules and collected tests, so a fork costs little more than the tests that it runs.
"""

import gc
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from importlib.abc import SourceLoader
from importlib.machinery import SourceFileLoader
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType, FunctionType

import pytest

OUTSIDE = (-signal.SIGTERM, -signal.SIGINT, -signal.SIGKILL)
"""Exit codes of a fork that was killed from outside, which is no failed test."""
ASLEEP = 20
"""Wall-clock limit of a fork, as a multiple of its CPU limit."""


@dataclass(frozen=True)
class Collected:
    """A pytest plugin that passes the collected tests to `use` instead of running all of them."""

    use: Callable[[pytest.Session], None]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Replace the test loop of pytest."""
        self.use(session)
        return True


def collect(arguments: list[str], use: Callable[[pytest.Session], None]) -> None:
    """Collect tests without output, and pass them to `use`."""
    plain = ["-q", "-p", "no:cacheprovider", "--assert=plain", "--tb=native", *arguments]
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        pytest.main(plain, plugins=[Collected(use)])


def all_pass(session: pytest.Session, items: Sequence[pytest.Item]) -> bool:
    """Run these tests in order until one fails; True if all pass."""
    for item, following in pairwise([*items, None]):
        if session.testsfailed:
            break
        assert item is not None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return session.testsfailed == 0


def in_forks(tasks: Sequence[Callable[[], bool]], cpu_s: Sequence[float], jobs: int) -> Iterator[tuple[int, bool]]:
    """Run each task in a fork with a CPU limit; yields its index, and True if it returned True."""
    waiting, running = list(enumerate(tasks)), dict[int, int]()
    while waiting or running:
        while waiting and len(running) < jobs:
            place, task = waiting.pop(0)
            if (pid := os.fork()) == 0:
                _do(task, cpu_s[place])
            running[pid] = place
        pid, status = os.wait()
        exit_code = os.waitstatus_to_exitcode(status)
        if exit_code in OUTSIDE:
            raise SystemExit("a fork was ended from outside")
        yield running.pop(pid), exit_code == 0


def _do(task: Callable[[], bool], cpu_s: float) -> None:
    """Run the task in the fork, which ends here."""
    exit_code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s), resource.RLIM_INFINITY))
        signal.alarm(int(cpu_s * ASLEEP))
        exit_code = 0 if task() else 1
    finally:
        os._exit(exit_code)


@dataclass
class Watch:
    """Tracer of the functions that are entered in a folder's modules, as `path:Class.method`."""

    root: Path
    folder: str
    entered: set[str] = field(default_factory=set)

    def during(self, work: Callable[[], object]) -> tuple[float, list[str]]:
        """Run this work; returns its CPU time in seconds and the functions that it entered."""
        self.entered, start = set(), time.process_time()
        sys.settrace(self._enter)
        try:
            work()
        finally:
            sys.settrace(None)
        return time.process_time() - start, sorted(self.entered)

    def _enter(self, frame: FrameType, *_: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(f"{self.root}/{self.folder}/"):
            path = code.co_filename.removeprefix(f"{self.root}/")
            self.entered.add(f"{path}:{code.co_qualname.split('.<locals>')[0]}")


def put_in(module: CodeType, function: str) -> None:
    """Replace the code of a loaded function by its code in this module, and clear all caches."""
    changed = bodies(module, function)
    for loaded in gc.get_objects():
        if type(loaded) is _lru_cache_wrapper:
            loaded.cache_clear()
        elif type(loaded) is FunctionType and _is(loaded.__code__, module, function):
            loaded.__code__ = changed[loaded.__code__.co_firstlineno]


def _is(code: CodeType, module: CodeType, function: str) -> bool:
    return code.co_filename == module.co_filename and code.co_qualname == function


def bodies(module: CodeType, function: str) -> dict[int, CodeType]:
    """Return the code of each function with this name by line: a property and its setter share a name."""
    return {code.co_firstlineno: code for code in _codes_in(module) if code.co_qualname == function}


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes_in(inner)


def load_with(module: CodeType) -> None:
    """Make later imports of the module load this code."""
    get_code = SourceFileLoader.get_code

    def code_of(loader: SourceLoader, name: str) -> CodeType | None:
        return module if loader.get_filename(name) == module.co_filename else get_code(loader, name)

    SourceFileLoader.get_code = code_of  # type: ignore[assignment, method-assign]
