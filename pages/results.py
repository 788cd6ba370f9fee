"""Results: the decision as arithmetic first, then verdict, cautions, counts, evaluation, evidence, and the rest."""

import streamlit as st

from debate_core.report.figures import votes
from debate_core.ui import (
    closed,
    count,
    result_ballots,
    result_decision,
    result_health,
    result_judges,
    result_offices,
    result_parts,
    result_polls,
    result_record,
    result_whatif,
    session,
    spending,
    synthesis_parts,
)
from debate_core.ui.parts import figure, theme

NO_TOOLS = {"displayModeBar": False}

whole = session.debate()
# As in the room: what a phase at once asks for is counted, and shown, when it has ended.
state = count.as_counted(whole)
session.show_problem()
result_parts.heading(state)
closed.keep_closed(state)
result_decision.outcome(state)
result_polls.deciding(state)

result_decision.section(state)
if state.outcome and state.spec.room:
    result_decision.look_again(state.debate, state.version)

result_offices.verdicts(state)

if state.outcome:
    st.header("To be careful about", anchor=False)
    result_health.health(state)

st.header("Votes of the debaters" if state.spec.room else "Votes", anchor=False)
if state.counted:
    drawn, told = st.columns(2, gap="medium")
    with drawn:
        st.subheader("Final count", anchor=False)
        tally = figure(votes.tally_chart, state, theme())
        st.plotly_chart(tally, key="tally", config=NO_TOOLS, alt=votes.tally_alt(state))
    with told:
        st.subheader("First and final count", anchor=False)
        result_parts.counts(state)
    drawn, told = st.columns(2, gap="medium")
    with drawn:
        st.subheader("Votes by round", anchor=False)
        rounds = figure(votes.rounds_chart, state, theme())
        st.plotly_chart(rounds, key="rounds", config=NO_TOOLS, alt=votes.rounds_alt(state))
    with told:
        st.subheader("Every count", anchor=False)
        rows = votes.rounds_table(state)
        st.dataframe(
            rows, hide_index=True, column_order=[n for n in rows[0] if n != "poll"], alt="Votes of every count"
        )
    st.subheader("Ballots that changed", anchor=False)
    result_parts.changes(state)
    result_ballots.show(state)
    if state.outcome:
        st.subheader("The same ballots under other rules", anchor=False)
        result_health.other_rules(state)
else:
    result_parts.counts(state)

result_polls.show(state)
result_whatif.section(state)
result_judges.show(state)
result_offices.evaluations(state)

st.header("Evidence", anchor=False)
result_parts.evidence(state)

if any(phase.gives == "synthesis" for phase in state.spec.protocol.phases()):
    st.header("Synthesis", anchor=False)
    synthesis_parts.show(state)

result_offices.steering(state)

st.header("Transcript", anchor=False)
result_parts.transcript(state)
result_offices.participation(state)

if spending.has_models(state):
    st.header("Models and cost", anchor=False)
    spending.section(state)

st.header("What people did", anchor=False)
result_parts.acts(state)

st.header("Take it with you", anchor=False)
result_parts.exports(whole)
result_record.decision_file(state)
