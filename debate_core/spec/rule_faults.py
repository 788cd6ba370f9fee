"""Reasons why voters cannot decide by a rule."""

from collections.abc import Sequence

from debate_core.sentence import Sentence
from debate_core.spec import rules


def rule_fault(rule: rules.CountedRule, weights: Sequence[int]) -> Sentence | None:
    """The reason why voters of these weights cannot decide by this rule, or None."""
    return _fault_among(rule, weights) or fault_in_rule(rule)


def _fault_among(rule: rules.CountedRule, weights: Sequence[int]) -> Sentence | None:
    """The reason why these voters cannot reach the bar, or could reach it twice."""
    total = sum(weights)
    if isinstance(rule, rules.Threshold):
        return _fault_in_threshold(rule, total, by_heads=set(weights) <= {1})
    if isinstance(rule, rules.Unanimity) and rule.all_but and 2 * (total - rule.all_but) <= total:
        return Sentence(
            "all but {all_but} of {total} is half or less: take at most {most}",
            all_but=rule.all_but,
            total=total,
            most=(total - 1) // 2,
        )
    return None


def _fault_in_threshold(rule: rules.Threshold, total: int, *, by_heads: bool) -> Sentence | None:
    """`total`: the weight of all ballots."""
    if rule.votes > total:
        of = Sentence("the number of debaters") if by_heads else Sentence("what the ballots weigh together")
        return Sentence("the threshold must be 1 to {total} ({of}), not {votes}", total=total, of=of, votes=rule.votes)
    if 2 * rule.votes > total or rule.allows_two_winners:
        return None
    who = Sentence("ballots that weigh {total} together", total=total)
    if by_heads:
        who = Sentence("{total} debaters", total=total)
    return Sentence(
        "with {who} a threshold of {votes} could elect two options: take {least} to {total}",
        who=who,
        votes=rule.votes,
        least=total // 2 + 1,
        total=total,
    )


def fault_in_rule(rule: rules.CountedRule) -> Sentence | None:
    """The reason why no voters can decide by this rule."""
    if isinstance(rule, rules.Supermajority) and not rule.denominator < 2 * rule.numerator <= 2 * rule.denominator:
        return Sentence(
            "a supermajority is more than one half and at most all, not {numerator}/{denominator}",
            numerator=rule.numerator,
            denominator=rule.denominator,
        )
    takes_a_share = isinstance(rule, rules.Majority | rules.Supermajority | rules.Unanimity)
    if rule.base == "cast" and not takes_a_share:
        return Sentence(
            "{kind} takes no share: only majority, supermajority and unanimity can be of the ballots cast",
            kind=rule.kind,
        )
    if isinstance(rule, rules.Elected) and (fault := _fault_in_points(rule)):
        return fault
    ladder = rule.tie
    for step in ladder[:-1]:
        if step in ("approver", "lot") or ladder.count(step) > 1:
            return Sentence(
                "the steps that break a tie are each tried once, and nothing comes after {final}: {tie}",
                final=step,
                tie=", ".join(ladder),
            )
    return None


def _fault_in_points(rule: rules.Elected) -> Sentence | None:
    if rule.floor_percent is not None and rule.kind not in ("approval", "weighted_criteria"):
        return Sentence("floor_percent belongs to approval and to weighted_criteria, not to {kind}", kind=rule.kind)
    if rule.most_points != rules.BEST_SCORE and rule.kind != "weighted_criteria":
        return Sentence("most_points belongs to weighted_criteria, not to {kind}", kind=rule.kind)
    return None
