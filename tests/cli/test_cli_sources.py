"""Documents that come in a later round, by the command line."""

from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.record.events import DebateOpened, parse_record
from debate_core.record.fold import replay
from tests.commanding import refused

QUESTION = "Should we move the orders database?"


def test_a_later_source_comes_in_its_round(tmp_path: Path):
    # R275
    first, later, out = tmp_path / "adr.md", tmp_path / "load.md", tmp_path / "r.jsonl"
    first.write_text("# Orders\n\nThe database grows.\n", "utf-8")
    later.write_text("# Load test\n\nThe queue lost one message in ten.\n", "utf-8")
    flags = ["--source", str(first), "--later-source", f"2={later}", "--offline", "--out", str(out)]
    assert main(["run", QUESTION, *flags]) == 3
    opened = parse_record(out.read_bytes())[0].body
    assert isinstance(opened, DebateOpened)
    assert [(s.id, s.title, s.from_round) for s in opened.spec.sources] == [("E1", "Orders", 1), ("E2", "Load test", 2)]


@pytest.mark.parametrize("text", ["load.md", "=load.md", "2=", "0=load.md", "two=load.md", "99=load.md", "²=load.md"])
def test_a_later_source_without_its_round_is_refused(text: str, capsys):
    refused(["run", QUESTION, "--later-source", text, "--offline"], capsys, "--later-source", "ROUND=FILE")


def test_a_source_for_some_seats_names_its_readers(tmp_path: Path):
    shared, costs, out = tmp_path / "adr.md", tmp_path / "costs.md", tmp_path / "r.jsonl"
    shared.write_text("# Orders\n\nThe orders database grows by nine rows in every second of a day.\n", "utf-8")
    costs.write_text("# Costs\n\nThe orders database costs 900 dollars in every month of the year.\n", "utf-8")
    flags = ["--seat", "ann=adopt", "--seat", "ben=defer", "--source", str(shared), "--source-for", f"ann={costs}"]
    main(["run", QUESTION, *flags, "--offline", "--out", str(out)])
    events = parse_record(out.read_bytes())
    opened = events[0].body
    assert isinstance(opened, DebateOpened)
    assert [(s.id, s.only_for) for s in opened.spec.sources] == [("E1", None), ("E2", ("ann",))]
    quoted = {(claim.source_id, claim.id.partition(".")[0]) for claim in replay(events).claims.values()}
    assert ("E2", "ann") in quoted
    assert ("E2", "ben") not in quoted


@pytest.mark.parametrize("text", ["costs.md", "=costs.md", "ann=", " =costs.md"])
def test_a_source_for_no_seat_or_no_file_is_refused(text: str, capsys):
    refused(["run", QUESTION, "--source-for", text, "--offline"], capsys, "--source-for", "SEATS=FILE")


def test_a_source_for_an_unknown_seat_is_refused(tmp_path: Path, capsys):
    costs = tmp_path / "costs.md"
    costs.write_text("It costs 900 dollars a month.\n", "utf-8")
    given = ["run", QUESTION, "--seat", "ann=adopt", "--seat", "ben=defer", "--source-for", f"dan={costs}", "--offline"]
    refused(given, capsys, "source 'E1' is only for seat 'dan'", "ann, ben")


def test_a_round_that_never_comes_is_said(tmp_path: Path, capsys):
    later = tmp_path / "load.md"
    later.write_text("# Load test\n\nThe queue lost one message in ten.\n", "utf-8")
    assert main(["estimate", QUESTION, "--later-source", f"9={later}", "--offline"]) == 0
    assert "no seat will see the source E1: its round comes after the last one" in capsys.readouterr().out


def test_a_folder_is_a_source_for_each_of_its_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder, out = tmp_path / "docs", tmp_path / "r.jsonl"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nOrders double in May.\n")
    (folder / "b.html").write_text("<h1>B</h1><p>The load fell.</p>")
    (folder / "c.md").write_bytes(b"\x00")
    main(["run", QUESTION, "--source", str(folder), "--offline", "--out", str(out)])
    opened = parse_record(out.read_bytes())[0].body
    assert isinstance(opened, DebateOpened)
    assert [(s.id, s.title) for s in opened.spec.sources] == [("E1", "a.md"), ("E2", "b.html")]
    assert f"{folder}: c.md is left out: source c.md is not text but binary data" in capsys.readouterr().err
