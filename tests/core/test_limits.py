"""Limits: the usage that counts, no call beyond one, and the state of a debate at its limit."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine import limits
from debate_core.engine.audit import verify
from debate_core.engine.engine import requests, submit
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.commands import FailTurn, Pause, Resume, StartAttempt, Stop, TakeTurn, Truncate
from debate_core.record.events import AttemptStarted, Body, Closed, Event, Truncated, make_event, utc_text
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.facts.health import FLAGS, flags
from debate_core.report.facts.turns import turn_rows
from debate_core.report.files.report import text_report
from debate_core.spec import presets
from debate_core.spec.contents import Argument
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Axis, Seat, Usage
from tests.paid import AT, LINES, OPTIONS, RESERVED, Hand, begin, paid_spec, troubled, use

AMOUNTS = st.decimals(0, 10, places=4).map(str)
USES = st.builds(
    Usage,
    calls=st.integers(0, 3),
    input_tokens=st.integers(0, 10**6),
    cached_tokens=st.integers(0, 10**6),
    output_tokens=st.integers(0, 10**6),
    reasoning_tokens=st.integers(0, 10**6),
    cost_usd=AMOUNTS | st.none() | st.just("999999999.999999999999"),
    estimated=st.booleans(),
)


# Sums.


@given(st.lists(USES), st.lists(USES), st.lists(USES))
def test_a_sum_does_not_depend_on_how_it_is_grouped_or_ordered(a, b, c):
    # R225
    whole = limits.total((*a, *b, *c))
    assert limits.total((limits.total((*a, *b)), *c)) == whole
    assert limits.total((*a, limits.total((*b, *c)))) == whole
    assert limits.total((*c, *b, *a)) == whole


@given(st.lists(USES))
def test_unknown_and_known_is_unknown(uses):
    total = limits.total((*uses, use(1, 1, None)))
    assert total.cost_usd is None
    assert total.calls == 1 + sum(u.calls for u in uses)


def test_what_made_no_call_costs_nothing_known_or_not():
    assert limits.total(()).cost_usd == "0"
    assert limits.total((Usage(cost_usd=None), use(1, 1, "0.1"))).cost_usd == "0.1"


def test_a_sum_is_estimated_if_any_call_is():
    exact, guessed = use(1, 1, "0.1"), use(1, 1, "0.1").model_copy(update={"estimated": True})
    assert [limits.total(used).estimated for used in ((), (exact,), (exact, guessed))] == [False, False, True]
    wrote = [exact.model_copy(update={"cache_write_tokens": tokens}) for tokens in (0, 7)]
    sums = [limits.total(used).cache_write_tokens for used in ((exact,), (exact, wrote[0]), (exact, *wrote, wrote[1]))]
    assert sums == [None, 0, 14]


def test_money_is_added_exactly():
    assert limits.total([use(1, 1, "0.1")] * 3).cost_usd == "0.3"
    assert limits.total([use(1, 1, "0.000000000001")] * 2).cost_usd == "0.000000000002"
    assert limits.total([use(1, 1, "999999999")] * 2).cost_usd is None
    assert limits.total([use(1, 1, "999999999"), use(1, 1, "0.999999999999")]).cost_usd == "999999999.999999999999"
    assert limits.total([use(1, 1, "999999999"), use(1, 1, "1")]).cost_usd is None


# No call beyond a bound.


@pytest.mark.parametrize(
    ("bound", "reserved", "axis"),
    [
        (Ceiling(calls=2), RESERVED, None),
        (Ceiling(calls=1), RESERVED, "calls"),
        (Ceiling(calls=0), RESERVED, "calls"),
        (Ceiling(tokens=3_500), RESERVED, None),
        (Ceiling(tokens=3_499), RESERVED, "tokens"),
        (Ceiling(usd="0.07"), RESERVED, None),
        (Ceiling(usd="0.0699"), RESERVED, "usd"),
        (Ceiling(usd="1000"), use(1, 1, None), "usd"),
        (Ceiling(calls=9, tokens=10**6), use(1, 1, None), None),
        (Ceiling(seconds=30), RESERVED, None),
        (Ceiling(seconds=29), RESERVED, "seconds"),
        (Ceiling(seconds=29), None, "seconds"),
        (Ceiling(calls=1, tokens=1, usd="0"), None, None),
        (Ceiling(), use(1, 1, None), None),
    ],
)
def test_bounds_are_inclusive_and_what_is_reserved_counts(bound: Ceiling, reserved: Usage | None, axis: Axis | None):
    # R225, R294
    hand = begin(paid_spec(Ceiling()))
    hand.take("1.proposal.planner.1", "release", use(1_000, 500, "0.02")).after(30)
    rules = hand.state.spec.protocol.model_copy(update={"stop": (bound,)})
    first = hand.events[0].body.model_copy(update={"spec": hand.state.spec.model_copy(update={"protocol": rules})})
    hand.state = replay(_rewritten(hand.events, {1: first}))
    command = StartAttempt(by="critic", request="1.proposal.critic.1", reserved=reserved)
    if axis is None:
        assert submit(hand.state, command, at=hand.at)[0].kind == "attempt_started"
        with pytest.raises(RuleViolation, match="passes no ceiling"):
            hand.cut("1.proposal.critic.1", reserved)
        return
    with pytest.raises(RuleViolation, match=f"the ceiling of {axis} would be passed"):
        submit(hand.state, command, at=hand.at)
    hand.cut("1.proposal.critic.1", reserved)
    assert hand.state.truncated == Truncated(request="1.proposal.critic.1", axis=axis, reserved=reserved)


def _rewritten(events: list[Event], changed: dict[int, Body]) -> list[Event]:
    """The same record with other bodies and every hash recomputed, as by a forger."""
    new, head = list[Event](), events[0].prev_hash
    for e in events:
        new.append(make_event(e.debate, e.seq, head, e.at, e.actor, e.key, changed.get(e.seq, e.body)))
        head = new[-1].hash
    return new


def test_a_call_that_was_lost_counts_at_what_it_had_reserved():
    # R248
    hand = begin(paid_spec(Ceiling(calls=2)))
    larger = use(5_000, 5_000, "0.90")
    hand.ask("1.proposal.planner.1").ask("1.proposal.planner.1", larger)
    assert limits.spent(hand.state) == limits.total((RESERVED, larger))
    with pytest.raises(RuleViolation, match="ceiling of calls"):
        hand.ask("1.proposal.planner.1")
    # The second attempt ends: its use takes the place of its own reservation, and of no other.
    said = Argument(rationale="r", vote="release")
    hand.do(TakeTurn(by="planner", request="1.proposal.planner.1", content=said, usage=use(1, 1, "0.01")))
    assert limits.spent(hand.state) == limits.total((RESERVED, use(1, 1, "0.01")))


def test_a_lost_attempt_keeps_its_reservation():
    hand = begin(paid_spec()).unanswered("1.proposal.planner.1", "timeout", "no answer within 60 s", None)
    assert hand.state.reserved == (("1.proposal.planner.1", RESERVED),)
    assert limits.spent(hand.state) == limits.total((RESERVED,))


def test_a_failure_that_would_repeat_itself_is_not_asked_again():
    hand = begin(paid_spec())
    hand.unanswered("1.proposal.planner.1", "failed", "no such model", Usage(calls=1, cost_usd="0"), permanent=True)
    assert "1.proposal.planner.2" not in [r.id for r in requests(hand.state)]
    hand.unanswered("1.proposal.critic.1", "failed", "busy", Usage(calls=1, cost_usd="0"), retry_after_ms=9_000)
    assert "1.proposal.critic.2" in [r.id for r in requests(hand.state)]
    assert [t.retry_after_ms for t in hand.state.failed_attempts] == [9_000]


def test_the_runner_may_wait_one_day_at_most():
    with pytest.raises(ValueError, match="retry_after_ms"):
        FailTurn(by="planner", request="1.proposal.planner.1", error="failed", retry_after_ms=86_400_001)


# What is left of a debate that meets its limit.


def test_a_debate_that_is_cut_off_keeps_everything_and_ends():
    # R114, R266, R248
    hand = troubled()
    outcome = hand.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.ended_by) == ("truncated", "escalate", "ceiling_usd")
    assert (outcome.decided_by, outcome.fired, outcome.tally.cast) == (None, ("ceiling_usd",), 3)
    assert requests(hand.state) == ()
    assert [e.kind for e in hand.events[-2:]] == ["truncated", "closed"]
    given = [(t.phase, t.seat, t.status) for t in hand.state.all_turns()]
    assert given == [
        ("proposal", "planner", "ok"),
        ("proposal", "critic", "failed"),
        ("proposal", "operator", "ok"),
        ("critique", "planner", "ok"),
        ("critique", "critic", "ok"),
    ]
    assert [(t.phase, t.seat, t.status) for t in turn_rows(hand.state)] == given
    assert "DEBATE_TRUNCATED" in flags(hand.state)
    with pytest.raises(RuleViolation, match="the debate is over"):
        hand.ask("1.critique.operator.1")


def _in_the_closing_phase(bound: Ceiling) -> Hand:
    """An elected option, and a synthesiser who is still to be asked."""
    seats = [Seat(id=name, model="north") for name in ("planner", "critic", "operator")]
    seats.append(Seat(id="synthesiser", role="synthesiser", model="south"))
    rules = presets.EXPERT_PANEL.model_copy(update={"stop": (*presets.EXPERT_PANEL.stop, bound)})
    hand = begin(presets.compose("Release it?", OPTIONS, rules, seats, models=LINES))
    for seat in ("planner", "critic", "operator"):
        hand.take(f"1.opening.{seat}.1", "release", use(10, 10, "0.01"))
    return hand


def test_an_election_before_the_limit_stays_and_is_marked():
    # R248
    hand = _in_the_closing_phase(Ceiling(calls=3)).cut("1.synthesis.synthesiser.1")
    outcome = hand.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.decided_by) == ("decided", "release", "majority")
    assert outcome.fired == ("majority", "ceiling_calls")
    assert "DEBATE_TRUNCATED" in flags(hand.state)
    assert FLAGS["DEBATE_TRUNCATED"] in text_report(account(hand.state))
    assert (
        "The limit of 3 calls then ended the debate before its last turns (synthesiser, synthesis, round 1)."
        in text_report(account(hand.state))
    )
    assert verify(hand.events) == ()


def test_a_person_can_still_stop_a_debate_that_is_near_its_limit():
    hand = _in_the_closing_phase(Ceiling(calls=3)).do(Stop(by="anna", reason="enough"))
    assert hand.state.outcome is not None
    assert hand.state.outcome.status == "aborted"
    assert "DEBATE_TRUNCATED" not in flags(hand.state)
    assert "near_ceiling" in flags(hand.state)


# A record that says so must be right.


def test_a_record_of_a_debate_that_was_cut_off_verifies():
    # R248
    assert verify(troubled().events) == ()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("axis", "calls", "would pass no ceiling of calls"),
        ("axis", "tokens", "would pass no ceiling of tokens"),
        ("reserved", use(1, 1, "0.000001"), "would pass no ceiling of usd"),
        ("reserved", None, "would pass no ceiling of usd"),
        ("request", "1.critique.planner.1", "is not asked now"),
    ],
)
def test_a_limit_that_was_not_met_is_found_out(field: str, value: object, words: str):
    events = troubled().events
    cut = events[-2]
    assert isinstance(cut.body, Truncated)
    (finding,) = verify(_rewritten(events, {cut.seq: cut.body.model_copy(update={field: value})}))
    assert finding.seq == cut.seq
    assert words in finding.message


def test_a_reservation_enlarged_later_is_detected():
    # R225: an attempt beyond the bound is as little a fact as a turn out of turn
    events = troubled().events
    begun = [e for e in events if isinstance(e.body, AttemptStarted)][-1]
    larger = begun.body.model_copy(update={"reserved": use(1, 1, "0.26")})
    (finding,) = verify(_rewritten(events, {begun.seq: larger}))
    assert (finding.seq, "the ceiling of usd would be passed" in finding.message) == (begun.seq, True)


def test_use_that_was_made_smaller_afterwards_is_found_out():
    events = troubled().events
    taken = [e for e in events if e.kind == "turn_taken"][-1]
    (finding,) = verify(_rewritten(events, {taken.seq: taken.body.model_copy(update={"usage": Usage()})}))
    assert "would pass no ceiling of usd" in finding.message


def test_a_closing_that_hides_the_limit_is_found_out():
    events = troubled().events
    closed = events[-1]
    assert isinstance(closed.body, Closed)
    other = closed.body.model_copy(
        update={"outcome": closed.body.outcome.model_copy(update={"status": "undecided", "ended_by": "stopped"})}
    )
    (finding,) = verify(_rewritten(events, {closed.seq: other}))
    assert "re-counted, it should be Closed" in finding.message


def test_time_counts_from_the_opening_for_everybody():
    # R294
    hand = begin(paid_spec(Ceiling(seconds=60))).after(61)
    assert limits.elapsed_s(hand.state, utc_text(AT + timedelta(seconds=61))) == 61
    hand.cut("1.proposal.planner.1", None)
    assert hand.state.outcome is not None
    assert hand.state.outcome.ended_by == "ceiling_seconds"
    assert verify(hand.events) == ()


def test_without_people_a_pause_counts_as_time_too():
    hand = begin(paid_spec(Ceiling(seconds=60))).after(10).do(Pause(by="chair", reason="lunch")).after(30)
    assert limits.elapsed_s(hand.state, utc_text(hand.at)) == 40
    hand.do(Resume(by="chair")).after(5)
    assert limits.elapsed_s(hand.state, utc_text(hand.at)) == 45


@pytest.mark.parametrize(
    ("amount", "text"),
    [("0", "0"), ("10", "10"), ("1.50", "1.5"), ("0.0000000000001", "0.000000000001"), ("1200", "1200")],
)
def test_an_amount_is_written_in_plain_digits_and_rounded_up(amount: str, text: str):
    assert limits.decimal_text(Decimal(amount)) == text


def test_shares_leave_out_what_is_unknown_or_unbounded():
    # R294: warn at 80 %
    hand = begin(paid_spec(Ceiling(calls=5, usd="0.10", seconds=100)))
    hand.take("1.proposal.planner.1", "release", use(10, 10, "0.08")).after(80)
    at = utc_text(hand.at)
    shares = limits.shares(hand.state, at=at)
    assert shares == {"calls": Fraction(1, 5), "seconds": Fraction(4, 5), "usd": Fraction(4, 5)}
    assert all(share >= limits.WARN_AT for axis, share in shares.items() if axis != "calls")
    unknown = begin(paid_spec(Ceiling(usd="1")))
    unknown.take("1.proposal.planner.1", "release", use(1, 1, None))
    assert limits.shares(unknown.state, at=at) == {}
    assert limits.shares(begin(paid_spec(Ceiling(calls=0))).state, at=at) == {"calls": 1}


def test_there_is_one_ceiling_at_most():
    spec = paid_spec(Ceiling(calls=1))
    twice = spec.protocol.model_copy(update={"stop": (*spec.protocol.stop, Ceiling(tokens=1))})
    with pytest.raises(InvalidSpec, match="only one"):
        begin(spec.model_copy(update={"protocol": twice}))


def test_a_limit_is_asked_for_by_name_and_only_for_what_is_asked():
    hand = begin(paid_spec(Ceiling(calls=0)))
    with pytest.raises(RuleViolation, match="is not asked now"):
        hand.do(Truncate(by="runner", request="1.critique.planner.1", reserved=RESERVED))
