"""Hold debates on judged questions under several protocols and panels, and keep every answered call.

A folder contains a record of each finished debate, and a database with the running ones. The id of a debate is a digest
of its spec, so that a changed prompt or model makes a new debate.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from debate_core.engine import stage
from debate_core.engine.audit import refuse_broken
from debate_core.engine.engine import open_debate, submit
from debate_core.errors import InvalidSpec
from debate_core.evaluation.questions import JudgedQuestion
from debate_core.host import runner
from debate_core.host.fillers import Access, SeatSetup, fillers_of
from debate_core.host.matches import MatchSetting, OnEvents, with_matches
from debate_core.host.random_ids import debate_id_from
from debate_core.host.run_options import RunOptions
from debate_core.host.stores import Store, open_store
from debate_core.record.commands import Resume
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.ballot_moves import Moves, ballot_moves, count_moves
from debate_core.report.facts.judge_statistics import Forecast, brier_score, mean_probability
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.seats import Filler
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Spec

AT_ONCE = 8
"""Number of concurrent debates; a model line limits the concurrent calls of its server."""
HOLDER = "operator"


class Contender(NamedTuple):
    """A way to decide: a protocol with a panel of models."""

    protocol: str
    panel: str


@dataclass(frozen=True, slots=True)
class Planned:
    """One debate of the grid."""

    contender: Contender
    asked: JudgedQuestion
    spec: Spec

    @property
    def id(self) -> str:
        """Name of its file: protocol and digest of the spec."""
        return f"{self.spec.protocol.name[:40]}-{self._digest().hex()[:20]}"

    @property
    def debate_id(self) -> str:
        """Id of the debate, the same in every run, so that an interrupted one is continued."""
        return debate_id_from(self._digest())

    def _digest(self) -> bytes:
        return sha256(self.spec.model_dump_json().encode()).digest()


@dataclass(frozen=True, slots=True)
class HeldDebate:
    """The result of a finished debate; None for unknown figures."""

    contender: Contender
    asked: JudgedQuestion
    answer: str | None
    """None if nothing was decided."""
    brier: float | None
    """Brier score of the voters' stated confidence; None if no voter stated one."""
    moves: Moves
    """Debaters whose last ballot favours another option than their first."""
    calls: int
    usd: float | None
    seconds: float

    @property
    def right(self) -> bool:
        """True if it decided for the right answer; False for an undecided debate."""
        return self.answer == self.asked.answer


def hold_all(
    planned: Sequence[Planned],
    folder: Path,
    access: Access,
    *,
    told: Callable[[State], None] = lambda _state: None,
    on_events: OnEvents = lambda _events: None,
) -> tuple[HeldDebate, ...]:
    """Hold the missing debates, and return the results of all finished ones, in the planned order.

    `told` receives each debate that was held now, `on_events` all events during the debates. A debate that waits for a
    server or a limit is omitted, and continues with the next call. InvalidSpec if a record in the folder is broken.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with closing(open_store(f"sqlite:///{folder / 'under_way.db'}")) as store:
        states = asyncio.run(_hold_concurrently(planned, store, folder, access, told, on_events))
    return tuple(_held_debate(one, state) for one, state in zip(planned, states, strict=True) if state.outcome)


async def _hold_concurrently(
    planned: Sequence[Planned],
    store: Store,
    folder: Path,
    access: Access,
    told: Callable[[State], None],
    on_events: OnEvents,
) -> list[State]:
    free = asyncio.Semaphore(AT_ONCE)

    async def hold(debate: Planned) -> State:
        kept = folder / f"{debate.id}.jsonl"
        if kept.is_file():
            events = parse_record(kept.read_bytes())
            refuse_broken(events, f"record {kept}")
            return replay(events)
        async with free:
            state = await _run_debate(debate, store, access, on_events)
        if state.outcome is not None:
            part = kept.with_suffix(".part")
            part.write_text(dump_record(store.load(debate.debate_id)), "utf-8")
            part.replace(kept)
        told(state)
        return state

    return await asyncio.gather(*map(hold, planned))


async def _run_debate(debate: Planned, store: Store, access: Access, on_events: OnEvents) -> State:
    setup = SeatSetup()
    if debate.debate_id not in store.debates():
        setup.keep(store, debate.debate_id)
        first = open_debate(debate.spec, debate_id=debate.debate_id, at=runner.now(), by=HOLDER)
        store.append(debate.debate_id, first, after=0)
    else:
        state = replay(store.load(debate.debate_id))
        waits_for_server = state.paused is not None and state.limit_met is None
        if waits_for_server and state.outcome is None:
            again = Resume(by=HOLDER, reason="evaluated again")
            store.append(debate.debate_id, submit(state, again, at=runner.now()), after=state.version)
    options = RunOptions(on_events=on_events, deadline_s=access.turn_deadline_s)
    matches = MatchSetting(store, lambda match: fillers_of(match, setup, access), lambda _match: options)

    def find_fillers(state: State) -> Mapping[str, Filler]:
        return with_matches(state, fillers_of(state, setup, access), matches)

    return await runner.run(debate.debate_id, store, find_fillers, options)


def _held_debate(debate: Planned, state: State) -> HeldDebate:
    used = used_in(usage_rows(state))
    took = datetime.fromisoformat(state.closed_at) - datetime.fromisoformat(state.opened_at)
    forecast = _forecast(state)
    right = debate.asked.answer
    return HeldDebate(
        contender=debate.contender,
        asked=debate.asked,
        answer=stage.final_decision(state).option,
        brier=None if forecast is None else brier_score(forecast, right),
        moves=count_moves([(right, ballot_moves(state))]),
        calls=used.calls,
        usd=None if used.cost_usd is None else float(used.cost_usd),
        seconds=took.total_seconds(),
    )


def _forecast(state: State) -> Forecast | None:
    """Mean of the last ballots: the stated confidence for the vote, the rest in equal shares for the other options."""
    stated: dict[str, Forecast] = {}
    for turn in state.turns:
        said = turn.content
        if isinstance(said, Argument) and said.vote in state.spec.options and said.confidence is not None:
            sure = said.confidence / 100
            rest = (1 - sure) / (len(state.spec.options) - 1)
            stated[turn.seat] = {option: sure if option == said.vote else rest for option in state.spec.options}
    return mean_probability(stated)


def refuse_twice(planned: Sequence[Planned]) -> None:
    """InvalidSpec if two debates of the grid are equal, because a panel or a protocol was named twice."""
    if len({debate.id for debate in planned}) < len(planned):
        raise InvalidSpec("two of the debates would be the same: name each protocol and panel once")
