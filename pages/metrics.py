"""Over all debates: figures from the records of debates that are over, and the bars at which to look again."""

import streamlit as st

from debate_core.report.facts.over_debates import metrics
from debate_core.ui.kit import session
from debate_core.ui.pages import home
from debate_core.ui.pages import metrics as metric_parts

st.title("Over all debates", anchor=False)
st.caption(
    "Counted by code from the records of debates that are over. A figure from too few of them is unknown, and "
    "nothing here decides anything."
)

over = [row for row in session.host().debates() if row.status not in home.GOING_ON]
counted = metric_parts.chosen(over) if over else ()
if counted:
    facts = metric_parts.facts_of(counted)
    figures = metrics(facts)
    metric_parts.alerts(figures, len(facts))
    metric_parts.table(figures)
else:
    metric_parts.empty(any_over=bool(over))
