"""Where a record is from: opened here, or taken in from a file. Notes beside the record, and no part of it.

Who held a debate that came from a file is not known until its signatures have been checked with a key.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from debate_core.engine import engine, rights
from debate_core.errors import BrokenRecord, Conflict, UnknownDebate
from debate_core.host.stores import Store
from debate_core.record.acts import HandedOver, Owning, Shared
from debate_core.record.commands import Act
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State

_IMPORTED, _VOUCHED, _MODELS, _REPLACED = "imported", "vouched", "models", "replaced"
_OWN = "own"
"""What the note `models` of a debate says if it was opened here."""


def keep_own(store: Store, debate_id: str) -> None:
    """Before the first event of a debate that is opened here."""
    store.put_note(_MODELS, debate_id, _OWN)


def is_own(store: Store, debate_id: str) -> bool:
    """True for a debate that was opened here."""
    return store.note(_MODELS, debate_id) == _OWN


def has_own(store: Store, events: Sequence[Event]) -> bool:
    """True for events of a debate that was opened here, as they are in its record here."""
    if not events or not is_own(store, events[0].debate):
        return False
    try:
        kept = store.load(events[0].debate)
    except UnknownDebate:
        return False
    return len(kept) >= len(events) and kept[len(events) - 1].hash == events[-1].hash


def is_new(store: Store, events: Sequence[Event]) -> bool:
    """True for a record that can be taken in, False for one that is here already.

    BrokenRecord if its id is none; Conflict if another debate, or another state of it, has its id.
    """
    debate_id = events[0].debate
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", debate_id):
        raise BrokenRecord("the id of a debate has 1 to 64 letters, digits, - and _; this one has others", 1)
    try:
        known = store.load(debate_id)
    except UnknownDebate:
        return True
    if events[-1].hash not in _last_hashes(known):
        raise Conflict(
            "{debate_id} is here already and ends differently than the file: neither is overwritten",
            debate_id=debate_id,
        )
    return False


def _last_hashes(known: Sequence[Event]) -> Iterator[str]:
    """Of the last event, and of those before what its owners did with it last: that may have come after the file."""
    for event in reversed(known):
        yield event.hash
        if not isinstance(event.body, Owning):
            return


def take_in(store: Store, events: Sequence[Event], *, owner: str = "", at: datetime) -> None:
    """Keep a new record that came from a file, marked as such. It belongs to this account; empty = to the server.

    BrokenRecord where another record stands for it: its name was taken out.
    """
    state = replay(events)
    if state.ownership.replaced_by or replaced_by(store, state.debate):
        raise BrokenRecord("{debate} is not taken in: {why}", len(events), debate=state.debate, why=rights.REPLACED)
    taken = list(events)
    # Whoever owned it elsewhere is nobody here.
    for act in _owned_here(state, owner):
        following, state = engine.advance(state, Act(by=rights.HOST, act=act), at=at)
        taken += following
    # Before the first event, so that it is never listed as one of ours.
    store.add_note(_IMPORTED, state.debate, str(len(events)))
    store.append(state.debate, taken, after=0)


def _owned_here(state: State, owner: str) -> Iterator[Owning]:
    said = {"reason": "taken in from a file", "who": "the server"}
    if state.ownership.shared:
        yield Shared(shared=False, **said)
    if state.ownership.owner != owner:
        yield HandedOver(to=owner or None, **said)


def keep_as(store: Store, former_id: str, debate_id: str, n_events: int) -> None:
    """Before the first event of a record that stands for a former one: it is from where that one is."""
    if is_imported(store, former_id):
        store.add_note(_IMPORTED, debate_id, str(n_events))
    else:
        keep_own(store, debate_id)


def keep_replaced(store: Store, debate_id: str, by_debate: str) -> None:
    """Remember which debate stands for one, also where its record is not kept any more."""
    store.put_note(_REPLACED, debate_id, by_debate)


def all_replaced(store: Store) -> frozenset[str]:
    """Every debate that another record stands for."""
    return frozenset(store.notes(_REPLACED))


def replaced_by(store: Store, debate_id: str) -> str:
    """The debate whose record stands for this one; empty if none does."""
    return store.note(_REPLACED, debate_id) or ""


def from_file(store: Store, events: Sequence[Event]) -> Sequence[Event]:
    """Those of the events of a debate that came with its file: it may have gone on here."""
    kept = store.note(_IMPORTED, events[0].debate) or ""
    return events[: int(kept)] if kept.isdecimal() else events


def is_imported(store: Store, debate_id: str) -> bool:
    """True for a record that came from a file, whether or not it is known who held the debate."""
    return store.note(_IMPORTED, debate_id) is not None


class Origins:
    """Where the debates of a store are from. Screens ask for it with each drawing, and it is read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, bool] = {}

    def is_imported(self, debate_id: str) -> bool:
        """As `is_imported`. Both notes stand before the first event of a debate, and for ever."""
        if debate_id in self._known:
            return self._known[debate_id]
        found = is_imported(self._store, debate_id)
        if found or is_own(self._store, debate_id):
            self._known[debate_id] = found
        return found


def is_unknown(store: Store, debate_id: str) -> bool:
    """True for a record that came from a file, as long as no signature of it was checked."""
    return is_imported(store, debate_id) and vouched_by(store, debate_id) == ""


def keep_vouched(store: Store, debate_id: str, key: str) -> None:
    """Somebody checked the signatures of a record from a file with this key, and they are good."""
    store.put_note(_VOUCHED, debate_id, key.lower())


def all_vouched(store: Store) -> frozenset[str]:
    """Every debate of which somebody has checked the signatures."""
    return frozenset(store.notes(_VOUCHED))


def vouched_by(store: Store, debate_id: str) -> str:
    """The key with which the signatures of a record from a file were checked; empty if nobody did."""
    return store.note(_VOUCHED, debate_id) or ""
