"""Findings of the source reader in real decision records: `python -m bench.passages [folder ...] [--each]`.

Each record is the only source of an expert panel without models; the question is the title of the record. The figures
count the distinct passages of the opening round. Exit 1 if a bar is missed, 2 if there is no record to read.
"""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec
from debate_core.host.uploads import source_from_file
from debate_core.record.commands import TakeTurn
from debate_core.seats import fillers_for
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.values import Source
from tests.playing import Played, silent

RECORDS = Path(__file__).resolve().parents[2] / "shared" / "data" / "adr"
OPTIONS = ("accept", "reject")
"""Options of every debate here; the options in a record are not used."""
LONG_BYTES = 3_000
ENOUGH = 6
"""Minimum of distinct passages from a record of at least `LONG_BYTES`."""


class Found(NamedTuple):
    """Quoted share of one record."""

    path: Path
    n_passages: int

    @property
    def is_long(self) -> bool:
        return self.path.stat().st_size >= LONG_BYTES


def records(folders: Sequence[Path]) -> Iterator[tuple[Path, Source]]:
    """Yield every Markdown file that is valid as a source."""
    for path in sorted(path for folder in folders for path in folder.rglob("*.md")):
        try:
            yield path, source_from_file(path, source_id="E1")
        except InvalidSpec as refused:
            print(f"left out: {refused}", file=sys.stderr)


async def quoted_in_opening(source: Source) -> list[str]:
    """Return what the seats of the first phase quote, in their order."""
    rules, question = protocol("expert_panel"), source.title
    seats = default_seats(rules, question, OPTIONS, "offline")
    spec = compose(question, OPTIONS, rules, seats, sources=[source])
    state = Played(spec).state
    fillers, quotes = fillers_for(state, script=None, pace_cps=0), []
    for request in requests(state):
        command = await fillers[request.seat](request, view(state, request), silent)
        if isinstance(command, TakeTurn) and isinstance(command.content, Argument):
            quotes += [claim.quote or "" for claim in command.content.claims]
    return quotes


def measured(folders: Sequence[Path]) -> list[Found]:
    """Measure each record, in the order of paths."""
    return [Found(path, len(set(asyncio.run(quoted_in_opening(source))))) for path, source in records(folders)]


def main() -> int:
    """Print the figures, and with `--each` the row of every record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[RECORDS])
    parser.add_argument("--each", action="store_true", help="a row for every record")
    asked = parser.parse_args()
    rows = measured(asked.folders)
    if not rows:
        print("there are no records to read: name a folder that has some", file=sys.stderr)
        return 2
    if asked.each:
        for row in rows:
            print(f"{row.n_passages:3} passages from {row.path.stat().st_size:6} bytes  {row.path.name}")
    return report(rows)


def report(rows: Sequence[Found]) -> int:
    """Print the figures; returns 1 if a long record gives too few passages."""
    numbers = [row.n_passages for row in rows]
    long_ones = [row for row in rows if row.is_long]
    enough = [row for row in long_ones if row.n_passages >= ENOUGH]
    print(f"records: {len(rows)}; passages in the opening: median {median(numbers):g}, most {max(numbers)}")
    print(f"records without any passage: {numbers.count(0)} ({numbers.count(0) / len(rows):.0%})")
    print(f"records of {LONG_BYTES} bytes or more with at least {ENOUGH}: {len(enough)} of {len(long_ones)}")
    return 0 if len(enough) == len(long_ones) else 1


if __name__ == "__main__":
    sys.exit(main())
