"""Servers for the browser tests as forks of one process that has imported the program.

A new Python process needs three seconds of CPU time for these imports, a fork 20 milliseconds. A fork runs the command
line of `make run`, which imports as much before its first visitor.
"""

import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPORTED = ("streamlit.web.cli", "streamlit.web.bootstrap", "uvicorn", "debate_core.ui.server.launch")
_starting = threading.Lock()
_forks = set[int]()
_parent: "subprocess.Popen[str] | None" = None


@dataclass(frozen=True, slots=True)
class Forked:
    """A process that is no child of this one: the part of `subprocess.Popen` that tests use, without an exit code."""

    pid: int
    _end: int
    """A descriptor that can be read when the process has ended."""

    def has_ended(self, timeout: float = 0) -> bool:
        return bool(select.select([self._end], [], [], timeout)[0])

    def poll(self) -> int | None:
        return 0 if self.has_ended() else None

    def wait(self, timeout: float) -> None:
        if not self.has_ended(timeout):
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)

    def send_signal(self, number: int) -> None:
        if not self.has_ended():
            signal.pidfd_send_signal(self._end, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def fork(arguments: Sequence[str], env: Mapping[str, str], log: Path) -> Forked:
    """Run `python -m streamlit` with these arguments in a fork."""
    global _parent
    with _starting:
        if _parent is None:
            command = [sys.executable, "-m", "tests.e2e.fork_server"]
            _parent = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert _parent.stdin
        assert _parent.stdout
        print(json.dumps([[*arguments], {**env}, str(log)]), file=_parent.stdin, flush=True)
        pid = int(_parent.stdout.readline())
    return Forked(pid, os.pidfd_open(pid))


def end() -> None:
    """End the process that has imported the program, after its forks."""
    global _parent
    if _parent is not None:
        _parent.communicate(timeout=60)
        _parent = None


def _become_server(arguments: list[str], env: dict[str, str], log: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for to, source in enumerate((nothing, output, output)):
        os.dup2(source, to)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["streamlit", *arguments]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _reap(*_: object) -> None:
    """Count the CPU time of forks that have ended as that of this process."""
    with suppress(ChildProcessError):
        while ended := os.waitpid(-1, os.WNOHANG)[0]:
            _forks.discard(ended)


def main() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    from debate_core import ui

    for module in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        importlib.import_module(module.name)
    # A collection in a fork would copy the memory that it shares.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        if pid := os.fork():
            _forks.add(pid)
            print(pid, flush=True)
        else:
            _become_server(*json.loads(line))
            os._exit(0)
    # The tests were killed, and with them what would have ended their servers.
    for pid in [*_forks]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


if __name__ == "__main__":
    main()
