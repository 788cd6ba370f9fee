"""Random protocols and random legal play, for the laws. Everything follows from one seed, so a failure repeats."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Literal

from hypothesis import strategies as st

from debate_core import engine
from debate_core.commands import (
    AnyCommand,
    FailTurn,
    Pause,
    Resume,
    SetMark,
    SkipTurn,
    StartAttempt,
    Stop,
    TakeTurn,
    Truncate,
)
from debate_core.errors import InvalidSpec
from debate_core.events import Event, utc_text
from debate_core.model import (
    ABSTAIN,
    Argument,
    Claim,
    Content,
    Gives,
    Linked,
    Mark,
    Occupant,
    Review,
    Seat,
    Synthesis,
    TurnError,
    Usage,
)
from debate_core.presets import PROTOCOLS
from debate_core.protocol import Phase, Protocol, Rounds, Sees, Spec, check
from debate_core.rulebook import BySeat, Ceiling, DecisionReached, DecisionRule, Majority, MaxRounds, Threshold
from debate_core.rules import ceiling
from debate_core.state import Request, State, replay
from debate_core.views import View, view

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OPTIONS = ("adopt", "defer", "reject", "élan ☕")
ARGUMENTS: tuple[Gives, ...] = ("argument", "critique", "rebuttal")
ORDERS: tuple[Literal["in_turn"], Literal["at_once"]] = ("in_turn", "at_once")
OCCUPANTS: tuple[Occupant, ...] = ("model", "human", "offline", "scripted")
ERRORS: tuple[TurnError, ...] = ("timeout", "refused", "cut", "unparseable", "failed")


def _phase(rng: Random, name: str, *, closing: bool) -> Phase:
    order = rng.choice(ORDERS)
    return Phase(
        name=name,
        gives=rng.choice(ARGUMENTS),
        when="every" if closing else rng.choice(("every", "every", "first", "after_first", "middle", "last")),
        order=order,
        sees=Sees(
            turns=rng.choice(("all", "earlier_phases", "earlier_rounds", "last_round", "own")),
            names=rng.choice(("stance", "seat")),
            shuffle=rng.random() < 0.3,
        ),
        sealed=order == "at_once" and rng.random() < 0.3,
    )


def _rule(rng: Random, debaters: int) -> DecisionRule:
    kind = rng.choice(("threshold", "majority", "seat"))
    if kind == "threshold":
        return Threshold(votes=rng.randint(1, debaters), allows_two_winners=rng.random() < 0.5)
    return Majority(ballots_in_a_row=rng.randint(1, 3)) if kind == "majority" else BySeat()


def _ceiling(rng: Random) -> Ceiling:
    """Bounds that some debates reach and some do not."""
    return Ceiling(
        calls=rng.choice((None, rng.randint(0, 40))),
        tokens=rng.choice((None, rng.randint(0, 20_000))),
        usd=rng.choice((None, f"0.{rng.randint(0, 99):02}")),
    )


def _protocol(rng: Random, debaters: int) -> Protocol:
    """A preset in one of four cases, so that every law is played on all of them too."""
    if rng.random() < 0.25:
        return rng.choice([*PROTOCOLS.values()])
    each = [_phase(rng, f"p{i}", closing=False) for i in range(rng.randint(1, 4))]
    if rng.random() < 0.4:
        each.insert(rng.randint(0, len(each)), Phase(name="marking", gives="review", role="chair"))
    stop = rng.choice(((DecisionReached(), MaxRounds()), (MaxRounds(), DecisionReached()), (MaxRounds(),)))
    return Protocol(
        name="random",
        before=tuple(_phase(rng, f"b{i}", closing=True) for i in range(rng.randint(0, 1))),
        each_round=tuple(each),
        after=(Phase(name="end", gives="synthesis", role="synthesiser"),) if rng.random() < 0.7 else (),
        stop=(*stop, _ceiling(rng)) if rng.random() < 0.3 else stop,
        decide=_rule(rng, debaters),
        check_after=rng.choice(("phase", "round")),
        attempts=rng.randint(1, 3),
        rounds=Rounds(default=1, hard_max=6),
    )


def random_spec(seed: int) -> Spec | None:
    rng = Random(seed)
    debaters = rng.randint(1, 5)
    seats = [Seat(id=f"s{i}", occupant=rng.choice(OCCUPANTS), stance=f"side {i}") for i in range(debaters)]
    if rng.random() < 0.8:
        seats.append(Seat(id="syn", role="synthesiser"))
    if rng.random() < 0.6:
        seats.append(Seat(id="chair", role="chair", occupant="human"))
    spec = Spec(
        question="Which way?",
        options=OPTIONS[: rng.randint(2, 4)],
        seats=tuple(seats),
        protocol=_protocol(rng, debaters),
        max_rounds=rng.randint(1, 5),
        seed=seed,
    )
    try:
        check(spec)
    except InvalidSpec:
        return None
    return spec


SPECS = st.integers(0, 10**9).map(random_spec).filter(lambda spec: spec is not None)


def content_for(spec: Spec, request: Request, rng: Random, known: tuple[str, ...] = ()) -> Content:
    """Some valid content: any vote, any claims, any links, known or not."""
    links = tuple(rng.sample((*known, "nobody.9.9"), k=min(2, len(known) + 1)))
    if request.gives == "synthesis":
        option = rng.choice((*spec.options, None))
        return Synthesis(answer="So it is.", option=option, established=(Linked(text="a", links=links),))
    if request.gives == "review":
        marks = [Mark(claim_id=c, reading="supports", option=rng.choice(spec.options)) for c in known[:3]]
        return Review(marks=tuple(marks))
    claims = [Claim(text=f"c{i}", quote="q", source_id="E1", answers=links) for i in range(rng.randint(0, 2))]
    vote = rng.choice((*spec.options, *spec.options, ABSTAIN, None))
    return Argument(rationale="Because $5 “x”.", claims=tuple(claims), vote=vote, concedes=links, confidence=70)


def _reserved(rng: Random) -> Usage:
    """The most that a call may use; for one in twenty nobody knows the price."""
    cost = None if rng.random() < 0.05 else f"0.{rng.randint(1, 500):04}"
    return Usage(calls=1, input_tokens=rng.randint(1, 900), output_tokens=rng.randint(1, 300), cost_usd=cost)


def _used(reserved: Usage | None, rng: Random) -> Usage | None:
    """What a call used of what it had reserved: some of it, all of it, or nobody knows."""
    if reserved is None or rng.random() < 0.1:
        return None
    if rng.random() < 0.1:
        return Usage()
    priced = reserved.cost_usd if rng.random() < 0.95 else None
    out = rng.randint(0, reserved.output_tokens)
    return reserved.model_copy(update={"output_tokens": out, "cost_usd": priced, "estimated": rng.random() < 0.1})


def _answer(state: State, request: Request, rng: Random, *, faults: float, reserved: Usage | None = None) -> AnyCommand:
    roll, usage = rng.random(), _used(reserved, rng)
    if roll < faults:
        return FailTurn(
            by=request.seat,
            request=request.id,
            error=rng.choice(ERRORS),
            partial="par",
            usage=usage,
            permanent=rng.random() < 0.2,
            retry_after_ms=rng.choice((0, 2_000)),
        )
    if roll < faults * 1.3:
        return SkipTurn(by="chair", request=request.id, reason="no time")
    content = content_for(state.spec, request, rng, tuple(view(state, request).claims))
    return TakeTurn(by=request.seat, request=request.id, content=content, usage=usage)


def _aside(state: State, rng: Random) -> AnyCommand | None:
    """Something a person does between turns."""
    if state.paused:
        return Resume(by="chair", reason="go on")
    if rng.random() < 0.05:
        return Pause(by="chair", reason="coffee")
    if state.claims and rng.random() < 0.1:
        claim = rng.choice(sorted(state.claims))
        mark = Mark(claim_id=claim, reading="against", option=rng.choice(state.spec.options))
        return SetMark(by="anna", mark=mark)
    return Stop(by="chair", reason="fire alarm") if rng.random() < 0.005 else None


@dataclass
class Played:
    """A whole debate: its events and final state, every view given by request id, and the commands in order."""

    events: list[Event]
    state: State
    views: dict[str, View] = field(default_factory=dict)
    commands: list[AnyCommand] = field(default_factory=list)


def step(played: Played, command: AnyCommand) -> None:
    """Submit one command and fold what follows."""
    played.commands.append(command)
    new, after = engine.advance(played.state, command, at=AT)
    assert new == engine.submit(played.state, command, at=AT)
    played.events += new
    played.state = after


def begin(spec: Spec, debate_id: str = "d1") -> Played:
    """A debate that has been opened."""
    events = list(engine.open_debate(spec, debate_id=debate_id, at=AT))
    return Played(events, replay(events))


def play(spec: Spec, seed: int, *, faults: float = 0.15, asides: bool = True) -> Played:
    """Play a debate to its end with random legal commands."""
    rng, played = Random(seed), begin(spec)
    while asked := engine.requests(played.state):
        command = _aside(played.state, rng) if asides else None
        if command is not None:
            step(played, command)
            continue
        request = rng.choice(asked)
        played.views.setdefault(request.id, view(played.state, request))
        paid = spec.seat(request.seat).occupant == "model" and rng.random() < 0.8
        reserved = _reserved(rng) if paid else None
        if ceiling.passed(played.state, reserved, at=utc_text(AT)):
            step(played, Truncate(by="runner", request=request.id, reserved=reserved))
            continue
        if reserved is not None or rng.random() < 0.5:
            step(played, StartAttempt(by="runner", request=request.id, reserved=reserved))
        step(played, _answer(played.state, request, rng, faults=faults, reserved=reserved))
    return played


def play_by_slot(spec: Spec, order_seed: int, content_seed: int) -> Played:
    """Answers depend on the request alone; `order_seed` decides only who answers first."""
    rng, played = Random(order_seed), begin(spec)
    while asked := engine.requests(played.state):
        request = rng.choice(asked)
        played.views[request.id] = view(played.state, request)
        own = Random(f"{content_seed}:{request.id}")
        step(played, _answer(played.state, request, own, faults=0.1))
    return played
