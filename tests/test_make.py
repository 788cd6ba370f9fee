"""`make test` with tools that say what they are told to: a check that fails beside the tests fails the run, loudly."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CLOSING = "4 passed in 0.01s"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment is up to date, and in which every tool is content."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in (
        "requirements.lock",
        "requirements-server.lock",
        "requirements-mcp.lock",
        "requirements-dev.lock",
        ".venv/tools",
    ):
        (tmp_path / name).touch()
    for name in ("ruff", "mypy", "lint-imports"):
        is_told(tools / name, f"{name} is content", 0)
    is_told(tools / "python", CLOSING, 0)
    return tmp_path


def is_told(tool: Path, says: str, code: int) -> None:
    tool.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n", "utf-8")
    tool.chmod(0o755)


def make_test(checkout: Path) -> "subprocess.CompletedProcess[str]":
    outer = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    return subprocess.run(["make", "test"], cwd=checkout, env=outer, capture_output=True, text=True, check=False)


def test_a_passing_run_ends_with_the_closing_line_of_pytest(checkout: Path):
    done = make_test(checkout)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == CLOSING


@pytest.mark.parametrize("tool", ["ruff", "mypy", "lint-imports", "python"])
def test_a_tool_that_finds_something_fails_the_run_and_is_heard(checkout: Path, tool: str):
    is_told(checkout / ".venv" / "bin" / tool, f"{tool} found a fault", 1)
    done = make_test(checkout)
    assert done.returncode != 0
    assert f"{tool} found a fault" in done.stdout
    # Only what takes no time is looked at before the tests.
    assert (CLOSING in done.stdout) == (tool in ("mypy", "lint-imports"))
