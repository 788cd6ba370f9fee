"""What a call costs, by the table of genai-prices or by the price that the operator of the server states.

Unknown is None, never 0. It knows no debate. Tokens that are written into a cache cost what the vendor asks for that.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from debate_core.engine.ceiling import MOST_USD, decimal_text
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Usage

# Only these exact names: the table itself would take any name that contains one of them, a proxy's for instance.
_PROVIDERS = {
    "anthropic", "aws", "azure", "cerebras", "cohere", "deepseek", "fireworks", "google", "groq", "meta", "minimax",
    "mistral", "moonshotai", "novita", "openai", "openrouter", "perplexity", "together", "x-ai", "zai",
}  # fmt: skip
_A_CALL = Usage(calls=1, input_tokens=1_000, output_tokens=1_000)
_ALSO_CALLED = {"gemini": "google", "moonshot": "moonshotai", "xai": "x-ai", "z-ai": "zai"}


def cost_usd(usage: Usage, line: ModelLine, *, at: datetime | None = None, keeps_an_hour: bool = False) -> str | None:
    """USD as decimal text of one call, by the model that answered; None if nobody knows the price.

    `usage` is inclusive: cached and written tokens are among the input tokens. `at` is when it was made, None = now:
    prices change by date and, with some vendors, by the hour. `keeps_an_hour`: what was written stays for so long.
    """
    if not (usage.calls or usage.all_tokens):
        return "0"
    cached = min(usage.cached_tokens, usage.input_tokens)
    written = min(usage.cache_write_tokens or 0, usage.input_tokens - cached)
    if line.price is not None:
        stated = _stated(usage, line.price, cached, written)
        return decimal_text(stated) if stated < MOST_USD else None
    tokens = {"cache_read_tokens": cached}
    if written:
        tokens["cache_write_tokens"] = written
    if written and keeps_an_hour:
        tokens["cache_write_1h_tokens"] = written
    amount = _from_table(usage, line, tokens, at)
    return None if amount is None else decimal_text(amount)


def is_priced(line: ModelLine) -> bool:
    """True if a call to this line has a known price."""
    return cost_usd(_A_CALL, line) is not None


def weaker_synthesis(spec: Spec) -> tuple[Sentence, ...]:
    """A sentence if a debate is summed up by a cheaper model than one of its family that debates.

    Within a family the price tells which model can do more; across families nobody ranks them.
    """
    for closing in spec.lines_of(spec.seats_of("synthesiser")):
        for arguing in spec.lines_of(spec.debaters()):
            is_of_its_family = closing.family != "" and closing.family == arguing.family
            if is_of_its_family and _is_cheaper(closing, arguing):
                cheaper = Sentence(
                    "{model} sums up what {stronger} argues, and is the cheaper one of its family",
                    model=closing.model,
                    stronger=arguing.model,
                )
                return (cheaper,)
    return ()


def _is_cheaper(one: ModelLine, other: ModelLine) -> bool:
    """False where a price is not known, or one asks for none."""
    price = price_of_a_call(one)
    price_of_other = price_of_a_call(other)
    if not price or price_of_other is None:
        return False
    return price < price_of_other


def price_of_a_call(line: ModelLine) -> Decimal | None:
    """USD of a usual call, to rank lines by; None = not known."""
    cost = cost_usd(_A_CALL, line)
    return None if cost is None else Decimal(cost)


def without_unknown_budget(spec: Spec) -> Spec:
    """The debate without a limit of USD if the price of one of its models is not known: it could not be kept."""
    ceiling = spec.ceiling()
    if ceiling is None or ceiling.usd is None or all(is_priced(line) for line in spec.models):
        return spec
    rest = ceiling.model_copy(update={"usd": None})
    rules = spec.protocol.with_ceiling(None if rest == Ceiling() else rest)
    return spec.model_copy(update={"protocol": rules})


def _stated(usage: Usage, price: Price, cached: int, written: int) -> Decimal:
    for_cached = price.input if price.cached is None else price.cached
    for_written = price.input if price.written is None else price.written
    parts = (
        (usage.input_tokens - cached - written) * Decimal(price.input),
        cached * Decimal(for_cached),
        written * Decimal(for_written),
        usage.output_tokens * Decimal(price.output),
    )
    return sum(parts, Decimal(0)) / 1_000_000


def _from_table(usage: Usage, line: ModelLine, cache: Mapping[str, int], at: datetime | None) -> Decimal | None:
    """`cache`: tokens that were read or written, as the table calls them."""
    model = (usage.model or line.model).removeprefix("models/")
    # An alias is no model: the table prices it as whatever it once meant.
    if not model or model.endswith("latest"):
        return None
    provider = _ALSO_CALLED.get(line.provider, line.provider)
    if provider not in _PROVIDERS and not line.base_url:
        return None
    # Only now: the table is large, and most debates are held without a model.
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    tokens = Tokens(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, **cache)
    try:
        if provider in _PROVIDERS:
            return calc_price(tokens, model, provider_id=provider, genai_request_timestamp=at).total_price
        return calc_price(tokens, model, provider_api_url=line.base_url, genai_request_timestamp=at).total_price
    except (LookupError, ValueError):
        return None
