"""Pages about a debate that tell more than its room does stay closed as long as that matters."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.events import dump_record
from debate_core.spec.people import Person
from tests.app.visiting import at, begun, told
from tests.people import FAY, GUS, OLA, room_spec
from tests.playing import Played


@pytest.mark.parametrize("page", ["results.py", "record.py"])
@pytest.mark.parametrize("who", [GUS, OLA, None])
def test_pages_with_speakers_are_closed_to_the_audience(app: AppTest, host: Host, page: str, who: Person | None):
    held = Played(room_spec())
    held.go_on()
    held.play()
    debate = host.import_record(dump_record(held.events).encode())
    at(app, debate, who, page)
    assert [i.value for i in app.info] == ["The audience learns the speakers after the debate. This page opens then."]
    assert not re.search(r"\bs[0-2]\b", told(app))
    at(app, debate, FAY, page)
    assert "The audience learns" not in told(app)


def test_the_home_list_hides_the_asked_seat_from_an_audience(host: Host):
    named, blind = begun(host, blind="named"), begun(host)
    waiting = {row.id: (row.status, row.waiting_for) for row in host.debates()}
    assert waiting == {named: ("waiting", ("s0", "s1", "s2")), blind: ("waiting", ())}
