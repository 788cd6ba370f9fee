"""What a seat, or somebody who watches, may see. The only door from the state to prompts and forms.

Independence (no seat sees a turn of its own at_once phase), stance tags instead of names, seeded shuffling.
Knows nothing of how a view is worded or drawn.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, assert_never

from debate_core.engine import comparisons
from debate_core.engine.option_names import option_of_side
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
from debate_core.spec.rules import BEST_SCORE, ballot_kind, dots_of, most_points
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

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What it claims; nothing for a turn that is no argument."""
        return self.content.claims if isinstance(self.content, Argument) else ()


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
    """Who speaks in this round, what all should know and where to look; of this round only."""
    speakers: tuple[str, ...] = ()
    """Ids of the debaters, for a moderator who names some of them, an evaluator who rates them, and whoever gives
    those without a side one: then of these alone."""
    speaker_tags: tuple[str, ...] = ()
    """The side under which each of them is read, where names are hidden."""
    turns_of_one: int = 1
    """How often a directive can name one debater."""
    directory: tuple[Seat, ...] = ()
    """Every debater with its side and persona, for whoever says who speaks on what."""
    sent_back: str = ""
    """Why the chair sent the directive of this round back, if they did."""
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
    is_last_attempt: bool = False
    """True if the reply to this request is the last one that the protocol allows."""
    yes_option: str = ""
    """The option that answers the question with yes; "" if none does."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """By which number people call each of `claims`; models call them by their ids."""


def view(state: State, request: Request) -> View:
    """What the seat of this request may see now."""
    # Imported at the first use, as `argues` is in `own_text`: its patterns would slow every start of the program.
    from debate_core.engine.proposition import yes_option_of

    spec = state.spec
    rule = spec.protocol.decide
    phase = state.phase(request.phase)
    names = blind_names(spec) if phase.hides_names else BY_ID
    turns = _ordered(state, seen_turns(state, request), phase.sees, request)
    seen = _as_read(state, turns, request, names)
    claims = {claim.id: claim for turn in seen for claim in turn.claims}
    options = _options_in_order(state, request, phase)
    votes = asks_ballot(spec.protocol, phase)
    ballot_options = (*options, ABSTAIN) if votes else ()
    speakers = _speakers(state, request)
    failed_turn = _failed_before(state, request)
    why_failed = names.everywhere().shown(failed_turn.message) if failed_turn else ""
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
        to_review=_to_review(state, request, names),
        ballot_options=ballot_options,
        seed=spec.seed,
        ballot_kind=ballot_kind(rule),
        dots=dots_of(rule),
        most_points=most_points(rule),
        templates=spec.templates,
        directive=names.shown(directive_of(state, request.round)),
        speakers=tuple(map(names.of, speakers)),
        speaker_tags=tuple(_tags(state, speakers, names).values()),
        turns_of_one=_turns_of_one(state),
        directory=_directory(state, phase),
        sent_back=names.shown(sent_back(state, request.round)),
        failed_before=why_failed,
        interventions=names.shown(state.room.facts(Intervened)),
        other_sides=_other_sides(state, request.seat),
        failed_as=failed_turn.status if failed_turn else None,
        opened_on=state.opened_at[:10],
        place=_place_told(state, request, phase),
        shows_votes=not votes or phase.sees.votes == "shown",
        names=names,
        is_last_attempt=state.replies_lost(request.turn()) + 1 >= spec.protocol.attempts,
        yes_option=yes_option_of(spec) or "",
        numbers=_numbers(state, turns, seen),
    )


def _as_read(state: State, turns: Sequence[Turn], request: Request, names: SeatNames) -> tuple[SeenTurn, ...]:
    """The turns as the seat of this request reads them: where names are hidden, sides stand in their place."""
    tags = _tags(state, {turn.seat for turn in turns}, names)
    return tuple(_seen(turn, request, names, tags) for turn in turns)


def _tags(state: State, seats: Collection[str], names: SeatNames) -> dict[str, str]:
    """Seat id -> what stands for it where names are hidden; {} where they are not."""
    if not names.names:
        return {}
    return {seat: stance_tag(state, seat) for seat in seats}


def _marks_on(state: State, claims: Collection[str], names: SeatNames) -> dict[str, Mark]:
    """People's marks on these claims, by their ids as they are read."""
    marks: dict[str, Mark] = {}
    for claim_id, given in state.marks.items():
        read_as = names.shown(claim_id)
        if read_as in claims:
            marks[read_as] = names.shown(given.mark)
    return marks


def _turns_of_one(state: State) -> int:
    """How often a directive can name one debater."""
    return MAX_TURNS_OF_ONE if may_repeat(state.spec.protocol) else 1


def spec_read_by(seen: View, spec: Spec) -> Spec:
    """The spec with the options that this seat reads, where seats propose some on the way."""
    if not spec.protocol.generates:
        return spec
    return spec.model_copy(update={"options": seen.options})


def _numbers(state: State, turns: Sequence[Turn], seen: Sequence[SeenTurn]) -> dict[str, int]:
    """Id of a claim as it is seen -> its number in the record. `seen` are these turns as their reader has them."""
    in_record = state.claim_numbers()
    numbers = {}
    for turn, seen_turn in zip(turns, seen, strict=True):
        for claim, seen_claim in zip(turn.claims, seen_turn.claims, strict=True):
            numbers[seen_claim.id] = in_record[claim.id]
    return numbers


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
    seat = state.spec.seat(seat_id)
    position = position_of(state, seat_id)
    if position is None:
        return seat
    stance = f"{position.name}: {position.claim.rstrip('. ')}; because: {position.because}"
    return seat.model_copy(update={"stance": stance})


def _options_in_order(state: State, request: Request, phase: Phase) -> tuple[str, ...]:
    """As they were agreed; for every other seat of a phase that swaps them, the last one first; or the two compared."""
    if pair := state.compared.get(request.turn()):
        return pair
    if state.spec.protocol.paired and state.compared:
        # Whoever makes new candidates, or sums up, reads the strongest first.
        return comparisons.in_order(state)
    is_swapped = phase.sees.swaps and _place(state, request, phase) % 2 == 1
    return state.spec.options[::-1] if is_swapped else state.spec.options


def _place_told(state: State, request: Request, phase: Phase) -> int:
    """The place by which whoever reads the options in the agreed order is told apart; 0 where they are swapped."""
    return 0 if phase.sees.swaps else _place(state, request, phase)


def _place(state: State, request: Request, phase: Phase) -> int:
    """Of the seat that is asked, among those of its role."""
    return state.spec.ids_of(phase.role).index(request.seat)


def _other_sides(state: State, seat_id: str) -> tuple[str, ...]:
    """The sides of the other debaters, each once, but those for the same option: `in defence of adopt` and `adopt`.

    A seat that holds no side has no other one either.
    """
    seat = _seat_now(state, seat_id)
    own_side = seat.stance.strip()
    if seat.role != "debater" or not own_side:
        return ()
    options = state.spec.options
    own_option = option_of_side(state.spec.seat(seat_id).stance, options)
    sides: list[str] = []
    for other in state.spec.debaters():
        is_ally = own_option is not None and option_of_side(other.stance, options) == own_option
        if other.id != seat_id and not is_ally:
            sides.append(_seat_now(state, other.id).stance.strip())
    return tuple(side for side in dict.fromkeys(sides) if side not in ("", own_side))


def _speakers(state: State, request: Request) -> tuple[str, ...]:
    match request.gives:
        case "directive" | "evaluation":
            return state.spec.ids_of("debater")
        case "positions":
            return tuple(seat.id for seat in state.spec.without_stance())
        case _:
            return ()


def _directory(state: State, phase: Phase) -> tuple[Seat, ...]:
    """Marks on claims are given without it: who made a claim says nothing of what it speaks for."""
    if not phase.moderates or phase.gives == "review":
        return ()
    return tuple(_seat_now(state, seat_id) for seat_id in state.spec.ids_of("debater"))


def _to_review(state: State, request: Request, names: SeatNames) -> tuple[str, ...]:
    return names.shown(reviewable(state)) if request.gives == "review" else ()


def _failed_before(state: State, request: Request) -> Turn | None:
    """The attempt before this one, if there was a reply to be mended."""
    if request.attempt == 1:
        return None
    for attempt in reversed(state.failed_attempts):
        if attempt.address() == request.turn() and not attempt.transport:
            return attempt if attempt.status in MENDABLE else None
    return None


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
            return tuple(turn for turn in readable if turn.round < request.round)
        case "last_round":
            return _with_own(request, readable, [turn for turn in readable if turn.round == request.round - 1])
        case "own":
            return _with_own(request, readable, ())
        case "neighbours":
            return _with_own(request, readable, _last_of_neighbours(state, request, readable))
        case "previous":
            return _with_own(request, readable, readable[-1:])
        case _:
            assert_never(phase.sees.turns)


def _with_own(request: Request, readable: Sequence[Turn], others: Sequence[Turn]) -> tuple[Turn, ...]:
    """These turns of others and all own ones, in schedule order."""
    places = {turn.address() for turn in others}
    return tuple(turn for turn in readable if turn.seat == request.seat or turn.address() in places)


def _readable_turns(state: State, request: Request, phase: Phase) -> tuple[Turn, ...]:
    """The given turns that nothing withholds from this seat, whichever of them its phase shows."""
    hears_own_phase = phase.order == "in_turn" and phase.sees.turns in ("all", "neighbours", "previous")
    turns = state.all_turns() if hears_own_phase else state.turns
    readable = tuple(turn for turn in turns if turn.status == "ok" and not _is_withheld(turn, request, phase))
    return readable if phase.role == "chair" else _without_replaced(readable)


def _is_withheld(turn: Turn, request: Request, phase: Phase) -> bool:
    """True for what a mirror would repeat, and for directives, of which debaters are told beside the turns."""
    is_mirrored = (turn.round, turn.phase) == (request.round, phase.sees.mirrors)
    return is_mirrored or (phase.role == "debater" and isinstance(turn.content, Directive))


def _last_of_neighbours(state: State, request: Request, turns: Sequence[Turn]) -> list[Turn]:
    """The last of these turns of each seat beside this one."""
    latest = {turn.seat: turn for turn in turns}
    return [latest[seat] for seat in _neighbours(state, request) if seat in latest]


def _without_replaced(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Of framings and of positions the last ones count, often a person's; nobody should argue by those before."""
    last = {type(t.content): t for t in turns}
    return tuple(t for t in turns if not isinstance(t.content, Framing | Positions) or last[type(t.content)] is t)


def _neighbours(state: State, request: Request) -> tuple[str, ...]:
    """The seats before and after this one in the ring of those who hold its role."""
    seats = state.spec.ids_of(state.phase(request.phase).role)
    at = seats.index(request.seat)
    return seats[at - 1], seats[(at + 1) % len(seats)]


def _ordered(state: State, turns: tuple[Turn, ...], sees: Sees, request: Request) -> tuple[Turn, ...]:
    """Shuffled within each phase by a seed that the record has, if the phase asks for it (position bias).

    A mirror turns round the order in which its seat has read.
    """
    if not sees.shuffle and not sees.mirrors:
        return turns
    read = list(turns)
    if sees.shuffle:
        read = shuffled(read, f"{state.spec.seed}:{_first_asked(state, sees, request)}")
    if sees.mirrors:
        read.reverse()
    phases = list(dict.fromkeys((turn.round, turn.phase) for turn in turns))
    return tuple(sorted(read, key=lambda turn: phases.index((turn.round, turn.phase))))


def _first_asked(state: State, sees: Sees, request: Request) -> str:
    """The request by which the order is drawn: that of the turn which this one mirrors, if it does."""
    mirrored_place = (request.round, sees.mirrors, request.seat)
    for turn in state.all_turns():
        if (turn.round, turn.phase, turn.seat) == mirrored_place:
            return turn.request
    return request.id


def shuffled(items: Sequence[T], seed: str) -> list[T]:
    """In an order that follows from the seed alone, not from what the items are: the one generator of chance here."""
    rng = random.Random(seed)
    keyed = [(rng.random(), i) for i in range(len(items))]
    return [items[i] for _, i in sorted(keyed)]


def stance_tag(state: State, seat_id: str) -> str:
    """The side a seat defends, else a letter by its place, or its office: never a name or a model."""
    seat = state.spec.seat(seat_id)
    if seat.role != "debater":
        return seat.role
    side = stance_of(state, seat_id)
    if side:
        return side
    letter = chr(ord("A") + state.spec.seat_ids().index(seat_id) % 26)
    return f"side {letter}"


def hidden_seats(state: State, holds: Collection[str]) -> frozenset[str]:
    """Seats whose turn in the open phase somebody who holds these seats may not see yet, only that it is in.

    While an at_once phase is open: for everybody if it is sealed, and for whoever still has to answer in it.
    """
    open_phase = state.open
    if open_phase is None or open_phase.slot.phase.order != "at_once":
        return frozenset()
    waiting = set(open_phase.waiting())
    if open_phase.slot.phase.paired and waiting & set(holds):
        # Several people may compare for one seat: what another one said of two options is no hint for the next two.
        return frozenset(open_phase.speakers)
    if open_phase.slot.phase.sealed or waiting & set(holds):
        return frozenset(open_phase.speakers) - set(holds)
    return frozenset()
