"""The nouns of a debate: seats, sources, contents, ballots, marks, outcome. Frozen values only.

Knows nothing of order, rules or clocks. Everybody imports it. No field is a float: what is recorded must
have one spelling in every language that re-hashes it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MAX_QUESTION_CHARS = 2_000
MAX_TEXT_CHARS = 20_000
MAX_SOURCE_CHARS = 10_000_000
MAX_GIVEN = 96
"""What one ballot can say: of 8 options under 12 drivers each."""
ABSTAIN = "abstain"
"""What a seat may write instead of an option; no option may be called so."""

Role = Literal["debater", "moderator", "referee", "evaluator", "judge", "synthesiser", "framer", "assigner", "chair"]
Occupant = Literal["model", "human", "offline", "scripted"]
Commitment = Literal["locked", "concede_points", "open", "adversary"]
TurnError = Literal["timeout", "refused", "cut", "unparseable", "failed", "weak"]
"""`weak`: a whole turn that its own seat rates below what the phase asks; it is asked once more."""
TurnStatus = Literal["ok", "skipped", "timeout", "refused", "cut", "unparseable", "failed", "weak", "struck"]
BallotStatus = Literal["cast", "abstained", "unparseable", "failed", "struck"]
Axis = Literal["calls", "tokens", "seconds", "usd"]
Status = Literal["decided", "undecided", "truncated", "aborted"]
BallotKind = Literal["one", "approval", "ranking", "score", "dots", "consent", "criteria"]
TieBreak = Literal["pairwise", "second", "approver", "lot"]

SeatId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
Line = Annotated[str, Field(max_length=2_000)]
Amount = Annotated[str, Field(pattern=r"^\d{1,9}(\.\d{1,12})?$")]
"""A decimal number as text."""


def _clamped_percent(value: Any) -> Any:
    """Model servers do not enforce ranges (Anthropic none, llama.cpp no floats): clamp, never refuse a turn."""
    return round(max(0, min(100, value))) if isinstance(value, int | float) else value


def _clamped_score(value: Any) -> Any:
    return round(max(1, min(10, value))) if isinstance(value, int | float) else value


def _said_in_words(value: Any) -> Any:
    """True and false are 1 and 0 to Python: read so, "consent: true" would be a concern, and "false" a consent."""
    return str(value).lower() if isinstance(value, bool) else value


Percent = Annotated[int, BeforeValidator(_clamped_percent), Field(ge=0, le=100)]
Score = Annotated[int, BeforeValidator(_clamped_score), Field(ge=1, le=10)]


def in_words(name: str) -> str:
    """An id or a kind as people read it: `threshold_vote` -> `threshold vote`. Not made safe for a screen."""
    return name.replace("_", " ")


class Value(BaseModel):
    """Base of everything that is recorded: frozen, and an unknown field is an error."""

    # Built when first used: a program that counts ballots should not pay for every kind of value at its start.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Seat(Value):
    """A place in the debate; who sits there is the occupant. `stance` is the side it must defend."""

    id: SeatId
    role: Role = "debater"
    occupant: Occupant = "model"
    stance: Line = ""
    persona: Line = ""
    commitment: Commitment = "concede_points"
    model: Annotated[str, Field(max_length=200)] | None = None
    """Id of the ModelLine that answers, if the occupant is a model."""
    family: Annotated[str, Field(max_length=80)] | None = None
    weight: Annotated[int, Field(ge=1, le=100)] = 1
    """How much its ballot weighs, agreed before the start."""


class Source(Value):
    """A document of the room: what quotes are checked against. `from_round` gives sequential evidence."""

    id: SeatId
    title: Line
    text: Annotated[str, Field(max_length=MAX_SOURCE_CHARS)]
    from_round: Annotated[int, Field(ge=1, le=50)] = 1


def _from_text(value: Any) -> Any:
    """Models often give a plain text where an object with a text was asked."""
    return {"text": value} if isinstance(value, str) else value


def _none_if_empty(value: Any) -> Any:
    """Schemas for models have no optional fields: an empty text says that there is none."""
    return None if value == "" else value


class Claim(Value):
    """One numbered statement. `id` (`risk.2.3` = seat, round, number) is given by the engine, never by a seat."""

    text: Line
    id: Annotated[str, Field(max_length=60)] = ""
    source_id: Annotated[Annotated[str, Field(max_length=60)] | None, BeforeValidator(_none_if_empty)] = None
    quote: Annotated[Text | None, BeforeValidator(_none_if_empty)] = None
    answers: tuple[Line, ...] = ()
    concedes: tuple[Line, ...] = ()


ClaimInput = Annotated[Claim, BeforeValidator(_from_text)]


class Given(Value):
    """What a ballot says of one option; an option that it does not name has nothing from it.

    `points`: approval 1; ranking the place, 1 = best, equal places allowed; score 0 to 5; dots how many;
    consent 0 = consent, 1 = concern, 2 = paramount objection; criteria 0 to 5 under one driver.
    """

    option: Line
    points: Annotated[int, BeforeValidator(_said_in_words), Field(ge=0, le=1_000)]
    reason: Line = ""
    """What the concern or the objection is, and what would lift it."""
    driver: Line | None = None
    """Which decision driver these points are for; None where the rule asks for none."""


class Argument(Value):
    """A debater's turn; critique and rebuttal are its kinds. `vote` None or "abstain" is an abstention."""

    kind: Literal["argument", "critique", "rebuttal"] = "argument"
    rationale: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    stance: Line = ""
    claims: Annotated[tuple[ClaimInput, ...], Field(max_length=20)] = ()
    answers: tuple[Line, ...] = ()
    concedes: tuple[Line, ...] = ()
    vote: Line | None = None
    ballot: Annotated[tuple[Given, ...], Field(max_length=MAX_GIVEN)] = ()
    """The vote under a rule that asks for more than one option; `vote` is then None, or "abstain"."""
    confidence: Percent | None = None
    strength: Score | None = None
    """How hard a critique hits, by its own judgement (seed 004, R238); easily flattered, so code looks too."""


class Linked(Value):
    """A line of a synthesis and the claims it rests on."""

    text: Line
    links: tuple[Line, ...] = ()


LinkedInput = Annotated[Linked, BeforeValidator(_from_text)]


class Strongest(Value):
    """The best argument for one option, with the claims it rests on."""

    option: Line
    text: Line
    links: tuple[Line, ...] = ()


class Synthesis(Value):
    """What the exchange established (seed 002). `option` names one of the options, or none."""

    kind: Literal["synthesis"] = "synthesis"
    answer: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    strongest: tuple[Strongest, ...] = ()
    established: tuple[LinkedInput, ...] = ()
    contested: tuple[LinkedInput, ...] = ()
    option: Line | None = None
    confidence: Percent | None = None


class Mark(Value):
    """A person's reading of one claim: it supports or opposes one option, or says nothing on them."""

    claim_id: Line
    reading: Literal["supports", "against", "neutral"]
    option: Line | None = None

    def words(self) -> str:
        """`supports adopt`, `against adopt`, `neutral`."""
        option = None if self.reading == "neutral" else self.option
        return f"{self.reading} {option or ''}".strip()


class Review(Value):
    """The chair's marks on the passages that the evidence panel quoted."""

    kind: Literal["review"] = "review"
    marks: tuple[Mark, ...] = ()


class Framing(Value):
    """What the debate is about, before anybody argues (seed 004, R245)."""

    kind: Literal["framing"] = "framing"
    thesis: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    scope: Text = ""
    criteria: tuple[Line, ...] = ()
    """What a good answer must meet."""
    key_sources: tuple[Line, ...] = ()


class Position(Value):
    """A side to be defended: what it claims and because of what, or nobody could hold it against another (R148)."""

    name: Annotated[str, Field(max_length=120)]
    claim: Line
    because: Line


class Positions(Value):
    """The sides of those who came without one, in the order in which they were declared (seed 002, R147)."""

    kind: Literal["positions"] = "positions"
    reason: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    positions: Annotated[tuple[Position, ...], Field(max_length=20)] = ()


class Directive(Value):
    """How a moderator opens a round (seed 001, R088): who speaks in which order, what all should know, where to look.

    It steers its own round only. `done` lets that round still run and ends the rounds after it. `redo` is the chair's
    word that the moderator should think again (R290): it steers nothing, and what it sends back neither.
    """

    kind: Literal["directive"] = "directive"
    reason: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    next_speakers: tuple[Line, ...] = ()
    briefing: Text = ""
    new_angle: Text = ""
    done: bool = False
    redo: bool = False


class Quality(Value):
    """How good the arguments of one seat were, whatever side it holds: 1 to 10 (R221, R240)."""

    seat: Line
    score: Score


class Evaluation(Value):
    """What an evaluator makes of a round: quality, what is settled, what is open; never a winner (seed 004, R230)."""

    kind: Literal["evaluation"] = "evaluation"
    synthesis: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    quality: tuple[Quality, ...] = ()
    resolved: tuple[LinkedInput, ...] = ()
    unresolved: tuple[LinkedInput, ...] = ()
    recommend_another_round: bool = False
    confidence_level: Literal["HIGH", "MODERATE", "LOW"] | None = None
    """None: it was not said."""
    uncertainties: tuple[Line, ...] = ()


class Verdict(Value):
    """A judge's reading of the debate (seed 001, R074). `option` names the strongest option; None = a mixture."""

    kind: Literal["verdict"] = "verdict"
    reasoning: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    verdict: Line = ""
    option: Line | None = None
    confidence: Percent | None = None


Content = Annotated[
    Argument | Synthesis | Review | Framing | Positions | Directive | Evaluation | Verdict, Field(discriminator="kind")
]
Gives = Literal[
    "argument",
    "critique",
    "rebuttal",
    "synthesis",
    "review",
    "framing",
    "positions",
    "directive",
    "evaluation",
    "verdict",
]
GIVERS: Mapping[Gives, tuple[Role, ...]] = {
    "review": ("chair",),
    "directive": ("moderator", "chair"),
    "positions": ("assigner", "chair"),
}
"""What only some may give."""
ARGUMENT_KINDS = get_args(Argument.model_fields["kind"].annotation)


class Usage(Value):
    """What a call used; `cost_usd` is a decimal number as text, None = unknown (and unknown + known = unknown)."""

    calls: Annotated[int, Field(ge=0)] = 0
    input_tokens: Annotated[int, Field(ge=0)] = 0
    cached_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    """Thinking, included in the output tokens."""
    cost_usd: Amount | None = None
    estimated: bool = False
    """True if the server did not say: a cut or late reply, counted from its characters."""
    model: Annotated[str, Field(max_length=200)] | None = None
    """The model that answered, as the server named it."""


class Ballot(Value):
    """A seat's current vote. Only `cast` counts; then `choice` is set, or `given` under rules that ask for more."""

    seat: SeatId
    status: BallotStatus
    choice: Line | None = None
    given: tuple[Given, ...] = ()
    confidence: int | None = None
    changed_by: tuple[Line, ...] = ()
    """Claim ids the voter conceded in the turn that changed the vote; empty when unchanged or unnamed."""

    def says(self) -> tuple[str | None, dict[tuple[str, str | None], int]]:
        """What it gives to which option, under which driver if any, in whatever order it names them."""
        return self.choice, {(g.option, g.driver): g.points for g in self.given}


class Count(Value):
    """Votes of one option."""

    option: Line
    votes: Annotated[int, Field(ge=0)]


class Tally(Value):
    """Cast ballots per option, in the order in which the seats of the schedule hold them; zero options are left out."""

    counts: tuple[Count, ...] = ()
    cast: int = 0
    eligible: int = 0

    def votes(self, option: str) -> int:
        """Cast ballots for one option."""
        return next((c.votes for c in self.counts if c.option == option), 0)

    def as_dict(self) -> dict[str, int]:
        """Option to votes, order kept."""
        return {c.option: c.votes for c in self.counts}


class TieStep(Value):
    """One step of the tie ladder: which options it left level; one = it broke the tie."""

    step: TieBreak
    left: tuple[Line, ...]
    why: Line = ""


class Outcome(Value):
    """How a debate ended. `decision` is an option, or what the rule says for an undecided debate.

    `decided_by` is the rule or seat that decided, None if nothing did; `decision_rule` is the same in the
    sources' words (seed 000: threshold_vote, max_rounds_exhausted); `ended_by` is the stop rule that fired first.
    """

    status: Status
    decision: Line
    ended_by: str
    decision_rule: str
    decided_by: str | None = None
    tally: Tally
    ties: tuple[str, ...] = ()
    steps: tuple[TieStep, ...] = ()
    """What was tried to break a tie, in the order agreed before the start."""
    fired: tuple[str, ...] = ()
    rounds_run: int
