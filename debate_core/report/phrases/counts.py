"""A count in sentences: results under other rules, the margin of victory, and weights that would change the winner.

These sentences change nothing: the rule agreed before the start has decided.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.criteria import Tip, tips
from debate_core.engine.count.margin_of_victory import MAX_COUNTS, Flip
from debate_core.engine.count.methods import others_of
from debate_core.language import _, _n, format_number, message, spoken_list
from debate_core.report.facts.counts import Number, RuleResult, number, rule_result, stands_of
from debate_core.report.facts.ruling import Ruling
from debate_core.report.facts.terms import named
from debate_core.spec.rules import Elected, Plurality, Supermajority, Threshold, votes_needed
from debate_core.text import line


def points_words(points: Number, among: Iterable[Number] = ()) -> str:
    """Points with at most two decimals, or with as many as distinguish them from others: `7`, `2.28`.

    Files and tables have the exact figure.
    """
    if points == int(points):
        return format_number(int(points))
    others = {float(other) for other in among} - {float(points)}
    places = (n for n in range(2, 6) if all(round(other, n) != round(float(points), n) for other in others))
    return format_number(round(float(points), next(places, 6)))


_AMOUNTS: dict[str, tuple[str, str]] = {
    "votes": ("{n} vote", "{n} votes"),
    "approvals": ("{n} approval", "{n} approvals"),
    "points": ("{n} point", "{n} points"),
    "pairs won": ("{n} pair won", "{n} pairs won"),
    "votes in the worst pair": ("{n} vote in the worst pair", "{n} votes in the worst pair"),
    "pairs won or tied": ("{n} pair won or tied", "{n} pairs won or tied"),
    "orders won": ("{n} order won", "{n} orders won"),
    "first places": ("{n} first place", "{n} first places"),
    "votes for its upper places": ("{n} vote for its upper places", "{n} votes for its upper places"),
    "last places, taken off": ("{n} last place, taken off", "{n} last places, taken off"),
    "dots": ("{n} dot", "{n} dots"),
    "consents": ("{n} consent", "{n} consents"),
    "weighted points": ("{n} weighted point", "{n} weighted points"),
}
"""Unit of a rule -> an amount in it; `METHODS` has the units."""


def amount_words(points: Number, unit: str, among: Iterable[Number] = ()) -> str:
    """`1 point`, `2.5 pairs won`."""
    return _n(1 if points == 1 else 2, *_AMOUNTS[unit], n=points_words(points, among))


def stand_words(count: Count | None, option: str) -> str:
    """` (2 concerns, 1 objection)` behind the consents to an option; empty without any, and under other rules."""
    if count is None or count.rule.kind != "consent":
        return ""
    weights = {row.stand: row.weight for row in stands_of(count) if row.option == option and row.weight}
    raised = [_n(weight, *_STANDS[stand]) for stand, weight in weights.items() if stand in _STANDS]
    return f" ({', '.join(raised)})" if raised else ""


_STANDS: dict[str, tuple[str, str]] = {
    "concerns": ("{n} concern", "{n} concerns"),
    "objections": ("{n} objection", "{n} objections"),
}


def lead_words(ruling: Ruling) -> tuple[str, str]:
    """The leading option, or "", and its votes with all conditions of the rule: `migrate`, `2 of 3, needed 2`."""
    result = ruling.result
    tally = ruling.tally
    if result is None or not ruling.leading:
        needed = _needed_before_votes(ruling)
        none = _n(tally.eligible, "0 of {n} ballot cast, {needed}", "0 of {n} ballots cast, {needed}", needed=needed)
        return "", none
    leading, each = most_words(ruling)
    parts = [each]
    if result.needed is not None:
        parts.append(_("needed {needed}", needed=number(result.needed)))
    elif len(ruling.leading) == 1:
        parts.append(_("the most votes"))
    else:
        parts.append(_("tie"))
    parts += _conditions(ruling, result)
    return leading, ", ".join(parts)


def most_words(ruling: Ruling) -> tuple[str, str]:
    """The leading option, or "", and its votes without any condition: `migrate`, `2 of 3`."""
    result, eligible = ruling.result, ruling.tally.eligible
    if result is None or not ruling.leading:
        return "", _n(eligible, "0 of {n} ballot cast", "0 of {n} ballots cast")
    votes = number(max(result.points.values()))
    each = _n(
        len(ruling.leading), "{votes} of {eligible}", "{votes} of {eligible} each", votes=votes, eligible=eligible
    )
    return spoken_list([*map(line, ruling.leading)]), each


def _needed_before_votes(ruling: Ruling) -> str:
    """Votes needed while there are none: a share of the ballots cast is no number yet."""
    count = ruling.count
    if count is None or isinstance(count.rule, Plurality | Elected):
        return _("the most votes win")
    needed = votes_needed(count.rule, sum(count.voters().values()))
    if needed is None:
        return _("the number needed depends on the ballots cast")
    return _("{needed} needed", needed=needed)


def _conditions(ruling: Ruling, result: Result) -> Iterator[str]:
    """Unmet conditions of the rule other than votes, and the step that broke a tie."""
    if not result.quorum_met:
        yield _("{cast} of the {quorum} ballots cast that a decision needs", cast=result.cast, quorum=result.quorum)
    if result.obstacle == "refused":
        yield _("refused because its quotes are not verified")
    if result.in_a_row > 1 and result.on_last_ballots:
        yield _(
            "has won {has_held} of the {in_a_row} consecutive counts it needs",
            has_held=result.has_held,
            in_a_row=result.in_a_row,
        )
    if ruling.standing == "decided" and result.steps:
        yield _("decided by {step}: {option}", step=named(result.steps[-1].step), option=ruling.option)


def flip_words(flip: Flip | None) -> str:
    """Margin of victory in ballots: `2`, `2 or 3`, `more than 4`; empty if it was not computed."""
    if flip is None:
        return ""
    if flip.ballots is None:
        return _("no number of ballots") if flip.exact else _("more than {tried}", tried=flip.tried)
    if flip.exact:
        return str(flip.ballots)
    least = flip.tried + 1
    if least + 1 == flip.ballots:
        return _("{least} or {ballots}", least=least, ballots=flip.ballots)
    return _("{least} to {ballots}", least=least, ballots=flip.ballots)


def robustness_sentence(ruling: Ruling) -> str:
    """Result of the agreed rule, its margin of victory, and the results of other rules under the same conditions.

    Empty if nothing was counted.
    """
    count = ruling.count
    if count is None:
        return ""
    agreed = _agreed_result(count)
    others = [rule_result(count, rule) for rule in others_of(count.rule)]
    first = _(
        "On the last ballots {rule} says: {winners}{near}.",
        rule=named(agreed.rule),
        winners=winners_words(agreed),
        near=_margin_words(agreed.flip),
    )
    return " ".join([first, *_other_rules(agreed.winners, others), *_unweighted(count, agreed)])


def margin_sentence(count: Count) -> str:
    """`As counted: release; 1 ballot cast differently could change that.`"""
    agreed = _agreed_result(count)
    first = _("As counted: {winners}{near}.", winners=winners_words(agreed), near=_margin_words(agreed.flip))
    return " ".join([first, *_unweighted(count, agreed)])


def _agreed_result(count: Count) -> RuleResult:
    return rule_result(count, count.rule, counts=MAX_COUNTS)


def _margin_words(flip: Flip | None) -> str:
    if flip is None or (flip.ballots is None and not flip.tried):
        return ""
    if flip.ballots is None:
        return _n(
            flip.tried,
            "; no {n} ballot cast differently would change that",
            "; no {n} ballots cast differently would change that",
        )
    ballots = flip_words(flip)
    return _n(
        1 if ballots == "1" else 2,
        "; {ballots} ballot cast differently could change that",
        "; {ballots} ballots cast differently could change that",
        ballots=ballots,
    )


def _other_rules(winners: tuple[str, ...], others: Sequence[RuleResult]) -> list[str]:
    """`It also wins under borda and irv. It loses under minimax (b). It ties under copeland (a and b tied).`"""
    rules_by_result: dict[tuple[str, ...], list[str]] = {}
    for row in others:
        rule = _("{rule} (after {ended})", rule=named(row.rule), ended=row.ended) if row.ended else named(row.rule)
        rules_by_result.setdefault(row.winners, []).append(rule)
    also = rules_by_result.pop(winners, [])
    if len(winners) != 1:
        return [
            _("Under {rules}: {result}.", rules=spoken_list(rules), result=result_words(result))
            for result, rules in rules_by_result.items()
        ]
    undecided = rules_by_result.pop((), [])
    loses = list[str]()
    ties = list[str]()
    for result, rules in rules_by_result.items():
        listed = ties if winners[0] in result else loses
        listed.append(f"{spoken_list(rules)} ({result_words(result)})")
    sentences = {
        message("It also wins under {rules}."): also,
        message("It loses under {rules}."): loses,
        message("It ties under {rules}."): ties,
        message("Nothing is decided under {rules}."): undecided,
    }
    return [_(template, rules=spoken_list(rules)) for template, rules in sentences.items() if rules]


def _unweighted(count: Count, agreed: RuleResult) -> Iterator[str]:
    """Result of the agreed rule if every ballot weighed 1; empty if every ballot does."""
    if count.weighs_one():
        return
    voters = len(count.voters())
    if isinstance(count.rule, Threshold) and count.rule.votes > voters:
        yield _(
            "Without weights nothing could be decided: {votes} of {voters} votes would be needed.",
            votes=count.rule.votes,
            voters=voters,
        )
        return
    plain = count.unweighted().result().winners
    same = _("the same") if plain == agreed.winners else result_words(plain)
    yield _("If every ballot weighed 1, the result would be: {same}.", same=same)


def winners_words(row: RuleResult) -> str:
    """The result of a rule, and the place if it would have ended the debate earlier."""
    ended = _(" (after {ended})", ended=row.ended) if row.ended else ""
    return f"{result_words(row.winners)}{ended}"


def result_words(winners: tuple[str, ...]) -> str:
    """`adopt`, `adopt and defer tied`, `nothing decided`."""
    if not winners:
        return _("nothing decided")
    if len(winners) == 1:
        return winners[0]
    return _("{winners} tied", winners=spoken_list(winners))


def counted_by_words(count: Count) -> str:
    """The rule of a count: `2 votes needed`, `supermajority 2/3 on 2 consecutive counts`."""
    rule = count.rule
    words = named(rule.kind)
    if isinstance(rule, Threshold):
        words = _n(rule.votes, "{n} vote needed", "{n} votes needed")
    elif isinstance(rule, Supermajority):
        words = _("supermajority {numerator}/{denominator}", numerator=rule.numerator, denominator=rule.denominator)
    in_a_row = count.ballots_in_a_row()
    if in_a_row > 1:
        words += _(" on {in_a_row} consecutive counts", in_a_row=in_a_row)
    return words


def count_words(result: Result) -> str:
    """The result of a count: `adopt`, `adopt and defer tied`, `nothing decided, no quorum`."""
    said = result_words(tuple(map(line, result.winners)))
    match result.obstacle:
        case "quorum":
            return _("{said}, no quorum", said=said)
        case "refused":
            return _("{said}, refused because its quotes are not verified", said=said)
        case "in_a_row":
            return _(
                "{said}, has won {has_held} of the {in_a_row} consecutive counts it needs",
                said=said,
                has_held=result.has_held,
                in_a_row=result.in_a_row,
            )
        case _:
            return said


def percent(share: Fraction) -> float:
    """A weight out of 100, to two decimals."""
    return round(float(share * 100), 2)


def tip_words(tip: Tip) -> str:
    """`62.5 instead of 40: b ties, and wins beyond`, or the statement that no weight changes the winner."""
    if tip.to is None:
        return _("no weight of this driver changes the winner")
    return _n(
        len(tip.options),
        "{to:g} instead of {weight:g}: {options} ties, and wins beyond",
        "{to:g} instead of {weight:g}: {options} tie, and one of them wins beyond",
        to=percent(tip.to),
        weight=percent(tip.weight),
        options=spoken_list(tip.options),
    )


def weights_sentence(ruling: Ruling) -> str:
    """Weights of single drivers that would change the winner; empty under other rules."""
    matrix = ruling.count.matrix() if ruling.count else None
    nearest = tips(matrix) if matrix else ()
    if not nearest:
        return ""
    weights = "; ".join(f"{tip.driver}: {tip_words(tip)}" for tip in nearest if tip.to is not None)
    return _(
        "Weights that would change the winner, the others scaled in proportion: {weights}.",
        weights=weights or _("none of a single driver"),
    )
