"""Kept comparisons of turns: after every event of a random debate they give the findings of a full computation."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from debate_core.record.fold import replay
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.repetition import Look, kept_comparison, looks
from debate_core.spec.protocol import Spec
from tests.examples import examples
from tests.laws.play import SPECS, play


def derived(of: Account) -> tuple[object, ...]:
    """Return what is derived from compared texts, and the looks as plain values."""
    return of.findings, of.flags, of.claims, of.same_vote, [_shares(look) for look in looks(of.state)]


def _shares(look: Look) -> tuple[object, ...]:
    shares = (look.new_share, look.own_share, look.restated, look.new_claims, look.answerable, look.answered)
    return (look.said.turn.request, *shares)


@examples(60)
@given(SPECS, st.integers(0, 10**9))
def test_kept_comparisons_equal_full_ones(spec: Spec, seed: int):
    """Law: at versions in any order, so that a comparison is extended, reused and replaced."""
    events = play(spec, seed).events
    rng = Random(seed)
    ends = sorted(rng.sample(range(1, len(events) + 1), k=min(8, len(events))))
    if rng.random() < 0.3:
        rng.shuffle(ends)
    states = [replay(events[:end]) for end in ends]
    kept_comparison.cache_clear()
    kept = [derived(account(state)) for state in states]
    for state, found in zip(states, kept, strict=True):
        kept_comparison.cache_clear()
        assert derived(account(state)) == found
