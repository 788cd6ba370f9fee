"""Costs follow the model that answered and the stated prices; an unknown price stays unknown."""

import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from debate_core.seats.pricing import cost_usd
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.values import Usage

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


def line(**fields: Any) -> ModelLine:
    usual = {"id": "a", "model": "m", "provider": "acme", "dialect": "chat", "base_url": "https://acme.test/v1"}
    return ModelLine.model_validate({**usual, **fields})


def used(**fields: Any) -> Usage:
    return Usage.model_validate({"calls": 1, "input_tokens": 10_000, "output_tokens": 1_000, **fields})


def cost(usage: Usage, of: ModelLine) -> str | None:
    return cost_usd(usage, of, at=AT)


SONNET = line(provider="anthropic", model="claude-sonnet-5-5", dialect="messages", base_url="")
MISTRAL = line(provider="mistral", model="mistral-large-latest", base_url="https://api.mistral.ai/v1")


def test_the_table_knows_the_price():
    assert cost(used(), SONNET) == "0.03"


def test_cached_tokens_are_among_the_input_and_cost_less():
    assert cost(used(cached_tokens=2_000), SONNET) == "0.0262"


@pytest.mark.parametrize(("keeps_an_hour", "usd"), [(False, "0.031"), (True, "0.034")])
def test_cache_writes_cost_the_vendors_price(keeps_an_hour: bool, usd: str):
    # 2.50 a million instead of 2; 4 if it is kept for an hour.
    assert cost_usd(used(cache_write_tokens=2_000), SONNET, at=AT, keeps_an_hour=keeps_an_hour) == usd


def test_a_stated_price_may_say_what_writing_costs():
    stated = SONNET.model_copy(update={"price": Price(input="1", output="3", written="2")})
    assert cost(used(cache_write_tokens=4_000), stated) == "0.017"
    as_input = SONNET.model_copy(update={"price": Price(input="1", output="3")})
    assert cost(used(cache_write_tokens=4_000), as_input) == cost(used(), as_input) == "0.013"
    # Cached and written are both among the input: together they cannot be more.
    assert cost(used(cached_tokens=9_000, cache_write_tokens=9_000), stated) == "0.014"


def test_where_writing_has_no_price_of_its_own_it_is_input():
    mistral = line(provider="mistral", model="mistral-large-4")
    assert cost(used(cache_write_tokens=2_000), mistral) == cost(used(), mistral)


def test_more_cached_than_sent_is_no_gift():
    # A server that counts otherwise must not make the whole price unknown.
    assert cost(used(cached_tokens=99_000), SONNET) == cost(used(cached_tokens=10_000), SONNET) == "0.011"


def test_the_answering_model_is_priced():
    # The alias would cost three times as much by the table, which knows what it meant years ago.
    assert cost(used(model="mistral-large-4"), MISTRAL) == "0.0091"
    assert cost(used(), line(provider="mistral", model="mistral-large")) == "0.026"


@pytest.mark.parametrize("named", [None, "mistral-large-latest"])
def test_an_alias_alone_has_no_known_price(named: str | None):
    assert cost(used(model=named), MISTRAL) is None


def test_a_dated_name_is_the_model_it_begins_with():
    assert cost(used(model="claude-sonnet-5-5-20261001"), SONNET) == "0.03"
    gemini = line(provider="gemini", model="models/gemini-3.8-flash")
    assert cost(used(), gemini) == "0.01125"


@pytest.mark.parametrize(
    "unknown",
    [
        line(),
        line(provider="openai", model="gpt-of-tomorrow", base_url=""),
        line(provider="anthropic", model=""),
        line(provider="ollama", model="claude-sonnet-5-5", base_url="http://127.0.0.1:11434/v1"),
        line(provider="not-openai", model="gpt-6-luna", base_url="https://proxy.test/v1"),
        line(provider="acme", model="gpt-6-luna", base_url=""),
    ],
)
def test_what_nobody_knows_is_unknown_and_not_free(unknown: ModelLine):
    assert cost(used(), unknown) is None


def test_an_address_of_a_vendor_is_enough():
    assert cost(used(), line(provider="api.mistral.ai", base_url=MISTRAL.base_url, model="mistral-large-4")) == "0.0091"


def test_a_stated_price_beats_the_table():
    stated = SONNET.model_copy(update={"price": Price(input="1", output="3")})
    assert cost(used(cached_tokens=4_000), stated) == "0.013"
    with_cache = SONNET.model_copy(update={"price": Price(input="1", output="3", cached="0.1")})
    assert cost(used(cached_tokens=4_000), with_cache) == "0.0094"
    local = line(price=Price(input="0", output="0"))
    assert cost(used(model="anything-latest"), local) == "0"


def test_a_fraction_of_the_smallest_unit_is_rounded_up():
    tiny = line(price=Price(input="0.000000000001", output="0"))
    assert Decimal(cost(used(input_tokens=1, output_tokens=0), tiny) or "") == Decimal("1e-12")


def test_a_price_that_cannot_be_written_down_is_unknown():
    dear = line(price=Price(input="999999999", output="0"))
    assert cost(used(input_tokens=1_000_000, output_tokens=0), dear) == "999999999"
    assert cost(used(input_tokens=2_000_000, output_tokens=0), dear) is None


def test_a_call_that_never_reached_its_server_costs_nothing():
    assert cost(Usage(), line()) == "0"
    assert cost(Usage(calls=1), line()) is None


def test_prices_have_dates():
    pro = line(provider="deepseek", model="deepseek-v4-pro")
    prices = {cost_usd(used(), pro, at=datetime(2026, 11, 21, hour, tzinfo=UTC)) for hour in range(24)}
    assert None not in prices
    assert len(prices) > 1


@pytest.mark.slow
def test_the_table_is_loaded_only_for_a_price_from_it():
    code = (
        "import sys\n"
        "from debate_core.seats.pricing import cost_usd\n"
        "from debate_core.spec.values import Usage\n"
        "from debate_core.spec.models import ModelLine, Price\n"
        "own = ModelLine(id='a', model='m', provider='x', dialect='chat', price=Price(input='1', output='1'))\n"
        "print(cost_usd(Usage(calls=1, input_tokens=1000000), own), 'genai_prices' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1 False\n", "")
