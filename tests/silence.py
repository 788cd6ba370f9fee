"""Silent sides of a debate, computed from its turns alone, as the measure for outages.

Written without the engine's own notion of it, so that the two can be compared.
"""

from itertools import combinations

from debate_core.record.state import State
from debate_core.spec.contents import Synthesis, Verdict
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import BySeat, CountedRule


def silent_sides(state: State) -> list[tuple[str, ...]]:
    """Return the sides that gave less than half of their requested turns before the deciding seat's last word.

    [] where ballots decide, or the protocol lets its seat decide whoever is silent.
    """
    rule = state.spec.protocol.decide
    if not isinstance(rule, BySeat) or rule.decides_unheard:
        return []
    turns = list(state.all_turns())
    by_seat = [i for i, turn in enumerate(turns) if state.spec.seat(turn.seat).role == rule.role]
    words = [i for i in by_seat if isinstance(turns[i].content, Synthesis | Verdict)]
    turns = turns[: words[-1]] if words else turns
    silent = []
    for stance in dict.fromkeys(seat.stance or seat.id for seat in state.spec.debaters()):
        seats = tuple(seat.id for seat in state.spec.debaters() if (seat.stance or seat.id) == stance)
        asked = [t for t in turns if t.seat in seats and not (t.status == "skipped" and t.by == t.seat)]
        given = sum(turn.status == "ok" for turn in asked)
        if given == 0 or given < len(asked) - given:
            silent.append(seats)
    return silent


def below_quorum(state: State) -> bool:
    """True if fewer debaters cast a ballot than the protocol names; where it names none, half of them are too few."""
    rule, outcome = state.spec.protocol.decide, state.outcome
    if outcome is None or isinstance(rule, BySeat):
        return False
    if not isinstance(rule, CountedRule):
        turns = [turn for turn in state.all_turns() if state.phase(turn.phase).paired]
        return 2 * sum(turn.status == "ok" for turn in turns) <= len(turns)
    return outcome.tally.cast < (rule.quorum or len(state.spec.debaters()) // 2 + 1)


def over_silence(state: State) -> bool:
    """True if the debate was decided although somebody's silence forbids it."""
    decided = state.outcome is not None and state.outcome.status == "decided"
    return decided and (below_quorum(state) or silent_sides(state) != [])


def outages(spec: Spec) -> list[tuple[str, ...]]:
    """Each seat that no person holds, and each two of them."""
    seats = [seat.id for seat in spec.seats if seat.occupant != "human"]
    return [*((seat,) for seat in seats), *combinations(seats, 2)]
