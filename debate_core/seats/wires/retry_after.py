"""When a server says that it may be called again: in its headers, or in the body of an error."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from debate_core.seats.wires.provider_errors import error_value

MAX_WAIT_MS = 86_400_000
# As providers say it: "41s", "1.5s".
_DELAY = re.compile(r"^(\d{1,9}(?:\.\d+)?)s$")


def wait_ms(headers: Mapping[str, str], body: object) -> int | None:
    """What the server asks to wait, in its headers or else in its body, as Google does; None if it does not say."""
    in_headers_ms = retry_after_ms(headers)
    return _delay_ms(error_value(body)) if in_headers_ms is None else in_headers_ms


def retry_after_ms(headers: Mapping[str, str]) -> int | None:
    """What the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date; None if nothing."""
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            asked_ms = float(headers[name]) * factor
        except (KeyError, ValueError):
            continue
        if math.isfinite(asked_ms) and asked_ms >= 0:
            return min(MAX_WAIT_MS, math.ceil(asked_ms))
    try:
        until = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, OverflowError):
        return None
    left_s = (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(MAX_WAIT_MS, max(0, math.ceil(left_s * 1000)))


def _delay_ms(error: object) -> int | None:
    """The `retryDelay` among the details of an error."""
    details = error.get("details") if isinstance(error, Mapping) else None
    if not isinstance(details, list):
        return None
    for detail in details:
        delay = _DELAY.match(str(detail.get("retryDelay"))) if isinstance(detail, Mapping) else None
        if delay is not None:
            return min(MAX_WAIT_MS, math.ceil(float(delay[1]) * 1000))
    return None
