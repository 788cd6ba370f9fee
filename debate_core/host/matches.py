"""Plays the comparisons of a tournament as short debates, each with its own record in the same store.

The id of a match follows from the tournament and the turn, so that a process that takes over continues the match that
another one began. Only the run of its tournament asks the seats of a match.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from debate_core.engine import comparisons, limits, side_coverage
from debate_core.engine.engine import open_debate, requests, submit
from debate_core.engine.rights import HOST
from debate_core.engine.seat_view import View
from debate_core.errors import Conflict, Leased, RuleViolation, StoreError, UnknownDebate
from debate_core.host import runner
from debate_core.host.fillers import SeatSetup
from debate_core.host.random_ids import debate_id_from
from debate_core.host.run_options import RunOptions
from debate_core.host.stores import Store
from debate_core.record.commands import AnyCommand, Resume, Stop, TakeTurn
from debate_core.record.events import Event, utc_text
from debate_core.record.fold import replay
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.state import Request, State
from debate_core.seats import FREE, Filler, OnText, Paid, failed_turn
from debate_core.seats.pricing import cost_usd
from debate_core.seats.server_queue import ServerQueue
from debate_core.spec.contents import Verdict
from debate_core.spec.models import ModelLine
from debate_core.spec.presets.matches import JUDGE, advocate_of, match_spec
from debate_core.spec.protocol import Spec
from debate_core.spec.rotation import lending_seat, seat_in_round
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import MatchOf, Usage

MATCH_DEADLINE_S = 86_400.0
"""Each call of a match has its own deadline; the match also waits for places at its servers, which may take hours."""
PROMPT_TOKENS = 2_000
"""Added to each prompt of a match: its instructions can be longer than those of the comparison."""
REPEATS = 2
"""Repeated calls in the reservation of a match, at the cost of its verdict."""
LEASED_S = 1.0
RETRY_MS = 1_000
OnEvents = Callable[[Sequence[Event]], None]


def match_id(debate: str, turn: TurnId) -> str:
    """The id of the match that answers this turn of a tournament."""
    return debate_id_from(sha256(f"{debate} {turn}".encode()).digest())


@dataclass(frozen=True, slots=True)
class MatchSetting:
    """The store of a tournament, the fillers of a match, and the options of its run (by match id)."""

    store: Store
    fillers: Callable[[State], Mapping[str, Filler]]
    options: Callable[[str], RunOptions]


def with_matches(state: State, own: Mapping[str, Filler], setting: MatchSetting) -> Mapping[str, Filler]:
    """The fillers of a debate; in a tournament of short debates, models that compare hold a debate instead."""
    if not comparisons.has_matches(state.spec):
        return own
    roles = {phase.role for phase in state.spec.protocol.each_round if phase.paired}
    models = {seat.id for seat in state.spec.seats if seat.role in roles and seat.is_model}
    match_filler = MatchFiller(state, own, setting)
    return {**own, **{seat: match_filler for seat in own if seat in models}}


def matches_of(store: Store, tournament: State) -> tuple[Sequence[Event], ...]:
    """The records of the matches of a tournament, in the order of its comparisons."""
    if not comparisons.has_matches(tournament.spec):
        return ()
    found = []
    for turn in tournament.compared:
        with suppress(UnknownDebate):
            found.append(store.load(match_id(tournament.debate, turn)))
    return tuple(found)


def refuse_commands_to_match(state: State) -> None:
    """Raise RuleViolation for a match, which only its tournament runs and stops."""
    if match_of := state.spec.match_of:
        raise RuleViolation("this is a comparison of the tournament {debate}: act there", debate=match_of.debate)


def stop_matches(store: Store, tournament: State, *, at: datetime, on_events: OnEvents) -> None:
    """Stop the open matches of a tournament that asks for nothing more."""
    if requests(tournament):
        return
    for events in matches_of(store, tournament):
        _stop(store, replay(events), at=at, on_events=on_events)


def _stop(store: Store, match: State, *, at: datetime, on_events: OnEvents) -> None:
    if match.outcome is not None:
        return
    events = submit(match, Stop(by=HOST, reason="its tournament no longer asks for this comparison"), at=at)
    # A conflict means that it has just ended.
    with suppress(Conflict):
        store.append(match.debate, events, after=match.version)
        on_events(events)


class MatchFiller:
    """Answers comparisons by a match each, and other requests through the seat's own filler."""

    def __init__(self, tournament: State, own: Mapping[str, Filler], setting: MatchSetting) -> None:
        self._spec = tournament.spec
        self._debate = tournament.debate
        self._own = own
        self._setting = setting
        self.deadline_s = MATCH_DEADLINE_S
        # The queues of the servers are for the calls of the matches: a match with a place in one could wait for itself.
        self.queue = ServerQueue()

    async def __call__(self, request: Request, view: View, on_text: OnText) -> AnyCommand:
        if not view.phase.paired:
            return await self._filler_of(request)(request, view, on_text)
        debate_id = match_id(self._debate, request.turn())
        try:
            self._open(debate_id, request, view)
            state = await self._play(debate_id, request, on_text)
        except asyncio.CancelledError:
            self._stop_unless_asked(debate_id, request)
            raise
        return _answer(request, state)

    def reserve(self, request: Request, view: View) -> Usage:
        """Maximum usage of a match: five calls, and the verdict repeated."""
        own = self._filler_of(request)
        if not view.phase.paired:
            return own.reserve(request, view) if isinstance(own, Paid) else FREE
        side = self._own.get(lending_seat(self._spec, advocate_of(self._spec, request.seat), request.round), own)
        judge_line = self._line_of(request.seat, request.round)
        side_line = self._line_of(advocate_of(self._spec, request.seat), request.round)
        said = side_line.max_tokens
        opening = _reserved(side, side_line, request, view, said_before=0)
        rebuttal = _reserved(side, side_line, request, view, said_before=2 * said)
        verdict = _reserved(own, judge_line, request, view, said_before=4 * said)
        return limits.total([opening, opening, rebuttal, rebuttal, *[verdict] * (1 + REPEATS)])

    async def close(self) -> None:
        """Close the seats' own fillers."""
        paid = {id(filler): filler for filler in self._own.values() if isinstance(filler, Paid)}
        await asyncio.gather(*(filler.close() for filler in paid.values()))

    def _filler_of(self, request: Request) -> Filler:
        return self._own[lending_seat(self._spec, request.seat, request.round)]

    def _line_of(self, seat_id: str, number: int) -> ModelLine:
        line = self._spec.line(seat_in_round(self._spec, seat_id, number))
        assert line is not None, "only models compare in matches"
        return line

    def _open(self, debate_id: str, request: Request, view: View) -> None:
        """Open the match, or resume it where an earlier run left it."""
        store = self._setting.store
        options = self._setting.options(debate_id)
        at = options.clock()
        try:
            state = replay(store.load(debate_id))
        except UnknownDebate:
            tournament = replay(store.load(self._debate))
            spec = self._match_spec(tournament, request, view, at)
            owned = tournament.ownership
            events = open_debate(spec, debate_id=debate_id, at=at, by=HOST, owner=owned.owner, shared=owned.shared)
            SeatSetup().keep(store, debate_id)
            store.append(debate_id, events, after=0)
            options.on_events(events)
            return
        if state.paused is not None and state.outcome is None:
            events = submit(state, Resume(by=HOST), at=at)
            store.append(debate_id, events, after=state.version)
            options.on_events(events)

    def _match_spec(self, tournament: State, request: Request, view: View, at: datetime) -> Spec:
        first, second = view.options
        reserved = self.reserve(request, view)
        agreed = tournament.spec.ceiling()
        seconds = None
        if agreed is not None and agreed.seconds is not None:
            seconds = max(1, agreed.seconds - int(limits.elapsed_s(tournament, utc_text(at))))
        ceiling = Ceiling(calls=reserved.calls, tokens=reserved.all_tokens, seconds=seconds, usd=reserved.cost_usd)
        match_of = MatchOf(debate=self._debate, turn=request.place())
        return match_spec(
            self._spec,
            (first, second),
            request.seat,
            request.round,
            sources=view.sources,
            ceiling=ceiling,
            match_of=match_of,
        )

    async def _play(self, debate_id: str, request: Request, on_text: OnText) -> State:
        """Run the match to its end, or as far as possible now; the judge's text is that of the comparison."""
        options = self._setting.options(debate_id)

        def tell(asked: str, text: str, /, thinking: str = "") -> None:
            options.on_text(asked, text, thinking=thinking)
            if RequestId.parse(asked).seat == JUDGE:
                on_text(request.id, text, thinking=thinking)

        while True:
            try:
                return await runner.run(
                    debate_id, self._setting.store, self._setting.fillers, replace(options, on_text=tell)
                )
            except Leased as held:
                # The process that held it before has lost the tournament, and gives the match back soon.
                await asyncio.sleep(held.free_in_s or LEASED_S)

    def _stop_unless_asked(self, debate_id: str, request: Request) -> None:
        """Stop a cancelled match unless another run of the tournament will continue it."""
        store = self._setting.store
        options = self._setting.options(debate_id)
        try:
            asked = {request.turn() for request in requests(replay(store.load(self._debate)))}
            if request.turn() not in asked:
                _stop(store, replay(store.load(debate_id)), at=options.clock(), on_events=options.on_events)
        except StoreError:
            # The match stays open, and no run asks its seats.
            return


def _reserved(filler: Filler, line: ModelLine, request: Request, view: View, *, said_before: int) -> Usage:
    """The reservation of one call of a match, whose prompt has this many tokens of earlier turns."""
    if not isinstance(filler, Paid):
        return FREE
    alone = filler.reserve(request, view)
    more = alone.calls * (PROMPT_TOKENS + said_before)
    written = alone.cache_write_tokens
    usage = alone.model_copy(
        update={
            "input_tokens": alone.input_tokens + more,
            "cache_write_tokens": None if written is None else written + more,
        }
    )
    return usage.model_copy(update={"cost_usd": cost_usd(usage, line)})


def _answer(request: Request, state: State) -> AnyCommand:
    """The verdict of a finished match as the answer to the comparison, else a failed attempt with its reason."""
    if state.outcome is None:
        # What it has used is counted with the answer of a later attempt.
        why = f"the short debate waits: {state.paused or 'its run was interrupted'}"
        can_retry = state.paused is None
        retry_after_ms = RETRY_MS if can_retry else 0
        return failed_turn(
            request, "failed", why, "", FREE, permanent=not can_retry, retry_after_ms=retry_after_ms, transport=True
        )
    used = limits.spent(state)
    verdict = next((turn for turn in state.all_turns() if turn.seat == JUDGE and turn.status == "ok"), None)
    if verdict is None or not isinstance(verdict.content, Verdict) or side_coverage.unheard(state):
        why = f"the short debate {state.debate} gave no verdict: it ended by {state.outcome.ended_by}"
        return failed_turn(request, "failed", why, "", used, permanent=True, reached=True)
    content = Verdict(
        reasoning=verdict.content.reasoning, option=verdict.content.option, confidence=verdict.content.confidence
    )
    return TakeTurn(by=request.seat, request=request.id, content=content, usage=used, match=state.debate)
