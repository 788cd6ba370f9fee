"""The room of a web process that asks no seats, while no worker does."""

from pathlib import Path

import pytest

from debate_core.host.host import reset_shared_host, shared_host
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.host.workers import Workers
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Seat
from tests.app.visiting import new_browser, room, words

SEATS = [Seat(id=name, occupant="offline") for name in ("ana", "ben", "cyd")]


def test_the_room_says_that_nobody_asks_seats_and_since_when(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEBATE_DB", f"sqlite:///{tmp_path / 'debates.db'}")
    monkeypatch.setenv("DEBATE_WORKER", "none")
    monkeypatch.setattr("debate_core.host.workers.LOOK_S", 0)
    reset_shared_host()
    debate = shared_host().create(compose("Ship it?", ["release", "revise"], BOUNDED_VOTE, SEATS), by="ann")
    app = new_browser()
    room(app, debate, "facilitator")
    assert "No worker is running, so no seat is asked." in words(app)
    store = SqliteStore(tmp_path / "debates.db")
    store.put_note("worker", "elsewhere:1:1", "ended 2026-11-23T14:02:00+00:00")
    app.run()
    assert "No worker is running, so no seat has been asked since 23 Nov 2026, 14:02 UTC." in words(app)
    here = Workers(store, process="there:1:1")
    here.begin(beats=True)
    app.run()
    assert "No worker is running" not in words(app)
    here.end()
    reset_shared_host()
