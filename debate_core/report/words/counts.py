"""A count in sentences: what other rules would have said, how near another result was, which weights would matter.

It changes nothing: the rule agreed before the start has decided.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.criteria import Tip, tips
from debate_core.engine.count.flips import MAX_COUNTS, Flip
from debate_core.engine.count.methods import others_of
from debate_core.report.facts.counts import RuleResult, number, rule_result
from debate_core.report.facts.ruling import Ruling
from debate_core.spec.rules import CountedRule, Supermajority, Threshold
from debate_core.spec.values import in_words
from debate_core.text import line, plural, spoken_list


def lead_words(ruling: Ruling) -> tuple[str, str]:
    """Who leads, empty if nobody does, and how near a decision is, in heads: `migrate`, `2 of 3, needed 2`.

    All conditions of the rule are told: the bar, the quorum, how many ballots in a row.
    """
    result, tally = ruling.result, ruling.tally
    if result is None or not ruling.leading:
        needed = "the most votes win" if result is None or result.needed is None else f"{result.needed} needed"
        return "", f"0 of {tally.eligible} ballots cast, {needed}"
    votes, is_alone = number(max(result.points.values())), len(ruling.leading) == 1
    parts = [f"{votes} of {tally.eligible}{'' if is_alone else ' each'}"]
    if result.needed is not None:
        parts.append(f"needed {number(result.needed)}")
    else:
        parts.append("the most votes" if is_alone else "level, a tie")
    parts += [*_conditions(ruling, result)]
    return spoken_list([*map(line, ruling.leading)]), ", ".join(parts)


def _conditions(ruling: Ruling, result: Result) -> Iterator[str]:
    """What else the rule asks than votes, as far as it is not met, and what broke a tie."""
    if not result.quorum_met:
        yield f"{result.cast} of the {result.quorum} ballots cast that a decision needs"
    if result.obstacle == "refused":
        yield "refused for its quotes"
    if result.in_a_row > 1 and result.on_last_ballots:
        yield f"held on {result.has_held} of {result.in_a_row} ballots in a row"
    if ruling.standing == "decided" and result.steps:
        yield f"decided by {in_words(result.steps[-1].step)}: {ruling.option}"


def flip_words(flip: Flip | None) -> str:
    """`2`, `2 or 3`, `more than 4`; empty if nobody looked."""
    if flip is None:
        return ""
    if flip.ballots is None:
        return "none changes it" if flip.exact else f"more than {flip.tried}"
    if flip.exact:
        return str(flip.ballots)
    least = flip.tried + 1
    between = "or" if least + 1 == flip.ballots else "to"
    return f"{least} {between} {flip.ballots}"


def robustness_sentence(ruling: Ruling) -> str:
    """What the agreed rule says, how near that was to another result, and under which rules it holds or does not.

    The others are played through under the same conditions. Empty if nothing was counted.
    """
    count = ruling.count
    if count is None:
        return ""
    agreed = rule_result(count, count.rule, counts=MAX_COUNTS)
    others = [rule_result(count, rule) for rule in others_of(count.rule)]
    first = f"On the last ballots {in_words(agreed.rule)} says: {winners_words(agreed)}{_near(agreed.flip)}."
    return " ".join([first, *_elsewhere(agreed.winners, others), *_unweighted(count, agreed)])


def _near(flip: Flip | None) -> str:
    if flip is None or flip.ballots is None:
        tried = flip.tried if flip else 0
        return f"; no {plural(tried, 'ballot')} cast otherwise would change that" if tried else ""
    ballots = "ballot" if flip_words(flip) == "1" else "ballots"
    return f"; {flip_words(flip)} {ballots} cast otherwise would change that"


def _holds(option: str, others: Sequence[RuleResult]) -> list[str]:
    """`It also wins under borda and irv. It loses under minimax (b). It is level with others under copeland (a, b).`"""
    also = [_rule_and_end(o) for o in others if o.winners == (option,)]
    elsewhere = _by_result((option,), others)
    undecided = elsewhere.pop((), [])
    told = {winners: f"{spoken_list(rules)} ({result_words(winners)})" for winners, rules in elsewhere.items()}
    loses = [words for winners, words in told.items() if option not in winners]
    level = [words for winners, words in told.items() if option in winners]
    sentences = {
        "It also wins": also,
        "It loses": loses,
        "It is level with others": level,
        "Nothing is decided": undecided,
    }
    return [f"{result} under {spoken_list(rules)}." for result, rules in sentences.items() if rules]


def _elsewhere(winners: tuple[str, ...], others: Sequence[RuleResult]) -> list[str]:
    if len(winners) == 1:
        return _holds(winners[0], others)
    return [f"Under {spoken_list(rules)}: {result_words(w)}." for w, rules in _by_result(winners, others).items()]


def _by_result(winners: tuple[str, ...], others: Sequence[RuleResult]) -> dict[tuple[str, ...], list[str]]:
    """Every other result and the rules that come to it."""
    rules: dict[tuple[str, ...], list[str]] = {}
    for row in others:
        if row.winners != winners:
            rules.setdefault(row.winners, []).append(_rule_and_end(row))
    return rules


def _rule_and_end(row: RuleResult) -> str:
    """`majority`, `majority (after round 1, opening)`: a rule that would have ended the debate before says so."""
    return f"{in_words(row.rule)} (after {row.ended})" if row.ended else in_words(row.rule)


def _unweighted(count: Count, agreed: RuleResult) -> list[str]:
    """What the agreed rule says if every ballot weighs 1; nothing where every one does, or the bar is so many votes."""
    if count.weighs_one():
        return []
    voters = len(count.voters())
    if isinstance(count.rule, Threshold) and count.rule.votes > voters:
        return [f"Without weights nothing could be decided: {count.rule.votes} votes are needed of {voters}."]
    plain = count.unweighted().result().winners
    same = "the same" if plain == agreed.winners else result_words(plain)
    return [f"If every ballot weighed 1, the result would be: {same}."]


def winners_words(row: RuleResult) -> str:
    """`adopt`, `adopt and defer level`, `nothing decided`; and where it would have ended the debate before."""
    return f"{result_words(row.winners)}{f' (after {row.ended})' if row.ended else ''}"


def result_words(winners: tuple[str, ...]) -> str:
    """`adopt`, `adopt and defer level`, `nothing decided`."""
    if not winners:
        return "nothing decided"
    return f"{spoken_list(winners)} level" if len(winners) > 1 else winners[0]


# --- a count by itself


def counted_by_words(count: Count) -> str:
    """The rule of a count: `2 votes needed`, `supermajority 2/3 on 2 ballots in a row`."""
    in_a_row = count.ballots_in_a_row()
    again = f" on {in_a_row} ballots in a row" if in_a_row > 1 else ""
    return f"{_rule_words(count.rule)}{again}"


def _rule_words(rule: CountedRule) -> str:
    if isinstance(rule, Threshold):
        return f"{plural(rule.votes, 'vote')} needed"
    if isinstance(rule, Supermajority):
        return f"supermajority {rule.numerator}/{rule.denominator}"
    return in_words(rule.kind)


def count_words(result: Result) -> str:
    """What a count says: `adopt`, `adopt and defer level`, `nothing decided, no quorum`."""
    said = result_words(tuple(map(line, result.winners)))
    match result.obstacle:
        case "quorum":
            return f"{said}, no quorum"
        case "refused":
            return f"{said}, refused for its quotes"
        case "in_a_row":
            return f"{said}, held on {result.has_held} of {result.in_a_row} ballots in a row"
        case _:
            return said


# --- weighted criteria


def percent(share: Fraction) -> float:
    """A weight out of 100, to two decimals."""
    return round(float(share * 100), 2)


def tip_words(tip: Tip) -> str:
    """`62.5 instead of 40: b draws level, and wins beyond`; or that no weight would do."""
    if tip.to is None:
        return "no weight of this driver changes the winner"
    verb, then = ("draws", "wins") if len(tip.options) == 1 else ("draw", "one of them wins")
    return (
        f"{percent(tip.to):g} instead of {percent(tip.weight):g}: {spoken_list(tip.options)} {verb} level, "
        f"and {then} beyond"
    )


def weights_sentence(ruling: Ruling) -> str:
    """Which weight of a driver, the others scaled in proportion, would change the winner; empty under other rules."""
    matrix = ruling.count.matrix() if ruling.count else None
    nearest = tips(matrix) if matrix else ()
    if not nearest:
        return ""
    told = "; ".join(f"{tip.driver}: {tip_words(tip)}" for tip in nearest if tip.to is not None)
    return f"Weights that would change the winner, the others scaled in proportion: {told or 'none of one driver'}."
