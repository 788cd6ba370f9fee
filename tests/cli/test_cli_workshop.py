"""Starting the app for a whole network: who gets in how, and what the server is given."""

import os
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.cli.workshop import APP, new_host_code
from debate_core.host.settings import MIN_HOST_CODE_CHARS
from tests.commanding import refused


class Became(BaseException):
    """The process would be another program from here on."""


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """Command and environment of the program that was started in place of this one."""
    started: list[tuple[tuple[str, ...], dict[str, str]]] = []

    def become(_path: str, command: tuple[str, ...], environment: dict[str, str]) -> None:
        started.append((command, environment))
        raise Became

    monkeypatch.setattr(os, "execve", become)
    monkeypatch.setattr(os, "chdir", lambda folder: None)
    monkeypatch.delenv("DEBATE_HOST_CODE", raising=False)
    monkeypatch.setenv("DEBATE_PUBLIC_URL", "http://debates.test:9000")
    return started


def test_workshop_prints_address_picture_and_code_and_starts(became, capsys):
    with pytest.raises(Became):
        main(["workshop", "--port", "9000"])
    [(command, environment)] = became
    out = capsys.readouterr().out
    assert "http://debates.test:9000\n" in out
    assert "█" in out
    code = environment["DEBATE_HOST_CODE"]
    assert f"Host code: {code}\n" in out
    assert code not in " ".join(command)
    assert command[-5:] == (str(APP), "--server.address", "0.0.0.0", "--server.port", "9000")


def test_a_code_of_ones_own_is_kept(became, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setenv("DEBATE_HOST_CODE", "our own code")
    with pytest.raises(Became):
        main(["workshop"])
    assert became[0][1]["DEBATE_HOST_CODE"] == "our own code"
    assert "Host code: our own code\n" in capsys.readouterr().out


def test_codes_are_long_enough_and_never_the_same():
    codes = {new_host_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) >= MIN_HOST_CODE_CHARS for code in codes)


@pytest.mark.parametrize("port", ["0", "65536"])
def test_a_port_that_is_none_is_refused(became, capsys, port: str):
    refused(["workshop", "--port", port], capsys, f"--port must be from 1 to 65535, not {port}")
    assert became == []
