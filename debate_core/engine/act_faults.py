"""Whether an act of somebody in the room fits what has happened so far. None = it does; else one sentence.

Who may do it at all is in `rights`.
"""

from collections.abc import Iterable
from itertools import count
from typing import assert_never

from debate_core.engine import content_faults, passage_marks, preparation
from debate_core.engine.count.ballots import fault_under
from debate_core.engine.schedule import open_requests
from debate_core.engine.stage import (
    Final,
    final_decision,
    judges_late,
    last_round_called,
    person,
    poll_allowed,
    poll_results,
    present,
    revealed_round,
    sitting,
)
from debate_core.record import acts
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec import checks
from debate_core.spec.contents import Synthesis
from debate_core.spec.people import Person, poll_words
from debate_core.spec.values import ABSTAIN, Source


def filled_in(state: State, act: acts.RoomAct) -> acts.RoomAct:
    """The act with what follows from the record: nobody can state it otherwise."""
    if isinstance(act, acts.BallotCast):
        return act.model_copy(update={"transcript": state.said_head})
    if isinstance(act, acts.SourceAdded):
        return act.model_copy(update={"source": _as_added(state, act.source)})
    if isinstance(act, acts.MarksRevealed):
        return act.model_copy(update={"claims": passage_marks.open_passages(state)})
    if isinstance(act, acts.PollClosed) and (poll := state.room.polls.get(act.poll)):
        return act.model_copy(update={"results": poll_results(state, poll)})
    return act


def _as_added(state: State, source: Source) -> Source:
    """Under an id of its own, and from no round before the one that runs."""
    return source.model_copy(
        update={
            "id": free_source_id(state.spec.sources),
            "from_round": max(source.from_round, state.current_round(), 1),
        }
    )


def free_source_id(sources: Iterable[Source]) -> str:
    """The first of E1, E2, ... that no source has."""
    taken = {source.id for source in sources}
    return next(f"E{number}" for number in count(1) if f"E{number}" not in taken)


def fault(state: State, act: acts.RoomAct, by: str) -> Sentence | None:
    """Why this act does not fit now."""
    if isinstance(act, acts.PeopleAct):
        return _people(state, act)
    if isinstance(act, acts.PreparingAct):
        return preparation.fault(state, act, by)
    if isinstance(act, acts.PollAct):
        return _polls(state, act, by)
    if isinstance(act, acts.JudgeAct):
        return _judges(state, act, by)
    if isinstance(act, acts.MarkAct):
        return passage_marks.fault(state, act)
    if isinstance(act, acts.Remark):
        return _remarks(state, act, by)
    if isinstance(act, acts.Procedure):
        return Sentence("the debate is over") if state.outcome else _procedure(state, act, by)
    if isinstance(act, acts.Conclusion):
        return _after(state, act)
    if isinstance(act, acts.Owning):
        return _owning(state, act)
    assert_never(act)


def _owning(state: State, act: acts.Owning) -> Sentence | None:
    """What an owner cannot do with a debate."""
    now = state.ownership
    match act:
        case acts.HandedOver():
            return _handing_over(state, act)
        case acts.Shared():
            return _sharing(state, act)
        case acts.Archived():
            if state.outcome is None:
                return Sentence("the debate goes on: archive it when it is over")
            if act.archived != now.archived:
                return None
            return Sentence("it is in the archive already") if now.archived else Sentence("it is not in the archive")
        case acts.Replaced():
            return None if state.outcome else Sentence("the debate goes on: a name is taken out when it is over")
        case _:
            assert_never(act)


def _handing_over(state: State, act: acts.HandedOver) -> Sentence | None:
    if (act.to or "") != state.ownership.owner:
        return None
    if act.to is None:
        return Sentence("the debate belongs to the server already: name somebody")
    return Sentence("the debate is theirs already: name somebody else")


def _sharing(state: State, act: acts.Shared) -> Sentence | None:
    if not state.ownership.owner:
        return Sentence("the debate belongs to the server: all who host there read it as it was agreed")
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


def _joining(state: State, given: Person) -> Sentence | None:
    if given.id in state.room.people:
        return Sentence("{id} is in this room already", id=given.id)
    if given.weight != 1 and state.room.polls:
        return Sentence("weights are fixed once a poll was opened: who comes later has one vote")
    return person_fault(state, given) or _held_by_another(state, given)


def _changing(state: State, given: Person) -> Sentence | None:
    before = person(state, given.id)
    if before is None:
        return _not_here(state, given.id)
    moved = (before.electorate, before.weight) != (given.electorate, given.weight)
    if moved and state.room.polls:
        return Sentence("who votes where, and with which weight, is fixed once a poll was opened")
    steps_down = before.role == "facilitator" and given.role != "facilitator"
    if steps_down and (why := _facilitator_left(state, given.id)):
        return why
    if given.name != before.name and any(_same_name(other, given) for other in present(state)):
        return Sentence("somebody here is called {name} already: take a name that nobody mistakes", name=given.name)
    return person_fault(state, given) or _held_by_another(state, given)


def _leaving(state: State, act: acts.PersonLeft) -> Sentence | None:
    if person(state, act.person) is None:
        return _not_here(state, act.person)
    if act.withdrawn and not act.reason.strip():
        return Sentence("whoever removes somebody with their ballots says why")
    if act.withdrawn and not state.room.joined[act.person]:
        return Sentence(
            "{name} was here from the start: show them out, and their ballots stay",
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
            "{name} has left or was shown out: no link brings them back", name=state.room.people[act.person].name
        )
    if act.role == "observer" and act.electorate is not None:
        return Sentence("an observer has no vote: invite a voter, or make the link without one")
    everybody = act.role in ("voter", "observer") and act.electorate != "panel"
    if act.person or everybody:
        return None
    return Sentence("a link for all lets in observers and voters of the room alone")


def _held_by_another(state: State, given: Person) -> Sentence | None:
    others = [(p.name, seat) for p in present(state) if p.id != given.id for seat in p.seats if seat in given.seats]
    if others:
        return Sentence("{name} speaks for {seat}: take the seat from them first", name=others[0][0], seat=others[0][1])
    return None


def _same_name(other: Person, given: Person) -> bool:
    return other.id != given.id and other.name.casefold().split() == given.name.casefold().split()


def _facilitator_left(state: State, going: str) -> Sentence | None:
    others = any(p.role == "facilitator" and p.id != going for p in present(state))
    return None if others else Sentence("somebody has to facilitate: name another facilitator first")


def person_fault(state: State, given: Person) -> Sentence | None:
    """Why somebody cannot take part like this, after all that they have done here."""
    taken = [seat for seat, by in sitting(state).items() if by == given.id]
    # Whoever skipped a turn has ended it and said nothing in it.
    said = [turn.seat for turn in state.all_turns() if turn.by == given.id and turn.content is not None]
    return checks.person_fault(state.spec, given, spoken_for=(*taken, *said))


def _polls(state: State, act: acts.PollAct, by: str) -> Sentence | None:
    poll = state.room.polls.get(act.poll)
    if isinstance(act, acts.PollOpened):
        if poll is not None:
            return Sentence("{poll} was opened already", poll=poll_words(act.poll))
        return poll_allowed(state, act.poll)
    if poll is None:
        return Sentence("{poll} was not opened", poll=poll_words(act.poll))
    match act:
        case acts.BallotCast():
            return Sentence("{poll} is closed", poll=poll_words(act.poll)) if poll.closed else _ballot(state, act, by)
        case acts.PollClosed() if poll.closed:
            return Sentence("{poll} is closed already", poll=poll_words(act.poll))
        case acts.PollClosed():
            derived = poll_results(state, poll)
            return None if act.results == derived else Sentence("counted again, its results are others")
        case acts.PollRevealed():
            return _reveal(state, act)
        case _:
            assert_never(act)


def _ballot(state: State, act: acts.BallotCast, by: str) -> Sentence | None:
    room, who = state.spec.terms, person(state, by)
    if who is None or who.electorate is None:
        return Sentence("only who is listed in an electorate has a vote")
    if act.poll == "pre" and (state.room.begun or state.outcome):
        return Sentence("the pre-vote comes before the first turn: no ballot can follow now")
    if act.transcript != state.said_head:
        return Sentence("a ballot is bound to the transcript as it stands now")
    if act.choice == ABSTAIN:
        return Sentence("who abstains names no option") if act.given else None
    return fault_under(room.vote, state.spec.options, state.spec.drivers, act.choice, act.given)


def _reveal(state: State, act: acts.PollRevealed) -> Sentence | None:
    poll, room = state.room.polls[act.poll], state.spec.terms
    if poll.closed is None:
        return Sentence("{poll} is open: close it first", poll=poll_words(act.poll))
    if poll.revealed:
        return Sentence("{poll} was revealed already", poll=poll_words(act.poll))
    if act.poll == "pre" and room.pre_vote == "shown_at_end":
        final = state.room.polls.get("final")
        ready = final is not None and final.closed if room.final_vote == "asked" else state.outcome
        if not ready:
            return Sentence(
                "the pre-vote was agreed to stay sealed to the end: it is revealed after the final vote is closed"
            )
    return None


def _judges(state: State, act: acts.JudgeAct, by: str) -> Sentence | None:
    if isinstance(act, acts.BeliefsRevealed):
        return _revealing_beliefs(state, act)
    if isinstance(act, acts.BeliefReported):
        return _belief(state, act, by)
    if state.outcome is not None and revealed_round(state) >= state.current_round() and not judges_late(state, by):
        return Sentence("the judges were revealed: nobody can rate or compare any more")
    if isinstance(act, acts.Judged):
        return _rubric(state, act)
    return _pair(state, act, by)


def _rubric(state: State, act: acts.Judged) -> Sentence | None:
    if unknown := [r.option for r in act.ratings if r.option not in state.spec.options]:
        return _no_option(state, unknown[0])
    cells = {(r.option, r.criterion) for r in act.ratings}
    return Sentence("each cell of the rubric has one score") if len(cells) < len(act.ratings) else None


def _revealing_beliefs(state: State, act: acts.BeliefsRevealed) -> Sentence | None:
    if act.round <= revealed_round(state):
        return Sentence("the judges' probabilities of round {round} were revealed already", round=act.round)
    rounds_are_over = state.outcome is not None or state.slots[state.position].section == "after"
    last = state.current_round() if rounds_are_over else state.current_round() - 1
    if act.round > last:
        return Sentence(
            "round {round} is not over: the judges' probabilities up to round {last} can be revealed",
            round=act.round,
            last=last,
        )
    return None


def _pair(state: State, act: acts.Compared, by: str) -> Sentence | None:
    there = {t.place() for t in state.turns if t.status == "ok"}
    if missing := [t for t in (act.a, act.b) if t not in there]:
        return Sentence("there is no turn {missing} to compare", missing=missing[0])
    if act.a == act.b:
        return Sentence("two different turns are compared")
    again = any(d.by == by and {d.fact.a, d.fact.b} == {act.a, act.b} for d in state.room.of(acts.Compared))
    return Sentence("you compared these two already: a pair counts once") if again else None


def _belief(state: State, act: acts.BeliefReported, by: str) -> Sentence | None:
    if sorted(b.option for b in act.beliefs) != sorted(state.spec.options):
        return Sentence("a probability is given for each option once: {options}", options=", ".join(state.spec.options))
    if act.shown and sorted(act.shown) != sorted(state.spec.options):
        return Sentence("the order shown must be one of the options")
    if act.round > state.current_round():
        return Sentence("round {round} has not begun", round=act.round)
    if act.round <= revealed_round(state) and not judges_late(state, by):
        return Sentence(
            "the probabilities of round {round} were revealed: nobody can report there any more", round=act.round
        )
    if any(d.by == by and d.fact.final for d in state.room.of(acts.BeliefReported)):
        return Sentence("your final probabilities are given: they stand")
    return _final_belief(state, act) if act.final else None


def _final_belief(state: State, act: acts.BeliefReported) -> Sentence | None:
    if state.outcome is None:
        return Sentence("final probabilities are given when the debate is over")
    if act.round != state.current_round():
        return Sentence(
            "final probabilities are those after the last round, {current_round}", current_round=state.current_round()
        )
    return None if act.explanation.strip() else Sentence("say why: final probabilities need an explanation")


def _no_option(state: State, given: str | None) -> Sentence | None:
    if given in state.spec.options:
        return None
    return Sentence(
        "{given!r} is none of the options: {options}", given=(given or "")[:80], options=", ".join(state.spec.options)
    )


def _remarks(state: State, act: acts.Remark, by: str) -> Sentence | None:
    match act:
        case acts.Struck():
            return _striking(state, act)
        case acts.Noted():
            return _note(state, act)
        case acts.Asked() | acts.Flagged() | acts.Dissented():
            text = act.line if isinstance(act, acts.Flagged) else act.text
            return None if text.strip() else Sentence("it is empty: write something")
        case acts.Upvoted():
            return _support(state, act, by)
        case acts.FlagResolved():
            settled = {d.fact.flag for d in state.room.of(acts.FlagResolved)}
            open_flags = {d.seq for d in state.room.of(acts.Flagged)} - settled
            return None if act.flag in open_flags else Sentence("there is no open flag {flag}", flag=act.flag)
        case _:
            assert_never(act)


def _striking(state: State, act: acts.Struck) -> Sentence | None:
    status = next((turn.status for turn in state.all_turns() if turn.place() == act.turn), None)
    if status == "ok":
        return None
    return Sentence(
        "{turn} is no turn that can be struck ({status})", turn=act.turn, status=Sentence(status or "not given")
    )


def _support(state: State, act: acts.Upvoted, by: str) -> Sentence | None:
    asked_by = {d.seq: d.by for d in state.room.of(acts.Asked)}
    if act.question not in asked_by:
        return Sentence("there is no question {question} that could be supported", question=act.question)
    if asked_by[act.question] == by:
        return Sentence("it is your own question: your support is counted already")
    again = any(d.by == by and d.fact.question == act.question for d in state.room.of(acts.Upvoted))
    return Sentence("you support this question already: it counts once") if again else None


def _note(state: State, act: acts.Noted) -> Sentence | None:
    missing = [c for c in (act.claim_id, act.duplicate_of) if c is not None and c not in state.claims]
    if missing:
        return Sentence("there is no claim {missing!r}", missing=missing[0])
    if act.duplicate_of == act.claim_id:
        return Sentence("a claim is no duplicate of itself")
    empty = act.duplicate_of is None and act.has_evidence is None and act.resolved is None
    return Sentence("say what is to be corrected: duplicate, evidence or resolved") if empty else None


def _procedure(state: State, act: acts.Procedure, by: str) -> Sentence | None:
    match act:
        case acts.Intervened():
            return None if act.text.strip() else Sentence("the words to all seats are empty")
        case acts.SeatTaken() | acts.SeatReturned() | acts.Poked():
            return _about_seat(state, act, by)
        case acts.Extended():
            return _extension(state, act)
        case acts.SourceAdded():
            return _source(state, act.source)
        case acts.LastRound():
            can_be_last = state.slots[state.position].section == "round" and not last_round_called(state)
            return None if can_be_last else Sentence("there is no round that could be made the last one")
        case _:
            assert_never(act)


def _about_seat(state: State, act: acts.SeatTaken | acts.SeatReturned | acts.Poked, by: str) -> Sentence | None:
    known = [seat.id for seat in state.spec.seats]
    if act.seat not in known:
        return Sentence(
            "there is no seat {unknown!r}: this debate has {seats}", unknown=act.seat, seats=", ".join(known)
        )
    match act:
        case acts.SeatTaken():
            speaks_already = sitting(state).get(act.seat) == by
            return Sentence("you speak for {seat} already", seat=act.seat) if speaks_already else None
        case acts.SeatReturned():
            return None if act.seat in sitting(state) else Sentence("{seat} was not taken over", seat=act.seat)
        case acts.Poked():
            is_asked = any(request.seat == act.seat for request in open_requests(state))
            return None if is_asked else Sentence("nobody waits for {seat} now", seat=act.seat)
        case _:
            assert_never(act)


def _source(state: State, source: Source) -> Sentence | None:
    if not source.title.strip() or not source.text.strip():
        return Sentence("a document needs a title and a text to quote from")
    if source.from_round > state.spec.max_rounds:
        return Sentence(
            "nobody would see it: it comes from round {from_round}, and there are {max_rounds}",
            from_round=source.from_round,
            max_rounds=state.spec.max_rounds,
        )
    if source != _as_added(state, source):
        return Sentence(
            "a document that is added now is {id}, from no round that is over", id=_as_added(state, source).id
        )
    return None


def _extension(state: State, act: acts.Extended) -> Sentence | None:
    if not act.seconds and not act.rounds:
        return Sentence("say how much more: seconds, or one round")
    if not act.rounds:
        return None
    if state.spec.max_rounds + act.rounds > state.spec.protocol.rounds.hard_max:
        return Sentence(
            "{name} has at most {hard_max} rounds",
            name=state.spec.protocol.name,
            hard_max=state.spec.protocol.rounds.hard_max,
        )
    slot = state.slots[state.position]
    if slot.section == "after" or last_round_called(state):
        return Sentence("a round can be added while rounds are still held")
    ran = [state.phase(name).when for number, name in state.ran if number == slot.round]
    return Sentence("the closing phase of the last round has begun: no round can follow it") if "last" in ran else None


def _after(state: State, act: acts.Conclusion) -> Sentence | None:
    if isinstance(act, acts.SynthesisRevised):
        return _revision(state, act)
    if state.outcome is None:
        return Sentence("the debate goes on: sign when it is over")
    if isinstance(act, acts.OutcomeRecorded):
        return _no_option(state, act.option) if act.option is not None else None
    waiting = [p.id for p in state.room.polls.values() if p.closed is None or not p.revealed]
    final = final_decision(state)
    if waiting or final.pending:
        return Sentence("{poll} is not counted and revealed yet", poll=poll_words(waiting[0] if waiting else "final"))
    return _signature(state, act, final)


def _signature(state: State, act: acts.Signed, final: Final) -> Sentence | None:
    if act.verdict in ("reject", "escalate"):
        if act.option is not None:
            return Sentence("a decision that is not accepted names no option")
        unexplained = state.edition >= 2 and not act.reason.strip()
        if unexplained:
            return Sentence("to {verdict} needs a reason: say what keeps it from being accepted", verdict=act.verdict)
        return None
    if act.option is None:
        return Sentence("choose the option that is accepted: {options}", options=", ".join(state.spec.options))
    if why := _no_option(state, act.option):
        return Sentence("an accepted decision names its option: {why}", why=why)
    if act.verdict == "accept_with_changes" and not act.changes.strip():
        return Sentence("accepted with changes: say which")
    if act.option != final.option and not act.reason.strip():
        return Sentence(
            "{decider} says {said}: to decide {option} needs a reason, and both are kept",
            decider=Sentence(final.decider),
            said=final.option or Sentence("nothing"),
            option=act.option,
        )
    return None


def _revision(state: State, act: acts.SynthesisRevised) -> Sentence | None:
    if not any(isinstance(t.content, Synthesis) for t in state.all_turns()):
        return Sentence("there is no synthesis yet to stand beside")
    if why := content_faults.fault_in_content(state.spec, "synthesis", act.content):
        return why
    own = {word.line for word in act.own_words}
    loose = [line.text for line in act.content.points if not line.links and line.text not in own]
    return Sentence("no claim is linked to the line {loose!r}", loose=loose[0][:80]) if loose else None
