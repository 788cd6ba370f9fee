"""A judgement on the track record, and what a team can do next; every sentence follows from counts or alerts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from debate_core.language import Words, _, _n
from debate_core.report.facts.cross_debate_metrics import LEAST, Metric, number_words

_ADVICE: Words[str] = Words(
    {
        "strength": "Ask critics for a concrete failure, and give them documents.",
        "very_weak": "Ask critics for a concrete failure, and give them documents.",
        "qualification": "Compare critics of other models before you rely on them.",
        "low_confidence": "Add documents, or ask narrower questions.",
        "cost": "Lower the number of rounds or the limit.",
        "unchanged": "Read directives before you let them through.",
        "tilt": "Let judges read the turns in both orders.",
        "confident_wrong": "Do not take a high confidence as proof.",
    }
)
"""Name of a figure with a limit -> what to do when it is past it."""


@dataclass(frozen=True, slots=True)
class OpenWork:
    """Numbers of signed decisions that wait for someone; the list of decisions has those without a signature."""

    due: int = 0
    """Signed, past the review date, and without an outcome."""
    undated: int = 0
    """Signed without a review date or event, and without an outcome."""


def verdict_sentence(held: Metric) -> str:
    """Judge if the decisions held, as far as their number allows."""
    if held.value is None or held.low is None or held.high is None:
        return _n(
            held.n,
            "Too early to say: {n} outcome is recorded, {least} are needed.",
            "Too early to say: {n} outcomes are recorded, {least} are needed.",
            least=LEAST,
        )
    values = {"share": number_words("share", held.value), "low": 100 * held.low, "high": 100 * held.high}
    if 2 * held.low > 1:
        return _("Yes: {share} of the decisions held, at least {low:.0f} % with 95 % confidence.", **values)
    if 2 * held.high < 1:
        return _("No: {share} of the decisions held, at most {high:.0f} % with 95 % confidence.", **values)
    return _("Not clear yet: {share} of the decisions held; the true share can be {low:.0f} to {high:.0f} %.", **values)


def next_steps(work: OpenWork, figures: Mapping[str, Metric]) -> Iterator[str]:
    """Yield the next steps, the most urgent first; nothing if all is done and every figure is within its limit."""
    if work.due:
        yield _n(
            work.due,
            "Record how {n} decision turned out: its review date has come.",
            "Record how {n} decisions turned out: their review dates have come.",
        )
    if work.undated:
        yield _n(
            work.undated,
            "Agree on a review date for {n} signed decision: without one no one is asked how it turned out.",
            "Agree on a review date for {n} signed decisions: without one no one is asked how they turned out.",
        )
    advice = {name: _ADVICE[name] for name, figure in figures.items() if figure.alert and name in _ADVICE}
    yield from dict.fromkeys(advice.values())
