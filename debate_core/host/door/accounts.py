"""Who logs in with the organisation, as this server knows them: an id drawn by lot, a name and an e-mail address.

A record has the id alone. Who it is stands here, in notes beside the records, and can be forgotten.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.host.stores import Store
from debate_core.record.acts import AccountId
from debate_core.spec.values import Value

_ACCOUNT, _LOGIN = "account", "account_of"
MAX_CHARS = 200


class UserAccount(Value):
    """Somebody who has logged in here. `email` and `name` may be empty: a provider need not tell them."""

    id: AccountId
    name: Annotated[str, Field(max_length=MAX_CHARS)] = ""
    email: Annotated[str, Field(max_length=MAX_CHARS)] = ""

    @property
    def words(self) -> str:
        """How a screen calls them."""
        return self.name or self.email or self.id


class Accounts:
    """The accounts of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, UserAccount] = {}
        """Login -> account: every page asks, and asks for the same few."""

    def of_login(self, claims: Mapping[str, object]) -> UserAccount | None:
        """Whoever the identity provider says this is, kept when they come first. None if it does not say who.

        Issuer and subject name a person for good (OpenID Connect Core, 5.7); an address that was verified does where
        they are missing.
        """
        login = _login(claims)
        if login is None:
            return None
        name, email = (_text(claims, field) for field in ("name", "email"))
        known = self._known.get(login)
        if known is None or (known.name, known.email) != (name, email):
            known = UserAccount(id=self._id_of(login), name=name, email=email)
            self._store.put_note(_ACCOUNT, known.id, known.model_dump_json())
            self._known[login] = known
        return known

    def _id_of(self, login: str) -> str:
        drawn = "u-" + base64.b32encode(secrets.token_bytes(10)).decode().lower()
        self._store.add_note(_LOGIN, login, drawn)
        return self._store.note(_LOGIN, login) or drawn

    def by_id(self, account_id: str) -> UserAccount | None:
        """The account of this id; None if it is of another server, or was forgotten."""
        text = self._store.note(_ACCOUNT, account_id)
        return UserAccount.model_validate_json(text) if text else None

    def by_email(self, email: str) -> UserAccount:
        """The one account with this address, in whatever case. InvalidSpec in one sentence."""
        wanted = email.strip().casefold()
        if not wanted:
            raise InvalidSpec("write the e-mail address of whoever is to own the debate")
        kept = (UserAccount.model_validate_json(text) for text in self._store.notes(_ACCOUNT).values())
        found = [account for account in kept if account.email.casefold() == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidSpec(
                "{n} people log in here as {email}: it must be one", n=len(found), email=email.strip()[:80]
            )
        raise InvalidSpec(
            "nobody has logged in here as {email}: let them log in once, then hand it over", email=email.strip()[:80]
        )


def _login(claims: Mapping[str, object]) -> str | None:
    issuer = _text(claims, "iss")
    subject = _text(claims, "sub")
    if issuer and subject:
        said = f"{issuer}\n{subject}"
    elif claims.get("email_verified") is True and _text(claims, "email"):
        said = f"\n{_text(claims, 'email').casefold()}"
    else:
        return None
    # Of the login the store keeps no more than it needs to find it again.
    return hashlib.sha256(said.encode()).hexdigest()


def _text(claims: Mapping[str, object], field: str) -> str:
    value = claims.get(field)
    return " ".join(value.split())[:MAX_CHARS] if isinstance(value, str) else ""
