"""Copies all debates of one store into another, with their notes, and verifies each copy.

Identical data at the target is skipped, so that an interrupted copy can be repeated; different data is reported and not
overwritten. Leases and secrets are not copied: they are valid in one place only.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from debate_core.engine.audit import refuse_broken
from debate_core.errors import BrokenRecord, UnknownDebate
from debate_core.host.stores import Store

STAYS = frozenset({"secret", "worker", "server"})
"""Notes valid in one place only: keys, processes that ask seats, states of model servers."""


class CopiedDebate(NamedTuple):
    """The result for one debate. `trouble` says in one sentence why it was not copied; empty = it was."""

    debate: str
    new_events: int
    trouble: str = ""


class CopiedNotes(NamedTuple):
    """The result for the notes: how many were added, and a sentence for each conflict."""

    new: int
    troubles: tuple[str, ...]


def copy_notes(source: Store, target: Store, *, but: Collection[str] = ()) -> CopiedNotes:
    """Copy the notes, before the debates, because they contain origins. Skips those of the debates in `but`."""
    there = {(note.kind, note.name): note.text for note in target.all_notes()}
    new = 0
    troubles = []
    for kind, name, text in source.all_notes():
        kept = there.get((kind, name))
        if kind in STAYS or kept == text or _belongs_to(but, kind, name):
            continue
        if kept is not None:
            troubles.append(f"the note {kind} {name} differs there: neither is overwritten")
            continue
        target.put_note(kind, name, text)
        new += 1
    return CopiedNotes(new, tuple(troubles))


def _belongs_to(debates: Collection[str], kind: str, name: str) -> bool:
    """Notes on replaced debates and removed people are always needed by the successor."""
    if kind in ("replaced", "barred"):
        return False
    if kind == "draft":
        return any(debate_id in name for debate_id in debates)
    return name.partition("/")[0] in debates


def copy_debates(source: Store, target: Store, *, but: Collection[str] = ()) -> Iterator[CopiedDebate]:
    """Copy each debate but those in `but`, oldest first. StoreError if a store fails."""
    for debate_id in reversed([one for one in source.debates() if one not in but]):
        try:
            yield CopiedDebate(debate_id, _copy(source, target, debate_id))
        except BrokenRecord as error:
            yield CopiedDebate(debate_id, 0, str(error))


def _copy(source: Store, target: Store, debate_id: str) -> int:
    """Copy one debate; returns the number of new events. BrokenRecord if the record is invalid or differs there."""
    events = source.load(debate_id)
    try:
        kept = target.load(debate_id)
    except UnknownDebate:
        kept = ()
    for seq, (ours, theirs) in enumerate(zip(events, kept, strict=False), start=1):
        if ours != theirs:
            raise BrokenRecord(
                "debate {debate} differs there from event {seq} on: nothing is overwritten",
                seq,
                debate=debate_id,
                seq=seq,
            )
    if len(kept) > len(events):
        raise BrokenRecord(
            "debate {debate} has continued there, to event {seq}: nothing is overwritten",
            len(kept),
            debate=debate_id,
            seq=len(kept),
        )
    new = events[len(kept) :]
    if not new:
        return 0
    # Check before appending, because appended events stay.
    refuse_broken(events, f"debate {debate_id}")
    target.append(debate_id, new, after=len(kept))
    copied = target.load(debate_id)
    refuse_broken(copied, f"the copy of debate {debate_id}")
    if copied != events:
        raise BrokenRecord("debate {debate} is not the same there", len(copied), debate=debate_id)
    return len(new)
