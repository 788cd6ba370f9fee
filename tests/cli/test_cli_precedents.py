"""`precedents`: a question, the list of all decisions, and bad input."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from tests.commanding import refused
from tests.core.test_precedents import write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "decisions"
    folder.mkdir()
    write(folder, 1, "Which cache do we use for orders?", ["Redis", "Memcached"])
    write(folder, 2, "Which cache do we use for orders?", ["Memcached", "Redis"])
    write(folder, 3, "How do we log?", ["JSON", "Text"])
    return folder


def test_question_prints_choice_rejection_and_reason(folder: Path, capsys: pytest.CaptureFixture[str]):
    db = f"sqlite:///{folder.parent}/none.db"
    assert main(["precedents", "log format", "--folder", str(folder), "--db", db]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "0003-record.md · 2026-01-04 · in force · How do we log?",
        "- chosen: JSON",
        "- rejected: Text (Text is slow)",
    ]
    assert not (folder.parent / "none.db").exists()


def test_setting_names_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("DEBATE_PRECEDENTS", str(folder))
    db = f"sqlite:///{folder.parent}/none.db"
    assert main(["precedents", "zebra", "--db", db]) == 0
    assert capsys.readouterr().out == "no precedent among 3 decisions\n"


def test_list_of_all_names_the_contradiction(folder: Path, capsys: pytest.CaptureFixture[str]):
    db = f"sqlite:///{folder.parent}/none.db"
    assert main(["precedents", "--folder", str(folder), "--db", db, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [decision["id"][:4] for decision in told["decisions"]] == ["0003", "0002", "0001"]
    assert told["contradictions"] == [["0002-record.md", "0001-record.md"]]


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["what?"], "there is no database"),
        (["what?", "--folder", "nowhere"], "nowhere is no folder"),
        ([" ", "--folder", "."], "a question needs 1 to 10,000 characters"),
    ],
)
def test_bad_input_is_one_sentence(
    flags: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    refused(["precedents", *flags, "--db", f"sqlite:///{tmp_path}/none.db"], capsys, why)
