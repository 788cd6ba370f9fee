"""`migrate`, `copy` and `backup`: commands of the operator for a whole database."""

from argparse import Namespace
from contextlib import closing
from pathlib import Path

from debate_core.cli.files import refuse_missing
from debate_core.cli.records import FOUND, HOLDS
from debate_core.cli.terminal import answer, say
from debate_core.errors import InvalidSpec
from debate_core.host.copying import copy_debates, copy_notes
from debate_core.host.origin import all_replaced
from debate_core.host.settings import Settings
from debate_core.host.stores import open_store, refuse_without_packages, without_password
from debate_core.spec.values import Json
from debate_core.text import plural

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
