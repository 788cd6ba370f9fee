"""Base rates of decisions in sentences."""

from debate_core.language import Words, _, _n
from debate_core.report.facts.base_rates import LEAST_KNOWN, BaseRate
from debate_core.report.phrases.track_record import percent_words
from debate_core.spec.advice import Task

KINDS: Words[Task] = Words(
    {
        "contract": "Contract",
        "security": "Security",
        "architecture": "Architecture",
        "investment": "Investment",
        "compliance": "Compliance",
        "other": "Other",
        "unknown": "Not said",
    }
)


def base_rate_sentences(rate: BaseRate) -> str:
    """The numbers of one kind of decision, with the share of each fate and its 95 % interval."""
    decided = _n(rate.decided, "{kind}: {n} decision.", "{kind}: {n} decisions.", kind=KINDS[rate.kind])
    unknown = ""
    if rate.unknown:
        unknown = " " + _("No recorded outcome: {unknown}.", unknown=rate.unknown)
    if rate.share("stood") is None:
        few = _(
            "Too few known outcomes for a share: {known}, and it needs {least}.", known=rate.known, least=LEAST_KNOWN
        )
        return f"{decided} {few}{unknown}"
    shares = _(
        "Known outcomes: {known}. Held: {stood}, {stood_share}. Revised, reversed or challenged: {overturned}, "
        "{overturned_share}. Superseded: {superseded}, {superseded_share}.",
        known=rate.known,
        stood=rate.stood,
        stood_share=percent_words(rate.share("stood")),
        overturned=rate.overturned,
        overturned_share=percent_words(rate.share("overturned")),
        superseded=rate.superseded,
        superseded_share=percent_words(rate.share("superseded")),
    )
    return f"{decided} {shares}{unknown}"
