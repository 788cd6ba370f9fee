"""Candidates proposed during the debate: author, basis, and result."""

from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from debate_core.engine.candidates import struck_in
from debate_core.record.state import State, Turn
from debate_core.report.facts.turns import readable_turns
from debate_core.spec.contents import Candidates
from debate_core.text import folded

Became = Literal["compared", "struck", "named before", "not compared"]


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One proposed candidate; one that was proposed twice has two rows."""

    round: int
    phase: str
    seat: str
    by: str
    """Author of the turn: the seat, or a person in its place."""
    name: str
    text: str
    builds_on: tuple[str, ...]
    became: Became
    """`not compared`: no comparison has begun since then."""
    why: str
    """Reason for striking it; empty otherwise."""


def proposal_rows(state: State, holds: Collection[str] = ()) -> tuple[ProposalRow, ...]:
    """Candidates that a reader with these seats may read, in the order of their proposal."""
    rows: list[ProposalRow] = []
    joined = {folded(name) for name in state.joined}
    known = {folded(option) for option in state.spec.options} - joined
    for given in _between_comparisons(state, holds):
        struck = {folded(one.name): one.because for one in struck_in([content for _, content in given])}
        for turn, content in given:
            for candidate in content.candidates:
                name = folded(candidate.name)
                became = _became(name, struck, joined, known)
                row = ProposalRow(
                    round=turn.round,
                    phase=turn.phase,
                    seat=turn.seat,
                    by=turn.by,
                    name=candidate.name.strip(),
                    text=candidate.text,
                    builds_on=candidate.builds_on,
                    became=became,
                    why=struck[name] if became == "struck" else "",
                )
                rows.append(row)
                if became != "struck":
                    known.add(name)
    return tuple(rows)


def _between_comparisons(state: State, holds: Collection[str]) -> Iterator[list[tuple[Turn, Candidates]]]:
    """Lists of candidates that were merged together: no comparison lies between their turns."""
    for _, turns in groupby(readable_turns(state, holds), lambda turn: state.phase(turn.phase).paired):
        yield [(turn, turn.content) for turn in turns if turn.status == "ok" and isinstance(turn.content, Candidates)]


def _became(name: str, struck: Container[str], joined: Container[str], known: Container[str]) -> Became:
    """`known`: options and proposals before it."""
    if name in known:
        return "named before"
    if name in struck:
        return "struck"
    return "compared" if name in joined else "not compared"
