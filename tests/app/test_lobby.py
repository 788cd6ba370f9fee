"""The lobby: links for facilitators alone, what others see, the start; people who change and go; the projector."""

import re
from datetime import datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.record.commands import Act, Resume, Stop
from debate_core.record.events import dump_record
from debate_core.spec.people import Person
from debate_core.spec.values import Seat
from debate_core.ui.room import invitations
from tests.app.visiting import at, did, drawings, on_the_wall, press, unfolded, words
from tests.people import ABE, ANN, BEN, FAY, GUS, JUNE, OLA, room_spec
from tests.playing import Played

PEOPLE = (FAY, ANN, BEN, JUNE, ABE, GUS)
SEATS = tuple(Seat(id=i, occupant="human") for i in ("ana", "bob", "cid"))


def opened(host: Host, **agreed: Any) -> str:
    debate = host.create(room_spec(PEOPLE, seats=SEATS, **agreed), by=FAY.id)
    door, state = host.door_for(debate, by=FAY.id), host.state(debate)
    invitations.link_for_all(door, state)
    for who in PEOPLE:
        door.invitations.make_for(state.debate, who)
    return debate


def shown(app: AppTest) -> str:
    found = (*app.markdown, *app.caption, *app.subheader, *app.header, *app.code, *app.warning, *app.title)
    return "\n".join(str(e.value) for e in found).replace("\\", "").replace("\u200b", "")


def link_changes(host: Host, debate: str) -> list[tuple[str, acts.LinkChanged]]:
    """Return the authors of link changes, and the recorded changes."""
    return [(d.by, d.fact) for d in host.state(debate).room.of(acts.LinkChanged)]


def tokens(app: AppTest) -> list[str]:
    return re.findall(r"/join/([\w.-]+)", shown(app))


def test_a_facilitator_has_code_links_and_contract(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, FAY)
    code = next(i.invite.shown_code() for i in host.door.invitations.of(debate) if i.invite.kind == "open")
    assert f"# {code}" in shown(app)
    assert "**1 of 6 people here**" in shown(app)
    assert "Missing: 3 voters, 1 judge, 1 approver" in shown(app)
    for name in (FAY.id, ANN.id):
        host.admit(next(i.invite for i in host.door.invitations.of(debate) if i.invite.person == name))
    host.admit(next(i.invite for i in host.door.invitations.of(debate) if i.invite.kind == "open"))
    app.run()
    assert "**3 of 7 people here**" in shown(app)
    assert "Missing: 2 voters, 1 judge, 1 approver" in shown(app)
    assert "**Who decides:** The ballots of the 3 seats." in shown(app)
    assert {host.door.find(t).person for t in tokens(app)} == {None, *(p.id for p in PEOPLE if p not in (FAY, ANN))}
    assert "fixed once the first vote is open" in shown(app)
    host.submit(debate, Act(by=FAY.id, act=acts.PollOpened(poll="pre")))
    app.run()
    # One line is left of the way in.
    assert f"type **{code}**" in shown(app)
    assert f"# {code}" not in shown(app)
    assert "fixed once the first vote is open" not in shown(app)
    host.submit(debate, Resume(by=FAY.id))
    app.run()
    assert code not in shown(app)


def test_who_has_voted_counts_as_here(app: AppTest, host: Host):
    debate = opened(host, decides="room")
    did(host, debate, FAY, acts.PollOpened(poll="pre"))
    at(app, debate, FAY)
    assert "**1 of 6 people here**" in shown(app)
    did(host, debate, GUS, acts.BallotCast(poll="pre", choice=host.state(debate).spec.options[0]))
    assert "**2 of 6 people here**" in shown(app.run())


def test_an_address_of_this_computer_has_no_qr_code(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    at(app, opened(host), FAY)
    (warned,) = (text.value for text in app.markdown if "Phones cannot join yet" in text.value)
    assert "make workshop" not in warned
    (how,) = (fold for fold in app.expander if fold.label == "How to let phones in")
    assert "make workshop" in how.markdown[0].value
    # A code that no phone can open is nothing to scan.
    assert "**First:** let phones join" in shown(app)
    assert "Scan the code" not in shown(app)
    assert not app.get("image")
    monkeypatch.setattr(host, "public_url", "https://debates.example.org")
    app.run()
    assert "Phones cannot join" not in shown(app)
    assert "Scan the code on the wall" in shown(app)
    assert len(app.get("image")) == 1


def test_a_voter_reads_course_rule_and_the_undecided_case(app: AppTest, host: Host):
    at(app, opened(host, decides="room"), GUS)
    assert "**What happens next:** Pre-vote → Round 1 → Round 2 → Final vote → Sign" in shown(app)
    assert "If no option wins, nothing is decided here" in shown(app)
    assert "You are in, Gus" in [heading.value for heading in app.subheader]
    assert "You are **Gus**, with a vote in the room." in shown(app)
    assert "Change my name" in [popover.proto.popover.label for popover in app.get("popover")]


def test_calendar_entry_is_limited_to_the_days_of_the_link(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, FAY)
    expires = next(i.invite.expires_at for i in host.door.invitations.of(debate) if i.invite.kind == "open")
    day = app.date_input(key="calendar-day")
    assert (day.max - day.min).days == 13
    assert day.max < datetime.fromisoformat(expires).date()
    at(app, debate, ANN)
    assert not app.date_input


def test_links_are_taken_back_and_replaced_for_the_same_person(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, FAY)
    june = next(i.invite for i in host.door.invitations.of(debate) if i.invite.person == JUNE.id)
    app.text_input(key="link-why").set_value("it was forwarded").run()
    press(app, f"revoke-{june.id}")
    assert host.door.invitations.status(june) == "revoked"
    assert "taken back" in shown(app)
    assert app.text_input(key="link-why").value == ""
    press(app, f"rotate-{june.id}")
    again = [i.invite for i in host.door.invitations.of(debate) if i.invite.person == JUNE.id and i.status == "ready"]
    assert [i.person for i in again] == [JUNE.id]
    assert host.door.token(again[0]) in tokens(app)
    assert link_changes(host, debate) == [
        (FAY.id, acts.LinkChanged(what="taken_back", person=JUNE.id, role="judge", reason="it was forwarded")),
        (FAY.id, acts.LinkChanged(what="replaced", person=JUNE.id, role="judge")),
    ]
    assert host.door.token(again[0]) not in dump_record(host.events(debate))


def test_closing_and_reopening_the_open_link_is_recorded(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, FAY)
    for key in ("close-for-all", "open-for-all", "rotate-for-all"):
        press(app, key)
    assert [i.status for i in host.door.invitations.of(debate) if i.invite.kind == "open"] == [
        "ready",
        "revoked",
        "revoked",
    ]
    done = [acts.LinkChanged(what=w, role="voter", electorate="room") for w in ("taken_back", "made", "replaced")]
    assert link_changes(host, debate) == [(FAY.id, one) for one in done]


def test_nobody_who_was_shown_out_gets_another_link(app: AppTest, host: Host):
    debate = opened(host)
    host.submit(debate, Act(by=FAY.id, act=acts.PersonLeft(person=JUNE.id)))
    at(app, debate, FAY)
    june = next(i.invite for i in host.door.invitations.of(debate) if i.invite.person == JUNE.id)
    press(app, f"rotate-{june.id}")
    assert [e.value.replace("\\", "") for e in app.error] == ["June has left or was removed: no link brings them back"]
    assert (host.door.invitations.status(june), link_changes(host, debate)) == ("ready", [])


def test_somebody_new_is_invited_with_a_role_a_vote_and_a_seat(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, FAY)
    app.text_input(key="invite-name").set_value("Dee")
    app.selectbox(key="invite-role").set_value("debater")
    app.selectbox(key="invite-votes").set_value("With the named people")
    app.multiselect(key="invite-seats").set_value(["bob"])
    next(b for b in app.button if b.label == "Make the link").click().run()
    made = next(i.invite for i in host.door.invitations.of(debate) if i.invite.name == "Dee")
    assert (made.role, made.electorate, made.seats) == ("debater", "panel", ("bob",))
    told = acts.LinkChanged(what="made", person=made.person, role="debater", electorate="panel")
    assert link_changes(host, debate) == [(FAY.id, told)]


def test_nobody_else_sees_a_link_or_the_start(app: AppTest, host: Host):
    debate = opened(host)
    for who in (ANN, JUNE, ABE, None):
        at(app, debate, who)
        assert tokens(app) == []
        assert "Open the pre-vote" not in {b.label for b in app.button}
        assert "**Question:** Which?" in shown(app)
    assert "To take part, open your link or enter the code" in shown(app)


def test_a_guest_reads_who_they_are_and_changes_their_name_alone(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, ANN)
    unfolded(app, "who").run()
    assert "You are **Ann**, with a vote among the named people." in shown(app)
    did(host, debate, FAY, acts.PersonChanged(person=ANN.model_copy(update={"role": "approver"})))
    app.text_input(key="my-name").set_value("Anna")
    app.text_input(key="my-interest").set_value("I own shares")
    next(b for b in app.button if b.label == "Keep").click().run()
    now = host.state(debate).room.people[ANN.id]
    assert (now.name, now.interest, now.role) == ("Anna", "I own shares", "approver")


def test_a_role_in_the_address_changes_nothing(app: AppTest, host: Host):
    debate = opened(host)
    app.query_params["as"] = "facilitator,ana"
    at(app, debate, None)
    assert "To take part, open your link" in shown(app)
    assert "pause" not in {b.key for b in app.button}


def chooser(app: AppTest) -> Selectbox[str]:
    """The field that chooses a person to change."""
    (found,) = (box for box in app.selectbox if str(box.key).startswith("whom-"))
    return found


def test_list_of_people_names_votes_and_interests(app: AppTest, host: Host):
    ann = ANN.model_copy(update={"weight": 2, "interest": "I own shares"})
    at(app, host.create(room_spec((FAY, ann, GUS), seats=SEATS), by=FAY.id), FAY)
    (people,) = drawings(app, "progress")
    roles = {row["name"]: row["role"] for row in people["people"]}
    assert roles == {"Fay": "facilitator", "Ann": "named people, ×2, declared: I own shares", "Gus": ""}
    labels = [each.label for each in app.expander]
    assert ("Change or remove people" in labels, "Who takes part" in labels) == (True, False)


def test_ways_on_are_named_for_the_person_with_the_turn(app: AppTest, host: Host):
    kim = Person(id="p-kim", name="Kim", role="debater", seats=("ana",))
    debate = host.create(room_spec((*PEOPLE, kim), seats=SEATS, pre_vote="none"), by=FAY.id)
    assert not any(_away(at(app, debate, FAY)).values())
    host.submit(debate, Resume(by=FAY.id))
    away = _away(at(app, debate, FAY))
    assert [name for name, words in away.items() if words] == ["Kim"]
    assert away["Kim"].startswith("Kim has the turn and is not connected: wait, remind or skip")


def _away(app: AppTest) -> dict[str, str]:
    """The name of each person, with the words for their absence."""
    (people,) = drawings(app, "progress")
    return {row["name"]: row["away"] for row in people["people"]}


def test_guest_is_given_a_seat_without_a_holder(app: AppTest, host: Host):
    debate = host.create(room_spec((*PEOPLE, OLA), seats=SEATS), by=FAY.id)
    for who, seat, left in ((GUS, "bob", ["ana", "bob", "cid"]), (OLA, "ana", ["ana", "cid"])):
        at(app, debate, FAY)
        unfolded(app, "people").run()
        chooser(unfolded(app, "people")).set_value(who.id).run()
        assert app.selectbox(key=f"seat-{who.id}").options == left
        unfolded(app, "people").selectbox(key=f"seat-{who.id}").set_value(seat).run()
        unfolded(app, "people").button(key=f"give-seat-{who.id}").click().run()
        assert not app.exception
        given = host.state(debate).room.people[who.id]
        assert (given.role, given.seats, given.electorate) == ("debater", (seat,), who.electorate)


def test_a_facilitator_changes_roles_and_shows_people_out(app: AppTest, host: Host):
    debate = opened(host)
    host.submit(debate, Act(by=OLA.id, act=acts.PersonJoined(person=OLA)))
    at(app, debate, FAY)

    def change(who: Person, button: str) -> None:
        unfolded(app, "people").run()
        chooser(app).set_value(who.id)
        unfolded(app, "people").run()
        for field, value in ((f"role-{who.id}", "voter"), (f"why-{who.id}", "rude")):
            for widget in (*app.selectbox, *app.text_input):
                if widget.key == field:
                    widget.set_value(value)
        unfolded(app, "people").run()
        app.button(key=f"{button}-{who.id}").click()
        unfolded(app, "people").run()

    change(OLA, "set-role")
    assert host.state(debate).room.people[OLA.id].role == "voter"
    change(BEN, "second")
    assert host.state(debate).room.people[BEN.id].role == "facilitator"
    change(OLA, "out")
    assert OLA.id in host.state(debate).room.left
    assert chooser(app).value is None, "a person who was shown out cannot be chosen"
    at(app, debate, OLA)
    assert "To take part, open your link" in shown(app)


def test_the_choice_at_the_press_decides_about_a_person(app: AppTest, host: Host):
    """A browser sends the choice, or the reason, and the press together: no run lies between them."""
    debate = opened(host)
    page = unfolded(at(app, debate, FAY), "people").run()
    chooser(page).set_value(BEN.id)
    unfolded(page, "people").run()
    did(host, debate, BEN, acts.PersonChanged(person=BEN.model_copy(update={"interest": "sells it"})))
    page.selectbox(key=f"role-{BEN.id}").set_value("judge")
    press(unfolded(page, "people"), f"set-role-{BEN.id}")
    changed = host.state(debate).room.people[BEN.id]
    assert (changed.role, changed.interest) == ("judge", "sells it")
    unfolded(page, "people").text_input(key=f"why-{BEN.id}").set_value("shouted at Ann")
    press(page, f"out-{BEN.id}")
    assert [gone.reason for gone in host.state(debate).room.facts(acts.PersonLeft)] == ["shouted at Ann"]


def test_the_chosen_one_of_two_namesakes_is_removed(app: AppTest, host: Host):
    debate = opened(host)
    twins = [Person(id=f"p-{n}", name="Ida", role="observer") for n in range(3)]
    for twin in twins:
        host.submit(debate, Act(by=twin.id, act=acts.PersonJoined(person=twin)))
    at(unfolded(app, "people"), debate, FAY)
    whom = chooser(app)
    assert [o for o in whom.options if "Ida" in o] == ["Ida · observer", "Ida · observer (2)", "Ida · observer (3)"]
    whom.set_value(twins[1].id)
    unfolded(app, "people").run()
    app.button(key=f"out-{twins[1].id}").click()
    unfolded(app, "people").run()
    assert host.state(debate).room.left == {twins[1].id}


def test_everybody_in_a_record_from_elsewhere_gets_a_link_again(app: AppTest, host: Host):
    held = Played(room_spec(PEOPLE))
    debate = host.import_record(dump_record(held.events).encode())
    host.door.invitations.make_for(debate, FAY)
    at(app, debate, FAY)
    chosen = app.selectbox(key=f"linkless-{debate}")
    assert chosen.options == [f"{p.name} · {p.role}" for p in PEOPLE if p != FAY]
    assert app.button(key="link-them").disabled
    chosen.set_value(ANN.id).run()
    # The choice and the press come together, in one run.
    app.selectbox(key=f"linkless-{debate}").set_value(JUNE.id)
    press(app, "link-them")
    invite = host.door.invitations.of(debate)[0].invite
    assert (invite.person, invite.role, host.admit(invite)) == (JUNE.id, "judge", JUNE.id)
    assert link_changes(host, debate) == [(FAY.id, acts.LinkChanged(what="made", person=JUNE.id, role="judge"))]
    assert host.door.token(invite) in tokens(app)
    app.run()
    assert JUNE.name not in " ".join(app.selectbox(key=f"linkless-{debate}").options)


def test_the_projector_shows_the_code_counts_and_no_names(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    debate = opened(host)
    at(app, debate, FAY, "screen.py")
    code = next(i.invite.shown_code() for i in host.door.invitations.of(debate) if i.invite.kind == "open")
    lobby = on_the_wall(app)["shown"]
    # Only this computer can open the address: a code would lead nowhere.
    assert (lobby["code"], lobby["address"], lobby["qr"]) == ("", "", [])
    assert lobby["closed"] == "Phones cannot join yet"
    assert (lobby["here"], lobby["come"], lobby["expected"]) == ("0 of 6 people here", 0, len(PEOPLE))
    assert [option["option"] for option in lobby["options"]] == [*host.state(debate).spec.options]
    monkeypatch.setattr(host, "public_url", "https://debates.example.org")
    app.run()
    lobby = on_the_wall(app)["shown"]
    assert (lobby["code"], lobby["address"], lobby["closed"]) == (code, "debates.example.org/join", "")
    assert len(lobby["qr"]) > 20
    assert {len(row) for row in lobby["qr"]} == {len(lobby["qr"])}
    assert [b.key for b in app.button] == []
    host.submit(debate, Act(by=FAY.id, act=acts.PollOpened(poll="pre")))
    host.submit(debate, Act(by=ANN.id, act=acts.BallotCast(poll="pre", choice="adopt")))
    app.run()
    wall = on_the_wall(app)
    vote = wall["shown"]
    # Those who come late read where to vote and how to join.
    assert vote["way"] == "Vote on your phone"
    assert wall["frame"]["beside"] == f"Join: debates.example.org/join · {code}"
    assert [(r["label"], r["cast"], r["eligible"]) for r in vote["rings"]] == [("named people", 1, 2), ("room", 0, 1)]
    assert {option["has"] for option in vote["options"]} == {None}
    assert not any(p.name in words(app) for p in PEOPLE)


def test_the_projector_follows_to_the_decision(app: AppTest, host: Host):
    debate = opened(host, decides="panel", phase_seconds=60)
    at(app, debate, FAY, "screen.py")
    host.submit(debate, Resume(by=FAY.id))
    app.run()
    assert {"name": "Round 1", "when": "now", "beside": "opening, 0 of 3 in"} in on_the_wall(app)["frame"]["steps"]
    assert on_the_wall(app)["shown"]["speaker"] == "3 seats"
    assert not any(f'"{seat.id}' in words(app).casefold() for seat in SEATS)
    assert re.fullmatch(r"(1:00|0:\d\d) left", on_the_wall(app)["frame"]["clock"])
    host.submit(debate, Stop(by=FAY.id, reason="enough"))
    app.run()
    assert "The final vote decides" in words(app)
    for act, by in (
        (acts.PollOpened(poll="final"), FAY),
        (acts.BallotCast(poll="final", choice="adopt"), ANN),
        (acts.BallotCast(poll="final", choice="adopt"), BEN),
        (acts.PollClosed(poll="final"), FAY),
        (acts.PollRevealed(poll="final"), FAY),
    ):
        host.submit(debate, Act(by=by.id, act=act))
    app.run()
    decided = on_the_wall(app)["shown"]
    assert (decided["scene"], decided["headline"]) == ("reveal", "adopt")
    assert decided["line"] == "It has 3 of 3 votes. The most votes win."
    assert {bar["option"]: bar["has"] for bar in decided["votes"]["bars"]} == {"adopt": 3, "defer": 0, "reject": 0}
    host.submit(debate, Act(by=ABE.id, act=acts.Signed(verdict="accept", option="adopt", owner="Ola")))
    app.run()
    assert on_the_wall(app)["shown"]["scene"] == "signed"
    assert on_the_wall(app)["frame"]["foot"] == [
        ["Decided by", "The named people"],
        ["Approver", "Abe"],
        ["Owner", "Ola"],
    ]


def test_what_is_revealed_to_the_room_is_revealed_on_its_wall(app: AppTest, host: Host):
    debate = opened(host, decides="panel", phase_seconds=60)
    at(app, debate, FAY, "screen.py")
    host.submit(debate, Resume(by=FAY.id))
    host.submit(debate, Act(by=FAY.id, act=acts.PollOpened(poll="pulse-1")))
    host.submit(debate, Act(by=ANN.id, act=acts.BallotCast(poll="pulse-1", choice="reject")))
    host.submit(debate, Act(by=FAY.id, act=acts.PollClosed(poll="pulse-1")))
    app.run()
    assert on_the_wall(app)["shown"]["scene"] == "round"
    host.submit(debate, Act(by=FAY.id, act=acts.PollRevealed(poll="pulse-1")))
    app.run()
    pulse = on_the_wall(app)["shown"]
    assert (pulse["headline"], pulse["line"]) == (
        "Quick poll after round 1",
        "1 of 2 named people voted. This vote decides nothing.",
    )
    assert [bar["has"] for bar in pulse["votes"]["bars"]] == [0, 0, 1]


def test_whoever_is_shown_out_while_they_look_is_told(app: AppTest, host: Host):
    debate = opened(host)
    at(app, debate, ANN)
    assert [w.value for w in app.warning if "removed" in w.value] == []
    host.submit(debate, Act(by=FAY.id, act=acts.PersonLeft(person=ANN.id, reason="wrong room")))
    app.run()
    assert "To take part, open your link or enter the code" in shown(app)
    told = [w.value for w in app.warning]
    assert told == ["You were here as Ann. Your link was taken back, or you were removed. Ask the facilitator."]
