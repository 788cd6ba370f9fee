"""Share of a debate's prompts that was sent before and that servers cache at a lower price.

Knows neither debates nor servers.
"""

from collections.abc import Sequence


def prefix_share(sent: Sequence[str]) -> float:
    """Return the share of characters after the first call that begin an earlier call too; 0 for one call."""
    repeated = total = 0
    for number, text in enumerate(sent[1:], start=1):
        repeated += max(_common(text, earlier) for earlier in sent[:number])
        total += len(text)
    return repeated / total if total else 0.0


def _common(one: str, other: str) -> int:
    """Length of the longest common prefix."""
    low = 0
    high = min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
