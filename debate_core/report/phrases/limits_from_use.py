"""Limits proposed from earlier debates, in sentences."""

from debate_core.language import _, format_number
from debate_core.report.facts.limits_from_use import LEAST_DEBATES, LimitsRow
from debate_core.report.facts.terms import named
from debate_core.report.phrases.limits import duration_words


def proposed_limits_sentence(row: LimitsRow) -> str:
    """`From 34 debates under expert panel (security): 24 calls, 61,000 tokens, 15 minutes. ...`, or what is missing."""
    about = named(row.protocol)
    if row.task:
        about = _("{protocol} ({task})", protocol=about, task=named(row.task))
    if row.calls is None or row.tokens is None or row.seconds is None:
        return _(
            "Unknown for {about}: it needs at least {least} finished debates with models; so far {n}.",
            about=about,
            least=LEAST_DEBATES,
            n=row.n,
        )
    return _(
        "From {n} debates under {about}: {calls} calls, {tokens} tokens, {duration}. 99 of 100 used at most two thirds "
        "of that.",
        n=row.n,
        about=about,
        calls=format_number(row.calls, ","),
        tokens=format_number(row.tokens, ","),
        duration=duration_words(row.seconds),
    )
