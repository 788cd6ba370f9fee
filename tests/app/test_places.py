"""A field or expander keeps its place on the page when other people add elements above it.

A browser replaces an element that moves: unsent text and presses in it are lost.
"""

from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from debate_core.host.host import Host
from debate_core.record.acts import Asked, Dissented, Flagged, PersonJoined, PollOpened, RoomAct
from debate_core.spec.people import Person
from debate_core.spec.rules import Elected
from tests.app.test_synthesis_desk import FAST
from tests.app.test_synthesis_desk import opened as synthesised
from tests.app.visiting import HOLDERS, at, begun, did, new_browser, opened, tells
from tests.people import ABE, ANN, BEN, FAY, GUS, SYD

NEW = Person(id="p-new", name="New", role="voter", electorate="room")
Place = tuple[int, ...]


def place_of(app: AppTest, key: str) -> Place:
    """The position of the element with this key among its siblings, and of each box around it, from the outside in."""
    found = [place for root in app._tree.children.values() if isinstance(root, Block) for place in _places(root, key)]
    assert len(found) == 1, (key, found)
    return found[0]


def _places(block: Block, key: str, above: Place = ()) -> Iterator[Place]:
    for number, node in block.children.items():
        if getattr(node, "key", None) == key:
            yield (*above, number)
        elif isinstance(node, Block):
            yield from _places(node, key, (*above, number))


def asked(host: Host) -> str:
    debate = begun(host)
    did(host, debate, BEN, Asked(text="And the cost?"))
    return debate


def flagged(host: Host) -> str:
    debate = synthesised(host)
    did(host, debate, BEN, Flagged(line=FAST, reason="which queue?"))
    return debate


def invited(host: Host) -> str:
    """Everyone has a personal link, so that the first guest is the first without one."""
    debate = opened(host)
    for person in host.state(debate).room.people.values():
        host.door.invitations.make_for(debate, person)
    return debate


CASES: dict[str, tuple[Callable[[Host], str], Person, str, Person, RoomAct]] = {
    "a question": (asked, ANN, "floor-ask", GUS, Asked(text="And who runs it?")),
    "a flag": (flagged, ANN, "flag-a-line", GUS, Flagged(line=FAST, reason="since when?")),
    "a dissent": (synthesised, ABE, "dissent", BEN, Dissented(text="Never.")),
    "an invitation": (invited, FAY, "invite", NEW, PersonJoined(person=NEW)),
}
"""A case: the debate, the person, the element in use, and an act of another person meanwhile."""


@pytest.mark.parametrize("name", CASES)
def test_what_others_do_moves_no_field_of_mine(app: AppTest, host: Host, name: str):
    held, me, key, other, act = CASES[name]
    debate = held(host)
    at(app, debate, me)
    before = place_of(app, key)
    did(host, debate, other, act)
    app.run()
    assert place_of(app, key) == before


def test_a_finding_about_the_answer_moves_no_line(app: AppTest, host: Host):
    debate = synthesised(host)
    desk = f"{debate}/{SYD.id}/synthesis"
    at(app, debate, SYD)
    before = place_of(app, f"{desk}:established0")
    app.text_area(key=f"{desk}:answer").input("It saves 40 % of the cost.").run()
    app.number_input(key=f"{desk}:confidence").set_value(70).run()
    assert app.text_input(key=f"{desk}:answer.why")
    assert place_of(app, f"{desk}:established0") == before


def test_the_side_that_a_vote_leaves_moves_no_claim_of_the_turn(app: AppTest, host: Host):
    debate = begun(host)
    form = f"{debate}/s0/1.opening.p-s0"
    at(app, debate, HOLDERS[0])
    before = place_of(app, f"{form}:claims:box")
    app.radio(key=f"{form}:vote").set_value("reject").run()
    assert app.checkbox(key=f"{form}:holds reject")
    assert place_of(app, f"{form}:claims:box") == before


def test_an_objections_reason_moves_no_ballot_reason(app: AppTest, host: Host):
    debate = opened(host, vote=Elected(kind="consent"))
    did(host, debate, FAY, PollOpened(poll="pre"))
    ballot = f"{debate}/{ANN.id}/poll-pre"
    at(app, debate, ANN)
    before = place_of(app, f"{ballot}:reason:box")
    tells(app, "pick", {"points": [2, 0, 0], "abstains": False})
    assert [area.key for area in app.text_area if str(area.key).startswith(f"{ballot}:reason")]
    assert place_of(app, f"{ballot}:reason:box") == before


def test_the_first_debate_of_all_moves_nothing_below_the_list(host: Host):
    app = new_browser().run()
    before = place_of(app, "rehearsals-drawer")
    begun(host)
    app.run()
    assert place_of(app, "rehearsals-drawer") == before
