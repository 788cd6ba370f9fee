"""The nouns of a debate: seats, sources, contents, ballots, marks, outcome. Frozen values only.

Knows nothing of order, rules or clocks. Everybody imports it. No field is a float: what is recorded must
have one spelling in every language that re-hashes it.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MAX_QUESTION_CHARS = 2_000
MAX_TEXT_CHARS = 20_000
MAX_SOURCE_CHARS = 10_000_000
MAX_GIVEN = 96
"""What one ballot can say: of 8 options under 12 drivers each."""
ABSTAIN = "abstain"
"""What a seat may write instead of an option; no option may be called so."""

Role = Literal[
    "debater", "moderator", "referee", "evaluator", "judge", "synthesiser", "framer", "assigner", "generator", "chair"
]
Occupant = Literal["model", "human", "offline", "scripted"]
Commitment = Literal["locked", "concede_points", "open", "adversary"]
TurnError = Literal["timeout", "refused", "cut", "unparseable", "failed", "weak", "contradicts"]
"""`weak`: a whole turn that its own seat rates below what the phase asks; it is asked once more. `contradicts`: a whole
turn whose ballot is not for the option that its text argues for; it is asked which of the two it holds."""
TurnStatus = Literal[
    "ok", "skipped", "timeout", "refused", "cut", "unparseable", "failed", "weak", "contradicts", "struck"
]
BallotStatus = Literal["cast", "abstained", "unparseable", "failed", "struck"]
Axis = Literal["calls", "tokens", "seconds", "usd"]
Status = Literal["decided", "undecided", "truncated", "aborted"]
BallotKind = Literal["one", "approval", "ranking", "score", "dots", "consent", "criteria"]
TaskType = Literal["contract", "security", "architecture", "investment", "compliance", "other"]
"""What kind of decision it is; all but `other` are known as high risk."""
BaselineName = Literal["single_call", "self_consistency"]
"""What a debate is compared with: one answer to its question, or a vote of as many answers as models gave turns."""
TieBreak = Literal["pairwise", "second", "approver", "lot"]

SeatId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
Line = Annotated[str, Field(max_length=2_000)]
Amount = Annotated[str, Field(pattern=r"^\d{1,9}(\.\d{1,12})?$")]
"""A decimal number as text."""
Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]
"""What can be written as JSON."""


def _said_in_words(value: Any) -> Any:
    """True and false are 1 and 0 to Python: read so, "consent: true" would be a concern, and "false" a consent."""
    return str(value).lower() if isinstance(value, bool) else value


def _clamped(value: Any, low: int, high: int) -> Any:
    """Model servers do not enforce ranges (Anthropic none, llama.cpp no floats): clamp, never refuse a turn."""
    plain = _said_in_words(value)
    # An int can be larger than any float: only of a float it can be asked whether it is finite.
    if isinstance(plain, int) or (isinstance(plain, float) and isfinite(plain)):
        return round(max(low, min(high, plain)))
    return plain


def _clamped_percent(value: Any) -> Any:
    return _clamped(value, 0, 100)


def _clamped_score(value: Any) -> Any:
    return _clamped(value, 1, 10)


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

    @property
    def is_model(self) -> bool:
        """True if a model answers for it."""
        return self.occupant == "model"


class Source(Value):
    """A document of the room: what quotes are checked against. `from_round` gives sequential evidence."""

    id: SeatId
    title: Line
    text: Annotated[str, Field(max_length=MAX_SOURCE_CHARS)]
    from_round: Annotated[int, Field(ge=1, le=50)] = 1


class Given(Value):
    """What a ballot says of one option; an option that it does not name has nothing from it.

    `points`: approval 1; ranking the place, 1 = best, equal places allowed; score 0 to 5; dots how many;
    consent 0 = consent, 1 = concern, 2 = paramount objection; criteria 0 to 5, or to what the rule
    says, under one driver.
    """

    option: Line
    points: Annotated[int, BeforeValidator(_said_in_words), Field(ge=0, le=1_000)]
    reason: Line = ""
    """What the concern or the objection is, and what would lift it."""
    driver: Line | None = None
    """Which decision driver these points are for; None where the rule asks for none."""


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
    cache_write_tokens: Annotated[int, Field(ge=0)] | None = None
    """Written into a cache, which some vendors charge more for; included in the input tokens. None = not said."""

    @property
    def all_tokens(self) -> int:
        """Of prompts and replies."""
        return self.input_tokens + self.output_tokens


class Ballot(Value):
    """A seat's current vote. Only `cast` counts; then `choice` is set, or `given` under rules that ask for more."""

    seat: SeatId
    status: BallotStatus
    choice: Line | None = None
    given: tuple[Given, ...] = ()
    confidence: int | None = None
    changed_by: tuple[Line, ...] = ()
    """Claim ids the voter conceded in the turn that changed the vote; empty when unchanged or unnamed."""
    argues_for: Line | None = None
    """The one option that its own text argues for, where the ballot puts another one highest."""

    def says(self) -> tuple[str | None, dict[tuple[str, str | None], int]]:
        """What it gives to which option, under which driver if any, in whatever order it names them."""
        return self.choice, {(g.option, g.driver): g.points for g in self.given}


class OptionVotes(Value):
    """Votes of one option."""

    option: Line
    votes: Annotated[int, Field(ge=0)]


class Tally(Value):
    """Cast ballots per option, in the order in which the seats of the schedule hold them; zero options are left out."""

    counts: tuple[OptionVotes, ...] = ()
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


class Unheard(Value):
    """A side without which no seat decides: it gave no turn, or fewer than half of those that it was asked for."""

    seats: tuple[SeatId, ...]
    asked: int
    given: int
    since: int | None = None
    """The round of the first turn that it did not give; None if it was never asked."""
    why: tuple[TurnStatus, ...] = ()
    """What became of each turn that it did not give, in their order."""


class Outcome(Value):
    """How a debate ended. `decision` is an option, or what the rule says for an undecided debate.

    `decided_by` is the rule or seat that decided, None if nothing did; `decision_rule` is the same in the
    words of the pattern it is from (threshold_vote, max_rounds_exhausted); `ended_by` is the stop rule that fired
    first, or what kept the rule from deciding at all: "quorum", "side_unheard", "unverified_quotes".
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
    unheard: tuple[Unheard, ...] = ()
    """Whose silence kept the deciding seat from deciding."""
