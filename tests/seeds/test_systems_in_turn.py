"""Cases of AutoGen, Du et al. and flow-state-dev: who is next, who reads what, what ends it, what a moderator says."""

import json
import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.engine import limits
from debate_core.engine.engine import submit
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.commands import Pause, StartAttempt, Stop, TakeTurn
from debate_core.record.fold import apply
from debate_core.record.state import State
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec import presets
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Phase, Protocol, Sees
from debate_core.spec.rules import AllOf, Ceiling, MaxRounds, MaxTurns, StopRule, TextMention, Threshold
from debate_core.spec.values import Seat, Usage
from tests.golden_systems import Case, case_of, needs_golden, rows
from tests.holding import Said, hold
from tests.playing import AT, Played
from tests.rehearsing import course, rehearsal

pytestmark = needs_golden

ROUND_ROBIN = presets.protocol("autogen_round_robin")


FLOW = {
    name: case_of("flow_state_dev_debate", number)
    for number, name in (
        (0, "order"),
        (1, "three sides"),
        (2, "verdict passthrough"),
        (3, "debater raises"),
        (4, "audit tasks"),
        (5, "render anonymised"),
        (7, "moderator order"),
        (8, "done in round 1"),
        (10, "unknown speaker"),
        (11, "zero-speaker last round"),
        (12, "max_rounds 1 with moderator done=false"),
    )
}


def named(name: str) -> Case:
    assert FLOW[name]["name"] == name
    return FLOW[name]


RESUMED, CANCELLED = case_of("autogen_round_robin", 0), case_of("autogen_round_robin", 1)
ASKED_AGAIN, LOST = case_of("autogen_selector", 0), case_of("autogen_selector", 1)


def _begun(rules: Protocol, ids: Sequence[str], *, rounds: int = 2) -> Played:
    seats = [Seat(id=i, occupant="human") for i in ids]
    return Played(presets.compose("Q?", ["x", "y"], rules, seats, max_rounds=rounds))


def _speak(played: Played, turns: int, usage: Usage | None = None) -> list[str]:
    """The next turns, each an abstention, and who gave them."""
    spoken = []
    for _ in range(turns):
        request = played.requests()[0]
        spoken.append(request.seat)
        content = Argument(rationale=f"{request.seat} in round {request.round}", vote="abstain")
        played.do(TakeTurn(by=request.seat, request=request.id, content=content, usage=usage))
    return spoken


def test_round_robin_resumes_with_the_next_speaker() -> None:
    # R028, R202
    case = RESUMED
    ids = [f"agent_{i}" for i in range(1, case["agents"] + 1)]
    played = _begun(ROUND_ROBIN, ids)
    first = _speak(played, len(case["run1"]))
    played.do(Pause(by="operator", reason="enough for now")).go_on(by="operator")
    then = _speak(played, len(case["resume"]))
    again = _speak(_begun(ROUND_ROBIN, ids), len(case["after_reset"]))
    assert (first, then, again) == (case["run1"], case["resume"], case["after_reset"])


def test_a_stopped_round_robin_has_a_record_and_another_its_cap() -> None:
    # R060
    assert CANCELLED["cancel"]
    played = _begun(ROUND_ROBIN, ["a", "b"])
    _speak(played, 1)
    outcome = played.do(Stop(by="operator", reason="cancelled")).outcome()
    assert (outcome.status, outcome.ended_by) == ("aborted", "stopped")
    another = _begun(ROUND_ROBIN, ["a", "b"], rounds=10)
    spoken = _speak(another, 20)
    assert (another.outcome().fired, spoken) == (("max_rounds_exhausted",), ["a", "b"] * 10)


@pytest.mark.parametrize("case", rows("autogen_round_robin", lambda c: "error" in c))
def test_round_robin_without_rounds_or_seats_is_refused(case: Case) -> None:
    # R047, R048
    ids, rounds = ([], 2) if case.get("no_participants") else (["a", "b"], case["max_turns"])
    with pytest.raises(InvalidSpec, match=r"debater_ids must not be empty|max_rounds must be at least 1"):
        _begun(ROUND_ROBIN, ids, rounds=rounds)


def _tokens(case: Case) -> list[Usage]:
    return [Usage(calls=1, input_tokens=i, output_tokens=o) for i, o in case["usage"]]


@pytest.mark.parametrize("case", rows("autogen_stop_conditions", lambda c: "usage" in c))
def test_a_bound_of_tokens_stops_before_the_next_call(case: Case) -> None:
    # R225, R248
    rules = ROUND_ROBIN.model_copy(update={"stop": (Ceiling(tokens=10), *ROUND_ROBIN.stop)})
    played = _begun(rules, ["a", "b", "c"])
    for used in _tokens(case):
        assert limits.passed(played.state, Usage(calls=1, input_tokens=1), at=played.state.opened_at) is None
        _speak(played, 1, used)
    state = played.state
    assert (limits.passed(state, Usage(calls=1, input_tokens=1), at=state.opened_at) == "tokens") == case["stop"]


def _rules(condition: str) -> tuple[StopRule, ...]:
    """The stop rules that say the condition of a case."""
    mention = TextMention(phrase="stop", by=("agent",) if "from source agent" in condition else None)
    number = re.search(r"max\D*(\d)", condition)
    if number is None:
        return (mention,)
    bound = MaxTurns(turns=int(number[1]))
    if "AND" in condition:
        return (AllOf(rules=(bound, mention)),)
    return (bound, mention) if "OR" in condition else (bound,)


def _messages(case: Case) -> list[tuple[str, str]]:
    """Return speaker and text of each message in order."""
    said = case.get("messages", ["stop"])
    texts = ["Hello"] * said if isinstance(said, int) else said
    return [(case.get("said_by", "agent"), text) for text in texts]


@pytest.mark.parametrize("case", rows("autogen_stop_conditions", lambda c: "messages" in c or "said_by" in c))
def test_bounds_on_messages_and_words_of_whom(case: Case) -> None:
    # R100: what AutoGen's conditions say, alone and together
    messages = _messages(case)
    seats = [Seat(id="agent", occupant="human"), Seat(id="user", occupant="human")]
    one = Protocol(
        name="one_by_one",
        each_round=(Phase(name="message", places=(1,)), Phase(name="reply", places=(2,))),
        stop=(*_rules(case["cond"]), MaxRounds()),
        decide=Threshold(votes=2),
    )
    talk = one.model_copy(update={"each_round": (Phase(name="message"),)}) if "said_by" in case else one
    played = Played(presets.compose("Q?", ["x", "y"], talk, seats, max_rounds=8))
    for who, text in messages:
        assert played.state.outcome is None
        while played.requests()[0].seat != who and "said_by" in case:
            played.say(Argument(rationale="Hello", vote="abstain"))
        played.say(Argument(rationale=text, vote="abstain"))
    assert (played.state.outcome is not None) == case["stop"]


def test_a_judge_reads_stances_and_words_in_spoken_order() -> None:
    # R105, R106
    case = named("render anonymised")
    rules = presets.protocol("stance_judge")
    last = rules.after[0].model_copy(update={"sees": Sees()})
    sides = {seat: stance for _, seat, stance, _ in case["entries"]}
    seats = [{"id": seat, "stance": stance} for seat, stance in sides.items()]
    said: list[Said] = [
        {"seat": seat, "round": number, "phase": "argument", "content": {"rationale": text}}
        for number, seat, _, text in case["entries"]
    ]
    script = rehearsal(rules.model_copy(update={"after": (last,)}), *said, seats=seats)
    played = Played(spec_of(read_script(json.dumps(script))))
    for number, seat, _, text in case["entries"]:
        played.do(TakeTurn(by=seat, request=f"{number}.argument.{seat}.1", content=Argument(rationale=text)))
    seen = view(played.state, played.requests()[0])
    lines, told = list[str](), 0
    for turn in seen.turns:
        lines += [] if turn.round == told else [f"Round {turn.round}:"]
        told = turn.round
        lines.append(f"[{turn.speaker}] {turn.content.prose}")
    assert lines == case["lines"]


TIMEOUT, ENDED = case_of("autogen_stop_conditions", 6), case_of("autogen_stop_conditions", 7)


def test_a_bound_of_seconds_and_nothing_after_the_end() -> None:
    assert (TIMEOUT["stop"], "error" in ENDED) == (True, True)
    rules = ROUND_ROBIN.model_copy(update={"stop": (Ceiling(seconds=1), *ROUND_ROBIN.stop)})
    played = _begun(rules, ["a", "b"], rounds=1)
    asked = played.asked()
    with pytest.raises(RuleViolation, match="the ceiling of seconds would be passed"):
        submit(played.state, StartAttempt(by="a", request=asked[0]), at=AT + timedelta(seconds=2))
    _speak(played, 2)
    with pytest.raises(RuleViolation, match="the debate is over"):
        played.do(StartAttempt(by="b", request=asked[-1]))


VISIBILITY = case_of("du", 1)


def test_peers_read_the_last_turns_of_others_and_all_their_own() -> None:
    # R025: at the same time, so nobody reads this round
    assert VISIBILITY["fn"] == "visibility"
    played = _begun(presets.protocol("society"), ["a", "b", "c"], rounds=3)
    assert view(played.state, played.requests()[0]).turns == ()
    for _ in range(2):
        # The answers differ and move, or it would end before the last round.
        for request in played.requests():
            vote = ("x", "y", "abstain")[(("a", "b", "c").index(request.seat) + request.round) % 3]
            content = Argument(rationale="said", vote=vote)
            played.do(TakeTurn(by=request.seat, request=request.id, content=content))
    seen = view(played.state, played.requests()[1])
    assert [(t.round, t.speaker, t.own) for t in seen.turns] == [
        (1, "side B", True),
        (2, "side A", False),
        (2, "side B", True),
        (2, "side C", False),
    ]


MODERATED = presets.protocol("moderated_judge")


def _directives(given: Sequence[tuple[Sequence[str], bool]]) -> list[Said]:
    return [
        {
            "phase": "direction",
            "round": number,
            "content": {
                "reason": "as planned",
                "next_speakers": [*speakers],
                "done": done,
                "briefing": f"fact {number}",
            },
        }
        for number, (speakers, done) in enumerate(given, start=1)
    ]


def _moderated(case: Case, ids: Sequence[str], rounds: int) -> State:
    seats = [{"id": i, "stance": f"side {i}"} for i in ids]
    state, _ = hold(rehearsal(MODERATED, *_directives(case["decisions"]), seats=seats, settings={"rounds": rounds}))
    return state


def _argued(state: State) -> list[str]:
    return [f"{t.round}:{t.seat}" for t in state.all_turns() if t.phase == "argument"]


def test_the_declared_order_in_every_round() -> None:
    # R073, R078
    for name, rounds in (("order", 2), ("three sides", 1)):
        case = named(name)
        ids = [d.partition(":")[0] for d in case["debaters"]]
        seats = [{"id": i, "stance": f"side {i}"} for i in ids]
        state, _ = hold(rehearsal(presets.protocol("stance_judge"), seats=seats, settings={"rounds": rounds}))
        assert _argued(state) == case["turns"]
        assert course(state)[-1] == f"{rounds} verdict: judge"


def test_the_verdict_is_told_as_the_judge_gave_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # R071, R074, R084
    given = named("verdict passthrough")["verdict"]
    seats = [{"id": "a", "stance": "for"}, {"id": "b", "stance": "against"}]
    content = {"verdict": given["verdict"], "option": given["winner"], "reasoning": given["reasoning"]}
    said: Said = {"phase": "verdict", "content": content}
    path = tmp_path / "script.json"
    rules = presets.protocol("stance_judge")
    path.write_text(json.dumps(rehearsal(rules, said, seats=seats, options=("for", "against"))), "utf-8")
    assert main(["run", "--script", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["decision"] == "for"
    assert {key: told["verdict"][key] for key in ("verdict", "reasoning")} == {
        key: given[key] for key in ("verdict", "reasoning")
    }


def test_the_moderator_names_who_speaks_and_in_which_order() -> None:
    # R072, R079, R089, R090
    case = named("moderator order")
    state = _moderated(case, case["roster"], 5)
    assert _argued(state) == case["turns"]
    assert state.outcome is not None
    assert (state.outcome.ended_by, state.outcome.rounds_run) == ("moderator_done", 2)


def test_done_lets_its_round_run_and_ends_the_rounds() -> None:
    # R090
    case = named("done in round 1")
    state = _moderated(case, ["a", "b"], case["max_rounds"])
    assert (len(_argued(state)), state.current_round()) == (case["turns"], case["rounds"])


def test_a_last_round_without_speakers_is_a_round_all_the_same() -> None:
    # R087, R095
    case = named("zero-speaker last round")
    state = _moderated(case, ["a", "b"], 5)
    assert _argued(state) == ["1:a", "2:b"]
    assert state.outcome is not None
    assert (state.outcome.rounds_run, state.outcome.ended_by) == (case["rounds"], "moderator_done")
    assert [t.round for t in state.all_turns() if t.phase == "direction"] == case["decision_rounds"]


def test_one_round_ends_at_its_cap_whatever_the_moderator_wants() -> None:
    # R099
    case = named("max_rounds 1 with moderator done=false")
    state = _moderated({"decisions": [[["a", "b"], False]]}, ["a", "b"], 1)
    assert (state.current_round(), len(_argued(state))) == (case["rounds"], case["turns"])
    assert len([t for t in state.all_turns() if t.phase == "direction"]) == case["decisions_len"]


def test_an_unknown_speaker_is_refused_with_the_names_there_are() -> None:
    # R096: the source ends there; here the moderator is asked again, and then everybody speaks
    case = named("unknown speaker")
    state = _moderated(case, ["a", "b"], 1)
    assert all(text in state.failed_attempts[0].message for text in case["error_contains"])
    assert _argued(state) == ["1:a", "1:b"]


def _chosen(replies: Sequence[str], attempts: int) -> tuple[list[str], int]:
    rules = MODERATED.model_copy(update={"attempts": attempts})
    said: list[Said] = [
        {"phase": "direction", "attempt": number, "content": {"reason": "next", "next_speakers": [reply]}}
        for number, reply in enumerate(replies, start=1)
    ]
    seats = [{"id": f"agent{i}", "stance": f"side {i}"} for i in (1, 2, 3)]
    state, _ = hold(rehearsal(rules, *said, seats=seats, settings={"rounds": 1}))
    return [t.seat for t in state.all_turns() if t.phase == "argument"], len(state.failed_attempts)


def test_a_moderator_who_names_nobody_clearly_is_asked_again() -> None:
    # R095, R096
    asked_again, lost = ASKED_AGAIN, LOST
    speakers, failed = _chosen(asked_again["replies"], 3)
    assert (speakers, failed + 1) == ([asked_again["chosen"]], asked_again["attempts"])
    # The source then takes the first or the last speaker in silence; here it is told, and everybody speaks.
    speakers, failed = _chosen(lost["replies"], len(lost["replies"]))
    assert (speakers, failed) == (["agent1", "agent2", "agent3"], len(lost["replies"]) - 1)


def test_a_debater_who_fails_does_not_end_the_debate() -> None:
    # The source ends with the first error of a debater.
    assert named("debater raises")["error"]
    seats = [{"id": "a", "stance": "for"}, {"id": "b", "stance": "against"}]
    broken = {"seat": "a", "phase": "argument", "round": 1, "error": "error", "repeat": True}
    state, _ = hold(rehearsal(presets.protocol("stance_judge"), broken, seats=seats))
    assert [t.status for t in state.all_turns()] == ["failed", "ok", "ok", "ok", "ok"]


def test_every_turn_is_in_the_record() -> None:
    # R082
    case = named("audit tasks")
    seats = [{"id": i, "stance": i} for i in "ab"]
    state, _ = hold(rehearsal(presets.protocol("stance_judge"), seats=seats, settings={"rounds": case["rounds"]}))
    assert len(_argued(state)) >= case["tasks_at_least"]


def test_the_state_is_the_same_when_its_events_are_read_again() -> None:
    state, events = hold(rehearsal(MODERATED))
    again: State | None = None
    for event in events:
        again = apply(again, event)
    assert again == state
