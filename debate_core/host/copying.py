"""Copies all debates of one store into another one, with the notes beside them, and checks each over there.

What is there already and is the same is left as it is, so that a copy that was interrupted goes on when it is asked for
again; what is there and differs is named, and neither is overwritten. Leases and secrets stay: they are good for one
place alone.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from debate_core.engine.audit import refuse_broken
from debate_core.errors import BrokenRecord, UnknownDebate
from debate_core.host.stores import Store
from debate_core.record.events import Event

STAYS = frozenset({"secret", "worker", "server"})
"""Kinds of notes that are good for one place alone: a key, which processes ask seats, how servers of models did."""


class CopiedDebate(NamedTuple):
    """What became of one debate. `trouble` says in one sentence why it is not over there; empty = it is."""

    debate: str
    new_events: int
    trouble: str = ""


class CopiedNotes(NamedTuple):
    """What became of the notes: how many are new over there, and a sentence for each that is another one there."""

    new: int
    troubles: tuple[str, ...]


def copy_notes(source: Store, target: Store, *, but: Collection[str] = ()) -> CopiedNotes:
    """Notes come first: they tell where a debate is from. None that are of the debates in `but`."""
    there = {(note.kind, note.name): note.text for note in target.all_notes()}
    new = 0
    troubles = []
    for kind, name, text in source.all_notes():
        kept = there.get((kind, name))
        if kind in STAYS or kept == text or _is_of(but, kind, name):
            continue
        if kept is not None:
            troubles.append(f"the note {kind} {name} is another one there: neither is overwritten")
            continue
        target.put_note(kind, name, text)
        new += 1
    return CopiedNotes(new, tuple(troubles))


def _is_of(debates: Collection[str], kind: str, name: str) -> bool:
    """Who was let in or barred there is so where another record stands for it: these notes are needed."""
    if kind in ("replaced", "barred"):
        return False
    if kind == "draft":
        return any(debate_id in name for debate_id in debates)
    return name.partition("/")[0] in debates


def copy_debates(source: Store, target: Store, *, but: Collection[str] = ()) -> Iterator[CopiedDebate]:
    """What becomes of each debate but those in `but`, oldest first. StoreError if a store cannot be used any more."""
    for debate_id in reversed([one for one in source.debates() if one not in but]):
        try:
            yield CopiedDebate(debate_id, _copy(source, target, debate_id))
        except BrokenRecord as error:
            yield CopiedDebate(debate_id, 0, str(error))


def _copy(source: Store, target: Store, debate_id: str) -> int:
    """How many events are new over there. BrokenRecord if the record does not hold, or another one is there."""
    events = source.load(debate_id)
    kept = _kept(target, debate_id)
    for seq, (ours, theirs) in enumerate(zip(events, kept, strict=False), start=1):
        if ours != theirs:
            raise BrokenRecord(
                "debate {debate} is another one there from event {seq} on: left as it is",
                seq,
                debate=debate_id,
                seq=seq,
            )
    if len(kept) > len(events):
        raise BrokenRecord(
            "debate {debate} has gone on there, to event {seq}: left as it is",
            len(kept),
            debate=debate_id,
            seq=len(kept),
        )
    new = events[len(kept) :]
    if not new:
        return 0
    # Before it is appended: nobody can take it away from there again.
    refuse_broken(events, f"debate {debate_id}")
    target.append(debate_id, new, after=len(kept))
    copied = target.load(debate_id)
    refuse_broken(copied, f"debate {debate_id}, as it is over there,")
    if copied != events:
        raise BrokenRecord("debate {debate} is not the same there", len(copied), debate=debate_id)
    return len(new)


def _kept(store: Store, debate_id: str) -> tuple[Event, ...]:
    try:
        return store.load(debate_id)
    except UnknownDebate:
        return ()
