"""Rotation of models: from round to round, each debater's seat gets the model of the next debater.

Seats keep their stances, personas and weights, so that no model argues for one side throughout: a judge or a
synthesiser could prefer a model of its family. The round of a turn therefore determines its model.
"""

from collections.abc import Iterable
from itertools import chain

from debate_core.sentence import Sentence
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat


def lending_seat(spec: Spec, seat_id: str, number: int) -> str:
    """The seat whose model answers for this seat in round `number`; the seat itself without rotation."""
    ids = [seat.id for seat in spec.debaters() if seat.is_model]
    if not spec.protocol.rotate_models or seat_id not in ids:
        return seat_id
    return ids[(ids.index(seat_id) + number - 1) % len(ids)]


def seat_in_round(spec: Spec, seat_id: str, number: int) -> Seat:
    """The seat with the model that answers for it in round `number`."""
    seat = spec.seat(seat_id)
    lender = spec.seat(lending_seat(spec, seat_id, number))
    if lender == seat:
        return seat
    return seat.model_copy(update={"model": lender.model, "family": lender.family})


def seats_by_model(spec: Spec, seat: Seat) -> tuple[Seat, ...]:
    """The seat once for every model that it has in the agreed rounds, in their order."""
    in_rounds = (seat_in_round(spec, seat.id, number) for number in range(1, max(spec.max_rounds, 1) + 1))
    return tuple({held.model: held for held in in_rounds}.values())


def fault_in_rotation(spec: Spec) -> Sentence | None:
    """The reason why the rotation changes nothing in this debate, or None."""
    lines = {seat.model for seat in spec.debaters() if seat.is_model}
    if not spec.protocol.rotate_models or not spec.models or (len(lines) > 1 and spec.max_rounds > 1):
        return None
    return Sentence("rotate_models changes nothing: it needs debaters with different models, and a second round")


def each_by_model(spec: Spec, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """These seats, each once for every model that it has in the agreed rounds."""
    return tuple(chain.from_iterable(seats_by_model(spec, seat) for seat in seats))
