"""Percentages that always add up to 100: moving one moves the others in proportion. Pure; for the judge's sliders."""

from collections.abc import Sequence


def even(count: int) -> tuple[int, ...]:
    """As equal as whole percents can be; what is left over goes to the first."""
    share, over = divmod(100, count)
    return tuple(share + (i < over) for i in range(count))


def moved(shown: Sequence[int], drawn: Sequence[Sequence[int]]) -> list[int]:
    """Places of `shown` that a hand has moved since the drawing it is nearest to; `drawn` has the newest first.

    A browser that has not yet got the newest drawing sends what an older one showed, and nobody has moved that. `shown`
    may say the percentages several times over, as sliders and then as boxes.
    """
    return min(([i for i, v in enumerate(shown) if v != past[i % len(past)]] for past in drawn), key=len)


def linked(percents: Sequence[int], place: int, value: int) -> tuple[int, ...]:
    """The percentages after the one at `place` was set; each stays at least 1, and the others keep their proportions.

    Whole percents: what rounding leaves over goes to the largest remainders, the first of equal ones.
    """
    others = [i for i in range(len(percents)) if i != place]
    value = max(1, min(100 - len(others), value))
    to_share = 100 - value - len(others)
    weights = {i: percents[i] - 1 for i in others}
    if not any(weights.values()):
        weights = dict.fromkeys(others, 1)
    total = sum(weights.values())
    result = {i: 1 + to_share * weights[i] // total for i in others} | {place: value}
    by_remainder = sorted(others, key=lambda i: -(to_share * weights[i] % total))
    for i in by_remainder[: 100 - sum(result.values())]:
        result[i] += 1
    return tuple(result[i] for i in range(len(percents)))
