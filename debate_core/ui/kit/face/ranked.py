"""The ranking of a tournament as it stands: places, names, and where each strength lies with its interval.

Nothing here says who wins. The line under the best few is whole once the rule has told them apart from the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import TypedDict

import streamlit as st

from debate_core.engine import comparisons
from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.tournament import RankedRow
from debate_core.report.figures.ranking import ranking_alt
from debate_core.report.words.tournament import proposals_table, settled_words
from debate_core.text import line
from debate_core.ui.kit.face.parts import draw
from debate_core.ui.kit.tables import draw_table

SHOWN = 10
"""More are behind a button in the room, and not on the wall."""


class PlacePart(TypedDict):
    """One option; `low`, `at` and `high` from 0 to 1 along the line.

    As long as it was never compared these are None, and `place` is 0.
    """

    place: int
    option: str
    low: float | None
    at: float | None
    high: float | None
    compared: int


class RankedPart(TypedDict):
    """The best `shown` of all rows, the rest at a press; a line under the first `top`, whole once `settled`."""

    part: str
    alt: str
    under: str
    rows: list[PlacePart]
    shown: int
    top: int
    settled: bool


def draw_ranking(told: Account) -> None:
    """The ranking so far, in one column."""
    draw(ranked_part(told), key="ranking")


def ranked_part(told: Account, *, most: int | None = None) -> RankedPart:
    """All options, or the best `most`; one scale for all that are in the part."""
    rows = told.ranking[:most]
    scale = _scale_of(rows)
    return RankedPart(
        part="ranked",
        alt=f"{ranking_alt(told)}. {settled_words(told)}.",
        under=_("The line through a point is its interval of 95 %."),
        rows=[_place(row, scale) for row in rows],
        shown=SHOWN,
        top=comparisons.looked_for(told.state) or 0,
        settled=comparisons.top_settled(told.state),
    )


@dataclass(frozen=True, slots=True)
class _RankingScale:
    """From the lowest end of all intervals over `span` to the highest one, in powers of two."""

    least: float
    span: float

    def at(self, strength: float | None) -> float | None:
        """From 0 to 1; None for what was never compared, and where nothing differs."""
        if not strength or not self.span:
            return None
        return round((log2(strength) - self.least) / self.span, 4)


def _scale_of(rows: Sequence[RankedRow]) -> _RankingScale:
    ends = [log2(end) for row in rows for end in (row.low, row.high) if end]
    least = min(ends, default=0.0)
    return _RankingScale(least, max(ends, default=0.0) - least)


def _place(row: RankedRow, scale: _RankingScale) -> PlacePart:
    return PlacePart(
        place=row.place if row.comparisons else 0,
        option=line(row.option),
        low=scale.at(row.low),
        at=scale.at(row.strength),
        high=scale.at(row.high),
        compared=row.comparisons,
    )


def draw_proposals(told: Account) -> None:
    """Who proposed what in the debate itself, behind a press; nothing where nobody did."""
    rows = proposals_table(told)
    if not rows:
        return
    proposed = st.expander(_("What was proposed, and by whom"), key="proposals_box", on_change="rerun")
    if proposed.open:
        with proposed:
            draw_table(rows, key="proposals", alt=_("Candidates that were proposed"))
