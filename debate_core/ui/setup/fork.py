"""Drafts that continue a debate or answer a question: one more option, the best of a tournament, open points.

Ground rules never change after the first turn; a change needs a new debate, which names its parent.
"""

from collections.abc import Sequence

from debate_core.engine import comparisons
from debate_core.engine.stage import present
from debate_core.host.agents.inbox import InboxQuestion
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.files import reopened
from debate_core.report.files.follow_up import context, documents, open_points
from debate_core.spec.advice import Answers
from debate_core.spec.people import Person, RoomRole
from debate_core.spec.rules import Tournament
from debate_core.ui.setup.draft import MAX_OPTIONS, DriverDraft, SetupDraft, example
from debate_core.ui.setup.mapping import draft_of
from debate_core.ui.setup.people import WORKSHOPS, of_workshop

_FIELDS: Sequence[RoomRole] = ("judge", "synthesiser", "approver")
"""Roles with a field on the page, in its order."""
USUAL_BEST = 3
"""Number of options taken from a tournament that looked for no fixed number."""


def forked(state: State, option: str) -> SetupDraft:
    """Return the draft of a debate with one more option, and with the people who are present now."""
    spec = state.spec
    options = tuple(dict.fromkeys((*spec.options, option)))
    people = spec.room.model_copy(update={"people": _people_to_keep(state)}) if spec.room else None
    changes = {"options": options, "room": people, "parent": state.debate, "asked": None, "held_elsewhere": None}
    return draft_of(spec.model_copy(update=changes))


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
    return example(spec.question, best).replace(sources=sources, context=spec.context, parent=state.debate)


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
