"""All decided records that one person may read: the debates of the store, then the files of a folder."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.host import Host
from debate_core.host.precedents.debates import DebateRecords
from debate_core.host.precedents.folder import folder_records
from debate_core.host.precedents.index import DecidedRecord, RecordIndex


class Archive:
    """The decisions of a host and a folder. The folder is read once; debates are read again when they change."""

    def __init__(self, host: Host | None, folder: Path | None) -> None:
        """InvalidSpec if the folder has nothing to read."""
        self._debates = DebateRecords(host) if host else None
        self._documents = folder_records(folder) if folder else ()

    def index(self, looker: Looker = OPERATOR, cookies: Mapping[str, str] | None = None) -> RecordIndex:
        """The index of everything that this person may read."""
        debates = self._debates.readable(looker, cookies) if self._debates else ()
        return _index_of((*debates, *self._documents))


# Readers with different rights have different indexes; each is built once.
_index_of = lru_cache(maxsize=8)(RecordIndex)


@lru_cache(maxsize=1)
def archive_of(host: Host) -> Archive:
    """The archive of a running host, with the folder of its settings."""
    return Archive(host, host.precedents_path)


def in_order_of_time(records: Sequence[DecidedRecord]) -> list[DecidedRecord]:
    """The records, latest first; those without a date of the form 2026-11-29 come last."""
    dated = {record.id: record.date if record.date[:4].isdigit() else "" for record in records}
    return sorted(records, key=lambda record: (dated[record.id], record.id), reverse=True)
