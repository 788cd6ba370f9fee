"""A limit met by a debate with a facilitator, who raises the limit or ends the debate there."""

from datetime import timedelta

import pytest

from debate_core.engine import limits
from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.errors import RuleViolation
from debate_core.host.host import Host, HostOptions
from debate_core.host.runner import now
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Pause, RaiseLimit, Resume, StartAttempt, TakeTurn, Truncate, WaitAtLimit
from debate_core.record.events import Paused
from debate_core.report.facts.account import account
from debate_core.report.facts.interventions import override_rows
from debate_core.report.files.report import text_report
from debate_core.spec.contents import Argument
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat
from tests.paid import RESERVED, Hand, begin, paid_spec, use
from tests.people import FAY, MO, room_spec
from tests.playing import Played
from tests.waiting import until

NEXT = "1.critique.planner.1"
WHY = "the limit of 3 calls does not allow the next call"


def at_its_limit() -> Hand:
    """Three calls were allowed, and three were made."""
    hand = begin(paid_spec(Ceiling(calls=3, tokens=90_000)))
    for seat, vote in (("planner", "release"), ("critic", "revise"), ("operator", "escalate")):
        hand.take(f"1.proposal.{seat}.1", vote, use(10, 10, "0.01"))
    return hand.do(WaitAtLimit(by="runner", request=NEXT, reserved=RESERVED, reason=WHY))


def more(calls: int, by: str = "ann") -> RaiseLimit:
    return RaiseLimit(by=by, to=Ceiling(calls=calls), reason="it is worth it")


def test_a_debate_waits_at_its_limit_until_it_is_raised():
    # R294: optional human rescue
    hand = at_its_limit()
    assert (hand.state.outcome, hand.state.paused) == (None, WHY)
    assert [r.id for r in requests(hand.state)] == [NEXT]
    with pytest.raises(RuleViolation, match="raise the limit, or end the debate here"):
        hand.do(Resume(by="ann"))
    hand.do(more(5))
    assert (hand.state.paused, hand.state.limit_met, hand.state.spec.ceiling()) == (
        None,
        None,
        Ceiling(calls=5, tokens=90_000),
    )
    hand.take(NEXT, "release", use(10, 10, "0.01"))
    assert verify(hand.events) == ()
    (row,) = override_rows(hand.events)
    assert (row.action, row.before, row.after, row.reason) == ("raise limit", "calls 3", "calls 5", "it is worth it")


def test_at_its_limit_a_debate_can_be_ended_with_everything_kept():
    # R248: what a debate without anybody in charge comes to
    hand = at_its_limit()
    assert "waits at the limit of 3 calls" in text_report(account(hand.state))
    hand.do(Truncate(by="ann", request=NEXT, reserved=RESERVED))
    outcome = hand.outcome()
    assert (outcome.status, outcome.ended_by, outcome.tally.cast) == ("truncated", "ceiling_calls", 3)
    assert verify(hand.events) == ()


def test_a_limit_is_raised_before_it_is_met_too():
    hand = begin(paid_spec(Ceiling(calls=3))).do(more(9))
    assert (hand.state.spec.ceiling(), hand.state.paused) == (Ceiling(calls=9), None)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (more(3), "can only be raised"),
        (more(2), "can only be raised"),
        (RaiseLimit(by="ann", to=Ceiling(), reason="more"), "say which limit"),
        (RaiseLimit(by="ann", to=Ceiling(usd="9"), reason="more"), "no limit of usd was agreed"),
        (more(9, by="planner"), "is for people alone"),
        (more(9, by="runner"), "is for people alone"),
        (Pause(by="ann", reason="tea"), "is paused already"),
    ],
)
def test_what_cannot_be_done_at_a_limit_is_said(command, words: str):
    hand = at_its_limit()
    before = list(hand.events)
    with pytest.raises(RuleViolation, match=words):
        hand.do(command)
    assert hand.events == before


def test_a_limit_below_use_or_never_agreed_is_refused():
    # Money that nobody knows of when the limit was met: a call that ended dearer than it had reserved.
    hand = begin(paid_spec(Ceiling(tokens=1_000_000))).take("1.proposal.planner.1", "release", use(10**6, 10**6, "1"))
    with pytest.raises(RuleViolation, match=r"1000001 tokens are less than what is used already \(2,000,000\)"):
        hand.do(RaiseLimit(by="ann", to=Ceiling(tokens=1_000_001), reason="more"))
    spec = paid_spec()
    stop = tuple(rule for rule in spec.protocol.stop if not isinstance(rule, Ceiling))
    unlimited = spec.model_copy(update={"protocol": spec.protocol.model_copy(update={"stop": stop})})
    with pytest.raises(RuleViolation, match="no limit was agreed"):
        begin(unlimited).do(more(9))


def test_a_limit_that_was_not_met_makes_nobody_wait():
    hand = begin(paid_spec(Ceiling(calls=3)))
    wait = WaitAtLimit(by="runner", request="1.proposal.planner.1", reserved=RESERVED, reason=WHY)
    with pytest.raises(RuleViolation, match="passes no ceiling"):
        hand.do(wait)
    paused = at_its_limit().events[-1].body
    assert isinstance(paused, Paused)
    assert paused.limit is not None
    assert limits.passed(hand.state, paused.limit.reserved, at=hand.state.opened_at) is None


def test_only_the_facilitator_raises_a_limit_or_ends_at_it():
    # R294, law 8
    spec = room_spec()
    bound = spec.protocol.model_copy(update={"stop": (*spec.protocol.stop, Ceiling(seconds=30))})
    held = Played(spec.model_copy(update={"protocol": bound})).go_on()
    held.after(60)
    request = held.requests()[0].id
    wait = WaitAtLimit(by="runner", request=request, reason="the limit of 30 s does not allow the next call")
    for by in (MO.id, FAY.id):
        with pytest.raises(RuleViolation, match="only the program itself waits at a limit"):
            held.do(wait.model_copy(update={"by": by}))
    held.do(wait)
    end = Truncate(by=MO.id, request=request)
    with pytest.raises(RuleViolation, match="to end the debate at its limit is for the facilitator"):
        held.do(end)
    with pytest.raises(RuleViolation, match="to raise a limit is for the facilitator"):
        held.do(RaiseLimit(by=MO.id, to=Ceiling(seconds=600), reason="more"))
    other = held.copy()
    held.do(RaiseLimit(by=FAY.id, to=Ceiling(seconds=600), reason="more"))
    held.do(StartAttempt(by="s0", request=request))
    assert verify(held.events) == ()
    assert other.do(end.model_copy(update={"by": FAY.id})).outcome().status == "truncated"


def test_a_debate_of_the_app_waits_at_its_limit():
    # R294: the host leaves it to whoever leads, and goes on by itself once the limit is raised
    late = [timedelta()]
    host = Host(MemoryStore(), HostOptions(clock=lambda: now() + late[0]))
    seats = [Seat(id="risk", occupant="offline"), Seat(id="ops", occupant="offline"), Seat(id="cost", occupant="human")]
    rules = BOUNDED_VOTE.model_copy(update={"stop": (*BOUNDED_VOTE.stop, Ceiling(seconds=60))})
    debate = host.create(compose("Adopt it?", ["adopt", "defer"], rules, seats, max_rounds=1), by="ann")
    until(lambda: [r.seat for r in requests(host.state(debate))] == ["cost"])
    late[0] = timedelta(minutes=5)
    said = Argument(rationale="So I say.", vote="adopt")
    host.submit(debate, TakeTurn(by="cost", request="1.proposal.cost.1", content=said))
    until(lambda: host.state(debate).limit_met is not None)
    assert (host.state(debate).outcome, host.debates()[0].status) == (None, "paused")
    host.submit(debate, RaiseLimit(by="ann", to=Ceiling(seconds=6_000), reason="it is worth it"))
    until(lambda: any(turn.seat == "risk" for turn in host.state(debate).all_turns()))
    assert verify(host.events(debate)) == ()
    host.close()
