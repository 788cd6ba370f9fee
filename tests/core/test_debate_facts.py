"""Contribution of one finished debate to the cross-debate figures."""

from fractions import Fraction

import pytest

from debate_core.record.acts import PollClosed, PollOpened, PollRevealed
from debate_core.report.facts.debate_facts import facts
from debate_core.spec.contents import Evaluation
from debate_core.spec.models import ModelLine
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import Majority, MaxRounds
from debate_core.spec.values import Seat
from tests.by_hand import ASSESS, OPEN, small_spec
from tests.people import ABE, FAY, GUS, room_spec
from tests.playing import Played


@pytest.mark.parametrize(("models", "one_family"), [(0, None), (1, None), (2, True)])
def test_models_are_of_one_family_where_several_debate(models: int, one_family: bool | None):
    # R059
    line = ModelLine(id="north", model="north", provider="own", family="north", dialect="chat")
    spec = small_spec(Phase(name="open", order="at_once"), n=3, rounds=1, decide=Majority(), stop=(MaxRounds(),))
    seats = tuple(Seat(id=s.id, model="north") if n < models else s for n, s in enumerate(spec.seats))
    played = Played(spec.model_copy(update={"seats": seats, "models": (line,) if models else ()})).play("a")
    found = facts(played.state, forecast_usd=None)
    assert found is not None
    assert found.one_family is one_family


@pytest.mark.parametrize(
    ("votes", "level", "as_first", "low"),
    [("aab", "LOW", True, True), ("baa", "HIGH", False, False), ("-aa", None, None, None), ("abc", "LOW", None, True)],
)
def test_what_one_debate_adds(votes: str, level: str | None, as_first: bool | None, low: bool | None):
    spec = small_spec(OPEN, after=(ASSESS,), rounds=1, decide=Majority(), stop=(MaxRounds(),))
    held = Played(spec)
    assert facts(held.state, forecast_usd=None) is None
    held.vote({f"s{n}": None if vote == "-" else vote for n, vote in enumerate(votes)}).after(90)
    said = {"synthesis": "Thin.", "confidence_level": level, "uncertainties": ("load", "price")}
    held.say(Evaluation.model_validate(said))
    found = facts(held.state, forecast_usd="0.5")
    assert found is not None
    assert (found.as_first, found.low, found.uncertainties) == (as_first, low, 2)
    assert (found.turns, found.lost, found.overrides, found.reviews, found.draft_lines) == (4, 0, 0, (), ())
    # No model sat in it: it cost nobody anything, and what was forecast stands.
    assert (found.cost_usd, found.forecast_usd, found.one_family) == (None, Fraction(1, 2), None)
    assert (found.seconds, found.ended_at) == (90, held.state.closed_at)


def test_an_instant_debate_has_no_known_time_or_evaluation():
    held = Played(small_spec(OPEN, rounds=1, decide=Majority(), stop=(MaxRounds(),))).say("a").fail().fail().say("a")
    found = facts(held.state, forecast_usd=None)
    assert found is not None
    assert (found.seconds, found.low, found.uncertainties, found.forecast_usd) == (None, None, None, None)
    assert (found.turns, found.lost) == (3, 1)


@pytest.mark.parametrize(("ballots", "status"), [(("adopt", "adopt"), "decided"), (("adopt", "reject"), "undecided")])
def test_people_decide_whether_a_debate_was_decided(ballots: tuple[str, str], status: str):
    gus, abe = GUS, ABE.model_copy(update={"electorate": "room"})
    held = Played(room_spec((FAY, gus, abe), decides="room", pre_vote="none")).go_on()
    held.vote(dict.fromkeys(("s0", "s1", "s2"), "adopt")).to_the_end()
    assert held.state.outcome is not None
    assert held.state.outcome.status == "decided"
    held.act(FAY, PollOpened(poll="final"))
    for person, option in zip((gus, abe), ballots, strict=True):
        held.ballot(person, "final", option)
    held.act(FAY, PollClosed(poll="final"))
    assert facts(held.state, forecast_usd=None) is None
    held.act(FAY, PollRevealed(poll="final"))
    found = facts(held.state, forecast_usd=None)
    assert found is not None
    assert found.status == status
