"""All decisions and texts that one person may read: the debates of the store, then the files of a folder.

A text that was erased, or whose debate is gone, is dropped before the next search.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from threading import RLock
from typing import Generic, TypeVar

from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.debate_list import DebateRow
from debate_core.host.host import Host
from debate_core.host.precedents.debates import linked, read_decision
from debate_core.host.precedents.folder import folder_records
from debate_core.host.precedents.index import DecidedRecord, RecordIndex
from debate_core.host.precedents.texts import TextHit, TextSource, document_texts, find_texts, read_texts

MAX_INDEXES = 8
"""Readers with different rights have different indexes."""
PerDebate = TypeVar("PerDebate")
DebateVersion = tuple[str, int, bool]


class Archive:
    """The decisions and texts of a host and a folder. The folder is read once, a debate again when it changed."""

    def __init__(self, host: Host | None, folder: Path | None) -> None:
        self._host = host
        self._folder = folder
        self._lock = RLock()
        self._decisions = _DebateValues(read_decision)
        self._texts = _DebateValues(read_texts)
        self._indexes: dict[tuple[tuple[DebateVersion, ...], bool], RecordIndex] = {}

    def index(
        self, looker: Looker = OPERATOR, cookies: Mapping[str, str] | None = None, *, with_folder: bool = True
    ) -> RecordIndex:
        """The index of all decisions that this person may read. InvalidSpec if the folder has nothing to read."""
        with self._lock:
            listed = self._listed()
            rows = self._host.found_among(listed, cookies or {}, looker) if self._host else ()
            return self._index(rows, listed, with_folder=with_folder)

    def index_of(self, rows: Iterable[DebateRow]) -> RecordIndex:
        """The index of the decisions of these debates, without practice and comparisons."""
        return self._index(rows, self._listed(), with_folder=False)

    def _index(self, rows: Iterable[DebateRow], listed: Iterable[DebateRow], *, with_folder: bool) -> RecordIndex:
        documents = self._documents if with_folder else ()
        with self._lock:
            self._drop_former(listed)
            counted = tuple(row for row in rows if not (row.practice or row.is_match))
            key = tuple(map(_version, counted)), with_folder
            if key not in self._indexes:
                debates = self._decisions.of(self._host, counted) if self._host else []
                index = RecordIndex((*linked(debates), *documents))
                self._indexes = dict([*self._indexes.items(), (key, index)][-MAX_INDEXES:])
            return self._indexes[key]

    def find_texts(
        self,
        query: str,
        looker: Looker = OPERATOR,
        cookies: Mapping[str, str] | None = None,
        *,
        with_folder: bool = True,
    ) -> list[TextHit]:
        """The texts with every word of a query that this person may read, best first. InvalidSpec as for `index`."""
        documents = self._document_texts if with_folder else ()
        with self._lock:
            listed = self._listed()
            self._drop_former(listed)
            rows = self._host.found_among(listed, cookies or {}, looker) if self._host else ()
            debates = self._texts.of(self._host, rows) if self._host else []
            return find_texts((*debates, *documents), query)

    def _listed(self) -> Sequence[DebateRow]:
        return self._host.debates() if self._host else ()

    def _drop_former(self, listed: Iterable[DebateRow]) -> None:
        """Forget everything made of debates that are no longer listed, and of earlier versions of the others."""
        current = {*map(_version, listed)}
        self._indexes = {key: index for key, index in self._indexes.items() if current.issuperset(key[0])}
        for kept in (self._decisions, self._texts):
            kept.keep_only(current)

    def read_folder(self) -> None:
        """Read the folder, unless it was read before. InvalidSpec if it has nothing to read."""
        len(self._documents)

    @cached_property
    def _documents(self) -> tuple[DecidedRecord, ...]:
        return folder_records(self._folder) if self._folder else ()

    @cached_property
    def _document_texts(self) -> tuple[TextSource, ...]:
        return tuple(map(document_texts, self._documents))


class _DebateValues(Generic[PerDebate]):
    """A value made of each debate, made again when its row in the list changed."""

    def __init__(self, make: Callable[[Host, DebateRow], PerDebate | None]) -> None:
        self._make = make
        self._made: dict[DebateVersion, PerDebate | None] = {}

    def of(self, host: Host, rows: Sequence[DebateRow]) -> list[PerDebate]:
        """The values of these debates, without None."""
        versions = [*map(_version, rows)]
        for row, version in zip(rows, versions, strict=True):
            if version not in self._made:
                self._made[version] = self._make(host, row)
        found = map(self._made.__getitem__, versions)
        return [value for value in found if value is not None]

    def keep_only(self, versions: set[DebateVersion]) -> None:
        """Forget the values of all other debates and versions."""
        for former in self._made.keys() - versions:
            del self._made[former]


def _version(row: DebateRow) -> DebateVersion:
    return row.id, row.version, row.origin_unknown


@lru_cache(maxsize=1)
def archive_of(host: Host) -> Archive:
    """The archive of a running host, with the folder of its settings."""
    return Archive(host, host.precedents_path)
