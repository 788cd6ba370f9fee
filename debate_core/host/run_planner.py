"""Plans one run of a debate: which events to write and which seats to ask, by the rules of the engine.

It holds the state and applies limits, server places and the retry policy. Of the occupant of a seat it knows only
whether calls cost money and whether it is a model. It writes no record and asks no seat; see
`debate_core/host/run_loop.py`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property

from debate_core.engine import ballot_consistency, limits, stage, stop_functions, validate_content
from debate_core.engine.engine import advance, requests
from debate_core.engine.rights import HOST, RUNNER
from debate_core.engine.seat_view import View, view
from debate_core.errors import BadReply, InvalidSpec, RuleViolation, TooMany
from debate_core.host.daily_budget import NOTHING
from debate_core.host.retry_policy import PARK_S, RetryPolicy
from debate_core.host.run_loop import LEASE_TTL_S, SOON_S, Attempt, Batch
from debate_core.host.run_options import RunOptions
from debate_core.record import commands
from debate_core.record.events import Event, TurnTaken, utc_text
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.report.phrases.limits import agreed_limit
from debate_core.seats import Filler, Paid
from debate_core.spec.contents import Argument
from debate_core.spec.rotation import lending_seat
from debate_core.spec.values import MAX_INSTRUCTION_CHARS, MAX_TEXT_CHARS, Usage

Fillers = Mapping[str, Filler] | Callable[[State], Mapping[str, Filler]]
"""Fillers by seat id, without people. A function is called once, with the state at the start."""

LOOK_S = 0.5
"""How often to check for events that others appended, without a notification."""


class RunPlanner:
    """The planner of one run of one debate."""

    _patience: RetryPolicy
    """Set by `begin`."""

    def __init__(self, fillers: Fillers, options: RunOptions) -> None:
        self._found_by = fillers
        self._options = options
        self._state: State | None = None
        self._draft: _Draft | None = None
        """The draft of the last batch."""

    @property
    def state(self) -> State:
        """The state of the record as read so far."""
        assert self._state is not None
        return self._state

    @property
    def version(self) -> int:
        return self.state.version

    @cached_property
    def fillers(self) -> Mapping[str, Filler]:
        """Fillers by seat id; looked up on first use."""
        return self._found_by(self.state) if callable(self._found_by) else self._found_by

    @cached_property
    def paid(self) -> Mapping[str, Paid]:
        """The fillers whose calls cost money. Cached, because the protocol check reads every attribute."""
        return {seat: filler for seat, filler in self.fillers.items() if isinstance(filler, Paid)}

    def filler_for(self, request: Request) -> Filler | None:
        """The filler of this request: in a debate that rotates its models, that of another seat."""
        return self.fillers.get(lending_seat(self.state.spec, request.seat, request.round))

    def paid_for(self, request: Request) -> Paid | None:
        """The filler of this request if its calls cost money."""
        return self.paid.get(lending_seat(self.state.spec, request.seat, request.round))

    def take_in(self, events: Sequence[Event]) -> None:
        self._state = replay(events, self._state)

    def overdue(self) -> Sequence[Event]:
        if not stage.waited_too_long(self.state, at=utc_text(self._options.clock())):
            return ()
        self._draft = _Draft(self.state)
        self._draft.add(commands.EndWait(by=RUNNER), at=self._options.clock())
        return self._draft.events

    def begin(self) -> None:
        # Before any seat is asked: without the function, its round could not end.
        stop_functions.refuse_unknown(self.state.spec.protocol)
        self._patience = RetryPolicy(self.state, at=self._options.clock(), parks=self._options.waits_hours)
        for paid in self.paid.values():
            paid.queue.open(at=self._options.clock(), waits_hours=self._options.waits_hours)

    def next_batch(self, answers: Mapping[str, commands.AnyCommand], under_way: Collection[str]) -> Batch:
        draft = self._draft = _Draft(self.state)
        for request_id, command in answers.items():
            self._add_answer(draft, request_id, command)
        while end := self._give_up(draft.state, under_way):
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
            # Scripts and code repeat their answers at no cost.
            still_open = tuple(request for request in still_open if self.paid_for(request))
        return {request.id for request in still_open}

    def look_s(self, under_way: Collection[str]) -> float:
        # Leases and server places are renewed in between.
        look_s = LOOK_S if self._options.look_s is None else min(self._options.look_s, LEASE_TTL_S / 3)
        for request in self._to_ask(self.state):
            if request.id in under_way:
                continue
            wait_s = self._wait_s(request)
            if self.paid_for(request) and (wait_s is None or wait_s <= 0):
                # It waits for a place at its server, and other debates send no notification when they leave one.
                look_s = min(look_s, LOOK_S)
            elif wait_s is not None:
                # At least SOON_S: a seat that a limit holds back is ready all the time.
                look_s = min(look_s, max(SOON_S, wait_s))
        return look_s

    def answered(self, attempt: Attempt, command: commands.AnyCommand) -> commands.AnyCommand:
        """Evaluate the answer to one attempt and update the server queue. BadReply if it answers something else.

        A failed call says whether it will be repeated.
        """
        request = attempt.request
        paid = self.paid_for(request)
        if (
            not isinstance(command, commands.LookUp | commands.TakeTurn | commands.FailTurn | commands.SkipTurn)
            or command.request != request.id
        ):
            raise BadReply("the seat answered with something other than its turn")
        if attempt.place is None or paid is None:
            return command
        if isinstance(command, commands.FailTurn) and command.transport:
            at = self._options.clock()
            deadline_s = paid.deadline_s
            return self._patience.after(self.state, request, command, attempt.place, deadline_s=deadline_s, at=at)
        attempt.place.answered(at=self._options.clock())
        return command

    def _to_ask(self, state: State) -> tuple[Request, ...]:
        """Open requests of seats with a filler; none during a pause or a shutdown."""
        if state.paused is not None or self._options.is_ending():
            return ()
        return tuple(request for request in _open_requests(state) if self.filler_for(request))

    def _add_answer(self, draft: "_Draft", request_id: str, command: commands.AnyCommand) -> None:
        """Add an answer: closed requests are ignored, refused answers become failed attempts."""
        request = next((request for request in _open_requests(draft.state) if request.id == request_id), None)
        if request is None:
            return
        try:
            self._add_or_ask_back(draft, request, command)
        except RuleViolation as error:
            usage = command.usage if isinstance(command, commands.LookUp | commands.TakeTurn) else None
            draft.add(failed(request, BadReply.error, str(error), "", usage), at=self._options.clock())

    def _add_or_ask_back(self, draft: "_Draft", request: Request, command: commands.AnyCommand) -> None:
        """Add a turn, or ask once more if it is too weak, contradicts itself or does not match the output schema."""
        before = draft.state
        asked = {turn.status for turn in before.failed_attempts if turn.place() == request.place()}
        if isinstance(command, commands.TakeTurn) and "weak" not in asked:
            command = _ask_back_if_weak(before, request, command)
        at = self._options.clock()
        events, after = advance(before, command, at=at)
        taken = events[0].body
        if isinstance(command, commands.TakeTurn) and isinstance(taken, TurnTaken):
            back = _ask_back(before, request, command, taken, asked)
            if back is not None:
                events, after = advance(before, back, at=at)
        draft.take(events, after)

    def _give_up(self, state: State, under_way: Collection[str]) -> commands.FailTurn | None:
        for request in self._to_ask(state):
            paid = self.paid_for(request)
            if paid is None or request.id in under_way:
                continue
            if end := self._patience.given_up(request, paid, at=self._options.clock()):
                return end
        return None

    def _plan_attempts(self, draft: "_Draft", under_way: Collection[str], give_back: ExitStack) -> list[Attempt]:
        """Plan attempts for all requests that are ready, within limits and have a place at their server.

        Records the limit that was met if nothing else remains. `give_back` collects what releases the reservations.
        """
        begun: list[Attempt] = []
        too_expensive: list[commands.Truncate | commands.WaitAtLimit | commands.Pause] = []
        # Fewest attempts first: then a different seat tests each time whether a server is back, in case the fault
        # concerns one model only.
        for request in sorted(self._to_ask(draft.state), key=lambda request: request.attempt):
            if request.id in under_way or not self._is_due(draft.state, request):
                continue
            attempt = self._plan_attempt(draft.state, request, give_back)
            if isinstance(attempt, Attempt):
                start = commands.StartAttempt(
                    by=request.seat,
                    request=request.id,
                    reserved=attempt.reserved,
                    instructions=attempt.instructions,
                )
                draft.add(start, at=self._options.clock())
                begun.append(attempt)
            elif attempt is not None:
                too_expensive.append(attempt)
        # Running calls may leave part of their reservation unused.
        if too_expensive and not begun and not under_way:
            draft.add(too_expensive[0], at=self._options.clock())
        return begun

    def _is_due(self, state: State, request: Request) -> bool:
        """True if a call can start now, as far as is known before preparing it."""
        wait_s = _retry_wait_s(state, request, self._options.clock())
        if wait_s is not None and wait_s > 0:
            return False
        paid = self.paid_for(request)
        return paid is None or paid.queue.may_enter(at=self._options.clock())

    def _plan_attempt(
        self, state: State, request: Request, give_back: ExitStack
    ) -> Attempt | commands.Truncate | commands.WaitAtLimit | commands.Pause | None:
        """An attempt that can start, or the command for a limit that it could pass; None = no place at its server."""
        paid = self.paid_for(request)
        seen = view(state, request)
        instructions = None if paid is None else self._instructions_for(seen)
        if instructions is not None:
            seen = replace(seen, instructions=(*seen.instructions, instructions))
        reserved = None if paid is None else paid.reserve(request, seen)
        if axis := limits.passed(state, reserved, at=utc_text(self._options.clock())):
            if self._options.at_limit == "end":
                return commands.Truncate(by=RUNNER, request=request.id, reserved=reserved)
            reason = f"the limit of {agreed_limit(state, axis)} does not allow the next call"
            return commands.WaitAtLimit(by=RUNNER, request=request.id, reserved=reserved, reason=reason)
        if paid is None or reserved is None:
            return Attempt(request, seen)
        reserved_attempt = self._reserve(request, seen, reserved, paid, give_back)
        if instructions is None or not isinstance(reserved_attempt, Attempt):
            return reserved_attempt
        return replace(reserved_attempt, instructions=instructions)

    def _instructions_for(self, seen: View) -> str | None:
        """Instructions for one call by the caller's function; None = none. InvalidSpec if they are too long."""
        instruct = self._options.instructions.get(seen.seat.id)
        text = "" if instruct is None else instruct(seen)
        if len(text) > MAX_INSTRUCTION_CHARS:
            raise InvalidSpec(
                "the instructions of seat {seat} have {n} characters: at most {max_chars} are allowed",
                seat=seen.seat.id,
                n=len(text),
                max_chars=MAX_INSTRUCTION_CHARS,
            )
        return text or None

    def _reserve(
        self, request: Request, seen: View, reserved: Usage, paid: Paid, give_back: ExitStack
    ) -> Attempt | commands.Pause | None:
        """Reserve a server place and daily budget for an attempt; None = no place now."""
        at = self._options.clock()
        place = paid.queue.enter(reserved.all_tokens, at=at)
        if place is None:
            return None
        give_back.callback(place.leave, at=at)
        try:
            spending = NOTHING if self._options.budget is None else self._options.budget.reserve(reserved)
        except TooMany as error:
            place.leave(at=at)
            return commands.Pause(by=HOST, reason=str(error))
        give_back.callback(spending.give_back)
        return Attempt(request, seen, place, reserved, spending)

    def _wait_s(self, request: Request) -> float | None:
        """Seconds until this request may be asked, by the record and the queue; None if neither sets a time."""
        at = self._options.clock()
        paid = self.paid_for(request)
        wait_s = _retry_wait_s(self.state, request, at)
        next_call = None if paid is None else paid.queue.next_call(at=at)
        return wait_s if next_call is None else max(wait_s or 0, (next_call - at).total_seconds())


class _Draft:
    """A batch in preparation: its events, the state after them, and the attempts that follow."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.attempts: Sequence[Attempt] = ()

    def add(self, command: commands.AnyCommand, *, at: datetime) -> None:
        """Apply this command. RuleViolation changes nothing."""
        self.take(*advance(self.state, command, at=at))

    def take(self, events: Sequence[Event], after: State) -> None:
        self.state = after
        self.events += events


def _open_requests(state: State) -> tuple[Request, ...]:
    """Requests open now, also during a pause, except of seats that a person took over."""
    taken_over = stage.sitting(state)
    return tuple(request for request in requests(state) if request.seat not in taken_over)


def _retry_wait_s(state: State, request: Request, at: datetime) -> float | None:
    """Seconds until the next attempt, 0 or less = now; None if the last attempt set no time."""
    for turn in reversed(state.failed_attempts):
        if turn.place() == request.place() and turn.attempts == request.attempt - 1:
            since = at - datetime.fromisoformat(turn.at)
            return turn.retry_after_ms / 1000 - since.total_seconds() if turn.retry_after_ms else None
    return None


def _ask_back(
    state: State, request: Request, command: commands.TakeTurn, taken: TurnTaken, asked: Collection[str]
) -> commands.FailTurn | None:
    """Ask once more if the turn contradicts itself, then if it does not match the output schema; each only once."""
    if "contradicts" not in asked:
        # Reuse the engine's reading of the text, which is the slowest step.
        back = _ask_back_if_contradicting(state, request, command, taken.argues_for)
        if back is not None:
            return back
    return None if "mismatch" in asked else _ask_back_if_not_matching(state, request, command)


def _ask_back_if_contradicting(
    state: State, request: Request, command: commands.TakeTurn, argued: str | None
) -> commands.FailTurn | None:
    """Ask a model that argues for another option than its ballot which one it holds; None if it does not.

    The attempt keeps the whole turn, which stands if no answer follows. Code and scripts are not asked.
    """
    content = command.content
    is_model = state.spec.seat(request.seat).is_model
    if argued is None or not is_model or not isinstance(content, Argument):
        return None
    why = ballot_consistency.which_is_held(argued, ballot_consistency.highest_on(state, content), content)
    asked_back = failed(request, "contradicts", why, content.rationale, command.usage)
    return asked_back.model_copy(update={"content": content, "argues_for": argued})


def _ask_back_if_not_matching(state: State, request: Request, command: commands.TakeTurn) -> commands.FailTurn | None:
    """Ask a model once for a deliverable that matches the output schema; None if it matches.

    The attempt keeps the whole turn, which stands if no answer follows. Code and scripts are not asked.
    """
    if not state.spec.seat(request.seat).is_model:
        return None
    why = validate_content.mismatch_of(state.spec, command.content)
    if why is None:
        return None
    asked_back = failed(request, "mismatch", why, command.content.prose, command.usage)
    return asked_back.model_copy(update={"content": command.content})


def _ask_back_if_weak(
    state: State, request: Request, command: commands.TakeTurn
) -> commands.TakeTurn | commands.FailTurn:
    """Ask once more for a critique that its own seat rates too low, if an attempt is left."""
    if state.replies_lost(request.turn()) + 1 >= state.spec.protocol.attempts:
        return command
    why = validate_content.weak(state.phase(request.phase).min_strength, command.content)
    if why is None or not isinstance(command.content, Argument):
        return command
    return failed(request, "weak", why, command.content.rationale, command.usage)


def failed(request: Request, error: str, message: str, text: str, usage: Usage | None = None) -> commands.FailTurn:
    """The command for a failed attempt, with the partial text received."""
    fields = {"error": error, "message": message[:2_000], "partial": text[:MAX_TEXT_CHARS], "usage": usage}
    return commands.FailTurn.model_validate({"by": request.seat, "request": request.id, **fields})
