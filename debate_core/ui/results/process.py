"""The course of a debate at a glance: its figures, and sentences on silence, interventions and the count."""

import streamlit as st

from debate_core.report.facts.account import Account
from debate_core.report.phrases.course import course_figures, course_sentences
from debate_core.ui.kit.text import safe_line


def at_a_glance(account: Account) -> None:
    """Draw what a reader who was not there asks first."""
    figures = course_figures(account)
    grid = st.grid(len(figures), min_column_width=150)
    for figure in figures:
        grid.metric(figure.label, figure.value, help=safe_line(figure.note) or None, border=True)
    st.markdown(safe_line(" ".join(course_sentences(account))))
