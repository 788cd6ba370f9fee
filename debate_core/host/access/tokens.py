"""Tokens that let programs read debates: made, listed and revoked by hosts. They are notes beside the records.

A token reads what its maker may read, or less. The store keeps its hash, so that its text is seen only once. It looks
like `drt_`, ten characters of its id, 32 random ones, and a checksum, by which scanners find it in files.
"""

import hashlib
import hmac
import re
import secrets
import string
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal, get_args

from pydantic import Field

from debate_core.errors import InvalidSpec, NotAllowed, StoreError
from debate_core.host.access.accounts import Accounts
from debate_core.host.access.rate_limit import RateLimit, TokenRequests
from debate_core.host.access.reading import Looker
from debate_core.host.random_ids import random_id
from debate_core.host.stores import Store
from debate_core.names import visible_name
from debate_core.record.events import utc_text
from debate_core.sentence import Sentence
from debate_core.spec.values import Value

TokenScope = Literal["read", "ask"]
"""`read`: the read API. `ask`: the MCP endpoint, which takes questions of programs and reads decisions."""
SCOPES: tuple[TokenScope, ...] = get_args(TokenScope)
PREFIX = "drt_"
_LETTERS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_SECRET_CHARS = 32
"""190 bits."""
_CHECKSUM_CHARS = 6
"""Enough for the 32 bits of CRC-32 in base 62."""
# drt_k3jx7q2abc, 32 letters and digits, 6 more
_SHAPE = re.compile(rf"{PREFIX}([a-z2-7]{{10}})[0-9A-Za-z]{{{_SECRET_CHARS}}}[0-9A-Za-z]{{{_CHECKSUM_CHARS}}}")
USUAL_DAYS = 90
MAX_DAYS = 366
MAX_NAME_CHARS = 80
MAX_TOKENS = 50
"""Of one maker."""
MAX_DEBATES = 50
USE_KEPT_EVERY = timedelta(minutes=1)
"""The store is not written at every request."""
_TOKEN, _USED = "token", "token-used"

WRONG = Sentence("This token is not valid here: it is incomplete, was revoked, or was made for another server.")
EXPIRED = Sentence("This token has expired: make a new one on the page of access tokens.")
MANY_WRONG = Sentence(
    "Many wrong tokens have come from this address within a minute: wait a minute. A right one is accepted at any time."
)


class ApiToken(Value):
    """A token as the store keeps it."""

    id: Annotated[str, Field(pattern=r"^t-[a-z2-7]{10}$")]
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)]
    scopes: Annotated[tuple[TokenScope, ...], Field(min_length=1)]
    debates: Annotated[tuple[str, ...], Field(max_length=MAX_DEBATES)] = ()
    """The only debates that it reads; () = all that its maker may read."""
    owner: str = ""
    """The account of its maker; empty = a host without a login."""
    standing: Literal["machine", "host"]
    """The standing of its maker with the server."""
    of_code: str = ""
    """The mark of the host code that made its maker a host; empty for others."""
    made_at: str
    expires_at: str
    hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of its text."""

    @property
    def looker(self) -> Looker:
        """Its maker, as a reader."""
        return Looker(self.standing, self.owner)

    @property
    def last_day(self) -> date:
        """The last day on which it is valid (UTC)."""
        return datetime.fromisoformat(self.expires_at).date() - timedelta(days=1)


class ListedToken(Value):
    """A token in a list. `used_at`: its last use, kept once a minute; empty = never."""

    token: ApiToken
    used_at: str = ""
    expired: bool = False


class Tokens:
    """The tokens of one store. `requests` limits the requests with each.

    `of_code` is the mark of the present host code.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime],
        of_code: str = "",
        rate_limit: RateLimit | None = None,
    ) -> None:
        self._store = store
        self._accounts = Accounts(store)
        self._of_code = of_code
        self._rate_limit = rate_limit or RateLimit(clock)
        self._clock = clock
        self.requests = TokenRequests(clock)
        self._used: dict[str, datetime] = {}
        """Token id -> the use that was kept last."""

    @staticmethod
    def are_in(text: str) -> bool:
        """True if a text contains what looks like a token."""
        return _SHAPE.search(text) is not None

    def exist(self) -> bool:
        """True if there is any token, also an expired one."""
        return bool(self._store.notes(_TOKEN))

    def make(
        self,
        name: str,
        maker: Looker,
        *,
        until: date,
        scopes: Sequence[TokenScope] = ("read",),
        debates: Sequence[str] = (),
    ) -> tuple[ApiToken, str]:
        """Make a token, valid to the end of the day `until` (UTC); returns it and its text, which is not kept.

        InvalidSpec for a missing name, a date in the past or too far away, or too many tokens; NotAllowed for a
        stranger. The caller checks that the maker may read `debates`.
        """
        if maker.standing == "stranger":
            raise NotAllowed("only hosts make tokens: enter the host code of this server or log in")
        maker = _as_maker(maker)
        self._refuse_unfit(name, maker, until, debates)
        id_letters = random_id("t")[2:]
        body = PREFIX + id_letters + "".join(secrets.choice(_LETTERS) for _ in range(_SECRET_CHARS))
        text = body + _checksum(body)
        standing: Literal["machine", "host"] = "machine" if maker.standing == "machine" else "host"
        is_by_code = standing == "host" and not maker.account
        token = ApiToken(
            id=f"t-{id_letters}",
            name=visible_name(name),
            scopes=tuple(scopes),
            debates=tuple(debates),
            owner=maker.account,
            standing=standing,
            of_code=self._of_code if is_by_code else "",
            made_at=utc_text(self._clock()),
            expires_at=utc_text(datetime.combine(until + timedelta(days=1), time(), UTC)),
            hash=_hash(text),
        )
        self._store.put_note(_TOKEN, token.id, token.model_dump_json())
        return token, text

    def _refuse_unfit(self, name: str, maker: Looker, until: date, debates: Sequence[str]) -> None:
        today = self._clock().date()
        shown_name = visible_name(name)
        if not shown_name or len(shown_name) > MAX_NAME_CHARS:
            raise InvalidSpec("a token needs a name of 1 to {most} characters", most=MAX_NAME_CHARS)
        if not today <= until <= today + timedelta(days=MAX_DAYS):
            raise InvalidSpec(
                "a token is valid until a day from {first} to {last}, not {until}",
                first=today,
                last=today + timedelta(days=MAX_DAYS),
                until=until,
            )
        if len(debates) > MAX_DEBATES:
            raise InvalidSpec("a token names at most {most} debates, or none for all", most=MAX_DEBATES)
        if sum(listed.token.looker == maker for listed in self.of(maker)) >= MAX_TOKENS:
            raise InvalidSpec("there are {most} tokens already: revoke one first", most=MAX_TOKENS)

    def find(self, text: str, *, address: str) -> ApiToken:
        """The valid token with this text. NotAllowed for any other text; counted against `address`."""
        shape = _SHAPE.fullmatch(text)
        is_whole = shape is not None and text.endswith(_checksum(text[:-_CHECKSUM_CHARS]))
        token = self._by_id(f"t-{shape[1]}") if shape is not None and is_whole else None
        is_right = hmac.compare_digest(_hash(text), token.hash if token else "")
        if token is None or not is_right or not self._has_maker(token):
            raise self._rate_limit.wrong_try(f"token at {address}", WRONG, too_often=MANY_WRONG)
        if self._is_expired(token):
            raise self._rate_limit.wrong_try(f"token {token.id}", EXPIRED, too_often=MANY_WRONG)
        self._keep_use(token)
        return token

    def is_valid(self, token: ApiToken) -> bool:
        """True if this token was neither revoked nor has expired, according to the store."""
        return self._by_id(token.id) == token and self._has_maker(token) and not self._is_expired(token)

    def of(self, looker: Looker) -> tuple[ListedToken, ...]:
        """The tokens that this person may revoke, latest first: the own ones; for the operator all."""
        texts = self._store.notes(_TOKEN).values()
        found = [ApiToken.model_validate_json(text) for text in texts]
        used = self._store.notes(_USED)
        maker = _as_maker(looker)
        mine = [token for token in found if maker.is_operator or token.looker == maker]
        mine.sort(key=lambda token: token.made_at, reverse=True)
        return tuple(
            ListedToken(token=token, used_at=used.get(token.id, ""), expired=self._is_expired(token)) for token in mine
        )

    def revoke(self, token_id: str, looker: Looker) -> ApiToken:
        """Delete a token, which is void at once; returns it. InvalidSpec if this person has none with this id."""
        token = next((listed.token for listed in self.of(looker) if listed.token.id == token_id), None)
        if token is None:
            raise InvalidSpec("there is no token {id!r} here, or it is of someone else", id=token_id[:40])
        self._store.drop_note(_TOKEN, token.id)
        self._store.drop_note(_USED, token.id)
        return token

    def _by_id(self, token_id: str) -> ApiToken | None:
        text = self._store.note(_TOKEN, token_id)
        return ApiToken.model_validate_json(text) if text else None

    def _has_maker(self, token: ApiToken) -> bool:
        """False after the account of its maker was deleted, or the host code changed."""
        if token.owner:
            return self._accounts.by_id(token.owner) is not None
        return token.standing == "machine" or token.of_code == self._of_code

    def _is_expired(self, token: ApiToken) -> bool:
        return utc_text(self._clock()) >= token.expires_at

    def _keep_use(self, token: ApiToken) -> None:
        now = self._clock()
        kept = self._used.get(token.id)
        if kept is not None and now - kept < USE_KEPT_EVERY:
            return
        self._used[token.id] = now
        # A full disk must not stop readers.
        with suppress(StoreError):
            self._store.put_note(_USED, token.id, utc_text(now))


def _as_maker(looker: Looker) -> Looker:
    """This person; an account is the same at the machine and elsewhere."""
    return Looker("host", looker.account) if looker.account else looker


def _hash(text: str) -> str:
    # A random text of 190 bits needs no slow hash.
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _checksum(body: str) -> str:
    """CRC-32 in base 62, six characters."""
    number = zlib.crc32(body.encode("utf-8", "surrogateescape"))
    letters = ""
    for _ in range(_CHECKSUM_CHARS):
        number, letter = divmod(number, len(_LETTERS))
        letters = _LETTERS[letter] + letters
    return letters
