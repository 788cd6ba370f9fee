"""The same questions to every filler that ships: the behaviour that the runner relies on."""

import asyncio
from itertools import pairwise

import pytest
from pydantic import JsonValue

from debate_core.engine.engine import requests, submit
from debate_core.engine.seat_view import view
from debate_core.record.commands import FailTurn, SkipTurn, StartAttempt, TakeTurn
from debate_core.record.state import Request, State
from debate_core.seats import Filler, fillers_for
from debate_core.seats.scripted import Script, ScriptTurn
from debate_core.spec.contents import Gives
from debate_core.spec.presets import PROTOCOLS, compose, other_seats, panel_size
from debate_core.spec.values import Occupant, Seat, Source, Usage
from tests.playing import AT, Played, filled

SOURCE = Source(id="E1", title="t", text="The cost of the store is $300/month, paid by the team that runs it.")
PHASES = [phase for protocol in PROTOCOLS.values() for phase in protocol.phases()]
SAID: dict[Gives, JsonValue] = {
    "synthesis": {"answer": "Nothing is settled."},
    "review": {"marks": []},
    "framing": {"thesis": "The store pays."},
    "positions": {
        "reason": "One each.",
        "positions": [{"name": f"side {n}", "claim": "It pays.", "because": "It is cheap."} for n in range(3)],
    },
    "candidates": {"reason": "One more.", "candidates": [{"name": "z"}]},
    # It is proposed again later, so it must not become an option.
    "screening": {"reason": "It is double.", "struck": [{"name": "z", "because": "It is y."}]},
    "directive": {"reason": "All matter.", "next_speakers": ["a", "b"]},
    "evaluation": {"synthesis": "Even so far."},
    "verdict": {"reasoning": "Even so far."},
}
GOOD = Script(
    turns=(
        *(ScriptTurn(phase=p.name, content=SAID[p.gives], repeat=True) for p in PHASES if p.gives in SAID),
        ScriptTurn(content={"rationale": "Because of the cost.", "vote": "abstain"}, repeat=True),
    )
)
EMPTY = Script()
BROKEN = Script(turns=(ScriptTurn(raw="{", repeat=True),))


def start(name: str, occupant: Occupant) -> Played:
    rules = PROTOCOLS[name]
    seats = [
        *(
            Seat(id=i, occupant=occupant, persona=f"cost, team {i}", stance=f"side {i}" if rules.stances else "")
            for i in "abcde"[: panel_size(rules, ["x", "y"])]
        ),
        *other_seats(rules, occupant),
        Seat(id="chair", role="chair", occupant=occupant),
    ]
    spec = compose("Which way?", ["x", "y"], rules, seats, sources=[SOURCE])
    return Played(spec)


FILLERS: list[tuple[str, Occupant, Script]] = [
    ("evidence panel", "offline", EMPTY),
    ("script", "scripted", GOOD),
    ("empty script", "scripted", EMPTY),
    ("broken script", "scripted", BROKEN),
]
EVERY = pytest.mark.parametrize(("occupant", "script"), [f[1:] for f in FILLERS], ids=[f[0] for f in FILLERS])


def ask(filler: Filler, request: Request, state: State) -> tuple[TakeTurn | FailTurn | SkipTurn, list[str]]:
    heard: list[str] = []

    def on_text(asked: str, text: str, /, thinking: str = "") -> None:
        assert asked == request.id
        heard.append(text)

    command = asyncio.run(filler(request, view(state, request), on_text))
    assert isinstance(command, TakeTurn | FailTurn | SkipTurn)
    return command, heard


@EVERY
@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_it_answers_every_request_of_every_protocol(name: str, occupant: Occupant, script: Script):
    played = start(name, occupant)
    content_kinds = set[Gives]()
    while asked := played.requests():
        request = asked[0]
        played.do(StartAttempt(by="runner", request=request.id))
        filler = fillers_for(played.state, script=script, pace_cps=0)[request.seat]
        command, heard = ask(filler, request, played.state)
        assert (command.by, command.request) == (request.seat, request.id)
        assert all(later.startswith(earlier) for earlier, later in pairwise(heard))
        if isinstance(command, TakeTurn):
            content_kinds.add(request.gives)
        if not isinstance(command, SkipTurn):
            assert command.usage == Usage(calls=0, cost_usd="0")
        played.do(command)
    state = played.state
    assert state.outcome is not None
    if script == GOOD:
        assert content_kinds == {state.phase(phase).gives for _, phase in state.ran}


@EVERY
def test_it_says_the_same_to_the_same_view(occupant: Occupant, script: Script):
    state = start("bounded_vote", occupant).state
    request = requests(state)[0]
    answers = [ask(fillers_for(state, script=script, pace_cps=0)["a"], request, state) for _ in range(2)]
    assert answers[0] == answers[1]
    assert submit(state, answers[0][0], at=AT) == submit(state, answers[1][0], at=AT)


@pytest.mark.parametrize(("occupant", "script"), [("offline", EMPTY), ("scripted", GOOD)])
def test_its_pace_is_the_readers(occupant: Occupant, script: Script):
    state = start("bounded_vote", occupant).state
    request = requests(state)[0]
    at_once = ask(fillers_for(state, script=script, pace_cps=0)["a"], request, state)
    paced = ask(fillers_for(state, script=script, pace_cps=2_000)["a"], request, state)
    assert paced[0] == at_once[0]
    assert len(at_once[1]) == 1
    assert paced[1][-1] == at_once[1][-1]


@pytest.mark.parametrize("occupant", ["human", "model"])
def test_nobody_fills_the_seat_of_a_person_or_a_model(occupant: Occupant):
    assert fillers_for(start("bounded_vote", occupant).state, script=None, pace_cps=0) == {}


def test_a_whole_debate_is_the_same_every_time():
    spec = start("expert_panel", "offline").state.spec
    assert asyncio.run(filled(spec)).events == asyncio.run(filled(spec)).events
