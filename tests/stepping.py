"""Walk through a debate request by request, and look at what each seat may see on the way."""

from collections.abc import Callable, Sequence

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import View, view
from debate_core.record.commands import TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.spec.contents import Content
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Protocol
from debate_core.spec.values import Seat
from tests.play import act, opened
from tests.rehearsing import OPTIONS, QUESTION

Says = Callable[[Request], Content]


def walk(
    rules: Protocol, seats: Sequence[Seat], says: Says, *, rounds: int | None = None, seed: int = 0
) -> tuple[State, dict[str, View]]:
    """The debate at its end, and what was seen for each request; at once phases are answered in declared order."""
    spec = compose(QUESTION, OPTIONS, rules, seats, max_rounds=rounds, seed=seed)
    state, seen = replay(opened(spec)), dict[str, View]()
    while asked := requests(state):
        request = asked[0]
        seen[request.id] = view(state, request)
        state = act([], state, TakeTurn(by=request.seat, request=request.id, content=says(request)))
    return state, seen


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
        case "positions" | "directive":
            return content.reason
        case "evaluation":
            return content.synthesis
        case "review":
            return ""
        case _:
            return content.rationale
