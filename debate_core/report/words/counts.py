"""A count in sentences: what other rules would have said, how near another result was, which weights would matter.

It changes nothing: the rule agreed before the start has decided.
"""

from collections.abc import Sequence
from fractions import Fraction

from debate_core.engine.count.count import Count
from debate_core.engine.count.criteria import Tip, tips
from debate_core.engine.count.flips import MAX_COUNTS, Flip
from debate_core.engine.count.methods import others_of
from debate_core.record.state import State
from debate_core.report.facts.counts import RuleResult, debaters_count, rule_result
from debate_core.spec.rules import Threshold
from debate_core.spec.values import in_words
from debate_core.text import plural, spoken_list


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


def robustness_sentence(state: State) -> str:
    """What the agreed rule says, how near that was to another result, and under which rules it holds or does not.

    Empty if nothing was counted.
    """
    count = debaters_count(state)
    if count is None:
        return ""
    agreed = rule_result(count, count.rule, counts=MAX_COUNTS)
    others = [rule_result(count, rule) for rule in others_of(count.rule)]
    first = f"On the last ballots {in_words(agreed.rule)} says: {_result(agreed.winners)}{_near(agreed.flip)}."
    return " ".join([first, *_elsewhere(agreed.winners, others), *_unweighted(count, agreed)])


def _near(flip: Flip | None) -> str:
    if flip is None or flip.ballots is None:
        tried = flip.tried if flip else 0
        return f"; no {plural(tried, 'ballot')} cast otherwise would change that" if tried else ""
    ballots = "ballot" if flip_words(flip) == "1" else "ballots"
    return f"; {flip_words(flip)} {ballots} cast otherwise would change that"


def _holds(option: str, others: Sequence[RuleResult]) -> list[str]:
    """`It also wins under borda and irv. It loses under minimax (b). It is level with others under copeland (a, b).`"""
    also = [in_words(o.rule) for o in others if o.winners == (option,)]
    elsewhere = _by_result((option,), others)
    undecided = elsewhere.pop((), [])
    told = {winners: f"{spoken_list(rules)} ({_result(winners)})" for winners, rules in elsewhere.items()}
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
    return [f"Under {spoken_list(rules)}: {_result(w)}." for w, rules in _by_result(winners, others).items()]


def _by_result(winners: tuple[str, ...], others: Sequence[RuleResult]) -> dict[tuple[str, ...], list[str]]:
    """Every other result and the rules that come to it."""
    rules: dict[tuple[str, ...], list[str]] = {}
    for row in others:
        if row.winners != winners:
            rules.setdefault(row.winners, []).append(in_words(row.rule))
    return rules


def _unweighted(count: Count, agreed: RuleResult) -> list[str]:
    """What the agreed rule says if every ballot weighs 1; nothing where every one does, or the bar is so many votes."""
    if count.weighs_one():
        return []
    voters = len(count.voters())
    if isinstance(count.rule, Threshold) and count.rule.votes > voters:
        return [f"Without weights nothing could be decided: {count.rule.votes} votes are needed of {voters}."]
    plain = count.unweighted().result().winners
    same = "the same" if plain == agreed.winners else _result(plain)
    return [f"If every ballot weighed 1, the result would be: {same}."]


def _result(winners: tuple[str, ...]) -> str:
    if not winners:
        return "nothing decided"
    return f"{spoken_list(winners)} level" if len(winners) > 1 else winners[0]


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


def weights_sentence(state: State) -> str:
    """Which weight of a driver, the others scaled in proportion, would change the winner; empty under other rules."""
    count = debaters_count(state)
    matrix = count.matrix() if count else None
    nearest = tips(matrix) if matrix else ()
    if not nearest:
        return ""
    told = "; ".join(f"{tip.driver}: {tip_words(tip)}" for tip in nearest if tip.to is not None)
    return f"Weights that would change the winner, the others scaled in proportion: {told or 'none of one driver'}."
