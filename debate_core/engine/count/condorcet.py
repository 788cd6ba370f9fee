"""Rules that look at every pair of options: Copeland, minimax, Schulze (beat path), ranked pairs.

All by margins. Whoever beats every other option wins under each of them; a tie is a set, never broken by order.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm

from debate_core.engine.count.profile import PointsByOption, Profile, best, margins
from debate_core.errors import InvalidSpec

MAX_WORLDS = 2_000
"""Ranked pairs looks at every order of equal margins; beyond this many it gives up rather than break a tie."""

_TOO_MANY = f"ranked pairs: equal margins can be ordered in more than {MAX_WORLDS:,} ways: take schulze or minimax"


class TooManyTies(InvalidSpec):
    """A rule that looks at every way to order what is level has too many to look at in reasonable time."""


def copeland(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """Most pairs won; a level pair is half a win for both (Copeland 1951)."""
    pairs = margins(profile)
    points = {a: sum((_won(pairs[a, b]) for b in profile.options if b != a), Fraction(0)) for a in profile.options}
    return best(points), points


def _won(margin: Fraction) -> Fraction:
    return Fraction(1) if margin > 0 else Fraction(1, 2) if margin == 0 else Fraction(0)


def minimax(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """The smallest worst defeat (Simpson 1969, Kramer 1977); points are the worst margins."""
    pairs = margins(profile)
    points = {a: min((pairs[a, b] for b in profile.options if b != a), default=Fraction(0)) for a in profile.options}
    return best(points), points


def schulze(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """Nobody has a stronger beat path to the winner than back (Schulze 2011); points are pairs not lost so."""
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
    """Option -> how strong the strongest way to each other one is, in whole units: the weakest margin on that way."""
    pairs, options = margins(profile), profile.options
    unit = lcm(*(margin.denominator for margin in pairs.values()))
    path = {a: [max(int(pairs.get((a, b), 0) * unit), 0) for b in options] for a in options}
    for at, middle in enumerate(options):
        onward = path[middle]
        for a in options:
            there = path[a][at]
            if there:
                # The larger of `way` and the smaller of `there` and `on`, without calls: three times as fast.
                path[a] = [
                    way if way >= there or way >= on else on if on < there else there
                    for way, on in zip(path[a], onward, strict=True)
                ]
    return path


def ranked_pairs(profile: Profile) -> tuple[tuple[str, ...], PointsByOption]:
    """Lock in majorities from the largest margin on, but for those that would close a circle (Tideman 1987).

    Margins that are equal are tried in every order: whoever wins in one of them is among the winners. TooManyTies
    if there are more than MAX_WORLDS ways.
    """
    pairs = margins(profile)
    options = tuple(sorted(profile.options))
    wins = sorted((-margin, a, b) for (a, b), margin in pairs.items() if margin > 0)
    worlds: set[frozenset[tuple[str, str]]] = {frozenset()}
    for _, group in groupby(wins, key=lambda win: win[0]):
        equal = [(a, b) for _, a, b in group]
        worlds = {after for locked in worlds for after in _locked(options, locked, equal)}
        if len(worlds) > MAX_WORLDS:
            raise TooManyTies(_TOO_MANY)
    points = dict.fromkeys(options, Fraction(0))
    for locked in worlds:
        for option in _sources(options, locked):
            points[option] += 1
    return tuple(o for o in options if points[o]), points


def smith_set(profile: Profile) -> tuple[str, ...]:
    """The smallest set whose members beat everybody outside it; every rule of pairs here elects out of it."""
    pairs = margins(profile)
    inside = set(copeland(profile)[0])
    while more := {a for a in profile.options if a not in inside and any(pairs[a, b] >= 0 for b in inside)}:
        inside |= more
    return tuple(sorted(inside))


def _locked(
    options: Sequence[str], locked: frozenset[tuple[str, str]], equal: Sequence[tuple[str, str]]
) -> set[frozenset[tuple[str, str]]]:
    """Everything that locking these equal pairs in some order can lead to: the largest sets without a circle."""
    above = _reach(options, locked)
    open_pairs = [(a, b) for a, b in equal if not above(b, a)]
    if not _has_circle(options, locked.union(open_pairs)):
        return {locked.union(open_pairs)}
    ends: set[frozenset[tuple[str, str]]] = set()
    todo, visited = [locked], {locked}
    while todo:
        now = todo.pop()
        above = _reach(options, now)
        more = [(a, b) for a, b in open_pairs if (a, b) not in now and not above(b, a)]
        if not more:
            ends.add(now)
        after = {now | {pair} for pair in more} - visited
        visited |= after
        todo += after
        if len(visited) > MAX_WORLDS:
            raise TooManyTies(_TOO_MANY)
    return ends


def _reach(options: Sequence[str], edges: Iterable[tuple[str, str]]) -> Callable[[str, str], bool]:
    """(a, b) -> whether b is below a along the edges."""
    place = {o: n for n, o in enumerate(options)}
    below = [0] * len(place)  # One bit for each option: ten times faster than sets.
    for a, b in edges:
        below[place[a]] |= 1 << place[b]
    for middle in range(len(below)):
        for n, bits in enumerate(below):
            if bits >> middle & 1:
                below[n] |= below[middle]
    return lambda a, b: bool(below[place[a]] >> place[b] & 1)


def _has_circle(options: Sequence[str], edges: Iterable[tuple[str, str]]) -> bool:
    above = _reach(options, edges)
    return any(above(o, o) for o in options)


def _sources(options: Iterable[str], edges: Iterable[tuple[str, str]]) -> list[str]:
    beaten = {b for _, b in edges}
    return [o for o in options if o not in beaten]
