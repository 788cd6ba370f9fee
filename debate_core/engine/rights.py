"""Rights: which role may do what. They are enforced here and nowhere else; a hidden button protects nothing.

Every check returns a sentence, or None = allowed. `validate_actions` decides whether an act fits the state. Without a
room there are no roles, and a user of the app may do everything that needs no electorate.
"""

import re
from collections.abc import Iterable, Mapping

from debate_core.engine.schedule import open_requests
from debate_core.engine.stage import person, sitting, speaks_for, waits_as_agreed
from debate_core.record import acts, events
from debate_core.record.ids import RequestId
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.people import Person, RoomRole
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import asks_function

ENGINE = "engine"
"""Actor of events that the engine adds."""
HOST = "host"
"""Actor of the server itself: a pause after a failure, a link that the operator makes."""
RUNNER = "runner"
"""Actor of events written while seats are asked."""
PROGRAMS = (ENGINE, HOST, RUNNER)
"""The actors that are neither people nor seats."""
REPLACED = Sentence("this record was replaced by one without the name of a person: no event can be added to it")
_TO_PAUSE = Sentence("to pause and resume")
_F: frozenset[RoomRole] = frozenset({"facilitator"})
_M: frozenset[RoomRole] = frozenset({"facilitator", "moderator"})
_RESERVED: Mapping[type[events.Flow], tuple[frozenset[RoomRole], Sentence]] = {
    events.Resumed: (_M, _TO_PAUSE),
    events.LimitRaised: (_F, Sentence("to raise a limit")),
    events.Marked: (_M | {"approver"}, Sentence("to mark claims")),
}
"""Event of a person -> the roles that may record it, and the words for it."""
_FLOOR: frozenset[RoomRole] = frozenset(
    {"facilitator", "moderator", "debater", "judge", "synthesiser", "approver", "voter"}
)
_NO_ROLE = frozenset[RoomRole]()
_JUDGE: frozenset[RoomRole] = frozenset({"judge"})
MAY: Mapping[type[acts.RoomAct], frozenset[RoomRole]] = {
    acts.PersonJoined: _FLOOR | {"observer"},
    acts.PersonChanged: _FLOOR | {"observer"},
    acts.PersonLeft: _FLOOR | {"observer"},
    acts.LinkChanged: _F,
    acts.PreparationBegun: _F,
    acts.Suggested: _FLOOR,
    acts.Prepared: _FLOOR,
    acts.OptionsAgreed: _F,
    acts.TextsWritten: _FLOOR,
    acts.TextsShown: _F,
    acts.PollOpened: _F,
    acts.PollClosed: _F,
    acts.PollRevealed: _F,
    acts.BallotCommitted: _FLOOR,
    acts.BallotCast: _FLOOR,
    acts.Supposed: _FLOOR,
    acts.BeliefReported: _JUDGE,
    acts.Judged: _JUDGE,
    acts.Compared: _JUDGE,
    acts.BeliefsRevealed: _F,
    acts.PassageMarked: _FLOOR,
    acts.MarksRevealed: _F,
    acts.Struck: _M,
    acts.Noted: _M,
    acts.Intervened: _M,
    acts.Asked: _FLOOR,
    acts.Upvoted: _FLOOR,
    acts.SeatTaken: _M | {"debater"},
    acts.SeatReturned: _M | {"debater"},
    acts.Poked: _M,
    acts.Extended: _M,
    acts.LastRound: _M,
    acts.SourceAdded: _FLOOR,
    acts.SynthesisRevised: frozenset({"synthesiser"}),
    acts.Flagged: _FLOOR,
    acts.FlagResolved: _M | {"synthesiser"},
    acts.Dissented: _FLOOR,
    acts.Signed: frozenset({"approver"}),
    acts.OutcomeRecorded: _F | {"approver"},
    acts.AssumptionBroken: _NO_ROLE,
    acts.HandedOver: _NO_ROLE,
    acts.Shared: _NO_ROLE,
    acts.Archived: _NO_ROLE,
    acts.Replaced: _NO_ROLE,
}
"""Roles that may do each act. Acts without a role are for the owner of the debate, or for the server."""


def fault_in_act(state: State, act: acts.RoomAct, by: str) -> Sentence | None:
    """The reason why this person has no right to this act."""
    if isinstance(act, acts.OwnerAct):
        return _not_the_owner(state, act, by)
    if isinstance(act, acts.AssumptionBroken):
        return None if by == HOST else Sentence("only the server itself finds an assumption broken")
    if not state.spec.has_people:
        return _fault_without_room(state, act, by)
    if isinstance(act, acts.PersonJoined):
        if by == act.person.id:
            return None
        return Sentence("people join under their own id")
    if isinstance(act, acts.LinkChanged) and by == HOST:
        return None
    return _fault_of_person(state, act, by)


def _fault_of_person(state: State, act: acts.RoomAct, by: str) -> Sentence | None:
    who = person(state, by)
    if who is None:
        return _stranger(state, by)
    may_do_it = MAY[type(act)]
    if who.role in may_do_it:
        return _other_self(state, act, who)
    return Sentence(
        "{act} is for the {roles}; {name} is here as {role}",
        act=Sentence(words_of(type(act))),
        roles=_named(may_do_it),
        name=who.name,
        role=Sentence(who.role),
    )


def _fault_without_room(state: State, act: acts.RoomAct, by: str) -> Sentence | None:
    """The check for a debate without a room, which has no roles, no polls and no marks."""
    if isinstance(act, acts.PeopleAct | acts.PreparingAct | acts.PollAct | acts.MarkAct):
        return Sentence("this debate has no room: agree on one before the start")
    return _not_a_person(state, by)


def _not_the_owner(state: State, act: acts.OwnerAct, by: str) -> Sentence | None:
    if by == HOST:
        if act.who.strip():
            return None
        return Sentence("an operator who does this for the server gives their name: fill in who")
    if isinstance(act, acts.Replaced):
        return Sentence("only the server itself can replace this record")
    if act.who:
        return Sentence("an owner acts in their own name: leave the other name out")
    owner = state.ownership.owner
    if owner and by == owner:
        return None
    return Sentence("only the owner and the operator of the server can do this")


def words_of(act: type[acts.RoomAct]) -> str:
    """`PollOpened` -> `poll opened`."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", act.__name__).lower()


def _not_a_person(state: State, by: str) -> Sentence | None:
    if by in PROGRAMS or sits_as_code(state.spec, by):
        return Sentence("{by!r} is no person: this is for people alone", by=by)
    return None


def sits_as_code(spec: Spec, actor: str) -> bool:
    """True for the id of a seat that no person was agreed to take."""
    return any(seat.id == actor and seat.occupant != "human" for seat in spec.seats)


def _named(roles: Iterable[RoomRole]) -> Sentence:
    return Sentence.joined([Sentence(role) for role in sorted(roles)], ", ")


def _stranger(state: State, by: str) -> Sentence:
    known = state.room.people.get(by)
    if known:
        return Sentence("{name} has left this room", name=known.name)
    return Sentence("{by!r} is not in this room: join it first", by=by[:60])


def _other_self(state: State, act: acts.RoomAct, who: Person) -> Sentence | None:
    """Only a facilitator changes others; people may rename themselves, declare an interest, and leave."""
    if who.role == "facilitator":
        return None
    match act:
        case acts.SeatTaken() | acts.SeatReturned() if who.role == "debater":
            return _other_side(state, act.seat, who)
        case acts.SourceAdded() if who.role != "moderator" and not _is_asked(state, who):
            return Sentence(
                "{name} is not asked for a turn now: a document is added with a turn, or by who leads", name=who.name
            )
        case acts.PersonLeft() if act.person != who.id or act.withdrawn:
            return Sentence("only a facilitator can remove someone from the room, or withdraw ballots")
        case acts.PersonChanged() if _without_own_words(act.person) != _without_own_words(who):
            return Sentence("people change their own name and declared interest; the rest is for the facilitator")
        case _:
            return None


def _other_side(state: State, seat: str, who: Person) -> Sentence | None:
    """A debater can take or return their own seats only, never speak for the other side or silence it."""
    if seat in who.seats or sitting(state).get(seat) == who.id:
        return None
    return Sentence("{name} was not asked to speak for {seat}: that is for who leads", name=who.name, seat=seat)


def _without_own_words(who: Person) -> Person:
    """The person without the fields that people may edit themselves."""
    return who.model_copy(update={"name": "", "interest": ""})


def _is_asked(state: State, who: Person) -> bool:
    return any(who.id in speaks_for(state, request.seat) for request in open_requests(state))


def fault_in_flow(state: State, body: events.Flow, by: str) -> Sentence | None:
    """The reason why this actor may not record a flow event, in a debate with roles."""
    if not state.spec.has_people:
        return _not_a_person(state, by) if isinstance(body, events.LimitRaised) else None
    needs_a_begun_round = isinstance(
        body,
        events.TurnTaken | events.TurnFailed | events.TurnSkipped | events.AttemptStarted | LookedUp | events.Truncated,
    )
    if needs_a_begun_round and (not_yet := _not_begun(state)):
        return not_yet
    match body:
        case events.TurnTaken():
            return _fault_in_turn(state, body, by)
        case events.TurnSkipped():
            return _fault_in_skip(state, body, by)
        case events.Paused():
            return _fault_in_pause(state, body, by)
        case events.Stopped():
            has_functions = any(map(asks_function, state.spec.protocol.stop))
            if by == HOST and has_functions:
                return None
            return _fault_in_role(state, by, _F, Sentence("to stop the debate"))
        case events.Resumed() | events.LimitRaised() | events.Marked():
            return _fault_in_role(state, by, *_RESERVED[type(body)])
        case events.AttemptStarted() | LookedUp() | events.TurnFailed():
            return _not_the_program(state, by, Sentence("only the program itself asks a seat"))
        case events.Truncated() | events.DeadlinePassed():
            return _fault_in_end(state, body, by)
        case _:
            return None


def _fault_in_end(state: State, body: events.Truncated | events.DeadlinePassed, by: str) -> Sentence | None:
    """A facilitator ends a debate that waits at its limit; the program ends every other one."""
    if isinstance(body, events.Truncated) and state.limit_met is not None:
        return _fault_in_role(state, by, _F, Sentence("to end the debate at its limit"))
    ends = Sentence("only the program itself ends a debate at a limit, or after too long a wait")
    return _not_the_program(state, by, ends)


def _not_the_program(state: State, by: str, why: Sentence) -> Sentence | None:
    return why if by in state.room.people else None


def _fault_in_skip(state: State, body: events.TurnSkipped, by: str) -> Sentence | None:
    """A seat without a person may skip its own turn; facilitators and moderators may skip any."""
    seat = _seat_of(state, body.request)
    is_own = seat is not None and by == seat and _fills_itself(state, seat)
    if is_own:
        return None
    return _fault_in_role(state, by, _M, Sentence("to skip a turn"))


def _fault_in_pause(state: State, body: events.Paused, by: str) -> Sentence | None:
    if by == HOST:
        return None
    if body.limit is not None:
        return _not_the_program(state, by, Sentence("only the program itself waits at a limit"))
    return _fault_in_role(state, by, _M, _TO_PAUSE)


def _not_begun(state: State) -> Sentence | None:
    """The reason why no turn is given, failed or skipped yet: the lobby, or an agreed pause before a round."""
    if not state.room.begun:
        return Sentence("the lobby is open: turns are given once the facilitator lets the debate begin")
    if waits_as_agreed(state):
        return Sentence("no turn yet: {paused}", paused=Sentence(state.paused or ""))
    return None


def _seat_of(state: State, request_id: str) -> str | None:
    """The seat of a request; None for an unknown seat, which the engine refuses as not asked."""
    try:
        seat = RequestId.parse(request_id).seat
    except ValueError:
        return None
    return seat if seat in state.spec.seat_ids() else None


def _fills_itself(state: State, seat: str) -> bool:
    return state.spec.seat(seat).occupant != "human" and seat not in sitting(state)


def _fault_in_turn(state: State, body: events.TurnTaken, by: str) -> Sentence | None:
    seat = _seat_of(state, body.request)
    if seat is None:
        return None
    if _fills_itself(state, seat):
        if by == seat:
            return None
        return Sentence("the turns of {seat} are given by {seat} itself: take the seat first", seat=seat)
    if by in speaks_for(state, seat):
        return None
    holders = ", ".join(state.room.people[i].name for i in speaks_for(state, seat))
    whose = holders or Sentence("no one yet: a person has to take the seat")
    return Sentence("the turns of {seat} are given by {whose}", seat=seat, whose=whose)


def _fault_in_role(state: State, by: str, roles: frozenset[RoomRole], what: Sentence) -> Sentence | None:
    who = person(state, by)
    if who is None:
        return _stranger(state, by)
    if who.role in roles:
        return None
    return Sentence(
        "{what} is for the {roles}; {name} is {role}",
        what=what,
        roles=_named(roles),
        name=who.name,
        role=Sentence(who.role),
    )
