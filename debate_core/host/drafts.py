"""Unsent drafts, imported scripts waiting for their start, and practice debates from files.

None of them is part of a record.
"""

from collections.abc import Mapping

from debate_core.host.stores import Store


class Drafts:
    """The drafts of one store; they survive reloads and restarts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, name: str, text: str) -> None:
        self._store.put_note("draft", name, text)

    def text(self, name: str) -> str | None:
        return self._store.note("draft", name)

    def drop(self, name: str) -> None:
        self._store.drop_note("draft", name)

    def scripts(self) -> Mapping[str, str]:
        """Imported scripts waiting for their start, text by name, latest first."""
        return self._store.notes("setup")

    def keep_imported(self, name: str, text: str, *, owner: str = "") -> None:
        """Keep the draft of an imported file for this account; empty = for all."""
        self._store.put_note(_kind("imported", owner), name, text)

    def imported(self, owner: str = "") -> Mapping[str, str]:
        """Drafts of imported files, of this account or for all; text by name, latest first."""
        return self._store.notes(_kind("imported", owner))

    def drop_imported(self, name: str, *, owner: str = "") -> None:
        self._store.drop_note(_kind("imported", owner), name)

    def keep_practice_debate(self, name: str, text: str, *, owner: str = "") -> None:
        """Keep a practice debate from a file for this account; empty = for all."""
        self._store.put_note(_kind("practice", owner), name, text)

    def practice_debates(self, owner: str = "") -> Mapping[str, str]:
        """Practice debates from files, of this account or for all; text by name."""
        return self._store.notes(_kind("practice", owner))


def _kind(what: str, owner: str) -> str:
    return f"{what}/{owner}" if owner else what
