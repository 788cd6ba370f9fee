"""Judges of a debate, with facts that readers need: read names, led, spoke, declared an interest, was late.

Each fact is about one person. Knows no probabilities.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from debate_core.engine.stage import judges_late, known_as
from debate_core.language import _
from debate_core.record import acts
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.spec.people import Person, RoomRole

Judging = Done[acts.BeliefReported] | Done[acts.Judged] | Done[acts.Compared]
_READ_ALIASES = frozenset[RoomRole]({"judge", "voter", "observer"})
"""Roles that read aliases while the debate goes on."""
_LEADING: tuple[RoomRole, ...] = ("facilitator", "moderator")


@dataclass(frozen=True, slots=True)
class Judge:
    """A person who judged, with the facts that a reader needs."""

    person: str
    name: str
    alias: str
    blind: bool
    """True if the speakers' names were hidden from them."""
    led: tuple[RoomRole, ...]
    """Leading roles they held before the end of the debate."""
    spoke: bool
    interests: tuple[str, ...]
    late: bool


def judges(state: State) -> Mapping[str, str]:
    """Id -> alias (`Judge 1`) of everyone who judged, in the order in which they joined."""
    gave = {done.by for done in _judgements(state)}
    in_order = [person for person in state.room.people if person in gave]
    return {person: _("Judge {number}", number=number) for number, person in enumerate(in_order, start=1)}


def _judgements(state: State) -> tuple[Judging, ...]:
    room = state.room
    return (*room.of(acts.BeliefReported), *room.of(acts.Judged), *room.of(acts.Compared))


def is_late(state: State, done: Judging) -> bool:
    """True for a judgement given after the reveal of the judges, or after the first signature."""
    return done.seq > closed_to_judges(state)


def closed_to_judges(state: State) -> float:
    """Number of the event after which a judgement is late: the last reveal, or the first signature."""
    reveals = [done.seq for done in state.room.of(acts.BeliefsRevealed) if done.fact.round >= state.current_round()]
    signatures = [done.seq for done in state.room.of(acts.Signed)]
    return min((*reveals, *signatures), default=inf)


def who_judged(state: State) -> tuple[Judge, ...]:
    """All judges, in the order of their aliases."""
    if not state.spec.has_people:
        return ()
    return tuple(_judge(state, person, alias) for person, alias in judges(state).items())


def _judge(state: State, person: str, alias: str) -> Judge:
    known = known_as(state, person)
    interests = dict.fromkeys(one.interest.strip() for one in known if one.interest.strip())
    given = [done for done in _judgements(state) if done.by == person]
    roles_held = {one.role for one in _known_at_the_end(state, person)}
    return Judge(
        person=person,
        name=state.room.people[person].name,
        alias=alias,
        blind=not _read_names(state, person, last=max(given, key=lambda done: done.seq)),
        led=tuple(role for role in _LEADING if role in roles_held),
        spoke=_has_spoken(state, person),
        interests=tuple(interests),
        late=any(is_late(state, done) for done in given),
    )


def _has_spoken(state: State, person: str) -> bool:
    return any(turn.by == person and turn.content for turn in state.all_turns())


def _known_at_the_end(state: State, person: str) -> tuple[Person, ...]:
    """A person at joining and after every change before the end; () if they joined afterwards."""
    if state.outcome is None:
        return known_as(state, person)
    came = [done for done in state.room.of(acts.PersonJoined) if done.fact.person.id == person]
    if came and came[0].at > state.closed_at:
        return ()
    later = [done.seq for done in state.room.of(acts.PersonChanged) if done.at > state.closed_at]
    return known_as(state, person, before=min(later, default=None))


def _read_names(state: State, person: str, *, last: Judging) -> bool:
    """True if a person could read the speakers' names before their last judgement."""
    if state.spec.terms.blind == "named":
        return True
    if any(known.seats or known.role not in _READ_ALIASES for known in known_as(state, person, before=last.seq)):
        return True
    at_the_end = _known_at_the_end(state, person)
    # At the end everyone except judges sees the names.
    is_later = state.outcome is not None and last.at > state.closed_at
    return is_later and bool(at_the_end) and at_the_end[-1].role != "judge"


def judge_flags(state: State) -> tuple[str, ...]:
    """One sentence for each fact that a reader needs about the judges."""
    return tuple(sentence for judge in who_judged(state) for sentence in _flags_of(state, judge))


def _flags_of(state: State, judge: Judge) -> Iterator[str]:
    name = judge.name
    for role in judge.led:
        yield _("{name} judged this debate and was its {role}", name=name, role=named(role))
    if judge.late and judges_late(state, judge.person):
        yield _("{name} judged after the judges had been revealed", name=name)
    elif judge.late:
        yield _("{name} judged after the decision had been signed", name=name)
    if judge.spoke:
        yield _("{name} judged this debate and spoke in it", name=name)
    if state.spec.terms.blind == "blind" and not judge.blind:
        yield _("{name} could see who spoke, so the judgement was not blind", name=name)
    for interest in judge.interests:
        yield _("{name} judged this debate and declared an interest: {interest}", name=name, interest=interest)
