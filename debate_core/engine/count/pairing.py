"""Which two items are compared next: those about which a comparison says most.

Swiss pairing: neighbours in the ranking so far, those first that met least. Where only the best few are looked for,
comparisons go to the items at the border between them and the rest, once every item has met a few others. Pure
arithmetic on names; whatever is drawn by lot follows from the seed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import log

from debate_core.engine.count.strengths import Contest, bradley_terry, own_errors

Pair = tuple[str, str]
"""Two items, in the order in which they are shown."""
NEIGHBOURS = 8
"""An opponent is looked for among so many neighbours in the ranking."""
RIVALS = 3
"""The same, at the border."""
FIRST_SWISS = 3
"""Comparisons an item before those at the border begin."""


def next_pairs(items: Sequence[str], contests: Sequence[Contest], *, top: int | None, seed: str) -> tuple[Pair, ...]:
    """The next wave, half as many pairs as there are items; `top`: how many are looked for, None = a whole ranking."""
    fit = bradley_terry(contests)
    # To nine digits, so that what differs in the last bit between two machines changes no pair.
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
    """So many pairs of these few items, which meet again and again."""
    wave: list[Pair] = []
    while len(wave) < size:
        ranked = _ranked(rivals, strengths, f"{seed}:{len(wave)}")
        for pair in _paired(ranked, met, RIVALS):
            met[frozenset(pair)] += 1
            wave.append(_shown(pair, f"{seed}:{len(wave)}"))
    return tuple(wave[:size])


def _ranked(items: Iterable[str], strengths: Mapping[str, float], seed: str) -> list[str]:
    """The strongest first, level ones by lot."""
    return sorted(items, key=lambda item: (-strengths[item], _lot(seed, item)))


def _at_border(strengths: Mapping[str, float], contests: Sequence[Contest], top: int) -> list[str]:
    """Twice as many as are looked for, at least four: of which it is least sure on which side they stand."""
    ranked = sorted(strengths, key=lambda item: (-strengths[item], item))
    border = log(strengths[ranked[top - 1]] * strengths[ranked[top]]) / 2
    errors = own_errors(contests, strengths)
    by_doubt = sorted(ranked, key=lambda item: (abs(log(strengths[item]) - border) / errors[item], item))
    return by_doubt[: max(4, 2 * top)]


def _paired(order: Sequence[str], met: Counter[frozenset[str]], neighbours: int) -> Iterator[Pair]:
    """Each item once, with the neighbour below it that it met least; of an odd number, who met most is left out."""
    free = list(order)
    if len(free) % 2:
        times = Counter(item for pair in met.elements() for item in pair)
        free.remove(max(free, key=lambda item: times[item]))
    while len(free) > 1:
        item = free.pop(0)
        beside = free[:neighbours]
        yield item, free.pop(min(range(len(beside)), key=lambda at: met[frozenset((item, beside[at]))]))


def _shown(pair: Pair, seed: str) -> Pair:
    """The pair in an order drawn by lot: whoever compares favours a place."""
    first, second = sorted(pair)
    return (first, second) if _lot(seed, first, second)[0] % 2 else (second, first)


def _lot(*words: str) -> bytes:
    return sha256("\0".join(words).encode()).digest()
