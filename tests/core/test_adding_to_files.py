"""A CSV column and a protocol are added to a copy of the program, step by step as CONTRIBUTING says."""

import csv
import json
from pathlib import Path

import pytest

from tests.copied import copy_to, insert, python, run_tests

pytestmark = pytest.mark.slow
COLUMN = '    "n_words": lambda r: len(r.text.split()),\n'
MEANING = "| `n_words` | Number of words in `text`. |\n"
PURPOSE = "All seats vote once at the same time, and the majority decides; for small questions."
PROTOCOL = f'''SHOW_OF_HANDS = Protocol(
    name="show_of_hands",
    purpose="{PURPOSE}",
    source="our own",
    each_round=(Phase(name="vote", order="at_once"),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=1, warn_above=1, hard_max=2),
)

'''
ROW = f"| `show_of_hands` | {PURPOSE} | 1, at most 2 | more than half of all debaters |\n"
CHECK = (
    "tests/test_docs_files.py",
    "tests/core/test_presets_played.py",
    "-k",
    "explains or show_of_hands or page or purpose or twenty",
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_to(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="module")
def incomplete(copy: Path) -> str:
    """The output of the tests after the first steps of both pages."""
    core = copy / "debate_core"
    insert(core / "report" / "files" / "csv.py", COLUMN, before="}\n\nUSAGE:")
    seeds = core / "spec" / "presets" / "seeds.py"
    insert(seeds, PROTOCOL, before="PRESETS = (")
    listed = seeds.read_text("utf-8").replace("    ADVERSARY,\n)", "    ADVERSARY,\n    SHOW_OF_HANDS,\n)")
    seeds.write_text(listed, "utf-8")
    return run_tests(copy, *CHECK).stdout


@pytest.fixture(scope="module")
def complete(copy: Path, incomplete: str) -> None:
    """Take the other steps, after which the tests pass."""
    assert "3 failed" in incomplete
    played = copy / "tests" / "core" / "test_presets_played.py"
    insert(copy / "docs" / "files.md", MEANING, before="\n## claims.csv\n")
    insert(copy / "docs" / "protocols.md", ROW, before="\nA protocol is data:")
    insert(played, '    "show_of_hands": 3,\n', before='    "single_call": 1,\n')
    tests = run_tests(copy, *CHECK)
    assert tests.returncode == 0, tests.stdout


@pytest.mark.usefixtures("complete")
def test_a_column_is_a_row_of_its_table_and_a_meaning(copy: Path, incomplete: str) -> None:
    assert "n_words" in incomplete
    record = "tests/records/format1_split.jsonl"
    exported = python(copy, "-m", "debate_core", "export", record, "--format", "csv", "--to", "files")
    assert exported.returncode == 0, exported.stderr
    with (copy / "files" / "turns.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["n_words"] for row in rows] == [str(len(row["text"].split())) for row in rows]
    assert int(rows[0]["n_words"]) > 0


@pytest.mark.usefixtures("complete")
def test_a_protocol_is_a_value_a_row_and_a_number(copy: Path, incomplete: str) -> None:
    assert "KeyError: 'show_of_hands'" in incomplete
    assert "assert ['show_of_hands'] == []" in incomplete
    listed = python(copy, "-m", "debate_core", "protocols").stdout
    assert any("show_of_hands" in line for line in listed.splitlines())
    held = python(copy, "-m", "debate_core", "run", "Adopt it?", "--protocol", "show_of_hands", "--offline", "--json")
    # Code abstains in every seat, so the debate ends undecided.
    assert held.returncode == 3, held.stderr
    assert json.loads(held.stdout)["protocol"] == "show_of_hands"
