"""Ballots of any kind counted by any rule: winners, points, quorum, and the steps that break a tie.

Exact fractions and whole weights; a tie is a set, and no order of voters, options or names matters. Knows no debate
and no poll: called for the debaters' ballots by `voting`, and for ballots of people.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import assert_never

from debate_core.engine.count import condorcet, criteria, methods, profile
from debate_core.engine.count.profile import Profile, Vote
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import CountedRule, Elected, Plurality, ballot_kind, votes_needed
from debate_core.spec.values import ABSTAIN, BallotKind, Given, TieBreak, TieStep

DOTS = 5
"""How many a ballot has where nothing else was agreed."""
BEST_SCORE = 5
CONSENT, OBJECTION = methods.CONSENT, methods.OBJECTION


@dataclass(frozen=True, slots=True)
class Cast:
    """A ballot that was cast: one option, or what it gives to several. One that says neither is none."""

    voter: str
    choice: str | None = None
    given: tuple[Given, ...] = ()
    weight: int = 1

    def says(self) -> bool:
        """False for an abstention."""
        return bool(self.given) or self.choice not in (None, ABSTAIN)


@dataclass(frozen=True, slots=True)
class Tallied:
    """What a rule makes of the ballots. `winners` sorted: several are a tie, none = undecided."""

    winners: tuple[str, ...]
    points: Mapping[str, Fraction]
    """Of every option, in the rule's own unit."""
    needed: Fraction | None
    """Points that elect; None where the most do."""
    cast: int
    eligible: int
    """Heads; the next two are what they weigh."""
    cast_weight: int
    eligible_weight: int
    quorum_met: bool
    ties: tuple[str, ...] = ()
    """Options that stood level before the ladder, where one was needed; sorted."""
    steps: tuple[TieStep, ...] = ()

    def before_ladder(self) -> tuple[str, ...]:
        """Who is elected by the ballots alone, without a step that breaks ties."""
        return self.ties if self.steps else self.winners


def paper_fault(
    kind: BallotKind,
    options: Sequence[str],
    choice: str | None,
    given: Sequence[Given],
    *,
    dots: int = DOTS,
    drivers: Sequence[Driver] = (),
) -> str | None:
    """Why this is no ballot of this kind, or None. "abstain" alone is an abstention under every kind."""
    if choice == ABSTAIN:
        return "the ballot abstains and names options: one or the other" if given else None
    if kind == "one":
        if given:
            return f"this ballot has one choice: {', '.join(options)} or {ABSTAIN}"
        return "the ballot is empty: name an option" if choice is None else _unknown((choice,), options)
    if choice is not None:
        return f"this ballot is no single choice: {HOW[kind]}, or say {ABSTAIN}"
    if not given:
        return f"the ballot is empty: {HOW[kind]}, or say {ABSTAIN}"
    names = [g.option for g in given]
    if kind == "criteria":
        return _unknown(names, options) or _drivers_fault(given, drivers) or _points_fault(kind, given, dots)
    named = next((g.driver for g in given if g.driver is not None), None)
    if named is not None:
        return f"the ballot names the driver {named[:80]!r}: points under drivers belong to weighted_criteria alone"
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        return f"the ballot names {twice[:80]!r} twice: each option once at most"
    return _unknown(names, options) or _points_fault(kind, given, dots)


HOW: Mapping[BallotKind, str] = {
    "one": "name an option",
    "approval": "name every option you approve",
    "ranking": "give options their places, 1 = best",
    "score": f"give each option 0 to {BEST_SCORE} points",
    "dots": "spread your dots over the options",
    "consent": "consent to an option, raise a concern, or object",
    "criteria": f"give each option 0 to {BEST_SCORE} points under each driver",
}
"""What whoever holds such a ballot is to do."""


def _unknown(names: Sequence[str], options: Sequence[str]) -> str | None:
    unknown = next((n for n in names if n not in options), None)
    return None if unknown is None else f"the vote {unknown[:80]!r} is none of the options: {', '.join(options)}"


def _drivers_fault(given: Sequence[Given], drivers: Sequence[Driver]) -> str | None:
    names, seen = [d.name for d in drivers], set[tuple[str, str]]()
    for g in given:
        if g.driver not in names:
            said = "no driver" if g.driver is None else f"the driver {g.driver[:80]!r}"
            return f"the ballot gives {g.option} points under {said}: the drivers are {', '.join(names)}"
        if (g.option, g.driver) in seen:
            return f"the ballot gives {g.option} points under {g.driver[:80]!r} twice: each driver once at most"
        seen.add((g.option, g.driver))
    return None


def _points_fault(kind: BallotKind, given: Sequence[Given], dots: int) -> str | None:
    least, most = {"approval": (1, 1), "ranking": (1, 1_000), "dots": (0, dots), "consent": (0, OBJECTION)}.get(
        kind, (0, BEST_SCORE)
    )
    outside = next((g for g in given if not least <= g.points <= most), None)
    if outside is not None:
        allowed = str(least) if least == most else f"{least} to {most}"
        return f"the ballot gives {outside.option} {outside.points}: {kind} takes {allowed}"
    if kind == "dots" and not 1 <= sum(g.points for g in given) <= dots:
        return f"the ballot spends {sum(g.points for g in given)} dots: it has 1 to {dots} to spend"
    silent = next((g for g in given if g.points == OBJECTION and not g.reason.strip()), None)
    if kind == "consent" and silent is not None:
        return f"the objection to {silent.option} has no reason: say what it is, and what would lift it"
    return None


def count(
    rule: CountedRule,
    options: Sequence[str],
    cast: Sequence[Cast],
    *,
    eligible: Sequence[int],
    seed: int = 0,
    kind: BallotKind | None = None,
    drivers: Sequence[Driver] = (),
) -> Tallied:
    """Count these ballots; `eligible` has the weight of everybody who may vote. A tie is taken down the rule's ladder.

    The seed draws the lot, if the ladder has one. `kind` is what the ballots say, if they were cast for another rule;
    `drivers` are what weighted criteria give points under.
    """
    kind = kind or ballot_kind(rule)
    ballots = [b for b in cast if b.says()]
    cast_weight, eligible_weight = sum(b.weight for b in ballots), sum(eligible)
    # Weighted criteria read cells; the order that a ballot gives is only worked out for a tie.
    votes = profile_of(kind, options, () if rule.kind == "weighted_criteria" else ballots, drivers)
    quorum_met = rule.quorum is None or len(ballots) >= rule.quorum
    points, needed, elected, level = _elected(rule, votes, ballots, eligible_weight, drivers)
    if not quorum_met:
        elected, level = (), level if needed is None else methods.plurality(votes).winners
    winners, steps = elected, tuple[TieStep, ...]()
    if len(winners) > 1:
        votes = votes if votes.votes else profile_of(kind, options, ballots, drivers)
        winners, steps = _ladder(rule, kind, votes, winners, seed)
    return Tallied(
        winners=winners,
        points=points,
        needed=needed,
        cast=len(ballots),
        eligible=len(eligible),
        cast_weight=cast_weight,
        eligible_weight=eligible_weight,
        quorum_met=quorum_met,
        ties=tuple(sorted(level)) if len(level) > 1 else (),
        steps=steps,
    )


Found = tuple[Mapping[str, Fraction], Fraction | None, tuple[str, ...], tuple[str, ...]]
"""Points, points needed, who is elected, who stands level."""


def _elected(
    rule: CountedRule, votes: Profile, ballots: Sequence[Cast], eligible_weight: int, drivers: Sequence[Driver]
) -> Found:
    if rule.kind == "weighted_criteria":
        sums = cells_of(votes.options, ballots, drivers).sums()
        best = profile.best(sums) if any(sums.values()) else ()
        return sums, None, best, best
    if isinstance(rule, Elected):
        points, winners = _by_kind(rule, votes)
        floor = None
        if rule.kind == "approval" and rule.floor_percent is not None:
            floor = Fraction(sum(b.weight for b in ballots) * rule.floor_percent, 100)
            winners = tuple(w for w in winners if points[w] >= floor)
        return points, floor, winners, winners
    firsts = methods.plurality(votes)
    points, most = firsts.tally, firsts.winners
    needed = votes_needed(rule, eligible_weight, sum(b.weight for b in ballots))
    if isinstance(rule, Plurality) or needed is None:
        return points, None, most, most
    over = tuple(sorted(o for o, p in points.items() if p and p >= needed))
    return points, Fraction(needed), over, over or most


def _by_kind(rule: Elected, votes: Profile) -> tuple[Mapping[str, Fraction], tuple[str, ...]]:
    try:
        found = methods.METHODS[rule.kind](votes)
    except condorcet.TooManyTies:
        # Whoever wins in any of the ways is among those that nobody outside them beats.
        return profile.firsts(votes, votes.options)[0], condorcet.smith_set(votes)
    return found.tally, found.winners


def profile_of(
    kind: BallotKind, options: Sequence[str], ballots: Sequence[Cast], drivers: Sequence[Driver] = ()
) -> Profile:
    """The ballots as the election rules read them: orders, and points where they give any."""
    return Profile(tuple(options), tuple(_vote(kind, b, drivers) for b in ballots))


def cells_of(options: Sequence[str], ballots: Sequence[Cast], drivers: Sequence[Driver]) -> criteria.Cells:
    """What these ballots give to each option under each driver."""
    return criteria.cells(options, drivers, [(b.weight, b.given) for b in ballots])


def _vote(kind: BallotKind, ballot: Cast, drivers: Sequence[Driver]) -> Vote:
    weight = Fraction(ballot.weight)
    match kind:
        case "one":
            return Vote(weight, (frozenset({ballot.choice}),) if ballot.choice else ())
        case "approval":
            return Vote(weight, (frozenset(g.option for g in ballot.given),))
        case "ranking":
            return Vote(weight, _tiers(ballot.given, best_first=sorted))
        case "score" | "dots":
            points = {g.option: Fraction(g.points) for g in ballot.given}
            named = [g for g in ballot.given if g.points]
            return Vote(weight, _tiers(named, best_first=lambda p: sorted(p, reverse=True)), points)
        case "consent":
            consented = frozenset(g.option for g in ballot.given if g.points == CONSENT)
            said = {g.option: Fraction(g.points) for g in ballot.given}
            return Vote(weight, (consented,) if consented else (), said)
        case "criteria":
            sums = cells_of(sorted({g.option for g in ballot.given}), [ballot], drivers).sums()
            levels = sorted({p for p in sums.values() if p}, reverse=True)
            return Vote(weight, tuple(frozenset(o for o, p in sums.items() if p == level) for level in levels), sums)
        case _:
            assert_never(kind)


def ballot_for(kind: BallotKind, option: str, drivers: Sequence[Driver] = ()) -> Mapping[str, object]:
    """The fields of a turn that votes for this option and says nothing of the others, or abstains."""
    if kind == "one" or option == ABSTAIN:
        return {"vote": option}
    if kind == "criteria":
        return {"ballot": tuple(Given(option=option, points=BEST_SCORE, driver=d.name) for d in drivers)}
    points = {"score": BEST_SCORE, "consent": CONSENT}.get(kind, 1)
    return {"ballot": (Given(option=option, points=points),)}


Points = Mapping[str, int | Mapping[str, int]]
"""Option -> points; under weighted criteria driver -> points."""


def points_by_name(given: Sequence[Given]) -> Points:
    """What a ballot gives, by option, and by driver where it names any."""
    found: dict[str, int | dict[str, int]] = {}
    for g in given:
        if g.driver is None:
            found[g.option] = g.points
        elif isinstance(under := found.setdefault(g.option, {}), dict):
            under[g.driver] = g.points
    return found


def ballot_words(kind: BallotKind, given: Sequence[Given], name: Callable[[str], str] = str) -> str:
    """A ballot in words: `a > b = c`, `a 5, b 2`, `consent to a; objection to b: why`. `name` spells an option."""
    match kind:
        case "ranking":
            levels = _levels(given)
            return " > ".join(" = ".join(name(o) for o in level) for level in levels)
        case "score" | "dots":
            best_first = sorted(given, key=lambda g: -g.points)
            return ", ".join(f"{name(g.option)} {g.points}" for g in best_first)
        case "consent":
            words = ("consent to", "concern about", "objection to")
            why = (f": {g.reason}" if g.reason.strip() else "" for g in given)
            return "; ".join(f"{words[g.points]} {name(g.option)}{w}" for g, w in zip(given, why, strict=True))
        case "criteria":
            options = dict.fromkeys(g.option for g in given)
            each = {o: ", ".join(f"{name(g.driver or '')} {g.points}" for g in given if g.option == o) for o in options}
            return "; ".join(f"{name(o)}: {said}" for o, said in each.items())
        case "one" | "approval":
            return ", ".join(name(g.option) for g in given)
        case _:
            assert_never(kind)


def _levels(given: Sequence[Given]) -> list[list[str]]:
    """Options by place, the best first, level ones together in the order in which the ballot has them."""
    return [[g.option for g in given if g.points == place] for place in sorted({g.points for g in given})]


def tops(kind: BallotKind, ballot: Cast, drivers: Sequence[Driver] = ()) -> tuple[str, ...]:
    """The options that a ballot puts highest, sorted; none if it gives nothing to any."""
    return next((tuple(sorted(tier)) for tier in _vote(kind, ballot, drivers).tiers if tier), ())


def _tiers(given: Sequence[Given], *, best_first: Callable[[set[int]], list[int]]) -> tuple[frozenset[str], ...]:
    places = best_first({g.points for g in given})
    return tuple(frozenset(g.option for g in given if g.points == place) for place in places)


# --- the ladder


def _ladder(
    rule: CountedRule, kind: BallotKind, votes: Profile, level: tuple[str, ...], seed: int
) -> tuple[tuple[str, ...], tuple[TieStep, ...]]:
    """Who is left, and every step that was tried; it ends with one left, or with the approver."""
    left, steps = level, list[TieStep]()
    for step in rule.tie:
        left, why = _step(step, kind, votes, left, seed)
        steps.append(TieStep(step=step, left=left, why=why))
        if len(left) == 1 or step == "approver":
            break
    return left, tuple(steps)


def _step(
    step: TieBreak, kind: BallotKind, votes: Profile, left: tuple[str, ...], seed: int
) -> tuple[tuple[str, ...], str]:
    match step:
        case "pairwise":
            if kind not in ("ranking", "score", "dots", "criteria"):
                return left, "these ballots do not compare options pair by pair"
            among = Profile(left, tuple(Vote(v.weight, v.among(frozenset(left))) for v in votes.votes))
            return condorcet.copeland(among)[0], "most pairs won among the level options"
        case "second":
            return _second(kind, votes, left)
        case "approver":
            return left, "left to the approver"
        case "lot":
            drawn = {_lot(seed, place): o for place, o in enumerate(votes.options, 1) if o in left}
            winner = drawn[min(drawn)]
            place = votes.options.index(winner) + 1
            return (winner,), f"drawn with seed {seed}: the lowest SHA-256 of seed:place has place {place}"
        case _:
            assert_never(step)


def _lot(seed: int, place: int) -> str:
    return sha256(f"{seed}:{place}".encode()).hexdigest()


def _second(kind: BallotKind, votes: Profile, left: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Ranked: most first and second places of the ballots together; with points: the most points."""
    if kind in ("score", "dots"):
        points = profile.scores(votes)
        return profile.best({o: points[o] for o in left}), "most points"
    if kind != "ranking":
        return left, "these ballots have no second preferences"
    upper = dict.fromkeys(left, Fraction(0))
    for vote in votes.votes:
        for option in frozenset().union(*vote.tiers[:2]) & upper.keys():
            upper[option] += vote.weight
    return profile.best(upper), "most first and second places"
