"""Results: the decision as arithmetic first, then verdict, cautions, counts, evaluation, evidence, and the rest."""

import streamlit as st

from debate_core.report.figures import votes
from debate_core.ui.kit import session
from debate_core.ui.kit.chart import figure, theme
from debate_core.ui.results import ballots, decision, judges, offices, polls, sections, synthesis, whatif
from debate_core.ui.room import closed_page, count, spending

NO_TOOLS = {"displayModeBar": False}

whole = session.debate()
# As in the room: what a phase at once asks for is counted, and shown, when it has ended.
state = count.as_counted(whole)
session.show_problem()
sections.heading(state)
closed_page.keep_closed(state)
decision.outcome(state)
polls.deciding(state)

decision.section(state)
if state.outcome and state.spec.has_people:
    decision.look_again(state.debate, state.version)

offices.verdicts(state)

if state.outcome:
    st.header("To be careful about", anchor=False)
    decision.health(state)

st.header("Votes of the debaters" if state.spec.has_people else "Votes", anchor=False)
if state.counted:
    drawn, told = st.columns(2, gap="medium")
    with drawn:
        st.subheader("Final count", anchor=False)
        tally = figure(votes.tally_chart, state, theme())
        st.plotly_chart(tally, key="tally", config=NO_TOOLS, alt=votes.tally_alt(state))
    with told:
        st.subheader("First and final count", anchor=False)
        sections.counts(state)
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
    sections.changes(state)
    ballots.show(state)
    if state.outcome:
        st.subheader("The same ballots under other rules", anchor=False)
        decision.other_rules(state)
else:
    sections.counts(state)

polls.show(state)
whatif.section(state)
judges.show(state)
offices.evaluations(state)

st.header("Evidence", anchor=False)
sections.evidence(state)

if any(phase.gives == "synthesis" for phase in state.spec.protocol.phases()):
    st.header("Synthesis", anchor=False)
    synthesis.show(state)

offices.steering(state)

st.header("Transcript", anchor=False)
sections.transcript(state)
offices.participation(state)

if spending.has_models(state):
    st.header("Models and cost", anchor=False)
    spending.section(state)

st.header("What people did", anchor=False)
sections.acts(state)

st.header("Take it with you", anchor=False)
sections.exports(whole)
decision.decision_file(state)
