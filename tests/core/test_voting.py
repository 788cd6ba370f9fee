"""Ballots, tallies and decision rules, case by case."""

import pytest

from debate_core.engine import engine, voting
from debate_core.record.commands import FailTurn, SkipTurn, TakeTurn
from debate_core.report.facts.account import account
from debate_core.report.facts.ruling import agreement
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.spec.contents import Argument, Synthesis, Verdict
from debate_core.spec.presets import BOUNDED_VOTE, DELIBERATION, EXPERT_PANEL, compose
from debate_core.spec.protocol import Phase, Sees
from debate_core.spec.rules import (
    BySeat,
    DecisionReached,
    DecisionRule,
    Majority,
    MaxRounds,
    Plurality,
    Supermajority,
    Threshold,
    Unanimity,
    votes_needed,
)
from debate_core.spec.values import Seat
from tests.by_hand import JUDGE, OPEN, preset_spec, small, small_spec
from tests.playing import Played


def test_two_options_at_the_threshold_tie_and_it_continues() -> None:
    # ties are never broken by order
    played = Played(preset_spec(4, max_rounds=1))
    for _ in range(4):
        played.vote({"s0": "a", "s1": "a", "s2": "b", "s3": "b"})
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.ties) == ("undecided", "escalate", ("a", "b"))
    assert outcome.ended_by == outcome.decision_rule == "max_rounds_exhausted"


def test_ballots_below_the_quorum_decide_nothing() -> None:
    # R036: of three seats two are out, and plurality would take the only ballot
    alone = small(OPEN, rounds=1, stop=(MaxRounds(),), decide=Plurality())
    alone.vote({"s0": "a"})
    outcome = alone.outcome()
    assert (outcome.status, outcome.decision, outcome.ended_by) == ("undecided", "escalate", "quorum")
    assert (outcome.decision_rule, outcome.fired) == ("quorum", ("max_rounds_exhausted",))
    assert agreement(alone.state) != "consensus"
    told = outcome_sentence(account(alone.state))
    assert "At least 2 ballots must be cast for a decision: a 1 (1 of 3 ballots cast)." in told
    named = small(OPEN, rounds=1, stop=(MaxRounds(),), decide=Plurality(quorum=1))
    assert named.vote({"s0": "a"}).outcome().decision == "a"


def test_a_failed_turn_replaces_the_ballot_before_it() -> None:
    # an outage is counted as no vote; the threshold stays
    played = Played(preset_spec(3, threshold=3, max_rounds=1))
    played.vote({"s0": "a", "s1": "b", "s2": "a"})
    played.vote({"s1": "a", "s2": "a"})
    assert played.state.counted[-1].tally.as_dict() == {"a": 2}
    assert played.state.ballots["s0"].status == "failed"
    assert played.state.outcome is None


def test_a_vote_for_an_option_called_escalate_is_a_decision() -> None:
    # golden case "3x escalate"
    seats = [Seat(id=f"s{i}", occupant="scripted") for i in range(3)]
    played = Played(compose("Q?", ["release", "escalate"], BOUNDED_VOTE, seats))
    played.vote(dict.fromkeys(("s0", "s1", "s2"), "escalate"))
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
    ([{"s0": None, "s1": None, "s2": None}] * 2, ("undecided", "escalate", "quorum", 2), "no_ballots"),
]


@pytest.mark.parametrize(("ballots", "expected", "verdict"), PANEL)
def test_the_panel_converges_only_by_a_majority_that_holds(ballots, expected, verdict) -> None:
    # R193, R197, R202, R205, R209
    played = Played(preset_spec(3, EXPERT_PANEL))
    for votes in ballots:
        played.vote(votes)
    assert engine.requests(played.state)[0].gives == "synthesis"
    played.say(Synthesis(answer="So."))
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decision, outcome.ended_by, outcome.rounds_run) == expected
    assert agreement(played.state) == verdict


def test_four_seats_two_against_two_and_nobody_moving_is_a_split() -> None:
    # R205
    played = Played(preset_spec(4, EXPERT_PANEL))
    for _ in range(2):
        played.vote({"s0": "a", "s1": "a", "s2": "b", "s3": "b"})
    assert agreement(played.state) == "split"


def test_a_threefold_majority_is_counted_over_three_ballots() -> None:
    played = small(OPEN, n=3, rounds=4, decide=Majority(ballots_in_a_row=3), stop=(DecisionReached(), MaxRounds()))
    for _ in range(3):
        assert played.state.outcome is None
        played.vote({"s0": "a", "s1": "a", "s2": "b"})
    assert (played.outcome().decision, played.outcome().rounds_run) == ("a", 3)


@pytest.mark.parametrize(
    ("rounds", "verdict"),
    [
        (("aabb",), "split"),
        (("aabb", "aabb"), "split"),
        (("abab", "aabb"), "incoherent"),
        (("abab", "aabb", "aabb"), "split"),
        (("aabb", "abab", "abab"), "split"),
        (("ab--", "aabb", "aabb"), "split"),
        (("aabb", "aabb", "abab"), "incoherent"),
        (("aabc",), "incoherent"),
        (("aab-",), "incoherent"),
        (("ab",), "split"),
        (("ab", "ba"), "incoherent"),
        (("aa",), "consensus"),
        (("aaab",), "consensus"),
        (("aa--",), "too_few_ballots"),
        (("aaa--",), "consensus"),
        (("----",), "cut_off"),
        ((), "no_ballots"),
    ],
)
def test_agreement_is_read_from_the_last_two_ballots(rounds: tuple[str, ...], verdict: str) -> None:
    # R205; a dash is a seat that fails
    seats, held = len(rounds[0]) if rounds else 3, max(len(rounds), 1)
    played = small(OPEN, n=seats, rounds=held, stop=(MaxRounds(),), decide=Majority())
    for letters in rounds:
        played.vote({f"s{n}": letter for n, letter in enumerate(letters) if letter != "-"})
    assert agreement(played.state) == verdict


def test_a_synthesis_never_changes_a_count() -> None:
    # R194
    played = Played(preset_spec(3, EXPERT_PANEL))
    played.vote(dict.fromkeys(("s0", "s1", "s2"), "a"))
    played.say(Synthesis(answer="So.", option="b"))
    assert played.state.outcome is not None
    assert played.state.outcome.decision == "a"


def test_a_synthesis_that_failed_leaves_the_count_as_it_is() -> None:
    played = Played(preset_spec(3, EXPERT_PANEL))
    played.vote(dict.fromkeys(("s0", "s1", "s2"), "a"))
    for _ in range(2):
        request = engine.requests(played.state)[0]
        played.do(FailTurn(by=request.seat, request=request.id, error="timeout"))
    assert played.state.outcome is not None
    assert (played.state.outcome.status, played.state.outcome.decision) == ("decided", "a")


@pytest.mark.parametrize(
    ("option", "status", "decided_by"), [("b", "decided", "synthesiser"), (None, "undecided", None)]
)
def test_the_synthesiser_decides_a_deliberation_or_names_none(option, status, decided_by) -> None:
    # R139, R143, R151
    played = Played(preset_spec(2, DELIBERATION))
    for new in ("licences cost double", "nobody maintains drivers", "customers expect backups"):
        played.vote({"s0": None, "s1": None}, {"s0": new})
    assert played.state.ran == ((1, "opening"), (2, "rebuttal"), (3, "closing"), (3, "synthesis"))
    played.say(Synthesis(answer="So.", option=option))
    outcome = played.state.outcome
    assert outcome is not None
    assert (outcome.status, outcome.decided_by, outcome.decision_rule) == (status, decided_by, "by_seat")
    assert outcome.ended_by == "max_rounds_exhausted"
    assert outcome.tally.as_dict() == {}


def test_a_skipped_turn_abstains_with_its_reason() -> None:
    played = Played(preset_spec(3))
    played.do(SkipTurn(by="chair", request="1.proposal.s0.1", reason="no time"))
    assert (played.state.ballots["s0"].status, played.state.all_turns()[0].message) == ("abstained", "no time")


def test_a_changed_ballot_names_the_claim_that_was_conceded() -> None:
    played = Played(preset_spec(2, threshold=2))
    played.vote({"s0": "a", "s1": "b"})
    content = Argument(rationale="fair", vote="b", concedes=("s1.1.1",))
    played.do(TakeTurn(by="s0", request="1.critique.s0.1", content=content))
    assert played.state.ballots["s0"].changed_by == ("s1.1.1",)


@pytest.mark.parametrize(
    ("order", "sees", "blind"),
    [
        ("at_once", "all", True),
        ("in_turn", "all", False),
        ("in_turn", "own", True),
        ("in_turn", "earlier_rounds", True),
        ("at_once", "own", True),
    ],
)
def test_a_first_ballot_is_blind_without_sight_of_the_others(order, sees, blind) -> None:
    first = Phase(name="first", order=order, sees=Sees(turns=sees))
    spec = small_spec(first, Phase(name="second"), decide=Plurality())
    assert voting.first_is_blind(spec.protocol) is blind
    assert not voting.first_is_blind(spec.protocol.model_copy(update={"decide": BySeat()}))


NEEDED: list[tuple[DecisionRule, int, int | None]] = [
    (Threshold(votes=2), 3, 2),
    (Majority(), 4, 3),
    (Majority(), 5, 3),
    (Supermajority(), 7, 5),
    (Supermajority(), 6, 4),
    (Supermajority(numerator=3, denominator=4), 4, 3),
    (Supermajority(numerator=51, denominator=100), 100, 51),
    (Unanimity(), 7, 7),
    (Plurality(), 7, None),
    (BySeat(), 7, None),
]


@pytest.mark.parametrize(("rule", "eligible", "needed"), NEEDED)
def test_votes_needed_are_exact(rule: DecisionRule, eligible: int, needed: int | None) -> None:
    # R055: 2/3 of 7 are 5 heads, never 4.67
    assert votes_needed(rule, eligible) == needed


COUNTED: list[tuple[DecisionRule, str, tuple[str, str, tuple[str, ...]]]] = [
    (Supermajority(), "aaaaabb", ("decided", "a", ())),
    (Supermajority(), "aaaabbb", ("undecided", "escalate", ())),
    (Unanimity(), "aaa", ("decided", "a", ())),
    (Unanimity(), "aa-", ("undecided", "escalate", ())),
    (Plurality(), "aabbcac", ("decided", "a", ())),
    (Plurality(), "ab-", ("undecided", "escalate", ("a", "b"))),
    (Plurality(), "---", ("undecided", "escalate", ())),
    (Plurality(quorum=2), "a--", ("undecided", "escalate", ())),
    (Plurality(quorum=2), "aa-", ("decided", "a", ())),
    (Threshold(votes=3, quorum=4), "aaa-", ("undecided", "escalate", ())),
    (Threshold(votes=3, quorum=4), "aaab-", ("decided", "a", ())),
    (Majority(quorum=3), "aa-", ("undecided", "escalate", ())),
    (Supermajority(quorum=3), "aa-", ("undecided", "escalate", ())),
    (Unanimity(if_undecided="ask the board"), "ab", ("undecided", "ask the board", ("a", "b"))),
]


@pytest.mark.parametrize(("rule", "ballots", "expected"), COUNTED)
def test_each_counted_rule(rule: DecisionRule, ballots: str, expected: tuple[str, str, tuple[str, ...]]) -> None:
    # R055, R062: "-" is an abstention, which stays in the denominator; a tie is a set, never broken by order
    played = small(OPEN, n=len(ballots), rounds=1, decide=rule, stop=(MaxRounds(),))
    played.vote({f"s{i}": None if b == "-" else b for i, b in enumerate(ballots)})
    outcome = played.outcome()
    assert (outcome.status, outcome.decision, outcome.ties) == expected
    assert outcome.decided_by == (rule.kind if outcome.status == "decided" else None)
    assert outcome.tally.eligible == len(ballots)


def test_a_failed_ballot_is_missing_from_the_quorum() -> None:
    # R062: an outage is no turnout
    played = small(OPEN, rounds=1, decide=Threshold(votes=2, quorum=3))
    played.vote({"s0": "a", "s1": "a"})
    outcome = played.outcome()
    assert (outcome.status, outcome.tally.as_dict(), outcome.tally.cast) == ("undecided", {"a": 2}, 2)


@pytest.mark.parametrize(("option", "status", "decided_by"), [("c", "decided", "judge"), (None, "undecided", None)])
def test_a_judge_decides_by_its_verdict_or_finds_a_mixture(option, status, decided_by) -> None:
    # R074, R151
    played = small(OPEN, rounds=1, after=(JUDGE,), decide=BySeat(role="judge"), stop=(MaxRounds(),))
    played.vote(dict.fromkeys(("s0", "s1", "s2")))
    played.say(Verdict(reasoning="Weighed.", verdict="so", option=option))
    outcome = played.outcome()
    assert (outcome.status, outcome.decided_by, outcome.decision_rule) == (status, decided_by, "by_seat")
    assert (outcome.decision, outcome.ended_by) == (option or "escalate", "max_rounds_exhausted")


def test_a_judge_who_fails_decides_nothing() -> None:
    # R062
    played = small(OPEN, rounds=1, after=(JUDGE,), decide=BySeat(role="judge"), stop=(MaxRounds(),))
    played.vote(dict.fromkeys(("s0", "s1", "s2")))
    played.fail("timeout")
    played.fail("timeout")
    outcome = played.outcome()
    assert (outcome.status, outcome.decision, outcome.decision_rule) == (
        "undecided",
        "escalate",
        "max_rounds_exhausted",
    )


def test_the_last_ballots_may_follow_the_rounds() -> None:
    last = Phase(name="vote", order="at_once")
    played = small(OPEN, rounds=1, after=(last,), decide=Plurality(), stop=(MaxRounds(),))
    played.vote({"s0": "a", "s1": "a", "s2": "b"})
    played.vote({"s0": "a", "s1": "c", "s2": "c"})
    outcome = played.outcome()
    assert (outcome.status, outcome.decision, outcome.fired) == ("decided", "c", ("max_rounds_exhausted",))
