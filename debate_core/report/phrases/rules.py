"""Decision rules in sentences: winning condition, quorum, tie-break, chance level.

The module knows a rule and the number of voters; no debate.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from debate_core.engine.count.chance_agreement import chance_level, chance_over
from debate_core.engine.count.methods import METHODS
from debate_core.language import Words, _, _n
from debate_core.report.facts.terms import named
from debate_core.report.phrases.voters import NAMES
from debate_core.spec import rules
from debate_core.spec.protocol import Driver, Protocol, Spec, are_weighted
from debate_core.spec.values import BallotKind, TieBreak

_BALLOTS: Words[BallotKind] = Words(
    {
        "one": "names one option",
        "approval": "approves any number of options",
        "ranking": "ranks the options",
        "score": "gives every option 0 to 5 points",
        "dots": "spreads its dots over the options",
        "consent": "consents to an option, raises a concern, or objects with a reason",
        "criteria": "gives every option 0 to {most} points under each decision driver",
    }
)
"""Content of a ballot; `{most}` = the maximum of points for an option."""
STEPS: Words[TieBreak] = Words(
    {
        "pairwise": "pairwise comparison",
        "second": "second places, or points",
        "approver": "the approver",
        "lot": "a lot drawn with the seed of the debate",
    }
)
"""Criterion of each step of the tie-break."""
STEP_NAMES: Words[TieBreak] = Words(
    {"pairwise": "pairwise comparison", "second": "second places, or points", "approver": "the approver", "lot": "lot"}
)
"""The steps in results, after "tie-break by"."""


def drivers_sentence(drivers: Sequence[Driver]) -> str:
    """The agreed decision drivers; empty without any."""
    if not drivers:
        return ""
    each = ", ".join(driver_names(drivers))
    if are_weighted(drivers):
        return _("Decision drivers, of 100 together: {each}.", each=each)
    return _("Decision drivers: {each}.", each=each)


def driver_names(drivers: Sequence[Driver]) -> list[str]:
    """`cost 70` with the weight out of 100; `cost` without weights."""
    if not are_weighted(drivers):
        return [driver.name for driver in drivers]
    return [f"{driver.name} {driver.weight}" for driver in drivers]


def agreed_sentence(spec: Spec) -> str:
    """The decision rule of a debate, with numbers for its seats and their weights."""
    if spec.held_elsewhere:
        return no_vote_sentence()
    debaters = spec.debaters()
    return rule_sentence(spec.protocol, len(debaters), weight=sum(s.weight for s in debaters))


def no_vote_sentence() -> str:
    """The reason why the record of a transcript has no count."""
    return _("No one voted: the record is made from the transcript of a meeting.")


def agreed_words(spec: Spec) -> str:
    """The decision rule with its treatment of quotes and contradictions; names the people whose vote decides."""
    rule = agreed_sentence(spec)
    terms = spec.terms
    if spec.protocol.unverified_quotes == "refuse":
        rule = f"{rule} {quotes_sentence(spec.protocol)}"
    if spec.protocol.contradicting_ballots == "abstain":
        rule = f"{rule} {contradicting_sentence(spec.protocol)}"
    if terms.decides == "debaters":
        return rule
    if spec.protocol.deciding_role:
        return _(
            "The final vote of the {decides} decides; the option named here is advice. {rule}",
            decides=NAMES[terms.decides],
            rule=rule,
        )
    return _("{decides} Among them: {rule}", decides=advice_sentence(spec), rule=f"{rule[:1].lower()}{rule[1:]}")


def advice_sentence(spec: Spec) -> str:
    """Say that a vote of people decides and the count of the debaters is advice; empty unless that is so."""
    terms = spec.terms
    if terms.decides == "debaters" or spec.protocol.deciding_role:
        return ""
    return _("The final vote of the {decides} decides; the count of the seats is advice.", decides=NAMES[terms.decides])


def quotes_sentence(protocol: Protocol) -> str:
    """Treatment of an option that only unverified quotes support."""
    becomes = _("can win, and is marked everywhere")
    if protocol.unverified_quotes == "refuse":
        becomes = _("does not win")
    return _("An option that rests on unverified quotes alone {becomes}.", becomes=becomes)


def contradicting_sentence(protocol: Protocol) -> str:
    """Treatment of a ballot that contradicts its own text; empty if no ballots are cast."""
    if protocol.deciding_role:
        return ""
    becomes = _("counts, and is marked everywhere")
    if protocol.contradicting_ballots == "abstain":
        becomes = _("counts as an abstention")
    return _("A ballot whose own text argues for another option {becomes}.", becomes=becomes)


def votes_told_sentence(protocol: Protocol) -> str:
    """Notice that models see earlier votes; empty if they do not, which is the default."""
    if protocol.deciding_role or protocol.votes_told == "hidden":
        return ""
    return _("Models that vote see the earlier votes.")


def rotation_sentence(protocol: Protocol) -> str:
    """Notice that the models rotate; empty if they do not, which is the default."""
    if not protocol.rotate_models:
        return ""
    return _("The models rotate: from round to round, each debater's seat gets the model of the next debater.")


def strength_sentence(protocol: Protocol) -> str:
    """Condition for a second attempt at a critique; empty without one."""
    least = protocol.least_strength
    if not least:
        return ""
    return _("A critique that rates itself below {least} of 10 is requested once more.", least=least)


def deliverable_sentence(protocol: Protocol) -> str:
    """The deliverable that the synthesis contains; empty without one."""
    if protocol.output_schema is None:
        return ""
    return _("The synthesis contains a deliverable, which is checked against a JSON Schema.")


def search_sentence(protocol: Protocol) -> str:
    """Notice that seats may search the sources, with the limit of a turn; empty if none may."""
    most = {phase.max_look_ups for phase in protocol.phases() if phase.tools}
    if not most:
        return ""
    roles = dict.fromkeys(named(phase.role) for phase in protocol.phases() if phase.tools)
    return _n(
        max(most),
        "Before a turn, up to {n} search of the sources is allowed for: {roles}.",
        "Before a turn, up to {n} searches of the sources are allowed for: {roles}.",
        roles=", ".join(roles),
    )


def rule_sentence(protocol: Protocol, debaters: int, *, weight: int | None = None) -> str:
    """The decision rule as agreed before the start, with numbers in heads, or in the total weight of the ballots."""
    rule = protocol.decide
    if isinstance(rule, rules.BySeat):
        return _(
            "The {role} names one option, or none; no votes are counted.{unheard}",
            role=named(rule.role),
            unheard=_heard_sentence(rule),
        )
    if isinstance(rule, rules.Tournament):
        return tournament_sentence(rule)
    total = debaters if weight is None else weight
    often = _("every phase") if protocol.check_after == "phase" else _("every round")
    checked = _(", checked after {more}", more=often)
    return " ".join([_decides(rule, debaters, total, checked), *_besides(rule, debaters, total)])


def tournament_sentence(rule: rules.Tournament) -> str:
    """Method, number and winning condition of the comparisons."""
    sentences = [
        _(
            "Options are compared two at a time and ranked by the Bradley-Terry model; the strongest one wins if its "
            "lead over the next is significant (5 %). More than half of the comparisons must be given."
        )
    ]
    if rule.both_orders:
        sentences.append(_("Every pair is compared in both orders."))
    if rule.matches:
        sentences.append(
            _(
                "Each pair is compared in a short debate with its own record: both sides open and answer each other, "
                "and a judge who argues for neither names the better option, or none."
            )
        )
    if rule.top:
        sentences.append(_("Most comparisons are spent on finding the best {n}.", n=rule.top))
    if rule.at_limit:
        sentences.append(_("At a limit, the comparisons made so far decide."))
    return " ".join(sentences)


def _heard_sentence(rule: rules.BySeat) -> str:
    if rule.decides_unheard:
        return _(" It decides even if a side is silent.")
    return _(
        " Nothing is decided unless every side gives at least one turn, and at least half of those requested from it."
    )


def _decides(rule: rules.CountedRule, debaters: int, total: int, checked: str) -> str:
    """Winning condition for this number of debaters and total weight of ballots."""
    needed = rules.votes_needed(rule, total)
    bar = _n(total, "{needed} of {n} current vote", "{needed} of {n} current votes", needed=needed)
    match rule:
        case rules.Threshold():
            return _("An option is decided with {bar}{checked}.", bar=bar, checked=checked)
        case rules.Majority():
            votes = bar if needed else _("more than half of the ballots cast")
            return _decides_by_majority(votes, rule.ballots_in_a_row, checked)
        case rules.Supermajority():
            share = f"{rule.numerator}/{rule.denominator}"
            votes = f"{bar} ({share})" if needed else _("at least {share} of the ballots cast", share=share)
            return _("An option is decided with {votes}{checked}.", votes=votes, checked=checked)
        case rules.Unanimity():
            return _(
                "An option is decided with {all_votes}{checked}.",
                all_votes=_all_votes(rule, debaters, bar if needed else None),
                checked=checked,
            )
        case rules.Plurality():
            return _("The option with the most votes at the end is decided; equal options are a tie.")
        case rules.Elected():
            return elected_sentence(rule)
        case _:
            assert_never(rule)


def _decides_by_majority(votes: str, in_a_row: int, checked: str) -> str:
    if in_a_row == 1:
        return _("An option is decided with {votes}{checked}.", votes=votes, checked=checked)
    return _(
        "An option is decided with {votes} {row}{checked}; a unanimous first ballot decides at once.",
        votes=votes,
        row=_("on {ballots_in_a_row} consecutive counts", ballots_in_a_row=in_a_row),
        checked=checked,
    )


def _all_votes(rule: rules.Unanimity, debaters: int, bar: str | None) -> str:
    """`bar` None: a share of the ballots that will be cast."""
    if bar is None and rule.all_but:
        return _("all ballots cast but {all_but}", all_but=rule.all_but)
    if bar is None:
        return _("all ballots cast")
    if rule.all_but:
        return _("{bar}, all but {all_but}", bar=bar, all_but=rule.all_but)
    return _("the votes of all {debaters} seats", debaters=debaters)


def all_votes_of(rule: rules.Unanimity, voters: str) -> str:
    """`the votes of all eligible voters but 1`, `all ballots cast`."""
    if rule.base == "cast":
        return _all_votes(rule, 0, None)
    but = _(" but {all_but}", all_but=rule.all_but) if rule.all_but else ""
    return _("the votes of {voters}{but}", voters=voters, but=but)


def bar_sentence(rule: rules.CountedRule, total: int | None = None) -> str:
    """Winning condition of a poll; `total` None: the number of voters is not known yet."""
    needed = rules.votes_needed(rule, total) if total else None
    heads = _n(total, "{needed} of {n} vote", "{needed} of {n} votes", needed=needed) if total and needed else ""
    so_many = f": {heads}" if heads else ""
    voters = _voters_of(rule)
    match rule:
        case rules.Threshold():
            return _("An option is elected with {heads}.", heads=heads or _n(rule.votes, "{n} vote", "{n} votes"))
        case rules.Majority():
            return _("An option is elected with more than half of {voters}{so_many}.", voters=voters, so_many=so_many)
        case rules.Supermajority():
            share = f"{rule.numerator}/{rule.denominator}"
            return _(
                "An option is elected with at least {share} of {voters}{so_many}.",
                share=share,
                voters=voters,
                so_many=so_many,
            )
        case rules.Unanimity():
            votes = all_votes_of(rule, voters)
            return _("An option is elected with {votes}{so_many}.", votes=votes, so_many=so_many)
        case rules.Plurality():
            return _("The option with the most votes is elected.")
        case rules.Elected():
            return elected_sentence(rule)
        case _:
            assert_never(rule)


def clause_words(rule: rules.CountedRule, *, eligible: str = "") -> str:
    """The bar in a few words, without a number of voters: `more than half of the ballots cast`.

    `eligible` names the voters if they are known to be of one kind.
    """
    voters = eligible if eligible and rule.base == "eligible" else _voters_of(rule)
    match rule:
        case rules.Threshold():
            return _n(rule.votes, "{n} vote", "{n} votes")
        case rules.Majority():
            return _("more than half of {voters}", voters=voters)
        case rules.Supermajority():
            share = f"{rule.numerator}/{rule.denominator}"
            return _("at least {share} of {voters}", share=share, voters=voters)
        case rules.Unanimity():
            return all_votes_of(rule, voters)
        case rules.Plurality() | rules.Elected():
            method = METHODS[rule.kind]
            wins = named(method.in_short) if method.in_short else _("the most {unit} win", unit=named(method.unit))
            return f"{wins}{floor_words(rule)}" if isinstance(rule, rules.Elected) else wins
        case _:
            assert_never(rule)


def _voters_of(rule: rules.CountedRule) -> str:
    return _("all eligible voters") if rule.base == "eligible" else _("the ballots cast")


def elected_sentence(rule: rules.Elected) -> str:
    """Content of a ballot under this rule, and the winning condition."""
    ballot = _BALLOTS[rules.ballot_kind(rule)].format(most=rule.most_points)
    if rule.kind == "cumulative":
        ballot = _("spreads {dots} dots over the options", dots=rule.dots)
    return _(
        "Each ballot {ballot}; at the end, {wins}{floor} ({kind}). Equal options are a tie.",
        ballot=ballot,
        wins=named(METHODS[rule.kind].wins),
        floor=floor_words(rule),
        kind=named(rule.kind),
    )


def floor_words(rule: rules.Elected) -> str:
    """Minimum of a winner; empty without one."""
    if not rule.floor_percent:
        return ""
    if rule.kind == "weighted_criteria":
        return _(
            ", if it has at least {floor_percent} % of {most_points} points",
            floor_percent=rule.floor_percent,
            most_points=rule.most_points,
        )
    return _(", if at least {floor_percent} % of the ballots cast approve it", floor_percent=rule.floor_percent)


def quorum_sentence(rule: rules.CountedRule, eligible: int | None, total: int | None = None) -> str:
    """Number of ballots that a decision needs; `eligible` None: the voters are not known yet.

    `total` is the weight of all ballots. Empty without a quorum, or if the bar cannot be reached with fewer ballots.
    """
    if rule.quorum is None and _bar_is_higher(rule, eligible, total):
        return ""
    if eligible is None and rule.quorum is None:
        return _("More than half of all eligible voters must cast a ballot.")
    if eligible is None:
        return _("At least {quorum} of all eligible voters must cast a ballot.", quorum=rule.quorum)
    return _n(
        eligible,
        "At least {quorum} of {n} ballot must be cast.",
        "At least {quorum} of {n} ballots must be cast.",
        quorum=rules.quorum_of(rule, eligible),
    )


def _bar_is_higher(rule: rules.CountedRule, eligible: int | None, total: int | None) -> bool:
    """True if the required votes need more than half of all eligible voters."""
    if eligible is None:
        return rule.base == "eligible" and isinstance(rule, rules.Majority | rules.Supermajority | rules.Unanimity)
    return total == eligible and 2 * (rules.votes_needed(rule, total) or 0) > eligible


def _besides(rule: rules.CountedRule, debaters: int, total: int) -> list[str]:
    sentences = [quorum_sentence(rule, debaters, total)]
    if total != debaters:
        sentences.append(
            _n(
                debaters,
                "The ballot of {n} seat weighs {total}.",
                "The ballots of {n} seats weigh {total} together.",
                total=total,
            )
        )
    if rule.tie:
        steps = _(", then ").join(STEPS[step] for step in rule.tie)
        sentences.append(_("Tie-break at the end: {steps}.", steps=steps))
    return [sentence for sentence in sentences if sentence]


def chance_sentence(
    rule: rules.DecisionRule,
    debaters: int,
    options: int,
    *,
    weight: int | None = None,
    cast: int | None = None,
    counts: int = 1,
) -> str:
    """Chance level: how often random votes reach the bar; empty without a deciding count, or if ballots have weights.

    `weight` is the total weight of the ballots, if it may differ from their number. `cast` is the number of ballots
    cast; None = all, because it is not known yet. `counts` is the number of counts that could decide the debate.
    """
    if weight not in (None, debaters):
        return ""
    voting = debaters if cast is None else cast
    needed = rules.votes_needed(rule, debaters, voting)
    if needed is None or not 1 <= needed <= voting or options < 2:
        return ""
    who = _("the {voting} of {debaters} who cast a ballot", voting=voting, debaters=debaters)
    again = over = ""
    if voting == debaters:
        who = _("all {debaters}", debaters=debaters)
        in_a_row = rule.ballots_in_a_row if isinstance(rule, rules.Majority) else 1
        again = _chance_in_a_row(voting, options, needed, in_a_row)
        over = _chance_over(voting, options, needed, counts, in_a_row)
    once = _(
        "{needed} of {debaters} on a single ballot {share} of the time",
        needed=needed,
        debaters=debaters,
        share=_share(voting, options, needed),
    )
    return _(
        "Chance level: if {who} voted at random among {options} options, one option alone would have "
        "{once}{again}{over}.",
        who=who,
        options=options,
        once=once,
        again=again,
        over=over,
    )


def _chance_in_a_row(ballots: int, options: int, needed: int, in_a_row: int) -> str:
    if in_a_row == 1:
        return ""
    return _(
        ", and on the first {in_a_row}, or all votes on the first one, {every_time} of the time",
        in_a_row=in_a_row,
        every_time=_share(ballots, options, needed, in_a_row),
    )


def _chance_over(ballots: int, options: int, needed: int, counts: int, in_a_row: int) -> str:
    """Chance level over all deciding counts; empty if the sentence covers them already."""
    if counts <= in_a_row:
        return ""
    return _(
        ", and on any {row}of the {counts} deciding counts, with new random votes each time, {share}",
        row=_("{in_a_row} in a row ", in_a_row=in_a_row) if in_a_row > 1 else "",
        counts=counts,
        share=percent_of_chance(chance_over(ballots, options, needed, counts, in_a_row=in_a_row)),
    )


def _share(ballots: int, options: int, needed: int, in_a_row: int = 1) -> str:
    return percent_of_chance(chance_level(ballots, options, needed, in_a_row=in_a_row))


def percent_of_chance(level: Fraction) -> str:
    """`50 %`; `under 1 %` and `over 99 %` in place of a rounded 0 % or 100 %."""
    share = round(float(level), 2)
    if share == 0 and level > 0:
        return _("under 1 %")
    if share == 1 and level < 1:
        return _("over 99 %")
    return f"{100 * share:.0f} %"
