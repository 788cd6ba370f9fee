"""Debates on the home page that wait for a person: the person, the start of the wait, and the cost of the lists."""

from datetime import date
from typing import Any

from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.host.debate_list import SignOff
from debate_core.host.host import Host
from debate_core.record.acts import OutcomeRecorded, PollClosed, PollOpened, PollRevealed, Signed
from debate_core.record.commands import Act, TakeTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.pages.debate_rows import is_due
from tests.app.visiting import at, lists, new_browser, press_row
from tests.people import ABE, ANN, BEN, FAY, GUS, room_spec
from tests.playing import Played


def kept(host: Host, played: Played) -> SignOff:
    host._store.append("d-room", played.events, after=0)
    return word(host)


def word(host: Host) -> SignOff:
    return next(r for r in host.debates() if r.id == "d-room").sign_off


def over(**agreed: Any) -> Played:
    held = Played(room_spec(rounds=1, **agreed))
    held.to_the_end()
    return held


def test_a_decided_debate_waits_for_its_approver_until_they_sign(host: Host):
    assert kept(host, over()) == SignOff("signature", option="adopt", standing="counted")
    host.submit("d-room", Act(by=ABE.id, act=Signed(verdict="accept", option="adopt", revisit="2027-01-01")))
    assert word(host) == SignOff("", "accept", "adopt", "2027-01-01", standing="accepted")
    recorded = OutcomeRecorded(result="held", reason="it runs")
    host.submit("d-room", Act(by=FAY.id, act=recorded))
    assert word(host) == SignOff("", "accept", "adopt", since="held", standing="accepted")


def test_an_escalated_decision_waits_and_a_rejected_one_does_not(host: Host):
    kept(host, over())
    host.submit("d-room", Act(by=ABE.id, act=Signed(verdict="escalate", reason="too large")))
    assert word(host) == SignOff("escalated", "escalate", standing="escalated")
    host.submit("d-room", Act(by=ABE.id, act=Signed(verdict="reject", reason="too dear")))
    assert word(host) == SignOff("", "reject", standing="rejected", against_count=True)
    assert host.debates()[0].decision == "rejected"
    changed = Signed(verdict="accept_with_changes", option="adopt", changes="in two steps", reason="so be it")
    host.submit("d-room", Act(by=ABE.id, act=changed))
    assert word(host) == SignOff("changes", "accept_with_changes", "adopt", standing="changes")


def test_an_awaited_final_vote_of_people_stays_sealed(host: Host):
    held = over(decides="panel")
    held.act(FAY, PollOpened(poll="final"))
    held.ballot(ANN, "final", "defer")
    held.ballot(BEN, "final", "defer")
    held.act(FAY, PollClosed(poll="final"))
    assert kept(host, held) == SignOff("vote", standing="vote_due")
    assert host.debates()[0].decision is None
    host.submit("d-room", Act(by=FAY.id, act=PollRevealed(poll="final")))
    assert word(host) == SignOff("signature", option="defer", standing="counted")
    assert host.debates()[0].decision == "defer"


def undecided(host: Host) -> str:
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    spec = compose("Do we ship it?", ["release", "revise"], protocol("bounded_vote"), seats)
    debate_id = host.create(spec, by="ana")
    while (state := host.state(debate_id)).outcome is None:
        asked = requests(state)[0]
        vote = "release" if asked.seat == "ana" else "revise"
        host.submit(debate_id, TakeTurn(by=asked.seat, request=asked.id, content=Argument(rationale="why", vote=vote)))
    return debate_id


def waiting(app: AppTest) -> dict[str, str]:
    """Debates that wait for this viewer -> the word on their button."""
    return {row["name"]: row["button"] for row in lists(app).get("Waiting for you", [])}


def test_an_undecided_debate_waits_on_page_one_until_signed(app: AppTest, host: Host):
    debate_id = undecided(host)
    app.run()
    assert waiting(app) == {debate_id: "Sign"}
    press_row(app, debate_id)
    assert "Your signature" in [choice.label for choice in app.button_group]
    signed = Signed(verdict="accept", option="release", reason="ana knows the system")
    host.submit(debate_id, Act(by="Abe", act=signed))
    fresh = new_browser().run()
    assert waiting(fresh) == {}
    (row,) = lists(fresh)["Finished"]
    assert (row["stands"], row["beside"]) == ("release", "Decided by Abe")


def test_a_decision_waits_for_its_approver_and_for_nobody_else(host: Host):
    kept(host, over())
    found = {who.id: waiting(at(new_browser(), "d-room", who, "home.py")) for who in (ABE, FAY, GUS)}
    assert found == {ABE.id: {"d-room": "Sign"}, FAY.id: {}, GUS.id: {}}


def test_a_revisit_is_due_when_its_date_has_come(host: Host):
    kept(host, over())
    host.submit("d-room", Act(by=ABE.id, act=Signed(verdict="accept", option="adopt", revisit="after 2027-01-01")))
    row = host.debates()[0]
    assert [is_due(row, date(*day)) for day in ((2026, 12, 31), (2027, 1, 1), (2028, 5, 5))] == [False, True, True]
    host.submit("d-room", Act(by=ABE.id, act=Signed(verdict="accept", option="adopt", revisit="2027-02-31, or never")))
    assert not is_due(host.debates()[0], date(2030, 1, 1))


def test_a_rehearsal_without_people_waits_for_nobody(host: Host):
    spec = room_spec(rounds=1).model_copy(update={"room": None})
    held = Played(spec, "d-room")
    held.play("abstain")
    assert held.state.outcome is not None
    assert kept(host, held) == SignOff(standing="undecided")


def test_decisions_due_for_review_are_on_the_first_page(app: AppTest, host: Host):
    # R260
    kept(host, over())
    host.submit("d-room", Act(by=ABE.id, act=Signed(verdict="accept", option="adopt", revisit="2026-03-05")))
    assert waiting(at(app, "d-room", FAY, "home.py")) == {"d-room": "Record the outcome"}
    host.submit("d-room", Act(by=ABE.id, act=OutcomeRecorded(result="revised", reason="half of it stands")))
    assert waiting(at(new_browser(), "d-room", FAY, "home.py")) == {}


def test_whoever_is_asked_finds_the_question_open(app: AppTest, host: Host):
    debate_id = undecided(host)
    word = Signed(verdict="accept", option="release", reason="ana knows the system", revisit="2020-01-01")
    host.submit(debate_id, Act(by="Abe", act=word))
    app.run()
    press_row(app, debate_id)
    later = "Later: the outcome"
    assert [box.proto.expanded for box in app.expander if box.label == later] == [True]
    host.submit(debate_id, Act(by="Abe", act=OutcomeRecorded(result="held", reason="it runs")))
    app.run()
    assert [box.proto.expanded for box in app.expander if box.label == later] == [False]
