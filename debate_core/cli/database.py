"""`migrate`, `copy` and `backup`: commands of the operator for a whole database.

`copy` verifies each debate. It skips identical data at the target, so that an interrupted copy can be repeated, and
reports different data without overwriting it.
"""

from argparse import Namespace
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from debate_core.cli.files import refuse_missing
from debate_core.cli.records import FOUND, HOLDS
from debate_core.cli.terminal import answer, say
from debate_core.engine.audit import refuse_broken
from debate_core.errors import BrokenRecord, InvalidSpec, UnknownDebate
from debate_core.host import kept_values
from debate_core.host.origin import all_replaced
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store, refuse_without_packages, without_password
from debate_core.spec.values import Json
from debate_core.text import plural

STAYS = frozenset({"secret", "worker", "server", "token-used", *kept_values.KINDS})
"""Notes valid in one place only: keys, processes that ask seats, states of model servers, last uses of tokens, and
values that are derived from records."""
NOT_IN_IT = "The two key files beside the database (.secret and .key) are not included: keep them elsewhere."


def migrate(_flags: Namespace, settings: Settings) -> int:
    """Make the tables of a database, or migrate them to this version. Recorded data stays unchanged."""
    refuse_without_packages()
    from debate_core.host.stores.migrate import migrate as take_steps

    n_steps = take_steps(settings.database_url)
    place = without_password(settings.database_url)
    if n_steps:
        print(f"{place}: {plural(n_steps, 'step')} taken")
    else:
        print(f"{place} is of this version: nothing to do")
    return HOLDS


def copy(flags: Namespace) -> int:
    """Copy all debates and their notes into another database. 6, and a sentence each, for failures."""
    if flags.source == flags.target:
        raise InvalidSpec("--from and --to name the same database")
    refuse_missing(flags.source)
    with closing(open_store(flags.source)) as source, closing(open_store(flags.target)) as target:
        replaced = all_replaced(source) if flags.without_replaced else frozenset()
        notes = copy_notes(source, target, but=replaced)
        debates = list(copy_debates(source, target, but=replaced))
    not_copied = [debate.trouble for debate in debates if debate.trouble]
    troubles = [*notes.troubles, *not_copied]
    n_new = sum(debate.new_events > 0 for debate in debates)
    n_events = sum(debate.new_events for debate in debates)
    n_there = len(debates) - n_new - len(not_copied)
    copied: Json = {
        "debates": len(debates),
        "copied": n_new,
        "events": n_events,
        "notes": notes.new,
        "troubles": troubles,
    }
    words = (
        f"{plural(n_new, 'debate')} copied and checked there: {plural(n_events, 'event')}, "
        f"{plural(notes.new, 'note')}; {plural(n_there, 'debate')} there already\n"
    )
    answer(flags, copied, words)
    for trouble in troubles:
        say(f"not copied: {trouble}")
    return FOUND if troubles else HOLDS


def backup(flags: Namespace, settings: Settings) -> int:
    """Copy a database file and check the copy. InvalidSpec for a database on a server."""
    if not settings.database_url.startswith("sqlite:"):
        raise InvalidSpec(f"{without_password(settings.database_url)} is no file: back it up with pg_dump")
    refuse_missing(settings.database_url)
    from debate_core.host.stores.sqlite import SqliteStore

    to = Path(flags.to).absolute()
    with closing(SqliteStore(settings.database_url.removeprefix("sqlite:///"))) as store:
        store.copy_to(to)
    with closing(SqliteStore(to)) as made:
        # Loading a record verifies its hashes.
        read = [len(made.load(debate_id)) for debate_id in made.debates()]
    print(f"{to}: {plural(len(read), 'debate')} with {plural(sum(read), 'event')}, read again. {NOT_IN_IT}")
    return HOLDS


# Copying between stores


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
