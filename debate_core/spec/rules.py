"""When a debate ends and what decides it, as data: stop rules and decision rules.

Values only; `engine.stopping` and `engine.count` say what they mean. Part of every Protocol.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from math import ceil
from typing import Annotated, Literal, assert_never, get_args

from pydantic import Field

from debate_core.sentence import Sentence
from debate_core.spec.contents import Gives
from debate_core.spec.values import Amount, BallotKind, Line, Role, SeatId, TieBreak, Value


class MaxRounds(Value):
    """Ends after the last round; no consensus by then goes to escalation."""

    kind: Literal["max_rounds"] = "max_rounds"


class DecisionReached(Value):
    """Ends when the decision rule has a winner."""

    kind: Literal["decision_reached"] = "decision_reached"


class Ceiling(Value):
    """Ends a debate that would use more than was allowed, before the call that would.

    Each axis is inclusive and may be left out. `seconds` count from the opening, pauses included.
    """

    kind: Literal["ceiling"] = "ceiling"
    calls: Annotated[int, Field(ge=0)] | None = None
    tokens: Annotated[int, Field(ge=0)] | None = None
    seconds: Annotated[int, Field(ge=1)] | None = None
    usd: Amount | None = None


class AllAgree(Value):
    """Ends when every debater's current ballot is cast for the same option."""

    kind: Literal["all_agree"] = "all_agree"


class Stable(Value):
    """Ends after a round in which no ballot differs from the same seat's ballot a round before."""

    kind: Literal["stable"] = "stable"


class ModeratorDone(Value):
    """Ends after a round that its moderator declared the last one."""

    kind: Literal["moderator_done"] = "moderator_done"


class NoFurtherRound(Value):
    """Ends after a round whose evaluator does not recommend another one."""

    kind: Literal["no_further_round"] = "no_further_round"


class NoProgress(Value):
    """Ends after a round, from the second on, that brought no new claim: none, or only restated ones."""

    kind: Literal["no_progress"] = "no_progress"


class Converged(Value):
    """Ends after a round, from the second on, in which all debaters say that they hold one and the same option."""

    kind: Literal["converged"] = "converged"


class TextMention(Value):
    """Ends once a turn of the round has this phrase, in any case (AutoGen's text mention)."""

    kind: Literal["text_mention"] = "text_mention"
    phrase: Annotated[str, Field(min_length=1, max_length=200)]
    by: tuple[SeatId, ...] | None = None
    """Only turns of these seats count; None = anybody can say it."""


class MaxTurns(Value):
    """Ends after the phase in which so many turns of the debate have been given (AutoGen's bound on messages)."""

    kind: Literal["max_turns"] = "max_turns"
    turns: Annotated[int, Field(ge=1, le=1_000)]


class FromRound(Value):
    """Holds from this round on; it ends nothing, and says inside all_of when the others may (MALLM's hybrid rule)."""

    kind: Literal["from_round"] = "from_round"
    round: Annotated[int, Field(ge=2, le=50)]


class TopSettled(Value):
    """Ends once the best options of a tournament, as many as it looks for, are told apart from the rest."""

    kind: Literal["top_settled"] = "top_settled"


Simple = (
    MaxRounds
    | DecisionReached
    | Ceiling
    | AllAgree
    | Stable
    | ModeratorDone
    | NoFurtherRound
    | NoProgress
    | Converged
    | TextMention
    | MaxTurns
    | FromRound
    | TopSettled
)


class AllOf(Value):
    """Ends when all of these hold at once; it can only be as early as the last of them."""

    kind: Literal["all_of"] = "all_of"
    rules: Annotated[tuple[Annotated[Simple, Field(discriminator="kind")], ...], Field(min_length=2, max_length=8)]


StopRule = Annotated[Simple | AllOf, Field(discriminator="kind")]
"""Rules in a list are "or": the first that holds is the reason.

What other systems call otherwise: unanimous = all_agree; settled = stable; restatement = no_progress;
a limit of rounds = max_rounds; a deadline = a ceiling of seconds; external = a person's Stop, or the last round called.
"""


BEST_SCORE = 5
"""What a ballot can give to an option at most, where nothing else was agreed."""
ApprovalKind = Literal["approval"]
ScoreKind = Literal["score", "star"]
RankingKind = Literal[
    "borda",
    "copeland",
    "minimax",
    "schulze",
    "ranked_pairs",
    "irv",
    "irv_put",
    "bucklin",
    "coombs",
    "anti_plurality",
]
DotsKind = Literal["cumulative"]
ConsentKind = Literal["consent"]
CriteriaKind = Literal["weighted_criteria"]
ElectedKind = Literal[ApprovalKind, ScoreKind, RankingKind, DotsKind, ConsentKind, CriteriaKind]
"""Rules whose ballots say something of several options, by what the ballots say. `METHODS` has a row for each."""
_KINDS_OF: tuple[tuple[BallotKind, object], ...] = (
    ("approval", ApprovalKind),
    ("score", ScoreKind),
    ("ranking", RankingKind),
    ("dots", DotsKind),
    ("consent", ConsentKind),
    ("criteria", CriteriaKind),
)
_BALLOTS: Mapping[ElectedKind, BallotKind] = {kind: ballot for ballot, kinds in _KINDS_OF for kind in get_args(kinds)}


class ByCount(Value):
    """What all rules that count ballots have. With fewer cast ballots than the quorum, nothing is decided."""

    quorum: Annotated[int, Field(ge=1)] | None = None
    """In heads, whatever a ballot weighs; an abstention is no cast ballot. None: as `quorum_of` says."""
    base: Literal["eligible", "cast"] = "eligible"
    """What a share is a share of: all who may vote, or the ballots cast (majority, supermajority, unanimity)."""
    tie: Annotated[tuple[TieBreak, ...], Field(max_length=4)] = ()
    """What is tried at the close to break a tie, in this order; what is level after the last step is undecided."""
    if_undecided: Line = "escalate"


class Threshold(ByCount):
    """An option wins with `votes` current ballots of distinct debaters; two options there are a tie."""

    kind: Literal["threshold_vote"] = "threshold_vote"
    votes: Annotated[int, Field(ge=1)]
    allows_two_winners: bool = False
    """Only for presets that mirror a source which allows votes <= half the seats; it warns."""


class Majority(ByCount):
    """An option wins with more than half of all debaters, on `ballots_in_a_row` ballots.

    A unanimous first ballot wins at once. Abstentions and failures stay in the denominator.
    """

    kind: Literal["majority"] = "majority"
    ballots_in_a_row: Annotated[int, Field(ge=1, le=5)] = 1


class Supermajority(ByCount):
    """An option wins with at least this share of all debaters: 2/3 of 7 are 5 heads. More than one half."""

    kind: Literal["supermajority"] = "supermajority"
    numerator: Annotated[int, Field(ge=1, le=100)] = 2
    denominator: Annotated[int, Field(ge=1, le=100)] = 3


class Unanimity(ByCount):
    """An option wins with the current ballots of all debaters, or of all but some: consensus minus that many."""

    kind: Literal["unanimity"] = "unanimity"
    all_but: Annotated[int, Field(ge=0, le=100)] = 0
    """Never so many that half of the votes would do."""


class Plurality(ByCount):
    """The option with the most current ballots wins, once the rounds are over; level options are a tie."""

    kind: Literal["plurality"] = "plurality"


class Elected(ByCount):
    """Elects once, when the rounds are over, from ballots that say something of several options."""

    kind: ElectedKind
    floor_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    """Approval: the least share of the ballots cast that has to approve the winner. Weighted criteria: the least share
    of `most_points` that the winner needs."""
    most_points: Annotated[int, Field(ge=1, le=1_000)] = BEST_SCORE
    """Weighted criteria: what a ballot can give to an option under one driver."""
    dots: Annotated[int, Field(ge=1, le=100)] = 5
    """Cumulative: how many dots one ballot has to spend."""


class BySeat(Value):
    """The seat of this role names an option or none, in the content it gives, once every side was heard."""

    kind: Literal["by_seat"] = "by_seat"
    role: Role = "synthesiser"
    if_undecided: Line = "escalate"
    decides_unheard: bool = False
    """True: it decides whoever was silent. Only where a protocol says so before the start."""


class Tournament(Value):
    """The strongest option wins, by comparisons of two at a time, once it is told apart from the next one.

    Strengths are those of Bradley and Terry's model; told apart is what lies outside an interval of 95 %.
    """

    kind: Literal["tournament"] = "tournament"
    top: Annotated[int, Field(ge=1, le=20)] | None = None
    """How many of the best are looked for: most comparisons are then spent on who is among them. None = all options
    are ranked alike, and `top_settled` never holds."""
    both_orders: bool = False
    """Every pair is also asked the other way round."""
    at_limit: Literal["applies"] | None = None
    """`applies`: a limit that ends the comparisons ends them as the last round does, and what is told apart by then is
    decided; None = a limit decides nothing."""
    if_undecided: Line = "escalate"


CountedRule = Threshold | Majority | Supermajority | Unanimity | Plurality | Elected
DecisionRule = Annotated[CountedRule | BySeat | Tournament, Field(discriminator="kind")]


def ballot_kind(rule: DecisionRule) -> BallotKind:
    """What a ballot under this rule says: one option, or something of each."""
    return _BALLOTS[rule.kind] if isinstance(rule, Elected) else "one"


def most_points(rule: DecisionRule) -> int:
    """What a ballot under this rule can give to an option at most, under each driver if there are drivers."""
    return rule.most_points if isinstance(rule, Elected) else BEST_SCORE


def dots_of(rule: DecisionRule) -> int:
    """How many dots a ballot under this rule has to spend; 0 where it has none."""
    return rule.dots if isinstance(rule, Elected) else 0


def on_one_ballot(rule: CountedRule) -> CountedRule:
    """The rule for a poll, which has no ballots before it: a majority that must hold in a row is one like any other."""
    return rule.model_copy(update={"ballots_in_a_row": 1}) if isinstance(rule, Majority) else rule


def votes_needed(rule: DecisionRule, eligible: int, cast: int | None = None) -> int | None:
    """The "k" of "k of n"; None if no count decides, most votes are enough, or n are the ballots still to be cast."""
    whole = cast if isinstance(rule, ByCount) and rule.base == "cast" else eligible
    match rule:
        case Threshold():
            return rule.votes
        case Majority() | Supermajority() | Unanimity():
            return None if whole is None else _share_of(rule, whole)
        case Plurality() | Elected() | BySeat() | Tournament():
            return None
        case _:
            assert_never(rule)


def _share_of(rule: Majority | Supermajority | Unanimity, whole: int) -> int:
    more_than_half = whole // 2 + 1
    match rule:
        case Majority():
            return more_than_half
        case Supermajority():
            return ceil(Fraction(whole * rule.numerator, rule.denominator))
        case Unanimity():
            return max(whole - rule.all_but, more_than_half)
        case _:
            assert_never(rule)


def quorum_of(rule: CountedRule, eligible: int) -> int:
    """How many of so many voters have to cast a ballot: more than half of them, unless the rule names a number."""
    return eligible // 2 + 1 if rule.quorum is None else rule.quorum


def fault_in_stops(stop: Collection[StopRule], decide: DecisionRule, gives: Collection[Gives]) -> Sentence | None:
    """Why these stop rules cannot be played in rounds whose phases give this, or None."""
    for rule in stop:
        fault = _fault_in_bounds(rule) or _fault_with(rule, decide) or _fault_in_needs(rule, gives)
        if fault:
            return fault
    return None


def parts_of(rule: StopRule) -> tuple[Simple, ...]:
    """The rules that have to hold together, or the rule by itself."""
    return rule.rules if isinstance(rule, AllOf) else (rule,)


def _fault_in_bounds(rule: StopRule) -> Sentence | None:
    if isinstance(rule, FromRound):
        return Sentence(
            "stop rule from_round ends nothing by itself: put it inside all_of, beside what it is to wait for"
        )
    bounds = [part.kind for part in parts_of(rule) if isinstance(part, MaxRounds | Ceiling)]
    if bounds and isinstance(rule, AllOf):
        return Sentence(
            "stop rule all_of holds {bound}: a bound must hold by itself, so put it beside all_of", bound=bounds[0]
        )
    return None


def _fault_with(rule: StopRule, decide: DecisionRule) -> Sentence | None:
    if not isinstance(rule, DecisionReached) or not isinstance(decide, Plurality | Elected):
        return None
    what = Sentence("an election by {kind}", kind=decide.kind)
    if isinstance(decide, Plurality):
        what = Sentence("a plurality")
    return Sentence("stop rule decision_reached would end {what} at its first ballot: leave it out", what=what)


def _fault_in_needs(rule: StopRule, gives: Collection[Gives]) -> Sentence | None:
    for part in parts_of(rule):
        if isinstance(part, ModeratorDone) and "directive" not in gives:
            return Sentence("stop rule moderator_done needs a phase of the rounds that gives a directive")
        if isinstance(part, NoFurtherRound) and "evaluation" not in gives:
            return Sentence("stop rule no_further_round needs a phase of the rounds that gives an evaluation")
    return None


StopGround = Gives | Literal["ballot", "decision", "comparison"]
"""What rounds can give to a stop rule to go by."""


def _goes_by(part: Simple) -> StopGround | None:
    """What has to be given in the rounds for this rule to hold; None: no content of one kind, and no ballot."""
    match part:
        case DecisionReached():
            return "decision"
        case AllAgree() | Stable():
            return "ballot"
        case ModeratorDone():
            return "directive"
        case NoFurtherRound():
            return "evaluation"
        case MaxRounds() | Ceiling() | MaxTurns() | FromRound():
            return None
        case NoProgress() | Converged() | TextMention():
            return None
        case TopSettled():
            return "comparison"
        case _:
            assert_never(part)


def fault_in_stop(rule: StopRule, grounds: Collection[StopGround], max_rounds: int) -> Sentence | None:
    """Why this stop rule cannot end rounds in which this is given, or None."""
    for part in parts_of(rule):
        needs = _goes_by(part)
        if needs and needs not in grounds:
            return Sentence(
                "stop rule {kind} can never hold: in the rounds nobody gives what it goes by ({needs})",
                kind=part.kind,
                needs=needs,
            )
        if fault := _fault_with_rounds(part, max_rounds):
            return fault
    return None


def _fault_with_rounds(part: StopRule, max_rounds: int) -> Sentence | None:
    if isinstance(part, Stable | NoProgress | Converged) and max_rounds == 1:
        return Sentence(
            "stop rule {kind} can never hold: it looks at two rounds, and there is only one", kind=part.kind
        )
    if isinstance(part, FromRound) and part.round > max_rounds:
        return Sentence(
            "stop rule from_round can never hold: it waits for round {round}, and there are {max_rounds}",
            round=part.round,
            max_rounds=max_rounds,
        )
    return None
