"""The current ranking of a tournament: places, options, and strengths with their intervals.

Names no winner. The line below the best is solid once the rule has separated them from the rest.
"""

from dataclasses import dataclass
from math import log2
from typing import TypedDict

import streamlit as st

from debate_core.engine import comparisons
from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.tournament import RankedRow
from debate_core.report.figures.ranking import ranking_alt
from debate_core.report.phrases.tournament import matches_table, proposals_table, settled_words
from debate_core.text import line
from debate_core.ui.kit import session
from debate_core.ui.kit.components.parts import draw
from debate_core.ui.kit.tables import draw_table

SHOWN = 10
MAX_WHOLE = 12


class PlacePart(TypedDict):
    """An option; `low`, `at` and `high` are positions on the line, from 0 to 1.

    They are None, and `place` is 0, until its first comparison.
    """

    place: int
    option: str
    low: float | None
    at: float | None
    high: float | None
    compared: int


class RankedPart(TypedDict):
    """A ranking that shows `shown` rows at first, with a line below the first `top`, solid once `settled`."""

    part: str
    alt: str
    under: str
    rows: list[PlacePart]
    shown: int
    top: int
    settled: bool


def n_shown(options: int) -> int:
    """Return the rows to show at first: all of up to `MAX_WHOLE` options, else the best `SHOWN`."""
    return options if options <= MAX_WHOLE else SHOWN


def draw_ranking(told: Account) -> None:
    """Draw the current ranking."""
    draw(ranked_part(told), key="ranking")


def ranked_part(told: Account, *, most: int | None = None) -> RankedPart:
    """Return the ranking of all options, or of the best `most`, on a common scale."""
    rows = told.ranking[:most]
    ends = [log2(end) for row in rows for end in (row.low, row.high) if end]
    least = min(ends, default=0.0)
    scale = _RankingScale(least, max(ends, default=0.0) - least)
    return RankedPart(
        part="ranked",
        alt=f"{ranking_alt(told)}. {settled_words(told)}.",
        under=_("The line through a point is its interval of 95 %; × is the number of comparisons."),
        rows=[_place_part(row, scale) for row in rows],
        shown=n_shown(len(rows)),
        top=comparisons.looked_for(told.state) or 0,
        settled=comparisons.top_settled(told.state),
    )


@dataclass(frozen=True, slots=True)
class _RankingScale:
    """A scale in powers of two, from the lowest end of all intervals to the highest."""

    least: float
    span: float

    def at(self, strength: float | None) -> float | None:
        """Return the position, from 0 to 1; None for options without comparisons or if all are equal."""
        if not strength or not self.span:
            return None
        return round((log2(strength) - self.least) / self.span, 4)


def _place_part(row: RankedRow, scale: _RankingScale) -> PlacePart:
    return PlacePart(
        place=row.place if row.comparisons else 0,
        option=line(row.option),
        low=scale.at(row.low),
        at=scale.at(row.strength),
        high=scale.at(row.high),
        compared=row.comparisons,
    )


def draw_proposals(told: Account) -> None:
    """Draw a table of the proposals in the debate, on demand."""
    rows = proposals_table(told)
    if not rows:
        return
    proposed = st.expander(_("Proposals and their authors"), key="proposals_box", on_change="rerun")
    if proposed.open:
        with proposed:
            draw_table(rows, key="proposals", alt=_("Candidates that were proposed"))


def draw_matches(told: Account) -> None:
    """Draw a table of the short debates, on demand; hosts get a link to each."""
    rows = matches_table(told)
    if not rows:
        return
    if session.may_host():
        addresses = [f"results?id={row.match}" for row in told.matches]
        rows = [{**row, _("Open"): address} for row, address in zip(rows, addresses, strict=True)]
    held = st.expander(_("Short debates of the pairs"), key="matches_box", on_change="rerun")
    if held.open:
        with held:
            links = {_("Open"): st.column_config.LinkColumn(display_text=_("Results"))}
            draw_table(rows, key="matches", alt=_("Short debates of the pairs"), column_config=links)
