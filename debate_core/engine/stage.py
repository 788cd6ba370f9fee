"""What follows from what people did: stage, who sits where, results of polls, what is sealed, the decision of record.

Pure functions of the state; who may do what is in `rights`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from debate_core.engine import candidates, passage_marks, preparation, schedule
from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count
from debate_core.record import acts
from debate_core.record.events import Paused
from debate_core.record.people import PollState
from debate_core.record.state import OpenPhase, State, Turn, replace
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate, Person, Points, PollResult, poll_name, poll_words, stage_of
from debate_core.spec.rules import ballot_kind, on_one_ballot
from debate_core.spec.values import Role, in_words

Stage = Literal["lobby", "prevote", "round", "closing", "finalvote", "over", "signed"]
LOBBY = "the lobby is open: people join, and the facilitator begins"
MAX_REASON_CHARS = 500
ELECTORATES: tuple[Electorate, ...] = ("panel", "room")


@dataclass(frozen=True, slots=True)
class Wait:
    """What a debate waits for that people alone can give. `until` None = for as long as it takes."""

    seats: tuple[str, ...]
    """Whose turn is waited for; () = somebody has to let a paused debate go on."""
    since: str
    """When it began (UTC text)."""
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Final:
    """The decision of record by count. `option` None = nothing was elected; `by` = whose count it is."""

    option: str | None
    by: Literal["debaters", "panel", "room"]
    pending: bool
    """True as long as that count has not been made."""
    ties: tuple[str, ...] = ()
    seat_role: Role | None = None
    """Who decides by naming an option, where no votes are counted."""

    @property
    def decider(self) -> str:
        """`the count`, or `the judge` where that seat decides."""
        return decider_words(self.seat_role)


def decider_words(seat_role: Role | None) -> str:
    """`the count`, or `the judge` where that seat decides."""
    return f"the {in_words(seat_role)}" if seat_role else "the count"


def person(state: State, person_id: str) -> Person | None:
    """The person of this id, if they take part now."""
    return None if person_id in state.room.left else state.room.people.get(person_id)


def known_as(state: State, person_id: str, *, before: int | None = None) -> tuple[Person, ...]:
    """Somebody as they came and after every change, in order; `before` an event of this number."""
    came = [*state.spec.people(), *(d.fact.person for d in state.room.of(acts.PersonJoined))]
    later = [d.fact.person for d in state.room.of(acts.PersonChanged) if before is None or d.seq < before]
    return tuple(p for p in (*came, *later) if p.id == person_id)


def name_of(state: State, actor: str) -> str:
    """The name of a person, as it is now; any other actor (a seat, the engine) as the record has it."""
    known = state.room.people.get(actor)
    return known.name if known else actor


def present(state: State) -> tuple[Person, ...]:
    """Everybody who takes part now, in the order in which they came."""
    return tuple(p for i, p in state.room.people.items() if i not in state.room.left)


def voters(state: State, electorate: Electorate) -> tuple[Person, ...]:
    """Who may vote in this electorate now; `electors` are those whom a poll is counted against."""
    return tuple(p for p in present(state) if p.electorate == electorate)


def stage(state: State) -> Stage:
    """Where a debate with people stands; without people it is in its rounds or over."""
    if state.spec.has_people and not state.room.begun and state.outcome is None:
        return "prevote" if "pre" in state.room.polls else "lobby"
    if state.outcome is None:
        return "closing" if state.slots[state.position].section == "after" else "round"
    if state.room.of(acts.Signed) and not changes_asked(state):
        return "signed"
    final = state.room.polls.get("final")
    return "finalvote" if final is not None and final.closed is None else "over"


def open_poll(state: State) -> PollState | None:
    """The poll in which ballots can be cast now: never more than one."""
    return next((p for p in state.room.polls.values() if p.closed is None), None)


def agreed_pause(state: State) -> Paused | None:
    """The pause that comes by itself before the first turn, and before each round where that was agreed."""
    open_phase = state.open
    if not state.spec.has_people or open_phase is None or state.paused is not None:
        return None
    if state.position == state.room.released:
        return None
    if not state.room.begun:
        return Paused(reason=LOBBY)
    if state.spec.terms.hold == "round" and _begins_later_round(state, open_phase):
        return Paused(reason=f"round {open_phase.round} is ready: the facilitator lets it begin")
    return None


def _begins_later_round(state: State, open_phase: OpenPhase) -> bool:
    """True if nobody has spoken yet in a round that is not the first."""
    phases_of_round = [number for number, _ in state.ran].count(open_phase.round)
    is_later = open_phase.slot.section == "round" and open_phase.round > 1
    return is_later and phases_of_round == 1 and not open_phase.answers


def nobody_reached(state: State) -> Paused | None:
    """The pause that comes by itself where nobody who was asked could be reached: an outage ends no debate.

    So it is where nobody has proposed what could be compared: people may type it in the place of the seat.
    """
    open_phase = state.open
    if open_phase is None or open_phase.given_up:
        return None
    turns = open_phase.turns()
    why = _why_nobody(state, turns) if turns else ""
    return Paused(reason=why[:MAX_REASON_CHARS], unreached=True) if why else None


def _why_nobody(state: State, turns: Sequence[Turn]) -> str:
    """Whose turns were lost in this phase, and why; empty if somebody was reached."""
    last_message = turns[-1].message
    if candidates.nobody_proposed(state):
        seats = ", ".join(in_words(turn.seat) for turn in turns)
        return f"{seats} proposed no candidates, and {candidates.LEAST} are needed: {last_message or 'no reason'}"
    if not all(turn.transport for turn in turns):
        return ""
    seats = ", ".join(in_words(seat) for seat in dict.fromkeys(turn.seat for turn in turns))
    what = "gave no whole reply" if any(turn.began for turn in turns) else "could not be reached"
    return f"{seats} {what}: {last_message}"


def unreached(state: State) -> tuple[str, ...]:
    """Seats that a debate is paused for because none of them could be reached."""
    if state.paused is None or state.open is None:
        return ()
    return tuple(dict.fromkeys(turn.seat for turn in state.open.unreached if turn not in state.open.answers))


def waits_as_agreed(state: State) -> bool:
    """True while a debate waits as agreed, in the lobby or before a round; False if somebody paused it."""
    due = agreed_pause(replace(state, paused=None)) if state.paused is not None else None
    return due is not None and due.reason == state.paused


def why_it_waits(state: State) -> Literal["lobby", "prevote", "held"]:
    """Why a debate waits as agreed: people gather, the vote before the start is open, or a round has to be begun."""
    if state.room.begun:
        return "held"
    vote = state.room.polls.get("pre")
    return "prevote" if vote is not None and vote.closed is None else "lobby"


def sitting(state: State) -> Mapping[str, str]:
    """Seat id -> person who took it over and speaks for it now."""
    returned = {d.fact.seat: d.seq for d in state.room.of(acts.SeatReturned)}
    sits = {d.fact.seat: d.by for d in state.room.of(acts.SeatTaken) if d.seq > returned.get(d.fact.seat, 0)}
    return {seat: by for seat, by in sits.items() if by not in state.room.left}


def speaks_for(state: State, seat: str) -> tuple[str, ...]:
    """People who give the turns of this seat: who took it over, else who holds it."""
    taken = sitting(state).get(seat)
    return (taken,) if taken else tuple(p.id for p in present(state) if seat in p.seats)


def support(state: State) -> Mapping[int, int]:
    """Id of each question or concern of the floor -> how many want it answered, whoever asked it among them.

    Most support first, then as they came.
    """
    votes = Counter(d.fact.question for d in state.room.of(acts.Upvoted))
    asked = {d.seq: 1 + votes[d.seq] for d in state.room.of(acts.Asked)}
    return dict(sorted(asked.items(), key=lambda one: (-one[1], one[0])))


def last_round_called(state: State) -> bool:
    """True once somebody said that the round that runs is the last one."""
    return bool(state.room.of(acts.LastRound))


def deadline(state: State) -> datetime | None:
    """When the clock of the phase or step that runs is at its end; None without a clock, or before it starts."""
    if preparation.running(state):
        return preparation.ends_at(state)
    seconds, open_phase = state.spec.terms.phase_seconds, state.open
    if seconds is None or open_phase is None or not open_phase.since or not state.room.begun:
        return None
    since = datetime.fromisoformat(open_phase.since)
    more = sum(d.fact.seconds for d in state.room.of(acts.Extended) if d.at >= open_phase.since)
    return since + timedelta(seconds=seconds + more)


def wait_for_people(state: State) -> Wait | None:
    """What people are waited for now, and how long they have; None in the lobby, and while nobody has to act.

    The wait begins anew whenever something happens in the debate itself, or whoever leads does something about it.
    """
    is_in_lobby = state.spec.has_people and not state.room.begun
    if state.outcome is not None or is_in_lobby:
        return None
    seats = () if state.paused is not None else _people_asked(state)
    if state.paused is None and not seats:
        return None
    steered = [done.at for kind in get_args(acts.Procedure) for done in state.room.of(kind)]
    since = max([state.said_at, *steered])
    longest_s = state.spec.max_wait_s
    until = None if longest_s is None else datetime.fromisoformat(since) + timedelta(seconds=longest_s)
    return Wait(seats, since, until)


def _people_asked(state: State) -> tuple[str, ...]:
    """Seats whose turn is asked now and given by a person."""
    asked = (request.seat for request in schedule.open_requests(state))
    return tuple(seat for seat in asked if by_people(state, seat))


def waited_too_long(state: State, *, at: str) -> Wait | None:
    """The wait whose time is up at `at` (UTC text), or None."""
    wait = wait_for_people(state)
    return wait if wait and wait.until and datetime.fromisoformat(at) >= wait.until else None


def poll_results(state: State, poll: PollState) -> tuple[PollResult, ...]:
    """The count of each electorate that somebody belongs to, by the rule agreed before the start."""
    return tuple(_result(state, poll, e) for e in ELECTORATES if electors(state, poll, e))


def electors(state: State, poll: PollState, electorate: Electorate) -> tuple[Person, ...]:
    """Whom a poll is counted against: who takes part now, and who left after it was opened.

    Whoever shows people the door while a poll is open lowers no bar by it, unless they are removed with their ballots.
    """
    gone = {d.fact.person: d.seq for d in state.room.of(acts.PersonLeft)}
    return tuple(
        person
        for person in state.room.people.values()
        if person.electorate == electorate
        and person.id not in poll.withdrawn
        and gone.get(person.id, poll.opened_seq) >= poll.opened_seq
    )


def entitled_voters(state: State, poll: PollState, electorate: Electorate) -> tuple[Person, ...]:
    """Whom a poll is counted against; once it is closed, whoever comes changes nothing."""
    there = electors(state, poll, electorate)
    if poll.closed is None:
        return there
    closed_at = poll.closed.seq
    return tuple(p for p in there if state.room.joined[p.id] <= closed_at)


def count_of_poll(state: State, poll: PollState, electorate: Electorate) -> Count:
    """The ballots of one electorate in a poll, each under its receipt, in that order.

    Those who cast nothing stand there by number and weight, the heaviest first, and never by name.
    """
    spec, rule = state.spec, state.spec.terms.vote
    entitled = entitled_voters(state, poll, electorate)
    cast = [(p, poll.ballots[p.id]) for p in entitled if p.id in poll.ballots]
    ballots = [BallotCounted(receipt(b.hash), b.fact.choice, b.fact.given, p.weight) for p, b in cast]
    weights = sorted((p.weight for p in entitled if p.id not in poll.ballots), reverse=True)
    return Count(
        f"{poll_name(poll.id)} of the {electorate}",
        on_one_ballot(rule),
        ballot_kind(rule),
        spec.options,
        tuple(sorted(ballots, key=lambda b: b.voter)),
        silent={f"no ballot {number}": weight for number, weight in enumerate(weights, start=1)},
        seed=spec.seed,
        drivers=spec.drivers,
        half_must_vote=state.edition >= 2,
    )


def _result(state: State, poll: PollState, electorate: Electorate) -> PollResult:
    count = count_of_poll(state, poll, electorate)
    result = count.result()
    return PollResult(
        electorate=electorate,
        rule=count.rule.kind,
        winners=result.winners,
        points=tuple(Points(option=o, points=str(p)) for o, p in result.points.items()),
        cast=result.cast,
        abstained=len(count.ballots) - result.cast,
        eligible=result.eligible,
        weight_cast=result.cast_weight,
        weight_eligible=result.eligible_weight,
        quorum_met=result.quorum_met,
        steps=result.steps,
    )


def result_of(state: State, poll: str, electorate: Electorate) -> PollResult | None:
    """What an electorate decided in a poll; None until it is revealed."""
    closed_poll = state.room.polls.get(poll)
    if closed_poll is None or closed_poll.closed is None or not closed_poll.revealed:
        return None
    return next((r for r in closed_poll.closed.fact.results if r.electorate == electorate), None)


def revealed_round(state: State) -> int:
    """The last round of which the judges' probabilities can be seen; -1 = of none."""
    return max((d.fact.round for d in state.room.of(acts.BeliefsRevealed)), default=-1)


def judges_late(state: State, person_id: str) -> bool:
    """True for whoever came in after the judges had been revealed for good: they still judge, each by themselves."""
    if state.outcome is None:
        return False
    last = [d.seq for d in state.room.of(acts.BeliefsRevealed) if d.fact.round >= state.current_round()]
    return bool(last) and state.room.joined.get(person_id, 0) > last[0]


def sealed(state: State) -> tuple[Sentence, ...]:
    """What nobody may read yet, in words: while there is something, no whole record and no CSV leaves the room."""
    found = [poll_words(i) for i, p in state.room.polls.items() if not p.revealed]
    if _sealed_beliefs(state):
        found.append(Sentence("the judges' probabilities"))
    if _sealed_rubrics(state):
        found.append(Sentence("the judges' rubrics and comparisons"))
    if passage_marks.are_sealed(state):
        found.append(Sentence("the room's marks"))
    if state.open is not None and state.open.slot.phase.sealed and state.open.answers:
        found.append(Sentence("the turns of {phase}", phase=Sentence(in_words(state.open.slot.phase.name))))
    return tuple(found)


def _sealed_beliefs(state: State) -> bool:
    return any(d.fact.round > revealed_round(state) for d in state.room.of(acts.BeliefReported))


def _sealed_rubrics(state: State) -> bool:
    """They are about the whole debate, so they are revealed with the probabilities of its last round."""
    given = bool(state.room.of(acts.Judged)) or bool(state.room.of(acts.Compared))
    return given and (state.outcome is None or revealed_round(state) < state.current_round())


def final_decision(state: State) -> Final:
    """What was decided by the count that was named before the start. A signature stands beside it, never in it."""
    by = state.spec.terms.decides
    if by == "debaters":
        outcome = state.outcome
        option = outcome.decision if outcome and outcome.status == "decided" else None
        ties = outcome.ties if outcome and outcome.status == "undecided" else ()
        return Final(option, by, outcome is None, ties, state.spec.protocol.deciding_role)
    final = state.room.polls.get("final")
    if final is None or not final.revealed:
        return Final(None, by, pending=True)
    # Nobody belongs to that electorate: then it has decided nothing.
    result = result_of(state, "final", by)
    winners = result.winners if result else ()
    return Final(winners[0] if len(winners) == 1 else None, by, pending=False, ties=winners if len(winners) > 1 else ())


def signature(state: State) -> acts.Signed | None:
    """The approver's latest word."""
    signed = state.room.of(acts.Signed)
    return signed[-1].fact if signed else None


def changes_asked(state: State) -> str:
    """The changes under which the approver accepts, as long as the changed decision has not been signed (R290).

    In the first edition of the rules such a signature was the last word.
    """
    word = signature(state)
    waits = word is not None and word.verdict == "accept_with_changes" and state.edition >= 2
    return word.changes if word and waits else ""


def joined_late(state: State, poll: str, person_id: str) -> bool:
    """True if this person came in after the poll was opened."""
    return state.room.joined.get(person_id, 0) > state.room.polls[poll].opened_seq


def receipt(event_hash: str) -> str:
    """What a voter keeps to find their ballot in the published list: `7F3A-91C2`, from the hash of its event."""
    return f"{event_hash[:4]}-{event_hash[4:8]}".upper()


def poll_allowed(state: State, poll: str) -> Sentence | None:
    """Why this poll cannot be opened now, or None."""
    terms, voting = state.spec.terms, open_poll(state)
    if voting is not None:
        # Whoever votes sees one ballot.
        return Sentence("{poll} is still open: close it first", poll=poll_words(voting.id))
    match stage_of(poll):
        case "pre":
            if terms.pre_vote == "none":
                return Sentence("no pre-vote was agreed before the start")
            if preparation.options_are_open(state):
                return preparation.NOT_AGREED
            before = not state.room.begun and state.outcome is None
            if before:
                return None
            return Sentence("a pre-vote comes before the first turn: the debate has begun or is over")
        case "pulse":
            number = int(poll.split("-")[1])
            ready = state.room.begun and state.outcome is None and number <= state.current_round()
            if ready:
                return None
            return Sentence(
                "{poll} is asked while round {number} or a later one runs", poll=poll_words(poll), number=number
            )
        case "final":
            if terms.final_vote == "none":
                return Sentence("no final vote was agreed before the start")
            return None if state.outcome is not None else Sentence("the final vote comes when the debate is over")


def by_people(state: State, seat: str) -> bool:
    """True if a person gives the turns of this seat, as agreed or since they took it over."""
    return state.spec.seat(seat).occupant == "human" or seat in sitting(state)
