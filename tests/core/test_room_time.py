"""Effects of pauses and strikes: waiting uses no time, and a struck directive steers nothing."""

from datetime import timedelta

import pytest

from debate_core.engine import limits
from debate_core.engine.engine import open_debate, requests, submit
from debate_core.engine.seat_view import view
from debate_core.record.acts import Struck
from debate_core.record.commands import Pause, Resume, StartAttempt, TakeTurn
from debate_core.record.events import Event, utc_text
from debate_core.record.fold import replay
from debate_core.spec.contents import Argument, Claim, Content, Directive
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import Ceiling, MaxRounds, Threshold
from debate_core.spec.values import Seat, Source
from tests.people import FAY, MO, OPTIONS, room_spec
from tests.playing import AT, Played

SCRIPTED = (Seat(id="s0", occupant="scripted"), Seat(id="s1", occupant="scripted"))


def test_the_lobby_and_pauses_use_up_no_time_of_the_ceiling():
    spec = room_spec()
    protocol = spec.protocol.model_copy(update={"stop": (MaxRounds(), Ceiling(seconds=60))})
    events: list[Event] = [
        *open_debate(spec.model_copy(update={"protocol": protocol}), debate_id="d", at=AT, by="p-fay")
    ]

    def at(minutes: int, command: object) -> None:
        nonlocal events
        events += submit(replay(events), command, at=AT + timedelta(minutes=minutes))  # type: ignore[arg-type]

    at(30, Resume(by="p-fay"))
    at(30, Pause(by="p-mo", reason="coffee"))
    assert limits.elapsed_s(replay(events), utc_text(AT + timedelta(minutes=45))) == 0
    at(50, Resume(by="p-mo"))
    name = requests(replay(events))[0].id
    at(50, StartAttempt(by="s0", request=name))
    assert limits.elapsed_s(replay(events), utc_text(AT + timedelta(minutes=51))) == 60
    assert limits.passed(replay(events), None, at=utc_text(AT + timedelta(minutes=52))) == "seconds"


def room_of(seats: tuple[Seat, ...], *phases: Phase, sources: tuple[Source, ...] = ()) -> Played:
    protocol = Protocol(name="own", each_round=phases, stop=(MaxRounds(),), decide=Threshold(votes=2))
    people = (FAY, MO, Person(id="p-cy", name="Cy", role="debater", seats=("chair",) if len(seats) > 3 else ()))
    room = Room(people=people)
    held = Played(
        Spec(
            question="Which?", options=OPTIONS, seats=seats, protocol=protocol, max_rounds=2, room=room, sources=sources
        )
    )
    held.go_on()
    return held


def given(played: Played, content: Content) -> None:
    asked = requests(played.state)[0]
    played.do(TakeTurn(by=asked.seat, request=asked.id, content=content))


@pytest.mark.parametrize("struck", [False, True])
def test_a_struck_directive_reaches_nobody_and_steers_nothing(struck: bool):
    seats = (*SCRIPTED, Seat(id="mod", role="moderator", occupant="scripted"))
    steer = Phase(name="steer", gives="directive", role="moderator")
    held = room_of(seats, steer, Phase(name="opening"), Phase(name="reply", directed=True))
    given(held, Directive(reason="r", next_speakers=("s1",), briefing="You fools."))
    if struck:
        held.act(MO, Struck(turn="1.steer.mod", reason="insults"))
    seen = view(held.state, requests(held.state)[0])
    assert (seen.directive is None) is struck
    held.say()
    held.say()
    assert [r.seat for r in requests(held.state)] == (["s0"] if struck else ["s1"])


def test_passages_of_a_struck_turn_are_not_to_be_marked():
    panel, chair = Seat(id="ev", occupant="offline"), Seat(id="chair", role="chair", occupant="human")
    source = Source(id="E1", title="A source", text="It is cheap.")
    marking = Phase(name="marking", gives="review", role="chair")
    held = room_of((*SCRIPTED, panel, chair), Phase(name="opening", order="at_once"), marking, sources=(source,))
    quoted = Argument(rationale="q", vote="adopt", claims=(Claim(text="x", quote="It is cheap.", source_id="E1"),))
    for _ in range(3):
        given(held, quoted)
    assert view(held.state, requests(held.state)[0]).to_review == ("ev.1.1",)
    held.act(MO, Struck(turn="1.opening.ev", reason="another source"))
    assert view(held.state, requests(held.state)[0]).to_review == ()
