"""Recorded findings about a turn whose text argues for another option than its ballot."""

import pytest

from debate_core.engine.ballot_consistency import fault_in_finding, highest_on, which_is_held
from debate_core.spec.contents import Argument, Content, Verdict
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat, Elected, MaxRounds, Plurality
from debate_core.spec.values import Given
from tests.by_hand import OPEN, small

SAID = Argument(rationale="why", vote="a")
NONE_BESIDE = "but no ballot or named option contradicts it"


@pytest.mark.parametrize(
    ("content", "argues_for", "fault"),
    [
        (SAID, None, None),
        (SAID, "b", None),
        (SAID, "a", NONE_BESIDE),
        (SAID, "z", "'z', which is none of the options"),
        (SAID.model_copy(update={"vote": None}), "b", NONE_BESIDE),
        (SAID.model_copy(update={"vote": "abstain"}), "b", NONE_BESIDE),
        (Verdict(reasoning="why", verdict="a", option="a"), "b", None),
        (Verdict(reasoning="why", verdict="a", option="a"), "a", NONE_BESIDE),
        (Verdict(reasoning="why", verdict="a"), "b", NONE_BESIDE),
        (None, "b", NONE_BESIDE),
    ],
)
def test_a_contradiction_needs_a_ballot_for_another_option(content: Content | None, argues_for, fault: str | None):
    held = small(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    told = fault_in_finding(held.state, held.requests()[0], content, argues_for)
    assert told == fault or (told is not None and fault is not None and told.endswith(fault))


def test_where_no_ballot_is_asked_for_none_is_contradicted():
    judge = Phase(name="verdict", gives="verdict", role="judge")
    held = small(OPEN, n=2, rounds=1, after=(judge,), decide=BySeat(role="judge"), stop=(MaxRounds(),))
    told = fault_in_finding(held.state, held.requests()[0], SAID, "b")
    assert told is not None
    assert told.endswith(NONE_BESIDE)


@pytest.mark.parametrize(("points", "highest"), [((5, 5, 1), ("a", "b")), ((0, 3, 1), ("b",)), ((), ())])
def test_a_ballot_of_points_can_put_several_highest(points: tuple[int, ...], highest: tuple[str, ...]):
    held = small(OPEN, n=2, rounds=1, decide=Elected(kind="score"), stop=(MaxRounds(),))
    given = tuple(Given(option=option, points=p) for option, p in zip("abc", points, strict=False))
    said = Argument(rationale="why", ballot=given)
    assert highest_on(held.state, said) == highest
    faults = [fault_in_finding(held.state, held.requests()[0], said, option) is None for option in "abc"]
    assert faults == [bool(highest) and option not in highest for option in "abc"]


def test_a_seat_is_asked_which_of_the_two_it_holds():
    given = Argument(rationale="why")
    assert which_is_held("a", ("b", "c"), given) == "your text argues for “a”, your ballot says “b” and “c”"
    named = Verdict(reasoning="why", verdict="b", option="b")
    assert which_is_held("a", ("b",), named) == "your text argues for “a”, you name “b”"
