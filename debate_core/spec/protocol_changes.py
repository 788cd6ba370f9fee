"""Protocols with one agreement changed, as set-up and flags change it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from debate_core.errors import InvalidSpec
from debate_core.spec import rules
from debate_core.spec.contents import CRUX_KINDS, NAMING_AN_OPTION
from debate_core.spec.protocol import Phase, Protocol, asks_ballot, read
from debate_core.spec.rules import Escalation


def with_decision(protocol: Protocol, rule: rules.DecisionRule) -> Protocol:
    """The protocol with another decision rule; rules that elect once after the rounds cannot end them."""
    stop = protocol.stop
    if isinstance(rule, rules.Plurality | rules.Elected):
        stop = tuple(s for s in stop if not _holds_decision(s))
    return protocol.model_copy(update={"decide": rule, "stop": stop})


SOFT_STOPS: Mapping[str, rules.StopRule] = {
    "no_progress": rules.NoProgress(),
    "nothing_moves": rules.AllOf(rules=(rules.NoProgress(), rules.Stable())),
    "converged": rules.Converged(),
    "all_agree": rules.AllAgree(),
    "stable": rules.Stable(),
}
"""Early stops for rounds that would add nothing, by their names in set-up."""


def soft_stops_of(protocol: Protocol) -> tuple[str, ...]:
    """Soft stops available under this protocol: those on ballots need ballots."""
    if isinstance(protocol.decide, rules.Tournament):
        return ()
    if isinstance(protocol.decide, rules.BySeat):
        return ("no_progress", "converged")
    return ("no_progress", "nothing_moves", "all_agree", "stable")


def with_escalation(protocol: Protocol, to: str | None, by: str | None) -> Protocol:
    """The protocol with another addressee or date. Raises InvalidSpec for a date without an addressee."""
    if to is None and by is None:
        return protocol
    own = protocol.escalation.model_dump() if protocol.escalation else {}
    given = {name: value for name, value in (("to", to), ("by", by)) if value is not None}
    if "to" not in own | given:
        raise InvalidSpec("escalation has a date and no addressee: name who takes an unresolved outcome")
    return protocol.model_copy(update={"escalation": read(Escalation, own | given)})


def with_output_schema(protocol: Protocol, schema: str | None) -> Protocol:
    """The protocol with this JSON Schema for its deliverable; None or blanks = without a deliverable."""
    return protocol.model_copy(update={"output_schema": (schema or "").strip() or None})


def with_soft_stops(protocol: Protocol, names: Collection[str]) -> Protocol:
    """The protocol with exactly these soft stops, after its other stop rules, which stay the reason of an end."""
    chosen = tuple(rule for name, rule in SOFT_STOPS.items() if name in names)
    kept = tuple(rule for rule in protocol.stop if rule in chosen or rule not in SOFT_STOPS.values())
    added = tuple(rule for rule in chosen if rule not in kept)
    return protocol.model_copy(update={"stop": (*kept, *added)})


def with_least_strength(protocol: Protocol, least: int) -> Protocol:
    """The protocol with this minimum self-rating for every critique that has one."""

    def asking(phase: Phase) -> Phase:
        if phase.min_strength is None:
            return phase
        return phase.model_copy(update={"min_strength": least})

    return change_phases(protocol, asking)


def with_votes_told(protocol: Protocol, told: Literal["shown", "hidden"]) -> Protocol:
    """The protocol with earlier votes shown to, or hidden from, models that vote.

    The two questions of `with_crux` and the premortem of `with_premortem` never show them.
    """

    def telling(phase: Phase) -> Phase:
        if phase.gives in CRUX_KINDS or _is_premortem(phase):
            return phase
        votes = "shown" if told == "shown" and phase.role == "debater" else None
        return phase.model_copy(update={"sees": phase.sees.model_copy(update={"votes": votes})})

    return change_phases(protocol, telling)


def change_phases(protocol: Protocol, change: Callable[[Phase], Phase]) -> Protocol:
    """The protocol with every phase changed in this way."""
    parts = {"before": protocol.before, "each_round": protocol.each_round, "after": protocol.after}
    return protocol.model_copy(update={name: tuple(map(change, phases)) for name, phases in parts.items()})


def with_both_orders(protocol: Protocol) -> Protocol:
    """The protocol with every closing verdict repeated in reverse order."""
    after: list[Phase] = []
    for phase in protocol.after:
        after.append(phase)
        if _can_be_mirrored(protocol, phase):
            sees = phase.sees.model_copy(update={"mirrors": phase.name})
            after.append(phase.model_copy(update={"name": f"{phase.name[:31]}_reversed", "sees": sees}))
    return protocol.model_copy(update={"after": tuple(after)})


def with_synthesis_each_round(protocol: Protocol, min_rounds: int) -> Protocol:
    """The protocol with a synthesis in every round, which can end the rounds from this one on.

    Later prompts leave it out, so that it anchors no seat. Unchanged if no synthesiser closes the debate, if there is
    one round, or if rounds have a synthesis already.
    """
    closing = next((p for p in protocol.after if (p.gives, p.role) == ("synthesis", "synthesiser")), None)
    has_one = any(phase.gives == "synthesis" for phase in protocol.each_round)
    if closing is None or has_one or protocol.paired or protocol.rounds.hard_max == 1:
        return protocol
    interim = Phase(name="interim_synthesis", gives="synthesis", role="synthesiser", sees=closing.sees, history=False)
    return protocol.model_copy(
        update={
            "each_round": (*protocol.each_round, interim),
            "stop": (*protocol.stop, rules.SynthesiserDone(min_rounds=min_rounds)),
        }
    )


PREMORTEM = Phase(name="premortem", gives="premortem", order="at_once", sealed=True)


def asks_crux(protocol: Protocol) -> bool:
    """True if seats are asked which claim decided their last ballot."""
    return any(phase.gives in CRUX_KINDS for phase in protocol.phases())


def without_crux(protocol: Protocol) -> Protocol:
    """The protocol without these two questions."""
    return _only(protocol, lambda phase: phase.gives not in CRUX_KINDS)


def with_crux(protocol: Protocol) -> Protocol:
    """The protocol with two phases after the last ballot: which claim decided it, and "if that were not so?".

    They show a seat what it has read before that ballot, and no later prompt has its answers. Unchanged if no ballots
    are counted, or if it asks already.
    """
    voting = [phase for phase in protocol.phases() if asks_ballot(protocol, phase)]
    if not voting or asks_crux(protocol):
        return protocol
    sees = voting[-1].sees.model_copy(update={"mirrors": None, "votes": None})
    asked = tuple(
        Phase(name=kind, gives=kind, order="at_once", sealed=True, history=False, sees=sees) for kind in CRUX_KINDS
    )
    at = protocol.after.index(voting[-1]) + 1 if voting[-1] in protocol.after else 0
    return protocol.model_copy(update={"after": (*protocol.after[:at], *asked, *protocol.after[at:])})


def has_premortem(protocol: Protocol) -> bool:
    """True if seats write why the decision might be reversed."""
    return any(phase.gives == "premortem" for phase in protocol.phases())


def without_premortem(protocol: Protocol) -> Protocol:
    """The protocol without the phase that `with_premortem` adds; another premortem stays."""
    return _only(protocol, lambda phase: not _is_premortem(phase))


def _is_premortem(phase: Phase) -> bool:
    return phase.model_copy(update={"only_in": ()}) == PREMORTEM


def with_premortem(protocol: Protocol, rounds: int) -> Protocol:
    """The protocol with a sealed premortem right before the last vote or deciding verdict of this many rounds.

    Unchanged if options are compared in pairs, if nothing decides, or if it has another premortem.
    """
    plain = without_premortem(protocol)
    if plain.paired or has_premortem(plain):
        return protocol
    if (at := _last_decisive(plain, plain.after)) is not None:
        return plain.model_copy(update={"after": (*plain.after[:at], PREMORTEM, *plain.after[at:])})
    if (at := _last_decisive(plain, plain.each_round)) is None:
        return protocol
    last = PREMORTEM.model_copy(update={"only_in": (rounds,)})
    return plain.model_copy(update={"each_round": (*plain.each_round[:at], last, *plain.each_round[at:])})


def _only(protocol: Protocol, keeps: Callable[[Phase], bool]) -> Protocol:
    parts = {"before": protocol.before, "each_round": protocol.each_round, "after": protocol.after}
    return protocol.model_copy(update={name: tuple(filter(keeps, phases)) for name, phases in parts.items()})


def _last_decisive(protocol: Protocol, phases: Sequence[Phase]) -> int | None:
    """Index of the last phase with ballots, or in which the deciding seat names an option; of a pair in both orders
    the first one."""
    for index, phase in reversed(list(enumerate(phases))):
        names_option = phase.role == protocol.deciding_role and phase.gives in NAMING_AN_OPTION
        if asks_ballot(protocol, phase) or (names_option and phase.sees.mirrors is None):
            return index
    return None


def _can_be_mirrored(protocol: Protocol, phase: Phase) -> bool:
    """True for a verdict that another verdict does not skip or mirror."""
    if phase.gives != "verdict" or phase.unless_decided:
        return False
    return phase.sees.mirrors is None and protocol.mirror_of(phase.name) is None


def _holds_decision(rule: rules.StopRule) -> bool:
    return any(isinstance(part, rules.DecisionReached) for part in rules.parts_of(rule))
