"""A moderator that searches the documents, by the command line."""

from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.record.events import parse_record
from debate_core.record.look_ups import LookedUp
from tests.commanding import refused

QUESTION = "Do we need a managed broker?"
COSTS = "A managed broker costs 900 dollars a month, and two engineers would learn it in a week."


def test_moderator_search_is_recorded_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, out = tmp_path / "adr.md", tmp_path / "r.jsonl"
    source.write_text(f"# Report\n\n{COSTS}\n", "utf-8")
    flags = ["--protocol", "moderated_judge", "--moderator-search", "--source", str(source), "--offline"]
    assert main(["run", QUESTION, *flags, "--out", str(out)]) == 3
    assert f"searched the sources for “{QUESTION}”: 1 passage found" in capsys.readouterr().out
    [found] = [event.body for event in parse_record(out.read_bytes()) if isinstance(event.body, LookedUp)]
    assert [passage.text for passage in found.passages] == [COSTS]
    assert main(["verify", str(out)]) == 0


def test_moderator_search_without_a_moderator_is_refused(capsys: pytest.CaptureFixture[str]):
    refused(["run", QUESTION, "--moderator-search", "--offline"], capsys, "--moderator-search", "expert_panel")
