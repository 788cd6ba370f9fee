"""A copy of the program, in which tests take the steps of a page of CONTRIBUTING.md."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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


def python(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy."""
    env = {**os.environ, "HYPOTHESIS_PROFILE": "quick"}
    return subprocess.run([sys.executable, *arguments], cwd=copy, env=env, capture_output=True, text=True, check=False)


def run_tests(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy."""
    return python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)
