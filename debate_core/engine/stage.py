"""Participation of people in a debate: stage, seats they hold, polls, seals, and the final decision.

Pure functions of the state. `rights` decides which role can do what.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import gcd
from typing import Literal, get_args

from debate_core.engine import candidates, passage_marks, preparation, schedule
from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count
from debate_core.engine.option_names import only_option
from debate_core.engine.private_sources import withheld_sources
from debate_core.names import looks_like
from debate_core.record import acts
from debate_core.record.events import Paused
from debate_core.record.ids import TurnId
from debate_core.record.people import PollState
from debate_core.record.state import OpenPhase, State, Turn, replace
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate, Person, Points, PollResult, poll_words, stage_of, vote_name
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import ballot_kind, on_one_ballot
from debate_core.spec.values import Outcome, Role, in_words

Stage = Literal["lobby", "prevote", "round", "closing", "finalvote", "over", "signed"]
WaitsFor = Literal["", "vote", "signature", "decision", "escalated", "changes"]
"""`vote`: the final vote decides and is not revealed; `signature`: decided, the approver has not signed; `decision`:
undecided and not signed; `escalated`: signed as escalated; `changes`: accepted with changes that are not signed yet."""
LOBBY = "the lobby is open: people join, and the facilitator begins"
ROUND_READY = "round {number} is ready: the facilitator lets it begin"
NOT_REACHED = "{seats} could not be reached: {why}"
NO_WHOLE_REPLY = "{seats} gave no whole reply: {why}"
CALLS_REFUSED = "the calls of {seats} were refused: {why}"
NO_CANDIDATES = "{seats} proposed no candidates, and {least} are needed: {why}"
MAX_REASON_CHARS = 500
ELECTORATES: tuple[Electorate, ...] = ("panel", "room")


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait for people. `until` None = without a limit."""

    seats: tuple[str, ...]
    """Seats whose turn is awaited; () = a person has to resume a paused debate."""
    since: str
    """Start of the wait (UTC text)."""
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Final:
    """The final decision by count. `option` None = no option was elected; `by` = the deciding electorate."""

    option: str | None
    by: Literal["debaters", "panel", "room"]
    pending: bool
    """True until that count has been made."""
    ties: tuple[str, ...] = ()
    seat_role: Role | None = None
    """The role that decides by naming an option, where no votes are counted."""

    @property
    def decider(self) -> str:
        """`the count`, or `the judge` where that seat decides."""
        return decider_words(self.seat_role)


def decider_words(seat_role: Role | None) -> Sentence:
    """`the count`, or `the judge` where that seat decides."""
    return Sentence("the {role}", role=Sentence(in_words(seat_role))) if seat_role else Sentence("the count")


def person(state: State, person_id: str) -> Person | None:
    """The person of this id if they take part now."""
    if person_id in state.room.left:
        return None
    return state.room.people.get(person_id)


def known_as(state: State, person_id: str, *, before: int | None = None) -> tuple[Person, ...]:
    """A person as they joined and after every change, in order; `before` limits it to events before this number."""
    came = [*state.spec.people(), *(joined.person for joined in state.room.facts(acts.PersonJoined))]
    changes = state.room.of(acts.PersonChanged)
    if before is not None:
        changes = tuple(change for change in changes if change.seq < before)
    later = [change.fact.person for change in changes]
    return tuple(person for person in (*came, *later) if person.id == person_id)


def name_of(state: State, actor: str) -> str:
    """A person's current name; any other actor (a seat, the engine) as recorded."""
    known = state.room.people.get(actor)
    return known.name if known else actor


def speaker_name(state: State, seat: str) -> str:
    """The name of a seat for readers: its id in words, or the name of a speaker as an imported transcript writes it."""
    if state.spec.held_elsewhere:
        for person in state.room.people.values():
            if seat in person.seats:
                return person.name
    return in_words(seat)


def present(state: State) -> tuple[Person, ...]:
    """Everyone who takes part now, in the order in which they joined."""
    return state.room.present()


def mistaken_for(state: State, name: str, *, but: str = "") -> str | None:
    """The name of a participant that looks like this name, or None. `but` is the id of a person to skip."""
    return looks_like(name, [other.name for other in present(state) if other.id != but])


def voters(state: State, electorate: Electorate) -> tuple[Person, ...]:
    """People in this electorate now. `electors` are those that a poll is counted against."""
    return tuple(person for person in present(state) if person.electorate == electorate)


def stage(state: State) -> Stage:
    """The stage of a debate with people; without people it is in its rounds or over."""
    if state.outcome is not None:
        if state.room.of(acts.Signed) and not changes_asked(state):
            return "signed"
        voting = open_poll(state)
        return "finalvote" if voting is not None and voting.id == "final" else "over"
    if state.spec.has_people and not state.room.begun:
        return "prevote" if "pre" in state.room.polls else "lobby"
    return "closing" if state.slots[state.position].section == "after" else "round"


def open_poll(state: State) -> PollState | None:
    """The poll that accepts ballots now; there is never more than one."""
    return next((p for p in state.room.polls.values() if p.closed is None), None)


def agreed_pause(state: State) -> Paused | None:
    """The automatic pause before the first turn and, if agreed, before each round."""
    open_phase = state.open
    if not state.spec.has_people or open_phase is None or state.paused is not None:
        return None
    if state.position == state.room.released:
        return None
    if not state.room.begun:
        return Paused(reason=LOBBY)
    if state.spec.terms.hold == "round" and _begins_later_round(state, open_phase):
        return Paused(reason=ROUND_READY.format(number=open_phase.round))
    return None


def _begins_later_round(state: State, open_phase: OpenPhase) -> bool:
    """True if a round after the first has begun and has no turn yet."""
    phases_of_round = [number for number, _ in state.ran].count(open_phase.round)
    is_later = open_phase.slot.section == "round" and open_phase.round > 1
    return is_later and phases_of_round == 1 and not open_phase.answers


def nobody_reached(state: State) -> Paused | None:
    """The automatic pause if no seat could be reached, since an outage must not end a debate.

    The same if no candidates were proposed: people may then type them in place of the seat.
    """
    open_phase = state.open
    if open_phase is None or open_phase.given_up:
        return None
    why = _why_nobody(state, open_phase.turns())
    if not why:
        return None
    return Paused(reason=why[:MAX_REASON_CHARS], unreached=True)


def _why_nobody(state: State, turns: Sequence[Turn]) -> str:
    """The seats whose turns this phase lost and the reason; "" if a seat was reached."""
    last_message = turns[-1].message
    seats = [turn.seat for turn in turns]
    if candidates.nobody_proposed(state):
        why = last_message or "no reason"
        return NO_CANDIDATES.format(seats=_in_words(seats), least=candidates.LEAST, why=why)
    if not all(turn.transport for turn in turns):
        return ""
    who = _in_words(dict.fromkeys(seats))
    if all(turn.reached for turn in turns):
        return CALLS_REFUSED.format(seats=who, why=last_message)
    what = NO_WHOLE_REPLY if any(turn.began for turn in turns) else NOT_REACHED
    return what.format(seats=who, why=last_message)


def _in_words(seats: Iterable[str]) -> str:
    return ", ".join(in_words(seat) for seat in seats)


def unreached(state: State) -> tuple[str, ...]:
    """Seats that could not be reached and for which the debate is paused."""
    if state.paused is None or state.open is None:
        return ()
    return tuple(dict.fromkeys(turn.seat for turn in state.open.unreached if turn not in state.open.answers))


def waits_as_agreed(state: State) -> bool:
    """True during an agreed pause (lobby, before a round); False if a person paused the debate."""
    due = agreed_pause(replace(state, paused=None))
    return due is not None and due.reason == state.paused


AgreedWait = Literal["lobby", "collect", "brief", "facts", "prevote", "held"]


def why_it_waits(state: State) -> AgreedWait:
    """The reason of an agreed wait: the lobby, a step of the preparation, voting, or the next round."""
    if state.room.begun:
        return "held"
    step = preparation.running(state)
    if step is not None and step.step != "premortem":
        return step.step
    vote = state.room.polls.get("pre")
    return "prevote" if vote is not None and vote.closed is None else "lobby"


def sitting(state: State) -> Mapping[str, str]:
    """Seat id -> id of the person who took the seat over and speaks for it now."""
    returned = {done.fact.seat: done.seq for done in state.room.of(acts.SeatReturned)}
    sits: dict[str, str] = {}
    for taken in state.room.of(acts.SeatTaken):
        if taken.seq > returned.get(taken.fact.seat, 0):
            sits[taken.fact.seat] = taken.by
    return {seat: by for seat, by in sits.items() if by not in state.room.left}


def speaks_for(state: State, seat: str) -> tuple[str, ...]:
    """People who give the turns of this seat: who took it over, else who holds it.

    In a tournament everyone with a vote compares for seats of people that have no holder.
    """
    substitute = sitting(state).get(seat)
    if substitute:
        return (substitute,)
    holders = tuple(person.id for person in present(state) if seat in person.seats)
    return holders or (_who_compares(state) if _is_for_all(state, seat) else ())


def _is_for_all(state: State, seat_id: str) -> bool:
    spec = state.spec
    seat = spec.seat(seat_id)
    return spec.has_people and spec.protocol.paired and seat.role == "debater" and seat.occupant == "human"


def _who_compares(state: State) -> tuple[str, ...]:
    """Everyone with a vote, except for roles that must not take a side."""
    voters = (person for person in present(state) if person.electorate is not None)
    return tuple(person.id for person in voters if person.role not in ("judge", "synthesiser"))


def compared_by_all(state: State, seat: str) -> bool:
    """True if everyone with a vote compares for this seat; the first answer counts."""
    is_held = seat in sitting(state) or any(seat in person.seats for person in present(state))
    return not is_held and _is_for_all(state, seat)


def compared_from(state: State, person_id: str) -> list[TurnId]:
    """The comparisons of the open phase that everyone with a vote shares, in the order for this person.

    Each person begins at another pair, far from those of the people who came before, as long as there are enough.
    A pair stays where it is while others answer, so that none changes under a reader.
    """
    asked = [turn for turn in state.open.asked if compared_by_all(state, turn.seat)] if state.open else []
    people = _who_compares(state)
    if not asked or person_id not in people:
        return []
    # Steps of a width without a common divisor reach every pair before any pair a second time.
    width = next(n for n in range(-(-len(asked) * 2 // 5), len(asked) + 2) if gcd(n, len(asked)) == 1)
    first = people.index(person_id) * width % len(asked)
    return [*asked[first:], *asked[:first]]


def seats_of(state: State, person_id: str) -> tuple[str, ...]:
    """The seats whose turns this person gives now."""
    return tuple(seat.id for seat in state.spec.seats if person_id in speaks_for(state, seat.id))


def support(state: State) -> Mapping[int, int]:
    """Id of a question or concern -> number of supporters with the asker: most first, then in order of arrival."""
    votes = Counter(upvote.question for upvote in state.room.facts(acts.Upvoted))
    support_of = {question.seq: 1 + votes[question.seq] for question in state.room.of(acts.Asked)}
    return dict(sorted(support_of.items(), key=lambda one: (-one[1], one[0])))


def last_round_called(state: State) -> bool:
    """True once the current round was called the last one."""
    return bool(state.room.of(acts.LastRound))


def deadline(state: State) -> datetime | None:
    """End of the clock of the current phase or step; None without a clock, or before it starts."""
    if preparation.running(state):
        return preparation.ends_at(state)
    seconds = state.spec.terms.phase_seconds
    open_phase = state.open
    if seconds is None or open_phase is None or not open_phase.since or not state.room.begun:
        return None
    since = datetime.fromisoformat(open_phase.since)
    return since + timedelta(seconds=seconds + preparation.extended_s(state, open_phase.since))


def wait_for_people(state: State) -> Wait | None:
    """The current wait for people and its limit; None in the lobby, and while no person has to act.

    The wait restarts whenever the debate moves on or a facilitator or moderator intervenes.
    """
    is_in_lobby = state.spec.has_people and not state.room.begun
    if state.outcome is not None or is_in_lobby:
        return None
    seats = () if state.paused is not None else _people_asked(state)
    if state.paused is None and not seats:
        return None
    since = max(state.said_at, _last_steered(state))
    longest_s = state.spec.max_wait_s
    if longest_s is None:
        return Wait(seats, since, until=None)
    return Wait(seats, since, datetime.fromisoformat(since) + timedelta(seconds=longest_s))


def _last_steered(state: State) -> str:
    """Time of the last act of a facilitator or moderator (UTC text); "" if there is none."""
    times = [done.at for kind in get_args(acts.Procedure) for done in state.room.of(kind)]
    return max(times, default="")


def _people_asked(state: State) -> tuple[str, ...]:
    """Seats with an open turn that a person gives."""
    requests = schedule.open_requests(state)
    return tuple(request.seat for request in requests if by_people(state, request.seat))


def waited_too_long(state: State, *, at: str) -> Wait | None:
    """The wait that has run out at `at` (UTC text), or None."""
    wait = wait_for_people(state)
    if wait is None or wait.until is None:
        return None
    return wait if datetime.fromisoformat(at) >= wait.until else None


def poll_results(state: State, poll: PollState) -> tuple[PollResult, ...]:
    """The result of a poll in each electorate with members, by the rule agreed before the start."""
    return tuple(_result(state, poll, e) for e in ELECTORATES if electors(state, poll, e))


def electors(state: State, poll: PollState, electorate: Electorate) -> tuple[Person, ...]:
    """People that a poll is counted against: present, or left after it was opened; no one who came after its close.

    Removing people during a poll does not lower the majority needed, unless their ballots are withdrawn too.
    """
    left_before = {done.fact.person for done in state.room.of(acts.PersonLeft) if done.seq < poll.opened_seq}
    there: Iterable[Person] = state.room.people.values()
    if poll.closed is not None:
        closed_at = poll.closed.seq
        there = [person for person in there if state.room.joined[person.id] <= closed_at]
    gone = left_before | poll.withdrawn
    return tuple(p for p in there if p.electorate == electorate and p.id not in gone)


def count_of_poll(state: State, poll: PollState, electorate: Electorate) -> Count:
    """The ballots of one electorate in a poll, by receipt.

    People without a ballot appear by number and weight, the heaviest first, and never by name.
    """
    spec = state.spec
    rule = spec.terms.vote
    ballots: list[BallotCounted] = []
    weights_of_silent = []
    for elector in electors(state, poll, electorate):
        ballot = poll.ballots.get(elector.id)
        if ballot is None:
            weights_of_silent.append(elector.weight)
        else:
            voter = receipt(ballot.hash)
            ballots.append(BallotCounted(voter, ballot.fact.choice, ballot.fact.given, elector.weight))
    weights_of_silent.sort(reverse=True)
    return Count(
        vote_name(poll.id, electorate),
        on_one_ballot(rule),
        ballot_kind(rule),
        spec.options,
        tuple(sorted(ballots, key=lambda ballot: ballot.voter)),
        silent={f"no ballot {number}": weight for number, weight in enumerate(weights_of_silent, start=1)},
        seed=spec.seed,
        drivers=spec.drivers,
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
    """The result of an electorate in a poll; None until it is revealed."""
    poll_state = state.room.polls.get(poll)
    if poll_state is None or poll_state.closed is None or not poll_state.revealed:
        return None
    results = poll_state.closed.fact.results
    return next((result for result in results if result.electorate == electorate), None)


def revealed_round(state: State) -> int:
    """The last round whose judges' probabilities are revealed; -1 = none."""
    return max((revealed.round for revealed in state.room.facts(acts.BeliefsRevealed)), default=-1)


def judges_late(state: State, person_id: str) -> bool:
    """True for a judge who joined after the final reveal; such judges still judge, each on their own."""
    if state.outcome is None:
        return False
    for done in state.room.of(acts.BeliefsRevealed):
        if done.fact.round >= state.current_round():
            return state.room.joined.get(person_id, 0) > done.seq
    return False


def sealed(state: State) -> tuple[Sentence, ...]:
    """Names of everything still sealed. Until this is empty, neither the full record nor a CSV can be exported."""
    words = [poll_words(poll.id) for poll in state.room.polls.values() if not poll.revealed]
    step = preparation.silent(state)
    seals = (
        (_sealed_beliefs(state), Sentence("the judges' probabilities")),
        (_sealed_rubrics(state), Sentence("the judges' rubrics and comparisons")),
        (
            step and any(done.step == step for done in state.room.facts(acts.TextsWritten)),
            Sentence("the texts that people have written"),
        ),
        (withheld_sources(state), Sentence("the documents that only some seats read")),
        (passage_marks.are_sealed(state), Sentence("the room's marks")),
    )
    words += [hidden for is_sealed, hidden in seals if is_sealed]
    if state.open is not None and state.open.slot.phase.sealed and state.open.answers:
        words.append(Sentence("the turns of {phase}", phase=Sentence(in_words(state.open.slot.phase.name))))
    return tuple(words)


def _sealed_beliefs(state: State) -> bool:
    last_revealed = revealed_round(state)
    return any(report.round > last_revealed for report in state.room.facts(acts.BeliefReported))


def _sealed_rubrics(state: State) -> bool:
    """True while rubrics are sealed; they cover the whole debate, so they open with the last round's probabilities."""
    if not state.room.of(acts.Judged) and not state.room.of(acts.Compared):
        return False
    return state.outcome is None or revealed_round(state) < state.current_round()


def final_decision(state: State) -> Final:
    """The decision by the count agreed before the start. A signature is kept beside it and does not change it."""
    final = state.room.polls.get("final")
    closed = final.closed if final is not None and final.revealed else None
    return final_of(state.spec, state.outcome, closed.fact.results if closed else None)


def final_of(spec: Spec, outcome: Outcome | None, revealed: Iterable[PollResult] | None) -> Final:
    """The final decision from its parts. `revealed`: results of the final vote, None until they are revealed."""
    by = spec.terms.decides
    if by == "debaters":
        return _decided_by_debaters(spec.protocol.deciding_role, outcome)
    if revealed is None:
        return Final(None, by, pending=True)
    # An electorate without members has decided nothing.
    winners = next((result.winners for result in revealed if result.electorate == by), ())
    option = only_option(winners)
    return Final(option, by, pending=False, ties=winners if option is None else ())


def _decided_by_debaters(role: Role | None, outcome: Outcome | None) -> Final:
    if outcome is None:
        return Final(None, "debaters", pending=True, seat_role=role)
    option = outcome.decision if outcome.status == "decided" else None
    ties = outcome.ties if outcome.status == "undecided" else ()
    return Final(option, "debaters", pending=False, ties=ties, seat_role=role)


def waits_for(spec: Spec, outcome: Outcome, final: Final, signed: acts.Signed | None) -> WaitsFor:
    """The act of a person that a debate still needs once it is over.

    A rehearsal without people needs none; a stopped debate needs only the vote that was agreed to decide it.
    """
    if signed is not None:
        return signed_waits_for(signed)
    if spec.rehearsal and not spec.has_people:
        return ""
    if final.pending:
        return "vote"
    if outcome.status == "aborted" and final.by == "debaters":
        return ""
    if final.option is None:
        return "decision"
    return "signature" if spec.has_people else ""


def signed_waits_for(signed: acts.Signed) -> WaitsFor:
    if signed.verdict == "escalate":
        return "escalated"
    return "changes" if signed.verdict == "accept_with_changes" else ""


def signature(state: State) -> acts.Signed | None:
    """The approver's latest verdict."""
    signed = state.room.of(acts.Signed)
    return signed[-1].fact if signed else None


def changes_asked(state: State) -> str:
    """The changes that the approver asked for, until the changed decision is signed."""
    word = signature(state)
    if word is None or signed_waits_for(word) != "changes":
        return ""
    return word.changes


def joined_late(state: State, poll: str, person_id: str) -> bool:
    """True if this person joined after the poll was opened."""
    return state.room.joined.get(person_id, 0) > state.room.polls[poll].opened_seq


def receipt(event_hash: str) -> str:
    """A ballot's code in the published list: `7F3A-91C2`, from the hash of its event."""
    return f"{event_hash[:4]}-{event_hash[4:8]}".upper()


def poll_allowed(state: State, poll: str) -> Sentence | None:
    """The reason why this poll cannot be opened now, or None."""
    voting = open_poll(state)
    if voting is not None:
        # A voter sees one ballot at a time.
        return Sentence("{poll} is still open: close it first", poll=poll_words(voting.id))
    if preparation.silent(state):
        return preparation.NOT_SHOWN
    match stage_of(poll):
        case "pre":
            return _pre_vote_allowed(state)
        case "pulse":
            return _pulse_allowed(state, poll)
        case "final":
            if state.spec.terms.final_vote == "none":
                return Sentence("no final vote was agreed before the start")
            if state.outcome is not None:
                return None
            return Sentence("the final vote comes when the debate is over")


def _pre_vote_allowed(state: State) -> Sentence | None:
    if state.spec.terms.pre_vote == "none":
        return Sentence("no pre-vote was agreed before the start")
    if preparation.options_are_open(state):
        return preparation.NOT_AGREED
    if state.room.begun or state.outcome is not None:
        return Sentence("a pre-vote comes before the first turn: the debate has begun or is over")
    return None


def _pulse_allowed(state: State, poll: str) -> Sentence | None:
    number = int(poll.split("-")[1])
    if state.room.begun and state.outcome is None and number <= state.current_round():
        return None
    return Sentence("{poll} is asked while round {number} or a later one runs", poll=poll_words(poll), number=number)


def by_people(state: State, seat: str) -> bool:
    """True if a person gives the turns of this seat, by agreement or after taking it over."""
    return state.spec.seat(seat).occupant == "human" or seat in sitting(state)
