"""Whether the server parts of `app.py` run in this process; a page says so instead of half working without them."""

_launched = False


def is_launched() -> bool:
    """True between the start and the end of the server."""
    return _launched


def set_launched(*, up: bool) -> None:
    """Said by the launcher alone."""
    global _launched
    _launched = up
