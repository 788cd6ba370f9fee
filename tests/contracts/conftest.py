"""The stores that have to give the same answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.sqlite import SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "debates.db")
    yield made
    made.close()
