"""Rows of lists kept beside the records: the same as derived ones after losses, updates and erasures."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_core.errors import Unwritable
from debate_core.host.debate_cache import DebateCaches
from debate_core.host.debate_figures import FiguresList
from debate_core.host.debate_list import DebateList, DebateRow
from debate_core.host.erasure import Wish, erase_name
from debate_core.host.host import Host
from debate_core.host.kept_values import KINDS
from debate_core.host.origin import keep_vouched
from debate_core.host.signatures import Signatures
from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import Event, parse_record
from tests import postgres
from tests.core.test_ownership import WHY
from tests.people import whole_workshop
from tests.playing import AT as NOW

RECORDS = [parse_record(path.read_bytes()) for path in sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))]


def new_list(store: Store) -> DebateList:
    """The list of a process that has just started."""
    return DebateList(store, DebateCaches(store))


def derived_rows(store: MemoryStore) -> tuple[DebateRow, ...]:
    """The rows of the same debates without any kept ones."""
    plain = MemoryStore()
    for note in store.all_notes():
        if note.kind not in KINDS:
            plain.put_note(*note)
    for debate_id in store.debates():
        plain.append(debate_id, store.load(debate_id), after=0)
    return new_list(plain).rows()


STEPS = st.lists(
    st.tuples(st.sampled_from(RECORDS), st.integers(1, 30), st.sampled_from(["", "restart", "vouch", "damage"])),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40)
@given(STEPS)
def test_kept_rows_equal_derived_rows(steps: list[tuple[tuple[Event, ...], int, str]]):
    """Law: after any growth of any records, restarts, checked signatures and damaged notes."""
    store = MemoryStore()
    listed = new_list(store)
    for events, more, then in steps:
        debate_id = events[0].debate
        n_before = store.debates().get(debate_id, 0)
        store.append(debate_id, events[n_before : n_before + more], after=n_before)
        if then == "vouch":
            store.add_note("imported", debate_id, "1")
            keep_vouched(store, debate_id, "k")
        if then == "damage":
            store.put_note("row", debate_id, store.notes("row").get(debate_id, "")[:-9])
        if then in ("restart", "damage"):
            listed = new_list(store)
        assert set(listed.rows()) == set(derived_rows(store))
        assert set(store.notes("row")) == set(store.debates())


def test_kept_figures_equal_derived_figures(monkeypatch: pytest.MonkeyPatch):
    store = MemoryStore()
    for events in RECORDS:
        store.append(events[0].debate, events, after=0)
    rows = new_list(store).rows()
    derived = FiguresList(store).of(rows)
    assert any(figures.facts for figures in derived.values())
    monkeypatch.setattr(store, "load", lambda *_: pytest.fail("a record was read"))
    assert FiguresList(store).of(rows) == derived


def test_invalid_record_is_verified_once_for_each_version(monkeypatch: pytest.MonkeyPatch):
    store = MemoryStore()
    events = RECORDS[0]
    store.append(events[0].debate, events, after=0)
    (row,) = new_list(store).rows()
    verified = []

    def load_without_the_second_event(debate_id: str) -> tuple[Event, ...]:
        verified.append(debate_id)
        return events[:1] + events[2:]

    monkeypatch.setattr(store, "load", load_without_the_second_event)
    figures = FiguresList(store)
    for version, n_verified in ((row.version, 1), (row.version, 1), (row.version + 1, 2)):
        assert figures.of([replace(row, version=version)]) == {}
        assert len(verified) == n_verified


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_second_process_reads_no_finished_record(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with postgres.address_of(kind, tmp_path) as url, closing(postgres.host_of(url)) as first:
        for events in RECORDS:
            first._store.append(events[0].debate, events, after=0)
        rows = first.debates()
        with closing(postgres.host_of(url)) as second:
            monkeypatch.setattr(second._store, "find", lambda *_: pytest.fail("a record was read"))
            assert second.debates() == rows


def test_store_that_refuses_rows_still_lists_debates():
    class ReadOnly(MemoryStore):
        def put_notes(self, kind: str, texts: Mapping[str, str]) -> None:
            raise Unwritable("this database is read-only")

    store = ReadOnly()
    store.append(RECORDS[0][0].debate, RECORDS[0], after=0)
    listed = new_list(store)
    assert listed.rows() == listed.rows() == derived_rows(store)


def test_erased_name_leaves_the_kept_rows_at_once():
    store = MemoryStore()
    store.append("d-room", whole_workshop().events, after=0)
    host = Host(store)
    assert [row.id for row in host.debates()] == ["d-room"]
    stale = store.notes("row")["d-room"]
    erased = erase_name(store, Signatures(store), "d-room", Wish("Ann", "Op", WHY), at=NOW)
    assert store.notes("row") == {}
    # Another process had derived it before the erasure, and writes it only now.
    store.put_note("row", "d-room", stale)
    assert [row.id for row in Host(store).debates()] == [erased.events[0].debate]
    assert set(store.notes("row")) == {erased.events[0].debate}
