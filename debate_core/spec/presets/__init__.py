"""Named protocols with their default seats, personas and example questions, and functions to look them up.

To add a protocol, add a value of at most 20 lines in `seeds` or `systems`; the engine needs no change.
"""

from collections.abc import Iterable, Sequence

from debate_core.errors import InvalidSpec
from debate_core.spec.checks import check
from debate_core.spec.models import ModelLine, Template
from debate_core.spec.people import Room
from debate_core.spec.presets import seeds, systems
from debate_core.spec.presets.default_rosters import (
    PERSONAS,
    QUOTING,
    commitment_at,
    default_seats,
    other_seats,
    panel_size,
    roles_for_question,
)
from debate_core.spec.presets.seeds import BOUNDED_VOTE, DELIBERATION, EXPERT_PANEL
from debate_core.spec.presets.systems import CHECKED_ANSWERS
from debate_core.spec.protocol import Driver, Protocol, Spec, read
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import Threshold
from debate_core.spec.values import AskedQuestion, Occupant, Seat, Source, TaskType

__all__ = [
    "BOUNDED_VOTE",
    "CHECKED_ANSWERS",
    "DELIBERATION",
    "EXAMPLE_QUESTIONS",
    "EXPERT_PANEL",
    "PERSONAS",
    "PROTOCOLS",
    "QUOTING",
    "commitment_at",
    "compose",
    "default_seats",
    "different_stances",
    "other_seats",
    "panel_size",
    "protocol",
    "roles_for_question",
    "stances_as_options",
    "synthesiser",
    "with_threshold",
]

PROTOCOLS = {p.name: p for p in (*seeds.PRESETS, *systems.PRESETS)}


def protocol(name: str) -> Protocol:
    """The preset of this name. InvalidSpec lists the names."""
    if name not in PROTOCOLS:
        raise InvalidSpec(
            "unknown protocol {name!r}: choose one of {protocols}", name=name, protocols=", ".join(sorted(PROTOCOLS))
        )
    return PROTOCOLS[name]


def synthesiser(occupant: Occupant) -> Seat:
    """The closing seat: without a side, separate from the debaters."""
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
    drivers: Sequence[Driver] = (),
    models: Sequence[ModelLine] = (),
    templates: Sequence[Template] = (),
    room: Room | None = None,
    max_wait_s: int | None = None,
    parent: str | None = None,
    task: TaskType | None = None,
    yes_option: str | None = None,
    asked: AskedQuestion | None = None,
) -> Spec:
    """A checked Spec from the user's choices; None = the protocol's default. Raises InvalidSpec with one sentence.

    Without options the debate decides among the stances of its debaters, if they have any.
    """
    if threshold is not None:
        protocol = with_threshold(protocol, threshold)
    are_named_later = protocol.generates or (room is not None and room.collects)
    if not options and not are_named_later:
        options = stances_as_options([seat for seat in seats if seat.role == "debater"])
    fields = {
        "question": question.strip(),
        "options": tuple(options),
        "seats": tuple(seats),
        "protocol": protocol,
        "sources": tuple(sources),
        "max_rounds": protocol.rounds.default if max_rounds is None else max_rounds,
        "seed": seed,
        "context": context,
        "drivers": tuple(drivers),
        "models": tuple(models),
        "templates": tuple(templates),
        "room": room,
        "max_wait_s": max_wait_s,
        "parent": parent,
        "task": task,
        "yes_option": yes_option,
        "asked": asked,
    }
    spec = read(Spec, fields)
    check(spec)
    return spec


def stances_as_options(debaters: Sequence[Seat]) -> tuple[str, ...]:
    """The different stances of these debaters as the options of their debate; () if none of them has a stance.

    Raises InvalidSpec for a single stance. Debaters with the same stance argue for one option together.
    """
    stances = different_stances([seat.stance for seat in debaters])
    if len(stances) == 1:
        raise InvalidSpec(
            "no options are named, so the debate decides among the stances, and {stance!r} is the only one: give "
            "another debater a different stance, or name the options",
            stance=stances[0][:80],
        )
    return stances


def different_stances(texts: Iterable[str]) -> tuple[str, ...]:
    """Stances in the order given, each once without regard to capitals and spaces; empty ones are left out."""
    stances = dict[str, str]()
    for text in texts:
        stance = " ".join(text.split())
        if stance:
            stances.setdefault(stance.casefold(), stance)
    return tuple(stances.values())


def with_threshold(protocol: Protocol, votes: int) -> Protocol:
    """The protocol with another threshold. Raises InvalidSpec if it does not count votes against one.

    Presets of systems whose rule is a share of the seats accept any number of votes, even half, as their sources do.
    """
    if protocol.name in systems.TAKE_A_THRESHOLD:
        same = protocol.decide.model_dump(include={"quorum", "tie", "if_undecided"})
        protocol = with_decision(protocol, Threshold(votes=max(votes, 1), allows_two_winners=True, **same))
    if not isinstance(protocol.decide, Threshold):
        raise InvalidSpec(
            "{name} has no threshold: it decides by {kind}", name=protocol.name, kind=protocol.decide.kind
        )
    if votes < 1:
        raise InvalidSpec("the threshold must be 1 to the number of debaters, not {votes}", votes=votes)
    return protocol.model_copy(update={"decide": protocol.decide.model_copy(update={"votes": votes})})


EXAMPLE_QUESTIONS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("Should we move the orders database to a managed key-value store?", ("migrate", "stay", "partition first")),
    ("Do we split the billing module out of the monolith this year?", ("split", "modularise in place", "defer")),
    ("Which way should the catalogue publish changes?", ("events", "synchronous calls", "nightly export")),
)
