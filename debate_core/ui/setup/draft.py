"""A debate that is being set up: what was typed and chosen, and what the rules suggest for the rest.

Values only: knows neither widgets nor the host. `mapping` makes the spec of it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.names import without_unseen
from debate_core.seats.economy import economy_panel, usual_protocol
from debate_core.spec.advice import Answers
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import Panel, PanelFile, lines_to_argue, seat_panel
from debate_core.spec.people import Preparation, Readers
from debate_core.spec.presets import (
    CHECKED_ANSWERS,
    EXPERT_PANEL,
    default_seats,
    other_seats,
    panel_size,
    protocol,
)
from debate_core.spec.protocol import (
    Protocol,
    with_both_orders,
    with_decision,
    with_least_strength,
    with_soft_stops,
    with_votes_told,
)
from debate_core.spec.rules import CountedRule, Majority, Threshold, on_one_ballot
from debate_core.spec.values import Commitment, Role, Seat, Source, Value

MAX_OPTIONS = 8
MAX_WEIGHT = 100
SEAT_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
SeatOccupant = Literal["offline", "human", "model"]
Decides = Literal["debaters", "panel", "room"]
Chosen = TypeVar("Chosen")


class LimitsDraft(Value):
    """Each limit as typed; empty = none."""

    usd: str = ""
    calls: str = ""
    tokens: str = ""
    minutes: str = ""


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


class TakenDraft(Value):
    """What a document gave for one field; without `values` it was looked for there and not found."""

    what: Literal["question", "options", "drivers"]
    file: str
    values: tuple[str, ...] = ()
    heading: str = ""
    n_left: int = 0
    """How many more it names than there is room for."""
    n_shortened: int = 0
    n_marks: int = 0
    proposal_from: str = ""
    decisions: tuple[str, ...] = ()
    """The subjects of a document with several decisions, from which no option is taken."""


class SeatDraft(Value):
    """A debater's seat as typed."""

    key: str
    id: str = ""
    who: SeatOccupant = "offline"
    model: str = ""
    """Id of the line, if a model sits there."""
    stance: str = ""
    persona: str = ""
    commitment: Commitment | None = None
    """How firmly it argues; None = as the rules suggest."""
    weight: Annotated[int, Field(ge=1, le=MAX_WEIGHT)] = 1
    """What its ballot weighs."""


class OfficeDraft(Value):
    """Who holds an office beside the debaters: one seat for each role that the rules ask."""

    role: Role
    who: SeatOccupant
    model: str = ""
    both_orders: bool = False
    """A verdict is asked twice, the second time in the reverse order."""


class HolderDraft(Value):
    """Who speaks for a seat that is kept for a person."""

    seat: str
    name: str = ""


class RoomDraft(Value):
    """What the set-up page holds on people. `on` False: whoever sits at the screen does everything."""

    on: bool = False
    name: str = ""
    """Of whoever sets this up: the facilitator."""
    decides: Decides = "room"
    vote: Annotated[CountedRule, Field(discriminator="kind")] = Majority()
    preparation: tuple[Preparation, ...] = ()
    """What the room does before its first vote."""
    pre_vote: Literal["none", "shown_at_close", "shown_at_end"] = "shown_at_end"
    final_vote: Literal["none", "asked"] = "asked"
    blind: Literal["blind", "named"] = "blind"
    afterwards: Literal["stepped", "timed"] = "stepped"
    hold: Literal["none", "round"] = "round"
    phase_minutes: int = 0
    """0 = no clock."""
    max_chars: int = 1_000
    joining: Literal["open", "named"] = "open"
    readers: Readers = "members"
    listed: str = ""
    """One person per line."""
    judges: str = ""
    """Names with commas between them."""
    synthesiser: str = ""
    approver: str = ""
    holders: tuple[HolderDraft, ...] = ()

    def holder(self, seat: str) -> str:
        """The name written for a seat."""
        return next((h.name for h in self.holders if h.seat == seat), "")

    def with_holder(self, seat: str, name: str) -> "RoomDraft":
        """The same with this name for a seat."""
        others = tuple(h for h in self.holders if h.seat != seat)
        named = (HolderDraft(seat=seat, name=name),) if name else ()
        return self.model_copy(update={"holders": (*others, *named)})


class SetupDraft(Value):
    """Everything the set-up page holds; None = what the rules or the question suggest."""

    question: str = ""
    options: tuple[OptionDraft, ...] = tuple(OptionDraft(key=f"o{i}") for i in range(1, 4))
    yes_option: str | None = None
    """The option that answers the question with yes, "" if none does; None = as their words say."""
    sources: tuple[Source, ...] = ()
    seats: tuple[SeatDraft, ...] | None = None
    protocol: str = EXPERT_PANEL.name
    rounds: int | None = None
    threshold: int | None = None
    decide: Annotated[CountedRule, Field(discriminator="kind")] | None = None
    """Another decision rule than that of the protocol."""
    soft_stops: tuple[str, ...] | None = None
    """What may end the rounds early, by name; None = what the rules say."""
    unverified_quotes: Literal["mark", "refuse"] | None = None
    """What becomes of an option that rests on unverified quotes alone; None = as the rules say."""
    contradicting_ballots: Literal["mark", "abstain"] | None = None
    """What becomes of a ballot whose own text argues for another option; None = as the rules say."""
    votes_told: Literal["shown", "hidden"] | None = None
    """Whether models that vote are told the votes before theirs; None = as the rules say."""
    least_strength: Annotated[int, Field(ge=1, le=10)] | None = None
    """Of a critique; None = as the rules say."""
    own: Protocol | None = None
    """Rules that were brought as a file; used if `protocol` has their name."""
    offices: tuple[OfficeDraft, ...] = ()
    """Those that were chosen; the others are held by whom `office` says."""
    lines: tuple[ModelLine, ...] = ()
    """Models that may sit here: those that the seats name, and those that a person has added."""
    by_key: tuple[str, ...] = ()
    """Lines that sit where nobody was chosen, because their keys are set; () = the evidence panel sits there."""
    limits: LimitsDraft | None = None
    """None = the limits of the rules themselves, if they have any; with `by_key` at least the usual one of USD."""
    max_wait_s: int | None = None
    """How long people are waited for; None = for as long as it takes."""
    compared: bool = False
    """True if its question is to be asked without a debate too, once it is over."""
    chair: bool = True
    room: RoomDraft = RoomDraft()
    triage: Answers = Answers()
    """What was answered to whether this should be debated; the cost of the debate is never among it."""
    drivers: tuple[DriverDraft, ...] = ()
    """What the decision is measured by."""
    context: str = ""
    """What the seats are told of the situation beside the question: that recommendation, if it is to be kept."""
    taken: tuple[TakenDraft, ...] = ()
    """What came out of documents, so that it can be reviewed and taken back."""
    parent: str = ""
    """The debate that this draft was made from."""
    shared: bool = False
    """True if all who log in with the organisation may read it; with people, what they agree on says it."""

    def is_shared(self) -> bool:
        """Whether it begins open to the organisation."""
        return self.room.readers == "hosts" if self.room.on else self.shared

    made: int = 3
    """How many keys were given so far."""

    def rules(self) -> Protocol:
        """The protocol chosen, with all that was chosen otherwise than it says."""
        rules = self.usual()
        if self.decide is not None:
            rules = with_decision(rules, self.decide)
        if self.soft_stops is not None:
            rules = with_soft_stops(rules, self.soft_stops)
        # Rules have no word for what is only marked.
        if self.unverified_quotes is not None:
            rules = rules.model_copy(update={"unverified_quotes": unless_usual(self.unverified_quotes, "mark")})
        if self.contradicting_ballots is not None:
            rules = rules.model_copy(update={"contradicting_ballots": unless_usual(self.contradicting_ballots, "mark")})
        if self.votes_told is not None:
            rules = with_votes_told(rules, self.votes_told)
        if self.least_strength is not None:
            rules = with_least_strength(rules, self.least_strength)
        if self._asks_both_orders():
            rules = with_both_orders(rules)
        return rules

    def _asks_both_orders(self) -> bool:
        return any(office.both_orders for office in self.offices)

    def usual(self) -> Protocol:
        """The protocol as shipped or brought; with the evidence panel one ballot of it is enough.

        Its seats abstain until their passages are marked, so that a second ballot in a row would come a round later.
        """
        rules = self.shipped()
        is_brought = rules == self.own
        if is_brought or not isinstance(rules.decide, Majority) or not self.has_evidence_panel():
            return rules
        return with_decision(rules, on_one_ballot(rules.decide))

    def shipped(self) -> Protocol:
        """The protocol as it is shipped, or was brought."""
        if self.own and self.own.name == self.protocol:
            return self.own
        return protocol(self.protocol)

    def named_options(self) -> tuple[str, ...]:
        """Options with a text; fields left empty do not count."""
        texts = (without_unseen(option.text).strip() for option in self.options)
        return tuple(text for text in texts if text)

    def marked_yes(self) -> str | None:
        """The option that was marked as the yes, if it is still one of the options."""
        return self.yes_option if self.yes_option in ("", *self.named_options()) else None

    def is_begun(self) -> bool:
        """True if there is a question, an option or a document in it."""
        return bool(self.question.strip() or self.named_options() or self.sources)

    def panel(self) -> tuple[SeatDraft, ...]:
        """The seats as typed, else those that the question suggests."""
        return suggested_panel(self, None) if self.seats is None else self.seats

    def people_decide(self) -> bool:
        """True if the votes of people decide; the seats that debate then advise."""
        return self.room.on and self.room.decides != "debaters"

    def collects(self) -> bool:
        """True if the room proposes the options before it votes: not where comparing them comes first of all."""
        compares_first = self.shipped().phases()[0].paired
        is_agreed = any(one.step == "collect" for one in self.room.preparation)
        return self.room.on and is_agreed and not compares_first

    def has_evidence_panel(self) -> bool:
        """True if code quotes passages in at least one seat."""
        return any(s.who == "offline" for s in self.panel())

    def can_be_marked(self) -> bool:
        """True if a person could mark passages under these rules."""
        return self.has_evidence_panel() and any(p.gives == "review" for p in self.rules().phases())

    def needs_chair(self) -> bool:
        """True if these rules have something to do for a person in the chair."""
        asks_the_chair = any(p.role == "chair" and p.gives != "review" for p in self.rules().phases())
        return asks_the_chair or self.can_be_marked()

    def has_models(self) -> bool:
        """True if a model debates or holds an office."""
        return any(sits.who == "model" for sits in self.everybody())

    def everybody(self) -> tuple[SeatDraft | OfficeDraft, ...]:
        """Who debates and who holds an office."""
        return (*self.panel(), *self.all_offices())

    def all_offices(self) -> tuple[OfficeDraft, ...]:
        """Every office that the rules ask for, in the order of the phases."""
        return tuple(self.office(seat.role) for seat in other_seats(self.rules(), "human"))

    def office(self, role: Role) -> OfficeDraft:
        """Who was chosen for this office; a person where it decides, else code: it makes a draft, or passes over."""
        for office in self.offices:
            if office.role == role:
                return office
        decides = self.rules().deciding_role == role
        if self.by_key and not decides:
            return OfficeDraft(role=role, who="model", model=self.by_key[-1])
        return OfficeDraft(role=role, who="human" if decides else "offline")

    def with_office(self, office: OfficeDraft) -> "SetupDraft":
        """The draft with this one in its office."""
        others = tuple(o for o in self.offices if o.role != office.role)
        return self.model_copy(update={"offices": (*others, office)})

    def default_rounds(self) -> int:
        """The number of rounds that the rules suggest."""
        return self.shipped().rounds.default

    def keys_to_argue(self) -> tuple[str, ...]:
        """Of the lines that sit here because of a key, those of the debaters: an office that rates may have its own."""
        lines = [line for line in self.lines if line.id in self.by_key]
        return lines_to_argue(lines, [seat.role for seat in other_seats(self.shipped(), "model")]) or self.by_key

    def answers_instead(self) -> bool:
        """True while the one family of the keys answers several times, and nobody has changed a seat."""
        return self.is_of_one_family() and self.seats is None and self.protocol == CHECKED_ANSWERS.name

    def is_of_one_family(self) -> bool:
        """True if all models that sit here because of a key are of one family."""
        return bool(self.by_key) and len({line.family for line in self.lines if line.id in self.by_key}) == 1

    def total_weight(self) -> int:
        """What the ballots of all debaters weigh together."""
        return sum(s.weight for s in self.panel())

    def default_threshold(self) -> int:
        """More than half of what the ballots weigh, and no less than the rules say."""
        rule = self.rules().decide
        all_votes = self.total_weight()
        by_the_rules = rule.votes if isinstance(rule, Threshold) else 1
        more_than_half = all_votes // 2 + 1
        return max(1, min(max(by_the_rules, more_than_half), all_votes))

    def max_rounds(self) -> int:
        """Rounds as chosen, else the default, within what the rules allow."""
        return min(self.rounds or self.default_rounds(), self.rules().rounds.hard_max)

    def votes(self) -> int:
        """Votes needed as chosen, else the default; never more than all ballots weigh."""
        return max(1, min(self.threshold or self.default_threshold(), self.total_weight()))


def unless_usual(chosen: Chosen, usual: Chosen) -> Chosen | None:
    """What was chosen, as a draft keeps it: None where it is what holds anyway."""
    return None if chosen == usual else chosen


def evenly_weighted(rows: tuple[DriverDraft, ...]) -> tuple[DriverDraft, ...]:
    """Weights as level as whole numbers allow; what is over goes to the first."""
    if not rows:
        return ()
    each, over = divmod(100, len(rows))
    weights = [each + 1] * over + [each] * (len(rows) - over)
    # Another number of the widget: what it holds would beat the value given here.
    return tuple(
        row.model_copy(update={"weight": weight, "shown": row.shown + 1})
        for row, weight in zip(rows, weights, strict=True)
    )


def example(question: str, options: Sequence[str]) -> SetupDraft:
    """A draft that begins with a question and its options."""
    named = tuple(OptionDraft(key=f"o{i}", text=text) for i, text in enumerate(options, start=1))
    return SetupDraft(question=question, options=named, made=len(named))


def suggested_panel(draft: SetupDraft, size: int | None) -> tuple[SeatDraft, ...]:
    """Seats as the rules cast them: by the words of the question, each with a side to defend where there are sides."""
    rules = draft.shipped()
    options = draft.named_options() or ("", "")
    try:
        seats = default_seats(rules, draft.question, options, "offline", size or panel_size(rules, options))
    except InvalidSpec:
        seats = default_seats(rules, draft.question, options, "offline")
    debaters = [seat for seat in seats if seat.role == "debater"]
    without_model: SeatOccupant = "offline" if len(debaters) > 1 and _can_be_quoted(draft, rules) else "human"
    return tuple(_suggested_seat(draft, n, seat, without_model) for n, seat in enumerate(debaters))


def _can_be_quoted(draft: SetupDraft, rules: Protocol) -> bool:
    """True where quotes are enough: people or an office decide, or people mark passages."""
    is_marked = any(phase.gives == "review" for phase in rules.phases())
    return not rules.paired and (draft.people_decide() or rules.deciding_role is not None or is_marked)


def _suggested_seat(draft: SetupDraft, number: int, seat: Seat, without_model: SeatOccupant) -> SeatDraft:
    """With keys set, the models of the economy panel sit there in turn."""
    suggested = SeatDraft(
        key=f"{seat.id}-{number}-{seat.stance}",
        id=seat.id,
        stance=seat.stance,
        persona=seat.persona,
        who=without_model,
    )
    if not draft.by_key:
        return suggested
    to_argue = draft.keys_to_argue()
    return suggested.model_copy(update={"who": "model", "model": to_argue[number % len(to_argue)]})


def with_key(draft: SetupDraft, file: PanelFile, keys: Mapping[str, str]) -> SetupDraft:
    """The draft with the economy panel of the keys that are set where nobody was chosen, if there is one."""
    panel = economy_panel(file, keys)
    if panel is None or draft.seats is not None:
        return draft
    lines = [file.line(line_id) for line_id in panel.debaters]
    is_chosen = draft.protocol != EXPERT_PANEL.name or draft.own is not None
    rules = draft.protocol if is_chosen else usual_protocol(panel, file).name
    with_models = {"by_key": panel.debaters, "lines": with_lines(draft.lines, lines), "protocol": rules}
    return draft.model_copy(update=with_models)


def with_sides(draft: SetupDraft) -> SetupDraft:
    """The draft with a side for every seat that has none, as the rules cast them."""
    made = draft.made + 1
    seats = list(draft.panel())
    for place, suggested in enumerate(suggested_panel(draft, len(seats))[: len(seats)]):
        seat = seats[place]
        if suggested.stance and not seat.stance.strip():
            seats[place] = seat.model_copy(update={"stance": suggested.stance, "key": f"{seat.key}-{made}"})
    return draft.model_copy(update={"seats": tuple(seats), "made": made})


def human_seats(draft: SetupDraft) -> tuple[Seat, ...]:
    """Seats kept for a person, without the chair, as far as they have a name already."""
    debaters = [s for s in draft.panel() if s.who == "human" and SEAT_ID.fullmatch(s.id)]
    offices = [seat for seat in other_seats(draft.rules(), "human") if draft.office(seat.role).who == "human"]
    return (*(Seat(id=debater.id, occupant="human") for debater in debaters), *offices)


def with_rules_for(draft: SetupDraft, panel: Panel, file: PanelFile) -> SetupDraft:
    """The draft with the rules that suit a panel, where the keys alone had suggested those that it has."""
    if not draft.answers_instead():
        return draft
    return draft.model_copy(update={"protocol": usual_protocol(panel, file).name})


def with_panel(draft: SetupDraft, panel: Panel, file: PanelFile) -> SetupDraft:
    """The draft with a model of this panel in every debater's seat, and in every office.

    `file` has the lines of the panel, each with its model.
    """
    debaters = draft.panel()
    bare = [Seat(id=f"s{n}", occupant="model", stance=s.stance[:2_000]) for n, s in enumerate(debaters)]
    seated, used = seat_panel([*bare, *other_seats(draft.rules(), "model")], panel, file)
    seats = tuple(
        debater.model_copy(update={"who": "model", "model": seat.model})
        for debater, seat in zip(debaters, seated, strict=False)
    )
    offices = tuple(OfficeDraft(role=s.role, who="model", model=s.model or "") for s in seated[len(debaters) :])
    return draft.model_copy(update={"seats": seats, "offices": offices, "lines": with_lines(draft.lines, used)})


def with_lines(known: Sequence[ModelLine], more: Sequence[ModelLine]) -> tuple[ModelLine, ...]:
    """Both, each id once; what is new replaces what was known."""
    return tuple({line.id: line for line in (*known, *more)}.values())
