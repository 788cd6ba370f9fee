"""Stances before a judge, with and without a moderator, and the round robin with a referee (flow-state-dev)."""

import re

import pytest

from debate_core.engine.seat_view import View
from debate_core.errors import InvalidSpec
from debate_core.record.state import Request
from debate_core.seats.prompts import prompt_for
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Claim, Content, Directive, Synthesis, Verdict
from debate_core.spec.values import Occupant, Seat
from debate_core.spec.warnings import warnings
from tests.holding import hold
from tests.rehearsing import OPTIONS, QUESTION, course, rehearsal
from tests.stepping import read, walk

STANCE_JUDGE = presets.protocol("stance_judge")
MODERATED = presets.protocol("moderated_judge")
PANEL = presets.protocol("round_robin_panel")
HUMAN: Occupant = "human"
SIDES = (
    Seat(id="anna", stance="adopt", occupant=HUMAN, commitment="locked"),
    Seat(id="bert", stance="defer", occupant=HUMAN, commitment="locked"),
)
SAYS = {"anna": "first", "bert": "second"}
JUDGE = Seat(id="judge", role="judge", occupant=HUMAN)
MODERATOR = Seat(id="mod", role="moderator", occupant=HUMAN)


def _says(request: Request) -> Content:
    match request.gives:
        case "verdict":
            return Verdict(reasoning="weighed", verdict="both in part")
        case "directive":
            briefing = f"fact {request.round}" if request.round == 1 else ""
            return Directive(
                reason=f"plan {request.round}",
                next_speakers=("bert", "anna") if request.round == 1 else ("anna",),
                briefing=briefing,
                new_angle=f"angle {request.round}",
            )
        case "synthesis":
            return Synthesis(answer="drawn together", option="adopt")
        case _:
            side = SAYS.get(request.seat, request.seat)
            return Argument(rationale=f"{side} {request.round}", claims=(Claim(text=f"It is what the {side} says."),))


def _sent(seen: View) -> str:
    """Everything that a model in this seat would be sent."""
    prompt = prompt_for(seen)
    return "".join((prompt.system, *prompt.blocks, prompt.tail, str(prompt.schema)))


def test_within_a_round_each_reads_those_who_spoke_before() -> None:
    # R070, R073, R080
    _, seen = walk(STANCE_JUDGE, [*SIDES, JUDGE], _says, rounds=2)
    assert read(seen["1.argument.anna.1"]) == []
    assert read(seen["1.argument.bert.1"]) == ["1 argument adopt: first 1"]
    assert read(seen["2.argument.anna.1"]) == ["1 argument adopt: first 1", "1 argument defer: second 1"]
    assert all(view.seat.commitment == "locked" for id_, view in seen.items() if "argument" in id_)


def test_debaters_and_judge_read_stances_and_no_names() -> None:
    # R105, R106, R114: not in the ids of claims either
    _, seen = walk(STANCE_JUDGE, [*SIDES, JUDGE], _says, rounds=2)
    for view in seen.values():
        assert not re.search("anna|bert", _sent(view))
    later = _sent(seen["2.verdict.judge.1"])
    assert "Speaker: adopt" in later
    assert "Claim seat_a.1.1: It is what the first says." in later
    assert "Claim seat_b.2.1: It is what the second says." in later


def test_the_judge_reads_anonymous_turns_shuffled_by_round() -> None:
    # R166, R071, R107
    def says(request: Request) -> Content:
        """Something new in every round: otherwise the rounds end for want of progress."""
        return _says(request) if request.gives == "verdict" else Argument(rationale=f"{request.id} is new")

    state, seen = walk(STANCE_JUDGE, [*SIDES, JUDGE], says, rounds=3)
    orders = set()
    for seed in range(8):
        _, drawn = walk(STANCE_JUDGE, [*SIDES, JUDGE], says, rounds=3, seed=seed)
        told = read(drawn["3.verdict.judge.1"])
        assert sorted(told) == sorted(read(seen["3.verdict.judge.1"]))
        assert [line[0] for line in told] == ["1", "1", "2", "2", "3", "3"]
        assert {line.split()[2] for line in told} == {"adopt:", "defer:"}
        orders.add(tuple(told))
    assert len(orders) > 1
    assert walk(STANCE_JUDGE, [*SIDES, JUDGE], says, rounds=3)[1] == seen
    assert state.outcome is not None


def test_a_mixture_names_no_winner_and_decides_nothing() -> None:
    # R071, R074, R111
    state, _ = walk(STANCE_JUDGE, [*SIDES, JUDGE], _says)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, state.outcome.decision_rule) == (
        "undecided",
        "escalate",
        "by_seat",
    )


def test_the_judge_cannot_be_left_out() -> None:
    # R119
    with pytest.raises(InvalidSpec, match="decided by the judge"):
        presets.compose(QUESTION, OPTIONS, STANCE_JUDGE, SIDES)


def test_many_rounds_are_warned_of() -> None:
    # R113
    assert STANCE_JUDGE.rounds.default == 2
    spec = presets.compose(QUESTION, OPTIONS, STANCE_JUDGE, [*SIDES, JUDGE], max_rounds=5)
    assert "5 rounds are more than 4: later rounds rarely add arguments" in warnings(spec)


def test_what_a_directive_says_holds_in_its_own_round_only() -> None:
    # R088, R089, R092, R104
    state, seen = walk(MODERATED, [*SIDES, MODERATOR, JUDGE], _says, rounds=2)
    assert course(state) == [
        "1 direction: mod",
        "1 argument: bert anna",
        "2 direction: mod",
        "2 argument: anna",
        "2 verdict: judge",
    ]
    first, second = seen["1.argument.bert.1"].directive, seen["2.argument.anna.1"].directive
    assert first is not None
    assert second is not None
    assert (first.briefing, first.new_angle) == ("fact 1", "angle 1")
    assert (second.briefing, second.new_angle) == ("", "angle 2")
    assert read(seen["2.argument.anna.1"]) == ["1 argument defer: second 1", "1 argument adopt: first 1"]


def test_the_moderator_reads_names_and_what_it_said_before() -> None:
    # R093, R094
    _, seen = walk(MODERATED, [*SIDES, MODERATOR, JUDGE], _says, rounds=2)
    assert read(seen["1.direction.mod.1"]) == []
    assert read(seen["2.direction.mod.1"]) == [
        "1 direction mod: plan 1",
        "1 argument bert: second 1",
        "1 argument anna: first 1",
    ]
    assert seen["2.direction.mod.1"].speakers == ("anna", "bert")


def test_a_moderator_who_fails_holds_up_nobody() -> None:
    # R114, R115
    broken: dict[str, object] = {"phase": "direction", "error": "timeout", "repeat": True}
    state, _ = hold(rehearsal(MODERATED, broken))
    assert [line.split(": ")[0] for line in course(state)] == [
        "1 direction",
        "1 argument",
        "2 direction",
        "2 argument",
        "2 verdict",
    ]
    assert [t.status for t in state.all_turns() if t.phase == "direction"] == ["timeout", "timeout"]


def test_the_cap_precedes_the_moderator_and_both_are_recorded() -> None:
    # R099
    content = {"reason": "enough", "next_speakers": [], "done": True}
    last: dict[str, object] = {"phase": "direction", "round": 2, "content": content}
    state, _ = hold(rehearsal(MODERATED, last))
    assert state.outcome is not None
    assert (state.outcome.ended_by, state.outcome.fired) == (
        "max_rounds_exhausted",
        ("max_rounds_exhausted", "moderator_done"),
    )


def test_a_round_robin_ends_without_new_claims() -> None:
    # R076
    seats = [Seat(id=i, occupant=HUMAN, commitment="open") for i in ("anna", "bert")]
    offices = [Seat(id="ref", role="referee", occupant=HUMAN), presets.synthesiser(HUMAN)]
    state, seen = walk(PANEL, [*seats, *offices], _says)
    assert course(state) == [
        "1 contribution: anna bert",
        "1 audit: ref",
        "2 contribution: anna bert",
        "2 audit: ref",
        "2 synthesis: synthesiser",
    ]
    assert state.outcome is not None
    assert (state.outcome.ended_by, state.outcome.decided_by) == ("no_progress", "synthesiser")
    assert read(seen["2.contribution.anna.1"])[-1] == "1 audit referee: ref 1"
    assert seen["1.audit.ref.1"].ballot_options == ()
    assert PANEL.rounds.hard_max == 5
