"""Number of examples of a property test: a number for the short run, scaled for other runs."""

from hypothesis import settings

SHORT = 100
"""Number of examples of a test without its own number, in the short run; `tests/conftest.py` has the other runs."""


def examples(number: int) -> settings:
    """Scale the number: all in the short run, a tenth (at least ten) in the quick one, ten times as many at night."""
    share = number * settings().max_examples // SHORT
    return settings(max_examples=max(share, min(number, SHORT // 10)))
