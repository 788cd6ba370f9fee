"""Validation of acts of people against the state. Each check returns a sentence, or None = the act fits.

`rights` decides which role can do an act.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import assert_never

from debate_core.engine import crux, passage_marks, preparation, validate_content, validate_judging
from debate_core.engine.count.ballots import fault_under
from debate_core.engine.option_names import fault_in_option
from debate_core.engine.schedule import open_requests
from debate_core.engine.stage import (
    final_decision,
    last_round_called,
    person,
    poll_allowed,
    poll_results,
    present,
    sitting,
)
from debate_core.errors import RuleViolation
from debate_core.record import acts
from debate_core.record.events import Body
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec import checks
from debate_core.spec.contents import Synthesis
from debate_core.spec.people import Person, poll_words
from debate_core.spec.values import ABSTAIN, Source, free_source_id

_NO_VOTE = Sentence("only members of an electorate have a vote")


def filled_in(state: State, act: acts.RoomAct) -> acts.RoomAct:
    """The act with the fields that follow from the record; people cannot set them."""
    if isinstance(act, acts.BallotCast):
        return act.model_copy(update={"transcript": state.said_head})
    if isinstance(act, acts.SourceAdded):
        return act.model_copy(update={"source": _as_added(state, act.source)})
    if isinstance(act, acts.MarksRevealed):
        return act.model_copy(update={"claims": passage_marks.open_passages(state)})
    if isinstance(act, acts.PollClosed) and (poll := state.room.polls.get(act.poll)):
        return act.model_copy(update={"results": poll_results(state, poll)})
    return act


def refuse_idle(state: State, body: Body) -> None:
    """Refuse a change of a person that changes nothing. Records are not re-checked: older ones may hold one."""
    if isinstance(body, acts.PersonChanged) and body.person == person(state, body.person.id):
        raise RuleViolation("nothing would change for {name}", name=body.person.name)


def _as_added(state: State, source: Source) -> Source:
    """The document under a free id, visible from the current round at the earliest."""
    return source.model_copy(
        update={
            "id": free_source_id(state.spec.sources),
            "from_round": max(source.from_round, state.current_round()),
        }
    )


def fault(state: State, act: acts.RoomAct, by: str) -> Sentence | None:
    """The reason why this act does not fit now."""
    if isinstance(act, acts.PeopleAct):
        return _people(state, act)
    if isinstance(act, acts.PreparingAct):
        return preparation.fault(state, act, by)
    if isinstance(act, acts.PollAct):
        return _polls(state, act, by)
    if isinstance(act, acts.JudgeAct):
        return validate_judging.fault(state, act, by)
    if isinstance(act, acts.MarkAct):
        return passage_marks.fault(state, act)
    if isinstance(act, acts.Remark):
        return _remarks(state, act, by)
    if isinstance(act, acts.Procedure):
        return _procedure(state, act, by)
    if isinstance(act, acts.Conclusion):
        return _after(state, act)
    if isinstance(act, acts.Owning):
        return _owning(state, act)
    assert_never(act)


def _owning(state: State, act: acts.Owning) -> Sentence | None:
    match act:
        case acts.HandedOver():
            return _handing_over(state, act)
        case acts.Shared():
            return _sharing(state, act)
        case acts.Archived():
            return _archiving(state, act)
        case acts.Replaced():
            if state.outcome:
                return None
            return Sentence("the debate is still running: a name can be removed when it is over")
        case _:
            assert_never(act)


def _handing_over(state: State, act: acts.HandedOver) -> Sentence | None:
    if (act.to or "") != state.ownership.owner:
        return None
    if act.to is None:
        return Sentence("the debate belongs to the server already: name a person")
    return Sentence("this person owns the debate already: name another one")


def _archiving(state: State, act: acts.Archived) -> Sentence | None:
    if state.outcome is None:
        return Sentence("the debate is still running: archive it when it is over")
    if act.archived != state.ownership.archived:
        return None
    return Sentence("it is in the archive already") if act.archived else Sentence("it is not in the archive")


def _sharing(state: State, act: acts.Shared) -> Sentence | None:
    if not state.ownership.owner:
        return Sentence("the debate belongs to the server: everyone who hosts there reads it as agreed")
    if state.spec.terms.readers != "hosts":
        return Sentence("it was agreed before the start that only its people read it: that cannot be changed")
    if act.shared != state.ownership.shared:
        return None
    opened = Sentence("it is open to the organisation already")
    return opened if act.shared else Sentence("it is not open to the organisation")


def _people(state: State, act: acts.PeopleAct) -> Sentence | None:
    match act:
        case acts.PersonJoined():
            return _joining(state, act.person)
        case acts.PersonChanged():
            return _changing(state, act.person)
        case acts.PersonLeft():
            return _leaving(state, act)
        case acts.LinkChanged():
            return _link(state, act)
        case _:
            assert_never(act)


def _joining(state: State, newcomer: Person) -> Sentence | None:
    if newcomer.id in state.room.people:
        return Sentence("{id} is in this room already", id=newcomer.id)
    if newcomer.weight != 1 and state.room.polls:
        return Sentence("weights are fixed once a poll was opened: a newcomer has one vote")
    return person_fault(state, newcomer) or _held_by_another(state, newcomer)


def _changing(state: State, after: Person) -> Sentence | None:
    before = person(state, after.id)
    if before is None:
        return _not_here(state, after.id)
    votes_differently = (before.electorate, before.weight) != (after.electorate, after.weight)
    if votes_differently and state.room.polls:
        return Sentence("who votes where, and with which weight, is fixed once a poll was opened")
    steps_down = before.role == "facilitator" and after.role != "facilitator"
    if steps_down and (why := _facilitator_left(state, after.id)):
        return why
    return person_fault(state, after) or _held_by_another(state, after)


def _leaving(state: State, act: acts.PersonLeft) -> Sentence | None:
    if person(state, act.person) is None:
        return _not_here(state, act.person)
    if act.withdrawn and not act.reason.strip():
        return Sentence("give a reason for removing a person together with their ballots")
    if act.withdrawn and not state.room.joined[act.person]:
        return Sentence(
            "{name} was here from the start: remove them alone, and their ballots stay",
            name=state.room.people[act.person].name,
        )
    return _facilitator_left(state, act.person)


def _not_here(state: State, person_id: str) -> Sentence:
    if gone := state.room.people.get(person_id):
        return Sentence("{name} has left this room", name=gone.name)
    return Sentence("{person} is not in this room", person=person_id)


def _link(state: State, act: acts.LinkChanged) -> Sentence | None:
    if act.person in state.room.left and act.what != "taken_back":
        return Sentence(
            "{name} has left or was removed: no link brings them back", name=state.room.people[act.person].name
        )
    if act.role == "observer" and act.electorate is not None:
        return Sentence("an observer has no vote: invite a voter, or make the link without one")
    everybody = act.role in ("voter", "observer") and act.electorate != "panel"
    if act.person or everybody:
        return None
    return Sentence("a public link lets in only observers and voters of the room")


def _held_by_another(state: State, who: Person) -> Sentence | None:
    """The reason why this person cannot speak for these seats: another person does."""
    for other in _others(state, who.id):
        for seat in other.seats:
            if seat in who.seats:
                return Sentence("{name} speaks for {seat}: take the seat from them first", name=other.name, seat=seat)
    return None


def _others(state: State, person_id: str) -> list[Person]:
    """Everyone else who takes part now."""
    return [other for other in present(state) if other.id != person_id]


def _facilitator_left(state: State, going: str) -> Sentence | None:
    if any(other.role == "facilitator" for other in _others(state, going)):
        return None
    return Sentence("the room needs a facilitator: name another one first")


def person_fault(state: State, who: Person) -> Sentence | None:
    """The reason why this person cannot take part like this, given their seats and turns so far."""
    taken = [seat for seat, by in sitting(state).items() if by == who.id]
    # A skipped turn has no content and says nothing.
    spoken = [turn.seat for turn in state.all_turns() if turn.by == who.id and turn.content is not None]
    return checks.person_fault(state.spec, who, spoken_for=(*taken, *spoken))


def _polls(state: State, act: acts.PollAct, by: str) -> Sentence | None:
    poll = state.room.polls.get(act.poll)
    if isinstance(act, acts.PollOpened):
        if act.poll in state.room.polls:
            return Sentence("{poll} was opened already", poll=poll_words(act.poll))
        return poll_allowed(state, act.poll)
    if poll is None:
        return Sentence("{poll} was not opened", poll=poll_words(act.poll))
    if poll.closed and isinstance(act, acts.BallotCommitted | acts.BallotCast):
        return Sentence("{poll} is closed", poll=poll_words(act.poll))
    match act:
        case acts.BallotCommitted():
            return _fault_in_commitment(state, poll, by)
        case acts.BallotCast():
            return _fault_in_opening(poll, act, by) or _ballot(state, act, by)
        case acts.PollClosed():
            return _closing(state, act, poll)
        case acts.Supposed():
            return crux.fault(state, act, by)
        case acts.PollRevealed():
            return _reveal(state, act, poll)
        case _:
            assert_never(act)


def _closing(state: State, act: acts.PollClosed, poll: PollState) -> Sentence | None:
    if poll.closed:
        return Sentence("{poll} is closed already", poll=poll_words(act.poll))
    if act.results == poll_results(state, poll):
        return None
    return Sentence("a recount gives other results")


def _fault_in_commitment(state: State, poll: PollState, by: str) -> Sentence | None:
    """Commitments come before the first ballot, so that every choice is made unseen by the others."""
    if not _has_vote(state, by):
        return _NO_VOTE
    if poll.cast_times:
        return Sentence("people can commit to a ballot until the first ballot is cast")
    return None


def _fault_in_opening(poll: PollState, act: acts.BallotCast, by: str) -> Sentence | None:
    if not poll.commitments:
        return Sentence("no one has committed to a ballot here: vote without a key") if act.opens_with else None
    digest = poll.commitments.get(by)
    if digest is None:
        return Sentence("the ballots of this vote are those to which people committed before the first one was opened")
    if act.opens_with is None:
        return Sentence("a ballot to which someone has committed needs the key that opens it")
    if act.choice is None or ballot_digest(act.choice, act.opens_with) != digest:
        return Sentence("this ballot does not match the commitment: the option or the key differs")
    return None


def ballot_digest(choice: str, key: str) -> str:
    """The digest of a commitment: SHA-256 of the choice, a space and the key, in hex."""
    return sha256(f"{choice} {key}".encode()).hexdigest()


def _has_vote(state: State, by: str) -> bool:
    who = person(state, by)
    return who is not None and who.electorate is not None


def _ballot(state: State, act: acts.BallotCast, by: str) -> Sentence | None:
    if not _has_vote(state, by):
        return _NO_VOTE
    if act.poll == "pre" and (state.room.begun or state.outcome):
        return Sentence("the pre-vote comes before the first turn: no ballot can follow now")
    if act.transcript != state.said_head:
        return Sentence("a ballot is tied to the current transcript")
    if why := crux.fault_in_reason(state, act) or _fault_in_guess(state, act):
        return why
    if act.choice == ABSTAIN:
        if act.given:
            return Sentence("an abstention names no option")
        return None
    return fault_under(state.spec.terms.vote, state.spec.options, state.spec.drivers, act.choice, act.given)


def _fault_in_guess(state: State, act: acts.BallotCast) -> Sentence | None:
    if not act.expects:
        return None
    if act.poll != "final" or not state.spec.terms.asks_guess:
        return Sentence("this vote does not ask for a guess")
    if sorted(one.option for one in act.expects) != sorted(state.spec.options):
        return Sentence("a guess has one number for each option: {options}", options=", ".join(state.spec.options))
    if not any(one.votes for one in act.expects):
        return Sentence("a guess expects at least one vote")
    return None


def _reveal(state: State, act: acts.PollRevealed, poll: PollState) -> Sentence | None:
    if poll.closed is None:
        return Sentence("{poll} is open: close it first", poll=poll_words(act.poll))
    if poll.revealed:
        return Sentence("{poll} was revealed already", poll=poll_words(act.poll))
    stays_sealed = act.poll == "pre" and state.spec.terms.pre_vote == "shown_at_end" and not _is_at_end(state)
    if stays_sealed:
        return Sentence(
            "the pre-vote was agreed to stay sealed to the end: it is revealed after the final vote is closed"
        )
    return None


def _is_at_end(state: State) -> bool:
    """True once the final vote is closed; without a final vote, once the debate is over."""
    if state.spec.terms.final_vote != "asked":
        return state.outcome is not None
    final = state.room.polls.get("final")
    return final is not None and final.closed is not None


def _remarks(state: State, act: acts.Remark, by: str) -> Sentence | None:
    match act:
        case acts.Struck():
            return _striking(state, act)
        case acts.Noted():
            return _note(state, act)
        case acts.Asked() | acts.Dissented():
            return _empty(act.text)
        case acts.Flagged():
            return _empty(act.line)
        case acts.Upvoted():
            return _support(state, act, by)
        case acts.FlagResolved():
            return _resolving(state, act)
        case _:
            assert_never(act)


def _empty(text: str) -> Sentence | None:
    if text.strip():
        return None
    return Sentence("it is empty: write something")


def _resolving(state: State, act: acts.FlagResolved) -> Sentence | None:
    flags = {done.seq for done in state.room.of(acts.Flagged)}
    settled = {resolved.flag for resolved in state.room.facts(acts.FlagResolved)}
    if act.flag in flags - settled:
        return None
    return Sentence("there is no open flag {flag}", flag=act.flag)


def _striking(state: State, act: acts.Struck) -> Sentence | None:
    status = next((turn.status for turn in state.all_turns() if turn.place() == act.turn), None)
    if status == "ok":
        return None
    return Sentence(
        "{turn} is no turn that can be struck ({status})", turn=act.turn, status=Sentence(status or "not given")
    )


def _support(state: State, act: acts.Upvoted, by: str) -> Sentence | None:
    asked_by = {done.seq: done.by for done in state.room.of(acts.Asked)}
    if act.question not in asked_by:
        return Sentence("there is no question {question} that could be supported", question=act.question)
    if asked_by[act.question] == by:
        return Sentence("it is your own question: your support is counted already")
    supported = [upvote.question for upvote in state.room.done_by(by, acts.Upvoted)]
    if act.question in supported:
        return Sentence("you support this question already: it counts once")
    return None


def _missing_claim(state: State, claim_ids: Iterable[str | None]) -> Sentence | None:
    for claim_id in claim_ids:
        if claim_id is not None and claim_id not in state.claims:
            return Sentence("there is no claim {missing!r}", missing=claim_id)
    return None


def _note(state: State, act: acts.Noted) -> Sentence | None:
    if why := _missing_claim(state, (act.claim_id, act.duplicate_of)):
        return why
    if act.duplicate_of == act.claim_id:
        return Sentence("a claim is no duplicate of itself")
    corrections = (act.duplicate_of, act.has_evidence, act.resolved)
    if all(correction is None for correction in corrections):
        return Sentence("say what is to be corrected: duplicate, evidence or resolved")
    return None


def _procedure(state: State, act: acts.Procedure, by: str) -> Sentence | None:
    if state.outcome:
        return Sentence("the debate is over")
    match act:
        case acts.Intervened():
            if act.text.strip():
                return None
            return Sentence("the message to all seats is empty")
        case acts.SeatTaken() | acts.SeatReturned() | acts.Poked():
            return _about_seat(state, act, by)
        case acts.Extended():
            return _extension(state, act)
        case acts.SourceAdded():
            return _source(state, act.source)
        case acts.LastRound():
            can_be_last = state.slots[state.position].section == "round" and not last_round_called(state)
            if can_be_last:
                return None
            return Sentence("there is no round that could be made the last one")
        case _:
            assert_never(act)


def _about_seat(state: State, act: acts.SeatTaken | acts.SeatReturned | acts.Poked, by: str) -> Sentence | None:
    seats = state.spec.seat_ids()
    if act.seat not in seats:
        return Sentence(
            "there is no seat {unknown!r}: this debate has {seats}", unknown=act.seat, seats=", ".join(seats)
        )
    match act:
        case acts.SeatTaken():
            speaks_already = sitting(state).get(act.seat) == by
            if speaks_already:
                return Sentence("you speak for {seat} already", seat=act.seat)
            return None
        case acts.SeatReturned():
            if act.seat in sitting(state):
                return None
            return Sentence("{seat} was not taken over", seat=act.seat)
        case acts.Poked():
            is_asked = any(request.seat == act.seat for request in open_requests(state))
            if is_asked:
                return None
            return Sentence("{seat} has no open turn now", seat=act.seat)
        case _:
            assert_never(act)


def _source(state: State, source: Source) -> Sentence | None:
    if not source.title.strip() or not source.text.strip():
        return Sentence("a document needs a title and a text that can be quoted")
    if source.only_for is not None:
        return Sentence("a document that is added during a debate is for all seats: leave only_for out")
    if source.from_round > state.spec.max_rounds:
        return Sentence(
            "no seat would see it: it is shown from round {from_round}, and there are {max_rounds}",
            from_round=source.from_round,
            max_rounds=state.spec.max_rounds,
        )
    if source != _as_added(state, source):
        return Sentence(
            "a document that is added now is {id}, from no round that is over", id=_as_added(state, source).id
        )
    return None


def _extension(state: State, act: acts.Extended) -> Sentence | None:
    if act.rounds:
        return _longer_by_rounds(state, act.rounds)
    if act.seconds:
        return None
    return Sentence("say how much more time: seconds, or one round")


def _longer_by_rounds(state: State, rounds: int) -> Sentence | None:
    protocol = state.spec.protocol
    if state.spec.max_rounds + rounds > protocol.rounds.hard_max:
        return Sentence("{name} has at most {hard_max} rounds", name=protocol.name, hard_max=protocol.rounds.hard_max)
    slot = state.slots[state.position]
    if slot.section == "after" or last_round_called(state):
        return Sentence("a round can be added while rounds are still held")
    if any(state.phase(name).when == "last" for _, name in state.ran):
        return Sentence("the closing phase of the last round has begun: no round can follow it")
    return None


def _after(state: State, act: acts.Conclusion) -> Sentence | None:
    if isinstance(act, acts.SynthesisRevised):
        return _revision(state, act)
    if state.outcome is None:
        return Sentence("the debate is still running: sign when it is over")
    if isinstance(act, acts.OutcomeRecorded):
        if act.option is None:
            return None
        return fault_in_option(state.spec.options, act.option)
    if isinstance(act, acts.AssumptionBroken):
        return _broken_assumption(state, act)
    if preparation.silent(state):
        return preparation.NOT_SHOWN
    return _poll_to_reveal(state) or _signature(state, act) or _assumptions(state, act)


def _poll_to_reveal(state: State) -> Sentence | None:
    """The reason why signing has to wait: a vote is not counted and revealed."""
    polls = [poll.id for poll in state.room.polls.values() if not poll.revealed]
    if final_decision(state).pending:
        polls.append("final")
    if polls:
        return Sentence("{poll} is not counted and revealed yet", poll=poll_words(polls[0]))
    return None


def _signature(state: State, act: acts.Signed) -> Sentence | None:
    if act.verdict in ("reject", "escalate"):
        return _not_accepted(act)
    if act.option is None:
        return Sentence("choose the option that is accepted: {options}", options=", ".join(state.spec.options))
    if why := fault_in_option(state.spec.options, act.option):
        return Sentence("an accepted decision names its option: {why}", why=why)
    if act.verdict == "accept_with_changes" and not act.changes.strip():
        return Sentence("accepted with changes: name the changes")
    final = final_decision(state)
    if act.option != final.option and not act.reason.strip():
        return Sentence(
            "{decider} says {said}: to decide {option} needs a reason, and both are kept",
            decider=Sentence(final.decider),
            said=final.option or Sentence("nothing"),
            option=act.option,
        )
    return None


def _not_accepted(act: acts.Signed) -> Sentence | None:
    if act.option is not None:
        return Sentence("a decision that is not accepted names no option")
    if not act.reason.strip():
        return Sentence("to {verdict} needs a reason: say why it is not accepted", verdict=act.verdict)
    return None


def _assumptions(state: State, act: acts.Signed) -> Sentence | None:
    if not all(assumption.text.strip() for assumption in act.assumptions):
        return Sentence("an assumption has no text")
    if act.assumes_nothing and act.assumptions:
        return Sentence("the signature says that there is no assumption, and names one")
    return _missing_claim(state, (assumption.claim_id for assumption in act.assumptions))


def _broken_assumption(state: State, act: acts.AssumptionBroken) -> Sentence | None:
    signatures = state.room.of(acts.Signed)
    if not signatures or signatures[-1].seq != act.signature:
        return Sentence("event {n} is not the latest signature", n=act.signature)
    assumptions = signatures[-1].fact.assumptions
    if act.assumption > len(assumptions) or assumptions[act.assumption - 1].check is None:
        return Sentence("the signature has no assumption {n} with a check", n=act.assumption)
    for done in state.room.of(acts.AssumptionBroken):
        if (done.fact.signature, done.fact.assumption) == (act.signature, act.assumption):
            return Sentence("assumption {n} is recorded as broken already", n=act.assumption)
    return None


def _revision(state: State, act: acts.SynthesisRevised) -> Sentence | None:
    if not any(isinstance(turn.content, Synthesis) for turn in state.all_turns()):
        return Sentence("there is no synthesis yet that could be revised")
    if why := validate_content.fault_in_content(state.spec, "synthesis", act.content):
        return why
    own = {word.line for word in act.own_words}
    for line in act.content.points:
        if not line.links and line.text not in own:
            return Sentence("no claim is linked to the line {loose!r}", loose=line.text[:80])
    return None
