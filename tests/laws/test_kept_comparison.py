"""Kept comparisons of turns: after every event of a random debate they give the findings of a full computation."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from debate_core.host.kept_looks import KeptLooks
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.fold import replay
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.repetition import kept_comparison, looks
from debate_core.spec.protocol import Spec
from tests.examples import examples
from tests.laws.play import SPECS, play


def derived(of: Account) -> tuple[object, ...]:
    """Return what is derived from compared texts, and the looks as plain values."""
    return of.findings, of.flags, of.claims, of.same_vote, looks(of.state)


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


@examples(40)
@given(SPECS, st.integers(0, 10**9), st.sampled_from(["", "cut off", "outdated"]))
def test_looks_from_notes_equal_full_ones(spec: Spec, seed: int, damage: str):
    """Law: in a new process, also after damage to the note."""
    state = replay(play(spec, seed).events)
    store = MemoryStore()
    kept_comparison.cache_clear()
    compared = KeptLooks(store).of(state)
    note = store.note("looks", state.debate)
    assert (note is not None) == (state.outcome is not None)
    if note and damage:
        store.put_note("looks", state.debate, note[:-1] if damage == "cut off" else note.replace(state.head, "0" * 64))
    kept_comparison.cache_clear()
    assert KeptLooks(store).of(state) == compared
    kept_comparison.cache_clear()
    assert looks(state) == compared
    assert store.note("looks", state.debate) == note
