"""Check that the seats of a debate can decide it: code that only quotes has no view.

Examines a Spec alone, before any cost. `warnings` has warnings about unlikely decisions.
"""

from collections.abc import Iterator

from debate_core.sentence import Sentence
from debate_core.spec.protocol import Spec, agenda, asks_ballot, speakers_in
from debate_core.spec.rules import BySeat, CountedRule, Majority, Tournament, quorum_of, votes_needed


def cannot_compare(spec: Spec) -> Sentence | None:
    """Return why the seats of a tournament cannot compare its options, or None."""
    panel = spec.evidence_panel() if spec.protocol.paired else ()
    if not panel:
        return None
    return Sentence(
        "the evidence panel compares nothing, so no option would be ranked: seat people or models as {seats}",
        seats=Sentence.joined([Sentence(seat.id) for seat in panel], ", "),
    )


def cannot_match(spec: Spec) -> Sentence | None:
    """Return why the options of a tournament cannot be compared in short debates, or None."""
    rule = spec.protocol.decide
    if not isinstance(rule, Tournament) or rule.matches is None:
        return None
    roles = {phase.role for phase in spec.protocol.each_round if phase.paired}
    others = [seat.id for seat in spec.seats if seat.role in roles and not seat.is_model]
    if not others:
        return None
    return Sentence(
        "only models compare pairs in a short debate: seat models as {seats}, or let the seats compare alone",
        seats=Sentence.joined([Sentence(seat) for seat in others], ", "),
    )


def cannot_decide(spec: Spec) -> Sentence | None:
    """Return why no seat of this debate can decide it, or None. A final vote of people always can."""
    if spec.terms.decides != "debaters":
        return None
    match spec.protocol.decide:
        case Tournament():
            return cannot_compare(spec)
        case BySeat() as rule:
            if any(seat.occupant != "offline" for seat in spec.seats_of(rule.role)):
                return None
            return Sentence(
                "a program cannot choose an option: seat a person or a model as {role}", role=Sentence(rule.role)
            )
        case rule:
            votes_enough = not spec.evidence_panel() or _can_elect(spec, rule)
            return None if votes_enough else _panel_without_votes(spec)


def _can_elect(spec: Spec, rule: CountedRule) -> bool:
    """True if the seats can cast enough votes on as many ballots as the rule asks for, or on the first one all."""
    weights = {seat.id: seat.weight for seat in spec.debaters()}
    total = sum(weights.values())
    electing = 0
    for number, voters in enumerate(_voters_by_count(spec)):
        weight = sum(weights[seat] for seat in voters)
        needed = votes_needed(rule, total, cast=weight) or 1
        electing += weight >= needed and len(voters) >= max(1, quorum_of(rule, len(weights)))
        is_unanimous_at_once = number == 0 and len(voters) == len(weights)
        if electing and (is_unanimous_at_once or electing >= _in_a_row(rule)):
            return True
    return False


def _voters_by_count(spec: Spec) -> Iterator[frozenset[str]]:
    """Yield for each count the seats that can have voted by then: the evidence panel votes once people have marked."""
    panel = {seat.id for seat in spec.evidence_panel()}
    marking = {seat.id for seat in spec.seats_of("chair") if seat.occupant != "offline"}
    voted = frozenset[str]()
    is_marked = False
    for slot in agenda(spec):
        speakers = speakers_in(spec, [slot])
        is_marked = is_marked or (slot.phase.gives == "review" and not speakers.isdisjoint(marking))
        if asks_ballot(spec.protocol, slot.phase):
            voted |= speakers if is_marked else speakers - panel
            yield voted


def _in_a_row(rule: CountedRule) -> int:
    return rule.ballots_in_a_row if isinstance(rule, Majority) else 1


def _panel_without_votes(spec: Spec) -> Sentence:
    """Name the way out, which depends on whether these rules have passages marked at all."""
    can_be_marked = any(phase.gives == "review" for phase in spec.protocol.phases())
    if not can_be_marked:
        return Sentence(
            "the evidence panel votes only where people mark its passages, and {name} has no phase for that: let the "
            "room decide, seat people or models, or take expert_panel or bounded_vote",
            name=spec.protocol.name,
        )
    if not spec.seats_of("chair"):
        return Sentence(
            "the evidence panel votes only from marks, and no person marks its passages: let someone mark them"
        )
    return Sentence(
        "the evidence panel votes only once its passages are marked, and too few ballots follow after that: add a round"
    )
