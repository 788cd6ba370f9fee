"""The offer to end after the blind first ballot: when it is made, and the price of going on."""

from datetime import datetime

import pytest

from debate_core.record.acts import LastRound, SeatTaken
from debate_core.record.commands import TakeTurn
from debate_core.seats.early_end import early_end
from debate_core.seats.forecast import forecast
from debate_core.spec.contents import Argument
from debate_core.spec.models import Price
from debate_core.spec.people import Room
from debate_core.spec.values import Usage
from tests.paid import LINES, Hand, begin, paid_spec, use
from tests.people import FAY

PRICED = tuple(line.model_copy(update={"price": Price(input="1", output="2")}) for line in LINES)


def balloted(hand: Hand, phases: int = 1) -> Hand:
    """Every seat votes for another option in the next phases of the debate."""
    for _ in range(3 * phases):
        request = hand.requests()[0]
        vote = {"planner": "release", "critic": "revise", "operator": "escalate"}[request.seat]
        said = Argument(rationale="why", vote=vote)
        hand.ask(request.id).do(TakeTurn(by=request.seat, request=request.id, content=said, usage=use(9, 9, "0.01")))
    return hand


def priced(**fields: object) -> Hand:
    spec = paid_spec(**fields)  # type: ignore[arg-type]
    return begin(spec.model_copy(update={"models": PRICED}))


def in_a_room(**agreed: object) -> Hand:
    hand = priced(room=Room.model_validate({"people": (FAY,), "final_vote": "none", "pre_vote": "none", **agreed}))
    hand.go_on()
    return hand


def rows_after(hand: Hand, *, rounds_after: int = 0) -> tuple[int, float]:
    """Calls and USD of the forecast rows of later phases, added up one by one."""
    rows = forecast(hand.state.spec, at=datetime.fromisoformat(hand.state.opened_at)).rows
    begun = {("proposal", 1), ("critique", 1)}
    later = [row for row in rows if (row.phase, row.round) not in begun and row.round > rounds_after]
    return sum(row.calls for row in later), sum(float(row.cost_usd or "nan") for row in later)


def amounts(usage: Usage) -> tuple[int, float]:
    return usage.calls, float(usage.cost_usd or "nan")


def test_early_end_is_offered_until_the_second_ballot():
    hand = priced()
    assert early_end(hand.state, FAY.id) is None
    offer = early_end(balloted(hand).state, FAY.id)
    assert offer is not None
    assert not offer.is_last_round
    assert amounts(offer.usage) == pytest.approx(rows_after(hand))
    assert early_end(balloted(hand).state, FAY.id) is None


def test_early_end_saves_later_rounds_where_one_can_be_the_last():
    hand = balloted(in_a_room())
    offer = early_end(hand.state, FAY.id)
    assert offer is not None
    assert offer.is_last_round
    assert amounts(offer.usage) == pytest.approx(rows_after(hand, rounds_after=1))
    hand.act(FAY, LastRound(reason="enough"))
    assert early_end(hand.state, FAY.id) is None


def test_early_end_has_no_price_if_a_model_has_none():
    offer = early_end(balloted(begin(paid_spec())).state, FAY.id)
    assert offer is not None
    assert offer.usage.cost_usd is None


def test_early_end_is_not_offered_if_people_sit_or_decide():
    sitting = in_a_room()
    sitting.act(FAY, SeatTaken(seat="operator", reason="to try it"))
    for seat, by in (("planner", "planner"), ("critic", "critic"), ("operator", FAY.id)):
        request = next(one for one in sitting.requests() if one.seat == seat)
        if by == seat:
            sitting.ask(request.id)
        said = Argument(rationale="why", vote="release" if by == seat else "revise")
        usage = use(9, 9, "0.01") if by == seat else None
        sitting.do(TakeTurn(by=by, request=request.id, content=said, usage=usage))
    assert len(sitting.state.counted) == 1
    assert early_end(sitting.state, FAY.id) is None
