"""The table of election rules: how each one elects, the unit of its points, its description and its source.

To add a rule, add a kind in `spec.rules`, next to kinds with the same ballot, and a row here; `elections` implements
the rules. Independent of debates.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from debate_core.engine.count import condorcet, elections, profile
from debate_core.engine.count.elections import HALF, Election, by_pairs, by_points
from debate_core.engine.count.profile import Profile
from debate_core.errors import InvalidSpec
from debate_core.spec.rules import (
    CountedRule,
    Elected,
    Majority,
    Plurality,
    Supermajority,
    Threshold,
    Unanimity,
    ballot_kind,
)
from debate_core.spec.values import BallotKind


@dataclass(frozen=True, slots=True)
class Method:
    """One counting rule."""

    rule: CountedRule
    """The rule with default conditions."""
    elect: Callable[[Profile], Election]
    """The election under that rule."""
    wins: str
    """What wins, as a clause."""
    source: str
    """Author or analysis, with the year."""
    unit: str = "votes"
    """The unit of its points."""
    in_short: str = ""
    """The rule in a few words; "" where the most of its unit wins."""
    adds_up: bool = True
    """True if an option's points are the sum of its points on each ballot."""
    compared: bool = True
    """True if it is among the rules under which the same ballots are recounted for comparison."""
    compares_pairs: bool = False
    """True if it compares the options pair by pair."""
    share: Fraction | None = None
    """The share of votes needed, for rules with one."""
    most_options: int | None = None
    """Maximum number of options: the cost grows with a high power of it, and more would take seconds."""

    @property
    def ballot(self) -> BallotKind:
        """The kind of ballot under this rule."""
        return ballot_kind(self.rule)


_SCORES = partial(by_points, profile.scores)
_TWO_THIRDS = Fraction(2, 3)
_THREE_QUARTERS = Fraction(3, 4)

METHODS: Mapping[str, Method] = {
    "plurality": Method(
        Plurality(),
        elections.plurality,
        wins="the option with the most votes wins",
        source="first past the post; Brams and Fishburn 2002",
    ),
    "majority": Method(
        Majority(),
        partial(elections.share, needed=HALF),
        wins="more than half",
        source="May 1952",
        share=HALF,
    ),
    "supermajority": Method(
        Supermajority(),
        partial(elections.share, needed=_TWO_THIRDS),
        wins="at least two thirds, or another share",
        source="Caplin and Nalebuff 1988",
        share=_TWO_THIRDS,
    ),
    "three_quarters": Method(
        Supermajority(numerator=3, denominator=4),
        partial(elections.share, needed=_THREE_QUARTERS),
        wins="at least three quarters",
        source="a supermajority by its name on the command line",
        share=_THREE_QUARTERS,
        compared=False,
    ),
    "unanimity": Method(
        Unanimity(),
        partial(elections.share, needed=Fraction(1)),
        wins="all votes, or all but a few",
        source="Buchanan and Tullock 1962",
        share=Fraction(1),
    ),
    "threshold_vote": Method(
        Threshold(votes=2),
        partial(elections.threshold, needed=2),
        wins="a number of votes",
        source="a quota agreed at set-up",
        compared=False,
    ),
    "approval": Method(
        Elected(kind="approval"),
        partial(by_points, profile.approvals),
        wins="the option with the most approvals wins",
        source="Brams and Fishburn 1978",
        unit="approvals",
    ),
    "score": Method(
        Elected(kind="score"),
        _SCORES,
        wins="the option with the most points wins",
        source="range voting; Smith 2000",
        unit="points",
    ),
    "star": Method(
        Elected(kind="star"),
        elections.star,
        wins="of the two options with the most points, the one that more ballots put higher wins",
        source="score, then automatic run-off; Frohnmayer 2014",
        unit="points",
        in_short="a run-off of the two with the most points",
    ),
    "borda": Method(
        Elected(kind="borda"),
        partial(by_points, profile.borda),
        wins="a place is worth a point for each option below it, and the option with the most points wins",
        source="Borda 1781",
        unit="points",
    ),
    "copeland": Method(
        Elected(kind="copeland"),
        partial(by_pairs, condorcet.copeland),
        wins="the option that wins the most comparisons with another one, pair by pair, wins",
        source="Copeland 1951",
        unit="pairs won",
        adds_up=False,
        compares_pairs=True,
        in_short="the most head-to-head wins",
    ),
    "minimax": Method(
        Elected(kind="minimax"),
        partial(by_pairs, condorcet.minimax),
        wins="the option whose worst comparison with another one is the least bad wins",
        source="Simpson 1969, Kramer 1977",
        unit="votes in the worst pair",
        adds_up=False,
        compares_pairs=True,
        in_short="the smallest worst defeat wins",
    ),
    "schulze": Method(
        Elected(kind="schulze"),
        partial(by_pairs, condorcet.schulze),
        wins="the option with the strongest chain of head-to-head comparisons wins",
        source="Schulze 2011",
        unit="pairs won or tied",
        adds_up=False,
        compares_pairs=True,
        most_options=200,
        in_short="the strongest chain of head-to-head wins",
    ),
    "ranked_pairs": Method(
        Elected(kind="ranked_pairs"),
        partial(by_pairs, condorcet.ranked_pairs),
        wins="pairs are locked in from the clearest on, and the option that nothing stands above wins",
        source="Tideman 1987",
        unit="orders won",
        adds_up=False,
        compares_pairs=True,
        most_options=60,
        in_short="ranked pairs, the clearest first",
    ),
    "irv": Method(
        Elected(kind="irv"),
        elections.irv,
        wins="the option with the fewest first places goes out, round by round, until one has more than half",
        source="instant run-off; Ware 1871",
        unit="first places",
        in_short="an instant run-off",
    ),
    "irv_put": Method(
        Elected(kind="irv_put"),
        elections.irv_put,
        wins="as in an instant run-off, and level options at the bottom go out in every way there is",
        source="parallel universes; Conitzer, Rognlie and Xia 2009",
        unit="first places",
        compared=False,
        in_short="an instant run-off, every tie followed",
    ),
    "bucklin": Method(
        Elected(kind="bucklin"),
        elections.bucklin,
        wins="second places are added to the first ones, and so on, until an option has more than half",
        source="Bucklin 1909",
        unit="votes for its upper places",
        adds_up=False,
        in_short="places are added until one has more than half",
    ),
    "coombs": Method(
        Elected(kind="coombs"),
        elections.coombs,
        wins="the option with the most last places goes out, round by round, until one has more than half",
        source="Coombs 1964",
        unit="first places",
        compared=False,
        in_short="a run-off by last places",
    ),
    "anti_plurality": Method(
        Elected(kind="anti_plurality"),
        elections.anti_plurality,
        wins="the option with the fewest last places wins",
        source="the veto rule; Saari 1995",
        unit="last places, taken off",
        compared=False,
        in_short="the fewest last places win",
    ),
    "cumulative": Method(
        Elected(kind="cumulative"),
        _SCORES,
        wins="the option with the most dots wins",
        source="cumulative voting, Illinois 1870",
        unit="dots",
    ),
    "consent": Method(
        Elected(kind="consent"),
        elections.consent,
        wins="of the options with at least one consent and no objection, the one with the fewest concerns wins",
        source="sociocracy; Endenburg 1998",
        unit="consents",
        in_short="the fewest concerns win, without an objection",
    ),
    "weighted_criteria": Method(
        Elected(kind="weighted_criteria"),
        elections.weighted_criteria,
        wins="the option with the highest weighted average of its points under the drivers wins",
        source="the weighted sum model; Fishburn 1967",
        unit="weighted points",
        adds_up=False,
        in_short="the highest weighted average wins",
    ),
}
"""Every rule by name, in the order offered."""

_FEEDS: Mapping[BallotKind, tuple[BallotKind, ...]] = {
    "ranking": ("one", "ranking"),
    "score": ("one", "ranking", "score"),
}
"""Ballots that rules for simpler kinds can count too; all others have rules for one kind only."""


def others_of(rule: CountedRule) -> tuple[CountedRule, ...]:
    """All other rules under which these ballots can be recounted for comparison."""
    kind = ballot_kind(rule)
    feeds = _FEEDS.get(kind, (kind,))
    compared = [method for method in METHODS.values() if method.compared and method.ballot in feeds]
    return tuple(method.rule for method in compared if method.rule.kind != rule.kind)


READS_POINTS: tuple[BallotKind, ...] = ("score", "dots", "consent")
"""Ballots whose rules need points."""
BY_NAME = sorted(name for name, method in METHODS.items() if method.ballot != "criteria")
"""Rules that can count a file of ballots; no such file has the weights of drivers."""


def elect(name: str, votes: Profile) -> Election:
    """Count these votes. Raises InvalidSpec for an unknown rule or unsuitable ballots."""
    if name not in BY_NAME:
        raise InvalidSpec("unknown rule {name!r}: choose one of {by_name}", name=name, by_name=", ".join(BY_NAME))
    method = METHODS[name]
    _refuse_points(name, method.ballot, votes)
    there = len(votes.options)
    if method.most_options is not None and there > method.most_options:
        raise InvalidSpec(
            "{name} takes up to {most_options} options, and here are {there}: take copeland or minimax",
            name=name,
            most_options=method.most_options,
            there=there,
        )
    return method.elect(votes)


def _refuse_points(name: str, ballot: BallotKind, votes: Profile) -> None:
    """Raise InvalidSpec for ballots without the points that this rule needs, or with others."""
    if ballot in READS_POINTS and not any(vote.scores for vote in votes.votes):
        raise InvalidSpec("{name} adds up points, and these ballots give none: choose a rule that ranks", name=name)
    if ballot == "consent" and not _consents(votes):
        raise InvalidSpec("consent reads 0 = consent, 1 = concern, 2 = objection, and these ballots give other points")


def _consents(votes: Profile) -> bool:
    allowed = (elections.CONSENT, elections.CONCERN, elections.OBJECTION)
    return all(points in allowed for vote in votes.votes for points in vote.scores.values())
