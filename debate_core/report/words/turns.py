"""What has to be said of a turn beside what it says itself."""

from collections.abc import Sequence

from debate_core.language import _, message
from debate_core.spec.contents import LeftOut
from debate_core.text import line

MAX_RAW_CHARS = 80
NO_REASON_GIVEN = message("no reason given")
"""Of a ballot whose text gives none."""


def left_out_words(parts: Sequence[LeftOut]) -> str:
    """`not read, and left out: confidence "high"; claims.0.weight 5`; empty if everything was read."""
    if not parts:
        return ""
    return _(
        "not read, and left out: {parts}",
        parts="; ".join(f"{line(part.field)} {_shortened(part.raw)}" for part in parts),
    )


def argues_for_words(argues_for: str | None) -> str:
    """`its text argues for adopt, not for what it chooses`; empty if they agree, or nobody looked."""
    if not argues_for:
        return ""
    return _("its text argues for {argues_for}, not for what it chooses", argues_for=line(argues_for))


def _shortened(raw: str) -> str:
    text = line(raw)
    return text if len(text) <= MAX_RAW_CHARS else f"{text[: MAX_RAW_CHARS - 1].rstrip()}…"
