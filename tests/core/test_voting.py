"""Ballots, tallies and decision rules, case by case, and one account of the outcome in every output."""

from collections.abc import Mapping, Sequence

import pytest

from debate_core.engine import engine, voting
from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count, EarlierCount
from debate_core.record.commands import FailTurn, SkipTurn, Stop, TakeTurn
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.counts import RuleResult, rule_result, tally_rows, what_if
from debate_core.report.facts.ruling import agreement, ruling_of
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.counts import count_words, counted_by_words, lead_words, robustness_sentence
from debate_core.report.phrases.outcome import agreement_words, outcome_lines, outcome_sentence
from debate_core.spec.contents import Argument, Synthesis, Verdict
from debate_core.spec.presets import BOUNDED_VOTE, DELIBERATION, EXPERT_PANEL, compose
from debate_core.spec.protocol import Phase, Sees
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
    assert "2 of 3 seats, 2 needed on 2 consecutive counts → decided" in outcome_sentence(twice)
    assert "3 of 3 seats, 2 needed, and unanimous on the first ballot → decided" in outcome_sentence(once)
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
