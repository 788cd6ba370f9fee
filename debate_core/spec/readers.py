"""Checks of documents that only some seats read before the end."""

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.protocol import Spec


def check_readers(spec: Spec) -> None:
    """Check that documents for some seats alone name existing seats, and that the debate can keep them apart."""
    for source in spec.sources:
        if source.only_for is None:
            continue
        if not source.only_for:
            raise InvalidSpec("source {id!r} is for no seat: name its readers, or let all seats read it", id=source.id)
        unknown = [seat for seat in source.only_for if seat not in spec.seat_ids()]
        if unknown:
            raise InvalidSpec(
                "source {id!r} is only for seat {unknown!r}: this debate has {known}",
                id=source.id,
                unknown=unknown[0],
                known=", ".join(spec.seat_ids()),
            )
        if len(set(source.only_for)) < len(source.only_for):
            raise InvalidSpec("source {id!r} names one of its readers twice: name each once", id=source.id)
        if spec.protocol.paired or spec.held_elsewhere is not None:
            raise InvalidSpec(
                "source {id!r} is only for some seats: {what} shows its documents to all",
                id=source.id,
                what=Sentence("a tournament") if spec.protocol.paired else Sentence("the transcript of a meeting"),
            )
