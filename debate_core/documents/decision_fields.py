"""Reads the front matter of a decision record: options with votes, affected parts, review, assumptions, record.

`report.files.adr.front_matter` writes these fields. Values in another form are left out.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from debate_core.documents.blocks import front_matter


@dataclass(frozen=True, slots=True)
class DecidedOption:
    """An option with its votes or points as counted, weights included; None = not counted."""

    name: str
    count: int | float | None = None
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class StatedAssumption:
    """An assumption of a decision; `claim` is the number of a claim in the debate, `check` a line of text."""

    text: str
    watched_by: str = ""
    claim: int | None = None
    check: str = ""


@dataclass(frozen=True, slots=True)
class DecisionFields:
    """The fields of a decision record for programs; empty where the document has none."""

    status: str = ""
    options: tuple[DecidedOption, ...] = ()
    affects: tuple[str, ...] = ()
    reversibility: str = ""
    review_by: date | None = None
    assumptions: tuple[StatedAssumption, ...] = ()
    supersedes: str = ""
    """File name of the record that this one replaces."""
    day: date | None = None
    """Its date."""
    debate: str = ""
    """The id of the debate."""
    head: str = ""
    """Hash of the last event in the record of the debate."""
    key: str = ""
    """Public key that signs that record, in hex."""

    @property
    def chosen(self) -> str | None:
        """The option in force; None if there is none."""
        return next((option.name for option in self.options if option.is_chosen), None)


@lru_cache(maxsize=8)
def read_fields(text: str) -> DecisionFields:
    """Read the front matter of a document."""
    fields = {field.name: field.value for field in front_matter(text)[0]}
    record = next(_entries(fields.get("record", "")), {})
    return DecisionFields(
        status=fields.get("status", ""),
        options=tuple(_options(fields.get("options", ""))),
        affects=tuple(filter(None, (_text(entry, "pattern") for entry in _entries(fields.get("affects", ""))))),
        reversibility=fields.get("reversibility", ""),
        review_by=_date(fields.get("review by", "")),
        assumptions=tuple(_assumptions(fields.get("assumptions", ""))),
        supersedes=fields.get("supersedes", ""),
        day=_date(fields.get("date", "")),
        debate=_text(record, "debate"),
        head=_text(record, "head"),
        key=_text(record, "key"),
    )


def _options(value: str) -> Iterator[DecidedOption]:
    for entry in _entries(value):
        if name := _text(entry, "option"):
            counts = [entry[unit] for unit in ("votes", "points") if _is_number(entry.get(unit))]
            yield DecidedOption(name, next(iter(counts), None), entry.get("chosen") is True)


def _assumptions(value: str) -> Iterator[StatedAssumption]:
    for entry in _entries(value):
        if text := _text(entry, "text"):
            claim = entry.get("claim")
            number = claim if type(claim) is int else None
            yield StatedAssumption(text, _text(entry, "watched-by"), number, _text(entry, "check"))


def _entries(value: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a JSON list, or a single object; none for other values."""
    # A foreign file can nest deeper, or hold longer numbers, than Python reads.
    with suppress(ValueError, RecursionError):
        read = json.loads(value)
        for entry in read if isinstance(read, list) else [read]:
            if isinstance(entry, dict):
                yield entry


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    return value if isinstance(value, str) else ""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _date(value: str) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat(value)
    return None
