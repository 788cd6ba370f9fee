"""Keeps the debates of this process: one background thread asks the seats; everybody else reads and submits here.

The record is in the store; what is here can be lost at any moment. What the host is made of has names of its own:
`DebateReader` reads, `Mirrors` hold states and live texts, `DebateRuns` asks the seats in the background, `Door` lets
people in, `Access` says which models may be asked, `DebateList` has a row for each debate, `Drafts` keep what people
are writing. It knows no screen, and may be called from any thread.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from functools import partial
from typing import Literal, Self

from debate_core.engine import engine
from debate_core.engine.audit import refuse_broken
from debate_core.engine.erasure import Erased
from debate_core.engine.rights import HOST
from debate_core.errors import Conflict, InvalidSpec, NewerRecord, NotMigrated, RuleViolation, StoreError
from debate_core.host import erasure, origin, runner
from debate_core.host.caps import TRIES, Open, OpenedDebates
from debate_core.host.daily_budget import DailyBudget
from debate_core.host.debate_list import RehearsalRow
from debate_core.host.debate_reader import DebateReader
from debate_core.host.debate_runs import DebateRuns
from debate_core.host.door import admission
from debate_core.host.door.accounts import Accounts
from debate_core.host.door.door import Door
from debate_core.host.door.invites import Invite
from debate_core.host.drafts import Drafts
from debate_core.host.fillers import Access, SeatSetup, access_of, fillers_of, refuse_empty_seats
from debate_core.host.mirror import Mirror, Mirrors
from debate_core.host.monitor.gauges import Gauges
from debate_core.host.monitor.monitor import Monitor
from debate_core.host.random_ids import random_id
from debate_core.host.settings import Settings, Worker, read_settings
from debate_core.host.signatures import Attestation, Signatures, check_signatures
from debate_core.host.stores import Store, open_store
from debate_core.host.waking import Coordination, TextsOfAll, coordination_of
from debate_core.host.workers import Asking
from debate_core.record import fold
from debate_core.record.commands import AnyCommand, Pause, Stop
from debate_core.record.events import Event, Partial, parse_record, utc_text
from debate_core.record.state import State
from debate_core.seats.probe_advice import Probe
from debate_core.seats.scripted import script_from_record, shipped_script_texts, shipped_scripts, spec_of
from debate_core.spec.models import ModelLine
from debate_core.spec.presets.baselines import refuse_baseline
from debate_core.spec.protocol import Spec
from debate_core.spec.values import MAX_TEXT_CHARS, BaselineName, Json, Usage

Missing = Literal["database", "schema", "workers"]
"""What a host can lack: a database that answers, tables of this version, and another process if it asks no seats."""
RETRY_FOR_S = 20.0
"""How long a command that is still allowed is tried again while others are first: a crowd is over by then."""
RETRY_PAUSE_S = 0.02
"""How long it waits at most before it is tried again."""


class Host(DebateReader):
    """The debates of one store: who reads them, opens them, acts in them. `start` goes on with those that can go on.

    `_store`, `_mirrors` and `door` are those of the `DebateReader`.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime] = runner.now,
        access: Access | None = None,
        worker: Worker = "inline",
        coordination: Coordination | None = None,
        door: Door | None = None,
        public_url: str = "",
        signing_key: str = "",
        budget: DailyBudget | None = None,
        at_close: Callable[[], None] = lambda: None,
        drain_s: float = 0,
    ) -> None:
        """`at_close`, `drain_s`: see `close`."""
        self._texts: TextsOfAll | None = None
        # What the mirrors tell needs `runs` below, and they tell nothing before the first debate is looked at.
        super().__init__(store, Mirrors(store, self._has_news, self._catch_up), door or Door(store, clock=clock))
        self._at_close = at_close
        self._clock = clock
        self.access = access or Access()
        self.accounts = Accounts(store)
        self.drafts = Drafts(store)
        self.public_url = public_url
        self.signatures = Signatures(store, signing_key)
        self._budget = budget or DailyBudget(store, clock=clock)
        self._coordination = coordination or coordination_of("", worker)
        self._worker = worker
        self._drain_s = drain_s
        self.runs = DebateRuns(
            store,
            self._mirrors,
            self._coordination.waking,
            worker=worker,
            access=self.access,
            budget=self._budget,
            clock=clock,
            on_written=self._written,
            on_break=self._pause_broken,
        )
        self._begun = OpenedDebates(clock, lambda debate_id: debate_id in self.runs.running)
        self._tries = Open(TRIES)
        self._refused_acts_lock = threading.Lock()
        self._refused_acts = 0
        """Commands that the rules did not allow, since the start of this process."""
        self.n_viewers: Callable[[], int] = lambda: 0
        """How many watch a debate through this process; whoever serves them says so."""

    def start(self) -> Self:
        """Go on with every debate of the store that is not over, unless this process asks no seats."""
        if self._coordination.texts is not None:
            self._texts = self._coordination.texts(self._mirrors, lambda: self.runs.running)
        self.runs.start()
        return self

    def close(self) -> None:
        """Begin no call, cut off those that are not over after `drain_s`, give back every lease, close the store.

        `at_close` is called in between: nobody is asked any more, and the store is still open.
        """
        self.runs.close(drain_s=self._drain_s)
        if self._texts is not None:
            self._texts.close()
        self._at_close()
        self._store.close()

    # How this process does.

    @property
    def is_web_only(self) -> bool:
        """True if this process never asks seats."""
        return self._worker == "none"

    def missing_workers(self) -> Asking | None:
        """When seats were last asked, where no process asks them: debates stand still until somebody starts one.

        None = some process asks seats.
        """
        if not self.is_web_only:
            return None
        asking = self.runs.workers.asking()
        return None if asking.workers else asking

    def health(self) -> Mapping[str, Json]:
        """For monitors: which store, how many debates, how many run here now, how many links and acts were refused.

        `workers` is how many processes ask seats; if none does, `no_worker_since` says since when, if that is known.
        `servers` are those of models: whether calls to them pass, for all processes that share the store.
        """
        asking = self.runs.workers.asking()
        silent = {"no_worker_since": utc_text(asking.last_sign)} if not asking.workers and asking.last_sign else {}
        return {
            "store": self._store.about(),
            "debates": len(self.debates()),
            "running": len(self.runs.running),
            "workers": asking.workers,
            **silent,
            "servers": self.access.servers.told(at=self._clock()),
            "refused_joins": self.door.rate_limit.refused_joins,
            "refused_acts": self._refused_acts,
        }

    def gauges(self) -> Gauges:
        """The same in numbers by kind, without a word of any debate. StoreError if the database cannot be read."""
        rows = self.debates()
        return Gauges(
            debates=Counter(row.status for row in rows),
            paused=Counter(row.paused_for for row in rows if row.status == "paused"),
            servers=self.access.servers.circuits(at=self._clock()),
            workers=self.runs.workers.asking().workers,
            running=len(self.runs.running),
            parked=self.runs.n_parked,
            viewers=self.n_viewers(),
            refused_acts=self._refused_acts,
            refused_joins=self.door.rate_limit.refused_joins,
        )

    def missing(self) -> Missing | None:
        """What keeps this process from doing its work now; None = nothing."""
        try:
            self._store.check()
            return "workers" if self.missing_workers() is not None else None
        except (NotMigrated, NewerRecord):
            return "schema"
        except StoreError:
            return "database"

    # Models.

    def probe(self, line: ModelLine, *, client: str = "", owner: str = "") -> Probe:
        """One small structured turn on a model, for this account. InvalidSpec if it may not be asked.

        TooMany if others are being tried from there, or no call may be made any more today.
        """
        with self._tries.one(client):
            self._budget.of(owner).reserve(Usage(calls=1))
            return self.access.probe(line)

    # Opening debates.

    def create(
        self,
        spec: Spec,
        *,
        by: str,
        script_text: str | None = None,
        pace_cps: int = 0,
        client: str = "",
        baselines: Sequence[BaselineName] = (),
        owner: str = "",
        shared: bool = False,
    ) -> str:
        """Open a debate and ask its seats; the new id. InvalidSpec if it cannot be played or nobody can sit in a seat.

        `script_text` is what scripted seats say; `pace_cps` is characters per second, 0 = at once. TooMany if `client`
        has opened too many (`caps`); empty = nobody from elsewhere. `baselines` are asked once the debate is over.
        It belongs to the account `owner`; empty = to the server.
        """
        if baselines:
            refuse_baseline(spec)
        debate_id = random_id("d")
        events = engine.open_debate(spec, debate_id=debate_id, at=self._clock(), by=by, owner=owner, shared=shared)
        for line in spec.models:
            self.access.refuse_address(line)
        setup = SeatSetup(script_text, pace_cps, baselines=tuple(baselines))
        refuse_empty_seats(spec, fillers_of(fold.replay(events), setup, self.access), self.access.keys)
        self._begun.one_more(client, debate_id, rehearsal=spec.rehearsal)
        setup.keep(self._store, debate_id)
        self._store.append(debate_id, events, after=0)
        self.runs.wake(debate_id)
        return debate_id

    def rehearsals(self) -> tuple[RehearsalRow, ...]:
        """The rehearsals that ship with the program."""
        scripts = shipped_scripts().items()
        return tuple(RehearsalRow(name, script.title or name, script.summary) for name, script in scripts)

    def start_rehearsal(self, name: str, *, by: str, pace_cps: int, client: str = "", owner: str = "") -> str:
        """Open a shipped rehearsal; the new debate id."""
        if name not in shipped_scripts():
            raise InvalidSpec(
                "unknown rehearsal {name!r}: choose one of {known}",
                name=name,
                known=", ".join(shipped_scripts()),
            )
        spec = spec_of(shipped_scripts()[name])
        text = shipped_script_texts()[name]
        return self.create(spec, by=by, script_text=text, pace_cps=pace_cps, client=client, owner=owner)

    def replay(self, debate_id: str, *, by: str, pace_cps: int, client: str = "", owner: str = "") -> str:
        """Play the turns of a record again, as a rehearsal; the new debate id. Marks are people's and stay out."""
        script = script_from_record(self.events(debate_id))
        text = script.model_dump_json()
        return self.create(spec_of(script), by=by, script_text=text, pace_cps=pace_cps, client=client, owner=owner)

    def keep_practice(self, events: Sequence[Event], *, client: str = "") -> None:
        """Keep a practice debate that was played here; left as it is if it is here. TooMany as for `create`."""
        debate_id = events[0].debate
        self._begun.one_more(client, debate_id, rehearsal=True)
        origin.keep_own(self._store, debate_id)
        with suppress(Conflict):
            self._store.append(debate_id, events, after=0)

    def import_record(self, data: bytes, *, client: str = "", owner: str = "") -> str:
        """Keep a record that was exported before; its debate id. BrokenRecord unless it keeps its own rules.

        It belongs to the account `owner`; empty = to the server.

        A record that is here already is left as it is; Conflict if another debate, or another state of it, has its id.
        """
        events = parse_record(data)
        refuse_broken(events, "this record breaks its own rules")
        debate_id = events[0].debate
        if origin.is_new(self._store, events):
            self._begun.one_more(client, debate_id)
            origin.take_in(self._store, events, owner=owner, at=self._clock())
            self.runs.wake(debate_id)
        return debate_id

    def vouch(self, debate_id: str, signatures: str, key: str) -> None:
        """Check the signatures that came with a record. BrokenRecord, InvalidSpec: they are none of it by this key."""
        check_signatures(origin.from_file(self._store, self.events(debate_id)), signatures, key)
        origin.keep_vouched(self._store, debate_id, key)

    # Writing.

    def submit(self, debate_id: str, command: AnyCommand) -> State:
        """Record what a person asks for. RuleViolation if it is not allowed; then nothing has changed."""
        return self._submit(debate_id, lambda _state: command)

    def _submit(self, debate_id: str, command_in: Callable[[State], AnyCommand]) -> State:
        """The same for a command that goes by the state in which it is recorded: made anew when others were first."""
        mirror = self.mirror(debate_id)
        mirror.look()
        until_s = time.monotonic() + RETRY_FOR_S
        while True:
            state = mirror.state
            try:
                events = engine.submit(state, command_in(state), at=self._clock())
            except RuleViolation:
                with self._refused_acts_lock:
                    self._refused_acts += 1
                raise
            try:
                self._store.append(debate_id, events, after=state.version)
            except Conflict:
                mirror.look()
                if mirror.state.version == state.version:
                    # Nobody was first: trying again would not help.
                    raise
                if time.monotonic() > until_s:
                    raise Conflict(
                        "too many people write to {debate_id} at once: try again", debate_id=debate_id
                    ) from None
                # Not all of a crowd at once: most of them would look and write in vain.
                time.sleep(random.uniform(0, RETRY_PAUSE_S))
                continue
            self._written(mirror, events)
            self.runs.wake(debate_id)
            return mirror.state

    def erase_name(self, debate_id: str, wish: erasure.Wish) -> Erased:
        """Put a record without the name of a person in the place of a debate: see `erasure`."""
        erased = erasure.erase_name(self._store, self.signatures, debate_id, wish, at=self._clock())
        self.mirror(debate_id).look()
        return erased

    def stop(self, debate_id: str, *, by: str, reason: str) -> State:
        """End the debate now; texts of turns being given, in whichever process, are kept as partial texts."""
        self._catch_up(debate_id)
        live = self.mirror(debate_id).live()
        partials = tuple(Partial(request=name, text=text[:MAX_TEXT_CHARS]) for name, text in live.items() if text)
        return self.submit(debate_id, Stop(by=by, reason=reason, partials=partials))

    # People.

    def admit(self, invite: Invite, *, name: str = "") -> str:
        """Let somebody in; their person id. NotAllowed or RuleViolation says why not, and then nothing has changed."""
        debate_id = invite.debate
        return admission.admit(self.door, invite, self.state(debate_id), name, partial(self._submit, debate_id))

    def expected_people(self, debate_id: str) -> int | None:
        """How many are expected by the link for all, if whoever leads has said so."""
        kept = self._store.note("expected", debate_id)
        return int(kept) if kept else None

    def expect_people(self, debate_id: str, count: int | None) -> None:
        """Keep how many are expected; it is no part of the record."""
        self._store.put_note("expected", debate_id, "" if count is None else str(count))

    def door_for(self, debate_id: str, *, by: str) -> Door:
        """To make, list and take back invites. RuleViolation unless `by` facilitates this debate."""
        admission.refuse_but_facilitator(self.state(debate_id), by)
        return self.door

    # What is appended, and what is heard of it.

    def _has_news(self, debate_id: str) -> None:
        """Another process has appended to a debate; whoever runs it here looks at once."""
        self.runs.nudge(debate_id)

    def _catch_up(self, debate_id: str) -> None:
        """Take in what is being said in other processes; in this one it is known already."""
        if self._texts is not None:
            self._texts.catch_up(debate_id)

    def _written(self, mirror: Mirror, events: Sequence[Event]) -> None:
        """What was appended is seen by everybody here, and signed if the debate was opened here."""
        mirror.absorb(events)
        self.signatures.written(events)

    def signed(self, debate_id: str) -> list[Attestation]:
        """The signatures of a debate that was opened here, up to its last event; none for a record from elsewhere."""
        return self.signatures.of_own(self.mirror(debate_id).events())

    def _pause_broken(self, debate_id: str, error: Exception) -> None:
        state = self.state(debate_id)
        if state.outcome is not None or state.paused is not None:
            # What is asked after the end is asked again when the debate is next looked at; a pause stands already.
            return
        reason = f"the runner broke with {type(error).__name__}: resume to try again"
        self.submit(debate_id, Pause(by=HOST, reason=reason))


def open_host(settings: Settings) -> Host:
    """A host of the store and with all else that the settings name; not started. InvalidSpec or StoreError says why
    there is none."""
    with ExitStack() as undone:
        opened = open_store(settings.database_url)
        undone.callback(opened.close)
        monitor = Monitor(settings.monitor, opened)
        undone.callback(monitor.close)
        store = monitor.store
        host = Host(
            store,
            access=access_of(settings, store),
            worker=settings.worker,
            coordination=coordination_of(settings.database_url, settings.worker),
            door=Door(
                store,
                clock=runner.now,
                secret=settings.secret,
                host_code=settings.host_code,
                trusts_loopback=settings.trusts_loopback,
            ),
            public_url=settings.public_url,
            signing_key=settings.signing_key,
            budget=DailyBudget(store, clock=runner.now, limit=settings.daily, of_owner=settings.owner_daily),
            at_close=monitor.close,
            drain_s=settings.drain_s,
        )
        undone.pop_all()
    try:
        monitor.serve(host.gauges)
    except InvalidSpec:
        host.close()
        raise
    return host


_shared: Host | None = None
_shared_lock = threading.Lock()


def shared_host(settings: Settings | None = None) -> Host:
    """The one host of this process, made when first asked for; `settings` count only then."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = open_host(settings or read_settings()).start()
        return _shared


def reset_shared_host() -> None:
    """Close the shared host; the next call makes a new one."""
    global _shared
    with _shared_lock:
        if _shared is not None:
            _shared.close()
        _shared = None
