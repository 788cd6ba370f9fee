"""A debate with people: who is in the room, and what they do, one act after the other.

Three scripted debaters vote, two people are listed in the panel, one judges, one approves, one facilitates.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from debate_core.engine.engine import open_debate, requests, submit
from debate_core.errors import RuleViolation
from debate_core.record import acts
from debate_core.record.commands import Act, Resume, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat
from tests.play import AT

OPTIONS = ("adopt", "defer", "reject")
FAY = Person(id="p-fay", name="Fay", role="facilitator")
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


class Held:
    """One debate under way; `did` and `says` go on with it, a refusal is raised as it is."""

    def __init__(self, spec: Spec) -> None:
        self.events: list[Event] = [*open_debate(spec, debate_id="d-room", at=AT, by="p-fay")]

    @property
    def state(self) -> State:
        """Where it stands."""
        return replay(self.events)

    def submit(self, command: Any) -> None:
        """One command at the next moment."""
        self.events += submit(self.state, command, at=AT + timedelta(seconds=len(self.events)))

    def did(self, by: Person, act: acts.RoomAct) -> None:
        """One act of a person."""
        self.submit(Act(by=by.id, act=act))

    def begin(self, by: Person = FAY) -> None:
        """Let the debate go on from the lobby, or from the hold before a round."""
        self.submit(Resume(by=by.id))

    def says(self, vote: str = "adopt", *, by: str = "") -> None:
        """The next seat that is asked gives its turn."""
        self.says_all(Argument(rationale="why", vote=vote), by=by)

    def says_all(self, content: Argument, *, by: str = "") -> None:
        """The same with everything that the turn says."""
        asked = requests(self.state)[0]
        self.submit(TakeTurn(by=by or asked.seat, request=asked.id, content=content))

    def play(self, vote: str = "adopt") -> None:
        """Every seat speaks until the debate waits or is over."""
        while requests(self.state) and self.state.paused is None:
            self.says(vote)

    def to_the_end(self, vote: str = "adopt") -> None:
        """Every round, let go on by the facilitator."""
        while self.state.outcome is None:
            if self.state.paused is not None:
                self.begin()
            self.play(vote)

    def votes(self, by: Person, poll: str, choice: str, **more: Any) -> None:
        """A one-choice ballot."""
        self.did(by, acts.BallotCast(poll=poll, choice=choice, **more))


def refused(held: Held, by: Person, act: acts.RoomAct, *words: str) -> None:
    """The act is refused with these words, and nothing changes."""
    before = list(held.events)
    with pytest.raises(RuleViolation) as told:
        held.did(by, act)
    assert [w for w in words if w not in str(told.value)] == [], str(told.value)
    assert held.events == before


def belief(number: int, *percents: int, **more: Any) -> acts.BeliefReported:
    """How likely each option is, in their order; 50, 30, 20 if nothing is said."""
    given = tuple(acts.Believed(option=o, percent=p) for o, p in zip(OPTIONS, percents or (50, 30, 20), strict=True))
    return acts.BeliefReported(round=number, beliefs=given, **more)


def judged(spec: Spec | None = None, **agreed: Any) -> Held:
    """A debate of two rounds with two judges, played to its end."""
    held = Held(spec or room_spec((*EVERYBODY, JOE), **agreed))
    held.begin()
    held.to_the_end()
    return held


def whole_workshop() -> Held:
    """The panel decides: a vote before and after, a judge who reports, and the approver's signature."""
    held = Held(room_spec(decides="panel"))
    held.did(FAY, acts.PollOpened(poll="pre"))
    held.votes(ANN, "pre", "defer", confidence=40, reason="too early")
    held.votes(BEN, "pre", "adopt")
    held.votes(GUS, "pre", "reject")
    held.did(FAY, acts.PollClosed(poll="pre"))
    held.begin()
    held.play()
    held.did(JUNE, belief(1))
    held.did(FAY, acts.BeliefsRevealed(round=1))
    held.to_the_end()
    held.did(FAY, acts.PollOpened(poll="final"))
    held.votes(ANN, "final", "adopt")
    held.votes(BEN, "final", "adopt")
    held.votes(GUS, "final", "abstain")
    held.did(FAY, acts.PollClosed(poll="final"))
    held.did(FAY, acts.PollRevealed(poll="final"))
    held.did(FAY, acts.PollRevealed(poll="pre"))
    held.did(ABE, acts.Signed(verdict="accept", option="adopt", owner="Ann"))
    return held
