"""One short structured turn on a model line: is it there, does it keep to the schema, how fast is it, what does it say?

What vendors document and what their servers do differ; this asks. Nothing of it goes into a record, and no key into
its result.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from debate_core.engine.ceiling import total
from debate_core.engine.content_faults import read_content
from debate_core.engine.engine import open_debate, requests
from debate_core.engine.replies import read_turn
from debate_core.engine.seat_view import view
from debate_core.errors import BadReply, SeatError
from debate_core.record.fold import replay
from debate_core.seats.pricing import cost_usd
from debate_core.seats.prompts import prompt_for
from debate_core.seats.reply import read_reply, without_thinking
from debate_core.seats.wires.dialects import server_models, wire_for
from debate_core.seats.wires.wire import Call, Reply, ReplyStatus, Structured, Wire
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.spec.presets import BOUNDED_VOTE, compose, default_seats
from debate_core.spec.values import Usage, Value

MAX_SHOWN_MODELS = 20
MAX_TOKENS = 2_000
"""Enough for a short turn of a model that thinks first."""
TINY_PARAMETERS = 3e9
"""Below this, models rarely give a turn that can be read, even where the server enforces its form."""
# "smollm-135m", "qwen3:0.6B", "llama-70b"; never the "b" of a word or the "4" of a version
_SIZE = re.compile(r"(?<![A-Za-z0-9.])(?:(\d+(?:\.\d+)?)b|(\d{2,})m)(?![A-Za-z0-9])", re.IGNORECASE)

_SPEC = compose("Is three more than two?", ["yes", "no"], BOUNDED_VOTE, default_seats(BOUNDED_VOTE, "", (), "model"))
_STATE = replay(open_debate(_SPEC, debate_id="probe", at=datetime(2026, 1, 1, tzinfo=UTC)))
_PROMPT = prompt_for(view(_STATE, requests(_STATE)[0]))
_SYSTEM = "You answer briefly."
_TASK = "Is three more than two? Give the reason in one short sentence, and vote yes or no. Leave every list empty."


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
    first_token_s: float | None = None
    tokens_per_s: float | None = None
    """Output tokens, counted from the first one."""
    usage: Usage | None = None
    """Of all calls of this probe."""
    usage_reported: bool | None = None
    cached_reported: bool | None = None
    """True if cached tokens were reported; a prompt as short as this one often has none."""
    price_known: bool = False
    message: str = ""
    """Why there is no good answer."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Trial:
    """One call and what came of it; `problem` is empty if the reply would have counted as a turn."""

    reply: Reply
    problem: str
    first_token_s: float | None
    tokens_per_s: float | None


async def probe(line: ModelLine, key: str | None, *, deadline_s: float) -> Probe:
    """Ask for the models that the server offers and for one turn, or two if the first does not keep to the schema.

    `deadline_s` is for each call. Raises nothing but cancellation; without a key that is needed, nothing is sent.
    """
    result = Probe(line=line.id, model=line.model, family=line.family, dialect=line.dialect, base_url=line.base_url)
    if line.key_env and not key and not is_loopback(line.base_url):
        return _with(result, message=f"no key: set {line.key_env} in the environment or in .streamlit/secrets.toml")
    offer = tuple[str, ...]()
    why_unknown = ""
    try:
        offer = await server_models(line, key, deadline_s=deadline_s)
        result = _with(result, reachable=True, n_models=len(offer), models=offer[:MAX_SHOWN_MODELS])
    except SeatError as error:
        # Not every server lists its models.
        why_unknown = str(error)
    if not line.model and len(offer) == 1:
        line = line.model_copy(update={"model": offer[0]})
    if not line.model:
        return _with(result, message=why_unknown or f"the server offers {len(offer)} models: name one of them")
    return _with_trials(result, line, await _trials(line, key, deadline_s))


async def _trials(line: ModelLine, key: str | None, deadline_s: float) -> Mapping[Structured, _Trial]:
    """A turn by schema alone, so that nothing but the server can enforce it; where that fails, one asked in words."""
    wire = wire_for(line, key)
    trials: dict[Structured, _Trial] = {}
    try:
        if line.structured == "schema":
            first = trials["schema"] = await _try(wire, line, "schema", deadline_s)
            may_be_the_schema = first.reply.schema_refused or first.reply.status in ("complete", "length")
            if not first.problem or not may_be_the_schema:
                return trials
        in_words: Structured = "json" if line.structured == "json" else "prompt"
        trials[in_words] = await _try(wire, line, in_words, deadline_s)
        return trials
    finally:
        await wire.close()


async def _try(wire: Wire, line: ModelLine, structured: Structured, deadline_s: float) -> _Trial:
    max_tokens = min(line.max_tokens, MAX_TOKENS)
    if structured == "schema":
        # By schema alone the model is not told the fields; otherwise it is asked as in a debate.
        call = Call(_SYSTEM, (), (), _TASK, _PROMPT.schema, max_tokens, structured)
    else:
        call = Call(_PROMPT.system, _PROMPT.blocks, (), _PROMPT.tail, _PROMPT.schema, max_tokens, structured)
    pieces_at_s: list[float] = []
    began_s = time.monotonic()
    reply = await wire.ask(call, lambda _text, _thinking: pieces_at_s.append(time.monotonic()), deadline_s=deadline_s)
    ended_s = time.monotonic()
    problem = _problem(reply, structured)
    if not pieces_at_s:
        return _Trial(reply, problem, None, None)
    writing_s = ended_s - pieces_at_s[0]
    speed = reply.usage.output_tokens / writing_s if writing_s > 0 else None
    return _Trial(reply, problem, pieces_at_s[0] - began_s, speed)


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


def _with_trials(result: Probe, line: ModelLine, trials: Mapping[Structured, _Trial]) -> Probe:
    *_, last = trials.values()
    usages = [trial.reply.usage for trial in trials.values()]
    used = total(usage.model_copy(update={"cost_usd": cost_usd(usage, line)}) for usage in usages)
    schema = trials.get("schema")
    in_words = next((trial for structured, trial in trials.items() if structured != "schema"), None)
    return _with(
        result,
        model=line.model,
        reachable=result.reachable or used.calls > 0,
        answered=not last.problem,
        status=last.reply.status,
        schema_honoured=_honoured(schema) if schema else None,
        prompted_json=not in_words.problem if in_words else None,
        first_token_s=_rounded(last.first_token_s),
        tokens_per_s=_rounded(last.tokens_per_s),
        usage=used.model_copy(update={"model": last.reply.usage.model}),
        usage_reported=not used.estimated if used.calls else None,
        cached_reported=used.cached_tokens > 0 if used.calls else None,
        price_known=used.cost_usd is not None,
        message=last.problem,
        warnings=tuple(_warnings(line, schema)),
    )


def _honoured(trial: _Trial) -> bool | None:
    """None where the turn ended for a reason that says nothing about the schema."""
    if trial.reply.schema_refused:
        return False
    return not trial.problem if trial.reply.status == "complete" else None


def _warnings(line: ModelLine, schema: _Trial | None) -> Iterator[str]:
    if is_tiny(line.model):
        yield f"{line.model} is a very small model: many of its turns will not be readable, and those do not count"
    if schema is None or _honoured(schema) is not False:
        return
    how = 'write structured = "prompt" in its line of the panel file'
    if schema.reply.schema_refused:
        yield f"the server refuses an enforced schema: {how} to save the refused calls"
    else:
        yield f"the server ignores the schema without saying so: {how}, and expect unreadable turns"


def is_tiny(model: str) -> bool:
    """True if the name gives a size below 3 billion parameters (`135m`, `1b`, `0.6B`); the largest size counts."""
    largest = 0.0
    for billions, millions in _SIZE.findall(model):
        largest = max(largest, float(billions or 0) * 1e9, float(millions or 0) * 1e6)
    return 0 < largest < TINY_PARAMETERS


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _with(result: Probe, **changes: object) -> Probe:
    return result.model_copy(update=changes)
