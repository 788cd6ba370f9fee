"""The shipped rehearsals: every quote is verbatim, every link points at a claim, and each ends as its title says."""

import asyncio
from pathlib import Path

import pytest

import debate_core
from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.record.state import State
from debate_core.report.facts.claims import claim_rows, unknown_ids
from debate_core.report.facts.ruling import agreement
from debate_core.report.facts.synthesis_checks import check, ground_of
from debate_core.seats.scripted import Script, read_script, spec_of
from debate_core.spec.contents import Argument, Synthesis
from tests.playing import filled

FOLDER = Path(debate_core.__file__).parent / "seats" / "rehearsals"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))


def script_of(name: str) -> Script:
    return read_script((FOLDER / f"{name}.json").read_text("utf-8"))


def played(name: str) -> State:
    script = script_of(name)
    whole = asyncio.run(filled(spec_of(script), script))
    assert verify(whole.events) == ()
    return whole.state


def test_there_are_four():
    assert NAMES == ["billing_change_of_mind", "build_or_buy_you_rule", "events_or_calls_split", "orders_database_tie"]


@pytest.mark.parametrize("name", NAMES)
def test_a_rehearsal_is_complete_and_honest(name: str):
    script, state = script_of(name), played(name)
    assert script.title
    assert script.summary
    assert state.spec.rehearsal
    assert {t.status for t in state.turns} == {"ok"}
    assert state.failed_attempts == ()
    assert unknown_ids(state) == ()
    rows = claim_rows(state)
    assert {r.quote_verified for r in rows if r.evidence_text} == {"verbatim"}
    assert {r.status for r in rows} == {"established", "contested", "unanswered"}
    assert sum(bool(r.evidence_text) for r in rows) * 2 >= len(rows)
    assert len(state.attempts) == len(script.turns)


@pytest.mark.parametrize("name", NAMES)
def test_no_ballot_of_a_rehearsal_contradicts_its_text(name: str):
    state = played(name)
    assert [(turn.place(), turn.argues_for) for turn in state.turns if turn.argues_for] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_turn_can_be_read_in_a_minute(name: str):
    lengths = [len(t.content.rationale.split()) for t in played(name).turns if isinstance(t.content, Argument)]
    assert max(lengths) <= 180


def test_the_split_is_reported_as_a_split():
    state = played("events_or_calls_split")
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, agreement(state)) == ("undecided", "escalate", "split")
    assert state.outcome.ties == ("calls with a breaker", "events")
    content = state.turns[-1].content
    assert isinstance(content, Synthesis)
    assert content.option is None
    assert not any(line.has("blocks") for line in check(ground_of(state, state.turns), content, ()).lines)


def test_the_change_of_mind_names_its_claim():
    state = played("billing_change_of_mind")
    first, *_, last = state.counted
    assert first.tally.as_dict() == {"split": 1, "modularise in place": 1, "defer": 1}
    assert last.tally.as_dict() == {"split": 1, "modularise in place": 2}
    assert state.ballots["finance_partner"].changed_by == ("data_engineer.1.4", "billing_lead.1.5")
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "modularise in place")
    assert (state.outcome.ended_by, state.outcome.rounds_run) == ("threshold_vote", 1)


def test_the_tie_is_broken_by_nobody():
    state = played("orders_database_tie")
    assert [c.tally.as_dict() for c in state.counted] == [
        {"migrate": 2, "partition first": 1, "stay": 1},
        {"migrate": 2, "partition first": 1, "stay": 1},
        {"migrate": 2, "partition first": 2},
        {"migrate": 2, "partition first": 2},
    ]
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("undecided", "escalate")
    assert state.outcome.ties == ("migrate", "partition first")


def test_the_ruling_waits_for_a_person():
    state = played("build_or_buy_you_rule")
    assert state.outcome is None
    assert [(r.seat, r.gives) for r in requests(state)] == [("synthesiser", "synthesis")]
