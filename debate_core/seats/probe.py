"""One short structured turn on a model line: is it there, does it keep to the schema, how fast is it, what does it say?

What vendors document and what their servers do differ; this asks, as `probe_trials` says. Nothing of it goes into a
record, and no key into its result. What follows from it is in `probe_advice`.
"""

from collections.abc import Sequence

from debate_core.engine.ceiling import total
from debate_core.errors import SeatError
from debate_core.seats.forecast import ANSWER_TOKENS
from debate_core.seats.pricing import cost_usd
from debate_core.seats.probe_advice import advice, best_structured, warnings
from debate_core.seats.probe_trials import Trial, Trials, trials
from debate_core.seats.wires.dialects import server_models, wire_for
from debate_core.seats.wires.network import DIRECT, Network
from debate_core.seats.wires.offers import same_name
from debate_core.seats.wires.wire import Offer, ReplyStatus, Wire
from debate_core.sentence import Sentence
from debate_core.spec.models import Dialect, ModelLine, Structure
from debate_core.spec.panels import is_loopback
from debate_core.spec.values import Usage, Value

MAX_SHOWN_MODELS = 20


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
    """True if a turn came that would have counted, with or without an enforced schema, or in two steps."""
    unreadable: bool = False
    """True if a reply came where a turn was asked for as a whole, and could not be read as one."""
    status: ReplyStatus | None = None
    schema_honoured: bool | None = None
    prompted_json: bool | None = None
    """True if JSON that is asked for in words has the form of a turn; tried only where the schema is not honoured."""
    chat_honours: bool | None = None
    """Whether the server keeps to the schema in the chat dialect; tried only where it does not in this one."""
    two_step: bool | None = None
    """True if prose and then the ballot alone have the form of a turn; tried only where server or model are weak."""
    structured: Structure | None = None
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


async def probe(line: ModelLine, key: str | None, *, deadline_s: float, network: Network = DIRECT) -> Probe:
    """Ask for the models that the server offers and for one short turn; again in words or by chat if need be.

    `deadline_s` is for each call, if the line names none. Raises nothing but cancellation; without a key that is
    needed, nothing is sent.
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
        context_tokens = await _context_tokens(wire, line, offers, deadline_s)
    finally:
        await wire.close()
    findings = _with(findings, model=line.model, context_tokens=context_tokens)
    findings = _with_usage(_with_replies(findings, line, asked), line, asked)
    return _with_advice(findings, line, asked, offers)


def _with_only_model(line: ModelLine, offers: Sequence[Offer]) -> ModelLine:
    """The line with the model that its server offers, if it names none and there is but one."""
    if line.model or len(offers) != 1:
        return line
    return line.model_copy(update={"model": offers[0].id})


async def _listed(
    line: ModelLine, key: str | None, deadline_s: float, network: Network
) -> tuple[tuple[Offer, ...], str]:
    """The models that the server lists; where it lists none, as not every server does, why."""
    try:
        return await server_models(line, key, deadline_s=deadline_s, network=network), ""
    except SeatError as error:
        return (), error.sentence


async def _context_tokens(wire: Wire, line: ModelLine, offers: Sequence[Offer], deadline_s: float) -> int | None:
    """What fits into one call: as the server's list says, else as it says beside its list."""
    listed = next((offer.context_tokens for offer in offers if same_name(offer.id, line.model)), None)
    return listed or await wire.context_tokens(deadline_s=deadline_s)


def _with_replies(findings: Probe, line: ModelLine, asked: Trials) -> Probe:
    """What the replies say of the line."""
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
    """None = not tried."""
    return None if trial is None else trial.has_form


def _with_usage(findings: Probe, line: ModelLine, asked: Trials) -> Probe:
    """What the trials have used, and whether the server says so itself."""
    used = total(usage.model_copy(update={"cost_usd": cost_usd(usage, line)}) for usage in asked.usages())
    model = asked.telling().reply.usage.model
    findings = _with(findings, usage=used.model_copy(update={"model": model}), price_known=used.cost_usd is not None)
    if not used.calls:
        return findings
    return _with(findings, reachable=True, usage_reported=not used.estimated, cached_reported=used.cached_tokens > 0)


def _with_advice(findings: Probe, line: ModelLine, asked: Trials, offers: Sequence[Offer]) -> Probe:
    """What follows from all that."""
    beware = warnings(line, findings, tuple(offers), schema_refused=asked.first.reply.schema_refused)
    return _with(
        findings,
        advice=tuple(advice(line, findings)),
        warnings=tuple(beware),
        structured=best_structured(line, findings),
    )


def _turn_s(trial: Trial) -> int | None:
    """A first turn reads as much as the trial did and writes more; what the model thinks comes on top."""
    if trial.first_token_s is None or trial.tokens_per_s is None:
        return None
    tokens = ANSWER_TOKENS["argument"] + trial.reply.usage.reasoning_tokens
    return max(1, round(trial.first_token_s + tokens / trial.tokens_per_s))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _with(result: Probe, **changes: object) -> Probe:
    return result.model_copy(update=changes)
