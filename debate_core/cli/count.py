"""`count`: elects from a file of ballots by any rule, and prints the result.

Knows no debate.
"""

from argparse import Namespace
from collections.abc import Mapping
from fractions import Fraction

from debate_core.cli.files import read_text
from debate_core.cli.terminal import answer
from debate_core.engine.count.ballot_files import contradicting_in, read_ballots
from debate_core.engine.count.election_lines import election_lines, format_winners, most_first
from debate_core.engine.count.elections import Election, share, threshold
from debate_core.engine.count.methods import METHODS, elect
from debate_core.engine.count.profile import Profile
from debate_core.errors import InvalidSpec
from debate_core.spec.values import Json

NEED = "threshold_vote"


def count(flags: Namespace) -> int:
    """Print winners, points and rounds; 0 for every result, including a tie."""
    text = read_text(flags.ballots, "ballots")
    votes = read_ballots(text, name=flags.ballots, poll=flags.poll)
    seats = flags.seats
    if seats is not None and seats < votes.weight():
        raise InvalidSpec(f"--seats {seats} is fewer than the {_number(votes.weight())} ballots in {flags.ballots}")
    election = _elect(flags.rule, votes, seats, flags.threshold)
    # More than half of the eligible voters have to take part; without their number it is unknown.
    quorum_met = None if seats is None else 2 * votes.naming() > seats
    contradicting = contradicting_in(text, name=flags.ballots, poll=flags.poll)
    without = election
    if contradicting:
        agreeing = read_ballots(text, name=flags.ballots, poll=flags.poll, agreeing=True)
        without = _elect(flags.rule, agreeing, seats, flags.threshold)
    result: Json = {
        "rule": flags.rule,
        "winners": election.winners,
        "tie": len(election.winners) > 1,
        "tally": _numbers(election.tally),
        "rounds": [
            {"tally": _numbers(one.tally), "exhausted": _number(one.exhausted), "eliminated": one.eliminated}
            for one in election.rounds
        ],
        "quorum_met": quorum_met,
        "contradicting_ballots": contradicting,
        "winners_without_them": without.winners,
    }
    lines = election_lines(flags.rule, votes, election)
    if quorum_met is False:
        lines.append(f"No quorum: more than half of the {seats} eligible voters would have to name an option.")
    if contradicting:
        verb = "ballot contradicts its" if contradicting == 1 else "ballots contradict their"
        lines.append(f"{contradicting} {verb} own text. Without that: {format_winners(without)}")
    answer(flags, result, "\n".join([*lines, ""]))
    return 0


def _elect(rule: str, votes: Profile, seats: int | None, needed: int | None) -> Election:
    if rule == NEED:
        if needed is None or needed < 1:
            raise InvalidSpec("--rule threshold_vote needs --threshold N, the number of votes that decides (1 or more)")
        return threshold(votes, needed)
    if needed is not None:
        raise InvalidSpec(f"--threshold belongs to --rule {NEED}, not to {rule}")
    needed_share = METHODS[rule].share if rule in METHODS else None
    if needed_share is not None and seats is not None:
        return share(votes, needed_share, eligible=Fraction(seats))
    return elect(rule, votes)


def _number(value: Fraction) -> int | float:
    """An integer if whole, else a decimal for display; counting uses fractions."""
    return value.numerator if value.denominator == 1 else float(value)


def _numbers(points: Mapping[str, Fraction]) -> dict[str, int | float]:
    return {option: _number(value) for option, value in most_first(points)}
