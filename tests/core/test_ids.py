"""Addresses of turns, attempts and claims: what is written is read again, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.record.ids import ClaimId, RequestId, TurnId

NUMBERS = st.integers(min_value=1, max_value=50)
PHASES = st.from_regex(r"\A[a-z][a-z0-9_]{0,39}\Z")
SEATS = st.from_regex(r"\A[A-Za-z0-9_-]{1,40}\Z")


@pytest.mark.slow
@given(NUMBERS, PHASES, SEATS, NUMBERS, NUMBERS)
def test_an_attempt_and_its_turn_are_read_as_they_were_written(
    number: int, phase: str, seat: str, attempt: int, nth: int
):
    request = RequestId(number, phase, seat, attempt, nth)
    assert RequestId.parse(str(request)) == request
    assert TurnId.parse(str(request.turn)) == request.turn
    assert str(request) == f"{request.turn}.{attempt}"


@given(SEATS, NUMBERS, NUMBERS)
def test_a_claim_is_read_as_it_was_written(seat: str, number: int, place: int):
    claim = ClaimId(seat, number, place)
    assert ClaimId.parse(str(claim)) == claim


def test_each_address_has_one_spelling():
    assert str(RequestId(2, "critique", "risk", 1)) == "2.critique.risk.1"
    assert str(TurnId(2, "critique", "risk")) == "2.critique.risk"
    assert str(RequestId(2, "critique", "risk", 1, nth=2)) == "2.critique.risk~2.1"
    assert str(ClaimId("risk", 2, 3)) == "risk.2.3"
    # Nor are others read: a turn has one name.
    assert TurnId.parse("2.critique.risk~2") == TurnId(2, "critique", "risk", nth=2)


@pytest.mark.parametrize("kind", [TurnId, RequestId, ClaimId])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "2",
        "2.critique",
        "two.critique.risk.one",
        "a.b.c",
        "2.critique.risk.1.1",
        "2.talk.risk~1",
        "2.talk.risk~02",
        "2.talk.risk~",
        "2.talk.risk~x.1",
        "2.talk.risk~1.1",
    ],
)
def test_anything_else_is_no_address(kind: type[TurnId] | type[RequestId] | type[ClaimId], text: str):
    with pytest.raises(ValueError, match=r"address|invalid literal"):
        kind.parse(text)
