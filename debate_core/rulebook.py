"""When a debate ends and what decides it, as data: stop rules and decision rules.

Values only; `rules.stopping` and `rules.voting` say what they mean in a state. Part of every Protocol.
"""

from fractions import Fraction
from typing import Annotated, Literal, assert_never

from pydantic import Field

from debate_core.model import Amount, Line, Role, Value


class MaxRounds(Value):
    """Ends after the last round; no consensus by then goes to escalation (seed 000, Mechanism 5)."""

    kind: Literal["max_rounds"] = "max_rounds"


class DecisionReached(Value):
    """Ends when the decision rule has a winner."""

    kind: Literal["decision_reached"] = "decision_reached"


class Ceiling(Value):
    """Ends a debate that would use more than was allowed, before the call that would (R225, R248, R294).

    Each axis is inclusive and may be left out. `seconds` count from the opening, pauses included.
    """

    kind: Literal["ceiling"] = "ceiling"
    calls: Annotated[int, Field(ge=0)] | None = None
    tokens: Annotated[int, Field(ge=0)] | None = None
    seconds: Annotated[int, Field(ge=1)] | None = None
    usd: Amount | None = None


StopRule = Annotated[MaxRounds | DecisionReached | Ceiling, Field(discriminator="kind")]


class Threshold(Value):
    """An option wins with `votes` current ballots of distinct debaters; two options there are a tie."""

    kind: Literal["threshold_vote"] = "threshold_vote"
    votes: Annotated[int, Field(ge=1)]
    allows_two_winners: bool = False
    """Only for presets that mirror a source which allows votes <= half the seats; it warns."""
    if_undecided: Line = "escalate"


class Majority(Value):
    """An option wins with more than half of all debaters, on `ballots_in_a_row` ballots.

    A unanimous first ballot wins at once. Abstentions and failures stay in the denominator.
    """

    kind: Literal["majority"] = "majority"
    ballots_in_a_row: Annotated[int, Field(ge=1, le=5)] = 1
    if_undecided: Line = "escalate"


class BySeat(Value):
    """The seat of this role names an option or none, in the content it gives (seed 002)."""

    kind: Literal["by_seat"] = "by_seat"
    role: Role = "synthesiser"
    if_undecided: Line = "escalate"


DecisionRule = Annotated[Threshold | Majority | BySeat, Field(discriminator="kind")]


def votes_needed(rule: DecisionRule, eligible: int) -> int | None:
    """The "k" of "k of n"; None if no count decides."""
    match rule:
        case Threshold():
            return rule.votes
        case Majority():
            return int(Fraction(eligible, 2)) + 1
        case BySeat():
            return None
        case _:
            assert_never(rule)
