"""Condorcet rules: Copeland, minimax, Schulze (beat path) and ranked pairs.

All use margins. A Condorcet winner wins under each of them. A tie is a set; order never breaks it.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm

from debate_core.engine.count.profile import Pairs, PointsByOption, Profile, best, margins
from debate_core.errors import InvalidSpec

MAX_WORLDS = 2_000
"""Limit on the orders of equal margins that ranked pairs examines; beyond it, it refuses rather than break a tie."""

Locked = frozenset[tuple[str, str]]
"""Locked pairs: the first option of each is above the second."""
_TOO_MANY = f"ranked pairs: equal margins can be ordered in more than {MAX_WORLDS:,} ways: take schulze or minimax"


class TooManyTies(InvalidSpec):
    """A rule would have to examine too many orders of ties."""


def copeland(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """Copeland 1951: most pairwise wins; a pairwise tie is half a win for both."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for (option, _), margin in margins(profile).items():
        points[option] += Fraction(1, 2) if margin == 0 else Fraction(margin > 0)
    return best(points), points


def minimax(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """Simpson 1969, Kramer 1977: smallest worst defeat; points are the worst margins."""
    pairs = margins(profile)
    points = {}
    for option in profile.options:
        against_others = [pairs[option, other] for other in profile.options if other != option]
        points[option] = min(against_others, default=Fraction(0))
    return best(points), points


def schulze(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """Schulze 2011: no option has a stronger beat path to the winner than back; points: pairs won or tied by paths."""
    options = profile.options
    path = _strongest_paths(profile)
    back = dict(zip(options, zip(*path.values(), strict=True), strict=True))
    points = {}
    for option in options:
        not_lost = sum(out >= home for out, home in zip(path[option], back[option], strict=True))
        points[option] = Fraction(not_lost - 1)  # An option does not lose to itself, which is no pair.
    winners = tuple(sorted(a for a in options if points[a] == len(options) - 1))
    return winners, points


def _strongest_paths(profile: Profile) -> dict[str, list[int]]:
    """Option -> strength of the strongest path to each option, in whole units: the weakest margin on that path."""
    pairs = margins(profile)
    options = profile.options
    unit = lcm(*(margin.denominator for margin in pairs.values()))
    path = {}
    for a in options:
        in_units = [int(pairs.get((a, b), 0) * unit) for b in options]
        path[a] = [max(units, 0) for units in in_units]
    for at, middle in enumerate(options):
        for ways in path.values():
            if ways[at]:
                _take_detours(ways, ways[at], path[middle])
    return path


def _take_detours(ways: list[int], there: int, onward: Sequence[int]) -> None:
    """Replace paths by stronger ones through a middle option; such a path is as strong as its weaker half."""
    for to, way in enumerate(ways):
        # Two comparisons, and `min` only where both hold: faster than `max` and `min` for every path.
        if way < there and way < onward[to]:
            ways[to] = min(there, onward[to])


def ranked_pairs(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """Tideman 1987: lock in majorities from the largest margin down, except those that would close a cycle.

    Equal margins are tried in every order; every option that wins in one of them is a winner. Raises TooManyTies
    beyond MAX_WORLDS orders.
    """
    options = tuple(sorted(profile.options))
    points = dict.fromkeys(options, Fraction(0))
    for locked in _worlds(options, margins(profile)):
        for option in _sources(options, locked):
            points[option] += 1
    return tuple(o for o in options if points[o]), points


def _worlds(options: Sequence[str], pairs: Pairs) -> set[Locked]:
    """Every possible result of locking in all majorities."""
    wins = sorted((-margin, a, b) for (a, b), margin in pairs.items() if margin > 0)
    worlds: set[Locked] = {frozenset()}
    for _, group in groupby(wins, key=lambda win: win[0]):
        equal = [(a, b) for _, a, b in group]
        worlds = {after for locked in worlds for after in _locked(options, locked, equal)}
        if len(worlds) > MAX_WORLDS:
            raise TooManyTies(_TOO_MANY)
    return worlds


def smith_set(profile: Profile) -> tuple[str, ...]:
    """The Smith set: the smallest set whose members beat everyone outside. Every Condorcet rule here elects from it."""
    pairs = margins(profile)
    inside = set(copeland(profile)[0])
    outside = set(profile.options) - inside
    while unbeaten := {a for a in outside if any(pairs[a, b] >= 0 for b in inside)}:
        inside |= unbeaten
        outside -= unbeaten
    return tuple(sorted(inside))


def _locked(options: Sequence[str], locked: Locked, equal: Sequence[tuple[str, str]]) -> set[Locked]:
    """Every result of locking in these equal pairs in some order: the maximal sets without a cycle."""
    open_pairs = _lockable(options, locked, equal)
    above = _reach(options, locked.union(open_pairs))
    if not any(above(o, o) for o in options):
        return {locked.union(open_pairs)}
    ends = set[Locked]()
    visited = {locked}
    todo = [locked]
    while todo:
        now = todo.pop()
        more = _lockable(options, now, open_pairs)
        if not more:
            ends.add(now)
        after = {now | {pair} for pair in more} - visited
        visited |= after
        todo += after
        if len(visited) > MAX_WORLDS:
            raise TooManyTies(_TOO_MANY)
    return ends


def _lockable(options: Sequence[str], locked: Locked, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs that are not locked in yet and would not close a cycle on their own."""
    above = _reach(options, locked)
    return [(a, b) for a, b in pairs if (a, b) not in locked and not above(b, a)]


def _reach(options: Sequence[str], edges: Iterable[tuple[str, str]]) -> Callable[[str, str], bool]:
    """(a, b) -> True if b is below a along the edges."""
    place = {o: n for n, o in enumerate(options)}
    below = [0] * len(place)  # One bit per option: ten times faster than sets.
    for a, b in edges:
        below[place[a]] |= 1 << place[b]
    for middle in range(len(below)):
        for n, bits in enumerate(below):
            if bits >> middle & 1:
                below[n] |= below[middle]
    return lambda a, b: bool(below[place[a]] >> place[b] & 1)


def _sources(options: Iterable[str], edges: Iterable[tuple[str, str]]) -> list[str]:
    beaten = {b for _, b in edges}
    return [o for o in options if o not in beaten]
