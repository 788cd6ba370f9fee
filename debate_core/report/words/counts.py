"""A count in sentences: what other rules would have said, how near another result was, which weights would matter.

It changes nothing: the rule agreed before the start has decided.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.criteria import Tip, tips
from debate_core.engine.count.flips import MAX_COUNTS, Flip
from debate_core.engine.count.methods import others_of
from debate_core.language import _, _n, message, spoken_list
from debate_core.report.facts.counts import RuleResult, number, rule_result
from debate_core.report.facts.ruling import Ruling
from debate_core.report.facts.terms import named
from debate_core.spec.rules import CountedRule, Supermajority, Threshold, votes_needed
from debate_core.text import line


def lead_words(ruling: Ruling) -> tuple[str, str]:
    """Who leads, empty if nobody does, and how near a decision is, in heads: `migrate`, `2 of 3, needed 2`.

    All conditions of the rule are told: the bar, the quorum, how many ballots in a row.
    """
    result = ruling.result
    tally = ruling.tally
    if result is None or not ruling.leading:
        needed = _needed_of_none(ruling)
        none = _n(tally.eligible, "0 of {n} ballot cast, {needed}", "0 of {n} ballots cast, {needed}", needed=needed)
        return "", none
    of = {"votes": number(max(result.points.values())), "eligible": tally.eligible}
    parts = [_n(len(ruling.leading), "{votes} of {eligible}", "{votes} of {eligible} each", **of)]
    if result.needed is not None:
        parts.append(_("needed {needed}", needed=number(result.needed)))
    elif len(ruling.leading) == 1:
        parts.append(_("the most votes"))
    else:
        parts.append(_("tie"))
    parts += _conditions(ruling, result)
    return spoken_list([*map(line, ruling.leading)]), ", ".join(parts)


def _needed_of_none(ruling: Ruling) -> str:
    """What the rule asks before anybody has voted: a share of the ballots cast is no number yet."""
    count = ruling.count
    result = ruling.result
    if count is None or result is None or result.needed is None:
        return _("the most votes win")
    needed = votes_needed(count.rule, result.eligible_weight)
    if needed is None:
        return _("what is needed follows from the ballots cast")
    return _("{needed} needed", needed=needed)


def _conditions(ruling: Ruling, result: Result) -> Iterator[str]:
    """What else the rule asks than votes, as far as it is not met, and what broke a tie."""
    if not result.quorum_met:
        yield _("{cast} of the {quorum} ballots cast that a decision needs", cast=result.cast, quorum=result.quorum)
    if result.obstacle == "refused":
        yield _("refused for its quotes")
    if result.in_a_row > 1 and result.on_last_ballots:
        yield _(
            "has won {has_held} of the {in_a_row} consecutive counts it needs",
            has_held=result.has_held,
            in_a_row=result.in_a_row,
        )
    if ruling.standing == "decided" and result.steps:
        yield _("decided by {step}: {option}", step=named(result.steps[-1].step), option=ruling.option)


def flip_words(flip: Flip | None) -> str:
    """`2`, `2 or 3`, `more than 4`; empty if nobody looked."""
    if flip is None:
        return ""
    if flip.ballots is None:
        return _("none changes it") if flip.exact else _("more than {tried}", tried=flip.tried)
    if flip.exact:
        return str(flip.ballots)
    least = flip.tried + 1
    if least + 1 == flip.ballots:
        return _("{least} or {ballots}", least=least, ballots=flip.ballots)
    return _("{least} to {ballots}", least=least, ballots=flip.ballots)


def robustness_sentence(ruling: Ruling) -> str:
    """What the agreed rule says, how near that was to another result, and under which rules it holds or does not.

    The others are played through under the same conditions. Empty if nothing was counted.
    """
    count = ruling.count
    if count is None:
        return ""
    agreed = rule_result(count, count.rule, counts=MAX_COUNTS)
    others = [rule_result(count, rule) for rule in others_of(count.rule)]
    first = _(
        "On the last ballots {rule} says: {winners}{near}.",
        rule=named(agreed.rule),
        winners=winners_words(agreed),
        near=_near(agreed.flip),
    )
    return " ".join([first, *_elsewhere(agreed.winners, others), *_unweighted(count, agreed)])


def _near(flip: Flip | None) -> str:
    if flip is None or (flip.ballots is None and not flip.tried):
        return ""
    if flip.ballots is None:
        return _n(
            flip.tried,
            "; no {n} ballot cast otherwise would change that",
            "; no {n} ballots cast otherwise would change that",
        )
    ballots = flip_words(flip)
    return _n(
        1 if ballots == "1" else 2,
        "; {ballots} ballot cast otherwise would change that",
        "; {ballots} ballots cast otherwise would change that",
        ballots=ballots,
    )


def _holds(option: str, others: Sequence[RuleResult]) -> list[str]:
    """`It also wins under borda and irv. It loses under minimax (b). It is level with others under copeland (a, b).`"""
    also = [_rule_and_end(other) for other in others if other.winners == (option,)]
    loses = list[str]()
    level = list[str]()
    undecided = list[str]()
    for winners, rules in _by_result((option,), others).items():
        if not winners:
            undecided = rules
        elif option in winners:
            level.append(f"{spoken_list(rules)} ({result_words(winners)})")
        else:
            loses.append(f"{spoken_list(rules)} ({result_words(winners)})")
    sentences = {
        message("It also wins under {rules}."): also,
        message("It loses under {rules}."): loses,
        message("It is level with others under {rules}."): level,
        message("Nothing is decided under {rules}."): undecided,
    }
    return [_(template, rules=spoken_list(rules)) for template, rules in sentences.items() if rules]


def _elsewhere(winners: tuple[str, ...], others: Sequence[RuleResult]) -> list[str]:
    if len(winners) == 1:
        return _holds(winners[0], others)
    return [
        _("Under {rules}: {result}.", rules=spoken_list(rules), result=result_words(w))
        for w, rules in _by_result(winners, others).items()
    ]


def _by_result(winners: tuple[str, ...], others: Sequence[RuleResult]) -> dict[tuple[str, ...], list[str]]:
    """Every other result and the rules that come to it."""
    rules: dict[tuple[str, ...], list[str]] = {}
    for row in others:
        if row.winners != winners:
            rules.setdefault(row.winners, []).append(_rule_and_end(row))
    return rules


def _rule_and_end(row: RuleResult) -> str:
    """`majority`, `majority (after round 1, opening)`: a rule that would have ended the debate before says so."""
    if not row.ended:
        return named(row.rule)
    return _("{rule} (after {ended})", rule=named(row.rule), ended=row.ended)


def _unweighted(count: Count, agreed: RuleResult) -> list[str]:
    """What the agreed rule says if every ballot weighs 1; nothing where every one does, or the bar is so many votes."""
    if count.weighs_one():
        return []
    voters = len(count.voters())
    if isinstance(count.rule, Threshold) and count.rule.votes > voters:
        return [
            _(
                "Without weights nothing could be decided: {votes} votes are needed of {voters}.",
                votes=count.rule.votes,
                voters=voters,
            )
        ]
    plain = count.unweighted().result().winners
    same = _("the same") if plain == agreed.winners else result_words(plain)
    return [_("If every ballot weighed 1, the result would be: {same}.", same=same)]


def winners_words(row: RuleResult) -> str:
    """`adopt`, `adopt and defer level`, `nothing decided`; and where it would have ended the debate before."""
    words = result_words(row.winners)
    if row.ended:
        words += _(" (after {ended})", ended=row.ended)
    return words


def result_words(winners: tuple[str, ...]) -> str:
    """`adopt`, `adopt and defer level`, `nothing decided`."""
    if not winners:
        return _("nothing decided")
    if len(winners) == 1:
        return winners[0]
    return _("{winners} level", winners=spoken_list(winners))


# --- a count by itself


def counted_by_words(count: Count) -> str:
    """The rule of a count: `2 votes needed`, `supermajority 2/3 on 2 ballots in a row`."""
    words = _rule_words(count.rule)
    in_a_row = count.ballots_in_a_row()
    if in_a_row > 1:
        words += _(" on {in_a_row} consecutive counts", in_a_row=in_a_row)
    return words


def _rule_words(rule: CountedRule) -> str:
    if isinstance(rule, Threshold):
        return _n(rule.votes, "{n} vote needed", "{n} votes needed")
    if isinstance(rule, Supermajority):
        return _("supermajority {numerator}/{denominator}", numerator=rule.numerator, denominator=rule.denominator)
    return named(rule.kind)


def count_words(result: Result) -> str:
    """What a count says: `adopt`, `adopt and defer level`, `nothing decided, no quorum`."""
    said = result_words(tuple(map(line, result.winners)))
    match result.obstacle:
        case "quorum":
            return _("{said}, no quorum", said=said)
        case "refused":
            return _("{said}, refused for its quotes", said=said)
        case "in_a_row":
            return _(
                "{said}, has won {has_held} of the {in_a_row} consecutive counts it needs",
                said=said,
                has_held=result.has_held,
                in_a_row=result.in_a_row,
            )
        case _:
            return said


# --- weighted criteria


def percent(share: Fraction) -> float:
    """A weight out of 100, to two decimals."""
    return round(float(share * 100), 2)


def tip_words(tip: Tip) -> str:
    """`62.5 instead of 40: b draws level, and wins beyond`; or that no weight would do."""
    if tip.to is None:
        return _("no weight of this driver changes the winner")
    return _n(
        len(tip.options),
        "{to:g} instead of {weight:g}: {options} draws level, and wins beyond",
        "{to:g} instead of {weight:g}: {options} draw level, and one of them wins beyond",
        to=percent(tip.to),
        weight=percent(tip.weight),
        options=spoken_list(tip.options),
    )


def weights_sentence(ruling: Ruling) -> str:
    """Which weight of a driver, the others scaled in proportion, would change the winner; empty under other rules."""
    matrix = ruling.count.matrix() if ruling.count else None
    nearest = tips(matrix) if matrix else ()
    if not nearest:
        return ""
    told = "; ".join(f"{tip.driver}: {tip_words(tip)}" for tip in nearest if tip.to is not None)
    return _(
        "Weights that would change the winner, the others scaled in proportion: {told}.",
        told=told or _("none of one driver"),
    )
