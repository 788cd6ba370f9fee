"""The agreement before the first turn: phases, stop rules, the decision rule, limits, and the Spec of one debate.

Data only; `checks` finds Specs that cannot be held. Presets and TOML files build these values, the engine reads them.
`engine.voting` counts votes, and `engine.schedule` decides who speaks.
"""

from collections.abc import Collection, Iterable
from typing import Annotated, Literal, NamedTuple, TypeVar, assert_never

from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.contents import ARGUMENT_KINDS, Gives
from debate_core.spec.models import ModelLine, Template
from debate_core.spec.output_schema import schema_text
from debate_core.spec.people import Person, Room, RoomRole
from debate_core.spec.rules import (
    BySeat,
    Ceiling,
    CountedRule,
    DecisionReached,
    DecisionRule,
    Escalation,
    MaxRounds,
    StopRule,
    SynthesiserDone,
    ballot_kind,
    parts_of,
)
from debate_core.spec.values import (
    MAX_QUESTION_CHARS,
    AskedQuestion,
    HeldElsewhere,
    Instructions,
    Line,
    MatchOf,
    Occupant,
    Role,
    Seat,
    Source,
    TaskType,
    Tool,
    Value,
    is_none,
)

T = TypeVar("T", bound=BaseModel)
MAX_DRIVERS = 12
MOST_OPTIONS = 8
MOST_COMPARED = 200
"""Limit for pairwise comparisons."""
MAX_WAIT_S = 366 * 86_400
"""One year; longer waits are mistakes."""
LOOK_UPS_PER_TURN = 3
"""Usual number of calls of a tool before a turn: a first search, and two with better words."""
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Sees(Value):
    """The earlier turns that a phase shows. No seat ever sees others' turns of an open at_once phase."""

    turns: Literal["all", "earlier_phases", "earlier_rounds", "last_round", "neighbours", "previous", "own"] = "all"
    """`neighbours`: the last turns of the two seats next to this one in a ring; `previous`: the turn just before."""
    names: Literal["stance", "seat"] = "stance"
    """`stance`: stances in place of names, also in the ids of claims."""
    shuffle: bool = False
    swaps: bool | None = None
    """Every other seat of the role reads the options in reverse order, against position bias."""
    mirrors: Identifier | None = None
    """Shows what the named phase saw, in reverse order, without the turns of that phase. Judges have a position bias,
    so a judge who names the same option in both orders is more reliable."""
    votes: Literal["shown"] | None = None
    """`shown`: models that vote in this phase see earlier votes with their confidence; None = they do not, because
    others' numbers anchor their own. Seats that do not vote always see them."""


class Phase(Value):
    """One phase of a round: every seat of `role` gives one content of kind `gives`."""

    name: Identifier
    gives: Gives = "argument"
    role: Role = "debater"
    when: Literal["every", "first", "after_first", "middle", "last"] = "every"
    """`last`: the last round unless it is also the first, since a single round has only an opening."""
    order: Literal["in_turn", "at_once"] = "in_turn"
    sees: Sees = Sees()
    only_in: tuple[Annotated[int, Field(ge=1, le=50)], ...] = ()
    """Only in these rounds; () = in all that `when` allows."""
    places: tuple[Annotated[int, Field(ge=1, le=50)], ...] = ()
    """Only the seats at these places of the role (1 = the first declared one); () = all of them."""
    starts: Literal["declared", "rotate", "drawn"] = "declared"
    """The first speaker: always the same, the next one each round, or drawn from the debate's seed."""
    directed: bool = False
    """The round's directive names the speakers in order; without one all speak."""
    after_redo: bool = False
    """Only in a round in which the chair sent a directive back."""
    min_strength: Annotated[int, Field(ge=1, le=10)] | None = None
    """A critique that rates itself lower is asked for once more, with its rating quoted."""
    unless_decided: bool = False
    """Skipped once the decision rule has a winner."""
    paired: bool = False
    """Seats compare two options at a time and read no turns; earlier comparisons determine the pairs."""
    sealed: bool = False
    """While it is open, its turns are hidden and only their arrival is visible (at_once phases only)."""
    live_for: Annotated[tuple[RoomRole, ...] | None, Field(exclude_if=is_none)] = None
    """Roles of people who read its turns while it is open, besides their speakers; None = all, () = no role."""
    history: Annotated[bool | None, Field(exclude_if=is_none)] = None
    """False: seats without a person do not read its turns in later phases and rounds. None = they do."""
    tools: tuple[Tool, ...] | None = Field(default=None, exclude_if=is_none)
    """Tools that its seats may call before a turn; None = none."""
    calls_per_turn: Annotated[int, Field(ge=1, le=8)] | None = Field(default=None, exclude_if=is_none)
    """Maximum number of calls before a turn; None = LOOK_UPS_PER_TURN where there are tools."""

    @property
    def max_look_ups(self) -> int:
        """Maximum number of look-ups before one turn; 0 without tools."""
        return (self.calls_per_turn or LOOK_UPS_PER_TURN) if self.tools else 0

    @property
    def moderates(self) -> bool:
        """True if its seats lead the debate."""
        return self.role in ("moderator", "chair")

    @property
    def hides_names(self) -> bool:
        """True if its seats must not know who speaks. Seats that moderate always know."""
        return self.sees.names == "stance" and not self.moderates


class Rounds(Value):
    """Number of rounds: the default, the number above which a warning appears, and the maximum."""

    default: Annotated[int, Field(ge=1)] = 2
    warn_above: Annotated[int, Field(ge=1)] = 4
    hard_max: Annotated[int, Field(ge=1, le=50)] = 8


class RoleInstructions(Value):
    """Instructions for every model with one role."""

    role: Role
    text: Instructions


class Protocol(Value):
    """The rules of a debate as data: validated before the start, recorded with the debate."""

    name: Identifier
    purpose: Line = ""
    source: Line = ""
    before: tuple[Phase, ...] = ()
    each_round: Annotated[tuple[Phase, ...], Field(min_length=1)]
    after: tuple[Phase, ...] = ()
    stop: Annotated[tuple[StopRule, ...], Field(min_length=1)] = (DecisionReached(), MaxRounds())
    decide: DecisionRule
    unverified_quotes: Literal["refuse"] | None = None
    """`refuse`: an option that rests on false quotes alone cannot win; None = it can, and is marked."""
    contradicting_ballots: Literal["abstain"] | None = None
    """`abstain`: a ballot counts as an abstention if its own text argues for another option; None = it counts and is
    marked."""
    check_after: Literal["phase", "round"] = "phase"
    attempts: Annotated[int, Field(ge=1, le=4)] = 2
    min_debaters: Annotated[int, Field(ge=2, le=12)] | None = None
    """Minimum number of debaters; None = one."""
    stances: Literal["required", "asked"] | None = None
    """`required`: every debater must have a stance. `asked`: without stances it is not called a debate. None = stances
    are optional."""
    recommends: Annotated[Literal["ranking"] | None, Field(exclude_if=is_none)] = None
    """`ranking`: the debate ends with a ranking of the options, beside its decision; None = without one."""
    rotate_models: Annotated[bool | None, Field(exclude_if=is_none)] = None
    """True: from round to round, each debater's seat gets the model of the next debater (`rotation`). None = no."""
    rounds: Rounds = Rounds()
    instructions: Annotated[tuple[RoleInstructions, ...] | None, Field(max_length=20, exclude_if=is_none)] = None
    """Added to the prompts of models; None = none."""
    escalation: Annotated[Escalation | None, Field(exclude_if=is_none)] = None
    """Addressee and date of an unresolved outcome; None = no one is named."""
    output_schema: Annotated[str | None, BeforeValidator(schema_text), Field(exclude_if=is_none)] = None
    """JSON Schema of the deliverable, which the synthesis contains, as JSON text; a protocol file may give a table.
    None = no deliverable."""
    max_look_ups: Annotated[int, Field(ge=1, le=1_000)] | None = Field(default=None, exclude_if=is_none)
    """Maximum number of look-ups in the whole debate; None = only the limit of each turn applies."""

    def phases(self) -> tuple[Phase, ...]:
        """Every phase once, in order."""
        return self.before + self.each_round + self.after

    def stop_parts(self) -> tuple[StopRule, ...]:
        """Every stop rule, with each all_of replaced by its parts."""
        return tuple(part for rule in self.stop for part in parts_of(rule))

    @property
    def votes_told(self) -> Literal["shown", "hidden"]:
        """`shown` if models in some voting phase see earlier votes."""
        return "shown" if any(phase.sees.votes == "shown" for phase in self.phases()) else "hidden"

    @property
    def least_strength(self) -> int | None:
        """The minimum self-rating of a critique, out of 10, below which it is asked for again; None = no minimum."""
        for phase in self.phases():
            if phase.min_strength is not None:
                return phase.min_strength
        return None

    @property
    def paired(self) -> bool:
        """True if options are compared in pairs."""
        return any(phase.paired for phase in self.phases())

    @property
    def generates(self) -> bool:
        """True if its seats propose options to compare."""
        return any(phase.gives == "candidates" for phase in self.phases())

    @property
    def most_options(self) -> int:
        """Maximum number of options."""
        return MOST_COMPARED if self.paired else MOST_OPTIONS

    @property
    def deciding_role(self) -> Role | None:
        """The role whose seat decides by naming an option; None where ballots are counted."""
        return self.decide.role if isinstance(self.decide, BySeat) else None

    @property
    def ranked_by(self) -> Literal["scores", "ballots"] | None:
        """The source of the recommended ranking: the ballots if they rank the options, else an evaluator's scores."""
        if self.recommends is None:
            return None
        return "ballots" if ballot_kind(self.decide) == "ranking" else "scores"

    def ceiling(self) -> Ceiling | None:
        """The limits of a debate under these rules, if any."""
        return next((rule for rule in self.stop if isinstance(rule, Ceiling)), None)

    def with_ceiling(self, ceiling: Ceiling | None) -> "Protocol":
        """The protocol with these limits as the first stop rule, replacing others; None = without limits."""
        others = [rule for rule in self.stop if not isinstance(rule, Ceiling)]
        if ceiling is None:
            return self.model_copy(update={"stop": tuple(others)})
        return self.model_copy(update={"stop": (ceiling, *others)})

    def mirror_of(self, name: str) -> Phase | None:
        """The phase that repeats the phase of this name in reverse order."""
        return next((p for p in self.phases() if p.sees.mirrors == name), None)


class Driver(Value):
    """A criterion for a good decision with its weight out of 100."""

    name: Annotated[str, Field(max_length=120)]
    weight: Annotated[int, Field(ge=1, le=100)]


def are_weighted(drivers: Collection[Driver]) -> bool:
    """True if a person gave weights to the drivers; default weights differ by at most 1."""
    weights = [driver.weight for driver in drivers]
    return bool(weights) and max(weights) - min(weights) > 1


class Spec(Value):
    """One complete debate: the argument of `open_debate`, recorded in the first event."""

    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)]
    options: tuple[Line, ...]
    seats: tuple[Seat, ...]
    protocol: Protocol
    sources: tuple[Source, ...] = ()
    max_rounds: int = 2
    seed: Annotated[int, Field(ge=0, le=2**53 - 1)] = 0
    context: Annotated[str, Field(max_length=20_000)] = ""
    drivers: Annotated[tuple[Driver, ...], Field(max_length=MAX_DRIVERS)] = ()
    """Shown to all seats; only weighted criteria count by them."""
    models: tuple[ModelLine, ...] = ()
    """The model lines of the seats of models."""
    templates: tuple[Template, ...] = ()
    """Digests of the prompts; prompts of this debate alone are included in full."""
    room: Room | None = None
    """People with roles; None = a single user without roles."""
    max_wait_s: Annotated[int, Field(ge=60, le=MAX_WAIT_S)] | None = None
    """The maximum wait for people once the debate has begun; after it the debate ends undecided. None = no limit."""
    parent: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")] | None = None
    """The debate from which this one was set up, with other options or rules; None = none."""
    task: TaskType | None = None
    """The kind of decision, by which statistics over many debates are grouped."""
    yes_option: Line | None = None
    """The option that answers the question with yes, "" = none; None = derived from the options' words."""
    practice: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,120}$")] | None = None
    """The practice debate with a known answer that one person judges here; None = not a practice. It decides nothing,
    appears in no list of debates, and counts only in statistics on practice."""
    match_of: MatchOf | None = Field(default=None, exclude_if=is_none)
    """The comparison of a tournament that this debate decides. No list shows it, and only its tournament runs it."""
    asked: AskedQuestion | None = Field(default=None, exclude_if=is_none)
    """The question of a program from which a person started this debate."""
    held_elsewhere: HeldElsewhere | None = Field(default=None, exclude_if=is_none)
    """The transcript from which this record was made; None = the debate was held here. It has no ballots."""

    @property
    def rehearsal(self) -> bool:
        """True if scripted seats speak: shown and exported as a rehearsal, never as a real debate."""
        return bool(self.seats_with("scripted"))

    def debaters(self) -> tuple[Seat, ...]:
        """The electorate of the counted rules, in schedule order."""
        return self.seats_of("debater")

    def is_decided_alone(self) -> bool:
        """True if a single user has the only seat, so that there are no others to convince."""
        return not self.has_people and [s.occupant for s in self.debaters()] == ["human"]

    def evidence_panel(self) -> tuple[Seat, ...]:
        """Debaters of code that quotes documents. Code in other roles only drafts."""
        return tuple(s for s in self.debaters() if s.occupant == "offline")

    def seats_of(self, role: Role) -> tuple[Seat, ...]:
        """Seats of one role, in declared order."""
        return tuple(s for s in self.seats if s.role == role)

    def seats_with(self, occupant: Occupant) -> tuple[Seat, ...]:
        """Seats with this occupant, in declared order."""
        return tuple(s for s in self.seats if s.occupant == occupant)

    def ids_of(self, role: Role) -> tuple[str, ...]:
        """Ids of the seats of one role, in declared order."""
        return tuple(s.id for s in self.seats if s.role == role)

    def seat_ids(self) -> tuple[str, ...]:
        """Ids of all seats, in declared order."""
        return tuple(s.id for s in self.seats)

    def without_stance(self) -> tuple[Seat, ...]:
        """Debaters without a stance, in declared order; they get assigned positions."""
        return tuple(s for s in self.debaters() if not s.stance.strip())

    @property
    def has_people(self) -> bool:
        """True if people with roles take part, rather than a single user."""
        return self.room is not None

    @property
    def terms(self) -> Room:
        """The agreement on people: the room, or the terms of a single user."""
        return self.room or Room.alone()

    def people(self) -> tuple[Person, ...]:
        """People who take part from the start."""
        return self.room.people if self.room else ()

    def line(self, seat: Seat) -> ModelLine | None:
        """The model line of a seat; None for other occupants."""
        if not seat.is_model:
            return None
        return next((line for line in self.models if line.id == seat.model), None)

    def lines_of(self, seats: Iterable[Seat]) -> list[ModelLine]:
        """The model lines of those of these seats that have one."""
        return [line for seat in seats if (line := self.line(seat)) is not None]

    def ceiling(self) -> Ceiling | None:
        """The limits of this debate, if any."""
        return self.protocol.ceiling()

    def seat(self, seat_id: str) -> Seat:
        """The seat of this id; InvalidSpec lists the seats."""
        for seat in self.seats:
            if seat.id == seat_id:
                return seat
        raise InvalidSpec(
            "unknown seat {seat_id!r}: this debate has {seats}",
            seat_id=seat_id,
            seats=", ".join(self.seat_ids()),
        )


class Slot(NamedTuple):
    """A place in the agenda. Phases after the rounds have the number of the last round."""

    section: Literal["before", "round", "after"]
    round: int
    phase: Phase


def agenda(spec: Spec) -> tuple[Slot, ...]:
    """Every phase in order, if no stop rule fires before the last round."""
    slots = [Slot(section="before", round=1, phase=p) for p in spec.protocol.before]
    for number in range(1, spec.max_rounds + 1):
        phases = _phases_of_round(spec.protocol, number, spec.max_rounds)
        slots += [Slot(section="round", round=number, phase=p) for p in phases]
    slots += [Slot(section="after", round=spec.max_rounds, phase=p) for p in spec.protocol.after]
    return tuple(slots)


def slots_of_debaters(spec: Spec) -> list[Slot]:
    return [slot for slot in agenda(spec) if slot.phase.role == "debater"]


def speakers_in(spec: Spec, slots: Iterable[Slot]) -> set[str]:
    """Seats that are asked in these slots, unless a directive names others."""
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
    """Number of counts that can decide a debate of this many rounds."""
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


def asks_another_round(protocol: Protocol, phase: Phase, number: int) -> bool:
    """True if the synthesis of this phase says whether another round is needed, which can end the rounds."""
    if phase.gives != "synthesis" or phase not in protocol.each_round:
        return False
    ends = [rule for rule in protocol.stop_parts() if isinstance(rule, SynthesiserDone)]
    return any(number >= rule.min_rounds for rule in ends)


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
"""The most frequent messages of pydantic as sentences that can be translated; others stay in English."""


def first_problem(error: ValidationError, where: str = "") -> Sentence:
    """One sentence from a pydantic error: the field, the problem, and the start of the value."""
    problem = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in problem["loc"])
    return Sentence(
        "{where}: {problem}, not {given}",
        where=where or field or Sentence("the value"),
        problem=_in_own_words(problem),
        given=repr(problem.get("input"))[:80],
    )


def _in_own_words(problem: ErrorDetails) -> str:
    """Pydantic's message, as a translatable sentence if there is one with the same text."""
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
    """Build a value from untrusted data; raises InvalidSpec with one sentence instead of a pydantic error."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise InvalidSpec(first_problem(error)) from None
