"""A debate with people: who is in the room, and what they do, one act after the other.

Three scripted debaters vote, two people are listed in the panel, one judges, one approves, one facilitates.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from debate_core.errors import RuleViolation
from debate_core.record import acts
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat
from tests.playing import FACILITATOR, Played

OPTIONS = ("adopt", "defer", "reject")
FAY = Person(id=FACILITATOR, name="Fay", role="facilitator")
MO = Person(id="p-mo", name="Mo", role="moderator")
ANN = Person(id="p-ann", name="Ann", role="voter", electorate="panel")
BEN = Person(id="p-ben", name="Ben", role="voter", electorate="panel", weight=2)
JUNE = Person(id="p-june", name="June", role="judge")
JOE = Person(id="p-joe", name="Joe", role="judge")
SYD = Person(id="p-syd", name="Syd", role="synthesiser")
ABE = Person(id="p-abe", name="Abe", role="approver")
GUS = Person(id="p-gus", name="Gus", role="voter", electorate="room")
OLA = Person(id="p-ola", name="Ola", role="observer")
EVERYBODY = (FAY, MO, ANN, BEN, JUNE, SYD, ABE, GUS, OLA)


def room_spec(
    people: Sequence[Person] = EVERYBODY, *, rounds: int = 2, seats: Sequence[Seat] = (), **agreed: Any
) -> Spec:
    """Two phases a round; `agreed` are fields of the room."""
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening", order="at_once"), Phase(name="reply")),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
    )
    debaters = tuple(seats) or tuple(Seat(id=f"s{i}", occupant="scripted") for i in range(3))
    room = Room(people=tuple(people), **agreed)
    return Spec(question="Which?", options=OPTIONS, seats=debaters, protocol=protocol, max_rounds=rounds, room=room)


def refused(played: Played, by: Person, act: acts.RoomAct, *words: str) -> None:
    """The act is refused with these words, and nothing changes."""
    before = list(played.events)
    with pytest.raises(RuleViolation) as told:
        played.act(by, act)
    assert [w for w in words if w not in str(told.value)] == [], str(told.value)
    assert played.events == before


def belief(number: int, *percents: int, **more: Any) -> acts.BeliefReported:
    """Return a probability for each option in order; 50, 30, 20 by default."""
    given = tuple(acts.Believed(option=o, percent=p) for o, p in zip(OPTIONS, percents or (50, 30, 20), strict=True))
    return acts.BeliefReported(round=number, beliefs=given, **more)


def judged(spec: Spec | None = None, **agreed: Any) -> Played:
    """A debate of two rounds with two judges, played to its end."""
    held = Played(spec or room_spec((*EVERYBODY, JOE), **agreed))
    held.go_on()
    held.to_the_end()
    return held


def whole_workshop(seats: Sequence[Seat] = ()) -> Played:
    """The panel decides: a vote before and after, a judge who reports, and the approver's signature."""
    held = Played(room_spec(decides="panel", seats=seats))
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer", confidence=40, reason="too early")
    held.ballot(BEN, "pre", "adopt")
    held.ballot(GUS, "pre", "reject")
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.go_on()
    held.play()
    held.act(JUNE, belief(1))
    held.act(FAY, acts.BeliefsRevealed(round=1))
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(ANN, "final", "adopt")
    held.ballot(BEN, "final", "adopt")
    held.ballot(GUS, "final", "abstain")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    held.act(ABE, acts.Signed(verdict="accept", option="adopt", owner="Ann"))
    return held
