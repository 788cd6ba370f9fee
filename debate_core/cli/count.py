"""`count`: elect from a file of ballots by any rule, and say how it came out.

Knows no debate.
"""

from argparse import Namespace
from collections.abc import Mapping
from fractions import Fraction

from debate_core.cli.files import read_text
from debate_core.cli.terminal import answer
from debate_core.engine.count.ballot_files import contradicting_in, read_ballots
from debate_core.engine.count.elections import Election, Round, share, threshold
from debate_core.engine.count.methods import METHODS, elect
from debate_core.engine.count.profile import Profile
from debate_core.errors import InvalidSpec
from debate_core.spec.values import Json
from debate_core.text import line, spoken_list

NEED = "threshold_vote"


def count(flags: Namespace) -> int:
    """Print winners, points and rounds; 0 whatever the outcome is: a tie is one too."""
    text = read_text(flags.ballots, "ballots")
    votes = read_ballots(text, name=flags.ballots, poll=flags.poll)
    seats = flags.seats
    if seats is not None and seats < votes.weight():
        raise InvalidSpec(f"--seats {seats} is fewer than the {_number(votes.weight())} ballots in {flags.ballots}")
    election = _elect(flags.rule, votes, seats, flags.threshold)
    # More than half of those who may vote have to take part; without their number nobody can say.
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
        "rounds": [_round(r) for r in election.rounds],
        "quorum_met": quorum_met,
        "contradicting_ballots": contradicting,
        "winners_without_them": without.winners,
    }
    lines = _lines(flags.rule, votes, election)
    if quorum_met is False:
        lines.append(f"No quorum: more than half of the {seats} who may vote would have to name somebody.")
    if contradicting:
        lines.append(f"{_contradict(contradicting)} own text. Without that: {_winners(without)}")
    answer(flags, result, "\n".join([*lines, ""]))
    return 0


def _contradict(ballots: int) -> str:
    if ballots == 1:
        return "1 ballot contradicts its"
    return f"{ballots} ballots contradict their"


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
    """A whole number as such; a part of a vote as a decimal, for reading only: nothing is counted with it."""
    return value.numerator if value.denominator == 1 else float(value)


def _numbers(points: Mapping[str, Fraction]) -> dict[str, int | float]:
    return {option: _number(value) for option, value in _most_first(points)}


def _most_first(points: Mapping[str, Fraction]) -> list[tuple[str, Fraction]]:
    return sorted(points.items(), key=lambda item: (-item[1], item[0]))


def _round(one: Round) -> dict[str, Json]:
    return {"tally": _numbers(one.tally), "exhausted": _number(one.exhausted), "eliminated": one.eliminated}


def _lines(rule: str, votes: Profile, election: Election) -> list[str]:
    ballots = _of_ballots(votes.weight(), "ballot", "ballots")
    naming = _of_ballots(votes.naming(), "names", "name")
    lines = [f"{rule}: {_winners(election)} ({ballots}, {naming} somebody)"]
    lines += [f"  {line(option)}: {_words(points)}" for option, points in _most_first(election.tally)]
    for number, one in enumerate(election.rounds, start=1):
        left = ", ".join(f"{line(option)} {_words(points)}" for option, points in _most_first(one.tally))
        out = f"; out: {spoken_list([*map(line, one.eliminated)])}" if one.eliminated else ""
        lines.append(f"  round {number}: {left}; exhausted {_words(one.exhausted)}{out}")
    return lines


def _of_ballots(value: Fraction, one: str, several: str) -> str:
    word = one if value == 1 else several
    return f"{_words(value)} {word}"


def _words(value: Fraction) -> str:
    """`1234567`, `2.5`: a whole number with all its digits, a part of a vote to six decimals."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6f}".rstrip("0").rstrip(".")


def _winners(election: Election) -> str:
    if not election.winners:
        return "nobody is elected"
    names = spoken_list([line(winner) for winner in election.winners])
    if len(election.winners) == 1:
        return names
    return f"tie: {names}"
