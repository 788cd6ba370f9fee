"""`mcp` and `verify` of signed answers at the terminal: bad flags, kinds of files, and nothing imported in vain."""

import subprocess
import sys
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.cli import mcp_server
from debate_core.errors import InvalidSpec
from debate_core.host.settings import read_settings
from tests.commanding import refused
from tests.core.test_answers import KEY, data_of, signed

ROOT = Path(__file__).resolve().parents[2]
RECORD = str(ROOT / "tests" / "records" / "format1_split.jsonl")


@pytest.fixture
def answer(tmp_path: Path) -> str:
    path = tmp_path / "answer.json"
    path.write_bytes(data_of(signed()))
    return str(path)


def test_verify_recognises_an_answer(answer: str, capsys: pytest.CaptureFixture[str]):
    assert main(["verify", answer, "--key", KEY, "--asked", "q-1"]) == 0
    shown = capsys.readouterr().out
    assert "is valid: Which? adopt" in shown
    assert "asked by release-bot" in shown
    assert "not compared" not in shown
    assert main(["verify", answer, "--key", KEY]) == 0
    assert "not compared with a question" in capsys.readouterr().out


def test_refused_answer_has_exit_status_6(answer: str, capsys: pytest.CaptureFixture[str]):
    refused(["verify", answer, "--key", KEY, "--asked", "q-2"], capsys, "another question", status=6)
    refused(["verify", answer, "--key", KEY, "--max-age-s", "60"], capsys, "more than 60 s ago", status=6)
    Path(answer).write_bytes(Path(answer).read_bytes()[:300])
    refused(["verify", answer, "--key", KEY], capsys, "damaged", status=6)


def test_flags_of_the_other_kind_are_refused(answer: str, capsys: pytest.CaptureFixture[str]):
    refused(["verify", answer], capsys, "--key")
    refused(["verify", answer, "--key", KEY, "--signatures", "x"], capsys, "--signatures is for a record")
    refused(["verify", answer, "--key", "abc"], capsys, "64 hexadecimal digits")
    refused(["verify", answer, "--key", KEY, "--max-age-s", "999999999999"], capsys, "--max-age-s")
    refused(["verify", RECORD, "--asked", "q-1"], capsys, "no signed answer: --asked")


def test_mcp_refuses_an_address_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    database = tmp_path / "debates.db"
    refused(["mcp", "--db", f"sqlite:///{database}", "--app-url", "ftp://x"], capsys, "--app-url")
    assert not database.exists()


def test_mcp_without_its_package_names_the_target(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(mcp_server, "find_spec", lambda _name: None)
    refused(["mcp"], capsys, "run `make mcp`")


def test_other_commands_do_not_import_the_package():
    code = "import debate_core.__main__, sys; print(*sorted({'mcp', 'mcp_types', 'anyio'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""


def test_daily_questions_are_a_whole_number():
    assert read_settings(environ={}).daily_questions == 50
    assert read_settings(environ={"DEBATE_DAILY_QUESTIONS": "0"}).daily_questions == 0
    with pytest.raises(InvalidSpec, match="DEBATE_DAILY_QUESTIONS must be a whole number"):
        read_settings(environ={"DEBATE_DAILY_QUESTIONS": "many"})
