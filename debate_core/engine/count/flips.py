"""How few ballots would have to be cast otherwise for another result: known at once, or an exact search, bounded.

Knows ballots and rules, no debate and no poll.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, assert_never

from debate_core.engine.count.ballots import CONSENT, DOTS, OBJECTION, BallotCounted
from debate_core.spec.rules import BEST_SCORE, CountedRule, Elected, Majority, most_points, votes_needed
from debate_core.spec.values import BallotKind, Given

if TYPE_CHECKING:
    from debate_core.engine.count.count import Count

MAX_COUNTS = 1_500
"""How many counts each half of a search makes before it gives up."""
FEW_COUNTS = 300
"""The same where a ballot has a number for every option under every driver, and a count takes longer."""
Paper = tuple[str | None, tuple[Given, ...]]
"""What a ballot says: its choice, or what it gives."""
NOTHING: Paper = (None, ())


@dataclass(frozen=True, slots=True)
class Flip:
    """The fewest ballots that would have to be cast otherwise for another result.

    `ballots` None: none found. `exact` False: not every way of filling in fewer ballots was looked at, so that fewer
    may be enough; `tried` ballots are not enough, if `ballots` is None or not exact.
    """

    ballots: int | None
    exact: bool
    tried: int


def fewest(count: "Count", *, counts: int = MAX_COUNTS) -> Flip:
    """Ballots for one option alone find most flips; then every way of filling in fewer ballots is looked at."""
    known = _known(count)
    if known is not None:
        return Flip(known, exact=True, tried=known)
    if count.kind == "criteria":
        counts = min(counts, FEW_COUNTS)
    alone = [*(_alone(count, option) for option in count.options), NOTHING]
    enough, sure = _search(count, alone, count.eligible(), counts)
    if count.kind == "one":
        # Whoever gave up has not seen that no number of ballots changes it.
        is_exact = enough is not None or sure == count.eligible()
        return Flip(enough, exact=is_exact, tried=enough or sure)
    return _fewer(count, enough, counts)


def _fewer(count: "Count", enough: int | None, counts: int) -> Flip:
    """Looks at every way of filling in fewer ballots than those that are `enough`; at all of them if that is None."""
    most = count.eligible() if enough is None else enough - 1
    fewer, sure = _search(count, _every(count), most, counts)
    if fewer is not None:
        return Flip(fewer, exact=True, tried=fewer)
    if sure < most:
        return Flip(enough, exact=False, tried=sure)
    return Flip(enough, exact=True, tried=enough or sure)


# --- known at once


def _known(count: "Count") -> int | None:
    """Worked out for heads with one vote each under a bar or a plurality; None where only a search can tell."""
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
        # Whoever takes back so many ballots that the quorum is missed undoes a decision too.
        return min(change, 1 - missing)
    return change


def _counts_heads(count: "Count") -> bool:
    """True if ballots with one vote each are counted once, against a bar that stays where it is or none."""
    rule = count.rule
    if count.kind != "one" or isinstance(rule, Elected):
        return False
    if rule.base == "cast" or rule.tie:
        return False
    if isinstance(rule, Majority) and rule.ballots_in_a_row > 1:
        return False
    return bool(count.voters()) and count.weighs_one()


def _to_another_result(votes: Sequence[int], needed: int | None) -> int:
    """How many ballots bring some option over the bar or below it; without a bar, another one to the front."""
    if needed is not None:
        return min(_to_cross(needed, of_option) for of_option in votes)
    # One ballot that moves from the first to the second closes the gap by two.
    gap = votes[0] - votes[1]
    return max(1, (gap + 1) // 2)


def _to_cross(needed: int, votes: int) -> int:
    """How many ballots bring an option over the bar, or below it."""
    if votes < needed:
        return needed - votes
    return votes - needed + 1


# --- the search


def _search(count: "Count", papers: Sequence[Paper], most: int, counts: int) -> tuple[int | None, int]:
    """The smallest number of ballots that, filled in anew, elect others; and how many surely do not."""
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
    """Every way in which so many voters fill in one of these papers; who weighs and says the same is alike."""
    groups = _alike(count)
    moves: list[tuple[int, Paper]] = []
    for place, (ballot, *_) in enumerate(groups):
        paper_now = (ballot.choice, ballot.given)
        moves += [(place, paper) for paper in papers if paper != paper_now]
    for chosen in combinations_with_replacement(moves, size):
        movers = Counter(place for place, _ in chosen)
        if all(n <= len(groups[place]) for place, n in movers.items()):
            yield _moved(count, groups, chosen)


def _alike(count: "Count") -> list[list[BallotCounted]]:
    groups: dict[object, list[BallotCounted]] = {}
    absent = (BallotCounted(voter, weight=weight) for voter, weight in count.silent.items())
    for ballot in (*count.ballots, *absent):
        groups.setdefault((ballot.choice, ballot.given, ballot.weight), []).append(ballot)
    return list(groups.values())


def _moved(
    count: "Count", groups: list[list[BallotCounted]], chosen: Iterable[tuple[int, Paper]]
) -> tuple[BallotCounted, ...]:
    now = {b.voter: b for b in count.ballots}
    movers = Counter[int]()
    for place, (choice, given) in chosen:
        movers[place] += 1
        ballot = groups[place][-movers[place]]
        now[ballot.voter] = BallotCounted(ballot.voter, choice, given, ballot.weight)
    return tuple(now.values())


# --- papers


def _alone(count: "Count", option: str) -> Paper:
    """A ballot that gives all it has to this option, and nothing to the others."""
    if count.kind == "one":
        return option, ()
    if count.kind == "criteria":
        points = dict.fromkeys(count.options, 0) | {option: most_points(count.rule)}
        return None, tuple(Given(option=o, points=points[o], driver=d.name) for o, d in product(points, count.drivers))
    best = {"score": BEST_SCORE, "dots": _dots(count.rule), "consent": CONSENT}.get(count.kind, 1)
    return None, (Given(option=option, points=best),)


def _dots(rule: CountedRule) -> int:
    return rule.dots if isinstance(rule, Elected) else DOTS


def _every(count: "Count") -> list[Paper]:
    """Every paper that counts differently; () if there are too many to look at one of them at a time."""
    if len(count.options) > BEST_SCORE:
        return []
    points = [p for p in _points(count.kind, count.options, count.rule) if p]
    if not points or len(points) > MAX_COUNTS:
        return []
    return [*map(_paper, points), NOTHING]


def _paper(points: Mapping[str, int]) -> Paper:
    return None, tuple(Given(option=o, points=p) for o, p in sorted(points.items()))


def _points(kind: BallotKind, options: Sequence[str], rule: CountedRule) -> list[dict[str, int]]:
    """What every paper of this kind gives to which option."""
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
    if _reads_points(rule):
        return _spread(options, range(BEST_SCORE + 1))
    downwards = range(BEST_SCORE, -1, -1)
    return [_by_tier(order, downwards[: len(order)]) for order in _orders(options)]


def _by_tier(order: Sequence[Sequence[str]], worth: Sequence[int]) -> dict[str, int]:
    return {option: points for tier, points in zip(order, worth, strict=True) for option in tier}


SAYS_NOTHING = -1
"""Stands for an option that a ballot of consent does not name."""


def _without_silence(points: Mapping[str, int]) -> dict[str, int]:
    return {option: p for option, p in points.items() if p != SAYS_NOTHING}


def _reads_points(rule: CountedRule) -> bool:
    return rule.kind in ("score", "star") or "second" in rule.tie


def _spread(options: Sequence[str], points: range) -> list[dict[str, int]]:
    """Every way to give each option some of these points; [] if there are far too many."""
    if len(points) ** len(options) > 20 * MAX_COUNTS:
        return []
    return [dict(zip(options, each, strict=True)) for each in product(points, repeat=len(options))]


def _orders(options: Sequence[str]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every order of some of the options, level ones in one place."""
    yield ()
    for tier in _some_of(options):
        for rest in _orders([o for o in options if o not in tier]):
            yield (tier, *rest)


def _some_of(options: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every choice of one option or more, the small ones first."""
    for size in range(1, len(options) + 1):
        yield from combinations(options, size)
