"""One short structured turn on a model line: is it there, does it keep to the schema, how fast is it, what does it say?

What vendors document and what their servers do differ; this asks. The prompt is as long as that of a first turn, the
reply about 60 tokens, so that what a turn will take can be told. Nothing of it goes into a record, and no key into its
result. What follows from it is in `probe_advice`.
"""

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from debate_core.engine.ceiling import total
from debate_core.engine.content_faults import read_content
from debate_core.engine.replies import read_turn
from debate_core.errors import BadReply, SeatError
from debate_core.seats.forecast import ANSWER_TOKENS
from debate_core.seats.pricing import cost_usd
from debate_core.seats.probe_advice import Found, advice, best_structured, warnings
from debate_core.seats.reply import read_reply, without_thinking
from debate_core.seats.truncation import cut_prompt
from debate_core.seats.wires.dialects import server_models, wire_for
from debate_core.seats.wires.exchange import CHARS_PER_TOKEN
from debate_core.seats.wires.offers import same_name
from debate_core.seats.wires.wire import Call, Offer, Reply, ReplyStatus, Structured, Wire
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.spec.presets import BOUNDED_VOTE, compose, default_seats
from debate_core.spec.values import Json, Usage, Value

MAX_SHOWN_MODELS = 20
SHORT_TOKENS = 256
"""A reply of about 60 tokens with room to spare: slow machines come to its end, and so do models that ramble."""
MAX_TOKENS = 2_000
"""For models that think first."""
MAX_SENTENCE_CHARS = 200

_SPEC = compose("Is three more than two?", ["yes", "no"], BOUNDED_VOTE, default_seats(BOUNDED_VOTE, "", (), "model"))
_NOTES = "\n".join(f"Note {n}: of two numbers, {n + 1} is more than {n}." for n in range(1, 46))
"""As long as what a seat reads in its first turn."""
_SYSTEM = "You answer briefly."
_TASK = "Is three more than two? Give the reason in one short sentence, and vote yes or no."
_IN_WORDS = (
    f"{_TASK}\nWrite nothing but a JSON object, in this form:\n"
    '{"rationale": "your reason in one short sentence", "vote": "yes or no"}'
)
_BEGINS_AS_ASKED = re.compile(r'\s*\{\s*"rationale"\s*:')
"""The name of the first field, which only the schema tells."""


class Probe(Value):
    """What was found out about one line. None = not tried, or not said."""

    line: str
    model: str
    family: str
    dialect: Dialect
    base_url: str
    reachable: bool = False
    n_models: int | None = None
    """How many models the server offers."""
    models: tuple[str, ...] = ()
    """The first of them."""
    answered: bool = False
    """True if a turn came that would have counted, with or without an enforced schema."""
    status: ReplyStatus | None = None
    schema_honoured: bool | None = None
    prompted_json: bool | None = None
    """Whether it is enough to ask for JSON in words; tried only where the schema is not honoured."""
    chat_honours: bool | None = None
    """Whether the server keeps to the schema in the chat dialect; tried only where it does not in this one."""
    structured: Literal["schema", "json", "prompt", "two_step"] | None = None
    """How a JSON reply is best asked for here."""
    context_tokens: int | None = None
    """What fits into one call, as the server says."""
    first_token_s: float | None = None
    tokens_per_s: float | None = None
    """Output tokens, from the first to the last."""
    turn_s: int | None = None
    """About how long a first turn takes here."""
    deadline_s: float = 0
    """How long it may take."""
    usage: Usage | None = None
    """Of all calls of this probe."""
    usage_reported: bool | None = None
    cached_reported: bool | None = None
    """True if cached tokens were reported."""
    price_known: bool = False
    message: str = ""
    """Why there is no good answer."""
    advice: tuple[str, ...] = ()
    """What to choose for this line, one sentence each."""
    warnings: tuple[str, ...] = ()


@dataclass
class _PieceTimes:
    """When the pieces of a reply came."""

    at_s: list[float] = field(default_factory=list)
    began_s: float = field(default_factory=time.monotonic)
    thought: bool = False

    def __call__(self, text: str, thinking: str) -> None:
        self.at_s.append(time.monotonic())
        self.thought = self.thought or bool(thinking) or "<think>" in text

    @property
    def first_token_s(self) -> float | None:
        return self.at_s[0] - self.began_s if self.at_s else None

    def tokens_per_s(self, reply: Reply) -> float | None:
        """By the server's count; where it gives none, most servers send a token in each piece."""
        if len(self.at_s) < 2 or self.at_s[-1] == self.at_s[0]:
            return None
        usage = reply.usage
        tokens = max(len(self.at_s), len(reply.text) // CHARS_PER_TOKEN)
        if not usage.estimated:
            # Thinking that is not shown was over before the first piece came.
            tokens = usage.output_tokens - (0 if self.thought else usage.reasoning_tokens)
        return max(tokens - 1, 1) / (self.at_s[-1] - self.at_s[0])


@dataclass(frozen=True, slots=True)
class _Trial:
    """One question and what came of it."""

    reply: Reply
    form_problem: str
    """Why the reply cannot be read as a turn, "" if it can."""
    cut: str
    """That the server did not read the whole prompt, "" if it did."""
    first_token_s: float | None
    tokens_per_s: float | None
    usages: tuple[Usage, ...]
    """Of its one or two calls."""

    @property
    def problem(self) -> str:
        """Why it would not have counted as a turn, "" if it would."""
        return self.cut or self.form_problem

    @property
    def honoured(self) -> bool | None:
        """Whether the reply keeps to a schema that it was not told; None where it says nothing about that."""
        text = self.reply.text.lstrip()
        if self.reply.schema_refused:
            return False
        if self.reply.status == "complete":
            return not self.form_problem
        if _BEGINS_AS_ASKED.match(text):
            return True
        return False if text and not text.startswith("{") else None


async def probe(line: ModelLine, key: str | None, *, deadline_s: float) -> Probe:
    """Ask for the models that the server offers and for one short turn; again in words or by chat if need be.

    `deadline_s` is for each call, if the line names none. Raises nothing but cancellation; without a key that is
    needed, nothing is sent.
    """
    deadline_s = line.deadline_s or deadline_s
    found = Probe(
        line=line.id,
        model=line.model,
        family=line.family,
        dialect=line.dialect,
        base_url=line.base_url,
        deadline_s=deadline_s,
    )
    if line.key_env and not key and not is_loopback(line.base_url):
        return _with(found, message=f"no key: set {line.key_env} in the environment or in .streamlit/secrets.toml")
    offers = tuple[Offer, ...]()
    why_unknown = ""
    try:
        offers = await server_models(line, key, deadline_s=deadline_s)
        names = tuple(offer.id for offer in offers)
        found = _with(found, reachable=True, n_models=len(names), models=names[:MAX_SHOWN_MODELS])
    except SeatError as error:
        # Not every server lists its models.
        why_unknown = str(error)
    if not line.model and len(offers) == 1:
        line = line.model_copy(update={"model": offers[0].id})
    if not line.model:
        return _with(found, message=why_unknown or f"the server offers {len(offers)} models: name one of them")
    wire = wire_for(line, key)
    try:
        trials = await _trials(wire, line, deadline_s)
        offer = next((offer for offer in offers if same_name(offer.id, line.model)), None)
        context = offer.context_tokens if offer else None
        context = context or await wire.context_tokens(deadline_s=deadline_s)
    finally:
        await wire.close()
    in_chat = None
    if trials[0].honoured is False and line.dialect != "chat" and line.base_url:
        in_chat = await _by_chat(line, key, deadline_s)
    return _told(_with(found, context_tokens=context), line, trials, in_chat, offers)


async def _trials(wire: Wire, line: ModelLine, deadline_s: float) -> tuple[_Trial, ...]:
    """A turn by schema alone, so that nothing but the server can enforce it; where that fails, one asked in words."""
    first = await _try(wire, line, "schema" if line.structured == "schema" else _in_words(line), deadline_s)
    if line.structured != "schema" or first.honoured is not False:
        return (first,)
    return first, await _try(wire, line, "prompt", deadline_s)


def _in_words(line: ModelLine) -> Structured:
    return "json" if line.structured == "json" else "prompt"


async def _by_chat(line: ModelLine, key: str | None, deadline_s: float) -> _Trial:
    """The same by the dialect in which most servers enforce a schema."""
    url = line.base_url if line.dialect == "responses" else f"{line.base_url}/v1"
    chat = line.model_copy(update={"dialect": "chat", "base_url": url})
    wire = wire_for(chat, key)
    try:
        return await _try(wire, chat, "schema", deadline_s)
    finally:
        await wire.close()


async def _try(wire: Wire, line: ModelLine, structured: Structured, deadline_s: float) -> _Trial:
    """One call; two if the model was still thinking when a short reply was over."""
    # The time first: nothing of it may be cached from an earlier trial.
    blocks = (f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}\n{_NOTES}",)
    task = _TASK if structured == "schema" else _IN_WORDS
    usages: list[Usage] = []
    # A vendor is fast: there the room to think costs no time.
    for most_tokens in (MAX_TOKENS,) if line.key_env else (SHORT_TOKENS, MAX_TOKENS):
        max_tokens = min(line.max_tokens, most_tokens)
        call = Call(_SYSTEM, blocks, (), task, _schema(line), max_tokens, structured)
        heard = _PieceTimes()
        reply = await wire.ask(call, heard, deadline_s=deadline_s)
        usages.append(reply.usage)
        if reply.status != "length" or not (heard.thought or reply.usage.reasoning_tokens):
            break
    form_problem, cut = _problem(reply, structured), cut_prompt(call, reply.usage)
    return _Trial(reply, form_problem, cut, heard.first_token_s, heard.tokens_per_s(reply), tuple(usages))


def _schema(line: ModelLine) -> Mapping[str, Json]:
    """A turn of one sentence. Vendors refuse bounds of texts, small models need them."""
    sentence: dict[str, Json] = {"type": "string"}
    if not line.key_env:
        sentence["maxLength"] = MAX_SENTENCE_CHARS
    return {
        "type": "object",
        "properties": {"rationale": sentence, "vote": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["rationale", "vote"],
        "additionalProperties": False,
    }


def _problem(reply: Reply, structured: Structured) -> str:
    if reply.status != "complete":
        return f"{reply.status}: {reply.message}" if reply.message else reply.status
    try:
        if structured == "schema":
            read_content(_SPEC, "argument", json.loads(reply.text), asks_ballot=True)
        else:
            text, _ = without_thinking(reply.text)
            read_turn(_SPEC, "argument", read_reply(text), asks_ballot=True)
    except (ValueError, RecursionError):
        return "the reply is not JSON"
    except BadReply as error:
        return str(error)
    return ""


def _told(
    found: Probe, line: ModelLine, trials: Sequence[_Trial], in_chat: _Trial | None, offers: Sequence[Offer]
) -> Probe:
    """All that the trials and the server's list say of the line."""
    first, last = trials[0], trials[-1]
    by_schema = line.structured == "schema"
    usages = [usage for trial in (*trials, *filter(None, (in_chat,))) for usage in trial.usages]
    used = total(usage.model_copy(update={"cost_usd": cost_usd(usage, line)}) for usage in usages)
    found = _with(
        found,
        model=line.model,
        reachable=found.reachable or used.calls > 0,
        answered=not last.problem,
        status=last.reply.status,
        schema_honoured=first.honoured if by_schema else None,
        prompted_json=None if by_schema and len(trials) == 1 else not last.problem,
        chat_honours=in_chat.honoured if in_chat else None,
        first_token_s=_rounded(first.first_token_s),
        tokens_per_s=_rounded(last.tokens_per_s or first.tokens_per_s),
        turn_s=_turn_s(first),
        usage=used.model_copy(update={"model": last.reply.usage.model}),
        usage_reported=not used.estimated if used.calls else None,
        cached_reported=used.cached_tokens > 0 if used.calls else None,
        price_known=used.cost_usd is not None,
        message=last.problem,
    )
    facts = Found(
        answered=found.answered,
        schema_honoured=found.schema_honoured,
        schema_refused=first.reply.schema_refused,
        prompted_json=found.prompted_json,
        chat_honours=found.chat_honours,
        context_tokens=found.context_tokens,
        turn_s=found.turn_s,
        deadline_s=found.deadline_s,
        offers=tuple(offers),
    )
    sentences = {"advice": tuple(advice(line, facts)), "warnings": tuple(warnings(line, facts))}
    return _with(found, structured=best_structured(line, facts), **sentences)


def _turn_s(trial: _Trial) -> int | None:
    """A first turn reads as much as the trial did and writes more; what the model thinks comes on top."""
    if trial.first_token_s is None or trial.tokens_per_s is None:
        return None
    tokens = ANSWER_TOKENS["argument"] + trial.reply.usage.reasoning_tokens
    return max(1, round(trial.first_token_s + tokens / trial.tokens_per_s))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _with(result: Probe, **changes: object) -> Probe:
    return result.model_copy(update=changes)
