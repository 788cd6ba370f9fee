"""Joint errors of models and moves of ballots: against brute force, copies and independent voters."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.report.facts.ballot_moves import BallotMove, Moves, count_moves
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.decision_outcomes import Aftermath
from debate_core.report.facts.forecasts import Stated
from debate_core.report.facts.joint_errors import LEAST_DEBATES, effective_voters, joint_errors
from debate_core.report.facts.track_record import track_record
from debate_core.report.phrases.track_record import joint_errors_sentence, moves_sentence, need_sentences
from tests.core.test_metrics import ONE
from tests.examples import examples

VOTES = st.lists(st.tuples(st.sampled_from("abc"), st.lists(st.sampled_from("abc"), max_size=5)), max_size=40)
TOPS = st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True).map(tuple)


@examples(100)
@given(VOTES)
def test_pairs_of_wrong_votes_equal_brute_force(cases: list[tuple[str, list[str]]]):
    wrong = same = 0
    for right, votes in cases:
        for one in range(len(votes)):
            for other in range(one):
                if right not in (votes[one], votes[other]):
                    wrong += 1
                    same += votes[one] == votes[other]
    found = joint_errors(cases)
    assert (found.both_wrong, found.same_wrong) == (wrong, same)
    assert found.debates == sum(len(votes) > 1 for _, votes in cases)
    if found.effective is not None:
        assert 1 <= found.effective <= found.voters


@pytest.mark.parametrize(("copies", "correlation", "effective"), [(True, 1.0, 1.0), (False, 0.0, 3.0)])
def test_copies_count_as_one_voter_and_independent_ones_as_all(copies: bool, correlation: float, effective: float):
    random = Random(7)
    cases = []
    for _ in range(4_000):
        votes = [random.choice("ab") for _ in range(3)]
        cases.append(("a", [votes[0]] * 3 if copies else votes))
    found = joint_errors(cases)
    assert found.correlation == pytest.approx(correlation, abs=0.03)
    assert found.effective == pytest.approx(effective, abs=0.15)


def test_correlation_of_errors_equals_one_computed_by_hand():
    # Of 20 debates with two votes, 5 have two errors, 5 have one: 15 of 40 votes are wrong.
    cases = [("a", votes) for votes in ("bb", "ab", "aa", "aa") for _ in range(5)]
    found = joint_errors(cases)
    p = 15 / 40
    by_hand = (5 * (1 - p) ** 2 + 5 * (1 - p) * -p + 10 * p**2) / 20 / (p * (1 - p))
    assert found.correlation == pytest.approx(by_hand)
    assert found.effective == pytest.approx(2 / (1 + by_hand))
    assert effective_voters(5, 0.25) == 2.5
    assert effective_voters(5, -0.1) == 5


def test_correlation_is_unknown_for_too_few_debates_or_no_error():
    assert joint_errors([("a", "ab")] * (LEAST_DEBATES - 1)).correlation is None
    assert joint_errors([("a", "aa")] * LEAST_DEBATES).effective is None
    assert joint_errors([("a", "a")] * LEAST_DEBATES).debates == 0


@examples(100)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.lists(st.builds(BallotMove, TOPS, TOPS), max_size=4)), max_size=9))
def test_moves_equal_brute_force(cases: list[tuple[str, list[BallotMove]]]):
    kinds = []
    for right, moves in cases:
        for first, last in moves:
            if first == last:
                kinds.append("stayed")
            elif last == (right,):
                kinds.append("corrected")
            else:
                kinds.append("talked_out" if first == (right,) else "elsewhere")
    found = count_moves(cases)
    counted = [kinds.count(kind) for kind in ("corrected", "talked_out", "elsewhere")]
    assert found == Moves(len(kinds), *counted)
    assert found.all == len(kinds) - kinds.count("stayed")


def of_models(number: int, right: str | None, votes: Sequence[str]) -> Facts:
    voted = [
        Stated(who=f"m{n}", by="model", seat=f"s{n}", judges=False, named=(vote,), shares=None, debates=True)
        for n, vote in enumerate(votes)
    ]
    person = replace(voted[0], who="Ana", by="person", named=("c",))
    later = Aftermath(question=f"q{number}", quarter="2026 Q1", right=right)
    moves = (BallotMove(("a",), ("b",)), BallotMove(("b",), ("a",)))
    return replace(ONE, debate=f"d{number}", stated=(*voted, person), later=later, moves=moves)


def test_track_record_reports_errors_and_moves_of_known_outcomes():
    held = [of_models(n, "a", votes) for n, votes in enumerate(["bb", "ab", "aa", "aa"] * 5)]
    record = track_record([*held, of_models(99, None, "bb")])
    assert joint_errors_sentence(record.joint_errors) == (
        "With a correlation of 0.47 between the errors of models that voted together, over 20 debates, 2 votes count "
        "like 1.4 independent ones. Where two were wrong, they named the same option in 5 of 5 pairs."
    )
    assert moves_sentence(record.moves) == (
        "Of 40 debaters with two votes and a known right option: 20 moved to it, 20 away from it, 0 between wrong "
        "options."
    )
    few = track_record(held[:3])
    assert joint_errors_sentence(few.joint_errors) == ""
    assert (
        "The effective number of independent voters needs 20 debates with a known outcome and two votes of models; "
        "there are 3." in need_sentences(few)
    )
