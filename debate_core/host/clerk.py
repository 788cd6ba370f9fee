"""What a run of a debate writes, and whom it asks: a `Clerk` who goes by the rules of the engine.

It holds the state, and knows limits, places at servers and patience. What is asked, what may be spent and what is too
weak is said by the engine. Of who sits in a seat it knows whether somebody pays for it, and whether it is a model. It
writes nothing into the record and asks nobody: see `debate_core/host/course.py`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from functools import cached_property

from debate_core.engine import ceiling, content_faults, own_text, stage
from debate_core.engine.engine import advance, requests
from debate_core.engine.rights import HOST, RUNNER
from debate_core.engine.seat_view import View, view
from debate_core.errors import BadReply, RuleViolation, TooMany
from debate_core.host.course import LEASE_TTL_S, SOON_S, Attempt, Batch
from debate_core.host.daily_budget import NOTHING
from debate_core.host.patience import PARK_S, Patience
from debate_core.host.run_options import RunOptions
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
from debate_core.seats import Filler, Paid
from debate_core.spec.contents import Argument
from debate_core.spec.values import MAX_TEXT_CHARS, Axis, Usage

Fillers = Mapping[str, Filler] | Callable[[State], Mapping[str, Filler]]
"""Who answers for a seat, by seat id; people are left out. A function is asked once, with the state at the start."""

"""Actor of what the runner decides: nothing but that a limit is reached, or that a wait took too long."""
LOOK_S = 0.5
"""How often to look for what others have appended, when nobody wakes us."""


class DebateClerk:
    """The clerk of one run of one debate."""

    _patience: Patience
    """From `begin` on."""

    def __init__(self, fillers: Fillers, options: RunOptions) -> None:
        self._found_by = fillers
        self._options = options
        self._state: State | None = None
        self._draft: _Draft | None = None
        """Of the batch that it gave last."""

    @property
    def state(self) -> State:
        """What the record says, as far as it was taken in."""
        assert self._state is not None
        return self._state

    @property
    def version(self) -> int:
        return self.state.version

    @cached_property
    def fillers(self) -> Mapping[str, Filler]:
        """Who answers for a seat; found when it is first asked for."""
        return self._found_by(self.state) if callable(self._found_by) else self._found_by

    @cached_property
    def paid(self) -> Mapping[str, Paid]:
        """Those of them that somebody pays for. Looked up once: each name of a protocol is asked for."""
        return {seat: filler for seat, filler in self.fillers.items() if isinstance(filler, Paid)}

    def take_in(self, events: Sequence[Event]) -> None:
        self._state = replay(events, self._state)

    def overdue(self) -> Sequence[Event]:
        if not stage.waited_too_long(self.state, at=utc_text(self._options.clock())):
            return ()
        self._draft = _Draft(self.state)
        self._draft.add(EndWait(by=RUNNER), at=self._options.clock())
        return self._draft.events

    def begin(self) -> None:
        self._patience = Patience(self.state, at=self._options.clock(), parks=self._options.waits_hours)
        for paid in self.paid.values():
            paid.queue.open(at=self._options.clock(), waits_hours=self._options.waits_hours)

    def next_batch(self, answers: Mapping[str, AnyCommand], under_way: Collection[str]) -> Batch:
        draft = self._draft = _Draft(self.state)
        for request_id, command in answers.items():
            self._take(draft, request_id, command)
        while end := self._given_up(draft.state, under_way):
            draft.add(end, at=self._options.clock())
        with ExitStack() as give_back:
            draft.attempts = self._plan_attempts(draft, under_way, give_back)
            return Batch(draft.events, draft.attempts, give_back.pop_all())

    def kept(self) -> None:
        assert self._draft is not None
        self._state = self._draft.state
        for attempt in self._draft.attempts:
            self._patience.asking(attempt.request)

    def has_seats_to_ask(self) -> bool:
        return bool(self._to_ask(self.state))

    def parks_until(self) -> datetime | None:
        if not self._options.waits_hours:
            return None
        wait_s = min((self._wait_s(request) or 0 for request in self._to_ask(self.state)), default=0)
        return self._options.clock() + timedelta(seconds=wait_s) if wait_s > PARK_S else None

    def open_request_ids(self) -> Collection[str]:
        still_open = _open_requests(self.state)
        if self._options.is_ending():
            # Scripts and code say the same again for nothing.
            still_open = tuple(request for request in still_open if request.seat in self.paid)
        return {request.id for request in still_open}

    def look_s(self, under_way: Collection[str]) -> float:
        # What is held (the lease, places at servers) is renewed in between.
        look_s = LOOK_S if self._options.look_s is None else min(self._options.look_s, LEASE_TTL_S / 3)
        for request in self._to_ask(self.state):
            if request.id in under_way:
                continue
            wait_s = self._wait_s(request)
            if request.seat in self.paid and (wait_s is None or wait_s <= 0):
                # It waits for a place at its server, and nobody tells us when another debate leaves one.
                look_s = min(look_s, LOOK_S)
            elif wait_s is not None:
                # Not less than SOON_S: a seat that a ceiling holds back is due all the time.
                look_s = min(look_s, max(SOON_S, wait_s))
        return look_s

    def answered(self, attempt: Attempt, command: AnyCommand) -> AnyCommand:
        """What one attempt has come to, and what the queue learns from it. BadReply if it is no answer to this attempt.

        A call without a reply says whether it is made again.
        """
        request = attempt.request
        paid = self.paid.get(request.seat)
        if not isinstance(command, TakeTurn | FailTurn | SkipTurn) or command.request != request.id:
            raise BadReply("the seat answered with something other than its turn")
        if attempt.place is None or paid is None:
            return command
        if isinstance(command, FailTurn) and command.transport:
            at = self._options.clock()
            deadline_s = paid.deadline_s
            return self._patience.after(self.state, request, command, attempt.place, deadline_s=deadline_s, at=at)
        attempt.place.answered(at=self._options.clock())
        return command

    def _to_ask(self, state: State) -> tuple[Request, ...]:
        """What seats other than a person's are to be asked; nothing during a pause, and once this process is ending."""
        if state.paused is not None or self._options.is_ending():
            return ()
        return tuple(request for request in _open_requests(state) if request.seat in self.fillers)

    def _take(self, draft: "_Draft", request_id: str, command: AnyCommand) -> None:
        """Nothing comes of an answer that is no longer asked, a failed attempt of one that the rules refuse."""
        request = next((request for request in _open_requests(draft.state) if request.id == request_id), None)
        if request is None:
            return
        try:
            self._add_or_ask_back(draft, request, command)
        except RuleViolation as error:
            usage = command.usage if isinstance(command, TakeTurn) else None
            draft.add(failed(request, BadReply.error, str(error), "", usage), at=self._options.clock())

    def _add_or_ask_back(self, draft: "_Draft", request: Request, command: AnyCommand) -> None:
        """A whole turn is asked about once if it is too weak by its own rating, or its ballot contradicts its text."""
        before = draft.state
        asked = {turn.status for turn in before.failed_attempts if turn.place() == request.place()}
        if isinstance(command, TakeTurn) and "weak" not in asked:
            command = _asked_back_if_weak(before, request, command)
        at = self._options.clock()
        events, after = advance(before, command, at=at)
        taken = events[0].body
        if isinstance(command, TakeTurn) and isinstance(taken, TurnTaken) and "contradicts" not in asked:
            # The engine has read the text already: reading it takes longer than all the rest.
            back = _asked_back_if_contradicting(before, request, command, taken.argues_for)
            if back is not None:
                events, after = advance(before, back, at=at)
        draft.take(events, after)

    def _given_up(self, state: State, under_way: Collection[str]) -> FailTurn | None:
        """The end of a turn for whose server nobody waits any longer."""
        for request in self._to_ask(state):
            paid = self.paid.get(request.seat)
            if paid is None or request.id in under_way:
                continue
            if end := self._patience.given_up(request, paid, at=self._options.clock()):
                return end
        return None

    def _plan_attempts(self, draft: "_Draft", under_way: Collection[str], give_back: ExitStack) -> list[Attempt]:
        """Attempts at all that is due, may be paid for and has a place at its server.

        The limit that was met if nothing else is left. `give_back` gets what frees again what is reserved for them.
        """
        begun: list[Attempt] = []
        too_expensive: list[Truncate | WaitAtLimit | Pause] = []
        # Fewer attempts first: of those who wait for a server another one tests whether it is back each time, for what
        # is wrong there may be wrong for one model alone.
        for request in sorted(self._to_ask(draft.state), key=lambda request: request.attempt):
            if request.id in under_way or not self._is_due(draft.state, request):
                continue
            attempt = self._attempt(draft.state, request, give_back)
            if isinstance(attempt, Attempt):
                start = StartAttempt(by=request.seat, request=request.id, reserved=attempt.reserved)
                draft.add(start, at=self._options.clock())
                begun.append(attempt)
            elif attempt is not None:
                too_expensive.append(attempt)
        # What is still being answered may leave more than it had reserved.
        if too_expensive and not begun and not under_way:
            draft.add(too_expensive[0], at=self._options.clock())
        return begun

    def _is_due(self, state: State, request: Request) -> bool:
        """True unless it is known that nobody can answer it yet: then there is no use in preparing a call."""
        wait_s = _retry_wait_s(state, request, self._options.clock())
        if wait_s is not None and wait_s > 0:
            return False
        paid = self.paid.get(request.seat)
        return paid is None or paid.queue.may_enter(at=self._options.clock())

    def _attempt(
        self, state: State, request: Request, give_back: ExitStack
    ) -> Attempt | Truncate | WaitAtLimit | Pause | None:
        """An attempt that may begin now, or what follows as it could pass a limit; None = its server has no place."""
        paid = self.paid.get(request.seat)
        seen = view(state, request)
        reserved = None if paid is None else paid.reserve(request, seen)
        if axis := ceiling.passed(state, reserved, at=utc_text(self._options.clock())):
            return self._limit_met(state, request, reserved, axis)
        if paid is None or reserved is None:
            return Attempt(request, seen)
        return self._reserve(request, seen, reserved, paid, give_back)

    def _reserve(
        self, request: Request, seen: View, reserved: Usage, paid: Paid, give_back: ExitStack
    ) -> Attempt | Pause | None:
        """An attempt with its place at its server and in the budget of the day; None = its server has no place now."""
        at = self._options.clock()
        place = paid.queue.enter(reserved.all_tokens, at=at)
        if place is None:
            return None
        give_back.callback(place.leave, at=at)
        try:
            spending = NOTHING if self._options.budget is None else self._options.budget.reserve(reserved)
        except TooMany as error:
            place.leave(at=at)
            return Pause(by=HOST, reason=str(error))
        give_back.callback(spending.give_back)
        return Attempt(request, seen, place, reserved, spending)

    def _limit_met(self, state: State, request: Request, reserved: Usage | None, axis: Axis) -> Truncate | WaitAtLimit:
        if self._options.at_limit == "end":
            return Truncate(by=RUNNER, request=request.id, reserved=reserved)
        reason = f"the limit of {agreed_limit(state, axis)} does not allow the next call"
        return WaitAtLimit(by=RUNNER, request=request.id, reserved=reserved, reason=reason)

    def _wait_s(self, request: Request) -> float | None:
        """How long not to ask yet, by what was recorded and by the queue; None if neither says so."""
        at = self._options.clock()
        paid = self.paid.get(request.seat)
        wait_s = _retry_wait_s(self.state, request, at)
        next_call = None if paid is None else paid.queue.next_call(at=at)
        return wait_s if next_call is None else max(wait_s or 0, (next_call - at).total_seconds())


class _Draft:
    """A batch while it is drawn up: events that are appended together, the state after them, and who is asked then."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.attempts: Sequence[Attempt] = ()

    def add(self, command: AnyCommand, *, at: datetime) -> None:
        """What this command makes of the state. RuleViolation leaves everything as it is."""
        self.take(*advance(self.state, command, at=at))

    def take(self, events: Sequence[Event], after: State) -> None:
        """Events of the state as it was, and the state after them."""
        self.state = after
        self.events += events


def _open_requests(state: State) -> tuple[Request, ...]:
    """What may be answered now, during a pause too, less the seats that a person took over."""
    taken_over = stage.sitting(state)
    return tuple(request for request in requests(state) if request.seat not in taken_over)


def _retry_wait_s(state: State, request: Request, at: datetime) -> float | None:
    """How long not to ask yet, 0 or less = ask now; None if the attempt before does not say so."""
    for turn in reversed(state.failed_attempts):
        if turn.place() == request.place() and turn.attempts == request.attempt - 1:
            since = at - datetime.fromisoformat(turn.at)
            return turn.retry_after_ms / 1000 - since.total_seconds() if turn.retry_after_ms else None
    return None


def _asked_back_if_contradicting(
    state: State, request: Request, command: TakeTurn, argued: str | None
) -> FailTurn | None:
    """A model whose text argues for another option than its ballot is asked which it holds; code and scripts are not.

    The whole turn goes along: it stands if nothing comes of the asking. None = there is nothing to ask about.
    """
    content = command.content
    is_model = state.spec.seat(request.seat).is_model
    if argued is None or not is_model or not isinstance(content, Argument):
        return None
    why = own_text.which_is_held(argued, own_text.highest_on(state, content), content)
    asked_back = failed(request, "contradicts", why, content.rationale, command.usage)
    return asked_back.model_copy(update={"content": content, "argues_for": argued})


def _asked_back_if_weak(state: State, request: Request, command: TakeTurn) -> TakeTurn | FailTurn:
    """A critique that its own seat rates too low is asked once more, if an attempt is left."""
    if state.replies_lost(request.turn()) + 1 >= state.spec.protocol.attempts:
        return command
    why = content_faults.weak(state.phase(request.phase).min_strength, command.content)
    if why is None or not isinstance(command.content, Argument):
        return command
    return failed(request, "weak", why, command.content.rationale, command.usage)


def failed(request: Request, error: str, message: str, text: str, usage: Usage | None = None) -> FailTurn:
    """An attempt that came to nothing, with the text that was heard of it."""
    fields = {"error": error, "message": message[:2_000], "partial": text[:MAX_TEXT_CHARS], "usage": usage}
    return FailTurn.model_validate({"by": request.seat, "request": request.id, **fields})
