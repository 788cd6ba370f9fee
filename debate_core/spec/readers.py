"""Checks of documents that only some seats read before the end."""

from collections.abc import Sequence

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Source


def check_readers(spec: Spec) -> None:
    """Check that documents for some seats alone name existing seats, and that the debate can keep them apart."""
    for source in spec.sources:
        if source.only_for is not None:
            _check_source(spec, source, source.only_for)


def _check_source(spec: Spec, source: Source, only_for: Sequence[str]) -> None:
    if not only_for:
        raise InvalidSpec("source {id!r} is for no seat: name its readers, or let all seats read it", id=source.id)
    unknown = [seat for seat in only_for if seat not in spec.seat_ids()]
    if unknown:
        raise InvalidSpec(
            "source {id!r} is only for seat {unknown!r}: this debate has {known}",
            id=source.id,
            unknown=unknown[0],
            known=", ".join(spec.seat_ids()),
        )
    if len(set(only_for)) < len(only_for):
        raise InvalidSpec("source {id!r} names one of its readers twice: name each once", id=source.id)
    if spec.protocol.paired or spec.held_elsewhere is not None:
        raise InvalidSpec(
            "source {id!r} is only for some seats: {what} shows its documents to all",
            id=source.id,
            what=Sentence("a tournament") if spec.protocol.paired else Sentence("the transcript of a meeting"),
        )
