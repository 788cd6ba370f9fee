"""From a cookie back to a person, and who is out at once whatever cookie they have.

A cookie holds as long as its invite: of a personal one that was taken back none lets anybody in.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from debate_core.host.door.invites import Invitations, Invite
from debate_core.host.door.signing import Signer
from debate_core.host.stores import Store
from debate_core.record.events import utc_text

COOKIE_LASTS = timedelta(days=30)
ASKED_AGAIN = timedelta(seconds=3)
"""How long whoever was let in is not asked again: a page asks at every click."""


def cookie_name(debate: str) -> str:
    """One cookie per debate."""
    return f"room-{debate}"


@dataclass(frozen=True, slots=True)
class _LetIn:
    """Somebody whose cookie was good, as long as nothing changed at the door."""

    person: str
    until: datetime
    changes: tuple[int, int]


def debate_of(name: str) -> str:
    """The debate that a cookie of this name is for; empty if it is not one of ours."""
    return name.removeprefix("room-") if name.startswith("room-") else ""


def screen_cookie_name(debate: str) -> str:
    """What the browser of the projector has for a debate."""
    return f"screen-{debate}"


def results_cookie_name(debate: str) -> str:
    """What the browser of somebody has who opened the link to the results of a debate."""
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
        """What the browser of this person brings back."""
        until_s = int((self._clock() + COOKIE_LASTS).timestamp())
        return self._signer.sign("room", f"{invite.debate}.{person}.{invite.id}.{until_s}")

    def person_of(self, cookie: str, debate: str, *, again: bool = False) -> str | None:
        """Who comes with this cookie. None if it is not ours, of another debate, too old, or they were shown out.

        The answer is kept for three seconds, unless an invite changed or somebody was shown out. `again`: ask the store
        whatever is kept, as for a command; another process may have taken the invite back.
        """
        changes = (self._invitations.n_changes, self._n_barred)
        known = self._let_in.get((debate, cookie))
        if not again and known is not None and known.changes == changes and self._clock() < known.until:
            return known.person
        person = self._read(cookie, debate)
        now = self._clock()
        with self._lock:
            self._forget_gone(now)
            if person is not None:
                self._let_in[debate, cookie] = _LetIn(person, now + ASKED_AGAIN, changes)
            else:
                self._let_in.pop((debate, cookie), None)
        return person

    def bar(self, debate: str, person: str) -> None:
        """This person is out at once, whatever cookie they have."""
        self._store.put_note("barred", f"{debate}/{person}", utc_text(self._clock()))
        self._n_barred += 1

    def _read(self, cookie: str, debate: str) -> str | None:
        match (self._signer.read("room", cookie) or "").split("."):
            case [of, person, invite_id, until_s] if of == debate and self._clock().timestamp() < int(until_s):
                invite = self._invitations.by_id(debate, invite_id)
            case _:
                return None
        if invite is None or (invite.kind == "personal" and invite.revoked_at):
            return None
        return None if self.is_barred(debate, person) else person

    def is_barred(self, debate: str, person: str) -> bool:
        """True for a person who was shown out."""
        return self._store.note("barred", f"{debate}/{person}") is not None

    def _forget_gone(self, now: datetime) -> None:
        """Whoever has not been seen for three seconds: a server that runs for months meets many cookies."""
        for key in [key for key, known in self._let_in.items() if now >= known.until]:
            del self._let_in[key]
