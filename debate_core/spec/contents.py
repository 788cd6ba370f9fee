"""Contents of turns: one frozen value per kind, joined in the union `Content`.

The kind determines the fields asked of a model, the form for a person, and the exported row. Each kind declares its
prose, its other lines, and the options it names.
"""

from collections.abc import Iterable, Mapping
from operator import not_
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, Field

from debate_core.spec.values import (
    ABSTAIN,
    MAX_GIVEN,
    MAX_TEXT_CHARS,
    Given,
    Line,
    Percent,
    Role,
    Score,
    Text,
    Value,
    is_none,
)


def _from_text(value: Any) -> Any:
    """Accept plain text for an object with a text, as models often give it."""
    return {"text": value} if isinstance(value, str) else value


def _none_if_empty(value: Any) -> Any:
    """Read an empty text as none, because schemas for models have no optional fields."""
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
    "deliverable",
    "decided_by",
    "if_false",
]
"""The role of a line in a content, named in exported rows; readers select and label by it."""


class ContentLine(NamedTuple):
    """One line of a content in addition to its prose."""

    section: LineSection
    text: str
    links: tuple[str, ...] = ()
    """Ids of the claims that support it."""
    subject: str = ""
    """Its subject: an option, a seat, a claim, the name of a position."""


class TurnContent(Value):
    """Common interface of all contents."""

    PROSE_FIELD: ClassVar[LineSection | None] = None
    """The field with running text; None for kinds without any."""

    @property
    def prose(self) -> str:
        """The running text."""
        return str(getattr(self, self.PROSE_FIELD)) if self.PROSE_FIELD else ""

    @property
    def words(self) -> str:
        """All full sentences of the content."""
        return self.prose

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        """The lines in addition to the prose, in the order of exported rows, without empty fields."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """The options that it supports."""
        return ()


def _filled(*lines: ContentLine) -> tuple[ContentLine, ...]:
    return tuple(line for line in lines if line.text)


def _each(section: LineSection, texts: Iterable[str]) -> tuple[ContentLine, ...]:
    return tuple(ContentLine(section, text) for text in texts)


def _none_if_said(value: Any) -> Any:
    """Read "none" and an empty text as no claim; no claim has this id."""
    return None if isinstance(value, str) and value.strip().casefold() in ("", "none") else value


class LeftOut(Value):
    """An unreadable optional part of a reply, kept verbatim."""

    field: Annotated[str, Field(max_length=200)]
    """Its path: `confidence`, or `claims.0.weight` for a field of the first claim."""
    raw: Text
    """The original JSON."""


MAX_LEFT_OUT = 50
"""Maximum; a reply with more unreadable parts is not read as a turn."""


class Claim(Value):
    """One numbered statement. The engine assigns the `id` (`risk.2.3` = seat, round, number)."""

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
    """The vote under rules with ballots on several options; `vote` is then None or "abstain"."""
    confidence: Percent | None = None
    strength: Score | None = None
    """The critique's own rating of its strength; unreliable, so code checks too."""

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
    """A line of a synthesis with the claims that support it."""

    text: Line
    links: tuple[Line, ...] = ()


LinkedInput = Annotated[Linked, BeforeValidator(_from_text)]


class Strongest(Value):
    """The best argument for one option with the claims that support it."""

    option: Line
    text: Line
    links: tuple[Line, ...] = ()


def _linked(section: LineSection, lines: Iterable[Linked]) -> tuple[ContentLine, ...]:
    return tuple(ContentLine(section, line.text, line.links) for line in lines)


def _named_option(option: str | None, confidence: int | None) -> tuple[ContentLine, ...]:
    how_sure = "" if confidence is None else str(confidence)
    return _filled(ContentLine("option", option or ""), ContentLine("confidence", how_sure))


class Synthesis(TurnContent):
    """The findings of the exchange. `option` names one of the options, or none."""

    PROSE_FIELD: ClassVar[LineSection | None] = "answer"
    kind: Literal["synthesis"] = "synthesis"
    answer: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    strongest: tuple[Strongest, ...] = ()
    established: tuple[LinkedInput, ...] = ()
    contested: tuple[LinkedInput, ...] = ()
    option: Line | None = None
    confidence: Percent | None = None
    recommend_another_round: bool | None = None
    """None where the protocol does not ask."""
    deliverable: Annotated[Text | None, Field(exclude_if=is_none)] = None
    """JSON text for the output schema of the protocol; it may fail to match, and is flagged then."""

    @property
    def points(self) -> tuple[ContentLine, ...]:
        """The lines that need supporting claims: strongest, established, contested."""
        strongest = tuple(ContentLine("strongest", s.text, s.links, s.option) for s in self.strongest)
        return (*strongest, *_linked("established", self.established), *_linked("contested", self.contested))

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        another_round = {True: "yes", False: "no", None: ""}[self.recommend_another_round]
        advice = _filled(ContentLine("another_round", another_round))
        deliverable = _filled(ContentLine("deliverable", self.deliverable or ""))
        return (*self.points, *_named_option(self.option, self.confidence), *advice, *deliverable)

    @property
    def names(self) -> tuple[str, ...]:
        return () if self.option is None else (self.option,)


class Mark(Value):
    """A person's reading of one claim: it supports or opposes one option, or is neutral."""

    claim_id: Line
    reading: Literal["supports", "against", "neutral"]
    option: Line | None = None
    together: Annotated[Line, Field(exclude_if=not_)] = ""
    """The author's words under which it was marked in one step with others: `Pros of Redis`."""

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
    """The subject of the debate, stated before the arguments."""

    PROSE_FIELD: ClassVar[LineSection | None] = "thesis"
    kind: Literal["framing"] = "framing"
    thesis: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    scope: Text = ""
    criteria: tuple[Line, ...] = ()
    """Requirements for a good answer."""
    key_sources: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        scope = _filled(ContentLine("scope", self.scope))
        return (*scope, *_each("criterion", self.criteria), *_each("key_source", self.key_sources))


class Position(Value):
    """A side to defend: a claim with its reason, so that others can argue against it."""

    name: Annotated[str, Field(max_length=120)]
    claim: Line
    because: Line


class Positions(TurnContent):
    """Positions for debaters without a stance, in declared order."""

    PROSE_FIELD: ClassVar[LineSection | None] = "reason"
    kind: Literal["positions"] = "positions"
    reason: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    positions: Annotated[tuple[Position, ...], Field(max_length=20)] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        return tuple(ContentLine("position", f"{p.claim} Because: {p.because}", subject=p.name) for p in self.positions)


class Candidate(Value):
    """A proposed option with enough text to be compared."""

    name: Line
    text: Text = ""
    builds_on: tuple[Line, ...] = ()
    """Names of the options that it builds on."""


class StruckCandidate(Value):
    """A candidate that should not be compared, with the reason."""

    name: Line
    because: Line


class Candidates(TurnContent):
    """Candidates to compare, and candidates to strike. A screening comes after what it screens; the last one counts.

    Equal names are one candidate; known options are none.
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
    """Its text and the options it builds on."""
    text = candidate.text.strip() or candidate.name
    if not candidate.builds_on:
        return text
    return f"{text} (builds on {', '.join(candidate.builds_on)})"


class Directive(TurnContent):
    """A moderator's opening of a round: speakers in order, a briefing, a new angle.

    It steers its own round only. `done` lets that round finish and ends the rounds after it. With `redo` the chair
    sends the moderator's directive back; neither one steers it.
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
    """The quality of one seat's arguments, independent of its side: 1 to 10."""

    seat: Line
    score: Score


class Evaluation(TurnContent):
    """An evaluator's view of a round: quality, settled points, open points; never a winner."""

    PROSE_FIELD: ClassVar[LineSection | None] = "synthesis"
    kind: Literal["evaluation"] = "evaluation"
    synthesis: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
    quality: tuple[Quality, ...] = ()
    resolved: tuple[LinkedInput, ...] = ()
    unresolved: tuple[LinkedInput, ...] = ()
    recommend_another_round: bool = False
    confidence_level: Literal["HIGH", "MODERATE", "LOW"] | None = None
    """None: not stated."""
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


class SupposedVote(Value):
    """The option that a seat would have voted for if this claim were false; None = it would have abstained."""

    claim_id: Line
    option: Line | None = None


class CruxAnswer(TurnContent):
    """A voter's answer after the last ballot: the claim that decided it, or its votes if claims were false.

    An unknown claim or option is kept and counts as no answer.
    """

    kind: Literal["decisive_claim", "suppositions"] = "decisive_claim"
    decided_by: Annotated[Line | None, BeforeValidator(_none_if_said)] = None
    supposed: Annotated[tuple[SupposedVote, ...], Field(max_length=20)] = ()

    @property
    def lines(self) -> tuple[ContentLine, ...]:
        decisive = _filled(ContentLine("decided_by", self.decided_by or ""))
        return (*decisive, *(ContentLine("if_false", s.option or ABSTAIN, subject=s.claim_id) for s in self.supposed))


MAX_REASONS = 5
"""Maximum number of reasons of one seat in a premortem."""


class Premortem(TurnContent):
    """Reasons why the decision might be reversed a year later, written before the last vote."""

    kind: Literal["premortem"] = "premortem"
    reasons: Annotated[
        tuple[Annotated[Line, Field(min_length=1, max_length=300)], ...], Field(min_length=1, max_length=MAX_REASONS)
    ]

    @property
    def prose(self) -> str:
        return "\n\n".join(self.reasons)


CONTENT_TYPES = (
    *(Argument, Synthesis, Review, Framing, Positions, Candidates, Directive, Evaluation, Verdict),
    *(CruxAnswer, Premortem),
)
Content = Annotated[
    Argument
    | Synthesis
    | Review
    | Framing
    | Positions
    | Candidates
    | Directive
    | Evaluation
    | Verdict
    | CruxAnswer
    | Premortem,
    Field(discriminator="kind"),
]
PROSE_FIELDS = tuple(dict.fromkeys(kind.PROSE_FIELD for kind in CONTENT_TYPES if kind.PROSE_FIELD))
"""The running-text field of each kind, at most one."""

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
    "decisive_claim",
    "suppositions",
    "premortem",
]


GIVERS: Mapping[Gives, tuple[Role, ...]] = {
    "review": ("chair",),
    "directive": ("moderator", "chair"),
    "positions": ("assigner", "chair"),
    "candidates": ("generator",),
    "screening": ("evaluator", "chair"),
    "decisive_claim": ("debater",),
    "suppositions": ("debater",),
    "premortem": ("debater",),
}
"""Contents that only these roles may give."""
NAMING_AN_OPTION: frozenset[Gives] = frozenset({"synthesis", "verdict"})
"""Contents that a deciding seat gives."""
CRUX_KINDS = get_args(CruxAnswer.model_fields["kind"].annotation)
CANDIDATE_KINDS = get_args(Candidates.model_fields["kind"].annotation)
ARGUMENT_KINDS = get_args(Argument.model_fields["kind"].annotation)
CONTENT_OF: Mapping[Gives, type[TurnContent]] = {
    kind: content for content in CONTENT_TYPES for kind in get_args(content.model_fields["kind"].annotation)
}
"""The content of each kind: critiques and rebuttals are arguments."""
