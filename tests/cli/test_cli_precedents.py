"""`precedents`: a question, the list of all decisions, and bad input."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.host import open_host
from debate_core.host.settings import read_settings
from tests.app.test_decisions import decide
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


def test_kind_adds_the_rates_and_texts_are_searched(folder: Path, capsys: pytest.CaptureFixture[str]):
    db = f"sqlite:///{folder.parent}/own.db"
    host = open_host(read_settings(db=db, environ={}))
    debate = decide(host, "Where does the queue live?", task="security")
    host.close()
    flags = ["--folder", str(folder), "--db", db]
    assert main(["precedents", "queue", "--kind", "security", *flags]) == 0
    [*_record, rates] = capsys.readouterr().out.splitlines()
    assert rates == (
        "Security: 1 decision. Too few known outcomes for a share: 0, and it needs 3. No recorded outcome: 1."
    )
    assert main(["precedents", "queue", "--kind", "contract", *flags]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no decisions of the kind contract"
    assert main(["precedents", "zebra ana", "--texts", *flags, "--json"]) == 0
    [text] = json.loads(capsys.readouterr().out)["texts"]
    assert (text["id"], text["author"], text["quote"]) == (debate, "ana", "Zebras like it, says ana")


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--texts", "--folder", "."], "--texts needs the words to search"),
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
