"""Accounts of people who log in with their organisation: a random id, a name and an e-mail address.

A record has only the id. Name and address are notes beside the records and can be deleted.
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
    """A person who has logged in here. `email` and `name` may be empty if the provider omits them."""

    id: AccountId
    name: Annotated[str, Field(max_length=MAX_CHARS)] = ""
    email: Annotated[str, Field(max_length=MAX_CHARS)] = ""

    @property
    def words(self) -> str:
        """The name on screens."""
        return self.name or self.email or self.id


class Accounts:
    """The accounts of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, UserAccount] = {}
        """Cache of accounts by login: every page asks."""

    def of_login(self, claims: Mapping[str, object]) -> UserAccount | None:
        """The account for a login, created on the first one. None if the provider names no person.

        Issuer and subject identify a person permanently (OpenID Connect Core, 5.7); a verified address is the fallback.
        """
        login = _hash_login(claims)
        if login is None:
            return None
        name, email = (_read_claim(claims, field) for field in ("name", "email"))
        known = self._known.get(login)
        if known is None or (known.name, known.email) != (name, email):
            random_id = "u-" + base64.b32encode(secrets.token_bytes(10)).decode().lower()
            self._store.add_note(_LOGIN, login, random_id)
            known = UserAccount(id=self._store.note(_LOGIN, login) or random_id, name=name, email=email)
            self._store.put_note(_ACCOUNT, known.id, known.model_dump_json())
            self._known[login] = known
        return known

    def by_id(self, account_id: str) -> UserAccount | None:
        """The account with this id; None if it is of another server, or was deleted."""
        text = self._store.note(_ACCOUNT, account_id)
        return UserAccount.model_validate_json(text) if text else None

    def by_email(self, email: str) -> UserAccount:
        """The only account with this address, in any case. InvalidSpec in one sentence."""
        wanted = email.strip().casefold()
        if not wanted:
            raise InvalidSpec("write the e-mail address of the new owner")
        kept = (UserAccount.model_validate_json(text) for text in self._store.notes(_ACCOUNT).values())
        found = [account for account in kept if account.email.casefold() == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidSpec(
                "{n} people log in here as {email}: it must be one", n=len(found), email=email.strip()[:80]
            )
        raise InvalidSpec(
            "no one has logged in here as {email}: ask this person to log in once, then hand it over",
            email=email.strip()[:80],
        )


def _hash_login(claims: Mapping[str, object]) -> str | None:
    issuer = _read_claim(claims, "iss")
    subject = _read_claim(claims, "sub")
    if issuer and subject:
        said = f"{issuer}\n{subject}"
    elif claims.get("email_verified") is True and _read_claim(claims, "email"):
        said = f"\n{_read_claim(claims, 'email').casefold()}"
    else:
        return None
    # The store keeps only a hash of the login, which is enough to find it.
    return hashlib.sha256(said.encode()).hexdigest()


def _read_claim(claims: Mapping[str, object], field: str) -> str:
    value = claims.get(field)
    return " ".join(value.split())[:MAX_CHARS] if isinstance(value, str) else ""
