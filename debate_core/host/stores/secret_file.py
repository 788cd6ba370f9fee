"""The secret of a store, in a file of its own beside the database: who has a copy of the database has no key to it.

Readable by its owner alone. Several processes may ask for it at once, and get the same one.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from debate_core.errors import Unwritable
from debate_core.host.stores.disk import kind_of_fault
from debate_core.sentence import Sentence

MIN_CHARS = 32
OWNER_ONLY = 0o600


def read_or_make(path: Path, *, former: str | None = None) -> str:
    """The secret in this file, made if there is none; `former`: one that was kept elsewhere until now.

    Unwritable if the file holds none, or cannot be read or made.
    """
    try:
        if not path.exists():
            _make(path, former or secrets.token_hex(32))
        secret = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or Sentence("it is no plain text")
        raise _unusable(path, why, kind_of_fault(error)) from None
    if len(secret) < MIN_CHARS:
        raise _unusable(path, Sentence("it has fewer than {least} characters", least=MIN_CHARS), Unwritable)
    return secret


def replace(path: Path) -> None:
    """Put a new secret in the place of the one in this file."""
    try:
        os.replace(_written(path, secrets.token_hex(32)), path)
    except OSError as error:
        raise _unusable(path, error.strerror or str(error), kind_of_fault(error)) from None


def _make(path: Path, secret: str) -> None:
    """Whole or not at all, and never over one that another process has just made."""
    written = _written(path, secret)
    try:
        with suppress(FileExistsError):
            os.link(written, path)
    finally:
        written.unlink()


def _written(path: Path, secret: str) -> Path:
    """A new file in the same folder; temporary files are made for their owner alone."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False) as file:
        file.write(secret + "\n")
        file.flush()
        os.fsync(file.fileno())
    return Path(file.name)


def _unusable(path: Path, why: str, kind: type[Unwritable]) -> Unwritable:
    return kind(
        "what signs links and cookies cannot be kept in {path}: {why}; set DEBATE_SECRET instead", path=path, why=why
    )
