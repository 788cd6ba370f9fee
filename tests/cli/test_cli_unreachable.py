"""Commands whose model server cannot be reached say so at the first failed call, and how long they go on calling."""

import contextlib
import io
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.cli.terminal import listeners
from debate_core.record.events import Event, TurnFailed
from tests.model_faults import Fault
from tests.model_server import ModelServer
from tests.monitoring import free_port

pytestmark = pytest.mark.slow
WAITING = 5


def run(base_url: str, *flags: str) -> int:
    return main(["run", "Adopt it?", "--model", "m", "--base-url", base_url, "--out", "d.jsonl", *flags])


def failures(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().err.splitlines() if "(failed)" in line]


@pytest.mark.parametrize(
    ("base_url", "said"),
    [
        ("https://models.invalid/v1", "the name of models.invalid is not found"),
        ("http://127.0.0.1:PORT/v1", "127.0.0.1:PORT refuses the connection"),
    ],
)
def test_run_says_at_once_that_nobody_answers(
    base_url: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    port = str(free_port())
    monkeypatch.setenv("DEBATE_TURN_DEADLINE_S", "2")
    assert run(base_url.replace("PORT", port)) == WAITING
    (line,) = failures(capsys)
    # `1.proposal.risk_manager.1 (failed): ...`
    assert line.split(" ")[0].split(".")[0] == "1"
    assert line.partition("(failed): ")[2].startswith(said.replace("PORT", port))
    assert line.endswith("; tries again in 1 s, for at most 2 s")


def test_deadline_of_the_line_bounds_the_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    line = f'provider = "here"\nmodel = "m"\ndialect = "chat"\nbase_url = "http://127.0.0.1:{free_port()}/v1"'
    (tmp_path / "panels.toml").write_text(f'[lines.m]\n{line}\ndeadline_s = 3\n[panels.p]\ndebaters = ["m"]\n', "utf-8")
    monkeypatch.setenv("DEBATE_PANELS", str(tmp_path / "panels.toml"))
    assert main(["run", "Adopt it?", "--panel", "p", "--out", "d.jsonl"]) == WAITING
    (said,) = failures(capsys)
    assert said.endswith("; tries again in 1 s, for at most 3 s")


def test_refusal_for_good_promises_no_attempt(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    server.set(faults=[Fault("401")])
    assert run(server.base_url("chat")) == WAITING
    said = failures(capsys)
    assert said != []
    assert [line for line in said if "again" in line] == []


def test_terminal_says_when_the_next_attempt_is():
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    body = TurnFailed(
        request="1.opening.risk.1", error="failed", message="no answer", transport=True, retry_after_ms=2_000
    )
    with contextlib.redirect_stderr(Terminal()) as screen:
        _on_text, on_events = listeners({}, lambda request: 30 if request.seat == "risk" else 120)
        on_events([Event("d", 1, "2026-01-01T00:00:00Z", "risk", "turn_failed", "", body, "", "", "")])
    assert "1.opening.risk.1 (failed: no answer; tries again in 2 s, for at most 30 s)" in screen.getvalue()


def test_baselines_say_why_a_call_fails(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    flags = ("--rounds", "1", "--baselines", "single_call")
    assert run(server.base_url("chat"), *flags) == 0
    n_calls = len(server.log)
    assert failures(capsys) == []
    server.reset(votes=["adopt"], faults=[Fault("closed", at=(n_calls,))])
    assert run(server.base_url("chat"), *flags) == 0
    (said,) = failures(capsys)
    assert said.endswith("closed the connection without an answer; tries again in 1 s")
