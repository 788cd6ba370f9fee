"""A count: the ballots of one electorate with everything that the result depends on, as one frozen value.

    count = Count("debaters", Plurality(), "one", options, ballots, silent={"s2": 1})
    count.result().winners                          # as agreed
    count.under(Majority()).result().winners        # the same ballots under another rule
    count.without(["s0"]).flip().ballots            # margin of victory without one voter

To recount, change one property of a Count and ask for its result again. All other conditions carry over: quorum, base,
tie-break ladder, consecutive ballots, and the earlier ballots. Exact fractions and integer weights. A tie is a set; no
order of voters, options or names has an effect.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from math import ceil
from typing import Literal, assert_never

from debate_core.engine.count import condorcet, elections, margin_of_victory, profile
from debate_core.engine.count.ballots import BallotCounted, cells_of, profile_of
from debate_core.engine.count.criteria import Cells
from debate_core.engine.count.elections import Election, Round
from debate_core.engine.count.margin_of_victory import MAX_COUNTS, Flip
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
"""Findings of tie-break steps; stored in records."""
Obstacle = Literal["no_ballots", "quorum", "tie", "refused", "in_a_row", "bar"]
"""The first obstacle to electing one option: no ballots, too few ballots, a tie, a refused winner, a bar that was not
reached on enough consecutive ballots, or a bar that no option reached."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a rule. `winners` sorted: several = a tie, () = undecided."""

    winners: Options
    points: Mapping[str, Fraction]
    """Points of every option, in the rule's unit."""
    needed: Fraction | None
    """Points needed to win; None where the most win."""
    cast: int
    eligible: int
    """Number of voters; the next two are their weights."""
    cast_weight: int
    eligible_weight: int
    quorum: int
    """Required number of ballots; 0 = none."""
    quorum_met: bool
    ties: Options = ()
    """Tied options before the ladder, where one was needed; sorted."""
    steps: tuple[TieStep, ...] = ()
    rounds: tuple[Round, ...] = ()
    """Rounds of an elimination."""
    on_last_ballots: Options = ()
    """Winners by the last ballots alone."""
    in_a_row: int = 1
    """Number of consecutive ballots on which an option has to reach the bar."""
    has_held: int = 0
    """Number of consecutive ballots, up to the last, on which the leading option has reached it."""
    obstacle: Obstacle | None = None
    """The obstacle to electing one option; None if one is elected."""

    def before_ladder(self) -> Options:
        """The winners before tie-break steps."""
        return self.ties if self.steps else self.winners


@dataclass(frozen=True, slots=True)
class EarlierCount:
    """The ballots of an earlier count."""

    name: str
    """`round 1, opening`."""
    ballots: tuple[BallotCounted, ...]
    can_end: bool = False
    """True if the debate would have ended there with a winner."""


@dataclass(frozen=True, slots=True)
class Count:
    """The ballots of one electorate, its other voters, and the rule."""

    name: str
    """`debaters`, `final vote of the panel`."""
    rule: CountedRule
    kind: BallotKind
    """The kind of the ballots, whichever rule counts them."""
    options: Options
    ballots: tuple[BallotCounted, ...]
    """All ballots. Voters are seats, or receipts of people, never names of people."""
    silent: Mapping[str, int] = field(default_factory=dict)
    """Eligible voters without a ballot -> weight."""
    seed: int = 0
    """Seed of the lot, if the tie-break ladder has one."""
    drivers: tuple[Driver, ...] = ()
    """Drivers for weighted criteria."""
    earlier: tuple[EarlierCount, ...] = ()
    """The counts before this one, oldest first, if the rule looks back."""
    in_a_row: int = 1
    """Number of consecutive ballots on which an option has to reach the bar, if the rule itself asks for fewer."""
    refused: Options = ()
    """Options that may not win, because the protocol refuses the quotes that they rest on."""

    def voters(self) -> dict[str, int]:
        """All eligible voters -> weight."""
        return {b.voter: b.weight for b in self.ballots} | dict(self.silent)

    def eligible(self) -> int:
        """Number of eligible voters, in heads."""
        return len(self.ballots) + len(self.silent)

    def quorum(self) -> int:
        """Ballots that have to be cast, in heads: more than half of the voters if the rule names no quorum."""
        return quorum_of(self.rule, len(self.voters()))

    def result(self) -> Result:
        """Apply the rule to the ballots; a tie goes down the rule's tie-break ladder."""
        return self.result_with(self.ballots)

    def result_with(self, ballots: Sequence[BallotCounted]) -> Result:
        """The result if the same voters had finally cast these ballots; equal ballots may be merged."""
        last = self._on_last_ballots(ballots)
        in_a_row = self.ballots_in_a_row()
        has_held = self._has_held(last, in_a_row)
        result = replace(last, in_a_row=in_a_row, has_held=has_held)
        if has_held < in_a_row:
            result = replace(result, winners=(), steps=())
        elif len(last.winners) == 1 and last.winners[0] in self.refused:
            return replace(result, winners=(), steps=(), obstacle="refused")
        return replace(result, obstacle=_obstacle(result))

    def ballots_in_a_row(self) -> int:
        """Number of consecutive ballots on which an option has to reach the bar."""
        if isinstance(self.rule, Plurality | Elected):
            # These rules elect once, after the rounds.
            return 1
        return self._agreed_in_a_row()

    def under(self, rule: CountedRule) -> "Count":
        """The same ballots under another rule; agreed conditions apply where it names none."""
        agreed = self.rule
        conditions = {"quorum": rule.quorum or agreed.quorum, "base": agreed.base, "tie": rule.tie or agreed.tie}
        return replace(self, rule=rule.model_copy(update=conditions), in_a_row=self._agreed_in_a_row())

    def played_through(self) -> "Count":
        """The first earlier count on which the rule would have ended the debate; this count if there is none."""
        if isinstance(self.rule, Plurality | Elected):
            return self
        ends = (self._before(place) for place, count in enumerate(self.earlier) if count.can_end)
        return next((count for count in ends if len(count.result().before_ladder()) == 1), self)

    def without(self, voters: Iterable[str]) -> "Count":
        """The count without these voters."""
        return self.weighing(dict.fromkeys(voters, 0))

    def weighing(self, weights: Mapping[str, int]) -> "Count":
        """The count with other weights. Voters not named keep theirs; weight 0 removes a voter."""
        now = self.voters() | dict(weights)
        return replace(
            self,
            ballots=_weighed(self.ballots, now),
            silent={voter: now[voter] for voter in self.silent if now[voter]},
            earlier=tuple(replace(count, ballots=_weighed(count.ballots, now)) for count in self.earlier),
        )

    def unweighted(self) -> "Count":
        """The count with every weight set to 1."""
        return self.weighing(dict.fromkeys(self.voters(), 1))

    def with_ballots(self, ballots: Sequence[BallotCounted]) -> "Count":
        """The count if the eligible voters had finally cast these ballots."""
        silent = self.voters()
        for ballot in ballots:
            silent.pop(ballot.voter, None)
        return replace(self, ballots=tuple(ballots), silent=silent)

    def agreeing(self) -> "Count":
        """The count with every ballot that contradicts its own text as an abstention."""
        earlier = tuple(replace(count, ballots=_agreeing(count.ballots)) for count in self.earlier)
        return replace(self, ballots=_agreeing(self.ballots), earlier=earlier)

    def weighs_one(self) -> bool:
        """True if every ballot weighs 1."""
        return all(weight == 1 for weight in self.voters().values())

    def flip(self, *, counts: int = MAX_COUNTS) -> Flip:
        """Margin of victory: the fewest changed ballots that change the result, searched within this many counts."""
        return margin_of_victory.fewest(self, counts=counts)

    def rounds(self) -> tuple[Round, ...]:
        """The rounds of an elimination; () under other rules."""
        return self.result().rounds

    def matrix(self) -> Cells | None:
        """Mean points of each option under each driver; None unless the rule is weighted criteria."""
        if self.rule.kind != "weighted_criteria":
            return None
        return cells_of(self.options, _saying(self.ballots), self.drivers)

    def profile(self) -> Profile:
        """The ballots that are no abstentions, as orders and points."""
        return profile_of(self.kind, self.options, _saying(self.ballots), self.drivers)

    def pairs(self) -> Pairs:
        """(a, b) -> weight of the ballots that rank a above b; {} for ballots without an order."""
        return profile.pairwise(self.profile()) if self.kind in _ORDERS else {}

    def firsts(self) -> Mapping[str, Fraction]:
        """Weight of the ballots that rank each option first; equal first places are shared."""
        return profile.firsts(self.profile(), self.options)[0]

    def points_from(self, ballot: BallotCounted) -> Mapping[str, Fraction] | None:
        """Points that one ballot adds to each option; None under a rule that does not add points."""
        return self.result_with([ballot]).points if METHODS[self.rule.kind].adds_up else None

    # --- one count

    def _on_last_ballots(self, ballots: Sequence[BallotCounted]) -> Result:
        saying = _saying(ballots)
        votes = profile_of(self.kind, self.options, saying, self.drivers)
        cast_weight = _weight(saying)
        eligible_weight = _weight(self.ballots) + sum(self.silent.values())
        election, needed = self._election(votes, cast_weight, eligible_weight)
        quorum = self.quorum()
        cast = sum(ballot.heads for ballot in saying)
        quorum_met = cast >= quorum
        winners, steps = self._down_the_ladder(votes, election.winners if quorum_met else ())
        level = election.winners
        if needed is not None and not (quorum_met and self._has_enough(election)):
            # No option reached the bar, so those with the most votes are tied.
            level = elections.plurality(votes).winners
        return Result(
            winners=winners,
            points=election.tally,
            needed=needed,
            cast=cast,
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
        """True if an option meets the rule; a floor of approvals is not a bar that others are measured by."""
        return bool(election.winners) or isinstance(self.rule, Elected)

    def _election(self, votes: Profile, cast_weight: int, eligible_weight: int) -> tuple[Election, Fraction | None]:
        """The election before the tie-break ladder, and the points needed to win."""
        if not isinstance(self.rule, Elected):
            # Without a ballot, a share of the ballots cast is no number yet.
            needed = votes_needed(self.rule, eligible_weight, cast_weight or None)
            if needed is None:
                return elections.plurality(votes), None
            return elections.threshold(votes, needed), Fraction(needed)
        election = _by_method(self.rule, votes)
        if self.rule.floor_percent is None or not cast_weight:
            return election, None
        floor = _floor(self.rule, cast_weight)
        enough = tuple(w for w in election.winners if election.tally[w] >= floor)
        return replace(election, winners=enough), floor

    def _agreed_in_a_row(self) -> int:
        own = self.rule.ballots_in_a_row if isinstance(self.rule, Majority) else 1
        return max(own, self.in_a_row)

    def _has_held(self, last: Result, most: int) -> int:
        """Number of consecutive ballots, up to `most`, with the same winner; a unanimous first ballot suffices."""
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
        """The earlier count at this index."""
        then = self.earlier[place]
        return replace(self.with_ballots(then.ballots), name=then.name, earlier=self.earlier[:place])

    # --- the tie-break ladder

    def _down_the_ladder(self, votes: Profile, level: Options) -> tuple[Options, tuple[TieStep, ...]]:
        """The options left and every step that was tried; ends with one option, or with the approver."""
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
        """Ranked ballots: most first and second places together; ballots with points: most points."""
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
        """Draw by position, so that renaming an option does not change its luck."""
        places = {place: option for place, option in enumerate(self.options, start=1) if option in left}
        drawn = min(places, key=lambda place: sha256(f"{self.seed}:{place}".encode()).hexdigest())
        return (places[drawn],), DRAWN.format(seed=self.seed, place=drawn)


_ORDERS: tuple[BallotKind, ...] = ("ranking", "score", "dots")
"""Kinds of ballots that order options."""


def _saying(ballots: Iterable[BallotCounted]) -> list[BallotCounted]:
    """The ballots without abstentions."""
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
    """The minimum for a winner: a share of the approvals, or of the maximum points."""
    share = Fraction(rule.floor_percent or 0, 100)
    if rule.kind == "weighted_criteria":
        return rule.most_points * share
    # Approvals are whole numbers: 50% of three ballots is two.
    return Fraction(ceil(cast_weight * share))


def _agreeing(ballots: Iterable[BallotCounted]) -> tuple[BallotCounted, ...]:
    return tuple(replace(b, choice=None, given=()) if b.argues_for else b for b in ballots)


def _by_method(rule: Elected, votes: Profile) -> Election:
    try:
        return METHODS[rule.kind].elect(votes)
    except condorcet.TooManyTies:
        # Every possible winner is in the Smith set.
        return Election(condorcet.smith_set(votes), profile.firsts(votes, votes.options)[0])
