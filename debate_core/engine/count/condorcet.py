"""Rules that look at every pair of options: Copeland, minimax, Schulze (beat path), ranked pairs.

All by margins. Whoever beats every other option wins under each of them; a tie is a set, never broken by order.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm

from debate_core.engine.count.profile import Points, Profile, best, margins
from debate_core.errors import InvalidSpec

MAX_WORLDS = 2_000
"""Ranked pairs looks at every order of equal margins; beyond this many it gives up rather than break a tie."""

_TOO_MANY = f"ranked pairs: equal margins can be ordered in more than {MAX_WORLDS:,} ways: take schulze or minimax"


class TooManyTies(InvalidSpec):
    """A rule that looks at every way to order what is level has too many to look at in reasonable time."""


def condorcet_winner(profile: Profile) -> str | None:
    """The option that a majority of those who distinguish puts above each other one."""
    pairs = margins(profile)
    beats_all = (a for a in profile.options if all(pairs[a, b] > 0 for b in profile.options if b != a))
    return next(beats_all, None)


def copeland(profile: Profile) -> tuple[tuple[str, ...], Points]:
    """Most pairs won; a level pair is half a win for both (Copeland 1951)."""
    pairs = margins(profile)
    points = {a: sum((_won(pairs[a, b]) for b in profile.options if b != a), Fraction(0)) for a in profile.options}
    return best(points), points


def _won(margin: Fraction) -> Fraction:
    return Fraction(1) if margin > 0 else Fraction(1, 2) if margin == 0 else Fraction(0)


def minimax(profile: Profile) -> tuple[tuple[str, ...], Points]:
    """The smallest worst defeat (Simpson 1969, Kramer 1977); points are the worst margins."""
    pairs = margins(profile)
    points = {a: min((pairs[a, b] for b in profile.options if b != a), default=Fraction(0)) for a in profile.options}
    return best(points), points


def schulze(profile: Profile) -> tuple[tuple[str, ...], Points]:
    """Nobody has a stronger beat path to the winner than back (Schulze 2011); points are pairs not lost so."""
    pairs, options = margins(profile), profile.options
    unit = lcm(*(m.denominator for m in pairs.values()))
    path = {a: [max(int(pairs[a, b] * unit), 0) if a != b else 0 for b in options] for a in options}
    for at, middle in enumerate(options):
        onward = path[middle]
        for a in options:
            if (there := path[a][at]) and a != middle:
                path[a] = [
                    way if way >= there or way >= on else on if on < there else there
                    for way, on in zip(path[a], onward, strict=True)
                ]
    back = dict(zip(options, zip(*path.values(), strict=True), strict=True))
    points = {a: Fraction(sum(out >= home for out, home in zip(path[a], back[a], strict=True)) - 1) for a in options}
    winners = tuple(sorted(a for a in options if points[a] == len(options) - 1))
    return winners, points


def ranked_pairs(profile: Profile) -> tuple[tuple[str, ...], Points]:
    """Lock in majorities from the largest margin on, but for those that would close a circle (Tideman 1987).

    Margins that are equal are tried in every order: whoever wins in one of them is among the winners. TooManyTies
    if there are more than MAX_WORLDS ways.
    """
    pairs = margins(profile)
    options = tuple(sorted(profile.options))
    wins = sorted(((m, a, b) for (a, b), m in pairs.items() if m > 0), key=lambda w: (-w[0], w[1], w[2]))
    worlds: set[frozenset[tuple[str, str]]] = {frozenset()}
    for _, group in groupby(wins, key=lambda w: w[0]):
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
    found: set[frozenset[tuple[str, str]]] = set()
    todo, seen = [locked], {locked}
    while todo:
        now = todo.pop()
        above = _reach(options, now)
        more = [(a, b) for a, b in open_pairs if (a, b) not in now and not above(b, a)]
        if not more:
            found.add(now)
        for pair in more:
            after = now | {pair}
            if after not in seen:
                seen.add(after)
                todo.append(after)
        if len(seen) > MAX_WORLDS:
            raise TooManyTies(_TOO_MANY)
    return found


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
