"""Health of a debate, computed by code: a merely staged debate, claimed agreement, dominance of one seat.

Findings are hints with their reason and their turns; they change no count and decide nothing. Checks over many
debates are in `cross_debate_metrics`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from debate_core.engine import evidence, stopping, voting
from debate_core.language import Words, _, _n, message, quoted
from debate_core.record.state import Counted, State, Turn
from debate_core.report.facts import ruling
from debate_core.report.facts.ballots import vote_rows
from debate_core.report.facts.claimed_agreement import agreements_told
from debate_core.report.facts.claims import each_claim_row, unknown_ids
from debate_core.report.facts.counts import counts_heads, final_ballots, points_by_option
from debate_core.report.facts.judge_statistics import exact_interval
from debate_core.report.facts.repetition import DebateFinding, Look, Said, in_own_words, looks, said, turn_findings
from debate_core.report.facts.same_vote import SameVoteRow, same_vote_rows
from debate_core.report.facts.synthesis import synthesis_findings
from debate_core.report.facts.turns import readable_turns, sealed_seats
from debate_core.report.facts.usage import LOST, limit_rows, usage_rows, used_in
from debate_core.report.facts.who_judged import who_judged
from debate_core.spec.contents import Directive, Evaluation, Synthesis, Verdict
from debate_core.spec.panels import diversity
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import BySeat, CountedRule, Threshold
from debate_core.spec.values import in_words
from debate_core.spec.warnings import missing_of_a_debate

MAX_NAMED = 6
"""Maximum number of claims or turns that one finding names."""
THEATRICAL_SIGNS = 3
"""Our own cut: the orchestration pattern lists the signs of a theatrical debate, but gives no number."""
DOMINANCE_OVER_EVEN = Fraction(1, 10)
"""A seat dominates if its share of the words exceeds an even share by more than this."""
DOMINANCE_MIN_WORDS = 100
"""Our own cut: minimum number of words for shares."""


def findings(state: State, compare: Callable[[State], Sequence[Look]] = looks) -> tuple[DebateFinding, ...]:
    """All findings of this debate, in a fixed order; `compare` gives the same as `looks`."""
    whole = (theatrical(state), phantom_consensus(state), other_reasons(state), conformity(state), dominance(state))
    # Comparing all texts takes longest: once for both kinds of findings.
    seen = compare(state)
    critiques = critique_rows(state, seen)
    critics = (lazy_critic(critiques), softening(critiques))
    false = filter(None, (false_quotes(state), contradicting_ballots(state)))
    on_turns = (*turn_findings(state, seen), *filter(None, critics))
    return (*false, *filter(None, whole), *on_turns, *synthesis_findings(state))


def false_quotes(state: State) -> DebateFinding | None:
    """Claims whose quote is altered or not in its source, so that they support nothing."""
    false = evidence.unverified_claims(state)
    if not false:
        return None
    turns = {claim.id: turn.request for turn in state.all_turns() for claim in turn.claims}
    verdicts = {claim.id: evidence.checked(state.spec.sources, claim).verdict for claim in false}
    named = [f"{claim} ({in_words(verdict)})" for claim, verdict in verdicts.items()]
    more = _(" and {named} more", named=len(named) - MAX_NAMED) if len(named) > MAX_NAMED else ""
    told = ", ".join(named[:MAX_NAMED]) + more
    sentence = _("Quotes altered or not found in their source: {told}. These claims support nothing.", told=told)
    return DebateFinding("false_quotes", sentence, tuple(dict.fromkeys(turns[claim] for claim in verdicts)))


def contradicting_ballots(state: State) -> DebateFinding | None:
    """Turns whose ballot, verdict or synthesis puts another option highest than their own text argues for."""
    turns = [turn for turn in readable_turns(state) if turn.argues_for]
    if not turns:
        return None
    places = []
    for turn in turns[:MAX_NAMED]:
        seat = in_words(turn.seat)
        places.append(_("{seat} in round {round} ({option})", seat=seat, round=turn.round, option=turn.argues_for))
    more = _(" and {turns} more", turns=len(turns) - MAX_NAMED) if len(turns) > MAX_NAMED else ""
    sentence = _(
        "Turns that argue for another option than they choose: {told}{more}.", told=", ".join(places), more=more
    )
    return DebateFinding("contradicting_ballots", sentence, tuple(turn.request for turn in turns))


def other_reasons(state: State) -> DebateFinding | None:
    """Seats that vote alike although one answers a claim of the other, or without a claim in common."""
    rows = [row for row in same_vote_rows(state) if row.differs]
    if not rows:
        return None
    more = _(" and {rows} more", rows=len(rows) - MAX_NAMED) if len(rows) > MAX_NAMED else ""
    sentence = _(
        "Seats that vote alike for different reasons: {told}{more}.",
        told="; ".join(map(pair_words, rows[:MAX_NAMED])),
        more=more,
    )
    seats = {seat for row in rows for seat in (row.first, row.second)}
    last = {turn.seat: turn.request for turn in readable_turns(state) if turn.seat in seats and turn.argument}
    return DebateFinding("different_reasons", sentence, tuple(last.values()))


def pair_words(row: SameVoteRow) -> str:
    """`risk and ops (adopt), one answers the other: risk.1.1`: it answers a claim on which the other rests."""
    seats = {"first": in_words(row.first), "second": in_words(row.second), "option": row.option}
    if row.contradicted:
        claims = ", ".join(row.contradicted[:MAX_NAMED])
        return _("{first} and {second} ({option}), one answers the other: {claims}", **seats, claims=claims)
    return _("{first} and {second} ({option}), no claim in common", **seats)


def theatrical(state: State) -> DebateFinding | None:
    """At least three signs of a merely staged debate, from the list of the orchestration pattern."""
    signs = (*_signs_of_seats(state), *_signs_of_course(state))
    if len(signs) < THEATRICAL_SIGNS:
        return None
    return DebateFinding(
        "theatrical", _("{n} signs of a staged debate: {signs}.", n=len(signs), signs="; ".join(signs))
    )


def _signs_of_seats(state: State) -> Iterator[str]:
    models = diversity(state.spec)
    if models.same_model:
        yield _("one model debates in all seats")
    if models.same_text:
        yield _("two seats have the same stance and persona")
    if any(isinstance(turn.content, Directive) and _is_of_model(state, turn) for turn in state.turns):
        yield _("a model chooses who speaks")
    decider = state.spec.protocol.deciding_role
    if decider and any(seat.is_model for seat in state.spec.seats_of(decider)):
        yield _("no votes are counted, a model names the result")


def _is_of_model(state: State, turn: Turn) -> bool:
    return turn.by == turn.seat and state.spec.seat(turn.seat).is_model


def _signs_of_course(state: State) -> Iterator[str]:
    first = state.counted[0] if state.counted else None
    if first and first.tally.eligible > 1 and voting.agreed_on(state.spec, first):
        yield _("all agreed on the first ballot")
    if state.truncated is not None:
        yield _("a limit ended it")


def phantom_consensus(state: State) -> DebateFinding | None:
    """A synthesis, verdict or evaluation that claims an agreement which the count does not show."""
    phrases: dict[str, str] = {}
    seats: dict[str, None] = {}
    for turn in readable_turns(state):
        phrase = _agreement_claimed(state, turn)
        if phrase:
            phrases[turn.request] = phrase
            seats[in_words(turn.seat)] = None
    if not phrases:
        return None
    count = _("no votes are counted") if state.spec.protocol.deciding_role else _count_words(state)
    told = _n(
        len(seats),
        "{seats} claims agreement (“{found}”), but {count}.",
        "{seats} claim agreement (“{found}”), but {count}.",
        seats=", ".join(seats),
        found=next(iter(phrases.values())),
        count=count,
    )
    return DebateFinding("phantom_consensus", told, tuple(phrases))


def _agreement_claimed(state: State, turn: Turn) -> str:
    """The phrase in which a turn claims an agreement that the count does not show; empty if none."""
    for text in _narrative(turn):
        for told in agreements_told(text, state.spec.options):
            if not stopping.all_agree(state) and (told.everybody or not _elects_one(state)):
                return told.words
    return ""


def _elects_one(state: State) -> bool:
    """True if the rule elects one option before any tie-break."""
    result = ruling.ruling_of(state).result
    return result is not None and len(result.before_ladder()) == 1


def _narrative(turn: Turn) -> tuple[str, ...]:
    match turn.content:
        case Synthesis(answer=text):
            return (text,)
        case Verdict(reasoning=reason, verdict=text):
            return reason, text
        case Evaluation(synthesis=text):
            return (text,)
        case _:
            return ()


def _count_words(state: State) -> str:
    if not state.counted:
        return _("no ballot was counted")
    latest = state.counted[-1]
    points = points_by_option(state, latest.ballots)
    votes = ", ".join(f"{option} {n}" for option, n in points.items()) or _("no vote")
    of = _(" of {eligible}", eligible=latest.tally.eligible) if counts_heads(state) else ""
    return _("the count is {votes}{of}", votes=votes, of=of)


def _shares_of_words(state: State, turns: Sequence[Said]) -> dict[str, Fraction]:
    """Share of the words of each debater; {} if too few words were said."""
    words = {seat.id: 0 for seat in state.spec.debaters()}
    for one in turns:
        words[one.turn.seat] += len(one.content.rationale.split())
    total = sum(words.values())
    if total < DOMINANCE_MIN_WORDS:
        return {}
    return {seat: Fraction(n, total) for seat, n in words.items()}


def dominance(state: State) -> DebateFinding | None:
    """A debater with far more than an even share of the words."""
    turns = said(state)
    shares = _shares_of_words(state, turns)
    if not shares:
        return None
    even = Fraction(1, len(shares))
    over = [seat for seat, share in shares.items() if share > even + DOMINANCE_OVER_EVEN]
    if not over:
        return None
    told = ", ".join(_("{seat} said {share:.0%}", seat=in_words(seat), share=float(shares[seat])) for seat in over)
    ids = tuple(s.turn.request for s in turns if s.turn.seat in over)
    return DebateFinding(
        "dominance",
        _("{told} of the words, where an even share is {even_share:.0%}.", told=told, even_share=float(even)),
        ids,
    )


@dataclass(frozen=True, slots=True)
class Conformity:
    """Ballots cast against the majority that joined it in the next count."""

    flips: int
    against: int
    low: float
    high: float
    """Exact 95 % interval of the share."""
    chance: float
    """Expected share under random voting."""
    turns: tuple[str, ...]


def conformed(state: State) -> Conformity:
    """Count changes to the sole leading option among ballots that had been cast against it."""
    against = 0
    moved: set[tuple[int, str, str]] = set()
    for before, after in pairwise(state.counted):
        top = voting.most(before.tally)
        if len(top) != 1:
            continue
        for seat, choice in _dissenters_now(before, after, top[0]).items():
            against += 1
            if choice == top[0]:
                moved.add((after.round, after.phase, seat))
    low, high = exact_interval(len(moved), against)
    turns = tuple(turn.request for turn in state.turns if (turn.round, turn.phase, turn.seat) in moved)
    return Conformity(len(moved), against, low, high, 1 / max(1, len(state.spec.options)), turns)


def _dissenters_now(before: Counted, after: Counted, majority: str) -> dict[str, str]:
    """Seat -> its new choice, for seats that had chosen another option than the majority."""
    choices = {}
    for seat, ballot in before.ballots.items():
        now = after.ballots.get(seat)
        if ballot.choice in (None, majority) or now is None or now.choice is None:
            continue
        choices[seat] = now.choice
    return choices


def conformity(state: State) -> DebateFinding | None:
    """Dissenters who joined the majority more often than by chance, at 95 %."""
    seen = conformed(state)
    if seen.low <= seen.chance:
        return None
    told = _(
        "{flips} of {against} ballots against the majority moved into it (95 % interval {low:.0%} to "
        "{high:.0%}, by chance {chance:.0%}): agreement after talk is weak evidence.",
        flips=seen.flips,
        against=seen.against,
        low=seen.low,
        high=seen.high,
        chance=seen.chance,
    )
    return DebateFinding("conformity", told, seen.turns)


@dataclass(frozen=True, slots=True)
class HealthRow:
    """A flag or a finding as a row."""

    kind: str
    """`flag` or `finding`."""
    name: str
    sentence: str
    turns: tuple[str, ...]


def health_rows(flags: Sequence[str], findings: Sequence[DebateFinding]) -> tuple[HealthRow, ...]:
    """Rows of the flags, then of the findings."""
    flagged = (HealthRow("flag", name, FLAGS[name], ()) for name in flags)
    noticed = (HealthRow("finding", finding.name, finding.sentence, finding.turns) for finding in findings)
    return (*flagged, *noticed)


ALERT_MEAN = Fraction(13, 2)
"""Mean self-rating below which critiques are weak (Debate Agent: 6.5)."""
REVIEW_BELOW = 5
"""Single self-rating below which the critic's prompt needs a review (Debate Agent)."""
FEW_ANSWERED = Fraction(1, 5)
"""Our own cut: below this share of the other side's claims a critique answers few."""

_SOFT = re.compile(
    r"\b(?:while|although|though) (?:I|we) (?:acknowledge|appreciate|agree|accept|respect)\b"
    r"|\b(?:generally|broadly|overall|mostly|largely|otherwise) (?:reasonable|sound|good|solid|fine|convincing)\b"
    r"|\b(?:I|we) (?:mostly|largely|broadly|generally) agree\b"
    r"|\b(?:just|only) (?:a )?(?:minor|small|slight) (?:concerns?|points?|caveats?|issues?)\b"
    r"|\bthis is (?:a )?(?:good|great|strong|excellent) (?:point|proposal|idea)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class CritiqueRow:
    """One critique: its self-rating, and its use of the claims made before it."""

    turn_id: str
    round: int
    seat: str
    strength: int | None
    """1 to 10; None without a self-rating."""
    attempts: int
    answered: int
    answerable: int
    """Earlier claims of other seats."""
    new_claims: int
    """Claims that restate no earlier one."""
    softened: tuple[str, ...]
    """Softening phrases, verbatim."""

    @property
    def lazy(self) -> bool:
        """True if it answers few of the claims it could answer, and makes no new claim."""
        few = self.answerable > 0 and Fraction(self.answered, self.answerable) < FEW_ANSWERED
        return few and self.new_claims == 0


def critique_rows(state: State, seen: Iterable[Look]) -> tuple[CritiqueRow, ...]:
    """One row per critique among these turns."""
    return tuple(_critique_row(look) for look in seen if _is_critique(state, look.said.turn))


def _is_critique(state: State, turn: Turn) -> bool:
    """True for a turn of such a phase; the evidence panel only quotes, and criticises nothing."""
    return state.phase(turn.phase).gives == "critique" and in_own_words(state, turn)


def _critique_row(look: Look) -> CritiqueRow:
    content = look.said.content
    turn = look.said.turn
    return CritiqueRow(
        turn_id=turn.request,
        round=turn.round,
        seat=turn.seat,
        strength=content.strength,
        attempts=turn.attempts,
        answered=look.answered,
        answerable=look.answerable,
        new_claims=look.new_claims,
        softened=tuple(m.group() for m in _SOFT.finditer(content.rationale)),
    )


def ratings(state: State) -> tuple[int, ...]:
    """Self-ratings of the critiques of ended phases that have one."""
    critiques = (one.content for one in said(state) if _is_critique(state, one.turn))
    return tuple(critique.strength for critique in critiques if critique.strength is not None)


def mean_strength(given: Sequence[int]) -> Fraction | None:
    """Mean self-rating; None without ratings."""
    return Fraction(sum(given), len(given)) if given else None


def is_weak(given: Sequence[int]) -> bool:
    """True if the self-ratings are low on average, or one of them is very low."""
    mean = mean_strength(given)
    return mean is not None and (mean < ALERT_MEAN or min(given) < REVIEW_BELOW)


def strength_sentence(state: State) -> str:
    """Mean self-rating, and the number of repeated critiques; empty without ratings."""
    given = ratings(state)
    mean = mean_strength(given)
    if mean is None:
        return ""
    n_weak = sum(turn.status == "weak" for turn in state.failed_attempts)
    again = _("; {weak} asked again for rating itself too low", weak=n_weak) if n_weak else ""
    return _(
        "Critiques rate themselves {mean:.1f} of 10 on average ({n_rated} rated){again}.",
        mean=float(mean),
        n_rated=len(given),
        again=again,
    )


def lazy_critic(rows: Iterable[CritiqueRow]) -> DebateFinding | None:
    """Critiques that answer few claims and make no new one."""
    lazy = [row for row in rows if row.lazy]
    if not lazy:
        return None
    told = _n(
        sum(row.answerable for row in lazy),
        "Critiques ({seats}) answer {answered} of {n} claim they could answer and claim nothing new.",
        "Critiques ({seats}) answer {answered} of {n} claims they could answer and claim nothing new.",
        seats=_seats(lazy),
        answered=sum(row.answered for row in lazy),
    )
    return DebateFinding("lazy_critic", told, tuple(row.turn_id for row in lazy))


def softening(rows: Iterable[CritiqueRow]) -> DebateFinding | None:
    """Critiques that soften their points: a matter of style, no sign of a lazy critic."""
    soft = [row for row in rows if row.softened]
    if not soft:
        return None
    phrases = ", ".join(dict.fromkeys(quoted(p) for r in soft for p in r.softened))
    return DebateFinding(
        "softening",
        _("Critiques ({seats}) soften: {phrases}.", seats=_seats(soft), phrases=phrases),
        tuple(r.turn_id for r in soft),
    )


def _seats(rows: Sequence[CritiqueRow]) -> str:
    return ", ".join(dict.fromkeys(in_words(r.seat) for r in rows))


ORIGIN_UNKNOWN = message("From a file, origin not known")
FLAGS: Words[str] = Words(
    {
        "origin_unknown": "From a file, origin not known: no signature was checked.",
        "held_elsewhere": "Not held here: made from the transcript of a meeting; no one voted in it.",
        "DEBATE_TRUNCATED": "A limit ended the debate before it was complete.",
        "rests_on_unverified_quotes": "The decision rests on unverified quotes: no claim for it has another support.",
        "unverified_quotes": "A quote is altered or not in its source: its claim supports nothing.",
        "ballots_contradict_text": "A counted ballot contradicts its own text, which argues for another option.",
        "ballot_without_reason": "A counted ballot has no reason in its text.",
        "rehearsal": "Rehearsal: scripted seats took part.",
        "not_a_debate": "Not a debate: that takes several positions, more than one exchange, and reading one another.",
        "no_model": "An evidence panel without a model sat in this debate: it quotes and does not reason.",
        "single_family": "All debating models are of one family and may share its errors.",
        "same_model": "All debating models are the same one.",
        "synthesiser_shares_family": "The synthesiser's model is of the same family as a debater's.",
        "custom_prompts": "This debate used custom prompts instead of the shipped ones.",
        "judge_led": "A judge of this debate also led it.",
        "judge_spoke": "A judge of this debate also spoke in it.",
        "judge_interest": "A judge of this debate declared an interest in its outcome.",
        "judge_late": "A judge gave a judgement after the reveal or the signature; the judges' figures leave it out.",
        "not_counted": "No votes are counted under this protocol: one seat names the option.",
        "not_blind": "The first ballots were not independent: seats could read each other before they voted.",
        "two_could_win": "Two options can reach the threshold of the seats at once; that would be a tie.",
        "tie": "In the count of the seats several options are tied for first.",
        "no_ballots": "No seat cast a ballot.",
        "too_few_ballots": "At most half of the seats cast a ballot, or fewer than the quorum.",
        "split": "The seats are split into two camps, and no one moved on the last ballot.",
        "incoherent": "The seats neither agree nor form two stable camps.",
        "lost_turns": "A turn was lost (failed, cut, late, unreadable, refused or too weak) and counts as no vote.",
        "weak_critic": "Critics rate their own critiques low: below 6.5 of 10 on average, or one of them below 5.",
        "all_opinion_consensus": "No claim carries an evidence marker or a quote found in its source.",
        "unattributed_change": "A seat changed its vote without naming the claim that moved it.",
        "unknown_ids": "A turn cites a claim or source that does not exist; it counts as no support.",
        "near_ceiling": "At least 80 % of a limit was used.",
        "unknown_cost": "The cost of at least one call is unknown.",
        "estimated_usage": "At least one server reported no usage: it was estimated from the number of characters.",
    }
)
"""Flag -> its sentence."""


def flags(state: State, *, origin_unknown: bool = False) -> tuple[str, ...]:
    """Names of the flags that apply, in the order of FLAGS."""
    holds = {
        "origin_unknown": origin_unknown,
        **_flags_of_spec(state.spec),
        **_flags_of_count(state),
        **_flags_of_claims(state),
        **_flags_of_course(state),
        **_flags_of_judges(state),
    }
    holds["not_blind"] = holds["not_blind"] and not holds["no_ballots"]
    return tuple(name for name in FLAGS if holds[name])


def _flags_of_spec(spec: Spec) -> dict[str, bool]:
    models = diversity(spec)
    rule = spec.protocol.decide
    is_voted_here = isinstance(rule, CountedRule) and not spec.held_elsewhere
    all_votes = sum(seat.weight for seat in spec.debaters())
    has_custom_prompts = any(template.text for template in spec.templates)
    return {
        "held_elsewhere": spec.held_elsewhere is not None,
        "rehearsal": spec.rehearsal,
        "not_a_debate": bool(missing_of_a_debate(spec)),
        "no_model": bool(spec.evidence_panel()),
        "single_family": models.single_family,
        "same_model": models.same_model,
        "synthesiser_shares_family": models.synthesiser_shares,
        "custom_prompts": has_custom_prompts,
        "not_counted": isinstance(rule, BySeat),
        "not_blind": is_voted_here and len(spec.debaters()) > 1 and not voting.first_is_blind(spec.protocol),
        "two_could_win": isinstance(rule, Threshold) and 2 * rule.votes <= all_votes,
    }


def _flags_of_count(state: State) -> dict[str, bool]:
    is_counted = isinstance(state.spec.protocol.decide, CountedRule)
    agreement = ruling.agreement(state) if is_counted and state.counted else None
    has_tie = state.outcome is not None and bool(ruling.ruling_of(state).ties)
    return {
        "tie": has_tie,
        "no_ballots": agreement == "no_ballots",
        "too_few_ballots": agreement == "too_few_ballots",
        "split": agreement == "split",
        "incoherent": agreement == "incoherent",
        "ballots_contradict_text": any(ballot.argues_for for ballot in final_ballots(state).values()),
        "ballot_without_reason": any(turn.no_reason for turn in readable_turns(state)),
        "unattributed_change": _unattributed_change(state),
    }


def _flags_of_claims(state: State) -> dict[str, bool]:
    return {
        "rests_on_unverified_quotes": state.outcome is not None and bool(evidence.winner_rests_on(state)),
        "unverified_quotes": bool(evidence.unverified_claims(state)),
        "all_opinion_consensus": _is_all_opinion(state),
        "unknown_ids": bool(unknown_ids(state, sealed_seats(state))),
    }


def _is_all_opinion(state: State) -> bool:
    """True if the debate is decided and no claim has evidence."""
    if state.outcome is None or state.outcome.status != "decided":
        return False
    return not any(row.has_evidence_marker or row.quote_verified == "verbatim" for row in each_claim_row(state))


def _flags_of_course(state: State) -> dict[str, bool]:
    used = used_in(usage_rows(state))
    return {
        "DEBATE_TRUNCATED": state.truncated is not None,
        "lost_turns": any(turn.status in LOST for turn in state.all_turns()),
        "weak_critic": is_weak(ratings(state)),
        "near_ceiling": any(row.near for row in limit_rows(state)),
        "unknown_cost": used.unpriced_calls > 0,
        "estimated_usage": used.estimated,
    }


def _flags_of_judges(state: State) -> dict[str, bool]:
    flags = dict.fromkeys(("judge_led", "judge_spoke", "judge_interest", "judge_late"), False)
    for judge in who_judged(state):
        flags["judge_led"] |= bool(judge.led)
        flags["judge_spoke"] |= judge.spoke
        flags["judge_interest"] |= bool(judge.interests)
        flags["judge_late"] |= judge.late
    return flags


def _unattributed_change(state: State) -> bool:
    """True if a cast ballot differs from the seat's last one although its turn conceded nothing."""
    conceded = {(t.round, t.phase, t.seat) for t in state.turns if t.argument and t.argument.concedes}
    last: dict[str, object] = {}
    for row in vote_rows(state):
        if row.status != "cast":
            continue
        said = (row.choice, row.given)
        changed = last.get(row.voter, said) != said
        if changed and (row.round, row.phase, row.voter) not in conceded:
            return True
        last[row.voter] = said
    return False
