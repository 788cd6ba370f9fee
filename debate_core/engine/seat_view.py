"""What a seat, or somebody who watches, may see. The only door from the state to prompts and forms.

Independence (no seat sees a turn of its own at_once phase), stance tags instead of names, seeded shuffling.
Knows nothing of how a view is worded or drawn.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, assert_never

from debate_core.engine import comparisons
from debate_core.engine.schedule import (
    MAX_TURNS_OF_ONE,
    directive_of,
    may_repeat,
    position_of,
    reviewable,
    sent_back,
    stance_of,
)
from debate_core.engine.seat_names import BY_ID, SeatNames, blind_names
from debate_core.record.acts import Intervened
from debate_core.record.state import Request, State, Turn
from debate_core.spec.contents import Argument, Claim, Content, Directive, Framing, Mark, Positions
from debate_core.spec.models import Template
from debate_core.spec.protocol import Driver, Phase, Sees, Spec, asks_ballot
from debate_core.spec.rules import BEST_SCORE, Elected, ballot_kind, most_points
from debate_core.spec.values import ABSTAIN, BallotKind, Seat, Source, TurnStatus

T = TypeVar("T")
MENDABLE = ("unparseable", "weak", "contradicts")
"""What became of a reply that its seat can mend, told why."""


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """A turn as another seat sees it. `speaker` is a stance tag or a seat id; `own` if it is the reader's."""

    round: int
    phase: str
    speaker: str
    own: bool
    content: Content


@dataclass(frozen=True, slots=True)
class View:
    """Everything a seat may know when it answers a request. `ballot_options` is empty if no vote is asked."""

    question: str
    context: str
    options: tuple[str, ...]
    seat: Seat
    """Whose turn it is, with the position that it was given as its stance."""
    request: Request
    phase: Phase
    max_rounds: int
    sources: tuple[Source, ...]
    turns: tuple[SeenTurn, ...]
    claims: Mapping[str, Claim]
    """Claims of the turns that are seen, by id."""
    marks: Mapping[str, Mark]
    """People's marks on those claims."""
    to_review: tuple[str, ...]
    """Claim ids the chair is asked to mark; empty unless this request is a review."""
    ballot_options: tuple[str, ...]
    seed: int
    ballot_kind: BallotKind = "one"
    """What a ballot says, where one is asked."""
    dots: int = 0
    """How many dots a ballot has to spend, where it has any."""
    most_points: int = BEST_SCORE
    """What a ballot can give to an option at most, under each driver if there are drivers."""
    templates: tuple[Template, ...] = ()
    """Prompts of this debate: digests, and the texts of those that are not the shipped ones."""
    directive: Directive | None = None
    """Who speaks in this round, what all should know and where to look; of this round only (R092)."""
    speakers: tuple[str, ...] = ()
    """Ids of the debaters, for a moderator who names some of them, an evaluator who rates them, and whoever gives
    those without a side one: then of these alone."""
    speaker_tags: tuple[str, ...] = ()
    """The side under which each of them is read, where names are hidden."""
    turns_of_one: int = 1
    """How often a directive can name one debater."""
    directory: tuple[Seat, ...] = ()
    """Every debater with its side and persona, for whoever says who speaks on what (R094)."""
    sent_back: str = ""
    """Why the chair sent the directive of this round back, if they did (R290)."""
    failed_before: str = ""
    """Why the attempt before this one was no answer, if its reply could be mended; for the seat alone."""
    interventions: tuple[Intervened, ...] = ()
    """What whoever moderates said to all seats so far; in nobody else's name."""
    drivers: tuple[Driver, ...] = ()
    """What a good decision is measured by."""
    other_sides: tuple[str, ...] = ()
    """What the other debaters defend, each side once, in schedule order: told to whoever argues."""
    failed_as: TurnStatus | None = None
    """What became of that reply: `weak` and `contradicts` could be read."""
    opened_on: str = ""
    """The day on which the debate was opened, 2026-11-22."""
    place: int = 0
    """Of the seat among those of its role that read the options in the agreed order."""
    shows_votes: bool = True
    """False for whoever votes now and must not be anchored by the votes of others."""
    names: SeatNames = BY_ID
    """How seats are called in all of this, and in the ids of claims; `names.real` puts ids back into an answer."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """By which number people call each of `claims`; models call them by their ids."""


def view(state: State, request: Request) -> View:
    """What the seat of this request may see now."""
    spec = state.spec
    rule, phase = spec.protocol.decide, state.phase(request.phase)
    names = blind_names(spec) if phase.hides_names else BY_ID
    turns = _ordered(state, seen_turns(state, request), phase.sees, request)
    seen = _as_read(state, turns, request, names)
    claims = {claim.id: claim for turn in seen for claim in _claims_of(turn)}
    options = _options_in_order(state, request, phase)
    votes = asks_ballot(spec.protocol, phase)
    speakers = _speakers(state, request)
    before = _failed_before(state, request)
    return View(
        question=spec.question,
        context=spec.context,
        drivers=spec.drivers,
        options=options,
        seat=_seat_now(state, request.seat),
        request=request,
        phase=phase,
        max_rounds=spec.max_rounds,
        sources=_sources(state, request, options),
        turns=seen,
        claims=claims,
        marks=_marks_on(state, claims, names),
        to_review=names.shown(reviewable(state)) if request.gives == "review" else (),
        ballot_options=(*options, ABSTAIN) if votes else (),
        seed=spec.seed,
        ballot_kind=ballot_kind(rule),
        dots=rule.dots if isinstance(rule, Elected) else 0,
        most_points=most_points(rule),
        templates=spec.templates,
        directive=names.shown(directive_of(state, request.round)),
        speakers=tuple(map(names.of, speakers)),
        speaker_tags=tuple(_tags(state, speakers, names).values()),
        turns_of_one=_turns_of_one(state),
        directory=_directory(state, phase),
        sent_back=names.shown(sent_back(state, request.round)),
        failed_before=names.everywhere().shown(before.message) if before else "",
        interventions=names.shown(tuple(done.fact for done in state.room.of(Intervened))),
        other_sides=_other_sides(state, request.seat),
        failed_as=before.status if before else None,
        opened_on=state.opened_at[:10],
        place=0 if phase.sees.swaps else _place(state, request, phase),
        shows_votes=not votes or phase.sees.votes == "shown",
        names=names,
        numbers=_numbers(state, turns, seen),
    )


def _as_read(state: State, turns: Sequence[Turn], request: Request, names: SeatNames) -> tuple[SeenTurn, ...]:
    """The turns as the seat of this request reads them: where names are hidden, sides stand in their place."""
    tags = _tags(state, {turn.seat for turn in turns}, names)
    return tuple(_seen(turn, request, names, tags) for turn in turns)


def _tags(state: State, seats: Collection[str], names: SeatNames) -> dict[str, str]:
    """Seat id -> what stands for it where names are hidden; {} where they are not."""
    return {seat: stance_tag(state, seat) for seat in seats} if names.names else {}


def _marks_on(state: State, claims: Collection[str], names: SeatNames) -> dict[str, Mark]:
    """People's marks on these claims, by their ids as they are read."""
    marks = {names.shown(claim_id): names.shown(given.mark) for claim_id, given in state.marks.items()}
    return {claim_id: mark for claim_id, mark in marks.items() if claim_id in claims}


def _turns_of_one(state: State) -> int:
    """How often a directive can name one debater; in the first edition once."""
    may_name_again = state.edition >= 2 and may_repeat(state.spec.protocol)
    return MAX_TURNS_OF_ONE if may_name_again else 1


def spec_read_by(seen: View, spec: Spec) -> Spec:
    """The spec with the options that this seat reads, where seats propose some on the way."""
    return spec.model_copy(update={"options": seen.options}) if spec.protocol.generates else spec


def _claims_of(turn: Turn | SeenTurn) -> tuple[Claim, ...]:
    return turn.content.claims if isinstance(turn.content, Argument) else ()


def _numbers(state: State, turns: Sequence[Turn], seen: Sequence[SeenTurn]) -> dict[str, int]:
    """Id of a claim as it is seen -> its number in the record. `seen` are these turns as their reader has them."""
    numbers = state.claim_numbers()
    made = (claim for turn in turns for claim in _claims_of(turn))
    shown = (claim for turn in seen for claim in _claims_of(turn))
    return {as_seen.id: numbers[claim.id] for claim, as_seen in zip(made, shown, strict=True)}


def _sources(state: State, request: Request, options: tuple[str, ...]) -> tuple[Source, ...]:
    """Those there are by now; who compares two options does not read the documents that are titled by another one."""
    others = set(state.spec.options) - set(options)
    return tuple(s for s in state.spec.sources if s.from_round <= request.round and s.title not in others)


def _seen(turn: Turn, request: Request, names: SeatNames, tags: Mapping[str, str]) -> SeenTurn:
    """`tags`: what stands for the speakers where they are read without names."""
    assert turn.content is not None
    speaker = tags.get(turn.seat, turn.seat)
    return SeenTurn(turn.round, turn.phase, speaker, turn.seat == request.seat, names.shown(turn.content))


def _seat_now(state: State, seat_id: str) -> Seat:
    """The seat with the position that it was given, in whole: name, claim and reason."""
    seat, given = state.spec.seat(seat_id), position_of(state, seat_id)
    if given is None:
        return seat
    return seat.model_copy(update={"stance": f"{given.name}: {given.claim.rstrip('. ')}; because: {given.because}"})


def _options_in_order(state: State, request: Request, phase: Phase) -> tuple[str, ...]:
    """As they were agreed; for every other seat of a phase that swaps them, the last one first; or the two compared."""
    if pair := state.compared.get(request.turn()):
        return pair
    options = state.spec.options
    if state.spec.protocol.paired and state.compared:
        # Whoever makes new candidates, or sums up, reads the strongest first.
        return comparisons.in_order(state)
    return options[::-1] if phase.sees.swaps and _place(state, request, phase) % 2 else options


def _place(state: State, request: Request, phase: Phase) -> int:
    """Of the seat that is asked, among those of its role."""
    return [seat.id for seat in state.spec.seats_of(phase.role)].index(request.seat)


def _other_sides(state: State, seat_id: str) -> tuple[str, ...]:
    """The sides of the other debaters, each once; a seat that holds no side has no other one either (R158)."""
    own = _seat_now(state, seat_id)
    if own.role != "debater" or not own.stance.strip():
        return ()
    sides = [_seat_now(state, seat.id).stance.strip() for seat in state.spec.debaters()]
    return tuple(side for side in dict.fromkeys(sides) if side and side != own.stance.strip())


def _speakers(state: State, request: Request) -> tuple[str, ...]:
    match request.gives:
        case "directive" | "evaluation":
            return tuple(s.id for s in state.spec.debaters())
        case "positions":
            return tuple(s.id for s in state.spec.without_stance())
        case _:
            return ()


def _directory(state: State, phase: Phase) -> tuple[Seat, ...]:
    """Marks on claims are given without it: who made a claim says nothing of what it speaks for."""
    if not phase.moderates or phase.gives == "review":
        return ()
    return tuple(_seat_now(state, seat.id) for seat in state.spec.debaters())


def _failed_before(state: State, request: Request) -> Turn | None:
    """The attempt before this one, if there was a reply to be mended."""
    mine = [t for t in state.failed_attempts if t.address() == request.turn() and not t.transport]
    return mine[-1] if request.attempt > 1 and mine and mine[-1].status in MENDABLE else None


def seen_turns(state: State, request: Request) -> tuple[Turn, ...]:
    """The given turns that the seat of this request may see, in schedule order; a view gives them without names."""
    phase = state.phase(request.phase)
    if phase.paired:
        return ()
    readable = _readable_turns(state, request, phase)
    match phase.sees.turns:
        case "all" | "earlier_phases":
            return readable
        case "earlier_rounds":
            return tuple(t for t in readable if t.round < request.round)
        case "last_round":
            return tuple(t for t in readable if _is_own(t, request) or t.round == request.round - 1)
        case "own":
            return tuple(t for t in readable if _is_own(t, request))
        case "neighbours":
            heard = _last_of_neighbours(state, request, readable)
            return tuple(t for t in readable if _is_own(t, request) or any(t is last for last in heard))
        case "previous":
            return tuple(t for t in readable if _is_own(t, request) or t is readable[-1])
        case _:
            assert_never(phase.sees.turns)


def _readable_turns(state: State, request: Request, phase: Phase) -> tuple[Turn, ...]:
    """The given turns that nothing withholds from this seat, whichever of them its phase shows."""
    hears_own_phase = phase.order == "in_turn" and phase.sees.turns in ("all", "neighbours", "previous")
    turns = state.all_turns() if hears_own_phase else state.turns
    given = (t for t in turns if t.status == "ok")
    readable = tuple(t for t in given if not _told_apart(t, phase) and not _is_mirrored(t, request, phase))
    return readable if phase.role == "chair" else _without_replaced(readable)


def _is_own(turn: Turn, request: Request) -> bool:
    return turn.seat == request.seat


def _is_mirrored(turn: Turn, request: Request, phase: Phase) -> bool:
    """True for what was said in this round in the phase that this one mirrors; never where it mirrors none."""
    return (turn.round, turn.phase) == (request.round, phase.sees.mirrors)


def _last_of_neighbours(state: State, request: Request, turns: Sequence[Turn]) -> list[Turn]:
    """The last of these turns of each seat beside this one."""
    latest = {turn.seat: turn for turn in turns}
    return [latest[seat] for seat in _neighbours(state, request) if seat in latest]


def _told_apart(turn: Turn, phase: Phase) -> bool:
    """Debaters are told the directive of their own round beside the turns, and none of another round (R092)."""
    return phase.role == "debater" and isinstance(turn.content, Directive)


def _without_replaced(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Of framings and of positions the last ones count, often a person's; nobody should argue by those before."""
    last = {type(t.content): t for t in turns}
    return tuple(t for t in turns if not isinstance(t.content, Framing | Positions) or last[type(t.content)] is t)


def _neighbours(state: State, request: Request) -> tuple[str, ...]:
    """The seats before and after this one in the ring of those who hold its role."""
    seats = [s.id for s in state.spec.seats_of(state.phase(request.phase).role)]
    at = seats.index(request.seat)
    return seats[at - 1], seats[(at + 1) % len(seats)]


def _ordered(state: State, turns: tuple[Turn, ...], sees: Sees, request: Request) -> tuple[Turn, ...]:
    """Shuffled within each phase by a seed that the record has, if the phase asks for it (position bias).

    A mirror turns round the order in which its seat has read.
    """
    read = list(turns)
    if sees.shuffle:
        read = shuffled(read, f"{state.spec.seed}:{_first_asked(state, sees, request)}")
    if sees.mirrors is not None:
        read.reverse()
    first = {(t.round, t.phase): i for i, t in reversed([*enumerate(turns)])}
    return tuple(sorted(read, key=lambda t: first[t.round, t.phase])) if sees.shuffle or sees.mirrors else turns


def _first_asked(state: State, sees: Sees, request: Request) -> str:
    """The request by which the order is drawn: that of the turn which this one mirrors, if it does."""
    place = request.round, sees.mirrors, request.seat
    return next((t.request for t in state.all_turns() if (t.round, t.phase, t.seat) == place), request.id)


def shuffled(items: Sequence[T], seed: str) -> list[T]:
    """In an order that follows from the seed alone, not from what the items are: the one generator of chance here."""
    rng = random.Random(seed)
    keyed = [(rng.random(), i) for i in range(len(items))]
    return [items[i] for _, i in sorted(keyed)]


def stance_tag(state: State, seat_id: str) -> str:
    """The side a seat defends, else a letter by its place, or its office: never a name or a model."""
    seats = [s.id for s in state.spec.seats]
    seat = state.spec.seat(seat_id)
    if seat.role != "debater":
        return seat.role
    return stance_of(state, seat_id) or f"side {chr(ord('A') + seats.index(seat_id) % 26)}"


def hidden_seats(state: State, holds: Collection[str]) -> frozenset[str]:
    """Seats whose turn in the open phase somebody who holds these seats may not see yet, only that it is in.

    While an at_once phase is open: for everybody if it is sealed, and for whoever still has to answer in it.
    """
    open_phase = state.open
    if open_phase is None or open_phase.slot.phase.order != "at_once":
        return frozenset()
    waiting = set(open_phase.waiting())
    if open_phase.slot.phase.sealed or waiting & set(holds):
        return frozenset(open_phase.speakers) - set(holds)
    return frozenset()
