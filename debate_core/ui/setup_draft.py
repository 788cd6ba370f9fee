"""A debate that is being set up: the draft, its defaults, the spec it becomes, and what the readiness check says.

Values only: knows neither widgets nor the host. Called by `setup_form`, the set-up page and the home page.
"""

import re
from collections.abc import Sequence
from typing import Literal

from debate_core.errors import InvalidSpec
from debate_core.forecast import forecast
from debate_core.model import ModelLine, Seat, Source, Value
from debate_core.panels import Panel, PanelFile, diversity, seat_panel
from debate_core.presets import (
    EXPERT_PANEL,
    PERSONAS,
    commitment_to,
    compose,
    panel_for,
    panel_size,
    protocol,
    synthesiser,
)
from debate_core.prompts import digests
from debate_core.protocol import Protocol, Spec, read, warnings
from debate_core.rulebook import BySeat, Ceiling, Majority, Threshold
from debate_core.ui.setup_limits import LimitsDraft, below_forecast, ceiling_of

MAX_OPTIONS = 8
Who = Literal["offline", "human", "model"]


class OptionDraft(Value):
    """An option as typed. `key` names its widgets for as long as it lives."""

    key: str
    text: str = ""


class SeatDraft(Value):
    """A debater's seat as typed."""

    key: str
    id: str = ""
    who: Who = "offline"
    model: str = ""
    """Id of the line, if a model sits there."""
    stance: str = ""
    persona: str = ""


class Draft(Value):
    """Everything the set-up page holds; None = what the rules or the question suggest."""

    question: str = ""
    options: tuple[OptionDraft, ...] = tuple(OptionDraft(key=f"o{i}") for i in range(1, 4))
    sources: tuple[Source, ...] = ()
    seats: tuple[SeatDraft, ...] | None = None
    protocol: str = EXPERT_PANEL.name
    rounds: int | None = None
    threshold: int | None = None
    synthesiser: Who | None = None
    synthesiser_model: str = ""
    lines: tuple[ModelLine, ...] = ()
    """Models that may sit here: those that the seats name, and those that a person has added."""
    limits: LimitsDraft = LimitsDraft()
    chair: bool = True
    made: int = 3
    """How many keys were given so far."""

    def rules(self) -> Protocol:
        """The protocol chosen."""
        return protocol(self.protocol)

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

    def needs_synthesiser(self) -> bool:
        """True if these rules end with a synthesis."""
        return any(p.role == "synthesiser" for p in self.rules().phases())

    def has_models(self) -> bool:
        """True if a model debates or sums up."""
        return any(s.who == "model" for s in self.panel()) or self.model_synthesises()

    def model_synthesises(self) -> bool:
        """True if these rules end with a synthesis and a model gives it."""
        return self.needs_synthesiser() and self.who_synthesises() == "model"

    def who_synthesises(self) -> Who:
        """A person where the synthesis decides; else the draft that code makes."""
        return self.synthesiser or ("human" if isinstance(self.rules().decide, BySeat) else "offline")

    def default_rounds(self) -> int:
        """What the rules say; with a panel that abstains in openings, enough for two more ballots in a row."""
        rules = self.rules()
        if self.has_evidence_panel() and isinstance(rules.decide, Majority):
            return min(rules.decide.ballots_in_a_row + 1, rules.rounds.hard_max)
        return rules.rounds.default

    def default_threshold(self) -> int:
        """More than half of the debaters, and no less than the rules say."""
        rule, n = self.rules().decide, len(self.panel())
        least = rule.votes if isinstance(rule, Threshold) else 1
        return max(1, min(max(least, n // 2 + 1), n))

    def max_rounds(self) -> int:
        """Rounds as chosen, else the default, within what the rules allow."""
        return min(self.rounds or self.default_rounds(), self.rules().rounds.hard_max)

    def votes(self) -> int:
        """Votes needed as chosen, else the default; never more than there are seats."""
        return max(1, min(self.threshold or self.default_threshold(), len(self.panel())))


def example(question: str, options: Sequence[str]) -> Draft:
    """A draft that begins with a question and its options."""
    named = tuple(OptionDraft(key=f"o{i}", text=text) for i, text in enumerate(options, start=1))
    return Draft(question=question, options=named, made=len(named))


def suggested_panel(draft: Draft, size: int | None) -> tuple[SeatDraft, ...]:
    """Seats for the question, by its words; two sides, each with an option to defend, where a synthesiser decides."""
    rules = draft.rules()
    sides = draft.named_options() if isinstance(rules.decide, BySeat) else ()
    seats = panel_for(draft.question, size or panel_size(rules), "offline", sides)
    return tuple(SeatDraft(key=f"{s.id}-{i}", id=s.id, stance=s.stance, persona=s.persona) for i, s in enumerate(seats))


def spec_from(draft: Draft) -> Spec:
    """The debate to open. InvalidSpec says in one sentence what is missing."""
    rules = draft.rules()
    counted = isinstance(rules.decide, Threshold)
    seats = (*(_seat(n, s, draft) for n, s in enumerate(draft.panel(), start=1)), *_closing_seats(draft))
    used = {s.model for s in seats}
    return compose(
        draft.question,
        draft.named_options(),
        limited(rules, ceiling_of(draft.limits)),
        seats,
        sources=draft.sources,
        max_rounds=draft.max_rounds(),
        threshold=draft.votes() if counted and draft.panel() else None,
        models=[line for line in draft.lines if line.id in used],
        templates=digests() if used != {None} else (),
    )


def limited(rules: Protocol, ceiling: Ceiling | None) -> Protocol:
    """The rules with this limit instead of their own; it is the first of the stop rules."""
    if ceiling is None:
        return rules
    others = tuple(rule for rule in rules.stop if not isinstance(rule, Ceiling))
    return rules.model_copy(update={"stop": (ceiling, *others)})


def _seat(number: int, seat: SeatDraft, draft: Draft) -> Seat:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", seat.id):
        raise InvalidSpec(
            f"the name of seat {number} is {seat.id[:60]!r}: take 1 to 40 letters, digits, - or _, without blanks"
        )
    fields = {"id": seat.id, "occupant": seat.who, "stance": seat.stance, "persona": seat.persona}
    seated = read(Seat, {**fields, "commitment": commitment_to(seat.stance)})
    return _with_model(seated, seat.model, draft) if seat.who == "model" else seated


def _with_model(seat: Seat, line_id: str, draft: Draft) -> Seat:
    line = next((line for line in draft.lines if line.id == line_id), None)
    if line is None or not line.model:
        raise InvalidSpec(f"no model is chosen for {seat.id}: choose who sits there")
    return seat.model_copy(update={"model": line.id, "family": line.family or None})


def _closing_seats(draft: Draft) -> tuple[Seat, ...]:
    found = []
    if draft.chair and draft.can_be_marked():
        found.append(Seat(id="chair", role="chair", occupant="human"))
    if draft.needs_synthesiser():
        seat = synthesiser(draft.who_synthesises())
        found.append(_with_model(seat, draft.synthesiser_model, draft) if draft.model_synthesises() else seat)
    return tuple(found)


def with_panel(draft: Draft, panel: Panel, file: PanelFile) -> Draft:
    """The draft with a model of this panel in every debater's seat, and in the one that sums up.

    `file` has the lines of the panel, each with its model.
    """
    debaters = draft.panel()
    seats = [Seat(id=f"s{n}", occupant="model", stance=s.stance[:2_000]) for n, s in enumerate(debaters)]
    seated, used = seat_panel([*seats, synthesiser("model")], panel, file)
    filled = zip(debaters, seated, strict=False)
    return draft.model_copy(
        update={
            "seats": tuple(s.model_copy(update={"who": "model", "model": m.model}) for s, m in filled),
            "synthesiser": "model",
            "synthesiser_model": seated[-1].model,
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
    if isinstance(rules.decide, BySeat) and draft.who_synthesises() == "offline":
        found.append("The draft made by code names no option, so this debate will end undecided: seat a person.")
    if problem(draft) is None:
        spec = spec_from(draft)
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


def _doubts_by_nature(seat: SeatDraft) -> bool:
    """People are free to doubt; of the shipped personas, sceptics and pragmatists do."""
    known = {text: temper for temper, text in PERSONAS.values()}
    temper = known.get(seat.persona.strip())
    return (
        seat.who == "human" or temper in ("sceptic", "pragmatist") or bool(re.search("s[ck]eptic", seat.persona, re.I))
    )
