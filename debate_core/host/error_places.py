"""Where an error came from, for logs that must not tell what it says: messages of libraries quote keys and texts."""

import traceback
from pathlib import PurePath

MOST_FRAMES = 12


def places(error: BaseException) -> tuple[str, ...]:
    """The places that it went through, from the outside in, as `model.py:112 answer`; the innermost ones of many."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    return tuple(f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
