"""Silent steps on screens: phones write and seal, the wall counts, the facilitator shows, a signer takes a reason."""

import json

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record import acts
from debate_core.spec.people import Preparation
from tests.app.test_decision import in_room
from tests.app.visiting import PEOPLE, at, did, new_browser, on_the_wall, press, told
from tests.people import ABE, ANN, FAY, GUS, room_spec
from tests.playing import Played

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
