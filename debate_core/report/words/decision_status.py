"""How a decision stands, in the few words that screens show first: status, option, arithmetic, who decided, cautions.

One value for results, room, wall, phone and list, so that no two of them say it differently. The sentences of
`outcome` and `decision` tell the same at length.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.count.chance import chance_level
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import Number, rule_result
from debate_core.report.facts.health import FLAGS
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, Voters, deciding_bars, letters, vote_bars
from debate_core.report.facts.who_decided import DecisionState, WhoDecided, who_decided
from debate_core.report.words.decision import arithmetic
from debate_core.report.words.evidence import rests_sentence
from debate_core.report.words.outcome import outcome_lines, short_reason
from debate_core.report.words.rules import chance_sentence, clause_words, percent_of_chance
from debate_core.report.words.who_decided import (
    DeciderWords,
    count_sentence,
    decider_words,
    no_person_sentence,
    of_voters,
    override_words,
    signed_line,
)
from debate_core.spec.rules import DecisionRule
from debate_core.text import capitalized, whole_sentence

MAX_CAUTIONS = 6
FLIP_COUNTS = 400
"""Counts that the search for the one ballot that changes everything may take."""
_ELECTORATES = Words({"debaters": "The seats", "panel": "The panel", "room": "The room"})


@dataclass(frozen=True, slots=True)
class Caution:
    """A fact in a few words, and the sentence behind it."""

    words: str
    reason: str
    level: Literal["override", "grave", "well"] = "grave"
    """`override`: a person decided against the count; `well`: this was looked at and is well."""


@dataclass(frozen=True, slots=True)
class DecisionStatus:
    """How a decision stands."""

    status: str
    """`Decided, not signed`, `Accepted`, `Undecided`, `Not decided yet`."""
    option: str | None
    """What holds now; None as long as nothing does."""
    letter: str
    headline: str
    """The option, or in words that there is none."""
    line: str
    """The arithmetic in one line."""
    decider: DeciderWords
    """`Decided by`, `The room`."""
    cautions: tuple[Caution, ...]
    of_no_person: str
    """Warning that no person voted on this result; empty where a person voted."""


def decision_status(account: Account, *, with_cautions: bool = True) -> DecisionStatus:
    """How the decision of this debate stands, or what stands so far. A list of many leaves the cautions out."""
    told = account.once(who_decided)
    return DecisionStatus(
        status=_status(told),
        option=told.option,
        letter=_letter(account, told.option),
        headline=told.option or _headline(told),
        line=_line(account, told),
        decider=decider_words(told),
        cautions=cautions(account) if with_cautions else (),
        of_no_person=no_person_sentence(account),
    )


def _letter(account: Account, option: str | None) -> str:
    if option is None:
        return ""
    return letters(account.state.spec.options).get(option, "")


_STATUS: Words[DecisionState] = Words(
    {
        "open": "Not decided yet",
        "vote_due": "The vote decides",
        "counted": "Decided, not signed",
        "accepted": "Accepted",
        "overridden": "Accepted",
        "chosen": "Accepted",
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


def _status(told: WhoDecided) -> str:
    return _STATUS[told.standing]


def _headline(told: WhoDecided) -> str:
    """What stands where no option does."""
    return _HEADLINES[told.standing] if told.standing in _HEADLINES else _("No decision")


def _line(account: Account, told: WhoDecided) -> str:
    """The arithmetic of the decision; where nothing is decided, what kept it."""
    bars = told.counted.bars
    if told.standing == "open" or (bars is not None and bars.is_sealed):
        return _so_far(account, bars)
    if told.signed is not None and told.standing != "accepted":
        return signed_line(told)
    return _counted_line(account, bars)


def _counted_line(account: Account, bars: VoteBars | None) -> str:
    """The arithmetic of the count, whatever was signed."""
    decision = account.decision
    if decision.counted is None and decision.counted_by == "debaters":
        return short_reason(account)
    if decision.counted is not None and decision.seat_role:
        return _(
            "{decider} named it, as agreed before the start. No votes were counted.",
            decider=capitalized(named(decision.decider)),
        )
    if decision.counted is None or bars is None:
        return arithmetic(account)
    return _chosen_by(bars, decision.counted)


def _needed_now(needed: Number) -> str:
    return _n(1 if needed == 1 else 2, "{needed} is needed.", "{needed} are needed.", needed=needed)


def _so_far(account: Account, bars: VoteBars | None) -> str:
    if bars is None or not account.state.spec.debaters() or account.ruling.is_compared:
        return outcome_lines(account)[1]
    needed = "" if bars.needed is None else f" {_needed_now(bars.needed)}"
    if bars.is_sealed:
        return _("{cast} {of_voters} voted.{needed}", cast=bars.cast, of_voters=of_voters(bars), needed=needed)
    return _leading_words(bars, needed)


def _leading_words(bars: VoteBars, needed: str) -> str:
    """`migrate: 2 of 3. 2 are needed.`"""
    most = max(bar.has for bar in bars.bars)
    leading = [bar.option for bar in bars.bars if bar.has == most]
    if not most:
        return _("No vote yet.{needed}", needed=needed)
    leading_words = _n(
        len(leading),
        "{leading}: {most} of {of}.",
        "{leading}: {most} of {of} each.",
        leading=spoken_list(leading),
        most=most,
        of=bars.of,
    )
    return f"{leading_words}{needed}{_held(bars)}"


def _chosen_by(bars: VoteBars, option: str) -> str:
    """`7 of 12 voters chose it. 7 were needed.`"""
    has = next(bar.has for bar in bars.bars if bar.option == option)
    others = [bar.has for bar in bars.bars if bar.option != option]
    needed = _needed_then(bars)
    held = _held(bars)
    if bars.counts_everybody:
        return _(
            "{has} {of_voters} chose it. {needed}{held}",
            has=has,
            of_voters=of_voters(bars),
            needed=needed,
            held=held,
        )
    if bars.in_heads:
        return _(
            "It has {has} of {of} {unit}. {needed}{held}",
            has=has,
            of=bars.of,
            unit=named(bars.unit),
            needed=needed,
            held=held,
        )
    return _(
        "It has {has} {unit}, the next best {others}. {needed}{held}",
        has=has,
        unit=named(bars.unit),
        others=max(others, default=0),
        needed=needed,
        held=held,
    )


def _needed_then(bars: VoteBars) -> str:
    needed = bars.needed
    if needed is None:
        return whole_sentence(clause_words(bars.rule))
    return _n(1 if needed == 1 else 2, "{needed} was needed.", "{needed} were needed.", needed=needed)


def count_words(bars: VoteBars, *, is_over: bool) -> str:
    """`7 of 12 voters, 7 needed`, `5 of 8 ballots in`, `2 each, 3 needed`: the same in a few words."""
    if bars.is_sealed:
        return _n(bars.eligible, "{cast} of {n} ballot in", "{cast} of {n} ballots in", cast=bars.cast)
    return f"{_most_words(bars, is_over=is_over)}{_line_short(bars)}{_held_short(bars)}"


def _line_short(bars: VoteBars) -> str:
    """The bar, after the points of the leading option; nothing for advice."""
    if not bars.decides:
        return ""
    if bars.needed is None:
        return f", {clause_words(bars.rule)}"
    return _(", {needed} needed", needed=bars.needed)


def _most_words(bars: VoteBars, *, is_over: bool) -> str:
    """What the option has that has most: `7 of 12 voters`, `2 each`."""
    most = max(bar.has for bar in bars.bars)
    leading = [bar for bar in bars.bars if bar.has == most]
    if not most:
        return _("No vote") if is_over else _("No vote yet")
    if len(leading) > 1:
        return _("{has} each", has=most)
    if bars.counts_everybody:
        return _("{has} {of_voters}", has=most, of_voters=of_voters(bars))
    return _("{has} {unit}", has=most, unit=named(bars.unit))


def _held_short(bars: VoteBars) -> str:
    if bars.in_a_row == 1:
        return ""
    return _(", held on {has_held} of {in_a_row} ballots", has_held=bars.has_held, in_a_row=bars.in_a_row)


def _held(bars: VoteBars) -> str:
    if bars.in_a_row == 1:
        return ""
    return _(" Held on {has_held} of {in_a_row} ballots.", has_held=bars.has_held, in_a_row=bars.in_a_row)


# What to be careful about


def cautions(account: Account) -> tuple[Caution, ...]:
    """At most six, the gravest first; what was looked at and is well stands last."""
    found = (
        *_of_an_override(account),
        *_of_the_decision(account),
        *_of_flags(account),
        *_of_findings(account),
        *_well(account),
    )
    unique = {caution.words: caution for caution in reversed(found)}
    return tuple(caution for caution in found if unique[caution.words] is caution)[:MAX_CAUTIONS]


def _of_an_override(account: Account) -> Iterator[Caution]:
    told = account.once(who_decided)
    if words := override_words(told):
        both = _("{says} Both values stay in the record.", says=count_sentence(told))
        yield Caution(words, both, "override")


def _of_the_decision(account: Account) -> Iterator[Caution]:
    if words := rests_sentence(account, with_ids=False):
        yield Caution(_("Rests on unverified quotes"), words)
    if account.state.outcome is None:
        return
    if bars := deciding_bars(account):
        yield from _of_the_count(account, bars)
    for other in vote_bars(account):
        if not other.decides and (says := _advises_otherwise(other, account.decision.counted)):
            yield Caution(_ADVICE[other.voters], says)


def _of_the_count(account: Account, bars: VoteBars) -> Iterator[Caution]:
    """How near the count that decides was to another result, or to chance."""
    if 0 < bars.has_held < bars.in_a_row:
        held = _("Held on {has_held} of {in_a_row} ballots", has_held=bars.has_held, in_a_row=bars.in_a_row)
        yield Caution(held, _(_IN_A_ROW))
    count = account.ruling.count
    if not bars.are_of_seats or count is None or account.decision.counted is None:
        return
    flip = rule_result(count, count.rule, counts=FLIP_COUNTS).flip
    if flip is not None and flip.ballots == 1:
        yield Caution(_("No vote to spare"), _("One ballot cast otherwise would change the result."))
    yield from _chance(account, bars)


_ADVICE = Words(
    {
        "debaters": "Seats advise otherwise",
        "panel": "Panel advises otherwise",
        "room": "Room advises otherwise",
    }
)
_IN_A_ROW = message("The rule asks for the same result on several ballots in a row.")


def _advises_otherwise(bars: VoteBars, decided: str | None) -> str:
    best = [bar.option for bar in bars.bars if bar.wins]
    if decided is None or not best or best[0] == decided:
        return ""
    return _("{electorates}, whose vote is advice, chose {best}.", electorates=_ELECTORATES[bars.voters], best=best[0])


def _chance(account: Account, bars: VoteBars) -> Iterator[Caution]:
    rule: DecisionRule = account.state.spec.protocol.decide
    if not bars.counts_everybody or bars.needed is None:
        return
    level = chance_level(bars.cast, len(bars.bars), int(bars.needed), in_a_row=bars.in_a_row)
    if 0 < level < 1:
        reason = chance_sentence(rule, bars.eligible, len(bars.bars), cast=bars.cast)
        if reason:
            yield Caution(
                _("Chance alone: {percent}", percent=percent_of_chance(level)),
                reason,
                "grave" if level >= _LIKELY else "well",
            )


_LIKELY = 0.1
"""From one in ten on, agreement by chance is worth a caution."""

FLAG_WORDS: Words[str] = Words(
    {
        "DEBATE_TRUNCATED": "Cut off by a limit",
        "origin_unknown": "Origin not known",
        "rests_on_unverified_quotes": "Rests on unverified quotes",
        "ballots_contradict_text": "Ballot contradicts its text",
        "ballot_without_reason": "Ballot without a reason",
        "unverified_quotes": "A quote is not verified",
        "rehearsal": "Rehearsal",
        "not_a_debate": "Not a debate",
        "no_model": "No model: passages only",
        "single_family": "One model family",
        "same_model": "One and the same model",
        "synthesiser_shares_family": "Summed up by a relative",
        "custom_prompts": "Own prompts",
        "not_counted": "No votes are counted",
        "not_blind": "First ballots not blind",
        "two_could_win": "Two could win at once",
        "tie": "Options stand level",
        "no_ballots": "No seat voted",
        "too_few_ballots": "Too few seats voted",
        "split": "Settled camps",
        "incoherent": "No settled agreement",
        "lost_turns": "Turns were lost",
        "weak_critic": "Weak critiques",
        "all_opinion_consensus": "Opinions only",
        "unattributed_change": "Vote changed without reason",
        "unknown_ids": "Cites what is not there",
        "near_ceiling": "Near a limit",
        "unknown_cost": "Cost not known",
        "judge_led": "A judge led the debate",
        "judge_spoke": "A judge spoke in it",
        "judge_interest": "A judge declared an interest",
        "judge_late": "A judge was late",
        "estimated_usage": "Usage is estimated",
    }
)
"""Flag -> at most four words for it."""
FINDING_WORDS = Words(
    {
        "restatement": "A seat repeats itself",
        "no_progress": "Nothing new was said",
        "echo": "A seat repeats another",
        "staged_agreement": "Agreement without a reason",
        "drift": "Side left without reason",
        "gave_in": "Side given up early",
        "false_quotes": "Quotes are not verified",
        "contradicting_ballots": "Ballot contradicts its text",
        "theatrical": "Perhaps only played",
        "phantom_consensus": "Tells of uncounted agreement",
        "dominance": "One seat spoke most",
        "conformity": "Votes joined the majority",
        "lazy_critic": "Critiques answer little",
        "softening": "Critiques are softened",
        "synthesis_unlinked": "Summary rests on nothing",
        "synthesis_not_said": "Summary adds something new",
    }
)
"""Finding -> at most four words for it; files keep its name."""
_SAID_ELSEWHERE = frozenset({"rests_on_unverified_quotes", "estimated_usage", "unknown_cost", "near_ceiling"})
"""Said on top already, or only of interest beside the cost."""
_OF_THE_SEATS = frozenset({"tie", "no_ballots", "too_few_ballots", "split", "incoherent", "not_blind", "two_could_win"})
"""About the count of the seats: where people decide, it is advice, and nothing to be careful about in the decision."""


def _of_flags(account: Account) -> Iterator[Caution]:
    held = account.flags
    advice = _OF_THE_SEATS if account.state.spec.terms.decides != "debaters" else frozenset()
    for name in held:
        if name == "single_family" and "same_model" in held:
            continue
        if name not in _SAID_ELSEWHERE | advice and name in FLAG_WORDS:
            yield Caution(FLAG_WORDS[name], FLAGS[name])


def _of_findings(account: Account) -> Iterator[Caution]:
    for finding in account.findings:
        yield Caution(FINDING_WORDS[finding.name], finding.sentence)


_ALL_VOTED: Words[Voters] = Words(
    {
        "debaters": "Every seat voted",
        "panel": "The whole panel voted",
        "room": "The whole room voted",
    }
)


def _well(account: Account) -> Iterator[Caution]:
    if account.state.outcome is None:
        return
    bars = deciding_bars(account)
    if bars and not bars.is_sealed and bars.cast == bars.eligible:
        everybody = _n(
            bars.eligible, "{cast} of {n} ballot was cast.", "{cast} of {n} ballots were cast.", cast=bars.cast
        )
        yield Caution(_ALL_VOTED[bars.voters], everybody, "well")
    verdicts = {row.quote_verified for row in account.claims if row.evidence_text}
    if verdicts == {"verbatim"}:
        quoted = sum(bool(row.evidence_text) for row in account.claims)
        every_quote = _n(quoted, "{n} quote stands word for word.", "{n} quotes stand word for word.")
        yield Caution(_("Every quote found"), every_quote, "well")
