"""The addressee of an unresolved outcome and the deadline, as agreed before the start."""

import re
from datetime import date, datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from debate_core.names import name_key, without_unseen
from debate_core.sentence import Sentence
from debate_core.spec.values import Value

MAX_ADDRESSEE_CHARS = 200


def _read_addressee(text: str) -> str:
    name = without_unseen(text).strip()
    if not name_key(name):
        raise ValueError(Sentence("it names no one: write a name or a role, such as Architecture board"))
    return name


def _read_date(given: object) -> object:
    """Return `2027-01-15` for such a text, and for a date of a TOML file."""
    if isinstance(given, date) and not isinstance(given, datetime):
        return given.isoformat()
    try:
        # `fromisoformat` alone would also accept 20270115 and 2027-W02-5.
        if isinstance(given, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", given, re.ASCII):
            return date.fromisoformat(given).isoformat()
    except ValueError:
        pass
    raise ValueError(Sentence("write a date as year-month-day, as in 2027-01-15"))


class Escalation(Value):
    """Addressee and date of the open points if nothing is decided."""

    to: Annotated[str, Field(max_length=MAX_ADDRESSEE_CHARS), AfterValidator(_read_addressee)]
    """A name or a role."""
    by: Annotated[str, BeforeValidator(_read_date)] | None = None
    """The date as `2027-01-15`; None = no date."""
