"""Ballots of the debaters to tallies to winners. A tie is a value: a set of options, never broken by order.

How ballots are counted is in `count`; here is which of the debaters' ballots, and what a seat that decides names.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from debate_core.engine import comparisons, heard
from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.engine.count.count import Count, EarlierCount, Result
from debate_core.engine.option_names import only_option
from debate_core.record.state import Counted, State, Turn
from debate_core.spec.contents import Content, Synthesis, Verdict
from debate_core.spec.protocol import Protocol, Spec, asks_ballot
from debate_core.spec.rules import BySeat, CountedRule, Majority, Tournament, ballot_kind
from debate_core.spec.values import Ballot, OptionVotes, Role, Seat, Tally, Unheard, in_words


def tally(state: State) -> Tally:
    """Current cast ballots of the debaters, in the order in which the schedule's seats hold them."""
    return tally_of(state.ballots, state.spec.ids_of("debater"))


def tally_of(ballots: Mapping[str, Ballot], seats: Sequence[str]) -> Tally:
    """Count ballots of these seats, in heads; `eligible` is the number of seats, whatever became of their ballots.

    A ballot that says something of several options is cast, and a vote for none: what it gives is in a `Count`.
    """
    cast = [ballots[seat] for seat in seats if seat in ballots and ballots[seat].status == "cast"]
    votes = Counter(ballot.choice for ballot in cast if ballot.choice is not None)
    counts = tuple(OptionVotes(option=option, votes=n) for option, n in votes.items())
    return Tally(counts=counts, cast=len(cast), eligible=len(seats))


def casts(ballots: Mapping[str, Ballot], seats: Sequence[Seat]) -> tuple[BallotCounted, ...]:
    """The cast ballots of these seats with the weight that was agreed."""
    cast = []
    for seat in seats:
        ballot = ballots.get(seat.id)
        if ballot is not None and ballot.status == "cast":
            cast.append(BallotCounted(seat.id, ballot.choice, ballot.given, seat.weight, ballot.argues_for))
    return tuple(cast)


def count_of(state: State, ballots: Mapping[str, Ballot], earlier: Sequence[Counted] = ()) -> Count | None:
    """These ballots of the debaters under the agreed rule, after the counts before them; None if no count decides."""
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
    """Those of the counts before that a rule depends on: no other than a majority several times in a row looks back."""
    if not isinstance(rule, Majority) or rule.ballots_in_a_row == 1:
        return ()
    return earlier[1 - rule.ballots_in_a_row :]


def earlier_count(spec: Spec, counted: Counted, *, can_end: bool = False) -> EarlierCount:
    """A count of the debaters before another one."""
    name = f"round {counted.round}, {in_words(counted.phase)}"
    return EarlierCount(name, casts(counted.ballots, spec.debaters()), can_end)


def last_count(state: State) -> Count | None:
    """The last counted ballots under the agreed rule; None if nothing was counted, or no count decides."""
    if not state.counted:
        return None
    return count_of(state, state.counted[-1].ballots, state.counted[:-1])


def last_result(state: State) -> Result | None:
    """What the decision rule makes of the last counted ballots; None if nothing was counted, or no count decides."""
    count = last_count(state)
    return count.result() if count else None


def winners(state: State) -> tuple[str, ...]:
    """Options that the decision rule elects now: one = decided, several = a tie, none = undecided.

    Without the ladder: a lot does not end a debate that can still settle its tie by talking.
    """
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat):
        return _named(state, rule)
    if isinstance(rule, Tournament):
        return comparisons.strongest(state)
    result = last_result(state)
    return result.before_ladder() if result else ()


def elected(state: State) -> tuple[tuple[str, ...], Result | None]:
    """Who is elected at the close, by the ladder too, and the count that says so."""
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
    """Sides that were not heard when the deciding seat had its last word, or until now if it has had none."""
    rule = state.spec.protocol.decide
    word = last_word(state, rule.role) if isinstance(rule, BySeat) else None
    return heard.unheard(state, word)


def named_by(state: State, role: Role) -> tuple[str, str | None] | None:
    """(seat, option or None) of the last synthesis or verdict that a seat of this role gave; None if none did.

    A seat that is asked in both orders names what it names in both; one order alone names nothing.
    """
    turn = last_word(state, role)
    if turn is None:
        return None
    return turn.seat, named_in(state, turn)


def named_in(state: State, turn: Turn) -> str | None:
    """What the seat of this turn names in both orders, or in the one in which it is asked; None where they differ."""
    return only_option(word.option if word else None for word in both_orders(state, turn))


def last_word(state: State, role: Role) -> Turn | None:
    """The last synthesis or verdict that a seat of this role gave."""
    seats = state.spec.ids_of(role)
    for turn in reversed(state.all_turns()):
        if turn.seat in seats and isinstance(turn.content, Synthesis | Verdict):
            return turn
    return None


def both_orders(state: State, turn: Turn) -> tuple[Synthesis | Verdict | None, ...]:
    """What the seat of this turn said: once, or in both orders, the first first; None for one not given (yet)."""
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
    """This phase and the one that asks the same in the other order, if there is one; the first first."""
    mirrored = state.phase(phase).sees.mirrors
    if mirrored:
        return mirrored, phase
    mirror = state.spec.protocol.mirror_of(phase)
    if mirror is None:
        return (phase,)
    return phase, mirror.name


def ties(state: State) -> tuple[str, ...]:
    """Options that stand level where one was needed: all over the bar, or all with the most votes; sorted."""
    result = last_result(state)
    return result.ties if result else ()


def most(counted: Tally) -> tuple[str, ...]:
    """Options with the most votes; two or more are a tie, none if nobody voted."""
    top = max((option.votes for option in counted.counts), default=0)
    return tuple(option.option for option in counted.counts if option.votes == top)


def first_is_blind(protocol: Protocol) -> bool:
    """True if nobody could see another's turn before the first ballot."""
    for phase in protocol.phases():
        if asks_ballot(protocol, phase):
            return phase.order == "at_once" or phase.sees.turns != "all"
    return False


def tops_of(spec: Spec, counted: Counted) -> dict[str, tuple[str, ...]]:
    """Debater -> the options that its cast ballot puts highest."""
    kind = ballot_kind(spec.protocol.decide)
    return {b.voter: tops(kind, b, spec.drivers) for b in casts(counted.ballots, spec.debaters())}


def agreed_on(spec: Spec, counted: Counted) -> str | None:
    """The option that every debater's ballot puts on top, alone; None if there is none, or a ballot is missing."""
    highest = tops_of(spec, counted)
    if len(highest) != counted.tally.eligible or len(set(highest.values())) != 1:
        return None
    return only_option(next(iter(highest.values())))


def said_by(counted: Counted) -> dict[str, object]:
    """Debater -> what its ballot says."""
    return {seat: ballot.says() for seat, ballot in counted.ballots.items()}
