"""Ballots of every kind: validation, text, highest options, and conversion to the votes that the rules read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import assert_never, overload

from debate_core.engine.count import criteria, elections
from debate_core.engine.count.criteria import Cells
from debate_core.engine.count.profile import Profile, Tier, Vote, by_worth
from debate_core.sentence import Sentence
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import BEST_SCORE, DecisionRule, Elected, ballot_kind, most_points
from debate_core.spec.values import ABSTAIN, BallotKind, Given

DOTS = 5
"""Dots per ballot by default."""
CONSENT = elections.CONSENT
OBJECTION = elections.OBJECTION
_HOW: Mapping[BallotKind, Sentence] = {
    "one": Sentence("name an option"),
    "approval": Sentence("name every option you approve"),
    "ranking": Sentence("give options their places, 1 = best"),
    "score": Sentence("give each option 0 to {most} points", most=BEST_SCORE),
    "dots": Sentence("spread your dots over the options"),
    "consent": Sentence("consent to an option, raise a concern, or object"),
}


def how(kind: BallotKind, most: int = BEST_SCORE) -> Sentence:
    """The instruction for a ballot of this kind."""
    if kind == "criteria":
        return Sentence("give each option 0 to {most} points under each driver", most=most)
    return _HOW[kind]


@dataclass(frozen=True, slots=True)
class BallotCounted:
    """A counted ballot: one option, or points for several. A ballot with neither is an abstention."""

    voter: str
    choice: str | None = None
    given: tuple[Given, ...] = ()
    weight: int = 1
    argues_for: str | None = None
    """The option that its own text argues for, if it ranks another one first."""
    heads: int = 1
    """Number of equal ballots behind it; `weight` covers them all."""

    def says(self) -> bool:
        """False for an abstention."""
        return bool(self.given) or self.choice not in (None, ABSTAIN)


# --- validation


def fault_under(
    rule: DecisionRule, options: Sequence[str], drivers: Sequence[Driver], choice: str | None, given: Sequence[Given]
) -> Sentence | None:
    """The reason why this ballot is invalid under this rule, or None."""
    dots = rule.dots if isinstance(rule, Elected) else DOTS
    most = most_points(rule)
    return fault_in_ballot(ballot_kind(rule), options, choice, given, dots=dots, drivers=drivers, most=most)


def fault_in_ballot(
    kind: BallotKind,
    options: Sequence[str],
    choice: str | None,
    given: Sequence[Given],
    *,
    dots: int = DOTS,
    drivers: Sequence[Driver] = (),
    most: int = BEST_SCORE,
) -> Sentence | None:
    """The reason why this ballot is invalid, or None. A bare "abstain" is an abstention for every kind."""
    if choice == ABSTAIN:
        return Sentence("the ballot abstains and names options: do one or the other") if given else None
    if kind == "one":
        if given:
            return Sentence(
                "this ballot has one choice: {options} or {abstain}", options=", ".join(options), abstain=ABSTAIN
            )
        if choice is None:
            return Sentence("the ballot is empty: name an option")
        return _fault_in_options((choice,), options)
    if choice is not None:
        return Sentence(
            "this ballot is no single choice: {how}, or say {abstain}", how=how(kind, most), abstain=ABSTAIN
        )
    if not given:
        return Sentence("the ballot is empty: {how}, or say {abstain}", how=how(kind, most), abstain=ABSTAIN)
    fault = _fault_in_names(kind, options, given, drivers)
    return fault or _fault_in_points(kind, given, _points_allowed(kind, dots, most))


def _fault_in_options(names: Sequence[str], options: Sequence[str]) -> Sentence | None:
    unknown = next((n for n in names if n not in options), None)
    if unknown is None:
        return None
    return Sentence(
        "the vote {unknown!r} is none of the options: {options}", unknown=unknown[:80], options=", ".join(options)
    )


def _fault_in_names(
    kind: BallotKind, options: Sequence[str], given: Sequence[Given], drivers: Sequence[Driver]
) -> Sentence | None:
    names = [g.option for g in given]
    if kind == "criteria":
        return _fault_in_options(names, options) or _fault_in_drivers(given, drivers)
    return _fault_in_repeats(given, names) or _fault_in_options(names, options)


def _fault_in_repeats(given: Sequence[Given], names: Sequence[str]) -> Sentence | None:
    driver = next((g.driver for g in given if g.driver is not None), None)
    if driver is not None:
        return Sentence(
            "the ballot names the driver {driver!r}: only weighted_criteria takes points under drivers",
            driver=driver[:80],
        )
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is None:
        return None
    return Sentence("the ballot names {twice!r} twice: name each option at most once", twice=twice[:80])


def _fault_in_drivers(given: Sequence[Given], drivers: Sequence[Driver]) -> Sentence | None:
    names = [d.name for d in drivers]
    filled = set[tuple[str, str]]()
    for g in given:
        if g.driver is None:
            return Sentence(
                "the ballot gives {option} points under no driver: the drivers are {names}",
                option=g.option,
                names=", ".join(names),
            )
        if g.driver not in names:
            return Sentence(
                "the ballot gives {option} points under the driver {driver!r}: the drivers are {names}",
                option=g.option,
                driver=g.driver[:80],
                names=", ".join(names),
            )
        if (g.option, g.driver) in filled:
            return Sentence(
                "the ballot gives {option} points under {driver!r} twice: give points at most once per driver",
                option=g.option,
                driver=g.driver[:80],
            )
        filled.add((g.option, g.driver))
    return None


def _fault_in_points(kind: BallotKind, given: Sequence[Given], allowed_points: tuple[int, int]) -> Sentence | None:
    least, most = allowed_points
    outside = next((g for g in given if not least <= g.points <= most), None)
    if outside is not None:
        allowed = str(least) if least == most else f"{least} to {most}"
        return Sentence(
            "the ballot gives {option} {points}: {kind} takes {allowed}",
            option=outside.option,
            points=outside.points,
            kind=kind,
            allowed=allowed,
        )
    if kind == "dots":
        spent = sum(g.points for g in given)
        if 1 <= spent <= most:
            return None
        return Sentence("the ballot spends {spent} dots: it has 1 to {most} to spend", spent=spent, most=most)
    if kind == "consent":
        return _fault_in_objections(given)
    return None


def _fault_in_objections(given: Sequence[Given]) -> Sentence | None:
    for g in given:
        if g.points == OBJECTION and not g.reason.strip():
            return Sentence(
                "the objection to {option} has no reason: state it, and what would resolve it", option=g.option
            )
    return None


def _points_allowed(kind: BallotKind, dots: int, most: int) -> tuple[int, int]:
    """The minimum and maximum points of one option."""
    match kind:
        case "one" | "approval":
            return 1, 1
        case "ranking":
            return 1, 1_000
        case "dots":
            return 0, dots
        case "consent":
            return 0, OBJECTION
        case "score":
            return 0, BEST_SCORE
        case "criteria":
            return 0, most
        case _:
            assert_never(kind)


# --- text and contents


def ballot_for(
    kind: BallotKind, option: str, drivers: Sequence[Driver] = (), most: int = BEST_SCORE
) -> Mapping[str, object]:
    """The fields of a turn that votes for this option alone, or abstains."""
    if kind == "one" or option == ABSTAIN:
        return {"vote": option}
    if kind == "criteria":
        return {"ballot": tuple(Given(option=option, points=most, driver=d.name) for d in drivers)}
    points = {"score": BEST_SCORE, "consent": CONSENT}.get(kind, 1)
    return {"ballot": (Given(option=option, points=points),)}


PointsByName = Mapping[str, int | Mapping[str, int]]
"""Option -> points; under weighted criteria driver -> points."""


def points_by_name(given: Sequence[Given]) -> PointsByName:
    """The points of a ballot by option, and by driver where it names any."""
    points: dict[str, int | dict[str, int]] = {}
    for g in given:
        if g.driver is None:
            points[g.option] = g.points
        elif isinstance(under := points.setdefault(g.option, {}), dict):
            under[g.driver] = g.points
    return points


def ballot_words(kind: BallotKind, given: Sequence[Given], name: Callable[[str], str] = str) -> str:
    """A ballot as text: `a > b = c`, `a 5, b 2`, `consent to a; objection to b: why`. `name` spells an option."""
    match kind:
        case "ranking":
            return _ranking_words(given, name)
        case "score" | "dots":
            best_first = sorted(given, key=lambda g: -g.points)
            return ", ".join(f"{name(g.option)} {g.points}" for g in best_first)
        case "consent":
            return "; ".join(_consent_words(g, name) for g in given)
        case "criteria":
            return _criteria_words(given, name)
        case "one" | "approval":
            return ", ".join(name(g.option) for g in given)
        case _:
            assert_never(kind)


def _ranking_words(given: Sequence[Given], name: Callable[[str], str]) -> str:
    """Best first; options in the same place in the ballot's order."""
    levels: dict[int, list[str]] = {}
    for g in given:
        levels.setdefault(g.points, []).append(name(g.option))
    return " > ".join(" = ".join(levels[place]) for place in sorted(levels))


_CONSENT_WORDS = ("consent to", "concern about", "objection to")


def _consent_words(given: Given, name: Callable[[str], str]) -> str:
    why = f": {given.reason}" if given.reason.strip() else ""
    return f"{_CONSENT_WORDS[given.points]} {name(given.option)}{why}"


def _criteria_words(given: Sequence[Given], name: Callable[[str], str]) -> str:
    under: dict[str, list[str]] = {}
    for g in given:
        under.setdefault(g.option, []).append(f"{name(g.driver or '')} {g.points}")
    return "; ".join(f"{name(option)}: {', '.join(points)}" for option, points in under.items())


def tops(kind: BallotKind, ballot: BallotCounted, drivers: Sequence[Driver] = ()) -> tuple[str, ...]:
    """The options that a ballot ranks highest, sorted; () if it abstains or gives no points."""
    if not ballot.says():
        return ()
    highest = frozenset().union(*_vote(kind, ballot, drivers).tiers[:1])
    return tuple(sorted(highest))


# --- conversion to votes


def profile_of(
    kind: BallotKind, options: Sequence[str], ballots: Sequence[BallotCounted], drivers: Sequence[Driver] = ()
) -> Profile:
    """The ballots as votes for the election rules: orders, and points where given."""
    if kind == "criteria":
        return Profile(tuple(options), _LateVotes(ballots, drivers), cells_of(options, ballots, drivers))
    return Profile(tuple(options), tuple(_vote(kind, ballot, drivers) for ballot in ballots))


class _LateVotes(Sequence[Vote]):
    """The orders of ballots with criteria, made on first use: most counts need only the means."""

    def __init__(self, ballots: Sequence[BallotCounted], drivers: Sequence[Driver]) -> None:
        self._ballots = ballots
        self._drivers = drivers

    @cached_property
    def _made(self) -> tuple[Vote, ...]:
        return tuple(_vote("criteria", ballot, self._drivers) for ballot in self._ballots)

    @overload
    def __getitem__(self, place: int) -> Vote: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Vote]: ...
    def __getitem__(self, place: int | slice) -> Vote | Sequence[Vote]:
        return self._made[place]

    def __len__(self) -> int:
        return len(self._ballots)


def cells_of(options: Sequence[str], ballots: Sequence[BallotCounted], drivers: Sequence[Driver]) -> Cells:
    """The points of these ballots for each option under each driver."""
    return criteria.cells(options, drivers, [(b.weight, b.given) for b in ballots])


def _vote(kind: BallotKind, ballot: BallotCounted, drivers: Sequence[Driver]) -> Vote:
    weight = Fraction(ballot.weight)
    given = ballot.given
    match kind:
        case "one":
            return Vote(weight, _one_tier([ballot.choice] if ballot.choice else []))
        case "approval":
            return Vote(weight, _one_tier(g.option for g in given))
        case "ranking":
            return Vote(weight, by_worth({g.option: -g.points for g in given}))
        case "score" | "dots":
            return Vote(weight, _by_points({g.option: g.points for g in given}), _scores(given))
        case "consent":
            return Vote(weight, _one_tier(g.option for g in given if g.points == CONSENT), _scores(given))
        case "criteria":
            return Vote(weight, _by_points(criteria.weighed(drivers, given)))
        case _:
            assert_never(kind)


def _scores(given: Iterable[Given]) -> dict[str, Fraction]:
    return {g.option: Fraction(g.points) for g in given}


def _one_tier(options: Iterable[str]) -> tuple[Tier, ...]:
    """All options in one tier; () without options."""
    tier = frozenset(options)
    return (tier,) if tier else ()


def _by_points(points: Mapping[str, int]) -> tuple[Tier, ...]:
    """Options by points, highest first; an option without points is in no tier."""
    return by_worth({option: p for option, p in points.items() if p})
