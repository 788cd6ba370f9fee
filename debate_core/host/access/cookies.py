"""Finds the person for a cookie, and bars people who were removed from a room.

A cookie is valid as long as its invite: revoking a personal invite voids it.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from debate_core.host.access.invites import Invitations, Invite
from debate_core.host.access.signing import Signer
from debate_core.host.stores import Store
from debate_core.record.events import utc_text

COOKIE_LASTS = timedelta(days=30)
ASKED_AGAIN = timedelta(seconds=3)
"""Cache time of a valid cookie: a page checks it at every click."""


def cookie_name(debate: str) -> str:
    """Name of a person's cookie for a debate."""
    return f"room-{debate}"


@dataclass(frozen=True, slots=True)
class _LetIn:
    """A cached valid cookie, until an invite or a bar changes."""

    person: str
    until: datetime
    changes: tuple[int, int]


def debate_of(name: str) -> str:
    """The debate of a cookie with this name; empty if it is not ours."""
    return name.removeprefix("room-") if name.startswith("room-") else ""


def screen_cookie_name(debate: str) -> str:
    """Name of a projector's cookie for a debate."""
    return f"screen-{debate}"


def results_cookie_name(debate: str) -> str:
    return f"results-{debate}"


class Cookies:
    """The cookies of one store."""

    def __init__(
        self, store: Store, signer: Signer, invitations: Invitations, *, clock: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._signer = signer
        self._invitations = invitations
        self._clock = clock
        self._lock = threading.Lock()
        self._let_in: dict[tuple[str, str], _LetIn] = {}
        self._n_barred = 0

    def of(self, invite: Invite, person: str) -> str:
        """The cookie for this person."""
        until_s = int((self._clock() + COOKIE_LASTS).timestamp())
        return self._signer.sign("room", f"{invite.debate}.{person}.{invite.id}.{until_s}")

    def person_of(self, cookie: str, debate: str, *, again: bool = False) -> str | None:
        """The person with this cookie. None if it is forged, expired, of another debate, or the person was removed.

        Answers are cached for three seconds, until an invite or a bar changes. `again`: check the store, as for a
        command, because another process may have revoked the invite.
        """
        changes = (self._invitations.n_changes, self._n_barred)
        known = self._let_in.get((debate, cookie))
        if not again and known is not None and known.changes == changes and self._clock() < known.until:
            return known.person
        person = self._read(cookie, debate)
        now = self._clock()
        with self._lock:
            # A server that runs for months meets many cookies.
            for key in [key for key, kept in self._let_in.items() if now >= kept.until]:
                del self._let_in[key]
            if person is not None:
                self._let_in[debate, cookie] = _LetIn(person, now + ASKED_AGAIN, changes)
            else:
                self._let_in.pop((debate, cookie), None)
        return person

    def bar(self, debate: str, person: str) -> None:
        """Bar this person at once, with any cookie."""
        self._store.put_note("barred", f"{debate}/{person}", utc_text(self._clock()))
        self._n_barred += 1

    def _read(self, cookie: str, debate: str) -> str | None:
        parts = (self._signer.read("room", cookie) or "").split(".")
        if len(parts) != 4:
            return None
        of, person, invite_id, until_s = parts
        if of != debate or self._clock().timestamp() >= int(until_s):
            return None
        invite = self._invitations.by_id(debate, invite_id)
        if invite is None or (invite.kind == "personal" and invite.revoked_at):
            return None
        return None if self.is_barred(debate, person) else person

    def is_barred(self, debate: str, person: str) -> bool:
        """True for a person removed from the room."""
        return self._store.note("barred", f"{debate}/{person}") is not None
