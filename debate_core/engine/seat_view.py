"""The view of a seat or a spectator: the only way from the state to prompts and forms.

Keeps seats independent (none sees other turns of an open at_once phase), uses stance tags for names, shuffles by seed.
Wording and layout are done elsewhere.
"""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, assert_never

from debate_core.engine import comparisons, crux, voting
from debate_core.engine.option_names import only_option, option_of_side
from debate_core.engine.private_sources import is_read_by
from debate_core.engine.quotes import QuoteVerdict, check_quote
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
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import Request, State, Turn
from debate_core.spec.contents import CRUX_KINDS, Argument, Claim, Content, Directive, Framing, Gives, Mark, Positions
from debate_core.spec.models import Template
from debate_core.spec.people import RoomRole
from debate_core.spec.protocol import Driver, Phase, Sees, Spec, asks_another_round, asks_ballot
from debate_core.spec.rules import BEST_SCORE, ballot_kind, dots_of, most_points
from debate_core.spec.values import (
    ABSTAIN,
    ASKED_ABOUT,
    SEARCH_SOURCES,
    Ballot,
    BallotKind,
    Seat,
    Source,
    Tool,
    TurnStatus,
)

T = TypeVar("T")
MENDABLE = ("unparseable", "weak", *ASKED_ABOUT)
"""Statuses of a reply that its seat can correct once it knows the reason."""


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
        """The claims of an argument; () for other contents."""
        return self.content.claims if isinstance(self.content, Argument) else ()


@dataclass(frozen=True, slots=True)
class BesideVote:
    """The subject of a question beside the vote; empty for other requests."""

    claims: tuple[Claim, ...] = ()
    """The claims that a voter is asked to suppose false, whether the seat has read them or not."""
    own_ballot: Ballot | None = None
    """The last ballot of this seat."""
    leading: str = ""
    """The option that leads the last count, for a premortem; "" = none leads, or votes are not shown."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything a seat may know when it answers a request. `ballot_options` is empty if no vote is asked."""

    question: str
    context: str
    options: tuple[str, ...]
    seat: Seat
    """The seat that is asked, with its assigned position as its stance."""
    request: Request
    phase: Phase
    max_rounds: int
    sources: tuple[Source, ...]
    turns: tuple[SeenTurn, ...]
    claims: Mapping[str, Claim]
    """Claims of the visible turns, by id."""
    marks: Mapping[str, Mark]
    """People's marks on those claims."""
    to_review: tuple[str, ...]
    """Claim ids that the chair is asked to mark, or that a voter may name or is asked about; empty for others."""
    ballot_options: tuple[str, ...]
    seed: int
    ballot_kind: BallotKind = "one"
    """The kind of ballot, where one is asked."""
    dots: int = 0
    """Number of dots to distribute, for ballots with dots."""
    most_points: int = BEST_SCORE
    """The maximum that a ballot can give to an option, per driver if there are drivers."""
    templates: tuple[Template, ...] = ()
    """Prompts of this debate: digests, and the texts of prompts that are not the shipped ones."""
    directive: Directive | None = None
    """The directive of this round: who speaks, the briefing, the new angle."""
    speakers: tuple[str, ...] = ()
    """Ids of debaters: for a moderator who names speakers, an evaluator who rates them; or only those without a
    stance, for the seat that assigns positions."""
    speaker_tags: tuple[str, ...] = ()
    """The stance tag of each of them, where names are hidden."""
    turns_of_one: int = 1
    """The maximum number of turns that a directive can give to one debater."""
    directory: tuple[Seat, ...] = ()
    """Every debater with stance and persona, for the seat that assigns speakers."""
    sent_back: str = ""
    """The chair's reason for sending this round's directive back; "" if none was."""
    failed_before: str = ""
    """The reason why the previous attempt was refused, if its reply can be corrected; shown to this seat alone."""
    interventions: tuple[Intervened, ...] = ()
    """The moderator's messages to all seats so far."""
    drivers: tuple[Driver, ...] = ()
    """The criteria for a good decision."""
    other_sides: tuple[str, ...] = ()
    """The stances of the other debaters, each once, in schedule order; for debaters."""
    failed_as: TurnStatus | None = None
    """The status of the previous attempt; `weak`, `contradicts` and `mismatch` could be read."""
    opened_on: str = ""
    """The day on which the debate was opened: 2026-11-22."""
    place: int = 0
    """Index of the seat among those of its role, where all read the options in the agreed order."""
    names: SeatNames = BY_ID
    """Names of seats in this view and in claim ids; `names.real` restores the ids in an answer."""
    is_last_attempt: bool = False
    """True if the protocol allows no further attempt."""
    yes_option: str = ""
    """The option that answers the question with yes; "" = none."""
    asks_another_round: bool = False
    """True if the synthesis says whether another round is needed."""
    output_schema: str = ""
    """JSON Schema of the deliverable, for the seat that writes it; "" = none is asked for."""
    tools: tuple[Tool, ...] = ()
    """Tools that the seat may call before this turn."""
    look_ups: tuple[LookedUp, ...] = ()
    """The look-ups of the seat before this turn, in order."""
    look_ups_left: int = 0
    """Number of calls that are left before this turn."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Id of each of `claims` -> the number that people see; models use the ids."""
    instructions: tuple[str, ...] = ()
    """Additional instructions for a model: of its role, of its seat, and for this call."""
    facts: tuple[Claim, ...] = ()
    """What people wrote before the first vote: claims that no seat made, which every seat may answer."""
    unread_checks: Mapping[str, QuoteVerdict] = field(default_factory=dict)
    """Id of each of `claims` that cites a document which this seat does not read -> the verdict on its quote."""
    beside_vote: BesideVote = BesideVote()
    """The subject of a question beside the vote."""

    @property
    def shows_votes(self) -> bool:
        """False for a voter who must not be anchored by the votes of others."""
        if self.request.gives in (*CRUX_KINDS, "premortem"):
            return False
        return not self.ballot_options or self.phase.sees.votes == "shown"


def view(state: State, request: Request) -> View:
    """Everything that the seat of this request may see now."""
    # Imported on first use: compiling its patterns would slow down every start.
    from debate_core.engine.proposition import yes_option_of

    spec = state.spec
    phase = state.phase(request.phase)
    names = blind_names(spec) if phase.hides_names else BY_ID
    turns = _ordered(state, seen_turns(state, request), phase.sees, request)
    seen = _as_read(state, turns, request, names)
    claims = {claim.id: claim for turn in seen for claim in turn.claims}
    options = _options_in_order(state, request, phase)
    speakers = _speakers(state, request)
    failed_turn = _failed_before(state, request)
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
        to_review=_to_review(state, request, names, seen),
        beside_vote=_beside_vote(state, request, names),
        ballot_options=_ballot_options(state, phase, options),
        seed=spec.seed,
        ballot_kind=ballot_kind(spec.protocol.decide),
        dots=dots_of(spec.protocol.decide),
        most_points=most_points(spec.protocol.decide),
        templates=spec.templates,
        directive=names.shown(directive_of(state, request.round)),
        speakers=tuple(map(names.of, speakers)),
        speaker_tags=tuple(_tags(state, speakers, names).values()),
        turns_of_one=_turns_of_one(state),
        directory=_directory(state, phase),
        sent_back=names.shown(sent_back(state, request.round)),
        failed_before=_why_failed(failed_turn, names),
        interventions=names.shown(state.room.facts(Intervened)),
        other_sides=_other_sides(state, request.seat),
        failed_as=failed_turn.status if failed_turn else None,
        opened_on=state.opened_at[:10],
        place=_place_told(state, request, phase),
        names=names,
        is_last_attempt=state.replies_lost(request.turn()) + 1 >= spec.protocol.attempts,
        yes_option=yes_option_of(spec) or "",
        asks_another_round=asks_another_round(spec.protocol, phase, request.round),
        output_schema=output_schema_of(spec, request.gives),
        tools=tools_of(state, request),
        look_ups=state.look_ups_of(request.turn()),
        look_ups_left=look_ups_left(state, request),
        numbers=_numbers(state, turns, seen),
        instructions=_instructions(spec, request.seat),
        facts=state.facts,
        unread_checks=_unread_checks(state, claims, request),
    )


def _instructions(spec: Spec, seat_id: str) -> tuple[str, ...]:
    """The agreed instructions of a seat: those of its role, then its own."""
    seat = spec.seat(seat_id)
    of_role = [agreed.text for agreed in spec.protocol.instructions or () if agreed.role == seat.role]
    return (*of_role, seat.instructions) if seat.instructions else tuple(of_role)


def _why_failed(failed_turn: Turn | None, names: SeatNames) -> str:
    """The message of the previous attempt without the ids of seats, which words of a schema may resemble."""
    if failed_turn is None:
        return ""
    shown = names.shown if failed_turn.status == "mismatch" else names.everywhere().shown
    return shown(failed_turn.message)


def output_schema_of(spec: Spec, gives: Gives) -> str:
    """The output schema that a content of this kind has to match; "" = none."""
    return (spec.protocol.output_schema or "") if gives == "synthesis" else ""


def _as_read(state: State, turns: Sequence[Turn], request: Request, names: SeatNames) -> tuple[SeenTurn, ...]:
    """The turns as this seat reads them, with stance tags in place of hidden names."""
    tags = _tags(state, {turn.seat for turn in turns}, names)
    return tuple(_seen(turn, request, names, tags) for turn in turns)


def _tags(state: State, seats: Collection[str], names: SeatNames) -> dict[str, str]:
    """Seat id -> its stance tag where names are hidden; {} where they are not."""
    if not names.names:
        return {}
    return {seat: stance_tag(state, seat) for seat in seats}


def _marks_on(state: State, claims: Collection[str], names: SeatNames) -> dict[str, Mark]:
    """People's marks on these claims, by the claim ids of this view."""
    marks: dict[str, Mark] = {}
    for claim_id, given in state.marks.items():
        read_as = names.shown(claim_id)
        if read_as in claims:
            marks[read_as] = names.shown(given.mark)
    return marks


def _ballot_options(state: State, phase: Phase, options: tuple[str, ...]) -> tuple[str, ...]:
    return (*options, ABSTAIN) if asks_ballot(state.spec.protocol, phase) else ()


def _turns_of_one(state: State) -> int:
    return MAX_TURNS_OF_ONE if may_repeat(state.spec.protocol) else 1


def spec_read_by(seen: View, spec: Spec) -> Spec:
    """The spec with the options that this seat reads, in debates where seats propose options."""
    if not spec.protocol.generates:
        return spec
    return spec.model_copy(update={"options": seen.options})


def _numbers(state: State, turns: Sequence[Turn], seen: Sequence[SeenTurn]) -> dict[str, int]:
    """Claim id in this view -> its number in the record. `seen` are the same turns as their reader sees them."""
    in_record = state.claim_numbers()
    numbers = {fact.id: in_record[fact.id] for fact in state.facts}
    for turn, seen_turn in zip(turns, seen, strict=True):
        for claim, seen_claim in zip(turn.claims, seen_turn.claims, strict=True):
            numbers[seen_claim.id] = in_record[claim.id]
    return numbers


def _sources(state: State, request: Request, options: tuple[str, ...]) -> tuple[Source, ...]:
    """Documents visible by now. A seat that compares two options does not read documents titled by other options."""
    others = set(state.spec.options) - set(options)
    return tuple(
        source
        for source in state.spec.sources
        if source.from_round <= request.round and source.title not in others and is_read_by(source, (request.seat,))
    )


def _unread_checks(state: State, claims: Mapping[str, Claim], request: Request) -> Mapping[str, QuoteVerdict]:
    """Claim id -> verdict, for claims that cite a document which this seat never reads."""
    unread = {source.id: source for source in state.spec.sources if not is_read_by(source, (request.seat,))}
    return {
        claim.id: check_quote(unread[claim.source_id].text, claim.quote).verdict if claim.quote else "no_source"
        for claim in claims.values()
        if claim.source_id in unread
    }


def readable_sources(state: State, request: Request) -> tuple[Source, ...]:
    """The documents that the seat of this request may read now."""
    return _sources(state, request, _options_in_order(state, request, state.phase(request.phase)))


def tools_of(state: State, request: Request) -> tuple[Tool, ...]:
    """The tools that the seat of this request may call; none once a call beyond the limit was answered."""
    tools = state.phase(request.phase).tools or ()
    if SEARCH_SOURCES in tools and not readable_sources(state, request):
        tools = tuple(tool for tool in tools if tool != SEARCH_SOURCES)
    if not tools:
        return ()
    is_over = any(one.fault == "none_left" for one in state.look_ups_of(request.turn()))
    return () if is_over else tools


def look_ups_left(state: State, request: Request) -> int:
    """Number of calls that are left before this turn, by the limits of the turn and of the debate."""
    left = state.phase(request.phase).max_look_ups - len(state.look_ups_of(request.turn()))
    most = state.spec.protocol.max_look_ups
    if most is not None:
        left = min(left, most - len(state.look_ups))
    return max(0, left)


def _seen(turn: Turn, request: Request, names: SeatNames, tags: Mapping[str, str]) -> SeenTurn:
    """The turn for its reader; `tags` replace the names of speakers where they are hidden."""
    assert turn.content is not None
    speaker = tags.get(turn.seat, turn.seat)
    return SeenTurn(turn.round, turn.phase, speaker, turn.seat == request.seat, names.shown(turn.content))


def _seat_now(state: State, seat_id: str) -> Seat:
    """The seat with its assigned position in full: name, claim and reason."""
    seat = state.spec.seat(seat_id)
    position = position_of(state, seat_id)
    if position is None:
        return seat
    stance = f"{position.name}: {position.claim.rstrip('. ')}; because: {position.because}"
    return seat.model_copy(update={"stance": stance})


def _options_in_order(state: State, request: Request, phase: Phase) -> tuple[str, ...]:
    """The options: the two compared, by strength, or as agreed; every other seat reads them reversed if swapped."""
    if pair := state.compared.get(request.turn()):
        return pair
    if state.spec.protocol.paired and state.compared:
        # Seats that propose candidates or sum up read the strongest option first.
        return comparisons.in_order(state)
    is_swapped = phase.sees.swaps and state.spec.ids_of(phase.role).index(request.seat) % 2 == 1
    return state.spec.options[::-1] if is_swapped else state.spec.options


def _place_told(state: State, request: Request, phase: Phase) -> int:
    """Index of the seat within its role; 0 where the options are swapped."""
    return 0 if phase.sees.swaps else state.spec.ids_of(phase.role).index(request.seat)


def _other_sides(state: State, seat_id: str) -> tuple[str, ...]:
    """Stances of the other debaters, each once, without allies: `in defence of adopt` and `adopt` are one side.

    A seat without a side has no opposing sides either.
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
    """Debaters with their stances, for seats that moderate. Reviews go without, so that names do not bias marks."""
    if not phase.moderates or phase.gives == "review":
        return ()
    return tuple(_seat_now(state, seat_id) for seat_id in state.spec.ids_of("debater"))


def _to_review(state: State, request: Request, names: SeatNames, seen: Sequence[SeenTurn]) -> tuple[str, ...]:
    match request.gives:
        case "review":
            return names.shown(reviewable(state))
        case "decisive_claim":
            return (*(fact.id for fact in state.facts), *(claim.id for turn in seen for claim in turn.claims))
        case "suppositions":
            return names.shown(crux.asked_of_seats(state))
        case _:
            return ()


def _beside_vote(state: State, request: Request, names: SeatNames) -> BesideVote:
    if request.gives == "premortem":
        return BesideVote(leading=only_option(_leading(state)) or "")
    if request.gives not in CRUX_KINDS:
        return BesideVote()
    asked = crux.asked_of_seats(state) if request.gives == "suppositions" else ()
    claims = tuple(names.shown(state.claims[claim_id]) for claim_id in asked)
    return BesideVote(claims, state.ballots.get(request.seat))


def _leading(state: State) -> tuple[str, ...]:
    """The options with the most votes in the last count; () where models that vote must not see earlier votes."""
    if state.spec.protocol.votes_told != "shown" or not state.counted:
        return ()
    return voting.most(state.counted[-1].tally)


def _failed_before(state: State, request: Request) -> Turn | None:
    """The previous attempt, if its reply can be corrected."""
    if request.attempt == 1:
        return None
    for attempt in reversed(state.failed_attempts):
        if attempt.address() == request.turn() and not attempt.transport:
            return attempt if attempt.status in MENDABLE else None
    return None


def seen_turns(state: State, request: Request) -> tuple[Turn, ...]:
    """The given turns that this seat may see, in schedule order; `view` removes the names."""
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
    """These turns of others and all own turns, in schedule order."""
    places = {turn.address() for turn in others}
    return tuple(turn for turn in readable if turn.seat == request.seat or turn.address() in places)


def _readable_turns(state: State, request: Request, phase: Phase) -> tuple[Turn, ...]:
    """The given turns that are not withheld from this seat, before its phase selects some of them."""
    hears_own_phase = phase.order == "in_turn" and phase.sees.turns in ("all", "neighbours", "previous")
    turns = state.all_turns() if hears_own_phase else state.turns
    readable = tuple(turn for turn in turns if turn.status == "ok" and not _is_withheld(state, turn, request, phase))
    return readable if phase.role == "chair" else _without_replaced(readable)


def _is_withheld(state: State, turn: Turn, request: Request, phase: Phase) -> bool:
    """True for turns that a mirror would repeat, for those that later prompts leave out, and for directives, which
    debaters receive separately."""
    is_mirrored = (turn.round, turn.phase) == (request.round, phase.sees.mirrors)
    is_given_apart = phase.role == "debater" and isinstance(turn.content, Directive)
    return is_mirrored or is_given_apart or _is_forgotten(state, turn, request)


def _is_forgotten(state: State, turn: Turn, request: Request) -> bool:
    """True for a turn of an earlier phase that is not kept for the prompts of later ones."""
    is_later = (turn.round, turn.phase) != (request.round, request.phase)
    if not is_later or state.phase(turn.phase).history is not False:
        return False
    return state.spec.seat(request.seat).occupant != "human"


def _last_of_neighbours(state: State, request: Request, turns: Sequence[Turn]) -> list[Turn]:
    """The last turn of each neighbouring seat."""
    latest = {turn.seat: turn for turn in turns}
    return [latest[seat] for seat in _neighbours(state, request) if seat in latest]


def _without_replaced(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Drop all framings and positions but the last ones, which are often a person's."""
    last = {type(t.content): t for t in turns}
    return tuple(t for t in turns if not isinstance(t.content, Framing | Positions) or last[type(t.content)] is t)


def _neighbours(state: State, request: Request) -> tuple[str, ...]:
    """The seats before and after this one in the ring of its role."""
    seats = state.spec.ids_of(state.phase(request.phase).role)
    at = seats.index(request.seat)
    return seats[at - 1], seats[(at + 1) % len(seats)]


def _ordered(state: State, turns: tuple[Turn, ...], sees: Sees, request: Request) -> tuple[Turn, ...]:
    """Shuffle the turns of each phase by the recorded seed, if the phase asks for it (against position bias).

    A mirror reverses the order that its seat has read.
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
    """The id of the request that seeds the order: the mirrored turn's, else this one's."""
    mirrored_place = (request.round, sees.mirrors, request.seat)
    for turn in state.all_turns():
        if (turn.round, turn.phase, turn.seat) == mirrored_place:
            return turn.request
    return request.id


def shuffled(items: Sequence[T], seed: str) -> list[T]:
    """Shuffle by the seed and the number of items alone: the only random generator here."""
    rng = random.Random(seed)
    keyed = [(rng.random(), i) for i in range(len(items))]
    return [items[i] for _, i in sorted(keyed)]


def stance_tag(state: State, seat_id: str) -> str:
    """The stance of a seat, else a letter by its place, or its role: never a name or a model."""
    seat = state.spec.seat(seat_id)
    if seat.role != "debater":
        return seat.role
    side = stance_of(state, seat_id)
    if side:
        return side
    letter = chr(ord("A") + state.spec.seat_ids().index(seat_id) % 26)
    return f"side {letter}"


def seats_not_live(state: State, role: RoomRole | None, holds: Collection[str] = ()) -> frozenset[str]:
    """Seats whose turns in the open phase are not for people of this role to read live; None = no role.

    People whose seat still has to answer read what their seat may read.
    """
    if state.open is None or state.outcome is not None:
        return frozenset()
    roles = state.open.slot.phase.live_for
    if roles is None or role in roles or not set(holds).isdisjoint(state.open.waiting()):
        return frozenset()
    return frozenset(state.open.speakers) - set(holds)


def hidden_seats(state: State, holds: Collection[str]) -> frozenset[str]:
    """Seats whose turn in the open phase is hidden from the holder of these seats; only its arrival is visible.

    In an open at_once phase: hidden from all if sealed, and from every seat that still has to answer.
    """
    open_phase = state.open
    if open_phase is None or open_phase.slot.phase.order != "at_once":
        return frozenset()
    waiting = set(open_phase.waiting())
    if open_phase.slot.phase.paired and waiting & set(holds):
        # Several people may compare for one seat; one comparison must not hint at the next.
        return frozenset(open_phase.speakers)
    if open_phase.slot.phase.sealed or waiting & set(holds):
        return frozenset(open_phase.speakers) - set(holds)
    return frozenset()
