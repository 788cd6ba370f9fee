"""`run` and `resume`: hold a debate until it is over or only people are asked, then say what came of it.

The record is in a store from the first event on; Ctrl-C ends the debate and keeps what was being said.
"""

import asyncio
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from debate_core.cli.files import cannot_write, check_writable, refuse_missing, write_whole
from debate_core.cli.models import chosen, concerns, ready, refuse_unset_key
from debate_core.cli.spec import planned
from debate_core.cli.terminal import say, screen
from debate_core.engine.audit import refuse_broken
from debate_core.engine.engine import open_debate, requests, submit
from debate_core.host import runner
from debate_core.host.fillers import Access, SeatSetup, fillers_of, seat_setup_of
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Resume, Stop
from debate_core.record.events import Event, Partial, dump_record
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.report.files.export import dumps, run_json
from debate_core.report.files.report import text_report
from debate_core.report.words.costs import used_words
from debate_core.seats.model import unfillable
from debate_core.seats.prompts import changed
from debate_core.spec.checks import warnings
from debate_core.spec.protocol import Spec
from debate_core.spec.values import MAX_TEXT_CHARS, Status

OPERATOR = "operator"
"""Who acts when nobody gives a name: the person at the terminal."""
DECIDED, FAILED, UNDECIDED, TRUNCATED, WAITING = 0, 1, 3, 4, 5
_EXIT: dict[Status, int] = {"decided": DECIDED, "undecided": UNDECIDED, "truncated": TRUNCATED, "aborted": FAILED}


def run(flags: Namespace, settings: Settings) -> int:
    """Hold the debate that the flags describe; everything is checked before its first event."""
    plan = planned(flags, settings, chosen(flags, settings))
    refuse_unset_key(flags, settings)
    if flags.out is not None:
        check_writable(Path(flags.out))
    spec = ready(plan.spec, settings)
    # A debate must leave a record somewhere: in a database that was named, in the file of --out, or in the usual place.
    url = settings.database_url if settings.database_named or flags.out is None else None
    with closing(MemoryStore() if url is None else open_store(url)) as store:
        debate_id, setup = str(uuid4()), SeatSetup(plan.script_text)
        events = open_debate(spec, debate_id=debate_id, at=runner.now(), by=OPERATOR)
        setup.keep(store, debate_id)
        store.append(debate_id, events, after=0)
        for sentence in _notes(spec, flags, settings):
            say(sentence)
        if url is not None:
            say(f"debate {debate_id} is kept in {url}")
        return _hold(store, debate_id, setup, settings, flags, out=flags.out)


def _notes(spec: Spec, flags: Namespace, settings: Settings) -> Iterator[str]:
    offline = flags.offline or settings.offline
    if offline and (flags.panel or flags.model or flags.base_url):
        yield "no model is asked: --offline (or SWARM_MOCK) goes before --panel and --model"
    if not offline and any(s.occupant == "offline" for s in spec.seats):
        yield "nobody else was named: the evidence panel (no model) sits in the other seats"
    if flags.prompt and not spec.models:
        yield "no model sits in this debate: --prompt changes nothing"
    if spec.models:
        yield from warnings(spec)
    yield from concerns(spec)


def resume(flags: Namespace, settings: Settings) -> int:
    """Go on with a debate where its record ends. Leased if another runner holds it."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        events = store.load(flags.debate_id)
        refuse_broken(events, f"debate {flags.debate_id}")
        state = replay(events)
        setup = seat_setup_of(store, state.debate)
        if settings.offline:
            setup = SeatSetup(setup.script_text, setup.pace_cps, opened_here=False)
        for sentence in _silent_models(state, setup, settings):
            say(sentence)
        if state.paused is not None:
            go_on = Resume(by=OPERATOR, reason="resumed at the terminal")
            store.append(state.debate, submit(state, go_on, at=runner.now()), after=state.version)
        return _hold(store, state.debate, setup, settings, flags, out=None)


def _silent_models(state: State, setup: SeatSetup, settings: Settings) -> tuple[str, ...]:
    """Why seats of models will wait for people, or speak by other words than those that were recorded."""
    spec = state.spec
    seats = ", ".join(s.id for s in spec.seats if s.occupant == "model")
    if not seats or state.outcome:
        return ()
    if settings.offline:
        return (f"no model is asked (SWARM_MOCK): {seats} wait for people",)
    if not setup.opened_here:
        return (f"this debate was not opened here, so its models are not asked: {seats} wait for people",)
    other = ", ".join(changed(spec.templates))
    words = (f"the prompts {other} are not those with which this debate was opened",) if other else ()
    return (*unfillable(spec, settings.keys), *words)


def _hold(
    store: Store, debate_id: str, setup: SeatSetup, settings: Settings, flags: Namespace, *, out: str | None
) -> int:
    access = Access(keys=settings.keys, turn_deadline_s=settings.turn_deadline_s)
    state = play(debate_id, store, lambda state: fillers_of(state, setup, access), settings.turn_deadline_s)
    if any(s.occupant == "model" for s in state.spec.seats):
        say(used_words(used_in(usage_rows(state))))
    return _finish(store, state, flags, out=out)


def play(debate_id: str, store: Store, fillers: runner.Fillers, deadline_s: float) -> State:
    """Run until it is over or waits; Ctrl-C stops the debate and keeps the partial texts."""
    texts: dict[str, str] = {}
    watch, tell = screen(texts)
    try:
        going = runner.run(debate_id, store, fillers, on_text=watch, on_events=tell, deadline_s=deadline_s)
        return asyncio.run(going)
    except KeyboardInterrupt:
        state = replay(store.load(debate_id))
        asked = [q.id for q in requests(state)]
        partials = tuple(Partial(request=q, text=texts[q][:MAX_TEXT_CHARS]) for q in asked if texts.get(q))
        if asked:
            stop = Stop(by=OPERATOR, reason="stopped with Ctrl-C", partials=partials)
            store.append(debate_id, submit(state, stop, at=runner.now()), after=state.version)
        return replay(store.load(debate_id))


def _finish(store: Store, state: State, flags: Namespace, *, out: str | None) -> int:
    events = store.load(state.debate)
    if out is not None:
        _write_out(Path(out), events)
    told = account(state, events)
    print(dumps(run_json(told, record=out)) if flags.json else text_report(told), end="")
    return _EXIT[state.outcome.status] if state.outcome else WAITING


def _write_out(path: Path, events: Sequence[Event]) -> None:
    try:
        write_whole(path, dump_record(events).encode())
    except OSError as error:
        raise cannot_write("--out", path, error) from None
