"""Properties of random debates hold in every store: each debate is kept exactly as it was played."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from debate_core.engine import audit
from debate_core.errors import Conflict
from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.record.fold import replay
from tests.laws.play import play, random_spec
from tests.postgres import fresh_store

DEBATES = 12


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, ...]]:
    with ExitStack() as opened:
        file = SqliteStore(Path(tmp_path_factory.mktemp("kept")) / "debates.db")
        yield MemoryStore(), opened.enter_context(closing(file)), opened.enter_context(fresh_store())


def played_debates() -> Iterator[int]:
    """Seeds of debates that can be held."""
    rng, found = Random(20261123), 0
    while found < DEBATES:
        seed = rng.randrange(10**9)
        if random_spec(seed) is not None:
            found += 1
            yield seed


@pytest.mark.parametrize("seed", tuple(played_debates()))
def test_a_random_debate_is_kept_as_it_was_played(stores: tuple[Store, ...], seed: int) -> None:
    # laws 1 and 2, R021, R081
    spec, rng = random_spec(seed), Random(seed)
    assert spec is not None
    debate_id = f"d-{seed}"
    played = play(spec, seed, debate_id=debate_id)
    events = tuple(played.events)
    # In batches of any size: where a process was killed, the next one goes on.
    cuts = sorted({0, len(events), *(rng.randint(0, len(events)) for _ in range(5))})
    for store in stores:
        for after, end in pairwise(cuts):
            lease = store.acquire(debate_id, "elsewhere:1:1", ttl_s=0)
            store.append(debate_id, events[after:end], after=after, lease=lease)
            with pytest.raises(Conflict):
                store.append(debate_id, events[after:end], after=after)
            assert store.load(debate_id, after) == events[after:end]
        kept = store.load(debate_id)
        assert kept == events
        assert replay(kept) == played.state
        assert audit.verify(kept) == ()
