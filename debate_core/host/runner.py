"""Asks the seats of one debate until it is over, paused, or waits for people only.

Everything it learns is in the store: killed at any moment, the next `run` goes on where the record ends. An attempt
is recorded before the seat is asked, so that a call made twice is seen. Whether a seat has to be paid for is all that
it knows of who sits there. What is asked, what may be spent and what is too weak is said by the engine.

Read `run`, then `Runner.step`: everything else stands below in the order in which it happens.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from typing import Literal, TypeVar

from debate_core.engine import ceiling, content_faults, own_text, stage
from debate_core.engine.engine import advance, requests
from debate_core.engine.rights import HOST
from debate_core.engine.seat_view import View, view
from debate_core.errors import BadReply, Busy, Conflict, RuleViolation, SeatError, SeatTimeout
from debate_core.host.daily_budget import DailyBudget
from debate_core.host.patience import Patience
from debate_core.host.stores import Lease, Store
from debate_core.host.stores.owner import this_process
from debate_core.record.commands import (
    AnyCommand,
    EndWait,
    FailTurn,
    Pause,
    SkipTurn,
    StartAttempt,
    TakeTurn,
    Truncate,
    WaitAtLimit,
)
from debate_core.record.events import Event, TurnTaken, utc_text
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.report.words.limits import agreed_limit
from debate_core.seats import Filler, OnText, Paid
from debate_core.seats.server_queue import Place
from debate_core.spec.contents import Argument
from debate_core.spec.values import MAX_TEXT_CHARS, Axis, Usage

T = TypeVar("T")
Fillers = Mapping[str, Filler] | Callable[[State], Mapping[str, Filler]]
"""Who answers for a seat, by seat id; people are left out. A function is asked once, with the state at the start."""
Sleep = Callable[[float], Awaitable[None]]
"""Waits so many seconds, of the clock that is passed in beside it."""
AtLimit = Literal["end", "wait"]
"""What follows where the next call could pass a limit: the end, or a wait for whoever leads."""

LEASE_TTL_S = 10.0
GRACE_S = 5.0
"""How much longer than the deadline a seat may take that keeps the deadline itself."""
RUNNER = "runner"
"""Actor of what the runner decides: nothing but that a limit is reached, or that a wait took too long."""
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


def _ignore_text(_request: str, _text: str, /, thinking: str = "") -> None:
    """Nobody listens."""


async def run(
    debate_id: str,
    store: Store,
    fillers: Fillers,
    *,
    on_text: OnText = _ignore_text,
    on_events: Callable[[Sequence[Event]], None] = lambda _events: None,
    clock: Callable[[], datetime] = now,
    deadline_s: float = 120,
    wake: asyncio.Event | None = None,
    at_limit: AtLimit = "end",
    budget: DailyBudget | None = None,
    sleep: Sleep = asyncio.sleep,
) -> State:
    """Ask the seats that have a filler; return when it is over, paused, or nobody but people is asked.

    `on_events` hears what was appended by this run or by others meanwhile. `wake` makes it look at the record at
    once. `at_limit` wait = somebody is there who may raise the limit. Leased if another runner holds the debate;
    UnknownDebate if there is none.
    """
    state = replay(store.load(debate_id))
    if stage.waited_too_long(state, at=utc_text(clock())):
        events, after = advance(state, EndWait(by=RUNNER), at=clock())
        await _unless_busy(partial(store.append, debate_id, events, after=state.version))
        on_events(events)
        return after
    by_seat = fillers(state) if callable(fillers) else fillers
    if not _askable(state, by_seat):
        return state
    lease = await _unless_busy(partial(store.acquire, debate_id, this_process(), ttl_s=LEASE_TTL_S))
    runner = Runner(
        store,
        state,
        lease,
        by_seat,
        on_text=on_text,
        on_events=on_events,
        clock=clock,
        deadline_s=deadline_s,
        wake=wake or asyncio.Event(),
        at_limit=at_limit,
        budget=budget,
        sleep=sleep,
    )
    try:
        while await runner.step():
            pass
        return runner.state
    finally:
        await runner.close()


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


class Runner:
    """One run of one debate: what it holds in its hands. The record itself is in the store."""

    def __init__(
        self,
        store: Store,
        state: State,
        lease: Lease,
        fillers: Mapping[str, Filler],
        *,
        on_text: OnText,
        on_events: Callable[[Sequence[Event]], None],
        clock: Callable[[], datetime],
        deadline_s: float,
        wake: asyncio.Event,
        at_limit: AtLimit,
        budget: DailyBudget | None,
        sleep: Sleep,
    ) -> None:
        self.state = state
        self.lease = lease
        self.asking: dict[str, asyncio.Task[AnyCommand]] = {}
        """Request id -> a seat that is answering it."""
        self.answers: dict[str, AnyCommand] = {}
        """Request id -> what its seat answered, until it is in the record."""
        self._renewed_s = time.monotonic()
        self._store = store
        self._fillers = fillers
        # Looked up once: whether something keeps to a protocol is asked of each of its names.
        self._paid = {seat: filler for seat, filler in fillers.items() if isinstance(filler, Paid)}
        self._on_text = on_text
        self._on_events = on_events
        self._clock = clock
        self._deadline_s = deadline_s
        self._wake = wake
        self._at_limit = at_limit
        self._budget = budget
        self._sleep = sleep
        self._patience = Patience(state, at=clock())
        for paid in self._paid.values():
            paid.queue.look_now()

    async def step(self) -> bool:
        """Write down what was answered and whom we ask next, ask them, and wait for answers or for news.

        False if there is nobody to wait for: the debate is over, paused, or waits for people only.
        """
        await _unless_busy(self._keep_lease)
        while not await _unless_busy(self._write):
            pass
        await self._call_off()
        if not self.asking and not _askable(self.state, self._fillers):
            return False
        await self._wait()
        return True

    async def close(self) -> None:
        """Cut off who is still answering, and give everything back."""
        await _cancel(self.asking.values())
        # A filler can sit in several seats.
        for paid in {id(paid): paid for paid in self._paid.values()}.values():
            await paid.close()
        await _unless_busy(partial(self._store.release, self.lease))

    def _keep_lease(self) -> None:
        if time.monotonic() - self._renewed_s > LEASE_TTL_S / 3:
            self._store.renew(self.lease, ttl_s=LEASE_TTL_S)
            self._renewed_s = time.monotonic()

    def _write(self) -> bool:
        """Append the answers and the attempts that follow in one transaction, then ask.

        False if somebody else was first: then nothing is written and nobody is asked, and the state is theirs.
        """
        batch = _Batch(self.state)
        for request_id, command in self.answers.items():
            self._take(batch, request_id, command)
        while end := self._given_up(batch.state):
            batch.add(end, at=self._clock())
        with ExitStack() as places:
            to_ask = self._begin(batch, places)
            if batch.events and not self._append(batch):
                return False
            places.pop_all()
        self.answers = {}
        for request, seen, place in to_ask:
            reserved = dict(batch.state.reserved).get(request.id)
            if self._budget is not None and reserved is not None:
                # Now, and not when the seat is asked: other debates look at the budget meanwhile.
                self._budget.begun(reserved)
            self._patience.asking(request)
            task = self.asking[request.id] = asyncio.create_task(self._ask(request, seen, place, reserved))
            if place is not None:
                task.add_done_callback(partial(_leave, place))
        return True

    def _take(self, batch: "_Batch", request_id: str, command: AnyCommand) -> None:
        """Nothing comes of an answer that is no longer asked, a failed attempt of one that the rules refuse."""
        request = next((request for request in _asked_of_seats(batch.state) if request.id == request_id), None)
        if request is None:
            return
        try:
            self._add_or_ask_back(batch, request, command)
        except RuleViolation as error:
            usage = command.usage if isinstance(command, TakeTurn) else None
            batch.add(_failed(request, BadReply.error, str(error), "", usage), at=self._clock())

    def _add_or_ask_back(self, batch: "_Batch", request: Request, command: AnyCommand) -> None:
        """A whole turn is asked about once if it is too weak by its own rating, or its ballot contradicts its text."""
        before = batch.state
        asked = {turn.status for turn in before.failed_attempts if turn.place() == request.place()}
        if isinstance(command, TakeTurn) and "weak" not in asked:
            command = _or_weak(before, request, command)
        at = self._clock()
        events, after = advance(before, command, at=at)
        taken = events[0].body
        if isinstance(command, TakeTurn) and isinstance(taken, TurnTaken) and "contradicts" not in asked:
            # The engine has read the text already: reading it takes longer than all the rest.
            back = _or_contradicts(before, request, command, taken.argues_for)
            if back is not None:
                events, after = advance(before, back, at=at)
        batch.take(events, after)

    def _given_up(self, state: State) -> FailTurn | None:
        """The end of a turn for whose server nobody waits any longer."""
        for request in _askable(state, self._fillers):
            paid = self._paid.get(request.seat)
            if paid is None or request.id in self.asking:
                continue
            if end := self._patience.given_up(request, paid):
                return end
        return None

    def _begin(self, batch: "_Batch", places: ExitStack) -> list[tuple[Request, View, Place | None]]:
        """Attempts at all that is due, may be paid for and has a place at its server, with what is seen and that place.

        The limit that was met if nothing else is left. `places` gives the places back.
        """
        begun: list[tuple[Request, View, Place | None]] = []
        too_expensive: list[Truncate | WaitAtLimit | Pause] = []
        taken: list[Usage] = []
        # Who looks whether a server is back are not always the same: what is wrong may be wrong for one model.
        for request in sorted(_askable(batch.state, self._fillers), key=lambda request: request.attempt):
            if request.id in self.asking or (_retry_wait_s(batch.state, request, self._clock()) or 0) > 0:
                continue
            paid, reserved, place = self._paid.get(request.seat), None, None
            if paid is not None:
                place = paid.queue.enter(paid.places, at=self._clock())
                if place is None:
                    continue
                places.callback(place.leave)
            seen = view(batch.state, request)
            if paid is not None:
                reserved = paid.reserve(request, seen)
            if limit := self._limit_before(batch.state, request, reserved, taken):
                too_expensive.append(limit)
                if place is not None:
                    place.leave()
                continue
            if reserved is not None:
                taken.append(reserved)
            batch.add(StartAttempt(by=request.seat, request=request.id, reserved=reserved), at=self._clock())
            begun.append((request, seen, place))
        # What is still being answered may leave more than it had reserved.
        if too_expensive and not begun and not self.asking:
            batch.add(too_expensive[0], at=self._clock())
        return begun

    def _limit_before(
        self, state: State, request: Request, reserved: Usage | None, taken: Sequence[Usage]
    ) -> Truncate | WaitAtLimit | Pause | None:
        """What follows where a limit does not allow this call beside those that are `taken`; None = it may be made."""
        if axis := ceiling.passed(state, reserved, at=utc_text(self._clock())):
            return self._limit_met(state, request, reserved, axis)
        if reserved is not None and self._budget is not None and (why := self._budget.refusal([*taken, reserved])):
            return Pause(by=HOST, reason=why)
        return None

    def _limit_met(self, state: State, request: Request, reserved: Usage | None, axis: Axis) -> Truncate | WaitAtLimit:
        if self._at_limit == "end":
            return Truncate(by=RUNNER, request=request.id, reserved=reserved)
        reason = f"the limit of {agreed_limit(state, axis)} does not allow the next call"
        return WaitAtLimit(by=RUNNER, request=request.id, reserved=reserved, reason=reason)

    def _append(self, batch: "_Batch") -> bool:
        try:
            self._store.append(self.state.debate, batch.events, after=self.state.version, lease=self.lease)
        except Conflict:
            if not self._catch_up():
                raise
            return False
        self.state = batch.state
        self._on_events(batch.events)
        return True

    def _catch_up(self) -> bool:
        """Take in what others appended; True if there was something."""
        tail = self._store.load(self.state.debate, self.state.version)
        if tail:
            self.state = replay(tail, self.state)
            self._on_events(tail)
        return bool(tail)

    async def _ask(self, request: Request, seen: View, place: Place | None, reserved: Usage | None) -> AnyCommand:
        """What comes of one attempt, whatever happens in the seat; only cancelling leaves no answer."""
        filler, paid = self._fillers[request.seat], self._paid.get(request.seat)
        text_so_far = ""

        def on_text(request_id: str, text: str, /, thinking: str = "") -> None:
            nonlocal text_so_far
            text_so_far = text
            if place is not None:
                place.answered()
            self._on_text(request_id, text, thinking=thinking)

        # A paid seat keeps the deadline itself, because it alone knows what was used until then.
        deadline = asyncio.timeout(self._deadline_s if paid is None else paid.deadline_s + GRACE_S)
        try:
            async with deadline:
                command = await filler(request, seen, on_text)
            if self._budget is not None and reserved is not None:
                self._budget.ended(reserved, getattr(command, "usage", None))
            return self._without_reply(request, _fitting(request, command), place)
        except SeatError as error:
            return _failed(request, error.error, str(error), text_so_far)
        except Exception as error:
            # A seat can also run into a limit of its own, of which we know nothing.
            if isinstance(error, TimeoutError) and deadline.expired():
                return _failed(request, SeatTimeout.error, f"no answer within {self._deadline_s:g} s", text_so_far)
            # Its name only: messages of vendors' libraries can hold keys and addresses.
            return _failed(request, SeatError.error, f"the seat broke with {type(error).__name__}", text_so_far)

    def _without_reply(self, request: Request, command: AnyCommand, place: Place | None) -> AnyCommand:
        """The answer, and what the queue learns from it; a call without a reply says whether it is made again."""
        paid = self._paid.get(request.seat)
        if place is None or paid is None:
            return command
        if isinstance(command, FailTurn) and command.transport:
            at = self._clock()
            return self._patience.after(request, command, place, deadline_s=paid.deadline_s, at=at)
        place.answered()
        return command

    async def _call_off(self) -> None:
        """Cut off who answers what is no longer asked."""
        asked = {request.id for request in _asked_of_seats(self.state)}
        obsolete = [request_id for request_id in self.asking if request_id not in asked]
        await _cancel([self.asking.pop(request_id) for request_id in obsolete])

    async def _wait(self) -> None:
        """Until a seat has answered, somebody wakes us, or it is time to look again."""
        woken = asyncio.create_task(self._wake.wait())
        alarm = asyncio.create_task(self._rest(self._look_s()))
        try:
            done, _ = await asyncio.wait({woken, alarm, *self.asking.values()}, return_when=asyncio.FIRST_COMPLETED)
            if done - {woken, alarm}:
                await asyncio.wait(self.asking.values(), timeout=TOGETHER_S)
        finally:
            woken.cancel()
            alarm.cancel()
        answered = [request_id for request_id, task in self.asking.items() if task.done()]
        # Otherwise a conflict tells soon enough that others have appended.
        if self._wake.is_set() or not answered:
            self._wake.clear()
            self._catch_up()
        self.answers = {request_id: self.asking.pop(request_id).result() for request_id in answered}

    async def _rest(self, seconds: float) -> None:
        """While seats are answering it is their time that runs, and not that of the clock that is passed in."""
        await (asyncio.sleep(seconds) if self.asking else self._sleep(seconds))

    def _look_s(self) -> float:
        """How long to wait at most: until it is time for news, or to ask a seat again."""
        look_s = LOOK_S
        for request in _askable(self.state, self._fillers):
            if request.id in self.asking:
                continue
            wait_s = self._wait_s(request)
            if wait_s is not None:
                # Not less than SOON_S: a seat that a ceiling holds back is due all the time.
                look_s = min(look_s, max(SOON_S, wait_s))
        return look_s

    def _wait_s(self, request: Request) -> float | None:
        """How long not to ask yet, by what was recorded and by the queue; None if neither says so."""
        at, paid = self._clock(), self._paid.get(request.seat)
        wait_s = _retry_wait_s(self.state, request, at)
        look = None if paid is None or paid.queue.looking else paid.queue.next_look
        return wait_s if look is None else max(wait_s or 0, (look - at).total_seconds())


def _leave(place: Place, _task: object) -> None:
    place.leave()


class _Batch:
    """Events that are appended together, and the state after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def add(self, command: AnyCommand, *, at: datetime) -> None:
        """What this command makes of the state. RuleViolation leaves everything as it is."""
        self.take(*advance(self.state, command, at=at))

    def take(self, events: Sequence[Event], after: State) -> None:
        """Events of the state as it was, and the state after them."""
        self.state = after
        self.events += events


def _asked_of_seats(state: State) -> tuple[Request, ...]:
    """What is asked now, less the seats that a person took over."""
    taken_over = stage.sitting(state)
    return tuple(request for request in requests(state) if request.seat not in taken_over)


def _askable(state: State, fillers: Mapping[str, Filler]) -> tuple[Request, ...]:
    """What is asked now and somebody other than a person can answer; nothing during a pause."""
    if state.paused is not None:
        return ()
    return tuple(request for request in _asked_of_seats(state) if request.seat in fillers)


def _retry_wait_s(state: State, request: Request, at: datetime) -> float | None:
    """How long not to ask yet, 0 or less = ask now; None if the attempt before does not say so."""
    for turn in reversed(state.failed_attempts):
        if turn.place() == request.place() and turn.attempts == request.attempt - 1:
            since = at - datetime.fromisoformat(turn.at)
            return turn.retry_after_ms / 1000 - since.total_seconds() if turn.retry_after_ms else None
    return None


def _fitting(request: Request, command: AnyCommand) -> AnyCommand:
    if isinstance(command, TakeTurn | FailTurn | SkipTurn) and command.request == request.id:
        return command
    raise BadReply("the seat answered with something other than its turn")


def _or_contradicts(state: State, request: Request, command: TakeTurn, argued: str | None) -> FailTurn | None:
    """A model whose text argues for another option than its ballot is asked which it holds; code and scripts are not.

    The whole turn goes along: it stands if nothing comes of the asking. None = there is nothing to ask about.
    """
    content = command.content
    is_model = state.spec.seat(request.seat).occupant == "model"
    if argued is None or not is_model or not isinstance(content, Argument):
        return None
    why = own_text.which_is_held(argued, own_text.highest_on(state, content), content)
    failed = _failed(request, "contradicts", why, content.rationale, command.usage)
    return failed.model_copy(update={"content": content, "argues_for": argued})


def _or_weak(state: State, request: Request, command: TakeTurn) -> TakeTurn | FailTurn:
    """A critique that its own seat rates too low is asked once more, if an attempt is left."""
    if state.replies_lost(request.turn()) + 1 >= state.spec.protocol.attempts:
        return command
    why = content_faults.weak(state.phase(request.phase).min_strength, command.content)
    if why is None or not isinstance(command.content, Argument):
        return command
    return _failed(request, "weak", why, command.content.rationale, command.usage)


def _failed(request: Request, error: str, message: str, text: str, usage: Usage | None = None) -> FailTurn:
    fields = {"error": error, "message": message[:2_000], "partial": text[:MAX_TEXT_CHARS], "usage": usage}
    return FailTurn.model_validate({"by": request.seat, "request": request.id, **fields})


async def _cancel(tasks: Iterable[asyncio.Task[AnyCommand]]) -> None:
    """Cancel, and wait until each has let go."""
    cancelled = list(tasks)
    for task in cancelled:
        task.cancel()
    await asyncio.gather(*cancelled, return_exceptions=True)
