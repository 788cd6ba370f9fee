"""Invites: ways into a debate, made, listed and revoked. They are notes beside the record.

The status of an invite is the first row that applies:

| status    | applies                              | reached by       | admits                                  |
|-----------|--------------------------------------|------------------|-----------------------------------------|
| `revoked` | `revoked_at` is set, or no note left | `revoke`         | no one, and a personal cookie is void   |
| `used`    | personal, and its person came in     | `use`            | no one; the person returns by cookie    |
| `expired` | `expires_at` has passed              | time             | no one                                  |
| `ready`   | else                                 | `make`, `rotate` | its person; an open one: any number     |

`Door.admit` is the only way from ready to used, and back to ready if the person does not get into the record.

The module knows no rules of a debate: the record and the engine decide what a person may do inside. Links, typed codes
and cookies belong to the `Door`.
"""

import secrets
from collections.abc import Callable, Mapping
from contextlib import ExitStack
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
"""No letters that look alike, and no vowels, so that a code spells no word."""
CODE_CHARS = 8
"""21 ** 8 codes cannot be guessed, so wrong guesses need not block the right code."""
MAX_NAME_CHARS = 80

NOT_FOR_ALL = Sentence(
    "a link for everybody lets in observers and voters of the room, who have no seat and one "
    "vote: make personal links for all others"
)
ONLY_OBSERVES = Sentence("an observer has no vote: invite a voter, or make the link without one")

InviteStatus = Literal["ready", "used", "expired", "revoked"]
InviteKind = Literal["open", "personal"]


class Invite(Value):
    """An invite. A personal one admits the person it names; an open one admits many, each as a new person.

    Screens call an open one the public link, and people who came in by it guests.
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
    """The person of a personal invite; stays the same after a rotation, so that no one votes twice."""
    code: str = ""
    """The code without the space of `shown_code`."""
    made_at: str
    expires_at: str
    revoked_at: str = ""

    def shown_code(self) -> str:
        """The code as read out and typed, in two halves: `CDFG 3479`."""
        return f"{self.code[:4]} {self.code[4:]}".strip()

    def newcomer(self, name: str) -> Person:
        """A new person for this invite; `name` applies if the invite has none."""
        return Person(
            id=self.person or new_person_id(),
            name=self.name or visible_name(name)[:MAX_NAME_CHARS].strip() or "Guest",
            role=self.role,
            electorate=self.electorate,
            weight=self.weight,
            seats=self.seats,
        )


class Use(Value):
    """The use of a personal invite: by this person, at this time."""

    person: PersonId
    at: str


class ListedInvite(Value):
    """An invite with its status, for a list."""

    invite: Invite
    status: InviteStatus
    use: Use | None = None


def new_person_id() -> str:
    """A random id, not checked for duplicates: among 500 people two share 40 bits once in eight million rooms."""
    return random_id("p", length=8)


def _refuse_unfit(invite: Invite) -> None:
    """Raise InvalidSpec for an open invite with a role, seat, weight or panel vote, or an observer with a vote."""
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
        """Grows with every change of an invite here: then `Cookies` checks again."""

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
        """Make an invite; `person` is the id of someone already in the record. An open one also gets a code.

        InvalidSpec for an open one with a role, seat, weight or a vote in the panel.
        """
        is_open = kind == "open"
        if is_open and role == "voter" and electorate is None:
            # Guests vote with the audience.
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
        """Make a personal invite for someone already in the record."""
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
        """Revoke an invite. The person of a personal one is out at once; guests of an open one stay."""
        self._keep(invite.model_copy(update={"revoked_at": utc_text(self._clock())}))
        if invite.code:
            self._store.drop_note("code", invite.code)

    def rotate(self, invite: Invite) -> Invite:
        """Replace an invite for the same person and revoke the old one: for a lost or leaked link."""
        # New one first: if the store fails in between, two links work rather than none.
        new = self._issue(invite.model_copy(update=self._own_fields()))
        self.revoke(invite)
        return new

    def _own_fields(self) -> Mapping[str, str]:
        """Fields that differ between all invites; the code is drawn when the invite is stored."""
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
            invite = invite.model_copy(update={"code": self._reserve_code(invite)})
        self._keep(invite)
        return invite

    def by_id(self, debate: str, invite_id: str) -> Invite | None:
        text = self._store.note(f"invite/{debate}", invite_id)
        return Invite.model_validate_json(text) if text else None

    def by_code(self, code: str) -> Invite | None:
        """The open invite with this code."""
        place = self._store.note("code", code) if code else None
        if place is None:
            return None
        # As in d-abc/i-def.
        debate, _, invite_id = place.partition("/")
        return self.by_id(debate, invite_id)

    def of(self, debate: str) -> tuple[ListedInvite, ...]:
        """All invites of a debate, latest first."""
        texts = self._store.notes(f"invite/{debate}").values()
        invites = [Invite.model_validate_json(text) for text in texts]
        invites.sort(key=lambda invite: invite.made_at, reverse=True)
        return tuple(self._listed(invite) for invite in invites)

    def status(self, invite: Invite) -> InviteStatus:
        """The current status according to the store."""
        latest = self.by_id(invite.debate, invite.id)
        return "revoked" if latest is None else self._listed(latest).status

    def _listed(self, invite: Invite) -> ListedInvite:
        text = self._store.note("used", invite.id)
        use = Use.model_validate_json(text) if text else None
        if invite.revoked_at:
            status: InviteStatus = "revoked"
        elif use is not None:
            status = "used"
        elif utc_text(self._clock()) >= invite.expires_at:
            status = "expired"
        else:
            status = "ready"
        return ListedInvite(invite=invite, status=status, use=use)

    def use(self, invite: Invite, person: str) -> InviteStatus:
        """Use an invite for this person in one step: `ready` if they may come in now, else why not.

        Of several who try at once, one gets a personal invite. An open one stays ready.
        """
        status = self.status(invite)
        if status != "ready" or invite.kind == "open":
            return status
        use = Use(person=person, at=utc_text(self._clock()))
        if not self._store.add_note("used", invite.id, use.model_dump_json()):
            return "used"
        with ExitStack() as undo:
            undo.callback(self.undo_use, invite)
            latest = self.by_id(invite.debate, invite.id)
            if latest is None or latest.revoked_at:
                # Revoked between the check and the use.
                return "revoked"
            undo.pop_all()
        return "ready"

    def undo_use(self, invite: Invite) -> None:
        """Make a personal invite ready again."""
        self._store.drop_note("used", invite.id)

    def _keep(self, invite: Invite) -> None:
        self._store.put_note(f"invite/{invite.debate}", invite.id, invite.model_dump_json())
        self.n_changes += 1

    def _reserve_code(self, invite: Invite) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
            if self._store.add_note("code", code, f"{invite.debate}/{invite.id}"):
                return code
