"""What follows from a probe: what to choose for a line, and what to beware of, one sentence each. Asks nobody."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Protocol

from debate_core.seats.wires.dialects import retires_on
from debate_core.seats.wires.offers import same_name
from debate_core.seats.wires.wire import Offer
from debate_core.sentence import Sentence
from debate_core.spec.dialects import dialect_facts
from debate_core.spec.models import ModelLine, Structure

TINY_PARAMETERS = 3e9
"""Below this, models rarely argue well, even where the server enforces the form of a turn."""
LATE_PROMPT_TOKENS = 3_500
"""What a seat reads in the last round of a debate of three seats and rounds, without sources."""
MARGIN = 1.5
"""Turns differ: one that usually takes two thirds of the deadline sometimes misses it."""
# "smollm-135m", "qwen3:0.6B", "llama-70b"; never the "b" of a word or the "4" of a version
_SIZE = re.compile(r"(?<![A-Za-z0-9.])(?:(\d+(?:\.\d+)?)b|(\d{2,})m)(?![A-Za-z0-9])", re.IGNORECASE)


class Findings(Protocol):
    """What a probe has seen. None = not tried, or not said."""

    @property
    def answered(self) -> bool: ...
    @property
    def unreadable(self) -> bool:
        """True if a reply came where a turn was asked for as a whole, and could not be read as one."""

    @property
    def schema_honoured(self) -> bool | None: ...
    @property
    def prompted_json(self) -> bool | None: ...
    @property
    def two_step(self) -> bool | None: ...
    @property
    def chat_honours(self) -> bool | None: ...
    @property
    def context_tokens(self) -> int | None: ...
    @property
    def turn_s(self) -> int | None: ...
    @property
    def deadline_s(self) -> float: ...


def advice(line: ModelLine, findings: Findings) -> Iterator[str]:
    """What to choose for this line: the dialect, how it is asked for JSON, its context, its time."""
    if findings.chat_honours:
        yield Sentence("use chat, at {url}: it enforces the schema there", url=chat_url(line))
    else:
        yield from _about_structure(line, best_structured(line, findings))
    if findings.context_tokens and not 0 < line.context_tokens <= findings.context_tokens:
        yield Sentence(
            "write context_tokens = {context_tokens} in its line: a longer prompt is then never sent",
            context_tokens=findings.context_tokens,
        )
    if findings.turn_s is not None and findings.turn_s * MARGIN > (line.deadline_s or findings.deadline_s):
        yield Sentence(
            "give it more time: deadline_s = {deadline_s} in its line", deadline_s=-(-findings.turn_s * 3 // 60) * 60
        )


def chat_url(line: ModelLine) -> str:
    """Where the server of this line, which speaks another dialect, is asked in the chat dialect."""
    return f"{line.base_url}/v1" if dialect_facts(line.dialect).takes_root else line.base_url


def _about_structure(line: ModelLine, best: Structure | None) -> Iterator[str]:
    if best in (None, line.structured):
        return
    why = Sentence("prose first, then the ballot alone")
    if best == "prompt":
        why = Sentence("asked in words it gives JSON")
    yield Sentence(
        'write structured = "{best}" in its line of the panel file, or add --structured {best}: {why}',
        best=best,
        why=why,
    )


def best_structured(line: ModelLine, findings: Findings) -> Structure | None:
    """How this line is best asked for a JSON reply; None = nothing was found out.

    Where nobody enforces the form, a small model loses its ballot in a long one, and so does one whose reply cannot be
    read though it is enforced: they are asked in two steps.
    """
    only_words_help = findings.prompted_json and findings.two_step is False
    if _is_weak(line, findings) and not only_words_help:
        return "two_step"
    if _ignores_the_schema(line, findings) and findings.prompted_json:
        return "prompt"
    gives_the_form = (findings.schema_honoured, findings.prompted_json, findings.two_step)
    return line.structured if findings.answered or any(gives_the_form) else None


def _is_weak(line: ModelLine, findings: Findings) -> bool:
    if findings.unreadable:
        return True
    loses_itself_in_words = is_tiny(line.model) or not findings.prompted_json
    return _ignores_the_schema(line, findings) and loses_itself_in_words


def _ignores_the_schema(line: ModelLine, findings: Findings) -> bool:
    return line.structured == "schema" and findings.schema_honoured is False


def warnings(line: ModelLine, findings: Findings, offers: tuple[Offer, ...], *, schema_refused: bool) -> Iterator[str]:
    """What to beware of; `offers` are what the server lists."""
    if is_tiny(line.model):
        yield Sentence(
            "{model} is a very small model: expect turns that repeat the sources, or do not hang together",
            model=line.model,
        )
    if schema_refused:
        yield Sentence("the server refuses an enforced schema")
    elif findings.schema_honoured is False:
        yield Sentence("the server ignores the schema without saying so: expect unreadable turns in this dialect")
    yield from _about_context(line, findings.context_tokens)
    yield from _about_the_list(line, offers)
    if warning := retirement_warning(line, offers):
        yield warning


def _about_context(line: ModelLine, context_tokens: int | None) -> Iterator[str]:
    if not context_tokens:
        return
    left = context_tokens - line.max_tokens
    if left < LATE_PROMPT_TOKENS:
        yield (
            Sentence(
                "its context is {context_tokens:,} tokens: with replies of up to {max_tokens:,}, {left:,} "
                "are left for question, sources and turns; three rounds of three seats need about "
                "{need:,}",
                context_tokens=context_tokens,
                max_tokens=line.max_tokens,
                left=max(left, 0),
                need=LATE_PROMPT_TOKENS,
            )
        )


def _about_the_list(line: ModelLine, offers: tuple[Offer, ...]) -> Iterator[str]:
    if offers and not any(same_name(offer.id, line.model) for offer in offers):
        yield (
            Sentence(
                "{model} is not among the models that its server lists: it may be gone, or another one "
                "answers under that name",
                model=line.model,
            )
        )


def retirement_warning(line: ModelLine, offers: tuple[Offer, ...] = (), *, today: date | None = None) -> str:
    """One sentence if its vendor retires this model: as the server's list says, else as the vendor's library knows."""
    listed = next((offer.retires for offer in offers if same_name(offer.id, line.model)), None)
    day = listed or retires_on(line)
    if day is None:
        return ""
    is_over = day <= (today or datetime.now(UTC).date())
    if is_over:
        return Sentence("{model} was to be retired on {day}: choose another model", model=line.model, day=day)
    return Sentence("{model} will be retired on {day}: choose another model", model=line.model, day=day)


def is_tiny(model: str) -> bool:
    """True if the name gives a size below 3 billion parameters (`135m`, `1b`, `0.6B`); the largest size counts."""
    largest = 0.0
    for billions, millions in _SIZE.findall(model):
        largest = max(largest, float(billions or 0) * 1e9, float(millions or 0) * 1e6)
    return 0 < largest < TINY_PARAMETERS
