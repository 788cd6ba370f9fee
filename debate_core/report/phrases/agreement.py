"""The ground rules that a room agrees on before the start, as a card: question, electorate, rule, tie-break, time.

The module knows a spec and the people who have joined; no record.
"""

from collections.abc import Collection, Sequence
from typing import assert_never

from debate_core.language import _, _n, message
from debate_core.report.facts.terms import named
from debate_core.report.phrases.decision import agreed_escalation
from debate_core.report.phrases.rules import STEPS, agreed_sentence, bar_sentence, driver_names, quorum_sentence
from debate_core.spec.people import SILENT, Electorate, Person, Room
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import CountedRule

DUPLICATES = message("Anyone with the link can vote, so double votes cannot be ruled out.")


def contract(spec: Spec, people: Collection[Person]) -> tuple[tuple[str, str], ...]:
    """Label and sentence of each point; `people` are the present participants. Empty without a room."""
    if not spec.has_people:
        return ()
    terms = spec.terms
    points = [
        (_("Question"), spec.question),
        (_("Options"), " · ".join(spec.options) or _("Collected before the first vote")),
    ]
    if spec.drivers:
        points.append((_("Drivers"), " · ".join(driver_names(spec.drivers))))
    points.append((_("Who decides"), _who_decides(spec, terms, people)))
    if terms.decides == "debaters":
        points.append((_("Rule"), agreed_sentence(spec)))
    else:
        points.append((_("Rule"), poll_sentence(terms, people)))
        points.append((_("Tie-break") if terms.vote.tie else _("Without a winner"), ties_sentence(terms.vote)))
    if goes_to := agreed_escalation(spec.protocol):
        points.append((_("Without a decision"), goes_to))
    if terms.preparation:
        points.append((_("Before the first vote"), _preparation(terms)))
    points += [
        (_("Votes of people"), _votes(terms)),
        (_("Time"), _time(spec, terms)),
        (_("Readers"), _readers(terms)),
    ]
    return tuple(points)


def _who_decides(spec: Spec, terms: Room, people: Collection[Person]) -> str:
    match terms.decides:
        case "debaters":
            if spec.protocol.paired and _has_seat_for_all(spec, people):
                return _("The comparisons: everyone with a vote compares the options, two at a time.")
            return _n(
                len(spec.debaters()),
                "The ballot of the {n} seat. All votes of people are advice.",
                "The ballots of the {n} seats. All votes of people are advice.",
            )
        case "panel":
            return _(
                "The people named with a mandate: {heads}. The audience advises.", heads=len(_heads(people, "panel"))
            )
        case "room":
            return _("The room: everyone who has joined as a voter, {heads} so far.", heads=len(_heads(people, "room")))
        case _:
            assert_never(terms.decides)


def _has_seat_for_all(spec: Spec, people: Collection[Person]) -> bool:
    """True if a debater's seat is a person's, and no one of these people holds it."""
    held = {seat for person in people for seat in person.seats}
    return any(seat.occupant == "human" and seat.id not in held for seat in spec.debaters())


def _heads(people: Collection[Person], electorate: Electorate) -> list[int]:
    """Weight of each ballot of an electorate."""
    return [p.weight for p in people if p.electorate == electorate]


def poll_sentence(terms: Room, people: Collection[Person]) -> str:
    """The rule of the polls, with numbers for the deciding electorate as far as its people are known."""
    electorate: Electorate = "room" if terms.decides == "room" else "panel"
    weights = _heads(people, electorate)
    known = weights and (electorate == "panel" or terms.joining == "named")
    voters, total = (len(weights), sum(weights)) if known else (None, None)
    quorum = quorum_sentence(terms.vote, voters, total)
    sentences = " ".join(filter(None, (bar_sentence(terms.vote, total), quorum)))
    return f"{sentences}{_heavy_words(weights)}"


def _heavy_words(weights: Sequence[int]) -> str:
    """Total weight of the ballots; empty where each weighs 1."""
    if not set(weights) - {1}:
        return ""
    return _n(
        len(weights),
        " The ballot of {n} person weighs {total}.",
        " The ballots of {n} people weigh {total} together.",
        total=sum(weights),
    )


def ties_sentence(rule: CountedRule) -> str:
    """The tie-break, and the next step if no option is elected."""
    then = undecided_sentence(rule)
    if not rule.tie:
        return then
    steps = _(", then ").join(STEPS[step] for step in rule.tie)
    return _("Tie-break: {steps}. {then}", steps=steps, then=then)


def undecided_sentence(rule: CountedRule) -> str:
    """The agreed next step if a vote of people elects no option."""
    if rule.if_undecided == "escalate":
        return _("If no option wins, nothing is decided here: the question is passed on to someone who can decide it.")
    return _("If no option wins, the result is “{result}”.", result=named(rule.if_undecided))


def _votes(terms: Room) -> str:
    before = {
        "none": _("No vote before the start"),
        "shown_at_close": _("A sealed vote before the start, shown once it is closed"),
        "shown_at_end": _("A sealed vote before the start, shown at the end"),
    }[terms.pre_vote]
    after = _("a final vote, sealed until it is revealed") if terms.final_vote == "asked" else _("no final vote")
    if terms.asks_crux:
        after += _(", which also asks for the decisive claim and then: if that were not so?")
    if terms.asks_guess:
        after += _(", and for a guess how many will choose each option")
    if terms.joining == "open":
        return f"{before}; {after}. {_(DUPLICATES)}"
    return f"{before}; {after}.{_(' Only people on the list vote, each with a personal link.')}"


def _preparation(terms: Room) -> str:
    """`10 minutes to propose options and drivers; then 5 minutes to read the brief and to ask.`"""
    purposes = {
        "collect": _("to propose options and drivers; the facilitator chooses those that count"),
        "brief": _("to read the question and the documents, and to ask"),
        "facts": _("in silence to write what the others may not know, sealed until all is shown"),
        "premortem": _("in silence after the end to write why the decision might be reversed"),
    }
    names = {True: _(", with names"), False: _(", without names")}
    steps = [
        f"{minutes(60 * step.minutes)} {purposes[step.step]}{names[step.named] if step.step in SILENT else ''}"
        for step in terms.preparation
    ]
    return f"{'; then '.join(steps)}."


def _readers(terms: Room) -> str:
    match terms.readers:
        case "members":
            return _("Its people and the operator of the server. It is in no list of other hosts.")
        case "link":
            return _(
                "Its people and the operator of the server; after the end also anyone with the link to the results. "
                "It is in no list of other hosts."
            )
        case "hosts":
            return _("Its people and every host of the server. It is in their lists.")
        case _:
            assert_never(terms.readers)


def _time(spec: Spec, terms: Room) -> str:
    rounds = _n(spec.max_rounds, "At most {n} round", "At most {n} rounds")
    clock = _(", without a time limit")
    if terms.phase_seconds:
        clock = _(", {minutes} for each phase", minutes=minutes(terms.phase_seconds))
    hold = _("; each round waits for the facilitator") if terms.hold == "round" else ""
    return f"{rounds}{clock}{hold}."


def minutes(seconds: int) -> str:
    """`4 minutes`, `90 seconds`."""
    if seconds % 60 == 0:
        return _n(seconds // 60, "{n} minute", "{n} minutes")
    return _n(seconds, "{n} second", "{n} seconds")
