"""Questions beside the vote, asked of real clients over the wire: their prompts, their replies, and a killed run."""

import asyncio
import re
from functools import partial

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.crux import answers_of_seats, asked_of_seats, named_by_seats
from debate_core.engine.engine import open_debate
from debate_core.engine.stopping import OUTAGES
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import now, run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import AttemptStarted, TurnTaken
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.facts.premortem import reversal_reasons
from debate_core.report.files.adr.more_information import premortem_lines
from debate_core.report.phrases.crux import crux_sentences
from debate_core.seats.forecast import forecast
from debate_core.seats.model import model_fillers
from debate_core.spec.contents import Premortem
from debate_core.spec.models import Dialect
from debate_core.spec.protocol import Spec
from debate_core.spec.protocol_changes import with_crux, with_premortem
from tests.model_faults import Fault
from tests.model_replies import prompt_of
from tests.model_server import Logged, ModelServer
from tests.wire.rig import DIALECTS, HEALTHY, KEYS, SEATS, SPLIT, check, hold, line, panel

ASKED = 3 * len(SEATS)
"""Calls of a premortem and of both questions after the vote."""


def asking(server: ModelServer, dialect: Dialect = "chat") -> Spec:
    spec = panel(line(server, dialect))
    return spec.model_copy(update={"protocol": with_premortem(with_crux(spec.protocol), spec.max_rounds)})


def calls(server: ModelServer, words: str) -> list[Logged]:
    """Calls whose prompt has these words."""
    return [call for call in server.log if words in prompt_of(call.body or {})]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_seats_answer_over_every_dialect(server: ModelServer, dialect: Dialect):
    server.reset(votes=SPLIT)
    spec = asking(server, dialect)
    held = asyncio.run(hold(spec))
    check(held, server)
    assert held.failures() == []
    assert len(server.log) == HEALTHY + ASKED == forecast(spec).total.calls
    reasons = [turn.content.reasons for turn in held.state.turns if isinstance(turn.content, Premortem)]
    assert len(reasons) == len(SEATS)
    assert {*reversal_reasons(held.state)} == {reason for each in reasons for reason in each}
    assert named_by_seats(held.state).keys() == {*SEATS}
    given = answers_of_seats(held.state)
    assert set(given) == {*asked_of_seats(held.state)}
    assert all(answers.keys() == {*SEATS} for answers in given.values())
    assert crux_sentences(account(held.state, held.events), "debaters")


def test_prompts_say_own_vote_and_claims_alone(server: ModelServer):
    server.reset(votes=SPLIT)
    held = asyncio.run(hold(asking(server)))
    named, supposed = calls(server, "`decided_by`"), calls(server, "`supposed`")
    votes = sorted(ballot.choice or "" for ballot in held.state.ballots.values())
    for asked in (named, supposed):
        own = [re.findall(r'You voted for "(\w+)"', prompt_of(call.body or {})) for call in asked]
        assert sorted(words[-1] for words in own) == votes
        assert all(len(words) == 1 for words in own)
    numbers = {claim: held.state.claims[claim].text for claim in asked_of_seats(held.state)}
    for call in supposed:
        assert all(f": {text}" in prompt_of(call.body or {}) for text in numbers.values())
    # No later prompt has the answers, so the synthesis is as it was.
    synthesis = server.log[-1]
    assert "decisive" not in prompt_of(synthesis.body or {})


@pytest.mark.parametrize("kind", ["garbage", "wrong_fields", "empty"])
def test_malformed_replies_are_no_answers(server: ModelServer, kind: str):
    first = HEALTHY - 1 + len(SEATS) + 1
    faults = [Fault(kind, at=tuple(range(first, first + 40)))]  # type: ignore[arg-type]
    server.reset(votes=SPLIT, faults=faults)
    held = asyncio.run(hold(asking(server)))
    assert verify(held.events) == ()
    assert held.state.outcome is not None
    assert named_by_seats(held.state) == {}
    assert crux_sentences(account(held.state, held.events), "debaters") == ()
    assert calls(server, "`supposed`") == []


def test_lost_premortem_ends_no_debate(server: ModelServer):
    places = tuple(range(len(SEATS) + 1, 3 * len(SEATS) + 1))
    server.reset(votes=SPLIT, faults=[Fault("garbage", at=places)])
    held = asyncio.run(hold(asking(server)))
    assert {turn.status for turn in held.state.turns if turn.phase == "premortem"} == {"unparseable"}
    assert held.state.outcome is not None
    assert held.state.outcome.ended_by not in OUTAGES
    assert named_by_seats(held.state).keys() == {*SEATS}
    assert premortem_lines(held.state) == ("No seat gave a reason in the premortem.",)


def test_killed_run_asks_no_seat_twice(server: ModelServer):
    server.reset(votes=SPLIT, latency_s=0.05)
    store = MemoryStore()
    store.append("d1", open_debate(asking(server), debate_id="d1", at=now()), after=0)
    fillers = partial(model_fillers, keys=KEYS, deadline_s=8)

    async def killed_at(phase: str) -> None:
        running = asyncio.create_task(run("d1", store, fillers, RunOptions(deadline_s=8)))
        while not any(f".{phase}." in e.body.request for e in store.load("d1") if isinstance(e.body, AttemptStarted)):
            await asyncio.sleep(0.005)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    for phase in ("premortem", "decisive_claim", "suppositions"):
        asyncio.run(killed_at(phase))
    state = asyncio.run(run("d1", store, fillers, RunOptions(deadline_s=8)))
    events = tuple(store.load("d1"))
    assert verify(events) == ()
    assert replay(events) == state
    taken = [e.body.request.rpartition(".")[0] for e in events if isinstance(e.body, TurnTaken)]
    assert len(taken) == len(set(taken)) == HEALTHY + ASKED
