"""A copy of the program, in which tests take the steps of a page of CONTRIBUTING.md."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
Ran = subprocess.CompletedProcess[str]
FOLDERS = ("debate_core", "tests", "bench", "pages", "docs")


def copy_to(folder: Path) -> Path:
    """Copy the program and its tests, with compiled modules, so that the copy starts fast."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name)
    for name in ("pyproject.toml", "app.py"):
        shutil.copy(ROOT / name, folder)
    return folder


def insert(path: Path, text: str, *, before: str) -> None:
    """Take a step: put text into a file, before text that is there once."""
    old = path.read_text("utf-8")
    assert old.count(before) == 1, f"{path.name} has changed: is the step in CONTRIBUTING still true?"
    path.write_text(old.replace(before, text + before), "utf-8")


def python(copy: Path, *arguments: str) -> Ran:
    """Run Python in the copy."""
    env = {**os.environ, "HYPOTHESIS_PROFILE": "quick"}
    return subprocess.run([sys.executable, *arguments], cwd=copy, env=env, capture_output=True, text=True, check=False)


def run_tests(copy: Path, *arguments: str) -> Ran:
    """Run tests of the copy."""
    return python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)


_COMMANDS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from debate_core.__main__ import main

ran = []
for command in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main(command)
    ran.append((command, status, out.getvalue(), err.getvalue()))
print(json.dumps(ran))
"""


def commands(copy: Path, *given: list[str]) -> list[Ran]:
    """Run commands of the program in the copy, one after the other in one process."""
    ran = python(copy, "-c", _COMMANDS, json.dumps(given))
    assert ran.returncode == 0, ran.stderr
    return [Ran(*each) for each in json.loads(ran.stdout)]
