"""The first part of the track record: own numbers, however few, and the decisions that wait for an outcome."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from statistics import median

import streamlit as st

from debate_core.host.debate_list import DebateRow
from debate_core.language import _, _n
from debate_core.record.acts import OutcomeRecorded
from debate_core.report.facts.cross_debate_metrics import Metric, number_words, range_words
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.decision_outcomes import Held
from debate_core.report.facts.track_record import TrackRecord, Uncounted
from debate_core.report.phrases.limits import about_words
from debate_core.report.phrases.track_record import about_usd_words, basis_sentences, standings_words
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts as parts_of_rows
from debate_core.ui.pages import debate_rows
from debate_core.ui.results import sign_off

MAX_ASKED = 5
"""Decisions whose outcome is asked for at once."""
_STYLE = "<style>.st-key-own-numbers [data-testid=stMetricValue] { font-size: 2rem }</style>"


def draw(
    rows: Sequence[DebateRow],
    facts: Sequence[Facts],
    record: TrackRecord,
    figures: Sequence[Metric],
    uncounted: Uncounted,
) -> None:
    """Draw the figures of these debates, the debates left out, and the decisions without an outcome."""
    _draw_numbers(rows, facts, {figure.name: figure for figure in figures})
    known, *others = basis_sentences(record, uncounted)
    if told := [known, *others] if record.known else others:
        st.caption(" ".join(told))
    _ask_for_outcomes(rows)


def _draw_numbers(rows: Sequence[DebateRow], facts: Sequence[Facts], figures: Mapping[str, Metric]) -> None:
    """Draw each number with its base."""
    numbers = [*_numbers(rows, facts, figures)]
    st.html(_STYLE)
    with st.container(key="own-numbers"):
        grid = st.grid(len(numbers), min_column_width=150)
    for title, value, beside in numbers:
        with grid.container(gap="xxsmall", border=True, height="stretch"):
            st.metric(title, value)
            if beside:
                st.caption(beside)


def _numbers(
    rows: Sequence[DebateRow], facts: Sequence[Facts], figures: Mapping[str, Metric]
) -> Iterator[tuple[str, str, str]]:
    """Title, number and base of each card; duration and cost only if they are known."""
    ended = [row.sign_off.standing for row in rows if row.sign_off.standing not in ("open", "vote_due")]
    decided = sum(one.status == "decided" for one in facts)
    yield _("Debates over"), str(len(ended)), standings_words(ended)
    yield _("Decided"), _of(decided, len(facts)), _interval_words(figures["decided"])
    if results := [one.later.result for one in facts if one.later.result]:
        yield _("Decisions that held"), *_held_words(results, figures["outcome_quality"])
    else:
        yield _("Outcomes recorded"), _of(0, len(facts)), ""
    if times := [one.seconds for one in facts if one.seconds]:
        of_times = _n(len(times), "of {n} debate", "of {n} debates")
        yield _("Median duration"), about_words(median(times)), of_times
    if costs := [one.cost_usd for one in facts if one.cost_usd is not None]:
        of_costs = _n(len(costs), "of {n} debate with a known price", "of {n} debates with a known price")
        yield _("Median cost"), about_usd_words(float(median(costs))), of_costs


def _held_words(results: Sequence[Held], figure: Metric) -> tuple[str, str]:
    """The number of decisions that held, and the numbers revised and reversed."""
    others = _(
        "{revised} revised, {reversed} reversed",
        revised=results.count("revised"),
        reversed=results.count("reversed"),
    )
    return _of(results.count("held"), len(results)), " · ".join(filter(None, (others, _interval_words(figure))))


def _of(hits: int, n: int) -> str:
    return _("{hits} of {n}", hits=hits, n=n)


def _interval_words(figure: Metric) -> str:
    """`0 %, true share 0 to 43 %`; empty while there are too few cases for an interval."""
    interval = range_words(figure)
    share = number_words(figure.unit, figure.value)
    return _("{share}, true share {interval}", share=share, interval=interval) if interval else ""


def _ask_for_outcomes(rows: Sequence[DebateRow]) -> None:
    """List the oldest decisions without an outcome that this person may record, each with a button."""
    found = [*islice(filter(_may_record_outcome, reversed(rows)), MAX_ASKED)]
    if not found:
        return
    title = _("Did these decisions hold?")
    st.subheader(title, anchor=False)
    nth = debate_rows.numbers(found)
    drawn: list[parts_of_rows.RowPart] = []
    for row in found:
        ended = debate_rows.format_minute(row.closed_at or row.opened_at)
        beside = f"{row.decided_option} · {ended}"
        part = parts_of_rows.plain_row(row.id, row.question, beside, button=_("Record the outcome"))
        drawn.append({**part, "nth": nth[row.id] or 1})
    if pressed := parts_of_rows.draw_list(drawn, label=title, key="record-outcome"):
        sign_off.open_desk()
        session.open_page("results.py", pressed)


def _may_record_outcome(row: DebateRow) -> bool:
    is_mine = session.may_be_in(row) if row.has_people else session.owns(row)
    if not is_mine or row.rehearsal or row.has_known_outcome or row.decided_option is None:
        return False
    state = session.host().state(row.id)
    return session.may(state, session.me(state), OutcomeRecorded)
