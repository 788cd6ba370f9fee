"""Keeps the secret of a store in a separate file beside the database, so that a copy of the database has no key.

Readable by its owner only. Processes that ask at the same time get the same secret.
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
    """Read the secret from this file, creating it if missing; `former`: a secret kept elsewhere until now.

    Unwritable if the file has none, or cannot be read or made.
    """
    try:
        if not path.exists():
            _create(path, former or secrets.token_hex(32))
        secret = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or Sentence("it is no plain text")
        raise _unusable(path, why, kind_of_fault(error)) from None
    if len(secret) < MIN_CHARS:
        raise _unusable(path, Sentence("it has fewer than {least} characters", least=MIN_CHARS), Unwritable)
    return secret


def replace(path: Path) -> None:
    """Replace the secret in this file."""
    try:
        os.replace(_write_temporary(path, secrets.token_hex(32)), path)
    except OSError as error:
        raise _unusable(path, error.strerror or str(error), kind_of_fault(error)) from None


def _create(path: Path, secret: str) -> None:
    """Create the file atomically, never over one that another process has just made."""
    written = _write_temporary(path, secret)
    try:
        with suppress(FileExistsError):
            os.link(written, path)
    finally:
        written.unlink()


def _write_temporary(path: Path, secret: str) -> Path:
    """A new file in the same folder; temporary files are readable by their owner only."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False) as file:
        file.write(secret + "\n")
        file.flush()
        os.fsync(file.fileno())
    return Path(file.name)


def _unusable(path: Path, why: str, kind: type[Unwritable]) -> Unwritable:
    return kind(
        "what signs links and cookies cannot be kept in {path}: {why}; set DEBATE_SECRET instead", path=path, why=why
    )
