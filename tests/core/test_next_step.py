"""Next step for the leader of a room, from the lobby to the decision, and the due pulse."""

from debate_core.engine.next_step import Step, alone, follows, next_step, onward, pulse_due
from debate_core.record import acts
from debate_core.record.commands import Act, Pause, Resume, SkipTurn
from debate_core.spec.protocol import Phase
from tests.people import ANN, FAY, MO, room_spec
from tests.playing import Played

BEGIN, GO_ON = "Begin the debate", "Go on"


def step(played: Played, words: str) -> None:
    """This is the next step for the facilitator; it is taken, if there is something to be done."""
    found = next_step(played.state, FAY.id)
    assert found is not None
    assert found.words == words
    if found.command is not None:
        played.do(found.command)


def test_who_leads_is_led_through_the_whole_debate():
    held = Played(room_spec())
    step(held, "Open the pre-vote")
    held.ballot(ANN, "pre", "adopt")
    step(held, "Close the pre-vote")
    step(held, BEGIN)
    assert next_step(held.state, FAY.id) is None
    held.play()
    step(held, "Let round 2 begin")
    held.play()
    assert held.state.outcome is not None
    step(held, "Open the final vote")
    step(held, "Close the final vote")
    step(held, "Reveal the final vote")
    step(held, "Reveal the pre-vote")
    assert next_step(held.state, FAY.id) == Step("See the results")


def test_without_votes_a_debate_begins_at_once():
    held = Played(room_spec(pre_vote="none", final_vote="none", hold="none"))
    assert next_step(held.state, FAY.id) == Step(BEGIN, Resume(by=FAY.id))
    held.go_on()
    assert next_step(held.state, FAY.id) is None
    held.play()
    assert next_step(held.state, FAY.id) == Step("See the results")


def test_a_pause_by_hand_goes_on_and_is_no_beginning_of_a_round():
    held = Played(room_spec(pre_vote="none")).go_on()
    held.do(Pause(by=MO.id, reason="the light went out"))
    assert next_step(held.state, MO.id) == Step(GO_ON, Resume(by=MO.id))


def test_a_pre_vote_is_revealed_before_the_debate_begins():
    held = Played(room_spec(pre_vote="shown_at_close"))
    step(held, "Open the pre-vote")
    step(held, "Close the pre-vote")
    step(held, "Reveal the pre-vote")
    step(held, BEGIN)


def test_an_open_pulse_is_closed_and_revealed_first():
    held = Played(room_spec(pre_vote="none")).go_on()
    held.act(FAY, acts.PollOpened(poll="pulse-1"))
    assert next_step(held.state, FAY.id) == Step(
        "Close the quick poll after round 1", Act(by=FAY.id, act=acts.PollClosed(poll="pulse-1"))
    )
    step(held, "Close the quick poll after round 1")
    step(held, "Reveal the quick poll after round 1")
    assert next_step(held.state, FAY.id) is None


def test_one_pulse_is_due_a_round_until_the_next_one_begins():
    held = Played(room_spec(pre_vote="none"))
    assert pulse_due(held.state) is None
    held.go_on()
    assert pulse_due(held.state) == "pulse-1"
    held.do(SkipTurn(by=MO.id, request=held.asked()[0], reason="nothing to add"))
    held.play()
    # Round 2 waits to be begun: it is still the pulse of the round that has just ended.
    assert held.state.paused is not None
    assert pulse_due(held.state) == "pulse-1"
    held.act(FAY, acts.PollOpened(poll="pulse-1"))
    assert pulse_due(held.state) is None
    held.act(FAY, acts.PollClosed(poll="pulse-1"))
    assert pulse_due(held.state) is None
    step(held, "Reveal the quick poll after round 1")
    # That the next round begins does not follow of itself.
    assert follows(held.state, "pulse-1", FAY.id) is None
    held.go_on()
    assert pulse_due(held.state) == "pulse-2"
    held.play()
    assert pulse_due(held.state) is None


def test_one_press_closes_a_vote_and_does_what_follows_of_itself():
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    closing = next_step(held.state, FAY.id)
    assert closing is not None
    assert onward(held.state, closing) == "Close the vote and begin"
    assert alone(held.state, closing) == "Close it, begin later"
    held.act(FAY, acts.PollClosed(poll="pre"))
    assert follows(held.state, "pre", FAY.id) == Step(BEGIN, Resume(by=FAY.id))
    held.go_on()
    assert follows(held.state, "pre", FAY.id) is None
    held.to_the_end().act(FAY, acts.PollOpened(poll="final"))
    closing = next_step(held.state, FAY.id)
    assert closing is not None
    assert onward(held.state, closing) == "Close and reveal the final vote"
    assert alone(held.state, closing) == "Close it, reveal later"
    held.act(FAY, acts.PollClosed(poll="final"))
    shown = list[str]()
    while (step_ := follows(held.state, "final", FAY.id)) and step_.command is not None:
        held.do(step_.command)
        shown.append(step_.words)
    assert shown == ["Reveal the final vote", "Reveal the pre-vote"]


def test_a_vote_that_is_shown_at_its_close_begins_nothing():
    held = Played(room_spec(pre_vote="shown_at_close"))
    held.act(FAY, acts.PollOpened(poll="pre"))
    closing = next_step(held.state, FAY.id)
    assert closing is not None
    assert onward(held.state, closing) == "Close and reveal the pre-vote"


def test_later_rounds_wait_for_the_leader():
    spec = room_spec(pre_vote="none")
    protocol = spec.protocol.model_copy(update={"before": (Phase(name="first", order="at_once"),)})
    held = Played(spec.model_copy(update={"protocol": protocol})).go_on()
    for phase in ("first", "opening", "reply"):
        assert (held.requests()[0].phase, held.state.paused, pulse_due(held.state)) == (phase, None, "pulse-1")
        for _ in range(3):
            held.say()
    assert (held.requests()[0].phase, held.state.paused is None, pulse_due(held.state)) == ("opening", False, "pulse-1")
