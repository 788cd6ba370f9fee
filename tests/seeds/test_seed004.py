"""Proposer, critic, rebuttal and evaluator: what a round holds, who reads what, when it is enough (Debate Agent)."""

from typing import Any

import pytest

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.commands import StartAttempt
from debate_core.record.events import PhaseBegan
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.report.facts.account import account
from debate_core.report.facts.office_turns import evaluation_rows
from debate_core.report.files.export import csv_files
from debate_core.seats.prompts import prompt_for
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Content, Evaluation, Framing, Quality, Synthesis
from debate_core.spec.models import ModelLine
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Usage
from tests.holding import Said, hold
from tests.playing import Played
from tests.rehearsing import OPTIONS, QUESTION, course, rehearsal
from tests.stepping import read, walk

RULES = presets.protocol("proposer_critic")
MANY = presets.protocol("multi_position")
CAST = presets.default_seats(RULES, QUESTION, OPTIONS, "human")


def _says(request: Request) -> Content:
    match request.gives:
        case "framing":
            return Framing(thesis="the move pays off", criteria=("cost in a year",))
        case "evaluation":
            scores = (Quality(seat="proposer", score=8), Quality(seat="critic", score=7))
            return Evaluation(
                synthesis=f"read {request.round}", quality=scores, recommend_another_round=request.round < 2
            )
        case "synthesis":
            return Synthesis(answer="in sum", option="adopt")
        case _:
            return Argument(rationale=f"{request.seat} {request.round}", strength=8)


FIRST = [
    "1 framing: framer",
    "1 proposal: proposer",
    "1 critique: critic",
    "1 rebuttal: rebuttal",
    "1 evaluation: evaluator",
]
SECOND = ["2 critique: critic", "2 rebuttal: rebuttal", "2 evaluation: evaluator"]


@pytest.mark.parametrize(
    ("rounds", "expected", "ended_by"),
    [
        (1, [*FIRST, "1 synthesis: synthesiser"], "max_rounds_exhausted"),
        (2, [*FIRST, *SECOND, "2 synthesis: synthesiser"], "no_further_round"),
        (3, [*FIRST, *SECOND, "2 synthesis: synthesiser"], "no_further_round"),
    ],
)
def test_the_course_of_a_debate(rounds: int, expected: list[str], ended_by: str) -> None:
    # R220, R236, R250: a further round is critique and rebuttal, and the evaluator says whether there is one
    state, _ = walk(RULES, CAST, _says, rounds=rounds)
    assert course(state) == expected
    assert state.outcome is not None
    assert (state.outcome.ended_by, state.outcome.decision, state.outcome.decided_by) == (
        ended_by,
        "adopt",
        "synthesiser",
    )


def test_one_round_is_usual_and_a_fourth_is_refused() -> None:
    # R236
    assert (RULES.rounds.default, RULES.rounds.warn_above, RULES.rounds.hard_max) == (1, 2, 3)
    with pytest.raises(InvalidSpec, match="max_rounds 4 is above the hard maximum 3 of proposer_critic"):
        presets.compose(QUESTION, OPTIONS, RULES, CAST, max_rounds=4)


def test_who_reads_what() -> None:
    # R233, R234, R245, R251
    _, seen = walk(RULES, CAST, _says, rounds=2)
    framing, proposal = "1 framing framer: the move pays off", "1 proposal adopt: proposer 1"
    critique = "1 critique against adopt: critic 1"
    assert read(seen["1.framing.framer.1"]) == []
    assert read(seen["1.proposal.proposer.1"]) == [framing]
    assert read(seen["1.critique.critic.1"]) == [framing, proposal]
    assert read(seen["1.rebuttal.rebuttal.1"]) == [framing, proposal, critique]
    assert len(read(seen["2.critique.critic.1"])) == 5
    assert seen["1.critique.critic.1"].seat.commitment == "adversary"


def test_a_debate_of_models_has_the_limit_of_its_source() -> None:
    # R249: what the source's own configuration says; its text has 1 round where that has 2
    priced = {"price": {"input": "1", "output": "2"}, "base_url": "http://acme.test/v1"}
    line = ModelLine.model_validate({"id": "m", "model": "m-1", "provider": "acme", "dialect": "chat", **priced})
    seats = [s.model_copy(update={"model": "m"}) for s in presets.default_seats(RULES, QUESTION, OPTIONS, "model")]
    spec = presets.compose(QUESTION, OPTIONS, RULES, seats, models=(line,))
    assert spec.ceiling() == Ceiling(usd="0.50")
    played = Played(spec)
    framing = played.requests()[0].id
    dear, cheap = Usage(calls=1, cost_usd="0.51"), Usage(calls=1, cost_usd="0.49")
    with pytest.raises(RuleViolation, match="the ceiling of usd would be passed"):
        played.do(StartAttempt(by="runner", request=framing, reserved=dear))
    played.do(StartAttempt(by="runner", request=framing, reserved=cheap))
    critique = next(p for p in RULES.each_round if p.gives == "critique")
    assert (RULES.rounds.default, RULES.rounds.hard_max, critique.min_strength) == (1, 3, 6)


def _critiques(*strengths: int) -> list[Said]:
    return [
        {"phase": "critique", "attempt": n, "content": {"rationale": f"try {n}", "strength": s}}
        for n, s in enumerate(strengths, start=1)
    ]


@pytest.mark.parametrize(
    ("strengths", "kept", "weak"), [((6,), "try 1", 0), ((5, 9), "try 2", 1), ((4, 3), "try 2", 1)]
)
def test_a_soft_critique_is_asked_once_more_and_then_kept(strengths: tuple[int, ...], kept: str, weak: int) -> None:
    # R238, R249
    state, _ = hold(rehearsal(RULES, *_critiques(*strengths)))
    given = next(t.content for t in state.all_turns() if t.phase == "critique")
    assert isinstance(given, Argument)
    assert given.rationale == kept
    assert [t.status for t in state.failed_attempts] == ["weak"] * weak
    assert all(f"{strengths[0]} of 10" in t.message for t in state.failed_attempts)


def test_the_evaluator_names_no_winner() -> None:
    # R221, R230, R241: whatever it scores, only the synthesis decides
    undecided: Said = {"phase": "synthesis", "content": {"answer": "open", "option": None}}
    state, _ = hold(rehearsal(RULES, undecided))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("undecided", "escalate")
    assert "option" not in Evaluation.model_fields


def test_a_verdict_of_the_evaluator_has_all_its_parts_in_files() -> None:
    """Quality of each argument, settled and open points, whether another round would help, and the confidence."""
    verdict: Said = {
        "phase": "evaluation",
        "content": {
            "synthesis": "The case holds.",
            "quality": [{"seat": "proposer", "score": 8}, {"seat": "critic", "score": 6}],
            "resolved": [{"text": "It is legal.", "links": ["critic.1.1"]}],
            "unresolved": [{"text": "Its cost is open."}],
            "recommend_another_round": False,
            "confidence_level": "MODERATE",
            "uncertainties": ["the load of next year"],
        },
    }
    # The evaluator is asked for each part, so that a model cannot leave one out.
    state, events = hold(rehearsal(RULES, verdict, settings={"rounds": 3}))
    began = next(e for e in events if isinstance(e.body, PhaseBegan) and e.body.phase == "evaluation")
    asked = replay(events[: began.seq])
    schema: Any = prompt_for(view(asked, requests(asked)[0])).schema
    parts = {"quality", "resolved", "unresolved", "recommend_another_round", "confidence_level", "uncertainties"}
    assert parts <= {*schema["required"]}
    rows = [(row.section, row.subject, row.text) for row in evaluation_rows(state) if row.kind == "evaluation"]
    assert rows == [
        ("synthesis", "", "The case holds."),
        ("quality", "proposer", "8"),
        ("quality", "critic", "6"),
        ("resolved", "", "It is legal."),
        ("unresolved", "", "Its cost is open."),
        ("another_round", "", "no"),
        ("confidence_level", "", "MODERATE"),
        ("uncertainty", "", "the load of next year"),
    ]
    table = csv_files(account(state, events))["evaluations.csv"]
    assert all(f'"{section}"' in table and f'"{text}"' in table for section, _subject, text in rows)
    assert state.outcome is not None
    assert (state.outcome.rounds_run, state.outcome.ended_by) == (1, "no_further_round")


def test_an_evaluator_who_fails_ends_no_round_early() -> None:
    broken: Said = {"phase": "evaluation", "error": "timeout", "repeat": True}
    state, _ = hold(rehearsal(RULES, broken, settings={"rounds": 2}))
    assert state.outcome is not None
    assert (state.outcome.rounds_run, state.outcome.ended_by) == (2, "max_rounds_exhausted")


def test_every_position_has_a_seat_of_its_own_and_opens_unseen() -> None:
    # R273
    options = ("adopt X", "adopt Y", "defer")
    seats = presets.default_seats(MANY, QUESTION, options, "scripted")
    assert [s.stance for s in seats if s.role == "debater"] == list(options)
    state, _ = hold(rehearsal(MANY, options=options))
    names = " ".join(s.id for s in seats if s.role == "debater")
    assert course(state) == [
        "1 framing: framer",
        f"1 case: {names}",
        f"1 critique: {names}",
        "1 evaluation: evaluator",
        "1 recommendation: synthesiser",
    ]
    assert MANY.each_round[0].order == "at_once"
