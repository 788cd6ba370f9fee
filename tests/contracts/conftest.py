"""The stores that have to give the same answers."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.sqlite import SqliteStore
from tests import postgres


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    match request.param:
        case "memory":
            yield MemoryStore()
        case "sqlite":
            with closing(SqliteStore(tmp_path / "debates.db")) as store:
                yield store
        case _:
            with postgres.fresh_store() as store:
                yield store


@pytest.fixture
def url() -> Iterator[sa.URL]:
    with postgres.new_database() as made:
        yield made
