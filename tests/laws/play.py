"""Random legal play of random debates, for the laws. Everything follows from one seed, so a failure repeats."""

from collections.abc import Collection
from random import Random

from debate_core.engine import limits, schedule, validate_content
from debate_core.engine.seat_view import View, view
from debate_core.engine.stage import unreached
from debate_core.record.commands import (
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
from debate_core.record.events import utc_text
from debate_core.record.state import Request, State
from debate_core.spec.contents import (
    Argument,
    Candidate,
    Candidates,
    Claim,
    Content,
    Directive,
    Evaluation,
    Framing,
    Linked,
    Mark,
    Position,
    Positions,
    Quality,
    Review,
    StruckCandidate,
    Synthesis,
    Verdict,
)
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Elected, ballot_kind
from debate_core.spec.values import ABSTAIN, Given, TurnError, Usage
from tests.laws.specs import SPECS as SPECS
from tests.laws.specs import random_spec as random_spec
from tests.playing import AT, Played

ERRORS: tuple[TurnError, ...] = ("timeout", "refused", "cut", "unparseable", "failed", "weak")


def content_for(
    spec: Spec, request: Request, rng: Random, known: tuple[str, ...] = (), options: tuple[str, ...] = ()
) -> Content:
    """Some valid content: any vote, any claims, any links, known or not. `options`: those that are compared."""
    links = tuple(rng.sample((*known, "nobody.9.9"), k=min(2, len(known) + 1)))
    some = (Linked(text="a", links=links),)
    option = rng.choice((*(options or spec.options), None))
    match request.gives:
        case "synthesis":
            again = rng.choice((True, False, None))
            return Synthesis(answer="So it is.", option=option, established=some, recommend_another_round=again)
        case "review":
            marks = [Mark(claim_id=c, reading="supports", option=rng.choice(spec.options)) for c in known[:3]]
            return Review(marks=tuple(marks))
        case "framing":
            return Framing(thesis="It pays.", scope="This year.", criteria=("cost",))
        case "positions":
            seats = spec.without_stance()
            sides = (
                Position(name=f"{request.id} {n}", claim="It pays.", because="it is cheap") for n in range(len(seats))
            )
            return Positions(reason=request.id, positions=tuple(sides))
        case "directive":
            return _directive(spec, request, rng)
        case "evaluation":
            quality = tuple(Quality(seat=s.id, score=rng.randint(1, 10)) for s in spec.debaters())
            another = rng.random() < 0.5
            return Evaluation(synthesis="Even.", quality=quality, unresolved=some, recommend_another_round=another)
        case "candidates" | "screening":
            return _candidates(spec, request, rng)
        case "verdict":
            return Verdict(reasoning="Weighed.", verdict="this one", option=option, confidence=rng.randint(0, 100))
        case _:
            return _argument(spec, rng, links)


def _candidates(spec: Spec, request: Request, rng: Random) -> Candidates:
    """Two or three new ones, one of them perhaps twice; a screening may strike one, and often one that nobody named."""
    new = [
        Candidate(name=f"{request.turn()} {n}", text=rng.choice(("", "It works."))) for n in range(rng.randint(2, 3))
    ]
    if request.gives == "candidates":
        return Candidates(reason="They differ.", candidates=(*new, new[0]), struck=())
    struck = StruckCandidate(name=rng.choice(("1.generation.generator 0", "nobody named it")), because="It is double.")
    return Candidates(kind="screening", reason="Read.", candidates=tuple(new[:2]), struck=(struck,))


def _directive(spec: Spec, request: Request, rng: Random) -> Directive:
    """Some debaters in any order, or nobody and done. Its reason is the request: one can be told from another."""
    names = [s.id for s in spec.debaters()]
    named = tuple(rng.sample(names, k=rng.randint(0, len(names))))
    if named and rng.random() < 0.3:
        named = (*named, rng.choice(named))
    done = not named or rng.random() < 0.2
    return Directive(reason=request.id, next_speakers=named, briefing="Facts.", new_angle="Costs.", done=done)


def _argument(spec: Spec, rng: Random, links: tuple[str, ...]) -> Argument:
    claims = [Claim(text=f"c{i}", quote="q", source_id="E1", answers=links) for i in range(rng.randint(0, 2))]
    vote = rng.choice((*spec.options, *spec.options, ABSTAIN, None))
    kind = ballot_kind(spec.protocol.decide)
    several = kind != "one" and vote not in (ABSTAIN, None)
    return Argument(
        rationale="Because $5 “x”.",
        claims=tuple(claims),
        vote=None if several else vote,
        ballot=ballot_from(spec, rng) if several else (),
        concedes=links,
        confidence=70,
        strength=rng.choice((None, rng.randint(1, 10))),
    )


def ballot_from(spec: Spec, rng: Random) -> tuple[Given, ...]:
    """Any ballot that the rule takes, on some of the options in any order."""
    rule = spec.protocol.decide
    kind, dots = ballot_kind(rule), rule.dots if isinstance(rule, Elected) else 0
    named = rng.sample(spec.options, k=rng.randint(1, len(spec.options)))
    match kind:
        case "dots":
            spent = [rng.choice(named) for _ in range(rng.randint(1, dots))]
            return tuple(Given(option=o, points=spent.count(o)) for o in named)
        case "consent":
            return tuple(Given(option=o, points=rng.randint(0, 2), reason="It costs.") for o in named)
        case "ranking":
            return tuple(Given(option=o, points=rng.randint(1, 4)) for o in named)
        case "score":
            return tuple(Given(option=o, points=rng.randint(0, 5)) for o in named)
        case _:
            return tuple(Given(option=o, points=1) for o in named)


def _reserved(rng: Random) -> Usage:
    """The most that a call may use; for one in twenty nobody knows the price."""
    cost = None if rng.random() < 0.05 else f"0.{rng.randint(1, 500):04}"
    return Usage(calls=1, input_tokens=rng.randint(1, 900), output_tokens=rng.randint(1, 300), cost_usd=cost)


def _used(reserved: Usage | None, rng: Random) -> Usage | None:
    """Return the usage of a call: some of its reservation, all of it, or unknown."""
    if reserved is None or rng.random() < 0.1:
        return None
    if rng.random() < 0.1:
        return Usage()
    priced = reserved.cost_usd if rng.random() < 0.95 else None
    out = rng.randint(0, reserved.output_tokens)
    return reserved.model_copy(update={"output_tokens": out, "cost_usd": priced, "estimated": rng.random() < 0.1})


def _answer(
    state: State, request: Request, seen: View, rng: Random, *, faults: float, reserved: Usage | None = None
) -> AnyCommand:
    roll, usage = rng.random(), _used(reserved, rng)
    if roll < faults:
        transport = rng.random() < 0.3
        return FailTurn(
            by=request.seat,
            request=request.id,
            error=rng.choice(ERRORS),
            partial="par",
            usage=usage,
            permanent=rng.random() < 0.2,
            retry_after_ms=rng.choice((0, 2_000)),
            transport=transport,
            began=transport and rng.random() < 0.5,
        )
    if roll < faults * 1.3:
        return SkipTurn(by="chair", request=request.id, reason="no time")
    content = content_for(state.spec, request, rng, seen.names.real(tuple(seen.claims)), seen.options)
    if schedule.may_send_back(state, request) and rng.random() < 0.5:
        content = Directive(reason=request.id, redo=True)
    why = validate_content.weak(state.phase(request.phase).min_strength, content)
    if why and request.attempt < state.spec.protocol.attempts:
        return FailTurn(by=request.seat, request=request.id, error="weak", message=why, usage=usage)
    return TakeTurn(by=request.seat, request=request.id, content=content, usage=usage)


def _aside(state: State, rng: Random) -> AnyCommand | None:
    """Something a person does between turns."""
    if state.paused:
        return Resume(by="chair", reason="go on", gives_up=bool(unreached(state)) and rng.random() < 0.7)
    if rng.random() < 0.05:
        return Pause(by="chair", reason="coffee")
    if state.claims and rng.random() < 0.1:
        claim = rng.choice(sorted(state.claims))
        mark = Mark(claim_id=claim, reading="against", option=rng.choice(state.spec.options))
        return SetMark(by="anna", mark=mark)
    return Stop(by="chair", reason="fire alarm") if rng.random() < 0.005 else None


def play(
    spec: Spec, seed: int, *, faults: float = 0.15, asides: bool = True, dead: Collection[str] = (), debate_id: str = ""
) -> Played:
    """Play a debate to its end with random legal commands; every attempt of a dead seat fails."""
    rng, played = Random(seed), Played(spec, debate_id)
    while asked := played.requests():
        command = _aside(played.state, rng) if asides or unreached(played.state) else None
        if command is not None:
            played.do(command)
            continue
        request = rng.choice(asked)
        seen = view(played.state, request)
        played.seen.setdefault(request.id, seen)
        paid = spec.seat(request.seat).occupant == "model" and rng.random() < 0.8
        reserved = _reserved(rng) if paid else None
        if limits.passed(played.state, reserved, at=utc_text(AT)):
            played.do(Truncate(by="runner", request=request.id, reserved=reserved))
            continue
        if reserved is not None or rng.random() < 0.5:
            played.do(StartAttempt(by="runner", request=request.id, reserved=reserved))
        lost = 1.0 if request.seat in dead else faults
        played.do(_answer(played.state, request, seen, rng, faults=lost, reserved=reserved))
    return played


def play_by_slot(spec: Spec, order_seed: int, content_seed: int) -> Played:
    """Answers depend on the request alone; `order_seed` decides only who answers first."""
    rng, played = Random(order_seed), Played(spec)
    while asked := played.requests():
        request = rng.choice(asked)
        seen = played.seen[request.id] = view(played.state, request)
        own = Random(f"{content_seed}:{request.id}")
        played.do(_answer(played.state, request, seen, own, faults=0.1))
    return played
