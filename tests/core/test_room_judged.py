"""Judges' probabilities and the approver's signature: shown beside the count, and at what time."""

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.stage import final_decision, sealed
from debate_core.record.acts import BeliefsRevealed, OutcomeRecorded, PollOpened, Signed
from tests.people import ABE, ANN, FAY, JUNE, belief, refused, room_spec
from tests.playing import Played


def test_probabilities_add_up_and_stand_once_revealed():
    held = Played(room_spec())
    held.go_on()
    held.say()
    held.act(JUNE, belief(1, 50, 30, 20))
    held.act(JUNE, belief(1, 60, 30, 10))
    with pytest.raises(ValueError, match="add up to 100, not 90"):
        belief(1, 40, 30, 20)
    held.play()
    assert sealed(held.state) == ("the judges' probabilities",)
    held.act(FAY, BeliefsRevealed(round=1))
    assert sealed(held.state) == ()
    refused(held, JUNE, belief(1, 0, 0, 100), "were revealed")
    refused(held, JUNE, belief(3, 0, 0, 100), "has not begun")
    refused(held, ANN, belief(1, 0, 0, 100), "is for the judge")


def test_a_judges_first_belief_is_sealed_until_revealed():
    held = Played(room_spec())
    held.go_on()
    held.act(JUNE, belief(0))
    assert sealed(held.state) == ("the judges' probabilities",)
    held.act(FAY, BeliefsRevealed(round=0))
    assert sealed(held.state) == ()
    refused(held, JUNE, belief(0), "of round 0 were revealed")
    refused(held, FAY, BeliefsRevealed(round=0), "of round 0 were revealed already")


def test_final_probabilities_need_a_reason_and_stand():
    held = Played(room_spec())
    held.to_the_end()
    refused(held, JUNE, belief(2, 0, 0, 100, final=True), "need an explanation")
    held.act(JUNE, belief(2, 0, 0, 100, final=True, explanation="nobody answered the cost"))
    refused(held, JUNE, belief(2, 100, 0, 0), "cannot be changed")


def test_the_approver_signs_after_the_count_and_both_stay():
    held = Played(room_spec(final_vote="none"))
    refused(held, ABE, Signed(verdict="accept", option="adopt"), "the debate is still running")
    held.to_the_end()
    refused(held, FAY, Signed(verdict="accept", option="adopt"), "is for the approver")
    refused(held, ABE, Signed(verdict="accept", option="defer"), "needs a reason")
    refused(held, ABE, Signed(verdict="accept_with_changes", option="adopt"), "name the changes")
    refused(held, ABE, Signed(verdict="reject", option="adopt"), "names no option")
    # R290
    refused(held, ABE, Signed(verdict="reject"), "to reject needs a reason")
    refused(held, ABE, Signed(verdict="escalate", reason=" "), "to escalate needs a reason")
    held.act(ABE, Signed(verdict="accept", option="defer", reason="the budget is gone"))
    assert held.state.outcome is not None
    assert (held.state.outcome.decision, final_decision(held.state).option) == ("adopt", "adopt")
    held.act(FAY, OutcomeRecorded(result="reversed", option="reject", reason="it was never built"))
    assert verify(held.events) == ()


def test_a_poll_that_is_not_revealed_holds_the_signature_back():
    held = Played(room_spec(pre_vote="none"))
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    refused(held, ABE, Signed(verdict="accept", option="adopt"), "not counted and revealed")
