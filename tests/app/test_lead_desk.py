"""The desk of the facilitator, without a browser: one next step, reasons, and overrides that keep the originals."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.engine.stage import sitting
from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.values import Seat
from debate_core.ui.room.live.transcript import news
from tests.app.visiting import HOLDERS, PEOPLE, at, begun, did, gives, keys, new_browser, opened, press, unfolded, words
from tests.people import ABE, ANN, BEN, EVERYBODY, FAY, MO, OLA, room_spec

SKIP = "skip-skip 1.opening.s0.1"


def another() -> AppTest:
    return new_browser()


def play(host: Host, debate: str) -> None:
    while requests(host.state(debate)) and host.state(debate).paused is None:
        gives(host, debate)


def primary(app: AppTest) -> list[str]:
    """Return the primary button of the leader's desk; a ballot or a turn has one as well."""
    mine = ("open-pre", "begin", "next", "next-anyway", "to-decision")
    return [b.label for b in app.button if b.proto.type == "primary" and b.key in mine]


def step_now(app: AppTest) -> list[str]:
    """Return the primary button, else the next step while it waits for people or for a signature."""
    return primary(app) or [b.label for b in app.button if b.key in ("open-pre", "next", "to-decision")]


def kinds(host: Host, debate: str) -> list[str]:
    return [e.kind for e in host.events(debate) if e.kind not in ("phase_began", "phase_ended", "turn_taken")]


def test_one_primary_step_leads_from_the_lobby_to_the_decision(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, FAY)
    steps = list[str]()
    filled = list[str]()
    while step_now(app) and len(steps) < 20:
        (label,) = step_now(app)
        steps.append(label)
        filled += primary(app)
        if label == "See the results":
            break
        key = next(str(b.key) for b in app.button if b.label == label)
        press(app, key)
        if label == "Open the pre-vote":
            did(host, debate, ANN, acts.BallotCast(poll="pre", choice="defer"))
        play(host, debate)
        app.run()
    assert steps == [
        "Open the pre-vote",
        "Close the vote and begin",
        "Close anyway",
        "Let round 2 begin",
        "Open the final vote",
        "Close and reveal the final vote",
        "Close anyway",
        "See the results",
    ]
    # While ballots or the signature are missing, no button is filled.
    waits = {"Close the vote and begin", "Close and reveal the final vote", "See the results"}
    assert set(steps) - set(filled) == waits


def test_the_filled_button_asks_the_approver_to_sign(app: AppTest, host: Host):
    debate = begun(host, rounds=1, final_vote="none")
    at(app, debate, FAY)
    play(host, debate)
    app.run()
    (asks,) = [popover.proto.popover for popover in app.get("popover") if "to sign" in popover.proto.popover.label]
    assert (asks.label, asks.type) == ("Ask Abe to sign", "primary")
    assert any(text.value.startswith("Abe: please sign the decision. Which?") for text in app.code)
    assert primary(app) == []


def test_an_undecided_vote_asks_the_approver_to_decide(app: AppTest, host: Host):
    debate = begun(host, rounds=1, decides="room")
    play(host, debate)
    for act in (acts.PollOpened(poll="final"), acts.PollClosed(poll="final"), acts.PollRevealed(poll="final")):
        did(host, debate, FAY, act)
    at(app, debate, FAY)
    assert "Ask Abe to decide" in {popover.proto.popover.label for popover in app.get("popover")}
    assert any(text.value.startswith("Abe: the vote decided nothing, please decide.") for text in app.code)


def test_signed_room_has_a_text_to_send(app: AppTest, host: Host):
    debate = begun(host, rounds=1, final_vote="none")
    play(host, debate)
    did(host, debate, ABE, acts.Signed(verdict="accept", option="adopt", informed=("Ops",)))
    at(app, debate, FAY)
    assert "Send it to Ops" in {popover.proto.popover.label for popover in app.get("popover")}
    (sent,) = [text.value for text in app.code if "Decided and signed: adopt. Which?" in text.value]
    assert sent.endswith(f"/results?id={debate}")


def test_close_is_filled_once_everyone_has_voted(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, acts.PollOpened(poll="pre"))
    at(app, debate, FAY)
    assert primary(app) == []
    before = news(host.state(debate))
    for voter in [person for person in host.state(debate).room.present() if person.electorate]:
        did(host, debate, voter, acts.BallotCast(poll="pre", choice="defer"))
    # The last ballot redraws the page.
    assert news(host.state(debate)) != before
    assert primary(app.run()) == ["Close the vote and begin"]


def test_two_facilitators_who_press_at_once_move_the_debate_once(app: AppTest, host: Host):
    debate = begun(host)
    play(host, debate)
    first, second = at(app, debate, FAY), at(another(), debate, FAY)
    press(first, "next")
    play(host, debate)
    press(second, "next")
    assert kinds(host, debate).count("resumed") == 2
    assert "someone else was faster" in words(second)


def test_late_press_reveals_no_vote_closed_for_later(app: AppTest, host: Host):
    debate = opened(host)
    did(host, debate, FAY, acts.PollOpened(poll="pre"))
    for voter in [person for person in host.state(debate).room.present() if person.electorate]:
        did(host, debate, voter, acts.BallotCast(poll="pre", choice="defer"))
    late = at(app, debate, FAY)
    did(host, debate, FAY, acts.PollClosed(poll="pre"))
    press(late, "next")
    assert not host.state(debate).room.begun
    assert "poll_revealed" not in kinds(host, debate)
    assert "someone else was faster" in words(late)


def test_a_moderator_leads_rounds_but_opens_no_vote(app: AppTest, host: Host):
    at(app, opened(host), MO)
    assert "open-pre" not in keys(app)
    assert "Next, by the facilitator: “Open the pre-vote”." in words(app)
    debate = begun(host)
    other = at(another(), debate, MO)
    assert {"pause", "say", SKIP} <= keys(other)
    assert "course-stop" not in keys(other)


@pytest.mark.parametrize("who", [ANN, OLA, HOLDERS[0]])
def test_others_have_no_such_desk(app: AppTest, host: Host, who: Person):
    at(app, begun(host), who)
    assert not keys(app) & {"next", "pause", "say", SKIP, "drills-take", "fork"}
    assert "Skip this turn" not in [b.label for b in app.button]


def test_who_is_waited_for_is_reminded_and_sees_it(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, FAY)
    assert "Waiting for **s0**: Sam" in words(app)
    press(app, "remind s0")
    assert [d.fact for d in host.state(debate).room.of(acts.Poked)] == [acts.Poked(seat="s0")]
    assert "reminded once" in words(app)
    told = at(another(), debate, HOLDERS[0])
    assert "Fay reminds you" in told.warning[0].value


def test_a_press_that_crosses_an_answer_skips_no_other_turn(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, FAY)
    app.text_input(key="reason-skip").input("s0 does not answer").run()
    late = app.button(key=SKIP)
    gives(host, debate)
    app.run()
    assert app.selectbox(key="skipped").options == ["s1", "s2"]
    states = app._tree.get_widget_states()
    states.widgets.append(late.click()._widget_state)
    app._run(states)
    assert not app.exception
    held = host.state(debate).open
    assert held is not None
    assert [(t.seat, t.status) for t in held.turns()] == [("s0", "ok")]


def test_time_rounds_skips_and_the_end_want_a_reason(app: AppTest, host: Host):
    debate = begun(host, phase_seconds=120)
    at(app, debate, FAY)
    assert len(app.get("bidi_component")) >= 2
    press(app, "minute")
    assert [d.fact.seconds for d in host.state(debate).room.of(acts.Extended)] == [60]
    for key in ("course-extend-2", "course-round", "course-last", SKIP, "course-stop"):
        before = len(host.events(debate))
        press(app, key)
        assert "write a reason first" in app.error[0].value
        assert len(host.events(debate)) == before
    for key in ("extend-2", "round", "last"):
        app.text_input(key="reason-course").input("we need it")
        press(app, f"course-{key}")
    room = host.state(debate).room
    assert [d.fact for d in room.of(acts.Extended)][1:] == [
        acts.Extended(seconds=120, reason="we need it"),
        acts.Extended(rounds=1, reason="we need it"),
    ]
    assert [d.fact for d in room.of(acts.LastRound)] == [acts.LastRound(reason="we need it")]
    app.text_input(key="reason-skip").input("no answer")
    press(app, SKIP)
    held = host.state(debate).open
    assert held is not None
    assert (held.turns()[0].status, held.turns()[0].by) == ("skipped", "p-fay")
    app.text_input(key="reason-course").input("enough")
    press(app, "course-stop")
    assert host.state(debate).outcome is not None


def test_pause_and_go_on(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, MO)
    press(app, "pause")
    assert host.state(debate).paused == "paused in the room, no reason given"
    assert primary(app) == ["Go on"]
    press(app, "next")
    assert host.state(debate).paused is None


def test_a_seat_is_taken_given_to_somebody_and_handed_back(app: AppTest, host: Host):
    seats = (Seat(id="s0", occupant="offline"), *PEOPLE[1:])
    debate = host.create(room_spec((*EVERYBODY, *HOLDERS[1:]), seats=seats), by=FAY.id)
    at(app, debate, FAY)
    assert "drills-take" not in keys(app)
    app.selectbox(key="drill-seat").set_value("s1").run()
    # The choice and the press come together, in one run: here and below.
    app.selectbox(key="drill-seat").set_value("s0")
    app.text_input(key="reason-drills").input("the provider is down")
    press(app, "drills-take")
    assert sitting(host.state(debate)) == {"s0": "p-fay"}
    app.text_input(key="reason-drills").input("it is back")
    press(app, "drills-return")
    assert sitting(host.state(debate)) == {}
    app.selectbox(key="drill-who").set_value(BEN.id)
    app.text_input(key="reason-drills").input("he knows it best")
    press(app, "drills-give")
    assert host.state(debate).room.people[BEN.id].seats == ("s0",)
    ben = at(another(), debate, BEN)
    assert "You may speak for **s0**, which code fills now." in words(ben)
    press(ben, "take-s0-take")
    assert "write a reason first" in ben.error[0].value
    ben.text_input(key="reason-take-s0").input("I was asked to")
    press(ben, "take-s0-take")
    assert sitting(host.state(debate)) == {"s0": BEN.id}
    ben.text_input(key="reason-hold-s0").input("I have to go")
    press(ben, "hold-s0-return")
    assert sitting(host.state(debate)) == {}
    assert [d.fact.reason for d in host.state(debate).room.of(acts.SeatTaken)] == [
        "the provider is down",
        "I was asked to",
    ]
    # A seat has one person: it must be freed before another person gets it.
    at(app, debate, FAY)
    app.selectbox(key="drill-seat").set_value("s0").run()
    app.text_input(key="reason-drills").input("Ben left")
    app.selectbox(key="drill-seat").set_value("s1")
    press(app, "drills-free")
    assert "nothing would change for Ben" in words(app), "the button names Ben, who does not have that seat"
    app.selectbox(key="drill-seat").set_value("s0").run()
    press(app, "drills-free")
    assert host.state(debate).room.people[BEN.id].seats == ()


def test_another_option_begins_a_debate_that_names_its_parent(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, FAY)
    press(app, "fork")
    assert "Write the new option first" in words(app)
    app.text_input(key="drill-option").input("partition")
    press(app, "fork")
    draft = app.session_state["setup_draft"]
    assert [o.text for o in draft.options] == ["adopt", "defer", "reject", "partition"]
    assert (draft.parent, draft.room.on, draft.room.name) == (debate, True, "Fay")
    assert [s.stance for s in draft.seats] == ["adopt", "defer", ""]
    assert host.state(debate).spec.options == ("adopt", "defer", "reject")


# --- overrides


def test_a_struck_turn_keeps_its_words_for_the_leader(app: AppTest, host: Host):
    debate = begun(host)
    gives(host, debate, Argument(rationale="UNFOUNDED", vote="adopt"))
    sealed = at(another(), debate, MO)
    assert "UNFOUNDED" in sealed.selectbox(key="strike-turn").options[0]
    play(host, debate)
    at(app, debate, MO)
    app.selectbox(key="strike-turn").set_value("1.opening.s1").run()
    press(app, "strike-turn-now")
    assert "write a reason first" in app.error[0].value
    # The choice and the press come together, in one run.
    app.selectbox(key="strike-turn").set_value("1.opening.s0")
    app.text_input(key="reason-strike").input("it insults")
    press(app, "strike-turn-now")
    assert [d.fact for d in host.state(debate).room.of(acts.Struck)] == [
        acts.Struck(turn="1.opening.s0", reason="it insults")
    ]
    assert "UNFOUNDED" in words(app)
    assert "UNFOUNDED" not in words(at(another(), debate, ANN))


def test_a_message_to_all_seats_is_tagged_and_reaches_the_form(app: AppTest, host: Host):
    debate = begun(host)
    at(app, debate, MO)
    press(app, "say")
    assert "the message to all seats is empty" in words(app)
    app.pills(key=f"chip-{debate}").set_value("A burden").run()
    press(app, "say")
    assert "fill in the gaps" in words(app)
    app.text_area(key=f"words-{debate}").input("If you cannot show a saving, then defer.").run()
    press(app, "say")
    said = acts.Intervened(kind="burden", text="If you cannot show a saving, then defer.")
    assert [d.fact for d in host.state(debate).room.of(acts.Intervened)] == [said]
    assert app.text_area(key=f"words-{debate}").value == ""
    seat = at(another(), debate, HOLDERS[0])
    assert "If you cannot show a saving" in seat.info[0].value


def test_whoever_leads_brings_a_document_while_the_debate_runs(app: AppTest, host: Host):
    # R275
    debate = begun(host)
    at(app, debate, FAY)
    place = f"document-{debate}-0"
    press(app, f"{place}-add")
    assert "is empty" in words(app)
    app.text_input(key=f"{place}-title").input("Prices of 2027")
    app.text_area(key=f"{place}-text").input("The cluster costs 900 USD a month.")
    press(app, f"{place}-add")
    (source,) = host.state(debate).spec.sources
    assert (source.id, source.title, source.text) == ("E1", "Prices of 2027", "The cluster costs 900 USD a month.")
    seat = at(another(), debate, HOLDERS[0])
    assert f"document-{debate}-1-add" in keys(seat)


def test_a_row_of_the_table_is_corrected(app: AppTest, host: Host):
    debate = begun(host)
    claims = (Claim(text="It costs 5 % less"), Claim(text="It is cheaper"))
    gives(host, debate, Argument(rationale="why", vote="adopt", claims=claims))
    at(app, debate, MO)
    app.selectbox(key="claim").set_value("s0.1.2").run()
    assert "As it stands: no evidence found; unanswered" in words(app)
    # The choice and the press come together, in one run.
    app.selectbox(key="same s0.1.2").set_value("s0.1.1")
    app.text_input(key="reason-correct").input("the same point")
    press(app, "correct-claim")
    noted = acts.Noted(claim_id="s0.1.2", duplicate_of="s0.1.1", reason="the same point")
    assert [d.fact for d in host.state(debate).room.of(acts.Noted)] == [noted]


def test_what_is_forbidden_has_no_control(app: AppTest, host: Host):
    debate = begun(host)
    gives(host, debate, Argument(rationale="why", vote="adopt"))
    at(app, debate, FAY)
    assert "Words, votes and thresholds cannot be changed by anyone" in words(app).replace("\\", "")
    shown = {
        str(w.key) for kind in ("text_area", "text_input", "selectbox", "number_input", "radio") for w in app.get(kind)
    }
    assert shown <= {
        *(f"words-{debate}", f"document-{debate}-0-title", f"document-{debate}-0-text"),
        *(f"reason-{name}" for name in ("course", "skip", "drills", "strike", "correct")),
        *("skipped", "drill-seat", "drill-who", "drill-option", "strike-turn", "claim"),
        *{k for k in shown if k.startswith(("my-", "invite-", "role-", "why-", "floor"))},
    }


def test_rarely_needed_tools_are_drawn_only_when_open(app: AppTest, host: Host):
    debate = begun(host)
    tools = {"course-last", "course-stop"}
    assert tools <= keys(at(app, debate, FAY))
    assert tools.isdisjoint(keys(unfolded(app, "lead-more", False).run()))
