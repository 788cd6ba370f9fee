"""A sentence of this program together with its values, so that screens can translate it.

Code without a language creates English text: `Sentence("there is no seat {seat!r}", seat="risk")` is an ordinary `str`.
`said` in `debate_core/language.py` looks up its template in a catalogue and fills in the same values. A value may be a
sentence itself; names, options and quotes are plain text and stay unchanged.
"""

from collections.abc import Sequence
from typing import Self


class Sentence(str):
    """English text that keeps its template and values."""

    forms: tuple[str, ...]
    """The template, or its singular and plural: the key in a catalogue."""
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        return cls._made((template,), template, values)

    @classmethod
    def counted(cls, n: int, one: str, many: str, /, **values: object) -> Self:
        """`counted(2, "{n} vote", "{n} votes")`."""
        return cls._made((one, many), one if n == 1 else many, {"n": n, **values})

    @classmethod
    def joined(cls, parts: Sequence[str], between: str) -> Self:
        """Several sentences with text between them; each is translated separately."""
        values: dict[str, object] = {f"part{number}": part for number, part in enumerate(parts)}
        template = between.join(f"{{{name}}}" for name in values)
        return cls._made((template,), template, values)

    @classmethod
    def _made(cls, forms: tuple[str, ...], template: str, values: dict[str, object]) -> Self:
        made = super().__new__(cls, template.format(**values) if values else template)
        made.forms, made.values = forms, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """For copies: the text, and its template with values."""
        return (str(self),), {}
