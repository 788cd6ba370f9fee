"""From which record one was made, in one sentence."""

from debate_core.language import _
from debate_core.record.events import Predecessor


def predecessor_sentence(predecessor: Predecessor | None, *, by: str = "") -> str:
    """What is to be said of a record from which a name was taken out; empty for others. `by`: how screens call them."""
    if predecessor is None:
        return ""
    return _(
        "It was made from a record whose head was {head}, with one name replaced; {by} asked for it: {reason}",
        head=predecessor.head,
        by=by or predecessor.by,
        reason=predecessor.reason,
    )
