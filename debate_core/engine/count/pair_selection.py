"""Selection of the next pairs to compare: those with the most informative comparisons.

Swiss pairing: neighbours in the current ranking, least-met pairs first. If only the best few are wanted, comparisons
concentrate on the items around that border once every item has met a few others. Pure arithmetic on names; lots are
drawn from the seed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import log

from debate_core.engine.count.bradley_terry import Contest, bradley_terry, own_errors

Pair = tuple[str, str]
"""Two items in display order."""
NEIGHBOURS = 8
"""Number of neighbours in the ranking among which an opponent is chosen."""
RIVALS = 3
"""The same for items at the border."""
FIRST_SWISS = 3
"""Comparisons per item before border comparisons begin."""


def next_pairs(items: Sequence[str], contests: Sequence[Contest], *, top: int | None, seed: str) -> tuple[Pair, ...]:
    """The next wave, half as many pairs as items. `top`: how many of the best are wanted, None = a full ranking."""
    fit = bradley_terry(contests)
    # Rounded to nine digits, so that floating-point differences between machines change no pair.
    strengths = {item: float(f"{fit.strengths.get(item, 1.0):.9g}") for item in items}
    met = Counter(frozenset((first, second)) for first, second, _ in contests)
    size = len(items) // 2
    if top is None or top >= len(items) or len(contests) < FIRST_SWISS * len(items):
        pairs = _paired(_ranked(items, strengths, seed), met, NEIGHBOURS)
        return tuple(_shown(pair, seed) for pair in pairs)[:size]
    return _pairs_of(_at_border(strengths, contests, top), strengths, met, size, seed)


def _pairs_of(
    rivals: Sequence[str], strengths: Mapping[str, float], met: Counter[frozenset[str]], size: int, seed: str
) -> tuple[Pair, ...]:
    """`size` pairs of these few items, which meet repeatedly."""
    wave: list[Pair] = []
    while len(wave) < size:
        ranked = _ranked(rivals, strengths, f"{seed}:{len(wave)}")
        for pair in _paired(ranked, met, RIVALS):
            met[frozenset(pair)] += 1
            wave.append(_shown(pair, f"{seed}:{len(wave)}"))
    return tuple(wave[:size])


def _ranked(items: Iterable[str], strengths: Mapping[str, float], seed: str) -> list[str]:
    """Strongest first; a lot orders equal ones."""
    return sorted(items, key=lambda item: (-strengths[item], _lot(seed, item)))


def _at_border(strengths: Mapping[str, float], contests: Sequence[Contest], top: int) -> list[str]:
    """Items whose side of the border is least certain: twice as many as are wanted, at least four."""
    ranked = sorted(strengths, key=lambda item: (-strengths[item], item))
    border = log(strengths[ranked[top - 1]] * strengths[ranked[top]]) / 2
    errors = own_errors(contests, strengths)
    by_doubt = sorted(ranked, key=lambda item: (abs(log(strengths[item]) - border) / errors[item], item))
    return by_doubt[: max(4, 2 * top)]


def _paired(order: Sequence[str], met: Counter[frozenset[str]], neighbours: int) -> Iterator[Pair]:
    """Pair each item with the neighbour below it that it met least; with an odd number the most-met item rests."""
    free = list(order)
    if len(free) % 2:
        times = Counter(item for pair in met.elements() for item in pair)
        free.remove(max(free, key=lambda item: times[item]))
    while len(free) > 1:
        item = free.pop(0)
        beside = free[:neighbours]
        yield item, free.pop(min(range(len(beside)), key=lambda at: met[frozenset((item, beside[at]))]))


def _shown(pair: Pair, seed: str) -> Pair:
    """The pair in a random order, since judges favour a position."""
    first, second = sorted(pair)
    return (first, second) if _lot(seed, first, second)[0] % 2 else (second, first)


def _lot(*words: str) -> bytes:
    return sha256("\0".join(words).encode()).digest()
