"""A debate that is being set up: the draft, its defaults, the spec it becomes, and what the readiness check says.

Values only: knows neither widgets nor the host.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.report.words.costs import usd_words
from debate_core.seats.forecast import Forecast, forecast
from debate_core.seats.offline import finds_nothing
from debate_core.seats.prompts import digests
from debate_core.spec.advice import Answers
from debate_core.spec.checks import warnings
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import Panel, PanelFile, diversity, seat_panel
from debate_core.spec.presets import (
    EXPERT_PANEL,
    PERSONAS,
    cast,
    commitment_at,
    compose,
    other_seats,
    panel_size,
    protocol,
)
from debate_core.spec.protocol import Driver, Protocol, Spec, read, with_both_orders, with_decision
from debate_core.spec.rules import BySeat, Ceiling, CountedRule, Majority, Threshold
from debate_core.spec.values import Role, Seat, Source, Value, in_words
from debate_core.text import spoken_list
from debate_core.ui.setup.people_draft import RoomDraft, room_doubts, room_of

MAX_MINUTES = 10_080


class LimitsDraft(Value):
    """Each limit as typed; empty = none."""

    usd: str = ""
    calls: str = ""
    tokens: str = ""
    minutes: str = ""


def ceiling_of(limits: LimitsDraft) -> Ceiling | None:
    """The ceiling, None if every field is empty. InvalidSpec says in one sentence what a field may hold."""
    minutes = _decimal(limits.minutes, "minutes")
    if minutes is not None and minutes > MAX_MINUTES:
        raise InvalidSpec(f"the limit of minutes is {limits.minutes.strip()!r}: take at most {MAX_MINUTES:,}, a week")
    usd = _decimal(limits.usd, "USD")
    ceiling = Ceiling(
        calls=_whole(limits.calls, "calls"),
        tokens=_whole(limits.tokens, "tokens"),
        seconds=None if minutes is None else max(1, round(minutes * 60)),
        usd=None if usd is None else f"{usd:f}",
    )
    return None if ceiling == Ceiling() else ceiling


def limits_of(bound: Ceiling) -> LimitsDraft | None:
    """The fields that `ceiling_of` makes this ceiling of; None if they cannot say it, as a limit of 0 calls."""
    # Four decimals of a minute are exact to the second.
    minutes = "" if bound.seconds is None else f"{bound.seconds / 60:.4f}".rstrip("0").rstrip(".")
    calls, tokens = ("" if n is None else str(n) for n in (bound.calls, bound.tokens))
    typed = LimitsDraft(usd=bound.usd or "", calls=calls, tokens=tokens, minutes=minutes)
    try:
        return typed if ceiling_of(typed) == bound else None
    except InvalidSpec:
        return None


def _whole(text: str, what: str) -> int | None:
    digits = re.sub(r"(?<=\d)[ ,_](?=\d{3}(\D|$))", "", text.strip())
    if not digits:
        return None
    if not re.fullmatch(r"\d{1,12}", digits, re.ASCII) or not int(digits):
        raise InvalidSpec(f"the limit of {what} is {text.strip()[:40]!r}: take a whole number of at least 1, or none")
    return int(digits)


def _decimal(text: str, what: str) -> Decimal | None:
    number = text.strip()
    if not number:
        return None
    if not re.fullmatch(r"\d{1,9}(\.\d{1,12})?", number, re.ASCII) or not Decimal(number):
        raise InvalidSpec(f"the limit of {what} is {number[:40]!r}: take a number above 0 such as 2.50, or none")
    return Decimal(number)


def below_forecast(spec: Spec, forecast: Forecast) -> Iterator[str]:
    """One sentence for each limit at which this debate would probably be cut off."""
    bound, used = spec.ceiling() or Ceiling(), forecast.total
    tokens = used.input_tokens + used.output_tokens
    cut = "the debate will probably be cut off there."
    if bound.calls is not None and bound.calls < used.calls:
        yield f"The limit of {bound.calls:,} calls is below the forecast of {used.calls:,}: {cut}"
    if bound.tokens is not None and bound.tokens < tokens:
        yield f"The limit of {bound.tokens:,} tokens is below the forecast of {tokens:,}: {cut}"
    if bound.usd is None:
        return
    if used.cost_usd is None:
        yield "A price is unknown, so a limit of USD ends the debate before its first call with that model."
    elif Decimal(bound.usd) < Decimal(used.cost_usd):
        limit, cost = usd_words(bound.usd), usd_words(used.cost_usd)
        yield f"The limit of {limit} is below the forecast of {cost}: {cut}"


MAX_OPTIONS = 8
MAX_WEIGHT = 100
Who = Literal["offline", "human", "model"]
_SEAT_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


class OptionDraft(Value):
    """An option as typed. `key` names its widgets for as long as it lives."""

    key: str
    text: str = ""


class DriverDraft(Value):
    """A driver as typed."""

    key: str
    name: str = ""
    weight: int = 100
    shown: int = 0
    """How often the page itself set the weight."""


class SeatDraft(Value):
    """A debater's seat as typed."""

    key: str
    id: str = ""
    who: Who = "offline"
    model: str = ""
    """Id of the line, if a model sits there."""
    stance: str = ""
    persona: str = ""
    weight: Annotated[int, Field(ge=1, le=MAX_WEIGHT)] = 1
    """What its ballot weighs."""


class OfficeDraft(Value):
    """Who holds an office beside the debaters: one seat for each role that the rules ask."""

    role: Role
    who: Who
    model: str = ""
    both_orders: bool = False
    """A verdict is asked twice, the second time in the reverse order."""


class Draft(Value):
    """Everything the set-up page holds; None = what the rules or the question suggest."""

    question: str = ""
    options: tuple[OptionDraft, ...] = tuple(OptionDraft(key=f"o{i}") for i in range(1, 4))
    sources: tuple[Source, ...] = ()
    seats: tuple[SeatDraft, ...] | None = None
    protocol: str = EXPERT_PANEL.name
    rounds: int | None = None
    threshold: int | None = None
    decide: Annotated[CountedRule, Field(discriminator="kind")] | None = None
    """Another decision rule than that of the protocol."""
    own: Protocol | None = None
    """Rules that were brought as a file; used if `protocol` has their name."""
    offices: tuple[OfficeDraft, ...] = ()
    """Those that were chosen; the others are held by whom `office` says."""
    lines: tuple[ModelLine, ...] = ()
    """Models that may sit here: those that the seats name, and those that a person has added."""
    limits: LimitsDraft = LimitsDraft()
    chair: bool = True
    room: RoomDraft = RoomDraft()
    triage: Answers = Answers()
    """What was answered to whether this should be debated; the cost of the debate is never among it."""
    drivers: tuple[DriverDraft, ...] = ()
    """What the decision is measured by."""
    context: str = ""
    """What the seats are told of the situation beside the question: that recommendation, if it is to be kept."""
    parent: str = ""
    """The debate that this draft was made from."""
    made: int = 3
    """How many keys were given so far."""

    def rules(self) -> Protocol:
        """The protocol chosen, with the decision rule chosen, and its verdicts in both orders if that was chosen."""
        rules = self.shipped()
        if self.decide is not None:
            rules = with_decision(rules, self.decide)
        return with_both_orders(rules) if any(o.both_orders for o in self.offices) else rules

    def shipped(self) -> Protocol:
        """The protocol as it is shipped, or was brought."""
        return self.own if self.own and self.own.name == self.protocol else protocol(self.protocol)

    def named_options(self) -> tuple[str, ...]:
        """Options with a text; fields left empty do not count."""
        return tuple(o.text.strip() for o in self.options if o.text.strip())

    def panel(self) -> tuple[SeatDraft, ...]:
        """The seats as typed, else those that the question suggests."""
        return suggested_panel(self, None) if self.seats is None else self.seats

    def has_evidence_panel(self) -> bool:
        """True if code quotes passages in at least one seat."""
        return any(s.who == "offline" for s in self.panel())

    def can_be_marked(self) -> bool:
        """True if a person could mark passages under these rules."""
        return self.has_evidence_panel() and any(p.gives == "review" for p in self.rules().phases())

    def needs_chair(self) -> bool:
        """True if these rules have something to do for a person in the chair."""
        return self.can_be_marked() or any(p.role == "chair" and p.gives != "review" for p in self.rules().phases())

    def has_models(self) -> bool:
        """True if a model debates or holds an office."""
        return any(s.who == "model" for s in self.panel()) or any(o.who == "model" for o in self.held_offices())

    def held_offices(self) -> tuple[OfficeDraft, ...]:
        """Every office that the rules ask for, in the order of the phases."""
        return tuple(self.office(seat.role) for seat in other_seats(self.rules(), "human"))

    def office(self, role: Role) -> OfficeDraft:
        """Who was chosen for this office; a person where it decides, else code: it makes a draft, or passes over."""
        rule = self.rules().decide
        who: Who = "human" if isinstance(rule, BySeat) and rule.role == role else "offline"
        return next((o for o in self.offices if o.role == role), OfficeDraft(role=role, who=who))

    def with_office(self, held: OfficeDraft) -> "Draft":
        """The draft with this one in its office."""
        return self.model_copy(update={"offices": (*(o for o in self.offices if o.role != held.role), held)})

    def default_rounds(self) -> int:
        """What the rules say; with a panel that abstains in openings, enough for two more ballots in a row."""
        rules = self.rules()
        if self.has_evidence_panel() and isinstance(rules.decide, Majority):
            return min(rules.decide.ballots_in_a_row + 1, rules.rounds.hard_max)
        return rules.rounds.default

    def total_weight(self) -> int:
        """What the ballots of all debaters weigh together."""
        return sum(s.weight for s in self.panel())

    def default_threshold(self) -> int:
        """More than half of what the ballots weigh, and no less than the rules say."""
        rule, n = self.rules().decide, self.total_weight()
        least = rule.votes if isinstance(rule, Threshold) else 1
        return max(1, min(max(least, n // 2 + 1), n))

    def max_rounds(self) -> int:
        """Rounds as chosen, else the default, within what the rules allow."""
        return min(self.rounds or self.default_rounds(), self.rules().rounds.hard_max)

    def votes(self) -> int:
        """Votes needed as chosen, else the default; never more than all ballots weigh."""
        return max(1, min(self.threshold or self.default_threshold(), self.total_weight()))


def example(question: str, options: Sequence[str]) -> Draft:
    """A draft that begins with a question and its options."""
    named = tuple(OptionDraft(key=f"o{i}", text=text) for i, text in enumerate(options, start=1))
    return Draft(question=question, options=named, made=len(named))


def suggested_panel(draft: Draft, size: int | None) -> tuple[SeatDraft, ...]:
    """Seats as the rules cast them: by the words of the question, each with a side to defend where there are sides."""
    rules, options = draft.rules(), draft.named_options() or ("", "")
    try:
        seats = cast(rules, draft.question, options, "offline", size or panel_size(rules, options))
    except InvalidSpec:
        seats = cast(rules, draft.question, options, "offline")
    debaters = [s for s in seats if s.role == "debater"]
    return tuple(
        SeatDraft(key=f"{s.id}-{i}-{s.stance}", id=s.id, stance=s.stance, persona=s.persona)
        for i, s in enumerate(debaters)
    )


def spec_from(draft: Draft) -> Spec:
    """The debate to open. InvalidSpec says in one sentence what is missing."""
    rules = draft.rules()
    counted = isinstance(rules.decide, Threshold)
    seats = (*(_seat(n, s, draft) for n, s in enumerate(draft.panel(), start=1)), *_offices(draft))
    used = {s.model for s in seats}
    return compose(
        draft.question,
        draft.named_options(),
        limited(rules, ceiling_of(draft.limits)),
        seats,
        sources=draft.sources,
        max_rounds=draft.max_rounds(),
        threshold=draft.votes() if counted and draft.panel() else None,
        context=draft.context,
        drivers=[read(Driver, {"name": d.name.strip(), "weight": d.weight}) for d in draft.drivers],
        models=[line for line in draft.lines if line.id in used],
        templates=digests() if used != {None} else (),
        room=room_of(draft.room, seats),
        parent=draft.parent or None,
    )


def limited(rules: Protocol, ceiling: Ceiling | None) -> Protocol:
    """The rules with this limit instead of their own; it is the first of the stop rules."""
    if ceiling is None:
        return rules
    others = tuple(rule for rule in rules.stop if not isinstance(rule, Ceiling))
    return rules.model_copy(update={"stop": (ceiling, *others)})


def _seat(number: int, seat: SeatDraft, draft: Draft) -> Seat:
    if not _SEAT_ID.fullmatch(seat.id):
        raise InvalidSpec(
            f"the name of seat {number} is {seat.id[:60]!r}: take 1 to 40 letters, digits, - or _, without blanks"
        )
    said = {"id": seat.id, "occupant": seat.who, "stance": seat.stance, "persona": seat.persona}
    fields = {**said, "weight": seat.weight}
    seated = read(Seat, {**fields, "commitment": commitment_at(draft.rules(), number, seat.stance)})
    return _with_model(seated, seat.model, draft) if seat.who == "model" else seated


def _with_model(seat: Seat, line_id: str, draft: Draft) -> Seat:
    line = next((line for line in draft.lines if line.id == line_id), None)
    if line is None or not line.model:
        raise InvalidSpec(f"no model is chosen for {seat.id}: choose who sits there")
    return seat.model_copy(update={"model": line.id, "family": line.family or None})


def human_seats(draft: Draft) -> tuple[Seat, ...]:
    """Seats kept for a person, without the chair, as far as they have a name already."""
    seats = [Seat(id=s.id, occupant="human") for s in draft.panel() if s.who == "human" and _SEAT_ID.fullmatch(s.id)]
    return (*seats, *(s for s in other_seats(draft.rules(), "human") if draft.office(s.role).who == "human"))


def _offices(draft: Draft) -> tuple[Seat, ...]:
    found = []
    if draft.chair and draft.needs_chair():
        found.append(Seat(id="chair", role="chair", occupant="human"))
    for seat in other_seats(draft.rules(), "offline"):
        held = draft.office(seat.role)
        sitting = seat.model_copy(update={"occupant": held.who})
        found.append(_with_model(sitting, held.model, draft) if held.who == "model" else sitting)
    return tuple(found)


def with_panel(draft: Draft, panel: Panel, file: PanelFile) -> Draft:
    """The draft with a model of this panel in every debater's seat, and in every office.

    `file` has the lines of the panel, each with its model.
    """
    debaters, offices = draft.panel(), other_seats(draft.rules(), "model")
    seats = [Seat(id=f"s{n}", occupant="model", stance=s.stance[:2_000]) for n, s in enumerate(debaters)]
    seated, used = seat_panel([*seats, *offices], panel, file)
    filled = zip(debaters, seated, strict=False)
    return draft.model_copy(
        update={
            "seats": tuple(s.model_copy(update={"who": "model", "model": m.model}) for s, m in filled),
            "offices": tuple(
                OfficeDraft(role=s.role, who="model", model=s.model or "") for s in seated[len(debaters) :]
            ),
            "lines": with_lines(draft.lines, used),
        }
    )


def with_lines(known: Sequence[ModelLine], more: Sequence[ModelLine]) -> tuple[ModelLine, ...]:
    """Both, each id once; what is new replaces what was known."""
    return tuple({line.id: line for line in (*known, *more)}.values())


def single_family(draft: Draft) -> bool:
    """True if the models that debate are of one family, also while the question is still to be written."""
    named = example("?", ("a", "b")).model_copy(update={"seats": draft.panel(), "lines": draft.lines})
    try:
        return diversity(spec_from(named)).single_family
    except InvalidSpec:
        return False


def problem(draft: Draft) -> str | None:
    """Why this cannot be started, or None."""
    try:
        spec_from(draft)
    except InvalidSpec as error:
        return str(error)
    return None


def doubts(draft: Draft) -> tuple[str, ...]:
    """What can be started but should be thought over first, one sentence each."""
    found = []
    if draft.has_evidence_panel():
        found += _panel_doubts(draft)
    seats, rules = draft.panel(), draft.rules()
    distinct = {(s.stance.strip().casefold(), s.persona.strip().casefold()) for s in seats}
    if len(seats) > 1 and len(distinct) < 2:
        found.append("All seats have the same stance and persona: their agreement would be no evidence.")
    if seats and not any(_doubts_by_nature(s) for s in seats) and not isinstance(rules.decide, BySeat):
        found.append("No seat is a sceptic or a pragmatist: the panel may agree too easily.")
    if isinstance(rules.decide, BySeat) and draft.office(rules.decide.role).who == "offline":
        found.append(f"Code names no option, so this debate will end undecided: seat a person as {rules.decide.role}.")
    if problem(draft) is None:
        spec = spec_from(draft)
        found += _nothing_to_quote(spec)
        found += room_doubts(draft.room, spec.seats)
        found += [f"{text[0].upper()}{text[1:]}." for text in (*warnings(spec), *diversity(spec).warnings)]
        found += below_forecast(spec, forecast(spec)) if spec.models and spec.ceiling() else ()
    return tuple(found)


def _panel_doubts(draft: Draft) -> list[str]:
    found = []
    if not draft.sources:
        found.append("The evidence panel has no sources: it will find nothing to quote.")
    if draft.can_be_marked() and not draft.chair:
        found.append("Nobody marks the passages, so the evidence panel will abstain on every ballot.")
    rule = draft.rules().decide
    if isinstance(rule, Majority) and draft.max_rounds() < draft.default_rounds():
        found.append(
            f"The evidence panel abstains in its openings, so a majority on {rule.ballots_in_a_row} ballots in a row "
            f"needs at least {draft.default_rounds()} rounds."
        )
    return found


def _nothing_to_quote(spec: Spec) -> list[str]:
    seats = [in_words(s.id) for s in spec.evidence_panel() if finds_nothing(s, spec.question, spec.sources)]
    if not seats or not spec.sources:
        return []
    return [
        f"No passage of the sources has a word that {spoken_list(seats)} would look for, so nothing will be quoted "
        "there: say in the persona what to look for."
    ]


def _doubts_by_nature(seat: SeatDraft) -> bool:
    """People are free to doubt; of the shipped personas, sceptics and pragmatists do."""
    known = {text: temper for temper, text in PERSONAS.values()}
    temper = known.get(seat.persona.strip())
    return (
        seat.who == "human" or temper in ("sceptic", "pragmatist") or bool(re.search("s[ck]eptic", seat.persona, re.I))
    )
