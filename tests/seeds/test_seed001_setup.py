"""Set-up of a stance debate, and its refusals before any cost (flow-state-dev)."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from debate_core.engine import engine
from debate_core.engine.seat_view import View
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.commands import TakeTurn
from debate_core.record.state import Request
from debate_core.seats.prompts import prompt_for, with_custom
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Content, Directive, Synthesis, Verdict
from debate_core.spec.panels import read_panels, seat_panel
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.protocol_files import protocol_from_toml
from debate_core.spec.rules import BySeat
from debate_core.spec.values import Seat
from tests.holding import Said, hold
from tests.playing import AT, Played
from tests.rehearsing import OPTIONS, QUESTION, course, rehearsal
from tests.stepping import read, walk

MODERATED = presets.protocol("moderated_judge")
SUMMED_UP = MODERATED.model_copy(
    update={
        "name": "summed_up",
        "after": (*MODERATED.after, Phase(name="summary", gives="synthesis", role="synthesiser")),
    }
)
"""A judge decides, and a synthesiser puts what was found into another form."""
SIDES = (Seat(id="anna", stance="adopt", occupant="human"), Seat(id="bert", stance="defer", occupant="human"))
MODERATOR, JUDGE = (Seat(id=role, role=role, occupant="human") for role in ("moderator", "judge"))
SYNTHESISER = presets.synthesiser("human")


def _says(request: Request) -> Content:
    match request.gives:
        case "directive":
            briefing = f"fact {request.round}"
            return Directive(reason=f"plan {request.round}", next_speakers=("anna", "bert"), briefing=briefing)
        case "verdict":
            return Verdict(reasoning="the load decides it", verdict="adopt it", option="adopt")
        case "synthesis":
            return Synthesis(answer="in other words", option="defer")
        case _:
            return Argument(rationale=f"{request.seat} {request.round}")


def test_a_synthesis_after_the_verdict_is_optional() -> None:
    # R084, and of R083 that it is optional: it reads the verdict, and what the moderator framed; without its seat the
    # debate ends with the verdict
    state, seen = walk(SUMMED_UP, [*SIDES, MODERATOR, JUDGE, SYNTHESISER], _says, rounds=2)
    told = read(seen["2.summary.synthesiser.1"])
    assert told[0] == "1 direction moderator: plan 1"
    assert told[-1] == "2 verdict judge: the load decides it"
    assert state.outcome is not None
    assert (state.outcome.decision, state.outcome.decided_by) == ("adopt", "judge")
    without, _ = walk(SUMMED_UP, [*SIDES, MODERATOR, JUDGE], _says, rounds=2)
    assert course(without) == course(state)[:-1]
    assert without.outcome is not None
    assert without.outcome.decision == "adopt"


def test_a_decision_by_a_synthesis_that_nobody_gives_is_refused() -> None:
    # R085: what a synthesis is to decide needs a seat that gives one
    decides = SUMMED_UP.model_copy(update={"decide": BySeat(role="synthesiser")})
    with pytest.raises(InvalidSpec, match="summed_up is decided by the synthesiser: seat exactly one"):
        presets.compose(QUESTION, OPTIONS, decides, [*SIDES, MODERATOR, JUDGE])
    no_phase = MODERATED.model_copy(update={"decide": BySeat(role="synthesiser")})
    with pytest.raises(InvalidSpec, match="who gives a synthesis or a verdict"):
        presets.compose(QUESTION, OPTIONS, no_phase, [*SIDES, MODERATOR, JUDGE, SYNTHESISER])


def _contents(seen: View) -> list[str]:
    return sorted(t.content.model_dump_json() for t in seen.turns)


def test_moderator_judge_and_synthesiser_read_the_same_record() -> None:
    # R086: there is no transcript but the record, so no seat can bring another one
    state, seen = walk(SUMMED_UP, [*SIDES, MODERATOR, JUDGE, SYNTHESISER], _says, rounds=2)
    given = [t.content for t in state.all_turns() if t.content]
    record = [content.model_dump_json() for content in given]
    blind = [content.model_dump_json() for content in seen["2.verdict.judge.1"].names.shown(given)]
    assert _contents(seen["2.summary.synthesiser.1"]) == sorted(blind[:-1])
    assert _contents(seen["2.verdict.judge.1"]) == sorted(blind[:-2])
    assert _contents(seen["2.direction.moderator.1"]) == sorted(record[:3])


FIRST = presets.default_seats(MODERATED, QUESTION, OPTIONS, "scripted")[0].id
FITS = f'{{"reason": "go", "next_speakers": ["{FIRST}"], "done": false}}'


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (FITS, "ok"),
        (FITS.replace('"reason": "go", ', ""), "ok"),  # the source's own shape has no reason
        (FITS.replace(f'["{FIRST}"]', '{"all": true}'), "unparseable"),
        (FITS.replace(f'"{FIRST}"', ""), "unparseable"),
        (FITS.replace("false", '"perhaps"'), "unparseable"),
        (f"Let {FIRST} speak first.", "unparseable"),
    ],
)
def test_a_directive_that_is_not_one_steers_nothing(reply: str, status: str) -> None:
    # R095, R112
    raw: Said = {"phase": "direction", "raw": reply, "repeat": True}
    state, _ = hold(rehearsal(MODERATED, raw, settings={"rounds": 1}))
    assert [t.status for t in state.all_turns() if t.phase == "direction"] == [status]
    everybody = " ".join(s.id for s in state.spec.debaters())
    assert course(state)[1] == f"1 argument: {FIRST if status == 'ok' else everybody}"


@pytest.mark.parametrize(
    ("reply", "status", "said"),
    [
        ('{"text": "It pays."}', "ok", "It pays."),
        ('{"rationale": "It pays."}', "ok", "It pays."),
        ('{"words": "It pays."}', "unparseable", ""),
        ('["It pays."]', "unparseable", ""),
        ("42", "unparseable", ""),
    ],
)
def test_a_debaters_turn_is_text_and_nothing_is_converted(reply: str, status: str, said: str) -> None:
    # R110, read otherwise: what is no turn is not turned into text with a warning, it is a failed attempt and shown so
    raw: Said = {"phase": "argument", "raw": reply, "repeat": True}
    state, _ = hold(rehearsal(presets.protocol("stance_judge"), raw, settings={"rounds": 1}))
    given = [t for t in state.all_turns() if t.phase == "argument"]
    assert [(t.status, getattr(t.content, "rationale", "")) for t in given] == [(status, said)] * 2
    assert all(bool(t.message) is (status != "ok") for t in given)


def test_a_moderator_gives_a_directive_and_nothing_else() -> None:
    # R112
    played = Played(presets.compose(QUESTION, OPTIONS, MODERATED, [*SIDES, MODERATOR, JUDGE]))
    request = engine.requests(played.state)[0]
    wrong = TakeTurn(by="moderator", request=request.id, content=Verdict(reasoning="anna is right"))
    with pytest.raises(RuleViolation, match=r"1\.direction\.moderator\.1"):
        engine.submit(played.state, wrong, at=AT)
    played.say(_says(request))
    assert played.state.turns[-1].content == _says(request)


def test_a_protocol_has_a_name() -> None:
    # R117
    with pytest.raises(ValidationError, match="name"):
        Protocol.model_validate({"each_round": [{"name": "say"}], "decide": {"kind": "majority"}})
    rules = '[[each_round]]\nname = "say"\n[decide]\nkind = "majority"\n'
    with pytest.raises(InvalidSpec, match=r"protocol own\.toml: name"):
        protocol_from_toml(rules, where="own.toml")
    with pytest.raises(InvalidSpec, match=r"protocol own\.toml: name"):
        protocol_from_toml('name = ""\n' + rules, where="own.toml")
    assert protocol_from_toml('name = "own"\n' + rules, where="own.toml").name == "own"


def test_a_moderator_is_there_or_not_and_never_false() -> None:
    # R073, R120
    state, _ = walk(MODERATED, [*SIDES, JUDGE], _says, rounds=2)
    assert course(state) == ["1 argument: anna bert", "2 argument: anna bert", "2 verdict: judge"]
    rules = 'name = "own"\nmoderator = false\n[[each_round]]\nname = "say"\n[decide]\nkind = "majority"\n'
    with pytest.raises(InvalidSpec, match=r"protocol own\.toml: moderator"):
        protocol_from_toml(rules, where="own.toml")


def test_custom_instructions_reach_only_their_own_task() -> None:
    # R121, and of R123 the context
    own, situation = with_custom({"rebuttal": "Answer in the words of an auditor."}), "The audit is in May."
    seats = [*SIDES, MODERATOR, JUDGE]
    _, before = walk(MODERATED, seats, _says, rounds=2)
    held, told = 0, []
    for id_, seen in before.items():
        prompt = prompt_for(replace(seen, templates=own, context=situation))
        assert situation in prompt.blocks[0]
        assert situation not in prompt_for(seen).blocks[0]
        told += [id_] if "in the words of an auditor" in prompt.tail else []
        held += 1
    assert (held, told) == (7, ["2.argument.anna.1", "2.argument.bert.1"])


LINES = """
[lines.usual]
provider = "own"
dialect = "chat"
base_url = "http://127.0.0.1:9/v1"
model = "{model}"
[panels.house]
title = "House"
debaters = ["usual"]
"""


def test_a_seat_names_a_model_line_defined_in_the_panel_file() -> None:
    # R122: an alias for what is wanted, so that a model can be replaced and the seats stay as they are
    seats = [Seat(id="anna", stance="adopt"), Seat(id="bert", stance="defer")]
    found = []
    for model in ("old-1", "new-2"):
        file = read_panels(LINES.format(model=model), where="panels.toml")
        seated, lines = seat_panel(seats, file.panel("house"), file)
        found.append((seated, [line.model for line in lines]))
    (old_seats, old), (new_seats, new) = found
    assert old_seats == new_seats
    assert {s.model for s in old_seats} == {"usual"}
    assert (old, new) == (["old-1"], ["new-2"])
