"""Calls without a reply use up no attempt, and a phase in which no seat could be reached waits instead of ending."""

import pytest

from debate_core.engine import idempotency_keys, limits
from debate_core.engine.audit import verify
from debate_core.engine.next_step import next_step
from debate_core.engine.seat_view import view
from debate_core.errors import RuleViolation
from debate_core.record.commands import Pause, Resume
from debate_core.record.events import Paused, make_event
from debate_core.report.facts.account import account
from debate_core.report.facts.interventions import override_rows
from debate_core.report.files.report import text_report
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.spec.values import TurnError, Usage
from tests.paid import Hand, begin, paid_spec, use

SEATS = ("planner", "critic", "operator")
LOST = Usage(calls=1, cost_usd="0")


def lost(hand: Hand, seat: str, attempt: int, *, final: bool = True) -> None:
    """A call of the first phase to which nothing was replied."""
    hand.unanswered(f"1.proposal.{seat}.{attempt}", "failed", "no connection", LOST, transport=True, permanent=final)


def unreached() -> Hand:
    hand = begin(paid_spec())
    for seat in SEATS:
        lost(hand, seat, 1)
    return hand


def test_a_call_without_reply_uses_no_attempt_and_no_prompt():
    hand = begin(paid_spec())
    for attempt in range(1, 6):
        lost(hand, "planner", attempt, final=False)
    hand.unanswered("1.proposal.planner.6", "unparseable", "no JSON", use(10, 10, "0.01"))
    lost(hand, "planner", 7, final=False)
    request = next(r for r in hand.requests() if r.seat == "planner")
    assert (request.attempt, view(hand.state, request).failed_before) == (8, "no JSON")
    hand.unanswered("1.proposal.planner.8", "unparseable", "no JSON", use(10, 10, "0.01"))
    assert [(t.seat, t.status, t.attempts) for t in hand.state.all_turns()] == [("planner", "unparseable", 8)]
    assert verify(hand.events) == ()
    # Whoever reads the report reads of each of them.
    told = text_report(account(hand.state))
    assert "attempt 8; attempt 1: no connection; attempt 2: no connection" in told
    assert "attempt 5: no connection; attempt 6: no JSON; attempt 7: no connection" in told


def test_broken_streams_are_no_attempts_but_are_paid():
    hand, paid = begin(paid_spec()), use(10, 10, "0.01")
    for attempt in (1, 2, 3):
        for seat in SEATS:
            request, why = f"1.proposal.{seat}.{attempt}", "the stream stopped before its end"
            hand.unanswered(request, "cut", why, paid, transport=True, began=True, permanent=attempt == 3)
    # No reply was unreadable: the debate waits, and says what happened.
    assert hand.state.paused == "planner, critic, operator gave no whole reply: the stream stopped before its end"
    assert limits.spent(hand.state).cost_usd == "0.09"
    assert hand.state.reserved == ()
    hand.do(Resume(by="chair", gives_up=True))
    assert hand.state.outcome is not None
    assert hand.state.outcome.ended_by == "provider_down"
    assert verify(hand.events) == ()


def test_an_unreachable_panel_pauses_and_is_asked_again():
    hand = unreached()
    assert hand.state.paused == "planner, critic, operator could not be reached: no connection"
    assert [r.id for r in hand.requests()] == [f"1.proposal.{seat}.2" for seat in SEATS]
    assert limits.spent(hand.state).calls == 3
    assert next_step(hand.state, "chair") is None
    hand.do(Resume(by="chair"))
    # From now on nobody is known to be out of reach.
    with pytest.raises(RuleViolation, match="no seat to give up"):
        hand.copy().do(Pause(by="chair", reason="tea")).do(Resume(by="chair", gives_up=True))
    for seat in SEATS:
        hand.take(f"1.proposal.{seat}.2", "release", use(10, 10, "0.01"))
    assert hand.state.counted[0].tally.as_dict() == {"release": 3}
    assert limits.spent(hand.state).calls == 6
    assert verify(hand.events) == ()


def test_of_several_reasons_the_one_that_came_last_is_told():
    hand = begin(paid_spec())
    for seat, why in zip(SEATS, ("no connection", "no connection", "no such server"), strict=True):
        hand.unanswered(f"1.proposal.{seat}.1", "failed", why, LOST, transport=True, permanent=True)
    assert hand.state.paused == "planner, critic, operator could not be reached: no such server"


def test_seats_whose_reply_had_begun_are_not_unreachable():
    hand = begin(paid_spec())
    hand.unanswered("1.proposal.planner.1", "cut", "it broke off", LOST, transport=True, began=True, permanent=True)
    lost(hand, "critic", 1)
    lost(hand, "operator", 1)
    assert hand.state.paused == "planner, critic, operator gave no whole reply: no connection"


def test_continuing_without_unreachable_seats_is_recorded():
    hand = unreached()
    with pytest.raises(RuleViolation, match="no seat to give up"):
        begin(paid_spec()).do(Pause(by="chair", reason="tea")).do(Resume(by="chair", gives_up=True))
    hand.do(Resume(by="chair", reason="they are gone", gives_up=True))
    assert hand.state.outcome is not None
    assert (hand.state.outcome.status, hand.state.outcome.ended_by) == ("undecided", "provider_down")
    assert limits.spent(hand.state).calls == 3
    (row,) = override_rows(hand.events)
    assert (row.action, row.target, row.reason) == ("give up", "planner, critic, operator", "they are gone")
    assert verify(hand.events) == ()


def test_one_who_was_reached_is_enough_to_go_on():
    hand = begin(paid_spec())
    hand.take("1.proposal.planner.1", "release", use(10, 10, "0.01"))
    lost(hand, "critic", 1)
    lost(hand, "operator", 1)
    assert hand.state.paused is None
    assert [t.status for t in hand.state.turns] == ["ok", "failed", "failed"]


def test_a_persons_turn_is_kept_when_others_are_given_up():
    hand = unreached()
    hand.take("1.proposal.planner.2", "release", use(10, 10, "0.01"))
    hand.do(Resume(by="chair", gives_up=True))
    assert [(t.seat, t.status) for t in hand.state.turns] == [
        ("planner", "ok"),
        ("critic", "failed"),
        ("operator", "failed"),
    ]
    assert verify(hand.events) == ()


OUTAGES = [
    (("failed", "failed", "failed"), (True, True, True), "calls_refused", "The servers refused every call"),
    (("failed", "failed", "failed"), (True, True, False), "provider_down", "No debater answered the last request"),
    (("timeout", "timeout", "timeout"), (True, True, True), "replies_late", "All of the debaters' last replies"),
    (("timeout", "failed", "failed"), (True, True, True), "unreadable", "None of the debaters' last replies"),
    (("unparseable", "failed", "failed"), (True, True, True), "unreadable", "None of the debaters' last replies"),
]


@pytest.mark.parametrize(("errors", "reached", "ended_by", "words"), OUTAGES)
def test_an_outage_is_named_by_its_cause(
    errors: tuple[TurnError, ...], reached: tuple[bool, ...], ended_by: str, words: str
):
    hand = begin(paid_spec())
    for seat, error, was_reached in zip(SEATS, errors, reached, strict=True):
        hand.unanswered(f"1.proposal.{seat}.1", error, "why", LOST, reached=was_reached, permanent=True)
    assert hand.state.outcome is not None
    assert hand.state.outcome.ended_by == ended_by
    assert words in outcome_sentence(account(hand.state))
    assert verify(hand.events) == ()


def test_servers_that_refuse_every_call_are_not_out_of_reach():
    hand = begin(paid_spec())
    for seat in SEATS:
        more = {"transport": True, "permanent": True, "reached": True}
        hand.unanswered(f"1.proposal.{seat}.1", "failed", "the country is not supported", LOST, **more)
    assert hand.state.paused == "the calls of planner, critic, operator were refused: the country is not supported"
    hand.do(Resume(by="chair", gives_up=True))
    assert hand.state.outcome is not None
    assert hand.state.outcome.ended_by == "calls_refused"
    assert verify(hand.events) == ()


def test_a_retry_of_all_is_recorded_only_if_unreachable():
    # What was said in the open phase would be asked for again.
    hand = begin(paid_spec())
    hand.take("1.proposal.planner.1", "release", use(10, 10, "0.01"))
    state = hand.state
    again = Paused(reason="nobody could be reached", unreached=True)
    key = idempotency_keys.key_of(state, again)
    forged = make_event(state.debate, state.version + 1, state.head, hand.events[-1].at, "chair", key, again)
    assert "it cannot be asked for" in verify([*hand.events, forged])[0].message
