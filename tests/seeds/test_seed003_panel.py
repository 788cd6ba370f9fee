"""The engineering panel with its evidence table, played without a model (R206, R210)."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from pydantic import JsonValue

from debate_core.host.settings import read_panel_file, read_settings
from debate_core.record.state import State
from debate_core.report.facts.claims import claim_rows
from debate_core.report.facts.ruling import agreement
from debate_core.report.facts.synthesis_checks import check, ground_of
from debate_core.seats.prompts import prompt_for
from debate_core.seats.scripted import Script, read_script, spec_of
from debate_core.spec.contents import Argument, Synthesis
from debate_core.spec.panels import seat_panel
from debate_core.spec.presets import EXPERT_PANEL, PERSONAS, compose, default_seats
from debate_core.spec.values import Source
from tests.playing import filled
from tests.prompt_views import held as rounds_of

QUESTION = "Should we migrate from Postgres to DynamoDB?"
PANEL = ("database_expert", "cost_analyst", "risk_manager")


def script_of(*rounds: tuple[str, ...], panel: tuple[str, ...] = PANEL) -> Script:
    """Each tuple holds the votes of one round, in the order of the panel."""
    turns: list[JsonValue] = [
        {
            "seat": seat,
            "round": number,
            "content": {"rationale": f"I hold {vote}.", "vote": vote, "claims": [f"{seat} says {vote}, {number}0%."]},
        }
        for number, votes in enumerate(rounds, start=1)
        for seat, vote in zip(panel, votes, strict=True)
    ]
    turns.append(
        {
            "phase": "synthesis",
            "content": {
                "answer": "As counted.",
                "established": [{"text": "One thing.", "links": [f"{panel[0]}.1.1"]}],
                "contested": [{"text": "Another.", "links": [f"{panel[1]}.1.1", "nobody.1.1"]}],
            },
        }
    )
    seats: list[JsonValue] = [{"id": seat} for seat in panel]
    seats.append({"id": "synthesiser", "role": "synthesiser"})
    data: dict[str, JsonValue] = {
        "question": QUESTION,
        "options": ["migrate", "stay", "defer"],
        "protocol": "expert_panel",
        "settings": {"rounds": 2},
        "seats": seats,
        "turns": turns,
    }
    return read_script(json.dumps(data))


def played(script: Script) -> State:
    return asyncio.run(filled(spec_of(script), script)).state


def test_consensus_in_two_rounds():  # R190, R197, R205, R210
    state = played(script_of(("migrate", "migrate", "stay"), ("migrate", "migrate", "stay")))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, state.outcome.rounds_run) == ("decided", "migrate", 2)
    assert (state.outcome.ended_by, agreement(state)) == ("majority", "consensus")


def test_unanimous_openings_are_a_consensus_at_once():
    state = played(script_of(("stay", "stay", "stay")))
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.rounds_run, agreement(state)) == ("stay", 1, "consensus")


def test_a_majority_that_appears_only_at_the_end_is_no_consensus():
    state = played(script_of(("migrate", "stay", "defer"), ("migrate", "migrate", "defer")))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, agreement(state)) == ("undecided", "escalate", "incoherent")


def test_a_split_is_reported_honestly():  # R193, R205, R210: no synthesis can call it a consensus
    panel = (*PANEL, "delivery_lead")
    votes = ("migrate", "migrate", "stay", "stay")
    state = played(script_of(votes, votes, panel=panel))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, agreement(state)) == ("undecided", "escalate", "split")
    assert state.outcome.ties == ("migrate", "stay")


def test_restated_openings_end_with_the_rounds():  # R202
    state = played(script_of(("migrate", "stay", "defer"), ("migrate", "stay", "defer")))
    assert state.outcome is not None
    assert (agreement(state), state.outcome.ended_by) == ("incoherent", "max_rounds_exhausted")


def test_one_row_per_claim_that_was_made():  # R190, R195, R203, R210
    state = played(script_of(("migrate", "migrate", "stay"), ("migrate", "migrate", "stay")))
    made = [c.id for t in state.turns if isinstance(t.content, Argument) for c in t.content.claims]
    rows = claim_rows(state)
    assert [r.claim_id for r in rows] == made == [f"{seat}.{n}.1" for n in (1, 2) for seat in PANEL]
    assert [(r.seat, r.has_evidence_marker, r.marker_matches) for r in rows[:2]] == [
        ("database_expert", True, ("10%",)),
        ("cost_analyst", True, ("10%",)),
    ]


def test_a_claim_that_nobody_made_is_seen_in_the_synthesis():  # R194, R210
    state = played(script_of(("stay", "stay", "stay")))
    content = state.turns[-1].content
    assert isinstance(content, Synthesis)
    points = check(ground_of(state, state.turns), content, ()).points
    assert [line.section for line in points] == ["established", "contested"]
    assert [remark.what for remark in points[1].remarks if remark.kind == "unknown_claim"] == [("nobody.1.1",)]
    assert not points[0].has("blocks")


@pytest.mark.parametrize("size", [3, 5])
def test_the_mock_panel_fabricates_nothing(size: int):  # R196, R201, R206, R210
    text = (
        "The bill of the database was $4,100/month in May, and the budget is $4,000/month.\n\n"
        "A migration of the orders data was tried once and rolled back after an outage of 38 minutes.\n\n"
        "Reads take 6 ms at p95, and the latency has not changed in a year of growing load."
    )
    seats = default_seats(EXPERT_PANEL, QUESTION, ["migrate", "stay"], "offline", size)
    source = Source(id="E1", title="Facts", text=text)
    spec = compose(QUESTION, ["migrate", "stay"], EXPERT_PANEL, seats, sources=[source])
    state = asyncio.run(filled(spec)).state
    rows = claim_rows(state)
    assert rows
    assert {r.quote_verified for r in rows} == {"verbatim"}
    draft = state.turns[-1].content
    assert isinstance(draft, Synthesis)
    assert not any(line.has("blocks") for line in check(ground_of(state, state.turns), draft, ()).lines)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.tally.as_dict()) == ("undecided", {})


def test_a_debater_keeps_one_model_and_one_role():  # R198
    file = read_panel_file(read_settings(environ={}, secrets=Path("/nowhere")))
    seats, lines = seat_panel(
        default_seats(EXPERT_PANEL, QUESTION, ["migrate", "stay"], "model"), file.panel("balanced"), file
    )
    spec = compose(QUESTION, ["migrate", "stay"], EXPERT_PANEL, seats, max_rounds=3, models=lines)
    held: dict[str, set[tuple[str | None, str, str]]] = {}
    for request, seen in rounds_of(spec):
        told = [row for row in prompt_for(seen).tail.splitlines() if row.startswith("Look first at")]
        held.setdefault(request.seat, set()).add((seen.seat.model, seen.seat.persona, "".join(told)))
    debaters = spec.debaters()
    assert {seat: len(ways) for seat, ways in held.items()} == dict.fromkeys((s.id for s in spec.seats), 1)
    assert len({s.persona for s in debaters}) == len({s.model for s in debaters}) == 3
    for seat in debaters:
        ((model, persona, lens),) = held[seat.id]
        assert (model, persona) == (seat.model, seat.persona)
        assert persona in lens


def test_a_lens_names_things_to_look_at_and_no_kind_of_person():  # R274: nothing that a stereotype could grow from
    for name, (_, lens) in PERSONAS.items():
        subjects = lens.rstrip(".").split(", ")
        assert len(subjects) >= 4, name
        assert all(len(s.split()) <= 3 for s in subjects), name
        assert not re.search(r"\b(?:you|he|she|his|her|man|woman|old|young|senior|junior|years|culture)\b", lens, re.I)
