"""What is agreed before the first turn: phases, stop rules, the decision rule, limits, and the Spec of one debate.

Data only; `checks` says why a Spec cannot be played. Presets and TOML files build these values; the engine
reads them. It does not know how votes are counted (`engine.voting`) or who speaks (`engine.schedule`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Literal, TypeVar, assert_never

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.contents import ARGUMENT_KINDS, Gives
from debate_core.spec.models import ModelLine, Template
from debate_core.spec.people import Person, Room
from debate_core.spec.rules import (
    AllAgree,
    AllOf,
    BySeat,
    Ceiling,
    Converged,
    CountedRule,
    DecisionReached,
    DecisionRule,
    Elected,
    MaxRounds,
    NoProgress,
    Plurality,
    Stable,
    StopRule,
    Tournament,
    parts_of,
)
from debate_core.spec.values import MAX_QUESTION_CHARS, Line, Occupant, Role, Seat, Source, TaskType, Value

T = TypeVar("T", bound=BaseModel)
MAX_DRIVERS = 12
MOST_OPTIONS = 8
MOST_COMPARED = 200
"""Where options are compared two at a time."""
MAX_WAIT_S = 366 * 86_400
"""A year: a longer wait is none that anybody agrees."""
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Sees(Value):
    """What a phase shows its seats of the turns before it. No seat ever sees a turn of its own at_once phase."""

    turns: Literal["all", "earlier_phases", "earlier_rounds", "last_round", "neighbours", "previous", "own"] = "all"
    """`neighbours`: the last turns of the two seats beside this one in a ring; `previous`: the turn just before."""
    names: Literal["stance", "seat"] = "stance"
    """`stance`: sides at the place of names, and nothing that tells a seat in the ids of claims either."""
    shuffle: bool = False
    swaps: bool | None = None
    """Every other seat of the role reads the options in the reverse order: whoever compares favours a place."""
    mirrors: Identifier | None = None
    """What the phase of this name saw, in the reverse order, and nothing of what was said in it: judges favour a
    place, so one who names the same option in both orders is to be believed sooner."""
    votes: Literal["shown"] | None = None
    """`shown`: models that vote in this phase are told the votes before it, with their confidence; None = they are not,
    because numbers that others gave anchor one's own. Whoever does not vote is told them."""


class Phase(Value):
    """One stage of a round: every seat of `role` gives one content of kind `gives`."""

    name: Identifier
    gives: Gives = "argument"
    role: Role = "debater"
    when: Literal["every", "first", "after_first", "middle", "last"] = "every"
    """`last` is the last round if it is not the first too: a single round has only an opening."""
    order: Literal["in_turn", "at_once"] = "in_turn"
    sees: Sees = Sees()
    only_in: tuple[Annotated[int, Field(ge=1, le=50)], ...] = ()
    """Only in the rounds of these numbers; () = in all that `when` says."""
    places: tuple[Annotated[int, Field(ge=1, le=50)], ...] = ()
    """Only the seats of the role at these places (1 = the first that was declared); () = all of them."""
    starts: Literal["declared", "rotate", "drawn"] = "declared"
    """Who is first: always the same, each round the next one, or an order drawn from the debate's seed."""
    directed: bool = False
    """The round's directive says who speaks, in which order; without one everybody does."""
    after_redo: bool = False
    """Asked only in a round in which the chair sent a directive back."""
    min_strength: Annotated[int, Field(ge=1, le=10)] | None = None
    """A critique that rates itself lower is asked once more, with its own rating quoted."""
    unless_decided: bool = False
    """Left out once the decision rule has a winner: a last look at what stayed open."""
    paired: bool = False
    """Its seats compare two options at a time and read no turn; which ones follows from the comparisons before."""
    sealed: bool = False
    """While it is open, nobody sees its turns, only who has answered (at_once phases only)."""

    @property
    def moderates(self) -> bool:
        """True if its seats lead the debate."""
        return self.role in ("moderator", "chair")

    @property
    def hides_names(self) -> bool:
        """True if its seats must not know who speaks. Whoever moderates has to know, whatever the phase says."""
        return self.sees.names == "stance" and not self.moderates


class Rounds(Value):
    """How many rounds: the default, the number above which we warn, the number nobody may pass."""

    default: Annotated[int, Field(ge=1)] = 2
    warn_above: Annotated[int, Field(ge=1)] = 4
    hard_max: Annotated[int, Field(ge=1, le=50)] = 8


class Protocol(Value):
    """The rules of a debate as data: drawn, validated before the start, recorded with the debate."""

    name: Identifier
    purpose: Line = ""
    source: Line = ""
    before: tuple[Phase, ...] = ()
    each_round: Annotated[tuple[Phase, ...], Field(min_length=1)]
    after: tuple[Phase, ...] = ()
    stop: Annotated[tuple[StopRule, ...], Field(min_length=1)] = (DecisionReached(), MaxRounds())
    decide: DecisionRule
    unverified_quotes: Literal["refuse"] | None = None
    """`refuse`: an option that rests on unverified quotes alone does not win; None = it wins, and is marked."""
    contradicting_ballots: Literal["abstain"] | None = None
    """`abstain`: a ballot counts as an abstention if its own text argues for another option; None = it counts, and is
    marked."""
    check_after: Literal["phase", "round"] = "phase"
    attempts: Annotated[int, Field(ge=1, le=4)] = 2
    min_debaters: Annotated[int, Field(ge=2, le=12)] | None = None
    """With fewer debaters it cannot be played; None = one is enough."""
    stances: Literal["required", "asked"] | None = None
    """Every debater is given a side to defend. Without one it cannot be played (required), or is not called a debate
    (asked); None = sides are free."""
    rounds: Rounds = Rounds()

    def phases(self) -> tuple[Phase, ...]:
        """Every phase once, in order."""
        return self.before + self.each_round + self.after

    def stop_parts(self) -> tuple[StopRule, ...]:
        """Every stop rule, and in place of an all_of the rules that it holds."""
        return tuple(part for rule in self.stop for part in parts_of(rule))

    @property
    def votes_told(self) -> Literal["shown", "hidden"]:
        """Whether models that vote in some phase are told the votes before theirs."""
        return "shown" if any(phase.sees.votes == "shown" for phase in self.phases()) else "hidden"

    @property
    def least_strength(self) -> int | None:
        """What a critique has to rate itself, of 10, or it is asked for once more; None if no phase asks that."""
        for phase in self.phases():
            if phase.min_strength is not None:
                return phase.min_strength
        return None

    @property
    def paired(self) -> bool:
        """True if options are compared two at a time."""
        return any(phase.paired for phase in self.phases())

    @property
    def generates(self) -> bool:
        """True if its seats propose what is compared, beside the options that were named before."""
        return any(phase.gives == "candidates" for phase in self.phases())

    @property
    def most_options(self) -> int:
        """How many options a debate by these rules can have."""
        return MOST_COMPARED if self.paired else MOST_OPTIONS

    @property
    def deciding_role(self) -> Role | None:
        """The role whose seat decides by naming an option; None where ballots are counted."""
        return self.decide.role if isinstance(self.decide, BySeat) else None

    def ceiling(self) -> Ceiling | None:
        """The limit of a debate by these rules, if they have one."""
        return next((rule for rule in self.stop if isinstance(rule, Ceiling)), None)

    def with_ceiling(self, ceiling: Ceiling | None) -> "Protocol":
        """The rules with this limit as the first of the stop rules instead of their own; None = without any."""
        others = [rule for rule in self.stop if not isinstance(rule, Ceiling)]
        if ceiling is None:
            return self.model_copy(update={"stop": tuple(others)})
        return self.model_copy(update={"stop": (ceiling, *others)})

    def mirror_of(self, name: str) -> Phase | None:
        """The phase in which what the phase of this name asks is asked again, in the reverse order."""
        return next((p for p in self.phases() if p.sees.mirrors == name), None)


class Driver(Value):
    """What a good decision is measured by, and how much of 100 it weighs."""

    name: Annotated[str, Field(max_length=120)]
    weight: Annotated[int, Field(ge=1, le=100)]


def are_weighted(drivers: Collection[Driver]) -> bool:
    """True if someone gave weights to the drivers: without, they are as even as whole numbers of 100 allow."""
    weights = [driver.weight for driver in drivers]
    return bool(weights) and max(weights) - min(weights) > 1


class Spec(Value):
    """One debate, complete: what `open_debate` takes and what the first event records."""

    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)]
    options: tuple[Line, ...]
    seats: tuple[Seat, ...]
    protocol: Protocol
    sources: tuple[Source, ...] = ()
    max_rounds: int = 2
    seed: Annotated[int, Field(ge=0, le=2**53 - 1)] = 0
    context: Annotated[str, Field(max_length=20_000)] = ""
    drivers: Annotated[tuple[Driver, ...], Field(max_length=MAX_DRIVERS)] = ()
    """Told to all seats; weighted criteria count by them, and no other rule does."""
    models: tuple[ModelLine, ...] = ()
    """The lines that the seats of models name."""
    templates: tuple[Template, ...] = ()
    """Digests of the prompts that models are given; those of this debate's own are here as a whole."""
    room: Room | None = None
    """People with roles of their own; None = whoever sits at the screen does what is to be done."""
    max_wait_s: Annotated[int, Field(ge=60, le=MAX_WAIT_S)] | None = None
    """How long the debate may wait for people once it has begun; then it ends, and nothing is decided. None = for as
    long as it takes."""
    parent: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")] | None = None
    """The debate that this one was set up from, with other options or rules; None = it stands by itself."""
    task: TaskType | None = None
    """What kind of decision it is: figures over many debates are also given for each kind."""
    yes_option: Line | None = None
    """The option that answers the question with yes, "" if none does; None = code reads it from their words."""
    practice: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,120}$")] | None = None
    """The practice debate that one person judges here, its truth being known; None = a debate of its own. It decides
    nothing, stands in no list of debates, and counts in figures on practice alone."""

    @property
    def rehearsal(self) -> bool:
        """True when scripted seats speak: shown and exported as rehearsal, never as a debate that was held."""
        return bool(self.seats_with("scripted"))

    def debaters(self) -> tuple[Seat, ...]:
        """The electorate of the counted rules, in schedule order."""
        return self.seats_of("debater")

    def is_decided_alone(self) -> bool:
        """True if one person at the screen has the only seat: nobody else has to be convinced."""
        return not self.has_people and [s.occupant for s in self.debaters()] == ["human"]

    def evidence_panel(self) -> tuple[Seat, ...]:
        """Debaters who are no model and no person: code that quotes. Code in another office only drafts."""
        return tuple(s for s in self.debaters() if s.occupant == "offline")

    def seats_of(self, role: Role) -> tuple[Seat, ...]:
        """Seats of one role, in declared order."""
        return tuple(s for s in self.seats if s.role == role)

    def seats_with(self, occupant: Occupant) -> tuple[Seat, ...]:
        """Seats that such an occupant fills, in declared order."""
        return tuple(s for s in self.seats if s.occupant == occupant)

    def ids_of(self, role: Role) -> tuple[str, ...]:
        """Ids of the seats of one role, in declared order."""
        return tuple(s.id for s in self.seats if s.role == role)

    def seat_ids(self) -> tuple[str, ...]:
        """Ids of all seats, in declared order."""
        return tuple(s.id for s in self.seats)

    def without_stance(self) -> tuple[Seat, ...]:
        """Debaters who defend no side of their own: positions are for them, in declared order."""
        return tuple(s for s in self.debaters() if not s.stance.strip())

    @property
    def has_people(self) -> bool:
        """True if people with roles of their own take part; else whoever sits at the screen does what is to be done."""
        return self.room is not None

    @property
    def terms(self) -> Room:
        """What was agreed on people: the room, or what holds for whoever sits alone at the screen."""
        return self.room or Room.alone()

    def people(self) -> tuple[Person, ...]:
        """Who takes part from the start, by name."""
        return self.room.people if self.room else ()

    def line(self, seat: Seat) -> ModelLine | None:
        """The model line of a seat; None if no model sits there."""
        if not seat.is_model:
            return None
        return next((line for line in self.models if line.id == seat.model), None)

    def lines_of(self, seats: Iterable[Seat]) -> list[ModelLine]:
        """The model lines of those of these seats in which models sit."""
        return [line for seat in seats if (line := self.line(seat)) is not None]

    def ceiling(self) -> Ceiling | None:
        """The limit of this debate, if it has one."""
        return self.protocol.ceiling()

    def seat(self, seat_id: str) -> Seat:
        """The seat of this id; InvalidSpec lists the seats there are."""
        for seat in self.seats:
            if seat.id == seat_id:
                return seat
        raise InvalidSpec(
            "unknown seat {seat_id!r}: this debate has {seats}",
            seat_id=seat_id,
            seats=", ".join(self.seat_ids()),
        )


class Slot(Value):
    """A place in the agenda of a debate. Phases after the last round take the number of the round that was last."""

    section: Literal["before", "round", "after"]
    round: int
    phase: Phase


def agenda(spec: Spec) -> tuple[Slot, ...]:
    """Every phase that may run, in order, if no stop rule fires before the last round."""
    slots = [Slot(section="before", round=1, phase=p) for p in spec.protocol.before]
    for number in range(1, spec.max_rounds + 1):
        phases = _phases_of_round(spec.protocol, number, spec.max_rounds)
        slots += [Slot(section="round", round=number, phase=p) for p in phases]
    slots += [Slot(section="after", round=spec.max_rounds, phase=p) for p in spec.protocol.after]
    return tuple(slots)


def slots_of_debaters(spec: Spec) -> list[Slot]:
    """The places of the agenda in which debaters speak."""
    return [slot for slot in agenda(spec) if slot.phase.role == "debater"]


def speakers_in(spec: Spec, slots: Iterable[Slot]) -> set[str]:
    """The seats that are asked somewhere in these places of the agenda, as long as no directive names others."""
    speakers = set[str]()
    for slot in slots:
        seats = spec.seats_of(slot.phase.role)
        places = slot.phase.places or range(1, len(seats) + 1)
        speakers |= {seat.id for place, seat in enumerate(seats, start=1) if place in places}
    return speakers


def _phases_of_round(protocol: Protocol, number: int, max_rounds: int) -> list[Phase]:
    return [phase for phase in protocol.each_round if _runs(phase, number, max_rounds)]


def _runs(phase: Phase, number: int, max_rounds: int) -> bool:
    if phase.only_in and number not in phase.only_in:
        return False
    match phase.when:
        case "every":
            return True
        case "first":
            return number == 1
        case "after_first":
            return number > 1
        case "middle":
            return 1 < number < max_rounds
        case "last":
            return number == max_rounds > 1
        case _:
            assert_never(phase.when)


def deciding_counts(protocol: Protocol, max_rounds: int) -> int:
    """How many counts can decide a debate of so many rounds: each after which it would end, or the last one alone."""
    if not any(isinstance(rule, DecisionReached) for rule in protocol.stop):
        return 1
    counts = int(any(asks_ballot(protocol, phase) for phase in protocol.after))
    for number in range(1, max_rounds + 1):
        phases = _phases_of_round(protocol, number, max_rounds)
        in_this_round = sum(asks_ballot(protocol, phase) for phase in phases)
        counts += min(1, in_this_round) if protocol.check_after == "round" else in_this_round
    return max(1, counts)


def asks_ballot(protocol: Protocol, phase: Phase) -> bool:
    """True if turns of this phase carry a ballot: debaters' arguments under a counted rule."""
    return isinstance(protocol.decide, CountedRule) and phase.role == "debater" and phase.gives in ARGUMENT_KINDS


def with_decision(protocol: Protocol, rule: DecisionRule) -> Protocol:
    """The protocol with another decision rule; what elects once, when the rounds are over, cannot end them."""
    stop = protocol.stop
    if isinstance(rule, Plurality | Elected):
        stop = tuple(s for s in stop if not _holds_decision(s))
    return protocol.model_copy(update={"decide": rule, "stop": stop})


SOFT_STOPS: Mapping[str, StopRule] = {
    "no_progress": NoProgress(),
    "nothing_moves": AllOf(rules=(NoProgress(), Stable())),
    "converged": Converged(),
    "all_agree": AllAgree(),
    "stable": Stable(),
}
"""What may end the rounds before the last one because going on would add nothing, by the name that set-up uses."""


def soft_stops_of(protocol: Protocol) -> tuple[str, ...]:
    """Names of the soft stops that this protocol can have: ballots settle only where they are cast."""
    if isinstance(protocol.decide, Tournament):
        return ()
    if isinstance(protocol.decide, BySeat):
        return ("no_progress", "converged")
    return ("no_progress", "nothing_moves", "all_agree", "stable")


def with_soft_stops(protocol: Protocol, names: Collection[str]) -> Protocol:
    """The protocol with these soft stops and no others, after its other stop rules: the reason of an end is theirs."""
    chosen = tuple(rule for name, rule in SOFT_STOPS.items() if name in names)
    kept = tuple(rule for rule in protocol.stop if rule in chosen or rule not in SOFT_STOPS.values())
    added = tuple(rule for rule in chosen if rule not in kept)
    return protocol.model_copy(update={"stop": (*kept, *added)})


def with_least_strength(protocol: Protocol, least: int) -> Protocol:
    """The protocol with every critique that has to rate itself as so strong or more; the same if it asks none to."""

    def asking(phase: Phase) -> Phase:
        if phase.min_strength is None:
            return phase
        return phase.model_copy(update={"min_strength": least})

    return _each(protocol, asking)


def with_votes_told(protocol: Protocol, told: Literal["shown", "hidden"]) -> Protocol:
    """The protocol in which models that vote are told the votes before theirs, or are not."""

    def telling(phase: Phase) -> Phase:
        votes = "shown" if told == "shown" and phase.role == "debater" else None
        return phase.model_copy(update={"sees": phase.sees.model_copy(update={"votes": votes})})

    return _each(protocol, telling)


def _each(protocol: Protocol, change: Callable[[Phase], Phase]) -> Protocol:
    parts = {"before": protocol.before, "each_round": protocol.each_round, "after": protocol.after}
    return protocol.model_copy(update={name: tuple(map(change, phases)) for name, phases in parts.items()})


def with_both_orders(protocol: Protocol) -> Protocol:
    """The protocol with every closing verdict asked again, in the reverse order; the same if it has none."""
    after: list[Phase] = []
    for phase in protocol.after:
        after.append(phase)
        if _can_be_mirrored(protocol, phase):
            after.append(_mirror(phase))
    return protocol.model_copy(update={"after": tuple(after)})


def _can_be_mirrored(protocol: Protocol, phase: Phase) -> bool:
    """True for a verdict that stands alone; not for one that a first verdict would leave out."""
    if phase.gives != "verdict" or phase.unless_decided:
        return False
    return phase.sees.mirrors is None and protocol.mirror_of(phase.name) is None


def _mirror(phase: Phase) -> Phase:
    sees = phase.sees.model_copy(update={"mirrors": phase.name})
    return phase.model_copy(update={"name": f"{phase.name[:31]}_reversed", "sees": sees})


def _holds_decision(rule: StopRule) -> bool:
    return any(isinstance(part, DecisionReached) for part in parts_of(rule))


_OF_PYDANTIC = {
    "missing": Sentence("field required"),
    "extra_forbidden": Sentence("extra inputs are not permitted"),
    "string_type": Sentence("input should be a valid string"),
    "string_too_long": Sentence("string should have at most {max_length} characters"),
    "string_too_short": Sentence("string should have at least {min_length} character"),
    "int_type": Sentence("input should be a valid integer"),
    "int_parsing": Sentence("input should be a valid integer, unable to parse string as an integer"),
    "bool_type": Sentence("input should be a valid boolean"),
    "greater_than_equal": Sentence("input should be greater than or equal to {ge}"),
    "less_than_equal": Sentence("input should be less than or equal to {le}"),
    "literal_error": Sentence("input should be {expected}"),
}
"""What it says most often, so that it can be said in another language too; the rest stays as pydantic says it."""


def first_problem(error: ValidationError, where: str = "") -> Sentence:
    """One clear sentence from a pydantic error: where, what, and the start of what was given."""
    problem = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in problem["loc"])
    return Sentence(
        "{where}: {problem}, not {given}",
        where=where or field or Sentence("the value"),
        problem=_in_own_words(problem),
        given=repr(problem.get("input"))[:80],
    )


def _in_own_words(problem: ErrorDetails) -> str:
    """What pydantic says of it: as a sentence of ours where one of them says exactly that."""
    english = problem["msg"][0].lower() + problem["msg"][1:]
    values = problem.get("ctx", {})
    own = values.get("error")
    template = _OF_PYDANTIC.get(problem["type"])
    if isinstance(own, ValueError) and isinstance(own.args[0], Sentence):
        sentence = Sentence("value error, {fault}", fault=own.args[0])
    elif template:
        sentence = Sentence(template, **values)
    else:
        return english
    return sentence if sentence == english else english


def read(kind: type[T], value: object) -> T:
    """Build a value from untrusted data; InvalidSpec with one clear sentence instead of a pydantic error."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise InvalidSpec(first_problem(error)) from None
