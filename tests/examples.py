"""How many examples a property test looks at: a number for the short run, of which other runs take their share."""

from hypothesis import settings

SHORT = 100
"""What a test without a number of its own looks at in the short run; `tests/conftest.py` has the other runs."""


def examples(number: int) -> settings:
    """As many in the short run, a tenth in the quick one but not fewer than ten of them, ten times as many at night."""
    share = number * settings().max_examples // SHORT
    return settings(max_examples=max(share, min(number, SHORT // 10)))
