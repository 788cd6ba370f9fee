"""Classifies errors of files and databases: a faulty disk, or a wrong place."""

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
"""Errors that another file or folder would avoid."""
_SQLITE_IOERR, _SQLITE_FULL = 10, 13
"""See https://www.sqlite.org/rescode.html; only the lower byte is compared."""


def is_disk_fault(error: OSError) -> bool:
    """True if the disk is full or fails, so that no other name helps."""
    return error.errno is not None and error.errno not in _OF_THE_PLACE


def kind_of_fault(error: BaseException) -> type[Unwritable]:
    """The error class for an `OSError`, or for an SQLite error of its driver or SQLAlchemy."""
    if isinstance(error, OSError):
        return DiskFault if is_disk_fault(error) else Unwritable
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)
    return DiskFault if code & 0xFF in (_SQLITE_IOERR, _SQLITE_FULL) else Unwritable
