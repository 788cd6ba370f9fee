"""What is agreed before the first turn: phases, stop rules, the decision rule, limits, and the Spec of one debate.

Data only, plus `check`, which says why a Spec cannot be played. Presets and TOML files build these values;
the engine reads them. It does not know how votes are counted (`rules.voting`) or who speaks (`rules.schedule`).
"""

from collections import Counter
from typing import Annotated, Literal, TypeVar, assert_never

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from debate_core.errors import InvalidSpec
from debate_core.model import (
    ABSTAIN,
    ARGUMENT_KINDS,
    GIVERS,
    MAX_QUESTION_CHARS,
    Gives,
    Line,
    ModelLine,
    Role,
    Seat,
    Source,
    Template,
    Value,
)
from debate_core.rulebook import (
    AllOf,
    BySeat,
    Ceiling,
    DecisionReached,
    DecisionRule,
    MaxRounds,
    StopRule,
    Supermajority,
    Threshold,
    never_holds,
    stop_fault,
)

T = TypeVar("T", bound=BaseModel)
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Sees(Value):
    """What a phase shows its seats of the turns before it. No seat ever sees a turn of its own at_once phase."""

    turns: Literal["all", "earlier_phases", "earlier_rounds", "last_round", "neighbours", "previous", "own"] = "all"
    """`neighbours`: the last turns of the two seats beside this one in a ring; `previous`: the turn just before."""
    names: Literal["stance", "seat"] = "stance"
    shuffle: bool = False


class Phase(Value):
    """One stage of a round: every seat of `role` gives one content of kind `gives`."""

    name: Name
    gives: Gives = "argument"
    role: Role = "debater"
    when: Literal["every", "first", "after_first", "middle", "last"] = "every"
    """`last` is the last round if it is not the first too: a single round has only an opening (R143)."""
    order: Literal["in_turn", "at_once"] = "in_turn"
    sees: Sees = Sees()
    places: tuple[Annotated[int, Field(ge=1, le=50)], ...] = ()
    """Only the seats of the role at these places (1 = the first that was declared); () = all of them."""
    starts: Literal["declared", "rotate", "drawn"] = "declared"
    """Who is first: always the same, each round the next one, or an order drawn from the debate's seed (R028)."""
    directed: bool = False
    """The round's directive says who speaks, in which order; without one everybody does (R089, R093)."""
    after_redo: bool = False
    """Asked only in a round in which the chair sent a directive back (R290)."""
    min_strength: Annotated[int, Field(ge=1, le=10)] | None = None
    """A critique that rates itself lower is asked once more, with its own rating quoted (seed 004, R238)."""
    unless_decided: bool = False
    """Left out once the decision rule has a winner: a last look at what stayed open."""
    sealed: bool = False
    """While it is open, nobody sees its turns, only who has answered (at_once phases only)."""


class Rounds(Value):
    """How many rounds: the default, the number above which we warn, the number nobody may pass."""

    default: Annotated[int, Field(ge=1)] = 2
    warn_above: Annotated[int, Field(ge=1)] = 4
    hard_max: Annotated[int, Field(ge=1, le=50)] = 8


class Protocol(Value):
    """The rules of a debate as data: drawn, validated before the start, recorded with the debate."""

    name: Name
    purpose: Line = ""
    source: Line = ""
    before: tuple[Phase, ...] = ()
    each_round: Annotated[tuple[Phase, ...], Field(min_length=1)]
    after: tuple[Phase, ...] = ()
    stop: Annotated[tuple[StopRule, ...], Field(min_length=1)] = (DecisionReached(), MaxRounds())
    decide: DecisionRule
    check_after: Literal["phase", "round"] = "phase"
    attempts: Annotated[int, Field(ge=1, le=4)] = 2
    rounds: Rounds = Rounds()

    def phases(self) -> tuple[Phase, ...]:
        """Every phase once, in order."""
        return self.before + self.each_round + self.after


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
    models: tuple[ModelLine, ...] = ()
    """The lines that the seats of models name."""
    templates: tuple[Template, ...] = ()
    """Digests of the prompts that models are given; those of this debate's own are here as a whole (R262)."""

    @property
    def rehearsal(self) -> bool:
        """True when scripted seats speak: shown and exported as rehearsal, never as a debate that was held."""
        return any(s.occupant == "scripted" for s in self.seats)

    def debaters(self) -> tuple[Seat, ...]:
        """The electorate of the counted rules, in schedule order."""
        return self.seats_of("debater")

    def seats_of(self, role: Role) -> tuple[Seat, ...]:
        """Seats of one role, in declared order."""
        return tuple(s for s in self.seats if s.role == role)

    def without_stance(self) -> tuple[Seat, ...]:
        """Debaters who defend no side of their own: positions are for them, in declared order."""
        return tuple(s for s in self.debaters() if not s.stance.strip())

    def line(self, seat: Seat) -> ModelLine | None:
        """The model line of a seat; None if no model sits there."""
        return next((m for m in self.models if m.id == seat.model), None) if seat.occupant == "model" else None

    def ceiling(self) -> Ceiling | None:
        """The limit of this debate, if it has one."""
        return next((r for r in self.protocol.stop if isinstance(r, Ceiling)), None)

    def seat(self, seat_id: str) -> Seat:
        """The seat of this id; InvalidSpec lists the seats there are."""
        for seat in self.seats:
            if seat.id == seat_id:
                return seat
        raise InvalidSpec(f"unknown seat {seat_id!r}: this debate has {', '.join(s.id for s in self.seats)}")


class Slot(Value):
    """A place in the agenda of a debate. Phases after the last round take the number of the round that was last."""

    section: Literal["before", "round", "after"]
    round: int
    phase: Phase


def agenda(spec: Spec) -> tuple[Slot, ...]:
    """Every phase that may run, in order, if no stop rule fires before the last round."""
    slots = [Slot(section="before", round=1, phase=p) for p in spec.protocol.before]
    for number in range(1, spec.max_rounds + 1):
        slots += [
            Slot(section="round", round=number, phase=p) for p in spec.protocol.each_round if _runs(p, number, spec)
        ]
    slots += [Slot(section="after", round=spec.max_rounds, phase=p) for p in spec.protocol.after]
    return tuple(slots)


def _runs(phase: Phase, number: int, spec: Spec) -> bool:
    match phase.when:
        case "every":
            return True
        case "first":
            return number == 1
        case "after_first":
            return number > 1
        case "middle":
            return 1 < number < spec.max_rounds
        case "last":
            return number == spec.max_rounds > 1
        case _:
            assert_never(phase.when)


def asks_ballot(protocol: Protocol, phase: Phase) -> bool:
    """True if turns of this phase carry a ballot: debaters' arguments under a counted rule."""
    return not isinstance(protocol.decide, BySeat) and phase.role == "debater" and phase.gives in ARGUMENT_KINDS


def check(spec: Spec) -> None:
    """Raise InvalidSpec with one sentence if this debate cannot be played (R032, R047, R048, R118)."""
    _check_question(spec)
    _check_seats(spec)
    _check_rounds(spec)
    _check_protocol(spec.protocol)
    _check_decision(spec)
    _check_places(spec)


def _check_question(spec: Spec) -> None:
    if not spec.question.strip():
        raise InvalidSpec("the question is empty: write the decision to be made as one question")
    if not 2 <= len(spec.options) <= 8:
        raise InvalidSpec(f"a debate needs 2 to 8 options, this one has {len(spec.options)}")
    for option in spec.options:
        if not option.strip() or option != option.strip():
            raise InvalidSpec(f"option {option!r} is empty or has blanks around it")
        if option.casefold() == ABSTAIN:
            raise InvalidSpec(f"no option may be called {ABSTAIN!r}: the word is kept for abstentions")
    _refuse_repeats("option", [o.casefold() for o in spec.options])


def _refuse_repeats(what: str, names: list[str]) -> None:
    again = [name for name, n in Counter(names).items() if n > 1]
    if again:
        raise InvalidSpec(f"{what} {again[0]!r} is named twice: every {what} needs a name of its own")


def _check_seats(spec: Spec) -> None:
    if not spec.debaters():
        raise InvalidSpec("debater_ids must not be empty: seat at least one debater")
    _refuse_repeats("seat", [s.id.casefold() for s in spec.seats])
    _refuse_repeats("source", [s.id for s in spec.sources])
    _refuse_repeats("model line", [m.id for m in spec.models])


def _check_rounds(spec: Spec) -> None:
    hard_max = spec.protocol.rounds.hard_max
    if spec.max_rounds < 1:
        raise InvalidSpec(f"max_rounds must be at least 1, not {spec.max_rounds}")
    if spec.max_rounds > hard_max:
        raise InvalidSpec(f"max_rounds {spec.max_rounds} is above the hard maximum {hard_max} of {spec.protocol.name}")


def _check_protocol(protocol: Protocol) -> None:
    _refuse_repeats("phase", [p.name for p in protocol.phases()])
    for phase in protocol.phases():
        if phase.sealed and phase.order != "at_once":
            raise InvalidSpec(f"phase {phase.name!r} is sealed but its seats speak in turn: only at_once can be sealed")
        _check_phase(phase, protocol)
    _check_directives(protocol)
    if any(p.when != "every" for p in protocol.before + protocol.after):
        raise InvalidSpec(f"{protocol.name}: only phases of a round can say when, not those before or after")
    if sum(isinstance(rule, Ceiling) for rule in protocol.stop) > 1:
        raise InvalidSpec(f"{protocol.name}: one ceiling can have several axes, but there can be only one")
    if not any(isinstance(rule, MaxRounds) for rule in protocol.stop):
        raise InvalidSpec(f"{protocol.name}: one of the stop rules must be max_rounds, or a debate may never end")
    if not protocol.rounds.default <= protocol.rounds.hard_max:
        raise InvalidSpec(f"{protocol.name}: the default number of rounds is above the hard maximum")
    if fault := stop_fault(protocol.stop, protocol.decide, {p.gives for p in protocol.each_round}):
        raise InvalidSpec(f"{protocol.name}: {fault}")
    _check_last_ballots(protocol)


def _check_last_ballots(protocol: Protocol) -> None:
    """What ends the rounds because it is decided must still be decided at the end."""
    last = next((p.name for p in protocol.after if asks_ballot(protocol, p)), None)
    rules = [r for rule in protocol.stop for r in (rule.rules if isinstance(rule, AllOf) else (rule,))]
    if last and any(isinstance(r, DecisionReached) for r in rules):
        raise InvalidSpec(
            f"phase {last!r} asks for a ballot after the rounds, which could undo what stop rule decision_reached "
            "found: leave out one of them"
        )


def _check_phase(phase: Phase, protocol: Protocol) -> None:
    givers = GIVERS.get(phase.gives, (phase.role,))
    if phase.role not in givers:
        raise InvalidSpec(f"phase {phase.name!r} gives {phase.gives}: only the {' or the '.join(givers)} can give it")
    if phase.gives == "positions" and phase not in protocol.before:
        raise InvalidSpec(f"phase {phase.name!r} gives positions: only a phase before the rounds can")
    if phase.directed and (phase.role != "debater" or phase.places):
        raise InvalidSpec(f"phase {phase.name!r} is directed: only a phase of all debaters can be")
    twice = [place for place in phase.places if phase.places.count(place) > 1]
    if twice:
        raise InvalidSpec(f"phase {phase.name!r} asks place {twice[0]} twice: a seat has one turn in a phase")
    if phase.min_strength is not None and phase.gives != "critique":
        raise InvalidSpec(f"phase {phase.name!r} has a min_strength but gives {phase.gives}: only a critique has one")
    if phase.min_strength is not None and protocol.attempts < 2:
        raise InvalidSpec(f"phase {phase.name!r} has a min_strength: to ask once more, attempts must be 2 or more")


def _check_directives(protocol: Protocol) -> None:
    """A directive steers what comes after it in its own round."""
    for phase in protocol.before + protocol.after:
        if phase.directed or phase.after_redo or phase.gives == "directive":
            raise InvalidSpec(
                f"phase {phase.name!r} is directed or gives a directive outside the rounds: a directive steers a round"
            )
    given = list[Role]()
    for phase in protocol.each_round:
        if phase.directed and not given:
            raise InvalidSpec(
                f"phase {phase.name!r} is directed, but no phase before it in the round gives a directive"
            )
        if phase.after_redo and (phase.gives != "directive" or "chair" not in given):
            raise InvalidSpec(
                f"phase {phase.name!r} is after_redo: it must give a directive, after one of the chair's in the round"
            )
        given += [phase.role] if phase.gives == "directive" else []


def _check_places(spec: Spec) -> None:
    for phase in spec.protocol.phases():
        there = len(spec.seats_of(phase.role))
        missing = [p for p in phase.places if p > there]
        if missing and there:
            raise InvalidSpec(
                f"phase {phase.name!r} asks {phase.role} {missing[0]}, but there are only {there}: seat one more"
            )
        if phase.sees.turns == "neighbours" and there == 1:
            raise InvalidSpec(f"phase {phase.name!r} sees neighbours, but there is one {phase.role}: seat another one")
    asked = [s.phase.places for s in agenda(spec) if s.phase.role == "debater"]
    silent = next((s.id for n, s in enumerate(spec.debaters(), 1) if not any(not p or n in p for p in asked)), None)
    if silent:
        raise InvalidSpec(f"seat {silent!r} would never be asked: with max_rounds {spec.max_rounds} no phase is for it")


def _check_decision(spec: Spec) -> None:
    rule, eligible = spec.protocol.decide, len(spec.debaters())
    if isinstance(rule, BySeat):
        seats = spec.seats_of(rule.role)
        gives = {p.gives for p in spec.protocol.phases() if p.role == rule.role}
        if len(seats) != 1 or not gives & {"synthesis", "verdict"}:
            raise InvalidSpec(
                f"{spec.protocol.name} is decided by the {rule.role}: seat exactly one who gives a synthesis or a "
                f"verdict, not {len(seats)}"
            )
        return
    if not any(asks_ballot(spec.protocol, p) for p in spec.protocol.phases()):
        raise InvalidSpec(f"{spec.protocol.name} counts votes, but none of its phases asks the debaters for one")
    if rule.quorum is not None and rule.quorum > eligible:
        raise InvalidSpec(f"the quorum must be 1 to {eligible} (the number of debaters), not {rule.quorum}")
    if isinstance(rule, Supermajority) and not rule.denominator < 2 * rule.numerator <= 2 * rule.denominator:
        raise InvalidSpec(
            f"a supermajority is more than one half and at most all, not {rule.numerator}/{rule.denominator}"
        )
    if isinstance(rule, Threshold):
        if not 1 <= rule.votes <= eligible:
            raise InvalidSpec(f"the threshold must be 1 to {eligible} (the number of debaters), not {rule.votes}")
        if 2 * rule.votes <= eligible and not rule.allows_two_winners:
            raise InvalidSpec(
                f"with {eligible} debaters a threshold of {rule.votes} could elect two options: "
                f"take {eligible // 2 + 1} to {eligible}"
            )


def warnings(spec: Spec) -> tuple[str, ...]:
    """What can be played but should be thought over before the start, one sentence each (R113)."""
    found = []
    rule, eligible, rounds = spec.protocol.decide, len(spec.debaters()), spec.protocol.rounds
    if isinstance(rule, Threshold) and 2 * rule.votes <= eligible:
        found.append(
            f"with {eligible} debaters two options can reach {rule.votes} votes: that is a tie, not a decision"
        )
    if spec.max_rounds > rounds.warn_above:
        found.append(f"{spec.max_rounds} rounds are more than {rounds.warn_above}: later rounds rarely add arguments")
    texts = Counter((s.stance.strip().casefold(), s.persona.strip().casefold()) for s in spec.debaters())
    if any(n > 1 for n in texts.values()) and any(s.occupant == "model" for s in spec.debaters()):
        found.append("two seats have the same stance and persona: their agreement would be no evidence")
    if eligible == 1:
        found.append("one debater alone is no debate")
    said = _said_in_rounds(spec)
    found += [why for rule in spec.protocol.stop if (why := never_holds(rule, said, spec.max_rounds))]
    return tuple(found)


def _said_in_rounds(spec: Spec) -> set[str]:
    """What the seats that are taken give in the rounds, "ballot" and "decision" too: what a stop rule can go by."""
    protocol, rule = spec.protocol, spec.protocol.decide
    phases = [s.phase for s in agenda(spec) if s.section != "after" and spec.seats_of(s.phase.role)]
    said: set[str] = {p.gives for p in phases}
    if any(asks_ballot(protocol, p) for p in phases):
        said |= {"ballot", "decision"}
    if isinstance(rule, BySeat) and any(p.role == rule.role and p.gives in ("synthesis", "verdict") for p in phases):
        said.add("decision")
    return said


def first_problem(error: ValidationError) -> str:
    """One clear sentence from a pydantic error: where, what, and the start of what was given."""
    problem = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in problem["loc"]) or "the value"
    given = repr(problem.get("input"))
    return f"{where}: {problem['msg'][0].lower()}{problem['msg'][1:]}, not {given[:80]}"


def read(kind: type[T], value: object) -> T:
    """Build a value from untrusted data; InvalidSpec with one clear sentence instead of a pydantic error."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise InvalidSpec(first_problem(error)) from None
