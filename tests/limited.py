"""Commands in processes with limits, forked from one that has imported the program, since importing takes long."""

import multiprocessing
import os
import resource
import sys
from contextlib import redirect_stderr
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from debate_core.__main__ import main

ROOT = Path(__file__).resolve().parents[1]
MAX_S = 120
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])


class Done(NamedTuple):
    """The exit status of a command and its standard error."""

    status: int
    stderr: str


def run_limited(*args: str, max_bytes: int = resource.RLIM_INFINITY) -> Done:
    """Run a command in a process of its own, in which no file may grow beyond `max_bytes`."""
    received, sent = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=_command, args=(args, max_bytes, sent))
    process.start()
    sent.close()
    assert received.poll(MAX_S), "the command does not end"
    done = received.recv()
    process.join(MAX_S)
    assert process.exitcode == 0
    return Done(*done)


def _command(args: tuple[str, ...], max_bytes: int, sent: Connection) -> None:
    # A limited process would leave compiled modules that are cut off.
    sys.dont_write_bytecode = True
    os.chdir(ROOT)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, max_bytes))
    with redirect_stderr(StringIO()) as stderr:
        status = main(args)
    sent.send((status, stderr.getvalue()))
