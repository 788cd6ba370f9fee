"""Refusal of confusable names: of people, options and proposals.

Records are not re-checked: older ones may hold such names.
"""

from collections.abc import Sequence

from debate_core.engine import preparation, rights, stage
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.names import is_same_name, looks_like, name_key
from debate_core.record import acts
from debate_core.record.events import Body, TurnTaken
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.checks import check
from debate_core.spec.contents import Candidates
from debate_core.spec.people import Person
from debate_core.spec.values import ABSTAIN
from debate_core.text import folded

UNSEEN = Sentence("a name needs at least one visible letter: write it again")


def refuse_mistakable(state: State, body: Body, *, by: str) -> None:
    """Raise RuleViolation for a name without visible letters, or one that looks like another name here."""
    if why := _fault(state, body) or _fault_in_actor(state, by):
        raise RuleViolation(why)


def _fault(state: State, body: Body) -> Sentence | None:
    match body:
        case acts.PersonJoined(person=newcomer):
            return None if name_key(newcomer.name) else UNSEEN
        case acts.PersonChanged(person=changed):
            return _fault_in_person(state, changed)
        case acts.Suggested():
            return _fault_in_proposal(state, body)
        case acts.OptionsAgreed():
            return _fault_in_options(state, body)
        case TurnTaken(content=Candidates() as content):
            return _fault_in_candidates(state, content)
        case _:
            return None


def _fault_in_person(state: State, changed: Person) -> Sentence | None:
    before = stage.person(state, changed.id)
    if before is not None and before.name == changed.name:
        return None
    if not name_key(changed.name):
        return UNSEEN
    other = stage.mistaken_for(state, changed.name, but=changed.id)
    return taken(other) if other else None


def taken(name: str) -> Sentence:
    """The refusal of a name that another participant has."""
    return Sentence("{name} is already in this room: choose a name that cannot be confused with it", name=name)


def _fault_in_proposal(state: State, proposed: acts.Suggested) -> Sentence | None:
    given = state.spec.options if proposed.kind == "option" else [driver.name for driver in state.spec.drivers]
    known = [*given, *(done.fact.text for done in preparation.proposals(state, proposed.kind))]
    other = looks_like(proposed.text, known)
    if other is None:
        return None
    if is_same_name(proposed.text, other):
        return Sentence("{text!r} was proposed already", text=other)
    return _mistakable(proposed.text, other)


def _fault_in_options(state: State, agreed: acts.OptionsAgreed) -> Sentence | None:
    try:
        check(state.spec.model_copy(update={"options": agreed.options, "drivers": agreed.drivers}))
    except InvalidSpec as error:
        return error.sentence
    return None


def _fault_in_candidates(state: State, content: Candidates) -> Sentence | None:
    """Check candidates against each other; equal names are one candidate."""
    known: Sequence[str] = (ABSTAIN, *state.spec.options)
    for candidate in content.candidates:
        others = [name for name in known if folded(name) != folded(candidate.name)]
        if other := looks_like(candidate.name, others):
            return _mistakable(candidate.name, other)
        known = (*known, candidate.name)
    return None


def _mistakable(name: str, other: str) -> Sentence:
    return Sentence("{name!r} looks too much like {other!r}: write it in another way", name=name[:80], other=other[:80])


def _fault_in_actor(state: State, by: str) -> Sentence | None:
    """Without a room the record holds the name that a user types; it must not look like one of the programs."""
    if state.spec.has_people or by in rights.PROGRAMS:
        return None
    if not name_key(by):
        return UNSEEN
    other = looks_like(by, rights.PROGRAMS)
    return _mistakable(by, other) if other else None
