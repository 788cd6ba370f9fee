"""`import` of files with a review: shown first, kept as drafts when accepted."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.drafts import Drafts
from debate_core.host.imports.accept import ImportedDraft
from debate_core.host.stores import open_store
from debate_core.record.events import dump_record
from tests.commanding import refused

ROOT = Path(__file__).resolve().parents[2]
RECORD = """# 7. Which cache?

## Status
Accepted

## Options
- Redis
- Memcached

## Decision
We will use Redis.
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "0007-cache.md"
    path.write_text(RECORD, "utf-8")
    return path


def kept(url: str) -> list[ImportedDraft]:
    store = open_store(url)
    drafts = [ImportedDraft.model_validate_json(text) for text in Drafts(store).imported().values()]
    store.close()
    return drafts


def test_a_review_is_printed_and_nothing_is_kept(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    url = f"sqlite:///{tmp_path}/d.db"
    assert main(["import", str(record), "--db", url]) == 2
    shown = capsys.readouterr()
    assert "  chosen     Redis        | 11: We will use Redis." in shown.out.splitlines()
    assert "  not taken: it states no date" in shown.out.splitlines()
    assert "nothing is imported yet: --yes accepts this review" in shown.err
    assert not (tmp_path / "d.db").exists()


def test_yes_keeps_one_draft_however_often(record: Path, tmp_path: Path):
    url = f"sqlite:///{tmp_path}/d.db"
    for _ in range(2):
        assert main(["import", str(record), "--yes", "--db", url]) == 0
    (draft,) = kept(url)
    assert (draft.question, draft.options) == ("Which cache?", ("Redis", "Memcached"))
    assert draft.sources[0].text == RECORD


def test_json_is_the_review_and_says_what_was_done(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    url = f"sqlite:///{tmp_path}/d.db"
    assert main(["import", str(record), "--json", "--db", url]) == 0
    review = json.loads(capsys.readouterr().out)
    assert review["imported"] is False
    assert not (tmp_path / "d.db").exists()
    (file,) = review["files"]
    assert {"field": "status", "value": "Accepted", "line": 4, "quote": "Accepted"} in file["found"]
    assert {"reason": "it states no date", "line": None, "quote": None} in file["not_understood"]
    assert main(["import", str(record), "--json", "--yes", "--db", url]) == 0
    assert json.loads(capsys.readouterr().out)["imported"] is True
    assert len(kept(url)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 2)])
def test_a_terminal_is_asked(record: Path, tmp_path: Path, typed: str, status: int):
    url = f"sqlite:///{tmp_path}/d.db"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "debate_core", "import", str(record), "--db", url]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as asked:
        os.write(ours, typed.encode())
        _out, err = asked.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert asked.returncode == status, err
    assert b"Import 1 draft? [y/N]" in err
    assert (tmp_path / "d.db").exists() is (status == 0)


def test_a_folder_gives_a_draft_for_each_record(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "README.md").write_text("# Index\n", "utf-8")
    url = f"sqlite:///{tmp_path}/d.db"
    assert main(["import", str(tmp_path), "--yes", "--db", url]) == 0
    assert "left out: README.md: it states no decision" in capsys.readouterr().out
    assert [draft.name for draft in kept(url)] == ["0007-cache.md"]


def test_a_folder_with_a_record_gives_the_debate(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "r.jsonl"
    main(["run", "Adopt it?", "--offline", "--out", str(out)])
    main(["export", str(out), "--to", str(tmp_path / "files")])
    capsys.readouterr()
    assert main(["import", str(tmp_path / "files"), "--db", f"sqlite:///{tmp_path}/d.db"]) == 0
    assert capsys.readouterr().out == "record imported: Adopt it?\n"


def test_signatures_belong_to_no_reviewed_file(record: Path, capsys: pytest.CaptureFixture[str]):
    refused(["import", str(record), "--key", "0" * 64, "--yes"], capsys, "--signatures and --key are for a record")


def test_a_page_without_a_record_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    page = tmp_path / "cache.html"
    page.write_text("<h1>Which cache?</h1><h2>Options</h2><ul><li>Redis<li>Memcached</ul>", "utf-8")
    assert main(["import", str(page), "--json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [value["value"] for value in file["found"]] == ["Which cache?", "Redis", "Memcached"]


def test_folders_keep_drafts_of_one_name_apart(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/d.db"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "0001.md").write_text(RECORD, "utf-8")
        assert main(["import", str(tmp_path / folder), "--yes", "--db", url]) == 0
    assert len(kept(url)) == 2


@pytest.mark.parametrize("name", ["pipe.md", "gone.md", "/dev/zero", "big.abif"])
def test_an_unreadable_path_is_refused_in_one_sentence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    os.mkfifo(tmp_path / "pipe.md")
    with (tmp_path / "big.abif").open("wb") as big:
        big.truncate(10_000_001)
    refused(["import", str(tmp_path / name), "--yes"], capsys, "cannot be imported: it ")


def test_words_of_a_reviewed_file_are_no_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.md"
    path.write_text(RECORD.replace("Redis", "Re\x1b[2Jdis"), "utf-8")
    main(["import", str(path)])
    assert "\x1b" not in capsys.readouterr().out


TALK = "Ann: Redis or Memcached?\n\nBo: Redis.\n\nAnn: Why?\n\nBo: It survives.\n"


def test_a_transcript_becomes_a_record_that_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "talk.txt").write_text(TALK, "utf-8")
    url = f"sqlite:///{tmp_path}/d.db"
    command = ["import", f"{tmp_path}/talk.txt", "--options", "Redis, Memcached", "--yes", "--json", "--db", url]
    assert main([*command, "--question", "Which cache?"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["becomes"], done["files"][0]["turns"], kept(url)) == (["record"], 4, [])
    store = open_store(url)
    (tmp_path / "r.jsonl").write_text(dump_record(store.load(done["records"][0])), "utf-8")
    store.close()
    assert main(["verify", f"{tmp_path}/r.jsonl"]) == 0
    assert "Not held here: transcript of talk.txt" in capsys.readouterr().out.splitlines()


def test_a_transcript_without_a_question_stays_a_draft(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "talk.txt").write_text(TALK, "utf-8")
    url = f"sqlite:///{tmp_path}/d.db"
    assert main(["import", f"{tmp_path}/talk.txt", "--yes", "--db", url]) == 0
    assert "  no record: the question is empty" in capsys.readouterr().out
    assert [draft.name for draft in kept(url)] == ["talk.txt"]


def test_flags_of_a_transcript_are_refused_for_others(record: Path, capsys: pytest.CaptureFixture[str]):
    refused(["import", str(record), "--question", "Why?"], capsys, "is not one transcript")
