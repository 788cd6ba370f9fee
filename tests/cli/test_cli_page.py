"""The HTML file at the command line: written, verified, imported to the same head, and refused when changed."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main

RECORDS = Path(__file__).resolve().parents[1] / "records"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    assert main(["export", str(RECORDS / "format1_people.jsonl"), "--to", str(tmp_path), "--format", "html"]) == 0
    return tmp_path / "debate.html"


def _told(capsys: pytest.CaptureFixture[str], *asked: str) -> dict[str, object]:
    capsys.readouterr()
    assert main([*asked, "--json"]) == 0
    told: dict[str, object] = json.loads(capsys.readouterr().out)
    return told


def test_a_page_imports_to_the_head_of_its_record(page: Path, capsys: pytest.CaptureFixture[str]):
    head = _told(capsys, "verify", str(RECORDS / "format1_people.jsonl"))["head"]
    assert _told(capsys, "verify", str(page))["head"] == head
    database = f"sqlite:///{page.parent / 'd.db'}"
    imported = _told(capsys, "import", str(page), "--db", database)
    assert (imported["kind"], imported["debate_id"]) == ("record", "d-people")
    # The same debate as a record: it exists already, and nothing is in conflict.
    assert _told(capsys, "import", str(RECORDS / "format1_people.jsonl"), "--db", database) == imported


def test_a_page_of_a_page_has_the_same_bytes(page: Path):
    again = page.parent / "again"
    assert main(["export", str(page), "--to", str(again), "--format", "html"]) == 0
    assert (again / "debate.html").read_bytes() == page.read_bytes()


def test_reports_and_prompts_read_a_page(page: Path, capsys: pytest.CaptureFixture[str]):
    outputs = []
    for file in (str(page), str(RECORDS / "format1_people.jsonl")):
        capsys.readouterr()
        assert main(["report", file]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_a_page_with_a_changed_record_is_refused(page: Path, capsys: pytest.CaptureFixture[str]):
    start, element, record = page.read_bytes().partition(b'id="record">')
    assert b"Quotes only." in record
    page.write_bytes(start + element + record.replace(b"Quotes only.", b"Quotes, only.", 1))
    assert main(["import", str(page), "--db", f"sqlite:///{page.parent / 'd.db'}"]) != 0
    assert "its content does not give its hash; it was changed" in capsys.readouterr().err
    assert main(["verify", str(page)]) == 6


def test_a_page_without_a_record_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "minutes.html"
    file.write_text("<!doctype html><title>Minutes</title><p>We talked.</p>")
    assert main(["report", str(file)]) != 0
    refused = capsys.readouterr().err
    assert refused.endswith("there is no record in this page: export the debate with --format html\n")
    assert refused.count("\n") == 1
