"""Debates of three seats as models see them: every request with its view. For the tests of prompts and replies."""

from collections.abc import Iterator
from dataclasses import replace

from debate_core.engine.seat_view import View, view
from debate_core.record.commands import TakeTurn
from debate_core.record.state import Request
from debate_core.seats.prompts import Prompt
from debate_core.spec.contents import (
    Argument,
    Candidate,
    Candidates,
    Claim,
    Content,
    Directive,
    Evaluation,
    Framing,
    Gives,
    Position,
    Positions,
    Review,
    Synthesis,
    Verdict,
)
from debate_core.spec.presets import compose, default_seats, protocol, synthesiser
from debate_core.spec.protocol import Phase, Sees, Spec
from debate_core.spec.values import ABSTAIN, Seat, Source
from tests.playing import AT as AT
from tests.playing import Played

LOAD = "The queue holds 40 % of the load at p95 and costs $120/month, so the move pays for itself within a year. "
SOURCE = Source(id="E1", title="Load test", text=(LOAD * 40)[:4000])
SEATS = (
    Seat(id="risk", stance="move the queue", persona="Outage, rollback, compliance."),
    Seat(id="cost", stance="leave it", commitment="locked"),
    Seat(id="load", commitment="open"),
)


def spec_of(name: str = "expert_panel", seats: tuple[Seat, ...] = SEATS, *sources: Source, rounds: int = 3) -> Spec:
    seated = (*seats, synthesiser("model"))
    return compose(
        "Should the queue be moved?", ["move", "stay"], protocol(name), seated, sources=sources, max_rounds=rounds
    )


def cast_spec(name: str, *sources: Source, rounds: int = 2) -> Spec:
    """A preset with its usual seats, all of them models."""
    rules = protocol(name)
    seats = default_seats(rules, "Should the queue be moved?", ["move", "stay"], "model")
    return compose("Should the queue be moved?", ["move", "stay"], rules, seats, sources=sources, max_rounds=rounds)


def content_for(request: Request, seen: View) -> Content:
    """About 1,000 characters and three claims; of everything else the least."""
    match request.gives:
        case "synthesis":
            return Synthesis(answer="Nothing was settled.", option=None)
        case "review":
            return Review()
        case "framing":
            return Framing(thesis="The move pays.", scope="This year.", criteria=("It names a cost.",))
        case "positions":
            sides = (Position(name=f"side of {s}", claim="It pays.", because="E1 says so") for s in seen.speakers)
            return Positions(reason="One each.", positions=tuple(sides))
        case "candidates":
            new = (Candidate(name=f"{request.turn()} {n}", text="It works so.") for n in range(2))
            return Candidates(reason="They differ.", candidates=tuple(new))
        case "screening":
            return Candidates(kind="screening", reason="All can be compared.")
        case "directive":
            words = f"of round {request.round}"
            return Directive(
                reason="All matter.",
                next_speakers=seen.speakers,
                briefing=f"Fact {words}.",
                new_angle=f"Angle {words}?",
            )
        case "evaluation":
            return Evaluation(synthesis="Even so far.", recommend_another_round=True)
        case "verdict":
            return Verdict(reasoning="Even so far.")
        case _:
            return _argument(request, seen)


def _argument(request: Request, seen: View) -> Argument:
    said = f"{request.seat} in round {request.round}: "
    claims = tuple(Claim(text=f"{n}. {said}{LOAD[:80]}", source_id="E1", quote=LOAD[:60]) for n in range(3))
    vote = ABSTAIN if seen.ballot_options else None
    given = Argument(rationale=(said + LOAD * 12)[:1000], claims=claims, vote=vote)
    return given.model_copy(update={"kind": request.gives})


def held(spec: Spec) -> Iterator[tuple[Request, View]]:
    """Every request of a debate with what its seat sees; seats that are asked together are asked before any answers."""
    played = Played(spec, at=AT)
    while asked := played.requests():
        yield from [(r, view(played.state, r)) for r in asked]
        for request in asked:
            take(played, request)


def take(played: Played, request: Request, content: Content | None = None) -> None:
    """This request is answered, with what its seat would say here if nothing else is given."""
    said = content or content_for(request, view(played.state, request))
    played.do(TakeTurn(by=request.seat, request=request.id, content=said))


def seen_in(phase: str, name: str = "expert_panel", number: int = 1, *sources: Source) -> View:
    """Return the view of the first seat that is asked in this phase of this round."""
    found = (v for r, v in held(spec_of(name, SEATS, *sources)) if (r.round, r.phase) == (number, phase))
    return next(found)


def whole(prompt: Prompt) -> str:
    return prompt.system + "".join(prompt.blocks) + prompt.tail


def asked(kind: Gives) -> View:
    """A view that asks for this kind of content."""
    seen = seen_in("opening", "expert_panel", 1, SOURCE)
    speakers = tuple(s.id for s in SEATS) if kind in ("directive", "evaluation") else ()
    if kind == "positions":
        speakers = tuple(s.id for s in SEATS if not s.stance)
    phase = Phase(name="asked", gives=kind, sees=Sees())
    return replace(seen, request=seen.request._replace(gives=kind), phase=phase, speakers=speakers)
