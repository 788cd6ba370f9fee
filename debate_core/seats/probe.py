"""Probe of a model line: is it reachable, does it keep to the schema, how fast is it, what does it report?

Servers differ from their documentation, so one line is asked in every way that may be needed. Nothing goes into a
record, and no key into the result. `probe_advice` draws the conclusions.
"""

import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from debate_core.engine.limits import total
from debate_core.engine.reply_parser import read_turn
from debate_core.errors import BadReply, SeatError
from debate_core.seats.forecast import ANSWER_TOKENS
from debate_core.seats.pricing import cost_usd
from debate_core.seats.probe_advice import Probe, advice, best_structured, chat_url, is_tiny, warnings
from debate_core.seats.prompts.deliverable import object_of
from debate_core.seats.providers.dialects import server_models, wire_for
from debate_core.seats.providers.exchange import CHARS_PER_TOKEN, cut_prompt
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.seats.providers.offers import same_name
from debate_core.seats.providers.wire import Call, Offer, Reply, Structured, Wire
from debate_core.seats.reply import read_reply, without_thinking
from debate_core.sentence import Sentence
from debate_core.spec.dialects import COMPATIBLE
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.spec.presets import BOUNDED_VOTE, compose, default_seats
from debate_core.spec.values import Json, Usage

SHORT_TOKENS = 256
"""Room for a reply of about 60 tokens: slow machines and rambling models still finish."""
MAX_TOKENS = 2_000
"""Limit for models that think first."""
MAX_SENTENCE_CHARS = 200

_SPEC = compose("Can this be read?", ["yes", "no"], BOUNDED_VOTE, default_seats(BOUNDED_VOTE, "", (), "model"))
_NOTES = "\n".join(f"Note {n}: of two numbers, {n + 1} is more than {n}." for n in range(1, 46))
"""As long as the prompt of a first turn."""
_SYSTEM = "You answer briefly."
_TASK = "Is three more than two? Give the reason in one short sentence, and vote yes or no."
_IN_WORDS = (
    f"{_TASK}\nWrite nothing but a JSON object, in this form:\n"
    '{"rationale": "your reason in one short sentence", "vote": "yes or no"}'
)
_IN_PROSE = "Is three more than two? Say yes or no and give the reason, in one short sentence."
_THEN_VOTE = 'Now vote. Write nothing but a JSON object, in this form:\n{"vote": "yes or no"}'
_BEGINS_AS_ASKED = re.compile(r'\s*\{\s*"rationale"\s*:')
"""The first field, whose name only the schema gives."""


@dataclass
class _PieceTimes:
    """Arrival times of the pieces of a reply."""

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
        """Speed by the server's count; without one, most servers send one token per piece."""
        if len(self.at_s) < 2 or self.at_s[-1] == self.at_s[0]:
            return None
        usage = reply.usage
        tokens = max(len(self.at_s), len(reply.text) // CHARS_PER_TOKEN)
        if not usage.estimated:
            # Hidden thinking was over before the first piece came.
            tokens = usage.output_tokens - (0 if self.thought else usage.reasoning_tokens)
        return max(tokens - 1, 1) / (self.at_s[-1] - self.at_s[0])


@dataclass(frozen=True, slots=True)
class Trial:
    """One question and its result."""

    reply: Reply
    form_problem: str
    """Problem with the form of a turn, "" for none."""
    reason_problem: str
    """Problem with the reason in a turn of this form, "" for none."""
    cut: str
    """Sentence about a prompt that the server cut, "" for none."""
    first_token_s: float | None
    tokens_per_s: float | None
    usages: tuple[Usage, ...]
    """Usage of each call: more than one if the model was still thinking at a short limit, or in two steps."""

    @property
    def problem(self) -> str:
        """The problem that makes it no valid turn, "" for none."""
        return self.cut or self.form_problem or self.reason_problem

    @property
    def has_form(self) -> bool:
        """True if the whole prompt was read and the reply has the form of a turn, however short its reason."""
        return not (self.cut or self.form_problem)

    @property
    def unreadable(self) -> bool:
        """True if there is a reply to the whole prompt, and it is no turn."""
        return bool(self.form_problem) and not self.cut and self.reply.status in ("complete", "length")

    @property
    def honoured(self) -> bool | None:
        """True if the reply keeps to a schema that its prompt did not show; None if it does not tell."""
        text = self.reply.text.lstrip()
        if self.reply.schema_refused:
            return False
        if self.reply.status == "complete":
            return not self.form_problem
        if _BEGINS_AS_ASKED.match(text):
            return True
        if text and not text.startswith("{"):
            return False
        return None


@dataclass(frozen=True, slots=True)
class Trials:
    """All trials of one line. None = not needed."""

    first: Trial
    """As the line is configured."""
    in_words: Trial | None = None
    """With a form in words, if the schema alone does not work."""
    in_two_steps: Trial | None = None
    """Prose, and then the ballot alone, if the server or the model is weak."""
    in_chat: Trial | None = None
    """By schema in the chat dialect, if the server ignores it in this one."""

    def here(self) -> tuple[Trial, ...]:
        """The trials in the dialect of the line."""
        return tuple(dict.fromkeys(trial for trial in (self.first, self.in_words, self.in_two_steps) if trial))

    def telling(self) -> Trial:
        """The last trial with a valid turn, else the last one for a whole turn."""
        good = [trial for trial in self.here() if not trial.problem]
        if good:
            return good[-1]
        return self.in_words or self.first

    def usages(self) -> list[Usage]:
        of_chat = self.in_chat.usages if self.in_chat else ()
        return [usage for trial in self.here() for usage in trial.usages] + [*of_chat]


async def trials(wire: Wire, line: ModelLine, key: str | None, deadline_s: float, network: Network) -> Trials:
    """Try a turn as the line is configured, and other ways if necessary. The schema is not in the prompt, so that only
    the server can enforce it."""
    if line.structured == "two_step":
        two_steps = await _in_two_steps(wire, line, deadline_s)
        return Trials(two_steps, in_two_steps=two_steps)
    first = await _as_a_whole(wire, line, line.structured, deadline_s)
    if line.structured == "schema" and first.honoured is False:
        in_chat = None
        if line.dialect != COMPATIBLE and line.base_url:
            in_chat = partial(_by_chat, line, key, deadline_s, network)
        return await _without_a_schema(first, wire, line, deadline_s, in_chat)
    if not first.unreadable:
        return Trials(first)
    return Trials(first, in_two_steps=await _in_two_steps(wire, line, deadline_s))


async def _without_a_schema(
    first: Trial, wire: Wire, line: ModelLine, deadline_s: float, ask_by_chat: Callable[[], Awaitable[Trial]] | None
) -> Trials:
    """The other ways if the server ignores the schema: in words, by chat if that is another dialect, at last in two
    steps."""
    in_words = await _as_a_whole(wire, line, "prompt", deadline_s)
    so_far = Trials(first, in_words)
    if ask_by_chat is not None:
        in_chat = await ask_by_chat()
        so_far = replace(so_far, in_chat=in_chat)
        if in_chat.honoured:
            return so_far
    is_weak = in_words.unreadable or is_tiny(line.model)
    if not is_weak:
        return so_far
    return replace(so_far, in_two_steps=await _in_two_steps(wire, line, deadline_s))


async def _by_chat(line: ModelLine, key: str | None, deadline_s: float, network: Network) -> Trial:
    """Try the chat dialect, in which most servers enforce a schema."""
    chat = line.model_copy(update={"dialect": COMPATIBLE, "base_url": chat_url(line)})
    wire = wire_for(chat, key, network=network)
    try:
        return await _as_a_whole(wire, chat, "schema", deadline_s)
    finally:
        await wire.close()


async def _as_a_whole(wire: Wire, line: ModelLine, structured: Structured, deadline_s: float) -> Trial:
    """Ask for reason and ballot in one reply."""
    task = _TASK if structured == "schema" else _IN_WORDS
    fields = {"rationale": _sentence(line), "vote": _VOTE}
    answer = await _ask(wire, line, task, structured, deadline_s, fields)
    form_problem = _schema_problem(answer.reply, fields) if structured == "schema" else _form_problem(answer.reply)
    return _judge(answer, form_problem)


async def _in_two_steps(wire: Wire, line: ModelLine, deadline_s: float) -> Trial:
    """Ask for prose, and then for the ballot alone; without prose, no ballot is asked for."""
    prose = await _ask(wire, line, _IN_PROSE, "prompt", deadline_s, {})
    reason = without_thinking(prose.reply.text)[0].strip()
    if prose.reply.status != "complete" or not reason:
        return _judge(prose, _status_problem(prose.reply) or Sentence("the reply is empty"))
    task = f"{_IN_PROSE}\nYou have said: {reason}\n{_THEN_VOTE}"
    ballot = await _ask(wire, line, task, "schema", deadline_s, {"vote": _VOTE})
    both = replace(prose, reply=ballot.reply, usages=prose.usages + ballot.usages)
    return _judge(both, _form_problem(ballot.reply, reason), reason)


_VOTE: Mapping[str, Json] = {"type": "string", "enum": ["yes", "no"]}


def _sentence(line: ModelLine) -> Mapping[str, Json]:
    """Schema of a sentence; vendors refuse bounds of texts, small models need them."""
    if line.key_env:
        return {"type": "string"}
    return {"type": "string", "maxLength": MAX_SENTENCE_CHARS}


def _judge(answer: Trial, form_problem: str, rationale: str | None = None) -> Trial:
    """Add the problems of its reply to a trial; `rationale` is the prose of the first step."""
    reason_problem = "" if form_problem else _turn_problem(answer.reply, rationale)
    return replace(answer, form_problem=form_problem, reason_problem=reason_problem)


async def _ask(
    wire: Wire,
    line: ModelLine,
    task: str,
    structured: Structured,
    deadline_s: float,
    fields: Mapping[str, Mapping[str, Json]],
) -> Trial:
    """Make one call, or two if the model was still thinking at the short limit; `_judge` adds the problems."""
    # The time comes first, so that nothing is cached from an earlier trial.
    blocks = (f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}\n{_NOTES}",)
    schema = object_of({name: dict(kind) for name, kind in fields.items()})
    usages: tuple[Usage, ...] = ()
    # A vendor is fast, so room to think costs no time.
    limits = (MAX_TOKENS,) if line.key_env else (SHORT_TOKENS, MAX_TOKENS)
    for most_tokens in limits:
        call = Call(_SYSTEM, blocks, (), task, schema, min(line.max_tokens, most_tokens), structured)
        times = _PieceTimes()
        reply = await wire.ask(call, times, deadline_s=deadline_s)
        usages += (reply.usage,)
        was_thinking = times.thought or reply.usage.reasoning_tokens
        if reply.status != "length" or not was_thinking:
            break
    cut = cut_prompt(call, reply.usage)
    return Trial(reply, "", "", cut, times.first_token_s, times.tokens_per_s(reply), usages)


def _status_problem(reply: Reply) -> str:
    if reply.status == "complete":
        return ""
    if not reply.message:
        return reply.status
    return Sentence("{status}: {message}", status=reply.status, message=reply.message)


def _schema_problem(reply: Reply, fields: Mapping[str, Mapping[str, Json]]) -> str:
    """The problem with the schema of these fields: by names and enums, never by texts."""
    if problem := _status_problem(reply):
        return problem
    try:
        data = json.loads(reply.text)
    except (ValueError, RecursionError):
        return _NO_JSON
    if not isinstance(data, dict) or data.keys() != fields.keys():
        return Sentence("the reply has other fields than its schema")
    for name, kind in fields.items():
        allowed = kind.get("enum")
        if not isinstance(data[name], str) or (isinstance(allowed, list) and data[name] not in allowed):
            return Sentence("the field {name!r} is not what its schema allows", name=name)
    return ""


def _form_problem(reply: Reply, rationale: str | None = None) -> str:
    """The problem with the form of a turn; a reason that only repeats the question is accepted."""
    return _turn_problem(reply, rationale, takes_any_reason=True)


def _turn_problem(reply: Reply, rationale: str | None, *, takes_any_reason: bool = False) -> str:
    """The problem that makes the reply no turn; `rationale` is the prose of the first step."""
    if problem := _status_problem(reply):
        return problem
    try:
        data = read_reply(without_thinking(reply.text)[0])
        if rationale is not None and isinstance(data, dict):
            data = {**data, "rationale": rationale}
        read_turn(_SPEC, "argument", data, asks_ballot=True, is_last=takes_any_reason)
    except (ValueError, RecursionError):
        return _NO_JSON
    except BadReply as error:
        return error.sentence
    return ""


_NO_JSON = Sentence("the reply is not JSON")


MAX_SHOWN_MODELS = 20


async def probe(line: ModelLine, key: str | None, *, deadline_s: float, network: Network = DIRECT) -> Probe:
    """Ask for the server's models and for one short turn; again in words or by chat if necessary.

    `deadline_s` limits each call, if the line has no deadline. Raises nothing but cancellation; without a required key
    it sends nothing.
    """
    deadline_s = line.deadline_s or deadline_s
    findings = Probe(
        line=line.id,
        model=line.model,
        family=line.family,
        dialect=line.dialect,
        base_url=line.base_url,
        deadline_s=deadline_s,
    )
    if line.key_env and not key and not is_loopback(line.base_url):
        no_key = Sentence(
            "no key: set {key_env} in the environment or in .streamlit/secrets.toml", key_env=line.key_env
        )
        return _with(findings, message=no_key)
    offers, why_none = await _listed(line, key, deadline_s, network)
    if offers:
        names = tuple(offer.id for offer in offers)
        findings = _with(findings, reachable=True, n_models=len(names), models=names[:MAX_SHOWN_MODELS])
    line = _with_only_model(line, offers)
    if not line.model:
        several = Sentence("the server offers {n} models: name one of them", n=len(offers))
        return _with(findings, message=why_none or several)
    wire = wire_for(line, key, network=network)
    try:
        asked = await trials(wire, line, key, deadline_s, network)
        context_tokens = _listed_context(line, offers) or await wire.context_tokens(deadline_s=deadline_s)
    finally:
        await wire.close()
    findings = _with(findings, model=line.model, context_tokens=context_tokens)
    findings = _with_usage(_with_replies(findings, line, asked), line, asked)
    beware = warnings(line, findings, tuple(offers), schema_refused=asked.first.reply.schema_refused)
    return _with(
        findings,
        advice=tuple(advice(line, findings)),
        warnings=tuple(beware),
        structured=best_structured(line, findings),
    )


def _with_only_model(line: ModelLine, offers: Sequence[Offer]) -> ModelLine:
    """The line, with the only model of its server if it names none."""
    if line.model or len(offers) != 1:
        return line
    return line.model_copy(update={"model": offers[0].id})


def _listed_context(line: ModelLine, offers: Sequence[Offer]) -> int | None:
    return next((offer.context_tokens for offer in offers if same_name(offer.id, line.model)), None)


async def _listed(
    line: ModelLine, key: str | None, deadline_s: float, network: Network
) -> tuple[tuple[Offer, ...], str]:
    """The models that the server lists, or the reason for none."""
    try:
        return await server_models(line, key, deadline_s=deadline_s, network=network), ""
    except SeatError as error:
        return (), error.sentence


def _with_replies(findings: Probe, line: ModelLine, asked: Trials) -> Probe:
    first = asked.first
    last = asked.telling()
    in_words = first if line.structured in ("json", "prompt") else asked.in_words
    as_a_whole = asked.in_words or first
    tokens_per_s = last.tokens_per_s or first.tokens_per_s
    turn_s = _turn_s(first) or _turn_s(last)
    return _with(
        findings,
        answered=not last.problem,
        unreadable=as_a_whole.unreadable,
        status=last.reply.status,
        schema_honoured=first.honoured if line.structured == "schema" else None,
        prompted_json=_has_form(in_words),
        two_step=_has_form(asked.in_two_steps),
        chat_honours=asked.in_chat and asked.in_chat.honoured,
        first_token_s=_rounded(first.first_token_s),
        tokens_per_s=_rounded(tokens_per_s),
        turn_s=turn_s,
        message=last.problem,
    )


def _has_form(trial: Trial | None) -> bool | None:
    return None if trial is None else trial.has_form


def _with_usage(findings: Probe, line: ModelLine, asked: Trials) -> Probe:
    used = total(usage.model_copy(update={"cost_usd": cost_usd(usage, line)}) for usage in asked.usages())
    model = asked.telling().reply.usage.model
    findings = _with(findings, usage=used.model_copy(update={"model": model}), price_known=used.cost_usd is not None)
    if not used.calls:
        return findings
    return _with(findings, reachable=True, usage_reported=not used.estimated, cached_reported=used.cached_tokens > 0)


def _turn_s(trial: Trial) -> int | None:
    """Estimated time of a first turn: it reads as much as the trial and writes more, in addition to the thinking."""
    if trial.first_token_s is None or trial.tokens_per_s is None:
        return None
    tokens = ANSWER_TOKENS["argument"] + trial.reply.usage.reasoning_tokens
    return max(1, round(trial.first_token_s + tokens / trial.tokens_per_s))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _with(result: Probe, **changes: object) -> Probe:
    return result.model_copy(update=changes)
