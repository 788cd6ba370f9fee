"""`run`: holds a debate until it is over or waits for people, and prints the result. `resume` continues one.

The store has the record from the first event on; Ctrl-C ends the debate and keeps partial texts.
"""

import asyncio
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from debate_core.cli.files import cannot_write, check_writable, refuse_missing, submitted, write_record, write_whole
from debate_core.cli.models import (
    by_key_words,
    choice_or_key,
    concerns,
    is_offline,
    limits_of,
    refuse_unset_key,
    with_every_model,
)
from debate_core.cli.plan import plan_of
from debate_core.cli.terminal import failure_listener, listeners, say
from debate_core.engine import stage
from debate_core.engine.audit import refuse_broken
from debate_core.engine.comparisons import has_matches
from debate_core.engine.engine import open_debate, requests, submit
from debate_core.errors import InvalidSpec
from debate_core.host import runner
from debate_core.host.baselines import hold_missing, missing
from debate_core.host.fillers import Access, SeatSetup, fillers_of, seat_setup_of
from debate_core.host.matches import MatchSetting, matches_of, refuse_commands_to_match, stop_matches, with_matches
from debate_core.host.mcp_tools import read_mcp_tools
from debate_core.host.origin import is_unknown
from debate_core.host.random_ids import new_debate_id
from debate_core.host.run_options import RunOptions
from debate_core.host.run_planner import Fillers
from debate_core.host.server_health import StoreBoard
from debate_core.host.settings import Settings
from debate_core.host.signatures import Signatures, file_of
from debate_core.host.stores import Store, open_store, without_password
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import RaiseLimit, Resume, Stop
from debate_core.record.events import Event, Partial, dump_record, utc_text
from debate_core.record.fold import replay
from debate_core.record.ids import RequestId
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.report.files.export import dumps, run_json
from debate_core.report.files.report import text_report
from debate_core.report.phrases.costs import usd_words, used_words
from debate_core.seats import Filler
from debate_core.seats.forecast import baselines_forecast, forecast
from debate_core.seats.model import unfillable
from debate_core.seats.prompts import changed
from debate_core.seats.server_queue import Servers
from debate_core.spec.presets.baselines import read_baselines, refuse_baseline
from debate_core.spec.protocol import Spec, read
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import MAX_TEXT_CHARS, BaselineName, Status, in_words
from debate_core.spec.warnings import rounds_warning, warnings
from debate_core.text import plural, spoken_list

OPERATOR = "operator"
"""The actor without a name: the person at the terminal."""
DECIDED, FAILED, UNDECIDED, TRUNCATED, WAITING = 0, 1, 3, 4, 5
_EXIT: dict[Status, int] = {"decided": DECIDED, "undecided": UNDECIDED, "truncated": TRUNCATED, "aborted": FAILED}


def run(flags: Namespace, settings: Settings) -> int:
    """Hold the debate that the flags describe; all checks come before its first event."""
    choice = choice_or_key(flags, settings)
    wished = () if flags.baselines is None else read_baselines(flags.baselines)
    plan = plan_of(flags, settings, choice)
    if wished:
        refuse_baseline(plan.spec)
    refuse_unset_key(flags, settings)
    read_mcp_tools(settings).refuse_unlisted(plan.spec.protocol)
    if flags.out is not None:
        check_writable(Path(flags.out))
    spec = with_every_model(plan.spec, settings, budget_usd=flags.budget_usd)
    # A debate always leaves a record: in a named database, in the file of --out, or in the default place.
    is_in_database = settings.database_named or flags.out is None
    with closing(open_store(settings.database_url) if is_in_database else MemoryStore()) as store:
        signatures = Signatures(store, settings.signing_key)
        debate_id = new_debate_id()
        setup = SeatSetup(plan.script_text, baselines=wished)
        events = open_debate(spec, debate_id=debate_id, at=runner.now(), by=OPERATOR)
        setup.keep(store, debate_id)
        store.append(debate_id, events, after=0)
        if spec.ceiling() != plan.spec.ceiling():
            say(f"{spec.protocol.name} usually has a money limit: a price is unknown here, so there is none")
        if choice and choice.by_key:
            say(by_key_words(spec))
        _say_notes(spec, flags, settings, wished)
        if is_in_database:
            say(f"debate {debate_id} is kept in {without_password(settings.database_url)}")
        return hold(store, debate_id, setup, signatures, settings, flags, out=flags.out)


def _say_notes(spec: Spec, flags: Namespace, settings: Settings, baselines: Sequence[BaselineName]) -> None:
    """Print what to know before the debate begins, one sentence each."""
    notes = [*_occupant_notes(spec, flags, settings)]
    if spec.models:
        notes += warnings(spec)
    elif too_many := rounds_warning(spec):
        notes.append(too_many)
    notes += concerns(spec)
    if has_matches(spec):
        ahead = forecast(spec)
        of_a_match = next(row.calls for row in ahead.rows if row.calls > 1)
        usd = ahead.total.cost_usd
        cost = "at an unknown price" if usd is None else f"for about {usd_words(usd)}"
        notes.append(
            f"each pair is compared in a short debate of {of_a_match} calls: about {plural(ahead.total.calls, 'call')} "
            f"{cost} if every round is held"
        )
    if baselines:
        notes.append(_announce_baselines(spec, baselines))
    for sentence in notes:
        say(sentence)


def _occupant_notes(spec: Spec, flags: Namespace, settings: Settings) -> Iterator[str]:
    """Notes on seats that are filled differently than the flags suggest."""
    offline = is_offline(flags, settings)
    names_a_model = flags.panel or flags.model or flags.base_url
    if offline and names_a_model:
        yield "no model is asked: --offline (or SWARM_MOCK) overrides --panel and --model"
    if not offline and spec.seats_with("offline"):
        yield "the evidence panel (no model) sits in the other seats"
    if flags.prompt and not spec.models:
        yield "no model sits in this debate: --prompt changes nothing"


def _announce_baselines(spec: Spec, names: Sequence[BaselineName]) -> str:
    """The baselines to ask afterwards, with their probable cost and limit."""
    ahead = baselines_forecast(spec, names)
    ceiling = spec.ceiling()
    cost = "at an unknown price" if ahead.cost_usd is None else f"for about {usd_words(ahead.cost_usd)}"
    bound = "no money limit applies to them"
    if ceiling is not None and ceiling.usd is not None:
        bound = f"the limit of {usd_words(ceiling.usd)} includes them"
    what = spoken_list([in_words(name) for name in names])
    calls = f"about {plural(ahead.calls, 'call')} more {cost}, at most as many as in the debate"
    return f"{what} after the debate: {calls}; {bound}"


def hold(
    store: Store,
    debate_id: str,
    setup: SeatSetup,
    signatures: Signatures,
    settings: Settings,
    flags: Namespace,
    *,
    out: str | None,
) -> int:
    """Continue a debate of this store as far as possible and print the result; returns the exit status."""
    # The limits of a shared database apply here, too.
    servers = Servers(StoreBoard(store))
    access = Access(
        keys=settings.keys,
        turn_deadline_s=settings.turn_deadline_s,
        servers=servers,
        network=settings.network,
        mcp=read_mcp_tools(settings),
    )
    options = RunOptions(on_events=signatures.written, deadline_s=settings.turn_deadline_s)
    matches = MatchSetting(store, lambda match: fillers_of(match, SeatSetup(), access), lambda _match: options)

    def find_fillers(state: State) -> Mapping[str, Filler]:
        return with_matches(state, fillers_of(state, setup, access), matches)

    state = play(debate_id, store, find_fillers, signatures, settings.turn_deadline_s)
    state = _ask_baselines(state, store, setup, access, signatures)
    if state.spec.seats_with("model"):
        say(used_words(used_in(usage_rows(state))))
    events = store.load(debate_id)
    if out is not None:
        _write_out(Path(out), events, signatures)
        _write_matches(Path(out), matches_of(store, state), signatures)
    result = account(state, events, origin_unknown=is_unknown(store, debate_id))
    print(dumps(run_json(result, record=out)) if flags.json else text_report(result), end="")
    return _EXIT[state.outcome.status] if state.outcome else WAITING


def _ask_baselines(state: State, store: Store, setup: SeatSetup, access: Access, signatures: Signatures) -> State:
    """Ask the missing baselines; Ctrl-C leaves them to `resume`."""
    if not missing(state, setup.baselines):
        return state
    say("the debate is over: its question is now asked without a debate")
    options = RunOptions(on_events=signatures.written)
    asking = hold_missing(state, store, setup, access, options, on_alone=failure_listener())
    try:
        return asyncio.run(asking)
    except KeyboardInterrupt:
        say("stopped with Ctrl-C: the debate is kept, and `resume` asks again")
        return replay(store.load(state.debate))


def play(debate_id: str, store: Store, fillers: Fillers, signatures: Signatures, deadline_s: float) -> State:
    """Run until the debate is over or waits; Ctrl-C stops it and keeps the partial texts."""
    texts: dict[str, str] = {}
    spec = replay(store.load(debate_id)).spec

    def limit_s(request: RequestId) -> float:
        model = spec.line(seat_in_round(spec, request.seat, request.round))
        return (model and model.deadline_s) or deadline_s

    on_text, show_events = listeners(texts, limit_s)

    def on_events(events: Sequence[Event]) -> None:
        show_events(events)
        signatures.written(events)

    options = RunOptions(on_text=on_text, on_events=on_events, deadline_s=deadline_s)
    running = runner.run(debate_id, store, fillers, options)
    try:
        return asyncio.run(running)
    except KeyboardInterrupt:
        _stop_debate(debate_id, store, signatures, texts)
        return replay(store.load(debate_id))


def _stop_debate(debate_id: str, store: Store, signatures: Signatures, texts: Mapping[str, str]) -> None:
    """End the debate if seats are being asked, and keep their partial texts."""
    state = replay(store.load(debate_id))
    open_requests = [request.id for request in requests(state)]
    if not open_requests:
        return
    begun = [request_id for request_id in open_requests if texts.get(request_id)]
    partials = tuple(Partial(request=name, text=texts[name][:MAX_TEXT_CHARS]) for name in begun)
    events = submit(state, Stop(by=OPERATOR, reason="stopped with Ctrl-C", partials=partials), at=runner.now())
    store.append(debate_id, events, after=state.version)
    signatures.written(events)
    stop_matches(store, replay(events, state), at=runner.now(), on_events=signatures.written)


def _write_out(path: Path, events: Sequence[Event], signatures: Signatures) -> None:
    _write_signed(path, events, signatures)
    if signatures.lasts:
        say(f"{path} is signed with the key {signatures.public_key}")


def _write_signed(path: Path, events: Sequence[Event], signatures: Signatures) -> None:
    """Write a record, and its signatures unless their key would be lost with this process."""
    signatures_at = path.with_suffix(".signatures.json")
    try:
        write_record(path, dump_record(events).encode(), signatures_at)
        if signatures.lasts:
            write_whole(signatures_at, file_of(signatures.of_own(events)).encode())
    except OSError as error:
        raise cannot_write("--out", path, error) from None


def _write_matches(out: Path, matches: Sequence[Sequence[Event]], signatures: Signatures) -> None:
    """Write the records of a tournament's matches into a folder beside its record."""
    if not matches:
        return
    folder = out.with_suffix(".matches")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise cannot_write("--out", folder, error) from None
    for events in matches:
        _write_signed(folder / f"{events[0].debate}.jsonl", events, signatures)
    say(f"the records of the short debates are in {folder}")


def resume(flags: Namespace, settings: Settings) -> int:
    """Continue a debate where its record ends. Leased if another runner holds it."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        signatures = Signatures(store, settings.signing_key)
        events = store.load(flags.debate_id)
        refuse_broken(events, f"debate {flags.debate_id}")
        state = replay(events)
        refuse_commands_to_match(state)
        setup = seat_setup_of(store, state.debate)
        if settings.offline:
            setup = SeatSetup(setup.script_text, setup.pace_cps, opened_here=False)
        for sentence in _list_silent_models(state, setup, settings):
            say(sentence)
        if command := _first_command(state, flags):
            submitted(store, settings, state, command)
        return hold(store, state.debate, setup, signatures, settings, flags, out=None)


def _first_command(state: State, flags: Namespace) -> RaiseLimit | Resume | None:
    """The command that lets the debate continue, if one is needed. The runner ends an expired wait itself."""
    limits = limits_of(flags)
    if flags.give_up and not stage.unreached(state):
        raise InvalidSpec("--give-up is for a debate that waits for seats out of reach; this one does not")
    if flags.give_up and limits:
        raise InvalidSpec(
            "--give-up and a new limit are separate acts in the record: resume with one, then with the other"
        )
    if state.outcome is not None or stage.waited_too_long(state, at=utc_text(runner.now())):
        return None
    if limits:
        return RaiseLimit(by=OPERATOR, to=read(Ceiling, limits), reason="raised at the terminal")
    if state.limit_met is not None:
        raise InvalidSpec(
            f"{state.paused}: raise it with --budget-usd, --max-calls, --max-tokens or --max-seconds, or end the "
            "debate in the app"
        )
    if state.paused is None:
        return None
    return Resume(by=OPERATOR, reason="resumed at the terminal", gives_up=flags.give_up)


def _list_silent_models(state: State, setup: SeatSetup, settings: Settings) -> tuple[str, ...]:
    """Reasons why models will not speak, or with other prompts than the recorded ones."""
    spec = state.spec
    seats = ", ".join(seat.id for seat in spec.seats_with("model"))
    if not seats or state.outcome:
        return ()
    if settings.offline:
        return (f"no model is asked (SWARM_MOCK): {seats} wait for people",)
    if not setup.opened_here:
        return (f"this debate was not opened here, so its models are not asked: {seats} wait for people",)
    reasons = list(unfillable(spec, settings.keys))
    if prompts := changed(spec.templates):
        reasons.append(f"the prompts {', '.join(prompts)} have changed since this debate was opened")
    return tuple(reasons)
