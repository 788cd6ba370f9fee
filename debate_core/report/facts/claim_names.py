"""What people call a claim and a turn: `A1` is the first claim of the first seat. Ids stand in the record alone."""

from collections import Counter
from collections.abc import Mapping

from debate_core.record.address import ClaimId
from debate_core.record.state import State

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def claim_names(state: State) -> Mapping[str, str]:
    """Claim id -> seat letter and number: seats in the order of set-up, claims in the order in which they were made."""
    letters = {seat.id: _letter(place) for place, seat in enumerate(state.spec.seats)}
    made, names = Counter[str](), dict[str, str]()
    for claim_id in state.claims:
        seat = ClaimId.parse(claim_id).seat
        made[seat] += 1
        names[claim_id] = f"{letters[seat]}{made[seat]}"
    return names


def _letter(place: int) -> str:
    """`A`, `Z`, `AA`."""
    rest = _letter(place // len(_LETTERS) - 1) if place >= len(_LETTERS) else ""
    return f"{rest}{_LETTERS[place % len(_LETTERS)]}"
