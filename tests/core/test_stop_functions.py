"""Stop functions: a program's own test after each round, with verdicts in the record."""

import asyncio
from pathlib import Path

import pytest

from debate_core import run
from debate_core.__main__ import main
from debate_core.engine import engine, stop_functions
from debate_core.engine.audit import verify
from debate_core.engine.stop_functions import StopTest, register_stop
from debate_core.errors import InvalidSpec
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import TakeTurn
from debate_core.record.events import StopVerdict, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.report.facts.account import account
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.seats import OnText
from debate_core.seats.forecast import play_on_paper
from debate_core.spec.contents import Argument
from debate_core.spec.presets import EXPERT_PANEL
from debate_core.spec.protocol import Spec
from debate_core.spec.protocol_files import protocol_to_toml
from debate_core.spec.rules import AllOf, FromRound, MaxRounds, Plurality, StopFunction, StopRule
from debate_core.ui.setup.draft import example
from debate_core.ui.setup.readiness import problem
from tests.by_hand import OPEN, small_spec
from tests.playing import AT, Played

GUARD = StopFunction(function="guard")
SPLIT: dict[str, str | None] = {"s0": "a", "s1": "a", "s2": "b"}


@pytest.fixture(autouse=True)
def _own_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the functions of this test are registered."""
    monkeypatch.setattr(stop_functions, "_functions", {})


def guarded(function: StopTest, *stop: StopRule, rounds: int = 4) -> Spec:
    register_stop("guard", function)
    return small_spec(OPEN, rounds=rounds, decide=Plurality(), stop=stop or (GUARD, MaxRounds()))


def in_round_two(state: State) -> bool:
    return state.current_round() == 2


def verdicts(played: Played) -> list[tuple[int, bool]]:
    return [(event.body.round, event.body.holds) for event in played.events if isinstance(event.body, StopVerdict)]


def test_a_function_ends_the_rounds_and_its_verdicts_are_events() -> None:
    # R100
    played = Played(guarded(in_round_two)).vote(SPLIT).vote(SPLIT)
    outcome = played.outcome()
    assert (outcome.decision, outcome.ended_by, outcome.rounds_run) == ("a", "stop_function", 2)
    assert verdicts(played) == [(1, False), (2, True)]
    assert "a function of the program, agreed before the start, had ended" in outcome_sentence(account(played.state))


def test_a_record_is_verified_and_replayed_without_the_function() -> None:
    played = Played(guarded(in_round_two)).vote(SPLIT).vote(SPLIT)
    stop_functions._functions.clear()
    events = parse_record(dump_record(played.events).encode())
    assert verify(events) == ()
    assert replay(events) == played.state


def test_a_record_without_the_verdict_is_found() -> None:
    played = Played(guarded(in_round_two)).vote(SPLIT).vote(SPLIT)
    at = next(n for n, event in enumerate(played.events) if isinstance(event.body, StopVerdict))
    assert "the rules require another event" in verify(played.events[:at])[0].message


def test_the_last_round_needs_no_verdict() -> None:
    played = Played(guarded(lambda _state: True, MaxRounds(), GUARD, rounds=1)).vote(SPLIT)
    assert played.outcome().fired == ("max_rounds_exhausted",)
    assert verdicts(played) == []


def test_a_function_is_a_part_of_all_of() -> None:
    both = AllOf(rules=(FromRound(round=3), GUARD))
    played = Played(guarded(lambda _state: True, both, MaxRounds())).vote(SPLIT).vote(SPLIT)
    assert played.state.outcome is None
    assert played.vote(SPLIT).outcome().rounds_run == 3


def test_an_unknown_function_is_refused_at_the_start() -> None:
    spec = small_spec(OPEN, decide=Plurality(), stop=(GUARD, MaxRounds()))
    register_stop("other", in_round_two)
    with pytest.raises(InvalidSpec, match="asks the stop function 'guard', which this program does not"):
        engine.open_debate(spec, debate_id="d1", at=AT)


@pytest.mark.parametrize("name", ["", "Guard", "1st", "a" * 41, "no-dash"])
def test_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpec, match="a stop function is named with 1 to 40"):
        register_stop(name, in_round_two)


def test_an_exception_goes_to_the_caller_and_changes_nothing() -> None:
    # R100
    def divides(_state: State) -> bool:
        return 1 / 0 > 0

    played = Played(guarded(divides))
    played.say("a").say("a")
    before = played.state
    with pytest.raises(ZeroDivisionError) as raised:
        played.say("b")
    assert stop_functions.broken_function(raised.value) == "guard"
    assert played.state == before


def test_a_verdict_other_than_true_or_false_is_refused() -> None:
    played = Played(guarded(lambda _state: None))  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="returns True or False, not None"):
        played.vote(SPLIT)


async def _votes(request: Request, _view: object, _on_text: OnText) -> TakeTurn:
    return TakeTurn(by=request.seat, request=request.id, content=Argument(rationale="It pays.", vote="a"))


def test_a_broken_function_stops_a_run_with_a_whole_record() -> None:
    def breaks(state: State) -> bool:
        raise LookupError(state.debate)

    store = MemoryStore()
    events = engine.open_debate(guarded(breaks), debate_id="d1", at=AT)
    store.append("d1", events, after=0)
    with pytest.raises(LookupError):
        asyncio.run(run("d1", store, dict.fromkeys(("s0", "s1", "s2"), _votes)))
    kept = store.load("d1")
    state = replay(kept)
    assert verify(kept) == ()
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.ended_by) == ("aborted", "stopped")
    assert state.stopped is not None
    assert state.stopped.reason == "the stop function guard raised LookupError"


def test_a_forecast_asks_no_function() -> None:
    def breaks(state: State) -> bool:
        raise LookupError(state.debate)

    assert len(play_on_paper(guarded(breaks, rounds=2), "a")) == 6


def test_the_command_line_refuses_it_but_shows_records_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "own.toml"
    played = Played(guarded(in_round_two)).vote(SPLIT).vote(SPLIT)
    rules.write_text(protocol_to_toml(played.state.spec.protocol), "utf-8")
    record = tmp_path / "d.jsonl"
    record.write_text(dump_record(played.events), "utf-8")
    stop_functions._functions.clear()
    assert main(["run", "Q?", "--protocol", str(rules), "--offline"]) == 2
    assert capsys.readouterr().err == (
        "debate_core: the protocol asks the stop function 'guard', which this program does not have; it has none\n"
    )
    assert main(["verify", str(record)]) == 0
    assert main(["report", str(record)]) == 0
    assert "a function of the program" in capsys.readouterr().out


def test_set_up_refuses_an_unknown_function() -> None:
    rules = EXPERT_PANEL.model_copy(update={"name": "own", "stop": (GUARD, MaxRounds())})
    draft = example("Move?", ("move", "stay")).model_copy(update={"own": rules, "protocol": "own"})
    assert "asks the stop function 'guard'" in (problem(draft) or "")
