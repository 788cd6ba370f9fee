"""The ranked recommendation: every option with its place, by the evaluator's scores or by ranked ballots.

Only for protocols that agree on one before the start, and only once the debate is over. It is no count: the outcome
follows the decision rule alone.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from debate_core.engine import voting
from debate_core.engine.count.profile import borda
from debate_core.engine.option_names import option_of_side
from debate_core.engine.schedule import stance_of
from debate_core.record.state import State
from debate_core.report.facts.counts import Number, number
from debate_core.report.facts.office_turns import turns_giving
from debate_core.spec.contents import Evaluation, Quality


@dataclass(frozen=True, slots=True)
class RecommendedRow:
    """One option of a ranked recommendation."""

    place: int | None
    """From 1; options with equal points share a place. None = unknown."""
    option: str
    points: Number | None
    """The mean score, 1 to 10, or the Borda points. None = unknown."""
    tied: bool


@dataclass(frozen=True, slots=True)
class RankedOptions:
    """The options by place; those with an unknown place at the end, in declared order."""

    ranked_by: Literal["scores", "ballots"]
    given: int
    """Number of evaluators who gave scores, or of ballots that rank options."""
    rows: tuple[RecommendedRow, ...]


def recommendation(state: State) -> RankedOptions | None:
    """Derive the ranked recommendation of a debate that is over; None where none was agreed."""
    ranked_by = state.spec.protocol.ranked_by
    if ranked_by is None or state.outcome is None:
        return None
    given, points = _from_scores(state) if ranked_by == "scores" else _from_ballots(state)
    options = state.spec.options
    known = sorted((option for option in options if option in points), key=points.__getitem__, reverse=True)
    worth = [points[option] for option in known]
    rows = []
    for option in known:
        own = points[option]
        rows.append(RecommendedRow(worth.index(own) + 1, option, number(own), tied=worth.count(own) > 1))
    unknown = (RecommendedRow(None, option, None, tied=False) for option in options if option not in points)
    return RankedOptions(ranked_by, given, (*rows, *unknown))


def _from_scores(state: State) -> tuple[int, Mapping[str, Fraction]]:
    """Mean score of the seats that defend each option, by the last evaluation of every evaluator."""
    given = [(turn, content.quality) for turn, content in turns_giving(state, Evaluation)]
    last = {turn.seat: quality for turn, quality in given if turn.status == "ok"}
    found = defaultdict[str, list[int]](list)
    for quality in last.values():
        for option, score in _scored_options(state, quality):
            found[option].append(score)
    evaluators = sum(bool(quality) for quality in last.values())
    return evaluators, {option: Fraction(sum(scores), len(scores)) for option, scores in found.items()}


def _scored_options(state: State, ratings: tuple[Quality, ...]) -> list[tuple[str, int]]:
    """The option that each rated seat defends, with its score; of two scores for one seat the last."""
    scores = {rating.seat: rating.score for rating in ratings}
    scored = []
    for seat in state.spec.ids_of("debater"):
        option = option_of_side(stance_of(state, seat), state.spec.options)
        if option is not None and seat in scores:
            scored.append((option, scores[seat]))
    return scored


def _from_ballots(state: State) -> tuple[int, Mapping[str, Fraction]]:
    """Borda points of the last ballots; nothing without a ballot that ranks an option."""
    count = voting.last_count(state)
    profile = count.profile() if count else None
    naming = [vote for vote in profile.votes if vote.tiers] if profile else []
    return len(naming), borda(profile) if profile and naming else {}
