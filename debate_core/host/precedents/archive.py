"""All decisions and texts that one person may read: the debates of the store, then the files of a folder.

A text that was erased, or whose debate is gone, is dropped before the next search.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path, PurePath
from threading import RLock
from typing import Generic, NamedTuple, TypeVar

from debate_core.documents.choices import compared
from debate_core.documents.decision_fields import read_fields
from debate_core.documents.document import MAX_READ_CHARS, ReadDocument, read_document
from debate_core.documents.findings import FoundField, decision_findings, records_decision
from debate_core.engine.reason_labels import label_of, without_label
from debate_core.errors import InvalidSpec
from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.debate_list import DebateRow
from debate_core.host.host import Host
from debate_core.host.imports.folder import read_folder
from debate_core.host.precedents.debates import linked, read_decision
from debate_core.host.precedents.index import ArchivedStatus, DecidedRecord, RecordIndex, RejectedOption
from debate_core.host.precedents.texts import TextHit, TextSource, document_texts, find_texts, read_texts
from debate_core.host.uploads import MARKDOWN_FILES, read_source

MAX_RECORDS = 5_000
MAX_REASONS = 3
# A link is such as "Superseded by [ADR-0007](0007-redis.md)" or "Ersetzt durch ADR 7".
_LINK = re.compile(
    r"^[^\n]*?\b(?:supersed(?:es|ed|ing)|replac(?:es|ed)|obsolet(?:es|ed)|ersetzt)\b"
    r"(?P<passive>\W*(?:by|durch)\b)?(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_PARTLY = re.compile(r"\b(?:part|parts|partly|partially|some|aspects?|teilweise)\b", re.IGNORECASE)
# "0007-redis.md", "ADR-0007", "ADR 7", or a number right after the verb: "by 7", ": 3", "[7]"; not "replaces 3 hosts"
_TARGET = re.compile(
    r"(?P<file>[\w./-]+\.(?:md|markdown))|\badr[-_\s#]*0*(?P<number>\d{1,5})\b"
    r"|\A[\s:*_\[#]*0*(?P<bare>\d{1,5})(?=[\])*_]*[.:;]?\s*(?:$|[,(&–-]|(?:and|und)\b))",
    re.IGNORECASE,
)
# "0007-redis.md", "adr-7-redis.md"
_NUMBERED = re.compile(r"(?:adr[-_]?)?0*(\d{1,5})\b", re.IGNORECASE)


def folder_records(folder: Path) -> tuple[DecidedRecord, ...]:
    """Every decision record of a folder, in the order of the paths. InvalidSpec if it has no file to read."""
    if not folder.is_dir():
        raise InvalidSpec("{folder} is no folder", folder=folder)
    texts: dict[str, str] = {}
    records: dict[str, DecidedRecord] = {}
    for file in read_folder(folder, MARKDOWN_FILES, most=MAX_RECORDS).files:
        try:
            source = read_source(PurePath(file.name).name, file.data, source_id="E1")
        except InvalidSpec:
            continue  # An empty or binary file is no decision.
        findings = decision_findings(source)
        if records_decision(findings):
            found: dict[FoundField, list[str]] = {}
            for value in findings.found:
                found.setdefault(value.field, []).append(value.value)
            texts[file.name] = source.text
            records[file.name] = _record(file.name, source.text, found)
    return _linked(records, texts)


def _record(name: str, text: str, found: Mapping[FoundField, Sequence[str]]) -> DecidedRecord:
    document = read_document(text[:MAX_READ_CHARS])
    counts = {option.name: str(option.count) for option in read_fields(text).options if option.count is not None}
    options = tuple(found.get("option", ()))
    chosen = "".join(found.get("chosen", ()))
    rejected = [
        RejectedOption(option=option, votes=counts.get(option, ""), why=tuple(_reasons_against(document, option)))
        for option in options
        if chosen and option != chosen
    ]
    return DecidedRecord(
        id=name,
        question="".join(found.get("question", ())) or PurePath(name).stem,
        status=_status(document),
        status_words=document.status,
        options=options,
        chosen=chosen,
        votes=counts.get(chosen, ""),
        rejected=tuple(rejected),
        date="".join(found.get("date", ())),
        title=name,
        text=text,
    )


def _status(document: ReadDocument) -> ArchivedStatus:
    if document.status.casefold() in ("superseded", "replaced", "ersetzt"):
        return "superseded"
    by_standing: Mapping[str, ArchivedStatus] = {"settled": "in_force", "open": "open", "unsettled": "withdrawn"}
    return by_standing.get(document.standing, "unknown")


def _reasons_against(document: ReadDocument, option: str) -> list[str]:
    """The first labelled reasons against an option, below its heading."""
    wanted = compared(option)
    under = [prose for prose in document.prose if any(wanted in compared(heading) for heading in prose.headings)]
    return [without_label(prose.words) for prose in under if label_of(prose.words) == "bad"][:MAX_REASONS]


class _Link(NamedTuple):
    newer: str
    older: str
    is_partial: bool
    """True if only a part is superseded: the older record stays in force."""


def _linked(records: Mapping[str, DecidedRecord], texts: Mapping[str, str]) -> tuple[DecidedRecord, ...]:
    """The records with links in both directions, whichever of the two files states one."""
    targets = _targets(records)
    links = {link for name, text in texts.items() for link in _stated_links(name, text, targets)}
    partial = {link[:2] for link in links if link.is_partial}
    linked = dict(records)
    for newer, older in sorted({link[:2] for link in links}):
        linked[newer] = replace(linked[newer], replaces=(*linked[newer].replaces, older))
        linked[older] = replace(linked[older], replaced_by=(*linked[older].replaced_by, newer))
        if (newer, older) not in partial:
            linked[older] = replace(linked[older], status="superseded")
    return tuple(linked.values())


def _targets(names: Iterable[str]) -> Mapping[tuple[PurePath, str], Sequence[str]]:
    """Folder, and the name of a file there or its number -> the records that a link of this folder means."""
    targets: dict[tuple[PurePath, str], list[str]] = {}
    for name in names:
        path = PurePath(name)
        numbered = _NUMBERED.match(path.name)
        for key in (path.name, *(numbered.groups() if numbered else ())):
            targets.setdefault((path.parent, key), []).append(name)
    return targets


def _stated_links(name: str, text: str, targets: Mapping[tuple[PurePath, str], Sequence[str]]) -> Iterator[_Link]:
    folder = PurePath(name).parent
    for link in _LINK.finditer(text):
        for target in _TARGET.finditer(link["rest"]):
            key = PurePath(target["file"]).name if target["file"] else target["number"] or target["bare"]
            for other in targets.get((folder, key), ()):
                if other != name:
                    newer, older = (other, name) if link["passive"] else (name, other)
                    yield _Link(newer, older, _PARTLY.search(link[0]) is not None)


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


_version: Callable[[DebateRow], DebateVersion] = attrgetter("id", "version", "origin_unknown")


@lru_cache(maxsize=1)
def archive_of(host: Host) -> Archive:
    """The archive of a running host, with the folder of its settings."""
    return Archive(host, host.precedents_path)
