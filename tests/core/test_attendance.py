"""People with an open page, and calls for help, across the processes of one store."""

import json
import os

from debate_core.host.attendance import Attendances
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.owner import this_process

OTHER = "elsewhere:1:1"
"""A process of another machine: its life cannot be checked here."""


def test_a_person_is_here_until_their_last_page_is_closed():
    known = Attendances(MemoryStore())
    known.come("d1", "p-gus")
    known.come("d1", "p-gus")
    known.come("d2", "p-ann")
    assert known.of("d1").here == {"p-gus"}
    known.leave("d1", "p-gus")
    assert known.of("d1").here == {"p-gus"}
    known.leave("d1", "p-gus")
    assert known.of("d1").here == frozenset()
    assert known.of("d2").here == {"p-ann"}


def test_people_of_another_process_are_here():
    store = MemoryStore()
    there = Attendances(store, process=OTHER)
    there.come("d1", "p-gus")
    there.of("d1")
    here = Attendances(store)
    here.come("d1", "p-ann")
    assert here.of("d1").here == {"p-ann", "p-gus"}


def test_people_of_an_ended_process_are_gone():
    store = MemoryStore()
    dead = f"{this_process().rsplit(':', 2)[0]}:{os.getpid()}:0-ended"
    late = json.dumps([0.0, [["d1", "p-old"]]])
    store.put_note("attendance", OTHER, late)
    store.put_note("attendance", dead, json.dumps([1e12, [["d1", "p-gus"]]]))
    assert Attendances(store).of("d1").here == frozenset()
    assert store.notes("attendance") == {}


def test_a_call_stays_until_it_is_answered():
    store = MemoryStore()
    known = Attendances(store)
    known.call("d1", "p-gus")
    known.call("d1", "p-ann")
    first = known.of("d1").calls["p-gus"]
    known.call("d1", "p-gus")
    assert known.of("d1").calls["p-gus"] == first
    again = Attendances(store)
    assert list(again.of("d1").calls) == ["p-gus", "p-ann"]
    assert not again.of("d2").calls
    again.answer("d1", "p-gus")
    assert list(again.of("d1").calls) == ["p-ann"]
