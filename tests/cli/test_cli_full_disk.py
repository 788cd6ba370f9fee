"""A full disk is no bad input: each command that writes exits with 1 and one sentence."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from debate_core.errors import DiskFault, Unwritable
from debate_core.host.stores.disk import kind_of_fault

ROOT = Path(__file__).resolve().parents[2]
MAX_BYTES = 4_096
"""No file may grow beyond this: the system refuses it as it refuses a write to a full disk."""
pytestmark = pytest.mark.slow


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_BYTES, MAX_BYTES))


def _run(*args: str, limited: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        # Without -B a limited process would leave compiled modules that are cut off.
        [sys.executable, "-B", "-m", "debate_core", *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=_limited if limited else None,
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record, `r.jsonl`, and a database that holds it, `kept.db`."""
    folder = tmp_path_factory.mktemp("kept")
    held = _run("run", "Q?", "--offline", "--out", str(folder / "r.jsonl"), limited=False)
    assert held.returncode == 3, held.stderr
    taken = _run("import", str(folder / "r.jsonl"), "--db", f"sqlite:///{folder}/kept.db", limited=False)
    assert taken.returncode == 0, taken.stderr
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "run Q? --offline --out {new}/r.jsonl",
        "run Q? --offline --db sqlite:///{new}/debates.db",
        "export {kept}/r.jsonl --to {new}/files",
        "import {kept}/r.jsonl --db sqlite:///{new}/debates.db",
        "migrate --db sqlite:///{new}/debates.db",
        "copy --from sqlite:///{kept}/kept.db --to sqlite:///{new}/copy.db",
        "backup --db sqlite:///{kept}/kept.db --to {new}/backup.db",
    ],
    ids=lambda command: " ".join(command.split()[:1] + command.split()[-2:-1]),
)
def test_command_on_a_full_disk_exits_with_1(command: str, kept: Path, tmp_path: Path):
    done = _run(*command.format(new=tmp_path, kept=kept).split())
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last.startswith("debate_core: "), "Traceback" in done.stderr) == (1, True, False), done
    if command.startswith("backup"):
        assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OSError(28, "No space left on device"), DiskFault),
        (OSError(122, "Disk quota exceeded"), DiskFault),
        (OSError(5, "Input/output error"), DiskFault),
        (OSError(27, "File too large"), DiskFault),
        (FileNotFoundError(2, "No such file or directory"), Unwritable),
        (PermissionError(13, "Permission denied"), Unwritable),
        (OSError(30, "Read-only file system"), Unwritable),
        (UnicodeDecodeError("ascii", b"", 0, 1, "ordinal not in range"), Unwritable),
        (RuntimeError("the disk is full"), Unwritable),
    ],
    ids=str,
)
def test_fault_is_sorted_by_cause(error: Exception, kind: type[Unwritable]):
    assert kind_of_fault(error) is kind


def test_standard_output_on_a_full_disk_exits_with_1():
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "debate_core", "protocols"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"debate_core: No space left on device\n")
