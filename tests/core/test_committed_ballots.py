"""Commit and reveal: people commit to their ballots by a digest before anyone opens one, for votes in public places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from debate_core.engine.audit import verify
from debate_core.engine.stage import result_of
from debate_core.engine.validate_actions import ballot_digest
from debate_core.record.acts import BallotCast, BallotCommitted, PollClosed, PollOpened, PollRevealed
from debate_core.spec.people import Person
from tests.people import ANN, BEN, FAY, GUS, MO, OPTIONS, refused, room_spec
from tests.playing import Played

KEYS = {ANN: "a-long-key-of-ann", BEN: "a-long-key-of-ben"}


def commitment(choice: str, who: Person) -> BallotCommitted:
    return BallotCommitted(poll="pre", digest=ballot_digest(choice, KEYS[who]))


def opening(choice: str, who: Person) -> BallotCast:
    return BallotCast(poll="pre", choice=choice, opens_with=KEYS[who])


def polled(*committed: tuple[Person, str]) -> Played:
    """An open pre-vote in which people have committed to ballots."""
    held = Played(room_spec((FAY, MO, ANN, BEN, GUS), pre_vote="shown_at_close"))
    held.act(FAY, PollOpened(poll="pre"))
    for who, choice in committed:
        held.act(who, commitment(choice, who))
    return held


def test_opened_ballots_are_counted():
    held = polled((ANN, "adopt"), (BEN, "defer"), (ANN, "reject"))
    held.act(BEN, opening("defer", BEN))
    held.act(ANN, opening("reject", ANN))
    held.act(FAY, PollClosed(poll="pre"))
    held.act(FAY, PollRevealed(poll="pre"))
    result = result_of(held.state, "pre", "panel")
    assert result is not None
    # Ben's weight is 2.
    assert (result.winners, result.cast) == (("defer",), 2)
    assert verify(held.events) == ()


def test_a_commitment_that_is_never_opened_is_no_ballot():
    held = polled((ANN, "adopt"), (BEN, "defer"))
    held.act(BEN, opening("defer", BEN))
    held.act(FAY, PollClosed(poll="pre"))
    held.act(FAY, PollRevealed(poll="pre"))
    result = result_of(held.state, "pre", "panel")
    assert result is not None
    assert (result.cast, result.eligible) == (1, 2)


@given(chosen=st.sampled_from((*OPTIONS, "abstain")), opened=st.sampled_from((*OPTIONS, "abstain")))
def test_only_the_chosen_option_opens(chosen: str, opened: str):
    held = polled((ANN, chosen))
    if chosen == opened:
        held.act(ANN, opening(opened, ANN))
        assert held.state.room.polls["pre"].ballots[ANN.id].fact.choice == chosen
    else:
        refused(held, ANN, opening(opened, ANN), "does not match the commitment")


def test_what_breaks_the_seal_is_refused():
    held = polled((ANN, "adopt"), (BEN, "defer"))
    refused(held, MO, BallotCommitted(poll="pre", digest="0" * 64), "only members of an electorate have a vote")
    refused(held, ANN, BallotCast(poll="pre", choice="adopt"), "needs the key that opens it")
    refused(held, GUS, BallotCast(poll="pre", choice="adopt"), "before the first one was opened")
    wrong = BallotCast(poll="pre", choice="adopt", opens_with=KEYS[BEN])
    refused(held, ANN, wrong, "the option or the key differs")
    held.act(ANN, opening("adopt", ANN))
    refused(held, GUS, BallotCommitted(poll="pre", digest="0" * 64), "until the first ballot is cast")
    held.act(FAY, PollClosed(poll="pre"))
    refused(held, BEN, opening("defer", BEN), "the pre-vote is closed")


def test_commitments_do_not_mix_with_plain_ballots():
    held = polled()
    refused(held, ANN, opening("adopt", ANN), "no one has committed to a ballot here")
    held.ballot(ANN, "pre", "adopt")
    refused(held, BEN, commitment("adopt", BEN), "until the first ballot is cast")


@pytest.mark.parametrize("key", ["", "short", "x" * 101, "spaces in a key of this length", "ümlaute-in-a-key-of-it"])
def test_a_key_that_can_be_guessed_is_refused(key: str):
    with pytest.raises(ValidationError):
        BallotCast(poll="pre", choice="adopt", opens_with=key)
