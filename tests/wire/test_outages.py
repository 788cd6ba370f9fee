"""A provider that is out of reach for some seats, over real wires: `bench/outages.py` plays every protocol so."""

import asyncio

import pytest

from bench.outages import ends, held, table
from debate_core.spec.models import Dialect
from tests.model_server import ModelServer

HELD: dict[Dialect, str] = {"chat": "society", "responses": "deliberation", "messages": "stance_judge"}


@pytest.mark.parametrize(("dialect", "name"), list(HELD.items()))
def test_no_outage_of_one_or_two_seats_decides_over_silence(server: ModelServer, dialect: Dialect, name: str):
    # R036, R224
    server.set(votes=("adopt",), text_chars=60)
    with ModelServer() as gone:
        pass
    states = asyncio.run(held(table(name, dialect, server, gone)))
    ended = ends(states)
    assert (len(states), ended["over silence"]) == (6, 0)
    assert ended["quorum" if name == "society" else "side_unheard"] >= 3
