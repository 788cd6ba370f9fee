"""A debate under way, for every test that holds one: `Played` takes commands, turns and acts one after the other.

    played = Played(spec)
    played.say("adopt")                       # the first seat that is asked votes
    played.do(Stop(by="chair", reason="x"))   # any command; a refusal is raised as it is and changes nothing
    played.act(FAY, PollOpened(poll="pre"))   # what a person does in the room
    played.play("defer")                      # everybody speaks until the debate waits or is over

No store, no runner, and a clock that the test moves. Specs to begin with are in `by_hand`, `people` and `paid`.
"""

from collections.abc import Callable, Mapping
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Self

from debate_core.engine import engine, rights
from debate_core.engine.seat_view import View, view
from debate_core.record.acts import BallotCast, RoomAct
from debate_core.record.commands import Act, AnyCommand, FailTurn, Resume, StartAttempt, TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.seats import fillers_for
from debate_core.seats.scripted import Script
from debate_core.spec.contents import Argument, Claim, Content
from debate_core.spec.people import Person
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Outcome, TurnError

AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
FACILITATOR = "p-fay"
"""The default facilitator of a room: Fay of `tests/people.py`."""
Says = Callable[[Request], Content]


class Played:
    """One debate: its events, its state, the commands in order, and what was seen for each request that was played."""

    def __init__(
        self, spec: Spec, debate_id: str = "", *, at: datetime = AT, owner: str = "", shared: bool = False
    ) -> None:
        by = FACILITATOR if spec.room else rights.ENGINE
        debate_id = debate_id or ("d-room" if spec.room else "d1")
        opened = engine.open_debate(spec, debate_id=debate_id, at=at, by=by, owner=owner, shared=shared)
        self.events: list[Event] = [*opened]
        self.state: State = replay(self.events)
        self.commands: list[AnyCommand] = []
        self.seen: dict[str, View] = {}
        self.at = at
        self.tick_s = 1 if spec.room else 0
        """Seconds between two events: in a room it is known who came first."""

    def copy(self) -> Self:
        """Another debate with the same past."""
        other = copy(self)
        other.events, other.commands, other.seen = [*self.events], [*self.commands], {**self.seen}
        return other

    def after(self, seconds: int) -> Self:
        """Let time pass."""
        self.at += timedelta(seconds=seconds)
        return self

    def do(self, command: AnyCommand) -> Self:
        """One command."""
        at = self.at + timedelta(seconds=self.tick_s * len(self.events))
        new, self.state = engine.advance(self.state, command, at=at)
        self.commands.append(command)
        self.events += new
        return self

    def act(self, by: Person, act: RoomAct) -> Self:
        """One act of a person."""
        return self.do(Act(by=by.id, act=act))

    def ballot(self, by: Person, poll: str, choice: str, *, reason: str = "", confidence: int | None = None) -> Self:
        """A one-choice ballot in a poll."""
        return self.act(by, BallotCast(poll=poll, choice=choice, reason=reason, confidence=confidence))

    def go_on(self, by: str = FACILITATOR) -> Self:
        """Let the debate go on from the lobby, or from the hold before a round."""
        return self.do(Resume(by=by))

    def requests(self) -> tuple[Request, ...]:
        """Return the open requests."""
        return engine.requests(self.state)

    def asked(self) -> list[str]:
        """The same by id."""
        return [request.id for request in self.requests()]

    def say(self, said: Content | str | None = "adopt", *, by: str = "") -> Self:
        """The first seat that is asked gives this; a word alone is its vote."""
        content = Argument(rationale="why", vote=said) if said is None or isinstance(said, str) else said
        request = self.requests()[0]
        return self.do(TakeTurn(by=by or request.seat, request=request.id, content=content))

    def fail(self, error: TurnError = "failed", message: str = "") -> Self:
        """One attempt of the first seat that is asked fails."""
        request = self.requests()[0]
        return self.do(FailTurn(by=request.seat, request=request.id, error=error, message=message))

    def vote(self, votes: Mapping[str, str | None], claims: Mapping[str, str] | None = None) -> Self:
        """One phase: each seat votes as given, with a claim if it has one.

        A seat whose vote is None answers and abstains; one that is missing fails for good.
        """
        place = _place(self.requests()[0])
        while (asked := self.requests()) and _place(asked[0]) == place:
            seat = asked[0].seat
            if seat not in votes:
                self.fail()
                continue
            said = (Claim(text=claims[seat]),) if claims and seat in claims else ()
            self.say(Argument(rationale="why", vote=votes[seat], claims=said))
        return self

    def play(self, said: Says | str = "adopt") -> Self:
        """Every seat speaks until the debate waits or is over: the same vote, or what `said` makes of its request.

        What each seat sees is kept in `seen`, if it is asked what it says.
        """
        while self.state.paused is None and (asked := self.requests()):
            if isinstance(said, str):
                self.say(said)
                continue
            self.seen[asked[0].id] = view(self.state, asked[0])
            self.say(said(asked[0]))
        return self

    def to_the_end(self, vote: str = "adopt") -> Self:
        """Every round, let go on by the facilitator."""
        while self.state.outcome is None:
            if self.state.paused is not None:
                self.go_on()
            self.play(vote)
        return self

    def outcome(self) -> Outcome:
        """Return the outcome of the debate."""
        assert self.state.outcome is not None, self.asked()
        return self.state.outcome


def _place(request: Request) -> tuple[int, str]:
    return request.round, request.phase


async def filled(spec: Spec, script: Script | None = None, *, max_turns: int = 500) -> Played:
    """A debate played by its own fillers, without pace, until it is over or only people are asked."""
    played = Played(spec)
    fillers = fillers_for(played.state, script=script, pace_cps=0)
    for _ in range(max_turns):
        request = next((r for r in engine.requests(played.state) if r.seat in fillers), None)
        if request is None:
            break
        played.do(StartAttempt(by="runner", request=request.id))
        played.do(await fillers[request.seat](request, view(played.state, request), silent))
    return played


def silent(request: str, text: str, /, thinking: str = "") -> None:
    """A listener that ignores the live text of a filler."""
