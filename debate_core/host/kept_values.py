"""Keeps values derived from whole debates, such as rows of lists, as notes beside the records.

A note holds for one version of its record and one form of the value. A missing or outdated one is derived again from
the record, so that losing notes loses nothing. Thread-safe. It knows neither the values nor the rules.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Generic, Literal, TypeVar

from pydantic import TypeAdapter

from debate_core.errors import BrokenRecord, StoreError
from debate_core.host.stores import Store
from debate_core.text import line

log = logging.getLogger(__name__)

MAX_WRITTEN = 500
"""Notes in one transaction: a stopped process loses at most so many of an old database, and blocks others shortly."""

T = TypeVar("T")
KINDS = ("row", "figures", "looks")
"""Kinds of notes with derived values."""


class ValueKind(Generic[T]):
    """A kind of notes, and the type of its values.

    `rules` changes whenever the same record gets another value; changed fields are noticed without it.
    """

    def __init__(self, kind: Literal["row", "figures"], of: type[T], *, rules: str) -> None:
        self.kind = kind
        self._of = of
        self._rules = rules

    @cached_property
    def adapter(self) -> TypeAdapter[T]:
        """Reads and writes the values as JSON. Built on first use, because it takes milliseconds."""
        return TypeAdapter(self._of)

    @cached_property
    def form(self) -> str:
        """Names the rules and fields of the values in their notes."""
        fields = sha256(repr(self.adapter.json_schema()).encode()).hexdigest()
        return f"{self._rules} {fields[:16]}"


class KeptValues(Generic[T]):
    """The values of one kind of the debates of a store."""

    def __init__(self, store: Store, kind: ValueKind[T], *, keeps: Callable[[T], bool]) -> None:
        """`keeps` decides whether a value may stay beside the record."""
        self._store = store
        self._kind = kind
        self._keeps = keeps
        self._lock = threading.Lock()
        self._texts: dict[str, str] | None = None
        """The notes as they were when this process first needed them, until they are read."""
        self._values: dict[str, tuple[str, T]] = {}
        self._broken: dict[str, str] = {}
        """Marks of invalid records, which cost as much to check as valid ones."""

    def of(self, marks: Mapping[str, str], derive: Callable[[str], T]) -> Mapping[str, T]:
        """The values of these debates, by id, in order; without those whose record `derive` cannot read.

        A mark names the inputs of a value besides its form, such as the version of the record.
        """
        with self._lock:
            known = self._values
            found: dict[str, T] = {}
            derived: dict[str, T] = {}
            for debate_id, mark in marks.items():
                if self._broken.get(debate_id) == mark:
                    continue
                value = known.get(debate_id)
                if value is None or value[0] != mark:
                    value = self._read(debate_id, mark)
                if value is None:
                    try:
                        value = mark, derive(debate_id)
                    except StoreError as error:
                        if isinstance(error, BrokenRecord):
                            self._broken[debate_id] = mark
                        log.warning("%s is left out: %s", line(debate_id), line(str(error)))
                        continue
                    derived[debate_id] = value[1]
                    if len(derived) == MAX_WRITTEN:
                        self._write(marks, derived)
                        derived = {}
                known[debate_id] = value
                found[debate_id] = value[1]
            self._write(marks, derived)
            return found

    def _read(self, debate_id: str, mark: str) -> tuple[str, T] | None:
        """The value in the note of a debate; None if the note is missing, outdated or damaged."""
        if self._texts is None:
            self._texts = dict(self._store.notes(self._kind.kind))
        head, _, text = self._texts.get(debate_id, "").partition("\n")
        if head != f"{self._kind.form} {mark}":
            return None
        del self._texts[debate_id]
        try:
            return mark, self._kind.adapter.validate_json(text)
        except ValueError:
            return None

    def _write(self, marks: Mapping[str, str], derived: Mapping[str, T]) -> None:
        """Write new notes. Errors of the store are only logged: the next process derives the values again."""
        texts = {
            debate_id: f"{self._kind.form} {marks[debate_id]}\n{self._kind.adapter.dump_json(value).decode()}"
            for debate_id, value in derived.items()
            if self._keeps(value)
        }
        try:
            if texts:
                self._store.put_notes(self._kind.kind, texts)
            forget(self._store, derived.keys() - texts.keys())
        except StoreError as error:
            log.warning("the lists of %s stay slow to open: %s", self._store.about(), error)


def forget(store: Store, debate_ids: Iterable[str]) -> None:
    """Delete the values of these debates, as one does when a name is erased from a record."""
    for debate_id in debate_ids:
        for kind in KINDS:
            store.drop_note(kind, debate_id)
