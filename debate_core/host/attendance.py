"""People with an open page of a debate, and people who ask the facilitator for help.

Both are live signals and no part of a record. They are notes of the store, so that every web process knows the people
of all others, and a call for help survives a reload. Knows no engine.
"""

import json
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock

from debate_core.errors import StoreError
from debate_core.host.stores import Store
from debate_core.host.stores.owner import is_dead, this_process
from debate_core.record.state import State

BEAT_S = 5.0
ALIVE_S = 20.0
"""Maximum age of the list of a living process: four beats, because a busy database may delay one."""
LOOK_S = 1.0
"""Maximum age of a cached answer: every page of a facilitator asks."""
_HERE = "attendance"
_CALLS = "call-for-help"


@dataclass(frozen=True, slots=True)
class Attendance:
    """The people of one debate at one moment, by id."""

    here: frozenset[str] = frozenset()
    """People with an open page, in any process."""
    calls: Mapping[str, float] = field(default_factory=dict)
    """Person -> time of their unanswered call for help, in seconds since 1970; earliest first."""


def here_now(state: State, attendance: Attendance, who: str) -> list[str]:
    """Ids of the people who take part and are here, with `who`: the page that is just coming is not counted yet."""
    return sorted((state.room.people.keys() - state.room.left) & (attendance.here | {who}))


class Attendances:
    """The attendance of all debates of one store. Thread-safe."""

    def __init__(self, store: Store, *, process: str = "") -> None:
        self._store = store
        self._own = process or this_process()
        # Counting must never wait for the store: the event loop counts.
        self._counting, self._looking = Lock(), Lock()
        self._open: Counter[tuple[str, str]] = Counter()
        self._told: list[tuple[str, str]] = []
        self._told_s = -BEAT_S
        self._looked_s = -LOOK_S
        self._others: frozenset[tuple[str, str]] = frozenset()
        self._calls: Mapping[str, str] = {}

    def come(self, debate: str, person: str) -> None:
        """Count one more open page of this person."""
        with self._counting:
            self._open[debate, person] += 1

    def leave(self, debate: str, person: str) -> None:
        """Count one open page of this person less."""
        with self._counting:
            self._open[debate, person] -= 1
            self._open += Counter()

    def of(self, debate: str) -> Attendance:
        """The attendance of a debate: this process now, others at most `BEAT_S` and `LOOK_S` old.

        While the store is busy, other processes and calls are as they were known before.
        """
        with self._counting:
            mine = sorted(self._open)
        with self._looking, suppress(StoreError):
            self._look(mine)
        people = {*mine, *self._others}
        calls = {name.partition("/")[2]: float(at) for name, at in self._calls.items() if name.startswith(f"{debate}/")}
        by_time = dict(sorted(calls.items(), key=lambda call: call[1]))
        return Attendance(frozenset(person for of, person in people if of == debate), by_time)

    def call(self, debate: str, person: str) -> None:
        """Keep that this person asks for help, until it is answered. Raises `StoreError`."""
        self._store.change_note(_CALLS, f"{debate}/{person}", lambda text, now_s: text or str(now_s))
        self._looked_s = -LOOK_S

    def answer(self, debate: str, person: str) -> None:
        """Forget the call of this person: it was answered or taken back. Raises `StoreError`."""
        self._store.drop_note(_CALLS, f"{debate}/{person}")
        self._looked_s = -LOOK_S

    def _look(self, mine: list[tuple[str, str]]) -> None:
        now_s = time.monotonic()
        if mine != self._told or (mine and now_s - self._told_s >= BEAT_S):
            self._tell(mine)
            self._told, self._told_s = mine, now_s
        if now_s - self._looked_s >= LOOK_S:
            self._looked_s = now_s
            self._others = self._read_others()
            self._calls = self._store.notes(_CALLS)

    def _tell(self, mine: list[tuple[str, str]]) -> None:
        if mine:
            self._store.change_note(_HERE, self._own, lambda _text, now_s: json.dumps([now_s, mine]))
        else:
            self._store.drop_note(_HERE, self._own)

    def _read_others(self) -> frozenset[tuple[str, str]]:
        """The people of other living processes; lists of ended ones are dropped."""
        found = set[tuple[str, str]]()
        told = {process: json.loads(text) for process, text in self._store.notes(_HERE).items()}
        # The latest time of the store, because clocks of machines differ.
        now_s = max((at_s for at_s, _ in told.values()), default=0.0)
        for process, (at_s, people) in told.items():
            if now_s - at_s > ALIVE_S or is_dead(process):
                self._store.drop_note(_HERE, process)
            elif process != self._own:
                found.update((debate, person) for debate, person in people)
        return frozenset(found)
