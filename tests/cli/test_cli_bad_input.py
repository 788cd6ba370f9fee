"""Bad input: one sentence on standard error, status 2, nothing on standard output, nothing written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commanding import refused
from tests.holding import SEATS, Said, script, steady

ROOT = Path(__file__).resolve().parents[2]
JUDGE, FOR = {"id": "judge", "role": "judge"}, {"id": "a", "stance": "adopt"}
GOOD = script(steady(dict.fromkeys(SEATS, "release")))


OFFLINE = ["--offline", "--json"]
FLAGS: list[tuple[list[str], str]] = [
    (["run", "Q?", "--json"], "no seat has an occupant"),
    (["run", *OFFLINE], "there is no question"),
    (["run", "", *OFFLINE], "question is empty"),
    (["run", "   ", *OFFLINE], "question is empty"),
    (["run", "Q?" * 2000, *OFFLINE], "question"),
    (["run", "Q?", "--options", "one", *OFFLINE], "2 to 8 options"),
    (["run", "Q?", "--options", "", *OFFLINE], "2 to 8 options"),
    (["run", "Q?", "--options", "a,,b", *OFFLINE], "empty"),
    (["run", "Q?", "--options", "a,A", *OFFLINE], "named twice"),
    (["run", "Q?", "--options", "abstain,b", *OFFLINE], "abstain"),
    (
        ["run", "Q?", "--protocol", "theatre", *OFFLINE],
        "bounded_vote, checked_answers, co_scientist, deliberation, expert_panel",
    ),
    (["run", "Q?", "--protocol", "missing.toml", *OFFLINE], "does not exist"),
    (["run", "Q?", "--protocol", "", *OFFLINE], "unknown protocol"),
    (["run", "Q?", "--script", "", *OFFLINE], "script"),
    (["run", "Q?", "--source", "", *OFFLINE], "source"),
    (["run", "Q?", "--db", "", *OFFLINE], "database"),
    (["run", "Q?", "--out", "", *OFFLINE], "--out"),
    (["run", "Q?", "--rounds", "0", *OFFLINE], "at least 1"),
    (["run", "Q?", "--rounds", "7", *OFFLINE], "hard maximum 6"),
    (["run", "Q?", "--rounds", "two", *OFFLINE], "whole number"),
    (["run", "Q?", "--rounds", "1.5", *OFFLINE], "whole number"),
    (["run", "Q?", "--protocol", "bounded_vote", "--threshold", "0", *OFFLINE], "threshold"),
    (["run", "Q?", "--protocol", "bounded_vote", "--threshold", "4", *OFFLINE], "threshold must be 1 to 3"),
    (["run", "Q?", "--threshold", "2", *OFFLINE], "has no threshold"),
    (["run", "Q?", "--synthesiser-may-end", "9", *OFFLINE], "--synthesiser-may-end must be 1 to 6, not 9"),
    (["run", "Q?", "--protocol", "stance_judge", "--synthesiser-may-end", "2", *OFFLINE], "stance_judge has none"),
    (["run", "Q?", "--panel-size", "0", *OFFLINE], "panel size"),
    (["run", "Q?", "--panel-size", "99", *OFFLINE], "panel size"),
    (["run", "Q?", "--seed", "-1", *OFFLINE], "seed"),
    (["run", "Q?", "--seat", "planner", *OFFLINE], "ID=STANCE"),
    (["run", "Q?", "--seat", "a b=x", *OFFLINE], "id"),
    (["run", "Q?", "--seat", "a=x", "--seat", "a=y", *OFFLINE], "named twice"),
    (["run", "Q?", "--seat", "a=x", "--panel-size", "2", *OFFLINE], "only one"),
    (["run", "Q?", "--human", "nobody", *OFFLINE], "no such seat"),
    (["run", "Q?", "--protocol", "stance_judge", "--seat", "a=adopt", *OFFLINE], "at least 2 debaters, not 1"),
    (["run", "Q?", "--protocol", "deliberation", "--seat", "a=adopt", *OFFLINE], "at least 2 debaters, not 1"),
    (["run", "Q?", "--commitment", "cost=softly", *OFFLINE], "is one of locked, concede_points, open, adversary"),
    (["run", "Q?", "--commitment", "nobody=open", *OFFLINE], "no such debater"),
    (["run", "Q?", "--max-wait-s", "59", *OFFLINE], "max_wait_s"),
    (["run", "Q?", "--source", "missing.md", *OFFLINE], "does not exist"),
    (["run", "Q?", "--source", ".", *OFFLINE], "folder"),
    (["run", "Q?", "--out", "no/such/folder.jsonl", *OFFLINE], "does not exist"),
    (["run", "Q?", "--out", ".", *OFFLINE], "folder"),
    (["run", "Q?", "--out", "/proc/record.jsonl", *OFFLINE], "cannot be written"),
    (["run", "Q?", "--db", "postgres://x", *OFFLINE], "sqlite"),
    (["run", "Q?", "--db", "sqlite:////proc/no/d.db", *OFFLINE], "/proc/no"),
    (["run", "Q?", "--script", "missing.json"], "does not exist"),
    (["run", "Q?", "--off"], "--off"),
    ([], "COMMAND"),
    (["theatre"], "theatre"),
    (["resume"], "ID"),
    (["resume", "nobody", "--db", "sqlite:///none/d.db"], "none"),
    (["verify"], "RECORD"),
    (["verify", "missing.jsonl"], "does not exist"),
    (["verify", "."], "folder"),
    (["report", "missing.jsonl"], "does not exist"),
    (["report", "x.jsonl", "--format", "pdf"], "pdf"),
    (["export", "missing.jsonl"], "--to"),
    (["export", "missing.jsonl", "--to", "d"], "does not exist"),
    (["import", "missing.jsonl"], "does not exist"),
    (["import", "record.png"], "No such file"),
    (["import", ""], "no folder"),
    (["import", "."], "the folder . has no file to read"),
    (["protocols", "theatre"], "bounded_vote"),
]


@pytest.mark.parametrize(("argv", "word"), FLAGS, ids=lambda v: " ".join(v)[:60] if isinstance(v, list) else "")
def test_bad_flags(argv: list[str], word: str, capsys):
    # R047, R048, R118
    refused(argv, capsys, word)


SCRIPTS: list[tuple[object, str]] = [
    ("{", "not readable JSON"),
    ("[]", "not a JSON object"),
    ({**GOOD, "format": 99}, "format 99"),
    ({**GOOD, "surprise": 1}, "surprise"),
    ({**GOOD, "options": ["a"]}, "2 to 8 options"),
    ({**GOOD, "seats": []}, "debater_ids must not be empty"),
    ({**GOOD, "settings": {"rounds": 99}}, "hard maximum"),
    # R101
    ({**GOOD, "protocol": "stance_judge", "settings": {}, "seats": [JUDGE, FOR, {"id": "c"}]}, "seat 'c' has none"),
    ({**GOOD, "question": ""}, "question is empty"),
    ({**GOOD, "protocol": "theatre"}, "unknown protocol"),
    ({**GOOD, "seats": [{"id": "m", "occupant": "model"}, {"id": "n"}]}, "no model is set up"),
]


@pytest.mark.parametrize(("said", "word"), SCRIPTS, ids=lambda v: v if isinstance(v, str) else "script")
def test_bad_scripts(said: Said | str, word: str, tmp_path: Path, capsys):
    path = tmp_path / "script.json"
    path.write_text(said if isinstance(said, str) else json.dumps(said), "utf-8")
    refused(["run", "--script", str(path), "--json"], capsys, word)


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("empty.md", b"", "empty"),
        ("latin.md", b"na\xefve and bad", "UTF-8"),
        ("damaged.pdf", b"%PDF-1.7 and nothing more", "damaged"),
        ("large.txt", b"x" * 10_000_001, "10 MB"),
        ("sheet.xlsx", b"PK", "unsupported file type"),
    ],
)
def test_bad_sources(name: str, data: bytes, word: str, tmp_path: Path, capsys):
    path = tmp_path / name
    path.write_bytes(data)
    refused(["run", "Q?", "--source", str(path), *OFFLINE], capsys, word, name)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("name = ", "TOML"),
        pytest.param("name = " + "[" * 9_999, "TOML", id="deep"),
        ('name = "x"', "each_round"),
        ('name = "x"\n[[each_round]]\nname = "say"\n[decide]\nkind = "lottery"', "decide"),
        ('name = "x"\n[[each_round]]\nname = "say"\n[decide]\nkind = "by_seat"', "synthesiser"),
    ],
)
def test_bad_protocol_files(text: str, word: str, tmp_path: Path, capsys):
    path = tmp_path / "p.toml"
    path.write_text(text, "utf-8")
    refused(["run", "Q?", "--protocol", str(path), *OFFLINE], capsys, word)


def _no_space(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_found_before_the_debate(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(os, "fsync", _no_space)
    refused(["run", "Q?", "--out", "r.jsonl", *OFFLINE], capsys, "r.jsonl cannot be written: No space left", status=1)


def test_a_disk_that_is_full_in_the_end_is_named(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(os, "replace", _no_space)
    refused(["run", "Q?", "--out", "r.jsonl", *OFFLINE], capsys, "r.jsonl cannot be written: No space left", status=1)


def test_a_model_is_named_as_what_is_missing(capsys):
    refused(["run", "Q?"], capsys, "--panel", "--model", "--offline", "--script", "--human")


def test_in_a_real_process_too(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-m", "debate_core", "run", "", "--offline", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
