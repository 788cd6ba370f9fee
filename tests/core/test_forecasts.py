"""Final positions of one debate: the last word of each participant and the stated confidence."""

import pytest

from debate_core.record.acts import SeatTaken, Struck
from debate_core.record.commands import TakeTurn
from debate_core.record.state import State
from debate_core.report.facts.forecasts import Stated, asked_twice, stated
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Verdict
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat, MaxRounds, Plurality
from debate_core.spec.values import Seat
from tests.by_hand import JUDGE, OPEN, small, small_spec
from tests.core.test_both_orders import RULES, SEATS
from tests.core.test_both_orders import held as asked_in_both_orders
from tests.paid import begin, paid_spec, use
from tests.people import FAY, MO, room_spec
from tests.playing import Played
from tests.rehearsing import OPTIONS, QUESTION

AGAIN = Phase(name="again", order="at_once")


def told(state: State) -> dict[str, tuple[str, ...]]:
    return {one.seat: one.named for one in stated(state)}


def test_the_last_word_that_names_an_option_holds():
    held = small(OPEN, AGAIN, n=4, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    held.vote({"s0": "a", "s1": "a", "s2": None, "s3": "c"})
    # Who abstains, or is not heard, takes nothing back; a word that is no option names none.
    held.say("b").say(None).say(None).fail().fail()
    assert told(held.state) == {"s0": ("b",), "s1": ("a",), "s3": ("c",)}
    abstains = small(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).say("abstain").say("a")
    assert told(abstains.state) == {"s0": (), "s1": ("a",)}


def test_a_struck_word_is_none():
    held = Played(room_spec(rounds=1, pre_vote="none")).go_on().play("adopt")
    assert set(told(held.state)) == {"s0", "s1", "s2"}
    for phase in ("opening", "reply"):
        held.act(MO, Struck(turn=f"1.{phase}.s1", reason="it insults"))
    assert set(told(held.state)) == {"s0", "s2"}


@pytest.mark.parametrize(
    ("sure", "shares"), [(None, None), (70, {"a": 0.7, "b": 0.15, "c": 0.15}), (0, {"a": 0, "b": 0.5, "c": 0.5})]
)
def test_who_does_not_say_how_sure_gives_no_probabilities(sure: int | None, shares: dict[str, float] | None):
    held = small(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    (one,) = stated(held.say(Argument(rationale="why", vote="a", confidence=sure)).state)
    assert one.shares == (None if shares is None else pytest.approx(shares))


def speakers(state: State) -> list[tuple[str, str]]:
    return [(one.who, one.by) for one in stated(state)]


def test_a_speaker_is_a_person_a_model_by_its_name_or_a_program():
    spec = small_spec(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    by_hand = spec.model_copy(update={"seats": (spec.seats[0], Seat(id="the_other", occupant="human"))})
    assert speakers(Played(by_hand).play("a").state) == [("s0", "program"), ("the other", "person")]
    room = Played(room_spec(rounds=1, pre_vote="none")).go_on().act(FAY, SeatTaken(seat="s0", reason="It is out."))
    room.do(TakeTurn(by=FAY.id, request=room.asked()[0], content=Argument(rationale="why", vote="adopt")))
    assert speakers(room.state) == [("Fay", "person")]
    # By the name that its server gives, else by the one that was asked.
    models = begin(paid_spec()).take("1.proposal.planner.1", "release", use(1, 1, "0"))
    models.take("1.proposal.critic.1", "release", None)
    assert speakers(models.state) == [("north-large-0901", "model"), ("north-large", "model")]
    spec = paid_spec()
    unnamed = tuple(line.model_copy(update={"model": ""}) for line in spec.models)
    of_the_server = begin(spec.model_copy(update={"models": unnamed})).take("1.proposal.planner.1", "release", None)
    assert speakers(of_the_server.state) == [("planner", "model")]


def test_a_judge_is_told_from_those_who_debate():
    held = small(OPEN, n=2, rounds=1, after=(JUDGE,), decide=BySeat(role="judge"), stop=(MaxRounds(),))
    held.say("a").say("a").say(Verdict(reasoning="Weighed.", option="b", confidence=60))
    assert [(one.seat, one.judges) for one in stated(held.state)] == [("s0", False), ("s1", False), ("judge", True)]
    assert asked_twice(held.state) == ()


@pytest.mark.parametrize(
    ("second", "named", "is_same"), [("adopt", ("adopt",), True), ("defer", ("adopt", "defer"), False)]
)
def test_a_judge_asked_in_both_orders_names_both(second: str, named: tuple[str, ...], is_same):
    state, _ = asked_in_both_orders("adopt", second)
    (judge,) = [one for one in stated(state) if one.judges]
    (twice,) = asked_twice(state)
    assert (judge.named, twice.same) == (named, is_same)
    unnamed, _ = asked_in_both_orders(None, second)
    assert [one.margin for one in asked_twice(unnamed)] == [None]
    others = len(state.spec.options) - 1
    assert twice.margin == pytest.approx(0.8 - 0.2 / others)
    assert isinstance(judge, Stated)
    assert judge.shares is not None
    assert judge.shares["adopt"] == pytest.approx((0.8 + (0.6 if is_same else 0.4 / others)) / 2)


def test_a_verdict_in_both_orders_is_of_whoever_gave_the_first():
    seats = tuple(seat.model_copy(update={"occupant": "offline"}) if seat.role == "judge" else seat for seat in SEATS)
    played = Played(presets.compose(QUESTION, OPTIONS, RULES, seats, max_rounds=1))
    weighed = Verdict(reasoning="weighed", option="adopt")
    while (request := played.requests()[0]).phase != "verdict_reversed":
        played.say(weighed if request.gives == "verdict" else Argument(rationale="why"))
    assert asked_twice(played.state) == ()
    played.do(TakeTurn(by="Vera", request=request.id, content=weighed))
    assert [(twice.who, twice.by) for twice in asked_twice(played.state)] == [("judge", "program")]
