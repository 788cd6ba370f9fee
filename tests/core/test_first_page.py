"""The first page of every paper: the rows that a reader with two minutes needs, the same in every file."""

import re
from html import unescape
from typing import Any

import pytest

from debate_core.host.debate_list import sign_off_of
from debate_core.language import Language, spoken
from debate_core.record import acts
from debate_core.record.events import DebateOpened
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.vote_bars import deciding_bars
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.page import html_page
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.decision_status import count_words, decision_status
from debate_core.report.phrases.polls import poll_sentences
from debate_core.report.phrases.who_decided import line_words
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.rules import CountedRule, Majority, Plurality, Supermajority, Unanimity
from debate_core.ui.kit.components.parts import votes_part
from tests.adr_reader import first_page, read_adr
from tests.core.test_adr import signed, text_of
from tests.people import ABE, ANN, BEN, FAY, GUS, OLA, room_spec, whole_workshop
from tests.playing import Played

ZOE = GUS.model_copy(update={"id": "p-zoe", "name": "Zoe"})


def account_of(held: Played) -> Account:
    return account(held.state, held.events)


def page_of(held: Played, **how: object) -> dict[str, str]:
    return first_page(read_adr(decision_record(account_of(held), **how).text))  # type: ignore[arg-type]


def voted(*choices: str, **agreed: Any) -> Played:
    """The final vote of a room of two people, after one round of the seats."""
    held = Played(room_spec((FAY, ABE, GUS, ZOE, OLA), rounds=1, decides="room", pre_vote="none", **agreed))
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    for voter, choice in zip((GUS, ZOE), choices, strict=False):
        held.ballot(voter, "final", choice)
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    return held


def test_a_tie_names_the_tied_options_and_the_next_decider():
    page = page_of(voted("adopt", "defer", vote=Plurality(tie=("approver",))))
    assert page["Decision"] == "Undecided. Who may decide now: Abe, by signature."
    assert page["Count"] == (
        "The room decided nothing: adopt and defer are tied with 1 each. adopt 1, defer 1, reject 0. "
        "2 of 2 ballots were cast."
    )
    assert "Against it" not in page
    assert "Next review" not in page


@pytest.mark.parametrize(
    ("ballots", "vote", "why"),
    [
        (("adopt",), Majority(base="cast", quorum=2), "at least 2 ballots must be cast for a decision. adopt 1, "),
        (("abstain", "abstain"), Majority(), "no one cast a vote. 0 of 2 ballots cast, 2 abstained."),
        (("adopt", "defer"), Unanimity(), "adopt and defer are tied with 1 each, 2 needed. adopt 1, "),
        (("adopt", "abstain"), Unanimity(quorum=1), "no option has the 2 of 2 votes it needs. adopt 1, "),
    ],
)
def test_what_is_missing_is_the_reason_of_no_decision(ballots: tuple[str, ...], vote: CountedRule, why: str):
    held = voted(*ballots, vote=vote)
    assert page_of(held)["Count"].startswith(f"The room decided nothing: {why}")
    reason = why.split(". ")[0]
    chosen = f"Chosen option: none, because the room decided nothing: {reason}."
    assert chosen in text_of(held)


def test_missed_quorum_leaves_no_number_of_votes_needed():
    # One of one ballot is more than half of the ballots cast.
    told = account_of(voted("adopt", vote=Majority(base="cast", quorum=2)))
    bars = deciding_bars(told)
    assert bars is not None
    assert (bars.needed, bars.winner, line_words(bars)) == (None, None, "2 ballots needed")
    assert count_words(bars, is_over=True) == "1 of 2 voters, 2 ballots needed"
    assert votes_part(bars)["clause"] == "2 ballots needed"
    assert decision_status(told).line == (
        "The room decided nothing: at least 2 ballots must be cast for a decision. 1 of 2 ballots were cast."
    )


def test_option_that_won_by_lot_says_so_wherever_it_is_named():
    held = voted("adopt", "defer", vote=Plurality(tie=("lot",)))
    told = account_of(held)
    won = told.decision.option
    (other,) = {"adopt", "defer"} - {won}
    assert page_of(held)["Count"] == (f"adopt 1, defer 1, reject 0. 2 of 2 ballots were cast. Tie-break by lot: {won}.")
    line = f"t tied with {other}, 1 of 2 voters each, and won the tie-break by lot."
    assert decision_status(told).line == f"I{line}"
    assert f'Chosen option: "{won}", because i{line}' in decision_record(told).text


def test_a_vote_before_the_debate_without_a_ballot_is_no_zero():
    held = Played(room_spec((FAY, ABE, GUS, ZOE), rounds=1, decides="room"))
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    for voter in (GUS, ZOE):
        held.ballot(voter, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    said = " ".join(poll_sentences(held.state))
    assert "Room, pre-vote: 0 of 2 voters cast a ballot. Room" in said
    assert "Swing of the room: unknown, one of the two votes has no ballot." in said
    bars = deciding_bars(account_of(held))
    assert bars is not None
    assert {bar.before for bar in bars.bars} == {None}


def test_a_sealed_vote_shows_no_points():
    held = Played(room_spec((FAY, ABE, GUS, ZOE), rounds=1, decides="room", pre_vote="none"))
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(GUS, "final", "adopt")
    page = page_of(held)
    assert page["Decision"].startswith("Not decided yet. Who decides: the room")
    assert page["Count"] == "1 of 2 voters voted."


def test_a_long_dissent_is_cut_here_and_whole_in_its_section():
    held = whole_workshop()
    dissent = "It costs too much. " * 40
    held.act(ANN, acts.Dissented(text=dissent))
    found = read_adr(decision_record(account_of(held)).text)
    row = first_page(found)["Against it"]
    assert row.startswith("Dissent, Ann: It costs too much.")
    assert len(row) < 300
    assert found.sections["Dissent and objections"][1] == dissent.strip()


def test_an_anonymous_record_names_no_voters():
    held = signed(whole_workshop(), owner="Ann", reason="Ben and Ann agree")
    page = page_of(held, anonymous=True)
    assert "Voters" not in page
    assert page["Validity"].startswith("Signed by approver on 2026-03-04.")
    assert not re.search(r"\b(Ann|Ben|Abe)\b", " ".join(page.values()))


def test_a_rejected_decision_plans_no_review():
    page = page_of(signed(whole_workshop(), verdict="reject", option=None, reason="too early"))
    assert page["Decision"] == "Rejected by Abe. adopt has 3 of 3 votes."
    assert "Next review" not in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_paper_begins_with_the_same_rows(language: Language):
    held = signed(whole_workshop(), owner="Ann", revisit="2027-03-01", reversibility="one-way-door")
    held.act(BEN, acts.Dissented(text="We lose a year."))
    with spoken(language):
        told = account_of(held)
        records = [first_page(read_adr(decision_record(told, profile=profile).text)) for profile in PROFILES]
        report = first_page(read_adr(markdown_report(told).split("\n\n", 1)[1]))
        html = html_page(told)
    labels = re.findall(r"<dt>(.*?)</dt>", html)
    expected = records[0]
    assert len(labels) >= 8
    for paper in (*records, report):
        assert {label: paper.get(label) for label in labels} == {label: expected[label] for label in labels}
    rows = re.findall(r"<dt>(.*?)</dt>\n((?:<dd>.*?</dd>\n)+)", html)
    assert {label: " ".join(re.findall("<dd>(.*?)</dd>", unescape(words))) for label, words in rows} == {
        label: expected[label] for label in labels
    }


@pytest.mark.parametrize(("anonymous", "told"), [(False, "by Abe (approver) on"), (True, "by approver on")])
def test_who_signed_is_told_with_the_role_that_they_had_then(anonymous, told):
    held = whole_workshop()
    held.act(FAY, acts.PersonChanged(person=ABE.model_copy(update={"role": "observer"})))
    assert told in text_of(held, anonymous=anonymous)
    assert "observer) accepted" not in text_report(account(held.state, held.events))


def test_the_rule_in_a_decision_record_is_the_one_that_decided():
    assert "* Rule: The option with the most votes is elected." in text_of(whole_workshop())
    assert "* Rule of the seats, as advice: An option is decided with 2 of 3" in text_of(whole_workshop())
    shares = Supermajority(quorum=1, tie=("lot",))
    held = Played(room_spec(decides="panel", vote=shares, rounds=1))
    held.go_on()
    held.to_the_end()
    assert "at least 2/3 of all eligible voters: 2 of 3 votes. At least 1 of 2 ballots must be cast." in text_of(held)
    assert "The ballots of 2 people weigh 3 together. Tie-break: a lot" in text_of(held)
    advised = Played(room_spec(rounds=1))
    advised.go_on()
    advised.to_the_end()
    assert "* Rule: An option is decided with 2 of 3 current votes" in text_of(advised)


def test_reason_of_no_decision_keeps_the_spelling_of_an_option():
    options = ("Postgres", "Redis")
    play = protocol("society")
    seats = default_seats(play, "Which store?", options, "human", 2)
    held = Played(compose("Which store?", list(options), play, list(seats)))
    while held.requests():
        for option in options:
            held.say(option)
    assert "Chosen option: none, because Postgres and Redis are tied with 1 each." in text_of(held)


def test_decision_has_the_time_of_its_reveal_or_signature():
    held = Played(room_spec((FAY, ABE, GUS, ZOE), rounds=1, decides="room", pre_vote="none"))
    held.tick_s = 60
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(GUS, "final", "adopt")
    held.ballot(ZOE, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    assert account_of(held).decision.at == ""
    held.act(FAY, acts.PollRevealed(poll="final"))
    revealed = held.events[-1].at
    # What people write later moves it no more.
    held.act(GUS, acts.Dissented(text="It costs too much."))
    assert account_of(held).decision.at == revealed > held.state.closed_at
    opened = held.events[0].body
    assert isinstance(opened, DebateOpened)
    assert held.state.outcome is not None
    assert sign_off_of(opened, held.state.outcome, held.events).at == revealed
    signed(held, owner="Ola")
    assert account_of(held).decision.at == held.events[-1].at
    assert sign_off_of(opened, held.state.outcome, held.events).at == held.events[-1].at


def test_count_of_seats_names_who_stepped_in():
    held = Played(room_spec(decides="debaters", pre_vote="none", final_vote="none", rounds=1)).go_on()
    assert "Voters" not in page_of(held.copy().to_the_end())
    held.act(FAY, acts.SeatTaken(seat="s1", reason="knows the system"))
    held.act(FAY, acts.Extended(rounds=1, reason="not convinced"))
    while held.state.outcome is None:
        if held.state.paused is not None:
            held.go_on()
        seat = held.requests()[0].seat
        held.say("defer" if seat == "s1" else "adopt", by=FAY.id if seat == "s1" else "")
    page = page_of(held)
    assert page["Voters"] == "s1 (Fay), 2 seats filled by code"
    assert "Fay took over the seat s1: knows the system. Fay added a round: not convinced." in page["Uncertain"]
    assert "Seat s1: the script of a rehearsal, no model and no person; taken over by Fay" in text_of(held)
    report = markdown_report(account_of(held))
    assert "**s1 (Fay)**, votes for defer" in report
    assert "Fay took over the seat s1." in report


def test_signature_after_a_vote_without_ballots_says_so():
    held = Played(room_spec(decides="panel")).to_the_end()
    for act in (acts.PollOpened, acts.PollClosed, acts.PollRevealed):
        held.act(FAY, act(poll="final"))
    held.act(ABE, acts.Signed(verdict="accept", option="adopt", reason="no time"))
    page = page_of(held)
    assert page["Decision"] == "Decided by Abe: adopt. No one cast a vote."
    assert page["Uncertain"].startswith("No claim carries an evidence marker")


def test_seat_given_back_before_its_turn_is_no_persons():
    held = Played(room_spec(decides="debaters", pre_vote="none", final_vote="none", rounds=1)).go_on()
    held.act(FAY, acts.SeatTaken(seat="s1", reason="knows the system"))
    held.act(FAY, acts.SeatReturned(seat="s1", reason="wrong seat"))
    page = page_of(held.to_the_end())
    assert "Voters" not in page
    assert "Fay gave back the seat s1: wrong seat." in page["Uncertain"]


def test_decision_of_a_person_is_no_result_of_no_person():
    votes = {"s0": "adopt", "s1": "defer", "s2": "reject"}
    held = Played(room_spec(decides="debaters", pre_vote="none", final_vote="none", rounds=1))
    while held.state.outcome is None:
        held.go_on().play(lambda request: Argument(rationale="why", vote=votes[request.seat]))
    assert "No person voted" not in page_of(held)["Uncertain"]
    held.act(ABE, acts.Signed(verdict="accept", option="defer", reason="cheapest"))
    assert "No person voted" not in page_of(held)["Uncertain"]


def test_every_advice_for_another_option_is_told():
    held = Played(room_spec(decides="room"))
    held.go_on().to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    for voter, option in ((ANN, "adopt"), (BEN, "reject"), (GUS, "defer")):
        held.ballot(voter, "final", option)
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    for voters, option in (("seats", "adopt"), ("named people", "reject")):
        assert f"The {voters}, whose vote is advice, chose {option}." in text_of(held)
