"""Base rates of decisions: each fate, the interval, few known outcomes, and a debate with a kind."""

from collections.abc import Iterator

import pytest

from debate_core.host.precedents.index import ArchivedStatus, DecidedRecord, RecordIndex
from debate_core.report.facts.base_rates import BaseRate
from debate_core.report.phrases.base_rates import base_rate_sentences
from debate_core.spec.values import TaskType

FATES: list[tuple[ArchivedStatus, str, str]] = [
    ("in_force", "held", "stood"),
    ("in_force", "", "unknown"),
    ("in_force", "unknown", "unknown"),
    ("in_force", "revised", "overturned"),
    ("withdrawn", "reversed", "overturned"),
    ("challenged", "", "overturned"),
    ("challenged", "held", "overturned"),
    ("superseded", "", "superseded"),
    ("superseded", "held", "superseded"),
    ("superseded", "reversed", "overturned"),
]


Fate = tuple[ArchivedStatus, str]
HELD: Fate = ("in_force", "held")


def records(kind: TaskType | None, *fates: Fate) -> Iterator[DecidedRecord]:
    for number, (status, outcome) in enumerate(fates):
        yield DecidedRecord(f"{kind}-{number}", "Which?", status, outcome=outcome, kind=kind)


@pytest.mark.parametrize(("status", "outcome", "fate"), FATES)
def test_each_decision_has_one_fate(status: ArchivedStatus, outcome: str, fate: str):
    rates = RecordIndex([*records("security", (status, outcome))]).base_rates
    assert rates == {"security": BaseRate("security", **{fate: 1})}


def test_rates_equal_those_computed_by_hand():
    """Wilson's interval of 5 of 7: (0.7143 + 0.2744 ± 0.4328) / 1.5488; a decision without a kind is left out."""
    others: list[Fate] = [("superseded", ""), ("challenged", ""), ("in_force", ""), ("in_force", "")]
    made = [*records("architecture", *[HELD] * 5, *others), *records(None, HELD, *others)]
    rate = RecordIndex(made).base_rates["architecture"]
    assert (rate.decided, rate.known, rate.unknown) == (9, 7, 2)
    share = rate.share("stood")
    assert share is not None
    assert (share.value, share.low, share.high) == pytest.approx((5 / 7, 0.3589, 0.9178), abs=5e-5)
    assert base_rate_sentences(rate) == (
        "Architecture: 9 decisions. Known outcomes: 7. Held: 5, 71 % (36 to 92). Revised, reversed or challenged: 1, "
        "14 % (3 to 51). Superseded: 1, 14 % (3 to 51). No recorded outcome: 2."
    )


@pytest.mark.parametrize(
    ("n_held", "words"), [(2, "Too few known outcomes for a share: 2"), (3, "Held: 3, 100 % (44 to 100)")]
)
def test_two_known_outcomes_are_too_few(n_held: int, words: str):
    rate = RecordIndex([*records("contract", *[HELD] * n_held, ("in_force", ""))]).base_rates["contract"]
    assert words in base_rate_sentences(rate)
    assert "No recorded outcome: 1" in base_rate_sentences(rate)
