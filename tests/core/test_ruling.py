"""One account of the outcome, the same in every output under all its conditions."""

from collections.abc import Mapping, Sequence

import pytest

from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count, EarlierCount
from debate_core.record.commands import Stop
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.counts import RuleResult, rule_result, tally_rows, what_if
from debate_core.report.facts.ruling import agreement, ruling_of
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.counts import count_words, counted_by_words, lead_words, robustness_sentence
from debate_core.report.phrases.outcome import agreement_words, outcome_lines, outcome_sentence
from debate_core.spec.contents import Synthesis, Verdict
from debate_core.spec.presets import EXPERT_PANEL
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import (
    AllOf,
    BySeat,
    DecisionReached,
    DecisionRule,
    FromRound,
    Majority,
    MaxRounds,
    Plurality,
    Supermajority,
    Threshold,
    Unanimity,
)
from tests.by_hand import JUDGE, OPEN, preset_spec, small
from tests.playing import Played

TWO_OF_THREE = {"s0": "a", "s1": "a", "s2": "b"}
THE_OTHER_TWO = {"s0": "a", "s1": "b", "s2": "b"}


def panel(*ballots: Mapping[str, str | None]) -> Account:
    """The default preset: a majority has to hold on two ballots in a row."""
    played = Played(preset_spec(3, EXPERT_PANEL, max_rounds=2))
    for said in ballots:
        played.vote(said)
    played.say(Synthesis(answer="So."))
    return account(played.state, played.events)


def by_rule(rows: tuple[RuleResult, ...]) -> dict[str, tuple[tuple[str, ...], str]]:
    return {row.rule: (row.winners, row.ended) for row in rows}


def test_a_majority_that_held_once_elects_nobody_anywhere():
    # finding 4 of the audit: "Undecided" and "Agreed, majority: adopt" on one page
    told = panel(THE_OTHER_TWO, TWO_OF_THREE)
    ruling, result = told.ruling, told.ruling.result
    assert result is not None
    assert (ruling.standing, ruling.option, result.obstacle) == ("undecided", None, "in_a_row")
    assert (result.has_held, result.in_a_row, result.on_last_ballots) == (1, 2, ("a",))
    assert outcome_sentence(told) == (
        "Undecided. Agreed next step: escalate. "
        "a has won 1 of the 2 consecutive counts it needs: a 2, b 1 (3 of 3 ballots cast). "
        "It ended after round 2, critique, because the last round was over."
    )
    assert robustness_sentence(ruling) == (
        "On the last ballots majority says: nothing decided; 1 ballot cast differently could change that. "
        "Under plurality: a."
    )
    assert lead_words(ruling) == ("a", "2 of 3, needed 2, has won 1 of the 2 consecutive counts it needs")
    assert not ruling.has_reached
    assert [(row.elected, row.has_held, row.in_a_row) for row in told.tallies if row.poll_id == "2.critique"] == [
        (False, 1, 2),
        (False, 0, 2),
        (False, 0, 2),
    ]
    for report in (text_report(told), markdown_report(told)):
        assert "says: a" not in report
        assert "a has won 1 of the 2 consecutive counts it needs" in report
    assert agreement_words(told) == "no agreement yet, and no stable split"


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        (("aaa",), "consensus"),
        (("aabb",), "split"),
        (("aabbc",), "split"),
        (("aabbcc",), "split"),
        # A camp is two; of two debaters each is one.
        (("aab",), "incoherent"),
        (("abc",), "incoherent"),
        (("ab",), "split"),
        (("a-b",), "incoherent"),
        # Camps are settled where nobody changed on the last ballot.
        (("aabb", "aabb"), "split"),
        (("abbb", "aabb"), "incoherent"),
        (("abbb", "aabb", "aabb"), "split"),
        (("ab", "ba"), "incoherent"),
        (("----",), "no_ballots"),
        (("aabb----",), "too_few_ballots"),
        (("aabb---",), "split"),
    ],
)
def test_who_agrees_and_who_is_split(rounds: Sequence[str], told: str):
    # R205
    played = small(OPEN, n=len(rounds[0]), rounds=len(rounds), decide=Unanimity(), stop=(MaxRounds(),))
    for ballots in rounds:
        played.vote({f"s{n}": None if option == "-" else option for n, option in enumerate(ballots)})
    assert agreement(played.state) == told


@pytest.mark.parametrize(
    ("votes", "rule", "leading", "ties", "has_reached"),
    [
        ("aab", Plurality(), "a", "", False),
        ("aab", Majority(), "a", "", True),
        ("aab", Unanimity(), "a", "", False),
        ("ab", Majority(), "ab", "ab", False),
        # What a lot decides is level no more.
        ("ab", Plurality(tie=("lot",)), "ab", "", False),
        ("---", Plurality(quorum=1), "", "", False),
        ("aab", BySeat(role="judge"), "", "", False),
    ],
)
def test_who_leads_who_is_level_and_who_has_all_that_is_asked(
    votes: str, rule: DecisionRule, leading: str, ties: str, has_reached: bool
):
    after = (JUDGE,) if isinstance(rule, BySeat) else ()
    played = small(OPEN, n=len(votes), rounds=1, after=after, decide=rule, stop=(MaxRounds(),))
    for vote in votes:
        played.say(None if vote == "-" or after else vote)
    told = ruling_of(played.state)
    assert (told.leading, told.ties, told.has_reached) == (tuple(leading), tuple(ties), has_reached)


def test_a_share_of_cast_ballots_has_no_number_before_votes():
    said = {}
    for base in ("eligible", "cast"):
        rule = Majority(base=base)
        played = small(OPEN, decide=rule).vote(dict.fromkeys(("s0", "s1", "s2"), None))
        said[base] = lead_words(account(played.state).ruling)
    assert said == {
        "eligible": ("", "0 of 3 ballots cast, 2 needed"),
        "cast": ("", "0 of 3 ballots cast, the number needed depends on the ballots cast"),
    }


def test_a_repeated_or_unanimous_majority_is_reported_as_such():
    twice, once = panel(TWO_OF_THREE, TWO_OF_THREE), panel(dict.fromkeys(TWO_OF_THREE, "a"))
    assert "2 of 3 debaters, 2 needed on 2 consecutive counts → decided" in outcome_sentence(twice)
    assert "3 of 3 debaters, 2 needed, and unanimous on the first ballot → decided" in outcome_sentence(once)
    assert lead_words(twice.ruling)[1] == "2 of 3, needed 2, has won 2 of the 2 consecutive counts it needs"
    assert twice.ruling.has_reached
    assert once.ruling.has_reached


def count(rule: Majority | Plurality | Threshold | Supermajority, *rounds: str, can_end: bool = True) -> Count:
    """Rounds of ballots, one letter each; `-` cast none."""
    ballots = [
        tuple(BallotCounted(f"v{i}", choice=option) for i, option in enumerate(said) if option != "-")
        for said in rounds
    ]
    earlier = tuple(EarlierCount(f"round {n}", said, can_end) for n, said in enumerate(ballots[:-1], start=1))
    silent = {f"v{i}": 1 for i, option in enumerate(rounds[-1]) if option == "-"}
    return Count("debaters", rule, "one", ("a", "b", "c"), ballots[-1], silent, seed=1, earlier=earlier)


def test_another_rule_keeps_every_condition_that_was_agreed():
    held_once = count(Majority(ballots_in_a_row=2), "abb", "aab")
    assert held_once.under(Supermajority()).result().winners == ()
    assert held_once.under(Threshold(votes=2)).result().has_held == 1
    # What elects once, when the rounds are over, looks at the last ballots.
    assert held_once.under(Plurality()).result().winners == ("a",)
    assert held_once.under(Plurality()).under(Supermajority()).ballots_in_a_row() == 2
    assert held_once.under(held_once.rule).result() == held_once.result()
    few = count(Plurality(quorum=3), "ab-")
    assert few.under(Threshold(votes=1, allows_two_winners=True)).result().obstacle == "quorum"
    by_cast = count(Majority(base="cast"), "aaa-")
    assert by_cast.under(Unanimity()).result().winners == ("a",)
    level = count(Plurality(tie=("lot",)), "ab")
    drawn = level.under(Threshold(votes=1, allows_two_winners=True)).result()
    assert (len(drawn.winners), [step.step for step in drawn.steps]) == (1, ["lot"])


def test_another_rule_is_played_through_from_the_first_count():
    late = count(Supermajority(numerator=1, denominator=1), "aab", "bba")
    row = rule_result(late, Majority())
    assert (row.winners, row.ended) == (("a",), "round 1")
    assert rule_result(late, Plurality()).winners == ("b",)
    # The agreed rule is what it was, and so is a debate that no decision would have ended.
    assert rule_result(late, late.rule).ended == ""
    until_the_end = count(Supermajority(numerator=1, denominator=1), "aab", "bba", can_end=False)
    assert rule_result(until_the_end, Majority()).winners == ("b",)
    assert count_words(late.under(Majority()).played_through().result()) == "a"


def test_a_debate_tells_where_a_rule_would_have_ended_it():
    played = small(OPEN, rounds=2, decide=Unanimity()).vote(TWO_OF_THREE).vote({"s0": "b", "s1": "b", "s2": "c"})
    told = account(played.state)
    assert by_rule(what_if(told.ruling.count)) == {
        "unanimity": ((), ""),
        "plurality": (("b",), ""),
        "majority": (("a",), "round 1, open"),
        "supermajority": (("a",), "round 1, open"),
    }
    assert "Under majority (after round 1, open) and supermajority (after round 1, open): a." in robustness_sentence(
        told.ruling
    )
    to_the_last_round = small(OPEN, rounds=2, decide=Unanimity(), stop=(MaxRounds(),))
    to_the_last_round.vote(TWO_OF_THREE).vote({"s0": "b", "s1": "b", "s2": "c"})
    found = by_rule(what_if(account(to_the_last_round.state).ruling.count))
    assert found["majority"] == (("b",), "")


def test_an_interrupted_debate_elects_nobody():
    played = small(OPEN, rounds=2, decide=Plurality(), stop=(MaxRounds(),)).vote(dict.fromkeys(TWO_OF_THREE, "a"))
    played.do(Stop(by="chair", reason="fire alarm"))
    told = account(played.state, played.events)
    assert (told.ruling.standing, told.ruling.option, told.ruling.count) == ("cut_off", None, None)
    assert agreement_words(told) == "not measured: the debate ended before the rule could be applied"
    assert (robustness_sentence(told.ruling), what_if(told.ruling.count), told.counts) == ("", (), ())
    assert not {"split", "incoherent", "tie", "no_ballots"} & {*told.flags}
    assert not any(row.elected or row.tie for row in tally_rows(played.state))
    assert "consensus" not in text_report(told).replace("consensus_threshold", "")


def test_few_ballots_are_no_consensus_and_no_split():
    # R205 with what the audit saw: 1 of 3 ballots, "consensus"
    alone = small(OPEN, rounds=1, decide=Plurality(quorum=1), stop=(MaxRounds(),)).vote({"s0": "a"})
    told = account(alone.state)
    assert told.ruling.option == "a"
    assert agreement_words(told) == "too few ballots to measure agreement (1 of 3 ballots cast)"
    assert "too_few_ballots" in told.flags
    most = small(OPEN, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).vote({"s0": "a", "s1": "a"})
    assert agreement_words(account(most.state)) == "consensus: the rule elects one option (2 of 3 ballots cast)"


def test_where_a_seat_decides_nothing_says_that_votes_did():
    played = small(OPEN, JUDGE, n=2, rounds=1, decide=BySeat(role="judge"))
    played.say(None).say(None).say(Verdict(reasoning="Weighed.", verdict="a", option="a", confidence=70))
    told = account(played.state, played.events)
    assert (told.ruling.option, told.ruling.is_counted, told.agreement) == ("a", False, None)
    assert outcome_lines(told)[0] == "Decided: a"
    for report in (text_report(told), markdown_report(told)):
        assert "ballots cast" not in report
        assert "No votes are counted" in report or "no votes are counted" in report


def test_a_rule_is_called_by_all_its_conditions():
    assert counted_by_words(count(Majority(ballots_in_a_row=2), "aab")) == "majority on 2 consecutive counts"
    held_once = count(Majority(ballots_in_a_row=2), "abb", "aab")
    assert count_words(held_once.result()) == "nothing decided, has won 1 of the 2 consecutive counts it needs"
    assert counted_by_words(held_once.under(Supermajority())) == "supermajority 2/3 on 2 consecutive counts"
    assert count_words(count(Plurality(quorum=3), "ab-").result()) == "nothing decided, no quorum"


@pytest.mark.parametrize(
    ("ends", "check_after", "ended", "winner"),
    [
        (DecisionReached(), "phase", "round 1, open", "a"),
        (DecisionReached(), "round", "round 1, reply", "b"),
        (AllOf(rules=(DecisionReached(), FromRound(round=2))), "phase", "round 2, open", "a"),
        (AllOf(rules=(DecisionReached(), DecisionReached())), "phase", "round 1, open", "a"),
    ],
)
def test_another_rule_could_have_ended_the_debate_earlier(ends, check_after, ended, winner):
    stop = (ends, MaxRounds())
    phases = (OPEN, Phase(name="reply", order="at_once"))
    held = small(*phases, n=3, rounds=2, decide=Unanimity(), stop=stop, check_after=check_after)
    for votes in ("aab", "bba", "aac", "cca"):
        held.vote({f"s{place}": vote for place, vote in enumerate(votes)})
    assert by_rule(what_if(account(held.state).ruling.count))["majority"] == ((winner,), ended)
