"""What a reader should know before trusting an outcome: short names, each with its sentence. All found by code.

A flag changes no count. Called by reports, exports and screens.
"""

from debate_core.engine import voting
from debate_core.evidence import claim_rows, unknown_ids
from debate_core.record.state import State
from debate_core.report.ballots import vote_rows
from debate_core.report.critiques import critique_rows, is_weak
from debate_core.report.judgements import judge_flags
from debate_core.report.labels import missing_of_a_debate
from debate_core.report.usage import LOST, limit_rows, usage_rows, used_in
from debate_core.spec.contents import Argument
from debate_core.spec.panels import diversity
from debate_core.spec.rules import BySeat, Threshold

FLAGS: dict[str, str] = {
    "DEBATE_TRUNCATED": "A limit ended the debate before it was complete.",
    "rehearsal": "Scripted seats spoke: this is a rehearsal.",
    "not_a_debate": "Not a debate: that takes several positions, more than one exchange, and reading one another.",
    "no_model": "An evidence panel without a model sat in this debate: it quotes and does not reason.",
    "single_family": "The models that debated are of one family: they may share their errors.",
    "same_model": "The models that debated are one and the same.",
    "synthesiser_shares_family": "The model that summed up is of the family of a debater.",
    "custom_prompts": "Models were given prompts of this debate's own, not the shipped ones.",
    "not_counted": "No votes are counted under this protocol: one seat names the option.",
    "not_blind": "The first ballots were not independent: seats could read each other before they voted.",
    "two_could_win": "Two options can reach this threshold at once; that would be a tie.",
    "tie": "Options stand level where one was needed.",
    "no_ballots": "No ballot was cast.",
    "split": "Settled camps face each other.",
    "incoherent": "There is neither agreement nor a settled split.",
    "lost_turns": "A turn was lost (failed, cut, late, unreadable, refused or too weak) and counts as no vote.",
    "weak_critic": "Critics rate their own critiques low: below 6.5 of 10 on average, or one of them below 5.",
    "all_opinion_consensus": "Decided, but no claim carries an evidence marker or a quote found in its source.",
    "unattributed_change": "A seat changed its vote without naming the claim that moved it.",
    "unknown_ids": "A turn cites a claim or source that does not exist; it counts as no support.",
    "near_ceiling": "At least 80 % of a limit was used.",
    "unknown_cost": "What at least one call cost is unknown.",
    "judge_involved": "A judge of this debate also led it, or declared an interest in its outcome.",
    "estimated_usage": "At least one server did not say what it used: it was estimated from the characters.",
}
"""Every flag there is, and what it says."""


def flags(state: State) -> tuple[str, ...]:
    """Names of the flags that hold, in the order of FLAGS."""
    spec, outcome = state.spec, state.outcome
    rule, counted = spec.protocol.decide, not isinstance(spec.protocol.decide, BySeat)
    agreement = voting.agreement(state) if counted and state.counted else None
    models, used = diversity(spec), used_in(usage_rows(state))
    holds = {
        "DEBATE_TRUNCATED": state.truncated is not None,
        "rehearsal": spec.rehearsal,
        "not_a_debate": bool(missing_of_a_debate(spec)),
        "no_model": bool(spec.evidence_panel()),
        "single_family": models.single_family,
        "same_model": models.same_model,
        "synthesiser_shares_family": models.synthesiser_shares,
        "custom_prompts": any(t.text for t in spec.templates),
        "not_counted": not counted,
        "not_blind": counted and not voting.first_is_blind(spec.protocol),
        "two_could_win": isinstance(rule, Threshold) and 2 * rule.votes <= sum(s.weight for s in spec.debaters()),
        "tie": outcome is not None and outcome.status == "undecided" and bool(outcome.ties),
        "no_ballots": agreement == "no_ballots",
        "split": agreement == "split",
        "incoherent": agreement == "incoherent",
        "lost_turns": any(t.status in LOST for t in state.all_turns()),
        "weak_critic": is_weak(critique_rows(state)),
        "all_opinion_consensus": _all_opinion(state),
        "unattributed_change": _unattributed_change(state),
        "unknown_ids": bool(unknown_ids(state)),
        "near_ceiling": any(row.near for row in limit_rows(state)),
        "unknown_cost": used.unpriced_calls > 0,
        "judge_involved": bool(judge_flags(state)),
        "estimated_usage": used.estimated,
    }
    return tuple(name for name in FLAGS if holds[name])


def _all_opinion(state: State) -> bool:
    """Seed 003: a consensus of opinions alone is to be seen as such (R203)."""
    if state.outcome is None or state.outcome.status != "decided":
        return False
    return not any(row.has_evidence_marker or row.quote_verified == "verbatim" for row in claim_rows(state))


def _unattributed_change(state: State) -> bool:
    """True if a cast ballot differs from the seat's last cast one and the turn that gave it conceded nothing."""
    conceded = {(t.round, t.phase, t.seat): t.content.concedes for t in state.turns if isinstance(t.content, Argument)}
    last: dict[str, object] = {}
    for row in vote_rows(state):
        if row.status != "cast":
            continue
        said = (row.choice, row.given)
        changed = last.get(row.seat, said) != said
        if changed and not conceded.get((row.round, row.phase, row.seat)):
            return True
        last[row.seat] = said
    return False
