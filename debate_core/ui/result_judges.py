"""The judges on the results page: probabilities, rubric and comparisons, each as a figure with its table.

Only what was revealed. Called by the results page.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.figures import judges
from debate_core.text import plural
from debate_core.ui import judge_parts
from debate_core.ui.judge_parts import NO_TOOLS
from debate_core.ui.parts import figure, show_line, show_text, theme


def show(state: State) -> None:
    """Nothing where nobody judged."""
    judged = judgements.judges(state)
    if not judged:
        return
    st.header("Judges", anchor=False)
    for flag in judgements.judge_flags(state):
        st.markdown(f":material/flag: {show_text(flag)}")
    if judgements.revealed_reports(state):
        judge_parts.revealed(state, key="results")
        _scores(state)
    else:
        st.caption(f"{plural(len(judged), 'judge')} gave something; it is sealed until the facilitator reveals it.")
    if judgements.rubric_rows(state):
        _rubric(state)
    if judgements.comparison_rows(state):
        _comparisons(state)


def _scores(state: State) -> None:
    """How the last probabilities of each judge did, once it is recorded which option turned out right."""
    right = judgements.truth(state)
    if right is None:
        st.caption("How well they did is scored when it is recorded which option turned out right.")
        return
    last = {r.judge: r for r in judgements.judgement_rows(state) if r.option == right}
    names = {alias: state.room.people[i].name for i, alias in judgements.judges(state).items()}
    st.subheader("How they did", anchor=False)
    st.caption(f"{show_line(right)} turned out right. Brier: 0 is best, 1 worst. Log score: 0 is best.")
    rows = [
        {"Judge": names[j], "Gave it": r.probability, "Brier": r.brier, "Log score (bits)": r.log_score}
        for j, r in last.items()
    ]
    st.dataframe(rows, hide_index=True, alt="Scores of the judges' last probabilities")


def _rubric(state: State) -> None:
    st.subheader("Rubric", anchor=False)
    st.caption("Mean of the judges, 1 is poor and 5 very good; an empty cell had not enough to judge.")
    drawn = figure(judges.rubric_chart, state, theme())
    st.plotly_chart(drawn, key="rubric", config=NO_TOOLS, alt=judges.rubric_alt(state))
    with st.expander("The same as a table", icon=":material/table:"):
        st.dataframe(judges.rubric_table(state), hide_index=True, alt="Mean scores of the rubric")


def _comparisons(state: State) -> None:
    """Strengths from pairs by the model of Bradley and Terry."""
    rows, strengths = judgements.comparison_rows(state), judgements.strengths(state)
    st.subheader("Turns compared side by side", anchor=False)
    st.caption(f"{plural(len(rows), 'comparison')}. Strength: a turn of 2 beats one of 1 in two of three readings.")
    met = [i for r in rows for i in (r.item_a, r.item_b)]
    table = [{"Turn": i, "Strength": f"{s:.2f}", "Compared": met.count(i)} for i, s in strengths.items()]
    st.dataframe(table, hide_index=True, alt="Strength of each compared turn")
