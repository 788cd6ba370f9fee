"""A debate compared with the answers of the same models alone, and the points clear from the start."""

from fractions import Fraction

import pytest

from debate_core.record.commands import Pause, Resume, Stop
from debate_core.record.events import BaselineHeld, BaselineReply
from debate_core.record.state import State, replace
from debate_core.report.facts.baselines import BaselineRow, agreed_from_the_start, baseline_rows
from debate_core.report.facts.usage import baseline_usage_rows, usage_rows
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import Majority, MaxRounds, Plurality, Unanimity
from debate_core.spec.values import OptionVotes, Tally, Usage
from tests.by_hand import OPEN, small, small_spec
from tests.paid import begin, paid_spec, use
from tests.playing import Played


def reply(vote: str | None = "release", usd: str | None = "0.01", **more: str) -> BaselineReply:
    usage = None if usd is None else Usage(calls=1, cost_usd=usd)
    return BaselineReply.model_validate({"line": "north", "vote": vote, "usage": usage, **more})


def beside(state: State, *replies: BaselineReply, answer: str | None = "release", took_ms: int = 500) -> BaselineRow:
    counts = (OptionVotes(option="revise", votes=1), OptionVotes(option="release", votes=2))
    held = BaselineHeld(
        name="self_consistency",
        calls=3,
        replies=replies,
        tally=Tally(counts=counts, cast=3),
        answer=answer,
        took_ms=took_ms,
    )
    (row,) = baseline_rows(replace(state, baselines=(held,)))
    return row


def decided() -> State:
    """Three models decided for release at 0.06 USD within a minute, ten seconds of which it stood still."""
    hand = begin(paid_spec())
    costs = {"planner": "0.01", "critic": "0.02", "operator": "0.03"}
    hand.after(50).do(Pause(by="chair", reason="tea")).after(10).do(Resume(by="chair"))
    while hand.state.outcome is None:
        for request in hand.requests():
            hand.take(request.id, "release", use(10, 10, costs[request.seat] if request.phase == "proposal" else "0"))
    return hand.state


def test_a_comparison_is_as_dear_and_as_quick_as_its_replies():
    state = decided()
    row = beside(state, reply(), reply(), reply("revise"))
    assert (row.calls, row.answered, row.votes, row.answer, row.debate_answer, row.same, row.why) == (
        3,
        3,
        2,
        "release",
        "release",
        True,
        "",
    )
    assert (row.cost_usd, row.price_multiple, row.took_s, row.latency_multiple) == (
        "0.03",
        Fraction(2),
        0.5,
        Fraction(100),
    )
    level = beside(state, reply(), reply("revise"), answer=None)
    assert (level.votes, level.answer, level.same) == (0, None, None)
    assert beside(state, reply(), answer="revise").same is False


@pytest.mark.parametrize(
    ("costs", "usd", "multiple"),
    [
        (("0.01",), "0.01", Fraction(6)),
        (("0.01", None), None, None),
        ((), None, None),
        # Where nothing was paid nothing is so many times as dear.
        (("0", "0"), "0", None),
    ],
)
def test_a_cost_is_known_where_that_of_every_reply_is(costs: tuple[str | None, ...], usd: str | None, multiple):
    row = beside(decided(), *(reply(usd=cost) for cost in costs))
    assert (row.cost_usd, row.price_multiple) == (usd, multiple)


def test_of_replies_that_did_not_come_the_first_says_why():
    late = reply(None, None, error="timeout", message="no answer in time")
    refused = reply(None, "0", error="refused")
    row = beside(decided(), late, reply(), refused)
    assert (row.answered, row.why) == (1, "no answer in time")
    assert beside(decided(), refused, late).why == "refused"


def test_each_answer_beside_the_debate_is_a_row_of_what_it_used():
    lost = reply(None, None, error="timeout")
    held = BaselineHeld(
        name="single_call", calls=2, replies=(reply(), lost), tally=Tally(cast=1), answer=None, took_ms=1
    )
    state = replace(decided(), baselines=(held,))
    told = [
        (row.seat, row.phase, row.line, row.asked_model, row.used.calls, row.used.lost_calls, row.used.failed_attempts)
        for row in baseline_usage_rows(state)
    ]
    assert told == [
        ("answer_1", "single_call", "north", "north-large", 1, 0, 0),
        ("answer_2", "single_call", "north", "north-large", 1, 1, 1),
    ]


def test_times_are_compared_only_where_no_person_was_awaited():
    assert beside(decided(), reply(), took_ms=0).latency_multiple is None
    assert beside(decided(), reply(), took_ms=1).latency_multiple == 50_000
    spec = small_spec(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    by_person = tuple(seat.model_copy(update={"occupant": "human"}) if seat.id == "s1" else seat for seat in spec.seats)
    held = Played(spec.model_copy(update={"seats": by_person})).say("a").after(9).say("a")
    assert beside(held.state, reply()).latency_multiple is None


def test_a_seat_without_a_model_uses_nothing_and_gets_no_row():
    held = small(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).fail().fail().say("a")
    assert usage_rows(held.state) == ()


LATER = Phase(name="later", order="at_once")


@pytest.mark.parametrize(
    ("phases", "votes", "told"),
    [
        ((OPEN, LATER), ("aa", "aa"), "a"),
        ((OPEN, LATER), ("aaa", "aab"), "a"),
        # Not all of them, and not what was decided.
        ((OPEN, LATER), ("ab", "aa"), None),
        ((OPEN, LATER), ("a-", "aa"), None),
        ((OPEN, LATER), ("aa", "bb"), None),
        # Nothing was said after it, or whoever spoke second had read the first.
        ((OPEN,), ("aa",), None),
        ((Phase(name="talk"), LATER), ("aa", "aa"), None),
        # Alone nobody agrees.
        ((OPEN, LATER), ("a", "a"), None),
    ],
)
def test_unanimity_before_the_debate_is_reported(phases: tuple[Phase, ...], votes: tuple[str, ...], told: str | None):
    held = small(*phases, n=len(votes[0]), rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    for ballots in votes:
        assert agreed_from_the_start(held.state) is None
        held.vote({f"s{n}": None if vote == "-" else vote for n, vote in enumerate(ballots)})
    assert agreed_from_the_start(held.state) == told


def test_what_was_not_decided_was_not_clear_from_the_start():
    held = small(OPEN, LATER, n=2, rounds=1, decide=Unanimity(), stop=(MaxRounds(),)).vote({"s0": "a", "s1": "a"})
    assert agreed_from_the_start(held.copy().do(Stop(by="chair", reason="late")).state) is None
    assert agreed_from_the_start(held.copy().vote({"s0": "a", "s1": "b"}).state) is None
    assert agreed_from_the_start(held.vote({"s0": "a", "s1": "a"}).state) == "a"
    assert agreed_from_the_start(small(OPEN, n=2, decide=Majority()).state) is None
