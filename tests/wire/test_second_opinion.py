"""A few of the faults once more, against a fault server that somebody else wrote, where it is at hand."""

import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from debate_core.engine.audit import verify
from debate_core.record.commands import Resume
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.values import TurnError
from tests.conftest import SHARED
from tests.wire.rig import DIALECTS, HEALTHY, SPLIT, hold, panel

PROGRAM = SHARED / "tools" / "model_server.py"
ONE_FAULT: dict[str, TurnError | None] = {
    "500": "failed",
    "401": "failed",
    "html": "unparseable",
    "badjson": "unparseable",
    "garbage": "unparseable",
    "refusal": "refused",
    "length": "cut",
    "cut": "cut",
    "trunc": "cut",
    "error_event": "failed",
    "redirect": "failed",
}


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def asked(url: str, data: object = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data=body), timeout=5) as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def other_server() -> Iterator[str]:
    if not PROGRAM.is_file():
        pytest.skip("the other fault server (../shared/tools) is not beside this checkout")
    url = f"http://127.0.0.1:{(port := free_port())}"
    with subprocess.Popen([sys.executable, PROGRAM, str(port)], stdout=subprocess.DEVNULL, cwd=Path("/")) as process:
        try:
            for _ in range(100):
                try:
                    asked(f"{url}/_health")
                    break
                except OSError:
                    time.sleep(0.05)
            yield url
        finally:
            process.kill()


def other_line(url: str, dialect: Dialect) -> ModelLine:
    base_url = url if dialect == "messages" else f"{url}/v1"
    fixed = {"id": "m1", "model": "stub-a", "provider": "local", "max_tokens": 2_000}
    return ModelLine.model_validate({**fixed, "dialect": dialect, "base_url": base_url})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_one_fault_each(other_server: str, dialect: Dialect):
    for kind, error in ONE_FAULT.items():
        fault = {"kind": kind, "at": [1]}
        asked(f"{other_server}/_ctl", {"latency": 0.01, "vote": SPLIT, "fault": fault, "retry_after": "0.05"})
        held = asyncio.run(hold(panel(other_line(other_server, dialect))))
        assert verify(held.events) == ()
        # Each text begins with "Adopt", so a seat that votes to keep is asked which of the two it holds.
        failures = [f.error for f in held.failures() if f.error != "contradicts"]
        assert (kind, failures) == (kind, [error])
        calls = len(asked(f"{other_server}/_log")["calls"])
        assert (kind, calls, sum(u.calls for u in held.usage())) == (kind, len(held.attempts()), calls)
        assert sum(t.status == "ok" for t in held.state.turns) >= HEALTHY - 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_fault_for_ever(other_server: str, dialect: Dialect):
    ends = {"quota": "provider_down", "529": "provider_down", "empty": "unreadable", "cut": "provider_down"}
    for kind, ended_by in ends.items():
        asked(f"{other_server}/_ctl", {"latency": 0.01, "fault": {"kind": kind, "from": 1}})
        without_them = Resume(by="operator", gives_up=True)
        held = asyncio.run(hold(panel(other_line(other_server, dialect)), then=(without_them,)))
        assert held.state.outcome is not None
        assert (kind, held.state.outcome.ended_by) == (kind, ended_by)
        assert held.state.outcome.tally.cast == 0
        assert len(asked(f"{other_server}/_log")["calls"]) <= 2 * HEALTHY
