"""The limits of a debate as typed: four fields, the ceiling they become, and what a forecast says to them.

Values only: knows neither widgets nor the host. Called by `setup_draft` and the pieces of the set-up page.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from debate_core.errors import InvalidSpec
from debate_core.report.words.costs import usd_words
from debate_core.seats.forecast import Forecast
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Value

MAX_MINUTES = 10_080


class LimitsDraft(Value):
    """Each limit as typed; empty = none."""

    usd: str = ""
    calls: str = ""
    tokens: str = ""
    minutes: str = ""


def ceiling_of(limits: LimitsDraft) -> Ceiling | None:
    """The ceiling, None if every field is empty. InvalidSpec says in one sentence what a field may hold."""
    minutes = _decimal(limits.minutes, "minutes")
    if minutes is not None and minutes > MAX_MINUTES:
        raise InvalidSpec(f"the limit of minutes is {limits.minutes.strip()!r}: take at most {MAX_MINUTES:,}, a week")
    usd = _decimal(limits.usd, "USD")
    ceiling = Ceiling(
        calls=_whole(limits.calls, "calls"),
        tokens=_whole(limits.tokens, "tokens"),
        seconds=None if minutes is None else max(1, round(minutes * 60)),
        usd=None if usd is None else f"{usd:f}",
    )
    return None if ceiling == Ceiling() else ceiling


def _whole(text: str, what: str) -> int | None:
    digits = re.sub(r"(?<=\d)[ ,_](?=\d{3}(\D|$))", "", text.strip())
    if not digits:
        return None
    if not re.fullmatch(r"\d{1,12}", digits, re.ASCII) or not int(digits):
        raise InvalidSpec(f"the limit of {what} is {text.strip()[:40]!r}: take a whole number of at least 1, or none")
    return int(digits)


def _decimal(text: str, what: str) -> Decimal | None:
    number = text.strip()
    if not number:
        return None
    if not re.fullmatch(r"\d{1,9}(\.\d{1,12})?", number, re.ASCII) or not Decimal(number):
        raise InvalidSpec(f"the limit of {what} is {number[:40]!r}: take a number above 0 such as 2.50, or none")
    return Decimal(number)


def below_forecast(spec: Spec, forecast: Forecast) -> Iterator[str]:
    """One sentence for each limit at which this debate would probably be cut off."""
    bound, used = spec.ceiling() or Ceiling(), forecast.total
    tokens = used.input_tokens + used.output_tokens
    cut = "the debate will probably be cut off there."
    if bound.calls is not None and bound.calls < used.calls:
        yield f"The limit of {bound.calls:,} calls is below the forecast of {used.calls:,}: {cut}"
    if bound.tokens is not None and bound.tokens < tokens:
        yield f"The limit of {bound.tokens:,} tokens is below the forecast of {tokens:,}: {cut}"
    if bound.usd is None:
        return
    if used.cost_usd is None:
        yield "A price is unknown, so a limit of USD ends the debate before its first call with that model."
    elif Decimal(bound.usd) < Decimal(used.cost_usd):
        limit, cost = usd_words(bound.usd), usd_words(used.cost_usd)
        yield f"The limit of {limit} is below the forecast of {cost}: {cut}"
