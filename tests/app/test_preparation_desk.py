"""Before the first vote: phones propose, write and seal, the wall counts, and the facilitator shows or goes on."""

import json

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.spec.people import Person, Preparation
from debate_core.spec.values import Source
from tests.app.test_decision import in_room
from tests.app.visiting import PEOPLE, at, did, new_browser, on_the_wall, press, told, unfolded
from tests.people import ABE, ANN, FAY, GUS, room_spec
from tests.playing import Played

STEPS = (Preparation(step="collect", minutes=10), Preparation(step="brief", minutes=5))
TEXT = "The relay polls every 200 ms."


def lobby(host: Host) -> str:
    spec = room_spec((FAY, ANN, GUS), seats=PEOPLE, preparation=STEPS, decides="room", rounds=1)
    source = Source(id="E1", title="Relay", text=TEXT)
    return host.create(spec.model_copy(update={"options": ("wait",), "sources": (source,)}), by=FAY.id)


def test_phones_propose_and_the_facilitator_sets_the_options(app: AppTest, host: Host):
    debate = lobby(host)
    lead, phone = at(app, debate, FAY), new_browser()
    press(lead, "open-collect")
    at(phone, debate, GUS)
    assert "Which options are there?" in told(phone)
    field = next(t for t in phone.text_input if t.label.startswith("Your proposal"))
    field.set_value("buy it").run()
    did(host, debate, ANN, acts.Suggested(text="purchase it"))
    did(host, debate, ANN, acts.Suggested(kind="driver", text="cost"))
    press(phone, "done-collect")
    assert "You are done" in told(phone)
    at(lead, debate, FAY)
    merged = next(t for t in lead.text_input if t.label.endswith("purchase it"))
    merged.set_value("").run()
    press(lead, "agree-options")
    assert "1 of 2 is not done yet" in told(lead)
    assert host.state(debate).spec.options == ("wait",)
    press(lead, "agree-options-anyway")
    assert host.state(debate).spec.options == ("wait", "buy it")
    assert [(d.name, d.weight) for d in host.state(debate).spec.drivers] == [("cost", 100)]
    assert [b.label for b in lead.button if b.key == "open-brief"] == ["Open the brief"]


def test_lobby_says_what_the_room_does_now(host: Host):
    debate = lobby(host)

    def said(who: Person) -> str:
        return told(at(new_browser(), debate, who))

    assert "The debate begins soon" in said(GUS)
    assert "How people join" in said(FAY)
    votes = {GUS.id: "Your ballot: pre-vote", FAY.id: "The pre-vote is open"}
    steps = (
        (acts.PreparationBegun(step="collect"), "First, propose options", "Everyone proposes options"),
        (acts.PreparationBegun(step="brief"), "First, read the brief", "Everyone reads the brief"),
        (acts.PollOpened(poll="pre"), "Everyone votes, then the debate begins", votes),
    )
    for act, title, line in steps:
        if act == acts.PreparationBegun(step="brief"):
            did(host, debate, FAY, acts.OptionsAgreed(options=("wait", "buy it")))
        did(host, debate, FAY, act)
        for who in (GUS, FAY):
            page = said(who)
            # During the pre-vote the desk of the facilitator has the ballots in place of the lobby.
            assert (title in page) == (who is GUS or not isinstance(act, acts.PollOpened))
            assert (line if isinstance(line, str) else line[who.id]) in page
            assert "begins soon" not in page
            assert "How people join" not in page


def test_the_fields_at_the_press_are_what_is_agreed(app: AppTest, host: Host):
    """A browser sends the last change and the press together: no run lies between them."""
    debate = lobby(host)
    did(host, debate, FAY, acts.PreparationBegun(step="collect"))
    for text in ("buy it", "purchase it"):
        did(host, debate, ANN, acts.Suggested(text=text))
    did(host, debate, ANN, acts.Suggested(kind="driver", text="cost"))
    lead = at(app, debate, FAY)

    def writes(label: str, text: str) -> None:
        next(field for field in lead.text_input if field.label.endswith(label)).set_value(text)

    writes("purchase it", "")
    press(lead, "agree-options")
    assert "2 of 2 are not done yet" in told(lead), "it asks, though the button now counts other options"
    writes("buy it", "lease it")
    writes("cost", "cost over 3 years")
    press(lead, "agree-options-anyway")
    agreed = host.state(debate).spec
    assert agreed.options == ("wait", "lease it")
    assert [driver.name for driver in agreed.drivers] == ["cost over 3 years"]


def test_a_list_that_is_too_short_is_refused_and_stays(app: AppTest, host: Host):
    debate = lobby(host)
    did(host, debate, FAY, acts.PreparationBegun(step="collect"))
    lead = at(app, debate, FAY)
    for who in (ANN, GUS):
        did(host, debate, who, acts.Prepared(step="collect"))
    press(at(lead, debate, FAY), "agree-options")
    assert "a debate needs 2 to 8 options: this list has 1" in told(lead)


def test_the_brief_is_on_phones_and_names_who_is_missing(app: AppTest, host: Host):
    debate = lobby(host)
    did(host, debate, FAY, acts.PreparationBegun(step="collect"))
    did(host, debate, FAY, acts.OptionsAgreed(options=("wait", "buy it")))
    did(host, debate, FAY, acts.PreparationBegun(step="brief"))
    phone = at(new_browser(), debate, GUS)
    assert TEXT in told(phone)
    press(phone, "done-brief")
    lead = at(app, debate, FAY)
    press(lead, "open-pre")
    assert "1 of 2 is not done yet" in told(lead)
    press(lead, "open-pre-wait")
    assert not host.state(debate).room.polls
    press(lead, "open-pre")
    press(lead, "open-pre-anyway")
    assert [*host.state(debate).room.polls] == ["pre"]


def test_closing_a_vote_asks_while_somebody_has_not_voted(app: AppTest, host: Host):
    debate = host.create(room_spec((FAY, ANN, GUS), seats=PEOPLE, decides="room"), by=FAY.id)
    did(host, debate, FAY, acts.PollOpened(poll="pre"))
    did(host, debate, GUS, acts.BallotCast(poll="pre", choice="adopt"))
    lead = at(app, debate, FAY)
    press(lead, "next")
    assert "1 of 2 has not voted." in told(lead)
    assert host.state(debate).room.polls["pre"].closed is None
    did(host, debate, ANN, acts.BallotCast(poll="pre", choice="adopt"))
    press(at(lead, debate, FAY), "next-alone")
    assert host.state(debate).room.polls["pre"].closed is not None


def test_single_keys_can_be_switched_off_and_stay_off(app: AppTest, host: Host):
    debate = host.create(room_spec((FAY, ANN, GUS), seats=PEOPLE), by=FAY.id)
    lead = unfolded(at(app, debate, FAY), "who").run()
    assert lead.button(key="open-pre").proto.shortcut == "n"
    lead.toggle(key="single-keys").set_value(False).run()
    assert lead.button(key="open-pre").proto.shortcut == ""
    again = unfolded(at(new_browser(), debate, FAY), "who").run()
    assert again.button(key="open-pre").proto.shortcut == ""
    again.toggle(key="single-keys").set_value(True).run()
    assert again.button(key="open-pre").proto.shortcut == "n"


FACT = "The pump was replaced in May"
REASON = "The vendor doubled its price"


def test_phones_write_and_the_facilitator_shows_all(app: AppTest, host: Host):
    steps = (Preparation(step="facts", minutes=2),)
    debate = host.create(room_spec((FAY, ANN, GUS), seats=PEOPLE, preparation=steps, rounds=1), by=FAY.id)
    lead, phone, other = at(app, debate, FAY), at(new_browser(), debate, GUS), new_browser()
    press(lead, "open-facts")
    at(phone, debate, GUS)
    assert "What do you know that the others may not?" in told(phone)
    press(phone, "write-facts")
    assert "write something first" in told(phone)
    phone.text_area[0].set_value(f"{FACT}\n\n")
    press(phone, "write-facts")
    assert "1 text is sealed" in told(phone)
    assert [done.fact.texts for done in host.state(debate).room.of(acts.TextsWritten)] == [(FACT,)]
    assert FACT not in told(at(other, debate, ANN))
    press(other, "done-facts")
    at(lead, debate, FAY)
    assert FACT not in told(lead)
    press(lead, "show-facts")
    for browser, who in ((other, ANN), (lead, FAY), (phone, GUS)):
        assert f"1. {FACT}" in told(at(browser, debate, who))


def test_signer_takes_a_reason_as_an_assumption(app: AppTest, host: Host):
    held = Played(room_spec((FAY, GUS, ABE), rounds=1, preparation=(Preparation(step="premortem", minutes=3),)))
    held.to_the_end().act(FAY, acts.PreparationBegun(step="premortem"))
    held.act(GUS, acts.TextsWritten(step="premortem", texts=(REASON,)))
    wall = new_browser()
    in_room(host, held)
    assert REASON not in json.dumps(on_the_wall(at(wall, "d-room", None, "screen.py")))
    did(host, "d-room", FAY, acts.TextsShown(step="premortem"))
    assert REASON in json.dumps(on_the_wall(at(wall, "d-room", None, "screen.py")))
    signer = at(app, "d-room", ABE)
    assert REASON in told(signer)
    press(signer, "assume-0")
    field = next(area for area in signer.text_area if area.label.startswith("Assumptions"))
    assert field.value == f"Does not happen: {REASON}"
