"""Counting, ties, stops and refusals, case by case."""

from fractions import Fraction

import pytest

from debate_core import engine
from debate_core.commands import FailTurn, Pause, Resume, SetMark, SkipTurn, Stop, TakeTurn
from debate_core.errors import BadReply, InvalidSpec, RuleViolation
from debate_core.model import Argument, Claim, Mark, Review, Seat, Synthesis
from debate_core.presets import BOUNDED_VOTE, DELIBERATION, EXPERT_PANEL, compose, panel_for, synthesiser
from debate_core.protocol import Phase, Protocol, Spec, warnings
from debate_core.rulebook import Threshold
from debate_core.rules import voting
from debate_core.rules.refusal import read_content, refuse
from tests.laws.play import Played, begin, step


def _spec(n: int = 3, protocol: Protocol = BOUNDED_VOTE, **more) -> Spec:
    seats = [Seat(id=f"s{i}", occupant="scripted") for i in range(n)]
    if protocol is not BOUNDED_VOTE:
        seats.append(synthesiser("scripted"))
    return compose("Which?", ["a", "b", "c"], protocol, seats, **more)


def _vote(played: Played, votes: dict[str, str | None]) -> None:
    """One phase: each seat votes as given (a missing seat fails for good)."""
    phase = engine.requests(played.state)[0].phase
    while (asked := engine.requests(played.state)) and asked[0].phase == phase:
        request = asked[0]
        if request.seat in votes:
            content = Argument(rationale="why", vote=votes[request.seat])
            step(played, TakeTurn(by=request.seat, request=request.id, content=content))
        else:
            step(played, FailTurn(by=request.seat, request=request.id, error="failed"))


def test_two_options_at_the_threshold_are_a_tie_and_the_debate_goes_on() -> None:
    # clash 3.7: ties are never broken by order
    played = begin(_spec(4, max_rounds=1))
    for _ in range(4):
        _vote(played, {"s0": "a", "s1": "a", "s2": "b", "s3": "b"})
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.ties) == ("undecided", "escalate", ("a", "b"))
    assert outcome.ended_by == outcome.decision_rule == "max_rounds_exhausted"


def test_a_failed_turn_replaces_the_ballot_before_it() -> None:
    # clash 3.24: an outage is counted as no vote; the threshold stays
    played = begin(_spec(3, threshold=3, max_rounds=1))
    _vote(played, {"s0": "a", "s1": "b", "s2": "a"})
    _vote(played, {"s1": "a", "s2": "a"})
    assert played.state.counted[-1].tally.as_dict() == {"a": 2}
    assert played.state.ballots["s0"].status == "failed"
    assert played.state.outcome is None


def test_a_vote_for_an_option_called_escalate_is_a_decision() -> None:
    # clash 3.20, golden case "3x escalate"
    seats = [Seat(id=f"s{i}", occupant="scripted") for i in range(3)]
    played = begin(compose("Q?", ["release", "escalate"], BOUNDED_VOTE, seats))
    _vote(played, dict.fromkeys(("s0", "s1", "s2"), "escalate"))
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.decision_rule) == ("decided", "escalate", "threshold_vote")


PANEL = [
    ([{"s0": "a", "s1": "a", "s2": "a"}], ("decided", "a", "majority", 1), "consensus"),
    ([{"s0": "a", "s1": "a", "s2": "b"}] * 2, ("decided", "a", "majority", 2), "consensus"),
    (
        [{"s0": "a", "s1": "a", "s2": "b"}, {"s0": "b", "s1": "a", "s2": "b"}],
        ("undecided", "escalate", "max_rounds_exhausted", 2),
        "incoherent",
    ),
    (
        [{"s0": None, "s1": None, "s2": None}, {"s0": "a", "s1": "a", "s2": "a"}],
        ("undecided", "escalate", "max_rounds_exhausted", 2),
        "incoherent",
    ),
    ([{"s0": "a", "s1": "b", "s2": "c"}] * 2, ("undecided", "escalate", "max_rounds_exhausted", 2), "incoherent"),
    ([{"s0": None, "s1": None, "s2": None}] * 2, ("undecided", "escalate", "max_rounds_exhausted", 2), "no_ballots"),
]


@pytest.mark.parametrize(("ballots", "expected", "verdict"), PANEL)
def test_the_panel_converges_only_by_a_majority_that_holds(ballots, expected, verdict) -> None:
    # R193, R197, R202, R205, R209
    played = begin(_spec(3, EXPERT_PANEL))
    for votes in ballots:
        _vote(played, votes)
    assert engine.requests(played.state)[0].gives == "synthesis"
    _close(played)
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.ended_by, outcome.rounds_run) == expected
    assert voting.agreement(played.state) == verdict


def _close(played: Played, option: str | None = None) -> None:
    request = engine.requests(played.state)[0]
    step(played, TakeTurn(by=request.seat, request=request.id, content=Synthesis(answer="So.", option=option)))


def test_four_seats_two_against_two_and_nobody_moving_is_a_split() -> None:
    # R205
    played = begin(_spec(4, EXPERT_PANEL))
    for _ in range(2):
        _vote(played, {"s0": "a", "s1": "a", "s2": "b", "s3": "b"})
    assert voting.agreement(played.state) == "split"


def test_a_synthesis_never_changes_a_count() -> None:
    # clash 3.5, R194
    played = begin(_spec(3, EXPERT_PANEL))
    _vote(played, dict.fromkeys(("s0", "s1", "s2"), "a"))
    _close(played, option="b")
    assert played.state.outcome is not None
    assert played.state.outcome.decision == "a"


def test_a_synthesis_that_failed_leaves_the_count_as_it_is() -> None:
    played = begin(_spec(3, EXPERT_PANEL))
    _vote(played, dict.fromkeys(("s0", "s1", "s2"), "a"))
    for _ in range(2):
        request = engine.requests(played.state)[0]
        step(played, FailTurn(by=request.seat, request=request.id, error="timeout"))
    assert played.state.outcome is not None
    assert (played.state.outcome.status, played.state.outcome.decision) == ("decided", "a")


@pytest.mark.parametrize(
    ("option", "status", "decided_by"), [("b", "decided", "synthesiser"), (None, "undecided", None)]
)
def test_the_synthesiser_decides_a_deliberation_or_names_none(option, status, decided_by) -> None:
    # R139, R143, R151
    played = begin(_spec(2, DELIBERATION))
    for _ in range(3):
        _vote(played, {"s0": None, "s1": None})
    assert played.state.ran == ((1, "opening"), (2, "rebuttal"), (3, "closing"), (3, "synthesis"))
    _close(played, option)
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decided_by, outcome.decision_rule) == (status, decided_by, "by_seat")
    assert outcome.ended_by == "max_rounds_exhausted"
    assert outcome.tally.as_dict() == {}


def test_when_every_seat_of_a_phase_failed_nothing_more_is_asked() -> None:
    played = begin(_spec(3, EXPERT_PANEL))
    _vote(played, {})
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.ended_by, outcome.decision) == ("undecided", "provider_down", "escalate")
    assert engine.requests(played.state) == ()


def test_a_refusal_is_not_asked_again_and_a_timeout_is() -> None:
    played = begin(_spec(2, threshold=2))
    step(played, FailTurn(by="s0", request="1.proposal.s0.1", error="refused"))
    step(played, FailTurn(by="s1", request="1.proposal.s1.1", error="timeout"))
    assert [r.id for r in engine.requests(played.state)] == ["1.proposal.s1.2"]
    assert played.state.ballots["s0"].status == "abstained"


def test_a_stop_by_a_person_is_no_verdict_and_keeps_what_was_said() -> None:
    played = begin(_spec(3))
    step(played, TakeTurn(by="s0", request="1.proposal.s0.1", content=Argument(rationale="why", vote="a")))
    step(played, Stop(by="chair", reason="fire alarm"))
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.ended_by, outcome.decision) == ("aborted", "stopped", "escalate")
    assert [t.seat for t in played.state.all_turns()] == ["s0"]


def test_a_pause_leaves_the_questions_open_and_is_not_paused_twice() -> None:
    played = begin(_spec(3))
    before = engine.requests(played.state)
    step(played, Pause(by="chair", reason="coffee"))
    assert engine.requests(played.state) == before
    with pytest.raises(RuleViolation, match="paused already"):
        step(played, Pause(by="chair", reason="more coffee"))
    step(played, Resume(by="chair"))
    with pytest.raises(RuleViolation, match="not paused"):
        step(played, Resume(by="chair"))


def test_a_skipped_turn_abstains_with_its_reason() -> None:
    played = begin(_spec(3))
    step(played, SkipTurn(by="chair", request="1.proposal.s0.1", reason="no time"))
    assert (played.state.ballots["s0"].status, played.state.all_turns()[0].message) == ("abstained", "no time")


def test_claims_are_numbered_by_seat_and_round() -> None:
    # R195
    played = begin(_spec(2, threshold=2))
    content = Argument(rationale="why", vote="a", claims=(Claim(text="x", id="forged.1.1"), Claim(text="y")))
    for request in ("1.proposal.s0.1", "1.proposal.s1.1"):
        votes = {"vote": "a" if "s0" in request else "b"}
        step(played, TakeTurn(by=request.split(".")[2], request=request, content=content.model_copy(update=votes)))
    step(played, TakeTurn(by="s0", request="1.critique.s0.1", content=content))
    assert sorted(played.state.claims) == ["s0.1.1", "s0.1.2", "s0.1.3", "s0.1.4", "s1.1.1", "s1.1.2"]


def test_a_changed_ballot_names_the_claim_that_was_conceded() -> None:
    played = begin(_spec(2, threshold=2))
    _vote(played, {"s0": "a", "s1": "b"})
    content = Argument(rationale="fair", vote="b", concedes=("s1.1.1",))
    step(played, TakeTurn(by="s0", request="1.critique.s0.1", content=content))
    assert played.state.ballots["s0"].changed_by == ("s1.1.1",)


def test_the_chair_is_asked_to_mark_only_where_the_panel_quoted_something() -> None:
    seats = [*panel_for("adopt the sdk?", 3, "offline"), Seat(id="anna", role="chair", occupant="human")]
    played = begin(compose("Q?", ["a", "b"], EXPERT_PANEL, seats))
    first = played.state.spec.debaters()[0].id
    for request in engine.requests(played.state):
        claims = (Claim(text="t", quote="t", source_id="E1"),) if request.seat == first else ()
        content = Argument(rationale="quotes", claims=claims, vote=None)
        step(played, TakeTurn(by=request.seat, request=request.id, content=content))
    (review,) = engine.requests(played.state)
    assert (review.seat, review.gives) == ("anna", "review")
    marks = Review(marks=(Mark(claim_id=f"{first}.1.1", reading="supports", option="a"),))
    step(played, TakeTurn(by="anna", request=review.id, content=marks))
    assert played.state.marks[f"{first}.1.1"].by == "anna"
    assert {r.phase for r in engine.requests(played.state)} == {"critique"}


def test_a_mark_must_name_a_claim_and_an_option() -> None:
    played = begin(_spec(2, threshold=2))
    content = Argument(rationale="why", vote="a", claims=(Claim(text="x"),))
    step(played, TakeTurn(by="s0", request="1.proposal.s0.1", content=content))
    with pytest.raises(RuleViolation, match="no claim"):
        step(played, SetMark(by="anna", mark=Mark(claim_id="s9.1.1", reading="neutral")))
    with pytest.raises(RuleViolation, match="which option"):
        step(played, SetMark(by="anna", mark=Mark(claim_id="s0.1.1", reading="supports")))


REPLIES = [
    ({"rationale": "x"}, "no vote"),
    ({"rationale": "x", "vote": "maybe"}, "none of the options"),
    ({"rationale": "", "vote": "a"}, "rationale"),
    ({"rationale": "  ", "vote": "a"}, "rationale"),
    ({"vote": "a"}, "rationale"),
    ([], "not a JSON object"),
    ("a", "not a JSON object"),
    ({"rationale": "x", "vote": 7}, "vote"),
    ({"rationale": "x", "vote": "a", "verdict": "b"}, "verdict"),
]


@pytest.mark.parametrize(("reply", "why"), REPLIES)
def test_a_malformed_reply_is_never_a_ballot(reply, why) -> None:
    # R062
    with pytest.raises(BadReply, match=why):
        read_content(_spec(3), "argument", reply, asks_ballot=True)


def test_only_the_form_of_a_reply_is_mended() -> None:
    reply = {"rationale": "x", "vote": " A ", "confidence": 250}
    content = read_content(_spec(3), "argument", reply, asks_ballot=True)
    assert content == Argument(rationale="x", vote="a", confidence=100)


CHANCE = [(3, 3, 2, Fraction(7, 9)), (5, 3, 3, Fraction(17, 27)), (4, 2, 2, Fraction(5, 8)), (3, 2, 3, Fraction(1, 4))]


@pytest.mark.parametrize(("eligible", "options", "needed", "expected"), CHANCE)
def test_the_chance_that_random_votes_decide(eligible, options, needed, expected) -> None:
    assert voting.chance_level(eligible, options, needed) == expected


BAD = [
    ({"question": "  "}, "question is empty"),
    ({"options": ["a"]}, "2 to 8 options"),
    ({"options": ["a", "A"]}, "named twice"),
    ({"options": ["a", "abstain"]}, "abstain"),
    ({"seats": []}, "must not be empty"),
    ({"seats": [Seat(id="x"), Seat(id="x")]}, "named twice"),
    ({"max_rounds": 0}, "max_rounds must be at least 1"),
    ({"max_rounds": 9}, "hard maximum 8"),
    ({"threshold": 0}, "threshold must be 1"),
    ({"threshold": 4}, "threshold must be 1 to 3"),
]


@pytest.mark.parametrize(("change", "why"), BAD)
def test_what_cannot_be_played_is_refused_in_one_sentence(change, why) -> None:
    # R047, R048, R118
    fields = {"question": "Q?", "options": ["a", "b"], "seats": [Seat(id=f"s{i}") for i in range(3)], **change}
    question, options, seats = fields.pop("question"), fields.pop("options"), fields.pop("seats")
    with pytest.raises(InvalidSpec, match=why):
        compose(question, options, BOUNDED_VOTE, seats, **fields)


def test_a_threshold_that_two_options_can_pass_is_refused_or_warned_about() -> None:
    own = Protocol(name="own", each_round=(Phase(name="one"),), decide=Threshold(votes=2))
    seats = [Seat(id=f"s{i}") for i in range(4)]
    with pytest.raises(InvalidSpec, match="could elect two options: take 3 to 4"):
        compose("Q?", ["a", "b"], own, seats)
    assert any("tie" in w for w in warnings(compose("Q?", ["a", "b"], BOUNDED_VOTE, seats)))


def test_more_rounds_than_sensible_warn() -> None:
    # R113, R136
    assert any("5 rounds" in w for w in warnings(_spec(3, max_rounds=5)))
    assert not any("rounds" in w for w in warnings(_spec(3, max_rounds=4)))


def test_a_review_must_say_which_option_a_passage_supports() -> None:
    played = begin(_spec(2, threshold=2))
    mark = Mark(claim_id="s0.1.1", reading="supports")
    assert refuse(played.state.spec, "review", Review(marks=(mark,))) == "say which option s0.1.1 supports: a, b, c"
    neutral = mark.model_copy(update={"reading": "neutral"})
    assert refuse(played.state.spec, "review", Review(marks=(neutral,))) is None
