"""What people are writing and have not handed in, scripts that wait to be started, and practice debates from files.

No part of any record.
"""

from collections.abc import Mapping

from debate_core.host.stores import Store


class Drafts:
    """The drafts of one store; they survive a reload and a restart."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, name: str, text: str) -> None:
        """Keep what somebody is writing."""
        self._store.put_note("draft", name, text)

    def text(self, name: str) -> str | None:
        """The draft of this name."""
        return self._store.note("draft", name)

    def drop(self, name: str) -> None:
        """Forget a draft."""
        self._store.drop_note("draft", name)

    def scripts(self) -> Mapping[str, str]:
        """Imported scripts that wait to be started, text by name, latest first."""
        return self._store.notes("setup")

    def keep_practice_debate(self, name: str, text: str, *, owner: str = "") -> None:
        """Keep a practice debate that came from a file, for this account; empty = for all."""
        self._store.put_note(_practice_of(owner), name, text)

    def practice_debates(self, owner: str = "") -> Mapping[str, str]:
        """Practice debates that came from files of this account, or are for all; text by name."""
        return self._store.notes(_practice_of(owner))


def _practice_of(owner: str) -> str:
    return f"practice/{owner}" if owner else "practice"
