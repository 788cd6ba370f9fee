"""Live transcript of a room: messages to all seats, struck turns, seats taken over, waiting."""

from importlib.util import module_from_spec, spec_from_file_location
from typing import cast

from debate_core.engine import stage
from debate_core.record import acts
from debate_core.spec.contents import Argument, Claim
from debate_core.ui.kit.badges import status_of
from debate_core.ui.room.live import transcript
from debate_core.ui.room.live.transcript import changes, news, picture, polled
from debate_core.ui.room.live.wire_types import Item
from tests.people import ANN, BEN, FAY, GUS, MO, room_spec
from tests.playing import Played


def test_a_message_to_all_seats_has_the_moderators_name():
    held = Played(room_spec())
    held.go_on()
    held.say()
    before = picture(held.state, {}, ())
    held.act(MO, acts.Intervened(kind="question", text="What does it <b>cost</b>?"))
    new = [cast("Item", value) for kind, value in changes(before, picture(held.state, {}, ())) if kind == "item"]
    assert [(i["name"], i["badge"], i["text"], i["seat"]) for i in new] == [
        ("Mo, moderator, to all seats", "question", "What does it <b>cost</b>?", "")
    ]
    assert new[0]["phase"] == "1.opening"
    held.play()
    ids = [i["id"] for i in picture(held.state, {}, ())["items"]]
    assert ids.count(new[0]["id"]) == 1


def test_a_struck_turn_leaves_a_placeholder_with_vote_and_reason():
    held = Played(room_spec())
    held.go_on()
    held.say(Argument(rationale="UNFOUNDED", vote="adopt", claims=(Claim(text="UNFOUNDED"),)))
    for _ in range(2):
        held.say()
    before = picture(held.state, {}, ())
    held.act(MO, acts.Struck(turn="1.opening.s0", reason="it insults"))
    item = picture(held.state, {}, (), before)["items"][0]
    assert (item["state"], item["text"], item["note"], item.get("rows")) == ("struck", "", "it insults", None)
    assert item["vote"]["text"] == "adopt"
    assert "UNFOUNDED" not in str(picture(held.state, {}, ()))


def _closing(played: Played) -> str:
    return picture(played.state, {}, ())["meta"]["closing"]


def test_an_agreed_wait_is_named_and_a_taken_seat_waits():
    held = Played(room_spec())
    assert status_of(held.state) == "lobby"
    assert _closing(held) == ""
    held.act(FAY, acts.PollOpened(poll="pre"))
    assert status_of(held.state) == "prevote"
    assert _closing(held) == "The pre-vote is open; its ballots stay sealed until the reveal."
    held.act(FAY, acts.PollClosed(poll="pre"))
    assert status_of(held.state) == "lobby"
    assert _closing(held) == "The pre-vote is closed: the facilitator begins."
    held.go_on()
    assert status_of(held.state) == "running"
    for seat in ("s0", "s1", "s2"):
        held.act(FAY, acts.SeatTaken(seat=seat, reason="the provider is down"))
    assert status_of(held.state) == "waiting"
    assert {i["state"] for i in picture(held.state, {}, ())["items"]} == {"asked"}
    for _ in range(3):
        held.say(by="p-fay")
    assert {i.get("note") for i in picture(held.state, {}, ())["items"] if i["state"] == "given"} == {"by Fay"}
    while held.state.paused is None:
        held.say(by="p-fay")
    assert status_of(held.state) == "held"
    assert _closing(held) == "Round 2 is ready: the facilitator lets it begin."


def test_the_panel_reports_acts_of_leaders_but_not_each_ballot():
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    before, known = news(held.state), picture(held.state, {}, ())
    assert polled(held.state) == "named people: 0 of 2 ballots in, room: 0 of 1 ballot in"
    held.act(ANN, acts.BallotCast(poll="pre", choice="adopt"))
    assert news(held.state) == before
    assert ("meta", picture(held.state, {}, ())["meta"]) in changes(known, picture(held.state, {}, ()))
    assert polled(held.state) == "named people: 1 of 2 ballots in, room: 0 of 1 ballot in"
    held.act(FAY, acts.PollClosed(poll="pre"))
    assert polled(held.state) == ""
    before = news(held.state)
    held.act(FAY, acts.Extended(seconds=60, reason="late"))
    assert news(held.state) != before


def test_an_upvote_is_news_if_it_changes_the_top_question():
    held = Played(room_spec())
    for n in range(5):
        held.act(GUS, acts.Asked(text=f"Question {n}?"))
    first, second, third, _, fifth = stage.support(held.state)
    before = news(held.state)
    held.act(ANN, acts.Upvoted(question=first))
    assert news(held.state) == before
    held.act(ANN, acts.Upvoted(question=fifth))
    assert [*stage.support(held.state).items()][:3] == [(first, 2), (fifth, 2), (second, 1)]
    assert news(held.state) != before
    after = news(held.state)
    held.act(BEN, acts.Upvoted(question=third))
    held.act(BEN, acts.Upvoted(question=fifth))
    assert [*stage.support(held.state)][:3] == [fifth, first, third]
    assert news(held.state) != after


def test_the_news_mark_reveals_nobody_who_is_asked():
    held = Played(room_spec())
    held.go_on()
    found = spec_from_file_location("another_process", transcript.__file__)
    assert found is not None
    assert found.loader is not None
    elsewhere = module_from_spec(found)
    found.loader.exec_module(elsewhere)
    assert elsewhere.news(held.state) == elsewhere.news(held.state) != news(held.state)
