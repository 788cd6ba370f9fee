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
from debate_core.spec.contents import Synthesis
from debate_core.spec.people import Person
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


def fault(state: State, act: acts.RoomAct, by: str) -> str | None:
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
        return "the debate is over" if state.outcome else _procedure(state, act, by)
    if isinstance(act, acts.Conclusion):
        return _after(state, act)
    assert_never(act)


def _people(state: State, act: acts.PeopleAct) -> str | None:
    if isinstance(act, acts.PersonLeft):
        return _left(state, act)
    if isinstance(act, acts.LinkChanged):
        return _link(state, act)
    given = act.person
    if isinstance(act, acts.PersonJoined):
        if given.id in state.room.people:
            return f"{given.id} is in this room already"
        if given.weight != 1 and state.room.polls:
            return "weights are fixed once a poll was opened: who comes later has one vote"
        return person_fault(state, given) or _held_by_another(state, given)
    before = person(state, given.id)
    if before is None:
        return f"{given.id} is not in this room"
    moved = (before.electorate, before.weight) != (given.electorate, given.weight)
    if moved and state.room.polls:
        return "who votes where, and with which weight, is fixed once a poll was opened"
    if before.role == "facilitator" != given.role and (why := _facilitator_left(state, given.id)):
        return why
    if given.name != before.name and any(_same_name(p, given) for p in present(state)):
        return f"somebody here is called {given.name} already: take a name that nobody mistakes"
    return person_fault(state, given) or _held_by_another(state, given)


def _left(state: State, act: acts.PersonLeft) -> str | None:
    if person(state, act.person) is None:
        return f"{act.person} is not in this room"
    if act.withdrawn and not act.reason.strip():
        return "whoever removes somebody with their ballots says why"
    if act.withdrawn and not state.room.joined[act.person]:
        return f"{state.room.people[act.person].name} was here from the start: show them out, and their ballots stay"
    return _facilitator_left(state, act.person)


def _link(state: State, act: acts.LinkChanged) -> str | None:
    if act.person in state.room.left and act.what != "taken_back":
        return f"{state.room.people[act.person].name} has left or was shown out: no link brings them back"
    if act.role == "observer" and act.electorate is not None:
        return "an observer has no vote: invite a voter, or make the link without one"
    everybody = act.role in ("voter", "observer") and act.electorate != "panel"
    return None if act.person or everybody else "a link for all lets in observers and voters of the room alone"


def _held_by_another(state: State, given: Person) -> str | None:
    others = [(p.name, seat) for p in present(state) if p.id != given.id for seat in p.seats if seat in given.seats]
    return f"{others[0][0]} speaks for {others[0][1]}: take the seat from them first" if others else None


def _same_name(other: Person, given: Person) -> bool:
    return other.id != given.id and other.name.casefold().split() == given.name.casefold().split()


def _facilitator_left(state: State, going: str) -> str | None:
    others = any(p.role == "facilitator" and p.id != going for p in present(state))
    return None if others else "somebody has to facilitate: name another facilitator first"


def person_fault(state: State, given: Person) -> str | None:
    """Why somebody cannot take part like this: blank names, unknown seats, offices that must not meet in one
    person, a vote that could not be cast."""
    if not given.name.strip():
        return "a person needs a name"
    if any(seat.id == given.id for seat in state.spec.seats):
        return f"{given.id} is the id of a seat: a person needs another"
    unknown = [s for s in given.seats if s not in {seat.id for seat in state.spec.seats}]
    if unknown:
        return f"there is no seat {unknown[0]!r}: this debate has {', '.join(s.id for s in state.spec.seats)}"
    if given.role == "observer" and given.electorate is not None:
        return f"{given.name} only observes: whoever is in an electorate must be able to vote"
    taken = [seat for seat, by in sitting(state).items() if by == given.id]
    speaks = [s for s in (*given.seats, *taken) if state.spec.seat(s).role == "debater"]
    # Whoever skipped a turn has ended it and said nothing in it.
    said = [t.seat for t in state.all_turns() if t.by == given.id and t.content is not None]
    speaks += [s for s in said if state.spec.seat(s).role == "debater"]
    if speaks and given.role in ("judge", "synthesiser"):
        return f"{given.name} cannot be {given.role} and speak for {speaks[0]}: who judges or sums up holds no side"
    return None


def _polls(state: State, act: acts.PollAct, by: str) -> str | None:
    poll = state.room.polls.get(act.poll)
    if isinstance(act, acts.PollOpened):
        if poll is not None:
            return f"the poll {act.poll} was opened already"
        return poll_allowed(state, act.poll)
    if poll is None:
        return f"the poll {act.poll} was not opened"
    match act:
        case acts.BallotCast():
            return f"the poll {act.poll} is closed" if poll.closed else _ballot(state, act, by)
        case acts.PollClosed() if poll.closed:
            return f"the poll {act.poll} is closed already"
        case acts.PollClosed():
            derived = poll_results(state, poll)
            return None if act.results == derived else "counted again, its results are others"
        case acts.PollRevealed():
            return _reveal(state, act)
        case _:
            assert_never(act)


def _ballot(state: State, act: acts.BallotCast, by: str) -> str | None:
    room, who = state.spec.terms, person(state, by)
    if who is None or who.electorate is None:
        return "only who is listed in an electorate has a vote"
    if act.poll == "pre" and (state.room.begun or state.outcome):
        return "the pre-vote comes before the first turn: no ballot can follow now"
    if act.transcript != state.said_head:
        return "a ballot is bound to the transcript as it stands now"
    if act.choice == ABSTAIN:
        return "who abstains names no option" if act.given else None
    return fault_under(room.vote, state.spec.options, state.spec.drivers, act.choice, act.given)


def _reveal(state: State, act: acts.PollRevealed) -> str | None:
    poll, room = state.room.polls[act.poll], state.spec.terms
    if poll.closed is None:
        return f"the poll {act.poll} is open: close it first"
    if poll.revealed:
        return f"the poll {act.poll} was revealed already"
    if act.poll == "pre" and room.pre_vote == "shown_at_end":
        final = state.room.polls.get("final")
        ready = final is not None and final.closed if room.final_vote == "asked" else state.outcome
        if not ready:
            return "the pre-vote was agreed to stay sealed to the end: it is revealed after the final vote is closed"
    return None


def _judges(state: State, act: acts.JudgeAct, by: str) -> str | None:
    if isinstance(act, acts.BeliefsRevealed):
        ended = state.outcome is not None or state.slots[state.position].section == "after"
        fits = revealed_round(state) < act.round <= state.current_round() - (not ended)
        return None if fits else f"the judges' probabilities of round {act.round} cannot be revealed now"
    if isinstance(act, acts.BeliefReported):
        return _belief(state, act, by)
    if state.outcome is not None and revealed_round(state) >= state.current_round() and not judges_late(state, by):
        return "the judges were revealed: nobody can rate or compare any more"
    if isinstance(act, acts.Judged):
        unknown = [r.option for r in act.ratings if r.option not in state.spec.options]
        cells = {(r.option, r.criterion) for r in act.ratings}
        twice = len(cells) < len(act.ratings)
        return _no_option(state, unknown[0]) if unknown else "each cell of the rubric has one score" if twice else None
    return _pair(state, act, by)


def _pair(state: State, act: acts.Compared, by: str) -> str | None:
    there = {t.place() for t in state.turns if t.status == "ok"}
    missing = [t for t in (act.a, act.b) if t not in there]
    if missing or act.a == act.b:
        return f"there is no turn {missing[0]} to compare" if missing else "two different turns are compared"
    again = any(d.by == by and {d.fact.a, d.fact.b} == {act.a, act.b} for d in state.room.of(acts.Compared))
    return "you compared these two already: a pair counts once" if again else None


def _belief(state: State, act: acts.BeliefReported, by: str) -> str | None:
    if sorted(b.option for b in act.beliefs) != sorted(state.spec.options):
        return f"a probability is given for each option once: {', '.join(state.spec.options)}"
    if act.shown and sorted(act.shown) != sorted(state.spec.options):
        return "the order shown must be one of the options"
    if act.round > state.current_round():
        return f"round {act.round} has not begun"
    if act.round <= revealed_round(state) and not judges_late(state, by):
        return f"the probabilities of round {act.round} were revealed: nobody can report there any more"
    if any(d.by == by and d.fact.final for d in state.room.of(acts.BeliefReported)):
        return "your final probabilities are given: they stand"
    if act.final and state.outcome is None:
        return "final probabilities are given when the debate is over"
    if act.final and act.round != state.current_round():
        return f"final probabilities are those after the last round, {state.current_round()}"
    return "say why: final probabilities need an explanation" if act.final and not act.explanation.strip() else None


def _no_option(state: State, given: str | None) -> str | None:
    if given in state.spec.options:
        return None
    return f"{(given or '')[:80]!r} is none of the options: {', '.join(state.spec.options)}"


def _remarks(state: State, act: acts.Remark, by: str) -> str | None:
    match act:
        case acts.Struck():
            status = {t.place(): t.status for t in state.all_turns()}.get(act.turn)
            return None if status == "ok" else f"{act.turn} is no turn that can be struck ({status or 'not given'})"
        case acts.Noted():
            return _note(state, act)
        case acts.Asked() | acts.Flagged() | acts.Dissented():
            text = act.line if isinstance(act, acts.Flagged) else act.text
            return None if text.strip() else "it is empty: write something"
        case acts.Upvoted():
            asked = {d.seq: d.by for d in state.room.of(acts.Asked)}
            again = any(d.by == by and d.fact.question == act.question for d in state.room.of(acts.Upvoted))
            if act.question not in asked or asked[act.question] == by or again:
                return "one vote for a question of somebody else, once"
            return None
        case acts.FlagResolved():
            settled = {d.fact.flag for d in state.room.of(acts.FlagResolved)}
            open_flags = {d.seq for d in state.room.of(acts.Flagged)} - settled
            return None if act.flag in open_flags else f"there is no open flag {act.flag}"
        case _:
            assert_never(act)


def _note(state: State, act: acts.Noted) -> str | None:
    missing = [c for c in (act.claim_id, act.duplicate_of) if c is not None and c not in state.claims]
    if missing:
        return f"there is no claim {missing[0]!r}"
    if act.duplicate_of == act.claim_id:
        return "a claim is no duplicate of itself"
    empty = act.duplicate_of is None and act.has_evidence is None and act.resolved is None
    return "say what is to be corrected: duplicate, evidence or resolved" if empty else None


def _procedure(state: State, act: acts.Procedure, by: str) -> str | None:
    match act:
        case acts.Intervened():
            return None if act.text.strip() else "the words to all seats are empty"
        case acts.SeatTaken() | acts.SeatReturned() | acts.Poked() if act.seat not in {s.id for s in state.spec.seats}:
            return f"there is no seat {act.seat!r}"
        case acts.SeatTaken():
            return f"you speak for {act.seat} already" if sitting(state).get(act.seat) == by else None
        case acts.SeatReturned():
            return None if act.seat in sitting(state) else f"{act.seat} was not taken over"
        case acts.Poked():
            asked = any(r.seat == act.seat for r in open_requests(state))
            return None if asked else f"nobody waits for {act.seat} now"
        case acts.Extended():
            return _extension(state, act)
        case acts.SourceAdded():
            return _source(state, act.source)
        case acts.LastRound():
            if last_round_called(state) or state.slots[state.position].section != "round":
                return "there is no round that could be made the last one"
            return None
        case _:
            assert_never(act)


def _source(state: State, source: Source) -> str | None:
    if not source.title.strip() or not source.text.strip():
        return "a document needs a title and a text to quote from"
    if source.from_round > state.spec.max_rounds:
        return f"nobody would see it: it comes from round {source.from_round}, and there are {state.spec.max_rounds}"
    if source != _as_added(state, source):
        return f"a document that is added now is {_as_added(state, source).id}, from no round that is over"
    return None


def _extension(state: State, act: acts.Extended) -> str | None:
    if not act.seconds and not act.rounds:
        return "say how much more: seconds, or one round"
    if not act.rounds:
        return None
    if state.spec.max_rounds + act.rounds > state.spec.protocol.rounds.hard_max:
        return f"{state.spec.protocol.name} has at most {state.spec.protocol.rounds.hard_max} rounds"
    slot = state.slots[state.position]
    if slot.section == "after" or last_round_called(state):
        return "a round can be added while rounds are still held"
    ran = [state.phase(name).when for number, name in state.ran if number == slot.round]
    return "the closing phase of the last round has begun: no round can follow it" if "last" in ran else None


def _after(state: State, act: acts.Conclusion) -> str | None:
    if isinstance(act, acts.SynthesisRevised):
        return _revision(state, act)
    if state.outcome is None:
        return "the debate goes on: sign when it is over"
    if isinstance(act, acts.OutcomeRecorded):
        return _no_option(state, act.option) if act.option is not None else None
    waiting = [p.id for p in state.room.polls.values() if p.closed is None or not p.revealed]
    final = final_decision(state)
    if waiting or final.pending:
        return f"the {waiting[0] if waiting else 'final'} vote is not counted and revealed yet"
    return _signature(state, act, final)


def _signature(state: State, act: acts.Signed, final: Final) -> str | None:
    if act.verdict in ("reject", "escalate"):
        if act.option is not None:
            return "a decision that is not accepted names no option"
        unexplained = state.edition >= 2 and not act.reason.strip()
        return f"to {act.verdict} needs a reason: say what keeps it from being accepted" if unexplained else None
    if act.option is None:
        return f"choose the option that is accepted: {', '.join(state.spec.options)}"
    if why := _no_option(state, act.option):
        return f"an accepted decision names its option: {why}"
    if act.verdict == "accept_with_changes" and not act.changes.strip():
        return "accepted with changes: say which"
    if act.option != final.option and not act.reason.strip():
        says = f"{final.decider} says {final.option or 'nothing'}"
        return f"{says}: to decide {act.option} needs a reason, and both are kept"
    return None


def _revision(state: State, act: acts.SynthesisRevised) -> str | None:
    if not any(isinstance(t.content, Synthesis) for t in state.all_turns()):
        return "there is no synthesis yet to stand beside"
    if why := content_faults.fault_in_content(state.spec, "synthesis", act.content):
        return why
    own = {word.line for word in act.own_words}
    loose = [line.text for line in act.content.points if not line.links and line.text not in own]
    return f"no claim is linked to the line {loose[0][:80]!r}" if loose else None
