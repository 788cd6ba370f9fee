"""The status of a decision in a few words: status, option, arithmetic, decider, cautions.

Results, room, wall, phone and list show the same value. `outcome` and `decision` have the full sentences.
"""

from dataclasses import dataclass

from debate_core.engine.stage import result_of
from debate_core.language import Words, _, _n, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars, letters
from debate_core.report.facts.who_decided import SIGNED, DecisionState, WhoDecided, who_decided
from debate_core.report.phrases.cautions import SINCE, Caution, cautions, hint_words
from debate_core.report.phrases.counts import amount_words, points_words, result_words, stand_words
from debate_core.report.phrases.decision import arithmetic, elected_words
from debate_core.report.phrases.outcome import outcome_lines, short_reason
from debate_core.report.phrases.rules import STEP_NAMES, clause_words
from debate_core.report.phrases.tournament import lead_sentence
from debate_core.report.phrases.who_decided import (
    DeciderWords,
    decider_words,
    no_person_sentence,
    of_voters,
    signed_line,
    threshold_words,
)
from debate_core.text import capitalized, whole_sentence


@dataclass(frozen=True, slots=True)
class DecisionStatus:
    """The status of a decision."""

    status: str
    """`Decided, not signed`, `Accepted`, `Undecided`, `Not decided yet`."""
    option: str | None
    """The option in force; None if there is none."""
    letter: str
    """The letter of that option; empty without one."""
    headline: str
    """The option, or words for its absence."""
    line: str
    """The arithmetic in one line."""
    decider: DeciderWords
    """`Decided by`, `The room`."""
    cautions: tuple[Caution, ...]
    of_no_person: str
    """Warning that no person voted on this result; empty where a person voted."""
    hints: str = ""
    """`Vote changed without reason, and 2 more`; empty without any hint."""
    is_signed: bool = False
    """True if a signature has put the option in force, and it holds as far as is known."""


def decision_status(account: Account, *, with_cautions: bool = True) -> DecisionStatus:
    """The present status of the decision. Lists of many debates omit the cautions."""
    decided = account.once(who_decided)
    letter = letters(account.state.spec.options).get(decided.option, "") if decided.option else ""
    status, is_signed = status_words(account.state, decided.standing), decided.standing in SIGNED
    if decided.signed is not None and account.decision.since in SINCE:
        status, is_signed = SINCE[account.decision.since], False
    return DecisionStatus(
        status=status,
        option=decided.option,
        letter=letter,
        headline=headline(decided.standing, decided.option),
        line=_arithmetic_line(account, decided),
        decider=decider_words(decided),
        cautions=cautions(account) if with_cautions else (),
        of_no_person=no_person_sentence(account),
        hints=hint_words(account) if with_cautions else "",
        is_signed=is_signed,
    )


def status_words(state: State, standing: DecisionState) -> str:
    """The status in a few words. An open final vote and a sealed one have their own."""
    final = state.room.polls.get("final")
    if standing != "vote_due" or final is None:
        return STATUS[standing]
    return _("The vote is open") if final.closed is None else _("Closed, not revealed yet")


def headline(standing: DecisionState, option: str | None) -> str:
    """Return the option in force, or words for its absence."""
    return option or _HEADLINES.get(standing, _("No decision"))


STATUS: Words[DecisionState] = Words(
    {
        "open": "Not decided yet",
        "vote_due": "The vote decides",
        "counted": "Decided, not signed",
        "accepted": "Decided and signed",
        "overridden": "Decided and signed",
        "chosen": "Decided and signed",
        "changes": "Changes come first",
        "rejected": "Rejected",
        "escalated": "Escalated",
        "undecided": "Undecided",
        "truncated": "Undecided",
        "stopped": "Undecided",
        "outage": "Undecided",
    }
)
_HEADLINES: Words[DecisionState] = Words(
    {
        "open": "Not decided yet",
        "vote_due": "Not decided yet",
        "rejected": "Rejected",
        "escalated": "Needs escalation",
        "truncated": "Cut off by a limit",
        "stopped": "Stopped",
    }
)


def _arithmetic_line(account: Account, decided: WhoDecided) -> str:
    """The arithmetic of the decision, or the reason why there is none."""
    bars = decided.counted.bars
    if decided.standing == "open" or (bars is not None and bars.is_sealed):
        return _line_so_far(account, bars)
    if decided.signed is not None and decided.standing != "accepted":
        return signed_line(decided)
    return _counted_line(account, bars)


def _counted_line(account: Account, bars: VoteBars | None) -> str:
    decision = account.decision
    if decision.counted is None:
        if account.decision.counted_by == "debaters":
            return short_reason(account)
        if bars is None or not bars.cast:
            return arithmetic(account)
        return f"{nothing_words(account)} {_cast_sentence(bars)}"
    if decision.seat_role:
        return _(
            "{decider} named it, as agreed before the start. No votes were counted.",
            decider=capitalized(named(decision.decider)),
        )
    if decision.counted_by == "debaters" and account.ruling.is_compared:
        return lead_sentence(account)
    return arithmetic(account) if bars is None else _chosen_by(bars, decision.counted)


def _line_so_far(account: Account, bars: VoteBars | None) -> str:
    """`migrate: 2 of 3. 2 are needed.`"""
    if bars is None or not account.state.spec.debaters() or account.ruling.is_compared:
        return outcome_lines(account)[1]
    needed = _needed_sentence(bars)
    if bars.is_sealed:
        return _("{cast} {of_voters} voted.{needed}", cast=bars.cast, of_voters=of_voters(bars), needed=needed)
    if not bars.leading:
        return _("No votes yet.{needed}", needed=needed)
    return f"{_leading_words(bars)}.{needed}{_held_sentence(bars)}"


def _leading_words(bars: VoteBars) -> str:
    """`migrate: 2 of 3`, `adopt and defer: 4 points each`, `adopt and defer tied`."""
    leading = [bar.option for bar in bars.leading]
    if _differ(bars):
        return result_words(tuple(leading))
    has = bars.leading[0].has
    words = _("{most} of {of}", most=has, of=bars.of) if bars.in_heads else amount_words(has, bars.unit)
    return _n(len(leading), "{leading}: {has}", "{leading}: {has} each", leading=spoken_list(leading), has=words)


def _differ(bars: VoteBars) -> bool:
    """True if the leading options are tied by other means than their points."""
    return len({bar.has for bar in bars.leading}) > 1


def count_line(account: Account) -> str:
    """The points of every option, after the reason if they decided nothing; empty without ballots and while sealed."""
    points = _points_line(account)
    if points and account.decision.counted is None and not account.decision.pending:
        return f"{nothing_words(account)} {points}"
    return points


def _points_line(account: Account) -> str:
    """`Postgres 3, Redis 2, cookies 0; 5 of 5 ballots cast.`; empty where no ballots are counted and revealed."""
    bars = deciding_bars(account)
    if bars is None or bars.is_sealed or not bars.cast:
        return ""
    points = _points_of(bars)
    if bars.unit != "votes":
        points = f"{capitalized(named(bars.unit))}: {points}"
    cast = _cast_sentence(bars)
    # Where the vote decided nothing, the reason before the points has the number needed.
    has_bar = bars.needed is not None and bars.winner is not None
    needed = f" {_needed_in_the_end(bars)}" if has_bar else ""
    if bars.winner and bars.tie_steps:
        step = STEP_NAMES[bars.tie_steps[-1].step]
        needed += _(" Tie-break by {step}: {option}.", step=step, option=bars.winner.option)
    return f"{points}. {cast}{needed}"


def _cast_sentence(bars: VoteBars) -> str:
    """`9 of 12 ballots were cast (weight 11), 2 abstained.`; the weight only where ballots weigh differently."""
    abstained = _(", {abstained} abstained", abstained=bars.abstained) if bars.abstained else ""
    weight = "" if bars.weight_cast is None else _(" (weight {weight_cast})", weight_cast=bars.weight_cast)
    return _n(
        bars.eligible,
        "{cast} of {n} ballot was cast{weight}{abstained}.",
        "{cast} of {n} ballots were cast{weight}{abstained}.",
        cast=bars.cast,
        abstained=abstained,
        weight=weight,
    )


def _points_of(bars: VoteBars, *, without: str | None = None) -> str:
    """`Postgres 3, Redis 2, cookies 0`, the most first."""
    ranked = sorted(bars.bars, key=lambda bar: -bar.has)
    points = [one.has for one in ranked]
    return ", ".join(
        f"{bar.option} {points_words(bar.has, points)}{stand_words(bars.count, bar.option)}"
        for bar in ranked
        if bar.option != without
    )


def others_line(account: Account) -> str:
    """`Redis 2, cookies 0`: the points of the options that lost; empty where nothing is counted and won."""
    bars, counted = deciding_bars(account), account.decision.counted
    if bars is None or bars.is_sealed or counted is None or not bars.cast:
        return ""
    return _points_of(bars, without=counted)


def nothing_words(account: Account) -> str:
    """The reason why the deciding vote decided nothing, such as too few ballots or a tie, in one sentence."""
    electorate = account.decision.counted_by
    result = None if electorate == "debaters" else result_of(account.state, "final", electorate)
    return short_reason(account) if result is None else f"{elected_words(account, result)}."


def _needed_sentence(bars: VoteBars) -> str:
    if bars.needed is None:
        return ""
    return _n(1 if bars.needed == 1 else 2, " {needed} is needed.", " {needed} are needed.", needed=bars.needed)


def _needed_in_the_end(bars: VoteBars) -> str:
    return _n(1 if bars.needed == 1 else 2, "{needed} was needed.", "{needed} were needed.", needed=bars.needed)


def _chosen_by(bars: VoteBars, option: str) -> str:
    """`7 of 12 voters chose it. 7 were needed.`"""
    if bars.tie_steps:
        return _tied_with(bars, option)
    has = next(bar.has for bar in bars.bars if bar.option == option)
    others = [bar.has for bar in bars.bars if bar.option != option]
    held = _held_sentence(bars)
    needed = whole_sentence(clause_words(bars.rule))
    if bars.needed is not None:
        needed = _needed_in_the_end(bars)
    if bars.counts_everybody:
        return _n(
            1 if has == 1 else 2,
            "{has} {of_voters} chose it. {needed}{held}",
            "{has} {of_voters} chose it. {needed}{held}",
            has=has,
            of_voters=of_voters(bars),
            needed=needed,
            held=held,
        )
    if bars.in_heads:
        return _(
            "It has {has} of {of} {unit}. {needed}{held}",
            has=points_words(has, others),
            of=bars.of,
            unit=named(bars.unit),
            needed=needed,
            held=held,
        )
    best = max(others, default=0)
    # Under a run-off, another option may have more.
    words = _("It has {has}, the next best {others}.") if best <= has else _("It has {has}, another option {others}.")
    said = words.format(has=amount_words(has, bars.unit, others), others=points_words(best, [has]))
    return f"{said} {needed}{held}"


def _tied_with(bars: VoteBars, option: str) -> str:
    """`It tied with Redis, 6 of 12 voters each, and won the tie-break by lot.`"""
    has = {bar.option: bar.has for bar in bars.bars}
    others = [other for other in bars.tied_before if other != option]
    each = ""
    if bars.counts_everybody:
        each = _(", {has} {of_voters} each", has=has[option], of_voters=of_voters(bars))
    elif all(has[other] == has[option] for other in others):
        each = _(", {has} each", has=amount_words(has[option], bars.unit))
    return _(
        "It tied with {others}{each}, and won the tie-break by {step}.",
        others=spoken_list(others),
        each=each,
        step=STEP_NAMES[bars.tie_steps[-1].step],
    )


def count_words(bars: VoteBars, *, is_over: bool) -> str:
    """`7 of 12 voters, 7 needed`, `5 of 8 ballots in`, `2 each, 3 needed`; without the bar for advice."""
    if bars.is_sealed:
        return _n(bars.eligible, "{cast} of {n} ballot in", "{cast} of {n} ballots in", cast=bars.cast)
    words = _most_words(bars, is_over=is_over)
    if bars.decides and bars.needed is None:
        words += f", {threshold_words(bars)}"
    elif bars.decides:
        words += _(", {needed} needed", needed=bars.needed)
    if bars.in_a_row > 1:
        words += _(", won {has_held} of {in_a_row} consecutive counts", has_held=bars.has_held, in_a_row=bars.in_a_row)
    return words


def _most_words(bars: VoteBars, *, is_over: bool) -> str:
    """Votes of the leading option: `7 of 12 voters`, `2 each`."""
    if not bars.leading:
        return _("No votes") if is_over else _("No votes yet")
    if _differ(bars):
        return result_words(tuple(bar.option for bar in bars.leading))
    most = bars.leading[0].has
    if len(bars.leading) > 1:
        return _("{has} each", has=most)
    if bars.counts_everybody:
        return _("{has} {of_voters}", has=most, of_voters=of_voters(bars))
    if bars.in_heads:
        return _("{has} of {of} {unit}", has=points_words(most), of=bars.of, unit=named(bars.unit))
    return amount_words(most, bars.unit)


def _held_sentence(bars: VoteBars) -> str:
    if bars.in_a_row == 1:
        return ""
    return _(
        " It has won {has_held} of the {in_a_row} consecutive counts it needs.",
        has_held=bars.has_held,
        in_a_row=bars.in_a_row,
    )
