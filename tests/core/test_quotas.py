"""Limits of one client: a room behind one address has enough, and no client takes everything."""

from contextlib import ExitStack, suppress

import pytest

from debate_core.errors import TooMany
from debate_core.host.quotas import NEW_DEBATES, PAGES, REHEARSALS, STRANGERS, TRIES, Cap, Open, OpenedDebates
from tests.core.test_invites import Clock

ROOM = 100
"""People behind one address."""


def many(begun: OpenedDebates, client: str, times: int, *, rehearsal: bool = False) -> int:
    """Count how many of these debates could be opened."""
    opened = 0
    for n in range(times):
        with suppress(TooMany):
            begun.one_more(client, f"d-{client}-{n}", rehearsal=rehearsal)
            opened += 1
    return opened


@pytest.mark.parametrize("cap", [NEW_DEBATES, REHEARSALS, TRIES, PAGES, STRANGERS])
def test_a_cap_says_in_one_sentence_when_to_come_back(cap: Cap):
    assert cap.said.count(". ") == 0
    assert "wait" in cap.said
    assert cap.by_client < cap.in_all


def test_a_room_behind_one_address_has_room():
    assert PAGES.by_client >= 2 * 2 * ROOM
    assert STRANGERS.by_client > ROOM
    assert min(NEW_DEBATES.by_client, REHEARSALS.by_client) >= ROOM


def test_debates_are_capped_by_client_and_in_all_within_an_hour():
    clock = Clock()
    begun = OpenedDebates(clock, lambda debate: False)
    assert many(begun, "10.0.0.1", NEW_DEBATES.by_client + 5) == NEW_DEBATES.by_client
    assert many(begun, "10.0.0.2", 5) == 5
    others = sum(many(begun, f"10.0.1.{n}", NEW_DEBATES.by_client) for n in range(8))
    assert others == NEW_DEBATES.in_all - NEW_DEBATES.by_client - 5
    assert many(begun, "", 3) == 3
    clock.wait(hours=1, seconds=1)
    assert many(begun, "10.0.0.1", 1) == 1


def test_rehearsals_are_capped_while_they_run():
    clock, running = Clock(), {f"d-10.0.0.1-{n}" for n in range(REHEARSALS.by_client)}
    begun = OpenedDebates(clock, running.__contains__)
    assert many(begun, "10.0.0.1", REHEARSALS.by_client + 5, rehearsal=True) == REHEARSALS.by_client
    assert many(begun, "10.0.0.2", 3, rehearsal=True) == 3
    assert many(begun, "10.0.0.1", 3) == 3
    # After an hour those that still run count as rehearsals, and no longer as new debates.
    clock.wait(hours=2)
    assert many(begun, "10.0.0.1", 3, rehearsal=True) == 0
    running.pop()
    assert many(begun, "10.0.0.1", 3, rehearsal=True) == 1


def test_what_is_closed_makes_room():
    tries = Open(TRIES)
    with ExitStack() as stack:
        for _ in range(TRIES.by_client):
            stack.enter_context(tries.one("10.0.0.1"))
        with pytest.raises(TooMany, match="half a minute"), tries.one("10.0.0.1"):
            pass
        with pytest.raises(TooMany):
            tries.refuse_more("10.0.0.1")
        with tries.one("10.0.0.2"), tries.one(""):
            pass
    tries.refuse_more("10.0.0.1")


def test_all_together_have_a_cap_too():
    tries = Open(TRIES)
    with ExitStack() as stack:
        for n in range(TRIES.in_all):
            stack.enter_context(tries.one(f"10.0.0.{n}"))
        with pytest.raises(TooMany), tries.one("10.0.1.1"):
            pass
        with tries.one(""):
            pass
