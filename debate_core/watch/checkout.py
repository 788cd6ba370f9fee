"""The files of a folder, bounded: at most 10,000 files, each of at most 5 MB, and no link out of the folder."""

import os
from bisect import bisect_left
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from debate_core.errors import InvalidSpec

MAX_FILES = 10_000
MAX_BYTES = 5_000_000
MAX_CACHED_CHARS = 100_000_000
"""Texts kept for the next check; later ones are read again."""
SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox"})
"""Folders that hold copies of other people's files, or a history."""


class NotText(InvalidSpec):
    """A binary file: it has no text to look for."""


class Checkout:
    """The files below a folder, by their paths from it."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise InvalidSpec("{folder} is no folder", folder=str(root))
        self._root = root.resolve()
        self._matches: dict[str, list[str]] = {}
        self._texts: dict[tuple[str, Callable[[str, str], str] | None], str] = {}
        self._cached_chars = 0
        self.is_cut = False
        """True if the folder has more files than were listed."""

    @cached_property
    def paths(self) -> list[str]:
        """The paths of all files, sorted."""
        found = list[str]()
        folders = [""]
        while folders:
            folder = folders.pop()
            for entry in self._entries(folder):
                path = f"{folder}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in SKIPPED_FOLDERS:
                        folders.append(f"{path}/")
                elif len(found) == MAX_FILES:
                    self.is_cut = True
                    return sorted(found)
                elif entry.is_file() and (not entry.is_symlink() or self._is_inside(entry.path)):
                    found.append(path)
        return sorted(found)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            return sorted(os.scandir(self._root / folder), key=lambda entry: entry.name)
        except OSError:
            # A folder that this user may not read has no files for a check.
            return []

    def _is_inside(self, path: str) -> bool:
        return Path(path).resolve().is_relative_to(self._root)

    def matching(self, glob: str) -> list[str]:
        """The paths that a glob names."""
        if glob not in self._matches:
            self._matches[glob] = self._find(glob if "/" in glob else f"**/{glob}")
        return self._matches[glob]

    def _find(self, glob: str) -> list[str]:
        # The folders before the first wildcard, and the letters after the last one, leave few paths to match.
        first = min((at for sign in "*?[" if (at := glob.find(sign)) >= 0), default=len(glob))
        begin = glob[:first] if first == len(glob) else glob[: glob.rfind("/", 0, first) + 1]
        end = glob[max(map(glob.rfind, "*?]")) + 1 :].removeprefix("/")
        parts = tuple(glob.split("/"))
        found = list[str]()
        for path in self.paths[bisect_left(self.paths, begin) :]:
            if not path.startswith(begin):
                break
            if path.endswith(end) and _matches(tuple(path.split("/")), parts):
                found.append(path)
        return found

    def text(self, path: str, made: Callable[[str, str], str] | None = None) -> str:
        """The text of a file, or what a function makes of its path and text.

        InvalidSpec for a huge or unreadable file, NotText for a binary one.
        """
        key = (path, made)
        if key not in self._texts:
            read = self._read(path)
            text = made(path, read) if made else read
            if self._cached_chars + len(text) > MAX_CACHED_CHARS:
                return text
            self._cached_chars += len(text)
            self._texts[key] = text
        return self._texts[key]

    def _read(self, path: str) -> str:
        try:
            with (self._root / path).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InvalidSpec("{path} cannot be read: {why}", path=path, why=error.strerror or "") from None
        if len(data) > MAX_BYTES:
            raise InvalidSpec("{path} is larger than {mb} MB", path=path, mb=MAX_BYTES // 1_000_000)
        if b"\0" in data[:8_192]:
            raise NotText("{path} is no text", path=path)
        return data.decode("utf-8", errors="replace").removeprefix("\ufeff")


def _matches(path: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Match names one by one; `reached` holds the numbers of parts that may come next."""
    reached = {0}
    for name in path:
        after = set[int]()
        for at in _past_stars(reached, parts):
            if at < len(parts) and parts[at] == "**":
                after.add(at)
            elif at < len(parts) and fnmatchcase(name, parts[at]):
                after.add(at + 1)
        reached = after
    return len(parts) in _past_stars(reached, parts)


def _past_stars(reached: set[int], parts: tuple[str, ...]) -> set[int]:
    """Every place that is reachable without another name, because `**` also means no folder."""
    found = set(reached)
    for at in range(len(parts)):
        if at in found and parts[at] == "**":
            found.add(at + 1)
    return found
