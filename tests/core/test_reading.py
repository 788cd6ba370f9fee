"""The rule for the debates that a reader may see, for every kind of reader and agreement."""

from typing import get_args

import pytest

from debate_core.engine.rights import HOST
from debate_core.host.access.reading import Looker, is_for_hosts, is_owner, may_look
from debate_core.record.acts import Archived, HandedOver, Owning, Replaced, Shared
from debate_core.record.commands import Act, Stop
from debate_core.record.state import State
from debate_core.spec.people import Readers, Room
from tests.people import FAY, room_spec
from tests.playing import Played

OLA, UNA = "u-ola", "u-una"
WHO: dict[str, tuple[Looker, bool, bool]] = {
    # What they are to the server, whether they are in the debate, whether they opened the link to its results.
    "the machine": (Looker("machine"), False, False),
    "a host": (Looker("host"), False, False),
    "a person of it": (Looker("stranger"), True, False),
    "a reader by link": (Looker("stranger"), False, True),
    "a stranger": (Looker("stranger"), False, False),
    "Ola": (Looker("host", OLA), False, False),
    "Una": (Looker("host", UNA), False, False),
    "Una at the machine": (Looker("machine", UNA), False, False),
}
ALWAYS = {"the machine", "a person of it"}
HOSTS = {"a host", "Ola", "Una", "Una at the machine"}
ALL_WHO_LOG_IN = HOSTS - {"a host"}


def looked_at(state: State, *, imported: bool = False) -> set[str]:
    return {
        who
        for who, (looker, is_in, has_link) in WHO.items()
        if may_look(state, looker, is_in=is_in, has_link=has_link, imported=imported)
    }


@pytest.mark.parametrize(
    ("readers", "meanwhile", "after"),
    [("members", set(), set()), ("link", set(), {"a reader by link"}), ("hosts", HOSTS, HOSTS)],
)
def test_who_may_look_is_what_was_agreed(readers: Readers, meanwhile: set[str], after: set[str]):
    held = Played(room_spec(readers=readers))
    assert looked_at(held.state) == ALWAYS | meanwhile
    held.do(Stop(by=FAY.id, reason="enough"))
    assert looked_at(held.state) == ALWAYS | after
    assert is_for_hosts(held.state.spec, imported=False) is (readers == "hosts")


@pytest.mark.parametrize("readers", get_args(Readers))
def test_an_imported_record_is_for_hosts_whatever_it_agreed(readers: Readers):
    held = Played(room_spec(readers=readers))
    assert looked_at(held.state, imported=True) == ALWAYS | HOSTS
    assert is_for_hosts(held.state.spec, imported=True)


def test_a_debate_from_before_this_choice_keeps_its_readers():
    assert Room(people=(FAY,)).readers == Room.alone().readers == "hosts"


SHARE, CLOSE = Shared(reason="all of us decide"), Shared(shared=False, reason="not yet")
TO_UNA, TO_SERVER = HandedOver(to=UNA, reason="she leads it now"), HandedOver(reason="Ola has left", who="Op")


@pytest.mark.parametrize(
    ("readers", "done", "reads"),
    [
        ("hosts", [], {"Ola"}),
        ("hosts", [SHARE], ALL_WHO_LOG_IN),
        ("hosts", [SHARE, CLOSE], {"Ola"}),
        ("hosts", [TO_UNA], {"Una", "Una at the machine"}),
        ("hosts", [TO_SERVER], HOSTS),
        ("hosts", [SHARE, TO_SERVER], HOSTS),
        ("hosts", [Archived(reason="done")], {"Ola"}),
        ("members", [], {"Ola"}),
        ("link", [], {"Ola", "a reader by link"}),
        ("link", [TO_UNA], {"Una", "Una at the machine", "a reader by link"}),
    ],
)
def test_an_owned_debate_is_private_until_it_is_shared(readers: Readers, done: list[Owning], reads: set[str]):
    held = Played(room_spec(readers=readers), owner=OLA)
    held.do(Stop(by=FAY.id, reason="enough"))
    for act in done:
        held.do(Act(by=HOST if act.who else OLA, act=act))
    assert looked_at(held.state) == ALWAYS | reads
    assert looked_at(held.state, imported=True) == ALWAYS | reads


@pytest.mark.parametrize(
    ("shared", "readers", "reads"),
    [(True, "hosts", ALL_WHO_LOG_IN), (True, "members", {"Ola"}), (False, "hosts", {"Ola"})],
)
def test_a_start_can_open_a_debate_unless_its_people_agreed_no(shared: bool, readers: Readers, reads: set[str]):
    held = Played(room_spec(readers=readers), owner=OLA, shared=shared)
    assert looked_at(held.state) == ALWAYS | reads


def test_nobody_reads_a_record_that_another_one_stands_for():
    held = Played(room_spec(), owner=OLA)
    held.do(Stop(by=FAY.id, reason="enough"))
    held.do(Act(by=HOST, act=Replaced(by_debate="d-new", reason="her wish", who="Op")))
    assert looked_at(held.state) == looked_at(held.state, imported=True) == set()


@pytest.mark.parametrize(("owner", "owns"), [(OLA, {"the machine", "Ola"}), ("", {"the machine", *HOSTS})])
def test_owners_lead_their_debates_and_hosts_the_servers(owner: str, owns: set[str]):
    held = Played(room_spec(), owner=owner)
    assert {who for who, (looker, _, _) in WHO.items() if is_owner(held.state.ownership, looker)} == owns
