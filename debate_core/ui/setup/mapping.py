"""The one mapping between a draft of the set-up page and the spec that becomes a debate, both ways side by side.

`spec_from(draft_of(spec)) == spec` for every spec that set-up can make. Values only; people are in `people_mapping`.
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
from debate_core.spec.rules import Ceiling, Threshold
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
)
from debate_core.ui.setup.people_mapping import room_draft, room_from

MAX_MINUTES = 10_080
"""A week."""


def spec_from(draft: SetupDraft) -> Spec:
    """The debate to open. InvalidSpec says in one sentence what is missing."""
    rules = limited(draft)
    seats = (*_debaters(draft), *_offices(draft))
    used = {seat.model for seat in seats}
    lines = [line for line in draft.lines if line.id in used]
    has_models = used != {None}
    task = None if draft.triage.task == "unknown" else draft.triage.task
    spec = compose(
        draft.question,
        draft.named_options(),
        rules,
        seats,
        sources=draft.sources,
        max_rounds=draft.max_rounds(),
        threshold=_threshold(draft, rules),
        context=draft.context,
        drivers=_drivers(draft),
        models=lines,
        templates=digests() if has_models else (),
        room=_room(draft, rules, seats),
        max_wait_s=draft.max_wait_s,
        parent=draft.parent or None,
        task=task,
        yes_option=draft.marked_yes(),
    )
    return without_unknown_budget(spec) if draft.limits is None else spec


def _threshold(draft: SetupDraft, rules: Protocol) -> int | None:
    """The votes needed, where the rules count to a threshold and there is somebody to vote."""
    if not isinstance(rules.decide, Threshold) or not draft.panel():
        return None
    return draft.votes()


def _drivers(draft: SetupDraft) -> list[Driver]:
    return [
        read(Driver, {"name": without_unseen(driver.name).strip(), "weight": driver.weight}) for driver in draft.drivers
    ]


def _room(draft: SetupDraft, rules: Protocol, seats: Sequence[Seat]) -> Room | None:
    """The room as typed. The rounds of a tournament follow each other, and its options are named before the start."""
    room = room_from(draft.room, seats)
    if room is None or not rules.paired:
        return room
    steps = tuple(one for one in room.preparation if one.step != "collect" or draft.collects())
    return room.model_copy(update={"hold": "none", "preparation": steps})


def draft_of(spec: Spec) -> SetupDraft:
    """The draft that `spec_from` makes this spec of."""
    rule = spec.protocol.decide
    rules, limits = _rules_and_limits(spec.protocol)
    options = [OptionDraft(key=f"o{n}", text=text) for n, text in enumerate(spec.options, start=1)]
    seats = [_seat_draft(n, seat, spec.protocol) for n, seat in enumerate(spec.debaters())]
    offices = [_office_draft(seat) for seat in spec.seats if seat.role not in ("debater", "chair")]
    drivers = [DriverDraft(key=f"was{n}", name=d.name, weight=d.weight) for n, d in enumerate(spec.drivers, start=1)]
    room = room_draft(spec.room, spec.seats) if spec.room else RoomDraft()
    threshold = rule.votes if isinstance(rule, Threshold) else None
    return SetupDraft(
        question=spec.question,
        options=tuple(options),
        yes_option=spec.yes_option,
        sources=spec.sources,
        seats=tuple(seats),
        protocol=spec.protocol.name,
        own=rules,
        rounds=spec.max_rounds,
        threshold=threshold,
        offices=tuple(offices),
        lines=spec.models,
        limits=limits,
        max_wait_s=spec.max_wait_s,
        chair=bool(spec.seats_of("chair")),
        room=room,
        context=spec.context,
        drivers=tuple(drivers),
        parent=spec.parent or "",
        triage=Answers(task=spec.task or "unknown"),
        made=len(spec.options),
    )


# --- seats


def _debaters(draft: SetupDraft) -> Iterable[Seat]:
    for number, seat in enumerate(draft.panel(), start=1):
        if not SEAT_ID.fullmatch(seat.id):
            raise InvalidSpec(
                _(
                    "the name of seat {number} is {id!r}: take 1 to 40 letters, digits, - or _, without blanks",
                    number=number,
                    id=seat.id[:60],
                )
            )
        same = seat.model_dump(include={"id", "stance", "persona", "weight"})
        commitment = seat.commitment or commitment_at(draft.rules(), number, seat.stance)
        yield _seated(read(Seat, {**same, "commitment": commitment}), seat, draft)


def _offices(draft: SetupDraft) -> Iterable[Seat]:
    if draft.chair and draft.needs_chair():
        yield Seat(id="chair", role="chair", occupant="human")
    for seat in other_seats(draft.rules(), "offline"):
        yield _seated(seat, draft.office(seat.role), draft)


def _seated(seat: Seat, sits: SeatDraft | OfficeDraft, draft: SetupDraft) -> Seat:
    """The seat with whoever was chosen for it. InvalidSpec if that is a model, and which one is not said."""
    if sits.who != "model":
        return seat.model_copy(update={"occupant": sits.who})
    line = next((line for line in draft.lines if line.id == sits.model), None)
    if line is None or not line.model:
        raise InvalidSpec(_("no model is chosen for {id}: choose who sits there", id=seat.id))
    return seat.model_copy(update={"occupant": "model", "model": line.id, "family": line.family or None})


def _seat_draft(number: int, seat: Seat, rules: Protocol) -> SeatDraft:
    who, model = _who_sits(seat)
    same = seat.model_dump(include={"id", "stance", "persona", "weight"})
    suggested = commitment_at(rules, number + 1, seat.stance)
    own = None if seat.commitment == suggested else seat.commitment
    return SeatDraft(key=f"{seat.id}-{number}", who=who, model=model, commitment=own, **same)


def _office_draft(seat: Seat) -> OfficeDraft:
    who, model = _who_sits(seat)
    return OfficeDraft(role=seat.role, who=who, model=model)


def _who_sits(seat: Seat) -> tuple[SeatOccupant, str]:
    """A script has nothing to say to another option: code sits there until somebody is chosen."""
    match seat.occupant:
        case "human":
            return "human", ""
        case "model":
            return "model", seat.model or ""
        case _:
            return "offline", ""


# --- limits


def limited(draft: SetupDraft) -> Protocol:
    """The rules with the limits that were typed instead of their own, else as they are."""
    rules = draft.rules()
    if draft.limits is not None:
        return rules.with_ceiling(ceiling_from(draft.limits))
    if draft.by_key and draft.has_models():
        return with_usual_limit(rules)
    return rules


def usual_limits(draft: SetupDraft) -> LimitsDraft | None:
    """The limits that hold while none is typed; None if there are none, or some that the page could not say."""
    return limits_of(limited(draft.model_copy(update={"limits": None})))


def limits_of(rules: Protocol) -> LimitsDraft | None:
    """The limit that these rules have, as typed; None if they have none, or one that the page could not say."""
    bound = rules.ceiling()
    return limits_draft(bound) if bound else None


def _rules_and_limits(rules: Protocol) -> tuple[Protocol, LimitsDraft | None]:
    """The rules less their limit, and the limit as typed; a limit that the page could not say stays in the rules."""
    bound = rules.ceiling()
    if bound is None:
        return rules, LimitsDraft()
    limits = limits_draft(bound)
    others = rules.with_ceiling(None)
    if limits is None or others.with_ceiling(bound) != rules:
        return rules, None
    return others, limits


def ceiling_from(limits: LimitsDraft) -> Ceiling | None:
    """The ceiling, None if every field is empty. InvalidSpec says in one sentence what a field may hold."""
    minutes = _decimal(limits.minutes, _("minutes"))
    if minutes is not None and minutes > MAX_MINUTES:
        raise InvalidSpec(
            _(
                "the limit of minutes is {given!r}: take at most {max_minutes:,}, a week",
                given=limits.minutes.strip(),
                max_minutes=MAX_MINUTES,
            )
        )
    usd = _decimal(limits.usd, _("USD"))
    calls = _whole(limits.calls, _("calls"))
    tokens = _whole(limits.tokens, _("tokens"))
    ceiling = Ceiling(
        calls=calls,
        tokens=tokens,
        seconds=None if minutes is None else max(1, round(minutes * 60)),
        usd=None if usd is None else f"{usd:f}",
    )
    return None if ceiling == Ceiling() else ceiling


def limits_draft(bound: Ceiling) -> LimitsDraft | None:
    """The fields that `ceiling_from` makes this ceiling of; None if they cannot say it, as a limit of 0 calls."""
    minutes = ""
    if bound.seconds is not None:
        # Four decimals of a minute are exact to the second.
        minutes = f"{bound.seconds / 60:.4f}".rstrip("0").rstrip(".")
    limits = LimitsDraft(usd=bound.usd or "", calls=_typed(bound.calls), tokens=_typed(bound.tokens), minutes=minutes)
    try:
        return limits if ceiling_from(limits) == bound else None
    except InvalidSpec:
        return None


def _typed(number: int | None) -> str:
    return "" if number is None else str(number)


def _whole(text: str, what: str) -> int | None:
    """`1,200,000`, `1 200 000` and `1_200_000` are 1200000; empty is None."""
    digits = re.sub(r"(?<=\d)[ ,_](?=\d{3}(\D|$))", "", text.strip())
    if not digits:
        return None
    if not re.fullmatch(r"\d{1,12}", digits, re.ASCII) or not int(digits):
        raise InvalidSpec(
            _(
                "the limit of {what} is {given!r}: take a whole number of at least 1, or none",
                what=what,
                given=text.strip()[:40],
            )
        )
    return int(digits)


def _decimal(text: str, what: str) -> Decimal | None:
    """`2.50`, and `2,50` as in German; empty is None. `1,200` could mean thousands, and is refused."""
    number = re.sub(r"(?<=\d),(?=\d{1,2}$)", ".", text.strip())
    if not number:
        return None
    if not re.fullmatch(r"\d{1,9}(\.\d{1,12})?", number, re.ASCII) or not Decimal(number):
        raise InvalidSpec(
            _(
                "the limit of {what} is {number!r}: take a number above 0 such as 2.50, or none",
                what=what,
                number=text.strip()[:40],
            )
        )
    return Decimal(number)
