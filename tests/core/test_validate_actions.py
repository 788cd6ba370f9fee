"""Each act of a person in a room: the one sentence of its refusal, and the states in which it is accepted.

The debate is that of `people`: three scripted seats, two rounds of an opening and a reply, and votes of the room.
"""

from collections.abc import Callable
from functools import cache

import pytest

from debate_core.engine import validate_actions
from debate_core.engine.audit import verify
from debate_core.record import acts
from debate_core.record.commands import SkipTurn
from debate_core.record.events import make_event
from debate_core.spec.contents import Argument, Claim, Synthesis, Verdict
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import BySeat, Elected, MaxRounds
from debate_core.spec.values import Given, Seat
from tests.people import ABE, ANN, EVERYBODY, FAY, GUS, JOE, JUNE, MO, SYD, belief, refused, room_spec
from tests.playing import Played

ADA = Person(id="p-ada", name="Ada", role="debater", seats=("s0",))


SPOKEN = "1.opening.s0"
CELL = acts.Rated(option="adopt", criterion="clarity", score=3)
SUM = Synthesis(answer="Adopt it.")


@cache
def lobby() -> Played:
    return Played(room_spec((*EVERYBODY, JOE)))


@cache
def polled() -> Played:
    """The pre-vote is open, and Ann has cast a ballot."""
    return lobby().copy().act(FAY, acts.PollOpened(poll="pre")).ballot(ANN, "pre", "adopt")


@cache
def counted() -> Played:
    return polled().copy().act(FAY, acts.PollClosed(poll="pre"))


@cache
def running() -> Played:
    """One turn of three was given, with a claim; a question was asked and a line flagged."""
    held = lobby().copy().go_on()
    held.say(Argument(rationale="why", vote="adopt", claims=(Claim(text="It pays off."),)))
    held.act(GUS, acts.Asked(text="What does it cost?"))
    return held.act(ANN, acts.Flagged(line="It pays off."))


@cache
def between() -> Played:
    """The first round is over, one seat skipped a turn in it, and its probabilities were revealed."""
    held = lobby().copy().go_on()
    request = held.requests()[2]
    held.do(SkipTurn(by="p-mo", request=request.id, reason="nothing to add"))
    held.play()
    held.act(JUNE, belief(1))
    held.act(JUNE, acts.Compared(a=SPOKEN, b="1.opening.s1", winner="a"))
    return held.act(FAY, acts.BeliefsRevealed(round=1))


@cache
def over() -> Played:
    return between().copy().to_the_end()


@cache
def last_called() -> Played:
    return running().copy().act(MO, acts.LastRound(reason="enough"))


@cache
def voting_at_the_end() -> Played:
    return over().copy().act(FAY, acts.PollOpened(poll="final"))


@cache
def left() -> Played:
    return lobby().copy().act(GUS, acts.PersonLeft(person=GUS.id))


def changed(person: Person, **fields: object) -> acts.PersonChanged:
    return acts.PersonChanged(person=person.model_copy(update=fields))


def assuming(text: str, claim_id: str | None = None, watched_by: str = "") -> acts.Signed:
    assumption = acts.Assumption(text=text, claim_id=claim_id, watched_by=watched_by)
    return acts.Signed(verdict="accept", option="adopt", assumptions=(assumption,))


REFUSED: tuple[tuple[Callable[[], Played], Person, acts.RoomAct, str], ...] = (
    # people
    (lobby, FAY, acts.PersonLeft(person="p-who"), "p-who is not in this room"),
    (left, FAY, acts.PersonLeft(person="p-gus"), "Gus has left this room"),
    (lobby, FAY, acts.PersonLeft(person="p-fay"), "the room needs a facilitator: name another one first"),
    (lobby, FAY, changed(FAY, role="moderator"), "the room needs a facilitator"),
    (lobby, FAY, acts.PersonChanged(person=ADA), "p-ada is not in this room"),
    (lobby, FAY, changed(GUS), "nothing would change for Gus"),
    (lobby, GUS, acts.PersonJoined(person=GUS), "p-gus is in this room already"),
    (lobby, FAY, changed(GUS, name="  "), "a person needs a name"),
    (lobby, FAY, changed(MO, seats=("s9",)), "no seat 's9' that Mo could speak for: this debate has s0, s1, s2"),
    (lobby, FAY, changed(JUNE, seats=("s0",)), "June cannot be judge and speak for s0"),
    (polled, FAY, changed(GUS, weight=2), "is fixed once a poll was opened"),
    (polled, FAY, changed(GUS, electorate="panel"), "is fixed once a poll was opened"),
    # polls
    (polled, FAY, acts.PollOpened(poll="pre"), "the pre-vote was opened already"),
    (polled, FAY, acts.PollOpened(poll="pulse-1"), "the pre-vote is still open: close it first"),
    (lobby, FAY, acts.PollOpened(poll="pulse-1"), "is asked while round 1 or a later one runs"),
    (running, FAY, acts.PollOpened(poll="pulse-2"), "is asked while round 2 or a later one runs"),
    (over, FAY, acts.PollOpened(poll="pulse-1"), "is asked while round 1 or a later one runs"),
    (running, FAY, acts.PollOpened(poll="final"), "the final vote comes when the debate is over"),
    (lobby, FAY, acts.PollClosed(poll="pre"), "the pre-vote was not opened"),
    (lobby, ANN, acts.BallotCast(poll="pre", choice="adopt"), "the pre-vote was not opened"),
    (counted, ANN, acts.BallotCast(poll="pre", choice="adopt"), "the pre-vote is closed"),
    (counted, FAY, acts.PollClosed(poll="pre"), "the pre-vote is closed already"),
    (polled, MO, acts.BallotCast(poll="pre", choice="adopt"), "only members of an electorate have a vote"),
    (polled, ANN, acts.BallotCast(poll="pre", choice="perhaps"), "none of the options"),
    (
        polled,
        ANN,
        acts.BallotCast(poll="pre", choice="abstain", given=(Given(option="adopt", points=1),)),
        "an abstention names no option",
    ),
    (polled, FAY, acts.PollRevealed(poll="pre"), "the pre-vote is open: close it first"),
    (counted, FAY, acts.PollRevealed(poll="pre"), "was agreed to stay sealed to the end"),
    # judges
    (lobby, JUNE, belief(2), "round 2 has not begun"),
    (running, JUNE, belief(2), "round 2 has not begun"),
    (between, JUNE, belief(1), "the probabilities of round 1 were revealed"),
    (between, FAY, acts.BeliefsRevealed(round=1), "of round 1 were revealed already"),
    (between, FAY, acts.BeliefsRevealed(round=2), "round 2 is not over: the judges' probabilities up to round 1 can"),
    (running, JUNE, belief(1, final=True, explanation="so"), "are given when the debate is over"),
    (over, JUNE, belief(2, final=True), "say why: final probabilities need an explanation"),
    (running, JUNE, belief(1, shown=("adopt",)), "the order shown must be one of the options"),
    (
        running,
        JUNE,
        acts.BeliefReported(
            round=1, beliefs=(acts.Believed(option="adopt", percent=50), acts.Believed(option="defer", percent=50))
        ),
        "a probability is given for each option once: adopt, defer, reject",
    ),
    (
        running,
        JUNE,
        acts.Judged(ratings=(CELL.model_copy(update={"option": "perhaps"}),)),
        "'perhaps' is none of the options: adopt, defer, reject",
    ),
    (between, JUNE, acts.Compared(a=SPOKEN, b="1.opening.s2", winner="a"), "there is no turn 1.opening.s2 to compare"),
    (between, JUNE, acts.Compared(a="2.opening.s0", b=SPOKEN, winner="a"), "there is no turn 2.opening.s0 to compare"),
    (between, JUNE, acts.Compared(a=SPOKEN, b=SPOKEN, winner="a"), "two different turns are compared"),
    (between, JUNE, acts.Compared(a=SPOKEN, b="1.opening.s1", winner="tie"), "you compared these two already"),
    # remarks
    (between, MO, acts.Struck(turn="1.opening.s2", reason="x"), "is no turn that can be struck (skipped)"),
    (between, MO, acts.Struck(turn="2.opening.s0", reason="x"), "is no turn that can be struck (not given)"),
    (running, MO, acts.Noted(claim_id="s9.1.1", resolved=True, reason="x"), "there is no claim 's9.1.1'"),
    (
        running,
        MO,
        acts.Noted(claim_id="s0.1.1", duplicate_of="s9.1.1", reason="x"),
        "there is no claim 's9.1.1'",
    ),
    (
        running,
        MO,
        acts.Noted(claim_id="s0.1.1", duplicate_of="s0.1.1", reason="x"),
        "a claim is no duplicate of itself",
    ),
    (running, MO, acts.Noted(claim_id="s0.1.1", reason="x"), "say what is to be corrected"),
    (running, ANN, acts.Asked(text="  "), "it is empty: write something"),
    (running, ANN, acts.Flagged(line="  "), "it is empty: write something"),
    (running, ANN, acts.Dissented(text="  "), "it is empty: write something"),
    (running, ANN, acts.Upvoted(question=1), "there is no question 1 that could be supported"),
    (running, MO, acts.FlagResolved(flag=1, reason="x"), "there is no open flag 1"),
    # procedure
    (running, MO, acts.Intervened(text="  "), "the message to all seats is empty"),
    (running, MO, acts.SeatTaken(seat="s9", reason="x"), "there is no seat 's9': this debate has s0, s1, s2"),
    (running, MO, acts.SeatTaken(seat="s1", reason=" "), "give a reason: it is kept in the record"),
    (running, MO, acts.Poked(seat="s9"), "there is no seat 's9': this debate has s0, s1, s2"),
    (running, MO, acts.Poked(seat="s0"), "s0 has no open turn now"),
    (running, MO, acts.SeatReturned(seat="s0"), "s0 was not taken over"),
    (running, MO, acts.Extended(reason="x"), "say how much more time: seconds, or one round"),
    (last_called, MO, acts.Extended(rounds=1, reason="x"), "while rounds are still held"),
    (last_called, MO, acts.LastRound(reason="x"), "there is no round that could be made the last one"),
    (over, MO, acts.Intervened(text="more"), "the debate is over"),
    (over, MO, acts.LastRound(reason="x"), "the debate is over"),
    # conclusions
    (running, SYD, acts.SynthesisRevised(content=SUM), "there is no synthesis yet that could be revised"),
    (running, ABE, acts.Signed(verdict="accept", option="adopt"), "the debate is still running: sign when it is over"),
    (running, ABE, acts.OutcomeRecorded(result="held", reason="x"), "the debate is still running"),
    (voting_at_the_end, ABE, acts.Signed(verdict="accept", option="adopt"), "the final vote is not counted"),
    (over, ABE, acts.Signed(verdict="reject"), "to reject needs a reason: say why it is not accepted"),
    (over, ABE, acts.Signed(verdict="reject", option="adopt"), "a decision that is not accepted names no option"),
    (over, ABE, acts.Signed(verdict="escalate", option="adopt"), "a decision that is not accepted names no option"),
    (over, ABE, acts.Signed(verdict="accept"), "choose the option that is accepted: adopt, defer, reject"),
    (over, ABE, acts.Signed(verdict="accept", option="maybe"), "an accepted decision names its option: 'maybe' is"),
    (over, ABE, acts.Signed(verdict="accept_with_changes", option="adopt"), "accepted with changes: name the changes"),
    (over, ABE, assuming("x", claim_id="s9.1.1"), "there is no claim 's9.1.1'"),
    (over, ABE, assuming(" "), "an assumption has no text"),
    (over, ABE, acts.Signed(verdict="accept", option="defer"), "the count says adopt: to decide defer needs a reason"),
    (over, ABE, acts.OutcomeRecorded(result="held", option="maybe", reason="x"), "'maybe' is none of the options"),
)
ALLOWED: tuple[tuple[Callable[[], Played], Person, acts.RoomAct], ...] = (
    (lobby, FAY, acts.PersonLeft(person="p-gus")),
    (polled, GUS, changed(GUS, name="Gustav")),
    (polled, ANN, acts.BallotCast(poll="pre", choice="abstain")),
    (counted, ANN, acts.Asked(text="What does it cost?")),
    (running, FAY, acts.PollOpened(poll="pulse-1")),
    (running, JUNE, belief(1)),
    (running, JUNE, belief(0)),
    (running, JUNE, belief(1, shown=("reject", "adopt", "defer"))),
    (running, JUNE, acts.Judged(ratings=(CELL, CELL.model_copy(update={"criterion": "risk"})))),
    (between, JUNE, acts.Compared(a="1.opening.s1", b="1.reply.s0", winner="a")),
    (between, JOE, acts.Compared(a=SPOKEN, b="1.opening.s1", winner="a")),
    (running, MO, acts.Noted(claim_id="s0.1.1", has_evidence=False, reason="x")),
    (running, MO, acts.Noted(claim_id="s0.1.1", resolved=False, reason="x")),
    (running, MO, acts.Poked(seat="s1")),
    (running, MO, acts.Extended(seconds=60, reason="x")),
    (last_called, MO, acts.Extended(seconds=60, reason="x")),
    (between, MO, acts.Extended(rounds=1, reason="x")),
    (running, MO, acts.SeatTaken(seat="s0", reason="x")),
    (over, JUNE, belief(2, final=True, explanation="so")),
    (over, ABE, acts.Signed(verdict="reject", reason="too dear")),
    (over, ABE, acts.Signed(verdict="accept", option="adopt")),
    (over, ABE, assuming("x", watched_by="Ann")),
    (over, ABE, acts.Signed(verdict="accept", option="defer", reason="cheaper")),
    (over, ABE, acts.Signed(verdict="accept_with_changes", option="adopt", changes="slower")),
    (over, ABE, acts.OutcomeRecorded(result="held", reason="x")),
    (over, ABE, acts.OutcomeRecorded(result="held", option="adopt", reason="x")),
)


@pytest.mark.parametrize(("when", "by", "act", "why"), REFUSED)
def test_an_act_that_does_not_fit_is_refused_in_one_sentence(when, by: Person, act: acts.RoomAct, why: str):
    refused(when().copy(), by, act, why)


@pytest.mark.parametrize(("when", "by", "act"), ALLOWED)
def test_an_act_that_fits_is_taken(when, by: Person, act: acts.RoomAct):
    held = when().copy()
    held.act(by, act)
    assert held.state.room.of(type(act))[-1].by == by.id


def test_a_poll_closes_with_its_own_count_of_readable_options():
    state = polled().state
    assert validate_actions.fault(state, acts.PollClosed(poll="pre"), FAY.id) == "a recount gives other results"
    told = validate_actions.fault(state, acts.BallotCast(poll="pre", choice="adopt", transcript="another"), ANN.id)
    assert told == "a ballot is tied to the current transcript"


@pytest.mark.parametrize(("dots", "why"), [(3, ""), (4, "3"), (2, "")])
def test_a_ballot_of_a_poll_spends_no_more_dots_than_agreed(dots: int, why: str):
    held = Played(room_spec(vote=Elected(kind="cumulative", dots=3)))
    held.act(FAY, acts.PollOpened(poll="pre"))
    ballot = acts.BallotCast(poll="pre", given=(Given(option="adopt", points=dots),))
    if why:
        refused(held, ANN, ballot, why)
    else:
        held.act(ANN, ballot)


def test_a_pre_vote_sealed_to_the_end_opens_after_the_last_vote():
    held = counted().copy().to_the_end()
    refused(held, FAY, acts.PollRevealed(poll="pre"), "after the final vote is closed")
    held.act(FAY, acts.PollOpened(poll="final"))
    refused(held, FAY, acts.PollRevealed(poll="pre"), "after the final vote is closed")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    refused(held, FAY, acts.PollRevealed(poll="pre"), "the pre-vote was revealed already")
    without = Played(room_spec(final_vote="none"))
    for act in (acts.PollOpened(poll="pre"), acts.PollClosed(poll="pre")):
        without.act(FAY, act)
    refused(without, FAY, acts.PollRevealed(poll="pre"), "sealed to the end")
    without.go_on().to_the_end()
    refused(without, FAY, acts.PollOpened(poll="final"), "no final vote was agreed before the start")
    without.act(FAY, acts.PollRevealed(poll="pre"))


def test_a_person_keeps_their_seat_and_no_claim_on_others():
    seats = (Seat(id="s0", occupant="human"), Seat(id="s1", occupant="human"))
    held = Played(room_spec((FAY, MO, ANN, ADA), seats=seats))
    held.act(ADA, changed(ADA, name="Adela"))
    held.go_on()
    held.act(MO, acts.SeatTaken(seat="s1", reason="nobody else is here"))
    refused(held, MO, acts.SeatTaken(seat="s1", reason="again"), "you speak for s1 already")
    held.act(FAY, changed(ANN, role="judge", electorate=None))


def court() -> Played:
    """One round with a closing phase, and then the verdict of June, who holds the seat of the judge."""
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening"), Phase(name="closing", when="last")),
        after=(Phase(name="verdict", gives="verdict", role="judge"),),
        stop=(MaxRounds(),),
        decide=BySeat(role="judge"),
    )
    debaters = [Seat(id=seat, occupant="scripted") for seat in ("s0", "s1")]
    people = (FAY, MO, JUNE.model_copy(update={"seats": ("j",)}))
    spec = room_spec(people, seats=(*debaters, Seat(id="j", role="judge", occupant="human")))
    return Played(spec.model_copy(update={"protocol": protocol}))


def test_a_judge_gives_turns_of_the_judges_seat_only():
    held = court()
    refused(held, FAY, changed(JUNE, seats=("j", "s0")), "June cannot be judge and speak for s0")
    held.act(FAY, changed(JUNE, seats=("j",), name="June B."))


def test_a_round_is_added_or_made_last_before_the_closing_phase():
    held = court().go_on()
    held.play()
    held.go_on()
    most = held.state.spec.protocol.rounds.hard_max
    longest = held.copy()
    for _ in range(most - held.state.spec.max_rounds):
        longest.act(MO, acts.Extended(rounds=1, reason="x"))
    refused(longest, MO, acts.Extended(rounds=1, reason="x"), f"own has at most {most} rounds")
    held.act(MO, acts.LastRound(reason="enough"))
    refused(held, MO, acts.LastRound(reason="enough"), "no round that could be made the last one")
    held = court().go_on()
    held.play()
    held.go_on()
    for _ in range(2):
        held.say()
    assert held.requests()[0].phase == "closing"
    refused(held, MO, acts.Extended(rounds=1, reason="x"), "the closing phase of the last round has begun")
    while held.requests()[0].phase == "closing":
        held.say()
    refused(held, MO, acts.Extended(rounds=1, reason="x"), "while rounds are still held")
    refused(held, MO, acts.LastRound(reason="enough"), "no round that could be made the last one")
    held.say(Verdict(reasoning="s0 was right", option="adopt"), by=JUNE.id)
    held.act(FAY, changed(JUNE, seats=("j",), name="June B."))


def test_a_question_is_supported_once_and_never_by_who_asked_it():
    held = running().copy()
    (asked,) = held.state.room.of(acts.Asked)
    refused(held, GUS, acts.Upvoted(question=asked.seq), "it is your own question")
    held.act(ANN, acts.Upvoted(question=asked.seq))
    held.act(JOE, acts.Upvoted(question=asked.seq))
    refused(held, ANN, acts.Upvoted(question=asked.seq), "you support this question already")


def test_a_flag_is_settled_once():
    held = running().copy()
    (flag,) = held.state.room.of(acts.Flagged)
    held.act(MO, acts.FlagResolved(flag=flag.seq, reason="so it was"))
    refused(held, MO, acts.FlagResolved(flag=flag.seq, reason="again"), f"there is no open flag {flag.seq}")


def test_a_record_may_hold_a_person_change_without_effect():
    held = lobby().copy()
    state, last = held.state, held.events[-1]
    key = f"personchanged:{state.version + 1}"
    again = make_event(state.debate, state.version + 1, last.hash, last.at, FAY.id, key, changed(GUS))
    assert verify([*held.events, again]) == ()
