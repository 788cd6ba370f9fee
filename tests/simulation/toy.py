"""A debate small enough to be played by the thousand: seats, phases, votes of people, and nothing else of the rules.

It writes the same kinds of keys as the engine does, so that what is checked of its records is checked of real ones.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, cast

from debate_core.host.run_loop import Attempt, Batch, Planner
from debate_core.record.commands import AnyCommand
from debate_core.record.events import GENESIS, Body, Event
from debate_core.record.state import Request
from tests.simulation.history import Person
from tests.simulation.process import Time

MAX_FAILURES = 2
PERSON = "p"
WAIT_S = 8.0
"""How long the person's turn is waited for, since the turn before."""
ANSWERS = cast(Sequence[AnyCommand], ("turn", "turn", "turn", "turn", "turn", "failed"))
"""What a seat gives: of a turn, no more matters here than that it is one."""


class ToyPlay:
    """Two or three seats in two or three phases, at once or in turn; voters, and somebody who skips a turn.

    In some debates a turn is a person's, who does not always come in time.
    """

    debate = "d"

    def __init__(self, seed: int) -> None:
        self._random = random = Random(seed)
        seats, n_phases = "abc"[: random.randint(2, 3)], random.randint(2, 3)
        of_a_person = random.choice((*range(n_phases), None, None))
        self.phases = [(tuple(f"{n}.{seat}" for seat in seats), random.random() < 0.5) for n in range(n_phases)]
        if of_a_person is not None:
            places, at_once = self.phases[of_a_person]
            self.phases[of_a_person] = (*places, f"{of_a_person}.{PERSON}"), at_once
        self.n_voters = random.randint(1, 3)
        # As where a runner has to look for news by itself, or is told of them.
        self.look_s = random.choice((0.5, 5.0))

    def opening(self) -> Sequence[Event]:
        return (_event(0, GENESIS, "open", "engine", 0.0),)

    def planner(self, time: Time) -> "ToyPlanner":
        return ToyPlanner(self, time)

    def answer(self, _attempt: Attempt) -> AnyCommand:
        return self._random.choice(ANSWERS)

    def people(self) -> Sequence[Person]:
        voters = [Person(_voter(n), self._random.uniform(0, 8)) for n in range(self.n_voters)]
        place = self._random.choice(self._random.choice(self.phases)[0])
        skips = Person(self._skips(place), self._random.uniform(0, 8))
        return (*voters, skips, Person(self._speaks, self._random.uniform(0, 20), again_s=3.0))

    def again_s(self, planner: Planner) -> float | None:
        assert isinstance(planner, ToyPlanner)
        return planner.until_overdue_s()

    def _speaks(self, record: Sequence[Event], at_s: float) -> Sequence[Event]:
        state = ToyState(self).after(record)
        mine = next((place for place in state.open_places() if place.endswith(PERSON)), None)
        return () if mine is None else state.ended(mine, PERSON, at_s)

    def _skips(self, place: str) -> Any:
        def act(record: Sequence[Event], at_s: float) -> Sequence[Event]:
            state = ToyState(self).after(record)
            if f"{place}.{state.failures.get(place, 0) + 1}" not in state.asked():
                return ()
            return state.ended(place, "skipped", at_s)

        return act

    def faults(self, record: Sequence[Event]) -> Sequence[str]:
        kept = {event.key for event in record}
        wanted = [f"turn:{place}" for places, _ in self.phases for place in places if "deadline" not in kept]
        wanted += [f"vote:{n}" for n in range(self.n_voters)]
        return [f"{key} is missing" for key in wanted if key not in kept]


class ToyState:
    """State that a record describes."""

    def __init__(self, play: ToyPlay) -> None:
        self.play = play
        self.version, self.head, self.closed, self.since_s = 0, GENESIS, False, 0.0
        self.over: set[str] = set()
        self.failures: dict[str, int] = {}
        self._asked: list[str] | None = None

    def copy(self) -> "ToyState":
        other = ToyState(self.play)
        other.version, other.head, other.closed = self.version, self.head, self.closed
        other.since_s = self.since_s
        other.over, other.failures, other._asked = self.over.copy(), self.failures.copy(), self._asked
        return other

    def after(self, events: Sequence[Event]) -> "ToyState":
        """The same state, later."""
        for event in events:
            what, _, name = event.key.partition(":")
            if what == "turn":
                self.over.add(name)
                self.since_s = float(event.at)
            elif what == "failed":
                place = name.rpartition(".")[0]
                self.failures[place] = self.failures.get(place, 0) + 1
            elif what == "closed":
                self.closed = True
            if what in ("turn", "failed", "closed"):
                self._asked = None
            self.version, self.head = event.seq, event.hash
        return self

    def open_places(self) -> Sequence[str]:
        """Turns that may be given now."""
        for places, at_once in () if self.closed else self.play.phases:
            if missing := [place for place in places if place not in self.over]:
                return missing if at_once else missing[:1]
        return ()

    def asked(self) -> list[str]:
        """Ids of the requests that seats may answer now."""
        if self._asked is None:
            places = [place for place in self.open_places() if not place.endswith(PERSON)]
            self._asked = [f"{place}.{self.failures.get(place, 0) + 1}" for place in places]
        return self._asked

    def written(self, key: str, actor: str, at_s: float) -> Event:
        """The next event; the state is that after it."""
        event = _event(self.version, self.head, key, actor, at_s)
        self.after((event,))
        return event

    def ended(self, place: str, actor: str, at_s: float) -> list[Event]:
        """The end of a turn, and of the debate if it was the last one."""
        events = [self.written(f"turn:{place}", actor, at_s)]
        if not self.open_places():
            events.append(self.written("closed", "engine", at_s))
        return events


class ToyPlanner:
    """A `Planner` of a toy debate."""

    def __init__(self, play: ToyPlay, time: Time) -> None:
        self._time = time
        self._state = self._planned = ToyState(play)

    @property
    def version(self) -> int:
        return self._state.version

    def take_in(self, events: Sequence[Event]) -> None:
        self._state.after(events)

    def overdue(self) -> Sequence[Event]:
        left_s = self.until_overdue_s()
        if left_s is None or left_s > 0:
            return ()
        self._planned = self._state.copy()
        return [self._planned.written(key, "runner", self._time()) for key in ("deadline", "closed")]

    def until_overdue_s(self) -> float | None:
        """Return the seconds that the person still has; None = no one is awaited."""
        waits = any(place.endswith(PERSON) for place in self._state.open_places())
        return self._state.since_s + WAIT_S - self._time() if waits else None

    def has_seats_to_ask(self) -> bool:
        return bool(self._state.asked())

    def parks_until(self) -> None:
        """No server asks anybody to wait."""

    def begin(self) -> None:
        """Nothing to begin."""

    def next_batch(self, answers: Mapping[str, AnyCommand], under_way: Collection[str]) -> Batch:
        if not answers and under_way and not set(self._state.asked()).difference(under_way):
            return Batch(())
        at_s, events, state = self._time(), list[Event](), self._state.copy()
        for request, answer in answers.items():
            if request in state.asked():
                events += _taken(state, request, str(answer), at_s)
        due = [request for request in state.asked() if request not in under_way]
        events += [state.written(f"attempt:{request}:{state.version + 1}", "runner", at_s) for request in due]
        self._planned = state
        return Batch(events, [_attempt(request) for request in due])

    def kept(self) -> None:
        self._state = self._planned

    def open_request_ids(self) -> Collection[str]:
        return self._state.asked()

    def look_s(self, under_way: Collection[str]) -> float:
        return self._state.play.look_s


def _taken(state: ToyState, request: str, answer: str, at_s: float) -> list[Event]:
    place, _, attempt = request.rpartition(".")
    if answer == "failed" and int(attempt) < MAX_FAILURES:
        return [state.written(f"failed:{request}", place, at_s)]
    return state.ended(place, answer, at_s)


def _voter(number: int) -> Any:
    def act(record: Sequence[Event], at_s: float) -> Sequence[Event]:
        key = f"vote:{number}"
        if any(event.key == key for event in record):
            return ()
        return (_event(record[-1].seq, record[-1].hash, key, "voter", at_s),)

    return act


@cache
def _attempt(request: str) -> Attempt:
    phase, seat, attempt = request.split(".")
    # Nobody looks at what a seat sees.
    return Attempt(Request(request, seat, int(phase), phase, "argument", int(attempt)), cast(Any, None))


def _event(version: int, head: str, key: str, actor: str, at_s: float) -> Event:
    """The event after this version; the chain is a real one."""
    at = f"{at_s:.6f}"
    digest = hashlib.sha256(f"{head} {version} {at} {actor} {key}".encode()).hexdigest()
    return Event(ToyPlay.debate, version + 1, at, actor, "toy", key, cast(Body, None), "", head, digest)
