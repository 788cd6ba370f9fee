"""Random debates to play: every kind of phase, rule and seat, and the shipped protocols. All follows from one seed."""

from itertools import combinations
from random import Random
from typing import Any, Literal, get_args

from hypothesis import strategies as st

from debate_core.engine.stop_functions import register_stop
from debate_core.errors import InvalidSpec
from debate_core.spec.checks import check
from debate_core.spec.contents import Gives
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Phase, Protocol, Rounds, Sees, Spec
from debate_core.spec.rules import (
    AllOf,
    ByCount,
    BySeat,
    Ceiling,
    DecisionRule,
    Elected,
    ElectedKind,
    Majority,
    MaxRounds,
    Plurality,
    Simple,
    StopRule,
    Supermajority,
    Threshold,
    Unanimity,
    fault_in_stops,
)
from debate_core.spec.values import Occupant, Role, Seat, TieBreak

OPTIONS = ("adopt", "defer", "reject", "élan ☕")
ARGUMENTS: tuple[Gives, ...] = ("argument", "critique", "rebuttal")
OCCUPANTS: tuple[Occupant, ...] = ("model", "human", "offline", "scripted")
OFFICES: tuple[Role, ...] = ("synthesiser", "moderator", "evaluator", "judge", "framer", "referee", "assigner")
ORDERS: tuple[Literal["in_turn"], Literal["at_once"]] = ("in_turn", "at_once")
KINDS: tuple[ElectedKind, ...] = get_args(Elected.model_fields["kind"].annotation)
SEEN = get_args(Sees.model_fields["turns"].annotation)
STOP_KINDS: dict[type[Simple], dict[str, Any]] = {kind: kind.model_json_schema() for kind in get_args(Simple)}
"""Every stop rule, with its fields and their bounds."""
PHRASES = ("because", "what nobody says")
FUNCTIONS = ("from_round_3", "even_claims")
"""Stop functions that some rounds meet."""
register_stop(FUNCTIONS[0], lambda state: state.current_round() >= 3)
register_stop(FUNCTIONS[1], lambda state: len(state.claims) % 2 == 0)
MAX_DRAWN = 12
"""Bounds of stop rules are drawn up to here, so that some debates reach them."""


def _phase(rng: Random, name: str, debaters: int, attempts: int, *, section: str = "round") -> Phase:
    """A phase of the debaters."""
    order = rng.choice(ORDERS)
    gives = rng.choice(ARGUMENTS)
    directed = section == "directed" and rng.random() < 0.8
    some = rng.sample(range(1, debaters + 1), k=rng.randint(1, debaters))
    return Phase(
        name=name,
        gives=gives,
        when="every" if section == "aside" else rng.choice(("every",) * 4 + ("first", "after_first", "middle", "last")),
        order=order,
        sees=_sees(rng),
        places=() if directed or rng.random() < 0.7 else tuple(some),
        starts=rng.choice(("declared", "rotate", "drawn")),
        directed=directed,
        min_strength=rng.randint(1, 10) if gives == "critique" and attempts > 1 else None,
        sealed=order == "at_once" and rng.random() < 0.3,
    )


def _sees(rng: Random) -> Sees:
    return Sees(turns=rng.choice(SEEN), names=rng.choice(("stance", "seat")), shuffle=rng.random() < 0.3)


def _office(rng: Random, name: str, gives: Gives, role: Role, *, redo: bool = False) -> Phase:
    """A phase of seats that do not debate; those of moderators are at_once too, to see that nothing leaks."""
    return Phase(name=name, gives=gives, role=role, order=rng.choice(ORDERS), sees=Sees(), after_redo=redo)


def _round(rng: Random, debaters: int, attempts: int) -> tuple[Phase, ...]:
    steered = rng.random() < 0.5
    section = "directed" if steered else "round"
    phases = [_phase(rng, f"p{i}", debaters, attempts, section=section) for i in range(rng.randint(1, 4))]
    if steered:
        gate = [_office(rng, "gate", "directive", "chair")] if rng.random() < 0.5 else []
        if gate and rng.random() < 0.7:
            gate.append(_office(rng, "again", "directive", "moderator", redo=True))
            gate.append(_office(rng, "second_gate", "directive", "chair", redo=True))
        phases = [_office(rng, "opens", "directive", "moderator"), *gate, *phases]
    if rng.random() < 0.4:
        phases.insert(rng.randint(0, len(phases)), Phase(name="marking", gives="review", role="chair"))
    if rng.random() < 0.4:
        phases.append(_office(rng, "evaluation", "evaluation", "evaluator"))
    if rng.random() < 0.3:
        phases.append(_office(rng, "reading", "verdict", "judge"))
    if rng.random() < 0.3:
        phases.append(_office(rng, "interim", "synthesis", "synthesiser"))
    if rng.random() < 0.2:
        phases.insert(rng.randint(0, len(phases)), _office(rng, "whistle", "critique", "referee"))
    return tuple(phases)


def _before(rng: Random, debaters: int, attempts: int) -> tuple[Phase, ...]:
    framing = [_office(rng, "framing", "framing", "framer")] if rng.random() < 0.3 else []
    if rng.random() < 0.4:
        framing.append(_office(rng, "sides", "positions", "assigner"))
        framing.append(_office(rng, "confirmed", "positions", "chair"))
    return (*framing, *(_phase(rng, f"b{i}", debaters, attempts, section="aside") for i in range(rng.randint(0, 1))))


def _after(rng: Random, debaters: int, attempts: int) -> tuple[Phase, ...]:
    ballot = (_phase(rng, "vote", debaters, attempts, section="aside"),) if rng.random() < 0.3 else ()
    ends: tuple[tuple[Phase, ...], ...] = (
        (),
        (_office(rng, "end", "synthesis", "synthesiser"),),
        (_office(rng, "verdict", "verdict", "judge"), _office(rng, "advice", "evaluation", "evaluator")),
    )
    return (*ballot, *rng.choice(ends))


def _rule(rng: Random, debaters: int) -> DecisionRule:
    quorum = rng.randint(1, debaters) if rng.random() < 0.5 else None
    rules: tuple[DecisionRule, ...] = (
        Threshold(votes=rng.randint(1, debaters), allows_two_winners=rng.random() < 0.5, quorum=quorum),
        Majority(ballots_in_a_row=rng.randint(1, 3), quorum=quorum),
        Supermajority(numerator=rng.randint(2, 4), denominator=rng.randint(3, 5), quorum=quorum),
        Unanimity(quorum=quorum),
        Plurality(quorum=quorum),
        *(_elected(rng, quorum) for _ in range(3)),
        BySeat(),
        BySeat(role="judge", decides_unheard=rng.random() < 0.2),
    )
    rule = rng.choice(rules)
    if isinstance(rule, Majority | Supermajority | Unanimity) and rng.random() < 0.3:
        rule = rule.model_copy(update={"base": "cast"})
    if isinstance(rule, ByCount) and rng.random() < 0.4:
        rule = rule.model_copy(update={"tie": rng.choice(LADDERS)})
    return rule


LADDERS: tuple[tuple[TieBreak, ...], ...] = (
    ("lot",),
    ("approver",),
    ("pairwise", "second"),
    ("second", "pairwise", "lot"),
    ("pairwise", "approver"),
)


def _elected(rng: Random, quorum: int | None) -> Elected:
    kind = rng.choice(KINDS)
    floor = rng.randint(1, 100) if kind == "approval" and rng.random() < 0.5 else None
    return Elected(kind=kind, floor_percent=floor, dots=rng.randint(1, 9), quorum=quorum)


def _stops(rng: Random, gives: set[Gives], decide: DecisionRule) -> tuple[StopRule, ...]:
    """Any rules in any order, sometimes some of them together, and always the last round."""
    some = [_stop_rule(rng, kind) for kind in STOP_KINDS if kind not in (MaxRounds, Ceiling)]
    alone = [rule for rule in some if fault_in_stops((rule,), decide, gives) is None]
    pairs = [AllOf(rules=pair) for pair in combinations(some, 2)]
    together = [rule for rule in pairs if fault_in_stops((rule,), decide, gives) is None]
    rules: list[StopRule] = [MaxRounds(), *rng.sample(alone, k=rng.randint(0, 3))]
    if rng.random() < 0.3:
        rules.append(rng.choice(together))
    if rng.random() < 0.3:
        rules.append(
            Ceiling(
                calls=rng.choice((None, rng.randint(0, 40))),
                tokens=rng.choice((None, rng.randint(0, 20_000))),
                usd=rng.choice((None, f"0.{rng.randint(0, 99):02}")),
            )
        )
    rng.shuffle(rules)
    return tuple(rules)


def _stop_rule(rng: Random, kind: type[Simple]) -> Simple:
    """A rule of this kind; what has no default is drawn within its bounds."""
    schema = STOP_KINDS[kind]
    asked = schema.get("required", ())
    return kind.model_validate({name: _drawn(rng, schema["properties"][name]) for name in asked})


def _drawn(rng: Random, schema: dict[str, Any]) -> object:
    if schema["type"] == "string":
        return rng.choice(FUNCTIONS if "pattern" in schema else PHRASES)
    return rng.randint(schema["minimum"], MAX_DRAWN)


def _protocol(rng: Random, debaters: int) -> Protocol:
    """A preset in one of four cases, so that every law is played on all of them too."""
    if rng.random() < 0.25:
        return rng.choice([*PROTOCOLS.values()])
    attempts = rng.randint(1, 3)
    each_round = _round(rng, debaters, attempts)
    decide = _rule(rng, debaters)
    return Protocol(
        name="random",
        before=_before(rng, debaters, attempts),
        each_round=each_round,
        after=_after(rng, debaters, attempts),
        stop=_stops(rng, {p.gives for p in each_round}, decide),
        decide=decide,
        check_after=rng.choice(("phase", "round")),
        attempts=attempts,
        rounds=Rounds(default=1, hard_max=6),
    )


def _seats(rng: Random, debaters: int) -> tuple[Seat, ...]:
    sides = [f"side {i}" if rng.random() < 0.7 else "" for i in range(debaters)]
    weighty = rng.random() < 0.3
    seats = [
        Seat(id=f"s{i}", occupant=rng.choice(OCCUPANTS), stance=sides[i], weight=rng.randint(1, 3) if weighty else 1)
        for i in range(debaters)
    ]
    for role in OFFICES:
        several = 2 if role in ("moderator", "evaluator") and rng.random() < 0.2 else 1
        seats += [Seat(id=f"{role}{i}", role=role) for i in range(several if rng.random() < 0.8 else 0)]
    if rng.random() < 0.6:
        seats.append(Seat(id="chair", role="chair", occupant="human"))
    return tuple(seats)


def random_spec(seed: int) -> Spec | None:
    """A debate that can be played, or None."""
    rng = Random(seed)
    debaters = rng.randint(1, 5)
    protocol = _protocol(rng, debaters)
    spec = Spec(
        question="Which way?",
        options=OPTIONS[: rng.randint(2, 4)],
        seats=_seats(rng, debaters),
        protocol=protocol,
        max_rounds=min(rng.randint(1, 5), protocol.rounds.hard_max),
        seed=seed,
    )
    try:
        check(spec)
    except InvalidSpec:
        return None
    return spec


SPECS = st.integers(0, 10**9).map(random_spec).filter(lambda spec: spec is not None)
