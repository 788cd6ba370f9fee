"""`count`: elect from a file of ballots by any rule, and say how it came out.

Knows no debate.
"""

from argparse import Namespace
from collections.abc import Mapping
from fractions import Fraction

from debate_core.cli.files import read_text
from debate_core.engine.count.ballot_files import read_ballots
from debate_core.engine.count.methods import METHODS, Election, Round, elect, share, threshold
from debate_core.engine.count.profile import Profile
from debate_core.errors import InvalidSpec
from debate_core.report.files.export import Json, dumps
from debate_core.text import line, spoken_list

NEED = "threshold_vote"
SHARES = {"majority": Fraction(1, 2), "supermajority": Fraction(2, 3), "three_quarters": Fraction(3, 4)}
SHARES["unanimity"] = Fraction(1)


def count(flags: Namespace) -> int:
    """Print winners, points and rounds; 0 whatever the outcome is: a tie is one too."""
    votes = read_ballots(read_text(flags.ballots, "ballots"), name=flags.ballots, poll=flags.poll)
    seats = flags.seats
    if seats is not None and seats < votes.weight():
        raise InvalidSpec(f"--seats {seats} is fewer than the {_number(votes.weight())} ballots in {flags.ballots}")
    found = _elect(flags.rule, votes, seats, flags.threshold)
    # More than half of those who may vote have to take part; without their number nobody can say.
    quorum_met = None if seats is None else 2 * votes.naming() > seats
    told: Mapping[str, Json] = {
        "rule": flags.rule,
        "winners": found.winners,
        "tie": len(found.winners) > 1,
        "tally": _numbers(found.tally),
        "rounds": [_round(r) for r in found.rounds],
        "quorum_met": quorum_met,
    }
    print(dumps(told) if flags.json else _text(flags.rule, votes, found), end="")
    return 0


def _elect(rule: str, votes: Profile, seats: int | None, needed: int | None) -> Election:
    if rule == NEED:
        if needed is None or needed < 1:
            raise InvalidSpec("--rule threshold_vote needs --threshold N, the number of votes that decides (1 or more)")
        return threshold(votes, needed)
    if needed is not None:
        raise InvalidSpec(f"--threshold belongs to --rule {NEED}, not to {rule}")
    if rule in SHARES and seats is not None:
        return share(votes, SHARES[rule], eligible=Fraction(seats))
    if rule not in METHODS:
        raise InvalidSpec(f"unknown rule {rule!r}: choose one of {', '.join(sorted([*METHODS, NEED]))}")
    return elect(rule, votes)


def _number(value: Fraction) -> int | float:
    """A whole number as such; a part of a vote as a decimal, for reading only: nothing is counted with it."""
    return value.numerator if value.denominator == 1 else float(value)


def _numbers(points: Mapping[str, Fraction]) -> dict[str, int | float]:
    ordered = sorted(points.items(), key=lambda item: (-item[1], item[0]))
    return {option: _number(value) for option, value in ordered}


def _round(held: Round) -> dict[str, Json]:
    return {"tally": _numbers(held.tally), "exhausted": _number(held.exhausted), "eliminated": held.eliminated}


def _text(rule: str, votes: Profile, found: Election) -> str:
    names = spoken_list([line(w) for w in found.winners])
    said = "nobody is elected" if not found.winners else f"tie: {names}" if len(found.winners) > 1 else names
    lines = [f"{rule}: {said} ({_number(votes.weight())} ballots, {_number(votes.naming())} name somebody)"]
    lines += [f"  {line(option)}: {value:g}" for option, value in _numbers(found.tally).items()]
    for number, held in enumerate(found.rounds, start=1):
        left = ", ".join(f"{line(o)} {v:g}" for o, v in _numbers(held.tally).items())
        out = f"; out: {spoken_list(held.eliminated)}" if held.eliminated else ""
        lines.append(f"  round {number}: {left}; exhausted {_number(held.exhausted):g}{out}")
    return "\n".join(lines) + "\n"
