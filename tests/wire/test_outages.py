"""A provider that is out of reach for some seats, over real wires: `bench/outages.py` plays every protocol so."""

import asyncio

import pytest

from bench.outages import DIALECTS, Endured, ends, every_trouble, held, in_every_dialect, table
from debate_core.spec.models import Dialect
from tests.model_faults import VENDOR_BODIES
from tests.model_server import ModelServer
from tests.wire.rig import HEALTHY

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


@pytest.mark.parametrize("vendor", list(VENDOR_BODIES))
def test_a_vendors_own_error_form_closes_no_debate(three_servers: tuple[ModelServer, ...], vendor: str):
    once, for_ever = [t for t in every_trouble() if t.name.startswith(vendor)]
    servers = dict(zip(DIALECTS, three_servers, strict=True))
    told = in_every_dialect(servers, once)
    # Google says when to come back, and of an optional part of the call it is known that it can be left out.
    again = {"Google, RetryInfo": [1, 1, 1], "Mistral, detail": [1, 0, 0]}.get(vendor, [0, 0, 0])
    assert [(e.invented, e.closed, e.calls) for e in told] == [(False, False, HEALTHY + n) for n in again]
    lasting: list[Endured] = in_every_dialect(servers, for_ever)
    assert [(e.invented, e.decided, e.calls <= 2 * HEALTHY) for e in lasting] == [(False, False, True)] * 3
