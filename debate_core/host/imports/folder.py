"""Files of a folder for an import or as sources: bounded, without links, and only tracked files of a git checkout.

A checkout is a folder with `.git` in it. Nothing in it is executed: no hooks, filters or configured programs.
"""

import os
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import NamedTuple

from debate_core.errors import InvalidSpec
from debate_core.host.git.repository import tracked_files
from debate_core.host.imports.review import LeftOutFile
from debate_core.host.uploads import MAX_BYTES, SOURCE_FILES, read_source
from debate_core.sentence import Sentence
from debate_core.spec.values import Source, free_source_id
from debate_core.text import line

MAX_FILES = 500
"""Files that are read; a review of more is not read by a person."""
MAX_ENTRIES = 20_000
"""Names that are looked at, before the folder is refused."""
MAX_FOLDER_BYTES = 50_000_000
MAX_DEPTH = 12


class FolderFile(NamedTuple):
    """A file with its path within the folder, without control characters."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """The readable files of a folder in order, and those left out."""

    files: tuple[FolderFile, ...]
    left_out: tuple[LeftOutFile, ...]


def read_folder(folder: Path, endings: Collection[str], *, most: int = MAX_FILES) -> FolderFiles:
    """Read every file with one of these extensions. InvalidSpec if there are none, or more than `most`."""
    wanted: list[str] = []
    others = Counter[str]()
    for path in sorted(_paths(folder)):
        suffix = PurePath(path).suffix.lower()
        if suffix in endings:
            wanted.append(path)
        else:
            others[shown_name(suffix) or "no extension"] += 1
    if len(wanted) > most:
        raise InvalidSpec(
            "{folder} has {n} files to read: at most {most} are allowed, so name a smaller folder",
            folder=shown_name(str(folder)),
            n=len(wanted),
            most=most,
        )
    if not wanted:
        raise InvalidSpec(
            "the folder {folder} has no file to read: {endings}",
            folder=shown_name(str(folder)),
            endings=", ".join(endings),
        )
    files, left_out = _read_all(folder, wanted)
    left_out += [
        LeftOutFile(f"*{suffix}", Sentence.counted(n, "{n} file of another type", "{n} files of another type"))
        for suffix, n in sorted(others.items())
    ]
    return FolderFiles(tuple(files), tuple(left_out))


class FolderSources(NamedTuple):
    """The documents of a folder, and the files left out."""

    sources: tuple[Source, ...]
    left_out: tuple[LeftOutFile, ...]


def sources_of_folder(folder: Path, before: Sequence[Source] = ()) -> FolderSources:
    """Read every document of a folder as a source with its path as the title, and ids that follow those `before`.

    InvalidSpec if no file can be read, or too many.
    """
    found = read_folder(folder, SOURCE_FILES)
    sources: list[Source] = []
    left_out = [*found.left_out]
    for file in found.files:
        try:
            source = read_source(PurePath(file.name).name, file.data, source_id=free_source_id((*before, *sources)))
        except InvalidSpec as error:
            left_out.append(LeftOutFile(file.name, error.sentence))
        else:
            sources.append(source.model_copy(update={"title": file.name[:200]}))
    if not sources:
        raise InvalidSpec("{folder} has no file that can be read", folder=shown_name(str(folder)))
    return FolderSources(tuple(sources), tuple(left_out))


def shown_name(name: str) -> str:
    """A file name for people and records: without control characters and bytes that are no text."""
    return line(name.encode("utf-8", "replace").decode())


def _read_all(folder: Path, paths: list[str]) -> tuple[list[FolderFile], list[LeftOutFile]]:
    files: list[FolderFile] = []
    left_out: list[LeftOutFile] = []
    n_bytes = 0
    for path in paths:
        try:
            data = _read_in_folder(folder, path)
        except InvalidSpec as error:
            left_out.append(LeftOutFile(shown_name(path), error.sentence))
            continue
        n_bytes += len(data)
        if n_bytes > MAX_FOLDER_BYTES:
            raise InvalidSpec(
                "{folder} has more than {most_mb} MB to read: name a smaller folder",
                folder=shown_name(str(folder)),
                most_mb=MAX_FOLDER_BYTES // 1_000_000,
            )
        files.append(FolderFile(shown_name(path), data))
    return files, left_out


def _read_in_folder(folder: Path, path: str) -> bytes:
    """Read a file of the folder that is no link, also if it became one a moment ago."""
    if not (folder / path).parent.resolve().is_relative_to(folder.resolve()):
        raise InvalidSpec("a link leads out of the folder")
    if (folder / path).is_symlink():
        raise InvalidSpec("it cannot be read: {reason}", reason=Sentence("it is a link"))
    return read_file(folder / path, flags=getattr(os, "O_NOFOLLOW", 0))


def read_file(path: Path, *, flags: int = 0) -> bytes:
    """Read a file that is no folder, device or pipe and not too large; InvalidSpec without its name."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | flags)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidSpec("it cannot be read: {reason}", reason=reason) from None
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise InvalidSpec("it is no ordinary file")
        if found.st_size > MAX_BYTES:
            raise InvalidSpec("it has more than {most_mb} MB", most_mb=MAX_BYTES // 1_000_000)
        return file.read(MAX_BYTES + 1)


def _paths(folder: Path) -> Iterator[str]:
    """Paths within the folder, without hidden ones. Links to folders are not followed."""
    if (folder / ".git").exists():
        yield from tracked_files(folder, most=MAX_ENTRIES)
        return
    n_entries = 0
    for where, folders, names in os.walk(folder, followlinks=False):
        above = PurePath(where).relative_to(folder)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if len(above.parts) >= MAX_DEPTH:
            folders.clear()
        n_entries += len(names) + len(folders)
        if n_entries > MAX_ENTRIES:
            raise InvalidSpec(
                "{folder} has more than {most:,} files: name a smaller folder",
                folder=shown_name(str(folder)),
                most=MAX_ENTRIES,
            )
        yield from (str(above / name) for name in names if not name.startswith("."))
