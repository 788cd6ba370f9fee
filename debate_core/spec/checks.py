"""Checks that a debate can be held. They examine a Spec alone, before any cost."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from debate_core.errors import InvalidSpec
from debate_core.names import looks_like, name_key, without_unseen
from debate_core.sentence import Sentence
from debate_core.spec import rules
from debate_core.spec.contents import CANDIDATE_KINDS, CRUX_KINDS, GIVERS, NAMING_AN_OPTION
from debate_core.spec.deciding import cannot_match
from debate_core.spec.output_schema import schema_fault
from debate_core.spec.people import VOTER_NAMES, Person
from debate_core.spec.protocol import (
    Phase,
    Protocol,
    Sees,
    Spec,
    agenda,
    asks_ballot,
    slots_of_debaters,
    speakers_in,
)
from debate_core.spec.readers import check_readers
from debate_core.spec.rule_faults import fault_in_rule, rule_fault
from debate_core.spec.tools import fault_in_tools
from debate_core.spec.values import ABSTAIN, Role


def check(spec: Spec) -> None:
    """Raise InvalidSpec with one sentence if this debate cannot be held, or has confusable names."""
    check_recorded(spec)
    _check_names(spec)


def _check_names(spec: Spec) -> None:
    """Check names only at the start of a debate: older records may have confusable ones."""
    drivers = [driver.name for driver in spec.drivers]
    for what, names in ((Sentence("option"), spec.options), (Sentence("driver"), drivers)):
        _refuse_unseen(what, names)
    _refuse_mistakable(Sentence("option"), (*spec.options, ABSTAIN))
    _refuse_mistakable(Sentence("driver"), drivers)
    _refuse_mistakable(Sentence("seat"), spec.seat_ids())
    _refuse_mistakable(Sentence("person"), [person.name for person in spec.people()])


def _refuse_unseen(what: Sentence, names: Sequence[str]) -> None:
    for name in names:
        if without_unseen(name) != name:
            raise InvalidSpec(
                "{what} {name!r} has characters that cannot be seen: write it again",
                what=what,
                name=without_unseen(name),
            )


def _refuse_mistakable(what: Sentence, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if not name_key(name):
            raise InvalidSpec(
                "{what} {number} has no letter that can be seen: write it again", what=what, number=place + 1
            )
        if other := looks_like(name, names[:place]):
            raise InvalidSpec(
                "{what} {other!r} can be mistaken for {name!r}: write one of them in another way",
                what=what,
                other=other,
                name=name,
            )


def check_recorded(spec: Spec) -> None:
    """Raise InvalidSpec with one sentence if this debate cannot be held."""
    _check_question(spec)
    _check_seats(spec)
    _check_rounds(spec)
    _check_protocol(spec.protocol)
    _check_decision(spec)
    _check_places(spec)
    _check_deliverable(spec)
    _check_room(spec)
    _check_held_elsewhere(spec)


def _check_held_elsewhere(spec: Spec) -> None:
    """Check that only people speak in the record of a transcript, that no one votes, and that every turn has a time."""
    if spec.held_elsewhere is None:
        return
    people = spec.terms
    if any(seat.occupant != "human" for seat in spec.seats) or (people.pre_vote, people.final_vote) != ("none", "none"):
        raise InvalidSpec("the record of a transcript has seats of people only, and no votes")
    n_turns = sum(len(slot.phase.places) for slot in agenda(spec))
    n_times = len(spec.held_elsewhere.starts_s)
    if n_times != n_turns:
        raise InvalidSpec(
            "the record of a transcript has {n_times} times for {n_turns} turns: it needs one for each",
            n_times=n_times,
            n_turns=n_turns,
        )


def _check_question(spec: Spec) -> None:
    if not spec.question.strip():
        raise InvalidSpec("the question is empty: write the decision to be made as one question")
    _check_number_of_options(spec)
    for option in spec.options:
        if not option.strip() or option != option.strip():
            raise InvalidSpec("option {option!r} is empty or has blanks around it", option=option)
        if option.casefold() == ABSTAIN:
            raise InvalidSpec("no option may be called {abstain!r}: the word is kept for abstentions", abstain=ABSTAIN)
    _refuse_repeats(Sentence("option"), spec.options)
    if spec.yes_option and spec.options and spec.yes_option not in spec.options:
        raise InvalidSpec(
            "the option that means yes is {yes!r}, which is none of the options: {options}",
            yes=spec.yes_option,
            options=", ".join(spec.options),
        )
    _check_drivers(spec)


def _check_number_of_options(spec: Spec) -> None:
    # Collected options are checked again when they are agreed.
    are_named_later = spec.terms.collects or spec.protocol.generates
    fewest = 0 if are_named_later else 2
    most = spec.protocol.most_options
    if fewest <= len(spec.options) <= most:
        return
    raise InvalidSpec(
        "{what} needs 2 to {most} options, this one has {n_options}",
        what=Sentence("a tournament") if spec.protocol.paired else Sentence("a debate"),
        most=most,
        n_options=len(spec.options),
    )


def _check_drivers(spec: Spec) -> None:
    for number, driver in enumerate(spec.drivers, start=1):
        if not driver.name.strip():
            raise InvalidSpec("driver {unnamed} has no name: name it, or leave it out", unnamed=number)
    _refuse_repeats(Sentence("driver"), [driver.name.strip() for driver in spec.drivers])
    total = sum(driver.weight for driver in spec.drivers)
    if spec.drivers and total != 100:
        raise InvalidSpec("the weights of the drivers sum to {total}: they must sum to 100", total=total)


def _refuse_repeats(what: Sentence, names: Iterable[str], *, is_id: bool = False) -> None:
    """Refuse repeated names; names for people ignore case, ids do not."""
    seen = set[str]()
    for name in names:
        known = name if is_id else name.casefold()
        if known in seen:
            raise InvalidSpec("{what} {again!r} is named twice: give every {what} its own name", what=what, again=name)
        seen.add(known)


def _check_seats(spec: Spec) -> None:
    if not spec.debaters():
        raise InvalidSpec("debater_ids must not be empty: seat at least one debater")
    _refuse_repeats(Sentence("seat"), [s.id for s in spec.seats])
    _refuse_repeats(Sentence("source"), [s.id for s in spec.sources], is_id=True)
    _refuse_repeats(Sentence("model line"), [m.id for m in spec.models], is_id=True)
    check_readers(spec)
    _check_sides(spec)
    _check_mentions(spec)


def _check_mentions(spec: Spec) -> None:
    """Check that text_mention names existing seats."""
    known = [seat.id for seat in spec.seats]
    named: list[str] = []
    for part in spec.protocol.stop_parts():
        if isinstance(part, rules.TextMention):
            named += part.by or ()
    unknown = [seat for seat in named if seat not in known]
    if unknown:
        raise InvalidSpec(
            "stop rule text_mention names seat {unknown!r}: this debate has {known}",
            unknown=unknown[0],
            known=", ".join(known),
        )


def _check_sides(spec: Spec) -> None:
    """Check the number of debaters and their stances, where the protocol requires them."""
    least = spec.protocol.min_debaters
    there = len(spec.debaters())
    if least is not None and there < least:
        raise InvalidSpec(
            "{name} needs at least {least} debaters, not {there}: seat another one",
            name=spec.protocol.name,
            least=least,
            there=there,
        )
    free = spec.without_stance()
    if free and spec.protocol.stances == "required":
        raise InvalidSpec(
            "{name} needs a stance for every debater, and seat {id!r} has none: give it a side to defend",
            name=spec.protocol.name,
            id=free[0].id,
        )


def _check_rounds(spec: Spec) -> None:
    hard_max = spec.protocol.rounds.hard_max
    if spec.max_rounds < 1:
        raise InvalidSpec("max_rounds must be at least 1, not {max_rounds}", max_rounds=spec.max_rounds)
    if spec.max_rounds > hard_max:
        raise InvalidSpec(
            "max_rounds {max_rounds} is above the hard maximum {hard_max} of {name}",
            max_rounds=spec.max_rounds,
            hard_max=hard_max,
            name=spec.protocol.name,
        )


def _check_protocol(protocol: Protocol) -> None:
    _refuse_repeats(Sentence("phase"), [p.name for p in protocol.phases()])
    for phase in protocol.phases():
        _check_phase(phase, protocol)
    _check_directives(protocol)
    if any(p.when != "every" or p.only_in for p in protocol.before + protocol.after):
        raise InvalidSpec("{name}: only phases of a round can say when, not those before or after", name=protocol.name)
    if not protocol.rounds.default <= protocol.rounds.hard_max:
        raise InvalidSpec("{name}: the default number of rounds is above the hard maximum", name=protocol.name)
    if fault := fault_in_tools(protocol):
        raise InvalidSpec(fault)
    _check_stops(protocol)
    _check_last_ballots(protocol)
    _check_crux(protocol)
    _check_recommendation(protocol)


def _check_stops(protocol: Protocol) -> None:
    if sum(isinstance(rule, rules.Ceiling) for rule in protocol.stop) > 1:
        raise InvalidSpec("{name}: one ceiling can have several axes, but there can be only one", name=protocol.name)
    if not any(isinstance(rule, rules.MaxRounds) for rule in protocol.stop):
        raise InvalidSpec(
            "{name}: one of the stop rules must be max_rounds, or a debate may never end", name=protocol.name
        )
    if fault := rules.fault_in_stops(protocol.stop, protocol.decide, {p.gives for p in protocol.each_round}):
        raise InvalidSpec("{name}: {fault}", name=protocol.name, fault=fault)


def _check_last_ballots(protocol: Protocol) -> None:
    """Refuse ballots after the rounds if a decision ends the rounds: they could undo it."""
    last = [phase.name for phase in protocol.after if asks_ballot(protocol, phase)]
    if last and any(isinstance(part, rules.DecisionReached) for part in protocol.stop_parts()):
        raise InvalidSpec(
            "phase {last!r} asks for a ballot after the rounds, which could undo what stop rule "
            "decision_reached found: leave out one of them",
            last=last[0],
        )


def _check_crux(protocol: Protocol) -> None:
    """Check that seats are asked about ballots once, after the last one, and what decided them before the rest."""
    asked = [phase for phase in protocol.phases() if phase.gives in CRUX_KINDS]
    if not asked:
        return
    if not _follow_last_ballot(asked, protocol):
        raise InvalidSpec(
            "phase {name!r} gives {gives}: after the last counted ballot there can be one decisive_claim, and then one "
            "phase of suppositions",
            name=asked[0].name,
            gives=asked[0].gives,
        )
    if any(phase.order != "at_once" or phase.places for phase in asked):
        raise InvalidSpec(
            "phase {name!r} gives {gives}: it must ask all at once", name=asked[0].name, gives=asked[0].gives
        )


def _follow_last_ballot(asked: Sequence[Phase], protocol: Protocol) -> bool:
    """True if these closing phases come in the agreed order, each once, with no ballot after the first of them."""
    if [phase.gives for phase in asked] != [*CRUX_KINDS][: len(asked)] or asked[0] not in protocol.after:
        return False
    phases = protocol.phases()
    votes = [asks_ballot(protocol, phase) for phase in phases]
    return any(votes) and not any(votes[phases.index(asked[0]) :])


def _check_recommendation(protocol: Protocol) -> None:
    """Refuse a recommended ranking that no scores and no ballots could give."""
    if protocol.ranked_by == "scores" and all(phase.gives != "evaluation" for phase in protocol.phases()):
        raise InvalidSpec(
            "{name} recommends a ranking, but nothing ranks its options: add a phase that gives an evaluation, or take "
            "a decision rule with ranked ballots",
            name=protocol.name,
        )


def _check_phase(phase: Phase, protocol: Protocol) -> None:
    if phase.sealed and phase.order != "at_once":
        raise InvalidSpec(
            "phase {name!r} is sealed but its seats speak in turn: only at_once can be sealed", name=phase.name
        )
    _check_content(phase, protocol)
    if phase.directed and (phase.role != "debater" or phase.places):
        raise InvalidSpec("phase {name!r} is directed: only a phase of all debaters can be", name=phase.name)
    twice = [place for place in phase.places if phase.places.count(place) > 1]
    if twice:
        raise InvalidSpec(
            "phase {name!r} asks place {twice} twice: a seat has one turn in a phase", name=phase.name, twice=twice[0]
        )
    _check_history(phase)
    _check_mirror(phase, protocol)
    _check_pairs(phase, protocol)
    _check_strength(phase, protocol)


def _check_content(phase: Phase, protocol: Protocol) -> None:
    givers = GIVERS.get(phase.gives, (phase.role,))
    if phase.role not in givers:
        raise InvalidSpec(
            "phase {name!r} gives {gives}: only the {givers} can give it",
            name=phase.name,
            gives=phase.gives,
            givers=" or the ".join(givers),
        )
    if phase.gives == "premortem" and not phase.sealed:
        raise InvalidSpec("phase {name!r} gives a premortem: it must be at_once and sealed", name=phase.name)
    if phase.gives == "positions" and phase not in protocol.before:
        raise InvalidSpec("phase {name!r} gives positions: only a phase before the rounds can", name=phase.name)


def _check_history(phase: Phase) -> None:
    steers = ("directive", "positions", "review", *CANDIDATE_KINDS)
    if phase.history is False and phase.gives in steers:
        raise InvalidSpec(
            "phase {name!r} gives {gives}, which later turns rest on: history = false is for other contents",
            name=phase.name,
            gives=phase.gives,
        )


def _check_strength(phase: Phase, protocol: Protocol) -> None:
    """Check that min_strength is on a critique that can be asked for again."""
    if phase.min_strength is None:
        return
    if phase.gives != "critique":
        raise InvalidSpec(
            "phase {name!r} has a min_strength but gives {gives}: only a critique has one",
            name=phase.name,
            gives=phase.gives,
        )
    if protocol.attempts < 2:
        raise InvalidSpec(
            "phase {name!r} has a min_strength: to ask once more, attempts must be 2 or more", name=phase.name
        )


def _check_pairs(phase: Phase, protocol: Protocol) -> None:
    """Check that options are compared in the rounds of a tournament and nowhere else."""
    in_rounds = isinstance(protocol.decide, rules.Tournament) and phase in protocol.each_round
    if phase.gives in CANDIDATE_KINDS:
        _check_candidates(phase, protocol)
    elif phase.paired != in_rounds:
        raise InvalidSpec(
            "phase {name!r}: a tournament compares options in every phase of its rounds, and no "
            "other protocol or phase does",
            name=phase.name,
        )
    if phase.paired and (phase.gives != "verdict" or phase.order != "at_once"):
        raise InvalidSpec("phase {name!r} is paired: it must give a verdict, and ask all at once", name=phase.name)


def _check_candidates(phase: Phase, protocol: Protocol) -> None:
    """Check that candidates come before a comparison."""
    later = protocol.each_round
    if phase in later:
        later = later[later.index(phase) :]
    if phase.paired or phase in protocol.after or not any(p.paired for p in later):
        raise InvalidSpec(
            "phase {name!r} gives {gives}: only a phase of a tournament before a comparison can",
            name=phase.name,
            gives=phase.gives,
        )


def _check_mirror(phase: Phase, protocol: Protocol) -> None:
    """Check that a mirror repeats the phase right before it, and is not mirrored itself."""
    if phase.sees.mirrors is None:
        return
    beside = next(part for part in (protocol.before, protocol.each_round, protocol.after) if phase in part)
    otherwise_seen = phase.sees.model_copy(update={"mirrors": None})
    for first, second in pairwise(beside):
        is_named = second == phase and first.name == phase.sees.mirrors
        if is_named and _asks(first, first.sees) == _asks(phase, otherwise_seen):
            return
    raise InvalidSpec(
        "phase {name!r} mirrors {mirrors!r}: it must name the phase right before it, which asks "
        "the same seats for the same, shows them the same, and is no mirror itself",
        name=phase.name,
        mirrors=phase.sees.mirrors,
    )


def _asks(phase: Phase, sees: Sees) -> tuple[object, ...]:
    return phase.gives, phase.role, phase.places, phase.when, phase.order, sees


def _check_directives(protocol: Protocol) -> None:
    """Check that directives are in the rounds, before the phases that they direct."""
    for phase in protocol.before + protocol.after:
        if phase.directed or phase.after_redo or phase.gives == "directive":
            raise InvalidSpec(
                "phase {name!r} is directed or gives a directive outside the rounds: a directive steers a round",
                name=phase.name,
            )
    _check_directives_of_round(protocol.each_round)


def _check_directives_of_round(phases: Iterable[Phase]) -> None:
    directing = list[Role]()
    for phase in phases:
        if phase.directed and not directing:
            raise InvalidSpec(
                "phase {name!r} is directed, but no phase before it in the round gives a directive", name=phase.name
            )
        if phase.after_redo and (phase.gives != "directive" or "chair" not in directing):
            raise InvalidSpec(
                "phase {name!r} is after_redo: it must give a directive, after one of the chair's in the round",
                name=phase.name,
            )
        if phase.gives == "directive":
            directing.append(phase.role)


def _check_places(spec: Spec) -> None:
    for phase in spec.protocol.phases():
        _check_there(phase, len(spec.seats_of(phase.role)))
    asked = speakers_in(spec, slots_of_debaters(spec))
    silent = [seat.id for seat in spec.debaters() if seat.id not in asked]
    if silent:
        raise InvalidSpec(
            "seat {silent!r} would never be asked: with max_rounds {max_rounds} no phase is for it",
            silent=silent[0],
            max_rounds=spec.max_rounds,
        )


def _check_there(phase: Phase, there: int) -> None:
    """Check the places of a phase; `there`: number of seats of its role."""
    missing = [place for place in phase.places if place > there]
    if missing and there:
        raise InvalidSpec(
            "phase {name!r} asks {role} {missing}, but there are only {there}: seat one more",
            name=phase.name,
            role=phase.role,
            missing=missing[0],
            there=there,
        )
    if phase.sees.turns == "neighbours" and there == 1:
        raise InvalidSpec(
            "phase {name!r} sees neighbours, but there is one {role}: seat another one",
            name=phase.name,
            role=phase.role,
        )


def _check_deliverable(spec: Spec) -> None:
    """Check that the output schema can be used, and that a seat writes the synthesis with the deliverable."""
    schema = spec.protocol.output_schema
    if schema is None:
        return
    if not any(phase.gives == "synthesis" and spec.seats_of(phase.role) for phase in spec.protocol.phases()):
        raise InvalidSpec(
            "{name} has an output schema, but no seat writes a synthesis: add a phase that gives a synthesis and a "
            "seat for it, or leave the schema out",
            name=spec.protocol.name,
        )
    if fault := schema_fault(schema):
        raise InvalidSpec(fault)


def _check_decision(spec: Spec) -> None:
    match spec.protocol.decide:
        case rules.BySeat() as rule:
            _check_deciding_seat(spec, rule)
        case rules.Tournament():
            # Its other needs are checked with its phases.
            if fault := cannot_match(spec):
                raise InvalidSpec(fault)
        case rule:
            _check_count(spec, rule)


def _check_deciding_seat(spec: Spec, rule: rules.BySeat) -> None:
    seats = spec.seats_of(rule.role)
    gives = {phase.gives for phase in spec.protocol.phases() if phase.role == rule.role}
    if len(seats) != 1 or not gives & NAMING_AN_OPTION:
        raise InvalidSpec(
            "{name} is decided by the {role}: seat exactly one who gives a synthesis or a verdict, not {n_seats}",
            name=spec.protocol.name,
            role=rule.role,
            n_seats=len(seats),
        )


def _check_count(spec: Spec, rule: rules.CountedRule) -> None:
    eligible = len(spec.debaters())
    if not any(asks_ballot(spec.protocol, phase) for phase in spec.protocol.phases()):
        raise InvalidSpec(
            "{name} counts votes, but none of its phases asks the debaters for one", name=spec.protocol.name
        )
    if rule.quorum is not None and rule.quorum > eligible:
        raise InvalidSpec(
            "the quorum must be 1 to {eligible} (the number of debaters), not {quorum}",
            eligible=eligible,
            quorum=rule.quorum,
        )
    if fault := rule_fault(rule, [seat.weight for seat in spec.debaters()]) or _drivers_fault(spec, rule):
        raise InvalidSpec(fault)


def _check_room(spec: Spec) -> None:
    """Check the people from the start, and that the deciding vote can be held."""
    room = spec.room
    if room is None:
        return
    _check_people(spec, room.people)
    if room.decides != "debaters" and room.final_vote == "none":
        raise InvalidSpec(
            "the vote of the {decides} decides: final_vote must be asked",
            decides=Sentence(VOTER_NAMES[room.decides]),
        )
    if room.collects:
        _check_collecting(spec)
    # Later participants are unknown, so checks that depend on voters come with the count.
    if fault := fault_in_rule(room.vote) or _drivers_fault(spec, room.vote):
        raise InvalidSpec("the vote of the room: {fault}", fault=fault)


def _check_people(spec: Spec, people: Sequence[Person]) -> None:
    _refuse_repeats(Sentence("person"), [p.id for p in people])
    _refuse_repeats(Sentence("person"), [p.name.strip() for p in people])
    _refuse_repeats(Sentence("seat of a person"), [seat for p in people for seat in p.seats])
    if not any(p.role == "facilitator" for p in people):
        raise InvalidSpec("there is no facilitator: name at least one person who leads the room")
    for person in people:
        if fault := person_fault(spec, person):
            raise InvalidSpec(fault)


def person_fault(spec: Spec, given: Person, *, spoken_for: Iterable[str] = ()) -> Sentence | None:
    """The reason why a person cannot take part like this: no name, unknown seats, an impossible vote, or two roles that
    must be separate. `spoken_for`: seats that they speak or spoke for, in addition to those that they hold."""
    if not given.name.strip():
        return Sentence("a person needs a name")
    known = [seat.id for seat in spec.seats]
    if given.id in known:
        return Sentence("{id} is the id of a seat: a person needs another", id=given.id)
    if unknown := [seat for seat in given.seats if seat not in known]:
        return Sentence(
            "there is no seat {unknown!r} that {name} could speak for: this debate has {seats}",
            unknown=unknown[0],
            name=given.name,
            seats=", ".join(known),
        )
    if given.role == "observer" and given.electorate is not None:
        return Sentence("{name} only observes: members of an electorate must be able to vote", name=given.name)
    return _fault_in_offices(spec, given, (*given.seats, *spoken_for))


def _fault_in_offices(spec: Spec, person: Person, seats: Iterable[str]) -> Sentence | None:
    if person.role not in ("judge", "synthesiser"):
        return None
    sides = [seat for seat in seats if spec.seat(seat).role == "debater"]
    if not sides:
        return None
    return Sentence(
        "{name} cannot be {role} and speak for {seat}: judges and synthesisers hold no side",
        name=person.name,
        role=Sentence(person.role),
        seat=sides[0],
    )


def _check_collecting(spec: Spec) -> None:
    """Refuse collecting if the first phase compares options, since it begins with the opening."""
    phases = [slot.phase for slot in agenda(spec) if spec.seats_of(slot.phase.role)]
    if phases and phases[0].paired:
        raise InvalidSpec(
            "phase {name!r} compares the options as soon as the debate is opened, so the room cannot collect them "
            "first: name them before the start, or leave the collecting out",
            name=phases[0].name,
        )


def _drivers_fault(spec: Spec, rule: rules.CountedRule) -> Sentence | None:
    if rules.ballot_kind(rule) != "criteria" or spec.drivers:
        return None
    return Sentence(
        "{kind} gives points under decision drivers, and none are named: name them with weights that sum to 100",
        kind=rule.kind,
    )
