"""A debate that is being set up: the draft, its defaults, the spec it becomes, and what the readiness check says.

Values only: knows neither widgets nor the host. Called by `setup_form`, the set-up page and the home page.
"""

import re
from collections.abc import Sequence
from typing import Literal

from debate_core.errors import InvalidSpec
from debate_core.model import Seat, Source, Value
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
from debate_core.protocol import BySeat, Majority, Protocol, Spec, Threshold, read, warnings

MAX_OPTIONS = 8
WHO_SITS: dict[str, str] = {"offline": "Evidence panel", "human": "A person"}


class OptionDraft(Value):
    """An option as typed. `key` names its widgets for as long as it lives."""

    key: str
    text: str = ""


class SeatDraft(Value):
    """A debater's seat as typed."""

    key: str
    id: str = ""
    who: Literal["offline", "human"] = "offline"
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
    synthesiser: Literal["offline", "human"] | None = None
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

    def who_synthesises(self) -> Literal["offline", "human"]:
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
    return compose(
        draft.question,
        draft.named_options(),
        rules,
        (*(_seat(n, s) for n, s in enumerate(draft.panel(), start=1)), *_people(draft)),
        sources=draft.sources,
        max_rounds=draft.max_rounds(),
        threshold=draft.votes() if counted and draft.panel() else None,
    )


def _seat(number: int, seat: SeatDraft) -> Seat:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", seat.id):
        raise InvalidSpec(
            f"the name of seat {number} is {seat.id[:60]!r}: take 1 to 40 letters, digits, - or _, without blanks"
        )
    fields = {"id": seat.id, "occupant": seat.who, "stance": seat.stance, "persona": seat.persona}
    return read(Seat, {**fields, "commitment": commitment_to(seat.stance)})


def _people(draft: Draft) -> tuple[Seat, ...]:
    found = []
    if draft.chair and draft.can_be_marked():
        found.append(Seat(id="chair", role="chair", occupant="human"))
    if draft.needs_synthesiser():
        found.append(synthesiser(draft.who_synthesises()))
    return tuple(found)


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
        found += [f"{text[0].upper()}{text[1:]}." for text in warnings(spec_from(draft))]
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
