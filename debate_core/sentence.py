"""A sentence of this program with its values beside it, so that a screen can say it in another language.

Code that knows no language refuses and finds in English: `Sentence("there is no seat {seat!r}", seat="risk")` is the
English text like any other `str`. `said` in `debate_core/language.py` looks its template up in a catalogue and fills
in the same values. A value may be a sentence itself; names, options and quotes are plain text and stay as they are.
"""

from collections.abc import Sequence
from typing import Self


class Sentence(str):
    """English text that remembers how it was made."""

    forms: tuple[str, ...]
    """The template, or one for a single thing and one for several: what a catalogue knows."""
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        return cls._made((template,), template, values)

    @classmethod
    def counted(cls, n: int, one: str, many: str, /, **values: object) -> Self:
        """`counted(2, "{n} vote", "{n} votes")`."""
        return cls._made((one, many), one if n == 1 else many, {"n": n, **values})

    @classmethod
    def joined(cls, parts: Sequence[str], between: str) -> Self:
        """Sentences one after another; each is translated by itself."""
        values: dict[str, object] = {f"part{number}": part for number, part in enumerate(parts)}
        template = between.join(f"{{{name}}}" for name in values)
        return cls._made((template,), template, values)

    @classmethod
    def _made(cls, forms: tuple[str, ...], template: str, values: dict[str, object]) -> Self:
        made = super().__new__(cls, template.format(**values) if values else template)
        made.forms, made.values = forms, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """For copies: the text as it stands, and what it was made of after it."""
        return (str(self),), {}
