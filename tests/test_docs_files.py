"""The page on exported files lists every file, every CSV column and every value that a column can have."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from debate_core.engine.count.methods import METHODS
from debate_core.engine.quotes import QuoteVerdict
from debate_core.engine.stage import WaitsFor
from debate_core.record.acts import Criterion
from debate_core.report.facts.claims import ClaimStatus
from debate_core.report.facts.decision import SignatureVerdict
from debate_core.report.facts.health import FLAGS
from debate_core.report.facts.interventions import Action
from debate_core.report.facts.people_marks import MarkReading
from debate_core.report.facts.proposals import Became
from debate_core.report.facts.synthesis_checks import RemarkKind
from debate_core.report.facts.who_decided import DecisionState
from debate_core.report.files.csv import FILES, ONLY_WITH_ROWS
from debate_core.spec.people import RoomRole
from debate_core.spec.values import BallotStatus, Role, TieBreak, TurnStatus

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "files.md").read_text("utf-8")
CELL = re.compile(r"(?<!\\)\|")
"""The border of a cell; a bar within a cell is written as `\\|`."""
VALUES = {
    ("decision.csv", "standing"): get_args(DecisionState),
    ("decision.csv", "rule"): (*sorted({method.rule.kind for method in METHODS.values()}), "by_seat", "tournament"),
    ("decision.csv", "verdict"): get_args(SignatureVerdict),
    ("decision.csv", "waits_for"): tuple(filter(None, get_args(WaitsFor))),
    ("turns.csv", "status"): get_args(TurnStatus),
    ("claims.csv", "role"): get_args(Role),
    ("claims.csv", "quote_verified"): get_args(QuoteVerdict),
    ("claims.csv", "status"): get_args(ClaimStatus),
    ("votes.csv", "role"): get_args(RoomRole),
    ("votes.csv", "status"): get_args(BallotStatus),
    ("tally.csv", "unit"): tuple(dict.fromkeys(method.unit for method in METHODS.values())),
    ("tally.csv", "tie_step"): get_args(TieBreak),
    ("rubric.csv", "criterion"): get_args(Criterion),
    ("marks.csv", "reading"): get_args(MarkReading),
    ("candidates.csv", "became"): get_args(Became),
    ("overrides.csv", "action"): get_args(Action),
    ("synthesis.csv", "flags"): get_args(RemarkKind),
    ("health.csv", "name"): tuple(FLAGS),
}


def table_rows(section: str) -> Iterator[list[str]]:
    """Yield the cells of each table row of a section, without the header."""
    found = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no section {section}"
    for line in found[1].splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in CELL.split(line)[1:-1]]


@pytest.mark.parametrize("file", FILES)
def test_section_explains_the_columns_in_order(file: str) -> None:
    rows = list(table_rows(file))
    assert [column for column, _ in rows] == [f"`{column}`" for column in FILES[file]]
    assert all(meaning for _, meaning in rows)


def test_table_of_files_lists_every_csv_file() -> None:
    left_out = {name.strip("`"): when for name, _, when in table_rows("The files") if name.endswith(".csv`")}
    assert list(left_out) == list(FILES)
    assert {name for name, when in left_out.items() if when != "never"} == ONLY_WITH_ROWS


@pytest.mark.parametrize(("file", "column"), VALUES)
def test_column_lists_every_value(file: str, column: str) -> None:
    meaning = {column.strip("`"): meaning for column, meaning in table_rows(file)}[column]
    assert [
        value for value in VALUES[file, column] if not re.search(rf"`{re.escape(value)}`|`{value}: ", meaning)
    ] == []
