"""Who may come in: invites, their signed links and codes, the cookies that follow them, and tries that fail.

All of it is kept as papers beside the record. It knows no rules of a debate and no screen: what somebody may do once
they are in, the record and `rules.rights` say.
"""

import base64
import hmac
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from debate_core.errors import DebateError, InvalidSpec, NotAllowed, Unwritable
from debate_core.host.door.rate_limit import Tries
from debate_core.host.stores import Store
from debate_core.record.events import utc_text
from debate_core.spec.people import Electorate, Person, PersonId, RoomRole
from debate_core.spec.protocol import read
from debate_core.spec.values import SeatId, Value

INVITE_LASTS = timedelta(days=14)
COOKIE_LASTS = timedelta(days=30)
ASKED_AGAIN = timedelta(seconds=3)
CODE_LETTERS = "CDFGHJKMNPQRTWXY34679"
"""None that is mistaken for another, and no vowels: a code spells no word."""
CODE_CHARS = 6
MAX_TOKEN_CHARS = 160
MAX_NAME_CHARS = 80
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")

FORGED = "This link is not complete, or was not made here: copy the whole link, or ask the facilitator for a new one."
EXPIRED = "This link has expired: ask the facilitator for a new one."
REVOKED = "This link is not in use any more: ask the facilitator for a new one."
USED = (
    "This link has been used, and it is for one person: open it in the browser where it was used first, "
    "or ask the facilitator for a new one."
)
OTHER_DEBATE = "This link is for another debate: open it by itself, or ask the facilitator of this one for a link."
NO_SUCH_CODE = "There is no debate with this code now: look at the code on the screen again, or scan it."
NOT_FOR_ALL = (
    "a link for everybody lets in observers and voters of the room, who have no seat and one vote: "
    "make personal links for all others"
)

ONLY_OBSERVES = "an observer has no vote: invite a voter, or make the link without one"

Status = Literal["ready", "used", "expired", "revoked"]


class Invite(Value):
    """A way in. An open one lets many in, each as a new person; a personal one lets in the one person it names."""

    id: Annotated[str, Field(pattern=r"^i-[a-z2-7]{10}$")]
    debate: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    kind: Literal["open", "personal"]
    role: RoomRole
    name: Annotated[str, Field(max_length=MAX_NAME_CHARS)] = ""
    electorate: Electorate | None = None
    weight: Annotated[int, Field(ge=1, le=100)] = 1
    seats: tuple[SeatId, ...] = ()
    person: PersonId | None = None
    """Whom a personal one lets in: the same person again after it was rotated, so that nobody votes twice."""
    code: str = ""
    made_at: str
    expires_at: str
    revoked_at: str = ""


class Use(Value):
    """Who came in by a personal invite, and when."""

    person: PersonId
    at: str


class Listed(Value):
    """An invite as a list of them shows it."""

    invite: Invite
    status: Status
    use: Use | None = None


def clean_name(text: str) -> str:
    """A name on one line, without what cannot be seen or turns the writing direction of what stands beside it."""
    return " ".join("".join(" " if c.isspace() else c for c in text if not _UNSEEN.match(c)).split())


def new_person_id() -> str:
    """An id that nobody has yet."""
    return f"p-{_letters()[:8]}"


def cookie_name(debate: str) -> str:
    """One cookie per debate."""
    return f"room-{debate}"


class Door:
    """The way into the debates of one store. `secret` signs; empty = the store keeps one of its own."""

    def __init__(self, store: Store, *, clock: Callable[[], datetime], secret: str = "") -> None:
        self._store = store
        self._clock = clock
        self._key = secret.encode()
        self._here: dict[tuple[str, str], tuple[str, datetime]] = {}
        self.tries = Tries(clock)

    def make(
        self,
        debate: str,
        role: RoomRole,
        *,
        kind: Literal["open", "personal"] = "personal",
        name: str = "",
        electorate: Electorate | None = None,
        weight: int = 1,
        seats: tuple[str, ...] = (),
        person: str | None = None,
        lasts: timedelta = INVITE_LASTS,
    ) -> Invite:
        """A new invite; `person` is somebody who is in the record already. InvalidSpec for an open one with a mandate.

        Its link is `token(invite)`; an open one has a code too.
        """
        if kind == "open" and (role not in ("voter", "observer") or electorate == "panel" or seats or weight != 1):
            raise InvalidSpec(NOT_FOR_ALL)
        if role == "observer" and electorate is not None:
            raise InvalidSpec(ONLY_OBSERVES)
        now = self._clock()
        fields = {
            "id": f"i-{_letters()}",
            "debate": debate,
            "kind": kind,
            "role": role,
            "name": clean_name(name),
            # Whoever comes by a link for everybody is the audience.
            "electorate": "room" if kind == "open" and role == "voter" else electorate,
            "weight": weight,
            "seats": seats,
            "person": (person or new_person_id()) if kind == "personal" else None,
            "made_at": utc_text(now),
            "expires_at": utc_text(now + lasts),
        }
        draft = read(Invite, fields)
        return self._keep(draft.model_copy(update={"code": self._new_code(draft)}) if kind == "open" else draft)

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

    def token(self, invite: Invite) -> str:
        """What stands in its link, after `/join/`."""
        return self._signed("join", f"{invite.debate}.{invite.id}")

    def open_door(self, token: str, *, address: str = "", debate: str = "") -> Invite:
        """The invite of this link, if it lets somebody in now. NotAllowed says what is wrong; see `find`."""
        invite = self.find(token, address=address)
        if debate and invite.debate != debate:
            raise NotAllowed(OTHER_DEBATE)
        self.refuse_stale(invite)
        return invite

    def find(self, token: str, *, address: str = "") -> Invite:
        """The invite of this link, stale or not. NotAllowed if it was not made here; counted against `address`.

        A genuine link is never refused because others at its address guess: a room may share one.
        """
        body = self._unsigned("join", token)
        debate, _, invite_id = (body or "").partition(".")
        invite = self.invite(debate, invite_id) if body else None
        if invite is None:
            raise self.tries.failed(f"at {address}", FORGED)
        self.tries.refuse_flood(f"by {invite.id}")
        return invite

    def by_code(self, code: str, *, address: str = "") -> Invite:
        """The open invite with this code, however it was typed. NotAllowed if none lets anybody in now."""
        self.tries.refuse_flood(f"at {address}")
        typed = "".join(c for c in code.upper() if c.isalnum())[: CODE_CHARS + 1]
        place = self._store.paper("code", typed) if typed else None
        invite = self.invite(*place.split("/")) if place else None
        if invite is None or self.status(invite) != "ready":
            raise self.tries.failed(f"at {address}", NO_SUCH_CODE)
        return invite

    def refuse_stale(self, invite: Invite) -> None:
        """NotAllowed if this invite lets nobody in any more."""
        match self.status(invite):
            case "ready":
                return
            case "used":
                said = USED
            case "expired":
                said = EXPIRED
            case "revoked":
                said = REVOKED
        raise self.tries.failed(f"by {invite.id}", said)

    def status(self, invite: Invite) -> Status:
        """What is to be said of it now; revoked beats used, used beats expired."""
        kept = self.invite(invite.debate, invite.id)
        if kept is None or kept.revoked_at:
            return "revoked"
        if self._use(invite) is not None:
            return "used"
        return "expired" if utc_text(self._clock()) >= kept.expires_at else "ready"

    def invite(self, debate: str, invite_id: str) -> Invite | None:
        """The invite of this id."""
        text = self._store.paper(f"invite/{debate}", invite_id)
        return Invite.model_validate_json(text) if text else None

    def invites(self, debate: str) -> tuple[Listed, ...]:
        """Every invite of a debate, latest made first."""
        papers = self._store.papers(f"invite/{debate}").values()
        found = sorted((Invite.model_validate_json(text) for text in papers), key=lambda i: i.made_at, reverse=True)
        return tuple(Listed(invite=i, status=self.status(i), use=self._use(i)) for i in found)

    def revoke(self, invite: Invite) -> None:
        """It lets nobody in any more, and who came in by a personal one is out at once; guests of an open one stay."""
        self._keep(invite.model_copy(update={"revoked_at": utc_text(self._clock())}))
        if invite.code:
            self._store.drop_paper("code", invite.code)

    def rotate(self, invite: Invite, *, lasts: timedelta = INVITE_LASTS) -> Invite:
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
            lasts=lasts,
        )

    def person(self, invite: Invite, name: str) -> Person:
        """Whom this invite makes; `name` where it has none."""
        return Person(
            id=invite.person or new_person_id(),
            name=invite.name or clean_name(name)[:MAX_NAME_CHARS].strip() or "Guest",
            role=invite.role,
            electorate=invite.electorate,
            weight=invite.weight,
            seats=invite.seats,
        )

    @contextmanager
    def using_up(self, invite: Invite, person: str) -> Iterator[None]:
        """Let this person in within the block: a personal invite is used from its start, unless the block fails."""
        self.refuse_stale(invite)
        if invite.kind == "open":
            yield
            return
        use = Use(person=person, at=utc_text(self._clock()))
        if not self._store.keep_paper("used", invite.id, use.model_dump_json()):
            raise self.tries.failed(f"by {invite.id}", USED)
        try:
            yield
        except DebateError:
            self._store.drop_paper("used", invite.id)
            raise

    def cookie(self, invite: Invite, person: str) -> str:
        """What the browser of this person brings back."""
        until_s = int((self._clock() + COOKIE_LASTS).timestamp())
        return self._signed("room", f"{invite.debate}.{person}.{invite.id}.{until_s}")

    def person_of(self, cookie: str, debate: str) -> str | None:
        """Who comes with this cookie. None if it is not ours, of another debate, too old, or they were shown out.

        Whoever was let in is not asked again for three seconds, unless somebody was shown out here.
        """
        person, until = self._here.get((debate, cookie), (None, None))
        if until is not None and self._clock() < until:
            return person
        self._forget_gone()
        person = self._read(cookie, debate)
        if person is not None:
            self._here[debate, cookie] = person, self._clock() + ASKED_AGAIN
        return person

    def _forget_gone(self) -> None:
        """Whoever has not been seen for three seconds: a server that runs for months meets many cookies."""
        now = self._clock()
        # Key by key, from a copy: other threads add to it meanwhile, and what one of them clears stays cleared.
        for key, (_, until) in list(self._here.items()):
            if now >= until:
                self._here.pop(key, None)

    def _read(self, cookie: str, debate: str) -> str | None:
        match (self._unsigned("room", cookie) or "").split("."):
            case [of, person, invite_id, until_s] if of == debate and self._clock().timestamp() < int(until_s):
                invite = self.invite(debate, invite_id)
                revoked = invite is None or (invite.kind == "personal" and invite.revoked_at)
                barred = self._store.paper("barred", f"{debate}/{person}")
                return None if revoked or barred else person
            case _:
                return None

    def bar(self, debate: str, person: str) -> None:
        """This person is out at once, whatever cookie they have."""
        self._store.put_paper("barred", f"{debate}/{person}", utc_text(self._clock()))
        self._here.clear()

    def _use(self, invite: Invite) -> Use | None:
        text = self._store.paper("used", invite.id)
        return Use.model_validate_json(text) if text else None

    def _keep(self, invite: Invite) -> Invite:
        self._store.put_paper(f"invite/{invite.debate}", invite.id, invite.model_dump_json())
        self._here.clear()
        return invite

    def _new_code(self, invite: Invite) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
            if self._store.keep_paper("code", code, f"{invite.debate}/{invite.id}"):
                return code

    def _signed(self, purpose: str, body: str) -> str:
        return f"{body}.{self._mac(purpose, body)}"

    def _unsigned(self, purpose: str, text: str) -> str | None:
        """The body of a text that was signed here for this purpose."""
        body, _, mac = text.rpartition(".")
        # As text, not as decoded bytes: base64 has several spellings of the same ones.
        plain = text.isascii() and len(text) <= MAX_TOKEN_CHARS
        return body if plain and hmac.compare_digest(mac, self._mac(purpose, body)) else None

    def _mac(self, purpose: str, body: str) -> str:
        """128 of the 256 bits of HMAC-SHA256, so that the link stays a small picture."""
        digest = hmac.digest(self._secret(), f"{purpose} {body}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    def _secret(self) -> bytes:
        if not self._key:
            # Read back: of several processes that start at once, the first one's is everybody's.
            self._store.keep_paper("secret", "door", secrets.token_hex(32))
            kept = self._store.paper("secret", "door")
            if not kept:
                raise Unwritable("what signs the links of this store is gone: start again")
            self._key = kept.encode()
        return self._key


def _letters() -> str:
    return base64.b32encode(secrets.token_bytes(7)).decode().lower()[:10]
