"""Hold whole debates from scripts, with the runner on the memory store and a clock that stands still."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from debate_core.engine.engine import open_debate
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.seats import fillers_for
from debate_core.seats.scripted import read_script, spec_of

NINE_LINES = """debater_ids: [planner, critic, operator]
rounds_run: 1
max_rounds: 2
phase_sequence: [proposal]
consensus_threshold: 2
vote_tally: {release: 1, revise: 2}
decision: revise
decision_rule: threshold_vote
speaker_schedule: [planner, critic, operator]"""
"""The report of golden run A, as the orchestration pattern asserts it."""
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SEATS = ("planner", "critic", "operator")
OPTIONS = ("release", "revise", "escalate")
Said = dict[str, object]


def turn(seat: str, vote: str | None, **more: object) -> Said:
    """A script entry: `more` holds keys to match (round, phase, attempt), `repeat`, or fields of the content."""
    keys: Said = {name: more.pop(name) for name in ("round", "phase", "attempt", "repeat") if name in more}
    content = {"stance": f"{seat} position", "rationale": f"{seat} rationale", "vote": vote, **more}
    return {"seat": seat, "content": content, **keys}


def script(turns: Sequence[Said], **fields: object) -> Said:
    """A bounded_vote of the three seats of the orchestration pattern, unless `fields` say otherwise."""
    seats = [{"id": s, "stance": f"{s} side"} for s in SEATS]
    settings = {"rounds": 2, "threshold": 2}
    base: Said = {"question": "Release the migration?", "options": OPTIONS, "protocol": "bounded_vote", "seats": seats}
    return {**base, "settings": settings, "turns": list(turns), **fields}


def steady(votes: Mapping[str, str | None]) -> list[Said]:
    """Every seat says the same again and again."""
    return [turn(seat, vote, repeat=True) for seat, vote in votes.items()]


def hold(said: Said) -> tuple[State, tuple[Event, ...]]:
    """The debate of a script, held to its end or until only people are asked."""
    parsed = read_script(json.dumps(said))
    store = MemoryStore()
    store.append("d1", open_debate(spec_of(parsed), debate_id="d1", at=AT), after=0)
    fillers = fillers_for(replay(store.load("d1")), script=parsed, pace_cps=0)
    state = asyncio.run(run("d1", store, fillers, RunOptions(clock=lambda: AT)))
    return state, store.load("d1")
