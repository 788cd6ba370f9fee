"""Debates of model seats against the fault server, and what must hold of each of them whatever went wrong.

The runner, the seats and the vendors' libraries are the real ones; only the server is ours.
"""

import json
from asyncio import sleep
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from debate_core.engine import limits
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, submit
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import now, run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Resume
from debate_core.record.events import AttemptStarted, Event, TurnFailed, TurnTaken, dump_record
from debate_core.record.fold import replay
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import State
from debate_core.seats.model import model_fillers
from debate_core.spec.contents import Argument, CruxAnswer, Premortem, Synthesis
from debate_core.spec.models import Dialect, ModelLine, Price
from debate_core.spec.presets import PROTOCOLS, compose, synthesiser
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import ABSTAIN, Seat, Source, Usage
from tests.model_faults import ODD
from tests.model_replies import Tokens
from tests.model_server import Logged, ModelServer
from tests.virtual_time import VirtualTime

DIALECTS: tuple[Dialect, ...] = ("chat", "responses", "messages")
OPTIONS = ("adopt", "keep", "defer")
SPLIT = ("adopt", "keep")
"""In turn: three seats never agree, so that no debate is over before its last round."""
SEATS = ("cost", "risk", "delivery")
HEALTHY = 7
"""Calls of three seats in two rounds and a synthesis."""
KEY = "sk-proj-Zq7TtLw9XkP3vB5nM8rQ"
KEYS = {"TEST_KEY": KEY}
SOURCE = Source(id="E1", title="Load test", text="The queue holds 40 % of the load. The bill is 300 USD a month.")


def line(server: ModelServer, dialect: Dialect, **fields: object) -> ModelLine:
    """A line to the fault server."""
    given: dict[str, object] = {"id": "m1", "model": "test-model-1", "provider": "local", "dialect": dialect}
    given |= {"base_url": server.base_url(dialect), "key_env": "TEST_KEY", "effort": "low", "max_tokens": 2_000}
    given |= {"parallel": 8}
    return ModelLine.model_validate({**given, **fields})


def line_at(base_url: str, dialect: Dialect = "chat", **fields: object) -> ModelLine:
    """A line to this address."""
    given: dict[str, object] = {"id": "m1", "model": "m", "provider": "local", "dialect": dialect}
    return ModelLine.model_validate({**given, "base_url": base_url, "key_env": "TEST_KEY", **fields})


def panel(asked: ModelLine, bound: Ceiling | None = None, *, protocol: str = "expert_panel") -> Spec:
    """Three model seats and a model as synthesiser, all on one line."""
    rules = PROTOCOLS[protocol]
    if bound is not None:
        rules = rules.model_copy(update={"stop": (*rules.stop, bound)})
    seats = [Seat(id=s, persona=f"You look at {s}.", commitment="open", model=asked.id) for s in SEATS]
    if any(p.role == "synthesiser" for p in rules.phases()):
        seats.append(synthesiser("model").model_copy(update={"model": asked.id}))
    spec = compose("Should the queue be moved?", OPTIONS, rules, seats, sources=[SOURCE], max_rounds=2)
    return spec.model_copy(update={"models": (asked,)})


PRICE = Price(input="10", output="100")


@dataclass(frozen=True)
class Held:
    """A debate as it is in the store."""

    state: State
    events: tuple[Event, ...]

    def failures(self) -> list[TurnFailed]:
        return [e.body for e in self.events if isinstance(e.body, TurnFailed)]

    def attempts(self) -> list[str]:
        return [e.body.request for e in self.events if isinstance(e.body, AttemptStarted)]

    def usage(self) -> list[Usage]:
        bodies = [e.body for e in self.events if isinstance(e.body, LookedUp | TurnTaken | TurnFailed)]
        return [body.usage for body in bodies if body.usage]


async def hold(
    spec: Spec, *, deadline_s: float = 8, time: VirtualTime | None = None, then: Sequence[Resume] = ()
) -> Held:
    """Hold a debate as far as it goes; of `then`, one lets it go on each time that it waits."""
    store, clock = MemoryStore(), time.clock if time else now
    store.append("d1", open_debate(spec, debate_id="d1", at=clock()), after=0)

    async def go_on() -> State:
        fillers = partial(model_fillers, keys=KEYS, deadline_s=deadline_s)
        options = RunOptions(deadline_s=deadline_s, clock=clock, sleep=time.sleep if time else sleep)
        return await run("d1", store, fillers, options)

    state = await go_on()
    for resume in then:
        if state.paused is not None:
            store.append("d1", submit(state, resume, at=clock()), after=state.version)
            state = await go_on()
    events = tuple(store.load("d1"))
    assert replay(events) == state
    return Held(state, events)


def check(held: Held, server: ModelServer) -> None:
    """Check the properties of every debate: nothing invented, nothing lost, no secret, everything counted."""
    record = dump_record(held.events)
    assert verify(held.events) == ()
    assert "the seat broke with" not in record
    assert [KEY[i : i + 6] for i in range(len(KEY) - 5) if KEY[i : i + 6] in record] == []
    assert KEY[-4:] not in record
    assert server.trapped == []
    check_counts(held, server)
    check_ballots(held, server)


def check_counts(held: Held, server: ModelServer) -> None:
    """The record and the server's own log say the same about calls and tokens."""
    assert len(held.attempts()) == len(server.log)
    assert sum(u.calls for u in held.usage()) == len(server.log)
    assert told(held) == Counter(c.tokens for c in server.log if c.tokens)
    assert all(c.has_key for c in server.log)
    spent = limits.spent(held.state)
    assert spent.calls == len(server.log)


def told(held: Held) -> Counter[Tokens]:
    """Return the recorded usage of calls whose usage the server reported."""
    return Counter(
        Tokens(u.input_tokens, u.cached_tokens, u.output_tokens, u.reasoning_tokens)
        for u in held.usage()
        if not u.estimated
    )


def check_ballots(held: Held, server: ModelServer) -> None:
    """Every turn that counts is the whole of a good reply; every ballot is in such a turn."""
    for turn in held.state.turns:
        # Answers beside the vote have no prose to compare.
        if turn.status == "ok" and not isinstance(turn.content, CruxAnswer | Premortem):
            assert turn.content is not None
            check_whole(turn.content, server.log, server.settings.text_chars)
    for counted in held.state.counted:
        turns = [t for t in held.state.turns if (t.round, t.phase) == (counted.round, counted.phase)]
        voted = [
            t.content.vote
            for t in turns
            if t.status == "ok" and isinstance(t.content, Argument) and t.content.vote != ABSTAIN
        ]
        assert counted.tally.cast == len(voted)
        assert counted.tally.as_dict() == Counter(voted)


def check_whole(content: object, log: list[Logged], text_chars: int) -> None:
    """This content is what one call said, from its first character to its last."""
    assert isinstance(content, Argument | Synthesis)
    prose = content.rationale if isinstance(content, Argument) else content.answer
    call = log[int(prose.split()[1].rstrip(".")) - 1]
    # A synthesis may name no option.
    assert call.fault in (None, *ODD, *(("no_vote",) if isinstance(content, Synthesis) else ()))
    said = json.JSONDecoder().raw_decode(call.text[call.text.index('{"') :])[0]
    assert prose == said.get("rationale", said.get("answer"))
    assert len(prose) == text_chars
    if isinstance(content, Argument):
        assert content.vote == said["vote"]
