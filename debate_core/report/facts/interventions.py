"""Human acts on the course of a debate as typed rows (skip, pause, stop, mark, ...), read from the events.

Knows no file format.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.limits import AXES
from debate_core.engine.rights import ENGINE
from debate_core.engine.stage import final_decision, name_of, sitting, unreached, waits_as_agreed
from debate_core.language import _, _n
from debate_core.record import acts
from debate_core.record.acts import RoomAct
from debate_core.record.events import (
    Event,
    LimitRaised,
    Marked,
    Paused,
    Resumed,
    Stopped,
    Truncated,
    TurnSkipped,
    TurnTaken,
)
from debate_core.record.fold import apply
from debate_core.record.ids import RequestId
from debate_core.record.people import Done
from debate_core.record.state import State, Turn
from debate_core.report.facts.claims import claim_rows
from debate_core.report.facts.terms import named
from debate_core.spec.contents import Directive, Mark, Review
from debate_core.spec.people import Person
from debate_core.spec.protocol import Spec
from debate_core.spec.values import in_words

STEERING = (acts.Struck, acts.Noted, acts.Intervened, acts.SeatTaken, acts.Extended, acts.LastRound)
"""Acts by which a moderator overrides the agreed course."""


Action = Literal[
    "strike",
    "correct",
    "mark",
    "intervene",
    "take seat",
    "return seat",
    "set options",
    "extend",
    "add round",
    "last round",
    "add document",
    "show out",
    "change person",
    "revise synthesis",
    "sign",
    "skip",
    "end at limit",
    "pause",
    "give up",
    "resume",
    "stop",
    "raise limit",
]


@dataclass(frozen=True, slots=True)
class Change:
    """The change that an act made: `strike` of `1.opening.risk`, from `given` to `struck`."""

    action: Action
    target: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Steering:
    """Number of human interventions, and reviews of the moderator's proposals."""

    acts: int
    turns: int
    reviews: tuple[bool, ...]
    """For each reviewed proposal: True if it was kept unchanged."""


def change(state: State, act: acts.RoomAct, by: str) -> Change | None:
    """The change that this act makes to the debate; None if it does not affect its course."""
    match act:
        case acts.Struck():
            return Change("strike", act.turn, "given", "struck")
        case acts.Noted():
            return Change("correct", act.claim_id, _row_words(state, act), _note_words(act))
        case acts.Intervened():
            return Change("intervene", _("all seats"), "", f"{act.kind}: {act.text}")
        case acts.SeatTaken():
            return Change("take seat", act.seat, _sits(state, act.seat), name_of(state, by))
        case acts.SeatReturned():
            return Change("return seat", act.seat, _sits(state, act.seat), state.spec.seat(act.seat).occupant)
        case acts.OptionsAgreed():
            return Change("set options", "options", ", ".join(state.spec.options), ", ".join(act.options))
        case acts.Extended():
            if act.rounds:
                rounds = state.spec.max_rounds
                return Change("add round", "rounds", str(rounds), str(rounds + act.rounds))
            where = f"{state.open.round}.{state.open.slot.phase.name}" if state.open else "debate"
            return Change("extend", where, "", _("{seconds} s more", seconds=act.seconds))
        case acts.LastRound():
            number = state.current_round()
            return Change(
                "last round",
                _("round {number}", number=number),
                _("{number} of {max_rounds}", number=number, max_rounds=state.spec.max_rounds),
                _("{number} the last", number=number),
            )
        case acts.SourceAdded():
            size = _("{title} ({length:,} characters)", title=act.source.title, length=len(act.source.text))
            return Change(
                "add document",
                act.source.id,
                "",
                _("{size}, from round {from_round}", size=size, from_round=act.source.from_round),
            )
        case acts.PersonChanged() | acts.PersonLeft():
            return _change_of_person(state, act, by)
        case acts.SynthesisRevised():
            return Change("revise synthesis", "synthesis", "", act.content.answer)
        case acts.Signed():
            verdict = in_words(act.verdict)
            signed = f"{verdict}: {act.option}" if act.option else verdict
            return Change("sign", "decision", final_decision(state).option or "", signed)
        case _:
            return None


def _sits(state: State, seat: str) -> str:
    taken = sitting(state).get(seat)
    return name_of(state, taken) if taken else state.spec.seat(seat).occupant


def _change_of_person(state: State, act: acts.PersonChanged | acts.PersonLeft, by: str) -> Change | None:
    """Changes to people by the facilitator; None for a person who only renames themself, or leaves."""
    if isinstance(act, acts.PersonLeft):
        gone = state.room.people.get(act.person)
        if gone is None or act.person == by:
            return None
        return Change("show out", gone.name, gone.role, _("left, open ballots withdrawn") if act.withdrawn else "left")
    after = act.person
    before = state.room.people.get(after.id)
    if before is None:
        return None
    own = {"name": after.name, "interest": after.interest} if after.id == by else {}
    compared = before.model_copy(update=own)
    old = _as_agreed(compared, after)
    new = _as_agreed(after, compared)
    if old == new:
        return None
    return Change("change person", before.name, old, new)


def _as_agreed(person: Person, other: Person) -> str:
    """Describe a person's role and seats; name, interest and voting right only if they differ from `other`."""
    said = [named(person.role), *person.seats]
    if person.name != other.name:
        said.append(_("named {name}", name=person.name))
    if (person.electorate, person.weight) != (other.electorate, other.weight):
        electorate = named(person.electorate) if person.electorate else ""
        votes = _("votes in the {electorate}, weight {weight}", electorate=electorate, weight=person.weight)
        said.append(votes if electorate else _("no vote"))
    if person.interest != other.interest:
        said.append(_("interest: {interest}", interest=person.interest or _("none")))
    return ", ".join(said)


def _note_words(act: acts.Noted) -> str:
    said = list[str]()
    if act.duplicate_of:
        said.append(_("duplicate of {duplicate_of}", duplicate_of=act.duplicate_of))
    if act.has_evidence is not None:
        said.append(_evidence_words(has_evidence=act.has_evidence))
    if act.resolved is not None:
        said.append(_("resolved") if act.resolved else _("not resolved"))
    return "; ".join(said)


def _row_words(state: State, act: acts.Noted) -> str:
    """Describe the claim before the correction, in the fields that the note corrects."""
    row = next((r for r in claim_rows(state) if r.claim_id == act.claim_id), None)
    if row is None:
        return ""
    said = list[str]()
    if act.duplicate_of:
        was = _("duplicate of {duplicate_of}", duplicate_of=row.duplicate_of)
        said.append(was if row.duplicate_of else _("no duplicate"))
    if act.has_evidence is not None:
        said.append(_evidence_words(has_evidence=row.has_evidence_marker))
    if act.resolved is not None:
        said.append(row.status)
    return "; ".join(said)


def _evidence_words(*, has_evidence: bool) -> str:
    return _("has evidence") if has_evidence else _("has no evidence")


def takers(state: State) -> Mapping[str, tuple[str, ...]]:
    """Seat -> ids of the people who took it over and gave a turn for it, in order."""
    taken = {(done.fact.seat, done.by) for done in state.room.of(acts.SeatTaken)}
    found: dict[str, tuple[str, ...]] = {}
    for turn in state.all_turns() if taken else ():
        earlier = found.get(turn.seat, ())
        if (turn.seat, turn.by) in taken and turn.by not in earlier:
            found[turn.seat] = (*earlier, turn.by)
    return found


@dataclass(frozen=True, slots=True)
class ToAll:
    """A message or document from a person to all seats."""

    seq: int
    """Number of its event."""
    kind: str
    """`briefing`, `question`, `burden` or `document`."""
    speaker: str
    """`Mo, moderator, to all seats`."""
    seat: str
    """The seat of a debater who adds a document; empty for the facilitator."""
    text: str


def said_in(state: State) -> Mapping[tuple[int, str], tuple[ToAll, ...]]:
    """(round, phase) -> messages and documents given during it, or before it began, in order."""
    given = [(done.at, _words_to_all(state, done)) for done in state.room.of(acts.Intervened)]
    given += [(done.at, _document(state, done)) for done in state.room.of(acts.SourceAdded)]
    begins = _begins(state)
    by_place: dict[tuple[int, str], tuple[ToAll, ...]] = {}
    for given_at, one in sorted(given, key=lambda pair: pair[1].seq):
        place = [place for place, begin in begins if begin <= given_at][-1]
        by_place[place] = (*by_place.get(place, ()), one)
    return by_place


def _begins(state: State) -> list[tuple[tuple[int, str], str]]:
    """Every phase that began, with the time of the last turn before it."""
    last_at = dict.fromkeys(state.ran, "")
    for turn in state.all_turns():
        place = (turn.round, turn.phase)
        last_at[place] = max(last_at[place], turn.at)
    begins = []
    latest = state.opened_at
    for place in state.ran:
        begins.append((place, latest))
        latest = max(latest, last_at[place])
    return begins


def _words_to_all(state: State, done: Done[acts.Intervened]) -> ToAll:
    return ToAll(
        done.seq,
        done.fact.kind,
        _("{name_and_role}, to all seats", name_and_role=_name_and_role(state, done.by)),
        "",
        done.fact.text,
    )


def _document(state: State, done: Done[acts.SourceAdded]) -> ToAll:
    source = done.fact.source
    person = state.room.people.get(done.by)
    seats = person.seats if person else [seat.id for seat in state.spec.seats if seat.id == done.by]
    when = _("{time} UTC", time=done.at[:16].replace("T", " "))
    text = _(
        "New document {id}: {title}. Added at {when}, there from round {from_round} on.",
        id=source.id,
        title=source.title,
        when=when,
        from_round=source.from_round,
    )
    return ToAll(done.seq, "document", _name_and_role(state, done.by), next(iter(seats), ""), text)


def _name_and_role(state: State, actor: str) -> str:
    person = state.room.people.get(actor)
    name = name_of(state, actor)
    return f"{name}, {named(person.role)}" if person else name


def steering(state: State) -> Steering:
    """Count the human interventions so far."""
    turns = state.all_turns()
    n_acts = sum(len(state.room.of(kind)) for kind in STEERING)
    for turn in turns:
        if turn.status == "skipped" and turn.by != turn.seat and not _is_review(state, turn):
            n_acts += 1
    if state.stopped is not None:
        n_acts += 1
    return Steering(n_acts, len(turns), _reviews(state))


def _reviews(state: State) -> tuple[bool, ...]:
    """True for each proposed directive that the chair passed or returned unchanged."""
    found = list[bool]()
    proposed: Directive | None = None
    number = 0
    for turn in state.turns:
        if turn.round != number:
            proposed = None
            number = turn.round
        if _is_review(state, turn) and proposed is not None:
            if turn.status == "skipped":
                found.append(True)
            elif isinstance(turn.content, Directive):
                found.append(_effect(turn.content) == _effect(proposed))
        elif isinstance(turn.content, Directive):
            proposed = turn.content
    return tuple(found)


def _is_review(state: State, turn: Turn) -> bool:
    return state.phase(turn.phase).gives == "directive" and state.spec.seat(turn.seat).role == "chair"


def _effect(given: Directive) -> Directive:
    return given.model_copy(update={"reason": ""})


def steering_sentence(state: State, *, pauses: int) -> str:
    """`People stepped in 3 times over 12 turns, with 1 pause; 1 of 2 proposals were kept.`"""
    found = steering(state)
    marks = len(state.marks)
    over = _n(found.turns, "over {n} turn", "over {n} turns")
    marked = _n(marks, "marked {n} claim", "marked {n} claims")
    if found.acts:
        times = _("once") if found.acts == 1 else _("{acts} times", acts=found.acts)
        more = _(" and {marked}", marked=marked) if marks else ""
        said = _("People stepped in {times} {over}{more}", times=times, over=over, more=more)
    elif marks:
        said = _("People {marked}; no one stepped in {over}", marked=marked, over=over)
    else:
        said = _("No one stepped in {over}", over=over)
    said += _n(pauses, ", with {n} pause", ", with {n} pauses") if pauses else _(", without a pause")
    if not found.reviews:
        return f"{said}."
    kept = _n(
        len(found.reviews),
        "; {reviews} of {n} proposal of the moderator was kept unchanged",
        "; {reviews} of {n} proposals of the moderator were kept unchanged",
        reviews=sum(found.reviews),
    )
    return f"{said}{kept}."


@dataclass(frozen=True, slots=True)
class OverrideRow:
    """One human act on the course of the debate; `actor` is the name, `role` the role at that time."""

    event_id: int
    at: str
    actor: str
    role: str
    action: Action
    target: str
    before: str
    after: str
    reason: str


def override_rows(events: Iterable[Event]) -> tuple[OverrideRow, ...]:
    """Every human act on the course of the debate, with its reason, in order."""
    rows: list[OverrideRow] = []
    state: State | None = None
    for event in events:
        if state is not None:
            rows += _rows(state, event)
        state = apply(state, event)
    return tuple(rows)


def _rows(state: State, event: Event) -> list[OverrideRow]:
    """Human acts of one event, given the state before it."""
    body = event.body
    if isinstance(body, Marked):
        return _mark_acts(state, event, (body.mark,), body.reason)
    if isinstance(body, TurnTaken) and isinstance(body.content, Review):
        return _mark_acts(state, event, body.content.marks, "")
    if isinstance(body, RoomAct):
        done = change(state, body, event.actor)
        return [_act(state, event, done, act_reason(body))] if done else []
    done = _change_of_flow(state, event)
    return [_act(state, event, done, str(getattr(body, "reason", "")))] if done else []


def _change_of_flow(state: State, event: Event) -> Change | None:
    """Agreed pauses and their resumption are no overrides, nor are skips and pauses by code."""
    body = event.body
    match body:
        case TurnSkipped() if _is_person(state.spec, event.actor):
            return Change("skip", str(RequestId.parse(body.request).turn), "asked", "skipped")
        case LimitRaised():
            return _limit_raised(state, body)
        case Truncated() if state.limit_met is not None:
            return Change("end at limit", "debate", "paused", "truncated")
        case Paused() if event.actor != ENGINE and body.limit is None:
            return Change("pause", "debate", "running", "paused")
        case Resumed(gives_up=True):
            return Change("give up", ", ".join(unreached(state)), _("out of reach"), _("passed over"))
        case Resumed() if not waits_as_agreed(state):
            return Change("resume", "debate", "paused", "running")
        case Stopped():
            return Change("stop", "debate", "running", "stopped")
        case _:
            return None


def _limit_raised(state: State, body: LimitRaised) -> Change:
    bound = state.spec.ceiling()
    before = []
    after = []
    for axis in AXES:
        limit = getattr(body.to, axis)
        if limit is not None:
            before.append(f"{axis} {getattr(bound, axis)}")
            after.append(f"{axis} {limit}")
    return Change("raise limit", "limits", ", ".join(before), ", ".join(after))


def _is_person(spec: Spec, actor: str) -> bool:
    """False for seats of models and code."""
    return all(seat.id != actor or seat.occupant == "human" for seat in spec.seats)


def _act(state: State, event: Event, done: Change, reason: str) -> OverrideRow:
    actor = name_of(state, event.actor)
    role = _role_of(state, event.actor)
    return OverrideRow(event.seq, event.at, actor, role, done.action, done.target, done.before, done.after, reason)


def _role_of(state: State, actor: str) -> str:
    """Role of a person in the room, or of a seat."""
    person = state.room.people.get(actor)
    if person is not None:
        return person.role
    return next((seat.role for seat in state.spec.seats if seat.id == actor), "")


def _mark_acts(state: State, event: Event, given: Sequence[Mark], reason: str) -> list[OverrideRow]:
    rows = []
    before = {claim_id: given_mark.mark.words() for claim_id, given_mark in state.marks.items()}
    for mark in given:
        done = Change("mark", mark.claim_id, before.get(mark.claim_id, ""), mark.words())
        together = _("together with others, under “{words}”", words=mark.together) if mark.together else ""
        rows.append(_act(state, event, done, reason or together))
        before[mark.claim_id] = mark.words()
    return rows


def act_reason(act: acts.RoomAct) -> str:
    """The person's own reason; empty for acts without one and for sealed ballots."""
    if isinstance(act, acts.BallotCast | acts.Compared):
        return ""
    return str(getattr(act, "reason", ""))
