"""What judges gave, drawn for screens: a judge's own lines, and after the reveal everybody's with what follows.

Each figure has its table twin. Knows no rules and seals nothing: `report.judgements` gives only what is revealed.
Called by the judges' desks and the results page.
"""

import plotly.graph_objects as go
import streamlit as st

from debate_core.engine import judge_view
from debate_core.record.acts import BeliefReported
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.figures import judges
from debate_core.ui.parts import figure, show_line, show_text, theme

NO_TOOLS = {"displayModeBar": False}


@st.cache_resource(max_entries=64, show_spinner=False)
def _own_figure(options: tuple[str, ...], given: tuple[str, ...], shade: str) -> go.Figure:
    reports = [BeliefReported.model_validate_json(r) for r in given]
    return judges.own_chart(options, {r.round: r for r in reports}, shade)


def own(state: State, person_id: str) -> None:
    """This judge's probabilities so far; theirs alone until they are revealed."""
    given = judge_view.reports(state, person_id)
    if not given:
        return
    with st.expander("My probabilities so far", icon=":material/show_chart:", key="judge-so-far"):
        rows = judges.own_table(state.spec.options, given)
        if len(given) > 1:
            drawn = _own_figure(state.spec.options, tuple(r.model_dump_json() for r in given.values()), theme())
            st.plotly_chart(drawn, key="own-beliefs", config=NO_TOOLS, alt="Your probability of each option by round")
        st.dataframe(rows, hide_index=True, alt="Your probabilities in percent, by round")


def revealed(state: State, *, key: str) -> None:
    """Lines of every judge and their mean, and what they say together."""
    st.markdown(show_text(judgements.aggregate_sentence(state)))
    st.caption(f"A reading of the judges, not the decision. {show_text(judgements.agreement_sentence(state))}")
    drawn = figure(judges.beliefs_chart, state, theme())
    st.plotly_chart(drawn, key=f"{key}-chart", config=NO_TOOLS, alt=judges.beliefs_alt(state))
    with st.expander("The same as tables", icon=":material/table:"):
        st.dataframe(judges.beliefs_table(state), hide_index=True, alt="Probabilities in percent, by judge and round")
        st.dataframe(_options(state), hide_index=True, alt="Options in the eyes of all judges")
    moved = [
        f"- After round {m.round}, **{show_line(state.room.people[m.judge].name)}**: "
        f"{show_line(m.option)} {m.before} % → {m.after} %"
        for m in judgements.moves(state)
    ]
    st.markdown("\n".join(["**Who moved most, and on what**", "", *moved]) if moved else "Nobody moved between rounds.")


def _options(state: State) -> list[dict[str, str | int]]:
    return [
        {
            "Option": r.option,
            "Mean": judgements.percent(r.mean),
            "By log-odds": judgements.percent(r.log_odds),
            "Lowest": judgements.percent(r.lowest),
            "Highest": judgements.percent(r.highest),
            "Favourite of": r.favourites,
        }
        for r in judgements.option_rows(state)
    ]
