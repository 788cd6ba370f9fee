"""A script for any preset: its usual cast, and one thing that each phase's seats say again and again."""

from collections.abc import Mapping, Sequence

from debate_core.record.state import State
from debate_core.spec import presets
from debate_core.spec.contents import Gives
from debate_core.spec.protocol import Phase, Protocol
from tests.holding import Said

QUESTION = "Should we move the orders database?"
OPTIONS = ("adopt", "defer")


def said_by(gives: Gives, debaters: Sequence[str], option: str | None) -> Said:
    """Content of this kind that names the option, and asks for another round where it can."""
    match gives:
        case "synthesis":
            return {"answer": "weighed", "option": option}
        case "verdict":
            return {"reasoning": "read", "verdict": "said", "option": option, "confidence": 70}
        case "directive":
            return {"reason": "all should speak", "next_speakers": [*debaters], "done": False}
        case "evaluation":
            return {"synthesis": "scored", "recommend_another_round": True}
        case "positions":
            sides = [{"name": f"side of {d}", "claim": "it pays", "because": "it is cheap"} for d in debaters]
            return {"reason": "one each", "positions": sides}
        case "candidates":
            return {"reason": "one more", "candidates": [{"name": "defer a little"}]}
        case "screening":
            return {"reason": "it is double", "struck": [{"name": "defer a little", "because": "it defers"}]}
        case "framing":
            return {"thesis": "the move pays off"}
        case "review":
            return {"marks": []}
        case _:
            return {"rationale": f"{gives} given", "vote": option, "strength": 8}


def repeated(phase: Phase, debaters: Sequence[str], option: str | None) -> Said:
    """Script in which every seat of this phase repeats the same content."""
    return {"phase": phase.name, "content": said_by(phase.gives, debaters, option), "repeat": True}


def rehearsal(
    rules: Protocol,
    *before: Said,
    options: Sequence[str] = OPTIONS,
    seats: Sequence[Mapping[str, object]] | None = None,
    settings: Mapping[str, int] | None = None,
) -> Said:
    """The script of a debate by these rules; the entries `before` are used first."""
    cast = [s.model_dump(exclude={"occupant"}) for s in presets.default_seats(rules, QUESTION, options, "scripted")]
    seated = cast if seats is None else [*seats, *(s for s in cast if s["role"] != "debater")]
    debaters = [str(s["id"]) for s in seated if s.get("role", "debater") == "debater"]
    return {
        "question": QUESTION,
        "options": [*options],
        "protocol": rules.model_dump(mode="json"),
        "settings": settings or {},
        "seats": seated,
        "turns": [*before, *(repeated(p, debaters, options[0]) for p in rules.phases())],
    }


def course(state: State) -> list[str]:
    """Return the phases that ran, such as `1 opening: a b`, with the seats in the order of their requests."""
    told: dict[tuple[int, str], list[str]] = {}
    for turn in state.all_turns():
        told.setdefault((turn.round, turn.phase), []).append(turn.seat)
    return [f"{number} {phase}: {' '.join(seats)}" for (number, phase), seats in told.items()]
