"""Kept comparisons of turns: after every event of a random debate they give the findings of a full computation."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.host import kept_looks
from debate_core.host.kept_looks import KeptLooks
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts import repetition
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.repetition import kept_comparison, looks
from debate_core.spec.protocol import Spec
from tests.examples import examples
from tests.laws.play import SPECS, play
from tests.people import whole_workshop


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
@given(SPECS, st.integers(0, 10**9), st.sampled_from(["", "cut off", "outdated"]), st.integers(1, 4))
def test_looks_from_notes_equal_full_ones(spec: Spec, seed: int, damage: str, min_new: int):
    """Law: at every version in a new process, which extends the note of the one before, also after damage to it."""
    events = play(spec, seed).events
    rng = Random(seed)
    ends = sorted({*rng.sample(range(1, len(events) + 1), k=min(6, len(events))), len(events)})
    store = MemoryStore()
    with pytest.MonkeyPatch.context() as sooner:
        sooner.setattr(kept_looks, "MIN_NEW", min_new)
        for state in (replay(events[:end]) for end in ends):
            kept_comparison.cache_clear()
            full = looks(state)
            kept_comparison.cache_clear()
            assert KeptLooks(store).of(state) == full
            note = store.note("looks", state.debate)
            assert note or len(full) < min_new
            assert note or state.outcome is None or not full
            kept_comparison.cache_clear()
            assert KeptLooks(store).of(state) == full
            assert store.note("looks", state.debate) == note
            if note and damage and rng.random() < 0.3:
                store.put_note("looks", state.debate, note[:-1] if damage == "cut off" else f"1{note[1:]}")


def test_turns_in_the_note_are_not_compared_again(monkeypatch: pytest.MonkeyPatch):
    events = whole_workshop().events
    *_, before, last = [n for n, event in enumerate(events, 1) if event.kind == "phase_ended"]
    store, compared = MemoryStore(), list[str]()
    monkeypatch.setattr(kept_looks, "MIN_NEW", 1)
    compare = repetition._look

    def count(state: State, one: repetition.Said, *given: Any) -> repetition.Look:
        compared.append(one.turn.place())
        return compare(state, one, *given)

    monkeypatch.setattr(repetition, "_look", count)
    n_compared = []
    for end in (before, last, last):
        kept_comparison.cache_clear()
        KeptLooks(store).of(replay(events[:end]))
        n_compared.append(len(compared))
        compared.clear()
    n_before, n_all = (len(repetition.said(replay(events[:end]))) for end in (before, last))
    assert n_compared == [n_before, n_all - n_before, 0]
    assert 0 < n_before < n_all
