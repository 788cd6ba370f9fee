"""Reads and writes files: one sentence for an unreadable file, and never a half-written one.

Of debates it knows only records.
"""

import os
import tempfile
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from debate_core.engine.audit import refuse_broken
from debate_core.engine.engine import submit
from debate_core.errors import DiskFault, InvalidSpec, UnknownDebate
from debate_core.host import runner
from debate_core.host.settings import Settings
from debate_core.host.signatures import Signatures, check_signatures, file_of
from debate_core.host.stores import Store, open_store
from debate_core.host.stores.disk import is_disk_fault
from debate_core.host.uploads import utf8
from debate_core.record.commands import AnyCommand
from debate_core.record.events import Event, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.account import Account, account


def read_bytes(path: str, what: str) -> bytes:
    """Read a file; InvalidSpec if it is missing, a folder, empty or unreadable."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InvalidSpec(f"{what} {path} does not exist: name a file that does") from None
    except IsADirectoryError:
        raise InvalidSpec(f"{what} {path} is a folder: name a file") from None
    except (OSError, ValueError) as error:
        raise InvalidSpec(f"{what} {path} cannot be read: {_describe_error(error)}") from None
    if not data.strip():
        raise InvalidSpec(f"{what} {path} is empty")
    return data


def _describe_error(error: OSError | ValueError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def read_text(path: str, what: str) -> str:
    """Read a file as UTF-8 text."""
    return utf8(f"{what} {path}", read_bytes(path, what))


def read_record(path: str) -> tuple[Event, ...]:
    """Read a record; BrokenRecord if `verify` would reject it."""
    events = parse_record(read_bytes(path, "record"))
    refuse_broken(events, f"record {path}")
    return events


def read_account(flags: Namespace, settings: Settings) -> tuple[Account, str]:
    """Read a valid record; returns its account and the signatures that prove its origin, if any."""
    events = read_record(flags.record)
    signatures = checked_signatures(events, flags) or own_signatures(events, settings)
    return account(replay(events), events, origin_unknown=not signatures), signatures


def checked_signatures(events: Sequence[Event], flags: Namespace) -> str:
    """The text of --signatures, verified with --key; empty without these flags."""
    if flags.key is None and flags.signatures is None:
        return ""
    if flags.key is None or flags.signatures is None:
        raise InvalidSpec("--key and --signatures belong together: give both")
    signatures = read_text(flags.signatures, "signatures")
    check_signatures(events, signatures, flags.key)
    return signatures


def own_signatures(events: Sequence[Event], settings: Settings) -> str:
    """The signatures of a debate opened in the named database; empty for any other."""
    if not settings.database_named or not is_there(settings.database_url):
        return ""
    with closing(open_store(settings.database_url)) as store:
        signed = Signatures(store, settings.signing_key).of_own(events)
    return file_of(signed) if signed else ""


def submitted(store: Store, settings: Settings, state: State, command: AnyCommand) -> tuple[Event, ...]:
    """Record and sign a command given at the terminal; returns its events."""
    signatures = Signatures(store, settings.signing_key)
    events = submit(state, command, at=runner.now())
    store.append(state.debate, events, after=state.version)
    signatures.written(events)
    return events


def refuse_missing(url: str) -> None:
    """Raise UnknownDebate for a missing database: opening it would create an empty one."""
    if not is_there(url):
        raise UnknownDebate(f"there is no database {url.removeprefix('sqlite:///')}")


def is_there(url: str) -> bool:
    """True unless this is the URL of a missing SQLite file."""
    path = url.removeprefix("sqlite:///")
    return path == url or Path(path).is_file()


ROOM_BYTES = 1_000_000
"""Free space needed before a debate; ordinary records are smaller."""


def check_writable(path: Path) -> None:
    """Raise InvalidSpec or DiskFault if this file cannot be written: before a debate, not after it."""
    if path.is_dir():
        raise InvalidSpec(f"--out {path} is a folder: name a file in it")
    if not path.parent.is_dir():
        raise InvalidSpec(f"--out {path}: the folder {path.parent} does not exist")
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as probe:
            probe.write(bytes(ROOM_BYTES))
            probe.flush()
            os.fsync(probe.fileno())
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(13, "the file is write-protected")
    except OSError as error:
        raise cannot_write("--out", path, error) from None


def cannot_write(flag: str, path: Path, error: OSError) -> InvalidSpec | DiskFault:
    """The error for a path that cannot be written."""
    kind = DiskFault if is_disk_fault(error) else InvalidSpec
    return kind(f"{flag} {path} cannot be written: {_describe_error(error)}")


def write_record(path: Path, data: bytes, signatures_at: Path) -> None:
    """Write a record atomically; deletes signatures that belong to a different record at this path."""
    if path.exists() and path.read_bytes() != data:
        signatures_at.unlink(missing_ok=True)
    write_whole(path, data)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically: it stays as before or is complete. OSError if the disk fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        # mkstemp makes files private; give this one the usual permissions.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)
