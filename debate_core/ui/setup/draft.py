"""The draft of a debate on the set-up page: the input of its author, and defaults suggested by the rules.

Values only: knows neither widgets nor the host. `mapping` turns a draft into a spec.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Annotated, Literal, Self, TypeVar

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
    PROTOCOLS,
    QUOTING,
    default_seats,
    other_seats,
    panel_size,
    protocol,
)
from debate_core.spec.protocol import Protocol
from debate_core.spec.protocol_changes import (
    has_premortem,
    with_both_orders,
    with_decision,
    with_premortem,
    with_synthesis_each_round,
)
from debate_core.spec.rules import CountedRule, Majority, Threshold, on_one_ballot
from debate_core.spec.values import AskedQuestion, Commitment, Role, Seat, Source, Value

MAX_OPTIONS = 8
MAX_WEIGHT = 100
SEAT_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
SeatOccupant = Literal["offline", "human", "model"]
Decides = Literal["debaters", "panel", "room"]
DraftDecider = Literal["room", "panel", "debaters", "judge"]
"""The answer to *Who decides?*; "judge" is one seat that the rules let decide."""
Chosen = TypeVar("Chosen")


class DraftValue(Value):
    """Base of everything in a draft."""

    def replace(self, **changes: object) -> Self:
        """Return a copy with these fields changed, without validation."""
        return self.model_copy(update=changes)


class LimitsDraft(DraftValue):
    """Limits as typed; an empty field sets none."""

    usd: str = ""
    calls: str = ""
    tokens: str = ""
    minutes: str = ""


class OptionDraft(DraftValue):
    """An option as typed. `key` identifies its widgets."""

    key: str
    text: str = ""


class DriverDraft(DraftValue):
    key: str
    name: str = ""
    weight: int = 100
    shown: int = 0
    """Number of times that code has set the weight."""


class TakenDraft(DraftValue):
    """Values of one field found in a document; `values` is empty if the document has none."""

    what: Literal["question", "options", "drivers"]
    file: str
    values: tuple[str, ...] = ()
    heading: str = ""
    n_left: int = 0
    """Number of values beyond the maximum."""
    n_shortened: int = 0
    n_marks: int = 0
    proposal_from: str = ""
    decisions: tuple[str, ...] = ()
    """Subjects of a document with several decisions; no option is taken from it."""


class SeatDraft(DraftValue):
    key: str
    id: str = ""
    who: SeatOccupant = "offline"
    model: str = ""
    """Id of the model line, if `who` is a model."""
    stance: str = ""
    persona: str = ""
    commitment: Commitment | None = None
    """None = as the rules suggest."""
    weight: Annotated[int, Field(ge=1, le=MAX_WEIGHT)] = 1
    """Weight of its ballot."""
    instructions: str = ""
    """Added to the prompts of its model."""
    is_named: bool = False
    """Whether a person chose its name, which no other occupant changes."""


class OfficeDraft(DraftValue):
    """The occupant of a support role, such as a judge: one seat for each role in the rules."""

    role: Role
    who: SeatOccupant
    model: str = ""
    both_orders: bool = False
    """Whether the verdict is requested twice, the second time with the turns in reverse order."""
    instructions: str = ""
    """Added to the prompts of its model; kept from the file or debate that the draft was made from."""
    ends_from: Annotated[int, Field(ge=0, le=50)] = 0
    """The first round after which a synthesiser may end the rounds; 0 = none."""


class HolderDraft(DraftValue):
    """The person who speaks for a seat reserved for a person."""

    seat: str
    name: str = ""


class RoomDraft(DraftValue):
    """Settings for people. If `on` is False, the person at this screen runs the whole debate."""

    on: bool = False
    name: str = ""
    """Name of the facilitator, who sets up the debate."""
    decides: Decides = "room"
    vote: Annotated[CountedRule, Field(discriminator="kind")] = Majority()
    preparation: tuple[Preparation, ...] = ()
    """Steps before the first vote."""
    pre_vote: Literal["none", "shown_at_close", "shown_at_end"] = "shown_at_end"
    final_vote: Literal["none", "asked"] = "asked"
    asks_crux: bool = False
    asks_guess: bool = False
    blind: Literal["blind", "named"] = "blind"
    afterwards: Literal["stepped", "timed"] = "stepped"
    hold: Literal["none", "round"] = "round"
    phase_minutes: int = 0
    """0 = no clock."""
    max_chars: int = 1_000
    joining: Literal["open", "named"] = "open"
    readers: Readers = "members"
    listed: str = ""
    """One person a line."""
    judges: str = ""
    """Names, separated by commas."""
    synthesiser: str = ""
    approver: str = ""
    holders: tuple[HolderDraft, ...] = ()

    def holder(self, seat: str) -> str:
        """Return the name entered for a seat, or an empty text."""
        return next((h.name for h in self.holders if h.seat == seat), "")

    def with_holder(self, seat: str, name: str) -> "RoomDraft":
        """Return the draft with this name for a seat; an empty name removes it."""
        others = tuple(h for h in self.holders if h.seat != seat)
        named = (HolderDraft(seat=seat, name=name),) if name else ()
        return self.replace(holders=(*others, *named))


class SetupDraft(DraftValue):
    """Everything on the set-up page; None = as the rules or the question suggest."""

    question: str = ""
    options: tuple[OptionDraft, ...] = tuple(OptionDraft(key=f"o{i}") for i in range(1, 4))
    yes_option: str | None = None
    """The option that answers the question with yes, "" if none does; None = detected from the texts."""
    sources: tuple[Source, ...] = ()
    dismissed: tuple[str, ...] = ()
    """Ids of precedents that are not shown again for this draft."""
    seats: tuple[SeatDraft, ...] | None = None
    protocol: str = EXPERT_PANEL.name
    rounds: int | None = None
    decide: Annotated[CountedRule, Field(discriminator="kind")] | None = None
    """Rule that counts the ballots of the seats, with the votes that it needs; None = as the rules suggest."""
    own: Protocol | None = None
    """Rules of a file, or changed ones; used if `protocol` has their name."""
    offices: tuple[OfficeDraft, ...] = ()
    """Chosen occupants of support roles; `office` gives the defaults of the others."""
    lines: tuple[ModelLine, ...] = ()
    """Models of the seats, and models added by hand."""
    by_key: tuple[str, ...] = ()
    """Ids of the default models, for which API keys are set; () = the evidence panel is the default."""
    limits: LimitsDraft | None = None
    """None = the limits of the rules, if any; with `by_key` at least the usual limit in USD."""
    max_wait_s: int | None = None
    """Timeout for people; None = no timeout."""
    compared: bool = False
    """Whether baselines (answers without a debate) are requested after the debate."""
    chair: bool = True
    room: RoomDraft = RoomDraft()
    triage: Answers = Answers()
    """Answers about whether this question needs a debate, without the cost of the debate."""
    drivers: tuple[DriverDraft, ...] = ()
    context: str = ""
    """Background for the seats: the recommendation on whether to debate, if it is kept."""
    background: str = ""
    """Background for the seats that a follow-up debate brings, before `context`."""
    taken: tuple[TakenDraft, ...] = ()
    """Values found in documents, for review and undo."""
    parent: str = ""
    """Id of the debate that this draft continues."""
    asked: AskedQuestion | None = None
    """The question of a program that this debate answers."""
    shared: bool = False
    """Whether everyone in the organisation may read the debate; with people, `room.readers` decides."""
    made: int = 3
    """Number of widget keys given so far."""

    def is_shared(self) -> bool:
        """Return whether the organisation may read the debate from the start."""
        return self.room.readers == "hosts" if self.room.on else self.shared

    def rules(self) -> Protocol:
        """Return the rules of the debate."""
        rules = with_decision(self.shipped(), self.decide) if self.decide else self.usual()
        if any(office.both_orders for office in self.offices):
            rules = with_both_orders(rules)
        for office in self.offices:
            if office.ends_from and office.role == "synthesiser":
                rules = with_synthesis_each_round(rules, office.ends_from)
        # Another number of rounds moves a premortem.
        return with_premortem(rules, self.max_rounds()) if has_premortem(rules) else rules

    def usual(self) -> Protocol:
        """Return the rules with their own decision; with the evidence panel, one count is enough.

        Its seats abstain until their passages are marked, so a second consecutive count would cost another round.
        """
        rules = self.shipped()
        if rules.name not in PROTOCOLS or not isinstance(rules.decide, Majority) or not self.has_evidence_panel():
            return rules
        return with_decision(rules, on_one_ballot(rules.decide))

    def shipped(self) -> Protocol:
        """Return the protocol as shipped, uploaded or changed, before the choices about its seats and its decision."""
        if self.own and self.own.name == self.protocol:
            return self.own
        return protocol(self.protocol)

    def with_own(self, rules: Protocol) -> "SetupDraft":
        """Return the draft with these changed rules of the same protocol."""
        return self if rules == self.shipped() else self.replace(own=rules)

    def named_options(self) -> tuple[str, ...]:
        """Return the texts of all options that have one."""
        texts = (without_unseen(option.text).strip() for option in self.options)
        return tuple(text for text in texts if text)

    def stances_to_decide(self) -> tuple[str, ...]:
        """Return the stances among which the debate decides, because no options are named; () if it does not."""
        if self.named_options() or self.collects() or self.rules().generates:
            return ()
        stances = (" ".join(seat.stance.split()) for seat in self.panel())
        return tuple(stance for stance in stances if stance)

    def marked_yes(self) -> str | None:
        """Return the option marked as yes, if it still exists."""
        return self.yes_option if self.yes_option in ("", *self.named_options()) else None

    def is_begun(self) -> bool:
        """Return whether the draft has a question, an option or a document."""
        return bool(self.question.strip() or self.named_options() or self.sources)

    def has_default_rules(self) -> bool:
        """Return whether no seat, rule or person was chosen yet."""
        new = SetupDraft()
        chosen = ("seats", "protocol", "rounds", "decide", "own", "offices", "limits", "room")
        return all(getattr(self, name) == getattr(new, name) for name in chosen)

    def panel(self) -> tuple[SeatDraft, ...]:
        """Return the debaters' seats as typed, else as suggested."""
        return tuple(map(named_by_kind, suggested_panel(self, None) if self.seats is None else self.seats))

    def people_decide(self) -> bool:
        """Return whether people decide; the seats then only advise."""
        return self.room.on and self.room.decides != "debaters"

    def decider(self) -> DraftDecider:
        """Return who decides."""
        if self.people_decide():
            return self.room.decides
        return "judge" if self.shipped().deciding_role else "debaters"

    def counted_rule(self) -> CountedRule | None:
        """Return the rule that counts the deciding votes; None if a seat or a ranking decides."""
        rule = self.room.vote if self.people_decide() else self.rules().decide
        if isinstance(rule, Threshold) and not self.people_decide():
            return rule.model_copy(update={"votes": self.votes()})
        return rule if isinstance(rule, CountedRule) else None

    def with_counted_rule(self, rule: CountedRule) -> "SetupDraft":
        """Return the draft with this rule for the deciding votes."""
        if rule == self.counted_rule():
            return self
        if self.people_decide():
            return self.replace(room=self.room.replace(vote=rule))
        return self.replace(decide=unless_usual(rule, self.usual().decide))

    def collects(self) -> bool:
        """Return whether the room proposes options before the vote; impossible if the rules compare options first."""
        compares_first = self.shipped().phases()[0].paired
        is_agreed = any(one.step == "collect" for one in self.room.preparation)
        return self.room.on and is_agreed and not compares_first

    def has_evidence_panel(self) -> bool:
        """Return whether code quotes passages in at least one seat."""
        return any(s.who == "offline" for s in self.panel())

    def can_rotate(self) -> bool:
        """Return whether different models debate in several rounds."""
        models = {seat.model for seat in self.panel() if seat.who == "model"}
        return len(models) > 1 and self.max_rounds() > 1

    def can_be_marked(self) -> bool:
        """Return whether a person can mark passages under these rules."""
        return self.has_evidence_panel() and any(p.gives == "review" for p in self.rules().phases())

    def needs_chair(self) -> bool:
        """Return whether the rules have a task for a chair."""
        asks_the_chair = any(p.role == "chair" and p.gives != "review" for p in self.rules().phases())
        return asks_the_chair or self.can_be_marked()

    def has_models(self) -> bool:
        """Return whether a model debates or has a support role."""
        return any(sits.who == "model" for sits in self.everybody())

    def everybody(self) -> tuple[SeatDraft | OfficeDraft, ...]:
        """Return the debaters and the support roles."""
        return (*self.panel(), *self.all_offices())

    def all_offices(self) -> tuple[OfficeDraft, ...]:
        """Return every support role in the rules, in the order of the phases."""
        return tuple(self.office(seat.role) for seat in other_seats(self.rules(), "human"))

    def office(self, role: Role) -> OfficeDraft:
        """Return the chosen occupant of a support role, else the default: a person if the role decides, else code."""
        for office in self.offices:
            if office.role == role:
                return office
        decides = self.rules().deciding_role == role
        if self.by_key and not decides:
            return OfficeDraft(role=role, who="model", model=self.by_key[-1])
        return OfficeDraft(role=role, who="human" if decides else "offline")

    def with_office(self, office: OfficeDraft) -> "SetupDraft":
        """Return the draft with this occupant of a support role; the default stays a default."""
        if office == self.office(office.role):
            return self
        others = tuple(o for o in self.offices if o.role != office.role)
        return self.replace(offices=(*others, office))

    def default_rounds(self) -> int:
        """Return the default number of rounds of the protocol."""
        return self.shipped().rounds.default

    def keys_to_argue(self) -> tuple[str, ...]:
        """Return the default models of the debaters; a rating role may have a model that debates nowhere."""
        lines = [line for line in self.lines if line.id in self.by_key]
        return lines_to_argue(lines, [seat.role for seat in other_seats(self.shipped(), "model")]) or self.by_key

    def answers_instead(self) -> bool:
        """Return whether the unchanged default is repeated answers, because the keys give models of one family."""
        return self.is_of_one_family() and self.seats is None and self.protocol == CHECKED_ANSWERS.name

    def is_of_one_family(self) -> bool:
        """Return whether all default models are of one family."""
        return bool(self.by_key) and len({line.family for line in self.lines if line.id in self.by_key}) == 1

    def total_weight(self) -> int:
        """Return the sum of the debaters' ballot weights."""
        return sum(s.weight for s in self.panel())

    def default_threshold(self) -> int:
        """Return more than half of the total weight, and at least the threshold of the rules."""
        rule = self.shipped().decide
        all_votes = self.total_weight()
        by_the_rules = rule.votes if isinstance(rule, Threshold) else 1
        more_than_half = all_votes // 2 + 1
        return max(1, min(max(by_the_rules, more_than_half), all_votes))

    def max_rounds(self) -> int:
        """Return the chosen or default number of rounds, within the limit of the rules."""
        rounds = self.shipped().rounds
        return min(self.rounds or rounds.default, rounds.hard_max)

    def votes(self) -> int:
        """Return the chosen or default number of votes needed, at most the total weight."""
        chosen = self.decide.votes if isinstance(self.decide, Threshold) else self.default_threshold()
        return max(1, min(chosen, self.total_weight()))


def unless_usual(chosen: Chosen, usual: Chosen) -> Chosen | None:
    """Return a choice as a draft stores it: None if it equals the default."""
    return None if chosen == usual else chosen


def evenly_weighted(rows: tuple[DriverDraft, ...]) -> tuple[DriverDraft, ...]:
    """Distribute 100 points evenly; the remainder goes to the first drivers."""
    if not rows:
        return ()
    each, over = divmod(100, len(rows))
    weights = [each + 1] * over + [each] * (len(rows) - over)
    # `shown` changes the key of the widget, which would otherwise keep its old value.
    return tuple(row.replace(weight=weight, shown=row.shown + 1) for row, weight in zip(rows, weights, strict=True))


def example(question: str, options: Sequence[str]) -> SetupDraft:
    """Return a draft with this question and these options."""
    named = tuple(OptionDraft(key=f"o{i}", text=text) for i, text in enumerate(options, start=1))
    return SetupDraft(question=question, options=named, made=len(named))


def named_by_kind(seat: SeatDraft) -> SeatDraft:
    """Return the seat under the suggested name of its kind: a program is no `Database expert`. A typed name stays."""
    if seat.is_named:
        return seat
    names = QUOTING if seat.who == "offline" else {quoting: persona for persona, quoting in QUOTING.items()}
    return seat.replace(id=names.get(seat.id, seat.id))


def suggested_panel(draft: SetupDraft, size: int | None) -> tuple[SeatDraft, ...]:
    """Return the default debaters for the question, each with an assigned side if the rules have sides."""
    rules = draft.shipped()
    debaters = _default_debaters(draft, rules, size)
    who: SeatOccupant = "offline" if len(debaters) > 1 and _quotes_suffice(draft, rules) else "human"
    suggested = []
    for number, seat in enumerate(debaters):
        key = f"{seat.id}-{number}-{seat.stance}"
        suggested.append(SeatDraft(key=key, id=seat.id, stance=seat.stance, persona=seat.persona, who=who))
    if models := draft.keys_to_argue():
        suggested = [
            seat.replace(who="model", model=model) for seat, model in zip(suggested, cycle(models), strict=False)
        ]
    return tuple(suggested)


def _default_debaters(draft: SetupDraft, rules: Protocol, size: int | None) -> list[Seat]:
    options = draft.named_options()
    try:
        seats = default_seats(rules, draft.question, options, "offline", size or panel_size(rules, options))
    except InvalidSpec:
        seats = default_seats(rules, draft.question, options, "offline")
    return [seat for seat in seats if seat.role == "debater"]


def _quotes_suffice(draft: SetupDraft, rules: Protocol) -> bool:
    """Return whether quotes alone can debate: someone else decides, or people mark the passages."""
    is_marked = any(phase.gives == "review" for phase in rules.phases())
    return not rules.paired and (draft.people_decide() or rules.deciding_role is not None or is_marked)


def with_key(draft: SetupDraft, file: PanelFile, keys: Mapping[str, str]) -> SetupDraft:
    """Return the draft with the cheapest models for which keys are set as default debaters, if there are any."""
    panel = economy_panel(file, keys)
    if panel is None or draft.seats is not None:
        return draft
    lines = [file.line(line_id) for line_id in panel.debaters]
    is_chosen = draft.protocol != EXPERT_PANEL.name or draft.own is not None
    rules = draft.protocol if is_chosen else usual_protocol(panel, file).name
    return draft.replace(by_key=panel.debaters, lines=with_lines(draft.lines, lines), protocol=rules)


def with_sides(draft: SetupDraft) -> SetupDraft:
    """Return the draft with the suggested side for every seat without one."""
    made = draft.made + 1
    seats = list(draft.panel())
    for place, suggested in enumerate(suggested_panel(draft, len(seats))[: len(seats)]):
        seat = seats[place]
        if suggested.stance and not seat.stance.strip():
            seats[place] = seat.replace(stance=suggested.stance, key=f"{seat.key}-{made}")
    return draft.replace(seats=tuple(seats), made=made)


def human_seats(draft: SetupDraft) -> tuple[Seat, ...]:
    """Return the seats reserved for people that have a valid name, without the chair."""
    debaters = [s for s in draft.panel() if s.who == "human" and SEAT_ID.fullmatch(s.id)]
    offices = [seat for seat in other_seats(draft.rules(), "human") if draft.office(seat.role).who == "human"]
    return (*(Seat(id=debater.id, occupant="human") for debater in debaters), *offices)


def with_rules_for(draft: SetupDraft, panel: Panel, file: PanelFile) -> SetupDraft:
    """Return the draft with the protocol that suits a panel, if its protocol was only a default for the keys."""
    return draft.replace(protocol=usual_protocol(panel, file).name) if draft.answers_instead() else draft


def with_panel(draft: SetupDraft, panel: Panel, file: PanelFile) -> SetupDraft:
    """Return the draft with models of this panel in all seats. `file` has the lines of the panel, with their models."""
    debaters = draft.panel()
    bare = [Seat(id=f"s{n}", occupant="model", stance=s.stance[:2_000]) for n, s in enumerate(debaters)]
    seated, used = seat_panel([*bare, *other_seats(draft.rules(), "model")], panel, file)
    seats = tuple(
        debater.replace(who="model", model=seat.model) for debater, seat in zip(debaters, seated, strict=False)
    )
    offices = tuple(OfficeDraft(role=s.role, who="model", model=s.model or "") for s in seated[len(debaters) :])
    return draft.replace(seats=seats, offices=offices, lines=with_lines(draft.lines, used))


def with_lines(known: Sequence[ModelLine], more: Sequence[ModelLine]) -> tuple[ModelLine, ...]:
    """Merge two lists of lines by id; the later line wins."""
    return tuple({line.id: line for line in (*known, *more)}.values())
