"""Which debates somebody may look at: the rule itself, for everybody who may come and all that can be agreed."""

from typing import get_args

import pytest

from debate_core.host.door.hosting import Caller
from debate_core.host.door.reading import is_listed, may_look
from debate_core.record.commands import Stop
from debate_core.record.state import State
from debate_core.spec.people import Readers, Room
from tests.people import FAY, room_spec
from tests.playing import Played

WHO: dict[str, tuple[Caller, bool, bool]] = {
    # What they are to the server, whether they are in the debate, whether they opened the link to its results.
    "the machine": ("machine", False, False),
    "a host": ("host", False, False),
    "a person of it": ("stranger", True, False),
    "a reader by link": ("stranger", False, True),
    "a stranger": ("stranger", False, False),
}
ALWAYS = {"the machine", "a person of it"}


def looked_at(state: State, *, imported: bool = False) -> set[str]:
    return {
        who
        for who, (standing, is_in, has_link) in WHO.items()
        if may_look(state, standing, is_in=is_in, has_link=has_link, imported=imported)
    }


@pytest.mark.parametrize(
    ("readers", "meanwhile", "after"),
    [("members", set(), set()), ("link", set(), {"a reader by link"}), ("hosts", {"a host"}, {"a host"})],
)
def test_who_may_look_is_what_was_agreed(readers: Readers, meanwhile: set[str], after: set[str]):
    held = Played(room_spec(readers=readers))
    assert looked_at(held.state) == ALWAYS | meanwhile
    held.do(Stop(by=FAY.id, reason="enough"))
    assert looked_at(held.state) == ALWAYS | after
    assert is_listed(held.state.spec, imported=False) is (readers == "hosts")


@pytest.mark.parametrize("readers", get_args(Readers))
def test_a_record_from_a_file_is_for_hosts_whatever_was_agreed_elsewhere(readers: Readers):
    held = Played(room_spec(readers=readers))
    assert looked_at(held.state, imported=True) == {*ALWAYS, "a host"}
    assert is_listed(held.state.spec, imported=True)


def test_what_was_agreed_before_this_could_be_chosen_stays_as_it_was():
    assert Room(people=(FAY,)).readers == Room.alone().readers == "hosts"
