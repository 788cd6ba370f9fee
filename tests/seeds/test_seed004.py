"""Proposer, critic, rebuttal and evaluator: a round, its readers, decisions of people, record (Debate Agent)."""

import asyncio
import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from debate_core.engine.engine import open_debate, requests, submit
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import run
from debate_core.host.settings import read_panel_file, read_settings
from debate_core.host.stores import open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import StartAttempt, TakeTurn
from debate_core.record.events import DebateOpened, Event, PhaseBegan, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.report.facts.account import account
from debate_core.report.facts.ballots import vote_rows
from debate_core.report.facts.claims import claim_rows, unknown_ids
from debate_core.report.facts.health import flags
from debate_core.report.facts.office_turns import evaluation_rows
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.report.files.export import csv_files, run_json
from debate_core.report.files.report import markdown_report
from debate_core.seats import fillers_for
from debate_core.seats.forecast import forecast
from debate_core.seats.prompts import digests, prompt_for
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Claim, Content, Evaluation, Framing, Quality, Synthesis, Verdict
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import seat_panel
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import BySeat, Ceiling
from debate_core.spec.values import Seat, Source, Usage
from tests.holding import AT, Said, hold, script, turn
from tests.paid import LINES, begin, use
from tests.playing import Played
from tests.rehearsing import OPTIONS, QUESTION, course, rehearsal
from tests.stepping import read, walk

RULES = presets.protocol("proposer_critic")
MANY = presets.protocol("multi_position")
CAST = presets.default_seats(RULES, QUESTION, OPTIONS, "human")


def _says(request: Request) -> Content:
    match request.gives:
        case "framing":
            return Framing(thesis="the move pays off", criteria=("cost in a year",))
        case "evaluation":
            scores = (Quality(seat="proposer", score=8), Quality(seat="critic", score=7))
            return Evaluation(
                synthesis=f"read {request.round}", quality=scores, recommend_another_round=request.round < 2
            )
        case "synthesis":
            return Synthesis(answer="in sum", option="adopt")
        case _:
            return Argument(rationale=f"{request.seat} {request.round}", strength=8)


FIRST = [
    "1 framing: framer",
    "1 proposal: proposer",
    "1 critique: critic",
    "1 rebuttal: rebuttal",
    "1 evaluation: evaluator",
]
SECOND = ["2 critique: critic", "2 rebuttal: rebuttal", "2 evaluation: evaluator"]


@pytest.mark.parametrize(
    ("rounds", "expected", "ended_by"),
    [
        (1, [*FIRST, "1 synthesis: synthesiser"], "max_rounds_exhausted"),
        (2, [*FIRST, *SECOND, "2 synthesis: synthesiser"], "no_further_round"),
        (3, [*FIRST, *SECOND, "2 synthesis: synthesiser"], "no_further_round"),
    ],
)
def test_the_course_of_a_debate(rounds: int, expected: list[str], ended_by: str) -> None:
    # R220, R236, R250: a further round is critique and rebuttal, and the evaluator says whether there is one
    state, _ = walk(RULES, CAST, _says, rounds=rounds)
    assert course(state) == expected
    assert state.outcome is not None
    assert (state.outcome.ended_by, state.outcome.decision, state.outcome.decided_by) == (
        ended_by,
        "adopt",
        "synthesiser",
    )


def test_one_round_is_usual_and_a_fourth_is_refused() -> None:
    # R236
    assert (RULES.rounds.default, RULES.rounds.warn_above, RULES.rounds.hard_max) == (1, 2, 3)
    with pytest.raises(InvalidSpec, match="max_rounds 4 is above the hard maximum 3 of proposer_critic"):
        presets.compose(QUESTION, OPTIONS, RULES, CAST, max_rounds=4)


def test_who_reads_what() -> None:
    # R233, R234, R245, R251
    _, seen = walk(RULES, CAST, _says, rounds=2)
    framing, proposal = "1 framing framer: the move pays off", "1 proposal adopt: proposer 1"
    critique = "1 critique against adopt: critic 1"
    assert read(seen["1.framing.framer.1"]) == []
    assert read(seen["1.proposal.proposer.1"]) == [framing]
    assert read(seen["1.critique.critic.1"]) == [framing, proposal]
    assert read(seen["1.rebuttal.rebuttal.1"]) == [framing, proposal, critique]
    assert len(read(seen["2.critique.critic.1"])) == 5
    assert seen["1.critique.critic.1"].seat.commitment == "adversary"


def test_a_debate_of_models_has_the_limit_of_its_source() -> None:
    # R249: what the source's own configuration says; its text has 1 round where that has 2
    priced = {"price": {"input": "1", "output": "2"}, "base_url": "http://acme.test/v1"}
    line = ModelLine.model_validate({"id": "m", "model": "m-1", "provider": "acme", "dialect": "chat", **priced})
    seats = [s.model_copy(update={"model": "m"}) for s in presets.default_seats(RULES, QUESTION, OPTIONS, "model")]
    spec = presets.compose(QUESTION, OPTIONS, RULES, seats, models=(line,))
    assert spec.ceiling() == Ceiling(usd="0.50")
    played = Played(spec)
    framing = played.requests()[0].id
    dear, cheap = Usage(calls=1, cost_usd="0.51"), Usage(calls=1, cost_usd="0.49")
    with pytest.raises(RuleViolation, match="the ceiling of usd would be passed"):
        played.do(StartAttempt(by="runner", request=framing, reserved=dear))
    played.do(StartAttempt(by="runner", request=framing, reserved=cheap))
    critique = next(p for p in RULES.each_round if p.gives == "critique")
    assert (RULES.rounds.default, RULES.rounds.hard_max, critique.min_strength) == (1, 3, 6)


def _critiques(*strengths: int) -> list[Said]:
    return [
        {"phase": "critique", "attempt": n, "content": {"rationale": f"try {n}", "strength": s}}
        for n, s in enumerate(strengths, start=1)
    ]


@pytest.mark.parametrize(
    ("strengths", "kept", "weak"), [((6,), "try 1", 0), ((5, 9), "try 2", 1), ((4, 3), "try 2", 1)]
)
def test_a_soft_critique_is_asked_once_more_and_then_kept(strengths: tuple[int, ...], kept: str, weak: int) -> None:
    # R238, R249
    state, _ = hold(rehearsal(RULES, *_critiques(*strengths)))
    given = next(t.content for t in state.all_turns() if t.phase == "critique")
    assert isinstance(given, Argument)
    assert given.rationale == kept
    assert [t.status for t in state.failed_attempts] == ["weak"] * weak
    assert all(f"{strengths[0]} of 10" in t.message for t in state.failed_attempts)


def test_the_evaluator_names_no_winner() -> None:
    # R221, R230, R241: whatever it scores, only the synthesis decides
    undecided: Said = {"phase": "synthesis", "content": {"answer": "open", "option": None}}
    state, _ = hold(rehearsal(RULES, undecided))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("undecided", "escalate")
    assert "option" not in Evaluation.model_fields


def test_a_verdict_of_the_evaluator_has_all_its_parts_in_files() -> None:
    """Quality of each argument, settled and open points, whether another round would help, and the confidence."""
    verdict: Said = {
        "phase": "evaluation",
        "content": {
            "synthesis": "The case holds.",
            "quality": [{"seat": "proposer", "score": 8}, {"seat": "critic", "score": 6}],
            "resolved": [{"text": "It is legal.", "links": ["critic.1.1"]}],
            "unresolved": [{"text": "Its cost is open."}],
            "recommend_another_round": False,
            "confidence_level": "MODERATE",
            "uncertainties": ["the load of next year"],
        },
    }
    # The evaluator is asked for each part, so that a model cannot leave one out.
    state, events = hold(rehearsal(RULES, verdict, settings={"rounds": 3}))
    began = next(e for e in events if isinstance(e.body, PhaseBegan) and e.body.phase == "evaluation")
    asked = replay(events[: began.seq])
    schema: Any = prompt_for(view(asked, requests(asked)[0])).schema
    parts = {"quality", "resolved", "unresolved", "recommend_another_round", "confidence_level", "uncertainties"}
    assert parts <= {*schema["required"]}
    rows = [(row.section, row.subject, row.text) for row in evaluation_rows(state) if row.kind == "evaluation"]
    assert rows == [
        ("synthesis", "", "The case holds."),
        ("quality", "proposer", "8"),
        ("quality", "critic", "6"),
        ("resolved", "", "It is legal."),
        ("unresolved", "", "Its cost is open."),
        ("another_round", "", "no"),
        ("confidence_level", "", "MODERATE"),
        ("uncertainty", "", "the load of next year"),
    ]
    table = csv_files(account(state, events))["evaluations.csv"]
    assert all(f'"{section}"' in table and f'"{text}"' in table for section, _subject, text in rows)
    assert state.outcome is not None
    assert (state.outcome.rounds_run, state.outcome.ended_by) == (1, "no_further_round")


def test_an_evaluator_who_fails_ends_no_round_early() -> None:
    broken: Said = {"phase": "evaluation", "error": "timeout", "repeat": True}
    state, _ = hold(rehearsal(RULES, broken, settings={"rounds": 2}))
    assert state.outcome is not None
    assert (state.outcome.rounds_run, state.outcome.ended_by) == (2, "max_rounds_exhausted")


def test_every_position_has_a_seat_of_its_own_and_opens_unseen() -> None:
    # R273
    options = ("adopt X", "adopt Y", "defer")
    seats = presets.default_seats(MANY, QUESTION, options, "scripted")
    assert [s.stance for s in seats if s.role == "debater"] == list(options)
    state, _ = hold(rehearsal(MANY, options=options))
    names = " ".join(s.id for s in seats if s.role == "debater")
    assert course(state) == [
        "1 framing: framer",
        f"1 case: {names}",
        f"1 critique: {names}",
        "1 evaluation: evaluator",
        "1 recommendation: synthesiser",
    ]
    assert MANY.each_round[0].order == "at_once"


ROOT = Path(__file__).parents[2]
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
