"""What every command does with bad input: one sentence on standard error, status 2, nothing else anywhere."""

from pathlib import Path

import pytest

from debate_core.__main__ import main


def refused(argv: list[str], capsys: pytest.CaptureFixture[str], *words: str) -> None:
    """The command is refused with these words; nothing is printed or written in the working folder."""
    before = sorted(Path.cwd().rglob("*"))
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert "usage" not in err
    assert [w for w in words if w not in err] == [], err
    assert sorted(Path.cwd().rglob("*")) == before
