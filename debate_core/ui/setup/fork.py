"""Another debate from one that exists: everything that was agreed, to be set up anew with one more option.

What was agreed before the first turn never changes under way; who wants it otherwise begins anew and names the parent.
"""

from collections.abc import Sequence

from debate_core.engine import comparisons
from debate_core.engine.stage import present
from debate_core.record.state import State
from debate_core.spec.people import Person, RoomRole
from debate_core.spec.rules import Tournament
from debate_core.ui.setup.draft import MAX_OPTIONS, SetupDraft, example
from debate_core.ui.setup.mapping import draft_of

_FIELDS: Sequence[RoomRole] = ("judge", "synthesiser", "approver")
"""Roles that have a field of their own, in the order of the page."""


USUAL_BEST = 3
"""How many of a tournament go into a debate where it looked for no number."""


def forked(state: State, option: str) -> SetupDraft:
    """The draft of a debate with this option beside those there are; it names its parent.

    Its people are those who are there now, as they are now: somebody may have been named for a role under way.
    """
    spec = state.spec
    options = tuple(dict.fromkeys((*spec.options, option)))
    people = spec.room.model_copy(update={"people": _stay(state)}) if spec.room else None
    return draft_of(spec.model_copy(update={"options": options, "room": people, "parent": state.debate}))


def of_the_best(state: State) -> SetupDraft:
    """The draft of a debate between the best of a tournament, with their documents; it names its parent."""
    spec = state.spec
    rule = spec.protocol.decide
    looked_for = USUAL_BEST
    if isinstance(rule, Tournament) and rule.top:
        looked_for = rule.top
    ranked = [option for option, _strength in comparisons.ranking(state).strengths]
    best = ranked[: max(2, min(looked_for, MAX_OPTIONS))]
    others = set(spec.options) - set(best)
    sources = tuple(source for source in spec.sources if source.title not in others)
    begun = example(spec.question, best)
    return begun.model_copy(update={"sources": sources, "context": spec.context, "parent": state.debate})


def _stay(state: State) -> tuple[Person, ...]:
    """Whoever was agreed or has a task or a mandate; those who came by the link for all come by it again."""
    staying = _staying(state)
    in_fields = [person for person in staying if person.role == "facilitator"][:1]
    for role in _FIELDS:
        in_fields += [person for person in staying if person.role == role]
    others = [person for person in staying if person not in in_fields]
    return (*in_fields, *others)


def _staying(state: State) -> Sequence[Person]:
    there = present(state)
    if state.spec.terms.joining == "named":
        return there
    agreed = {person.id for person in state.spec.people()}
    return [person for person in there if person.id in agreed or not _audience(person)]


def _audience(who: Person) -> bool:
    return who.role in ("voter", "observer") and who.electorate != "panel"
