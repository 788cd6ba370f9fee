"""Hosts the debates of this process: a background thread asks the seats; everyone else reads and submits here.

The store has the record; everything here can be lost at any time. `Host` is a front over its parts: `DebateReader`
reads, `DebateCaches` keep states and live texts in memory, `DebateRuns` asks the seats in the background,
`ProcessHealth` reports, `Door` admits people, `Access` names the allowed models, `DebateList` has a row per debate,
`Drafts` keep unsent texts. It knows no screen and is thread-safe.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from debate_core.engine import engine
from debate_core.engine.audit import refuse_broken
from debate_core.engine.erasure import Erased
from debate_core.engine.rights import HOST
from debate_core.errors import Conflict, InvalidSpec, RuleViolation
from debate_core.host import erasure, origin, runner
from debate_core.host.access import admission
from debate_core.host.access.accounts import Accounts
from debate_core.host.access.door import Door
from debate_core.host.access.invites import Invite
from debate_core.host.agents.inbox import Inbox
from debate_core.host.attendance import Attendances
from debate_core.host.daily_budget import DailyBudget
from debate_core.host.debate_cache import DebateCache, DebateCaches
from debate_core.host.debate_list import RehearsalRow
from debate_core.host.debate_reader import DebateReader
from debate_core.host.debate_runs import DebateRuns
from debate_core.host.drafts import Drafts
from debate_core.host.fillers import Access, SeatSetup, access_of, fillers_of, refuse_empty_seats
from debate_core.host.git.repository import NO_TARGET, GitTarget
from debate_core.host.group_commit import GroupCommit
from debate_core.host.health import ProcessHealth
from debate_core.host.matches import refuse_commands_to_match
from debate_core.host.monitor.monitor import Monitor
from debate_core.host.notifier import Coordination, TextsOfAll, coordination_of
from debate_core.host.quotas import TRIES, Open, OpenedDebates
from debate_core.host.random_ids import new_debate_id
from debate_core.host.settings import USUAL_DAILY_QUESTIONS, Settings, Worker, read_settings
from debate_core.host.signatures import Attestation, Signatures, check_signatures
from debate_core.host.stores import Store, open_store
from debate_core.host.triage_thresholds import TriageThresholds
from debate_core.record import fold
from debate_core.record.commands import AnyCommand, Pause, Stop
from debate_core.record.events import Event, Partial, parse_record
from debate_core.record.state import State
from debate_core.seats.probe_advice import Probe
from debate_core.seats.scripted import script_from_record, shipped_script_texts, shipped_scripts, spec_of
from debate_core.spec.models import ModelLine
from debate_core.spec.presets.baselines import refuse_baseline
from debate_core.spec.protocol import Spec
from debate_core.spec.values import MAX_TEXT_CHARS, BaselineName, Usage

if TYPE_CHECKING:
    from debate_core.host.messages.channels import MessageSettings
    from debate_core.host.messages.post_office import PostOffice


@dataclass(frozen=True, slots=True)
class HostOptions:
    """Everything a host needs besides its store; by default one process alone, without models."""

    clock: Callable[[], datetime] = runner.now
    access: Access = field(default_factory=Access)
    worker: Worker = "inline"
    coordination: Coordination | None = None
    """None = without other processes."""
    door: Door | None = None
    """None = a door with the secret of the store."""
    public_url: str = ""
    signing_key: str = field(default="", repr=False)
    budget: DailyBudget | None = None
    """None = no daily limits."""
    at_close: Callable[[], None] = lambda: None
    """Called after the last call of a seat, while the store is open."""
    drain_s: float = 0
    """Seconds for running calls to finish at `Host.close`."""
    git: GitTarget = NO_TARGET
    precedents_path: Path | None = None
    """A folder of earlier decision records. None = only the own debates."""
    """Repository for decisions; without one, pages do not offer it."""
    messages: "MessageSettings | None" = None
    """Channels for messages; without them, nothing is sent."""
    daily_questions: int = USUAL_DAILY_QUESTIONS
    """Maximum of questions that programs ask in a day."""


ALONE = HostOptions()


class Host(DebateReader):
    """The debates of one store: reads, opens and changes them. `start` continues unfinished ones.

    `_store`, `_caches` and `door` are those of the `DebateReader`.
    """

    def __init__(self, store: Store, options: HostOptions = ALONE) -> None:
        clock = options.clock
        door = options.door or Door(store, clock=clock)
        super().__init__(store, DebateCaches(store, self._on_news, self._catch_up), door)
        self._options = options
        self._clock = clock
        self._texts: TextsOfAll | None = None
        self.access = options.access
        self.accounts = Accounts(store)
        self.drafts = Drafts(store)
        self.attendances = Attendances(store)
        self.inbox = Inbox(store, clock=clock, daily=options.daily_questions)
        self.thresholds = TriageThresholds(store, clock)
        self.public_url = options.public_url
        self.git = options.git
        self.precedents_path = options.precedents_path
        self.messages = self._open_post_office(options.messages) if options.messages else None
        self.signatures = Signatures(store, options.signing_key)
        self._budget = options.budget or DailyBudget(store, clock=clock)
        self._coordination = options.coordination or coordination_of("", options.worker)
        self.runs = DebateRuns(
            store,
            self._caches,
            self._coordination.notifier,
            worker=options.worker,
            access=self.access,
            budget=self._budget,
            clock=clock,
            on_written=self._written,
            on_break=self._pause_broken,
        )
        self.health = ProcessHealth(store, self, self.runs, self.access, clock=clock, worker=options.worker)
        self._commits = GroupCommit(store, self._submitted)
        self._begun = OpenedDebates(clock, lambda debate_id: debate_id in self.runs.running)
        self._tries = Open(TRIES)

    def _open_post_office(self, settings: "MessageSettings") -> "PostOffice":
        # Imported only where the operator has listed channels.
        from debate_core.host.messages.post_office import PostOffice

        return PostOffice(self._store, self, settings, clock=self._clock)

    def _on_news(self, debate_id: str) -> None:
        # Called only after the construction, when a debate is first read.
        self.runs.nudge(debate_id)

    def start(self) -> Self:
        """Continue every unfinished debate of the store, unless this process asks no seats."""
        if self._coordination.texts is not None:
            self._texts = self._coordination.texts(self._caches, lambda: self.runs.running)
        self.runs.start()
        if self.messages is not None and self._options.worker != "none":
            self.messages.start()
        return self

    def close(self) -> None:
        """Start no calls, cancel running ones after `drain_s`, release every lease, then close the store.

        `at_close` is called after the last call, while the store is still open.
        """
        if self.messages is not None:
            self.messages.close()
        self.runs.close(drain_s=self._options.drain_s)
        if self._texts is not None:
            self._texts.close()
        self._options.at_close()
        self._store.close()

    # Models.

    def probe(self, line: ModelLine, *, client: str = "", owner: str = "") -> Probe:
        """Ask a model for one short turn, charged to this account. InvalidSpec if it is not allowed.

        TooMany if this client tries others at the moment, or the daily budget is used up.
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
        """Open a debate and ask its seats; returns the id. InvalidSpec if it cannot be played or a seat has no
        occupant.

        A debate from a question of a program gets the id of the question.

        `script_text` is for scripted seats; `pace_cps` is characters per second, 0 = at once. TooMany if `client`
        opened too many (`quotas`); empty = this machine. `baselines` are asked after the end. The debate belongs to the
        account `owner`; empty = to the server.
        """
        if baselines:
            refuse_baseline(spec)
        if spec.asked:
            self.inbox.refuse_closed(spec.asked)
        debate_id = spec.asked.id if spec.asked else new_debate_id()
        events = engine.open_debate(spec, debate_id=debate_id, at=self._clock(), by=by, owner=owner, shared=shared)
        for line in spec.models:
            self.access.refuse_address(line)
        self.access.mcp.refuse_unlisted(spec.protocol)
        setup = SeatSetup(script_text, pace_cps, baselines=tuple(baselines))
        refuse_empty_seats(spec, fillers_of(fold.replay(events), setup, self.access), self.access.keys)
        self._begun.one_more(client, debate_id, rehearsal=spec.rehearsal)
        setup.keep(self._store, debate_id)
        self._store.append(debate_id, events, after=0)
        if spec.asked:
            self.inbox.take_out(debate_id)
        self.runs.wake(debate_id)
        return debate_id

    def rehearsals(self) -> tuple[RehearsalRow, ...]:
        """The rehearsals included in the program."""
        scripts = shipped_scripts().items()
        return tuple(RehearsalRow(name, script.title or name, script.summary) for name, script in scripts)

    def start_rehearsal(self, name: str, *, by: str, pace_cps: int, client: str = "", owner: str = "") -> str:
        """Open a rehearsal included in the program; returns the debate id."""
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
        """Play the turns of a record again as a rehearsal, without people's marks; returns the debate id."""
        script = script_from_record(self.events(debate_id))
        text = script.model_dump_json()
        return self.create(spec_of(script), by=by, script_text=text, pace_cps=pace_cps, client=client, owner=owner)

    def keep_played(self, events: Sequence[Event], *, client: str = "") -> None:
        """Keep a debate that the program played to its end, for practice or from a transcript.

        Does nothing if it exists. TooMany as for `create`.
        """
        debate_id = events[0].debate
        self._begun.one_more(client, debate_id, rehearsal=True)
        origin.keep_own(self._store, debate_id)
        with suppress(Conflict):
            self._store.append(debate_id, events, after=0)

    def import_record(self, data: bytes, *, client: str = "", owner: str = "") -> str:
        """Import a record; returns its debate id. BrokenRecord for an invalid record.

        It belongs to the account `owner`; empty = to the server. Does nothing if the record exists; Conflict if another
        debate, or another state of it, has its id.
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
        """Check the signatures of an imported record. BrokenRecord or InvalidSpec if they do not fit this key."""
        check_signatures(origin.from_file(self._store, self.events(debate_id)), signatures, key)
        origin.keep_vouched(self._store, debate_id, key)

    # Writing.

    def submit(self, debate_id: str, command: AnyCommand) -> State:
        """Record a command of a person. RuleViolation changes nothing."""
        return self._submit(debate_id, lambda _state: command)

    def _submit(self, debate_id: str, command_in: Callable[[State], AnyCommand]) -> State:
        """Record a command made from the newest state."""

        def advance(state: State) -> tuple[Sequence[Event], State]:
            refuse_commands_to_match(state)
            try:
                return engine.advance(state, command_in(state), at=self._clock())
            except RuleViolation:
                self.health.count_refused_act()
                raise

        cache = self.cache(debate_id)
        self._commits.write(cache, advance)
        return cache.state

    def erase_name(self, debate_id: str, wish: erasure.Wish) -> Erased:
        """Replace a debate by a record without a person's name; see `erasure`."""
        erased = erasure.erase_name(self._store, self.signatures, debate_id, wish, at=self._clock())
        self.cache(debate_id).look()
        return erased

    def stop(self, debate_id: str, *, by: str, reason: str) -> State:
        """End the debate now; texts of turns being given, in any process, are kept as partial texts."""
        self._catch_up(debate_id)
        live = self.cache(debate_id).live()
        partials = tuple(Partial(request=name, text=text[:MAX_TEXT_CHARS]) for name, text in live.items() if text)
        return self.submit(debate_id, Stop(by=by, reason=reason, partials=partials))

    # People.

    def admit(self, invite: Invite, *, name: str = "") -> str:
        """Admit a person; returns the person id. NotAllowed or RuleViolation explains a refusal and changes nothing."""
        debate_id = invite.debate
        return admission.admit(self.door, invite, self.state(debate_id), name, partial(self._submit, debate_id))

    def expected_people(self, debate_id: str) -> int | None:
        """The number of people expected by the public link, if the facilitator has set it."""
        kept = self._store.note("expected", debate_id)
        return int(kept) if kept else None

    def expect_people(self, debate_id: str, count: int | None) -> None:
        """Set the expected number; not part of the record."""
        self._store.put_note("expected", debate_id, "" if count is None else str(count))

    def door_for(self, debate_id: str, *, by: str) -> Door:
        """The door, for making, listing and revoking invites. RuleViolation unless `by` facilitates this debate."""
        admission.refuse_but_facilitator(self.state(debate_id), by)
        return self.door

    # What is appended, and what is heard of it.

    def _catch_up(self, debate_id: str) -> None:
        """Read live texts of other processes."""
        if self._texts is not None:
            self._texts.catch_up(debate_id)

    def _written(self, cache: DebateCache, events: Sequence[Event]) -> None:
        """Publish appended events here, and sign them if the debate was opened here."""
        cache.absorb(events)
        self.signatures.written(events)

    def _submitted(self, cache: DebateCache, events: Sequence[Event]) -> None:
        """Sign the events of people's commands, and let the seats go on."""
        self._written(cache, events)
        self.runs.wake(cache.state.debate)

    def signed(self, debate_id: str) -> list[Attestation]:
        """The signatures of a debate opened here, up to its last event; none for an imported record."""
        return self.signatures.of_own(self.cache(debate_id).events())

    def signing_key(self, debate_id: str) -> str:
        """The public key that signs a debate opened here, in hex; empty for an imported record."""
        return self.signatures.public_key if origin.is_own(self._store, debate_id) else ""

    def _pause_broken(self, debate_id: str, error: Exception) -> None:
        state = self.state(debate_id)
        if state.outcome is not None or state.paused is not None:
            # Baselines are asked again at the next look; a pause exists already.
            return
        reason = f"the runner broke with {type(error).__name__}: resume to try again"
        self.submit(debate_id, Pause(by=HOST, reason=reason))


def open_host(settings: Settings) -> Host:
    """Make a host from the settings; not started. InvalidSpec or StoreError explains a failure."""
    with ExitStack() as undo:
        opened = open_store(settings.database_url)
        undo.callback(opened.close)
        monitor = Monitor(settings.monitor, opened)
        undo.callback(monitor.close)
        store = monitor.store
        door = Door(
            store,
            clock=runner.now,
            secret=settings.secret,
            host_code=settings.host_code,
            trusts_loopback=settings.trusts_loopback,
        )
        options = HostOptions(
            access=access_of(settings, store),
            worker=settings.worker,
            coordination=coordination_of(settings.database_url, settings.worker),
            door=door,
            public_url=settings.public_url,
            signing_key=settings.signing_key,
            budget=DailyBudget(store, clock=runner.now, limit=settings.daily, of_owner=settings.owner_daily),
            at_close=monitor.close,
            drain_s=settings.drain_s,
            git=settings.git,
            precedents_path=settings.precedents_path,
            messages=_read_messages(settings),
            daily_questions=settings.daily_questions,
        )
        host = Host(store, options)
        undo.pop_all()
    try:
        monitor.serve(host.health.gauges)
    except InvalidSpec:
        host.close()
        raise
    return host


def _read_messages(settings: Settings) -> "MessageSettings | None":
    if settings.messages_path is None or settings.offline:
        return None
    from debate_core.host.messages.channels import read_messages

    return read_messages(settings, settings.messages_path)


_shared: Host | None = None
_shared_lock = threading.Lock()


def shared_host(settings: Settings | None = None) -> Host:
    """The host of this process, made on first use; `settings` count only then."""
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
