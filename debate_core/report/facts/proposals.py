"""Candidates that were proposed in the debate: by whom, on what they build, and what became of them."""

from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from debate_core.engine.candidates import struck_in
from debate_core.record.state import State, Turn
from debate_core.report.facts.turns import readable_turns
from debate_core.spec.candidates import as_read
from debate_core.spec.contents import Candidate, Candidates

Became = Literal["compared", "struck", "named before", "not compared"]


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One candidate as it was proposed; one that was proposed twice has two rows."""

    round: int
    phase: str
    seat: str
    by: str
    """Who gave the turn: the seat, or a person in its place."""
    name: str
    text: str
    builds_on: tuple[str, ...]
    became: Became
    """`not compared`: no comparison has begun since."""
    why: str
    """Why it was struck; empty otherwise."""


def proposal_rows(state: State, holds: Collection[str] = ()) -> tuple[ProposalRow, ...]:
    """Every candidate that whoever holds these seats may read, in the order in which they were proposed."""
    rows: list[ProposalRow] = []
    joined = {as_read(name) for name in state.joined}
    known = {as_read(option) for option in state.spec.options} - joined
    for given in _between_comparisons(state, holds):
        struck = {as_read(one.name): one.because for one in struck_in([content for _, content in given])}
        for turn, content in given:
            for candidate in content.candidates:
                name = as_read(candidate.name)
                became = _became(name, struck, joined, known)
                why = ""
                if became == "struck":
                    why = struck[name]
                else:
                    known.add(name)
                rows.append(_row(turn, candidate, became, why))
    return tuple(rows)


def _between_comparisons(state: State, holds: Collection[str]) -> Iterator[list[tuple[Turn, Candidates]]]:
    """The turns that proposed something, together those between which nothing was compared."""
    for _, turns in groupby(readable_turns(state, holds), lambda turn: state.phase(turn.phase).paired):
        yield [(t, t.content) for t in turns if t.status == "ok" and isinstance(t.content, Candidates)]


def _became(name: str, struck: Container[str], joined: Container[str], known: Container[str]) -> Became:
    """`known`: what was an option, or proposed, before it."""
    if name in known:
        return "named before"
    if name in struck:
        return "struck"
    return "compared" if name in joined else "not compared"


def _row(turn: Turn, candidate: Candidate, became: Became, why: str) -> ProposalRow:
    said_by = (turn.round, turn.phase, turn.seat, turn.by)
    return ProposalRow(*said_by, candidate.name.strip(), candidate.text, candidate.builds_on, became, why)
