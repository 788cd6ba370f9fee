"""Ids that are drawn by lot: nobody guesses the next one, and processes need not ask each other for a free one."""

import secrets

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
"""32 of them, as in RFC 4648, section 6: each is worth 5 bits."""


def random_id(prefix: str, *, length: int = 10) -> str:
    """`prefix`, a hyphen and so many letters, as in `d-k3jx7q2abc`.

    Ten are 50 bits: of a million such ids two are the same once in 2,000 times.
    """
    return f"{prefix}-{''.join(secrets.choice(LETTERS) for _ in range(length))}"
