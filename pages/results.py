"""Results: the decision as arithmetic first, then verdict, cautions, counts, evaluation, evidence, and the rest."""

import streamlit as st

from debate_core.report.figures import votes
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.chart import figure, theme
from debate_core.ui.results import ballots, decision, judges, offices, polls, sections, synthesis, whatif
from debate_core.ui.room import closed_page, spending
from debate_core.ui.room.desks import links

NO_TOOLS = {"displayModeBar": False}

account = accounts.mine(session.debate())
state = account.state
session.show_problem()
sections.heading(account)
closed_page.keep_closed(state)
decision.outcome(account)
polls.deciding(account)

decision.section(account)
if state.outcome and state.spec.has_people:
    decision.look_again(state.debate, state.version)

offices.verdicts(account)

if state.outcome:
    st.header("To be careful about", anchor=False)
    decision.health(account)

st.header("Votes of the debaters" if state.spec.has_people else "Votes", anchor=False)
if state.counted:
    drawn, told = st.columns(2, gap="medium")
    with drawn:
        st.subheader("Final count", anchor=False)
        tally = figure(votes.tally_chart, account, theme())
        st.plotly_chart(tally, key="tally", config=NO_TOOLS, alt=votes.tally_alt(account))
    with told:
        st.subheader("First and final count", anchor=False)
        sections.counts(account)
    drawn, told = st.columns(2, gap="medium")
    with drawn:
        st.subheader("Votes by round", anchor=False)
        rounds = figure(votes.rounds_chart, account, theme())
        st.plotly_chart(rounds, key="rounds", config=NO_TOOLS, alt=votes.rounds_alt(account))
    with told:
        st.subheader("Every count", anchor=False)
        rows = votes.rounds_table(account)
        st.dataframe(
            rows, hide_index=True, column_order=[n for n in rows[0] if n != "poll"], alt="Votes of every count"
        )
    st.subheader("Ballots that changed", anchor=False)
    sections.changes(account)
    ballots.show(state)
    if state.outcome:
        st.subheader("The same ballots under other rules", anchor=False)
        decision.other_rules(account)
else:
    sections.counts(account)

polls.show(account)
whatif.section(account)
judges.show(account)
offices.evaluations(account)

st.header("Evidence", anchor=False)
sections.evidence(account)

if any(phase.gives == "synthesis" for phase in state.spec.protocol.phases()):
    st.header("Synthesis", anchor=False)
    synthesis.show(account)

offices.steering(account)

st.header("Transcript", anchor=False)
sections.transcript(account)
offices.participation(account)

if spending.has_models(state):
    st.header("Models and cost", anchor=False)
    spending.section(account)

st.header("What people did", anchor=False)
sections.acts(account)

st.header("Take it with you", anchor=False)
sections.exports(account)
links.to_read(state)
decision.decision_file(account)
