"""Track record: figures from the records of finished debates, with the limits at which they warn."""

import streamlit as st

from debate_core.language import _
from debate_core.report.facts.track_record import left_out, of_practice
from debate_core.ui.kit import session
from debate_core.ui.pages import decisions, metrics, practice, triage_threshold

st.title(_("Track record"), anchor=False)
st.caption(_("How good are the decisions made here? Figures from the records of finished debates."))

# Read once: the list of many debates costs more than all else on this page.
rows = session.host().all_rows()
over = [row for row in session.debates(rows) if row.is_over and not row.practice]
counted, uncounted = metrics.chosen(over) if over else ((), left_out(()))
if counted:
    facts = metrics.facts_of(counted)
    record, figures = metrics.figures_of(counted, facts)
    metrics.basis(counted, record, uncounted)
    metrics.headlines(figures)
    metrics.pictures(record, figures)
    metrics.draw(record)
    is_example = metrics.lacks_pictures(record, counted)
    if is_example:
        metrics.example()
        metrics.ranges()
    st.subheader(_("How do debates go?"), anchor=False)
    metrics.alerts(figures)
    metrics.table(figures)
    if not is_example and metrics.has_ranges(record, figures):
        metrics.ranges()
    metrics.parts(figures)
    metrics.unknown(record, figures)
else:
    metrics.empty(uncounted, any_over=bool(over))
    metrics.example()
    metrics.ranges()
if over:
    triage_threshold.draw(over)
metrics.practice(of_practice(metrics.facts_of(session.host().practice_rows(session.looker(), rows))))
with st.container(horizontal=True):
    decisions.link()
    practice.link()
