"""A judge asked in both orders: its prompts, the decision, and the refusals (R107, R114)."""

import pytest

from debate_core.engine import voting
from debate_core.engine.seat_view import View
from debate_core.errors import InvalidSpec
from debate_core.record.state import Request, State
from debate_core.report.facts.account import account
from debate_core.report.files.export import run_json
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Content, Verdict
from debate_core.spec.protocol import Phase, Protocol, Sees
from debate_core.spec.protocol_changes import with_both_orders
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.spec.values import Seat
from debate_core.ui.results.offices import orders_words
from tests.playing import Played
from tests.rehearsing import OPTIONS, QUESTION
from tests.stepping import read, walk

RULES = with_both_orders(presets.protocol("stance_judge"))
SEATS = (
    *(
        Seat(id=i, stance=s, occupant="human", commitment="locked")
        for i, s in (("anna", "adopt"), ("bert", "defer"), ("cleo", "adopt"))
    ),
    Seat(id="judge", role="judge", occupant="human"),
)


def held(first: str | None, second: str | None, *, seed: int = 0) -> tuple[State, dict[str, View]]:
    """One round, and a judge who names these in the one order and in the other."""

    def says(request: Request) -> Content:
        if request.gives != "verdict":
            return Argument(rationale=f"{request.seat} in {request.phase}")
        named = second if request.phase == "verdict_reversed" else first
        return Verdict(reasoning="weighed", option=named, confidence=80 if request.phase == "verdict" else 60)

    return walk(RULES, SEATS, says, rounds=1, seed=seed)


@pytest.mark.parametrize("seed", range(6))
def test_the_second_reading_is_reversed_and_hides_the_verdict(seed: int):
    _, seen = held("adopt", "adopt", seed=seed)
    there, back = read(seen["1.verdict.judge.1"]), read(seen["1.verdict_reversed.judge.1"])
    phases = list(dict.fromkeys(line.split()[1] for line in there))
    assert phases == list(dict.fromkeys(line.split()[1] for line in back))
    for phase in phases:
        lines = [line for line in there if line.split()[1] == phase]
        assert [line for line in back if line.split()[1] == phase] == lines[::-1]
    assert not any("weighed" in line for line in back)


def test_what_is_named_in_both_orders_decides():
    state, _ = held("defer", "defer")
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "defer")
    assert run_json(account(state))["verdict"] == {"verdict": "", "winner": "defer", "reasoning": "weighed"}
    turn = voting.last_word(state, "judge")
    assert turn is not None
    assert orders_words(voting.both_orders(state, turn)) == (
        "Asked in both orders, the same in both. How sure in each: 80 of 100 and 60 of 100."
    )


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("adopt", "defer", "named adopt in one order and defer in the other, which decides nothing"),
        ("adopt", None, "named adopt in one order and no option in the other, which decides nothing"),
        (None, None, "named no option"),
    ],
)
def test_what_only_one_order_names_decides_nothing(first: str | None, second: str | None, words: str):
    state, _ = held(first, second)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("undecided", "escalate")
    assert words in outcome_sentence(account(state))
    assert run_json(account(state))["verdict"] == {"verdict": "", "winner": None, "reasoning": "weighed"}


def test_a_verdict_in_one_order_alone_names_nothing_yet():
    state, _ = held("adopt", "adopt")
    turn = next(t for t in state.turns if t.phase == "verdict")
    assert voting.both_orders(state, turn) == voting.both_orders(state, state.turns[-1])
    assert orders_words((turn.content if isinstance(turn.content, Verdict) else None, None)) == (
        "Asked in both orders, and only one was answered: this verdict names nothing."
    )


def test_a_judge_who_fails_in_the_second_order_names_nothing():
    played = Played(presets.compose(QUESTION, OPTIONS, RULES, SEATS, max_rounds=1))
    while (request := played.requests()[0]).phase != "verdict_reversed":
        is_verdict = request.gives == "verdict"
        played.say(Verdict(reasoning="weighed", option="adopt") if is_verdict else Argument(rationale="why"))
    while played.state.outcome is None:
        played.fail()
    assert voting.named_by(played.state, "judge") == ("judge", None)
    assert played.outcome().status == "undecided"


def test_a_protocol_file_says_it_too_and_it_is_added_once():
    assert [p.name for p in RULES.after] == ["verdict", "verdict_reversed"]
    assert with_both_orders(RULES) == RULES
    assert protocol_from_toml(protocol_to_toml(RULES), where="here.toml") == RULES
    assert with_both_orders(presets.EXPERT_PANEL) == presets.EXPERT_PANEL


@pytest.mark.parametrize(
    "mirror",
    [
        Phase(name="again", gives="verdict", role="judge", sees=Sees(mirrors="nothing")),
        Phase(name="again", gives="verdict", role="judge", sees=Sees(mirrors="again")),
        Phase(name="again", gives="evaluation", role="judge", sees=Sees(shuffle=True, mirrors="verdict")),
        Phase(name="again", gives="verdict", role="judge", sees=Sees(turns="own", shuffle=True, mirrors="verdict")),
        Phase(name="again", gives="verdict", role="judge", sees=Sees(shuffle=False, mirrors="verdict")),
    ],
)
def test_a_mirror_of_something_else_is_refused(mirror: Phase):
    usual: Protocol = presets.protocol("stance_judge")
    rules = usual.model_copy(update={"after": (*usual.after, mirror)})
    with pytest.raises(InvalidSpec, match="it must name the phase right before it, which asks the same seats"):
        presets.compose(QUESTION, OPTIONS, rules, SEATS)


def test_a_third_reading_that_decides_nothing_is_refused():
    first, second = RULES.after
    rules = RULES.model_copy(update={"after": (first, second, second.model_copy(update={"name": "again"}))})
    with pytest.raises(InvalidSpec, match="phase 'again' mirrors 'verdict': it must name the phase right before it"):
        presets.compose(QUESTION, OPTIONS, rules, SEATS)


def test_a_verdict_with_the_longest_name_gets_another_name():
    usual = presets.protocol("stance_judge")
    (verdict,) = usual.after
    rules = with_both_orders(usual.model_copy(update={"after": (verdict.model_copy(update={"name": "v" * 40}),)}))
    assert [p.name for p in rules.after] == ["v" * 40, f"{'v' * 31}_reversed"]
    assert presets.compose(QUESTION, OPTIONS, rules, SEATS).protocol == rules
