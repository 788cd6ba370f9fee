"""Stop rules and decision rules as data.

Values only; `engine.stopping` and `engine.count` implement them. Part of every Protocol.
"""

import re
from collections.abc import Collection, Mapping
from datetime import date, datetime
from fractions import Fraction
from math import ceil
from typing import Annotated, Literal, assert_never, get_args

from pydantic import AfterValidator, BeforeValidator, Field

from debate_core.names import name_key, without_unseen
from debate_core.sentence import Sentence
from debate_core.spec.contents import Gives
from debate_core.spec.values import Amount, BallotKind, Line, Role, SeatId, TieBreak, Value, is_none


class MaxRounds(Value):
    """Ends after the last round; no consensus by then goes to escalation."""

    kind: Literal["max_rounds"] = "max_rounds"


class DecisionReached(Value):
    """Ends when the decision rule has a winner."""

    kind: Literal["decision_reached"] = "decision_reached"


class Ceiling(Value):
    """Ends a debate before a call that would exceed a limit.

    Each axis is inclusive and optional. `seconds` count from the opening; see `engine.ceiling.elapsed_s` for pauses.
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
    """Ends after a round in which every ballot equals the same seat's ballot one round earlier."""

    kind: Literal["stable"] = "stable"


class ModeratorDone(Value):
    """Ends after a round that its moderator declared to be the last."""

    kind: Literal["moderator_done"] = "moderator_done"


class NoFurtherRound(Value):
    """Ends after a round whose evaluator does not recommend another one."""

    kind: Literal["no_further_round"] = "no_further_round"


class SynthesiserDone(Value):
    """Ends after a round whose syntheses recommend no other round, from the minimum on."""

    kind: Literal["synthesiser_done"] = "synthesiser_done"
    min_rounds: Annotated[int, Field(ge=1, le=50)] = 2


class NoProgress(Value):
    """Ends after a round, from the second on, without a new claim."""

    kind: Literal["no_progress"] = "no_progress"


class Converged(Value):
    """Ends after a round, from the second on, in which all debaters' stances name the same option."""

    kind: Literal["converged"] = "converged"


class TextMention(Value):
    """Ends once a turn of the round contains this phrase, in any case (AutoGen's text mention)."""

    kind: Literal["text_mention"] = "text_mention"
    phrase: Annotated[str, Field(min_length=1, max_length=200)]
    by: tuple[SeatId, ...] | None = None
    """Only turns of these seats count; None = all seats."""


class MaxTurns(Value):
    """Ends after the phase in which this many turns were given (AutoGen's bound on messages)."""

    kind: Literal["max_turns"] = "max_turns"
    turns: Annotated[int, Field(ge=1, le=1_000)]


class FromRound(Value):
    """Holds from this round on; used inside all_of to delay other rules (MALLM's hybrid rule)."""

    kind: Literal["from_round"] = "from_round"
    round: Annotated[int, Field(ge=2, le=50)]


FUNCTION_NAME = r"^[a-z][a-z0-9_]{0,39}$"
"""Example: `budget_guard`."""


class StopFunction(Value):
    """Ends after a round at which a named function of the program returns True (flow-state-dev's terminateWhen)."""

    kind: Literal["stop_function"] = "stop_function"
    function: Annotated[str, Field(pattern=FUNCTION_NAME)]


class TopSettled(Value):
    """Ends once the wanted number of top options of a tournament is separated from the rest."""

    kind: Literal["top_settled"] = "top_settled"


Simple = (
    MaxRounds
    | DecisionReached
    | Ceiling
    | AllAgree
    | Stable
    | ModeratorDone
    | NoFurtherRound
    | SynthesiserDone
    | NoProgress
    | Converged
    | TextMention
    | MaxTurns
    | FromRound
    | StopFunction
    | TopSettled
)


class AllOf(Value):
    """Ends when all of these hold at once, so no earlier than the last of them."""

    kind: Literal["all_of"] = "all_of"
    rules: Annotated[tuple[Annotated[Simple, Field(discriminator="kind")], ...], Field(min_length=2, max_length=8)]


StopRule = Annotated[Simple | AllOf, Field(discriminator="kind")]
"""Rules in a list are joined by "or": the first that holds is the reason.

Names in other systems: unanimous = all_agree; settled = stable; restatement = no_progress; a limit of rounds =
max_rounds; a deadline = a ceiling of seconds; external = a person's Stop, or the last round called.
"""


BEST_SCORE = 5
"""The default maximum of points for an option."""
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
"""Rules with ballots on several options, grouped by kind of ballot. `METHODS` has a row for each."""
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
    """Common fields of all counting rules. With fewer cast ballots than the quorum, nothing is decided."""

    quorum: Annotated[int, Field(ge=1)] | None = None
    """Number of ballots, regardless of weight; abstentions are not cast. None: see `quorum_of`."""
    base: Literal["eligible", "cast"] = "eligible"
    """The base of a share: all eligible votes or the votes cast (majority, supermajority, unanimity)."""
    tie: Annotated[tuple[TieBreak, ...], Field(max_length=4)] = ()
    """Tie-break steps at the close, in order; a tie after the last step is undecided."""
    if_undecided: Line = "escalate"


class Threshold(ByCount):
    """An option wins with `votes` current ballots of distinct debaters; two such options are a tie."""

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
    """Never so many that half of the votes would suffice."""


class Plurality(ByCount):
    """The option with the most current ballots wins after the rounds; equal ones are a tie."""

    kind: Literal["plurality"] = "plurality"


class Elected(ByCount):
    """Elects once, after the rounds, from ballots on several options."""

    kind: ElectedKind
    floor_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    """Approval: the minimum share of cast ballots that approve the winner. Weighted criteria: the minimum share of
    `most_points`."""
    most_points: Annotated[int, Field(ge=1, le=1_000)] = BEST_SCORE
    """Weighted criteria: maximum points for an option under one driver."""
    dots: Annotated[int, Field(ge=1, le=100)] = 5
    """Cumulative: dots per ballot."""


class BySeat(Value):
    """The seat of this role names an option or none, once every side was heard."""

    kind: Literal["by_seat"] = "by_seat"
    role: Role = "synthesiser"
    if_undecided: Line = "escalate"
    decides_unheard: bool = False
    """True: it decides even if a side was silent. Only where a protocol declares it."""


class Tournament(Value):
    """The strongest option by pairwise comparisons wins, once it is separated from the next one.

    Strengths follow the Bradley-Terry model; separated means a likelihood ratio test at the 5 % level.
    """

    kind: Literal["tournament"] = "tournament"
    top: Annotated[int, Field(ge=1, le=20)] | None = None
    """Number of top options wanted; comparisons concentrate on the border. None = all options are ranked, and
    `top_settled` never holds."""
    both_orders: bool = False
    """Every pair is also asked in the other order."""
    at_limit: Literal["applies"] | None = None
    """`applies`: a limit ends the comparisons like the last round, and separated options are decided; None = a limit
    decides nothing."""
    if_undecided: Line = "escalate"
    matches: Annotated[Literal["debate"] | None, Field(exclude_if=is_none)] = None
    """`debate`: models compare each pair in a short debate with its own record; None = a seat compares alone."""


CountedRule = Threshold | Majority | Supermajority | Unanimity | Plurality | Elected
DecisionRule = Annotated[CountedRule | BySeat | Tournament, Field(discriminator="kind")]


def ballot_kind(rule: DecisionRule) -> BallotKind:
    """The kind of ballot under this rule: one option, or points for several."""
    return _BALLOTS[rule.kind] if isinstance(rule, Elected) else "one"


def most_points(rule: DecisionRule) -> int:
    """Maximum points for an option under this rule, per driver if there are drivers."""
    return rule.most_points if isinstance(rule, Elected) else BEST_SCORE


def dots_of(rule: DecisionRule) -> int:
    """Dots per ballot under this rule; 0 without dots."""
    return rule.dots if isinstance(rule, Elected) else 0


def on_one_ballot(rule: CountedRule) -> CountedRule:
    """The rule for a poll, which has no earlier ballots: a majority needs only one ballot."""
    return rule.model_copy(update={"ballots_in_a_row": 1}) if isinstance(rule, Majority) else rule


def votes_needed(rule: DecisionRule, eligible: int, cast: int | None = None) -> int | None:
    """The "k" of "k of n"; None if no count decides, the most votes win, or n depends on ballots still to come."""
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
    """Quorum among this many voters: the rule's number, or more than half."""
    return eligible // 2 + 1 if rule.quorum is None else rule.quorum


def fault_in_stops(stop: Collection[StopRule], decide: DecisionRule, gives: Collection[Gives]) -> Sentence | None:
    """The reason why these stop rules do not fit rounds whose phases give these contents, or None."""
    for rule in stop:
        fault = _fault_in_bounds(rule) or _fault_with(rule, decide) or _fault_in_needs(rule, gives)
        if fault:
            return fault
    return None


def asks_function(rule: StopRule) -> bool:
    """True if this rule depends on a stop function."""
    return any(isinstance(part, StopFunction) for part in parts_of(rule))


def parts_of(rule: StopRule) -> tuple[Simple, ...]:
    """The parts of an all_of, or the rule alone."""
    return rule.rules if isinstance(rule, AllOf) else (rule,)


def _fault_in_bounds(rule: StopRule) -> Sentence | None:
    if isinstance(rule, FromRound):
        return Sentence(
            "stop rule from_round ends nothing alone: put it inside all_of, together with the rules that it delays"
        )
    bounds = [part.kind for part in parts_of(rule) if isinstance(part, MaxRounds | Ceiling)]
    if bounds and isinstance(rule, AllOf):
        return Sentence(
            "stop rule all_of contains {bound}: this rule must work alone, so put it next to all_of", bound=bounds[0]
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
        if isinstance(part, SynthesiserDone) and "synthesis" not in gives:
            return Sentence("stop rule synthesiser_done needs a phase of the rounds that gives a synthesis")
    return None


StopGround = Gives | Literal["ballot", "decision", "comparison"]
"""Contents of rounds that stop rules depend on."""


def _goes_by(part: Simple) -> StopGround | None:
    """The content that this rule needs in the rounds; None = no particular kind."""
    match part:
        case DecisionReached():
            return "decision"
        case AllAgree() | Stable():
            return "ballot"
        case ModeratorDone():
            return "directive"
        case NoFurtherRound():
            return "evaluation"
        case SynthesiserDone():
            return "synthesis"
        case MaxRounds() | Ceiling() | MaxTurns() | FromRound():
            return None
        case NoProgress() | Converged() | TextMention() | StopFunction():
            return None
        case TopSettled():
            return "comparison"
        case _:
            assert_never(part)


def fault_in_stop(rule: StopRule, grounds: Collection[StopGround], max_rounds: int) -> Sentence | None:
    """The reason why this stop rule can never end these rounds, or None."""
    for part in parts_of(rule):
        needs = _goes_by(part)
        if needs and needs not in grounds:
            return Sentence(
                "stop rule {kind} can never hold: no seat gives what it needs in the rounds ({needs})",
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
    if isinstance(part, SynthesiserDone) and part.min_rounds >= max_rounds > 1:
        return Sentence(
            "stop rule synthesiser_done can never end the rounds early: it holds from round {min_rounds} on, and there "
            "are {max_rounds}",
            min_rounds=part.min_rounds,
            max_rounds=max_rounds,
        )
    return None


MAX_ADDRESSEE_CHARS = 200


def _read_addressee(text: str) -> str:
    name = without_unseen(text).strip()
    if not name_key(name):
        raise ValueError(Sentence("it names no one: write a name or a role, such as Architecture board"))
    return name


def _read_date(given: object) -> object:
    """Return `2027-01-15` for such a text, and for a date of a TOML file."""
    if isinstance(given, date) and not isinstance(given, datetime):
        return given.isoformat()
    try:
        # `fromisoformat` alone would also accept 20270115 and 2027-W02-5.
        if isinstance(given, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", given, re.ASCII):
            return date.fromisoformat(given).isoformat()
    except ValueError:
        pass
    raise ValueError(Sentence("write a date as year-month-day, as in 2027-01-15"))


class Escalation(Value):
    """Addressee and date of the open points if nothing is decided."""

    to: Annotated[str, Field(max_length=MAX_ADDRESSEE_CHARS), AfterValidator(_read_addressee)]
    """A name or a role."""
    by: Annotated[str, BeforeValidator(_read_date)] | None = None
    """The date as `2027-01-15`; None = no date."""
