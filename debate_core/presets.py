"""Named protocols, personas and example questions: data only. Each preset says its source and what it is for.

Adding one is adding a value here (at most 20 lines); the engine needs no change.
"""

from collections.abc import Sequence
from typing import Literal

from debate_core.errors import InvalidSpec
from debate_core.model import Commitment, ModelLine, Occupant, Seat, Source, Template
from debate_core.protocol import Phase, Protocol, Rounds, Sees, Spec, check, read
from debate_core.rulebook import BySeat, DecisionReached, Majority, MaxRounds, Threshold

BEFORE = Sees(turns="earlier_phases")
SHUFFLED = Sees(turns="all", shuffle=True)

BOUNDED_VOTE = Protocol(
    name="bounded_vote",
    purpose="A counted vote over four short phases; ends as soon as enough seats agree, escalates if they never do.",
    source="seed 000, Debate (orchestration pattern)",
    each_round=(
        Phase(name="proposal", order="at_once", sees=BEFORE),
        Phase(name="marking", gives="review", role="chair"),
        Phase(name="critique"),
        Phase(name="revision"),
        Phase(name="consensus"),
    ),
    stop=(DecisionReached(), MaxRounds()),
    decide=Threshold(votes=2, allows_two_winners=True),
    rounds=Rounds(default=2, warn_above=4, hard_max=8),
)

EXPERT_PANEL = Protocol(
    name="expert_panel",
    purpose="Experts with different lenses open and criticise side by side; code says consensus, split or incoherent.",
    source="seed 003, Multi-agent debate with an evidence table",
    each_round=(
        Phase(name="opening", when="first", order="at_once", sees=BEFORE),
        Phase(name="marking", gives="review", role="chair", when="after_first"),
        Phase(name="critique", gives="critique", when="after_first", order="at_once", sees=BEFORE),
    ),
    after=(Phase(name="synthesis", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    decide=Majority(ballots_in_a_row=2),
    rounds=Rounds(default=2, warn_above=4, hard_max=6),
)

DELIBERATION = Protocol(
    name="deliberation",
    purpose="Two sides open, rebut and close; a synthesiser without a side weighs them and names an option or none.",
    source="seed 002, Debate / Deliberation",
    each_round=(
        Phase(name="opening", when="first", order="at_once", sees=BEFORE),
        Phase(name="rebuttal", gives="rebuttal", when="middle", order="at_once", sees=BEFORE),
        Phase(name="closing", gives="rebuttal", when="last", order="at_once", sees=BEFORE),
    ),
    after=(Phase(name="synthesis", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    stop=(MaxRounds(),),
    decide=BySeat(role="synthesiser"),
    rounds=Rounds(default=3, warn_above=4, hard_max=6),
)

PROTOCOLS = {p.name: p for p in (BOUNDED_VOTE, DELIBERATION, EXPERT_PANEL)}


def protocol(name: str) -> Protocol:
    """The preset of this name. InvalidSpec lists the names there are."""
    if name not in PROTOCOLS:
        raise InvalidSpec(f"unknown protocol {name!r}: choose one of {', '.join(sorted(PROTOCOLS))}")
    return PROTOCOLS[name]


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
"""Persona id -> temper and the lens in one line: what a model is told, and the words the evidence panel looks for."""

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
    """Persona ids for a question: the same question always gives the same panel (R196).

    Ranked by trigger words in the question, then by name's place here; one sceptic or pragmatist always sits
    in it (R201). `n` is 1 to the number of personas.
    """
    if not 1 <= n <= len(PERSONAS):
        raise InvalidSpec(f"the panel size must be 1 to {len(PERSONAS)}, not {n}")
    text = question.casefold()
    names = list(PERSONAS)
    ranked = sorted(names, key=lambda p: (-sum(word in text for word in _TRIGGERS[p]), names.index(p)))
    panel = ranked[:n]
    if all(PERSONAS[p][0] == "advocate" for p in panel):
        panel[-1] = next(p for p in ranked if PERSONAS[p][0] != "advocate")
    return tuple(panel)


def panel_size(protocol: Protocol) -> int:
    """How many debaters are usual: two sides where a seat decides (seed 002), else three lenses (seed 003)."""
    return 2 if isinstance(protocol.decide, BySeat) else 3


def panel_for(question: str, n: int, occupant: Occupant, sides: Sequence[str] = ()) -> tuple[Seat, ...]:
    """Debater seats from the persona selector; with `sides`, each has one to defend, in turn (R147)."""
    stances = [sides[i % len(sides)] if sides else "" for i in range(n)]
    return tuple(
        Seat(id=p, occupant=occupant, stance=stance, persona=PERSONAS[p][1], commitment=commitment_to(stance))
        for p, stance in zip(roles_for_question(question, n), stances, strict=True)
    )


def commitment_to(stance: str) -> Commitment:
    """Whoever has a side may concede points but not change it (R154); the others may follow the evidence."""
    return "concede_points" if stance else "open"


def synthesiser(occupant: Occupant) -> Seat:
    """The closing seat: no side, separate from the debaters."""
    return Seat(id="synthesiser", role="synthesiser", occupant=occupant, commitment="open")


def compose(
    question: str,
    options: Sequence[str],
    protocol: Protocol,
    seats: Sequence[Seat],
    *,
    sources: Sequence[Source] = (),
    max_rounds: int | None = None,
    threshold: int | None = None,
    seed: int = 0,
    context: str = "",
    models: Sequence[ModelLine] = (),
    templates: Sequence[Template] = (),
) -> Spec:
    """A checked Spec from what people chose; None means what the protocol says. InvalidSpec in one sentence."""
    if threshold is not None:
        protocol = with_threshold(protocol, threshold)
    fields = {
        "question": question.strip(),
        "options": tuple(options),
        "seats": tuple(seats),
        "protocol": protocol,
        "sources": tuple(sources),
        "max_rounds": protocol.rounds.default if max_rounds is None else max_rounds,
        "seed": seed,
        "context": context,
        "models": tuple(models),
        "templates": tuple(templates),
    }
    spec = read(Spec, fields)
    check(spec)
    return spec


def with_threshold(protocol: Protocol, votes: int) -> Protocol:
    """The protocol with another threshold. InvalidSpec if it does not count votes against one."""
    if not isinstance(protocol.decide, Threshold):
        raise InvalidSpec(f"{protocol.name} has no threshold: it decides by {protocol.decide.kind}")
    if votes < 1:
        raise InvalidSpec(f"the threshold must be 1 to the number of debaters, not {votes}")
    return protocol.model_copy(update={"decide": protocol.decide.model_copy(update={"votes": votes})})


EXAMPLE_QUESTIONS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("Should we move the orders database to a managed key-value store?", ("migrate", "stay", "partition first")),
    ("Do we split the billing module out of the monolith this year?", ("split", "modularise in place", "defer")),
    ("Which way should the catalogue publish changes?", ("events", "synchronous calls", "nightly export")),
)
