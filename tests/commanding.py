"""Helpers of the command-line tests: refused input, printed JSON, model flags."""

import json
from pathlib import Path
from typing import Any

import pytest

from debate_core.__main__ import main
from debate_core.spec.models import Dialect
from tests.model_server import ModelServer


def refused(argv: list[str], capsys: pytest.CaptureFixture[str], *words: str, status: int = 2) -> None:
    """The command is refused with these words; nothing is printed or written in the working folder."""
    assert not Path("debate_core").exists(), "whoever works beside this test writes into the checkout, too"
    before = sorted(Path.cwd().rglob("*"))
    assert main(argv) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert "usage" not in err
    assert [w for w in words if w not in err] == [], err
    assert sorted(Path.cwd().rglob("*")) == before


def printed_json(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one JSON object on standard output."""
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def asking(server: ModelServer, dialect: Dialect = "chat", model: str = "some-model") -> list[str]:
    """The flags that name this server's model."""
    return ["--model", model, "--base-url", server.base_url(dialect), "--dialect", dialect]
