"""Signs links and cookies, and reads those signed here.

It knows no invite and no person: a body is signed for one purpose and valid for no other.
"""

import base64
import hmac
from typing import Literal

from debate_core.host.stores import Store

Purpose = Literal["join", "room", "host", "screen", "results"]
"""`join`: a link; `room`: cookie of a person; `host`: cookie of a host; `screen`: link and cookie of a projector."""
MAX_TOKEN_CHARS = 160


class Signer:
    """Signs for one store. `secret` is the key; empty = the store's key, InvalidSpec if it keeps none."""

    def __init__(self, store: Store, secret: str = "") -> None:
        if not secret and not store.keeps_secrets:
            store.secret("links")
        self._store = store
        self._key = secret.encode()

    def sign(self, purpose: Purpose, body: str) -> str:
        """The body with its signature, as `d-1.i-abc.SIGNATURE`."""
        return f"{body}.{self._signature(purpose, body)}"

    def read(self, purpose: Purpose, text: str) -> str | None:
        """The body of a text signed here for this purpose; None for any other text."""
        if not text.isascii() or len(text) > MAX_TOKEN_CHARS:
            return None
        body, _, signature = text.rpartition(".")
        # Compare text, not decoded bytes: base64 has several spellings of the same bytes.
        is_ours = hmac.compare_digest(signature, self._signature(purpose, body))
        return body if is_ours else None

    def _signature(self, purpose: Purpose, body: str) -> str:
        """The first 128 of the 256 bits of HMAC-SHA256, to keep the QR code of a link small."""
        if not self._key:
            self._key = self._store.secret("links").encode()
        digest = hmac.digest(self._key, f"{purpose} {body}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
