"""Deliberation: two sides open, rebut and close; a synthesiser without a side weighs them (seed 002)."""

import pytest

from debate_core import presets
from debate_core.model import Argument, Content, Linked, Seat, Synthesis
from debate_core.state import Request
from tests.rehearsing import course
from tests.stepping import read, walk

RULES = presets.DELIBERATION
SEATS = (
    Seat(id="anna", stance="adopt", occupant="human"),
    Seat(id="bert", stance="defer", occupant="human"),
    presets.synthesiser("human"),
)


def _says(request: Request) -> Content:
    if request.gives == "synthesis":
        return Synthesis(answer="so far", option="defer", contested=(Linked(text="cost", links=("anna.1.1",)),))
    return Argument(rationale=f"{request.seat} {request.phase}")


@pytest.mark.parametrize(
    ("rounds", "middle"),
    [
        (1, []),
        (2, ["2 closing: anna bert"]),
        (4, ["2 rebuttal: anna bert", "3 rebuttal: anna bert", "4 closing: anna bert"]),
    ],
)
def test_open_rebut_close_and_then_the_synthesis(rounds: int, middle: list[str]) -> None:
    # R137, R143, R145
    state, _ = walk(RULES, SEATS, _says, rounds=rounds)
    assert course(state) == ["1 opening: anna bert", *middle, f"{rounds} synthesis: synthesiser"]
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.decided_by) == ("defer", "synthesiser")


def test_both_sides_speak_unseen_and_then_answer_each_other() -> None:
    # R130, R150, R153
    _, seen = walk(RULES, SEATS, _says, rounds=3)
    assert (read(seen["1.opening.anna.1"]), read(seen["1.opening.bert.1"])) == ([], [])
    assert read(seen["2.rebuttal.bert.1"]) == ["1 opening adopt: anna opening", "1 opening defer: bert opening"]
    assert read(seen["3.closing.anna.1"])[2:] == ["2 rebuttal adopt: anna rebuttal", "2 rebuttal defer: bert rebuttal"]


def test_the_synthesiser_has_no_side_and_reads_all_of_it_once() -> None:
    # R139, R149, R151
    _, seen = walk(RULES, SEATS, _says, rounds=3)
    reading = seen["3.synthesis.synthesiser.1"]
    assert (reading.seat.stance, len(reading.turns), reading.ballot_options) == ("", 6, ())
    assert [name for name in seen if "synthesis" in name] == ["3.synthesis.synthesiser.1"]


def test_a_synthesis_that_names_no_option_decides_nothing() -> None:
    state, _ = walk(RULES, SEATS, lambda r: Synthesis(answer="level") if r.gives == "synthesis" else _says(r))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("undecided", "escalate")
