"""The CSV pack: which columns each file has, and cells that no spreadsheet takes for a formula.

Knows rows, not how they came about.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.counts import PairRow, TallyRow
from debate_core.report.facts.health import HealthRow
from debate_core.report.facts.interventions import OverrideRow
from debate_core.report.facts.judgements import ComparisonRow, JudgementRow, RubricRow
from debate_core.report.facts.office_turns import DirectiveRow, EvaluationRow
from debate_core.report.facts.people_marks import MarkRow
from debate_core.report.facts.proposals import ProposalRow
from debate_core.report.facts.synthesis import SynthesisRow
from debate_core.report.facts.tournament import PairedRow, RankedRow
from debate_core.report.facts.turns import TranscriptRow, TurnRow
from debate_core.report.facts.usage import UsageRow
from debate_core.report.words.turns import left_out_words
from debate_core.report.words.who_decided import DecisionRow

Cell = str | int | float | bool | None | tuple[str, ...]
TokenKind = Literal["input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens"]
UsageField = TokenKind | Literal["cache_write_tokens", "cost_usd", "estimated"]
R = TypeVar("R")
Columns = Mapping[str, Callable[[R], Cell]]

_IGNORED_BEFORE = "\ufeff\u200b\u200c\u200d\u2060\u200e\u200f"
_FORMULA = tuple("=+-@|%＝＋－＠｜％")


def safe_cell(text: str) -> str:
    """Text that a spreadsheet shows as it is: an apostrophe goes before what it would take for a formula.

    A NUL cannot be written to CSV and becomes U+FFFD; nothing else of the text is changed.
    """
    shown = text.lstrip(_IGNORED_BEFORE + "".join(map(chr, range(33))) + "\u00a0\u3000")
    is_formula = shown.startswith(_FORMULA) or text.startswith(("\t", "\r", "\n"))
    written = text.replace("\0", "\ufffd")
    return f"'{written}" if is_formula else written


def _cell(value: Cell) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case tuple():
            return safe_cell("; ".join(value))
        case _:
            return safe_cell(value)


def write_csv(debate_id: str, columns: Columns[R], rows: Iterable[R]) -> str:
    """RFC 4180 text, every cell quoted. A column called debate_id is filled by itself."""
    lines = [_line(columns)]
    for row in rows:
        cells = {name: _cell(of(row)) for name, of in columns.items()}
        if "debate_id" in cells:
            cells["debate_id"] = safe_cell(debate_id)
        lines.append(_line(cells.values()))
    return "".join(lines)


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow(cells)
    return out.getvalue()


def _its_debate(_: object) -> None:
    """The id of the debate, which `write_csv` fills in."""


def _of_its_call(row: TurnRow, name: UsageField) -> Cell:
    """A figure of the call that gave a turn; None where none is known."""
    figure: Cell = getattr(row.usage, name) if row.usage else None
    return figure


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)


TURNS: Columns[TurnRow] = {
    "debate_id": _its_debate,
    "turn_id": lambda r: r.turn_id,
    "round": lambda r: r.round,
    "phase": lambda r: r.phase,
    "seq": lambda r: r.seq,
    "seat_id": lambda r: r.seat,
    "speaker_alias": lambda r: r.alias,
    "speaker_name": lambda r: r.by,
    "is_human": lambda r: r.occupant == "human",
    "provider": lambda r: r.provider,
    "model": lambda r: r.model,
    "stance": lambda r: r.stance,
    "current_vote": lambda r: r.vote,
    "vote_confidence": lambda r: r.confidence,
    "text": lambda r: r.text,
    "reply_to": lambda r: r.reply_to,
    "concedes": lambda r: r.concedes,
    "n_claims": lambda r: r.claims,
    "n_quotes_verified": lambda r: r.quotes_verified,
    "n_quotes_unverified": lambda r: r.quotes_unverified,
    "prompt_tokens": lambda r: _of_its_call(r, "input_tokens"),
    "output_tokens": lambda r: _of_its_call(r, "output_tokens"),
    "cost_usd": lambda r: _of_its_call(r, "cost_usd"),
    "latency_ms": lambda r: r.latency_ms(),
    "started_at": lambda r: r.started_at,
    "submitted_at": lambda r: r.submitted_at,
    "revealed_at": lambda r: r.revealed_at,
    "status": lambda r: r.status,
    "retries": lambda r: r.retries,
    "model_line": lambda r: r.model_line,
    "family": lambda r: r.family,
    "cached_tokens": lambda r: _of_its_call(r, "cached_tokens"),
    "reasoning_tokens": lambda r: _of_its_call(r, "reasoning_tokens"),
    "usage_estimated": lambda r: _of_its_call(r, "estimated"),
    "failures": lambda r: r.failures,
    "strength": lambda r: r.strength,
    "left_out": lambda r: left_out_words(r.left_out),
    "argues_for": lambda r: r.argues_for,
    "no_reason": lambda r: r.no_reason,
    "cache_write_tokens": lambda r: _of_its_call(r, "cache_write_tokens"),
}

USAGE: Columns[UsageRow] = {
    "debate_id": _its_debate,
    "round": lambda r: r.round,
    "phase": lambda r: r.phase,
    "seat_id": lambda r: r.seat,
    "role": lambda r: r.role,
    "provider": lambda r: r.provider,
    "model_line": lambda r: r.line,
    "model": lambda r: r.asked_model,
    "answered_by": lambda r: r.used.models,
    "family": lambda r: r.family,
    "calls": lambda r: r.used.calls,
    "failed_attempts": lambda r: r.used.failed_attempts,
    "unknown_calls": lambda r: r.used.unknown_calls,
    "input_tokens": lambda r: _tokens(r, "input_tokens"),
    "cached_tokens": lambda r: _tokens(r, "cached_tokens"),
    "output_tokens": lambda r: _tokens(r, "output_tokens"),
    "reasoning_tokens": lambda r: _tokens(r, "reasoning_tokens"),
    "cost_usd": lambda r: r.used.cost_usd,
    "estimated": lambda r: r.used.estimated,
    "cache_write_tokens": lambda r: r.used.written_tokens(),
}


def _tokens(row: UsageRow, name: TokenKind) -> int | None:
    known = row.used.tokens()
    return None if known is None else int(getattr(known, name))


DECISION: Columns[DecisionRow] = {
    "debate_id": _its_debate,
    "standing": lambda r: r.standing,
    "option": lambda r: r.option,
    "decided_by": lambda r: r.decided_by,
    "agreed_decider": lambda r: r.agreed_decider,
    "rule": lambda r: r.rule,
    "counted_option": lambda r: r.counted_option,
    "has": lambda r: r.has,
    "of": lambda r: r.of,
    "needed": lambda r: r.needed,
    "against_count": lambda r: r.against_count,
    "verdict": lambda r: r.verdict,
    "signed_by": lambda r: r.signed_by,
    "signed_at": lambda r: r.signed_at,
    "waits_for": lambda r: r.waits_for,
    "people_voted": lambda r: r.people_voted,
    "sentence": lambda r: r.sentence,
    "note": lambda r: r.note,
}

CLAIMS: Columns[ClaimRow] = {
    "debate_id": _its_debate,
    "claim_id": lambda r: r.claim_id,
    "turn_id": lambda r: r.turn_id,
    "round": lambda r: r.round,
    "seat_id": lambda r: r.seat,
    "role": lambda r: r.role,
    "stance": lambda r: r.stance,
    "claim": lambda r: r.claim,
    "has_evidence_marker": lambda r: r.has_evidence_marker,
    "marker_matches": lambda r: r.marker_matches,
    "evidence_type": lambda r: r.evidence_type,
    "evidence_text": lambda r: r.evidence_text,
    "source_ref": lambda r: r.source_ref,
    "quote_verified": lambda r: r.quote_verified if r.evidence_text else None,
    "left_out_of_quote": lambda r: r.left_out_of_quote,
    "answers": lambda r: r.answers,
    "attacked_by": lambda r: r.attacked_by,
    "conceded_by": lambda r: r.conceded_by,
    "duplicate_of": lambda r: r.duplicate_of,
    "status": lambda r: r.status,
    "reviewer": lambda r: r.reviewer,
    "reviewed_at": lambda r: r.reviewed_at,
    "mark": lambda r: r.mark,
}

MARKS: Columns[MarkRow] = {
    "debate_id": _its_debate,
    "claim_id": lambda r: r.claim_id,
    "reading": lambda r: r.reading,
    "option": lambda r: r.option,
    "people": lambda r: r.people,
    "marked_by": lambda r: r.marked_by,
}

VOTES: Columns[BallotRow] = {
    "debate_id": _its_debate,
    "ballot_id": lambda r: r.ballot_id,
    "poll_id": lambda r: r.poll_id,
    "stage": lambda r: r.stage,
    "electorate": lambda r: r.electorate,
    "voter_alias": lambda r: r.voter,
    "role": lambda r: r.role,
    "weight": lambda r: r.weight,
    "kind": lambda r: "choose_one" if r.kind == "one" else r.kind,
    "choice": lambda r: r.choice,
    "ranking": lambda r: r.ranking(),
    "scores_json": lambda r: r.scores_json(),
    "approvals": lambda r: r.approvals(),
    "confidence": lambda r: r.confidence,
    "reason": lambda r: r.reason,
    "joined_after_open": lambda r: r.joined_after_open,
    "cast_at": lambda r: r.cast_at,
    "replaced_by": lambda r: r.replaced_by,
    "receipt": lambda r: r.receipt,
    "status": lambda r: r.status,
    "changed_by": lambda r: r.changed_by,
    "first": lambda r: r.first,
    "final": lambda r: r.final,
    "argues_for": lambda r: r.argues_for,
    "options": lambda r: json.dumps(r.options, ensure_ascii=False),
}

TALLY: Columns[TallyRow] = {
    "poll_id": lambda r: r.poll_id,
    "rule": lambda r: r.rule,
    "option": lambda r: r.option,
    "value": lambda r: r.votes,
    "unit": lambda r: r.unit,
    "rank": lambda r: r.rank,
    "elected": lambda r: r.elected,
    "threshold": lambda r: r.threshold,
    "quorum_met": lambda r: r.quorum_met,
    "tie_step": lambda r: r.tie_step,
    "tie": lambda r: r.tie,
    "unweighted": lambda r: r.unweighted,
    "in_a_row": lambda r: r.in_a_row,
    "has_held": lambda r: r.has_held,
}

PAIRWISE: Columns[PairRow] = {
    "poll_id": lambda r: r.poll_id,
    "a": lambda r: r.a,
    "b": lambda r: r.b,
    "prefers_a": lambda r: r.prefers_a,
    "prefers_b": lambda r: r.prefers_b,
    "tied": lambda r: r.tied,
}

OVERRIDES: Columns[OverrideRow] = {
    "event_id": lambda r: r.event_id,
    "t": lambda r: r.at,
    "actor": lambda r: r.actor,
    "role": lambda r: r.role,
    "action": lambda r: r.action,
    "target_id": lambda r: r.target,
    "before": lambda r: r.before,
    "after": lambda r: r.after,
    "reason": lambda r: r.reason,
}

SYNTHESIS: Columns[SynthesisRow] = {
    "line_id": lambda r: r.line_id,
    "section": lambda r: r.section,
    "text": lambda r: r.text,
    "links": lambda r: r.links,
    "coverage": lambda r: r.coverage,
    "flags": lambda r: r.flags,
    "accepted_by": lambda r: r.accepted_by,
}

DIRECTIVES: Columns[DirectiveRow] = {
    "debate_id": _its_debate,
    "round": lambda r: r.round,
    "next_speakers": lambda r: r.next_speakers,
    "briefing": lambda r: r.briefing,
    "new_angle": lambda r: r.new_angle,
    "done": lambda r: r.done,
    "by": lambda r: r.by,
    "reason": lambda r: r.reason,
    "replaced": lambda r: r.replaced,
}

EVALUATIONS: Columns[EvaluationRow] = {
    "debate_id": _its_debate,
    "line_id": lambda r: r.line_id,
    "round": lambda r: r.round,
    "phase": lambda r: r.phase,
    "seat_id": lambda r: r.seat,
    "by": lambda r: r.by,
    "kind": lambda r: r.kind,
    "section": lambda r: r.section,
    "subject": lambda r: r.subject,
    "text": lambda r: r.text,
    "links": lambda r: r.links,
    "flags": lambda r: r.flags,
}

HEALTH: Columns[HealthRow] = {
    "debate_id": _its_debate,
    "kind": lambda r: r.kind,
    "name": lambda r: r.name,
    "sentence": lambda r: r.sentence,
    "turns": lambda r: r.turns,
}

TRANSCRIPT: Columns[TranscriptRow] = {
    "round": lambda r: r.round,
    "agentName": lambda r: r.agent_name,
    "stance": lambda r: r.stance,
    "text": lambda r: r.text,
    "vote": lambda r: r.vote,
}


JUDGEMENTS: Columns[JudgementRow] = {
    "debate_id": _its_debate,
    "judge_alias": lambda r: r.judge,
    "mode": lambda r: r.mode,
    "round_seen": lambda r: r.round,
    "option": lambda r: r.option,
    "probability": lambda r: r.probability,
    "final": lambda r: r.final,
    "shuffle_seed": lambda r: r.shuffle_seed,
    "swapped": lambda r: r.swapped,
    "seconds_spent": lambda r: r.seconds_spent,
    "explanation": lambda r: r.explanation,
    "brier": lambda r: r.brier,
    # As a number: what guards spreadsheets against formulas would put a sign before text that begins with a minus.
    "log_score": lambda r: None if r.log_score is None else float(r.log_score),
    "given_at": lambda r: r.given_at,
    "late": lambda r: r.late,
    "blind": lambda r: r.blind,
    "led": lambda r: r.led,
    "interest": lambda r: r.interest,
}

RUBRIC: Columns[RubricRow] = {
    "judge_alias": lambda r: r.judge,
    "option": lambda r: r.option,
    "criterion": lambda r: r.criterion,
    "score": lambda r: r.score,
    # All criteria count alike.
    "weight": lambda _: 1,
    "comment": lambda r: r.comment,
    "late": lambda r: r.late,
}

COMPARISONS: Columns[ComparisonRow] = {
    "judge_alias": lambda r: r.judge,
    "item_a": lambda r: r.item_a,
    "item_b": lambda r: r.item_b,
    "winner": lambda r: r.winner,
    "reason": lambda r: r.reason,
    "t": lambda r: r.at,
    "late": lambda r: r.late,
}


RANKING: Columns[RankedRow] = {
    "debate_id": _its_debate,
    "place": lambda r: r.place,
    "option": lambda r: r.option,
    "strength": lambda r: _rounded(r.strength),
    "low": lambda r: _rounded(r.low),
    "high": lambda r: _rounded(r.high),
    "comparisons": lambda r: r.comparisons,
    "points": lambda r: r.points,
    "elo": lambda r: round(r.elo, 1),
}

PAIRED: Columns[PairedRow] = {
    "debate_id": _its_debate,
    "round": lambda r: r.round,
    "seat": lambda r: r.seat,
    "first": lambda r: r.first,
    "second": lambda r: r.second,
    "preferred": lambda r: r.preferred,
    "reason": lambda r: r.reason,
}


PROPOSALS: Columns[ProposalRow] = {
    "debate_id": _its_debate,
    "round": lambda r: r.round,
    "phase": lambda r: r.phase,
    "seat": lambda r: r.seat,
    "by": lambda r: r.by,
    "name": lambda r: r.name,
    "text": lambda r: r.text,
    "builds_on": lambda r: "; ".join(r.builds_on),
    "became": lambda r: r.became,
    "why": lambda r: r.why,
}


FILES: Mapping[str, Columns[Any]] = {
    "decision.csv": DECISION,
    "turns.csv": TURNS,
    "claims.csv": CLAIMS,
    "usage.csv": USAGE,
    "votes.csv": VOTES,
    "tally.csv": TALLY,
    "pairwise.csv": PAIRWISE,
    "judgements.csv": JUDGEMENTS,
    "rubric.csv": RUBRIC,
    "comparisons.csv": COMPARISONS,
    "marks.csv": MARKS,
    "candidates.csv": PROPOSALS,
    "ranking.csv": RANKING,
    "option_comparisons.csv": PAIRED,
    "overrides.csv": OVERRIDES,
    "synthesis.csv": SYNTHESIS,
    "directives.csv": DIRECTIVES,
    "evaluations.csv": EVALUATIONS,
    "health.csv": HEALTH,
    "transcript.csv": TRANSCRIPT,
}
"""Every file of the pack with its columns. `docs/files.md` explains them."""
ONLY_WITH_ROWS = frozenset(
    (
        *("pairwise.csv", "judgements.csv", "rubric.csv", "comparisons.csv", "marks.csv"),
        *("candidates.csv", "ranking.csv", "option_comparisons.csv"),
    )
)
"""Files that most debates have no rows for: they are left out then. All others have at least their header."""
