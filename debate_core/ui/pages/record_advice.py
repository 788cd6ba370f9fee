"""The judgement on the track record: whether the decisions held, what to do next, and each month in a row."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice

import streamlit as st

from debate_core.host.debate_list import DebateRow
from debate_core.language import _
from debate_core.report.facts.cross_debate_metrics import Metric
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.who_decided import SIGNED
from debate_core.report.phrases.record_advice import OpenWork, next_steps, verdict_sentence
from debate_core.ui.kit.dates import month_words
from debate_core.ui.kit.tables import draw_wrapping, safe_rows
from debate_core.ui.kit.text import safe_line
from debate_core.ui.pages import debate_rows

MAX_MONTHS = 12


def draw(rows: Sequence[DebateRow], facts: Sequence[Facts], figures: Sequence[Metric]) -> None:
    """Draw the judgement, the next steps and the months; what is not known yet is one line."""
    by_name = {figure.name: figure for figure in figures}
    held = by_name["outcome_quality"]
    steps = [*next_steps(_open_work(rows), by_name)]
    unknown = list[str]()
    good = verdict_sentence(held)
    if held.value is None:
        unknown.append(f"{_('Are the decisions good?')} {good}")
    else:
        with st.container(border=True, gap="xsmall", key="record-verdict"):
            st.caption(_("Are the decisions good?"))
            st.markdown(f"**{safe_line(good)}**")
    if steps:
        with st.container(border=True, gap="xsmall", key="record-steps"):
            st.caption(_("What to do next"))
            st.markdown("\n".join(f"- {safe_line(step)}" for step in steps))
    months = _by_month(rows, facts)
    if len(months) > 1:
        _draw_trend(months, facts)
    elif months:
        unknown.append(_("No trend yet: all these debates ended in {month}.", month=next(iter(months))))
    if unknown:
        st.caption(safe_line(" ".join(unknown)))


def _open_work(rows: Sequence[DebateRow]) -> OpenWork:
    today = datetime.now(UTC).date()
    signed = [row for row in rows if row.decided_option is not None and row.sign_off.standing in SIGNED]
    waiting = [row for row in signed if not row.has_known_outcome]
    return OpenWork(
        due=sum(debate_rows.is_due(row, today) for row in waiting),
        undated=sum(not row.sign_off.revisit for row in waiting),
    )


def _by_month(rows: Sequence[DebateRow], facts: Sequence[Facts]) -> Mapping[str, Sequence[DebateRow]]:
    """The debates that ended in each month, the latest first."""
    known = {one.debate for one in facts}
    months: dict[str, list[DebateRow]] = {}
    for row in sorted(rows, key=lambda row: row.closed_at, reverse=True):
        if row.closed_at and row.id in known:
            months.setdefault(month_words(row.closed_at), []).append(row)
    return months


def _draw_trend(months: Mapping[str, Sequence[DebateRow]], facts: Sequence[Facts]) -> None:
    """Draw one row for each month."""
    known = {one.debate: one for one in facts}
    st.subheader(_("Over time"), anchor=False)
    table = [_month_cells(month, some, known) for month, some in islice(months.items(), MAX_MONTHS)]
    draw_wrapping(safe_rows(table), alt=_("Debates and decisions by month"), key="record-trend")


def _month_cells(month: str, rows: Sequence[DebateRow], known: Mapping[str, Facts]) -> dict[str, str]:
    decided = [row for row in rows if row.decided_option is not None]
    results = [result for row in rows if (result := known[row.id].later.result)]
    return {
        _("Month"): month,
        _("Debates that decided"): _of(sum(known[row.id].status == "decided" for row in rows), len(rows)),
        _("Decisions signed"): _of(sum(row.sign_off.standing in SIGNED for row in decided), len(decided)),
        _("Decisions that held"): _of(results.count("held"), len(results)),
    }


def _of(hits: int, n: int) -> str:
    return _("{hits} of {n}", hits=hits, n=n) if n else _("none")
