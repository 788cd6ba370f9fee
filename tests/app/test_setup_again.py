"""Setting a past debate up again from Home: parts taken over or left out, and the rights of the person who asks."""

from collections.abc import Collection
from typing import get_args

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.acts import PollClosed, PollOpened, PollRevealed
from debate_core.spec.people import Person, Readers
from debate_core.spec.rules import Plurality
from debate_core.spec.values import Source
from debate_core.ui.kit import session
from debate_core.ui.pages import setup_again
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import RoomDraft, SetupDraft
from debate_core.ui.setup.fork import CopiedPart, forked, of_parts
from debate_core.ui.setup.mapping import spec_from
from tests.app.visiting import brings, cookie_of, lists, press, press_part, words
from tests.people import ANN, FAY, GUS, JUNE, room_spec
from tests.playing import Played

ALL: Collection[CopiedPart] = get_args(CopiedPart)
FAILOVER = Source(id="adr", title="Failover", text="Failover takes 40 s.")
FOR_ONE = Source(id="price", title="Price list", text="The offer ends in May.", only_for=("s0",))


def held(readers: Readers = "hosts") -> Played:
    """A finished debate: the room decided, and one seat had its own document."""
    people = (FAY, ANN, GUS)
    spec = room_spec(people, decides="room", vote=Plurality(), joining="named", pre_vote="none", readers=readers)
    spec = spec.model_copy(update={"sources": (FAILOVER, FOR_ONE), "context": "80 % full"})
    seats = tuple(seat.model_copy(update={"stance": "for adopt"}) for seat in spec.seats)
    played = Played(spec.model_copy(update={"seats": seats}))
    played.to_the_end()
    played.act(FAY, PollOpened(poll="final"))
    played.ballot(GUS, "final", "adopt")
    played.act(FAY, PollClosed(poll="final"))
    played.act(FAY, PollRevealed(poll="final"))
    return played


def chosen(app: AppTest, *left_out: str) -> SetupDraft:
    """The draft that set-up opens with, after these ticks were removed: one press, the ticks, one press."""
    press_part(app, "list", "again", "d-room")
    for part in left_out:
        app.checkbox(key=f"again_{part}").uncheck().run()
    press(app, "again_open")
    draft: SetupDraft = app.session_state["setup_draft"]
    return draft


def test_two_presses_set_a_debate_up_again_as_it_was(app: AppTest, host: Host):
    played = held()
    host._store.append("d-room", played.events, after=0)
    app.run()
    (row,) = lists(app)["Waiting for a signature"]
    assert row["again"] == "Set up again"
    draft = chosen(app)
    assert spec_from(draft) == spec_from(forked(played.state, "adopt"))
    assert app.text_area(key="setup_question").value == "Which?"
    assert {box.key for box in app.checkbox} & {f"again_{part}" for part in ALL} == set()


def test_each_part_can_be_left_out():
    state = held().state
    full = of_parts(state, ALL, with_names=True)
    assert spec_from(full) == spec_from(forked(state, "adopt"))
    without = {part: of_parts(state, {*ALL} - {part}, with_names=True) for part in ALL}
    assert (without["question"].question, without["question"].background, without["question"].parent) == ("", "", "")
    assert without["options"].named_options() == ()
    assert {seat.stance for seat in without["options"].panel()} == {""}
    people = without["people"].room
    assert (people.on, people.name, people.listed, people.decides) == (True, "", "", "room")
    assert people.joining == "open"
    rule = without["rule"]
    assert (rule.seats, rule.protocol, rule.room.vote) == (None, SetupDraft().protocol, RoomDraft().vote)
    assert rule.room.listed == full.room.listed != ""
    assert without["sources"].sources == ()
    assert of_parts(state, (), with_names=True) == SetupDraft()


def test_documents_of_some_seats_come_with_the_seats_only(app: AppTest, host: Host):
    host._store.append("d-room", held().events, after=0)
    app.run()
    press_part(app, "list", "again", "d-room")
    assert "left out" not in words(app)
    app.checkbox(key="again_rule").uncheck().run()
    assert "1 document is left out, because only some seats may read it." in words(app)
    press(app, "again_open")
    assert app.session_state["setup_draft"].sources == (FAILOVER,)


@pytest.mark.parametrize(("readers", "who", "names"), [("hosts", None, True), ("members", GUS, False)])
def test_names_come_along_only_for_those_who_may_have_them(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, readers: Readers, who: Person | None, *, names: bool
):
    host._store.append("d-room", held(readers).events, after=0)
    monkeypatch.setattr(session, "standing", lambda: "host")
    if who:
        brings(monkeypatch, "d-room", cookie_of(host, "d-room", who))
    app.run()
    draft = chosen(app)
    assert (draft.room.name, "Gus" in draft.room.listed) == (("Fay", True) if names else ("", False))
    assert (draft.room.on, draft.room.decides, draft.room.joining) == (True, "room", "named")


def test_a_judge_at_work_cannot_set_the_debate_up_again(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch):
    played = Played(room_spec())
    played.to_the_end()
    host._store.append("d-room", played.events, after=0)
    brings(monkeypatch, "d-room", cookie_of(host, "d-room", JUNE))
    app.run()
    rows = [row for rows in lists(app).values() for row in rows if row["name"] == "d-room"]
    assert [row["again"] for row in rows] == [""]
    app.session_state[setup_again._OF] = "d-room"
    app.run()
    assert [error.value for error in app.error] == ["This debate cannot be set up again from here\\."]
    assert draft_store._DRAFT not in app.session_state
