"""The line that a draft agrees on: who decides, how many vote as far as that is known, and where the line stands.

Values only; counts nothing.
"""

from fractions import Fraction

from debate_core.engine.count.methods import METHODS
from debate_core.errors import InvalidSpec
from debate_core.language import Words, _, _n
from debate_core.report.facts.terms import named
from debate_core.spec.rules import CountedRule, Majority, Supermajority, Threshold, Unanimity, votes_needed
from debate_core.ui.kit.face.parts import RulePart
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.mapping import spec_from

_TITLES = Words({"room": "The room decides", "panel": "The panel decides", "debaters": "The seats decide"})


def agreed_line(draft: SetupDraft) -> RulePart | None:
    """The vote to come; None where a seat decides and no votes are counted."""
    room = draft.room
    if draft.people_decide():
        weights = _people_known(draft)
        unknown = _("everyone who joins") if room.decides == "room" else _("nobody is listed yet")
        beside = _n(len(weights), "{n} voter", "{n} voters") if weights else unknown
        return _line(_TITLES[room.decides], beside, room.vote, weights)
    rule = draft.rules().decide
    if not isinstance(rule, CountedRule):
        return None
    if isinstance(rule, Threshold):
        rule = rule.model_copy(update={"votes": draft.votes()})
    weights = tuple(seat.weight for seat in draft.panel())
    if not draft.room.on and [seat.who for seat in draft.panel()] == ["human"]:
        return _line(_("You decide"), _("you alone"), rule, weights)
    return _line(_TITLES["debaters"], _n(len(weights), "{n} seat", "{n} seats"), rule, weights)


def _people_known(draft: SetupDraft) -> tuple[int, ...]:
    """What the ballot of each weighs; empty while it is open who will come."""
    room = draft.room
    if room.decides == "room" and room.joining == "open":
        return ()
    try:
        people = spec_from(draft).people()
    except InvalidSpec:
        return ()
    return tuple(person.weight for person in people if person.electorate == room.decides)


def _line(title: str, beside: str, rule: CountedRule, weights: tuple[int, ...]) -> RulePart:
    total = sum(weights)
    of_cast = rule.base == "cast"
    needed = votes_needed(rule, total) if total and not of_cast else None
    share = Fraction(needed, total) if needed else share_needed(rule)
    in_heads = total == len(weights)
    is_share_of_cast = of_cast and bool(share)
    shows_heads = in_heads and not is_share_of_cast
    return RulePart(
        title=title,
        beside=beside,
        heads=len(weights) if shows_heads else 0,
        needed=needed,
        share=None if share is None else float(share),
        under=_under(rule, needed, total),
    )


def share_needed(rule: CountedRule) -> Fraction | None:
    """The share of the votes at which the line stands, however many vote; None if the rule knows no share."""
    match rule:
        case Majority():
            return Fraction(1, 2)
        case Supermajority():
            return Fraction(rule.numerator, rule.denominator)
        case Unanimity(all_but=0):
            return Fraction(1)
        case _:
            return None


def _under(rule: CountedRule, needed: int | None, total: int) -> str:
    row = ""
    if isinstance(rule, Majority) and rule.ballots_in_a_row > 1:
        row = _(", on {ballots_in_a_row} consecutive counts", ballots_in_a_row=rule.ballots_in_a_row)
    if needed:
        return _("One option needs {needed} of {total} votes{row}", needed=needed, total=total, row=row)
    voters = _("the ballots cast") if rule.base == "cast" else _("all eligible voters")
    match rule:
        case Threshold():
            return _n(rule.votes, "One option needs {n} vote", "One option needs {n} votes")
        case Majority():
            return _("One option needs more than half of {voters}{row}", voters=voters, row=row)
        case Supermajority():
            return _(
                "One option needs at least {numerator}/{denominator} of {voters}",
                numerator=rule.numerator,
                denominator=rule.denominator,
                voters=voters,
            )
        case Unanimity():
            but = _(" but {all_but}", all_but=rule.all_but) if rule.all_but else ""
            return _("One option needs the votes of {voters}{but}", voters=voters, but=but)
        case _:
            return named(METHODS[rule.kind].wins)
