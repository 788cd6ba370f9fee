"""The turnout of a vote or a step of preparation: who is asked, who is missing, and what those who lead read."""

from debate_core.record import acts
from debate_core.report.facts.turnout import is_complete, turnout
from debate_core.ui.room import turnout as drawn
from tests.people import ANN, BEN, EVERYBODY, FAY, GUS, room_spec
from tests.playing import Played


def voting() -> Played:
    return Played(room_spec(EVERYBODY)).act(FAY, acts.PollOpened(poll="pre")).ballot(ANN, "pre", "adopt")


def missing(held: Played) -> list[str]:
    found = turnout(held.state)
    assert found is not None
    return [person.name for person in found.missing]


def test_missing_voters_are_named_until_the_last_ballot():
    held = voting()
    everyone = [person for person in EVERYBODY if person.electorate]
    assert missing(held) == [person.name for person in everyone if person.id != ANN.id]
    assert not is_complete(held.state)
    for person in everyone:
        held.ballot(person, "pre", "defer")
    assert missing(held) == []
    assert is_complete(held.state)


def test_people_who_left_are_missing_and_hold_nobody_up():
    held = voting()
    for person in EVERYBODY:
        if person.electorate and person.id not in (ANN.id, GUS.id):
            held.ballot(person, "pre", "defer")
    held.act(FAY, acts.PersonLeft(person=GUS.id))
    assert missing(held) == [GUS.name]
    assert is_complete(held.state)


def test_without_a_vote_nothing_is_complete():
    held = Played(room_spec(EVERYBODY))
    assert turnout(held.state) is None
    assert not is_complete(held.state)
    assert drawn.part(held.state) is None


def test_part_names_the_missing_and_no_ballot():
    part = drawn.part(voting().state)
    assert part is not None
    assert (part["title"], part["left"]) == ("The pre-vote is open", "2 people have not voted yet")
    assert part["missing"] == [{"id": one.id, "name": one.name} for one in (BEN, GUS)]
    assert part["rings"] == [{"label": "named people", "done": 1, "of": 2}, {"label": "room", "done": 0, "of": 1}]
    assert "adopt" not in str({**part, "options": ()})


def test_a_closed_vote_says_who_cast_no_ballot():
    held = voting().act(FAY, acts.PollClosed(poll="pre"))
    part = drawn.part(held.state)
    assert part is not None
    assert (part["title"], part["left"]) == ("The pre-vote is closed", "2 people cast no ballot")
    held.go_on()
    assert drawn.part(held.state) is None
