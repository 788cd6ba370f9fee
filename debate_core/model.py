"""The nouns of a debate: seats, sources, contents, ballots, marks, outcome. Frozen values only.

Knows nothing of order, rules or clocks. Everybody imports it. No field is a float: what is recorded must
have one spelling in every language that re-hashes it.
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MAX_QUESTION_CHARS = 2_000
MAX_TEXT_CHARS = 20_000
MAX_SOURCE_CHARS = 10_000_000
ABSTAIN = "abstain"
"""What a seat may write instead of an option; no option may be called so."""

Role = Literal["debater", "moderator", "referee", "evaluator", "judge", "synthesiser", "framer", "assigner", "chair"]
Occupant = Literal["model", "human", "offline", "scripted"]
Commitment = Literal["locked", "concede_points", "open", "adversary"]
TurnError = Literal["timeout", "refused", "cut", "unparseable", "failed"]
TurnStatus = Literal["ok", "skipped", "timeout", "refused", "cut", "unparseable", "failed", "struck"]
BallotStatus = Literal["cast", "abstained", "unparseable", "failed", "struck"]
Status = Literal["decided", "undecided", "truncated", "aborted"]

SeatId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
Line = Annotated[str, Field(max_length=2_000)]


def _clamped_percent(value: Any) -> Any:
    """Model servers do not enforce ranges (Anthropic none, llama.cpp no floats): clamp, never refuse a turn."""
    return round(max(0, min(100, value))) if isinstance(value, int | float) else value


Percent = Annotated[int, BeforeValidator(_clamped_percent), Field(ge=0, le=100)]


class Value(BaseModel):
    """Base of everything that is recorded: frozen, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Seat(Value):
    """A place in the debate; who sits there is the occupant. `stance` is the side it must defend."""

    id: SeatId
    role: Role = "debater"
    occupant: Occupant = "model"
    stance: Line = ""
    persona: Line = ""
    commitment: Commitment = "concede_points"
    model: Annotated[str, Field(max_length=200)] | None = None
    family: Annotated[str, Field(max_length=80)] | None = None


class Source(Value):
    """A document of the room: what quotes are checked against. `from_round` gives sequential evidence."""

    id: SeatId
    title: Line
    text: Annotated[str, Field(max_length=MAX_SOURCE_CHARS)]
    from_round: Annotated[int, Field(ge=1, le=50)] = 1


def _from_text(value: Any) -> Any:
    """Models often give a plain text where an object with a text was asked."""
    return {"text": value} if isinstance(value, str) else value


class Claim(Value):
    """One numbered statement. `id` (`risk.2.3` = seat, round, number) is given by the engine, never by a seat."""

    text: Line
    id: Annotated[str, Field(max_length=60)] = ""
    source_id: Annotated[str, Field(max_length=60)] | None = None
    quote: Text | None = None
    answers: tuple[Line, ...] = ()
    concedes: tuple[Line, ...] = ()


ClaimInput = Annotated[Claim, BeforeValidator(_from_text)]


class Argument(Value):
    """A debater's turn; critique and rebuttal are its kinds. `vote` None or "abstain" is an abstention."""

    kind: Literal["argument", "critique", "rebuttal"] = "argument"
    rationale: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    stance: Line = ""
    claims: Annotated[tuple[ClaimInput, ...], Field(max_length=20)] = ()
    answers: tuple[Line, ...] = ()
    concedes: tuple[Line, ...] = ()
    vote: Line | None = None
    confidence: Percent | None = None


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


Content = Annotated[Argument | Synthesis | Review, Field(discriminator="kind")]
Gives = Literal["argument", "critique", "rebuttal", "synthesis", "review"]
ARGUMENT_KINDS = get_args(Argument.model_fields["kind"].annotation)


class Usage(Value):
    """What a call used; `cost_usd` is a decimal number as text, None = unknown (and unknown + known = unknown)."""

    calls: Annotated[int, Field(ge=0)] = 0
    input_tokens: Annotated[int, Field(ge=0)] = 0
    cached_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    cost_usd: Annotated[str, Field(pattern=r"^\d{1,9}(\.\d{1,12})?$")] | None = None


class Ballot(Value):
    """A seat's current vote. Only `cast` counts; `choice` is set exactly then."""

    seat: SeatId
    status: BallotStatus
    choice: Line | None = None
    confidence: int | None = None
    changed_by: tuple[Line, ...] = ()
    """Claim ids the voter conceded in the turn that changed the vote; empty when unchanged or unnamed."""


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
    fired: tuple[str, ...] = ()
    rounds_run: int
