"""Conclusions of a probe: recommended settings of a line, and warnings, one sentence each. Makes no call."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime

from debate_core.seats.providers.dialects import retires_on
from debate_core.seats.providers.offers import same_name
from debate_core.seats.providers.wire import Offer, ReplyStatus
from debate_core.sentence import Sentence
from debate_core.spec.dialects import dialect_facts
from debate_core.spec.models import Dialect, ModelLine, Structure
from debate_core.spec.values import Usage, Value

TINY_PARAMETERS = 3e9
"""Below this, models rarely argue well, even where the server enforces the form of a turn."""
LATE_PROMPT_TOKENS = 3_500
"""Prompt of the last round of a debate of three seats and rounds, without sources."""
MARGIN = 1.5
"""Turns differ: one that usually takes two thirds of the deadline sometimes misses it."""
# "smollm-135m", "qwen3:0.6B", "llama-70b"; never the "b" of a word or the "4" of a version
_SIZE = re.compile(r"(?<![A-Za-z0-9.])(?:(\d+(?:\.\d+)?)b|(\d{2,})m)(?![A-Za-z0-9])", re.IGNORECASE)


class Probe(Value):
    """Findings about one line. None = not tried, or not reported."""

    line: str
    model: str
    family: str
    dialect: Dialect
    base_url: str
    reachable: bool = False
    n_models: int | None = None
    """Number of models that the server offers."""
    models: tuple[str, ...] = ()
    """The first of these models."""
    answered: bool = False
    """True if a valid turn came, with or without an enforced schema, or in two steps."""
    unreadable: bool = False
    """True if a reply to a request for a whole turn could not be read as one."""
    status: ReplyStatus | None = None
    schema_honoured: bool | None = None
    prompted_json: bool | None = None
    """True if JSON requested in words has the form of a turn; tried only if the schema is not honoured."""
    chat_honours: bool | None = None
    """Result of the schema in the chat dialect; tried only if it is not honoured in this one."""
    two_step: bool | None = None
    """True if prose and then the ballot alone have the form of a turn; tried only if server or model are weak."""
    structured: Structure | None = None
    """The best way to ask this line for a JSON reply."""
    context_tokens: int | None = None
    """Tokens that fit into one call, as the server reports them."""
    first_token_s: float | None = None
    tokens_per_s: float | None = None
    """Speed of the output between the first and the last token."""
    turn_s: int | None = None
    """Estimated time of a first turn."""
    deadline_s: float = 0
    """Deadline of a turn."""
    usage: Usage | None = None
    """Usage of all calls of this probe."""
    usage_reported: bool | None = None
    cached_reported: bool | None = None
    price_known: bool = False
    message: str = ""
    """Reason for a missing or invalid turn."""
    advice: tuple[str, ...] = ()
    """Recommended settings, one sentence each."""
    warnings: tuple[str, ...] = ()


def advice(line: ModelLine, findings: Probe) -> Iterator[str]:
    """Recommended settings of this line: dialect, structure, context, deadline."""
    if findings.chat_honours:
        yield Sentence("use chat, at {url}: it enforces the schema there", url=chat_url(line))
    elif (best := best_structured(line, findings)) not in (None, line.structured):
        why = Sentence("prose first, then the ballot alone")
        if best == "prompt":
            why = Sentence("it gives JSON when asked in words")
        yield Sentence(
            'write structured = "{best}" in its line of the panel file, or add --structured {best}: {why}',
            best=best,
            why=why,
        )
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
    """The address of this server in the chat dialect."""
    return f"{line.base_url}/v1" if dialect_facts(line.dialect).takes_root else line.base_url


def best_structured(line: ModelLine, findings: Probe) -> Structure | None:
    """The best way to ask this line for a JSON reply; None without findings.

    A small model without an enforced form loses its ballot in a long reply, and so does a model whose enforced reply is
    unreadable: both are asked in two steps.
    """
    ignores_schema = line.structured == "schema" and findings.schema_honoured is False
    only_words_help = findings.prompted_json and findings.two_step is False
    if _loses_its_ballot(line, findings, ignores_schema=ignores_schema) and not only_words_help:
        return "two_step"
    if ignores_schema and findings.prompted_json:
        return "prompt"
    gives_the_form = (findings.schema_honoured, findings.prompted_json, findings.two_step)
    return line.structured if findings.answered or any(gives_the_form) else None


def _loses_its_ballot(line: ModelLine, findings: Probe, *, ignores_schema: bool) -> bool:
    rambles = is_tiny(line.model) or not findings.prompted_json
    return findings.unreadable or (ignores_schema and rambles)


def warnings(line: ModelLine, findings: Probe, offers: tuple[Offer, ...], *, schema_refused: bool) -> Iterator[str]:
    """Warnings about this line; `offers` are the models that the server lists."""
    if is_tiny(line.model):
        yield Sentence(
            "{model} is a very small model: expect turns that repeat the sources, or make no sense",
            model=line.model,
        )
    if schema_refused:
        yield Sentence("the server refuses an enforced schema")
    elif findings.schema_honoured is False:
        yield Sentence("the server ignores the schema without saying so: expect unreadable turns in this dialect")
    if findings.context_tokens:
        yield from _context_warning(line, findings.context_tokens)
    if offers and not any(same_name(offer.id, line.model) for offer in offers):
        yield Sentence(
            "{model} is not among the models that its server lists: it may be gone, or another one answers under that "
            "name",
            model=line.model,
        )
    if warning := retirement_warning(line, offers):
        yield warning


def _context_warning(line: ModelLine, context_tokens: int) -> Iterator[str]:
    left = context_tokens - line.max_tokens
    if left < LATE_PROMPT_TOKENS:
        yield Sentence(
            "its context is {context_tokens:,} tokens: with replies of up to {max_tokens:,}, {left:,} are left for "
            "question, sources and turns; three rounds of three seats need about {need:,}",
            context_tokens=context_tokens,
            max_tokens=line.max_tokens,
            left=max(left, 0),
            need=LATE_PROMPT_TOKENS,
        )


def retirement_warning(line: ModelLine, offers: tuple[Offer, ...] = (), *, today: date | None = None) -> str:
    """One sentence if the vendor retires this model, according to the server's list, else to the vendor's library."""
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
