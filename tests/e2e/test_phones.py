"""Three phones that do what people do: every sentence is true at each step, and the record has the right votes."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bench.phone_room import Scene, room_with_phones
from bench.workshop_phones import vote_in_two_tabs, vote_offline

pytestmark = pytest.mark.e2e


def test_three_phones_read_the_truth_at_each_step(tmp_path: Path, browser: Browser):
    with room_with_phones(browser, tmp_path, Scene(pre_vote="shown_at_close")) as room:
        for name, locale in (("Ann", "en-GB"), ("Ben", "de-DE")):
            room.enters(name, "opens the link", locale=locale)
        room.lead("Open the pre-vote")
        vote_in_two_tabs(room, "Ann", "stay")
        vote_offline(room, "Ben", "stay")
        room.phones["Ben"].leave_network()
        # The approver has not come.
        room.lead("Close it, reveal later", anyway=True)
        room.enters("Lou", "comes after the close")
        room.check(room.phones["Ann"], "sees the vote closed")
        room.lead("Reveal the pre-vote")
        room.phones["Ben"].rejoin_network()
        room.check_all("reads the result")
        room.finish()
        assert [row for row in room.rows if row.wrong] == []
