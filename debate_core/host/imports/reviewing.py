"""Reviews of files and folders: every readable file, and one sentence for each of the others."""

from pathlib import Path

from debate_core.errors import DebateError, InvalidSpec
from debate_core.host.imports.folder import FolderFile, read_file, read_folder, shown_name
from debate_core.host.imports.reading import IMPORT_FILES, USUAL_RULE, read_for_import
from debate_core.host.imports.review import FileReview, ImportReview, LeftOutFile
from debate_core.sentence import Sentence


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
