"""Ballots to tallies to winners. A tie is a value: a set of options, never broken by order.

The threshold rule is seed 000, Mechanism 5. Shares are counted in heads with exact fractions, never floats.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Literal

from debate_core.engine.count import counting
from debate_core.engine.count.counting import Cast, Tallied
from debate_core.record.state import Counted, State, Turn
from debate_core.spec.contents import Synthesis, Verdict
from debate_core.spec.protocol import Protocol, Spec, asks_ballot
from debate_core.spec.rules import BySeat, CountedRule, Majority, ballot_kind
from debate_core.spec.values import Ballot, Count, Role, Seat, Tally

Agreement = Literal["consensus", "split", "incoherent", "no_ballots"]


def tally(state: State) -> Tally:
    """Current cast ballots of the debaters, in the order in which the schedule's seats hold them."""
    seats = [s.id for s in state.spec.debaters()]
    return tally_of(state.ballots, seats)


def tally_of(ballots: Mapping[str, Ballot], seats: list[str]) -> Tally:
    """Count ballots of these seats, in heads; `eligible` is the number of seats, whatever became of their ballots.

    A ballot that says something of several options is cast, and a vote for none: what it gives is in `tallied`.
    """
    votes: Counter[str] = Counter()
    cast = 0
    for seat in seats:
        ballot = ballots.get(seat)
        if ballot is not None and ballot.status == "cast":
            cast += 1
            votes.update([ballot.choice] if ballot.choice is not None else [])
    counts = tuple(Count(option=option, votes=n) for option, n in votes.items())
    return Tally(counts=counts, cast=cast, eligible=len(seats))


def casts(ballots: Mapping[str, Ballot], seats: Sequence[Seat]) -> tuple[Cast, ...]:
    """The cast ballots of these seats with the weight that was agreed."""
    held = [(s, b) for s in seats if (b := ballots.get(s.id)) is not None and b.status == "cast"]
    return tuple(Cast(s.id, b.choice, b.given, s.weight) for s, b in held)


def tallied(spec: Spec, ballots: Mapping[str, Ballot], rule: CountedRule) -> Tallied:
    """What a rule makes of the debaters' ballots, with the ladder of the rule if they are level."""
    seats = spec.debaters()
    weights = [s.weight for s in seats]
    kind = ballot_kind(spec.protocol.decide)
    cast = casts(ballots, seats)
    return counting.count(rule, spec.options, cast, eligible=weights, seed=spec.seed, kind=kind, drivers=spec.drivers)


def settled(state: State) -> Tallied | None:
    """What the decision rule makes of the last counted ballots; None if nothing was counted, or no count decides."""
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat) or not state.counted:
        return None
    return tallied(state.spec, state.counted[-1].ballots, rule)


def winners(state: State) -> tuple[str, ...]:
    """Options that the decision rule elects now: one = decided, several = a tie, none = undecided.

    Without the ladder: a lot does not end a debate that can still settle its tie by talking.
    """
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat):
        named = named_by(state, rule.role)
        return (named[1],) if named and named[1] else ()
    if isinstance(rule, Majority):
        return _held_majority(rule, state)
    found = settled(state)
    return found.before_ladder() if found else ()


def elected(state: State) -> tuple[tuple[str, ...], Tallied | None]:
    """Who is elected at the close, by the ladder too, and the count that says so."""
    found, level = settled(state), winners(state)
    return (found.winners if found and len(level) > 1 else level), found


def _held_majority(rule: Majority, state: State) -> tuple[str, ...]:
    """Seed 003 as adopted: unanimous openings at once, else a strict majority on the last ballots in a row."""
    found = [tallied(state.spec, c.ballots, rule) for c in state.counted[-rule.ballots_in_a_row :]]
    if not found:
        return ()
    latest = found[-1]
    ahead = latest.winners
    if len(state.counted) == 1 and ahead and latest.points[ahead[0]] == latest.eligible_weight:
        return ahead
    held = len(found) == rule.ballots_in_a_row and all(f.winners == ahead for f in found)
    return ahead if held else ()


def named_by(state: State, role: Role) -> tuple[str, str | None] | None:
    """(seat, option or None) of the last synthesis or verdict that a seat of this role gave; None if none did.

    A seat that is asked in both orders names what it names in both; one order alone names nothing.
    """
    turn = last_word(state, role)
    return None if turn is None else (turn.seat, named_in(state, turn))


def named_in(state: State, turn: Turn) -> str | None:
    """What the seat of this turn names in both orders, or in the one in which it is asked; None where they differ."""
    named = {order.option if order else None for order in both_orders(state, turn)}
    return named.pop() if len(named) == 1 else None


def last_word(state: State, role: Role) -> Turn | None:
    """The last synthesis or verdict that a seat of this role gave."""
    seats = {s.id for s in state.spec.seats_of(role)}
    said = (t for t in reversed(state.all_turns()) if t.seat in seats and isinstance(t.content, Synthesis | Verdict))
    return next(said, None)


def both_orders(state: State, turn: Turn) -> tuple[Synthesis | Verdict | None, ...]:
    """What the seat of this turn said: once, or in both orders, the first first; None for one not given (yet)."""
    protocol = state.spec.protocol
    mirrored = state.phase(turn.phase).sees.mirrors
    mirror = protocol.mirror_of(turn.phase)
    names = [mirrored, turn.phase] if mirrored else [turn.phase, mirror.name] if mirror else [turn.phase]
    said = {t.phase: t.content for t in state.all_turns() if (t.round, t.seat) == (turn.round, turn.seat)}
    given = [said.get(name) for name in names]
    return tuple(c if isinstance(c, Synthesis | Verdict) else None for c in given)


def ties(state: State) -> tuple[str, ...]:
    """Options that stand level where one was needed: all over the bar, or all with the most votes; sorted."""
    found = settled(state)
    return found.ties if found else ()


def most(counted: Tally) -> tuple[str, ...]:
    """Options with the most votes; two or more are a tie, none if nobody voted."""
    top = max((c.votes for c in counted.counts), default=0)
    return tuple(c.option for c in counted.counts if c.votes == top)


def first_is_blind(protocol: Protocol) -> bool:
    """True if nobody could see another's turn before the first ballot."""
    first = next((p for p in protocol.phases() if asks_ballot(protocol, p)), None)
    return first is not None and (first.order == "at_once" or first.sees.turns != "all")


def agreement(state: State) -> Agreement:
    """Consensus, split or incoherent, by code alone (seed 003).

    Consensus: the rule elects one. Split: two options with two voters each (or two debaters who differ) and
    nobody changed on the last ballot. No ballot cast at all is its own answer, not incoherence.
    """
    if not state.counted or state.counted[-1].tally.cast == 0:
        return "no_ballots"
    if len(winners(state)) == 1:
        return "consensus"
    camps = Counter(tops_of(state.spec, state.counted[-1]).values())
    pair = state.counted[-1].tally.eligible == 2 and len(camps) == 2
    moved = len(state.counted) > 1 and said_by(state.counted[-2]) != said_by(state.counted[-1])
    return "split" if (sum(n >= 2 for n in camps.values()) >= 2 or pair) and not moved else "incoherent"


def tops_of(spec: Spec, counted: Counted) -> dict[str, tuple[str, ...]]:
    """Debater -> the options that its cast ballot puts highest."""
    kind = ballot_kind(spec.protocol.decide)
    return {c.voter: counting.tops(kind, c, spec.drivers) for c in casts(counted.ballots, spec.debaters())}


def agreed_on(spec: Spec, counted: Counted) -> str | None:
    """The option that every debater's ballot puts on top, alone; None if there is none, or a ballot is missing."""
    tops = tops_of(spec, counted)
    named = next(iter(tops.values()), ())
    everybody = len(tops) == counted.tally.eligible and len(set(tops.values())) == 1
    return named[0] if everybody and len(named) == 1 else None


def said_by(counted: Counted) -> dict[str, object]:
    """Debater -> what its ballot says."""
    return {seat: ballot.says() for seat, ballot in counted.ballots.items()}


def chance_level(eligible: int, options: int, needed: int) -> Fraction:
    """Chance that exactly one option reaches `needed` when every seat votes at random.

    Enumerates small panels exactly; larger ones (where two options cannot both pass) by the binomial sum.
    """
    if eligible < 1 or options < 1 or not 1 <= needed <= eligible:
        return Fraction(0)
    if 2 * needed > eligible:
        ways = sum(comb(eligible, k) * (options - 1) ** (eligible - k) for k in range(needed, eligible + 1))
        return Fraction(options * ways, options**eligible)
    if options**eligible > 300_000:
        return Fraction(1)
    hits = sum(
        1
        for ballots in product(range(options), repeat=eligible)
        if sum(n >= needed for n in Counter(ballots).values()) == 1
    )
    return Fraction(hits, options**eligible)
