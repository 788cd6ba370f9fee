"""Decisions of people, their screens, and claims that are never made (Debate Agent)."""

import asyncio
import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from debate_core.engine.engine import open_debate, requests, submit
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.files.report import markdown_report
from debate_core.seats import fillers_for
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Verdict
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat
from debate_core.spec.values import Source
from tests.holding import AT, Said, hold, script, turn
from tests.rehearsing import rehearsal

ROOT = Path(__file__).parents[2]
RULES = presets.protocol("proposer_critic")
CHECKED = RULES.model_copy(
    update={
        "name": "checked",
        "after": (*RULES.after, Phase(name="checkpoint", gives="verdict", role="judge")),
        "decide": BySeat(role="judge"),
    }
)
"""The same, and a person has the last word after the synthesis."""


def _before_the_checkpoint() -> State:
    said = rehearsal(CHECKED)
    seats = [{**s, "occupant": "human"} if s["role"] == "judge" else s for s in said["seats"]]  # type: ignore[attr-defined]
    return hold({**said, "seats": seats})[0]


@pytest.mark.parametrize(("option", "decided"), [("adopt", True), ("defer", True), (None, False)])
def test_a_person_has_the_last_word_after_the_synthesis(option: str | None, decided: bool) -> None:
    # R277
    state = _before_the_checkpoint()
    assert state.turns[-1].phase == "synthesis"
    assert state.outcome is None
    assert [r.id for r in requests(state)] == ["1.checkpoint.judge.1"]
    verdict = Verdict(reasoning="I have read all of it.", option=option)
    said = TakeTurn(by="judge", request="1.checkpoint.judge.1", content=verdict)
    closed = replay(submit(state, said, at=AT), state).outcome
    assert closed is not None
    assert (closed.status, closed.decision) == (("decided", option) if decided else ("undecided", "escalate"))
    assert closed.decided_by == ("judge" if decided else None)


def test_the_debate_waits_for_a_person_who_does_not_answer() -> None:
    # R291: the record before the wait is complete, and a year later it is still the same
    seats: list[Said] = [{"id": "planner"}, {"id": "critic", "occupant": "human"}, {"id": "operator"}]
    said = script([turn("planner", "release", repeat=True), turn("operator", "release", repeat=True)], seats=seats)
    parsed, store = read_script(json.dumps(said)), MemoryStore()
    store.append("d1", open_debate(spec_of(parsed), debate_id="d1", at=AT), after=0)

    def go_on(at: datetime) -> State:
        fillers = fillers_for(replay(store.load("d1")), script=parsed, pace_cps=0)
        return asyncio.run(run("d1", store, fillers, RunOptions(clock=lambda: at, deadline_s=0.2)))

    before = go_on(AT)
    kept = store.load("d1")
    assert (before.outcome, [r.seat for r in requests(before)]) == (None, ["critic"])
    assert replay(kept) == before
    assert go_on(AT + timedelta(days=365)) == before
    assert store.load("d1") == kept
    content = Argument(rationale="I was away.", vote="release")
    answer = TakeTurn(by="critic", request="1.proposal.critic.1", content=content)
    store.append("d1", submit(before, answer, at=AT + timedelta(days=366)), after=before.version)
    after = go_on(AT + timedelta(days=366))
    assert after.outcome is not None
    assert after.outcome.tally.as_dict() == {"release": 3}


def test_who_has_to_decide_reads_words_and_no_data() -> None:
    # R292: what is asked, what else could be done, why, and what is expected of it
    state = _before_the_checkpoint()
    shown = markdown_report(account(state))
    assert state.spec.question in shown
    for option in state.spec.options:
        assert option in shown
    for words in ("argument given", "critique given", "rebuttal given", "scored", "weighed"):
        assert words in shown
    assert not re.search(r'[{}]|"kind"|next\\_speakers|rationale\\?":', shown)


def test_an_orchestration_calls_debates_as_one_of_its_steps() -> None:
    # R176, R276: two workers' drafts are the sources, and several such debates run in one loop
    drafts = [Source(id=w, title=f"Draft of {w}", text=f"{w} proposes to release in May.") for w in ("ann", "bob")]

    async def settle(name: str, vote: str) -> State:
        votes = [turn(s, vote, repeat=True) for s in ("planner", "critic", "operator")]
        parsed = read_script(json.dumps(script(votes, sources=[d.model_dump() for d in drafts])))
        store = MemoryStore()
        store.append(name, open_debate(spec_of(parsed), debate_id=name, at=AT), after=0)
        fillers = fillers_for(replay(store.load(name)), script=parsed, pace_cps=0)
        return await run(name, store, fillers)

    async def supervisor() -> tuple[State, State]:
        return await asyncio.gather(settle("first", "release"), settle("second", "revise"))

    ended = asyncio.run(supervisor())
    assert [(s.debate, s.outcome and s.outcome.decision) for s in ended] == [("first", "release"), ("second", "revise")]
    assert {d.id for s in ended for d in s.spec.sources} == {"ann", "bob"}


UNSOURCED = re.compile(r"(?<![\d.,])(?:34|28|41|52|89) ?(?:%|per ?cent)")
"""What the pattern reports of others, without saying where it was measured."""


def test_figures_without_a_source_are_never_our_claims() -> None:
    # R279
    texts = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*.py"), *ROOT.glob("pages/*.py")]
    texts += [p for p in (ROOT / "debate_core").rglob("*") if p.suffix in (".py", ".toml", ".json", ".html", ".js")]
    assert len(texts) > 100
    found = [(p.name, m.group()) for p in texts for m in UNSOURCED.finditer(p.read_text("utf-8"))]
    assert found == []
    assert UNSOURCED.search("34% more risks")
    assert UNSOURCED.search("an agreement of 89 percent")
