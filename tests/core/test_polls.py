"""Polls of people as rows and sentences: only revealed ballots, under aliases, each electorate separately."""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest

from debate_core.errors import InvalidSpec
from debate_core.record.acts import BallotCast, PersonJoined, PollClosed, PollOpened, PollRevealed
from debate_core.report.facts.account import account
from debate_core.report.facts.ballots import poll_ballots, vote_rows
from debate_core.report.facts.counts import (
    agrees,
    ballot_by_ballot,
    counts_of,
    poll_pair_rows,
    poll_tally_rows,
    rounds_of,
    rule_results,
)
from debate_core.report.facts.polls import aliases, poll_progress, revealed_results
from debate_core.report.facts.swing import confidence_rows, moved_rows, swing_rows, swing_winners, transition_rows
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.csv import VOTES
from debate_core.report.files.export import csv_files, debate_json, dumps, export_files
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.polls import deciding_words, progress_words, result_words, sealed_words, swing_words
from debate_core.spec.people import Person
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import CountedRule, Elected, Plurality
from debate_core.spec.values import Given
from debate_core.ui.room.live.transcript import picture
from tests.people import ANN, BEN, FAY, GUS, room_spec
from tests.playing import Played

VOTERS = tuple(Person(id=f"p-v{n}", name=f"Voter {n}", electorate="room") for n in range(5))
MARKER = "xylophone"


def polled(before: str, after: str, **agreed: Any) -> Played:
    """Five people vote by letters (a, d, r, x = abstain, . = not at all) before the first turn and after the last."""
    held = Played(room_spec((FAY, *VOTERS), **agreed))
    poll(held, "pre", before)
    held.to_the_end()
    poll(held, "final", after)
    held.act(FAY, PollRevealed(poll="final"))
    held.act(FAY, PollRevealed(poll="pre"))
    return held


def poll(played: Played, name: str, letters: str) -> None:
    """Open the poll, let each voter cast the option of their letter with a reason, and close it."""
    options = {"a": "adopt", "d": "defer", "r": "reject", "x": "abstain"}
    played.act(FAY, PollOpened(poll=name))
    for voter, letter in zip(VOTERS, letters, strict=True):
        if letter != ".":
            played.ballot(voter, name, options[letter], confidence=60, reason=f"{MARKER} {voter.id}")
    played.act(FAY, PollClosed(poll=name))


def ranked(rule: CountedRule, *orders: str) -> Played:
    """Five people rank by letters, the best first."""
    options = {"a": "adopt", "d": "defer", "r": "reject"}
    held = Played(room_spec((FAY, *VOTERS), pre_vote="none", vote=rule))
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    for voter, order in zip(VOTERS, orders, strict=True):
        given = tuple(Given(option=options[letter], points=place) for place, letter in enumerate(order, start=1))
        held.act(voter, BallotCast(poll="final", given=given))
    held.act(FAY, PollClosed(poll="final"))
    held.act(FAY, PollRevealed(poll="final"))
    return held


def test_who_comes_after_the_close_is_no_voter_of_the_poll():
    held = Played(room_spec((FAY, ANN, BEN)))
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer")
    held.act(FAY, PollClosed(poll="pre"))
    late = Person(id="p-late", name="Lea", electorate="panel")
    held.act(late, PersonJoined(person=late))
    assert progress_words(poll_progress(held.state, "pre")) == "1 of 2 ballots in"


def test_before_the_reveal_only_who_has_answered_is_known():
    held = Played(room_spec((FAY, ANN, BEN, GUS)))
    assert progress_words(poll_progress(held.state, "pre")) == "named people: 0 of 2 ballots in, room: 0 of 1 ballot in"
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer", reason=MARKER, confidence=77)
    state = held.state
    assert progress_words(poll_progress(state, "pre")) == "named people: 1 of 2 ballots in, room: 0 of 1 ballot in"
    cast = poll_ballots(state)
    assert (cast, poll_tally_rows(state), poll_pair_rows(state), [*revealed_results(state)]) == ((), (), (), [])
    assert (
        swing_rows(state),
        transition_rows(state, cast),
        moved_rows(state, held.events, cast),
        confidence_rows(state),
    ) == ((), (), (), ())
    told = [*csv_files(account(state, held.events)).values(), dumps(debate_json(account(state, held.events)))]
    told += [markdown_report(account(state, held.events)), text_report(account(state, held.events))]
    assert [text for text in told if MARKER in text] == []
    assert sealed_words(state) == (
        "Sealed until revealed: the pre-vote cannot be read yet, so there are no files to download."
    )
    with pytest.raises(InvalidSpec, match="sealed until revealed: the pre-vote"):
        export_files(account(state, held.events), "all")


def test_ballots_have_receipt_alias_and_replacements():
    held = Played(room_spec((FAY, ANN, GUS), pre_vote="shown_at_close"))
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer", reason="early")
    held.ballot(GUS, "pre", "abstain")
    held.ballot(ANN, "pre", "adopt", confidence=70)
    held.act(FAY, PollClosed(poll="pre"))
    held.act(FAY, PollRevealed(poll="pre"))
    rows = {r.ballot_id: r for r in poll_ballots(held.state)}
    seqs = [e.seq for e in held.events if isinstance(e.body, BallotCast)]
    first, other, last = (rows[f"pre.{seq}"] for seq in seqs)
    assert (first.said, first.replaced_by, first.voter) == ("defer", last.ballot_id, "panel 1")
    assert (last.said, last.replaced_by, last.confidence, last.poll_id) == ("adopt", "", 70, "pre.panel")
    assert (other.status, other.said, other.voter, other.top()) == ("abstained", "abstain", "room 1", "abstained")
    codes = {r.receipt for r in rows.values()}
    assert codes == {f"{e.hash[:4]}-{e.hash[4:8]}".upper() for e in held.events if isinstance(e.body, BallotCast)}
    assert [
        n for n in ("Ann", "Gus", "p-ann", "p-gus") if n in csv_files(account(held.state, held.events))["votes.csv"]
    ] == []


def test_aliases_follow_hashes_and_not_names():
    held = polled("adrxa", "aaaaa")
    first = {d.by: d.hash for d in reversed(held.state.room.of(BallotCast))}
    by_hash = sorted(first, key=lambda i: first[i])
    assert aliases(held.state) == {person: f"room {n}" for n, person in enumerate(by_hash, start=1)}


def test_the_result_is_said_as_arithmetic_per_electorate():
    held = Played(room_spec((FAY, ANN, BEN, GUS), pre_vote="shown_at_close"))
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer")
    held.ballot(BEN, "pre", "adopt")
    held.act(FAY, PollClosed(poll="pre"))
    held.act(FAY, PollRevealed(poll="pre"))
    panel, room = (result_words(held.state, p, r) for p, r in revealed_results(held.state))
    assert panel == ("2 of 2 voters cast a ballot (weight 3). Votes: adopt 2, defer 1, reject 0.")
    # This vote elects nothing.
    assert room == "0 of 1 voter cast a ballot."
    tally = {(r.poll_id, r.option): r for r in poll_tally_rows(held.state)}
    row = tally["pre.panel", "adopt"]
    assert (row.votes, row.unweighted, row.rank, row.elected, row.unit) == (2, 1, 1, True, "votes")


def test_swing_and_final_vote_are_shown_and_one_decides():
    held = polled("aaadr", "aaarr", decides="room")
    rows = {r.option: r for r in swing_rows(held.state)}
    assert {o: r.swing() for o, r in rows.items()} == {
        "adopt": Fraction(0),
        "defer": Fraction(-1, 5),
        "reject": Fraction(1, 5),
    }
    assert swing_words(held.state, "room") == (
        "Swing of the room: reject gained most (+20.0 percentage points); the final vote elects adopt. "
        "These are not the same. Agreed before the start: the final vote decides, not the swing."
    )
    assert deciding_words(held.state) == (
        "Agreed before the start: the final vote of the room decides; it says adopt. As advice: the seats say adopt."
    )


@pytest.mark.parametrize(("before", "after", "swing"), [(".....", "aaar.", 3), ("aaar.", ".....", -3), ("", "", 0)])
def test_without_ballots_every_option_has_none(before: str, after: str, swing: int):
    rows = {r.option: r.swing() for r in swing_rows(polled(before or ".....", after or ".....").state)}
    assert rows == {"adopt": Fraction(swing, 4), "defer": 0, "reject": Fraction(swing, 12)}


def test_both_reports_tell_the_votes_of_the_room():
    held = polled("aaadr", "aaarr", decides="room")
    said = (
        "Room, final vote: 5 of 5 voters cast a ballot. Votes: adopt 3, reject 2, defer 0. Elected (plurality): adopt."
    )
    assert f"## Votes of the room\n\n- {deciding_words(held.state)}" in markdown_report(
        account(held.state, held.events)
    )
    assert said in markdown_report(account(held.state, held.events))
    assert f"Votes of the room:\n  {deciding_words(held.state)}" in text_report(account(held.state, held.events))
    assert "Votes of the room" not in text_report(account(Played(room_spec()).state))


def test_the_live_transcript_tells_nothing_of_a_ballot():
    held = Played(room_spec((FAY, ANN)))
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer", reason=MARKER)
    assert MARKER not in json.dumps(picture(held.state, {}, ()))


def test_transitions_count_people_from_where_to_where():
    held = polled("aadx.", "adrr.")
    moves = {(t.before, t.after): t.voters for t in transition_rows(held.state, poll_ballots(held.state))}
    assert moves == {("adopt", "adopt"): 1, ("adopt", "defer"): 1, ("defer", "reject"): 1, ("abstained", "reject"): 1}
    late = polled("....a", "a....")
    assert {(t.before, t.after) for t in transition_rows(late.state, poll_ballots(late.state))} == {
        ("no ballot", "adopt"),
        ("adopt", "no ballot"),
    }


def test_changed_votes_are_listed_by_alias_with_readable_turns():
    held = Played(room_spec((FAY, GUS)))
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(GUS, "pre", "defer")
    held.act(FAY, PollClosed(poll="pre"))
    held.go_on()
    held.say()
    held.act(FAY, PollOpened(poll="pulse-1"))
    held.ballot(GUS, "pulse-1", "adopt")
    held.say()
    held.say()
    held.say()
    held.ballot(GUS, "pulse-1", "reject")
    held.act(FAY, PollClosed(poll="pulse-1"))
    held.to_the_end()
    assert moved_rows(held.state, held.events, poll_ballots(held.state)) == ()
    held.act(FAY, PollRevealed(poll="pulse-1"))
    told = [
        (m.alias, m.before, m.after, m.read_before, m.read_after)
        for m in moved_rows(held.state, held.events, poll_ballots(held.state))
    ]
    assert told == [("room 1", "adopt", "reject", "1.opening.s0", "1.reply.s0")]


def test_who_votes_again_for_the_same_has_not_moved():
    held = polled("aad.x", "aar.x")
    (moved,) = moved_rows(held.state, held.events, poll_ballots(held.state))
    assert (moved.electorate, moved.polls, moved.before, moved.after) == ("room", ("pre", "final"), "defer", "reject")


def test_sealed_turns_are_readable_after_their_phase():
    secret = Phase(name="secret", order="at_once", sealed=True)
    rules = room_spec().protocol.model_copy(update={"each_round": (secret,)})
    held = Played(room_spec((FAY, GUS)).model_copy(update={"protocol": rules})).go_on()
    held.act(FAY, PollOpened(poll="pulse-1"))
    held.ballot(GUS, "pulse-1", "adopt").say().say()
    held.ballot(GUS, "pulse-1", "defer").ballot(GUS, "pulse-1", "reject").say()
    held.ballot(GUS, "pulse-1", "adopt")
    held.act(FAY, PollClosed(poll="pulse-1"))
    held.to_the_end()
    held.act(FAY, PollRevealed(poll="pulse-1"))
    read = [(m.read_before, m.read_after) for m in moved_rows(held.state, held.events, poll_ballots(held.state))]
    assert read == [("", ""), ("", ""), ("", "1.secret.s2")]


def test_confidence_before_and_after():
    held = polled("aad.x", "aaa..")
    assert [(c.poll, c.said, c.ballots, c.mean) for c in confidence_rows(held.state)] == [
        ("pre", 3, 3, Fraction(60)),
        ("final", 3, 3, Fraction(60)),
    ]


def test_confidence_is_reported_by_electorate():
    held = Played(room_spec((FAY, ANN, *VOTERS)))
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    held.ballot(ANN, "final", "adopt")
    for voter, choice, confidence in zip(
        VOTERS, ("adopt", "defer", "adopt", "abstain"), (40, None, 80, 99), strict=False
    ):
        held.ballot(voter, "final", choice, confidence=confidence)
    held.act(FAY, PollClosed(poll="final")).act(FAY, PollRevealed(poll="final"))
    told = {c.electorate: (c.said, c.ballots, c.mean, c.lowest, c.highest) for c in confidence_rows(held.state)}
    assert told == {"panel": (0, 1, None, None, None), "room": (2, 3, Fraction(60), 40, 80)}


def test_a_swing_is_reported_once_both_votes_are_readable():
    held = Played(room_spec((FAY, *VOTERS)))
    assert (swing_rows(held.state), transition_rows(held.state, poll_ballots(held.state))) == ((), ())
    poll(held, "pre", "aaddr")
    held.to_the_end()
    poll(held, "final", "aaadr")
    held.act(FAY, PollRevealed(poll="final"))
    assert (swing_rows(held.state), transition_rows(held.state, poll_ballots(held.state))) == ((), ())
    assert swing_winners(held.state, "room") == ()
    held.act(FAY, PollRevealed(poll="pre"))
    told = [(row.electorate, row.option, row.share_before, row.share_after) for row in swing_rows(held.state)]
    assert told == [
        ("room", "adopt", Fraction(2, 5), Fraction(3, 5)),
        ("room", "defer", Fraction(2, 5), Fraction(1, 5)),
        ("room", "reject", Fraction(1, 5), Fraction(1, 5)),
    ]
    assert (swing_winners(held.state, "room"), swing_winners(held.state, "panel")) == (("adopt",), ())


def test_who_came_after_the_first_vote_is_in_no_swing():
    held = Played(room_spec((FAY, *VOTERS)))
    poll(held, "pre", "aaddr")
    held.act(ANN, PersonJoined(person=ANN))
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final")).ballot(ANN, "final", "adopt")
    held.act(FAY, PollClosed(poll="final")).act(FAY, PollRevealed(poll="final")).act(FAY, PollRevealed(poll="pre"))
    assert {row.electorate for row in swing_rows(held.state)} == {"room"}


@pytest.mark.parametrize(
    ("before", "after", "gained"),
    [("aadrr", "aadrr", ()), ("aadrr", "aaxxx", ()), ("aaadr", "aaxdr", ()), ("aarrr", "aaadd", ("defer",))],
)
def test_who_gained_most_is_who_gained_anything(before: str, after: str, gained: tuple[str, ...]):
    assert swing_winners(polled(before, after).state, "room") == gained


def test_larger_groups_come_first_and_equal_ones_by_name():
    held = polled("rrada", "aadda")
    assert [(t.before, t.after, t.voters) for t in transition_rows(held.state, poll_ballots(held.state))] == [
        ("reject", "adopt", 2),
        ("adopt", "adopt", 1),
        ("adopt", "defer", 1),
        ("defer", "defer", 1),
    ]


def test_other_rules_say_what_they_would_have_elected():
    held = ranked(Elected(kind="borda"), "adr", "adr", "adr", "dra", "dra")
    ((_, result),) = revealed_results(held.state)
    room = counts_of(held.state)[-1]
    said = {o.rule: o.winners for o in rule_results(room)}
    assert said["borda"] == result.winners == ("defer",)
    assert said["plurality"] == said["majority"] == said["copeland"] == ("adopt",)
    assert [o.rule for o in rule_results(room) if o.agreed] == ["borda"]


def test_a_count_can_be_checked_by_ballot_and_by_round():
    held = ranked(Elected(kind="irv"), "adr", "ad", "dra", "dra", "rda")
    ((_, result),) = revealed_results(held.state)
    room = counts_of(held.state)[-1]
    assert agrees(room, result)
    assert not agrees(room, result.model_copy(update={"cast": result.cast + 1}))
    assert not agrees(replace(room, rule=Elected(kind="irv", quorum=90)), result)
    rows = ballot_by_ballot(room)
    sums = {o: sum((r.points or {})[o] for r in rows) for o in ("adopt", "defer", "reject")}
    assert {p.option: int(p.points) for p in result.points} == sums == {"adopt": 2, "defer": 2, "reject": 1}
    told = [(r.round, r.option, r.votes, r.out) for r in rounds_of(room)]
    assert told == [
        (1, "adopt", 2, False),
        (1, "defer", 2, False),
        (1, "reject", 1, True),
        (2, "defer", 3, False),
        (2, "adopt", 2, False),
    ]
    pairs = {(p.a, p.b): (p.prefers_a, p.prefers_b, p.tied) for p in poll_pair_rows(held.state)}
    assert pairs == {("adopt", "defer"): (2, 3, 0), ("adopt", "reject"): (2, 3, 0), ("defer", "reject"): (4, 1, 0)}


def test_a_ballot_with_weight_counts_as_often_in_the_recount():
    held = Played(room_spec((FAY, ANN, BEN), pre_vote="shown_at_close", vote=Plurality()))
    held.act(FAY, PollOpened(poll="pre"))
    held.ballot(BEN, "pre", "adopt")
    held.act(FAY, PollClosed(poll="pre"))
    held.act(FAY, PollRevealed(poll="pre"))
    (row,) = ballot_by_ballot(counts_of(held.state)[-1])
    assert (row.weight, row.said, row.points) == (2, "adopt", {"adopt": 2, "defer": 0, "reject": 0})


def test_both_kinds_of_ballots_stand_in_one_table():
    held = polled("aadrx", "aaaad")
    files = csv_files(account(held.state, held.events))
    rows = [*csv.DictReader(StringIO(files["votes.csv"]))]
    assert all([*row] == [*VOTES] for row in rows)
    assert sorted({(r["stage"], r["electorate"], r["poll_id"]) for r in rows if r["stage"] != "debater"}) == [
        ("final", "room", "final.room"),
        ("pre", "room", "pre.room"),
    ]
    # A ballot in a poll is of no round, and one of a debater in no poll.
    assert {(b.round, b.phase, b.first, b.changed_by) for b in poll_ballots(held.state)} == {(0, "", None, None)}
    assert {(b.poll, b.seq, b.receipt, b.transcript) for b in vote_rows(held.state)} == {("", 0, None, "")}
    told = json.loads(dumps(debate_json(account(held.state, held.events))))
    assert [p["poll_id"] for p in told["polls"]] == ["pre.room", "final.room"]
    assert len(told["ballots"]) == 10
    assert told["ballots"][0]["transcript"] in {e.hash for e in held.events}
    assert {r["poll_id"] for r in csv.DictReader(StringIO(files["tally.csv"]))} >= {"pre.room", "final.room"}


def test_a_reason_for_two_points_is_no_objection():
    given = (Given(option="adopt", points=2, reason="it is cheap"), Given(option="defer", points=5))
    held = Played(room_spec(decides="panel", vote=Elected(kind="score"), pre_vote="none"))
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    held.act(ANN, BallotCast(poll="final", given=given))
    held.act(FAY, PollClosed(poll="final"))
    held.act(FAY, PollRevealed(poll="final"))
    assert "Objection" not in decision_record(account(held.state, held.events)).text
