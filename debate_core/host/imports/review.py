"""The review of an import: the values of each file, the line of each value, and the parts that are left out.

The command line and the screen show the same value. Nothing is stored before a person accepts it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from debate_core.documents.findings import FoundField, FoundValue, MissedPart, TextPlace
from debate_core.documents.transcripts import NO_MEETING, Meeting
from debate_core.sentence import Sentence
from debate_core.spec.values import Json, Source

NO_QUESTION = Sentence("it asks no question")
ImportKind = Literal["decision", "ballots", "options", "transcript", "document"]


@dataclass(frozen=True, slots=True)
class FileReview:
    """One file: its kind, its values in order, the parts without a meaning, and the documents made of it."""

    name: str
    """Its name, or its path within the folder, without control characters."""
    kind: ImportKind
    text: str
    """The text in which the places are."""
    found: tuple[FoundValue, ...]
    missed: tuple[MissedPart, ...]
    sources: tuple[Source, ...] = ()
    meeting: Meeting = NO_MEETING
    """The utterances of a transcript; empty for other files."""

    def values(self, field: FoundField) -> tuple[str, ...]:
        """The values of one field, in order."""
        return tuple(value.value for value in self.found if value.field == field)

    def value(self, field: FoundField) -> str:
        """The first value of a field; empty without one."""
        return next(iter(self.values(field)), "")


def with_stated(file: FileReview, *, question: str, options: Sequence[str]) -> FileReview:
    """The review with the question and options that a person states, in place of those found; empty = as found."""
    found = list(file.found)
    stated: Mapping[FoundField, Sequence[str]] = {"question": [question] if question else [], "option": options}
    for field, values in stated.items():
        if values:
            found = [one for one in found if one.field != field] + [FoundValue(field, value) for value in values]
    missed = tuple(part for part in file.missed if not question or part.sentence != NO_QUESTION)
    return replace(file, found=tuple(found), missed=missed)


class LeftOutFile(NamedTuple):
    """A file that cannot be imported, or several of one kind."""

    name: str
    reason: Sentence


@dataclass(frozen=True, slots=True)
class ImportReview:
    """All files of an import."""

    name: str
    files: tuple[FileReview, ...]
    left_out: tuple[LeftOutFile, ...] = ()


def review_json(review: ImportReview) -> dict[str, Json]:
    """The review as JSON; lines are counted from 1."""
    return {
        "name": review.name,
        "files": [_file_json(file) for file in review.files],
        "left_out": [{"file": left_out.name, "reason": str(left_out.reason)} for left_out in review.left_out],
    }


def _file_json(file: FileReview) -> Mapping[str, Json]:
    turns = {"turns": len(file.meeting.utterances)} if file.kind == "transcript" else {}
    return {
        "file": file.name,
        "kind": file.kind,
        "found": [_value_json(value) for value in file.found],
        **turns,
        "not_understood": [{"reason": str(m.sentence), **_place_json(m.place)} for m in file.missed],
    }


def _value_json(value: FoundValue) -> Mapping[str, Json]:
    number = {} if value.number is None else {_NUMBERS[value.field]: value.number}
    return {"field": value.field, "value": value.value, **number, **_place_json(value.place)}


_NUMBERS: Mapping[FoundField, str] = {"driver": "weight", "speaker": "turns"}


def _place_json(place: TextPlace | None) -> Mapping[str, Json]:
    return {"line": place.line if place else None, "quote": place.quote if place else None}
