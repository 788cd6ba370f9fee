"""Remarks on a turn: parts that were not read, and a ballot that contradicts its text."""

from collections.abc import Sequence

from debate_core.language import _, message
from debate_core.spec.contents import LeftOut
from debate_core.text import line

MAX_RAW_CHARS = 80
NO_REASON_GIVEN = message("no reason given")
"""Remark on a ballot whose text gives no reason."""


def left_out_words(parts: Sequence[LeftOut]) -> str:
    """`left out as unreadable: confidence "high"; claims.0.weight 5`; empty if everything was read."""
    if not parts:
        return ""
    listed = "; ".join(f"{line(part.field)} {_shorten(line(part.raw))}" for part in parts)
    return _("left out as unreadable: {parts}", parts=listed)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_RAW_CHARS else f"{text[: MAX_RAW_CHARS - 1].rstrip()}…"


def another_round_words(*, recommended: bool) -> str:
    """`recommends another round` or `recommends no further round`."""
    return _("recommends another round") if recommended else _("recommends no further round")


def argues_for_words(argues_for: str | None) -> str:
    """`its text argues for adopt, not for its choice`; empty if they agree, or if the text was not read."""
    if not argues_for:
        return ""
    return _("its text argues for {argues_for}, not for its choice", argues_for=line(argues_for))
