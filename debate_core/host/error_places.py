"""Formats the traceback of an error without its message: messages of libraries can contain keys and texts."""

import traceback
from pathlib import PurePath

MOST_FRAMES = 12


def places(error: BaseException) -> tuple[str, ...]:
    """The frames from the outside in, as `model.py:112 answer`; only the innermost MOST_FRAMES."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    return tuple(f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
