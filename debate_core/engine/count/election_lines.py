"""An election as lines of plain English text: winners, points and rounds."""

from collections.abc import Mapping
from fractions import Fraction

from debate_core.engine.count.elections import Election
from debate_core.engine.count.profile import Profile
from debate_core.text import line, spoken_list


def most_first(points: Mapping[str, Fraction]) -> list[tuple[str, Fraction]]:
    """Options with their points, most first, then by name."""
    return sorted(points.items(), key=lambda item: (-item[1], item[0]))


def election_lines(rule: str, votes: Profile, election: Election) -> list[str]:
    """The winners with the number of ballots, then a line for each option and each round."""
    ballots = _format_count(votes.weight(), "ballot", "ballots")
    naming = _format_count(votes.naming(), "names", "name")
    lines = [f"{rule}: {format_winners(election)} ({ballots}, {naming} an option)"]
    lines += [f"  {line(option)}: {_format_number(points)}" for option, points in most_first(election.tally)]
    for number, one in enumerate(election.rounds, start=1):
        left = ", ".join(f"{line(option)} {_format_number(points)}" for option, points in most_first(one.tally))
        out = f"; out: {spoken_list([*map(line, one.eliminated)])}" if one.eliminated else ""
        lines.append(f"  round {number}: {left}; exhausted {_format_number(one.exhausted)}{out}")
    return lines


def _format_count(value: Fraction, one: str, several: str) -> str:
    word = one if value == 1 else several
    return f"{_format_number(value)} {word}"


def _format_number(value: Fraction) -> str:
    """`1234567`, `2.5`: whole numbers with all digits, fractions to six decimals."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6f}".rstrip("0").rstrip(".")


def format_winners(election: Election) -> str:
    """`A`, `tie: A and B` or `no one is elected`."""
    if not election.winners:
        return "no one is elected"
    names = spoken_list([line(winner) for winner in election.winners])
    if len(election.winners) == 1:
        return names
    return f"tie: {names}"
