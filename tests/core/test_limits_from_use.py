"""Limits from experience: the 99th percentile of earlier debates with room above it, unknown from too few."""

import pytest

from debate_core.record.commands import Stop
from debate_core.report.facts.limits_from_use import (
    LEAST_DEBATES,
    DebateUse,
    LimitsRow,
    limits_for,
    limits_rows,
    use_of,
)
from debate_core.report.phrases.limits import proposed_limits_sentence
from debate_core.spec.rules import Ceiling
from tests.by_hand import preset_spec
from tests.paid import Hand, begin, paid_spec, troubled, use
from tests.playing import Played


def uses(n: int, task: str = "", protocol: str = "expert_panel", times: int = 1) -> list[DebateUse]:
    """Debates with 1 to n calls, each of 100 tokens and 2 seconds."""
    return [DebateUse(protocol, task, k * times, 100 * k * times, 2 * k * times) for k in range(1, n + 1)]


def decided() -> Hand:
    """Three calls of 1,200 tokens, the last one after 9 seconds."""
    hand = begin(paid_spec(task="security"))
    for seat in ("planner", "critic", "operator"):
        hand.after(3).take(f"1.proposal.{seat}.1", "release", use(1_000, 200, "0.02"))
    return hand


def test_use_is_counted_as_limits_count_it():
    state = decided().state
    assert state.outcome is not None
    assert use_of(state) == DebateUse("bounded_vote", "security", 3, 3_600, 9)


def test_unfinished_and_cut_debates_teach_nothing():
    assert use_of(begin(paid_spec()).state) is None
    assert use_of(troubled().state) is None
    assert use_of(begin(paid_spec()).do(Stop(by="ana", reason="no time")).state) is None


def test_a_debate_without_calls_teaches_nothing():
    held = Played(preset_spec()).to_the_end("a")
    assert held.outcome().status == "decided"
    assert use_of(held.state) is None


def test_of_200_debates_two_may_use_more_than_the_percentile():
    # R295
    (row,) = limits_rows(uses(200))
    assert (row.n, row.p99_calls, row.p99_tokens, row.p99_seconds) == (200, 198, 19_800, 396)
    # 297, 29,700 and 594, rounded up to two digits.
    assert row.ceiling == Ceiling(calls=300, tokens=30_000, seconds=600)


@pytest.mark.parametrize("most", [1, 2, 3, 7, 10, 11, 34, 99, 100, 101, 6_667, 67_001, 999_999])
def test_a_limit_is_one_and_a_half_to_two_times_the_percentile(most: int):
    (row,) = limits_rows([DebateUse("p", "", most, most, most)] * LEAST_DEBATES)
    assert row.calls is not None
    assert row.seconds is not None
    assert 3 * most <= 2 * row.calls <= 4 * most
    assert 3 * most <= 2 * row.seconds <= 4 * most


def test_too_few_debates_leave_limits_unknown():
    assert limits_rows(uses(LEAST_DEBATES - 1)) == (LimitsRow("expert_panel", "", LEAST_DEBATES - 1),)
    assert limits_for([], "expert_panel", "").ceiling is None
    sentence = "Unknown for expert panel: it needs at least 20 finished debates with models; so far 0."
    assert proposed_limits_sentence(limits_for([], "expert_panel", "")) == sentence


def test_limits_come_from_debates_of_the_same_kind_first():
    held = [*uses(20, "security"), *uses(5, "contract", times=10), *uses(30, "security", "bounded_vote", 100)]
    of_kind = limits_for(held, "expert_panel", "security")
    assert (of_kind.task, of_kind.n, of_kind.p99_calls) == ("security", 20, 20)
    of_all = limits_for(held, "expert_panel", "contract")
    assert (of_all.task, of_all.n, of_all.p99_calls) == ("", 25, 50)
    labels = [(row.protocol, row.task, row.n) for row in limits_rows(held)]
    assert labels == [
        ("bounded_vote", "", 30),
        ("expert_panel", "", 25),
        ("expert_panel", "contract", 5),
        ("expert_panel", "security", 20),
    ]
