"""Track record: figures from the records of finished debates, with the limits at which they warn."""

import streamlit as st

from debate_core.language import _
from debate_core.report.facts.track_record import left_out, of_practice
from debate_core.ui.kit import session
from debate_core.ui.pages import decisions, metrics, own_record, practice, record_advice, triage_threshold

title, filters = st.columns(2, vertical_alignment="bottom")
title.title(_("Track record"), anchor=False)

# Read once: the list of many debates costs more than all else on this page.
rows = session.host().all_rows()
over = [row for row in session.debates(rows) if row.is_over and not row.practice]
with filters:
    counted, uncounted = metrics.chosen(over) if over else ((), left_out(()))
if counted:
    facts = metrics.facts_of(counted)
    record, figures = metrics.figures_of(counted, facts)
    own_record.draw(counted, facts, record, figures, uncounted)
    metrics.pictures(record, figures)
    record_advice.draw(counted, facts, figures)
    metrics.draw(record)
    metrics.alerts(figures)
    metrics.in_full(record, figures)
    if metrics.lacks_pictures(record, counted):
        metrics.example()
else:
    metrics.empty(uncounted, any_over=bool(over))
    metrics.example()
if over:
    triage_threshold.draw(over)
metrics.practice(of_practice(metrics.facts_of(session.host().practice_rows(session.looker(), rows))))
with st.container(horizontal=True):
    decisions.link()
    practice.link()
