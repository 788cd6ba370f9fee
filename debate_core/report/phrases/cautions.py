"""Cautions about a decision in a few words each: its count, its participants, its texts, and its fate since."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from debate_core.engine import stopping
from debate_core.engine.count.chance_agreement import chance_level
from debate_core.language import Words, _, _n, message
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import Since
from debate_core.report.facts.health import FLAGS
from debate_core.report.facts.interventions import Action, OverrideRow
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars, vote_bars
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.decision import since_sentences
from debate_core.report.phrases.ending import ended_words
from debate_core.report.phrases.evidence import rests_sentence
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.overrides import override_clause
from debate_core.report.phrases.rules import chance_sentence, percent_of_chance
from debate_core.report.phrases.voters import ALL_VOTED, JOINED_VOTED, WHO
from debate_core.report.phrases.who_decided import (
    count_sentence,
    override_words,
)
from debate_core.text import capitalized, with_final_mark

MAX_CAUTIONS = 6
FLIP_COUNTS = 400
"""Bound of the search for a single ballot that would change the result, in counts."""


CautionLevel = Literal["override", "grave", "missing", "well", "hint"]
"""In order. `override`: a person decided against the count; `missing`: a gap that no check can judge; `well`: a check
that passed; `hint`: about the texts of single seats, which screens fold."""


@dataclass(frozen=True, slots=True)
class Caution:
    """A fact in a few words, and the sentence behind it."""

    words: str
    reason: str
    level: CautionLevel = "grave"


SINCE: Words[Since] = Words({"challenged": "Challenged", "revised": "Revised since", "reversed": "Reversed since"})
"""Words for a signed decision that does not hold as it was signed."""


def hint_words(account: Account) -> str:
    """`Vote changed without reason`, or `3 notes on how the seats argued`; empty without any.

    They are flags and findings that question no result.
    """
    names = {*account.flags, *(finding.name for finding in account.findings)}
    first, *others = [name for name in HINTS if name in names] or [""]
    if not first:
        return ""
    if others:
        n = 1 + len(others)
        return _n(n, "{n} note on how the seats argued", "{n} notes on how the seats argued")
    return FLAG_WORDS[first] if first in FLAG_WORDS else FINDING_WORDS[first]


def doubts(account: Account) -> tuple[Caution, ...]:
    """Cautions about the decision, the count and the participants, without the findings of the automatic checks."""
    found = (*_decision_cautions(account), *_bare_claims(account), *_flag_cautions(account))
    return tuple(caution for caution in found if caution.level in ("grave", "missing", "hint"))


def cautions(account: Account) -> tuple[Caution, ...]:
    """At most six cautions, in the order of their levels."""
    findings = [
        Caution(FINDING_WORDS[finding.name], in_names(account, finding.sentence), level_of(finding.name))
        for finding in account.findings
    ]
    found = [
        *_since_cautions(account),
        *_decision_cautions(account),
        *_flag_cautions(account),
        *findings,
        *_bare_claims(account),
        *_passed_checks(account),
    ]
    found.sort(key=lambda caution: get_args(CautionLevel).index(caution.level))
    unique = {caution.words: caution for caution in reversed(found)}
    return tuple(caution for caution in found if unique[caution.words] is caution)[:MAX_CAUTIONS]


def _since_cautions(account: Account) -> Iterator[Caution]:
    """A caution if the decision was given up, changed or challenged since."""
    if account.decision.since in SINCE:
        sentences = " ".join(filter(None, since_sentences(account)))
        yield Caution(SINCE[account.decision.since], in_names(account, sentences))


def _decision_cautions(account: Account) -> Iterator[Caution]:
    decided = account.once(who_decided)
    if words := override_words(decided):
        reason = _("{says} Both values stay in the record.", says=count_sentence(decided))
        yield Caution(words, reason, "override")
    if sentence := rests_sentence(account, with_ids=False):
        yield Caution(_("Rests on unverified quotes"), sentence)
    outcome = account.state.outcome
    if outcome is None:
        return
    ended_early = outcome.status == "aborted" or outcome.ended_by in stopping.OUTAGES
    if ended_early and decided.option is not None:
        yield Caution(
            _("Ended early"),
            _(
                "It ended in round {current_round} of at most {max_rounds}, because {ended}.",
                current_round=max(account.state.current_round(), 1),
                max_rounds=account.state.spec.max_rounds,
                ended=ended_words(account),
            ),
        )
    yield from _removal_cautions(account)
    yield from _course_cautions(account)
    if bars := deciding_bars(account):
        yield from _count_cautions(account, bars)
    if account.decision.counted is not None:
        yield from _advice_cautions(account, account.decision.counted)


def _removal_cautions(account: Account) -> Iterator[Caution]:
    """A caution if people were removed while the deciding vote was open, together with their ballots."""
    poll = account.state.room.polls.get("final")
    if poll is None:
        return
    electorate, people = account.decision.counted_by, account.state.room.people
    removed = [one for one in poll.withdrawn if people[one].electorate == electorate]
    if removed:
        words = _n(len(removed), "{n} voter removed during the vote", "{n} voters removed during the vote")
        ballots = sum(one in poll.cast_times for one in removed)
        reason = _n(
            ballots,
            "{n} ballot was withdrawn from the deciding vote, because its voter was removed while it was open.",
            "{n} ballots were withdrawn from the deciding vote, because their voters were removed while it was open.",
        )
        if not ballots:
            reason = _("Voters who had not cast a ballot were removed while the deciding vote was open.")
        yield Caution(words, reason)


_BEARS_ON_COUNT: Collection[Action] = (
    "take seat",
    "return seat",
    "skip",
    "give up",
    "add round",
    "last round",
    "end at limit",
)
"""Acts of people that change whose ballots the count of the seats has, or how often they vote."""


def _course_cautions(account: Account) -> Iterator[Caution]:
    """A caution if people changed the course of a debate in which the seats decide."""
    if account.state.spec.terms.decides != "debaters":
        return
    acts = [row for row in account.overrides if row.action in _BEARS_ON_COUNT]
    if acts:
        words = _n(len(acts), "{n} change to the course", "{n} changes to the course")
        yield Caution(words, in_names(account, " ".join(map(_act_sentence, acts))))


def _act_sentence(row: OverrideRow) -> str:
    """`Fay took over the seat risk: knows the system.`"""
    clause = f"{row.actor} {override_clause(row)}"
    return with_final_mark(f"{clause}: {row.reason}" if row.reason.strip() else clause)


def _advice_cautions(account: Account, decided: str) -> Iterator[Caution]:
    """A caution for each vote of advice that chose another option."""
    for bars in vote_bars(account):
        best = next((bar.option for bar in bars.bars if bar.wins), decided)
        if not bars.decides and best != decided:
            reason = _("{voters}, whose vote is advice, chose {best}.", voters=capitalized(WHO[bars.voters]), best=best)
            yield Caution(_("Advice of {who} differs", who=WHO[bars.voters]), reason)


def _count_cautions(account: Account, bars: VoteBars) -> Iterator[Caution]:
    """Cautions if the deciding count was near to another result, or to chance."""
    if 0 < bars.has_held < bars.in_a_row:
        won = _("Won {has_held} of {in_a_row} consecutive counts", has_held=bars.has_held, in_a_row=bars.in_a_row)
        yield Caution(won, _(_IN_A_ROW))
    if account.decision.counted is None:
        return
    # A search: pages are drawn again and again.
    if account.once(_ballots_to_change) == 1:
        yield Caution(_("No vote to spare"), _("One ballot cast differently could change the result."))
    if bars.are_of_seats:
        yield from _chance_caution(account, bars)


def _ballots_to_change(account: Account) -> int | None:
    """Number of ballots of the deciding vote that would change its result; None if unknown."""
    bars = deciding_bars(account)
    count = account.ruling.count if bars is None or bars.are_of_seats else bars.count
    flip = count.flip(counts=FLIP_COUNTS) if count is not None else None
    return flip.ballots if flip is not None else None


def _chance_caution(account: Account, bars: VoteBars) -> Iterator[Caution]:
    if not bars.counts_everybody or bars.needed is None:
        return
    # As in the reason, which knows no chance of two counts where a ballot is missing.
    in_a_row = bars.in_a_row if bars.cast == bars.eligible else 1
    level = chance_level(bars.cast, len(bars.bars), int(bars.needed), in_a_row=in_a_row)
    if not 0 < level < 1:
        return
    reason = chance_sentence(account.state.spec.protocol.decide, bars.eligible, len(bars.bars), cast=bars.cast)
    if reason:
        words = _("Chance level: {percent}", percent=percent_of_chance(level))
        yield Caution(words, reason, "grave" if level >= _LIKELY else "well")


_IN_A_ROW = message("The rule needs the same result on several consecutive counts.")
_LIKELY = 0.1
"""Smallest chance level that deserves a caution: one in ten."""

FLAG_WORDS: Words[str] = Words(
    {
        "DEBATE_TRUNCATED": "Cut off by a limit",
        "origin_unknown": "Unknown origin",
        "held_elsewhere": "Not held here",
        "rests_on_unverified_quotes": "Rests on unverified quotes",
        "ballots_contradict_text": "Ballot contradicts its text",
        "ballot_without_reason": "Ballot without a reason",
        "unverified_quotes": "Unverified quote",
        "rehearsal": "Rehearsal",
        "not_a_debate": "Not a debate",
        "no_model": "No model: passages only",
        "single_family": "One model family",
        "same_model": "Models are the same",
        "synthesiser_shares_family": "Synthesis by same family",
        "custom_prompts": "Custom prompts",
        "not_counted": "No votes are counted",
        "not_blind": "First ballots not blind",
        "two_could_win": "Two could win at once",
        "tie": "Options are tied",
        "no_ballots": "No seat voted",
        "too_few_ballots": "Too few seats voted",
        "split": "Stable split",
        "incoherent": "No stable agreement",
        "lost_turns": "Turns were lost",
        "weak_critic": "Weak critiques",
        "all_opinion_consensus": "Opinions only",
        "unattributed_change": "Vote changed without reason",
        "unknown_ids": "Unknown claim or source",
        "near_ceiling": "Near a limit",
        "unknown_cost": "Unknown cost",
        "judge_led": "A judge led the debate",
        "judge_spoke": "A judge spoke in it",
        "judge_interest": "A judge declared an interest",
        "judge_late": "A judge was late",
        "estimated_usage": "Usage is estimated",
    }
)
"""Flag -> at most five words."""
FINDING_WORDS = Words(
    {
        "restatement": "A seat repeats itself",
        "no_progress": "Nothing new",
        "echo": "A seat repeats another",
        "staged_agreement": "Agreement without a reason",
        "drift": "Side changed without reason",
        "gave_in": "A seat changed sides",
        "false_quotes": "Unverified quotes",
        "contradicting_ballots": "Ballot contradicts its text",
        "theatrical": "Debate perhaps staged",
        "different_reasons": "Same vote, other reasons",
        "phantom_consensus": "Claims an uncounted agreement",
        "dominance": "One seat spoke most",
        "conformity": "Votes joined the majority",
        "lazy_critic": "Critiques miss the arguments",
        "softening": "Critiques are softened",
        "deliverable_mismatch": "Deliverable breaks its schema",
        "synthesis_unlinked": "Synthesis without links",
        "synthesis_not_said": "Synthesis adds new content",
    }
)
"""Finding -> at most four words; files keep its name."""
HINTS = (
    "unattributed_change",
    "staged_agreement",
    "drift",
    "gave_in",
    "different_reasons",
    "dominance",
    "weak_critic",
    "lazy_critic",
    "softening",
    "echo",
    "restatement",
    "no_progress",
)
"""Flags and findings about the texts of single seats, which question no result; the weightiest first."""
_SHOWN_ELSEWHERE = frozenset({"rests_on_unverified_quotes", "estimated_usage", "unknown_cost", "near_ceiling"})
"""Flags that have a caution already, or matter only for the cost."""
_FLAGS_OF_SEATS = frozenset(
    {"tie", "no_ballots", "too_few_ballots", "split", "incoherent", "not_blind", "two_could_win"}
)
"""Flags about the count of the seats; that count is advice if people decide."""


def _flag_cautions(account: Account) -> Iterator[Caution]:
    omitted = set(_SHOWN_ELSEWHERE)
    if account.state.spec.terms.decides != "debaters":
        omitted |= _FLAGS_OF_SEATS
    if "same_model" in account.flags:
        omitted.add("single_family")
    for name in account.flags:
        if name in FLAG_WORDS and name not in omitted:
            yield Caution(FLAG_WORDS[name], FLAGS[name], level_of(name))


def level_of(name: str) -> CautionLevel:
    """The level of a flag or finding."""
    return "hint" if name in HINTS else "grave"


def _passed_checks(account: Account) -> Iterator[Caution]:
    if account.state.outcome is None:
        return
    bars = deciding_bars(account)
    if bars and not bars.is_sealed and bars.cast == bars.eligible:
        yield _everyone_voted(account, bars)
    verdicts = [row.quote_verified for row in account.claims if row.evidence_text]
    if set(verdicts) == {"verbatim"}:
        reason = _n(
            len(verdicts), "{n} quote is in its source word for word.", "{n} quotes are in their sources word for word."
        )
        yield Caution(_n(len(verdicts), "The quote was found", "All {n} quotes were found"), reason, "well")


def _bare_claims(account: Account) -> Iterator[Caution]:
    """The number of claims without a quote, in a debate with quotes."""
    claims = account.claims
    bare = sum(not row.evidence_text for row in claims)
    if account.state.outcome is not None and 0 < bare < len(claims):
        words = _("{bare} of {claims} claims without quotes", bare=bare, claims=len(claims))
        reason = _n(
            bare, "{n} of {claims} claims has no quote.", "{n} of {claims} claims have no quote.", claims=len(claims)
        )
        yield Caution(words, reason, "missing")


def _everyone_voted(account: Account, bars: VoteBars) -> Caution:
    """All ballots are in; where anyone with the link could join, they are no proof of as many people."""
    reason = _n(bars.eligible, "{cast} of {n} ballot was cast.", "{cast} of {n} ballots were cast.", cast=bars.cast)
    if bars.voters == "room" and account.state.spec.terms.joining == "open":
        beside = _("Anyone with the link could join, so one person may have joined twice.")
        return Caution(_(JOINED_VOTED), f"{reason} {beside}", "well")
    return Caution(ALL_VOTED[bars.voters], reason, "well")
