"""Keeps the debates of this process: one background thread asks the seats; everybody else reads and submits here.

The record is in the store; what is here can be lost at any moment. What the host is made of has names of its own:
`Mirrors` hold states and live texts, `Background` runs debates, `Door` lets people in, `Access` says which models may
be asked, `DebateList` has a row for each debate, `Drafts` keep what people are writing. It knows no screen, and may be
called from any thread.
"""

import asyncio
import base64
import logging
import random
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Literal, Self

from debate_core.engine import engine, stage
from debate_core.engine.audit import refuse_broken
from debate_core.engine.erasure import Erased
from debate_core.errors import Conflict, InvalidSpec, NewerRecord, NotMigrated, RuleViolation, StoreError, UnknownDebate
from debate_core.host import erasure, origin, runner
from debate_core.host.baselines import hold_missing
from debate_core.host.caps import TRIES, Open, OpenedDebates
from debate_core.host.daily_budget import DailyBudget
from debate_core.host.debate_list import DebateList, DebateRow, RehearsalRow, former_debates
from debate_core.host.door import admission, reading
from debate_core.host.door.accounts import Accounts
from debate_core.host.door.cookies import cookie_name, results_cookie_name, screen_cookie_name
from debate_core.host.door.door import Door
from debate_core.host.door.invites import Invite
from debate_core.host.door.reading import OPERATOR, Looker, finds
from debate_core.host.drafts import Drafts
from debate_core.host.fillers import Access, SeatSetup, access_of, fillers_of, refuse_empty_seats, seat_setup_of
from debate_core.host.mirror import Mirror, Mirrors
from debate_core.host.monitor.gauges import Gauges
from debate_core.host.monitor.monitor import Monitor
from debate_core.host.settings import Settings, Worker, read_settings
from debate_core.host.signatures import Attestation, Signatures, check_signatures
from debate_core.host.stores import Store, open_store
from debate_core.host.waking import Joint, TextsOfAll, joint_of
from debate_core.host.workers import Asking, Workers
from debate_core.record import fold
from debate_core.record.commands import AnyCommand, Pause, Stop
from debate_core.record.events import Event, Partial, parse_record, utc_text
from debate_core.record.state import State
from debate_core.seats import Filler
from debate_core.seats.probe import Probe
from debate_core.seats.scripted import script_from_record, shipped_script_texts, shipped_scripts, spec_of
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Person
from debate_core.spec.presets.baselines import refuse_baseline
from debate_core.spec.protocol import Spec
from debate_core.spec.values import MAX_TEXT_CHARS, BaselineName, Json, Usage

log = logging.getLogger(__name__)
Missing = Literal["database", "schema", "workers"]
"""What a host can lack: a database that answers, tables of this version, and another process if it asks no seats."""
MAX_RETRIES_S = 20.0
"""How long a command that is still allowed is tried again while others are first: a crowd is over by then."""
LOOK_FOR_WORK_S = 0.5
SWEEP_S = 60.0


class Host:
    """The debates of one store. `start` goes on with those that were not over when the last process ended."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime] = runner.now,
        access: Access | None = None,
        worker: Worker = "inline",
        joint: Joint | None = None,
        door: Door | None = None,
        public_url: str = "",
        signing_key: str = "",
        budget: DailyBudget | None = None,
        monitor: Monitor | None = None,
    ) -> None:
        """`store` is that of the monitor, if there is one."""
        self._store = store
        self._monitor = monitor
        self._clock = clock
        self.access = access or Access()
        self.door = door or Door(store, clock=clock)
        self.accounts = Accounts(store)
        self.drafts = Drafts(store)
        self.public_url = public_url
        self.signatures = Signatures(store, signing_key)
        self._budget = budget or DailyBudget(store, clock=clock)
        self._mirrors = Mirrors(store, self._has_news, self._catch_up)
        self._joint = joint or joint_of("", worker)
        self._texts: TextsOfAll | None = None
        self._list = DebateList(store, self._mirrors)
        self._worker = worker
        self._background = self._joint.waking(self._run, self._pause_broken)
        self.workers = Workers(store)
        self._origins = origin.Origins(store)
        self._versions: Mapping[str, int] = {}
        """Of every debate when work was last looked for."""
        self._begun = OpenedDebates(clock, lambda debate_id: debate_id in self._background.running)
        self._tries = Open(TRIES)
        self._parked: set[str] = set()
        """Debates that wait here for servers of models, which asked for it."""
        self._refusals = threading.Lock()
        self._refused_acts = 0
        """Commands that the rules did not allow, since the start of this process."""
        self.n_viewers: Callable[[], int] = lambda: 0
        """How many watch a debate through this process; whoever serves them says so."""

    def start(self) -> Self:
        """Go on with every debate of the store that is not over, unless this process asks no seats."""
        if self._joint.texts is not None:
            self._texts = self._joint.texts(self._mirrors, lambda: self._background.running)
        self._background.start()
        if self.is_web_only:
            return self
        self.workers.begin(beats=self._worker == "only" or self._background.reaches_others)
        self._versions = self._store.debates()
        for debate_id in self._versions:
            if not self._is_over(debate_id):
                self._background.wake(debate_id)
        return self

    def look_for_work(self) -> None:
        """Take up what other processes have moved since the last look, for they may wake nobody here."""
        versions = self._store.debates()
        for debate_id, version in versions.items():
            if self._versions.get(debate_id) != version:
                self._background.wake(debate_id)
        self._versions = versions

    @property
    def look_for_work_s(self) -> float:
        """How often to look for work: often where nobody wakes this process, else for what a lost wake left lying."""
        return SWEEP_S if self._background.reaches_others else LOOK_FOR_WORK_S

    @property
    def is_web_only(self) -> bool:
        """True if this process never asks seats."""
        return self._worker == "none"

    @property
    def silent(self) -> Asking | None:
        """Set where no process asks seats: then debates stand still until somebody starts one."""
        if not self.is_web_only:
            return None
        asking = self.workers.asking()
        return None if asking.workers else asking

    # Reading.

    def state(self, debate_id: str) -> State:
        """The state now. UnknownDebate if there is none."""
        return self.mirror(debate_id).state

    def events(self, debate_id: str) -> tuple[Event, ...]:
        """The record so far."""
        return self.mirror(debate_id).events()

    def mirror(self, debate_id: str) -> Mirror:
        """The debate as it stands in memory: state, events and live texts; looks at most twice a second for news."""
        return self._mirrors.of(debate_id)

    def debates(self) -> tuple[DebateRow, ...]:
        """Every debate, latest opened first, but none of practice; what cannot be read is left out and logged."""
        # A practice debate from a file is one: whoever brought it wants to see it.
        rows = (row for row in self._list.rows() if not row.practice or row.for_hosts)
        return tuple(row for row in rows if not row.ownership.replaced_by)

    def practice_rows(self, looker: Looker = OPERATOR) -> tuple[DebateRow, ...]:
        """The debates with which people practise judging, latest opened first; none of unknown origin.

        Those of somebody who is logged in are for them alone.
        """
        rows = (row for row in self._list.rows() if row.practice and not row.origin_unknown)
        return tuple(row for row in rows if finds(row.ownership, looker, for_hosts=True))

    def debates_for(self, cookies: Mapping[str, str], looker: Looker) -> tuple[DebateRow, ...]:
        """Those that whoever brings these cookies finds in a list: what they may look at, links to results aside."""
        return tuple(
            row
            for row in self.debates()
            if finds(row.ownership, looker, for_hosts=row.for_hosts) or self.takes_part(row, cookies)
        )

    def takes_part(self, row: DebateRow, cookies: Mapping[str, str]) -> bool:
        """True if whoever brings these cookies is a person of this debate."""
        has_cookie = any(cookie_name(debate_id) in cookies for debate_id in (row.id, *row.former))
        return has_cookie and self.viewer(row.id, cookies) is not None

    def health(self) -> Mapping[str, Json]:
        """For monitors: which store, how many debates, how many run here now, how many links and acts were refused.

        `workers` is how many processes ask seats; if none does, `no_worker_since` says since when, if that is known.
        `servers` are those of models: whether calls to them pass, for all processes that share the store.
        """
        asking = self.workers.asking()
        silent = {"no_worker_since": utc_text(asking.last_sign)} if not asking.workers and asking.last_sign else {}
        return {
            "store": self._store.about(),
            "debates": len(self.debates()),
            "running": len(self._background.running),
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
            paused=Counter(_why_paused(self.state(row.id)) for row in rows if row.status == "paused"),
            servers=self.access.servers.circuits(at=self._clock()),
            workers=self.workers.asking().workers,
            running=len(self._background.running),
            parked=len(self._parked),
            viewers=self.n_viewers(),
            refused_acts=self._refused_acts,
            refused_joins=self.door.rate_limit.refused_joins,
        )

    def missing(self) -> Missing | None:
        """What keeps this process from doing its work now; None = nothing."""
        try:
            self._store.check()
            return "workers" if self.silent is not None else None
        except (NotMigrated, NewerRecord):
            return "schema"
        except StoreError:
            return "database"

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
        debate_id = f"d-{base64.b32encode(secrets.token_bytes(7)).decode().lower()[:10]}"
        events = engine.open_debate(spec, debate_id=debate_id, at=self._clock(), by=by, owner=owner, shared=shared)
        for line in spec.models:
            self.access.refuse_address(line)
        setup = SeatSetup(script_text, pace_cps, baselines=tuple(baselines))
        refuse_empty_seats(spec, fillers_of(fold.replay(events), setup, self.access), self.access.keys)
        self._begun.one_more(client, debate_id, rehearsal=spec.rehearsal)
        setup.keep(self._store, debate_id)
        self._store.append(debate_id, events, after=0)
        self._background.wake(debate_id)
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
            self._background.wake(debate_id)
        return debate_id

    def is_imported(self, debate_id: str) -> bool:
        """True for a record that came from a file: its people have no links here."""
        return self._origins.is_imported(debate_id)

    def is_origin_unknown(self, debate_id: str) -> bool:
        """True for a record that came from a file and of which nobody has checked a signature."""
        return self.is_imported(debate_id) and not self.vouched_by(debate_id)

    def vouched_by(self, debate_id: str) -> str:
        """The key with which the signatures of a record from a file were checked; empty if nobody did."""
        return origin.vouched_by(self._store, debate_id)

    def vouch(self, debate_id: str, signatures: str, key: str) -> None:
        """Check the signatures that came with a record. BrokenRecord, InvalidSpec: they are none of it by this key."""
        check_signatures(origin.from_file(self._store, self.events(debate_id)), signatures, key)
        origin.keep_vouched(self._store, debate_id, key)
        self._list.forget(debate_id)

    # Writing.

    def submit(self, debate_id: str, command: AnyCommand) -> State:
        """Record what a person asks for. RuleViolation if it is not allowed; then nothing has changed."""
        mirror = self.mirror(debate_id)
        mirror.look()
        until_s = time.monotonic() + MAX_RETRIES_S
        while True:
            state = mirror.state
            try:
                events = engine.submit(state, command, at=self._clock())
            except RuleViolation:
                with self._refusals:
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
                time.sleep(random.uniform(0, MAX_RETRIES_S / 1_000))
                continue
            self._written(mirror, events)
            self._background.wake(debate_id)
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
        return admission.admit(self.door, invite, self.state(debate_id), name, partial(self.submit, debate_id))

    def viewer(self, debate_id: str, cookies: Mapping[str, str]) -> Person | None:
        """The person whose browser brings these cookies; None for everybody else, and after they were shown out."""
        state = self.state(debate_id)
        return admission.viewer(self.door, state, cookies, former=self._former(state))

    def may_look(self, debate_id: str, cookies: Mapping[str, str], looker: Looker) -> bool:
        """True if whoever brings these cookies may look at this debate. UnknownDebate if there is none."""
        state = self.state(debate_id)
        return reading.may_look(
            state,
            looker,
            is_in=self.is_wall(debate_id, cookies) or self.viewer(debate_id, cookies) is not None,
            has_link=any(self._has_link(one, cookies) for one in (debate_id, *self._former(state))),
            imported=self.is_imported(debate_id),
        )

    def _has_link(self, debate_id: str, cookies: Mapping[str, str]) -> bool:
        return self.door.results_of(cookies.get(results_cookie_name(debate_id), "")) == debate_id

    def _former(self, state: State) -> tuple[str, ...]:
        """Debates in whose place this one stands: who was let in there is in here."""
        return former_debates(self._store, state.predecessor) if state.predecessor else ()

    def stands_for(self, debate_id: str) -> str:
        """The debate itself; of one that another record stands for, that one."""
        while following := self._replaced_by(debate_id):
            debate_id = following
        return debate_id

    def _replaced_by(self, debate_id: str) -> str:
        try:
            return self.state(debate_id).ownership.replaced_by
        except UnknownDebate:
            # The former record may not be kept here any more.
            return origin.replaced_by(self._store, debate_id)

    def is_wall(self, debate_id: str, cookies: Mapping[str, str]) -> bool:
        """True for the projector that was opened for this debate."""
        return self.door.screen_of(cookies.get(screen_cookie_name(debate_id), "")) == debate_id

    def probe(self, line: ModelLine, *, client: str = "", owner: str = "") -> Probe:
        """One small structured turn on a model, for this account. InvalidSpec if it may not be asked.

        TooMany if others are being tried from there, or no call may be made any more today.
        """
        with self._tries.one(client):
            self._budget.of(owner).reserve(Usage(calls=1))
            return self.access.probe(line)

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

    # Running.

    def close(self) -> None:
        """Cut off the seats, give back every lease, end the thread, close the store."""
        self._background.close()
        if self._texts is not None:
            self._texts.close()
        self.workers.end()
        if self._monitor is not None:
            self._monitor.close()
        self._store.close()

    def _is_over(self, debate_id: str) -> bool:
        try:
            over = self._store.find(debate_id, "closed") is not None
            # What is asked after the end may still be missing.
            return over and not self._store.note("baselines", debate_id)
        except StoreError:
            log.exception("the record of %s cannot be read", debate_id)
            return True

    async def _run(self, debate_id: str, wake: asyncio.Event) -> float | None:
        """Run one debate until only people or servers are waited for; on the background thread.

        In how many seconds to look again: when the time of those people is over, or a server may be asked.
        """
        mirror = self.mirror(debate_id)
        budget = self._budget.of(mirror.state.ownership.owner)
        times: list[datetime] = []
        state = await runner.run(
            debate_id,
            self._store,
            partial(self._fillers, debate_id),
            on_text=mirror.on_text,
            on_events=partial(self._written, mirror),
            clock=self._clock,
            deadline_s=self.access.turn_deadline_s,
            wake=wake,
            at_limit="wait",
            budget=budget,
            on_parked=times.append,
            look_s=self._mirrors.look_s,
        )
        (self._parked.add if times else self._parked.discard)(debate_id)
        await hold_missing(
            state,
            self._store,
            seat_setup_of(self._store, debate_id),
            self.access,
            clock=self._clock,
            on_events=partial(self._written, mirror),
            budget=budget,
        )
        wait = stage.wait_for_people(state)
        if wait is not None and wait.until is not None:
            times.append(wait.until)
        return max(0.0, (min(times) - self._clock()).total_seconds()) if times else None

    def _has_news(self, debate_id: str) -> None:
        """Another process has appended to a debate; whoever runs it here looks at once."""
        self._background.nudge(debate_id)

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

    def _fillers(self, debate_id: str, state: State) -> Mapping[str, Filler]:
        return fillers_of(state, seat_setup_of(self._store, debate_id), self.access)

    def _pause_broken(self, debate_id: str, error: Exception) -> None:
        state = self.state(debate_id)
        if state.outcome is not None or state.paused is not None:
            # What is asked after the end is asked again when the debate is next looked at; a pause stands already.
            return
        reason = f"the runner broke with {type(error).__name__}: resume to try again"
        self.submit(debate_id, Pause(by="host", reason=reason))


def _why_paused(state: State) -> str:
    if state.limit_met is not None:
        return "limit"
    return "unreached" if stage.unreached(state) else "people"


def open_host(settings: Settings) -> Host:
    """A host of the store and with all else that the settings name; not started. InvalidSpec or StoreError says why
    there is none."""
    opened = open_store(settings.database_url)
    try:
        monitor = Monitor(settings.monitor, opened)
    except InvalidSpec:
        opened.close()
        raise
    store = monitor.store
    host = Host(
        store,
        access=access_of(settings, store),
        worker=settings.worker,
        joint=joint_of(settings.database_url, settings.worker),
        door=Door(store, clock=runner.now, secret=settings.secret, host_code=settings.host_code),
        public_url=settings.public_url,
        signing_key=settings.signing_key,
        budget=DailyBudget(store, clock=runner.now, limit=settings.daily, of_owner=settings.owner_daily),
        monitor=monitor,
    )
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
