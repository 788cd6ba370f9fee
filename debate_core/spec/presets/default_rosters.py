"""Default seats: names, sides and commitments of the debaters, and a seat for every other role.

Data by protocol; for other protocols the cast follows from their rules. Personas, the focus of a debater, follow from
the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeVar

from debate_core.errors import InvalidSpec
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import BySeat
from debate_core.spec.values import Commitment, Occupant, Seat

Temper = Literal["sceptic", "pragmatist", "advocate"]

PERSONAS: dict[str, tuple[Temper, str]] = {
    "database_expert": ("advocate", "Data models, queries, consistency, indexes, transactions, migrations."),
    "cost_analyst": ("pragmatist", "Cost, price, licence, budget, spend per month, staffing, break-even."),
    "risk_manager": ("sceptic", "Risk, failure, outage, breaking change, conflict, rollback, compliance, lock-in."),
    "performance_skeptic": ("sceptic", "Latency, throughput, p95, load, scaling, memory, benchmarks, limits."),
    "delivery_lead": ("pragmatist", "Delivery, time, effort, team, transition, phases, release, deprecation."),
    "maintainer": ("pragmatist", "Maintenance, clarity, complexity, dependency, versioning, testing, documentation."),
    "security_engineer": ("sceptic", "Security, access, secrets, attack, privacy, audit, trust, exposure."),
    "developer_advocate": ("advocate", "Developers, usability, interface, adoption, examples, upgrade path."),
    "platform_architect": (
        "advocate",
        "Architecture, coupling, separation, interface, extension, integration, future.",
    ),
}
"""Persona id -> temper and focus in one line: part of a model's prompt, and search words of the evidence panel."""

QUOTING: dict[str, str] = {
    "database_expert": "quotes_on_data",
    "cost_analyst": "quotes_on_cost",
    "risk_manager": "quotes_on_risk",
    "performance_skeptic": "quotes_on_performance",
    "delivery_lead": "quotes_on_delivery",
    "maintainer": "quotes_on_maintenance",
    "security_engineer": "quotes_on_security",
    "developer_advocate": "quotes_on_usability",
    "platform_architect": "quotes_on_architecture",
}
"""Persona id -> name of a program with this focus, which is no expert: it quotes documents."""

_TRIGGERS: dict[str, tuple[str, ...]] = {
    "database_expert": ("database", "postgres", "sql", "dynamo", "storage", "schema", "vector", "query", "data"),
    "cost_analyst": ("cost", "price", "budget", "buy", "build", "cloud", "vendor", "licence", "license"),
    "risk_manager": ("migrate", "migration", "rewrite", "replace", "adopt", "release", "deprecat", "switch"),
    "performance_skeptic": ("performance", "latency", "scale", "stream", "async", "cache", "fast", "throughput"),
    "delivery_lead": ("release", "roadmap", "team", "now", "deadline", "phase", "transition"),
    "maintainer": ("refactor", "monorepo", "dependency", "library", "sdk", "connector", "version", "package"),
    "security_engineer": ("security", "auth", "secret", "token", "encrypt", "privacy", "access"),
    "developer_advocate": ("api", "sdk", "developer", "interface", "template", "prompt", "client"),
    "platform_architect": ("architecture", "service", "module", "plugin", "event", "microservice", "pattern"),
}


def roles_for_question(question: str, n: int = 3) -> tuple[str, ...]:
    """Persona ids for a question; deterministic.

    Ranked by trigger words in the question, then by position here. At least one sceptic or pragmatist is included.
    `n` is 1 to the number of personas.
    """
    if not 1 <= n <= len(PERSONAS):
        raise InvalidSpec("the panel size must be 1 to {most}, not {n}", most=len(PERSONAS), n=n)
    text = question.casefold()
    names = list(PERSONAS)
    ranked = sorted(names, key=lambda p: (-sum(word in text for word in _TRIGGERS[p]), names.index(p)))
    panel = ranked[:n]
    if all(PERSONAS[p][0] == "advocate" for p in panel):
        panel[-1] = next(p for p in ranked if PERSONAS[p][0] != "advocate")
    return tuple(panel)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cast:
    """The debaters of a protocol. Values for several places are used in turn."""

    size: int | None = 3
    """None = one per option."""
    names: tuple[str, ...] = ()
    """() = personas chosen for the question."""
    sides: tuple[str, ...] = ()
    """Stances; `{own}` is the option at the seat's place, `{first}` the first option."""
    commitments: tuple[Commitment, ...] = ()
    """() = seats with a side may concede points, others may follow the evidence."""


OPEN = Cast()
TWO_SIDES = Cast(size=2, sides=("{own}",))
EACH_OPTION = Cast(size=None, sides=("{own}",))
LOCKED = Cast(size=None, sides=("{own}",), commitments=("locked",))
CASTS = {
    "stance_judge": LOCKED,
    "moderated_judge": LOCKED,
    "multi_position": EACH_OPTION,
    "round_robin_panel": OPEN,
    "proposer_critic": Cast(
        names=("proposer", "critic", "rebuttal"),
        sides=("{first}", "against {first}", "in defence of {first}"),
        commitments=("concede_points", "adversary", "concede_points"),
    ),
    "adversary": Cast(
        size=2,
        names=("proposer", "critic"),
        sides=("{first}", "against {first}"),
        commitments=("concede_points", "adversary"),
    ),
    "mediated_rounds": Cast(size=2, sides=("{own}",), commitments=("concede_points", "adversary")),
    "two_answers": Cast(size=2, sides=("{own}",), commitments=("locked",)),
    "assigned_positions": OPEN,
    "self_consistency": Cast(size=5, names=("solver",)),
    "checked_answers": Cast(size=3, names=("solver",)),
    "tournament": Cast(size=3, names=("reviewer",)),
    "co_scientist": Cast(size=3, names=("reviewer",)),
    "single_call": Cast(size=1, names=("solver",)),
    "supervised_answer": Cast(size=1, names=("worker",)),
}
"""Casts by protocol name; see `cast_of` for the others."""


def cast_of(protocol: Protocol) -> Cast:
    """The preset's cast; else two sides where a seat decides, three personas where votes do."""
    suggested = TWO_SIDES if isinstance(protocol.decide, BySeat) else OPEN
    usual = CASTS.get(protocol.name, suggested)
    least = max(chain.from_iterable(phase.places for phase in _of_debaters(protocol)), default=1)
    if usual.size is None or usual.size >= least:
        return usual
    return Cast(least, usual.names, usual.sides)


def _of_debaters(protocol: Protocol) -> list[Phase]:
    return [phase for phase in protocol.phases() if phase.role == "debater"]


def panel_size(protocol: Protocol, options: Sequence[str] = ()) -> int:
    """The usual number of debaters; at least two if each option has one."""
    size = cast_of(protocol).size
    return max(2, len(options)) if size is None else size


def default_seats(
    protocol: Protocol, question: str, options: Sequence[str], occupant: Occupant, size: int | None = None
) -> tuple[Seat, ...]:
    """The debaters, and a seat for every other role in the phases except the chair. Deterministic.

    Raises InvalidSpec for a number of debaters that does not fit, where each place has its own phases.
    """
    usual = panel_size(protocol, options)
    n_debaters = usual if size is None else size
    if n_debaters != usual and all(phase.places for phase in _of_debaters(protocol)):
        raise InvalidSpec(
            "{name} seats exactly {usual} debaters, one for each place, not {size}",
            name=protocol.name,
            usual=usual,
            size=n_debaters,
        )
    rules = cast_of(protocol)
    seats = []
    suggested = roles_for_question(question, n_debaters)
    names = rules.names or suggested
    for place in range(1, n_debaters + 1):
        name = names[place - 1] if place <= len(names) else f"{names[-1]}_{place}"
        stance = _stance(rules, options, place)
        persona = "" if rules.names else PERSONAS[name][1]
        commitment = commitment_at(protocol, place, stance)
        seats.append(Seat(id=name, occupant=occupant, stance=stance, persona=persona, commitment=commitment))
    return (*tuple(seats), *other_seats(protocol, occupant))


def _stance(rules: Cast, options: Sequence[str], place: int) -> str:
    if not rules.sides or not options:
        return ""
    side = _in_turn(rules.sides, place)
    return side.replace("{first}", options[0]).replace("{own}", _in_turn(options, place))


def _in_turn(values: Sequence[T], place: int) -> T:
    """The value for the seat at this place (1 = first) from values used in turn."""
    return values[(place - 1) % len(values)]


def commitment_at(protocol: Protocol, place: int, stance: str) -> Commitment:
    """The commitment of the debater at this place (1 = first): from the cast, else by whether it has a side."""
    commitments = cast_of(protocol).commitments
    if commitments and stance:
        return _in_turn(commitments, place)
    gets_a_stance = any(phase.gives == "positions" for phase in protocol.phases())
    if stance or gets_a_stance:
        return "concede_points"
    return "open"


def other_seats(protocol: Protocol, occupant: Occupant) -> tuple[Seat, ...]:
    """A seat without a side for every role in the phases except debaters and the chair, which is a person's."""
    roles = dict.fromkeys(p.role for p in protocol.phases() if p.role not in ("debater", "chair"))
    return tuple(Seat(id=role, role=role, occupant=occupant, commitment="open") for role in roles)
