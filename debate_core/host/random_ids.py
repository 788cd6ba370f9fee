"""Makes random ids: unguessable, and free without coordination between processes."""

import secrets

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
"""32 letters as in RFC 4648, section 6: 5 bits each."""


def random_id(prefix: str, *, length: int = 10) -> str:
    """`prefix`, a hyphen and `length` letters, as in `d-k3jx7q2abc`.

    Ten letters are 50 bits: a million such ids contain a duplicate with probability 1 in 2,000.
    """
    return f"{prefix}-{''.join(secrets.choice(LETTERS) for _ in range(length))}"
