"""Asks the seats of one debate until it is over, paused, or waits for people only.

Everything it learns is in the store: killed at any moment, the next `run` goes on where the record ends. An attempt
is recorded before the seat is asked, so that a call made twice is seen. It does not know what sits in a seat, nor
what the rules are.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from debate_core.engine import ceiling, content_faults, stage
from debate_core.engine.engine import advance, requests
from debate_core.engine.seat_view import view
from debate_core.errors import BadReply, Busy, Conflict, RuleViolation, SeatError, SeatTimeout
from debate_core.host.stores import Lease, Store
from debate_core.host.stores.owner import this_process
from debate_core.record.commands import AnyCommand, FailTurn, SkipTurn, StartAttempt, TakeTurn, Truncate
from debate_core.record.events import Event, utc_text
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.seats import Filler, OnText, Paid
from debate_core.spec.contents import Argument
from debate_core.spec.values import MAX_TEXT_CHARS, Usage

T = TypeVar("T")
Fillers = Mapping[str, Filler] | Callable[[State], Mapping[str, Filler]]
"""Who answers for a seat, by seat id; people are left out. A function is asked once, with the state at the start."""

LEASE_TTL_S = 10.0
GRACE_S = 5.0
"""How much longer than the deadline a seat may take that keeps the deadline itself."""
RUNNER = "runner"
"""Actor of what the runner decides: nothing but that a limit is reached."""
LOOK_S = 0.5
"""How often to look for what others have appended, when nobody wakes us."""
TOGETHER_S = 0.003
"""How long an answer waits for others that may come with it: what is written together costs the next phase less."""
BUSY_S = 30.0
"""How long to try again while somebody else keeps the store from being written; what was answered is not lost."""
SOON_S = 0.02
"""How often to look whether a seat may be asked again, at most."""


def now() -> datetime:
    """The clock of this machine."""
    return datetime.now(UTC)


def _unheard(_request: str, _text: str, /, thinking: str = "") -> None:
    """Nobody listens."""


@dataclass
class _Run:
    """What one run holds in its hands; the record itself is in the store."""

    store: Store
    seated: Mapping[str, Filler]
    on_text: OnText
    on_events: Callable[[Sequence[Event]], None]
    clock: Callable[[], datetime]
    deadline_s: float
    wake: asyncio.Event
    state: State
    lease: Lease
    renewed_s: float
    asking: dict[str, asyncio.Task[AnyCommand]] = field(default_factory=dict)


async def run(
    debate_id: str,
    store: Store,
    fillers: Fillers,
    *,
    on_text: OnText = _unheard,
    on_events: Callable[[Sequence[Event]], None] = lambda _events: None,
    clock: Callable[[], datetime] = now,
    deadline_s: float = 120,
    wake: asyncio.Event | None = None,
) -> State:
    """Ask the seats that have a filler; return when it is over, paused, or nobody but people is asked.

    `on_events` hears what was appended by this run or by others meanwhile. `wake` makes it look at the record at
    once. Leased if another runner holds the debate; UnknownDebate if there is none.
    """
    state = replay(store.load(debate_id))
    seated = fillers(state) if callable(fillers) else fillers
    if not _due(state, seated, ()):
        return state
    lease = await _unless_busy(partial(store.acquire, debate_id, this_process(), ttl_s=LEASE_TTL_S))
    this = _Run(
        store, seated, on_text, on_events, clock, deadline_s, wake or asyncio.Event(), state, lease, time.monotonic()
    )
    try:
        return await _advance(this)
    finally:
        await _let_go(this.asking.values())
        for filler in {id(f): f for f in seated.values()}.values():
            if isinstance(filler, Paid):
                await filler.close()
        await _unless_busy(partial(store.release, lease))


async def _unless_busy(act: Callable[[], T]) -> T:
    """What comes of it, tried again while others write; meanwhile the other debates of this thread go on."""
    until_s = time.monotonic() + BUSY_S
    while True:
        try:
            return act()
        except Busy:
            if time.monotonic() > until_s:
                raise
        await asyncio.sleep(SOON_S)


async def _advance(this: _Run) -> State:
    """Step by step: write down what was answered and whom we ask next, ask, wait for answers or for news."""
    answers: Mapping[str, AnyCommand] = {}
    while True:
        await _unless_busy(partial(_keep_lease, this))
        while not await _unless_busy(partial(_write, this, answers)):
            pass
        asked = {request.id for request in _for_seats(this.state)}
        await _let_go([this.asking.pop(name) for name in [*this.asking] if name not in asked])
        if not this.asking and not _due(this.state, this.seated, ()):
            return this.state
        answers = await _hear(this)


async def _hear(this: _Run) -> Mapping[str, AnyCommand]:
    """Answers by request id; none if only others have appended something, or for LOOK_S nothing has happened."""
    woken = asyncio.create_task(this.wake.wait())
    try:
        due = _due(this.state, this.seated, this.asking)
        # Not less than SOON_S: a seat that a ceiling holds back is due all the time.
        waits_s = [max(SOON_S, wait_s) for q in due if (wait_s := _wait_s(this.state, q, this.clock())) is not None]
        look_s = min([LOOK_S, *waits_s])
        done_now, _ = await asyncio.wait(
            {woken, *this.asking.values()}, timeout=look_s, return_when=asyncio.FIRST_COMPLETED
        )
        if done_now - {woken}:
            await asyncio.wait(this.asking.values(), timeout=TOGETHER_S)
    finally:
        woken.cancel()
    done = [name for name, task in this.asking.items() if task.done()]
    # Otherwise a conflict tells soon enough that others have appended.
    if this.wake.is_set() or not done:
        this.wake.clear()
        _catch_up(this)
    return {name: this.asking.pop(name).result() for name in done}


def _due(state: State, seated: Mapping[str, Filler], asking: Iterable[str]) -> dict[Request, Filler]:
    """Requests that somebody other than a person can answer and is not answering yet; none during a pause."""
    if state.paused is not None:
        return {}
    return {q: seated[q.seat] for q in _for_seats(state) if q.seat in seated and q.id not in asking}


def _for_seats(state: State) -> tuple[Request, ...]:
    """What is asked now, less the seats that a person took over."""
    taken = stage.sitting(state)
    return tuple(q for q in requests(state) if q.seat not in taken)


def _wait_s(state: State, request: Request, at: datetime) -> float | None:
    """How long not to ask yet, 0 or less = ask now; None if the attempt before does not say so."""
    before = [t for t in state.failed_attempts if t.place() == request.place() and t.attempts == request.attempt - 1]
    if not before or not before[-1].retry_after_ms:
        return None
    since = at - datetime.fromisoformat(before[-1].at)
    return before[-1].retry_after_ms / 1000 - since.total_seconds()


def _write(this: _Run, answers: Mapping[str, AnyCommand]) -> bool:
    """Append the answers and the attempts that follow in one transaction, then ask.

    False if somebody else was first: then nothing is written and nobody is asked, and the state is theirs.
    """
    state, events = this.state, list[Event]()
    for request_id, command in answers.items():
        new, state = _taken(this, state, request_id, command)
        events += new
    begun, state, asked = _begun(this, state)
    events += begun
    if events and not _append(this, events, state):
        return False
    for request, filler in asked.items():
        this.asking[request.id] = asyncio.create_task(_answer(this, state, request, filler))
    return True


def _begun(this: _Run, state: State) -> tuple[list[Event], State, dict[Request, Filler]]:
    """Attempts at everything that is due and may be paid for; the end of the debate if nothing else is left."""
    events: list[Event] = []
    asked, too_much = dict[Request, Filler](), list[Truncate]()
    for request, filler in _due(state, this.seated, this.asking).items():
        if (_wait_s(state, request, this.clock()) or 0) > 0:
            continue
        reserved = filler.reserve(request, view(state, request)) if isinstance(filler, Paid) else None
        at = this.clock()
        if ceiling.passed(state, reserved, at=utc_text(at)):
            too_much.append(Truncate(by=RUNNER, request=request.id, reserved=reserved))
            continue
        started, state = advance(state, StartAttempt(by=request.seat, request=request.id, reserved=reserved), at=at)
        events += started
        asked[request] = filler
    # What is still being answered may leave more than it had reserved.
    if too_much and not asked and not this.asking:
        ended, state = advance(state, too_much[0], at=this.clock())
        events += ended
    return events, state, asked


async def _answer(this: _Run, state: State, request: Request, filler: Filler) -> AnyCommand:
    """What came of one attempt, whatever happens in the seat; only cancelling leaves no answer."""
    so_far = ""

    def heard(request_id: str, text: str, /, thinking: str = "") -> None:
        nonlocal so_far
        so_far = text
        this.on_text(request_id, text, thinking=thinking)

    # A paid seat keeps the deadline itself, because it alone knows what was used until then.
    grace_s = GRACE_S if isinstance(filler, Paid) else 0
    deadline = asyncio.timeout(this.deadline_s + grace_s)
    try:
        async with deadline:
            command = await filler(request, view(state, request), heard)
        return _fitting(request, command)
    except SeatError as error:
        return _failed(request, error.error, str(error), so_far)
    except Exception as error:
        # A seat can also run into a limit of its own, of which we know nothing.
        if isinstance(error, TimeoutError) and deadline.expired():
            return _failed(request, SeatTimeout.error, f"no answer within {this.deadline_s:g} s", so_far)
        # Its name only: messages of vendors' libraries can hold keys and addresses.
        return _failed(request, SeatError.error, f"the seat broke with {type(error).__name__}", so_far)


def _fitting(request: Request, command: AnyCommand) -> AnyCommand:
    if isinstance(command, TakeTurn | FailTurn | SkipTurn) and command.request == request.id:
        return command
    raise BadReply("the seat answered with something other than its turn")


def _failed(request: Request, error: str, message: str, partial: str, usage: Usage | None = None) -> FailTurn:
    fields = {"error": error, "message": message[:2_000], "partial": partial[:MAX_TEXT_CHARS], "usage": usage}
    return FailTurn.model_validate({"by": request.seat, "request": request.id, **fields})


def _taken(this: _Run, state: State, request_id: str, command: AnyCommand) -> tuple[tuple[Event, ...], State]:
    """What an answer makes of this state: nothing if it is no longer asked, a failed attempt if the rules refuse it."""
    request = next((q for q in _for_seats(state) if q.id == request_id), None)
    if request is None:
        return (), state
    try:
        return advance(state, _or_weak(state, request, command), at=this.clock())
    except RuleViolation as error:
        usage = command.usage if isinstance(command, TakeTurn) else None
        return advance(state, _failed(request, BadReply.error, str(error), "", usage), at=this.clock())


def _or_weak(state: State, request: Request, command: AnyCommand) -> AnyCommand:
    """A critique that its own seat rates too low is asked once more, if an attempt is left (R238)."""
    if not isinstance(command, TakeTurn) or request.attempt >= state.spec.protocol.attempts:
        return command
    if any(t.status == "weak" and t.place() == request.place() for t in state.failed_attempts):
        return command
    why = content_faults.weak(state.phase(request.phase).min_strength, command.content)
    if why is None or not isinstance(command.content, Argument):
        return command
    return _failed(request, "weak", why, command.content.rationale, command.usage)


def _append(this: _Run, events: Sequence[Event], after: State) -> bool:
    try:
        this.store.append(this.state.debate, events, after=this.state.version, lease=this.lease)
    except Conflict:
        if not _catch_up(this):
            raise
        return False
    this.state = after
    this.on_events(events)
    return True


def _catch_up(this: _Run) -> bool:
    """Take in what others appended; True if there was something."""
    tail = this.store.load(this.state.debate, this.state.version)
    if tail:
        this.state = replay(tail, this.state)
        this.on_events(tail)
    return bool(tail)


def _keep_lease(this: _Run) -> None:
    if time.monotonic() - this.renewed_s > LEASE_TTL_S / 3:
        this.store.renew(this.lease, ttl_s=LEASE_TTL_S)
        this.renewed_s = time.monotonic()


async def _let_go(tasks: Iterable[asyncio.Task[AnyCommand]]) -> None:
    """Cancel, and wait until each has let go."""
    left = list(tasks)
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
