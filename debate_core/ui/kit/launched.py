"""A flag for the server started by `app.py`; without that server, pages show an error."""

_launched = False


def is_launched() -> bool:
    """Return whether the server is running in this process."""
    return _launched


def set_launched(*, up: bool) -> None:
    """Set the flag; only the launcher does."""
    global _launched
    _launched = up
