"""What a turn can contain: one frozen value a kind, joined in the union `Content`.

The kind says which fields a model is asked for, which form a person fills in, and which row is exported. Each kind
says itself what its prose is, which lines stand beside the prose, and which options it names.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, Field

from debate_core.spec.values import ABSTAIN, MAX_GIVEN, MAX_TEXT_CHARS, Given, Line, Percent, Role, Score, Text, Value


def _from_text(value: Any) -> Any:
    """Models often give a plain text where an object with a text was asked."""
    return {"text": value} if isinstance(value, str) else value


def _none_if_empty(value: Any) -> Any:
    """Schemas for models have no optional fields: an empty text says that there is none."""
    return None if value == "" else value


LineSection = Literal[
    "rationale",
    "answer",
    "thesis",
    "reason",
    "synthesis",
    "reasoning",
    "claim",
    "strongest",
    "established",
    "contested",
    "mark",
    "scope",
    "criterion",
    "key_source",
    "position",
    "candidate",
    "struck",
    "speakers",
    "briefing",
    "new_angle",
    "done",
    "redo",
    "quality",
    "resolved",
    "unresolved",
    "another_round",
    "confidence_level",
    "uncertainty",
    "verdict",
    "option",
    "confidence",
]
"""What a line of a content is. Exported rows name it; readers choose from it and label it in their own words."""


class ContentLine(NamedTuple):
    """One line that a content has beside its prose."""

    section: LineSection
    text: str
    links: tuple[str, ...] = ()
    """Ids of the claims that it rests on."""
    subject: str = ""
    """What or whom it is of: an option, a seat, a claim, the name of a position."""


class TurnContent(Value):
    """What every kind of content can be asked."""

    PROSE_FIELD: ClassVar[LineSection | None] = None
    """The field that is read as running text; None for a kind without any."""

    @property
    def prose(self) -> str:
        """What is read as running text."""
        return str(getattr(self, self.PROSE_FIELD)) if self.PROSE_FIELD else ""

    @property
    def words(self) -> str:
        """Everything that it says in sentences of its own."""
        return self.prose

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        """What it says beside its prose, in the order of exported rows; empty fields are left out."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """The options that it speaks for."""
        return ()


def _filled(*lines: ContentLine) -> tuple[ContentLine, ...]:
    return tuple(line for line in lines if line.text)


def _each(section: LineSection, texts: Iterable[str]) -> tuple[ContentLine, ...]:
    return tuple(ContentLine(section, text) for text in texts)


class LeftOut(Value):
    """A part of a reply that is no part of its content: it could not be read, and nobody had to give it."""

    field: Annotated[str, Field(max_length=200)]
    """Where it stood: `confidence`, or `claims.0.weight` for a field of the first claim."""
    raw: Text
    """As it was given, in JSON."""


MAX_LEFT_OUT = 50
"""A reply with more of them is not read as a turn."""


class Claim(Value):
    """One numbered statement. `id` (`risk.2.3` = seat, round, number) is given by the engine, never by a seat."""

    text: Line
    id: Annotated[str, Field(max_length=60)] = ""
    source_id: Annotated[Annotated[str, Field(max_length=60)] | None, BeforeValidator(_none_if_empty)] = None
    quote: Annotated[Text | None, BeforeValidator(_none_if_empty)] = None
    answers: tuple[Line, ...] = ()
    concedes: tuple[Line, ...] = ()


ClaimInput = Annotated[Claim, BeforeValidator(_from_text)]


class Argument(TurnContent):
    """A debater's turn; critique and rebuttal are its kinds. `vote` None or "abstain" is an abstention."""

    PROSE_FIELD: ClassVar[LineSection | None] = "rationale"
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
    """How hard a critique hits, by its own judgement; easily flattered, so code looks too."""

    @property
    def words(self) -> str:
        return "\n".join([self.rationale, *(claim.text for claim in self.claims)])

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return tuple(ContentLine("claim", c.text, (*c.answers, *c.concedes), c.id) for c in self.claims)

    @property
    def names(self) -> tuple[str, ...]:
        if self.vote is not None:
            return () if self.vote == ABSTAIN else (self.vote,)
        return tuple(dict.fromkeys(given.option for given in self.ballot))


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


def _linked(section: LineSection, lines: Iterable[Linked]) -> tuple[ContentLine, ...]:
    return tuple(ContentLine(section, line.text, line.links) for line in lines)


def _named_option(option: str | None, confidence: int | None) -> tuple[ContentLine, ...]:
    how_sure = "" if confidence is None else str(confidence)
    return _filled(ContentLine("option", option or ""), ContentLine("confidence", how_sure))


class Synthesis(TurnContent):
    """What the exchange established. `option` names one of the options, or none."""

    PROSE_FIELD: ClassVar[LineSection | None] = "answer"
    kind: Literal["synthesis"] = "synthesis"
    answer: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    strongest: tuple[Strongest, ...] = ()
    established: tuple[LinkedInput, ...] = ()
    contested: tuple[LinkedInput, ...] = ()
    option: Line | None = None
    confidence: Percent | None = None

    @property
    def points(self) -> tuple[ContentLine, ...]:
        """The lines that have to rest on claims: strongest, established, contested."""
        strongest = tuple(ContentLine("strongest", s.text, s.links, s.option) for s in self.strongest)
        return (*strongest, *_linked("established", self.established), *_linked("contested", self.contested))

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return (*self.points, *_named_option(self.option, self.confidence))

    @property
    def names(self) -> tuple[str, ...]:
        return () if self.option is None else (self.option,)


class Mark(Value):
    """A person's reading of one claim: it supports or opposes one option, or says nothing on them."""

    claim_id: Line
    reading: Literal["supports", "against", "neutral"]
    option: Line | None = None

    def words(self) -> str:
        """`supports adopt`, `against adopt`, `neutral`."""
        if self.reading == "neutral" or self.option is None:
            return self.reading
        return f"{self.reading} {self.option}".strip()


class Review(TurnContent):
    """The chair's marks on the passages that the evidence panel quoted."""

    kind: Literal["review"] = "review"
    marks: tuple[Mark, ...] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return tuple(ContentLine("mark", mark.words(), subject=mark.claim_id) for mark in self.marks)


class Framing(TurnContent):
    """What the debate is about, before anybody argues."""

    PROSE_FIELD: ClassVar[LineSection | None] = "thesis"
    kind: Literal["framing"] = "framing"
    thesis: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    scope: Text = ""
    criteria: tuple[Line, ...] = ()
    """What a good answer must meet."""
    key_sources: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        scope = _filled(ContentLine("scope", self.scope))
        return (*scope, *_each("criterion", self.criteria), *_each("key_source", self.key_sources))


class Position(Value):
    """A side to be defended: what it claims and because of what, or nobody could hold it against another."""

    name: Annotated[str, Field(max_length=120)]
    claim: Line
    because: Line


class Positions(TurnContent):
    """The sides of those who came without one, in the order in which they were declared."""

    PROSE_FIELD: ClassVar[LineSection | None] = "reason"
    kind: Literal["positions"] = "positions"
    reason: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    positions: Annotated[tuple[Position, ...], Field(max_length=20)] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return tuple(ContentLine("position", f"{p.claim} Because: {p.because}", subject=p.name) for p in self.positions)


class Candidate(Value):
    """An option that somebody proposes to compare with the others, in so many words that it can be compared."""

    name: Line
    text: Text = ""
    builds_on: tuple[Line, ...] = ()
    """The options that it goes on from, by name."""


class StruckCandidate(Value):
    """A candidate that should not be compared, and why."""

    name: Line
    because: Line


class Candidates(TurnContent):
    """What should be compared, and what should not; a screening is read after what it screens, and the last one counts.

    Equal names are one candidate, and what is known already is none.
    """

    PROSE_FIELD: ClassVar[LineSection | None] = "reason"
    kind: Literal["candidates", "screening"] = "candidates"
    reason: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    candidates: tuple[Candidate, ...] = ()
    struck: tuple[StruckCandidate, ...] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return (
            *(ContentLine("candidate", _described(c), subject=c.name) for c in self.candidates),
            *(ContentLine("struck", s.because, subject=s.name) for s in self.struck),
        )


def _described(candidate: Candidate) -> str:
    """What it is, and from what it goes on."""
    text = candidate.text.strip() or candidate.name
    if not candidate.builds_on:
        return text
    return f"{text} (builds on {', '.join(candidate.builds_on)})"


class Directive(TurnContent):
    """How a moderator opens a round: who speaks in which order, what all should know, where to look.

    It steers its own round only. `done` lets that round still run and ends the rounds after it. `redo` is the chair's
    word that the moderator should think again: it steers nothing, and what it sends back neither.
    """

    PROSE_FIELD: ClassVar[LineSection | None] = "reason"
    kind: Literal["directive"] = "directive"
    reason: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    next_speakers: tuple[Line, ...] = ()
    briefing: Text = ""
    new_angle: Text = ""
    done: bool = False
    redo: bool = False

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return _filled(
            ContentLine("speakers", ", ".join(self.next_speakers)),
            ContentLine("briefing", self.briefing),
            ContentLine("new_angle", self.new_angle),
            ContentLine("done", "this is the last round" if self.done else ""),
            ContentLine("redo", "sent back to the moderator" if self.redo else ""),
        )


class Quality(Value):
    """How good the arguments of one seat were, whatever side it holds: 1 to 10."""

    seat: Line
    score: Score


class Evaluation(TurnContent):
    """What an evaluator makes of a round: quality, what is settled, what is open; never a winner."""

    PROSE_FIELD: ClassVar[LineSection | None] = "synthesis"
    kind: Literal["evaluation"] = "evaluation"
    synthesis: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    quality: tuple[Quality, ...] = ()
    resolved: tuple[LinkedInput, ...] = ()
    unresolved: tuple[LinkedInput, ...] = ()
    recommend_another_round: bool = False
    confidence_level: Literal["HIGH", "MODERATE", "LOW"] | None = None
    """None: it was not said."""
    uncertainties: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        another_round = "yes" if self.recommend_another_round else "no"
        return (
            *(ContentLine("quality", str(q.score), subject=q.seat) for q in self.quality),
            *_linked("resolved", self.resolved),
            *_linked("unresolved", self.unresolved),
            ContentLine("another_round", another_round),
            ContentLine("confidence_level", self.confidence_level or "unknown"),
            *_each("uncertainty", self.uncertainties),
        )


class Verdict(TurnContent):
    """A judge's reading of the debate. `option` names the strongest option; None = a mixture."""

    PROSE_FIELD: ClassVar[LineSection | None] = "reasoning"
    kind: Literal["verdict"] = "verdict"
    reasoning: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    verdict: Line = ""
    option: Line | None = None
    confidence: Percent | None = None

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return (*_filled(ContentLine("verdict", self.verdict)), *_named_option(self.option, self.confidence))

    @property
    def names(self) -> tuple[str, ...]:
        return () if self.option is None else (self.option,)


CONTENT_TYPES = (Argument, Synthesis, Review, Framing, Positions, Candidates, Directive, Evaluation, Verdict)
Content = Annotated[
    Argument | Synthesis | Review | Framing | Positions | Candidates | Directive | Evaluation | Verdict,
    Field(discriminator="kind"),
]
PROSE_FIELDS = tuple(dict.fromkeys(kind.PROSE_FIELD for kind in CONTENT_TYPES if kind.PROSE_FIELD))
"""The field of each kind that is read as running text; no kind has two of them."""

Gives = Literal[
    "argument",
    "critique",
    "rebuttal",
    "synthesis",
    "review",
    "framing",
    "positions",
    "candidates",
    "screening",
    "directive",
    "evaluation",
    "verdict",
]


GIVERS: Mapping[Gives, tuple[Role, ...]] = {
    "review": ("chair",),
    "directive": ("moderator", "chair"),
    "positions": ("assigner", "chair"),
    "candidates": ("generator",),
    "screening": ("evaluator", "chair"),
}
"""What only some may give."""
NAMING_AN_OPTION: frozenset[Gives] = frozenset({"synthesis", "verdict"})
"""What a seat gives that decides."""
CANDIDATE_KINDS = get_args(Candidates.model_fields["kind"].annotation)
ARGUMENT_KINDS = get_args(Argument.model_fields["kind"].annotation)
