"""From the debaters' ballots to tallies and winners. A tie is a set of options; order never breaks it.

`count` implements the rules; this module selects the ballots, and reads the choice of a deciding seat.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from debate_core.engine import comparisons, side_coverage
from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.engine.count.count import Count, EarlierCount, Result
from debate_core.engine.option_names import only_option
from debate_core.record.state import Counted, State, Turn
from debate_core.spec.contents import Content, Synthesis, Verdict
from debate_core.spec.protocol import Protocol, Spec, asks_ballot
from debate_core.spec.rules import BySeat, CountedRule, Majority, Tournament, ballot_kind
from debate_core.spec.values import Ballot, OptionVotes, Role, Seat, Tally, Unheard, in_words


def tally(state: State) -> Tally:
    """Cast ballots of the debaters, in schedule order."""
    return tally_of(state.ballots, state.spec.ids_of("debater"))


def tally_of(ballots: Mapping[str, Ballot], seats: Sequence[str]) -> Tally:
    """Count the ballots of these seats, one each; `eligible` is the number of seats, with or without a ballot.

    A ballot on several options counts as cast but as a vote for none; `Count` holds its details.
    """
    cast = [ballots[seat] for seat in seats if seat in ballots and ballots[seat].status == "cast"]
    votes = Counter(ballot.choice for ballot in cast if ballot.choice is not None)
    counts = tuple(OptionVotes(option=option, votes=n) for option, n in votes.items())
    return Tally(counts=counts, cast=len(cast), eligible=len(seats))


def casts(ballots: Mapping[str, Ballot], seats: Sequence[Seat]) -> tuple[BallotCounted, ...]:
    """The cast ballots of these seats with their agreed weights."""
    cast = []
    for seat in seats:
        ballot = ballots.get(seat.id)
        if ballot is not None and ballot.status == "cast":
            cast.append(BallotCounted(seat.id, ballot.choice, ballot.given, seat.weight, ballot.argues_for))
    return tuple(cast)


def count_of(state: State, ballots: Mapping[str, Ballot], earlier: Sequence[Counted] = ()) -> Count | None:
    """The debaters' ballots under the agreed rule, after the earlier counts; None if no count decides."""
    spec = state.spec
    rule = spec.protocol.decide
    if not isinstance(rule, CountedRule):
        return None
    seats = spec.debaters()
    cast = casts(ballots, seats)
    voted = {ballot.voter for ballot in cast}
    return Count(
        "debaters",
        rule,
        ballot_kind(rule),
        spec.options,
        cast,
        silent={seat.id: seat.weight for seat in seats if seat.id not in voted},
        seed=spec.seed,
        drivers=spec.drivers,
        earlier=tuple(earlier_count(spec, counted) for counted in _looked_back_at(rule, earlier)),
    )


def _looked_back_at(rule: CountedRule, earlier: Sequence[Counted]) -> Sequence[Counted]:
    """The earlier counts that the rule depends on: only a majority several times in a row looks back."""
    if not isinstance(rule, Majority) or rule.ballots_in_a_row == 1:
        return ()
    return earlier[1 - rule.ballots_in_a_row :]


def earlier_count(spec: Spec, counted: Counted, *, can_end: bool = False) -> EarlierCount:
    """An earlier count of the debaters, for a rule that looks back."""
    name = f"round {counted.round}, {in_words(counted.phase)}"
    return EarlierCount(name, casts(counted.ballots, spec.debaters()), can_end)


def last_count(state: State) -> Count | None:
    """The last counted ballots under the agreed rule; None without a count, or if no count decides."""
    if not state.counted:
        return None
    return count_of(state, state.counted[-1].ballots, state.counted[:-1])


def last_result(state: State) -> Result | None:
    """The result of the last count; None without a count, or if no count decides."""
    count = last_count(state)
    return count.result() if count else None


def winners(state: State) -> tuple[str, ...]:
    """Options that the decision rule elects now: one = decided, several = a tie, none = undecided.

    Without the tie-break ladder: a lot must not end a debate that can still resolve its tie by arguing.
    """
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat):
        return _named(state, rule)
    if isinstance(rule, Tournament):
        return comparisons.strongest(state)
    result = last_result(state)
    return result.before_ladder() if result else ()


def elected(state: State) -> tuple[tuple[str, ...], Result | None]:
    """The winners at the close, tie-break ladder included, and the count behind them."""
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat):
        return _named(state, rule), None
    if isinstance(rule, Tournament):
        return comparisons.strongest(state), None
    result = last_result(state)
    return result.winners if result else (), result


def _named(state: State, rule: BySeat) -> tuple[str, ...]:
    seat_and_option = named_by(state, rule.role)
    if seat_and_option is None or unheard(state):
        return ()
    _, option = seat_and_option
    return (option,) if option else ()


def unheard(state: State) -> tuple[Unheard, ...]:
    """Sides that were not heard before the deciding seat's last content, or so far if it has given none."""
    rule = state.spec.protocol.decide
    word = last_word(state, rule.role) if isinstance(rule, BySeat) else None
    return side_coverage.unheard(state, word)


def named_by(state: State, role: Role) -> tuple[str, str | None] | None:
    """(seat, option or None) of the last synthesis or verdict by a seat of this role; None if there is none.

    A seat that is asked in both orders must name the same option in both.
    """
    turn = last_word(state, role)
    if turn is None:
        return None
    return turn.seat, named_in(state, turn)


def named_in(state: State, turn: Turn) -> str | None:
    """The option that this turn's seat names, in both orders if it is asked twice; None if the orders differ."""
    return only_option(word.option if word else None for word in both_orders(state, turn))


def last_word(state: State, role: Role) -> Turn | None:
    """The last synthesis or verdict by a seat of this role."""
    seats = state.spec.ids_of(role)
    for turn in reversed(state.all_turns()):
        if turn.seat in seats and isinstance(turn.content, Synthesis | Verdict):
            return turn
    return None


def both_orders(state: State, turn: Turn) -> tuple[Synthesis | Verdict | None, ...]:
    """The content of this turn's seat: once, or in both orders; None for a missing one."""
    content_in: dict[str, Content | None] = {}
    for other in state.all_turns():
        if (other.round, other.seat) == (turn.round, turn.seat):
            content_in[other.phase] = other.content
    words: list[Synthesis | Verdict | None] = []
    for phase in _phases_of_both_orders(state, turn.phase):
        content = content_in.get(phase)
        words.append(content if isinstance(content, Synthesis | Verdict) else None)
    return tuple(words)


def _phases_of_both_orders(state: State, phase: str) -> tuple[str, ...]:
    """This phase, or the pair of phases that ask the same in both orders, the first one first."""
    mirrored = state.phase(phase).sees.mirrors
    if mirrored:
        return mirrored, phase
    mirror = state.spec.protocol.mirror_of(phase)
    if mirror is None:
        return (phase,)
    return phase, mirror.name


def ties(state: State) -> tuple[str, ...]:
    """Tied options where one was needed: all over the bar, or all with the most votes; sorted."""
    result = last_result(state)
    return result.ties if result else ()


def most(counted: Tally) -> tuple[str, ...]:
    """Options with the most votes; two or more = a tie, () = no votes."""
    top = max((option.votes for option in counted.counts), default=0)
    return tuple(option.option for option in counted.counts if option.votes == top)


def first_is_blind(protocol: Protocol) -> bool:
    """True if no seat can see another's turn before the first ballot."""
    for phase in protocol.phases():
        if asks_ballot(protocol, phase):
            return phase.order == "at_once" or phase.sees.turns != "all"
    return False


def tops_of(spec: Spec, counted: Counted) -> dict[str, tuple[str, ...]]:
    """Debater -> the options that their cast ballot ranks highest."""
    kind = ballot_kind(spec.protocol.decide)
    return {b.voter: tops(kind, b, spec.drivers) for b in casts(counted.ballots, spec.debaters())}


def agreed_on(spec: Spec, counted: Counted) -> str | None:
    """The single option that every debater's ballot ranks first; None if there is none, or a ballot is missing."""
    highest = tops_of(spec, counted)
    if len(highest) != counted.tally.eligible or len(set(highest.values())) != 1:
        return None
    return only_option(next(iter(highest.values())))


def said_by(counted: Counted) -> dict[str, object]:
    """Debater -> the statement of their ballot."""
    return {seat: ballot.says() for seat, ballot in counted.ballots.items()}
