"""Accepted imports as drafts of debates, kept in the store until a person opens them in set-up.

A draft has the question, options, criteria and documents of a file; the earlier decision becomes its background.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from debate_core.documents.decision import MAX_OPTIONS
from debate_core.errors import DebateError, InvalidSpec
from debate_core.host.imports.folder import FolderFile, read_file, read_folder, shown_name
from debate_core.host.imports.reading import IMPORT_FILES, USUAL_RULE, read_for_import
from debate_core.host.imports.review import FileReview, ImportKind, ImportReview, LeftOutFile
from debate_core.sentence import Sentence
from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.spec.values import MAX_QUESTION_CHARS, Line, Source, Value

MAX_OPTION_CHARS = 200
MAX_DRIVER_CHARS = 120


class ImportedDriver(Value):
    """A criterion; None = no weight was given."""

    name: Annotated[str, Field(max_length=MAX_DRIVER_CHARS)]
    weight: Annotated[int, Field(ge=1, le=100)] | None = None


class ImportedDraft(Value):
    """The beginning of a debate from one file."""

    name: str
    kind: ImportKind
    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS)] = ""
    options: Annotated[tuple[Line, ...], Field(max_length=MAX_OPTIONS)] = ()
    drivers: Annotated[tuple[ImportedDriver, ...], Field(max_length=MAX_DRIVERS)] = ()
    background: str = ""
    sources: tuple[Source, ...] = ()

    @property
    def title(self) -> str:
        """The question, else the name of the file."""
        return self.question or self.name


def drafts_of(files: Sequence[FileReview]) -> tuple[ImportedDraft, ...]:
    return tuple(map(_draft_of, files))


def _draft_of(file: FileReview) -> ImportedDraft:
    drivers = [value for value in file.found if value.field == "driver"]
    return ImportedDraft(
        name=file.name,
        kind=file.kind,
        question=file.value("question")[:MAX_QUESTION_CHARS],
        options=tuple(dict.fromkeys(option[:MAX_OPTION_CHARS] for option in file.values("option")))[:MAX_OPTIONS],
        drivers=tuple(
            ImportedDriver(name=driver.value[:MAX_DRIVER_CHARS], weight=driver.number)
            for driver in drivers[:MAX_DRIVERS]
        ),
        background=_background(file),
        sources=file.sources,
    )


def _background(file: FileReview) -> str:
    """The earlier decision, which is no vote of the new debate; empty for other files."""
    chosen = file.value("chosen")
    if not chosen:
        return ""
    said = Sentence("{file} records an earlier decision: “{chosen}”", file=file.name, chosen=chosen)
    details = ", ".join(filter(None, (file.value("status"), file.value("date"))))
    return f"{said} ({details})." if details else f"{said}."


def review_path(path: Path, *, rule: str = USUAL_RULE, poll: str | None = None) -> ImportReview:
    """Review a file or a folder. InvalidSpec in one sentence that names it."""
    if path.is_dir():
        return review_folder(path, rule=rule, poll=poll)
    name = shown_name(path.name)
    try:
        data = read_file(path)
    except InvalidSpec as error:
        raise _cannot_import(name, error) from None
    return review_file(name, data, rule=rule, poll=poll)


def review_file(name: str, data: bytes, *, rule: str = USUAL_RULE, poll: str | None = None) -> ImportReview:
    """Review one file. InvalidSpec in one sentence that names it."""
    try:
        return ImportReview(name, (read_for_import(name, data, rule=rule, poll=poll),))
    except DebateError as error:
        raise _cannot_import(name, error) from None


def _cannot_import(name: str, error: DebateError) -> InvalidSpec:
    return InvalidSpec("{name} cannot be imported: {why}", name=shown_name(name), why=error.sentence)


def review_folder(folder: Path, *, rule: str = USUAL_RULE, poll: str | None = None) -> ImportReview:
    """Review the files of a folder. Texts without a decision are left out. InvalidSpec if nothing is left."""
    found = read_folder(folder, IMPORT_FILES)
    files: list[FileReview] = []
    left_out = [*found.left_out]
    for file in found.files:
        reviewed = _review_one(file, rule, poll)
        if isinstance(reviewed, FileReview):
            files.append(reviewed)
        else:
            left_out.append(reviewed)
    if not files:
        first = next((f"{one.name}: {one.reason}" for one in left_out), "")
        raise InvalidSpec("{folder} has nothing to import: {first}", folder=shown_name(str(folder)), first=first)
    return ImportReview(shown_name(str(folder)), tuple(files), tuple(left_out))


def _review_one(file: FolderFile, rule: str, poll: str | None) -> FileReview | LeftOutFile:
    try:
        reviewed = read_for_import(file.name, file.data, rule=rule, poll=poll)
    except DebateError as error:
        return LeftOutFile(file.name, error.sentence)
    if reviewed.kind == "document":
        return LeftOutFile(file.name, Sentence("it states no decision"))
    return reviewed
