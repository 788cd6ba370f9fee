"""Warnings about debates that can be held, and the parts that a run lacks to be called a debate.

Examines a Spec alone, before any cost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from debate_core.sentence import Sentence
from debate_core.spec import rules
from debate_core.spec.contents import NAMING_AN_OPTION
from debate_core.spec.protocol import (
    Phase,
    Protocol,
    Slot,
    Spec,
    agenda,
    asks_ballot,
    slots_of_debaters,
    speakers_in,
)
from debate_core.spec.rotation import fault_in_rotation
from debate_core.spec.values import Seat
from debate_core.text import folded


def warnings(spec: Spec) -> tuple[Sentence, ...]:
    """Points to reconsider before the start, one sentence each."""
    protocol = spec.protocol
    grounds = set[rules.StopGround]()
    for slot in agenda(spec):
        if slot.section != "after" and spec.seats_of(slot.phase.role):
            grounds |= _grounds_in_phase(protocol, slot.phase)
    doubts = (
        _doubt_about_threshold(spec),
        rounds_warning(spec),
        _doubt_about_twins(spec),
        _doubt_about_sides(spec),
        _doubt_about_sources(spec),
        *_doubts_about_readers(spec),
        fault_in_rotation(spec),
        *[rules.fault_in_stop(stop, grounds, spec.max_rounds) for stop in spec.protocol.stop],
    )
    return tuple(doubt for doubt in doubts if doubt)


def _doubt_about_threshold(spec: Spec) -> Sentence | None:
    rule = spec.protocol.decide
    debaters = spec.debaters()
    if not isinstance(rule, rules.Threshold) or 2 * rule.votes > sum(seat.weight for seat in debaters):
        return None
    return Sentence(
        "with {debaters} debaters two options can reach {votes} votes: that is a tie, not a decision",
        debaters=len(debaters),
        votes=rule.votes,
    )


def rounds_warning(spec: Spec) -> Sentence | None:
    """Warning about more rounds than are usual under the protocol, whether models or people debate."""
    usual = spec.protocol.rounds.warn_above
    if spec.max_rounds <= usual:
        return None
    return Sentence(
        "{max_rounds} rounds are more than {usual}: later rounds rarely add arguments",
        max_rounds=spec.max_rounds,
        usual=usual,
    )


def _doubt_about_twins(spec: Spec) -> Sentence | None:
    has_models = any(seat.is_model for seat in spec.debaters())
    if not has_models or not has_twins(spec.debaters()):
        return None
    return Sentence("two seats have the same stance and persona: their agreement would be no evidence")


def has_twins(seats: Iterable[Seat]) -> bool:
    """True if two of these seats have the same stance and persona."""
    texts = Counter((seat.stance.strip().casefold(), seat.persona.strip().casefold()) for seat in seats)
    return any(n > 1 for n in texts.values())


def _doubt_about_sides(spec: Spec) -> Sentence | None:
    if len(spec.debaters()) == 1:
        return Sentence("one debater alone is no debate")
    if _all_on_one_side(spec):
        return Sentence("all debaters defend the same side: that is no debate")
    return None


def _doubt_about_sources(spec: Spec) -> Sentence | None:
    for source in spec.sources:
        if source.from_round > spec.max_rounds:
            return Sentence("no seat will see the source {late}: its round comes after the last one", late=source.id)
    return None


def _doubts_about_readers(spec: Spec) -> Iterator[Sentence]:
    private = [source for source in spec.sources if source.only_for is not None]
    readers = {seat for source in private for seat in source.only_for or ()}
    if len(readers) == 1 and len(private) == len(spec.sources):
        yield Sentence("only {seat} reads a document: the other seats have nothing to quote", seat=readers.pop())
    if private and spec.protocol.rotate_models:
        yield Sentence(
            "rotate_models moves models between seats: the source {id} stays with its seat, so several models read it",
            id=private[0].id,
        )


def _grounds_in_phase(protocol: Protocol, phase: Phase) -> set[rules.StopGround]:
    grounds: set[rules.StopGround] = {phase.gives}
    if asks_ballot(protocol, phase):
        grounds |= {"ballot", "decision"}
    if phase.paired:
        grounds.add("comparison")
    if phase.role == protocol.deciding_role and phase.gives in NAMING_AN_OPTION:
        grounds.add("decision")
    return grounds


def missing_of_a_debate(spec: Spec) -> tuple[Sentence, ...]:
    """The parts that this run lacks to be called a debate; () = none."""
    return tuple(_lacks(spec))


def _lacks(spec: Spec) -> Iterator[Sentence]:
    slots = slots_of_debaters(spec)
    if len(speakers_in(spec, slots)) < 2:
        yield Sentence("several separate positions")
    elif _all_on_one_side(spec):
        yield Sentence("sides that oppose each other")
    elif spec.protocol.stances and spec.without_stance():
        yield Sentence("a side for every debater to defend")
    if len(slots) < 2:
        yield Sentence("more than one exchange")
    if not any(_reads_others(spec, slots[:place], slot) for place, slot in enumerate(slots)):
        yield Sentence("reading one another")


def anyone_answers(spec: Spec) -> bool:
    """True if a debater outside the evidence panel can answer a turn of another debater."""
    slots = slots_of_debaters(spec)
    panel = {seat.id for seat in spec.evidence_panel()}
    return any(
        _reads_others(spec, slots[:place], slot) and not speakers_in(spec, [slot]) <= panel
        for place, slot in enumerate(slots)
    )


def _all_on_one_side(spec: Spec) -> bool:
    """True if every debater has the same stance."""
    sides = {folded(seat.stance) for seat in spec.debaters()}
    return len(sides) == 1 and "" not in sides


def _reads_others(spec: Spec, before: Sequence[Slot], slot: Slot) -> bool:
    """True if a seat of this phase may have read another debater's turn."""
    sees = slot.phase.sees.turns
    if sees == "own":
        return False
    here = speakers_in(spec, [slot])
    within_a_phase = sees in ("all", "neighbours", "previous") and slot.phase.order == "in_turn"
    if within_a_phase and len(here) > 1:
        return True
    if sees in ("earlier_rounds", "last_round"):
        before = [earlier for earlier in before if earlier.round < slot.round]
    heard = speakers_in(spec, before)
    return bool(heard) and len(heard | here) > 1
