"""Facts of a finished debate: the decision, first ballots, judgements, and position bias of judges."""

from datetime import UTC, datetime

import pytest

from debate_core.record.acts import OutcomeRecorded, Signed
from debate_core.record.commands import SkipTurn
from debate_core.report.facts.debate_facts import leans_first
from debate_core.report.facts.decision_outcomes import aftermath
from debate_core.spec.contents import Argument, Evaluation, Quality, Verdict
from debate_core.spec.presets import PROTOCOLS, compose
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.rules import BySeat, MaxRounds, Plurality
from debate_core.spec.values import Seat
from tests.by_hand import ASSESS, JUDGE, OPEN, small_spec
from tests.people import ABE, room_spec
from tests.playing import Played

SEATS = tuple(Seat(id=name, occupant="human") for name in ("ana", "ben", "cyd"))


def asking(question: str = "Adopt?", *options: str) -> Spec:
    """Three people vote on this question."""
    return compose(question, options or ("adopt", "wait"), PROTOCOLS["bounded_vote"], SEATS)


def test_what_was_signed_holds_and_not_what_was_counted():
    held = Played(room_spec(pre_vote="none", final_vote="none")).go_on()
    held.to_the_end()
    assert aftermath(held.state).decision == "adopt"
    held.act(ABE, Signed(verdict="reject", reason="too dear"))
    held.act(ABE, OutcomeRecorded(result="held", reason="a year on"))
    assert (aftermath(held.state).decision, aftermath(held.state).right) == (None, None)


@pytest.mark.parametrize(
    ("vote", "first"), [("wait", ("wait", 70)), ("abstain", (None, 70)), (None, (None, None))], ids=str
)
def test_the_first_answer_is_the_vote_of_the_first_turn(vote: str | None, first: tuple[str | None, int | None]):
    held = Played(asking())
    if vote is None:
        held.do(SkipTurn(by="ana", request=held.asked()[0], reason="ill"))
    else:
        held.say(Argument(rationale="why", vote=vote, confidence=70))
    held.play("adopt")
    assert (aftermath(held.state).first, aftermath(held.state).first_confidence) == first


@pytest.mark.parametrize(
    ("month", "quarter"), [(1, "Q1"), (3, "Q1"), (4, "Q2"), (6, "Q2"), (7, "Q3"), (9, "Q3"), (10, "Q4"), (12, "Q4")]
)
def test_a_debate_belongs_to_the_quarter_in_which_it_ended(month: int, quarter: str):
    spec = asking()
    held = Played(spec, at=datetime(2026, month, 28, 23, 59, tzinfo=UTC)).play("adopt")
    assert aftermath(held.state).quarter == f"2026 {quarter}"
    assert aftermath(Played(spec).state).quarter == ""


def test_the_same_question_in_other_spellings_is_the_same():
    asked = [("Adopt  it?", ("Adopt", "wait")), (" adopt it?", ("wait", "adopt")), ("Adopt it", ("adopt", "wait"))]
    held = [Played(asking(question, *options)).play(options[0]) for question, options in asked]
    first, spelt, other = [aftermath(one.state).question for one in held]
    assert first == spelt != other


@pytest.mark.parametrize(
    ("stances", "option", "first"),
    [
        (("a", "b"), "a", True),
        (("a", "b"), "b", False),
        (("a", "b", "c"), "c", False),
        # Neither the first nor the last, a side of two, of nobody, and of one debater alone.
        (("a", "b", "c"), "b", None),
        (("a", "b", "a"), "a", None),
        (("a", "b"), "c", None),
        (("against a", "b"), "a", None),
        (("a",), "a", None),
    ],
)
def test_position_bias_needs_the_side_of_one_debater_at_an_end(
    stances: tuple[str, ...], option: str, first: bool | None
):
    spec = small_spec(
        Phase(name="talk"), n=len(stances), rounds=1, after=(JUDGE,), decide=BySeat(role="judge"), stop=(MaxRounds(),)
    )
    sides = dict(zip(("s0", "s1", "s2"), stances, strict=False))
    seats = tuple(seat.model_copy(update={"stance": sides.get(seat.id, "")}) for seat in spec.seats)
    held = Played(spec.model_copy(update={"seats": seats}))
    while (asked := held.requests())[0].gives == "argument":
        held.say(None)
    assert asked[0].gives == "verdict"
    held.say(Verdict(reasoning="Read.", verdict=option, option=option))
    assert leans_first(held.state) is first


@pytest.mark.parametrize(
    ("rated", "first"),
    [
        ([{"s0": 9, "s2": 4}, {"s0": 4, "s2": 9}], False),
        ([{"s0": 4, "s2": 9}, {"s0": 9, "s2": 4}], True),
        ([{"s0": 9, "s2": 9}], None),
        ([{"s0": 5, "s1": 9}], None),
        ([{"s0": 9, "s2": 4}, {}], None),
    ],
)
def test_the_last_ratings_tell_whom_an_evaluator_favours(rated: list[dict[str, int]], first: bool | None) -> None:
    held = Played(small_spec(OPEN, ASSESS, rounds=2, decide=Plurality(), stop=(MaxRounds(),)))
    for scores in rated:
        held.vote(dict.fromkeys(("s0", "s1", "s2"), "a"))
        quality = tuple(Quality(seat=seat, score=score) for seat, score in scores.items())
        held.say(Evaluation(synthesis="So far.", recommend_another_round=True, quality=quality))
    assert leans_first(held.state) is first
