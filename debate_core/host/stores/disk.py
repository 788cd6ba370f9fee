"""Errors of files and databases sorted by cause: the disk, or the place that was named."""

import errno

from debate_core.errors import DiskFault, Unwritable

_OF_THE_PLACE = frozenset(
    {
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.EEXIST,
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.EINVAL,
        errno.ETXTBSY,
    }
)
"""Another file or folder would do."""
_SQLITE_IOERR, _SQLITE_FULL = 10, 13
"""https://www.sqlite.org/rescode.html; the upper bytes of a code say more than that."""


def is_disk_fault(error: OSError) -> bool:
    """True where the disk is full or fails, so that no other name would help."""
    return error.errno is not None and error.errno not in _OF_THE_PLACE


def kind_of_fault(error: BaseException) -> type[Unwritable]:
    """The error to raise for an `OSError`, or for an error of SQLite as its driver or SQLAlchemy raises it."""
    if isinstance(error, OSError):
        return DiskFault if is_disk_fault(error) else Unwritable
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)
    return DiskFault if code & 0xFF in (_SQLITE_IOERR, _SQLITE_FULL) else Unwritable
