"""Keeps the debates of this process: one background thread asks the seats; everybody else reads and submits here.

The record is in the store; what is here can be lost at any moment: states in memory, live text, who is being asked.
It knows no screen.
"""

import asyncio
import base64
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from debate_core.engine.audit import refuse_broken
from debate_core.engine.engine import open_debate, requests, submit
from debate_core.engine.stage import held, sitting, why_held
from debate_core.errors import BrokenRecord, Conflict, InvalidSpec, StoreError, UnknownDebate
from debate_core.host import fillers
from debate_core.host.debate_list import DebateRow, RehearsalRow, ended_row, row_of
from debate_core.host.door import admission
from debate_core.host.door.door import Door
from debate_core.host.door.invites import Invite
from debate_core.host.fillers import Access, SeatSetup, fillers_of, refuse_empty_seats, seat_setup_of
from debate_core.host.runner import now, run
from debate_core.host.settings import Settings, Worker, read_settings
from debate_core.host.stores import Store, open_store
from debate_core.host.stores.follow import Followed
from debate_core.record.commands import AnyCommand, Pause, Stop
from debate_core.record.events import Closed, DebateOpened, Event, Partial, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.seats import Filler
from debate_core.seats.probe import Probe
from debate_core.seats.scripted import script_from_record, shipped_script_texts, shipped_scripts, spec_of
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Person
from debate_core.spec.protocol import Spec
from debate_core.spec.values import MAX_TEXT_CHARS

log = logging.getLogger(__name__)
RETRY_S = 5.0
"""When to try again to run a debate that another process holds, or whose store could not be written."""
TRY_S = 20.0
"""How long a command that is still allowed is tried again while others are first: a crowd is over by then."""


class Host:
    """The debates of one store. Goes on with every debate that is not over as soon as it is made."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime] = now,
        access: Access | None = None,
        worker: Worker = "inline",
        door: Door | None = None,
        public_url: str = "",
    ) -> None:
        self._store = store
        self._clock = clock
        self.access = access or Access()
        self.door = door or Door(store, clock=clock)
        self.public_url = public_url
        self._worker = worker
        self._lock = threading.Lock()
        self._followed: dict[str, Followed] = {}
        self._rows: dict[str, tuple[int, DebateRow]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._wakes: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        for debate_id in store.debates():
            if not self._is_over(debate_id):
                self._wake(debate_id)

    def create(self, spec: Spec, *, by: str, script_text: str | None = None, pace_cps: int = 0) -> str:
        """Open a debate and ask its seats; the new id. InvalidSpec if it cannot be played or nobody can sit in a seat.

        `script_text` is what scripted seats say; `pace_cps` is characters per second, 0 = at once.
        """
        debate_id = f"d-{base64.b32encode(secrets.token_bytes(7)).decode().lower()[:10]}"
        events = open_debate(spec, debate_id=debate_id, at=self._clock(), by=by)
        for line in spec.models:
            self.access.refuse_address(line)
        setup = SeatSetup(script_text, pace_cps)
        refuse_empty_seats(spec, fillers_of(replay(events), setup, self.access), self.access.keys)
        setup.keep(self._store, debate_id)
        self._store.append(debate_id, events, after=0)
        self._wake(debate_id)
        return debate_id

    def state(self, debate_id: str) -> State:
        """The state now. UnknownDebate if there is none."""
        return self._follow(debate_id).state

    def events(self, debate_id: str) -> tuple[Event, ...]:
        """The record so far."""
        return self._follow(debate_id).events()

    def live(self, debate_id: str) -> Mapping[str, str]:
        """Request id -> text so far of the turns being given."""
        return self._follow(debate_id).live()

    def thinking(self, debate_id: str) -> Mapping[str, str]:
        """Request id -> what the model says that it thinks, while it has said nothing yet."""
        return self._follow(debate_id).thinking()

    def feed_version(self, debate_id: str) -> int:
        """Grows with every event and every live text; asks the store at most twice a second."""
        return self._follow(debate_id).feed

    def submit(self, debate_id: str, command: AnyCommand) -> State:
        """Record what a person asks for. RuleViolation if it is not allowed; then nothing has changed."""
        followed = self._follow(debate_id)
        followed.look()
        until_s = time.monotonic() + TRY_S
        while True:
            state = followed.state
            with self.door.rate_limit.counting_refused_acts():
                events = submit(state, command, at=self._clock())
            try:
                self._store.append(debate_id, events, after=state.version)
            except Conflict:
                followed.look()
                if followed.state.version == state.version:
                    # Nobody was first: trying again would not help.
                    raise
                if time.monotonic() > until_s:
                    raise Conflict(f"too many people write to {debate_id} at once: try again") from None
                continue
            followed.absorb(events)
            self._wake(debate_id)
            return followed.state

    def stop(self, debate_id: str, *, by: str, reason: str) -> State:
        """End the debate now; texts of turns being given are kept as partial texts."""
        live = self.live(debate_id)
        partials = tuple(Partial(request=name, text=text[:MAX_TEXT_CHARS]) for name, text in live.items() if text)
        return self.submit(debate_id, Stop(by=by, reason=reason, partials=partials))

    def admit(self, invite: Invite, *, name: str = "") -> str:
        """Let somebody in; their person id. NotAllowed or RuleViolation says why not, and then nothing has changed."""
        debate_id = invite.debate
        return admission.admit(self.door, invite, self.state(debate_id), name, partial(self.submit, debate_id))

    def viewer(self, debate_id: str, cookies: Mapping[str, str]) -> Person | None:
        """The person whose browser brings these cookies; None for everybody else, and after they were shown out."""
        return admission.viewer(self.door, self.state(debate_id), cookies)

    def door_for(self, debate_id: str, *, by: str) -> Door:
        """To make, list and take back invites. RuleViolation unless `by` facilitates this debate."""
        admission.refuse_but_facilitator(self.state(debate_id), by)
        return self.door

    def debates(self) -> tuple[DebateRow, ...]:
        """Every debate, latest opened first; records that cannot be read are left out and logged."""
        rows = []
        for debate_id, version in self._store.debates().items():
            known = self._rows.get(debate_id)
            if known is None or known[0] != version:
                try:
                    known = (version, self._row(debate_id))
                except StoreError:
                    log.exception("the record of %s cannot be read", debate_id)
                    continue
                self._rows[debate_id] = known
            rows.append(known[1])
        return tuple(rows)

    def import_record(self, data: bytes) -> str:
        """Keep a record that was exported before; its debate id. BrokenRecord unless it keeps its own rules.

        A record that is here already is left as it is; Conflict if another debate, or another state of it, has its id.
        """
        events = parse_record(data)
        refuse_broken(events, "this record breaks its own rules")
        debate_id = events[0].debate
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", debate_id):
            raise BrokenRecord("the id of a debate has 1 to 64 letters, digits, - and _; this one has others", 1)
        if self._store.find(debate_id, "open"):
            if self._store.load(debate_id)[-1].hash != events[-1].hash:
                raise Conflict(f"{debate_id} is here already and ends differently: the imported record was not kept")
            return debate_id
        self._store.append(debate_id, events, after=0)
        self._wake(debate_id)
        return debate_id

    def rehearsals(self) -> tuple[RehearsalRow, ...]:
        """The rehearsals that ship with the program."""
        return tuple(RehearsalRow(name, s.title or name, s.summary) for name, s in shipped_scripts().items())

    def start_rehearsal(self, name: str, *, by: str, pace_cps: int) -> str:
        """Open a shipped rehearsal; the new debate id."""
        if name not in shipped_scripts():
            raise InvalidSpec(f"unknown rehearsal {name!r}: choose one of {', '.join(shipped_scripts())}")
        spec = spec_of(shipped_scripts()[name])
        return self.create(spec, by=by, script_text=shipped_script_texts()[name], pace_cps=pace_cps)

    def replay(self, debate_id: str, *, by: str, pace_cps: int) -> str:
        """Play the turns of a record again, as a rehearsal; the new debate id. Marks are people's and stay out."""
        script = script_from_record(self.events(debate_id))
        return self.create(spec_of(script), by=by, script_text=script.model_dump_json(), pace_cps=pace_cps)

    def probe(self, line: ModelLine) -> Probe:
        """One small structured turn on a model; takes as long as the model. InvalidSpec if it may not be asked."""
        return fillers.probe_now(self.access, line)

    def server_models(self, line: ModelLine) -> tuple[str, ...]:
        """The models that a server offers. SeatError says why it does not answer."""
        return fillers.models_now(self.access, line)

    def save_draft(self, name: str, text: str) -> None:
        """Keep what somebody is writing; it survives a reload and a restart."""
        self._store.put_note("draft", name, text)

    def draft(self, name: str) -> str | None:
        """The draft of this name."""
        return self._store.note("draft", name)

    def drop_draft(self, name: str) -> None:
        """Forget a draft."""
        self._store.drop_note("draft", name)

    def setups(self) -> Mapping[str, str]:
        """Imported scripts that wait to be started, text by name, latest first."""
        return self._store.notes("setup")

    def health(self) -> Mapping[str, str | int]:
        """For monitors: which store, how many debates, how many run here now, how many links and acts were refused."""
        return {
            "store": self._store.about(),
            "debates": len(self._store.debates()),
            "running": len(self._wakes),
            "refused_joins": self.door.rate_limit.refused_joins,
            "refused_acts": self.door.rate_limit.refused_acts,
        }

    def close(self) -> None:
        """Cut off the seats, give back every lease, end the thread, close the store."""
        with self._lock:
            self._worker = "none"
            loop, thread = self._loop, self._thread
        if loop and thread:
            asyncio.run_coroutine_threadsafe(self._cut_off(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
        self._store.close()

    def _follow(self, debate_id: str) -> Followed:
        with self._lock:
            known = self._followed.get(debate_id)
        if known is None:
            fresh = Followed(self._store, debate_id)
            with self._lock:
                known = self._followed.setdefault(debate_id, fresh)
        known.refresh()
        return known

    def _is_over(self, debate_id: str) -> bool:
        try:
            return self._store.find(debate_id, "closed") is not None
        except StoreError:
            log.exception("the record of %s cannot be read", debate_id)
            return True

    def _row(self, debate_id: str) -> DebateRow:
        first, last = self._store.find(debate_id, "open"), self._store.find(debate_id, "closed")
        if first is None or not isinstance(first.body, DebateOpened):
            raise UnknownDebate(f"{debate_id} has no beginning")
        spec = first.body.spec
        if last is not None and isinstance(last.body, Closed):
            return ended_row(first, spec, last.body.outcome, self._store.load(debate_id, after=last.seq))
        followed = self._follow(debate_id)
        followed.look()
        state = followed.state
        asked = [spec.seat(q.seat) for q in requests(state)]
        setup = seat_setup_of(self._store, debate_id)
        alone = {"offline": True, "scripted": setup.script_text is not None, "model": setup.opened_here, "human": False}
        goes_on = any(alone[s.occupant] for s in asked if s.id not in sitting(state))
        status = _paused_status(state) if state.paused is not None else "running" if goes_on else "waiting"
        # Everybody reads this list: it must not tell those who read aliases which seat is asked.
        blind = spec.room is not None and spec.room.blind == "blind"
        names = () if blind else tuple(s.id for s in asked)
        return row_of(first, spec, status, None, state.current_round(), names)

    # The background thread. Everything below runs on its loop, but for `_wake`.

    def _wake(self, debate_id: str) -> None:
        """See to it that somebody looks whom to ask in this debate."""
        with self._lock:
            if self._worker == "none":
                return
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="debates", daemon=True)
                self._thread.start()
            self._loop.call_soon_threadsafe(self._attend, debate_id)

    def _attend(self, debate_id: str) -> None:
        if debate_id in self._wakes:
            self._wakes[debate_id].set()
            return
        wake = self._wakes[debate_id] = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._serve(debate_id, wake))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, debate_id: str, wake: asyncio.Event) -> None:
        """Run one debate as far as it goes; what goes wrong in it must not touch the others."""
        loop = asyncio.get_running_loop()
        try:
            await self._run(debate_id, wake)
        except StoreError as error:
            # Above all a lease: another process runs the debate; should that one die, this one takes over.
            log.info("%s cannot go on here for now: %s", debate_id, error)
            loop.call_later(RETRY_S, self._attend, debate_id)
        except Exception as error:
            log.exception("the runner of %s broke", debate_id)
            reason = f"the runner broke with {type(error).__name__}: resume to try again"
            loop.call_soon(self.submit, debate_id, Pause(by="host", reason=reason))
        finally:
            del self._wakes[debate_id]

    async def _run(self, debate_id: str, wake: asyncio.Event) -> None:
        followed = self._follow(debate_id)
        while True:
            wake.clear()
            await run(
                debate_id,
                self._store,
                partial(self._fillers, debate_id),
                on_text=followed.heard,
                on_events=followed.absorb,
                clock=self._clock,
                deadline_s=self.access.turn_deadline_s,
                wake=wake,
            )
            if not wake.is_set():
                return

    def _fillers(self, debate_id: str, state: State) -> Mapping[str, Filler]:
        return fillers_of(state, seat_setup_of(self._store, debate_id), self.access)

    async def _cut_off(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _paused_status(state: State) -> str:
    return why_held(state) if held(state) else "paused"


_shared: Host | None = None
_shared_lock = threading.Lock()


def shared_host(settings: Settings | None = None) -> Host:
    """The one host of this process, made when first asked for; `settings` count only then."""
    global _shared
    with _shared_lock:
        if _shared is None:
            chosen = settings or read_settings()
            store = open_store(chosen.database_url)
            access, door = fillers.access_of(chosen), Door(store, clock=now, secret=chosen.secret)
            _shared = Host(store, access=access, worker=chosen.worker, door=door, public_url=chosen.public_url)
        return _shared


def reset_shared_host() -> None:
    """Close the shared host; the next call makes a new one."""
    global _shared
    with _shared_lock:
        if _shared is not None:
            _shared.close()
        _shared = None
