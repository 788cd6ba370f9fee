"""Margin of victory: closed form where possible, otherwise a bounded exact search.

Knows ballots and rules, no debate and no poll.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, assert_never

from debate_core.engine.count.ballots import CONSENT, DOTS, OBJECTION, BallotCounted
from debate_core.spec.rules import BEST_SCORE, CountedRule, Elected, Majority, most_points, votes_needed
from debate_core.spec.values import BallotKind, Given

if TYPE_CHECKING:
    from debate_core.engine.count.count import Count

MAX_COUNTS = 1_500
"""Limit on the counts of each half of a search."""
FEW_COUNTS = 300
"""The same for weighted criteria, where a count takes longer."""
Paper = tuple[str | None, tuple[Given, ...]]
"""The content of a ballot: its choice, or its points."""
NOTHING: Paper = (None, ())


@dataclass(frozen=True, slots=True)
class Flip:
    """The fewest ballots that have to change for another result.

    `ballots` None: none found. `exact` False: not every change of fewer ballots was examined, so fewer may suffice.
    `tried` ballots do not suffice, if `ballots` is None or not exact.
    """

    ballots: int | None
    exact: bool
    tried: int


def fewest(count: "Count", *, counts: int = MAX_COUNTS) -> Flip:
    """Try ballots for a single option first, which find most changes; then every change of fewer ballots."""
    known = _known(count)
    if known is not None:
        return Flip(known, exact=True, tried=known)
    if count.kind == "criteria":
        counts = min(counts, FEW_COUNTS)
    singles = [*(alone(count, option) for option in count.options), NOTHING]
    enough, sure = _search(count, singles, count.eligible(), counts)
    if count.kind == "one":
        # An exhausted search has not shown that no number of ballots suffices.
        is_exact = enough is not None or sure == count.eligible()
        return Flip(enough, exact=is_exact, tried=enough or sure)
    return _fewer(count, enough, counts)


def _fewer(count: "Count", enough: int | None, counts: int) -> Flip:
    """Try every change of fewer ballots than `enough`; of any number if that is None."""
    most = count.eligible() if enough is None else enough - 1
    fewer, sure = _search(count, _every(count), most, counts)
    if fewer is not None:
        return Flip(fewer, exact=True, tried=fewer)
    if sure < most:
        return Flip(enough, exact=False, tried=sure)
    return Flip(enough, exact=True, tried=enough or sure)


# --- closed form


def _known(count: "Count") -> int | None:
    """Closed form for unweighted single votes under a bar or a plurality; None where only a search can tell."""
    if not _counts_heads(count):
        return None
    needed = votes_needed(count.rule, count.eligible())
    least = needed or 1
    quorum = count.quorum()
    if max(least, quorum) > count.eligible():
        return None
    choices = [ballot.choice for ballot in count.ballots if ballot.says()]
    votes = sorted(map(choices.count, count.options), reverse=True)
    missing = quorum - len(choices)
    if missing > 0:
        return max(missing, least - votes[0])
    change = _to_another_result(votes, needed)
    if quorum and votes[0] >= least:
        # Withdrawing enough ballots to miss the quorum undoes a decision too.
        return min(change, 1 - missing)
    return change


def _counts_heads(count: "Count") -> bool:
    """True for a single count of unweighted single votes, against a fixed bar or none."""
    rule = count.rule
    if count.kind != "one" or isinstance(rule, Elected):
        return False
    if rule.base == "cast" or rule.tie:
        return False
    if isinstance(rule, Majority) and rule.ballots_in_a_row > 1:
        return False
    return bool(count.voters()) and count.weighs_one()


def _to_another_result(votes: Sequence[int], needed: int | None) -> int:
    """Ballots that bring some option across the bar; without a bar, another option to the front."""
    if needed is not None:
        return min(_to_cross(needed, of_option) for of_option in votes)
    # One ballot moved from the first to the second closes the gap by two.
    gap = votes[0] - votes[1]
    return max(1, (gap + 1) // 2)


def _to_cross(needed: int, votes: int) -> int:
    """Ballots that bring an option across the bar, upwards or downwards."""
    if votes < needed:
        return needed - votes
    return votes - needed + 1


# --- the search


def _search(count: "Count", papers: Sequence[Paper], most: int, counts: int) -> tuple[int | None, int]:
    """The smallest number of changed ballots that elects others, and the largest number that certainly does not."""
    if not papers:
        return None, 0
    before = count.result().winners
    sure = 0
    for size in range(1, most + 1):
        for ballots in _changed(count, papers, size):
            counts -= 1
            if counts < 0:
                return None, sure
            if count.result_with(ballots).winners != before:
                return size, sure
        sure = size
    return None, sure


def _changed(count: "Count", papers: Sequence[Paper], size: int) -> Iterator[tuple[BallotCounted, ...]]:
    """Every way in which `size` voters cast one of these papers; voters with equal weight and ballot are alike."""
    groups = [_heads(group[0], len(group)) for group in alike(count)]
    moves: list[tuple[int, Paper]] = []
    for place, ballot in enumerate(groups):
        paper_now = (ballot.choice, ballot.given)
        moves += [(place, paper) for paper in papers if paper != paper_now]
    for chosen in combinations_with_replacement(moves, size):
        movers = Counter(place for place, _ in chosen)
        if all(n <= groups[place].heads for place, n in movers.items()):
            moved = (replace(_heads(groups[place], 1), choice=choice, given=given) for place, (choice, given) in chosen)
            yield (*_staying(groups, movers), *moved)


def _heads(ballot: BallotCounted, heads: int) -> BallotCounted:
    """One ballot in place of so many equal ones, so that a search among many voters counts few ballots."""
    return replace(ballot, weight=ballot.weight // ballot.heads * heads, heads=heads)


def _staying(groups: Sequence[BallotCounted], movers: Mapping[int, int]) -> Iterator[BallotCounted]:
    """The groups without the voters who move."""
    for place, ballot in enumerate(groups):
        if place not in movers:
            yield ballot
        elif left := ballot.heads - movers[place]:
            yield _heads(ballot, left)


def alike(count: "Count") -> list[list[BallotCounted]]:
    """The voters, those without a ballot included, in groups of equal ballots and weights."""
    groups: dict[object, list[BallotCounted]] = {}
    absent = (BallotCounted(voter, weight=weight) for voter, weight in count.silent.items())
    for ballot in (*count.ballots, *absent):
        groups.setdefault((ballot.choice, ballot.given, ballot.weight), []).append(ballot)
    return list(groups.values())


# --- papers


def alone(count: "Count", option: str) -> Paper:
    """A ballot with maximum points for this option and none for the others."""
    if count.kind == "one":
        return option, ()
    if count.kind == "criteria":
        points = dict.fromkeys(count.options, 0) | {option: most_points(count.rule)}
        return None, tuple(Given(option=o, points=points[o], driver=d.name) for o, d in product(points, count.drivers))
    best = {"score": BEST_SCORE, "dots": _dots(count.rule), "consent": CONSENT}.get(count.kind, 1)
    return None, (Given(option=option, points=best),)


def _dots(rule: CountedRule) -> int:
    return rule.dots if isinstance(rule, Elected) else DOTS


def papers(count: "Count") -> list[Paper]:
    """Every paper of these voters that counts differently; [] if there are too many."""
    if count.kind == "one":
        return [*(alone(count, option) for option in count.options), NOTHING]
    return _every(count)


def _every(count: "Count") -> list[Paper]:
    """Every paper that counts differently; [] if there are too many to examine one by one."""
    if len(count.options) > BEST_SCORE:
        return []
    points = [p for p in _points(count.kind, count.options, count.rule) if p]
    if not points or len(points) > MAX_COUNTS:
        return []
    return [*map(_paper, points), NOTHING]


def _paper(points: Mapping[str, int]) -> Paper:
    return None, tuple(Given(option=o, points=p) for o, p in sorted(points.items()))


def _points(kind: BallotKind, options: Sequence[str], rule: CountedRule) -> list[dict[str, int]]:
    """The points of every possible paper of this kind."""
    match kind:
        case "one":
            return [{option: 1} for option in options]
        case "approval":
            return [dict.fromkeys(some, 1) for some in _some_of(options)]
        case "ranking":
            return [_by_tier(order, range(1, len(order) + 1)) for order in _orders(options)]
        case "score":
            return _scores(options, rule)
        case "dots":
            dots = _dots(rule)
            return [points for points in _spread(options, range(dots + 1)) if sum(points.values()) <= dots]
        case "consent":
            return [_without_silence(points) for points in _spread(options, range(SAYS_NOTHING, OBJECTION + 1))]
        case "criteria":
            return []
        case _:
            assert_never(kind)


def _scores(options: Sequence[str], rule: CountedRule) -> list[dict[str, int]]:
    if rule.kind in ("score", "star") or "second" in rule.tie:
        return _spread(options, range(BEST_SCORE + 1))
    downwards = range(BEST_SCORE, -1, -1)
    return [_by_tier(order, downwards[: len(order)]) for order in _orders(options)]


def _by_tier(order: Sequence[Sequence[str]], worth: Sequence[int]) -> dict[str, int]:
    return {option: points for tier, points in zip(order, worth, strict=True) for option in tier}


SAYS_NOTHING = -1
"""Marks an option that a consent ballot does not name."""


def _without_silence(points: Mapping[str, int]) -> dict[str, int]:
    return {option: p for option, p in points.items() if p != SAYS_NOTHING}


def _spread(options: Sequence[str], points: range) -> list[dict[str, int]]:
    """Every way to give each option some of these points; [] if there are far too many."""
    if len(points) ** len(options) > 20 * MAX_COUNTS:
        return []
    return [dict(zip(options, each, strict=True)) for each in product(points, repeat=len(options))]


def _orders(options: Sequence[str]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every ranking of some of the options, ties included."""
    yield ()
    for tier in _some_of(options):
        for rest in _orders([o for o in options if o not in tier]):
            yield (tier, *rest)


def _some_of(options: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every non-empty choice of options, smallest first."""
    for size in range(1, len(options) + 1):
        yield from combinations(options, size)
