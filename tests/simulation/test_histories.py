"""A debate survives failures of its processes: 20,000 histories of the real run loop, and planted faults in it.

`run_loop` is the code of production. In most histories a minimal debate decides the writes, so that there can be many
histories; in some the engine itself decides.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from debate_core.host import run_loop as loop_module
from debate_core.host.stores.memory import MemoryStore
from tests.simulation.engine_play import EnginePlay
from tests.simulation.history import Play
from tests.simulation.many import play_many, told
from tests.simulation.toy import ToyPlay

ROOT = Path(__file__).resolve().parents[2]
HISTORIES = 20_000
SHARES = 4
"""So that several workers can play them."""
ENGINE_HISTORIES = 100
SOON = 50
"""Seeds within which a planted fault of the store or of the loop is found."""


def all_is_well(seeds: range, play: Callable[[int], Play]) -> None:
    """Nothing is wrong in any of these histories, and what can go wrong has happened in them."""
    played = play_many(seeds, play)
    assert played.wrong == {}, told(min(played.wrong), play)
    faults = ("is killed before", "is killed after", "stands still before", "stands still after", "is taken over")
    refusals = ("is fenced off", "meets Busy", "meets Conflict", "meets Leased", "hears nothing of")
    assert [what for what in (*faults, *refusals) if played.counts[what] < len(seeds) / 20] == []


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_twenty_thousand_histories(share: int):
    size = HISTORIES // SHARES
    all_is_well(range(share * size, (share + 1) * size), ToyPlay)


@pytest.mark.nightly
@pytest.mark.parametrize("share", range(100))
def test_two_million_histories(share: int):
    all_is_well(range((share + 1) * 20_000, (share + 2) * 20_000), ToyPlay)


@pytest.mark.slow
def test_histories_by_the_rules_of_the_engine():
    all_is_well(range(ENGINE_HISTORIES), EnginePlay)


@pytest.mark.nightly
def test_many_histories_by_the_rules_of_the_engine():
    all_is_well(range(ENGINE_HISTORIES, 20_000), EnginePlay)


class Unfenced(MemoryStore):
    """Takes what somebody writes who has lost the lease."""

    def _refuse_fenced(self, *_: object) -> None:
        """Nobody is refused."""


class Unkeyed(MemoryStore):
    """Takes a second event of a key."""

    def _refuse_repeated(self, *_: object) -> None:
        """Nothing is refused."""


class UnfencedAndUnkeyed(Unfenced, Unkeyed):
    """Takes both."""


class Unguarded(UnfencedAndUnkeyed):
    """Takes also what was made for another version than the latest."""

    def _refuse_late(self, *_: object) -> None:
        """Nothing is refused."""


@pytest.mark.parametrize("store", [UnfencedAndUnkeyed, Unguarded])
def test_a_store_without_fence_and_unique_key_is_found(store: type[MemoryStore]):
    assert play_many(range(SOON), ToyPlay, store=store).wrong != {}


@pytest.mark.parametrize("store", [Unfenced, Unkeyed])
def test_each_guard_of_the_record_is_enough_without_the_other(store: type[MemoryStore]):
    """The record stays whole; without the fence, whoever was taken over goes on asking, which somebody pays for."""
    wrong = play_many(range(1_000), ToyPlay, store=store).wrong.values()
    of_the_record = [what for found in wrong for what in found if "is called" not in what and "old lease" not in what]
    assert of_the_record == []


# Code of the loop, and the same code with a fault.
FORGETS = "            self._answers = {}\n"
WRITES = "            if batch.events and not (yield from self._append(batch.events)):\n                return False\n"
ASKS = """            for attempt in batch.attempts:
                yield Ask(attempt)
                self._under_way.add(attempt.request.id)
"""
ASKED_UNKNOWN = ASKS.replace("                self._under_way.add(attempt.request.id)\n", "")
CONFLICT = "                raise\n            return False\n"


@pytest.mark.parametrize(
    ("right", "wrong", "what"),
    [
        pytest.param(WRITES + FORGETS + ASKS, ASKS + WRITES + FORGETS, "not in the record", id="asks, then writes"),
        pytest.param(WRITES + FORGETS, FORGETS + WRITES, "is called 2 times", id="forgets answers, then writes"),
        pytest.param(
            "                self._under_way.add(attempt.request.id)\n", "", "is called 2 times", id="asks twice"
        ),
        pytest.param(
            "            return False\n        self", "        self", "not in the record", id="goes on in a conflict"
        ),
        pytest.param("LEASE_TTL_S / 3:", "LEASE_TTL_S * 3:", "could have renewed it", id="does not renew the lease"),
        pytest.param("            yield from self._cancel_closed()\n", "", "not cut off", id="cuts nobody off"),
        pytest.param("unless_busy(self._write)", "self._write()", "a run gave up", id="gives up a write"),
        pytest.param("unless_busy(self._catch_up)", "self._catch_up()", "a run gave up", id="gives up a look"),
        pytest.param(
            "        if news.woken or not news.answers:\n", "        if False:\n", "does not look", id="never looks"
        ),
    ],
)
def test_a_fault_in_the_order_is_found(right: str, wrong: str, what: str):
    assert found_in(right, wrong, ToyPlay, SOON, what)


def test_a_run_that_ends_while_a_seat_answers_is_found():
    right, wrong = "            if not self._under_way:\n", "            if True:\n"
    assert found_in(right, wrong, EnginePlay, SOON // 2, "ended while it was asking")


def found_in(right: str, wrong: str, play: Callable[[int], Play], n_seeds: int, what: str) -> bool:
    """True if the loop with this fault has a history in which `what` is wrong."""
    source = Path(loop_module.__file__).read_text("utf-8")
    assert source.count(right) == 1
    changed = ModuleType("changed_loop")
    # Where its dataclasses look for the names in their types.
    sys.modules[changed.__name__] = changed
    try:
        exec(compile(source.replace(right, wrong), changed.__name__, "exec"), changed.__dict__)
        found = play_many(range(n_seeds), play, loop=changed.run_loop).wrong.values()
    finally:
        del sys.modules[changed.__name__]
    return any(what in said for all_said in found for said in all_said)


def test_the_same_seed_gives_the_same_history_in_every_process():
    of_histories = [sys.executable, "-m", "bench.histories", "100", "--jobs", "1"]
    told_by = [
        subprocess.run(
            of_histories,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    digest = play_many(range(100), ToyPlay).digest
    assert [f"digest {digest}" in told for told in told_by] == [True, True]
