"""How few ballots would have to be cast otherwise for another result: an exact search with bounded work.

Knows ballots and rules, no debate and no poll.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import assert_never

from debate_core.engine.count import counting
from debate_core.engine.count.counting import BEST_SCORE, CONSENT, DOTS, OBJECTION, Cast, Tallied
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import CountedRule, Elected
from debate_core.spec.values import BallotKind, Given

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


@dataclass(frozen=True, slots=True)
class Voters:
    """Whoever may vote, and the rule: the ballots that were cast, and what those weigh who cast none."""

    rule: CountedRule
    kind: BallotKind
    options: tuple[str, ...]
    casts: tuple[Cast, ...]
    silent: Mapping[str, int]
    seed: int = 0
    drivers: tuple[Driver, ...] = ()

    def winners(self, casts: Sequence[Cast]) -> tuple[str, ...]:
        """Who wins if these ballots are cast instead."""
        return self.count(casts).winners

    def count(self, casts: Sequence[Cast]) -> Tallied:
        """What the rule makes of these ballots instead."""
        eligible = [*(c.weight for c in self.casts), *self.silent.values()]
        return counting.count(
            self.rule, self.options, casts, eligible=eligible, seed=self.seed, kind=self.kind, drivers=self.drivers
        )


def fewest(voters: Voters, *, counts: int = MAX_COUNTS) -> Flip:
    """Ballots for one option alone find most flips; then every way of filling in fewer ballots is looked at."""
    heads = len(voters.casts) + len(voters.silent)
    if voters.kind == "criteria":
        counts = min(counts, FEW_COUNTS)
    alone = [*(_alone(voters, o) for o in voters.options), NOTHING]
    found, sure = _search(voters, alone, heads, counts)
    if voters.kind == "one":
        # Whoever gave up has not seen that no number of ballots changes it.
        return Flip(found, exact=found is not None or sure == heads, tried=found or sure)
    fewer, sure = _search(voters, _every(voters), (found or heads + 1) - 1, counts)
    ballots = fewer or found
    exact = fewer is not None or sure + 1 == (found or heads + 1)
    return Flip(ballots, exact, ballots if exact and ballots else sure)


def _search(voters: Voters, papers: Sequence[Paper], most: int, counts: int) -> tuple[int | None, int]:
    """The smallest number of ballots that, filled in anew, elect others; and how many surely do not."""
    before, sure = voters.winners(voters.casts), 0
    for size in range(1, most + 1 if papers else 1):
        for casts in _changed(voters, papers, size):
            counts -= 1
            if counts < 0:
                return None, sure
            if voters.winners(casts) != before:
                return size, sure
        sure = size
    return None, sure


def _changed(voters: Voters, papers: Sequence[Paper], size: int) -> Iterator[tuple[Cast, ...]]:
    """Every way in which so many voters fill in one of these papers; who weighs and says the same is alike."""
    alike: dict[object, list[Cast]] = {}
    absent = (Cast(v, weight=w) for v, w in voters.silent.items())
    for ballot in (*voters.casts, *absent):
        alike.setdefault((ballot.choice, ballot.given, ballot.weight), []).append(ballot)
    groups = list(alike.values())
    moves = [
        (group, paper)
        for group, paper in product(range(len(groups)), papers)
        if paper != (groups[group][0].choice, groups[group][0].given)
    ]
    for chosen in combinations_with_replacement(moves, size):
        taken = Counter(group for group, _ in chosen)
        if all(n <= len(groups[group]) for group, n in taken.items()):
            yield _moved(voters, groups, chosen)


def _moved(voters: Voters, groups: list[list[Cast]], chosen: Iterable[tuple[int, Paper]]) -> tuple[Cast, ...]:
    now, taken = {c.voter: c for c in voters.casts}, Counter[int]()
    for group, (choice, given) in chosen:
        taken[group] += 1
        ballot = groups[group][-taken[group]]
        now[ballot.voter] = Cast(ballot.voter, choice, given, ballot.weight)
    return tuple(now.values())


def _alone(voters: Voters, option: str) -> Paper:
    """A ballot that gives all it has to this option, and nothing to the others."""
    if voters.kind == "one":
        return option, ()
    if voters.kind == "criteria":
        others = [(o, BEST_SCORE if o == option else 0) for o in voters.options]
        return None, tuple(Given(option=o, points=p, driver=d.name) for o, p in others for d in voters.drivers)
    best = {"score": BEST_SCORE, "dots": _dots(voters.rule), "consent": CONSENT}.get(voters.kind, 1)
    return None, (Given(option=option, points=best),)


def _dots(rule: CountedRule) -> int:
    return rule.dots if isinstance(rule, Elected) else DOTS


def _every(voters: Voters) -> list[Paper]:
    """Every paper that counts differently; () if there are too many to look at one of them at a time."""
    kind, options, rule = voters.kind, voters.options, voters.rule
    if len(options) > BEST_SCORE or kind == "criteria":
        return []
    match kind:
        case "one":
            points = [{o: 1} for o in options]
        case "approval":
            points = [dict.fromkeys(t, 1) for n in range(1, len(options) + 1) for t in combinations(options, n)]
        case "ranking":
            points = [{o: place for place, tier in enumerate(order, 1) for o in tier} for order in _orders(options)]
        case "score" if not _reads_points(rule):
            points = [{o: BEST_SCORE - n for n, tier in enumerate(order) for o in tier} for order in _orders(options)]
        case "score":
            points = _given_to(options, range(BEST_SCORE + 1))
        case "dots":
            spent = _given_to(options, range(_dots(rule) + 1))
            points = [p for p in spent if sum(p.values()) <= _dots(rule)]
        case "consent":
            # -1: says nothing of the option.
            said = _given_to(options, range(-1, OBJECTION + 1))
            points = [{o: n for o, n in p.items() if n >= 0} for p in said]
        case _:
            assert_never(kind)
    papers = [(None, tuple(Given(option=o, points=n) for o, n in sorted(p.items()))) for p in points if p]
    return [*papers, NOTHING] if len(papers) <= MAX_COUNTS else []


def _reads_points(rule: CountedRule) -> bool:
    return rule.kind in ("score", "star") or "second" in rule.tie


def _given_to(options: Sequence[str], points: range) -> list[dict[str, int]]:
    if len(points) ** len(options) > 20 * MAX_COUNTS:
        return []
    return [dict(zip(options, given, strict=True)) for given in product(points, repeat=len(options))]


def _orders(options: Sequence[str]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every order of some of the options, level ones in one place."""
    yield ()
    for size in range(1, len(options) + 1):
        for tier in combinations(options, size):
            for rest in _orders([o for o in options if o not in tier]):
                yield (tier, *rest)
