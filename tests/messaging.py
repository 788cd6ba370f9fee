"""A debate of three people with a moderator, an approver and voters, for tests of messages."""

from typing import Any

from debate_core.engine.stage import speaks_for
from debate_core.record import acts
from debate_core.spec.people import Person
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat
from tests.people import ABE, ANN, FAY, GUS, JUNE, room_spec
from tests.playing import Played

DEB = Person(id="p-deb", name="Deb", role="debater", seats=("s0",))
DON = Person(id="p-don", name="Don", role="debater", seats=("s1",))
DOT = Person(id="p-dot", name="Dot", role="debater", seats=("s2",))
DEBATERS = (DEB, DON, DOT)
SEATS = tuple(Seat(id=f"s{number}", occupant="human") for number in range(3))


def people_spec(*others: Person, **agreed: Any) -> Spec:
    """Three people debate; the count of their votes decides unless `agreed` says otherwise."""
    return room_spec((FAY, ABE, ANN, GUS, *DEBATERS, *others), seats=SEATS, **agreed)


def played_by_people(spec: Spec) -> Played:
    """The debate to its end, each turn given by its person."""
    played = Played(spec)
    while played.state.outcome is None:
        if played.state.paused is not None:
            played.go_on()
        say_as_person(played)
    return played


def say_as_person(played: Played) -> None:
    """The first person in line votes."""
    played.say(by=speaks_for(played.state, played.requests()[0].seat)[0])


def signed(**fields: Any) -> Played:
    """A debate that its approver signed."""
    played = played_by_people(people_spec(**fields.pop("agreed", {})))
    return played.act(ABE, acts.Signed(**{"verdict": "accept", "option": "adopt", **fields}))


__all__ = ["ABE", "ANN", "DEB", "DEBATERS", "DON", "DOT", "FAY", "GUS", "JUNE", "SEATS"]
