"""The language check: findings in a file, commit subjects, and a baseline that only shrinks."""

from pathlib import Path

import pytest

from bench.plain_english import Counts, compare, counted, findings, main, subject_faults


def found_in(folder: Path, text: str, name: str = "module.py"):
    path = folder / name
    path.write_text(text, "utf-8")
    return findings(path)


def test_question_word_starts_a_docstring(tmp_path: Path):
    found = found_in(tmp_path, '"""What this is."""\n\n\ndef f():\n    """Return one."""\n')
    assert [(f.kind, f.line) for f in found] == [("starts", 1)]


def test_private_turn_in_comment_and_string(tmp_path: Path):
    found = found_in(tmp_path, "# Whoever calls it.\nx = 'it is due'\nwhoever = 1\n")
    assert [(f.kind, f.line) for f in found] == [("turns", 1), ("turns", 2)]


def test_private_turn_in_markdown(tmp_path: Path):
    assert counted(found_in(tmp_path, "# Title\n\nDone anew.\n", "page.md")) == Counts(1, 0, 0)


def test_long_name_counts_for_tests_only(tmp_path: Path):
    name = "x" * 61
    assert counted(found_in(tmp_path, f"def test_{name}(): ...\ndef {name}(): ...\n")) == Counts(0, 0, 1)


def test_more_findings_than_allowed_are_listed(tmp_path: Path):
    now = {"docs/a.md": found_in(tmp_path, "Done anew.\nIt is due.\n", "a.md")}
    assert compare({"docs/a.md": Counts(1, 0, 0)}, now) == [
        "docs: 2 turns, the baseline allows 1",
        "  docs/a.md: 2 turns, 1 before (list them: python -m bench.plain_english docs/a.md)",
    ]


def test_renamed_file_keeps_its_allowance(tmp_path: Path):
    now = {"docs/b.md": found_in(tmp_path, "Done anew.\n", "b.md")}
    assert compare({"docs/a.md": Counts(1, 0, 0)}, now) == []


@pytest.mark.parametrize("subject", ["Keep the next button in sight", "room: fix a lost vote", "Add " + "x" * 68])
def test_subject_is_accepted(subject: str):
    assert subject_faults(subject) == []


@pytest.mark.parametrize("subject", ["Fixed a lost vote", "A vote that was lost is found", "Add " + "x" * 69, ""])
def test_subject_is_refused(subject: str):
    assert subject_faults(subject)


@pytest.mark.parametrize(("message", "status"), [("Fix it\n\nBecause.\n", 0), ("It is fixed\n", 1), ("Merge x\n", 0)])
def test_hook_reads_the_first_line(tmp_path: Path, message: str, status: int):
    path = tmp_path / "COMMIT_EDITMSG"
    path.write_text(message, "utf-8")
    assert main(["--subject", str(path)]) == status
