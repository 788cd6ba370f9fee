"""Triage: the five conditions, objections, the gate, unknown answers, and the sides to assign."""

import pytest

from debate_core.spec import literature
from debate_core.spec.advice import (
    CONDITIONS,
    OBJECTIONS,
    QUESTIONS,
    Answers,
    Question,
    QuestionKind,
    Task,
    frames,
    recommend,
    words,
)
from debate_core.spec.presets import PROTOCOLS

PUBLISHED = {literature.DEBATE_AGENT, literature.DELIBERATION, literature.FLOW_STATE, literature.ORCHESTRATION}

FIT = Answers.model_validate({q.name: q.wanted for q in QUESTIONS})
"""Everything speaks for a debate, but what is at stake is unknown."""


def but(**changes: object) -> Answers:
    return Answers.model_validate(FIT.model_dump() | changes)


def other(question: Question) -> str:
    return "no" if question.wanted == "yes" else "yes"


def test_all_conditions_known_to_hold_is_a_debate():
    # R132, R142
    assert len(CONDITIONS) == 5
    found = recommend(FIT)
    assert (found.advice, found.alternatives) == ("debate", ())
    assert found.sentence == "Debate it: all conditions hold and nothing rules it out."
    assert [r.name for r in found.open] == ["stake", "task"]


def test_nothing_known_recommends_nothing():
    # R223: a debate is never what is done by default
    found = recommend(Answers())
    assert found.advice == "cannot_say"
    assert found.sentence == "Cannot say: 13 questions are still open."
    assert {r.says for r in found.reasons} == {"open"}
    assert (found.alternatives, found.frames) == ((), ())


@pytest.mark.parametrize("question", [*CONDITIONS, *OBJECTIONS], ids=lambda q: q.name)
def test_one_unknown_is_never_a_yes(question: Question):
    # R142
    found = recommend(but(**{question.name: "unknown"}))
    assert found.sentence == "Cannot say: 1 question is still open."
    assert question.name in [r.name for r in found.open]


INSTEAD = {
    # R024, R063, R064, R066, R075, R077, R131, R133
    "confident_wrong": ["self_consistency"],
    "contested": ["single_call"],
    "affordable": ["single_call"],
    "weighed": ["self_consistency"],
    "time": ["self_consistency", "single_call"],
    "check": ["a test runner"],
    "lookup": ["single_call"],
    "one_critic": ["adversary"],
    "one_draft": ["one judge on one draft", "backpressure"],
    "lenses": ["independent critics"],
    "modal": ["self_consistency"],
    "joint_work": ["a cooperative board", "round_robin_panel", "routed specialists"],
    "same_model": ["cross-family"],
}


@pytest.mark.parametrize("question", [*CONDITIONS, *OBJECTIONS], ids=lambda q: q.name)
def test_what_speaks_against_names_what_to_do_instead(question: Question):
    found = recommend(but(**{question.name: other(question)}))
    assert found.advice == "simpler"
    assert found.sentence == "Something simpler: 1 answer speaks against a debate."
    assert [a.preset or a.name for a in found.alternatives] == INSTEAD[question.name]
    assert {a.preset for a in found.alternatives} - {""} <= set(PROTOCOLS)
    against = [r for r in found.reasons if r.says == "against"]
    assert [(r.name, r.source) for r in against] == [(question.name, question.source)]


def test_remarks_speak_against_it_and_rule_nothing_out():
    # R066, R243: nobody takes what stays open, a single answer shows no doubt
    found = recommend(but(handed_on="no", unsure="no", task="other"))
    assert found.advice == "debate"
    assert [r.name for r in found.reasons if r.says == "against"] == ["handed_on", "unsure", "task"]
    assert [a.name for a in found.alternatives] == ["escalation"]


@pytest.mark.parametrize(
    ("downside", "cost", "advice", "says"),
    [
        ("25.01", "0.50", "debate", "for"),
        ("25", "0.50", "simpler", "against"),
        (None, "0.50", "cannot_say", "open"),
        ("1000000", None, "cannot_say", "open"),
    ],
)
def test_the_gate_is_fifty_debates(downside: str | None, cost: str | None, advice: str, says: str):
    # R243, R244
    found = recommend(Answers(downside_usd=downside, debate_usd=cost))
    stake = next(r for r in found.reasons if r.name == "stake")
    assert (found.advice, stake.says) == (advice, says)


def test_high_stakes_outweigh_unknowns_but_no_known_facts():
    # R244
    much = {"downside_usd": "1000000", "debate_usd": "0.50"}
    found = recommend(Answers.model_validate(much))
    assert found.sentence.endswith("nothing known rules it out; 13 questions are still open.")
    assert next(r.sentence for r in found.reasons if r.name == "stake") == (
        "A wrong decision would cost more than that many debates: $1000000; 50 times the debate is $25."
    )
    assert recommend(Answers.model_validate({**much, "check": "yes"})).advice == "simpler"


@pytest.mark.parametrize("task", ["contract", "security", "architecture", "investment", "compliance"])
def test_the_kinds_of_decisions_that_are_high_risk(task: Task):
    # R242
    reason = next(r for r in recommend(Answers(task=task)).reasons if r.name == "task")
    assert (reason.says, reason.sentence) == ("for", f"{task.capitalize()} decisions are known as high risk.")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("claim", ["consensus", "contrarian"]),
        ("hypotheses", ["first hypothesis", "second hypothesis"]),
        ("risk", ["optimist", "pessimist"]),
        ("plans", ["adopt", "defer", "reject"]),
        ("unknown", []),
    ],
)
def test_sides_by_the_kind_of_question(kind: QuestionKind, names: list[str]):
    # R148, R149
    found = frames(kind, ("adopt", "defer", "reject"))
    assert [f.name for f in found] == names
    assert all(f.claim.endswith(", because ...") for f in found)


def test_every_question_has_a_source_and_every_answer_a_sentence():
    for question in QUESTIONS:
        assert set(question.source.split("; ")) <= PUBLISHED
        assert question.agrees.endswith(".")
        assert question.objects.endswith(".")
        assert question.text.endswith("?")


def test_the_recommendation_in_words():
    told = words(recommend(but(check="yes"))).splitlines()
    assert told[0] == (
        "Whether to debate this was asked before the start. Something simpler: 1 answer speaks against a debate."
    )
    assert (
        told[2]
        == "Against it: A check that can be run decides it, and is a stronger signal than two seats that disagree."
    )
    assert [line.split(":")[0] for line in told[1:]] == ["For a debate", "Against it", "Open"]


def test_unanswered_points_have_no_line_and_one_is_singular():
    assert [line.split(":")[0] for line in words(recommend(Answers())).splitlines()[1:]] == ["Open"]
    sure = but(downside_usd="1000000", debate_usd="0.50", task="contract")
    assert [line.split(":")[0] for line in words(recommend(sure)).splitlines()[1:]] == ["For a debate"]
    one = recommend(but(check="unknown"))
    assert one.sentence == "Cannot say: 1 question is still open."
    by_default = recommend(but(check="unknown", downside_usd="1000000", debate_usd="0.50"))
    assert by_default.sentence.endswith("nothing known rules it out; 1 question is still open.")
    against = recommend(but(check="yes", lookup="yes"))
    assert against.sentence == "Something simpler: 2 answers speak against a debate."


@pytest.mark.parametrize(
    ("downside", "cost", "missing"),
    [
        (None, "1", "what a wrong decision would cost"),
        ("1", None, "what the debate would cost"),
        (None, None, "what a wrong decision would cost and what the debate would cost"),
    ],
)
def test_which_amount_is_not_known(downside: str | None, cost: str | None, missing: str):
    found = recommend(Answers(downside_usd=downside, debate_usd=cost))
    assert next(r.sentence for r in found.reasons if r.name == "stake") == f"Not known: {missing}."
