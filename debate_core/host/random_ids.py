"""Makes ids: unguessable, and free without coordination between processes."""

import secrets
from uuid import UUID, uuid4

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
"""32 letters as in RFC 4648, section 6: 5 bits each."""


def new_debate_id() -> str:
    """The id of a new debate: a random UUID (version 4)."""
    return str(uuid4())


def debate_id_from(digest: bytes) -> str:
    """The id of a debate that is made again from the same record or question: a UUID of the form of version 4.

    `digest` has at least 16 bytes, which the id repeats except for the six bits that mark the version.
    """
    return str(UUID(bytes=digest[:16], version=4))


def random_id(prefix: str, *, length: int = 10) -> str:
    """`prefix`, a hyphen and `length` letters, as in `i-k3jx7q2abc`.

    Ten letters are 50 bits: a million such ids contain a duplicate with probability 1 in 2,000.
    """
    return f"{prefix}-{''.join(secrets.choice(LETTERS) for _ in range(length))}"
