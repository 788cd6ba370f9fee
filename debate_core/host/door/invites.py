"""Invites: who may come in how, made, listed and taken back.

They are notes beside the record. It knows no rules of a debate: what somebody may do once they are in, the record
and the engine say. Links, codes as typed and cookies are the `Door`'s.
"""

import base64
import re
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.host.stores import Store
from debate_core.record.events import utc_text
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate, Person, PersonId, RoomRole
from debate_core.spec.protocol import read
from debate_core.spec.values import SeatId, Value

INVITE_LASTS = timedelta(days=14)
CODE_LETTERS = "CDFGHJKMNPQRTWXY34679"
"""None that is mistaken for another, and no vowels: a code spells no word."""
CODE_CHARS = 8
"""So long that nobody guesses one: however many wrong ones come, the right one is never refused."""
MAX_NAME_CHARS = 80
# Control characters, halves of characters, and what turns the writing direction, as U+202E.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")

NOT_FOR_ALL = Sentence(
    "a link for everybody lets in observers and voters of the room, who have no seat and one "
    "vote: make personal links for all others"
)
ONLY_OBSERVES = Sentence("an observer has no vote: invite a voter, or make the link without one")

InviteStatus = Literal["ready", "used", "expired", "revoked"]
InviteKind = Literal["open", "personal"]


class Invite(Value):
    """A way in. An open one lets many in, each as a new person; a personal one lets in the one person it names."""

    id: Annotated[str, Field(pattern=r"^i-[a-z2-7]{10}$")]
    debate: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    kind: InviteKind
    role: RoomRole
    name: Annotated[str, Field(max_length=MAX_NAME_CHARS)] = ""
    electorate: Electorate | None = None
    weight: Annotated[int, Field(ge=1, le=100)] = 1
    seats: tuple[SeatId, ...] = ()
    person: PersonId | None = None
    """Whom a personal one lets in: the same person again after it was rotated, so that nobody votes twice."""
    code: str = ""
    """What people type, without the blank that `shown_code` has."""
    made_at: str
    expires_at: str
    revoked_at: str = ""

    def shown_code(self) -> str:
        """The code as it is read out and typed, in two halves: `CDFG 3479`."""
        return f"{self.code[:4]} {self.code[4:]}".strip()

    def newcomer(self, name: str) -> Person:
        """Whom this invite makes; `name` where it has none."""
        return Person(
            id=self.person or new_person_id(),
            name=self.name or clean_name(name)[:MAX_NAME_CHARS].strip() or "Guest",
            role=self.role,
            electorate=self.electorate,
            weight=self.weight,
            seats=self.seats,
        )


class Use(Value):
    """Who came in by a personal invite, and when."""

    person: PersonId
    at: str


class ListedInvite(Value):
    """An invite as a list of them shows it."""

    invite: Invite
    status: InviteStatus
    use: Use | None = None


def clean_name(text: str) -> str:
    """A name on one line, without what cannot be seen or turns the writing direction of what stands beside it."""
    visible = (char for char in text if not _UNSEEN.match(char))
    with_blanks = "".join(" " if char.isspace() else char for char in visible)
    return " ".join(with_blanks.split())


def new_person_id() -> str:
    """An id that nobody has yet."""
    return f"p-{_random_letters()[:8]}"


def _refuse_mandate(role: RoomRole, electorate: Electorate | None, weight: int, seats: tuple[str, ...]) -> None:
    """InvalidSpec for what no link for everybody gives."""
    has_mandate = electorate == "panel" or bool(seats) or weight != 1
    if has_mandate or role not in ("voter", "observer"):
        raise InvalidSpec(NOT_FOR_ALL)


class Invitations:
    """The invites of all debates of one store."""

    def __init__(self, store: Store, *, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self.n_changes = 0
        """Grows when an invite is made or taken back here."""

    def make(
        self,
        debate: str,
        role: RoomRole,
        *,
        kind: InviteKind = "personal",
        name: str = "",
        electorate: Electorate | None = None,
        weight: int = 1,
        seats: tuple[str, ...] = (),
        person: str | None = None,
        lasts: timedelta = INVITE_LASTS,
    ) -> Invite:
        """A new invite; `person` is somebody who is in the record already. InvalidSpec for an open one with a mandate.

        An open one has a code too.
        """
        is_for_all = kind == "open"
        if is_for_all:
            _refuse_mandate(role, electorate, weight, seats)
            # Whoever comes by a link for everybody is the audience.
            electorate = "room" if role == "voter" else electorate
        if role == "observer" and electorate is not None:
            raise InvalidSpec(ONLY_OBSERVES)
        now = self._clock()
        fields = {
            "id": f"i-{_random_letters()}",
            "debate": debate,
            "kind": kind,
            "role": role,
            "name": clean_name(name),
            "electorate": electorate,
            "weight": weight,
            "seats": seats,
            "person": None if is_for_all else person or new_person_id(),
            "made_at": utc_text(now),
            "expires_at": utc_text(now + lasts),
        }
        invite = read(Invite, fields)
        if is_for_all:
            invite = invite.model_copy(update={"code": self._new_code(invite)})
        self._keep(invite)
        return invite

    def make_for(self, debate: str, who: Person) -> Invite:
        """A new personal invite for somebody who is in the record already."""
        return self.make(
            debate,
            who.role,
            name=who.name,
            electorate=who.electorate,
            weight=who.weight,
            seats=who.seats,
            person=who.id,
        )

    def revoke(self, invite: Invite) -> None:
        """It lets nobody in any more, and who came in by a personal one is out at once; guests of an open one stay."""
        self._keep(invite.model_copy(update={"revoked_at": utc_text(self._clock())}))
        if invite.code:
            self._store.drop_note("code", invite.code)

    def rotate(self, invite: Invite) -> Invite:
        """Revoke it and make the same again, for the same person: for a link that got lost or into wrong hands."""
        self.revoke(invite)
        return self.make(
            invite.debate,
            invite.role,
            kind=invite.kind,
            name=invite.name,
            electorate=invite.electorate,
            weight=invite.weight,
            seats=invite.seats,
            person=invite.person,
        )

    def by_id(self, debate: str, invite_id: str) -> Invite | None:
        """The invite of this id."""
        text = self._store.note(f"invite/{debate}", invite_id)
        return Invite.model_validate_json(text) if text else None

    def by_code(self, code: str) -> Invite | None:
        """The open invite with this code."""
        place = self._store.note("code", code) if code else None
        return self.by_id(*place.split("/")) if place else None

    def of(self, debate: str) -> tuple[ListedInvite, ...]:
        """Every invite of a debate, latest made first."""
        texts = self._store.notes(f"invite/{debate}").values()
        invites = [Invite.model_validate_json(text) for text in texts]
        invites.sort(key=lambda invite: invite.made_at, reverse=True)
        return tuple(ListedInvite(invite=i, status=self.status(i), use=self._use(i)) for i in invites)

    def status(self, invite: Invite) -> InviteStatus:
        """What is to be said of it now; revoked beats used, used beats expired."""
        latest = self.by_id(invite.debate, invite.id)
        if latest is None or latest.revoked_at:
            return "revoked"
        if self._use(invite) is not None:
            return "used"
        return "expired" if utc_text(self._clock()) >= latest.expires_at else "ready"

    def start_use(self, invite: Invite, person: str) -> bool:
        """This person comes in by a personal invite. False if somebody was first."""
        use = Use(person=person, at=utc_text(self._clock()))
        return self._store.add_note("used", invite.id, use.model_dump_json())

    def undo_use(self, invite: Invite) -> None:
        """Whoever was about to come in did not."""
        self._store.drop_note("used", invite.id)

    def _use(self, invite: Invite) -> Use | None:
        text = self._store.note("used", invite.id)
        return Use.model_validate_json(text) if text else None

    def _keep(self, invite: Invite) -> None:
        self._store.put_note(f"invite/{invite.debate}", invite.id, invite.model_dump_json())
        self.n_changes += 1

    def _new_code(self, invite: Invite) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
            if self._store.add_note("code", code, f"{invite.debate}/{invite.id}"):
                return code


def _random_letters() -> str:
    return base64.b32encode(secrets.token_bytes(7)).decode().lower()[:10]
