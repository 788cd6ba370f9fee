"""Asks the question of a finished debate without a debate, and records the answers beside the debate.

The models are asked in a temporary debate in memory, with the retries, deadlines and limits of every debate. It does
not affect the screens of running debates.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from decimal import Decimal
from itertools import product
from typing import get_args

from debate_core.engine import baselines, limits
from debate_core.engine.engine import open_debate, submit
from debate_core.engine.rights import HOST
from debate_core.errors import Busy, Conflict
from debate_core.host import runner
from debate_core.host.fillers import Access, SeatSetup, fillers_of
from debate_core.host.run_loop import LEASE_TTL_S
from debate_core.host.run_options import AS_USUAL, RunOptions
from debate_core.host.stores import Lease, Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.owner import this_process
from debate_core.record.commands import AskBaselines, HoldBaseline
from debate_core.record.events import BaselineReply, Event
from debate_core.record.fold import replay
from debate_core.record.state import State, Turn
from debate_core.report.facts.usage import used_by_place
from debate_core.report.phrases.limits import agreed_limit
from debate_core.spec.contents import Argument
from debate_core.spec.presets.baselines import BASELINES, baseline_spec
from debate_core.spec.values import ABSTAIN, BaselineName, TurnError, Usage

TIMES = 20
"""Attempts to record an answer while people write to the same debate."""


def lacking_baselines(store: Store) -> set[str]:
    """Debates with a requested baseline that is not recorded, including those still running."""
    wished = store.notes("baselines")
    lacking = set[str]()
    for name in BASELINES:
        wished_for = {debate_id for debate_id, names in wished.items() if name in names.split(",")}
        if wished_for:
            lacking |= wished_for & store.debates_without(f"baseline:{name}")
    return lacking


def missing(state: State, names: Sequence[BaselineName]) -> tuple[BaselineName, ...]:
    """Baselines of these that can be asked now and are not recorded."""
    if baselines.not_yet(state):
        return ()
    held = {one.name for one in state.baselines}
    return tuple(name for name in names if name not in held)


async def hold_missing(
    state: State,
    store: Store,
    setup: SeatSetup,
    access: Access,
    options: RunOptions = AS_USUAL,
    *,
    on_alone: Callable[[Sequence[Event]], None] = lambda _events: None,
) -> State:
    """Ask the requested baselines that are not recorded; returns the state afterwards.

    Imported records are skipped, and nothing starts during a shutdown. Leased if another process is asking. `on_alone`
    receives the events of the temporary debate.
    """
    if not setup.opened_here or options.is_ending() or not missing(state, setup.baselines):
        return state
    async with _leased(store, state.debate) as lease:
        state = _catch_up(store, state, options)
        unasked = tuple(name for name in missing(state, setup.baselines) if name not in state.baselines_asked)
        if unasked:
            state = _record(state, AskBaselines(by=HOST, names=unasked), store, options, lease)
        for name in missing(state, setup.baselines):
            if options.is_ending():
                break
            asked = await _ask_models(state, name, access, options, on_alone)
            state = _record(state, asked, store, options, lease)
    return state


@asynccontextmanager
async def _leased(store: Store, debate_id: str) -> AsyncIterator[Lease]:
    """Hold the lease of the debate within the block."""
    lease = store.acquire(debate_id, this_process(), ttl_s=LEASE_TTL_S)

    async def renew() -> None:
        while True:
            await asyncio.sleep(LEASE_TTL_S / 3)
            store.renew(lease, ttl_s=LEASE_TTL_S)

    renewing = asyncio.create_task(renew())
    try:
        yield lease
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
        store.release(lease)


async def _ask_models(
    state: State,
    name: BaselineName,
    access: Access,
    options: RunOptions,
    on_alone: Callable[[Sequence[Event]], None],
) -> HoldBaseline:
    """Ask the models without a debate; a model out of reach gets no answer."""
    calls = baselines.calls_of(state, name)
    asked = baseline_spec(state.spec, name, calls=calls, usd=_usd_left(state))
    began = options.clock()
    alone = MemoryStore()
    opened = open_debate(asked, debate_id=f"{state.debate[:40]}-{name}", at=began, by=HOST)
    alone.append(opened[0].debate, opened, after=0)
    ended = await runner.run(
        opened[0].debate,
        alone,
        lambda now: fillers_of(now, SeatSetup(), access),
        RunOptions(on_events=on_alone, clock=options.clock, deadline_s=access.turn_deadline_s, budget=options.budget),
    )
    replies = tuple(_replies(ended))
    took_ms = round((options.clock() - began).total_seconds() * 1000)
    why = ""
    if len(replies) < calls and ended.truncated is not None:
        limit = agreed_limit(state, ended.truncated.axis)
        why = f"the limit of {limit}, which counts these calls too, allows no more"
    elif len(replies) < calls:
        why = ended.paused or "no model could be asked"
    return HoldBaseline(by=HOST, name=name, replies=replies, took_ms=max(0, took_ms), why=why)


def _usd_left(state: State) -> str | None:
    """The money left under the limit, which includes these calls; None = no limit, 0 if costs are unknown."""
    bound = state.spec.ceiling()
    if bound is None or bound.usd is None:
        return None
    used = limits.total([limits.spent(state), *(r.usage for held in state.baselines for r in held.replies if r.usage)])
    left = Decimal(0) if used.cost_usd is None else Decimal(bound.usd) - Decimal(used.cost_usd)
    return limits.decimal_text(max(left, Decimal(0)))


def _replies(ended: State) -> Iterator[BaselineReply]:
    """The replies in the order of the phases and of the seats asked."""
    unreached = ended.open.unreached.values() if ended.open else ()
    turns = {(turn.phase, turn.seat): turn for turn in (*ended.failed_attempts, *unreached, *ended.all_turns())}
    usages: dict[tuple[str, str], Usage] = {}
    for place, used in used_by_place(ended).items():
        # The cost of a turn is unknown if that of one attempt is.
        usages[place.phase, place.seat] = used.known().model_copy(update={"cost_usd": used.cost_usd})
    for phase, seat in product(ended.spec.protocol.phases(), ended.spec.seats):
        if turn := turns.get((phase.name, seat.id)):
            yield _make_reply(turn, seat.model or "", usages.get((phase.name, seat.id)))


def _make_reply(turn: Turn, line: str, usage: Usage | None) -> BaselineReply:
    said = turn.content
    if turn.status == "ok" and isinstance(said, Argument):
        vote = None if said.vote == ABSTAIN else said.vote
        return BaselineReply(line=line, vote=vote, confidence=said.confidence, rationale=said.rationale, usage=usage)
    error = turn.status if turn.status in get_args(TurnError) else "failed"
    return BaselineReply.model_validate({"line": line, "error": error, "message": turn.message, "usage": usage})


def _catch_up(store: Store, state: State, options: RunOptions) -> State:
    """Read events of others into the state."""
    tail = store.load(state.debate, state.version)
    if tail:
        options.on_events(tail)
    return replay(tail, state)


def _record(
    state: State,
    command: AskBaselines | HoldBaseline,
    store: Store,
    options: RunOptions,
    lease: Lease,
) -> State:
    """Record the command, retrying while people write. Leased if another process holds the debate by now."""
    for _ in range(TIMES):
        state = _catch_up(store, state, options)
        events = submit(state, command, at=options.clock())
        try:
            store.append(state.debate, events, after=state.version, lease=lease)
        except (Conflict, Busy):
            continue
        options.on_events(events)
        return replay(events, state)
    raise Conflict("too many people write to {debate} at once: try again", debate=state.debate)
