"""The rows of ballots and of what each option has: every kind of ballot, of debaters and of people, field by field."""

from datetime import date
from typing import Any

import pytest

from debate_core.engine.count.ballots import BallotCounted
from debate_core.record import acts
from debate_core.record.commands import SkipTurn
from debate_core.report.facts.ballots import ABSTAINED, SEVERAL, counted_words, poll_ballots, vote_rows
from debate_core.report.facts.counts import (
    ballot_by_ballot,
    ballot_counts,
    counts_of,
    debaters_count,
    final_ballots,
    final_points,
    first_tally,
    last_counted_ballots,
    pair_rows,
    poll_tally_rows,
    rounds_of,
    rows_so_far,
    rule_results,
    tally_rows,
    unweighted_points,
    what_if,
)
from debate_core.report.facts.decision import approvers, date_has_come, decision_of
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import (
    AllOf,
    BySeat,
    DecisionReached,
    DecisionRule,
    Elected,
    FromRound,
    Majority,
    MaxRounds,
    Plurality,
    Threshold,
)
from debate_core.spec.values import Given
from tests.by_hand import JUDGE, OPEN, small, small_spec
from tests.people import ABE, ANN, BEN, FAY, GUS, OLA, room_spec, whole_workshop
from tests.playing import Played


def given(**points: int) -> Argument:
    return Argument(rationale="why", ballot=tuple(Given(option=o, points=p) for o, p in points.items()))


def voted(option: str | None) -> Argument:
    return Argument(rationale="why", vote=option, confidence=70)


def held(decide: DecisionRule, *said: Argument | None, rounds: int = 1) -> Played:
    """Hold a debate with as many debaters as statements, one phase a round; None skips."""
    n = len(said) // rounds
    played = small(OPEN, n=n, rounds=rounds, stop=(MaxRounds(),), decide=decide)
    for content in said:
        if content is None:
            request = played.requests()[0]
            played.do(SkipTurn(by=request.seat, request=request.id, reason="x"))
        else:
            played.say(content)
    return played


RANKS = given(b=1, a=2, c=2)
KINDS: tuple[tuple[DecisionRule, Argument, dict[str, Any]], ...] = (
    (
        Threshold(votes=2),
        voted("a"),
        {"kind": "one", "choice": "a", "tops": ("a",), "said": "a", "given": {}, "confidence": 70},
    ),
    (
        Elected(kind="approval"),
        given(a=1, c=1),
        {"kind": "approval", "choice": None, "tops": ("a", "c"), "given": {"a": 1, "c": 1}},
    ),
    (Elected(kind="borda"), RANKS, {"kind": "ranking", "tops": ("b",), "said": "b > a = c", "confidence": None}),
    (Elected(kind="score"), given(a=5, b=0), {"kind": "score", "tops": ("a",), "given": {"a": 5, "b": 0}}),
    (Elected(kind="cumulative"), given(a=3, b=2), {"kind": "dots", "tops": ("a",), "given": {"a": 3, "b": 2}}),
    (Elected(kind="consent"), given(a=0, b=0), {"kind": "consent", "tops": ("a", "b"), "given": {"a": 0, "b": 0}}),
)


@pytest.mark.parametrize(("decide", "said", "row"), KINDS)
def test_a_ballot_of_each_kind_has_these_fields(decide: DecisionRule, said: Argument, row: dict[str, Any]):
    played = held(decide, said, None)
    first, second = vote_rows(played.state)
    assert {name: getattr(first, name) for name in row} == row
    assert (first.status, second.status) == ("cast", "abstained")
    assert (first.ballot_id, first.poll_id, first.stage, first.electorate) == (
        "1.open.s0",
        "1.open",
        "debater",
        "debaters",
    )
    assert (first.voter, first.role, first.weight, first.options) == ("s0", "debater", 1, ("a", "b", "c"))
    assert (first.round, first.phase, first.first, first.final, first.replaced_by) == (1, "open", True, True, "")
    assert (second.said, second.given, second.top(), second.tops) == (None, {}, ABSTAINED, ())
    assert first.top() == (SEVERAL if len(first.tops) > 1 else first.tops[0])
    assert first.approvals() == (("a", "c") if first.kind == "approval" else ())
    assert first.ranking() == ("b>a=c" if first.kind == "ranking" else None)
    assert second.ranking() is None


def test_a_ballots_json_keeps_names_with_any_characters():
    row = vote_rows(held(Elected(kind="score"), given(a=5), None).state)[0]
    assert row.scores_json() == '{"a": 5}'
    assert vote_rows(held(Threshold(votes=2), voted("a"), None).state)[0].scores_json() is None
    odd = Argument(rationale="why", ballot=(Given(option="déjà „vu“", points=4),))
    played = small(OPEN, n=2, rounds=1, stop=(MaxRounds(),), decide=Elected(kind="score"))
    spec = played.state.spec.model_copy(update={"options": ("déjà „vu“", "b")})
    assert vote_rows(Played(spec).say(odd).say(odd).state)[0].scores_json() == '{"déjà „vu“": 4}'


def test_a_later_ballot_replaces_the_one_before_it():
    rows = vote_rows(held(Threshold(votes=2), voted("a"), voted("b"), voted("a"), voted("a"), rounds=2).state)
    assert [(r.ballot_id, r.replaced_by, r.final, r.first) for r in rows] == [
        ("1.open.s0", "2.open.s0", False, True),
        ("1.open.s1", "2.open.s1", False, True),
        ("2.open.s0", "", True, False),
        ("2.open.s1", "", True, False),
    ]


def test_reasons_of_points_stand_with_their_option():
    concern = Given(option="b", points=1, reason="too dear")
    said = Argument(rationale="why", ballot=(Given(option="a", points=0), concern))
    assert [row.reason for row in vote_rows(held(Elected(kind="consent"), said, said).state)] == ["b: too dear"] * 2


def test_ballots_of_people_have_alias_receipt_and_reason():
    played = Played(room_spec())
    played.act(FAY, acts.PollOpened(poll="pre"))
    played.ballot(ANN, "pre", "defer", confidence=40, reason="too early")
    played.ballot(ANN, "pre", "adopt")
    played.ballot(BEN, "pre", "abstain")
    played.ballot(GUS, "pre", "reject")
    assert poll_ballots(played.state) == ()
    played.act(FAY, acts.PollClosed(poll="pre")).go_on()
    played.to_the_end()
    for act in (acts.PollOpened(poll="final"), acts.PollClosed(poll="final"), acts.PollRevealed(poll="pre")):
        played.act(FAY, act)
    rows = poll_ballots(played.state)
    told = [(r.electorate, r.status, r.choice, r.said, r.reason, r.confidence, r.weight, r.final) for r in rows]
    assert sorted(told, key=str) == sorted(
        [
            ("panel", "cast", "defer", "defer", "too early", 40, 1, False),
            ("panel", "cast", "adopt", "adopt", "", None, 1, True),
            ("panel", "abstained", None, "abstain", "", None, 2, True),
            ("room", "cast", "reject", "reject", "", None, 1, True),
        ],
        key=str,
    )
    assert [r.electorate for r in rows] == ["panel", "panel", "panel", "room"]
    by_choice = {r.choice: r for r in rows}
    first, second = by_choice["defer"], by_choice["adopt"]
    assert (first.replaced_by, first.voter) == (second.ballot_id, second.voter)
    assert {r.poll_id for r in rows} == {"pre.panel", "pre.room"}
    assert {r.stage for r in rows} == {"pre"}
    assert {r.joined_after_open for r in rows} == {False}
    assert first.transcript != ""
    assert [r.receipt for r in rows[:3]] == sorted(r.receipt or "" for r in rows[:3])


def test_what_each_option_has_after_each_count():
    rows = tally_rows(
        held(Plurality(), voted("a"), voted("b"), voted("b"), voted("b"), voted("a"), None, rounds=2).state
    )
    assert [(r.poll_id, r.option, r.votes, r.unweighted, r.rank, r.elected, r.tie) for r in rows] == [
        ("1.open", "a", 1, 1, 2, False, False),
        ("1.open", "b", 2, 2, 1, False, False),
        ("1.open", "c", 0, 0, 3, False, False),
        ("2.open", "a", 1, 1, 1, False, True),
        ("2.open", "b", 1, 1, 1, False, True),
        ("2.open", "c", 0, 0, 3, False, False),
    ]
    assert {(r.rule, r.threshold, r.in_a_row, r.tie_step) for r in rows} == {("plurality", None, 1, "")}


def test_an_open_count_uses_current_ballots_and_earlier_counts():
    played = held(Threshold(votes=2), voted("a"), voted("b"), voted("a"), voted("b"), rounds=2)
    count = debaters_count(played.state)
    assert count is not None
    assert len(count.earlier) == 1
    running = small(OPEN, n=2, rounds=2, stop=(MaxRounds(),), decide=Threshold(votes=2))
    assert debaters_count(running.state) is None
    running.say(voted("a")).say(voted("b"))
    before = debaters_count(running.state)
    assert before is not None
    assert (len(before.earlier), [b.choice for b in before.ballots]) == (0, ["a", "b"])
    running.say(voted("b"))
    now = debaters_count(running.state)
    assert now is not None
    assert (len(now.earlier), [b.choice for b in now.ballots]) == (1, ["b", "b"])
    assert ballot_counts(running.state) == {"cast": 2, "abstained": 0, "unparseable": 0, "failed": 0, "struck": 0}


def test_only_the_last_count_decides_where_none_ends_it():
    again = Phase(name="again")
    later = AllOf(rules=(DecisionReached(), FromRound(round=2)))
    stops = (MaxRounds(),), (MaxRounds(), later), (MaxRounds(), later, DecisionReached())
    told = []
    for stop in stops:
        played = small(OPEN, again, n=2, rounds=1, stop=stop, decide=Threshold(votes=2), check_after="phase")
        count = debaters_count(played.say(voted("a")).say(voted("b")).say(voted("b")).state)
        assert count is not None
        told.append([earlier.can_end for earlier in count.earlier])
    assert told == [[False], [False], [True]]


def test_who_is_elected_by_people_and_who_is_level():
    rows = {(r.poll_id, r.option): r for r in poll_tally_rows(whole_workshop().state)}
    final = rows["final.panel", "adopt"]
    assert (final.votes, final.unweighted, final.elected, final.tie, final.rank) == (3, 2, True, False, 1)
    level = [rows["pre.panel", option] for option in ("adopt", "defer", "reject")]
    assert [(r.votes, r.unweighted, r.elected, r.tie, r.rank) for r in level] == [
        (2, 1, True, False, 1),
        (1, 1, False, False, 2),
        (0, 0, False, False, 3),
    ]


def weighing(*weights: int, decide: DecisionRule | None = None, **more: Any) -> Played:
    """Debaters of these weights at their one phase a round."""
    rule = decide or Plurality()
    spec = small_spec(OPEN, n=len(weights), stop=(MaxRounds(),), decide=rule, **{"rounds": 1, **more})
    seats = zip(spec.seats, (*weights, 1), strict=False)
    weighed = tuple(seat.model_copy(update={"weight": weight}) for seat, weight in seats)
    return Played(spec.model_copy(update={"seats": weighed}))


@pytest.mark.parametrize(
    ("weights", "points", "unweighted"),
    [((1, 1, 1), {"a": 1, "b": 2}, {}), ((3, 1, 1), {"a": 3, "b": 2, "c": 0}, {"a": 1, "b": 2, "c": 0})],
)
def test_what_options_have_with_and_without_weights(weights: tuple[int, ...], points, unweighted):
    played = weighing(*weights).say("a").say("b").say("b")
    assert (final_points(played.state), unweighted_points(debaters_count(played.state))) == (points, unweighted)
    assert [(row.votes, row.unweighted) for row in tally_rows(played.state)] == [
        (points.get(option, 0), (unweighted or points).get(option, 0)) for option in "abc"
    ]


def test_where_a_seat_decides_nothing_is_counted():
    played = weighing(3, 1, 1, decide=BySeat(role="judge"), after=(JUDGE,)).say("a").say("b").say("b")
    state = played.state
    assert (final_points(state), unweighted_points(debaters_count(state))) == ({}, {})
    assert (tally_rows(state), pair_rows(state), what_if(debaters_count(state)), rows_so_far(state, state.ballots)) == (
        (),
        (),
        (),
        [],
    )


def test_the_first_and_the_last_count_of_a_debate_that_runs():
    sealed = OPEN.model_copy(update={"sealed": True})
    played = small(sealed, n=2, rounds=3, stop=(MaxRounds(),), decide=Threshold(votes=2))
    assert (first_tally(played.state), last_counted_ballots(played.state)) == (None, {})
    for votes in ("ab", "bc"):
        played.say(votes[0]).say(votes[1])
        first = first_tally(played.state)
        assert first is not None
        assert first.as_dict() == {"a": 1, "b": 1}
        # What is sealed is not told: the ballots of the round before stand.
        running = played.copy().say("c").state
        told = {seat: ballot.choice for seat, ballot in last_counted_ballots(running).items()}
        assert told == {seat: ballot.choice for seat, ballot in final_ballots(running).items()}
        assert told == dict(zip(("s0", "s1"), votes, strict=True))


def test_what_stands_where_nothing_was_decided_is_not_elected():
    state = held(Majority(if_undecided="a"), voted("a"), voted("b"), voted("c")).state
    assert (state.outcome and state.outcome.decision, [row.elected for row in tally_rows(state)]) == ("a", [False] * 3)
    assert {row.threshold for row in tally_rows(state)} == {2}
    (row, *_) = what_if(debaters_count(state))
    assert (row.rule, row.needed, row.winners) == ("majority", 2, ())
    assert len(counts_of(state)) == 1


def test_who_was_never_asked_has_no_ballot_in_the_table():
    alone = Phase(name="first", places=(1,))
    state = small(alone, OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).say("a").say("b").state
    assert [(row.voter, row.choice) for row in vote_rows(state)] == [("s0", "a")]


def test_elimination_rounds_are_sorted_by_votes_then_name():
    spec = small_spec(OPEN, n=3, rounds=1, stop=(MaxRounds(),), decide=Elected(kind="irv"))
    played = Played(spec.model_copy(update={"options": ("c", "b", "a")}))
    for ranks in ({"a": 1, "b": 2}, {"b": 1, "c": 2}, {"c": 1, "a": 2}):
        played.say(given(**ranks))
    count = debaters_count(played.state)
    assert count is not None
    assert [row.option for row in rounds_of(count) if row.round == 1] == ["a", "b", "c"]


def test_a_ballot_in_words_as_it_was_counted():
    ranks = BallotCounted("v", given=(Given(option="b", points=1), Given(option="a", points=2)))
    assert counted_words("ranking", ranks) == "b > a"
    assert counted_words("one", BallotCounted("v", choice="a")) == "a"
    assert counted_words("one", BallotCounted("v"), abstains="Enthaltung") == "Enthaltung"


def test_a_rule_without_sums_gives_no_points_per_ballot():
    copeland = debaters_count(held(Elected(kind="copeland"), RANKS, RANKS).state)
    borda = debaters_count(held(Elected(kind="borda"), RANKS, RANKS).state)
    assert copeland is not None
    assert borda is not None
    assert [row.points is None for row in (*ballot_by_ballot(copeland), *ballot_by_ballot(borda))] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("decide", "said", "ranks"),
    [
        (Plurality(tie=("lot",)), (voted("a"), voted("b")), {1}),
        (Elected(kind="approval", tie=("lot",)), (given(a=1), given(b=1)), {1, 2}),
    ],
)
def test_a_head_count_ranks_nobody_and_only_its_end_has_steps(
    decide: DecisionRule, said: tuple[Argument, ...], ranks: set[int]
):
    played = held(decide, *said, *said, rounds=2)
    rows = {(row.poll_id, row.option): row for row in tally_rows(played.state) if row.option != "c"}
    (elected,) = [row.option for row in rows.values() if row.elected]
    assert rows["2.open", elected].rank == 1
    assert {row.rank for (poll, _), row in rows.items() if poll == "2.open"} == ranks
    assert {row.rank for (poll, _), row in rows.items() if poll == "1.open"} == {1}
    assert {(poll, row.tie_step) for (poll, _), row in rows.items()} == {("1.open", ""), ("2.open", f"lot: {elected}")}


def test_people_who_stand_level_are_a_tie_of_their_poll():
    played = Played(room_spec((FAY, ANN, BEN.model_copy(update={"weight": 1})), pre_vote="shown_at_close"))
    played.act(FAY, acts.PollOpened(poll="pre")).ballot(ANN, "pre", "adopt").ballot(BEN, "pre", "defer")
    played.act(FAY, acts.PollClosed(poll="pre")).act(FAY, acts.PollRevealed(poll="pre"))
    rows = [(row.option, row.tie, row.elected, row.rank) for row in poll_tally_rows(played.state)]
    assert rows == [("adopt", True, False, 1), ("defer", True, False, 1), ("reject", False, False, 3)]


def test_the_margin_to_another_result_is_computed_on_request():
    count = debaters_count(held(Plurality(), voted("a"), voted("a"), voted("b")).state)
    assert count is not None
    assert {row.flip for row in rule_results(count)} == {None}
    assert [row.flip is not None for row in rule_results(count, counts=100)] == [True] * len(rule_results(count))


def test_whoever_signs_is_told_in_the_role_they_had_then():
    played = whole_workshop()
    then, later = OLA.model_copy(update={"role": "approver"}), OLA.model_copy(update={"role": "voter"})
    played.act(FAY, acts.PersonChanged(person=then, reason="Abe is away"))
    played.act(OLA, acts.Signed(verdict="accept", option="adopt"))
    played.act(FAY, acts.PersonChanged(person=later, reason="Abe is back"))
    signed = decision_of(played.state).signed
    assert signed is not None
    assert (signed.by.name, signed.by.role) == ("Ola", "approver")


@pytest.mark.parametrize(
    ("signature", "status", "option"),
    [
        (acts.Signed(verdict="accept", option="adopt"), "accepted", "adopt"),
        (acts.Signed(verdict="accept_with_changes", option="adopt", changes="Later."), "proposed", "adopt"),
        (acts.Signed(verdict="reject", reason="too dear"), "rejected", None),
        (acts.Signed(verdict="escalate", reason="the board decides"), "proposed", None),
    ],
)
def test_an_escalated_or_changed_decision_is_still_proposed(signature: acts.Signed, status: str, option: str | None):
    told = decision_of(whole_workshop().act(ABE, signature).state)
    assert (told.status, told.option) == (status, option)
    assert [earlier.word.verdict for earlier in told.earlier] == ["accept"]


@pytest.mark.parametrize(
    ("revisit", "has_come"),
    [
        ("2027-03-01", True),
        ("On 2027-02-28, or when it costs more.", True),
        ("2027-03-02", False),
        ("2028-01-01, at the latest 2028-06-01", False),
        ("2028-01-01, but for the costs 2027-01-01", True),
        # Which is no day, and the one behind it is.
        ("2027-02-30", False),
        ("2026-02-30 or 2026-03-02", True),
        ("When it costs more", False),
        ("", False),
    ],
)
def test_a_decision_is_due_on_the_first_of_its_dates(revisit: str, has_come: bool):
    assert date_has_come(revisit, date(2027, 3, 1)) == has_come


def test_a_signature_differs_if_it_accepts_another_option():
    played = whole_workshop()
    first = decision_of(played.state)
    assert first.signed is not None
    assert (first.signed.counted, first.signed.differs, first.option, first.status) == (
        "adopt",
        False,
        "adopt",
        "accepted",
    )
    played.act(ABE, acts.Signed(verdict="accept", option="defer", reason="cheaper"))
    played.act(ABE, acts.Signed(verdict="reject", reason="too dear"))
    last = decision_of(played.state)
    assert last.signed is not None
    assert [signed.differs for signed in (*last.earlier, last.signed)] == [False, True, False]
    assert (last.option, last.status) == (None, "rejected")


def test_who_may_sign_and_the_reasons_of_a_ballot_of_people():
    played = Played(room_spec(vote=Elected(kind="consent"), pre_vote="shown_at_close"))
    assert approvers(played.state) == ("Abe",)
    played.act(FAY, acts.PollOpened(poll="pre"))
    concern = (Given(option="defer", points=1, reason="too late"),)
    for voter, reason in ((ANN, "I know the vendor"), (BEN, "")):
        played.act(voter, acts.BallotCast(poll="pre", given=concern, reason=reason))
    played.act(FAY, acts.PollClosed(poll="pre"))
    played.act(FAY, acts.PollRevealed(poll="pre"))
    told = {row.weight: row.reason for row in poll_ballots(played.state)}
    assert told == {1: "I know the vendor; defer: too late", 2: "defer: too late"}
