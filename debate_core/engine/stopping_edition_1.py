"""How records of the first edition told whether a debate still moved: kept so that they are verified as they were held.

Nothing here holds for a debate that is opened now; `stopping` says what does.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

# `we`, `Größe`, `2024`; `rate` and `limit` in `rate-limit`
_WORD = re.compile(r"[^\W_]+")
SAME_WORDS = 0.8
"""The share of a claim's longer words from which on an earlier claim that had them had said it already."""
SHORT = 3
"""Words of so few letters told nothing of a claim; numbers did."""


def was_said(claim: str, earlier: Iterable[str]) -> bool:
    """True if one of these earlier claims has enough of the words of this one."""
    return any(_has_its_words(claim, other) for other in earlier)


def _has_its_words(claim: str, earlier: str) -> bool:
    words = _telling_words(claim)
    return bool(words) and len(words & _telling_words(earlier)) >= SAME_WORDS * len(words)


@lru_cache(maxsize=8192)
def _telling_words(text: str) -> frozenset[str]:
    """Longer words and numbers; of a claim without them every word: no share of nothing could tell it from others."""
    words = frozenset(_WORD.findall(text.casefold()))
    telling = frozenset(word for word in words if len(word) > SHORT or word.isdigit())
    return telling or words
