"""The same histories by the rules of the engine, on the stores in which debates are kept."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from debate_core.host.stores.postgres import PostgresStore
from debate_core.host.stores.sqlite import SqliteStore
from tests.postgres import new_database, written
from tests.simulation.engine_play import EnginePlay
from tests.simulation.many import play_many
from tests.simulation.process import Time

HISTORIES = 5


class InTimeOfItsOwn:
    """Leases end by the clock of a history."""

    time: Time

    def _now_s(self) -> sa.ColumnElement[float]:
        return sa.literal(self.time())


class Sqlite(InTimeOfItsOwn, SqliteStore):
    """In a file."""


class Postgres(InTimeOfItsOwn, PostgresStore):
    """In a database of a server."""


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sqlite | Postgres]:
    if request.param == "sqlite":
        with closing(Sqlite(tmp_path / "debates.db")) as store:
            yield store
        return
    with new_database() as url, closing(Postgres(written(url))) as store:
        yield store


def going_by(store: Sqlite | Postgres, time: Time) -> Sqlite | Postgres:
    """One store for all histories: each has a debate of its own."""
    store.time = time
    return store


@pytest.mark.slow
def test_histories_in_a_database(store: Sqlite | Postgres):
    assert play_many(range(HISTORIES), EnginePlay, store=partial(going_by, store)).wrong == {}


@pytest.mark.nightly
def test_many_histories_in_a_database(store: Sqlite | Postgres):
    assert play_many(range(HISTORIES, 500), EnginePlay, store=partial(going_by, store)).wrong == {}
