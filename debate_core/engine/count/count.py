"""A count: the ballots of one electorate with all that the result depends on, as one frozen value.

    count = Count("debaters", Plurality(), "one", options, ballots, silent={"s2": 1})
    count.result().winners                          # as agreed
    count.under(Majority()).result().winners        # the same ballots by another rule
    count.without(["s0"]).flip().ballots            # how near that is to another result

Whoever counts again changes one thing of a Count and asks it once more, so that nothing is forgotten: quorum, base,
ladder and how many ballots in a row an option has to hold go along to whichever rule counts, and the earlier ballots
are there too. Exact fractions and whole weights; a tie is a set, and no order of voters, options or names matters.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from math import ceil
from typing import Literal, assert_never

from debate_core.engine.count import condorcet, elections, flips, profile
from debate_core.engine.count.ballots import BallotCounted, cells_of, profile_of
from debate_core.engine.count.criteria import Cells
from debate_core.engine.count.elections import Election, Round
from debate_core.engine.count.flips import MAX_COUNTS, Flip
from debate_core.engine.count.methods import METHODS
from debate_core.engine.count.profile import Pairs, Profile
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import CountedRule, Elected, Majority, Plurality, quorum_of, votes_needed
from debate_core.spec.values import BallotKind, TieBreak, TieStep

Options = tuple[str, ...]
TO_APPROVER = "left to the approver"
NO_PAIRS = "these ballots do not compare options pair by pair"
MOST_PAIRS = "most pairs won among the level options"
MOST_POINTS = "most points"
NO_SECONDS = "these ballots have no second preferences"
MOST_SECONDS = "most first and second places"
DRAWN = "drawn with seed {seed}: the lowest SHA-256 of seed:place has place {place}"
STEP_REASONS = (TO_APPROVER, NO_PAIRS, MOST_PAIRS, MOST_POINTS, NO_SECONDS, MOST_SECONDS, DRAWN)
"""What a step of the ladder found, as it stands in records."""
Obstacle = Literal["no_ballots", "quorum", "tie", "refused", "in_a_row", "bar"]
"""What keeps a rule from electing one option, the first that does: nobody voted, too few did, several stand level, what
would win is refused, what the rule asks has not held on enough ballots in a row, or no option has it."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a rule makes of the ballots. `winners` sorted: several are a tie, none = undecided."""

    winners: Options
    points: Mapping[str, Fraction]
    """Of every option, in the rule's own unit."""
    needed: Fraction | None
    """Points that elect; None where the most do."""
    cast: int
    eligible: int
    """Heads; the next two are what they weigh."""
    cast_weight: int
    eligible_weight: int
    quorum: int
    """Ballots that had to be cast, in heads; 0 = any number."""
    quorum_met: bool
    ties: Options = ()
    """Options that stood level before the ladder, where one was needed; sorted."""
    steps: tuple[TieStep, ...] = ()
    rounds: tuple[Round, ...] = ()
    """Of an elimination."""
    on_last_ballots: Options = ()
    """Who would win by the last ballots alone."""
    in_a_row: int = 1
    """On how many ballots in a row an option has to have what the rule asks."""
    has_held: int = 0
    """On how many of them, the last one among them, whoever would win by it has had that."""
    obstacle: Obstacle | None = None
    """What keeps the rule from electing one option; None if one is elected."""

    def before_ladder(self) -> Options:
        """Who is elected by the ballots alone, without a step that breaks ties."""
        return self.ties if self.steps else self.winners


@dataclass(frozen=True, slots=True)
class EarlierCount:
    """The ballots of a count before this one."""

    name: str
    """`round 1, opening`."""
    ballots: tuple[BallotCounted, ...]
    can_end: bool = False
    """True if the debate would have ended there, had the rule elected an option."""


@dataclass(frozen=True, slots=True)
class Count:
    """The ballots of one electorate, who else may vote there, and the rule."""

    name: str
    """`debaters`, `final vote of the panel`."""
    rule: CountedRule
    kind: BallotKind
    """What the ballots say, whichever rule counts them."""
    options: Options
    ballots: tuple[BallotCounted, ...]
    """Of everybody who handed one in. Voters are seats, or receipts of people: never names of people."""
    silent: Mapping[str, int] = field(default_factory=dict)
    """Who could have voted and did not -> weight."""
    seed: int = 0
    """Draws the lot, if the ladder has one."""
    drivers: tuple[Driver, ...] = ()
    """What weighted criteria give points under."""
    earlier: tuple[EarlierCount, ...] = ()
    """The counts before this one, the first first, as far as somebody looks back."""
    in_a_row: int = 1
    """On how many ballots in a row an option has to have what a rule with a bar asks, if the rule itself asks less."""
    refused: Options = ()
    """Options that may not win, whatever was voted: the protocol refuses what they rest on."""

    def voters(self) -> dict[str, int]:
        """Everybody who may vote -> weight."""
        return {b.voter: b.weight for b in self.ballots} | dict(self.silent)

    def eligible(self) -> int:
        """How many may vote, in heads."""
        return len(self.ballots) + len(self.silent)

    def quorum(self) -> int:
        """How many ballots have to be cast, in heads: more than half of the voters if the rule names no quorum."""
        return quorum_of(self.rule, len(self.voters()))

    def result(self) -> Result:
        """What the rule makes of the ballots; a tie is taken down its ladder."""
        return self.result_with(self.ballots)

    def result_with(self, ballots: Sequence[BallotCounted]) -> Result:
        """The result if the same voters had cast these ballots in the end."""
        last = self._on_last_ballots(ballots)
        in_a_row = self.ballots_in_a_row()
        has_held = self._has_held(last, in_a_row)
        result = replace(last, in_a_row=in_a_row, has_held=has_held)
        if has_held < in_a_row:
            result = replace(result, winners=(), steps=())
        elif self._refuses(last.winners):
            return replace(result, winners=(), steps=(), obstacle="refused")
        return replace(result, obstacle=_obstacle(result))

    def _refuses(self, winners: Options) -> bool:
        return len(winners) == 1 and winners[0] in self.refused

    def ballots_in_a_row(self) -> int:
        """On how many ballots in a row an option has to have what the rule asks."""
        if isinstance(self.rule, Plurality | Elected):
            # They elect once, when the rounds are over.
            return 1
        return self._agreed_in_a_row()

    def under(self, rule: CountedRule) -> "Count":
        """The same ballots by this rule, under the conditions that were agreed where it names none."""
        agreed = self.rule
        conditions = {"quorum": rule.quorum or agreed.quorum, "base": agreed.base, "tie": rule.tie or agreed.tie}
        return replace(self, rule=rule.model_copy(update=conditions), in_a_row=self._agreed_in_a_row())

    def played_through(self) -> "Count":
        """The count with which the rule would have ended the debate: the first that elects one option, else this."""
        if isinstance(self.rule, Plurality | Elected):
            return self
        ends = (self._before(place) for place, count in enumerate(self.earlier) if count.can_end)
        return next((count for count in ends if len(count.result().before_ladder()) == 1), self)

    def without(self, voters: Iterable[str]) -> "Count":
        """The same as if these voters had no vote."""
        return self.weighing(dict.fromkeys(voters, 0))

    def weighing(self, weights: Mapping[str, int]) -> "Count":
        """The same with other weights; who is not named weighs as before, and 0 is no vote at all."""
        now = self.voters() | dict(weights)
        return replace(
            self,
            ballots=_weighed(self.ballots, now),
            silent={voter: now[voter] for voter in self.silent if now[voter]},
            earlier=tuple(replace(count, ballots=_weighed(count.ballots, now)) for count in self.earlier),
        )

    def unweighted(self) -> "Count":
        """The same if every ballot weighed 1."""
        return self.weighing(dict.fromkeys(self.voters(), 1))

    def with_ballots(self, ballots: Sequence[BallotCounted]) -> "Count":
        """The same if those who may vote had cast these ballots in the end."""
        silent = self.voters()
        for ballot in ballots:
            silent.pop(ballot.voter, None)
        return replace(self, ballots=tuple(ballots), silent=silent)

    def agreeing(self) -> "Count":
        """The same if every ballot whose own text argues for another option were an abstention."""
        earlier = tuple(replace(count, ballots=_agreeing(count.ballots)) for count in self.earlier)
        return replace(self, ballots=_agreeing(self.ballots), earlier=earlier)

    def weighs_one(self) -> bool:
        """True if every ballot weighs 1."""
        return all(weight == 1 for weight in self.voters().values())

    def flip(self, *, counts: int = MAX_COUNTS) -> Flip:
        """How few ballots cast otherwise, or not at all, would give another result; looked for in so many counts."""
        return flips.fewest(self, counts=counts)

    def rounds(self) -> tuple[Round, ...]:
        """The rounds of an elimination; () under every other rule."""
        return self.result().rounds

    def matrix(self) -> Cells | None:
        """Mean points of each option under each driver; None under every rule but weighted criteria."""
        if self.rule.kind != "weighted_criteria":
            return None
        return cells_of(self.options, _saying(self.ballots), self.drivers)

    def profile(self) -> Profile:
        """The ballots that say something as orders and points."""
        return profile_of(self.kind, self.options, _saying(self.ballots), self.drivers)

    def pairs(self) -> Pairs:
        """(a, b) -> what the ballots weigh that put a above b; {} where a ballot is no order."""
        return profile.pairwise(self.profile()) if self.kind in _ORDERS else {}

    def firsts(self) -> Mapping[str, Fraction]:
        """What the ballots weigh that put each option highest, level ones shared."""
        return profile.firsts(self.profile(), self.options)[0]

    def points_from(self, ballot: BallotCounted) -> Mapping[str, Fraction] | None:
        """What one ballot adds to each option; None under a rule that adds nothing up."""
        return self.result_with([ballot]).points if METHODS[self.rule.kind].adds_up else None

    # --- one count

    def _on_last_ballots(self, ballots: Sequence[BallotCounted]) -> Result:
        saying = _saying(ballots)
        votes = profile_of(self.kind, self.options, saying, self.drivers)
        cast_weight = _weight(saying)
        eligible_weight = _weight(self.ballots) + sum(self.silent.values())
        election, needed = self._election(votes, cast_weight, eligible_weight)
        quorum = self.quorum()
        quorum_met = len(saying) >= quorum
        winners, steps = self._down_the_ladder(votes, election.winners if quorum_met else ())
        level = election.winners
        if needed is not None and not (quorum_met and self._has_enough(election)):
            # Nobody stands above a bar: level are those with the most.
            level = elections.plurality(votes).winners
        return Result(
            winners=winners,
            points=election.tally,
            needed=needed,
            cast=len(saying),
            eligible=self.eligible(),
            cast_weight=cast_weight,
            eligible_weight=eligible_weight,
            quorum=quorum,
            quorum_met=quorum_met,
            ties=level if len(level) > 1 else (),
            steps=steps,
            rounds=election.rounds,
            on_last_ballots=winners,
        )

    def _has_enough(self, election: Election) -> bool:
        """True if somebody has what the rule asks; a floor of approvals is no bar that others are measured by."""
        return bool(election.winners) or isinstance(self.rule, Elected)

    def _election(self, votes: Profile, cast_weight: int, eligible_weight: int) -> tuple[Election, Fraction | None]:
        """Who is elected before the ladder, and the points that elect."""
        if not isinstance(self.rule, Elected):
            needed = votes_needed(self.rule, eligible_weight, cast_weight)
            if needed is None:
                return elections.plurality(votes), None
            return elections.threshold(votes, needed), Fraction(needed)
        election = _by_method(self.rule, votes)
        if self.rule.floor_percent is None:
            return election, None
        floor = _floor(self.rule, cast_weight)
        enough = tuple(w for w in election.winners if election.tally[w] >= floor)
        return replace(election, winners=enough), floor

    def _agreed_in_a_row(self) -> int:
        own = self.rule.ballots_in_a_row if isinstance(self.rule, Majority) else 1
        return max(own, self.in_a_row)

    def _has_held(self, last: Result, most: int) -> int:
        """On how many ballots in a row, at `most` so many, the same have won; a unanimous first ballot is enough."""
        if not last.winners:
            return 0
        if not self.earlier and last.points[last.winners[0]] == last.eligible_weight:
            return most
        has_held = 1
        for count in reversed(self.earlier):
            if has_held == most or self._on_last_ballots(count.ballots).winners != last.winners:
                break
            has_held += 1
        return has_held

    def _before(self, place: int) -> "Count":
        """The earlier count of this place."""
        then = self.earlier[place]
        return replace(self.with_ballots(then.ballots), name=then.name, earlier=self.earlier[:place])

    # --- the ladder

    def _down_the_ladder(self, votes: Profile, level: Options) -> tuple[Options, tuple[TieStep, ...]]:
        """Who is left, and every step that was tried; it ends with one left, or with the approver."""
        if len(level) <= 1:
            return level, ()
        left = level
        steps: list[TieStep] = []
        for step in self.rule.tie:
            left, why = self._step(step, votes, left)
            steps.append(TieStep(step=step, left=left, why=why))
            if len(left) == 1 or step == "approver":
                break
        return left, tuple(steps)

    def _step(self, step: TieBreak, votes: Profile, left: Options) -> tuple[Options, str]:
        match step:
            case "pairwise":
                return self._pairwise(votes, left)
            case "second":
                return self._second(votes, left)
            case "approver":
                return left, TO_APPROVER
            case "lot":
                return self._lot(left)
            case _:
                assert_never(step)

    def _pairwise(self, votes: Profile, left: Options) -> tuple[Options, str]:
        if self.kind not in (*_ORDERS, "criteria"):
            return left, NO_PAIRS
        winners, _ = condorcet.copeland(votes.among(left))
        return winners, MOST_PAIRS

    def _second(self, votes: Profile, left: Options) -> tuple[Options, str]:
        """Ranked: most first and second places of the ballots together; with points: the most points."""
        if self.kind in ("score", "dots"):
            points = profile.scores(votes)
            return profile.best({o: points[o] for o in left}), MOST_POINTS
        if self.kind != "ranking":
            return left, NO_SECONDS
        upper = dict.fromkeys(left, Fraction(0))
        for vote in votes.votes:
            for option in frozenset().union(*vote.tiers[:2]) & upper.keys():
                upper[option] += vote.weight
        return profile.best(upper), MOST_SECONDS

    def _lot(self, left: Options) -> tuple[Options, str]:
        """By places, not by names, so that an option with another name has the same luck."""
        places = {place: option for place, option in enumerate(self.options, start=1) if option in left}
        drawn = min(places, key=lambda place: sha256(f"{self.seed}:{place}".encode()).hexdigest())
        return (places[drawn],), DRAWN.format(seed=self.seed, place=drawn)


_ORDERS: tuple[BallotKind, ...] = ("ranking", "score", "dots")
"""Ballots that put one option above another one."""


def _saying(ballots: Iterable[BallotCounted]) -> list[BallotCounted]:
    """Without the abstentions."""
    return [b for b in ballots if b.says()]


def _weight(ballots: Iterable[BallotCounted]) -> int:
    return sum(ballot.weight for ballot in ballots)


def _obstacle(result: Result) -> Obstacle | None:
    if len(result.winners) == 1:
        return None
    if not result.cast:
        return "no_ballots"
    if not result.quorum_met:
        return "quorum"
    if result.ties:
        return "tie"
    return "in_a_row" if result.on_last_ballots else "bar"


def _weighed(ballots: Iterable[BallotCounted], weights: Mapping[str, int]) -> tuple[BallotCounted, ...]:
    return tuple(replace(b, weight=weights[b.voter]) for b in ballots if weights[b.voter])


def _floor(rule: Elected, cast_weight: int) -> Fraction:
    """The least that a winner needs: of the approvals that it could have, or of the points."""
    share = Fraction(rule.floor_percent or 0, 100)
    if rule.kind == "weighted_criteria":
        return rule.most_points * share
    # Approvals are whole: of three ballots 50% are two.
    return Fraction(ceil(cast_weight * share))


def _agreeing(ballots: Iterable[BallotCounted]) -> tuple[BallotCounted, ...]:
    return tuple(replace(b, choice=None, given=()) if b.argues_for else b for b in ballots)


def _by_method(rule: Elected, votes: Profile) -> Election:
    try:
        return METHODS[rule.kind].elect(votes)
    except condorcet.TooManyTies:
        # Whoever wins in any of the ways is among those that nobody outside them beats.
        return Election(condorcet.smith_set(votes), profile.firsts(votes, votes.options)[0])
