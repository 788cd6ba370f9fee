"""`run` and `resume`: hold a debate until it is over or only people are asked, then say what came of it.

The record is in a store from the first event on; Ctrl-C ends the debate and keeps what was being said.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from debate_core import runner
from debate_core.audit import refuse_broken
from debate_core.cli.files import cannot_write, check_writable, write_whole
from debate_core.cli.spec import planned
from debate_core.commands import Resume, Stop
from debate_core.engine import open_debate, requests, submit
from debate_core.errors import UnknownDebate
from debate_core.events import Event, Partial, PhaseEnded, TurnFailed, TurnTaken, dump_record
from debate_core.model import MAX_TEXT_CHARS, Status
from debate_core.report import dumps, line, plain, run_json, tally_words, text_report
from debate_core.seats import Filler, OnText, fillers_for
from debate_core.seats.scripted import read_script
from debate_core.settings import Settings
from debate_core.state import State, replay
from debate_core.stores import Store, open_store
from debate_core.stores.memory import MemoryStore

OPERATOR = "operator"
"""Who acts when nobody gives a name: the person at the terminal."""
DECIDED, FAILED, UNDECIDED, TRUNCATED, WAITING = 0, 1, 3, 4, 5
_EXIT: dict[Status, int] = {"decided": DECIDED, "undecided": UNDECIDED, "truncated": TRUNCATED, "aborted": FAILED}


def run(flags: Namespace, settings: Settings) -> int:
    """Hold the debate that the flags describe; everything is checked before its first event."""
    plan = planned(flags, offline=flags.offline or settings.offline)
    if flags.out is not None:
        check_writable(Path(flags.out))
    if any(s.occupant == "offline" for s in plan.spec.seats) and not (flags.offline or settings.offline):
        _say("nobody else was named: the evidence panel (no model) sits in the other seats")
    # A debate must leave a record somewhere: in a database that was named, in the file of --out, or in the usual place.
    url = settings.database_url if settings.database_named or flags.out is None else None
    with closing(MemoryStore() if url is None else open_store(url)) as store:
        debate_id = str(uuid4())
        store.append(debate_id, open_debate(plan.spec, debate_id=debate_id, at=runner.now(), by=OPERATOR), after=0)
        if plan.script_text is not None:
            store.put_paper("script", debate_id, plan.script_text)
        if url is not None:
            _say(f"debate {debate_id} is kept in {url}")
        state = replay(store.load(debate_id))
        fillers = fillers_for(state, script=plan.script, pace_cps=0)
        return _finish(store, play(debate_id, store, fillers, settings.turn_deadline_s), flags, out=flags.out)


def resume(flags: Namespace, settings: Settings) -> int:
    """Go on with a debate where its record ends. Leased if another runner holds it."""
    _refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        events = store.load(flags.debate_id)
        refuse_broken(events, f"debate {flags.debate_id}")
        state = replay(events)
        if state.paused is not None:
            go_on = Resume(by=OPERATOR, reason="resumed at the terminal")
            store.append(state.debate, submit(state, go_on, at=runner.now()), after=state.version)
        text = store.paper("script", state.debate)
        fillers = fillers_for(state, script=read_script(text) if text else None, pace_cps=0)
        return _finish(store, play(state.debate, store, fillers, settings.turn_deadline_s), flags, out=None)


def _refuse_missing(url: str) -> None:
    """Opening a database makes it: one that is not there holds nothing to go on with."""
    path = url.removeprefix("sqlite:///")
    if path != url and not Path(path).is_file():
        raise UnknownDebate(f"there is no database {path}")


def play(debate_id: str, store: Store, fillers: Mapping[str, Filler], deadline_s: float) -> State:
    """Run until it is over or waits; Ctrl-C stops the debate and keeps the partial texts."""
    texts: dict[str, str] = {}
    watch, tell = _screen(texts)
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
    print(dumps(run_json(state, record=out)) if flags.json else text_report(state, events), end="")
    return _EXIT[state.outcome.status] if state.outcome else WAITING


def _write_out(path: Path, events: Sequence[Event]) -> None:
    try:
        write_whole(path, dump_record(events).encode())
    except OSError as error:
        raise cannot_write("--out", path, error) from None


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _screen(texts: dict[str, str]) -> tuple[OnText, Callable[[Sequence[Event]], None]]:
    """Keeps live texts; on a terminal also shows them, as one changing line on standard error, and whole when ended."""
    shown = sys.stderr.isatty()

    def watch(request: str, text: str, /, thinking: str = "") -> None:
        texts[request] = text
        if shown:
            now = text or (f"(thinking) {thinking}" if thinking else "")
            print(f"\r\x1b[K{request}: {line(now)[-60:]}", end="", file=sys.stderr, flush=True)

    def tell(events: Sequence[Event]) -> None:
        for body in (event.body for event in events if shown):
            if isinstance(body, TurnTaken | TurnFailed):
                failed = f" ({body.error})" if isinstance(body, TurnFailed) else ""
                print(f"\r\x1b[K{body.request}{failed}: {plain(texts.get(body.request, ''))}\n", file=sys.stderr)
            elif isinstance(body, PhaseEnded):
                told = f": {tally_words(body.tally)}" if body.tally else " ended"
                print(f"\r\x1b[Kround {body.round}, {body.phase}{told}", file=sys.stderr)

    return watch, tell
