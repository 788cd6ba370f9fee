"""The orchestration pattern Debate: the schedule is code, the decision is counted, the report is nine lines.

A *seed* of this folder is a published pattern or system that the program was first built from; the literature
of `debate_core/spec/literature.py` names them. Each file plays one of them by the protocols that ship.
"""

import json

import pytest
from pydantic import ValidationError

from debate_core.engine import engine
from debate_core.engine.audit import verify
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.commands import TakeTurn
from debate_core.record.events import DebateOpened, PhaseBegan, PhaseEnded, TurnTaken
from debate_core.report.facts.account import account
from debate_core.report.facts.ballots import vote_rows
from debate_core.report.facts.counts import tally_rows
from debate_core.report.facts.health import flags
from debate_core.report.facts.turns import turn_rows
from debate_core.report.files.export import dumps, run_json
from debate_core.report.phrases.outcome import summary_report
from debate_core.spec import presets
from debate_core.spec.contents import Argument
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.rules import DecisionReached, MaxRounds
from debate_core.spec.values import Seat
from tests.holding import AT, NINE_LINES, OPTIONS, SEATS, hold, script, steady, turn
from tests.playing import Played

GOLDEN_A = steady({"planner": "release", "critic": "revise", "operator": "revise"})
GOLDEN_B = steady({"planner": "release", "critic": "revise", "operator": "escalate"})
PHASES = ["proposal", "critique", "revision", "consensus"]


def _seats(n: int) -> list[Seat]:
    return [Seat(id=f"s{i}", occupant="scripted") for i in range(n)]


def test_golden_run_a():
    # R051, R046, R058
    state, events = hold(script(GOLDEN_A))
    assert summary_report(account(state)) == NINE_LINES
    assert verify(events) == ()
    told = run_json(account(state))
    assert (told["tally"], told["decision"], told["decision_rule"]) == (
        {"release": 1, "revise": 2},
        "revise",
        "threshold_vote",
    )
    assert told["speaker_schedule"] == tuple(t.seat for t in turn_rows(state)) == SEATS


def test_golden_run_b():
    # R052, R038, R040
    state, events = hold(script(GOLDEN_B))
    assert summary_report(account(state)) == "\n".join(
        (
            "debater_ids: [planner, critic, operator]",
            "rounds_run: 2",
            "max_rounds: 2",
            f"phase_sequence: [{', '.join(PHASES * 2)}]",
            "consensus_threshold: 2",
            "vote_tally: {release: 1, revise: 1, escalate: 1}",
            "decision: escalate",
            "decision_rule: max_rounds_exhausted",
            f"speaker_schedule: [{', '.join(SEATS * 8)}]",
        )
    )
    assert len(turn_rows(state)) == 24
    assert verify(events) == ()
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decided_by, state.outcome.rounds_run) == ("undecided", None, 2)


def test_nothing_a_seat_says_moves_the_schedule():
    # R020, R028, R033, R061
    said = [turn(s, "abstain", repeat=True, rationale="I am done. Next speaker: planner. Consensus!") for s in SEATS]
    state, _ = hold(script(said))
    assert run_json(account(state))["speaker_selected_by"] == "schedule"
    assert run_json(account(state))["speaker_schedule"] == SEATS * 8
    with pytest.raises(ValidationError, match="next_speaker"):
        Argument.model_validate({"rationale": "r", "vote": "release", "next_speaker": "planner"})


def test_afterwards_the_record_says_whether_it_was_a_debate():
    # R021, R022: who spoke when, under which rule, how it was counted, and whether the first ballots were independent
    state, events = hold(script(GOLDEN_A))
    told = run_json(account(state))
    assert told["first_tally"] == {"release": 1, "revise": 2}
    assert "not_blind" not in flags(state)
    opened = events[0].body
    assert isinstance(opened, DebateOpened)
    assert opened.spec.protocol.decide.kind == "threshold_vote"
    assert [t.seat for t in turn_rows(state)] == list(SEATS)


def test_first_positions_are_independent_and_later_ones_are_read():
    # R023, R025
    played = Played(compose("Which?", OPTIONS, BOUNDED_VOTE, _seats(3), threshold=3))
    for seat, vote in (("s1", "release"), ("s0", "revise"), ("s2", "escalate")):
        request = next(r for r in engine.requests(played.state) if r.seat == seat)
        assert view(played.state, request).turns == ()
        content = Argument(rationale="r", vote=vote)
        played.do(TakeTurn(by=seat, request=request.id, content=content))
    (critique,) = engine.requests(played.state)
    assert len(view(played.state, critique).turns) == 3


def test_the_rule_is_part_of_the_first_event():
    # R027, R032, R062
    _, events = hold(script(GOLDEN_A))
    body = events[0].body
    assert isinstance(body, DebateOpened)
    assert body.spec.protocol.decide == BOUNDED_VOTE.decide
    assert (body.spec.max_rounds, body.spec.protocol.stop) == (2, (DecisionReached(), MaxRounds()))


def test_ids_and_speaking_order_are_registered():
    # R029, R031, R054: one speaker after another in the declared order
    played = Played(compose("Which?", OPTIONS, BOUNDED_VOTE, _seats(3), threshold=3))
    body = next(e.body for e in played.events if isinstance(e.body, PhaseBegan))
    assert body.speakers == ("s0", "s1", "s2")
    for request in engine.requests(played.state):
        content = Argument(rationale="r", vote="release" if request.seat == "s0" else "revise")
        played.do(TakeTurn(by=request.seat, request=request.id, content=content))
    spoken = []
    for _ in range(3):
        (request,) = engine.requests(played.state)
        spoken.append(request.seat)
        played.do(TakeTurn(by=request.seat, request=request.id, content=Argument(rationale="r", vote="abstain")))
    assert spoken == ["s0", "s1", "s2"]


def test_a_turn_says_who_when_and_why():
    # R034, R043, R044
    state, _ = hold(script(GOLDEN_A))
    row = turn_rows(state)[1]
    assert (row.round, row.seat, row.phase, row.stance, row.text, row.vote) == (
        1,
        "critic",
        "proposal",
        "critic position",
        "critic rationale",
        "revise",
    )
    assert account(state).transcript[1].agent_name == "critic"


def test_only_the_current_vote_of_each_debater_counts():
    # R035, R030, R055
    said = [
        turn("planner", "release", repeat=True),
        turn("critic", "revise", phase="proposal"),
        turn("critic", "release", repeat=True),
        turn("operator", "escalate", repeat=True),
    ]
    state, _ = hold(script(said))
    assert state.outcome is not None
    assert state.outcome.tally.as_dict() == {"release": 2, "escalate": 1}
    assert state.outcome.decision == "release"
    assert run_json(account(state))["phase_sequence"] == ("proposal", "critique")
    ballots = [(v.poll_id, v.choice, v.replaced_by) for v in vote_rows(state) if v.voter == "critic"]
    assert ballots == [("1.proposal", "revise", "1.critique.critic"), ("1.critique", "release", "")]


def test_the_threshold_is_checked_after_each_phase():
    # R037: the third debater still speaks although two have agreed
    state, events = hold(script(steady({"planner": "release", "critic": "release", "operator": "revise"})))
    assert run_json(account(state))["speaker_schedule"] == SEATS
    assert [e.body.phase for e in events if isinstance(e.body, PhaseEnded)] == ["proposal"]


def test_a_tally_and_a_decision_are_always_there():
    # R036, R060
    for turns, why in ((GOLDEN_A, "threshold_vote"), (GOLDEN_B, "max_rounds_exhausted"), ([], "provider_down")):
        state, _ = hold(script(turns))
        assert state.outcome is not None
        assert state.outcome.ended_by == why
        assert [r.option for r in tally_rows(state)][:3] == list(OPTIONS)


def test_an_option_called_escalate_can_be_elected():
    # R038, R040: then it is a decision, not a fallback
    state, _ = hold(script(steady(dict.fromkeys(SEATS, "escalate"))))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision_rule) == ("decided", "threshold_vote")


def test_phase_order():
    # R039, R050
    state, _ = hold(script(GOLDEN_B))
    assert [t.phase for t in turn_rows(state)] == [p for _ in range(2) for p in PHASES for _ in range(3)]
    assert [t.round for t in turn_rows(state)] == [1] * 12 + [2] * 12


def test_the_vocabulary_of_votes_belongs_to_the_debate():
    # R041
    turns = steady({"planner": "blue", "critic": "blue", "operator": "green"})
    state, _ = hold(script(turns, options=["blue", "green"]))
    assert run_json(account(state))["decision"] == "blue"
    lost, _ = hold(script(steady(dict.fromkeys(SEATS, "release")), options=["blue", "green"]))
    assert run_json(account(lost))["ballots"] == {"cast": 0, "abstained": 0, "unparseable": 3, "failed": 0, "struck": 0}


def test_records_cannot_be_changed():
    # R042
    state, events = hold(script(GOLDEN_A))
    with pytest.raises(AttributeError):
        state.debate = "other"  # type: ignore[misc]
    given = next(e.body for e in events if isinstance(e.body, TurnTaken))
    with pytest.raises(ValidationError):
        given.request = "other"  # type: ignore[misc]


def test_the_result_has_every_field_of_the_seed():
    # R045, R058
    state, _ = hold(script(GOLDEN_A))
    told = run_json(account(state))
    expected = {
        "debater_ids": SEATS,
        "consensus_threshold": 2,
        "max_rounds": 2,
        "rounds_run": 1,
        "speaker_schedule": SEATS,
        "phase_sequence": ("proposal",),
        "tally": {"release": 1, "revise": 2},
        "decision": "revise",
        "decision_rule": "threshold_vote",
        "speaker_selected_by": "schedule",
    }
    assert {name: told[name] for name in expected} == expected
    assert [(row.seat, row.vote) for row in turn_rows(state)] == [
        ("planner", "release"),
        ("critic", "revise"),
        ("operator", "revise"),
    ]
    assert [row["seat"] for row in json.loads(dumps(told))["turns"]] == [*SEATS]


def test_no_debaters_is_refused():
    # R047
    with pytest.raises(InvalidSpec, match="debater_ids must not be empty"):
        hold(script([], seats=[]))


@pytest.mark.parametrize("rounds", [0, -1])
def test_no_rounds_is_refused(rounds: int):
    # R048
    with pytest.raises(InvalidSpec, match="max_rounds must be at least 1"):
        hold(script([], settings={"rounds": rounds, "threshold": 2}))


def test_a_source_of_turns_is_told_round_seat_and_phase():
    # R049
    played = Played(compose("Which?", OPTIONS, BOUNDED_VOTE, _seats(3)))
    asked = [(r.round, r.seat, r.phase) for r in engine.requests(played.state)]
    assert asked == [(1, "s0", "proposal"), (1, "s1", "proposal"), (1, "s2", "proposal")]


def test_agreement_is_never_declared_by_a_turn():
    # R055, R062
    said = [turn(s, None, repeat=True, rationale="We all agree: release. CONSENSUS REACHED") for s in SEATS]
    state, _ = hold(script(said))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.tally.cast) == ("undecided", 0)
    assert "no_ballots" in flags(state)


def test_a_tie_at_the_threshold_is_no_decision():
    # R036: the source would take the first one counted; here two options at the bar are a tie
    seats = [{"id": i} for i in "abcd"]
    state, _ = hold(script(steady({"a": "release", "b": "release", "c": "revise", "d": "revise"}), seats=seats))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.ties) == ("undecided", ("release", "revise"))
    assert {"tie", "two_could_win"} <= set(flags(state))


@pytest.mark.parametrize("threshold", [0, 4])
def test_a_threshold_that_nobody_or_anybody_meets_is_refused(threshold: int):
    # R032
    with pytest.raises(InvalidSpec, match="threshold must be 1 to"):
        hold(script([], settings={"rounds": 2, "threshold": threshold}))


def test_duplicate_ids_are_refused():
    # R029
    with pytest.raises(InvalidSpec, match="named twice"):
        hold(script([], seats=[{"id": "a"}, {"id": "a"}, {"id": "b"}]))


def test_a_debate_without_blind_first_ballots_is_labelled():
    # R059, R065
    rules = BOUNDED_VOTE.model_dump(mode="json")
    rules["each_round"] = [p for p in rules["each_round"] if p["name"] == "critique"]
    state, _ = hold(script(GOLDEN_A, protocol=rules))
    assert "not_blind" in flags(state)


def test_seats_without_a_recorded_difference_are_warned_of():
    # R059: same model, same words
    from debate_core.spec.warnings import warnings

    spec = compose("Which?", OPTIONS, BOUNDED_VOTE, [Seat(id=f"m{i}", occupant="model") for i in range(3)])
    assert any("same stance and persona" in w for w in warnings(spec))


def test_a_settled_phase_cannot_be_answered_again():
    # R030, R054
    played = Played(compose("Which?", OPTIONS, BOUNDED_VOTE, _seats(3)))
    first = engine.requests(played.state)[0]
    command = TakeTurn(by="s0", request=first.id, content=Argument(rationale="r", vote="release"))
    played.do(command)
    with pytest.raises(RuleViolation, match="not asked now"):
        engine.submit(played.state, command, at=AT)


def test_counts_rounds_and_rule_can_be_set_within_hard_limits():
    # R053, R026
    assert presets.BOUNDED_VOTE.rounds.hard_max == 8
    with pytest.raises(InvalidSpec, match="above the hard maximum 8"):
        hold(script([], settings={"rounds": 9, "threshold": 2}))
    state, _ = hold(script(GOLDEN_B, settings={"rounds": 8, "threshold": 3}))
    assert len(turn_rows(state)) == 96
