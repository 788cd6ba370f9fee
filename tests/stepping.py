"""Walk through a debate request by request, and look at what each seat may see on the way."""

from collections.abc import Sequence

from debate_core.engine.seat_view import View
from debate_core.record.state import State
from debate_core.spec.contents import Content
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Protocol
from debate_core.spec.values import Seat
from tests.playing import Played, Says
from tests.rehearsing import OPTIONS, QUESTION


def walk(
    rules: Protocol, seats: Sequence[Seat], says: Says, *, rounds: int | None = None, seed: int = 0
) -> tuple[State, dict[str, View]]:
    """The debate at its end, and what was seen for each request; at once phases are answered in declared order."""
    played = Played(compose(QUESTION, OPTIONS, rules, seats, max_rounds=rounds, seed=seed)).play(says)
    return played.state, played.seen


def read(seen: View) -> list[str]:
    """The turns of a view: `1 opening adopt: anna opens`, by round, phase, speaker and text."""
    return [f"{t.round} {t.phase} {t.speaker}: {words(t.content)}" for t in seen.turns]


def words(content: Content) -> str:
    """The text that a content leads with."""
    match content.kind:
        case "synthesis":
            return content.answer
        case "verdict":
            return content.reasoning
        case "framing":
            return content.thesis
        case "positions" | "directive" | "candidates" | "screening":
            return content.reason
        case "evaluation":
            return content.synthesis
        case "review" | "decisive_claim" | "suppositions" | "premortem":
            return ""
        case _:
            return content.rationale
