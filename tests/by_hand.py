"""Small debates held turn by turn: seats s0, s1, ..., one seat for every other role, options a, b and c."""

from collections.abc import Mapping
from typing import Any

from debate_core.engine import engine
from debate_core.record.commands import FailTurn, TakeTurn
from debate_core.record.state import Request
from debate_core.spec.contents import Argument, Claim, Content
from debate_core.spec.presets import BOUNDED_VOTE, compose, synthesiser
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.values import Outcome, Seat, TurnError
from tests.laws.play import Played, begin, step

OPEN = Phase(name="open", order="at_once")
LEAD = Phase(name="lead", gives="directive", role="moderator")
GATE = Phase(name="gate", gives="directive", role="chair")
TALK = Phase(name="talk", directed=True)
JUDGE = Phase(name="verdict", gives="verdict", role="judge")
ASSESS = Phase(name="assess", gives="evaluation", role="evaluator")


def preset_spec(n: int = 3, protocol: Protocol = BOUNDED_VOTE, **more: Any) -> Spec:
    """A preset with n debaters, and a synthesiser where it has one."""
    seats = [Seat(id=f"s{i}", occupant="scripted") for i in range(n)]
    if any(p.role == "synthesiser" for p in protocol.phases()):
        seats.append(synthesiser("scripted"))
    return compose("Which?", ["a", "b", "c"], protocol, seats, **more)


def small_spec(*phases: Phase, n: int = 3, rounds: int = 2, seed: int = 0, absent: str = "", **rules: Any) -> Spec:
    """Rounds of these phases. Every role but `absent` is taken; `rules` are fields of the protocol."""
    protocol = Protocol(name="own", each_round=phases, **rules)
    offices = dict.fromkeys(p.role for p in protocol.phases() if p.role not in ("debater", absent))
    seats = [Seat(id=f"s{i}", occupant="scripted") for i in range(n)]
    seats += [Seat(id=role, role=role, occupant="human" if role == "chair" else "scripted") for role in offices]
    return Spec(
        question="Which?", options=("a", "b", "c"), seats=tuple(seats), protocol=protocol, max_rounds=rounds, seed=seed
    )


def small(*phases: Phase, **more: Any) -> Played:
    """Such a debate, checked and opened."""
    return begin(small_spec(*phases, **more))


def asked(played: Played) -> list[str]:
    """Ids of the open requests."""
    return [r.id for r in engine.requests(played.state)]


def vote(played: Played, votes: Mapping[str, str | None], claims: Mapping[str, str] | None = None) -> None:
    """One phase: each seat votes as given, with a claim if it has one; a missing seat fails for good."""
    place = _place(engine.requests(played.state)[0])
    while (open_now := engine.requests(played.state)) and _place(open_now[0]) == place:
        seat = open_now[0].seat
        if seat in votes:
            said = (Claim(text=claims[seat]),) if claims and seat in claims else ()
            give(played, Argument(rationale="why", vote=votes[seat], claims=said))
        else:
            fail(played)


def _place(request: Request) -> tuple[int, str]:
    return request.round, request.phase


def give(played: Played, content: Content) -> None:
    """The first seat that is asked gives this."""
    request = engine.requests(played.state)[0]
    step(played, TakeTurn(by=request.seat, request=request.id, content=content))


def fail(played: Played, error: TurnError = "failed", message: str = "") -> None:
    """One attempt of the first seat that is asked fails."""
    request = engine.requests(played.state)[0]
    step(played, FailTurn(by=request.seat, request=request.id, error=error, message=message))


def closed(played: Played) -> Outcome:
    """How it ended."""
    outcome = played.state.outcome
    assert outcome is not None, asked(played)
    return outcome
