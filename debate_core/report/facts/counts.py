"""Counts and their rows: debaters and revealed polls, points per option, pairs, rounds, other rules.

Only `Count` counts. The numbers are for display; no decision is made from them. Tables, charts, CSV and screens are
drawn from these rows.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal, get_args

from debate_core.engine import evidence, stopping, voting
from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count, EarlierCount, Result
from debate_core.engine.count.margin_of_victory import Flip
from debate_core.engine.count.methods import METHODS, others_of
from debate_core.engine.stage import count_of_poll
from debate_core.record.state import State
from debate_core.report.facts.ballots import counted_words, phase_count_id
from debate_core.report.facts.polls import count_id, revealed_results
from debate_core.report.facts.turns import sealed_seats
from debate_core.spec.people import PollResult
from debate_core.spec.rules import CountedRule, DecisionReached, FromRound, StopRule, Threshold, ballot_kind, parts_of
from debate_core.spec.values import Ballot, BallotStatus, Tally

CLOSE = "close"
"""Poll id of the count at the close, if ballots changed after the last counted phase."""
Number = int | float
Stand = Literal["consents", "concerns", "objections"]
"""Answers of a consent ballot, in the order of their points."""


def number(value: Fraction) -> Number:
    """Convert to an int if whole, else to a float."""
    return value.numerator if value.denominator == 1 else round(float(value), 6)


# --- counts


def counts_of(state: State) -> tuple[Count, ...]:
    """The debaters' last ballots, then each electorate in each revealed poll."""
    debaters = debaters_count(state)
    polls = (count_of_poll(state, poll, result.electorate) for poll, result in revealed_results(state))
    return (*([debaters] if debaters else []), *polls)


def debaters_count(state: State) -> Count | None:
    """The count of the debaters' ballots at the close, or so far, with all earlier counts.

    None if nothing was counted, or no count decides: a seat does, or the debate was cut off before one could.
    """
    if not state.counted or stopping.was_interrupted(state):
        return None
    count = _count_now(state, final_ballots(state))
    return replace(count, refused=_refused(state, count)) if count else None


def _refused(state: State, count: Count) -> tuple[str, ...]:
    """Options that the protocol does not let win; for the winner, as recorded at the close."""
    refused = {option for option in count.options if evidence.refuses(state, option)}
    if state.outcome is not None:
        winners = count.result().winners
        was_refused = state.outcome.ended_by == stopping.UNVERIFIED_QUOTES
        refused = refused.union(winners) if was_refused else refused.difference(winners)
    return tuple(option for option in count.options if option in refused)


def _count_now(state: State, ballots: Mapping[str, Ballot]) -> Count | None:
    """The count of these ballots as the latest ones; None if no count decides."""
    as_counted = state.counted and ballots == state.counted[-1].ballots
    earlier = _earlier_counts(state)
    return _after(state, ballots, earlier[:-1] if as_counted else earlier)


def _after(state: State, ballots: Mapping[str, Ballot], earlier: Iterable[EarlierCount]) -> Count | None:
    """The count of these ballots, after the earlier ones; None if no count decides."""
    count = voting.count_of(state, ballots)
    return replace(count, earlier=tuple(earlier)) if count else None


def _earlier_counts(state: State) -> Sequence[EarlierCount]:
    """Every count so far, as a later one looks back at it; () if no count decides."""
    if not isinstance(state.spec.protocol.decide, CountedRule):
        return ()
    ends = set(_where_a_decision_ends(state))
    return [voting.earlier_count(state.spec, c, can_end=(c.round, c.phase) in ends) for c in state.counted]


def _where_a_decision_ends(state: State) -> Collection[tuple[int, str]]:
    """Rounds and phases after which the debate ends if its rule elects an option there."""
    protocol = state.spec.protocol
    from_rounds = [number for number in map(_ends_from_round, protocol.stop) if number is not None]
    if not from_rounds:
        return ()
    first_round = min(from_rounds)
    in_rounds = {phase.name for phase in protocol.each_round}
    places = [(c.round, c.phase) for c in state.counted if c.phase in in_rounds and c.round >= first_round]
    if protocol.check_after == "phase":
        return places
    last_of_round = dict(places)
    return last_of_round.items()


def _ends_from_round(rule: StopRule) -> int | None:
    """The first round in which this rule ends the debate for a decision; None if it never does."""
    parts = parts_of(rule)
    if not all(isinstance(part, DecisionReached | FromRound) for part in parts):
        return None
    return max((part.round for part in parts if isinstance(part, FromRound)), default=1)


def agrees(count: Count, recorded: PollResult) -> bool:
    """True if a recount gives the recorded result."""
    again = count.result()
    return again == as_recorded(again, recorded) and again.cast == recorded.cast


def as_recorded(again: Result, recorded: PollResult) -> Result:
    """Replace winners and points of a recount with the recorded ones."""
    points = {p.option: Fraction(p.points) for p in recorded.points}
    return replace(again, winners=recorded.winners, points=points, quorum_met=recorded.quorum_met, steps=recorded.steps)


# --- the debaters' current ballots


def first_tally(state: State) -> Tally | None:
    """The first count of the debate; None if there is none yet."""
    return state.counted[0].tally if state.counted else None


def final_tally(state: State) -> Tally:
    """The count in heads at the close, or so far; ballots of a sealed phase count once it has ended."""
    return state.outcome.tally if state.outcome else _heads(state, final_ballots(state))


def _heads(state: State, ballots: Mapping[str, Ballot]) -> Tally:
    return voting.tally_of(ballots, [s.id for s in state.spec.debaters()])


def final_ballots(state: State) -> Mapping[str, Ballot]:
    """The ballots at the close, or so far, without those of an open sealed phase."""
    if not sealed_seats(state):
        return state.ballots
    return last_counted_ballots(state)


def last_counted_ballots(state: State) -> Mapping[str, Ballot]:
    """Ballots at the end of the last phase that asked for them; {} before the first."""
    return state.counted[-1].ballots if state.counted else {}


def counts_heads(state: State) -> bool:
    """True if every ballot names one option and weighs 1, so that points are numbers of ballots."""
    return ballot_kind(state.spec.protocol.decide) == "one" and all(s.weight == 1 for s in state.spec.debaters())


def points_by_option(state: State, ballots: Mapping[str, Ballot]) -> dict[str, Number]:
    """Option -> points under the agreed rule; for plain votes in the order of the seats, without zeros."""
    count = voting.count_of(state, ballots)
    if count is None or counts_heads(state):
        return {**_heads(state, ballots).as_dict()}
    return _numbers(count.result())


def final_points(state: State) -> dict[str, Number]:
    """Points by option at the close, or so far."""
    if counts_heads(state):
        return {**final_tally(state).as_dict()}
    return points_by_option(state, final_ballots(state))


def unweighted_points(count: Count | None) -> dict[str, Number]:
    """Points by option if every ballot weighed 1; {} if every one does, or without a count."""
    if count is None or count.weighs_one():
        return {}
    return _numbers(count.unweighted().result())


def _numbers(result: Result) -> dict[str, Number]:
    return {option: number(points) for option, points in result.points.items()}


def ballot_counts(state: State) -> dict[str, int]:
    """Current ballots of the debaters by status; contains all five statuses."""
    statuses: tuple[BallotStatus, ...] = ("cast", "abstained", "unparseable", "failed", "struck")
    ballots = Counter(b.status for b in final_ballots(state).values())
    return {status: ballots[status] for status in statuses}


# --- points per option


@dataclass(frozen=True, slots=True)
class TallyRow:
    """Points of one option in one poll, including 0. Tied options share a rank."""

    poll_id: str
    rule: str
    option: str
    votes: Number
    """Weighted points in `unit`."""
    unweighted: Number
    """Points if every ballot weighed 1."""
    unit: str
    rank: int
    elected: bool
    threshold: Number | None
    quorum_met: bool
    tie: bool
    tie_step: str
    """Steps of the tie-break; empty without a tie."""
    in_a_row: int
    """Number of consecutive counts an option has to win."""
    has_held: int
    """Number of consecutive counts it has won, up to this one."""


def tally_rows(state: State) -> tuple[TallyRow, ...]:
    """Rows of every poll of the debaters, in the order of polls and of the options."""
    polls = [(phase_count_id(c), c.ballots) for c in state.counted]
    if polls and state.outcome and _counts(state, polls[-1][1]) != _counts(state, state.ballots):
        polls.append((CLOSE, state.ballots))
    rows: list[TallyRow] = []
    earlier = _earlier_counts(state)
    for place, (poll_id, ballots) in enumerate(polls):
        # Ballots that changed in an interrupted phase were never counted by the rule.
        closing = place == len(polls) - 1 and poll_id != CLOSE
        rows += poll_rows(state, poll_id, _after(state, ballots, earlier[:place]), closing=closing)
    return tuple(rows)


def rows_so_far(state: State, ballots: Mapping[str, Ballot]) -> list[TallyRow]:
    """Rows of ballots that have not been counted by the rule yet."""
    return poll_rows(state, "now", _count_now(state, ballots), closing=False)


def _counts(state: State, ballots: Mapping[str, Ballot]) -> object:
    return _heads(state, ballots), points_by_option(state, ballots)


def poll_rows(state: State, poll_id: str, count: Count | None, *, closing: bool) -> list[TallyRow]:
    """Rows of one poll of the debaters; only the `closing` one can elect an option or end in a tie."""
    if count is None:
        return []
    result = count.result()
    outcome = state.outcome if closing and not stopping.was_interrupted(state) else None
    if outcome is None or not outcome.steps:
        result = replace(result, steps=())
    if outcome is None:
        return _rows_of(poll_id, count, result, elected=None, ahead=None, ties=())
    elected = outcome.decision if outcome.status == "decided" else None
    # In a count of heads tied options share a rank, whichever the tie-break elected.
    ahead = None if count.kind == "one" else elected
    return _rows_of(poll_id, count, result, elected=elected, ahead=ahead, ties=outcome.ties)


def poll_tally_rows(state: State) -> tuple[TallyRow, ...]:
    """Rows of every revealed poll, as recorded at its close."""
    rows: list[TallyRow] = []
    for poll, recorded in revealed_results(state):
        count = count_of_poll(state, poll, recorded.electorate)
        result = as_recorded(count.result(), recorded)
        elected = recorded.winners[0] if len(recorded.winners) == 1 else None
        ties = () if elected else recorded.winners
        poll_id = count_id(poll.id, recorded.electorate)
        rows += _rows_of(poll_id, count, result, elected=elected, ahead=elected, ties=ties)
    return tuple(rows)


def _rows_of(
    poll_id: str, count: Count, result: Result, *, elected: str | None, ahead: str | None, ties: tuple[str, ...]
) -> list[TallyRow]:
    """`ahead` ranks before options with as many points."""
    unweighted = result if count.weighs_one() else count.unweighted().result()
    worth = {option: (option == ahead, points) for option, points in result.points.items()}
    most_first = sorted(worth.values(), reverse=True)
    threshold = None if result.needed is None else number(result.needed)
    tie_step = "; ".join(f"{step.step}: {' and '.join(step.left)}" for step in result.steps)
    return [
        TallyRow(
            poll_id=poll_id,
            rule=count.rule.kind,
            option=option,
            votes=number(result.points[option]),
            unweighted=number(unweighted.points[option]),
            unit=METHODS[count.rule.kind].unit,
            rank=1 + most_first.index(worth[option]),
            elected=option == elected,
            threshold=threshold,
            quorum_met=result.quorum_met,
            tie=option in ties,
            tie_step=tie_step,
            in_a_row=result.in_a_row,
            has_held=result.has_held if option in result.on_last_ballots else 0,
        )
        for option in count.options
    ]


# --- a count step by step


@dataclass(frozen=True, slots=True)
class PairRow:
    """Weighted number of ballots that prefer one option to another."""

    poll_id: str
    a: str
    b: str
    prefers_a: Number
    prefers_b: Number
    tied: Number


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One option in one round of an elimination."""

    round: int
    option: str
    votes: Number
    out: bool
    exhausted: Number
    """Votes without a remaining option; the same in all rows of a round."""


@dataclass(frozen=True, slots=True)
class BallotPoints:
    """One ballot and the points it adds to each option; `points` is None if the rule does not add up."""

    voter: str
    weight: int
    said: str
    points: Mapping[str, Number] | None


@dataclass(frozen=True, slots=True)
class StandRow:
    """Ballots that consent to an option, or raise a concern or an objection."""

    stand: Stand
    option: str
    weight: int
    voters: tuple[str, ...]


def pair_rows(state: State) -> tuple[PairRow, ...]:
    """Every pair of options in every poll of the debaters, if ballots rank or give points."""
    counts = [(phase_count_id(c), voting.count_of(state, c.ballots)) for c in state.counted]
    return tuple(row for poll_id, count in counts if count for row in pairs_of(poll_id, count))


def poll_pair_rows(state: State) -> tuple[PairRow, ...]:
    """Every pair of options in every revealed poll."""
    rows: list[PairRow] = []
    for poll, result in revealed_results(state):
        poll_id = count_id(poll.id, result.electorate)
        rows += pairs_of(poll_id, count_of_poll(state, poll, result.electorate))
    return tuple(rows)


def pairs_of(poll_id: str, count: Count) -> list[PairRow]:
    """Every pair of options in one count; [] if its ballots do not order the options."""
    above = count.pairs()
    if not above:
        return []
    cast = sum(b.weight for b in count.ballots if b.says())
    rows = []
    for a, b in combinations(count.options, 2):
        tied = cast - above[a, b] - above[b, a]
        rows.append(PairRow(poll_id, a, b, number(above[a, b]), number(above[b, a]), number(tied)))
    return rows


def rounds_of(count: Count) -> tuple[RoundRow, ...]:
    """Rounds of an elimination, in each the most votes first; () under every other rule."""
    rows = []
    for place, one in enumerate(count.rounds(), start=1):
        for option, votes in sorted(one.tally.items(), key=lambda item: (-item[1], item[0])):
            rows.append(RoundRow(place, option, number(votes), option in one.eliminated, number(one.exhausted)))
    return tuple(rows)


def stands_of(count: Count) -> tuple[StandRow, ...]:
    """Consents, then concerns, then objections, each to every option in declared order."""
    rows = []
    for points, stand in enumerate(get_args(Stand)):
        for option in count.options:
            ballots = [ballot for ballot in count.ballots if _gives(ballot, option, points)]
            weight = sum(ballot.weight for ballot in ballots)
            rows.append(StandRow(stand, option, weight, tuple(ballot.voter for ballot in ballots)))
    return tuple(rows)


def _gives(ballot: BallotCounted, option: str, points: int) -> bool:
    return any(given.option == option and given.points == points for given in ballot.given)


def ballot_by_ballot(count: Count) -> tuple[BallotPoints, ...]:
    """Points added by every counted ballot; under additive rules the columns sum to the points of the options."""
    rows = []
    for ballot in count.ballots:
        points = count.points_from(ballot)
        adds = None if points is None else {option: number(points[option]) for option in count.options}
        rows.append(BallotPoints(ballot.voter, ballot.weight, counted_words(count.kind, ballot), adds))
    return tuple(rows)


# --- other rules


@dataclass(frozen=True, slots=True)
class RuleResult:
    """Result of one rule. `winners` is sorted: several are a tie, none = undecided."""

    rule: str
    needed: Number | None
    """Votes needed; None if most votes elect."""
    winners: tuple[str, ...]
    agreed: bool
    """True for the rule that was agreed before the start."""
    flip: Flip | None
    """Margin of victory: fewest changed ballots that give another result; None = not computed."""
    ended: str = ""
    """`round 1, opening`: the earlier count that would have ended the debate; empty = the last one."""


QUICK = 400
"""Search bound of the margin of victory when many rules are computed at once."""


def rule_results(count: Count, *, counts: int = 0) -> tuple[RuleResult, ...]:
    """Results of the agreed rule first, then of every other rule that fits the ballots.

    `counts` bounds the search for the margin of victory.
    """
    return tuple(rule_result(count, rule, counts=counts) for rule in (count.rule, *others_of(count.rule)))


def rule_result(count: Count, rule: CountedRule, *, counts: int = 0) -> RuleResult:
    """Result of one rule on these ballots, replayed from the first count under the agreed conditions."""
    is_agreed = rule is count.rule
    played = count if is_agreed else count.under(rule).played_through()
    result = played.result()
    needed = None if result.needed is None else number(result.needed)
    flip = played.flip(counts=counts) if counts else None
    ended = played.name if len(played.earlier) < len(count.earlier) else ""
    return RuleResult(rule.kind, needed, result.winners, is_agreed, flip, ended)


def what_if(count: Count | None) -> tuple[RuleResult, ...]:
    """Results of all rules on the debaters' ballots; () without a count."""
    return rule_results(count, counts=QUICK) if count else ()


def rules_to_try(count: Count) -> tuple[CountedRule, ...]:
    """The agreed rule first, then an adjustable threshold for single-choice votes, then every other rule."""
    more_than_half = sum(count.voters().values()) // 2 + 1
    bar = Threshold(votes=more_than_half, allows_two_winners=True)
    movable = (bar,) if count.kind == "one" and not isinstance(count.rule, Threshold) else ()
    return (count.rule, *movable, *others_of(count.rule))
