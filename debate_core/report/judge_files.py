"""What people who judged gave, as files: judgements.csv, rubric.csv, comparisons.csv, and the same as JSON.

Only revealed rows; a file without rows is left out. Called by `files`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from debate_core.record.state import State
from debate_core.report.judgements import (
    ComparisonRow,
    JudgementRow,
    RubricRow,
    comparison_rows,
    judgement_rows,
    rubric_rows,
    strengths,
)
from debate_core.report.table import Columns, write_csv

JUDGEMENTS: Columns[JudgementRow] = {
    "debate_id": lambda _: None,
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
    "log_score": lambda r: r.log_score,
}

RUBRIC: Columns[RubricRow] = {
    "judge_alias": lambda r: r.judge,
    "option": lambda r: r.option,
    "criterion": lambda r: r.criterion,
    "score": lambda r: r.score,
    # All criteria count alike.
    "weight": lambda _: 1,
    "comment": lambda r: r.comment,
}

COMPARISONS: Columns[ComparisonRow] = {
    "judge_alias": lambda r: r.judge,
    "item_a": lambda r: r.item_a,
    "item_b": lambda r: r.item_b,
    "winner": lambda r: r.winner,
    "reason": lambda r: r.reason,
    "t": lambda r: r.at,
}


def judge_csvs(state: State) -> dict[str, str]:
    """Files by name; none as long as nothing is revealed."""
    told, cells, pairs = judgement_rows(state), rubric_rows(state), comparison_rows(state)
    return {
        **({"judgements.csv": write_csv(state.debate, JUDGEMENTS, told)} if told else {}),
        **({"rubric.csv": write_csv(state.debate, RUBRIC, cells)} if cells else {}),
        **({"comparisons.csv": write_csv(state.debate, COMPARISONS, pairs)} if pairs else {}),
    }


def judge_json(state: State) -> Mapping[str, Sequence[Mapping[str, str | int | bool | None]] | Mapping[str, float]]:
    """The same rows, and the strengths that follow from the comparisons."""
    return {
        "judgements": [asdict(row) for row in judgement_rows(state)],
        "rubric": [asdict(row) for row in rubric_rows(state)],
        "comparisons": [asdict(row) for row in comparison_rows(state)],
        "strengths": {turn: round(value, 4) for turn, value in strengths(state).items()},
    }
