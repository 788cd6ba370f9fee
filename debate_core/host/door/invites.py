"""Invites: who may come in how, made, listed and taken back.

They are notes beside the record. It knows no rules of a debate: what somebody may do once they are in, the record
and the engine say. Links, codes as typed and cookies are the `Door`'s.
"""

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.host.random_ids import random_id
from debate_core.host.stores import Store
from debate_core.names import visible_name
from debate_core.record.events import utc_text
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate, Person, PersonId, RoomRole
from debate_core.spec.protocol import read
from debate_core.spec.values import SeatId, Value

INVITE_LASTS = timedelta(days=14)
CODE_LETTERS = "CDFGHJKMNPQRTWXY34679"
"""None that is mistaken for another, and no vowels: a code spells no word."""
CODE_CHARS = 8
"""Of 21 ** 8 codes nobody guesses one: so a wrong guess need never block the right code."""
MAX_NAME_CHARS = 80

NOT_FOR_ALL = Sentence(
    "a link for everybody lets in observers and voters of the room, who have no seat and one "
    "vote: make personal links for all others"
)
ONLY_OBSERVES = Sentence("an observer has no vote: invite a voter, or make the link without one")

InviteStatus = Literal["ready", "used", "expired", "revoked"]
InviteKind = Literal["open", "personal"]


class Invite(Value):
    """A way in. A personal one lets in the one person that it names; an open one lets many in, each as a new person.

    Screens call an open one the link for all, and who came in by it a guest.
    """

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
            name=self.name or visible_name(name)[:MAX_NAME_CHARS].strip() or "Guest",
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


def new_person_id() -> str:
    """Drawn by lot, and not looked up: of 500 people two get the same 40 bits once in eight million rooms."""
    return random_id("p", length=8)


def _refuse_unfit(invite: Invite) -> None:
    """InvalidSpec for an open invite with an office, a seat, a weight or a panel vote, or for a vote of an observer."""
    has_mandate = invite.electorate == "panel" or bool(invite.seats) or invite.weight != 1
    if invite.kind == "open" and (has_mandate or invite.role not in ("voter", "observer")):
        raise InvalidSpec(NOT_FOR_ALL)
    if invite.role == "observer" and invite.electorate is not None:
        raise InvalidSpec(ONLY_OBSERVES)


class Invitations:
    """The invites of all debates of one store."""

    def __init__(self, store: Store, *, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self.n_changes = 0
        """Grows when an invite is made or taken back here: then `Cookies` asks anew whom it let in."""

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
    ) -> Invite:
        """A new invite; `person` is somebody who is in the record already. An open one has a code too.

        InvalidSpec for an open one with an office, a seat, a weight or a vote in the panel.
        """
        is_open = kind == "open"
        if is_open and role == "voter" and electorate is None:
            # Guests are the audience.
            electorate = "room"
        fields = {
            "debate": debate,
            "kind": kind,
            "role": role,
            "name": visible_name(name),
            "electorate": electorate,
            "weight": weight,
            "seats": seats,
            "person": None if is_open else person or new_person_id(),
        }
        return self._issue(read(Invite, {**fields, **self._own_fields()}))

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
        """Make it anew, for the same person, and revoke it: for a link that got lost or into wrong hands."""
        # The new one first: should the store fail in between, somebody has two links, and never none.
        new = self._issue(invite.model_copy(update=self._own_fields()))
        self.revoke(invite)
        return new

    def _own_fields(self) -> Mapping[str, str]:
        """What no two invites have in common; its code is drawn when it is kept."""
        now = self._clock()
        return {
            "id": random_id("i"),
            "code": "",
            "made_at": utc_text(now),
            "expires_at": utc_text(now + INVITE_LASTS),
            "revoked_at": "",
        }

    def _issue(self, invite: Invite) -> Invite:
        _refuse_unfit(invite)
        if invite.kind == "open":
            invite = invite.model_copy(update={"code": self._new_code(invite)})
        self._keep(invite)
        return invite

    def by_id(self, debate: str, invite_id: str) -> Invite | None:
        """The invite of this id."""
        text = self._store.note(f"invite/{debate}", invite_id)
        return Invite.model_validate_json(text) if text else None

    def by_code(self, code: str) -> Invite | None:
        """The open invite with this code."""
        place = self._store.note("code", code) if code else None
        return self.by_id(*_debate_and_id(place)) if place else None

    def of(self, debate: str) -> tuple[ListedInvite, ...]:
        """Every invite of a debate, latest made first."""
        texts = self._store.notes(f"invite/{debate}").values()
        invites = [Invite.model_validate_json(text) for text in texts]
        invites.sort(key=lambda invite: invite.made_at, reverse=True)
        return tuple(self._listed(invite) for invite in invites)

    def status(self, invite: Invite) -> InviteStatus:
        """What is to be said of it now, whatever is known of it here."""
        latest = self.by_id(invite.debate, invite.id)
        return "revoked" if latest is None else self._listed(latest).status

    def _listed(self, invite: Invite) -> ListedInvite:
        """An invite as it was just read; revoked beats used, used beats expired."""
        use = self._use(invite)
        if invite.revoked_at:
            status: InviteStatus = "revoked"
        elif use is not None:
            status = "used"
        elif utc_text(self._clock()) >= invite.expires_at:
            status = "expired"
        else:
            status = "ready"
        return ListedInvite(invite=invite, status=status, use=use)

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
            if self._store.add_note("code", code, _place_of(invite)):
                return code


def _place_of(invite: Invite) -> str:
    """Where an invite is kept, as a code names it: `d-abc/i-def`."""
    return f"{invite.debate}/{invite.id}"


def _debate_and_id(place: str) -> tuple[str, str]:
    """From such a place back."""
    debate, _, invite_id = place.partition("/")
    return debate, invite_id
