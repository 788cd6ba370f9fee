"""A match: one comparison of a tournament as a short debate with its own record.

Two sides open and answer each other, and a judge who argues for neither names the better option, or none.
"""

from collections.abc import Sequence
from typing import Literal

from debate_core.spec import literature
from debate_core.spec.presets.seeds import SHUFFLED
from debate_core.spec.protocol import Phase, Protocol, RoleInstructions, Rounds, Spec
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.rules import BySeat, Ceiling, MaxRounds, Tournament
from debate_core.spec.values import MatchOf, Seat, Source

SIDES = ("side_1", "side_2")
JUDGE = "judge"
MATCH = Protocol(
    name="match",
    purpose="Two sides argue for one option each and answer each other, and a judge names the better one or none; a "
    "comparison of a tournament.",
    source=f"{literature.FLOW_STATE} with a judge; AI co-scientist, tournament of hypotheses",
    each_round=(
        Phase(name="opening", order="at_once", sealed=True),
        Phase(name="rebuttal", gives="rebuttal", order="at_once"),
    ),
    after=(Phase(name="verdict", gives="verdict", role="judge", sees=SHUFFLED),),
    stop=(MaxRounds(),),
    decide=BySeat(role="judge"),
    min_debaters=2,
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)


def match_spec(
    spec: Spec,
    pair: tuple[str, str],
    seat_id: str,
    number: int,
    *,
    sources: Sequence[Source] = (),
    ceiling: Ceiling | None = None,
    match_of: MatchOf | None = None,
) -> Spec:
    """The match of this pair in round `number` of a tournament; the seat of this id is its judge.

    The model of the next seat argues for both options, so that no side has the better model.
    """
    asked = seat_in_round(spec, seat_id, number)
    advocate = seat_in_round(spec, advocate_of(spec, seat_id), number)
    judge = asked.model_copy(update={"id": JUDGE, "role": "judge", "stance": "", "commitment": "open", "weight": 1})
    sides = tuple(
        Seat(id=side, stance=option, model=advocate.model, family=advocate.family, commitment="locked")
        for side, option in zip(SIDES, pair, strict=True)
    )
    seats = (*sides, judge)
    told = [instructions.text for instructions in spec.protocol.instructions or () if instructions.role == asked.role]
    rules = MATCH.model_copy(
        update={"instructions": tuple(RoleInstructions(role="judge", text=text) for text in told) or None}
    )
    return spec.model_copy(
        update={
            "options": pair,
            "seats": seats,
            "protocol": rules.with_ceiling(ceiling),
            "sources": tuple(source.model_copy(update={"from_round": 1}) for source in sources),
            "max_rounds": 1,
            "models": tuple(dict.fromkeys(spec.lines_of(seats))),
            "room": None,
            "max_wait_s": None,
            "parent": None,
            "yes_option": None,
            "match_of": match_of,
            "asked": None,
        }
    )


def advocate_of(spec: Spec, seat_id: str) -> str:
    """The seat whose model argues in the matches that this seat judges: the next one of its role."""
    ids = spec.ids_of(spec.seat(seat_id).role)
    return ids[(ids.index(seat_id) + 1) % len(ids)]


def comparing_by(protocol: Protocol, matches: Literal["debate"] | None) -> Protocol:
    """The protocol with its pairs compared in this way; unchanged if it is no tournament."""
    rule = protocol.decide
    if not isinstance(rule, Tournament):
        return protocol
    return protocol.model_copy(update={"decide": rule.model_copy(update={"matches": matches})})
