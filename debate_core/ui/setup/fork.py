"""Drafts that continue a debate or answer a question: the same again, one more option, the best of a tournament.

Ground rules never change after the first turn; a change needs a new debate, which names its parent.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from debate_core.engine import comparisons
from debate_core.engine.private_sources import opened_sources
from debate_core.engine.stage import present
from debate_core.host.agents.inbox import InboxQuestion
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.files import reopened
from debate_core.report.files.follow_up import context, documents, open_points
from debate_core.spec.advice import Answers
from debate_core.spec.people import Person, RoomRole
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Tournament
from debate_core.spec.values import Source
from debate_core.ui.setup.draft import MAX_OPTIONS, DriverDraft, RoomDraft, SeatDraft, SetupDraft, example
from debate_core.ui.setup.mapping import draft_of
from debate_core.ui.setup.people import WORKSHOPS, of_workshop

_FIELDS: Sequence[RoomRole] = ("judge", "synthesiser", "approver")
"""Roles with a field on the page, in its order."""
USUAL_BEST = 3
"""Number of options taken from a tournament that looked for no fixed number."""


def forked(state: State, option: str) -> SetupDraft:
    """Return the draft of a debate with one more option, and with the people who are present now."""
    options = tuple(dict.fromkeys((*state.spec.options, option)))
    return draft_of(_copied(state).model_copy(update={"options": options}))


def _copied(state: State) -> Spec:
    """Return the spec with the people who are present now, and with this debate as its parent."""
    spec = state.spec
    people = spec.room.model_copy(update={"people": _people_to_keep(state)}) if spec.room else None
    return spec.model_copy(update={"room": people, "parent": state.debate, "asked": None, "held_elsewhere": None})


CopiedPart = Literal["question", "options", "people", "rule", "sources"]
_FIELDS_OF: Mapping[CopiedPart, Sequence[str]] = {
    "question": ("question", "background", "drivers", "triage", "parent"),
    "options": ("options", "yes_option", "made"),
    "people": ("room",),
    "rule": (
        "seats",
        "protocol",
        "own",
        "rounds",
        "decide",
        "offices",
        "lines",
        "limits",
        "max_wait_s",
        "chair",
    ),
    "sources": ("sources",),
}
_PEOPLE_FIELDS = ("on", "name", "joining", "readers", "listed", "judges", "synthesiser", "approver", "holders")
"""Fields of a room that name people or let them in; the others are rules."""


def of_parts(state: State, parts: Collection[CopiedPart], *, with_names: bool) -> SetupDraft:
    """Return the draft of a debate that takes over these parts of a past one; everything else is as in a new one.

    `with_names`: False leaves out the names of its people. A document that only some seats read comes with the seats,
    which belong to the rule.
    """
    full = draft_of(_copied(state))
    fields = {field: getattr(full, field) for part in parts for field in _FIELDS_OF[part]}
    draft = SetupDraft().replace(**fields).replace(room=_room_of_parts(full.room, parts, with_names=with_names))
    if "rule" in parts and "options" not in parts:
        seats = tuple(_without_old_option(seat, state.spec.options) for seat in full.seats or ())
        draft = draft.replace(seats=seats)
    return draft.replace(sources=sources_of_parts(state, parts))


def sources_of_parts(state: State, parts: Collection[CopiedPart]) -> tuple[Source, ...]:
    """Return the documents that come along: those that everyone may read, and with the seats those of some seats."""
    if "sources" not in parts:
        return ()
    readable = [source for source in opened_sources(state) if source.text]
    return tuple(source for source in readable if source.only_for is None or "rule" in parts)


def _room_of_parts(room: RoomDraft, parts: Collection[CopiedPart], *, with_names: bool) -> RoomDraft:
    """Return the room with its people if they are taken over, and with its rules if the rule is."""
    usual = RoomDraft()
    if "people" not in parts:
        people = {"on": room.on} if "rule" in parts else {}
    elif with_names:
        people = {field: getattr(room, field) for field in _PEOPLE_FIELDS}
    else:
        people = {field: getattr(room, field) for field in ("on", "joining", "readers")}
    if "rule" in parts:
        return room.replace(**{field: getattr(usual, field) for field in _PEOPLE_FIELDS} | people)
    # The seats that people held are gone.
    return usual.replace(**people | {"holders": ()})


def _without_old_option(seat: SeatDraft, options: Sequence[str]) -> SeatDraft:
    """Return the seat without a stance that names an option of the old debate."""
    return seat.replace(stance="") if any(option in seat.stance for option in options) else seat


def of_the_best(state: State) -> SetupDraft:
    """Return the draft of a debate between the best of a tournament, with their documents."""
    spec = state.spec
    rule = spec.protocol.decide
    looked_for = USUAL_BEST
    if isinstance(rule, Tournament) and rule.top:
        looked_for = rule.top
    ranked = [option for option, _strength in comparisons.ranking(state).strengths]
    best = ranked[: max(2, min(looked_for, MAX_OPTIONS))]
    others = set(spec.options) - set(best)
    sources = tuple(source for source in spec.sources if source.title not in others)
    return example(spec.question, best).replace(sources=sources, background=spec.context, parent=state.debate)


def of_open_points(account: Account) -> SetupDraft:
    """Return the draft of a follow-up debate: the options left, the documents, and the open points as one of them."""
    draft = _again(account, open_points(account).options)
    return draft.replace(sources=documents(account), background=context(account))


def of_challenged(account: Account) -> SetupDraft:
    """Return the draft of a debate that reopens a challenged decision, with its record and the broken assumptions."""
    draft = _again(account, account.state.spec.options)
    return draft.replace(sources=reopened.documents(account), background=reopened.background(account))


def _again(account: Account, options: Sequence[str]) -> SetupDraft:
    spec = account.state.spec
    drivers = [DriverDraft(key=f"was{n}", name=d.name, weight=d.weight) for n, d in enumerate(spec.drivers, start=1)]
    task = Answers(task=spec.task or "unknown")
    return example(spec.question, options).replace(drivers=tuple(drivers), parent=account.state.debate, triage=task)


def of_question(question: InboxQuestion) -> SetupDraft:
    """Return the draft of a debate that answers the question of a program: people join with phones and decide."""
    workshop = of_workshop(WORKSHOPS[0])
    asked = example(question.asked.question, question.options)
    return asked.replace(sources=question.sources(), asked=question.asked, room=workshop.room, rounds=workshop.rounds)


def _people_to_keep(state: State) -> tuple[Person, ...]:
    """Return the people to keep, those with a field on the page first."""
    kept = _without_audience(state)
    in_fields = [person for person in kept if person.role == "facilitator"][:1]
    for role in _FIELDS:
        in_fields += [person for person in kept if person.role == role]
    others = [person for person in kept if person not in in_fields]
    return (*in_fields, *others)


def _without_audience(state: State) -> Sequence[Person]:
    """Return the people named before the start or with a role or a panel vote; others can use the public link again."""
    people = present(state)
    if state.spec.terms.joining == "named":
        return people
    agreed = {person.id for person in state.spec.people()}
    return [person for person in people if person.id in agreed or not _is_audience(person)]


def _is_audience(person: Person) -> bool:
    return person.role in ("voter", "observer") and person.electorate != "panel"
