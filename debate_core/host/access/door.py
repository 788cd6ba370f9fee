"""Entry to the debates of one store: by link or code, once or many times, and back by cookie.

Its error messages tell a stranger only what is necessary. It knows no screen and no rules.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime

from debate_core.host.access.cookies import Cookies, debate_of
from debate_core.host.access.hosting import Hosting
from debate_core.host.access.invites import CODE_CHARS, Invitations, Invite, InviteStatus
from debate_core.host.access.rate_limit import Arrivals, RateLimit
from debate_core.host.access.signing import Signer
from debate_core.host.access.tokens import Tokens
from debate_core.host.stores import Store
from debate_core.sentence import Sentence

FORGED = Sentence(
    "This link is incomplete or was not made here: copy the whole link, or ask the facilitator for a new one."
)
EXPIRED = Sentence("This link has expired: ask the facilitator for a new one.")
REVOKED = Sentence("This link is no longer valid: ask the facilitator for a new one.")
USED = Sentence(
    "This link is for one person and has been used: open it in the browser that used it first, "
    "or ask the facilitator for a new one."
)
STALE: Mapping[InviteStatus, Sentence] = {"used": USED, "expired": EXPIRED, "revoked": REVOKED}
MANY_WRONG = Sentence(
    "There is no debate with this code now, and many wrong codes have come from your network "
    "within a minute: look at the code on the screen again, or scan it. The right one lets "
    "you in."
)
NO_SUCH_CODE = Sentence("There is no debate with this code now: look at the code on the screen again, or scan it.")


class Door:
    """Admits people. `secret` signs links and cookies; empty = the store keeps one.

    `host_code` is for hosts on other machines; empty = none. `trusts_loopback` as in `Hosting`.
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
        self.tokens = Tokens(store, clock=clock, of_code=self.hosting.of_code, rate_limit=self.rate_limit)

    def token(self, invite: Invite) -> str:
        """The token in the invite's link, after `/join/`."""
        return self._signer.sign("join", f"{invite.debate}.{invite.id}")

    def find(self, token: str, *, address: str = "") -> Invite:
        """The invite of this link in any status. NotAllowed for a forged link; counted against `address`.

        Wrong guesses from the same address never block a genuine link: a room may share one.
        """
        invite = self._read_link(token)
        if invite is None:
            raise self.rate_limit.wrong_try(f"at {address}", FORGED)
        return invite

    def person_by_link(self, token: str) -> str | None:
        """The person of this personal link, used or not; None if it was revoked, or the person removed."""
        invite = self._read_link(token)
        if invite is None or invite.person is None or invite.revoked_at:
            return None
        return None if self.cookies.is_barred(invite.debate, invite.person) else invite.person

    def _read_link(self, token: str) -> Invite | None:
        body = self._signer.read("join", token)
        debate, _, invite_id = (body or "").partition(".")
        return self.invitations.by_id(debate, invite_id) if body else None

    def by_code(self, code: str, *, address: str = "") -> Invite:
        """The open invite with this code, in any spelling. NotAllowed if none is ready.

        Wrong guesses from the same address never block the right code: it is too long to guess.
        """
        letters = "".join(char for char in code.upper() if char.isalnum())
        invite = self.invitations.by_code(letters[: CODE_CHARS + 1])
        if invite is None or self.invitations.status(invite) != "ready":
            raise self.rate_limit.wrong_try(f"at {address}", NO_SUCH_CODE, too_often=MANY_WRONG)
        return invite

    def screen_token(self, debate: str) -> str:
        """The token of a debate's projector page, after `/wall/`; the projector's browser keeps it as a cookie."""
        return self._signer.sign("screen", debate)

    def screen_of(self, token: str) -> str | None:
        """The debate of this projector token; None if it is forged."""
        return self._signer.read("screen", token)

    def was_let_in(self, cookies: Mapping[str, str]) -> bool:
        """True if one of these cookies belongs to a host, a person of a debate, or a projector."""
        if self.hosting.is_host(cookies):
            return True
        for name, value in cookies.items():
            debate = debate_of(name)
            if debate and self.cookies.person_of(value, debate) is not None:
                return True
            if name.startswith("screen-") and self.screen_of(value) is not None:
                return True
        return False

    def results_token(self, debate: str) -> str:
        """The token of the results after the end, after `/read/`, if its people agreed to such a link."""
        return self._signer.sign("results", debate)

    def results_of(self, token: str) -> str | None:
        """The debate of this results token; None if it is forged."""
        return self._signer.read("results", token)

    def refuse_stale(self, invite: Invite) -> None:
        """Raise NotAllowed unless the invite is ready."""
        self._refuse(invite, self.invitations.status(invite))

    def _refuse(self, invite: Invite, status: InviteStatus) -> None:
        if status != "ready":
            raise self.rate_limit.wrong_try(f"by {invite.id}", STALE[status])

    @contextmanager
    def admit(self, invite: Invite, person: str) -> Iterator[None]:
        """Admit this person within the block: a personal invite is used up, unless the block fails.

        NotAllowed unless the invite is ready.
        """
        self._refuse(invite, self.invitations.use(invite, person))
        with ExitStack() as undo:
            if invite.kind == "personal":
                undo.callback(self.invitations.undo_use, invite)
            yield
            undo.pop_all()
