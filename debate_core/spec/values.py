"""Basic values of a debate: seats, sources, ballots, tallies, outcome. Frozen values only.

Independent of order, rules and clocks; imported everywhere. No field is a float: recorded values must have a single
spelling in every language that hashes them again.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from math import isfinite
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from debate_core.sentence import Sentence

MAX_QUESTION_CHARS = 2_000
MAX_TEXT_CHARS = 20_000
MAX_SOURCE_CHARS = 10_000_000
MAX_INSTRUCTION_CHARS = 4_000
MAX_GIVEN = 96
"""Maximum entries of one ballot: 8 options under 12 drivers."""
ABSTAIN = "abstain"
"""The word for an abstention; no option may have this name."""

Role = Literal[
    "debater", "moderator", "referee", "evaluator", "judge", "synthesiser", "framer", "assigner", "generator", "chair"
]
Occupant = Literal["model", "human", "offline", "scripted"]
Commitment = Literal["locked", "concede_points", "open", "adversary"]
TurnError = Literal["timeout", "refused", "cut", "unparseable", "failed", "weak", "contradicts", "mismatch"]
"""`weak`: a complete turn that rates itself below the phase's minimum; it is asked for once more. `contradicts`: a
complete turn whose ballot and text support different options; its seat is asked which one it holds. `mismatch`: a
complete synthesis whose deliverable does not match the output schema; its seat is asked once for another one."""
ASKED_ABOUT: tuple[TurnError, ...] = ("contradicts", "mismatch")
"""Failures that keep a complete turn, which counts if the question to its seat brings no other one."""
TurnStatus = Literal[
    "ok", "skipped", "timeout", "refused", "cut", "unparseable", "failed", "weak", "contradicts", "mismatch", "struck"
]
BallotStatus = Literal["cast", "abstained", "unparseable", "failed", "struck"]
Axis = Literal["calls", "tokens", "seconds", "usd"]
Status = Literal["decided", "undecided", "truncated", "aborted"]
BallotKind = Literal["one", "approval", "ranking", "score", "dots", "consent", "criteria"]
TaskType = Literal["contract", "security", "architecture", "investment", "compliance", "other"]
"""The kind of decision; all but `other` count as high risk."""
BaselineName = Literal["single_call", "self_consistency", "supervised_answer"]
"""Baselines for a debate: a single answer, a vote of as many answers as models gave turns, or one answer that a
supervisor checks before it is corrected."""
TieBreak = Literal["pairwise", "second", "approver", "lot"]
SEARCH_SOURCES = "search_sources"
_TOOL = re.compile(r"search_sources|mcp__[a-z0-9-]{1,20}__[A-Za-z0-9_-]{1,36}")


def _read_tool(name: str) -> str:
    if _TOOL.fullmatch(name):
        return name
    raise ValueError(Sentence("input should be 'search_sources' or 'mcp__SERVER__TOOL'"))


Tool = Annotated[str, AfterValidator(_read_tool)]
"""A tool that a seat may call before its turn. `search_sources` finds passages of the debate's own documents;
`mcp__SERVER__TOOL` asks a tool of an MCP server that the operator has listed."""

SeatId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
Line = Annotated[str, Field(max_length=2_000)]
Instructions = Annotated[str, Field(min_length=1, max_length=MAX_INSTRUCTION_CHARS)]
"""Text that a model's prompt has in addition."""
Amount = Annotated[str, Field(pattern=r"^\d{1,9}(\.\d{1,12})?$")]
"""A decimal number as text."""
Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]
"""Values that can be written as JSON."""


def _said_in_words(value: Any) -> Any:
    """Turn booleans into words: as the numbers 1 and 0, "consent: true" would become a concern."""
    return str(value).lower() if isinstance(value, bool) else value


def _clamped(value: Any, low: int, high: int) -> Any:
    """Clamp instead of refusing a turn: model servers do not enforce ranges (Anthropic none, llama.cpp no floats)."""
    plain = _said_in_words(value)
    # An int can exceed any float, and isfinite accepts floats only.
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
    """An id or a kind for people: `threshold_vote` -> `threshold vote`. Not escaped for screens."""
    return name.replace("_", " ")


def is_none(value: object) -> bool:
    """True for None: the condition of optional fields that every dump omits while they are not used."""
    return value is None


class Value(BaseModel):
    """Base of all recorded values: frozen, unknown fields are errors."""

    # Built on first use: a program that only counts ballots should not pay for every class at its start.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def with_fields(self, **fields: object) -> Self:
        """Copy the value with other fields, unchecked; `model_copy` takes twice as long, which counts in each turn."""
        new = type(self).__new__(type(self))
        # Frozen values refuse assignment, and a value has no extra and no private fields.
        assign = object.__setattr__
        assign(new, "__dict__", self.__dict__ | fields)
        assign(new, "__pydantic_fields_set__", {*self.model_fields_set, *fields})
        assign(new, "__pydantic_extra__", None)
        assign(new, "__pydantic_private__", None)
        return new


class MatchOf(Value):
    """One comparison of a tournament: the tournament's debate id, and the turn that its match answers."""

    debate: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    turn: Line


class HeldElsewhere(Value):
    """The transcript of a meeting that was not held here: each speaker is a seat, each utterance a turn."""

    file: Annotated[str, Field(min_length=1, max_length=200)]
    """The name of the file."""
    starts_s: tuple[Annotated[int, Field(ge=0, le=400_000)] | None, ...]
    """For each turn, the seconds from the beginning of the meeting; None = not given by the file."""


class Seat(Value):
    """A place in the debate, filled by its occupant. `stance` is the side it must defend."""

    id: SeatId
    role: Role = "debater"
    occupant: Occupant = "model"
    stance: Line = ""
    persona: Line = ""
    commitment: Commitment = "concede_points"
    model: Annotated[str, Field(max_length=200)] | None = None
    """Id of the ModelLine, if the occupant is a model."""
    family: Annotated[str, Field(max_length=80)] | None = None
    weight: Annotated[int, Field(ge=1, le=100)] = 1
    """The agreed weight of its ballot."""
    instructions: Annotated[Instructions | None, Field(exclude_if=is_none)] = None
    """Added to the prompts of this seat while a model holds it; no other occupant reads them."""

    @property
    def is_model(self) -> bool:
        """True if the occupant is a model."""
        return self.occupant == "model"


class Source(Value):
    """A document for quotes. `from_round` reveals evidence in sequence."""

    id: SeatId
    title: Line
    text: Annotated[str, Field(max_length=MAX_SOURCE_CHARS)]
    from_round: Annotated[int, Field(ge=1, le=50)] = 1
    only_for: tuple[SeatId, ...] | None = Field(default=None, exclude_if=is_none)
    """The only seats that read it before the end of the debate; None = all seats."""


def free_source_id(sources: Iterable[Source], letter: str = "E") -> str:
    """The first of E1, E2, ... that no source has."""
    taken = {source.id for source in sources}
    return next(f"{letter}{number}" for number in count(1) if f"{letter}{number}" not in taken)


class Given(Value):
    """A ballot's entry for one option; an option without an entry gets nothing.

    `points`: approval 1; ranking the place, 1 = best, ties allowed; score 0 to 5; dots their number; consent
    0 = consent, 1 = concern, 2 = paramount objection; criteria 0 to 5, or to the rule's maximum, under one driver.
    """

    option: Line
    points: Annotated[int, BeforeValidator(_said_in_words), Field(ge=0, le=1_000)]
    reason: Line = ""
    """The concern or objection, and what would resolve it."""
    driver: Line | None = None
    """The decision driver of these points; None where the rule uses none."""


class Usage(Value):
    """The use of a call; `cost_usd` is decimal text, None = unknown (and unknown + known = unknown)."""

    calls: Annotated[int, Field(ge=0)] = 0
    input_tokens: Annotated[int, Field(ge=0)] = 0
    cached_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    """Thinking tokens, included in the output tokens."""
    cost_usd: Amount | None = None
    estimated: bool = False
    """True if the server reported no use, as for a cut or late reply; estimated from the characters."""
    model: Annotated[str, Field(max_length=200)] | None = None
    """The answering model by the server's name."""
    cache_write_tokens: Annotated[int, Field(ge=0)] | None = None
    """Tokens written into a cache, for which some vendors charge more; included in the input tokens. None = unknown."""

    @property
    def all_tokens(self) -> int:
        """Tokens of prompt and reply."""
        return self.input_tokens + self.output_tokens


class Ballot(NamedTuple):
    """A seat's current vote. Only `cast` counts; then `choice` is set, or `given` for other kinds of ballots."""

    seat: str
    status: BallotStatus
    choice: str | None = None
    given: tuple[Given, ...] = ()
    confidence: int | None = None
    changed_by: tuple[str, ...] = ()
    """Ids of claims that the voter conceded in the turn that changed the vote; () if unchanged or unnamed."""
    argues_for: str | None = None
    """The single option that its own text argues for, while the ballot ranks another one first."""

    def says(self) -> tuple[str | None, dict[tuple[str, str | None], int]]:
        """The statement of the ballot, independent of the order of its entries."""
        return self.choice, {(g.option, g.driver): g.points for g in self.given}


class OptionVotes(Value):
    """Votes of one option."""

    option: Line
    votes: Annotated[int, Field(ge=0)]


class Tally(Value):
    """Cast ballots per option, in the order of the seats that voted; options without votes are left out."""

    counts: tuple[OptionVotes, ...] = ()
    cast: int = 0
    eligible: int = 0

    def votes(self, option: str) -> int:
        """Cast ballots for one option."""
        return next((c.votes for c in self.counts if c.option == option), 0)

    def as_dict(self) -> dict[str, int]:
        """Option -> votes, in order."""
        return {c.option: c.votes for c in self.counts}


class TieStep(Value):
    """One tie-break step and the options it left; one option = it broke the tie."""

    step: TieBreak
    left: tuple[Line, ...]
    why: Line = ""


class Unheard(Value):
    """A side that was not heard: it gave no turn, or fewer than half of those it was asked for."""

    seats: tuple[SeatId, ...]
    asked: int
    given: int
    since: int | None = None
    """The round of its first missing turn; None if it was never asked."""
    why: tuple[TurnStatus, ...] = ()
    """Statuses of its missing turns, in order."""


class Outcome(Value):
    """The end of a debate. `decision` is an option, or the agreed word for an undecided debate.

    `decided_by`: the deciding rule or seat, None = none. `decision_rule`: the same in the terms of the source pattern
    (threshold_vote, max_rounds_exhausted). `ended_by`: the first stop rule that fired, or the reason why the rule could
    not decide: "quorum", "side_unheard", "unverified_quotes".
    """

    status: Status
    decision: Line
    ended_by: str
    decision_rule: str
    decided_by: str | None = None
    tally: Tally
    ties: tuple[str, ...] = ()
    steps: tuple[TieStep, ...] = ()
    """Tie-break steps that were tried, in the agreed order."""
    fired: tuple[str, ...] = ()
    rounds_run: int
    unheard: tuple[Unheard, ...] = ()
    """Sides whose silence kept the seat from deciding."""


class AskedQuestion(Value):
    """A question as a program asked it; the people of the debate may have changed it since."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    """The id of the debate that answers it."""
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the canonical JSON of its question, options, context and deadline."""
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)]
    by: Annotated[str, Field(min_length=1, max_length=80)]
    """The name that the program gave itself; nothing proves it."""
    at: str
    """UTC text."""
    deadline: str = ""
    """UTC text: a later decision does not answer it. Empty = no deadline."""
