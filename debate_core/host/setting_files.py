"""The files that settings name."""

from pathlib import Path

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence


def read_named_file(setting: str, path: Path) -> str:
    """Read the file that a setting names. InvalidSpec states why that is not possible."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else Sentence("it is not UTF-8 text")
        raise InvalidSpec("{setting}: {path} cannot be read: {why}", setting=setting, path=path, why=why) from None
