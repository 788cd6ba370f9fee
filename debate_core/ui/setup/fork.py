"""Another debate from one that exists: its question, seats, rules and people as a draft, with one more option.

What was agreed before the first turn never changes under way; who wants it otherwise begins anew and names the
parent. Values only.
"""

from debate_core.record.state import State
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling, Threshold
from debate_core.ui.setup.draft import Draft, DriverDraft, LimitsDraft, OfficeDraft, OptionDraft, SeatDraft, Who
from debate_core.ui.setup.people_draft import HolderDraft, RoomDraft


def forked(state: State, option: str) -> Draft:
    """The draft of a debate with this option beside those there are; it names its parent."""
    spec = state.spec
    named = (*spec.options, *([option] if option not in spec.options else []))
    others = tuple(rule for rule in spec.protocol.stop if not isinstance(rule, Ceiling))
    rule = spec.protocol.decide
    return Draft(
        question=spec.question,
        options=tuple(OptionDraft(key=f"o{n}", text=text) for n, text in enumerate(named, start=1)),
        sources=spec.sources,
        seats=tuple(_seats(spec)),
        protocol=spec.protocol.name,
        own=spec.protocol.model_copy(update={"stop": others}),
        rounds=spec.max_rounds,
        threshold=rule.votes if isinstance(rule, Threshold) else None,
        offices=tuple(_offices(spec)),
        lines=spec.models,
        limits=_limits(spec.ceiling()),
        chair=bool(spec.seats_of("chair")),
        room=_room(spec.room, tuple(state.room.people.values())) if spec.room else RoomDraft(),
        context=spec.context,
        drivers=tuple(
            DriverDraft(key=f"was{n}", name=d.name, weight=d.weight) for n, d in enumerate(spec.drivers, start=1)
        ),
        parent=state.debate,
        made=len(named),
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


def _limits(bound: Ceiling | None) -> LimitsDraft:
    if bound is None:
        return LimitsDraft()
    minutes = "" if bound.seconds is None else f"{bound.seconds / 60:g}"
    calls, tokens = (str(n or "") for n in (bound.calls, bound.tokens))
    return LimitsDraft(usd=str(bound.usd or ""), calls=calls, tokens=tokens, minutes=minutes)


def _room(agreed: Room, people: tuple[Person, ...]) -> RoomDraft:
    """The people who were there, as the set-up page takes them: by name."""
    same = agreed.model_dump(include={"decides", "pre_vote", "final_vote", "blind", "hold", "max_chars", "joining"})
    holders = [HolderDraft(seat=seat, name=p.name) for p in agreed.people for seat in p.seats]
    return RoomDraft(
        **same,
        on=True,
        vote=agreed.vote,
        name=_names(people, "facilitator").split(", ")[0],
        phase_minutes=(agreed.phase_seconds or 0) // 60,
        judges=_names(people, "judge"),
        synthesiser=_names(people, "synthesiser"),
        approver=_names(people, "approver"),
        listed="\n".join(_listed(p) for p in people if p.electorate == "panel"),
        holders=tuple(holders),
    )


def _names(people: tuple[Person, ...], role: str) -> str:
    return ", ".join(p.name for p in people if p.role == role)


def _listed(who: Person) -> str:
    return f"{who.name}, {who.role}, {who.weight}, {who.electorate}"
