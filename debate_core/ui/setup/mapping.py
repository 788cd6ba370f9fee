"""The mapping between a draft of the set-up page and the spec of a debate, both ways.

`spec_from(draft_of(spec)) == spec` for every spec that set-up can produce. Values only; people are in `people_mapping`.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from debate_core.errors import InvalidSpec
from debate_core.language import _
from debate_core.names import without_unseen
from debate_core.seats.economy import with_usual_limit
from debate_core.seats.pricing import without_unknown_budget
from debate_core.seats.prompts import digests
from debate_core.spec.advice import Answers
from debate_core.spec.people import Room
from debate_core.spec.presets import commitment_at, compose, other_seats
from debate_core.spec.protocol import Driver, Protocol, Spec, read
from debate_core.spec.rules import Ceiling, CountedRule, Threshold
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import (
    SEAT_ID,
    DriverDraft,
    LimitsDraft,
    OfficeDraft,
    OptionDraft,
    RoomDraft,
    SeatDraft,
    SeatOccupant,
    SetupDraft,
    named_by_kind,
    unless_usual,
)
from debate_core.ui.setup.people_mapping import room_draft, room_from

MAX_MINUTES = 10_080
"""A week."""


def spec_from(draft: SetupDraft) -> Spec:
    """Return the spec of the debate to open. Raise InvalidSpec, with one sentence, if something is missing."""
    rules = limited(draft)
    seats = (*_debaters(draft), *_offices(draft))
    used = {seat.model for seat in seats}
    lines = [line for line in draft.lines if line.id in used]
    templates = digests(rules) if used != {None} else ()
    task = None if draft.triage.task == "unknown" else draft.triage.task
    spec = compose(
        draft.question,
        draft.named_options(),
        rules,
        seats,
        sources=draft.sources,
        max_rounds=draft.max_rounds(),
        threshold=_threshold(draft, rules),
        context="\n\n".join(filter(None, (draft.background.strip(), draft.context))),
        drivers=_drivers(draft),
        models=lines,
        templates=templates,
        room=_room(draft, rules, seats),
        max_wait_s=draft.max_wait_s,
        parent=draft.parent or None,
        task=task,
        yes_option=draft.marked_yes(),
        asked=draft.asked,
    )
    return without_unknown_budget(spec) if draft.limits is None else spec


def _threshold(draft: SetupDraft, rules: Protocol) -> int | None:
    """Return the votes needed if the rules count to a threshold and the draft has debaters."""
    counts_to_threshold = isinstance(rules.decide, Threshold) and bool(draft.panel())
    return draft.votes() if counts_to_threshold else None


def _drivers(draft: SetupDraft) -> list[Driver]:
    return [
        read(Driver, {"name": without_unseen(driver.name).strip(), "weight": driver.weight}) for driver in draft.drivers
    ]


def _room(draft: SetupDraft, rules: Protocol, seats: Sequence[Seat]) -> Room | None:
    """Return the room as typed. A tournament starts its rounds automatically, and collects no options in the room."""
    room = room_from(draft.room, seats)
    if room is None or not rules.paired:
        return room
    steps = tuple(one for one in room.preparation if one.step != "collect" or draft.collects())
    return room.model_copy(update={"hold": "none", "preparation": steps})


def draft_of(spec: Spec) -> SetupDraft:
    """Return the draft from which `spec_from` makes this spec."""
    rules, limits = _rules_and_limits(spec.protocol)
    options = [OptionDraft(key=f"o{n}", text=text) for n, text in enumerate(spec.options, start=1)]
    seats = [_seat_draft(n, seat, spec.protocol) for n, seat in enumerate(spec.debaters())]
    offices = [_office_draft(seat) for seat in spec.seats if seat.role not in ("debater", "chair")]
    drivers = [DriverDraft(key=f"was{n}", name=d.name, weight=d.weight) for n, d in enumerate(spec.drivers, start=1)]
    room = room_draft(spec.room, spec.seats) if spec.room else RoomDraft()
    rule = spec.protocol.decide
    counted_rule = rule if isinstance(rule, CountedRule) else None
    return SetupDraft(
        question=spec.question,
        options=tuple(options),
        yes_option=spec.yes_option,
        sources=spec.sources,
        seats=tuple(seats),
        protocol=spec.protocol.name,
        own=rules,
        rounds=spec.max_rounds,
        decide=counted_rule,
        offices=tuple(offices),
        lines=spec.models,
        limits=limits,
        max_wait_s=spec.max_wait_s,
        chair=bool(spec.seats_of("chair")),
        room=room,
        # The page rewrites `context`.
        background=spec.context,
        drivers=tuple(drivers),
        parent=spec.parent or "",
        asked=spec.asked,
        triage=Answers(task=spec.task or "unknown"),
        made=len(spec.options),
    )


def _debaters(draft: SetupDraft) -> Iterable[Seat]:
    for number, seat in enumerate(draft.panel(), start=1):
        if not SEAT_ID.fullmatch(seat.id):
            raise InvalidSpec(
                _(
                    "the name of seat {number} is {id!r}: use 1 to 40 letters, digits, - or _, without spaces",
                    number=number,
                    id=seat.id[:60],
                )
            )
        same = seat.model_dump(include={"id", "stance", "persona", "weight"})
        commitment = seat.commitment or commitment_at(draft.rules(), number, seat.stance)
        own = {"commitment": commitment, "instructions": seat.instructions.strip() or None}
        yield _with_occupant(read(Seat, {**same, **own}), seat, draft)


def _offices(draft: SetupDraft) -> Iterable[Seat]:
    if draft.chair and draft.needs_chair():
        yield Seat(id="chair", role="chair", occupant="human")
    for seat in other_seats(draft.rules(), "offline"):
        office = draft.office(seat.role)
        instructed = seat.model_copy(update={"instructions": office.instructions or None})
        yield _with_occupant(instructed, office, draft)


def _with_occupant(seat: Seat, chosen: SeatDraft | OfficeDraft, draft: SetupDraft) -> Seat:
    """Return the seat with its chosen occupant. Raise InvalidSpec for a model without a name."""
    if chosen.who != "model":
        return seat.model_copy(update={"occupant": chosen.who})
    line = next((line for line in draft.lines if line.id == chosen.model), None)
    if line is None or not line.model:
        raise InvalidSpec(_("no model is chosen for {id}: choose who sits there", id=seat.id))
    return seat.model_copy(update={"occupant": "model", "model": line.id, "family": line.family or None})


def _seat_draft(number: int, seat: Seat, rules: Protocol) -> SeatDraft:
    same = seat.model_dump(include={"id", "stance", "persona", "weight"})
    own = unless_usual(seat.commitment, commitment_at(rules, number + 1, seat.stance))
    draft = SeatDraft(
        key=f"{seat.id}-{number}",
        who=_who_sits(seat),
        model=seat.model or "",
        commitment=own,
        instructions=seat.instructions or "",
        **same,
    )
    # No suggestion calls a program `database_expert`.
    return draft.replace(is_named=named_by_kind(draft) != draft)


def _office_draft(seat: Seat) -> OfficeDraft:
    return OfficeDraft(
        role=seat.role, who=_who_sits(seat), model=seat.model or "", instructions=seat.instructions or ""
    )


def _who_sits(seat: Seat) -> SeatOccupant:
    """Return the occupant. Code replaces a script, whose options are those of its debate only."""
    return seat.occupant if seat.occupant in ("human", "model") else "offline"


def limited(draft: SetupDraft) -> Protocol:
    """Return the rules with the typed limits, else with their own."""
    rules = draft.rules()
    if draft.limits is not None:
        return rules.with_ceiling(ceiling_from(draft.limits))
    if draft.by_key and draft.has_models():
        return with_usual_limit(rules)
    return rules


def usual_limits(draft: SetupDraft) -> LimitsDraft | None:
    """Return the default limits; None if there are none, or the page has no fields for them."""
    return limits_of(limited(draft.replace(limits=None)))


def limits_of(rules: Protocol) -> LimitsDraft | None:
    """Return the limits of these rules as typed; None if there are none, or the page has no fields for them."""
    bound = rules.ceiling()
    return limits_draft(bound) if bound else None


def _rules_and_limits(rules: Protocol) -> tuple[Protocol, LimitsDraft | None]:
    """Split rules into rules without limits, and the limits as typed; limits without a field stay in the rules."""
    bound = rules.ceiling()
    if bound is None:
        return rules, LimitsDraft()
    limits = limits_draft(bound)
    others = rules.with_ceiling(None)
    if limits is None or others.with_ceiling(bound) != rules:
        return rules, None
    return others, limits


def ceiling_from(limits: LimitsDraft) -> Ceiling | None:
    """Return the limits, None if every field is empty. Raise InvalidSpec, with one sentence, for an invalid field."""
    minutes = _read_decimal(limits.minutes, _("minutes"))
    if minutes is not None and minutes > MAX_MINUTES:
        raise InvalidSpec(
            _(
                "the limit of minutes is {given!r}: enter at most {max_minutes:,}, a week",
                given=limits.minutes.strip(),
                max_minutes=MAX_MINUTES,
            )
        )
    usd = _read_decimal(limits.usd, _("USD"))
    calls = _read_whole(limits.calls, _("calls"))
    tokens = _read_whole(limits.tokens, _("tokens"))
    ceiling = Ceiling(
        calls=calls,
        tokens=tokens,
        seconds=None if minutes is None else max(1, round(minutes * 60)),
        usd=None if usd is None else f"{usd:f}",
    )
    return None if ceiling == Ceiling() else ceiling


def limits_draft(bound: Ceiling) -> LimitsDraft | None:
    """Return the fields from which `ceiling_from` makes these limits; None if there are none, as for 0 calls."""
    typed = {name: str(value) for name in ("usd", "calls", "tokens") if (value := getattr(bound, name)) is not None}
    if bound.seconds is not None:
        # Four decimals of a minute are exact to the second.
        typed["minutes"] = f"{bound.seconds / 60:.4f}".rstrip("0").rstrip(".")
    limits = LimitsDraft(**typed)
    try:
        return limits if ceiling_from(limits) == bound else None
    except InvalidSpec:
        return None


def _read_whole(text: str, what: str) -> int | None:
    """Read `1,200,000`, `1 200 000` or `1_200_000` as 1200000; empty is None."""
    digits = re.sub(r"(?<=\d)[ ,_](?=\d{3}(\D|$))", "", text.strip())
    if not digits:
        return None
    if not re.fullmatch(r"\d{1,12}", digits, re.ASCII) or not int(digits):
        raise InvalidSpec(
            _(
                "the limit of {what} is {given!r}: enter a whole number of at least 1, or leave it empty",
                what=what,
                given=text.strip()[:40],
            )
        )
    return int(digits)


def _read_decimal(text: str, what: str) -> Decimal | None:
    """Read `2.50`, or `2,50` as in German; empty is None. Refuse `1,200`, which could mean thousands."""
    number = re.sub(r"(?<=\d),(?=\d{1,2}$)", ".", text.strip())
    if not number:
        return None
    if not re.fullmatch(r"\d{1,9}(\.\d{1,12})?", number, re.ASCII) or not Decimal(number):
        raise InvalidSpec(
            _(
                "the limit of {what} is {number!r}: enter a number above 0 such as 2.50, or leave it empty",
                what=what,
                number=text.strip()[:40],
            )
        )
    return Decimal(number)
