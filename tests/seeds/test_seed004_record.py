"""Results of a debate of proposer, critic and evaluator: record, checks and exports (Debate Agent)."""

import asyncio
import json
from pathlib import Path

import pytest

from debate_core.engine.engine import open_debate, requests
from debate_core.engine.seat_view import view
from debate_core.host.runner import run
from debate_core.host.settings import read_panel_file, read_settings
from debate_core.host.stores import open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import TakeTurn
from debate_core.record.events import DebateOpened, Event, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.report.facts.account import account
from debate_core.report.facts.ballots import vote_rows
from debate_core.report.facts.claims import claim_rows, unknown_ids
from debate_core.report.facts.health import flags
from debate_core.report.facts.office_turns import evaluation_rows
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.report.files.export import run_json
from debate_core.seats import fillers_for
from debate_core.seats.forecast import forecast
from debate_core.seats.prompts import digests
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Claim, Content
from debate_core.spec.panels import seat_panel
from debate_core.spec.presets import compose
from debate_core.spec.values import Seat, Source
from tests.holding import AT, Said, hold, script, turn
from tests.paid import LINES, begin, use
from tests.rehearsing import OPTIONS, QUESTION, course, rehearsal

RULES = presets.protocol("proposer_critic")
FILE = read_panel_file(read_settings(environ={}, secrets=Path("/nowhere")))
EVALUATED: Said = {
    "phase": "evaluation",
    "repeat": True,
    "content": {
        "synthesis": "The clause holds, the cap does not.",
        "quality": [{"seat": s, "score": n} for s, n in (("proposer", 7), ("critic", 8), ("rebuttal", 6))],
        "resolved": [{"text": "Notice is due in 30 days.", "links": ["proposer.1.1"]}],
        "unresolved": [{"text": "Whether the cap binds.", "links": ["critic.1.1"]}],
        "recommend_another_round": False,
        "confidence_level": "MODERATE",
        "uncertainties": ["Nobody has read the annex."],
    },
}
CLAIMED: list[Said] = [
    {"phase": p, "content": {"rationale": f"{p} in full", "strength": 8, "claims": [f"{p} says so"]}, "repeat": True}
    for p in ("proposal", "critique", "rebuttal")
]
CANNED = (EVALUATED, *CLAIMED)


def test_a_canned_debate_has_every_part_of_the_record() -> None:
    # R227, R228, R229, R230, R270
    state, events = hold(rehearsal(RULES, *CANNED))
    assert course(state) == [
        "1 framing: framer",
        "1 proposal: proposer",
        "1 critique: critic",
        "1 rebuttal: rebuttal",
        "1 evaluation: evaluator",
        "1 synthesis: synthesiser",
    ]
    assert [t.content.kind for t in state.turns if t.content] == [
        *("framing", "argument", "critique", "rebuttal", "evaluation", "synthesis")
    ]
    told = json.loads(json.dumps(run_json(account(state))))
    assert [(t["seat"], t["status"], t["text"]) for t in told["turns"]][1:4] == [
        ("proposer", "ok", "proposal in full"),
        ("critic", "ok", "critique in full"),
        ("rebuttal", "ok", "rebuttal in full"),
    ]
    assert replay(parse_record(dump_record(events).encode())) == state


def test_every_round_is_kept_on_disk(tmp_path: Path) -> None:
    # R224, R257
    again: Said = {**EVALUATED, "content": {**dict(EVALUATED["content"]), "recommend_another_round": True}}  # type: ignore[call-overload]
    said = rehearsal(RULES, again, *CLAIMED, settings={"rounds": 2})
    parsed, url = read_script(json.dumps(said)), f"sqlite:///{tmp_path / 'debates.db'}"
    store = open_store(url)
    store.append("d1", open_debate(spec_of(parsed), debate_id="d1", at=AT), after=0)
    held = asyncio.run(run("d1", store, fillers_for(replay(store.load("d1")), script=parsed, pace_cps=0)))
    store.close()
    reopened = open_store(url)
    kept = replay(reopened.load("d1"))
    reopened.close()
    assert kept == held
    assert [(t.round, t.phase) for t in kept.turns if t.phase == "evaluation"] == [(1, "evaluation"), (2, "evaluation")]
    assert {t.round for t in kept.turns} == {1, 2}


SOURCE = Source(id="E1", title="Contract", text="Either party may end the contract with notice of thirty days.")
TRUE = {"text": "It can be ended.", "source_id": "E1", "quote": "Either party may end the contract"}
INVENTED = {"text": "It can never be ended.", "source_id": "E9", "quote": "No party may ever end the contract"}
TWISTED = {"text": "It cannot be ended.", "source_id": "E1", "quote": "Neither party may end the contract"}


def _cites(*claims: dict[str, str]) -> State:
    turns = [turn(s, "release", claims=list(claims)) for s in ("planner", "critic", "operator")]
    return hold(script(turns, sources=[SOURCE.model_dump()]))[0]


@pytest.mark.parametrize(
    ("claim", "verdict", "named"),
    [(INVENTED, "no_source", True), (TWISTED, "altered", False), (TRUE, "verbatim", False)],
)
def test_a_citation_that_its_source_lacks_supports_nothing(claim: dict[str, str], verdict: str, named: bool) -> None:
    # R263, R270: found by code over the supplied sources; what rested on it is left without evidence, and is flagged
    state = _cites(claim)
    assert {r.quote_verified for r in claim_rows(state)} == {verdict}
    assert [(u.kind, u.id) for u in unknown_ids(state)] == ([("source", "E9")] * 3 if named else [])
    assert ("unknown_ids" in flags(state)) is named
    assert ("all_opinion_consensus" in flags(state)) is (verdict != "verbatim")
    assert state.outcome is not None
    assert state.outcome.decision == "release"


CLAUSE = "May either party end the contract?"


def _clause_turn(request: Request) -> Content:
    canned = read_script(json.dumps(rehearsal(RULES, *CANNED)))
    entry = next(t for t in canned.turns if t.phase == request.phase)
    assert isinstance(entry.content, dict)
    content = {**entry.content, "kind": request.gives}
    return TakeTurn.model_validate({"by": request.seat, "request": request.id, "content": content}).content


def _clause() -> tuple[State, list[Event]]:
    seats = [s.model_copy(update={"model": "north"}) for s in presets.default_seats(RULES, CLAUSE, OPTIONS, "model")]
    hand = begin(compose(CLAUSE, OPTIONS, RULES, seats, models=LINES[:1], sources=[SOURCE], templates=digests()))
    while asked := requests(hand.state):
        used = use(1_000, 400, "0.02")
        content = _clause_turn(asked[0])
        hand.ask(asked[0].id).do(TakeTurn(by=asked[0].seat, request=asked[0].id, content=content, usage=used))
    return hand.state, hand.events


def test_a_clause_is_debated_within_its_price_with_doubts() -> None:
    # R221, R231, R272
    state, _ = _clause()
    given = {t.seat: t.status for t in state.turns}
    assert given == dict.fromkeys(("framer", "proposer", "critic", "rebuttal", "evaluator", "synthesiser"), "ok")
    told = {r.section: r.text for r in evaluation_rows(state) if r.kind == "evaluation"}
    assert (told["confidence_level"], told["uncertainty"]) == ("MODERATE", "Nobody has read the annex.")
    rows = usage_rows(state)
    assert [(r.seat, r.used.known().output_tokens, r.used.cost_usd) for r in rows] == [(s, 400, "0.02") for s in given]
    assert used_in(rows).cost_usd == "0.12"
    assert state.outcome is not None
    assert (state.outcome.status, state.truncated) == ("decided", None)


def test_the_record_says_by_which_models_prompts_and_rounds() -> None:
    # R258
    state, events = _clause()
    opened = events[0].body
    assert isinstance(opened, DebateOpened)
    spec = replay(parse_record(dump_record(events).encode())).spec
    assert spec == opened.spec == state.spec
    assert (spec.max_rounds, [(m.model, m.provider) for m in spec.models]) == (1, [("north-large", "anthropic")])
    assert spec.templates == digests()
    assert {r.used.models for r in usage_rows(state)} == {("north-large-0901",)}


def test_what_is_handed_on_is_complete_and_has_one_form() -> None:
    # R278
    _, events = _clause()
    *lines, last = [json.loads(line) for line in dump_record(events).splitlines()]
    envelope = {"debate", "seq", "at", "actor", "kind", "key", "body", "prev_hash", "hash"}
    assert {frozenset(line) for line in lines} == {frozenset(envelope)}
    assert [line["seq"] for line in lines] == [*range(1, len(lines) + 1)]
    assert (last["events"], last["head"], last["format"]) == (len(lines), lines[-1]["hash"], 1)
    other = MemoryStore()
    other.append("d-models", parse_record(dump_record(events).encode()), after=0)
    assert other.load("d-models") == tuple(events)


def test_a_seat_can_have_a_model_of_its_own_tier() -> None:
    # R259: a frontier model where the arguments are made, an efficient one for the rest
    def cost(**lines: str) -> float:
        seats = presets.default_seats(RULES, QUESTION, OPTIONS, "model")
        named = [s.model_copy(update={"model": lines.get(s.id, "claude_opus")}) for s in seats]
        seated, used = seat_panel(named, FILE.panel("frontier"), FILE)
        found = forecast(compose(QUESTION, OPTIONS, RULES, seated, models=used), at=AT)
        tiers.append({r.seat: r.model for r in found.rows})
        return float(found.total.cost_usd or "nan")

    tiers: list[dict[str, str]] = []
    everywhere, tiered = cost(), cost(rebuttal="claude_haiku", evaluator="claude_sonnet")
    assert tiered < everywhere
    assert set(tiers[0].values()) == {"claude-opus-5-5"}
    changed = {seat: model for seat, model in tiers[1].items() if model != tiers[0][seat]}
    assert changed == {"rebuttal": "claude-haiku-5-5", "evaluator": "claude-sonnet-5-5"}


def test_new_evidence_by_round_shows_who_changed_their_mind() -> None:
    # R275
    late = Source(id="E2", title="Load test", text="The queue lost one message in ten at noon.", from_round=2)
    seats = [Seat(id=s, occupant="human", commitment="open") for s in ("anna", "bert")]
    rules = presets.protocol("society").model_copy(update={"stop": presets.protocol("bounded_vote").stop[1:]})
    spec = compose(QUESTION, OPTIONS, rules, seats, sources=[SOURCE, late], max_rounds=2)
    hand, seen = begin(spec), {}
    while asked := requests(hand.state):
        request = asked[0]
        seen[request.id] = [s.id for s in view(hand.state, request).sources]
        moved = request.seat == "anna" and request.round == 2
        claim = Claim(text="It loses messages.", source_id="E2", quote="lost one message in ten")
        content = Argument(rationale="so", vote="defer" if moved else "adopt", claims=(claim,) if moved else ())
        hand.do(TakeTurn(by=request.seat, request=request.id, content=content))
    assert [ids for id_, ids in seen.items() if id_.startswith("1.")] == [["E1"], ["E1"]]
    assert [ids for id_, ids in seen.items() if id_.startswith("2.")] == [["E1", "E2"], ["E1", "E2"]]
    assert [(r.voter, r.round, r.choice) for r in vote_rows(hand.state)] == [
        ("anna", 1, "adopt"),
        ("bert", 1, "adopt"),
        ("anna", 2, "defer"),
        ("bert", 2, "adopt"),
    ]
    assert [(r.seat, r.source_ref, r.quote_verified) for r in claim_rows(hand.state)] == [("anna", "E2", "verbatim")]
