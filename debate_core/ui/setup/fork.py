"""A debate that exists as a draft: everything that was agreed, to be set up anew with one more option.

What was agreed before the first turn never changes under way; who wants it otherwise begins anew and names the
parent. `spec_from(draft_of(spec)) == spec` for every spec that set-up can make. Values only. Called by the
facilitator's desk.
"""

from collections.abc import Sequence

from debate_core.engine.stage import present
from debate_core.record.state import State
from debate_core.spec.people import Person, RoomRole
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.rules import Ceiling, Threshold
from debate_core.ui.setup.draft import (
    Draft,
    DriverDraft,
    LimitsDraft,
    OfficeDraft,
    OptionDraft,
    SeatDraft,
    Who,
    limited,
    limits_of,
)
from debate_core.ui.setup.people_draft import RoomDraft, room_draft

_FIELDS: Sequence[RoomRole] = ("judge", "synthesiser", "approver")
"""Roles that have a field of their own, in the order of the page."""


def forked(state: State, option: str) -> Draft:
    """The draft of a debate with this option beside those there are; it names its parent.

    Its people are those who are there now, as they are now: somebody may have been named for a role under way.
    """
    spec = state.spec
    options = (*spec.options, *([option] if option not in spec.options else []))
    people = spec.room.model_copy(update={"people": _stay(state)}) if spec.room else None
    return draft_of(spec.model_copy(update={"options": options, "room": people, "parent": state.debate}))


def draft_of(spec: Spec) -> Draft:
    """The draft that `spec_from` makes this spec of."""
    rule = spec.protocol.decide
    own, limits = _without_limits(spec.protocol)
    return Draft(
        question=spec.question,
        options=tuple(OptionDraft(key=f"o{n}", text=text) for n, text in enumerate(spec.options, start=1)),
        sources=spec.sources,
        seats=tuple(_seats(spec)),
        protocol=spec.protocol.name,
        own=own,
        rounds=spec.max_rounds,
        threshold=rule.votes if isinstance(rule, Threshold) else None,
        offices=tuple(_offices(spec)),
        lines=spec.models,
        limits=limits,
        chair=bool(spec.seats_of("chair")),
        room=room_draft(spec.room, spec.seats) if spec.room else RoomDraft(),
        context=spec.context,
        drivers=tuple(
            DriverDraft(key=f"was{n}", name=d.name, weight=d.weight) for n, d in enumerate(spec.drivers, start=1)
        ),
        parent=spec.parent or "",
        made=len(spec.options),
    )


def _who(occupant: str) -> Who:
    """A script has nothing to say to another option: code sits there until somebody is chosen."""
    return "human" if occupant == "human" else "model" if occupant == "model" else "offline"


def _seats(spec: Spec) -> list[SeatDraft]:
    return [
        SeatDraft(
            key=f"{seat.id}-{n}",
            id=seat.id,
            who=_who(seat.occupant),
            model=(seat.model or "") if seat.occupant == "model" else "",
            stance=seat.stance,
            persona=seat.persona,
            weight=seat.weight,
        )
        for n, seat in enumerate(spec.debaters())
    ]


def _offices(spec: Spec) -> list[OfficeDraft]:
    others = [s for s in spec.seats if s.role not in ("debater", "chair")]
    return [
        OfficeDraft(role=s.role, who=_who(s.occupant), model=(s.model or "") if s.occupant == "model" else "")
        for s in others
    ]


def _without_limits(rules: Protocol) -> tuple[Protocol, LimitsDraft]:
    """The rules less their limit, and the limit as typed; a limit that the page could not say stays in the rules."""
    bound = next((rule for rule in rules.stop if isinstance(rule, Ceiling)), None)
    typed = limits_of(bound) if bound else None
    others = tuple(rule for rule in rules.stop if not isinstance(rule, Ceiling))
    bare = rules.model_copy(update={"stop": others})
    return (bare, typed) if typed and limited(bare, bound) == rules else (rules, LimitsDraft())


def _stay(state: State) -> tuple[Person, ...]:
    """Whoever was agreed or has a task or a mandate; those who came by the link for all come by it again."""
    agreed, room = {p.id for p in state.spec.people()}, state.spec.room
    named = room is not None and room.joining == "named"
    stay = [p for p in present(state) if named or p.id in agreed or not _audience(p)]
    first = [p for p in stay if p.role == "facilitator"][:1]
    with_field = [p for role in _FIELDS for p in stay if p.role == role]
    return (*first, *with_field, *(p for p in stay if p not in (*first, *with_field)))


def _audience(who: Person) -> bool:
    return who.role in ("voter", "observer") and who.electorate != "panel"
