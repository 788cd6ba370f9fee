"""Parameters of the API's routes: their description for the OpenAPI document, and the check of given values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from debate_core.api.answers import ApiRefusal
from debate_core.spec.values import Json

MAX_SHOWN_CHARS = 60
_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class ApiParameter:
    """A parameter of a route: a whole number from `least` to `most`, or a text of `pattern`, or one of `choices`."""

    name: str
    where: Literal["path", "query", "header"]
    meaning: str
    least: int | None = None
    most: int | None = None
    usual: int | None = None
    """The number without this parameter."""
    pattern: str = ""
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        return f"a whole number from {self.least} to {self.most}" if self.least is not None else "an id"

    def schema(self) -> dict[str, Json]:
        """The JSON schema of its values."""
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        if self.least is None:
            return {"type": "string", "pattern": self.pattern}
        given: dict[str, Json] = {"type": "integer", "minimum": self.least, "maximum": self.most}
        return given if self.usual is None else {**given, "default": self.usual}

    def read(self, text: str) -> str:
        """The value in this text. ApiRefusal for any other: 404 for a part of the path, else 400."""
        if self.is_fit(text):
            return text
        # An address with another id or format is the address of nothing.
        status = HTTPStatus.NOT_FOUND if self.where == "path" else HTTPStatus.BAD_REQUEST
        raise ApiRefusal(
            status,
            "{shown!r} is no {name}: write {allowed}",
            shown=text[:MAX_SHOWN_CHARS],
            name=self.name,
            allowed=self.allowed,
        )

    def is_fit(self, text: str) -> bool:
        """True for an allowed value."""
        if self.choices:
            return text in self.choices
        if self.least is None or self.most is None:
            return re.fullmatch(self.pattern, text) is not None
        is_number = text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
        return is_number and self.least <= int(text) <= self.most


def number(given: Mapping[str, str], parameter: ApiParameter) -> int:
    """The number that was given, or the usual one."""
    text = given.get(parameter.name)
    return int(text) if text is not None else parameter.usual or 0
