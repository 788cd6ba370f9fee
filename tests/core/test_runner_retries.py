"""Retries of the runner: a critique that rates itself too weak, a directive that breaks the rules."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import View
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import AnyCommand, TakeTurn
from debate_core.record.state import Request, State
from debate_core.seats import Filler, OnText
from debate_core.spec.contents import Argument, Content, Directive
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import Usage
from tests.by_hand import GATE, LEAD, OPEN, TALK, small_spec

ATTACK = Phase(name="attack", gives="critique", min_strength=6)
AT = datetime(2026, 1, 1, tzinfo=UTC)


class Says:
    """A seat that gives these contents in turn, the last one ever after, and keeps what it was told."""

    def __init__(self, contents: Iterable[Content], usage: Usage | None = None) -> None:
        self.contents, self.usage = list(contents), usage
        self.told: list[str] = []

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand:
        self.told.append(view.failed_before)
        content = self.contents.pop(0) if len(self.contents) > 1 else self.contents[0]
        return TakeTurn(by=request.seat, request=request.id, content=content, usage=self.usage)


def _rated(*strengths: int | None) -> Says:
    said = (Argument(kind="critique", rationale=f"rated {s}", vote="a", strength=s) for s in strengths)
    return Says(said, Usage(calls=1, output_tokens=10))


def _voter() -> Says:
    return Says([Argument(rationale="why", vote="a")])


def _run(spec: Spec, fillers: dict[str, Filler]) -> State:
    store = MemoryStore()
    store.append("d", open_debate(spec, debate_id="d", at=AT), after=0)
    state = asyncio.run(run("d", store, fillers))
    assert verify(store.load("d")) == ()
    return state


def _attacked(critic: Says, attempts: int = 2) -> State:
    spec = small_spec(ATTACK, n=1, rounds=1, decide=Plurality(), stop=(MaxRounds(),), attempts=attempts)
    return _run(spec, {"s0": critic})


QUOTED = "it rates its own strength 4 of 10, below 6: strike harder, and at what matters most"


def test_a_weak_critique_is_asked_again_quoting_its_rating() -> None:
    # R238, R269: critic 4 -> retry
    critic = _rated(4, 7)
    state = _attacked(critic)
    assert critic.told == ["", QUOTED]
    (weak,) = state.failed_attempts
    assert (weak.status, weak.message, weak.text, weak.usage) == ("weak", QUOTED, "rated 4", critic.usage)
    (turn,) = state.turns
    assert (turn.status, turn.attempts, turn.content) == (
        "ok",
        2,
        Argument(kind="critique", rationale="rated 7", vote="a", strength=7),
    )


@pytest.mark.parametrize("attempts", [2, 3, 4])
def test_it_is_asked_once_more_and_then_kept_as_it_is(attempts: int) -> None:
    # R238
    critic = _rated(4, 3, 9)
    state = _attacked(critic, attempts)
    assert critic.told == ["", QUOTED]
    assert [(t.status, t.content.strength) for t in state.turns if isinstance(t.content, Argument)] == [("ok", 3)]
    assert state.outcome is not None
    assert state.outcome.tally.as_dict() == {"a": 1}


@pytest.mark.parametrize("strength", [6, 10, None])
def test_a_critique_that_is_strong_or_unrated_stands(strength: int | None) -> None:
    critic = _rated(strength)
    assert _attacked(critic).failed_attempts == ()
    assert critic.told == [""]


BAD = Directive(reason="x", next_speakers=("s7",))
REFUSED = "1.lead.moderator.1: there is no debater 's7': next_speakers can name s0, s1"


def _led(moderator: Says, *phases: Phase) -> State:
    spec = small_spec(*phases, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    fillers: dict[str, Filler] = {"moderator": moderator, "s0": _voter(), "s1": _voter()}
    return _run(spec, fillers)


def test_an_invalid_directive_is_asked_again_with_the_reason() -> None:
    # R096
    moderator = Says([BAD, Directive(reason="x", next_speakers=("s1",))])
    state = _led(moderator, OPEN, LEAD, TALK)
    assert moderator.told == ["", REFUSED]
    assert [(t.phase, t.seat) for t in state.turns] == [
        ("open", "s0"),
        ("open", "s1"),
        ("lead", "moderator"),
        ("talk", "s1"),
    ]


def test_refused_directives_silence_nobody() -> None:
    # R093, R096
    moderator = Says([BAD])
    state = _led(moderator, LEAD, TALK)
    assert moderator.told == ["", REFUSED]
    assert [(t.seat, t.status, t.attempts) for t in state.turns] == [
        ("moderator", "unparseable", 2),
        ("s0", "ok", 1),
        ("s1", "ok", 1),
    ]
    assert state.turns[0].message == REFUSED.replace("moderator.1", "moderator.2")


def test_then_a_chair_is_waited_for() -> None:
    state = _led(Says([BAD]), LEAD, GATE, TALK)
    assert state.open is not None
    assert (state.open.slot.phase.name, state.open.waiting(), state.outcome) == ("gate", ("chair",), None)
