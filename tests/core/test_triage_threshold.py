"""The threshold of triage: proposed from outcomes, unknown from too few, answered once a quarter by a person."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from debate_core.errors import InvalidSpec
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.triage_thresholds import TriageThresholds
from debate_core.report.facts.baselines import BaselineRow
from debate_core.report.facts.cross_debate_metrics import LEAST_LABELLED
from debate_core.report.facts.debate_facts import SINGLE_CALL, Facts
from debate_core.report.facts.decision_outcomes import Aftermath
from debate_core.report.facts.triage_threshold import ThresholdProposal, propose_threshold
from debate_core.report.phrases.triage_threshold import proposal_sentence
from debate_core.spec.advice import Answers, recommend
from tests.core.test_metrics import ONE

Q4 = "2026 Q4"


def decided(decision: str, first: str | None) -> Facts:
    """A decision on a question whose right option is a."""
    return replace(ONE, later=Aftermath(decision=decision, first=first, right="a"))


def cases(corrected: int, worsened: int, same: int) -> list[Facts]:
    return [decided("a", "b")] * corrected + [decided("b", "a")] * worsened + [decided("a", "a")] * same


def thresholds(at: datetime = datetime(2026, 11, 3, tzinfo=UTC)) -> TriageThresholds:
    return TriageThresholds(MemoryStore(), lambda: at)


def proposed(times: int, quarter: str = Q4) -> ThresholdProposal:
    return ThresholdProposal(quarter, 5 * times, 5, 0)


def test_break_even_follows_from_the_net_corrections():
    # 40 / (8 - 1) = 5.7
    found = propose_threshold(cases(8, 1, 31), Q4)
    assert (found, found.times) == (ThresholdProposal(Q4, 40, 8, 1), 6)


def test_too_few_outcomes_give_no_proposal():
    few = propose_threshold(cases(LEAST_LABELLED - 1, 0, 0), Q4)
    assert (few.n, few.has_enough, few.times) == (19, False, None)
    assert proposal_sentence(few, 50) == (
        "No proposal from outcomes yet: it needs 20 decisions with a known right option and a single answer or first "
        "proposal; so far 19."
    )
    assert propose_threshold(cases(LEAST_LABELLED, 0, 0), Q4).times == 1


@pytest.mark.parametrize(("corrected", "worsened", "times"), [(3, 0, None), (4, 0, 10), (6, 1, None), (7, 1, 7)])
def test_an_unclear_gain_gives_no_proposal(corrected: int, worsened: int, times: int | None):
    found = propose_threshold(cases(corrected, worsened, 40 - corrected - worsened), Q4)
    assert (found.has_enough, found.times) == (True, times)
    assert ("It is not clear that debates" in proposal_sentence(found, 50)) == (times is None)


def test_unknown_outcomes_and_rehearsals_do_not_count():
    unknown = replace(ONE, later=Aftermath(decision="a", first="b"))
    silent = decided("a", None)
    rehearsal = replace(decided("a", "b"), rehearsal=True)
    single_call = replace(decided("a", "b"), protocol=SINGLE_CALL)
    assert propose_threshold([unknown, silent, rehearsal, single_call], Q4).n == 0


def test_a_baseline_replaces_the_first_proposal():
    alone = BaselineRow("single_call", 1, 1, 1, "b", "a", None, 1.0, None, None, "")
    held = replace(decided("a", "a"), baselines=(alone,))
    found = propose_threshold([held], Q4)
    assert (found.corrected, propose_threshold([decided("a", "a")], Q4).corrected) == (1, 0)
    unanswered = replace(decided("a", "b"), baselines=(replace(alone, answer=None),))
    assert propose_threshold([unanswered], Q4).corrected == 1


def test_the_same_value_is_confirmed():
    assert proposal_sentence(proposed(8), 8).startswith("The outcomes confirm it: in 5 of 40 decisions")
    assert proposal_sentence(proposed(8), 50).startswith("Proposal for 2026 Q4: 8 times.")


def test_an_accepted_threshold_is_in_use():
    kept = thresholds()
    assert (kept.quarter(), kept.current()) == (Q4, 50)
    kept.answer(proposed(12, "2026 Q3"), accepted=True, by="Ana")
    kept.answer(proposed(8), accepted=False, by="Ben", reason="too few kinds")
    assert kept.current() == 12
    latest, before = kept.answers()
    assert (latest.by, latest.reason, latest.at[:10], latest.accepted) == ("Ben", "too few kinds", "2026-11-03", False)
    assert (before.quarter, before.times, before.n, before.corrected, before.worsened) == ("2026 Q3", 12, 60, 5, 0)


def test_a_proposal_is_answered_once():
    kept = thresholds()
    kept.answer(proposed(8), accepted=False, by="Ana")
    with pytest.raises(InvalidSpec, match="the proposal of 2026 Q4 is answered already"):
        kept.answer(proposed(8), accepted=True, by="Ben")
    with pytest.raises(InvalidSpec, match="lead to no proposal"):
        kept.answer(ThresholdProposal("2027 Q1", 3, 1, 0), accepted=True, by="Ben")
    assert [answer.by for answer in kept.answers()] == ["Ana"]


def test_an_account_has_its_own_threshold_or_that_of_the_server():
    kept = thresholds()
    kept.answer(proposed(12), accepted=True, by="the operator")
    assert kept.current("u-a") == 12
    kept.answer(proposed(8), accepted=True, by="u-a", owner="u-a")
    assert (kept.current("u-a"), kept.current("u-b"), kept.current()) == (8, 12, 12)


def test_advice_uses_the_threshold():
    answers = Answers(downside_usd="10", debate_usd="1")
    assert [recommend(answers, times=times).advice for times in (9, 10)] == ["debate", "simpler"]
    stake = next(reason for reason in recommend(answers, times=9).reasons if reason.name == "stake")
    assert stake.sentence.endswith("$10; 9 times the debate is $9.")
