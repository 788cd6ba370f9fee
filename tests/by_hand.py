"""Specs of small debates: seats s0, s1, ..., one seat for every other role, options a, b and c."""

from typing import Any

from debate_core.spec.presets import BOUNDED_VOTE, compose, synthesiser
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.values import Seat
from tests.playing import Played

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
    return Played(small_spec(*phases, **more))
