"""Debates for `bench/pages.py`, one in each state of a workshop: four seats, twelve voters, two judges, documents.

Written to a store before the server starts. No model takes part: people hold the seats and say the texts of this
module.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import cycle

from debate_core.engine.engine import requests
from debate_core.engine.judge_view import complete_rounds
from debate_core.host.access.cookies import cookie_name, screen_cookie_name
from debate_core.host.host import Host, HostOptions
from debate_core.host.runner import now
from debate_core.host.stores import Store, open_store
from debate_core.record import acts
from debate_core.record.commands import Act, AnyCommand, Resume, TakeTurn
from debate_core.record.state import Request, State
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat, Source

QUESTION = "How do we publish order events from Checkout?"
OPTIONS = ("Outbox table", "Change data capture", "Publish with retries")
SEATS = ("checkout_engineer", "data_platform", "site_reliability", "payments_lead")
ROUNDS = 3
STATES = ("lobby", "prevote", "round", "vote", "pending", "reveal", "signed")
"""The states in the order of a workshop."""
BETWEEN = timedelta(minutes=13)
"""Time between the openings of two workshops."""
STEP = timedelta(seconds=9)
"""Time between two acts of a workshop."""
STEPS = {"lobby": 0, "prevote": 12, "round": 40, "vote": 75}
"""Acts in a workshop up to this state; so many `STEP` ago it began."""
ALL_STEPS = 85
WALL = "wall"
"""The projector as the viewer."""
FACILITATOR = Person(id="p-fay", name="Fay", role="facilitator")
JUDGES = tuple(Person(id=f"p-j{n}", name=name, role="judge") for n, name in enumerate(("June", "Joe")))
APPROVER = Person(id="p-abe", name="Abe", role="approver")
NAMES = ("Ada", "Bea", "Cem", "Dan", "Eva", "Finn", "Gus", "Hana", "Ines", "Jon", "Kim", "Leo")
VOTERS = tuple(Person(id=f"p-v{n}", name=name, electorate="room") for n, name in enumerate(NAMES))
DEBATERS = tuple(
    Person(id=f"p-d{n}", name=name, role="debater", seats=(seat,))
    for n, (name, seat) in enumerate(zip(("Ana", "Bo", "Cyd", "Dee"), SEATS, strict=True))
)
EVENTS = """# Order events

## Context

Checkout publishes 41,000 order events per day. In the incident of 3 September 212 orders were lost between the commit
and the broker. Three teams read these events, and two of them need them in the order of the commits.

## Decision drivers

No event may be lost. The 95th percentile of the delay may be 2 s at most. On-call has no one to spare before June.

## Outbox table

A row in the order's own transaction closes the gap inside the database. A relay that polls every 200 ms adds up to
200 ms to every event. The table grows by 1.2 GB per month and is emptied by a nightly job.

## Change data capture

The connector reads the log of the database, so that no code of Checkout changes. It needs a cluster of its own, which
costs $1,900 per month, and a change of a column stops it until somebody has changed the mapping.

## Publish with retries

The client repeats a call for 30 s. What is lost when the process dies in between stays lost. It needs two days of work.
"""
QUOTES = (
    "A row in the order's own transaction closes the gap inside the database.",
    "A relay that polls every 200 ms adds up to\n200 ms to every event.",
    "The connector reads the log of the database, so that no code of Checkout changes.",
    "a change of a column stops it until somebody has changed the mapping.",
    "What is lost when the process dies in between stays lost.",
    "It needs two days of work.",
    "The table grows by 1.2 GB per month and is emptied by a nightly job.",
    "In the incident of 3 September 212 orders were lost between the commit\nand the broker.",
    "costs $1,900 per month",
    "The client repeats a call for 30 s.",
)
SAID: dict[str, tuple[tuple[str, int | None], ...]] = {
    OPTIONS[0]: (
        ("An event is stored if and only if its order is.", 0),
        ("A relay that polls every 200 ms stays far below 2 s.", 1),
        ("The 212 orders of 3 September would not have been lost.", 7),
        ("A relay can read the rows in the order of the commits.", None),
        ("Checkout needs no second commit beside that of the order.", 0),
        ("A night job empties the table, so that 1.2 GB per month is no problem.", 6),
        ("When the broker is down, the events wait in the table.", None),
        ("A relay is one small process that on-call can restart.", None),
        ("It runs beside Checkout, where the connector takes a cluster.", 8),
        ("Two relays may send an event twice, so readers compare its number.", None),
        ("Payments can see in one table which events are still to be sent.", None),
        ("Polling costs 200 ms, which none of the three teams will notice.", 1),
    ),
    OPTIONS[1]: (
        ("No code of Checkout changes, so Checkout can go on with its plan.", 2),
        ("The log has every commit, so the connector misses none.", 2),
        ("The connector reads the commits in their order.", 2),
        ("The load of the database does not change.", None),
        ("A changed column stops it, but a test can find that before.", 3),
        ("Other teams can read the same log later without new code.", None),
        ("A mapping is one file, and data platform looks after it.", None),
        ("The $1,900 per month are shared by all who read the log.", 8),
        ("A changed column needs one new line in the mapping.", 3),
        ("No table grows inside the database of Checkout.", 6),
        ("The connector goes on where it stopped, so no event is lost.", None),
        ("Its delay is that of the log, which is well below 2 s.", None),
    ),
    OPTIONS[2]: (
        ("It is ready in two days, long before June.", 5),
        ("It adds neither a table nor a cluster.", None),
        ("A retry of 30 s covers each short outage of the broker.", 9),
        ("Only a process that dies within these 30 s loses events.", 4),
    ),
}
"""Sentences for each option, each with the number of its quote; what seats claim while they vote for the option."""
SPEECH = "What counts is what we agreed on: "
"""The beginning of each first turn."""
OPENINGS = (
    "no event may be lost. A transaction of our own database is the only place where that is certain.",
    "the delay, and that on-call has no one to spare. The log of the database exists already.",
    "June. A new process needs a person to watch it, and we have none before then.",
    "no lost event, as Payments sees each one on the next day. We can wait a few hundred milliseconds.",
)
"""The rest of it, by seat."""
NEXT = (
    "I stay with it. {claim}",
    "My answer to that: {claim}",
    "One more point, which no one has named yet. {claim}",
    "The draft is clear here. {claim}",
    "I have asked my team again. {claim}",
)
"""Later turns, in this order for each seat."""


@dataclass(frozen=True, slots=True)
class Stored:
    """Generated data: debates by state; for each debate the open link, for each person a cookie."""

    debates: dict[str, str]
    links: dict[str, str]
    cookies: dict[tuple[str, str], tuple[str, str]]
    """Name and value of the cookie."""


class _Clock:
    """The time of day, `age` ago."""

    age = timedelta()

    def __call__(self) -> datetime:
        return now() - self.age


class _SteppingHost(Host):
    """A host in whose debates time passes with each act, as in a room."""

    def __init__(self, store: Store, clock: _Clock) -> None:
        super().__init__(store, HostOptions(worker="none", clock=clock))
        self._steps = clock

    def submit(self, debate_id: str, command: AnyCommand) -> State:
        self._steps.age = max(timedelta(), self._steps.age - STEP)
        return super().submit(debate_id, command)


def write(database: str) -> Stored:
    """Write a debate without a room, and one workshop in each state."""
    clock = _Clock()
    clock.age = 10 * STEP
    host = _SteppingHost(open_store(database), clock)
    debates = {"seats": _seats_alone(host)}
    for place, state in enumerate(STATES):
        # Opened at different times, as debates are: a list shows which is which.
        clock.age = (len(STATES) - place) * BETWEEN
        debate = host.create(workshop_spec(), by=FACILITATOR.id)
        clock.age = min(clock.age, STEPS.get(state, ALL_STEPS) * STEP)
        debates[state] = _bring(host, debate, state)
        clock.age = timedelta()
    links, cookies = {}, {}
    for state in STATES:
        debate, door = debates[state], host.door_for(debates[state], by=FACILITATOR.id)
        links[state] = f"/join/{door.token(door.invitations.make(debate, 'voter', kind='open'))}"
        cookies[state, WALL] = (screen_cookie_name(debate), door.screen_token(debate))
        for who in (FACILITATOR, *JUDGES, APPROVER, VOTERS[0], VOTERS[-1], DEBATERS[0]):
            invite = door.invitations.make(debate, who.role, name=who.name, person=who.id, seats=who.seats)
            cookies[state, who.id] = (cookie_name(debate), door.cookies.of(invite, who.id))
    host.close()
    return Stored(debates, links, cookies)


def _sources() -> tuple[Source, ...]:
    return (Source(id="order-events", title="Order events, decision draft", text=EVENTS),)


def _seats_alone(host: Host) -> str:
    """Create a debate of three seats and two rounds without a room; votes change."""
    seats = [Seat(id=name, occupant="human", stance=side) for name, side in zip(SEATS, OPTIONS, strict=False)]
    spec = compose(QUESTION, list(OPTIONS), protocol("society"), seats, max_rounds=2, sources=_sources())
    debate = host.create(spec, by="facilitator")
    speak(host, debate)
    assert host.state(debate).outcome
    return debate


def workshop_spec() -> Spec:
    seats = tuple(
        Seat(id=seat, occupant="human", stance=side) for seat, side in zip(SEATS, cycle(OPTIONS), strict=False)
    )
    phases = (Phase(name="opening", order="at_once"), Phase(name="reply"))
    play = Protocol(name="own", each_round=phases, stop=(MaxRounds(),), decide=Threshold(votes=3))
    people = (FACILITATOR, *JUDGES, APPROVER, *VOTERS, *DEBATERS)
    room = Room(people=people, decides="room", vote=Threshold(votes=7), phase_seconds=300)
    return Spec(
        question=QUESTION,
        options=OPTIONS,
        seats=seats,
        protocol=play,
        max_rounds=ROUNDS,
        room=room,
        sources=_sources(),
    )


def _bring(host: Host, debate: str, until: str) -> str:
    """Bring a new workshop into this state."""
    if until == "lobby":
        return debate
    _act(host, debate, FACILITATOR, acts.PollOpened(poll="pre"))
    if until == "prevote":
        _ballots(host, debate, "pre", (3, 4, 2))
        return debate
    _ballots(host, debate, "pre", (3, 6, 3))
    _act(host, debate, FACILITATOR, acts.PollClosed(poll="pre"))
    _debate(host, debate, until)
    if until == "round":
        return debate
    _act(host, debate, FACILITATOR, acts.PollOpened(poll="final"))
    if until == "vote":
        _ballots(host, debate, "final", (5, 3, 1))
        return debate
    _ballots(host, debate, "final", (7, 4, 1))
    _act(host, debate, FACILITATOR, acts.PollClosed(poll="final"))
    if until == "pending":
        return debate
    _act(host, debate, FACILITATOR, acts.PollRevealed(poll="final"))
    _act(host, debate, FACILITATOR, acts.PollRevealed(poll="pre"))
    if until == "signed":
        signed = acts.Signed(
            verdict="accept",
            option=OPTIONS[0],
            owner="Ola",
            reason="It loses no order, and on-call needs nothing new.",
            revisit="2027-03-01",
            assumptions=(acts.Assumption(text="The relay stays below 2 s at the 95th percentile."),),
        )
        _act(host, debate, APPROVER, signed)
    return debate


def _debate(host: Host, debate: str, until: str) -> None:
    """Play all rounds with judgements after each; for `round` stop after two replies in the second one."""
    while host.state(debate).outcome is None:
        host.submit(debate, Resume(by=FACILITATOR.id))
        if until == "round" and host.state(debate).current_round() == 2:
            speak(host, debate, turns=6)
            return
        speak(host, debate)
        _judge(host, debate)


def _judge(host: Host, debate: str) -> None:
    number = complete_rounds(host.state(debate))
    final = host.state(debate).outcome is not None
    for judge, first in zip(JUDGES, (35, 45), strict=True):
        shares = zip(OPTIONS, (first + 8 * number, 40 - 6 * number, 60 - first - 2 * number), strict=True)
        beliefs = tuple(acts.Believed(option=option, percent=share) for option, share in shares)
        why = "The quote on the lost events was answered by nobody." if final else ""
        _act(host, debate, judge, acts.BeliefReported(round=number, beliefs=beliefs, final=final, explanation=why))
    _act(host, debate, FACILITATOR, acts.BeliefsRevealed(round=number))


def speak(host: Host, debate: str, turns: int = 1_000) -> None:
    """Answer every request until the debate waits or is over."""
    for _ in range(turns):
        state = host.state(debate)
        asked = requests(state)
        if state.paused is not None or not asked:
            return
        by = next((p.id for p in DEBATERS if asked[0].seat in p.seats and state.spec.has_people), asked[0].seat)
        host.submit(debate, TakeTurn(by=by, request=asked[0].id, content=_said(state, asked[0])))


def _said(state: State, asked: Request) -> Argument:
    """Build a turn: claims with quotes, a reply to a seat that votes otherwise, and a vote for the first option later.

    A seat that changes its vote concedes the claim that moved it.
    """
    place = SEATS.index(asked.seat)
    vote = OPTIONS[0] if asked.round > 1 and place != 1 else OPTIONS[place % len(OPTIONS)]
    votes = {turn.seat: turn.argument.vote for turn in state.turns if turn.argument}
    mine = [turn for turn in state.turns if turn.seat == asked.seat]
    # Two seats that vote alike begin at different sentences.
    begin = sum(len(turn.claims) for turn in mine) + 2 * place
    claims = [_claim(vote, begin + n) for n in range(1 if asked.phase == "reply" else 2)]
    against = [claim for turn in state.turns if votes[turn.seat] != vote for claim in turn.claims]
    moved = next((turn.claims[0].id for turn in state.turns if votes[turn.seat] == vote), "")
    opening = SPEECH + OPENINGS[place]
    return Argument(
        rationale=NEXT[(len(mine) - 1) % len(NEXT)].format(claim=claims[0].text) if mine else opening,
        vote=vote,
        claims=tuple(claims),
        answers=(against[-1 - (place % len(against))].id,) if against else (),
        concedes=(moved,) if mine and votes[asked.seat] != vote else (),
    )


def _claim(option: str, number: int) -> Claim:
    text, quote = SAID[option][number % len(SAID[option])]
    return Claim(text=text) if quote is None else Claim(text=text, quote=QUOTES[quote], source_id="order-events")


def _ballots(host: Host, debate: str, poll: str, chosen: tuple[int, ...]) -> None:
    """Cast ballots: `chosen` is the number of voters for each option, in order; the others do not vote."""
    choices = [option for option, voters in zip(OPTIONS, chosen, strict=True) for _ in range(voters)]
    for voter, choice in zip(VOTERS, choices, strict=False):
        _act(host, debate, voter, acts.BallotCast(poll=poll, choice=choice))


def _act(host: Host, debate: str, by: Person, act: acts.RoomAct) -> None:
    host.submit(debate, Act(by=by.id, act=act))
