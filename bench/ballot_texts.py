"""Precision and recall of the contradiction check: `python -m bench.ballot_texts [--misses]`.

The turns are our own (`tests/ballot_texts.json`). The check was developed on the first half; the other half was written
before it and not read during development, so rely on the figures of that half. Every turn has its options, its ballot,
and the one option for which the text argues by a careful reading, or none. The turns of `forms` also have a question,
in one of three forms: should we, this or that, which of. Exit 1 below a bar.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from debate_core.engine.stance_detection import argued_option
from debate_core.report.facts.judge_statistics import exact_interval
from debate_core.spec.values import ABSTAIN

TEXTS = Path(__file__).resolve().parents[1] / "tests" / "ballot_texts.json"
HALVES = ("dev", "held_out", "forms_dev", "forms_held_out")
PRECISION, RECALL = 0.95, 0.70
"""Bars: share of the flagged turns that contradict their ballot, and of the contradicting turns that are flagged."""


class BallotText(NamedTuple):
    """A labelled turn."""

    options: tuple[str, ...]
    manner: str
    """Style of the text: `irony`, `concession`, `later`."""
    ballot: str
    argues_for: str | None
    text: str
    question: str = ""
    yes: str | None = None
    form: str = ""
    """`should`, `or`, `which`."""

    def contradicts(self) -> bool:
        """True if the ballot is for another option than the text, by its label."""
        return self._differs(self.argues_for)

    def is_flagged(self) -> bool:
        """The same by code."""
        return self._differs(argued_option(self.text, self.options, self.question, self.yes))

    def _differs(self, argued: str | None) -> bool:
        return self.ballot != ABSTAIN and argued not in (None, self.ballot)


class Flagging(NamedTuple):
    """Counts of flagged turns, of rightly flagged ones, and of those that should be flagged."""

    right: int
    flagged: int
    contradicting: int

    @property
    def precision(self) -> float:
        """0 if nothing is flagged."""
        return self.right / self.flagged if self.flagged else 0.0

    @property
    def recall(self) -> float:
        """Share of the contradicting turns that the check flags."""
        return self.right / self.contradicting


def turns_of(half: str) -> tuple[BallotText, ...]:
    """The turns of one half."""
    data = json.loads(TEXTS.read_text("utf-8"))
    if not half.startswith("forms"):
        return tuple(BallotText(tuple(data["options"][of]), *labels) for of, *labels in data[half])
    turns = []
    for of, *labels in data[half]:
        asked = data["questions"][of]
        turn = BallotText(tuple(asked["options"]), *labels)
        turns.append(turn._replace(question=asked["question"], yes=asked["yes"], form=asked["form"]))
    return tuple(turns)


def flagging(turns: Sequence[BallotText]) -> Flagging:
    """Return the check's finding for each of these turns."""
    right = sum(turn.contradicts() and turn.is_flagged() for turn in turns)
    return Flagging(right, sum(t.is_flagged() for t in turns), sum(t.contradicts() for t in turns))


def _lines(half: str) -> Iterator[str]:
    turns = turns_of(half)
    found = flagging(turns)
    yield f"{half}: {len(turns)} turns, {found.contradicting} contradict their ballot, {found.flagged} are flagged"
    for name, hits, of, bar in (
        ("precision", found.right, found.flagged, PRECISION),
        ("recall", found.right, found.contradicting, RECALL),
    ):
        low, high = exact_interval(hits, of)
        yield f"  {name} {hits / of:.3f} ({low:.3f} to {high:.3f}, {hits} of {of}), bar {bar}"


def main() -> int:
    """Print both halves."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    flags.add_argument("--misses", action="store_true", help="the turns of the first half that are read wrongly")
    if flags.parse_args().misses:
        for turn in (*turns_of("dev"), *turns_of("forms_dev")):
            if turn.contradicts() != turn.is_flagged():
                print(f"{turn.manner}, ballot {turn.ballot}, argues for {turn.argues_for}: {turn.text}")
    for half in HALVES:
        print("\n".join(_lines(half)))
    found = [flagging(turns_of(half)) for half in HALVES]
    return int(any(f.precision < PRECISION or f.recall < RECALL for f in found))


if __name__ == "__main__":
    sys.exit(main())
