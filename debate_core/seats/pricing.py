"""Prices of calls, from the table of genai-prices or from the operator of the server.

An unknown price is None, never 0. Tokens written into a cache have their separate price. Knows no debate.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from debate_core.engine.limits import MOST_USD, decimal_text
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Usage

# Only these exact names, as the table would match any name that contains one of them, such as a proxy's.
_PROVIDERS = {
    "anthropic", "aws", "azure", "cerebras", "cohere", "deepseek", "fireworks", "google", "groq", "meta", "minimax",
    "mistral", "moonshotai", "novita", "openai", "openrouter", "perplexity", "together", "x-ai", "zai",
}  # fmt: skip
_A_CALL = Usage(calls=1, input_tokens=1_000, output_tokens=1_000)
_ALSO_CALLED = {"gemini": "google", "moonshot": "moonshotai", "xai": "x-ai", "z-ai": "zai"}


def cost_usd(usage: Usage, line: ModelLine, *, at: datetime | None = None, keeps_an_hour: bool = False) -> str | None:
    """USD of one call as decimal text, by the model that answered; None if the price is unknown.

    Cached and written tokens of `usage` are included in its input tokens. `at` is the time of the call, None = now:
    prices change by date and, with some vendors, by the hour. `keeps_an_hour`: written tokens are cached for an hour.
    """
    if not (usage.calls or usage.all_tokens):
        return "0"
    cached = min(usage.cached_tokens, usage.input_tokens)
    written = min(usage.cache_write_tokens or 0, usage.input_tokens - cached)
    if line.price is not None:
        stated = _stated_price(usage, line.price, cached, written)
        return decimal_text(stated) if stated < MOST_USD else None
    tokens = {"cache_read_tokens": cached}
    if written:
        tokens["cache_write_tokens"] = written
    if written and keeps_an_hour:
        tokens["cache_write_1h_tokens"] = written
    amount = _table_price(usage, line, tokens, at)
    return None if amount is None else decimal_text(amount)


def is_priced(line: ModelLine) -> bool:
    return cost_usd(_A_CALL, line) is not None


def weaker_synthesis(spec: Spec) -> tuple[Sentence, ...]:
    """A sentence if the synthesiser has a cheaper model than a debater of its family.

    Within a family a higher price means a stronger model; families cannot be compared.
    """
    for closing in spec.lines_of(spec.seats_of("synthesiser")):
        for arguing in spec.lines_of(spec.debaters()):
            is_of_its_family = closing.family != "" and closing.family == arguing.family
            if is_of_its_family and _is_cheaper(closing, arguing):
                cheaper = Sentence(
                    "{model} summarises the arguments of {stronger}, and is the cheaper model of the same family",
                    model=closing.model,
                    stronger=arguing.model,
                )
                return (cheaper,)
    return ()


def _is_cheaper(one: ModelLine, other: ModelLine) -> bool:
    """False if a price is unknown, or the first one is 0."""
    price = price_of_a_call(one)
    price_of_other = price_of_a_call(other)
    if not price or price_of_other is None:
        return False
    return price < price_of_other


def price_of_a_call(line: ModelLine) -> Decimal | None:
    """USD of a typical call, to rank lines by; None = unknown."""
    cost = cost_usd(_A_CALL, line)
    return None if cost is None else Decimal(cost)


def without_unknown_budget(spec: Spec) -> Spec:
    """Remove the USD limit of a debate if the price of one of its models is unknown, because it cannot be enforced."""
    ceiling = spec.ceiling()
    if ceiling is None or ceiling.usd is None or all(is_priced(line) for line in spec.models):
        return spec
    rest = ceiling.model_copy(update={"usd": None})
    rules = spec.protocol.with_ceiling(None if rest == Ceiling() else rest)
    return spec.model_copy(update={"protocol": rules})


def _stated_price(usage: Usage, price: Price, cached: int, written: int) -> Decimal:
    for_cached = price.input if price.cached is None else price.cached
    for_written = price.input if price.written is None else price.written
    parts = (
        (usage.input_tokens - cached - written) * Decimal(price.input),
        cached * Decimal(for_cached),
        written * Decimal(for_written),
        usage.output_tokens * Decimal(price.output),
    )
    return sum(parts, Decimal(0)) / 1_000_000


def _table_price(usage: Usage, line: ModelLine, cache: Mapping[str, int], at: datetime | None) -> Decimal | None:
    """The price in the table; `cache` has the cached and written tokens under the table's names."""
    model = (usage.model or line.model).removeprefix("models/")
    # The table prices an alias like an earlier model of that name.
    if not model or model.endswith("latest"):
        return None
    provider = _ALSO_CALLED.get(line.provider, line.provider)
    if provider not in _PROVIDERS and not line.base_url:
        return None
    # Imported here because the table is large, and most debates have no model.
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    tokens = Tokens(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, **cache)
    try:
        if provider in _PROVIDERS:
            return calc_price(tokens, model, provider_id=provider, genai_request_timestamp=at).total_price
        return calc_price(tokens, model, provider_api_url=line.base_url, genai_request_timestamp=at).total_price
    except (LookupError, ValueError):
        return None
