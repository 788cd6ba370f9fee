"""Deliberation: two sides open, rebut and close; a synthesiser without a side weighs them."""

from decimal import Decimal
from pathlib import Path

import pytest

from debate_core.engine.engine import requests, submit
from debate_core.host.settings import read_panel_file, read_settings
from debate_core.record.commands import TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.report.facts.account import account
from debate_core.report.facts.turns import turn_rows
from debate_core.report.files.report import markdown_report, text_report
from debate_core.seats.forecast import forecast
from debate_core.seats.pricing import cost_usd
from debate_core.seats.prompts import prompt_for
from debate_core.seats.prompts.texts import TASKS
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Content, Linked, Synthesis, Verdict
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.values import Seat, Usage
from tests.holding import AT, Said, hold, script
from tests.rehearsing import OPTIONS, QUESTION, course
from tests.stepping import read, walk

RULES = presets.DELIBERATION
SEATS = (
    Seat(id="anna", stance="adopt", occupant="human"),
    Seat(id="bert", stance="defer", occupant="human"),
    presets.synthesiser("human"),
)


def _says(request: Request) -> Content:
    if request.gives == "synthesis":
        return Synthesis(answer="so far", option="defer", contested=(Linked(text="cost", links=("anna.1.1",)),))
    return Argument(rationale=f"{request.seat} {request.phase}")


@pytest.mark.parametrize(
    ("rounds", "middle"),
    [
        (1, []),
        (2, ["2 closing: anna bert"]),
        (4, ["2 rebuttal: anna bert", "3 rebuttal: anna bert", "4 closing: anna bert"]),
    ],
)
def test_open_rebut_close_and_then_the_synthesis(rounds: int, middle: list[str]) -> None:
    # R137, R143, R145
    def says(request: Request) -> Content:
        """Something new in every round: otherwise the rounds end for want of progress."""
        return _says(request) if request.gives == "synthesis" else Argument(rationale=f"{request.id} is new")

    state, _ = walk(RULES, SEATS, says, rounds=rounds)
    assert course(state) == ["1 opening: anna bert", *middle, f"{rounds} synthesis: synthesiser"]
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.decided_by) == ("defer", "synthesiser")


def test_both_sides_speak_unseen_and_then_answer_each_other() -> None:
    # R130, R150, R153
    _, seen = walk(RULES, SEATS, _says, rounds=3)
    assert (read(seen["1.opening.anna.1"]), read(seen["1.opening.bert.1"])) == ([], [])
    assert read(seen["2.rebuttal.bert.1"]) == ["1 opening adopt: anna opening", "1 opening defer: bert opening"]
    assert read(seen["3.closing.anna.1"])[2:] == ["2 rebuttal adopt: anna rebuttal", "2 rebuttal defer: bert rebuttal"]


def test_the_synthesiser_has_no_side_and_reads_all_of_it_once() -> None:
    # R139, R149, R151
    _, seen = walk(RULES, SEATS, _says, rounds=3)
    reading = seen["3.synthesis.synthesiser.1"]
    assert (reading.seat.stance, len(reading.turns), reading.ballot_options) == ("", 6, ())
    assert [name for name in seen if "synthesis" in name] == ["3.synthesis.synthesiser.1"]


def test_a_synthesis_that_names_no_option_decides_nothing() -> None:
    state, _ = walk(RULES, SEATS, lambda r: Synthesis(answer="level") if r.gives == "synthesis" else _says(r))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("undecided", "escalate")


def test_who_weighs_is_none_of_those_who_argue() -> None:
    # R057, R145, R151: a debate does not check itself, so no preset lets a debater judge what debaters said.
    # In a tournament nobody argues: who compares reads two options, and no turn.
    weighing = [
        (name, phase.name, phase.role)
        for name, rules in presets.PROTOCOLS.items()
        if not rules.paired
        for phase in rules.phases()
        if phase.gives in ("synthesis", "verdict", "evaluation")
    ]
    assert len(weighing) > 15
    assert [w for w in weighing if w[2] == "debater"] == []


def test_one_critic_costs_less_than_a_panel_and_reads_as_much() -> None:
    # R024: the two ends of the trade-off are presets, and the forecast says what lies between them
    line = ModelLine(id="m", model="m1", provider="own", dialect="chat", price=Price(input="1", output="1"))

    def calls(name: str) -> int:
        rules = presets.protocol(name)
        seats = [s.model_copy(update={"model": "m"}) for s in presets.default_seats(rules, QUESTION, OPTIONS, "model")]
        return forecast(presets.compose(QUESTION, OPTIONS, rules, seats, models=[line]), at=AT).total.calls

    assert (calls("adversary"), calls("bounded_vote")) == (4, 3 * 4 * 2)


def test_a_debater_knows_question_side_and_record_and_stays() -> None:
    # R146
    _, seen = walk(RULES, SEATS, _says, rounds=2)
    prompt = prompt_for(seen["2.closing.bert.1"])
    assert QUESTION in prompt.blocks[0]
    assert [b.splitlines()[0] for b in prompt.blocks[1:]] == ["# Turn: round 1, opening"] * 2
    assert "The side you defend: defer" in prompt.tail
    assert "Do not change sides." in prompt.tail
    assert "say whose point you answer" in prompt.tail
    assert "give the best defence there is" in prompt.tail


def test_the_set_up_of_a_seat_is_the_same_in_every_call() -> None:
    # R157: role, side, engagement, length and form of the reply; only the record and the task of the moment change
    _, seen = walk(RULES, SEATS, _says, rounds=3)
    calls = [prompt_for(seen[f"{n}.{phase}.anna.1"]) for n, phase in enumerate(("opening", "rebuttal", "closing"), 1)]
    assert len({p.system for p in calls}) == 1
    assert ["At most 250 words in `rationale`." in p.tail for p in calls] == [True, True, True]
    assert "one JSON object with these fields in this order" in calls[0].system
    cards = [[line for line in p.tail.split("\n\n")[0].splitlines() if "earlier turns" not in line] for p in calls]
    assert cards[0] == cards[1] == cards[2]
    assert cards[0][:3] == ["# Your seat", "You speak as seat_a.", "The side you defend: adopt"]
    assert [f"round {n} of 3" in p.tail for n, p in enumerate(calls, 1)] == [True, True, True]


def test_the_strongest_form_is_answered_without_personal_attacks() -> None:
    # R165, R168: against straw men; a critic looks for claims, their evidence and their steps
    _, seen = walk(RULES, SEATS, _says, rounds=2)
    rules = prompt_for(seen["1.opening.anna.1"]).system
    assert "Take on the strongest form of what others say, and describe their side as they would." in rules
    assert "No greetings, praise, or remarks on the debate." in rules
    assert "the premise, the evidence, the step from one to the other" in TASKS["critique"]


def test_the_exchange_is_shown_whole_beside_its_result() -> None:
    # R152, R172: the explanation of a decision is what was said, word for word
    state, _ = walk(RULES, SEATS, _says, rounds=3)
    said = [f"{seat} {phase}" for phase in ("opening", "rebuttal", "closing") for seat in ("anna", "bert")]
    for report in (text_report(account(state)), markdown_report(account(state))):
        places = [report.find(words) for words in (*said, "so far")]
        assert -1 not in places
        assert places[:-1] == sorted(places[:-1])
    assert [r.text for r in turn_rows(state)] == [*said, "so far"]


def test_two_sides_argue_safety_and_a_person_decides() -> None:
    # R175, R177
    seats: list[Said] = [
        {"id": "blue", "stance": "it is safe to release", "commitment": "locked"},
        {"id": "red", "stance": "it is not safe to release", "commitment": "locked"},
        {"id": "judge", "role": "judge", "occupant": "human"},
    ]
    turns: list[Said] = [{"seat": s, "content": {"rationale": f"{s} argues"}, "repeat": True} for s in ("blue", "red")]
    fields = {"protocol": "stance_judge", "seats": seats, "options": ["release", "hold"], "settings": {"rounds": 1}}
    state, _ = hold(script(turns, **fields))
    assert state.outcome is None
    request = requests(state)[0]
    assert (request.id, len(requests(state))) == ("1.verdict.judge.1", 1)
    verdict = Verdict(reasoning="The rollback was never tried.", verdict="hold it back", option="hold")
    after = replay(submit(state, TakeTurn(by="judge", request=request.id, content=verdict), at=AT), state)
    assert after.outcome is not None
    assert (after.outcome.decision, after.outcome.decided_by) == ("hold", "judge")


def test_the_strongest_model_of_a_family_summarises() -> None:
    # R138, as far as a price tells what a model can do; across families nobody ranks them
    file = read_panel_file(read_settings(environ={}, secrets=Path("/nowhere")))
    call = Usage(calls=1, input_tokens=1_000, output_tokens=1_000)
    named = [p for p in file.panels if p.synthesiser]
    assert len(named) == 2
    for panel in named:
        prices = {i: Decimal(cost_usd(call, file.line(i), at=AT) or "0") for i in panel.line_ids()}
        assert all(prices.values())
        assert prices[str(panel.synthesiser)] == max(prices.values())
