"""The CSV pack: the columns of each file, and cells that no spreadsheet reads as a formula."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any, Literal, TypeVar

from debate_core.engine.count.crux import Supposition
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.counts import PairRow, TallyRow
from debate_core.report.facts.crux import CruxRow
from debate_core.report.facts.guesses import GuessRow
from debate_core.report.facts.health import HealthRow
from debate_core.report.facts.interventions import OverrideRow
from debate_core.report.facts.judgements import ComparisonRow, JudgementRow, RubricRow
from debate_core.report.facts.office_turns import DirectiveRow, EvaluationRow
from debate_core.report.facts.people_marks import MarkRow
from debate_core.report.facts.proposals import ProposalRow
from debate_core.report.facts.recommendation import RecommendedRow
from debate_core.report.facts.synthesis import SynthesisRow
from debate_core.report.facts.tournament import MatchRow, PairedRow, RankedRow
from debate_core.report.facts.turns import TranscriptRow, TurnRow
from debate_core.report.facts.usage import UsageRow
from debate_core.report.phrases.turns import left_out_words
from debate_core.report.phrases.who_decided import DecisionRow

Cell = str | int | float | bool | None | tuple[str, ...]
TokenKind = Literal["input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens"]
UsageField = TokenKind | Literal["cache_write_tokens", "cost_usd", "estimated"]
R = TypeVar("R")
Columns = Mapping[str, Callable[[R], Cell]]

_IGNORED_BEFORE = "\ufeff\u200b\u200c\u200d\u2060\u200e\u200f"
_FORMULA = tuple("=+-@|%＝＋－＠｜％")


def safe_cell(text: str) -> str:
    """Text with an apostrophe before it if a spreadsheet would read it as a formula.

    A NUL cannot be written to CSV and becomes U+FFFD; the rest of the text is unchanged.
    """
    shown = text.lstrip(_IGNORED_BEFORE + "".join(map(chr, range(33))) + "\u00a0\u3000")
    is_formula = shown.startswith(_FORMULA) or text.startswith(("\t", "\r", "\n"))
    written = text.replace("\0", "\ufffd")
    return f"'{written}" if is_formula else written


def _format_cell(value: Cell) -> str:
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
    """RFC 4180 text, every cell quoted; a column `debate_id` gets the id of the debate."""
    lines = [_format_line(columns)]
    for row in rows:
        cells = {name: _format_cell(of(row)) for name, of in columns.items()}
        if "debate_id" in cells:
            cells["debate_id"] = safe_cell(debate_id)
        lines.append(_format_line(cells.values()))
    return "".join(lines)


def table_csv(rows: Sequence[Mapping[str, Cell]]) -> str:
    """A table of a screen; its headings are those of the first row."""
    return write_csv("", {name: itemgetter(name) for name in rows[0]} if rows else {}, rows)


def _format_line(cells: Iterable[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow(cells)
    return out.getvalue()


def _its_debate(_: object) -> None:
    """The id of the debate, which `write_csv` fills in."""


def _same(row: type[R], names: str) -> Columns[R]:
    """Columns with the names of their fields, separated by spaces."""
    unknown = [name for name in names.split() if not hasattr(row, name)]
    if unknown:
        raise AttributeError(f"{row.__name__} has no field {unknown[0]!r}")
    return {name: attrgetter(name) for name in names.split()}


def _of_its_call(row: TurnRow, name: UsageField) -> Cell:
    """A figure of the call that gave a turn; None if it is unknown."""
    figure: Cell = getattr(row.usage, name) if row.usage else None
    return figure


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)


TURNS: Columns[TurnRow] = {
    "debate_id": _its_debate,
    **_same(TurnRow, "turn_id round phase seq"),
    "seat_id": lambda r: r.seat,
    "speaker_alias": lambda r: r.alias,
    "speaker_name": lambda r: r.by,
    "is_human": lambda r: r.occupant == "human",
    **_same(TurnRow, "provider model stance"),
    "current_vote": lambda r: r.vote,
    "vote_confidence": lambda r: r.confidence,
    **_same(TurnRow, "text reply_to concedes"),
    "n_claims": lambda r: r.claims,
    "n_quotes_verified": lambda r: r.quotes_verified,
    "n_quotes_unverified": lambda r: r.quotes_unverified,
    "prompt_tokens": lambda r: _of_its_call(r, "input_tokens"),
    "output_tokens": lambda r: _of_its_call(r, "output_tokens"),
    "cost_usd": lambda r: _of_its_call(r, "cost_usd"),
    "latency_ms": lambda r: r.latency_ms(),
    **_same(TurnRow, "started_at submitted_at revealed_at status retries model_line family"),
    "cached_tokens": lambda r: _of_its_call(r, "cached_tokens"),
    "reasoning_tokens": lambda r: _of_its_call(r, "reasoning_tokens"),
    "usage_estimated": lambda r: _of_its_call(r, "estimated"),
    **_same(TurnRow, "failures strength"),
    "left_out": lambda r: left_out_words(r.left_out),
    **_same(TurnRow, "argues_for no_reason"),
    "cache_write_tokens": lambda r: _of_its_call(r, "cache_write_tokens"),
}

USAGE: Columns[UsageRow] = {
    "debate_id": _its_debate,
    **_same(UsageRow, "round phase"),
    "seat_id": lambda r: r.seat,
    **_same(UsageRow, "role provider"),
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
    **_same(DecisionRow, "standing option decided_by agreed_decider rule counted_option has of needed"),
    **_same(DecisionRow, "against_count verdict signed_by signed_at waits_for since people_voted sentence note"),
}

CLAIMS: Columns[ClaimRow] = {
    "debate_id": _its_debate,
    **_same(ClaimRow, "claim_id turn_id round"),
    "seat_id": lambda r: r.seat,
    **_same(ClaimRow, "role stance claim has_evidence_marker marker_matches evidence_type evidence_text"),
    **_same(ClaimRow, "source_ref"),
    "quote_verified": lambda r: r.quote_verified if r.evidence_text else None,
    **_same(ClaimRow, "left_out_of_quote answers attacked_by conceded_by duplicate_of status reviewer"),
    **_same(ClaimRow, "reviewed_at mark"),
}

MARKS: Columns[MarkRow] = {
    "debate_id": _its_debate,
    **_same(MarkRow, "claim_id reading option people marked_by"),
}

VOTES: Columns[BallotRow] = {
    "debate_id": _its_debate,
    **_same(BallotRow, "ballot_id poll_id stage electorate"),
    "voter_alias": lambda r: r.voter,
    **_same(BallotRow, "role weight"),
    "kind": lambda r: "choose_one" if r.kind == "one" else r.kind,
    "choice": lambda r: r.choice,
    "ranking": lambda r: r.ranking(),
    "scores_json": lambda r: r.scores_json(),
    "approvals": lambda r: r.approvals(),
    **_same(BallotRow, "confidence reason joined_after_open cast_at replaced_by receipt status changed_by"),
    **_same(BallotRow, "first final argues_for"),
    "options": lambda r: json.dumps(r.options, ensure_ascii=False),
}

CRUX: Columns[CruxRow] = {
    "debate_id": _its_debate,
    **_same(CruxRow, "electorate claim_id claim named_by ballots checked switched unknown flips"),
    "results": lambda r: _results_json(r.supposed),
}


GUESSES: Columns[GuessRow] = {
    "debate_id": _its_debate,
    **_same(GuessRow, "electorate option votes ballots guesses"),
    "expected": lambda r: r.rounded,
    "surprisingly_popular": lambda r: r.surprisingly_popular,
}


def _results_json(supposed: Supposition | None) -> str | None:
    """Every possible result as JSON, because names can hold any separator."""
    results = supposed.results if supposed else None
    return None if results is None else json.dumps(results, ensure_ascii=False)


TALLY: Columns[TallyRow] = {
    **_same(TallyRow, "poll_id rule option"),
    "value": lambda r: r.votes,
    **_same(TallyRow, "unit rank elected threshold quorum_met tie_step tie unweighted in_a_row has_held"),
}

PAIRWISE: Columns[PairRow] = {
    **_same(PairRow, "poll_id a b prefers_a prefers_b tied"),
}

OVERRIDES: Columns[OverrideRow] = {
    "event_id": lambda r: r.event_id,
    "t": lambda r: r.at,
    **_same(OverrideRow, "actor role action"),
    "target_id": lambda r: r.target,
    **_same(OverrideRow, "before after reason"),
}

SYNTHESIS: Columns[SynthesisRow] = {
    **_same(SynthesisRow, "line_id section text links coverage flags accepted_by"),
}

DIRECTIVES: Columns[DirectiveRow] = {
    "debate_id": _its_debate,
    **_same(DirectiveRow, "round next_speakers briefing new_angle done by reason replaced names_options"),
}

EVALUATIONS: Columns[EvaluationRow] = {
    "debate_id": _its_debate,
    **_same(EvaluationRow, "line_id round phase"),
    "seat_id": lambda r: r.seat,
    **_same(EvaluationRow, "by kind section subject text links flags"),
}

HEALTH: Columns[HealthRow] = {
    "debate_id": _its_debate,
    **_same(HealthRow, "kind name sentence turns"),
}

TRANSCRIPT: Columns[TranscriptRow] = {
    "round": lambda r: r.round,
    "agentName": lambda r: r.agent_name,
    **_same(TranscriptRow, "stance text vote"),
}


JUDGEMENTS: Columns[JudgementRow] = {
    "debate_id": _its_debate,
    "judge_alias": lambda r: r.judge,
    "mode": lambda r: r.mode,
    "round_seen": lambda r: r.round,
    **_same(JudgementRow, "option probability final shuffle_seed swapped seconds_spent explanation brier"),
    # A number, because text with a minus would get an apostrophe.
    "log_score": lambda r: None if r.log_score is None else float(r.log_score),
    **_same(JudgementRow, "given_at late blind led interest"),
}

RUBRIC: Columns[RubricRow] = {
    "judge_alias": lambda r: r.judge,
    **_same(RubricRow, "option criterion score"),
    # All criteria have the same weight.
    "weight": lambda _: 1,
    **_same(RubricRow, "comment late"),
}

COMPARISONS: Columns[ComparisonRow] = {
    "judge_alias": lambda r: r.judge,
    **_same(ComparisonRow, "item_a item_b winner reason"),
    "t": lambda r: r.at,
    "late": lambda r: r.late,
}


RANKING: Columns[RankedRow] = {
    "debate_id": _its_debate,
    **_same(RankedRow, "place option"),
    "strength": lambda r: _rounded(r.strength),
    "low": lambda r: _rounded(r.low),
    "high": lambda r: _rounded(r.high),
    **_same(RankedRow, "comparisons points"),
    "elo": lambda r: round(r.elo, 1),
}

PAIRED: Columns[PairedRow] = {
    "debate_id": _its_debate,
    **_same(PairedRow, "round seat first second preferred reason"),
}


MATCHES: Columns[MatchRow] = {
    "debate_id": _its_debate,
    **_same(MatchRow, "round seat first second preferred match"),
}


RECOMMENDATION: Columns[RecommendedRow] = {
    "debate_id": _its_debate,
    **_same(RecommendedRow, "place option points tied"),
}


PROPOSALS: Columns[ProposalRow] = {
    "debate_id": _its_debate,
    **_same(ProposalRow, "round phase seat by name text"),
    "builds_on": lambda r: "; ".join(r.builds_on),
    **_same(ProposalRow, "became why"),
}


FILES: Mapping[str, Columns[Any]] = {
    "decision.csv": DECISION,
    "turns.csv": TURNS,
    "claims.csv": CLAIMS,
    "usage.csv": USAGE,
    "votes.csv": VOTES,
    "crux.csv": CRUX,
    "guesses.csv": GUESSES,
    "tally.csv": TALLY,
    "pairwise.csv": PAIRWISE,
    "judgements.csv": JUDGEMENTS,
    "rubric.csv": RUBRIC,
    "comparisons.csv": COMPARISONS,
    "marks.csv": MARKS,
    "candidates.csv": PROPOSALS,
    "ranking.csv": RANKING,
    "recommendation.csv": RECOMMENDATION,
    "option_comparisons.csv": PAIRED,
    "matches.csv": MATCHES,
    "overrides.csv": OVERRIDES,
    "synthesis.csv": SYNTHESIS,
    "directives.csv": DIRECTIVES,
    "evaluations.csv": EVALUATIONS,
    "health.csv": HEALTH,
    "transcript.csv": TRANSCRIPT,
}
"""File name -> columns, which `docs/files.md` explains."""
ONLY_WITH_ROWS = frozenset(
    (
        *("pairwise.csv", "judgements.csv", "rubric.csv", "comparisons.csv", "marks.csv", "crux.csv", "guesses.csv"),
        *("candidates.csv", "ranking.csv", "recommendation.csv", "option_comparisons.csv", "matches.csv"),
    )
)
"""Files that are omitted without rows; all others have at least their header."""
