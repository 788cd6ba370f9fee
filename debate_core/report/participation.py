"""How much each seat said, in words: whoever leads can let one side talk longer, and the record shows it.

Counts what can be read now, struck turns too; knows no file format. Called by decision records and the results page.
"""

from collections import Counter
from dataclasses import dataclass

from debate_core.engine import judge_view
from debate_core.record.state import State
from debate_core.report.rows import told_turns


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One seat; `share` is of the words of all seats."""

    seat: str
    turns: int
    words: int
    share: float


def share_rows(state: State) -> tuple[ShareRow, ...]:
    """Every seat that has spoken, in the order of the seats; empty while nobody has said a word."""
    turns, words = Counter[str](), Counter[str]()
    for turn in told_turns(state):
        if turn.content is not None:
            turns[turn.seat] += 1
            words[turn.seat] += len(judge_view.spoken(turn.content).split())
    total = words.total()
    spoke = [s.id for s in state.spec.seats if turns[s.id]]
    return tuple(ShareRow(i, turns[i], words[i], words[i] / total) for i in spoke) if total else ()
