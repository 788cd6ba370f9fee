"""From a link to a person in the record: who comes in is what the invite says, once, and who left is out."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from debate_core.errors import DebateError, NotAllowed, RuleViolation
from debate_core.host.access.cookies import cookie_name
from debate_core.host.access.door import USED
from debate_core.host.access.invites import MAX_NAME_CHARS, InviteKind
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import PersonChanged, PersonLeft
from debate_core.record.commands import Act
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.people import ANN, FAY, room_spec

AT_ONCE = 30
Crowd = Callable[[Sequence[str]], list[str]]
"""The names that people give who come at once; the names of those who came in."""


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host(MemoryStore(), HostOptions(worker="none"))
    yield host
    host.close()


SEATS = tuple(Seat(id=i, occupant="human") for i in ("ana", "ben", "cid"))


@pytest.fixture
def debate(host: Host) -> str:
    return host.create(room_spec((FAY, ANN), seats=SEATS), by=FAY.id)


def cookies(host: Host, debate: str, person: str) -> dict[str, str]:
    invite = next(i.invite for i in host.door.invitations.of(debate) if i.invite.person in (person, None))
    return {cookie_name(debate): host.door.cookies.of(invite, person)}


def test_a_personal_link_makes_the_person_that_it_names(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "judge", name="June", electorate="panel", weight=3)
    june = host.admit(invite, name="ignored")
    expected = Person(id=june, name="June", role="judge", electorate="panel", weight=3)
    assert host.state(debate).room.people[june] == expected
    assert host.viewer(debate, cookies(host, debate, june)) == expected
    version = host.state(debate).version
    with pytest.raises(NotAllowed) as error:
        host.admit(invite)
    assert str(error.value) == USED
    assert host.state(debate).version == version
    assert host.health.report()["refused_joins"] == 1


def test_guests_are_numbered_and_rename_themselves_later(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    ids = [host.admit(invite) for _ in range(3)]
    names = [host.state(debate).room.people[i].name for i in ids]
    assert names == ["Guest 1", "Guest 2", "Guest 3"]
    assert {host.state(debate).room.people[i].electorate for i in ids} == {"room"}


def test_a_guests_number_is_never_given_to_another(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    first = host.admit(invite)
    host.admit(invite)
    came = host.state(debate).room.people[first]
    host.submit(debate, Act(by=first, act=PersonChanged(person=came.model_copy(update={"name": "Kim"}))))
    third = host.admit(invite)
    people = host.state(debate).room.people
    assert [people[first].name, people[third].name] == ["Kim", "Guest 3"]


def test_no_guest_gets_a_name_that_somebody_gave_themselves(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    ids = [host.admit(invite, name=name) for name in ("Guest 2", "", "")]
    assert [host.state(debate).room.people[i].name for i in ids] == ["Guest 2", "Guest 1", "Guest 3"]


CYRILLIC_FAY, GREEK_FAY = "F\u0430y", "F\u03b1y"


@pytest.mark.parametrize(
    "name",
    [
        "Fay\u200b",
        "Fay\u00ad",
        "F\u2060ay",
        "\ufeffFAY",
        "\u202eFay",
        "Fay\u3164",
        "\u115fFay\u2800",
        "Fay\ufe0f",
        "Fay\U000e0041",
        "\uff26\uff41\uff59",
        "f a y".replace(" ", "\u200d"),
    ],
    ids=ascii,
)
def test_guest_in_another_spelling_of_a_name_is_refused(host: Host, debate: str, name: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    with pytest.raises(NotAllowed, match="Fay is already in this room"):
        host.admit(invite, name=name)
    person = host.admit(invite, name="Gus")
    with pytest.raises(RuleViolation, match="Fay is already in this room"):
        rename(host, debate, person, name)


def rename(host: Host, debate: str, person: str, name: str) -> str:
    """The name that this person has then."""
    came = host.state(debate).room.people[person]
    host.submit(debate, Act(by=person, act=PersonChanged(person=came.model_copy(update={"name": name}))))
    return host.state(debate).room.people[person].name


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u3164", "\u2800\u115f", "\u0301", "\U000e0041\u00ad"], ids=ascii)
def test_guest_without_a_visible_name_gets_a_number(host: Host, debate: str, name: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    person = host.admit(invite, name=name)
    assert host.state(debate).room.people[person].name == "Guest 1"
    with pytest.raises((RuleViolation, ValueError)):
        rename(host, debate, person, name)
    assert host.state(debate).room.people[person].name == "Guest 1"


def test_decomposed_name_comes_in_and_its_composed_twin_does_not(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    host.admit(invite, name="Jose\u0301")
    with pytest.raises(NotAllowed, match="already"):
        host.admit(invite, name="Jos\u00e9")
    assert host.admit(invite, name="Jose")


@pytest.mark.parametrize(
    ("typed", "called"),
    [
        (CYRILLIC_FAY, f"{CYRILLIC_FAY} (Cyrillic and Latin letters)"),
        (GREEK_FAY, f"{GREEK_FAY} (Greek and Latin letters)"),
        (f"Dr {CYRILLIC_FAY}", f"Dr {CYRILLIC_FAY} (Cyrillic and Latin letters)"),
        ("\u0410nn\u200b", "\u0410nn (Cyrillic and Latin letters)"),
        ("\u0410\u043d\u043d\u0430", "\u0410\u043d\u043d\u0430"),
        ("\u0391\u03bb\u03ad\u03be\u03b7\u03c2", "\u0391\u03bb\u03ad\u03be\u03b7\u03c2"),
        ("\u674e\u96f7", "\u674e\u96f7"),
        ("\u05d3\u05e0\u05d9", "\u05d3\u05e0\u05d9"),
        (CYRILLIC_FAY * 26, f"{(CYRILLIC_FAY * 26)[:51]} (Cyrillic and Latin letters)"),
    ],
    ids=ascii,
)
@pytest.mark.parametrize("kind", ["open", "personal"])
def test_name_in_letters_of_another_script_is_marked(
    host: Host, debate: str, typed: str, called: str, kind: InviteKind
):
    invited = "" if kind == "open" else typed
    invite = host.door.invitations.make(debate, "voter", kind=kind, name=invited)
    person = host.admit(invite, name=typed)
    assert host.state(debate).room.people[person].name == called
    assert len(called) <= MAX_NAME_CHARS


def test_whole_name_of_another_script_is_marked_beside_its_twin(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    cop, sor = "Cop", "\u0421\u043e\u0440"
    came = [host.admit(invite, name=name) for name in (cop, sor)]
    people = host.state(debate).room.people
    assert [people[person].name for person in came] == [cop, f"{sor} (Cyrillic letters)"]
    with pytest.raises(NotAllowed, match="already"):
        host.admit(invite, name=sor)


@pytest.mark.parametrize("name", ["llona", "1lona", "|lona", "I1ona"])
def test_name_that_looks_alike_in_one_script_is_refused(host: Host, debate: str, name: str):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    host.admit(invite, name="Ilona")
    with pytest.raises(NotAllowed, match="Ilona is already in this room"):
        host.admit(invite, name=name)
    assert host.admit(invite, name="Lona")


@pytest.fixture
def crowd(host: Host, debate: str, monkeypatch: pytest.MonkeyPatch) -> Crowd:
    """Phones, each of which has looked at the room before anybody of them has come in."""
    invite = host.door.invitations.make(debate, "voter", kind="open")
    have_looked = threading.Barrier(AT_ONCE)
    state_of = host.state

    def looked_at_together(debate_id: str) -> State:
        state = state_of(debate_id)
        have_looked.wait(timeout=20)
        return state

    def comes(name: str) -> str | None:
        try:
            return host.admit(invite, name=name)
        except NotAllowed:
            return None

    def all_come(names: Sequence[str]) -> list[str]:
        with monkeypatch.context() as patched, ThreadPoolExecutor(AT_ONCE) as pool:
            patched.setattr(host, "state", looked_at_together)
            came = [person for person in pool.map(comes, names) if person]
        return sorted(state_of(debate).room.people[person].name for person in came)

    return all_come


def test_a_room_that_joins_at_once_gets_a_name_each(crowd: Crowd):
    # Nobody gives a name: the number is free in the state in which they are recorded, and not in the one that was seen.
    assert crowd([""] * AT_ONCE) == sorted(f"Guest {number}" for number in range(1, AT_ONCE + 1))


def test_of_a_crowd_that_gives_one_name_one_comes_in(crowd: Crowd, host: Host):
    assert crowd(["Kim", " kim "] * (AT_ONCE // 2)) in (["Kim"], ["kim"])
    assert host.health.report()["refused_joins"] == AT_ONCE - 1


def test_a_crowd_fills_the_room_and_no_more(crowd: Crowd, host: Host, debate: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("debate_core.host.access.admission.MAX_PEOPLE", 12)
    before = len(host.state(debate).room.people)
    assert len(crowd([""] * AT_ONCE)) == 12 - before
    assert len(host.state(debate).room.people) == 12


def test_a_person_listed_from_the_start_joins_once(host: Host, debate: str):
    version = host.state(debate).version
    invite = host.door.invitations.make(debate, "facilitator", name="Fay", person=FAY.id)
    assert host.admit(invite) == FAY.id
    assert host.state(debate).version == version
    # A lost link: the new one brings the same person back.
    assert host.admit(host.door.invitations.rotate(invite)) == FAY.id
    assert host.state(debate).version == version


def test_of_many_who_open_a_personal_link_at_once_one_comes_in(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "voter", name="Ann", electorate="panel")

    def tried(_: int) -> str | None:
        try:
            return host.admit(invite)
        except DebateError:
            return None

    with ThreadPoolExecutor(8) as pool:
        came = [person for person in pool.map(tried, range(16)) if person]
    assert came == [invite.person]
    assert list(host.state(debate).room.people) == [FAY.id, ANN.id, invite.person]


def test_what_the_room_refuses_does_not_use_the_link_up(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "debater", name="Ana", seats=("nobody",))
    with pytest.raises(RuleViolation, match="there is no seat 'nobody'"):
        host.admit(invite)
    assert [i.status for i in host.door.invitations.of(debate)] == ["ready"]


def test_who_left_is_nobody_and_comes_back_by_no_link(host: Host, debate: str):
    invite = host.door.invitations.make(debate, "judge", name="June")
    june = host.admit(invite)
    held = cookies(host, debate, june)
    host.submit(debate, Act(by=FAY.id, act=PersonLeft(person=june)))
    assert host.viewer(debate, held) is None
    with pytest.raises(NotAllowed, match="has left the debate"):
        host.admit(host.door.invitations.rotate(invite))


def test_rooms_that_take_nobody_by_this_link(host: Host, debate: str, monkeypatch: pytest.MonkeyPatch):
    named = host.create(room_spec((FAY,), seats=SEATS, joining="named"), by=FAY.id)
    with pytest.raises(NotAllowed, match="Only people on the list vote"):
        host.admit(host.door.invitations.make(named, "voter", kind="open"))
    assert host.admit(host.door.invitations.make(named, "observer", kind="open")) in host.state(named).room.people
    alone = host.create(compose("Which?", ["a", "b"], protocol("bounded_vote"), list(SEATS[:2])), by="tests")
    with pytest.raises(NotAllowed, match="has no room for people"):
        host.admit(host.door.invitations.make(alone, "voter", kind="open"))
    monkeypatch.setattr("debate_core.host.access.admission.MAX_PEOPLE", 2)
    with pytest.raises(NotAllowed, match="room is full"):
        host.admit(host.door.invitations.make(debate, "voter", kind="open"))
    assert host.admit(host.door.invitations.make(debate, "voter")) in host.state(debate).room.people
    assert host.health.report()["refused_joins"] == 3


def test_only_a_facilitator_makes_invites(host: Host, debate: str):
    assert host.door_for(debate, by=FAY.id) is host.door
    for by in (ANN.id, "p-stranger", "facilitator"):
        with pytest.raises(RuleViolation, match=r"^invites are for the facilitator"):
            host.door_for(debate, by=by)
