"""Probe of a model line: is it reachable, does it keep to the schema, how fast is it, what does it report?

Servers differ from their documentation, so `probe_trials` calls them. Nothing goes into a record, and no key into the
result. `probe_advice` draws the conclusions.
"""

from collections.abc import Sequence

from debate_core.engine.limits import total
from debate_core.errors import SeatError
from debate_core.seats.forecast import ANSWER_TOKENS
from debate_core.seats.pricing import cost_usd
from debate_core.seats.probe_advice import Probe, advice, best_structured, warnings
from debate_core.seats.probe_trials import Trial, Trials, trials
from debate_core.seats.providers.dialects import server_models, wire_for
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.seats.providers.offers import same_name
from debate_core.seats.providers.wire import Offer
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import is_loopback

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
