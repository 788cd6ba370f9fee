"""Every preset with its usual seats on a server: each office gives what it is asked, whoever can enforce a schema."""

import asyncio
from typing import Literal

import pytest

from debate_core.spec.models import ModelLine
from debate_core.spec.presets import PROTOCOLS, compose, default_seats
from debate_core.spec.protocol import Spec
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import Elected, ElectedKind
from tests.model_server import ModelServer
from tests.wire.rig import OPTIONS, PRICE, SOURCE, hold, line

STEERED = ("moderated_judge", "proposer_critic", "round_robin_panel", "tit_for_tat")
"""Between them they ask for every kind of content that a model gives."""


def table(name: str, asked: ModelLine) -> Spec:
    rules = PROTOCOLS[name]
    seats = [s.model_copy(update={"model": asked.id}) for s in default_seats(rules, "Move it?", OPTIONS, "model")]
    rounds = min(2, rules.rounds.hard_max)
    spec = compose("Move it?", OPTIONS, rules, seats, sources=[SOURCE], max_rounds=rounds)
    return spec.model_copy(update={"models": (asked,)})


@pytest.mark.parametrize(
    ("name", "structured"),
    [*((n, "schema") for n in sorted(PROTOCOLS)), *((n, "prompt") for n in STEERED), ("society", "two_step")],
)
def test_every_preset_is_held_to_its_end(server: ModelServer, name: str, structured: str):
    server.set(votes=("adopt", "keep"))
    held = asyncio.run(hold(table(name, line(server, "chat", structured=structured, price=PRICE))))
    state = held.state
    assert held.failures() == []
    assert {t.status for t in state.turns} == {"ok"}
    assert state.outcome is not None
    assert state.outcome.status in ("decided", "undecided")
    assert len(state.turns) * (2 if structured == "two_step" else 1) == len(server.log)
    given = {t.content.kind: t.content for t in state.turns if t.content is not None}
    assert set(given) == {state.phase(phase).gives for _, phase in state.ran} - {"review"}


@pytest.mark.parametrize("kind", ["approval", "borda", "star", "cumulative", "consent"])
@pytest.mark.parametrize("structured", ["schema", "prompt"])
def test_models_give_the_ballot_that_the_rule_counts(
    server: ModelServer, kind: ElectedKind, structured: Literal["schema", "prompt"]
):
    server.set(votes=("adopt",))
    asked = line(server, "chat", structured=structured)
    base = table("mallm_memory", asked)
    spec = base.model_copy(update={"protocol": with_decision(base.protocol, Elected(kind=kind))})
    held = asyncio.run(hold(spec))
    assert held.failures() == []
    outcome = held.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.decided_by) == ("decided", "adopt", kind)
    assert outcome.tally.cast == outcome.tally.eligible == len(spec.debaters())
