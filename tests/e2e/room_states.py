"""One debate with people for each state of a room, and a cookie for each kind of person, in a store.

No model takes part: people hold the seats.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record import acts
from debate_core.record.commands import FailTurn, Pause
from debate_core.spec.contents import Argument, Claim, Synthesis
from debate_core.spec.people import Person, Preparation, Room
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat
from tests.joining import cookie_for
from tests.marking import quoted
from tests.people import ABE, FAY, GUS, JUNE, OLA, SYD
from tests.playing import Played

OPTIONS = ("Outbox table", "Change data capture", "Publish with retries")
SPEECH = "No event may be lost, and the delay stays under the limit. Each option has a price."
ANA = Person(id="p-ana", name="Ana", role="debater", seats=("checkout_engineer",))
BO = Person(id="p-bo", name="Bo", role="debater", seats=("data_platform",))
HAL = Person(id="p-hal", name="Hal", electorate="room")
VOTERS = (GUS, HAL)
SYNTHESISER = SYD.model_copy(update={"seats": ("synthesiser",)})
PEOPLE: Mapping[str, Person] = {
    "facilitator": FAY,
    "debater": ANA,
    "voter": GUS,
    "judge": JUNE,
    "approver": ABE,
    "synthesiser": SYNTHESISER,
    "observer": OLA,
}
"""Kind of person -> the person; a guest has no cookie."""


@dataclass(frozen=True, slots=True)
class States:
    """Debates by state, and the cookie (name, value) of a person in a state."""

    debates: Mapping[str, str]
    cookies: Mapping[tuple[str, str], tuple[str, str]]


def spec() -> Spec:
    """Two rounds of two phases by people, a synthesis, and a vote of the room."""
    seats = (
        Seat(id="checkout_engineer", occupant="human", stance=OPTIONS[0]),
        Seat(id="data_platform", occupant="human", stance=OPTIONS[1]),
        Seat(id="synthesiser", role="synthesiser", occupant="human", commitment="open"),
    )
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening", order="at_once"), Phase(name="reply")),
        after=(Phase(name="synthesis", gives="synthesis", role="synthesiser"),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
    )
    room = Room(
        people=(FAY, JUNE, ABE, SYNTHESISER, *VOTERS, OLA, ANA, BO),
        decides="room",
        vote=Threshold(votes=2),
        preparation=(Preparation(step="brief", minutes=5), Preparation(step="facts", minutes=5)),
        phase_seconds=3_600,
    )
    return Spec(
        question="How do we publish order events from Checkout, so that no event is lost?",
        options=OPTIONS,
        seats=seats,
        protocol=protocol,
        max_rounds=2,
        room=room,
    )


def says(held: Played, turns: int) -> Played:
    """Let the next seats speak by their people, each for its own option."""
    speakers = {seat: person for person in (ANA, BO) for seat in person.seats}
    for _ in range(turns):
        seat = held.requests()[0].seat
        vote = held.state.spec.seat(seat).stance
        claims = (Claim(text=f"{vote} loses no event, as the load test of {seat.replace('_', ' ')} shows."),)
        said = Argument(rationale=SPEECH, vote=vote, claims=claims)
        held.say(said, by=speakers[seat].id)
    return held


def lobby() -> Played:
    """The lobby."""
    return Played(spec())


def brief() -> Played:
    """The brief is open, and one voter has read it."""
    return lobby().act(FAY, acts.PreparationBegun(step="brief")).act(HAL, acts.Prepared(step="brief"))


def facts() -> Played:
    """People write what they know."""
    return brief().act(FAY, acts.PreparationBegun(step="facts"))


def pre_vote() -> Played:
    """The first vote is open, and Hal has voted."""
    held = facts().act(FAY, acts.TextsShown(step="facts")).act(FAY, acts.PollOpened(poll="pre"))
    return held.ballot(HAL, "pre", OPTIONS[0])


def opening() -> Played:
    """The first phase runs, and both seats are asked."""
    held = pre_vote().ballot(GUS, "pre", OPTIONS[1])
    return held.act(FAY, acts.PollClosed(poll="pre")).go_on()


def persons_turn() -> Played:
    """Ana is asked for her reply, and all others wait for her."""
    return says(opening(), 2)


def running() -> Played:
    """Another seat than Ana's is asked."""
    return says(persons_turn(), 1)


def paused() -> Played:
    """The facilitator has paused while Ana is asked."""
    return persons_turn().do(Pause(by=FAY.id, reason="a short break"))


def between_rounds() -> Played:
    """Round 2 waits for the facilitator."""
    return says(running(), 1)


def quick_poll() -> Played:
    """A quick poll is open between the rounds."""
    return between_rounds().act(FAY, acts.PollOpened(poll="pulse-1"))


def last_round() -> Played:
    """Round 2 of 2 runs."""
    return between_rounds().go_on()


def marks() -> Played:
    """People mark passages of a document."""
    return quoted(people=(FAY.model_copy(update={"seats": ("chair",)}), JUNE, ABE, *VOTERS, OLA))


def synthesis() -> Played:
    """The synthesiser writes."""
    return says(last_round(), 4)


def vote_due() -> Played:
    """The rounds are over, and the final vote is not open."""
    return synthesis().say(Synthesis(answer="Use an outbox table."), by=SYNTHESISER.id)


def final_vote() -> Played:
    """The final vote is open, and Hal has voted."""
    return vote_due().act(FAY, acts.PollOpened(poll="final")).ballot(HAL, "final", OPTIONS[0])


def sealed_vote() -> Played:
    """The final vote is closed and not revealed."""
    return final_vote().ballot(GUS, "final", OPTIONS[0]).act(FAY, acts.PollClosed(poll="final"))


def tied() -> Played:
    """The final vote is revealed as a tie: the approver chooses."""
    held = final_vote().ballot(GUS, "final", OPTIONS[1]).act(FAY, acts.PollClosed(poll="final"))
    return held.act(FAY, acts.PollRevealed(poll="final")).act(FAY, acts.PollRevealed(poll="pre"))


def sign_off() -> Played:
    """The room has decided, and the approver has not signed."""
    return sealed_vote().act(FAY, acts.PollRevealed(poll="final")).act(FAY, acts.PollRevealed(poll="pre"))


def signed() -> Played:
    """The decision is signed."""
    return sign_off().act(ABE, acts.Signed(verdict="accept", option=OPTIONS[0], owner="Ola"))


def unreached() -> Played:
    """No seat can be reached."""
    held = opening()
    for request in held.requests():
        fault = {"error": "failed", "message": "no connection", "transport": True, "permanent": True}
        held.do(FailTurn.model_validate({"by": request.seat, "request": request.id, **fault}))
    return held


STATES: Mapping[str, Callable[[], Played]] = {
    make.__name__: make
    for make in (
        lobby,
        brief,
        facts,
        pre_vote,
        opening,
        persons_turn,
        running,
        paused,
        between_rounds,
        quick_poll,
        last_round,
        marks,
        synthesis,
        vote_due,
        final_vote,
        sealed_vote,
        tied,
        sign_off,
        signed,
        unreached,
    )
}


def write(database: str) -> States:
    """Write a debate in each state."""
    store = open_store(database)
    host = Host(store, HostOptions(worker="none"))
    cookies = {}
    for state, make in STATES.items():
        held = make()
        debate = f"d-{state.replace('_', '-')}"
        # The clock of the phase has begun a moment ago.
        copy = Played(held.state.spec, debate, at=datetime.now(UTC) - timedelta(seconds=len(held.events) + 30))
        for command in held.commands:
            copy.do(command)
        store.append(debate, copy.events, after=0)
        for kind, person in PEOPLE.items():
            if person.id in copy.state.room.people:
                cookies[state, kind] = cookie_for(host, debate, person)
    host.close()
    return States({state: f"d-{state.replace('_', '-')}" for state in STATES}, cookies)
