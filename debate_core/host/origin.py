"""Notes on the origin of a record: opened here or imported from a file. Not part of the record.

The author of an imported debate is unknown until its signatures have been checked with a key.
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

_IMPORTED, _VOUCHED, _MODELS, _REPLACED = "imported", "vouched", "models", "replaced"
_OWN = "own"
"""Text of the note `models` for a debate opened here."""


def keep_own(store: Store, debate_id: str) -> None:
    """Mark a debate as opened here, before its first event."""
    store.put_note(_MODELS, debate_id, _OWN)


def is_own(store: Store, debate_id: str) -> bool:
    """True for a debate opened here."""
    return store.note(_MODELS, debate_id) == _OWN


def has_own(store: Store, events: Sequence[Event]) -> bool:
    """True if these events are a prefix of the record of a debate opened here."""
    if not events or not is_own(store, events[0].debate):
        return False
    try:
        kept = store.load(events[0].debate)
    except UnknownDebate:
        return False
    return len(kept) >= len(events) and kept[len(events) - 1].hash == events[-1].hash


def is_new(store: Store, events: Sequence[Event]) -> bool:
    """True if the record can be imported, False if it is here already.

    BrokenRecord for an invalid id; Conflict if its id belongs to another debate or to another state of it.
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
    """Hashes of the last event and of those before trailing acts of owners, which may be later than the file."""
    for event in reversed(known):
        yield event.hash
        if not isinstance(event.body, Owning):
            return


def take_in(store: Store, events: Sequence[Event], *, owner: str = "", at: datetime) -> None:
    """Import a new record. It belongs to this account; empty = to the server.

    BrokenRecord if another record replaces it because a name was removed.
    """
    state = replay(events)
    if state.ownership.replaced_by or replaced_by(store, state.debate):
        raise BrokenRecord("{debate} is not taken in: {why}", len(events), debate=state.debate, why=rights.REPLACED)
    taken = list(events)
    # The former owner has no account here.
    said = {"reason": "taken in from a file", "who": "the server"}
    acts: list[Owning] = []
    if state.ownership.shared:
        acts.append(Shared(shared=False, **said))
    if state.ownership.owner != owner:
        acts.append(HandedOver(to=owner or None, **said))
    for act in acts:
        following, state = engine.advance(state, Act(by=rights.HOST, act=act), at=at)
        taken += following
    # Before the first event, so that it never counts as opened here.
    store.add_note(_IMPORTED, state.debate, str(len(events)))
    store.append(state.debate, taken, after=0)


def keep_as(store: Store, former_id: str, debate_id: str, n_events: int) -> None:
    """Give a successor record the origin of the former one, before its first event."""
    if is_imported(store, former_id):
        store.add_note(_IMPORTED, debate_id, str(n_events))
    else:
        keep_own(store, debate_id)


def keep_replaced(store: Store, debate_id: str, by_debate: str) -> None:
    """Note the successor of a debate, also if its own record is deleted."""
    store.put_note(_REPLACED, debate_id, by_debate)


def all_replaced(store: Store) -> frozenset[str]:
    """Ids of all replaced debates."""
    return frozenset(store.notes(_REPLACED))


def replaced_by(store: Store, debate_id: str) -> str:
    """The successor of this debate; empty if there is none."""
    return store.note(_REPLACED, debate_id) or ""


def from_file(store: Store, events: Sequence[Event]) -> Sequence[Event]:
    """The events that came with the file: the debate may have continued here."""
    kept = store.note(_IMPORTED, events[0].debate) or ""
    return events[: int(kept)] if kept.isdecimal() else events


def is_imported(store: Store, debate_id: str) -> bool:
    """True for an imported record."""
    return store.note(_IMPORTED, debate_id) is not None


class Origins:
    """Caches the origins of the debates of a store, which screens read on every drawing."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, bool] = {}

    def is_imported(self, debate_id: str) -> bool:
        """Return `is_imported`; cached, because both notes are permanent."""
        if debate_id in self._known:
            return self._known[debate_id]
        found = is_imported(self._store, debate_id)
        if found or is_own(self._store, debate_id):
            self._known[debate_id] = found
        return found


def is_unknown(store: Store, debate_id: str) -> bool:
    """True for an imported record without a checked signature."""
    return is_imported(store, debate_id) and vouched_by(store, debate_id) == ""


def keep_vouched(store: Store, debate_id: str, key: str) -> None:
    """Note that the signatures of an imported record are valid for this key."""
    store.put_note(_VOUCHED, debate_id, key.lower())


def all_vouched(store: Store) -> frozenset[str]:
    """Ids of the debates with checked signatures."""
    return frozenset(store.notes(_VOUCHED))


def vouched_by(store: Store, debate_id: str) -> str:
    """The key that verified the signatures of an imported record; empty if none did."""
    return store.note(_VOUCHED, debate_id) or ""
