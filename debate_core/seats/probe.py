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
from typing import Literal

from debate_core.engine.ceiling import total
from debate_core.engine.content_faults import read_content
from debate_core.engine.engine import open_debate, requests
from debate_core.engine.seat_view import view
from debate_core.errors import BadReply, SeatError
from debate_core.record.fold import replay
from debate_core.seats.pricing import cost_usd
from debate_core.seats.prompts import prompt_for
from debate_core.seats.reply import read_reply, without_thinking
from debate_core.seats.wires.dialects import wire_for
from debate_core.seats.wires.wire import Call, Reply, ReplyStatus, Wire
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.spec.presets import BOUNDED_VOTE, cast, compose
from debate_core.spec.values import Usage, Value

Structured = Literal["schema", "json", "prompt"]
MAX_SHOWN_MODELS = 20
MAX_TOKENS = 2_000
"""Enough for a short turn of a model that thinks first."""
TINY_PARAMETERS = 3e9
"""Below this, models rarely give a turn that can be read, even where the server enforces its form."""
_SIZE = re.compile(r"(?<![A-Za-z0-9.])(?:(\d+(?:\.\d+)?)b|(\d{2,})m)(?![A-Za-z0-9])", re.IGNORECASE)

_SPEC = compose("Is three more than two?", ["yes", "no"], BOUNDED_VOTE, cast(BOUNDED_VOTE, "", (), "model"))
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
    found = Probe(line=line.id, model=line.model, family=line.family, dialect=line.dialect, base_url=line.base_url)
    if line.key_env and not key and not is_loopback(line.base_url):
        return _with(found, message=f"no key: set {line.key_env} in the environment or in .streamlit/secrets.toml")
    offered, why = await _offered(line, key, deadline_s)
    if offered is not None:
        found = _with(found, reachable=True, n_models=len(offered), models=offered[:MAX_SHOWN_MODELS])
    chosen = line.model or (offered[0] if offered is not None and len(offered) == 1 else "")
    if not chosen:
        return _with(found, message=why or f"the server offers {len(offered or ())} models: name one of them")
    line = line.model_copy(update={"model": chosen})
    return _told(found, line, await _trials(line, key, deadline_s))


async def _offered(line: ModelLine, key: str | None, deadline_s: float) -> tuple[tuple[str, ...] | None, str]:
    """The models of the server, or None and why it does not list them: not every server does."""
    wire = wire_for(line, key)
    try:
        return await wire.models(deadline_s=deadline_s), ""
    except SeatError as error:
        return None, str(error)
    finally:
        await wire.close()


async def _trials(line: ModelLine, key: str | None, deadline_s: float) -> Mapping[Structured, _Trial]:
    """A turn by schema alone, so that nothing but the server can enforce it; where that fails, one asked in words."""
    wire = wire_for(line, key)
    trials: dict[Structured, _Trial] = {}
    try:
        if line.structured == "schema":
            first = trials["schema"] = await _try(wire, line, "schema", deadline_s)
            going = first.reply.schema_refused or first.reply.status in ("complete", "length")
            if not first.problem or not going:
                return trials
        words: Structured = "prompt" if line.structured == "schema" else line.structured
        trials[words] = await _try(wire, line, words, deadline_s)
        return trials
    finally:
        await wire.close()


async def _try(wire: Wire, line: ModelLine, structured: Structured, deadline_s: float) -> _Trial:
    # By schema alone the model is not told the fields; otherwise it is asked as in a debate.
    said = (_SYSTEM, (), (), _TASK) if structured == "schema" else (_PROMPT.system, _PROMPT.blocks, (), _PROMPT.tail)
    call = Call(*said, _PROMPT.schema, min(line.max_tokens, MAX_TOKENS), structured)
    first_s: list[float] = []
    began_s = time.monotonic()
    reply = await wire.ask(call, lambda _text, _thinking: first_s.append(time.monotonic()), deadline_s=deadline_s)
    ended_s = time.monotonic()
    if not first_s:
        return _Trial(reply, _problem(reply, structured), None, None)
    speed = reply.usage.output_tokens / (ended_s - first_s[0]) if ended_s > first_s[0] else None
    return _Trial(reply, _problem(reply, structured), first_s[0] - began_s, speed)


def _problem(reply: Reply, structured: Structured) -> str:
    if reply.status != "complete":
        return f"{reply.status}: {reply.message}" if reply.message else reply.status
    try:
        data = json.loads(reply.text) if structured == "schema" else read_reply(without_thinking(reply.text)[0])
        read_content(_SPEC, "argument", data, asks_ballot=True)
    except (ValueError, RecursionError):
        return "the reply is not JSON"
    except BadReply as error:
        return str(error)
    return ""


def _told(found: Probe, line: ModelLine, trials: Mapping[Structured, _Trial]) -> Probe:
    last = [*trials.values()][-1]
    replies = [t.reply for t in trials.values()]
    used = total(r.usage.model_copy(update={"cost_usd": cost_usd(r.usage, line)}) for r in replies)
    schema, words = trials.get("schema"), [t for name, t in trials.items() if name != "schema"]
    return _with(
        found,
        model=line.model,
        reachable=found.reachable or used.calls > 0,
        answered=not last.problem,
        status=last.reply.status,
        schema_honoured=_honoured(schema) if schema else None,
        prompted_json=not words[0].problem if words else None,
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
    sizes = [float(b) * 1e9 if b else float(m) * 1e6 for b, m in _SIZE.findall(model)]
    return bool(sizes) and max(sizes) < TINY_PARAMETERS


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _with(found: Probe, **changes: object) -> Probe:
    return found.model_copy(update=changes)
