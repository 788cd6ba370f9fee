"""Participants in a decision record: decision makers, consulted and informed people, roles, and the date."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import get_args

from debate_core.engine.stage import ELECTORATES, known_as, present
from debate_core.language import Words, _, _n, spoken_list
from debate_core.record.acts import BallotCast, BallotCommitted, PeopleAct
from debate_core.record.state import State
from debate_core.report.facts.decision import Who
from debate_core.report.facts.interventions import takers
from debate_core.report.facts.terms import named
from debate_core.report.files.adr.case import EMPTY, Case
from debate_core.report.files.document import Block, items
from debate_core.spec.people import Person, RoomRole
from debate_core.spec.rotation import seats_by_model
from debate_core.spec.values import Seat
from debate_core.text import capitalized, line


def day(case: Case) -> date:
    """Date of the decision in force; before it, of the opening."""
    at = case.decision.at or case.state.opened_at
    return datetime.fromisoformat(at).date()


def makers(case: Case) -> tuple[str, ...]:
    """The signer and approvers, then the counted voters whose final vote decides."""
    state = case.state
    signed = case.decision.signed
    actors = [signed.by.id] if signed else []
    actors += [person.id for person in present(state) if person.role == "approver"]
    voters = _final_voters(case, decide=True)
    is_crowd = case.names.anonymous and state.spec.terms.decides == "room"
    if not is_crowd:
        actors += [person.id for person in voters]
    makers = tuple(map(case.names.person, dict.fromkeys(actors)))
    return (*makers, _n(len(voters), "the room ({n} voter)", "the room ({n} voters)")) if is_crowd else makers


def name_and_role(case: Case, by: Who) -> str:
    """`Kim Ader (approver)`; without the role in an anonymous record, where it is the name."""
    role = f" ({named(by.role)})" if by.role and not case.names.anonymous else ""
    return f"{case.who(by.id)}{role}"


def _final_voters(case: Case, *, decide: bool) -> list[Person]:
    """Voters whose final vote decides, or voters whose vote is advice."""
    decides = case.state.spec.terms.decides
    voting = [electorate for electorate in ELECTORATES if (electorate == decides) is decide]
    return [person for electorate in voting for person in case.account.final_voters(electorate)]


def consulted(case: Case) -> tuple[str, ...]:
    """Debaters who are people or models, judges, and voters whose vote is advice; no seats filled by code."""
    judges = [person for person in present(case.state) if person.role == "judge"]
    advisers = [*judges, *_final_voters(case, decide=False)]
    return (*_debaters(case), *dict.fromkeys(case.names.person(person.id) for person in advisers))


def voters(case: Case) -> tuple[str, ...]:
    """The people or the debaters whose votes decide; () if a seat decides, and for people in an anonymous record."""
    if case.state.spec.terms.decides != "debaters":
        people = () if case.names.anonymous else _final_voters(case, decide=True)
        return tuple(_weighted(case.names.person(person.id), person.weight) for person in people)
    debaters = () if case.decision.seat_role else _debaters(case)
    of_code = len(case.state.spec.debaters()) - len(debaters)
    if not debaters or not of_code:
        return debaters
    return (*debaters, _n(of_code, "{n} seat filled by code", "{n} seats filled by code"))


def _weighted(name: str, weight: int) -> str:
    return _("{name} (weight {weight})", name=name, weight=weight) if weight > 1 else name


def _debaters(case: Case) -> tuple[str, ...]:
    """`risk (gpt-6)`: debaters who are people or models, or that a person took over."""
    sits = {seat.id: _people_and_models(case, seat) for seat in case.state.spec.debaters()}
    return tuple(f"{case.names.seat(seat)} ({', '.join(who)})" for seat, who in sits.items() if who)


def _people_and_models(case: Case, seat: Seat) -> list[str]:
    agreed = [_agreed_words(case, seat)] if seat.occupant in ("human", "model") else []
    return [*agreed, *_took_over(case, seat)]


def informed(case: Case) -> tuple[str, ...]:
    """People to be informed, as signed."""
    signed = case.decision.signed
    if signed is None:
        return ()
    return tuple(case.names.text(name) for name in signed.word.informed if name.strip())


def labelled(label: str, names: Iterable[str]) -> list[str]:
    """`Deciders: Abe, Ann`, for forms without front matter; [] without names."""
    shown = ", ".join(line(name) or EMPTY for name in names)
    return [f"{label}: {shown}"] if shown else []


def took_part(case: Case) -> list[Block]:
    """People by role, and the occupant of each seat."""
    lines = list[str]()
    roles = {person: _roles(case.state, person) for person in case.state.room.people}
    for role in get_args(RoomRole):
        if called := [case.who(person) for person, held in roles.items() if role in held]:
            label = capitalized(named(role))
            lines.append(_n(len(called), "{role}: {called}", "{role}s: {called}", role=label, called=", ".join(called)))
    lines += [
        _("Seat {seat}: {occupant}", seat=case.seat(seat.id), occupant=sits_words(case, seat))
        for seat in case.state.spec.seats
    ]
    return items(lines)


def _roles(state: State, person: str) -> frozenset[RoomRole]:
    """The present role of a person, the roles in which they acted, and voter if a ballot was counted."""
    roles: set[RoomRole] = {one.role for one in present(state) if one.id == person}
    has_changed = len({known.role for known in known_as(state, person)}) > 1 or person in state.room.left
    if has_changed:
        roles |= {known_as(state, person, before=seq)[-1].role for seq in _acts_of(state, person)}
    if any(person in poll.ballots for poll in state.room.polls.values()):
        roles.add("voter")
    return frozenset(roles)


def _acts_of(state: State, person: str) -> Iterator[int]:
    """Numbers of a person's events, without joining, leaving and changes of the person."""
    for kind, acts in state.room.acts.items():
        if not issubclass(kind, get_args(PeopleAct)) and kind not in (BallotCast, BallotCommitted):
            yield from (done.seq for done in acts if done.by == person)


_SITS = Words(
    {
        "human": "a person",
        "offline": "code that quotes the documents, no model and no person",
        "scripted": "the script of a rehearsal, no model and no person",
    }
)


def sits_words(case: Case, seat: Seat) -> str:
    """`Sam`, `a person`, `gpt-6`, or the kind of code that fills the seat; and who took it over."""
    agreed = _agreed_words(case, seat)
    took_over = _took_over(case, seat)
    if not took_over:
        return agreed
    return _("{agreed}; taken over by {people}", agreed=agreed, people=spoken_list(took_over))


def _took_over(case: Case, seat: Seat) -> list[str]:
    return [case.who(person) for person in takers(case.state).get(seat.id, ())]


def _agreed_words(case: Case, seat: Seat) -> str:
    """The agreed occupant of the seat."""
    spec = case.state.spec
    models = spec.lines_of(seats_by_model(spec, seat))
    if models:
        return spoken_list([line(model.model or model.id) for model in models])
    if seat.role == "synthesiser" and seat.occupant == "offline":
        return _("code that drafts and links claims, no model and no person")
    holders = [case.who(one.id) for one in case.state.room.people.values() if seat.id in one.seats]
    if holders and seat.occupant == "human":
        return ", ".join(holders)
    return _SITS.get(seat.occupant, seat.occupant)
