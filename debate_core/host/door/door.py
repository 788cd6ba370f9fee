"""The way into the debates of one store: by a link or a code, in once or many times, back by a cookie.

What a link says that is not good is said here, and no more than a stranger may know. It knows no screen and no rules.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime

from debate_core.errors import NotAllowed
from debate_core.host.door.arrivals import Arrivals
from debate_core.host.door.cookies import Cookies, debate_of
from debate_core.host.door.hosting import Hosting
from debate_core.host.door.invites import CODE_CHARS, Invitations, Invite
from debate_core.host.door.rate_limit import RateLimit
from debate_core.host.door.signing import Signer
from debate_core.host.stores import Store
from debate_core.sentence import Sentence

FORGED = Sentence(
    "This link is not complete, or was not made here: copy the whole link, or ask the facilitator for a new one."
)
EXPIRED = Sentence("This link has expired: ask the facilitator for a new one.")
REVOKED = Sentence("This link is not in use any more: ask the facilitator for a new one.")
USED = Sentence(
    "This link has been used, and it is for one person: open it in the browser where it was "
    "used first, or ask the facilitator for a new one."
)
OTHER_DEBATE = Sentence(
    "This link is for another debate: open it by itself, or ask the facilitator of this one for a link."
)
MANY_WRONG = Sentence(
    "There is no debate with this code now, and many wrong codes have come from your network "
    "within a minute: look at the code on the screen again, or scan it. The right one lets "
    "you in."
)
NO_SUCH_CODE = Sentence("There is no debate with this code now: look at the code on the screen again, or scan it.")


class Door:
    """Lets people in. `secret` signs links and cookies; empty = the store keeps one of its own.

    `host_code` is what a host from elsewhere has to know; empty = nobody from elsewhere is one. `trusts_loopback` as
    in `Hosting`.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime],
        secret: str = "",
        host_code: str = "",
        trusts_loopback: bool = True,
    ) -> None:
        self._signer = Signer(store, secret)
        self.invitations = Invitations(store, clock=clock)
        self.cookies = Cookies(store, self._signer, self.invitations, clock=clock)
        self.rate_limit = RateLimit(clock)
        self.arrivals = Arrivals(clock)
        self.hosting = Hosting(
            self._signer, self.rate_limit, clock=clock, code=host_code, trusts_loopback=trusts_loopback
        )

    def token(self, invite: Invite) -> str:
        """What stands in its link, after `/join/`."""
        return self._signer.sign("join", f"{invite.debate}.{invite.id}")

    def ready_invite(self, token: str, *, address: str = "", debate: str = "") -> Invite:
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
        body = self._signer.read("join", token)
        debate, _, invite_id = (body or "").partition(".")
        invite = self.invitations.by_id(debate, invite_id) if body else None
        if invite is None:
            raise self.rate_limit.wrong_try(f"at {address}", FORGED)
        return invite

    def person_by_link(self, token: str) -> str | None:
        """The person whose personal link this is, used or not; None if it was taken back, or they were shown out."""
        body = self._signer.read("join", token)
        debate, _, invite_id = (body or "").partition(".")
        invite = self.invitations.by_id(debate, invite_id) if body else None
        if invite is None or invite.person is None or invite.revoked_at:
            return None
        return None if self.cookies.is_barred(debate, invite.person) else invite.person

    def by_code(self, code: str, *, address: str = "") -> Invite:
        """The open invite with this code, however it was typed. NotAllowed if none lets anybody in now.

        The right code is never refused because others at its address guess: it is too long to be guessed.
        """
        letters = "".join(char for char in code.upper() if char.isalnum())
        invite = self.invitations.by_code(letters[: CODE_CHARS + 1])
        if invite is None or self.invitations.status(invite) != "ready":
            raise self.rate_limit.wrong_try(f"at {address}", NO_SUCH_CODE, too_often=MANY_WRONG)
        return invite

    def screen_token(self, debate: str) -> str:
        """What opens the projector's page of a debate, after `/wall/`; kept as a cookie by the browser on the wall."""
        return self._signer.sign("screen", debate)

    def screen_of(self, token: str) -> str | None:
        """The debate whose projector's page this opens; None if it was not made here."""
        return self._signer.read("screen", token)

    def was_let_in(self, cookies: Mapping[str, str]) -> bool:
        """True if one of these cookies makes a host, a person of some debate, or the projector of one."""
        return self.hosting.is_host(cookies) or any(self._lets_in(name, value) for name, value in cookies.items())

    def _lets_in(self, name: str, value: str) -> bool:
        if debate := debate_of(name):
            return self.cookies.person_of(value, debate) is not None
        return name.startswith("screen-") and self.screen_of(value) is not None

    def results_token(self, debate: str) -> str:
        """What opens the results of a debate after its end, after `/read/`, where its people agreed on that."""
        return self._signer.sign("results", debate)

    def results_of(self, token: str) -> str | None:
        """The debate whose results this opens; None if it was not made here."""
        return self._signer.read("results", token)

    def refuse_stale(self, invite: Invite) -> None:
        """NotAllowed if this invite lets nobody in any more."""
        match self.invitations.status(invite):
            case "ready":
                return
            case "used":
                message = USED
            case "expired":
                message = EXPIRED
            case "revoked":
                message = REVOKED
        raise self.rate_limit.wrong_try(f"by {invite.id}", message)

    @contextmanager
    def using_up(self, invite: Invite, person: str) -> Iterator[None]:
        """Let this person in within the block: a personal invite is used from its start, unless it breaks off."""
        self.refuse_stale(invite)
        if invite.kind == "open":
            yield
            return
        if not self.invitations.start_use(invite, person):
            raise self.rate_limit.wrong_try(f"by {invite.id}", USED)
        with ExitStack() as undone:
            undone.callback(self.invitations.undo_use, invite)
            yield
            undone.pop_all()
