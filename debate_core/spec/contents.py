"""What a turn can contain: one frozen value a kind, joined in the union `Content`.

The kind says which fields a model is asked for, which form a person fills in, and which row is exported.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from debate_core.spec.values import MAX_GIVEN, MAX_TEXT_CHARS, Given, Line, Percent, Role, Score, Text, Value


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
