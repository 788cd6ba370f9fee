"""Personas: the focus of a debater, and their choice for a question.

Independent of protocols. Used by the casts, the evidence panel and the set-up page.
"""

from typing import Literal

from debate_core.errors import InvalidSpec

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
