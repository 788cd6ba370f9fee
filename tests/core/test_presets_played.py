"""Every preset, played to its end with scripted seats: what runs, in which order, and that its record holds."""

import ast
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.health import flags
from debate_core.report.files.adr.record import decision_record
from debate_core.report.phrases.outcome import short_reason
from debate_core.spec import presets
from tests.holding import hold
from tests.rehearsing import course, rehearsal, repeated

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(presets.PROTOCOLS)
TURNS_IF_NOBODY_DECIDES = {
    "adversary": 4,
    "autogen_round_robin": 9,
    "assigned_positions": 8,
    "autogpt_debate": 22,
    "bounded_vote": 24,
    "co_scientist": 17,
    "deliberation": 7,
    "expert_panel": 7,
    "mallm_collective_refinement": 9,
    "mallm_debate": 10,
    "mallm_memory": 9,
    "mallm_relay": 9,
    "mallm_report": 9,
    "mediated_rounds": 10,
    "moderated_judge": 7,
    "multi_position": 7,
    "proposer_critic": 6,
    "referees_one_by_one": 6,
    "referees_simultaneous": 6,
    "referees_summarised": 8,
    "referees_swapped": 6,
    "round_robin_panel": 9,
    "self_consistency": 5,
    "checked_answers": 4,
    "single_call": 1,
    "supervised_answer": 3,
    "society": 6,
    "stance_judge": 5,
    "tit_for_tat": 11,
    "tournament": 24,
    "two_answers": 14,
}
"""At the default number of rounds; with round_robin_panel, two rounds without a new claim end it."""


def _played(name: str, option: str | None, rounds: int | None = None) -> tuple[State, tuple[Event, ...]]:
    rules = presets.protocol(name)
    names = [s.id for s in presets.default_seats(rules, "Q?", ("adopt", "defer"), "scripted") if s.role == "debater"]
    said = [repeated(p, names, option) for p in rules.phases()]
    return hold(rehearsal(rules, *said, settings={"rounds": rounds or rules.rounds.default}))


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_decided_when_everybody_says_the_same(name: str) -> None:
    state, events = _played(name, "adopt")
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "adopt")
    assert verify(events) == ()
    assert replay(events) == state


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_undecided_when_nobody_names_an_option(name: str) -> None:
    # R036, R060
    state, events = _played(name, None)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, state.outcome.decided_by) == ("undecided", "escalate", None)
    assert len(state.all_turns()) == TURNS_IF_NOBODY_DECIDES[name]
    assert {t.status for t in state.all_turns()} == {"ok"}
    assert verify(events) == ()


@pytest.mark.parametrize("name", NAMES)
def test_it_also_ends_after_the_most_rounds(name: str) -> None:
    most = presets.protocol(name).rounds.hard_max
    state, events = _played(name, None, rounds=most)
    assert state.outcome is not None
    assert state.outcome.status == "undecided"
    assert verify(events) == ()


def test_option_ahead_in_comparisons_keeps_its_spelling() -> None:
    decided, undecided = (account(*_played("tournament", option)) for option in ("adopt", None))
    because = "because it is clearly ahead of defer, the next one (24 comparisons of 2 options)."
    assert f'Chosen option: "adopt", {because}' in decision_record(decided).text
    assert short_reason(undecided) == "adopt leads defer too narrowly to decide."


@pytest.mark.parametrize(("name", "option"), [("single_call", "adopt"), ("mallm_memory", None)])
def test_no_first_ballots_no_remark_on_their_independence(name: str, option: str | None) -> None:
    state, _ = _played(name, option)
    assert "not_blind" not in flags(state)
    assert "not_blind" in flags(_played("mallm_memory", "adopt")[0])


def test_every_preset_has_a_purpose_and_a_source() -> None:
    for rules in presets.PROTOCOLS.values():
        assert rules.source
        assert rules.purpose.endswith(".")
        assert rules.purpose.count(". ") == 0


def test_a_preset_has_at_most_twenty_lines() -> None:
    lines = {}
    for name in ("seeds", "systems"):
        tree = ast.parse((ROOT / "debate_core" / "spec" / "presets" / f"{name}.py").read_text("utf-8"))
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Protocol("):
                assert node.end_lineno is not None
                lines[ast.unparse(node.targets[0])] = node.end_lineno - node.lineno + 1
    assert len(lines) == len(presets.PROTOCOLS)
    assert {name: n for name, n in lines.items() if n > 20} == {}


COURSES = {
    "tit_for_tat": [
        *[f"{r} {what}" for r in (1, 2, 3) for what in ("argument: a b", "reading: judge")],
        "3 candidates: judge",
        "3 verdict: judge",
    ],
    "mallm_report": ["1 hub: a", "1 report: b c"],
    "mallm_debate": ["1 draft: a", "1 first_exchange: b c", "1 second_exchange: b c"],
    "autogpt_debate": [
        *[f"1 {p}: a b c" for p in ("proposal", "critique", "revision", "consensus")],
        *[f"2 {p}: a b c" for p in ("critique", "revision", "consensus")],
        "2 handoff: synthesiser",
    ],
    "two_answers": [
        "1 answers: a b",
        *[
            f"{r} {what}"
            for r in (1, 2, 3)
            for what in ("first_statement: a", "first_reading: judge", "second_statement: b", "second_reading: judge")
        ],
    ],
    "mediated_rounds": [
        "1 baseline: judge",
        *[f"{r} {what}" for r in (1, 2, 3) for what in ("argument: a b", "mediation: judge")],
    ],
    "referees_summarised": [f"{r} {what}" for r in (1, 2) for what in ("assessment: a b c", "summary: synthesiser")],
}


@pytest.mark.parametrize("name", COURSES)
def test_the_course_of_systems_that_others_built(name: str) -> None:
    # R020, R028
    rules = presets.protocol(name)
    usual = presets.panel_size(rules, ("adopt", "defer"))
    seats = [{"id": i} for i in "abcde"[:usual]]
    said = [repeated(p, [], None) for p in rules.phases()]
    rounds = 1 if name.startswith("mallm") else rules.rounds.default
    state, _ = hold(rehearsal(rules, *said, seats=seats, settings={"rounds": rounds}))
    assert course(state) == COURSES[name]


def test_the_protocols_page_lists_every_purpose() -> None:
    text = (ROOT / "docs" / "protocols.md").read_text("utf-8")
    missing = [r.name for r in presets.PROTOCOLS.values() if f"| `{r.name}` | {r.purpose} |" not in text]
    assert missing == []
