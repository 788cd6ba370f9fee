"""New debate: question, options, sources, rules, seats; what was agreed, what is missing, and the start."""

import streamlit as st

from debate_core.errors import DebateError
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room import invitations
from debate_core.ui.setup import advice, draft_store, models, people, question, rules, seats, servers, summary
from debate_core.ui.setup.mapping import spec_from

st.title("New debate", anchor=False)
st.caption("A question and two options are enough; everything else has a default. What you type survives a reload.")

draft = draft_store.load()
left, right = st.columns([7, 3], gap="medium")
with left:
    st.header("1 · The question", anchor=False)
    draft = question.question(draft)
    draft = question.options(draft)
    draft = question.kind_of_decision(draft)
    draft = question.drivers(draft)
    # Shown with the question, asked last: the cost of the debate follows from the rules and seats below.
    advice_place = st.container()
    st.header("2 · Sources", anchor=False)
    st.caption("The evidence panel quotes from them word for word, and every quote is checked against them.")
    draft = question.sources(draft)
    st.header("3 · Rules", anchor=False)
    draft = rules.rules(draft)
    draft = rules.limits(draft)
    st.header("4 · Seats", anchor=False)
    st.caption(
        "The evidence panel is no model: it quotes passages and votes only from the marks that people give to them."
    )
    draft = seats.seats(draft)
    servers.servers(draft)
    st.header("5 · People", anchor=False)
    draft = people.people(draft)
    with advice_place:
        draft = advice.advice(draft)
draft_store.keep(draft)

with right, st.container(border=True):
    st.subheader("Agreed before the start", anchor=False)
    summary.agreement(draft)
    summary.expected_use(draft)
    st.subheader("Readiness", anchor=False)
    ready = summary.readiness(draft, models.cannot_sit(draft))
    start = st.button("Start debate", type="primary", icon=":material/play_arrow:", width="stretch")
    if st.button("Start over", type="tertiary", icon=":material/restart_alt:", help="Throw this draft away"):
        draft_store.forget()
        st.rerun()

if start and not ready:
    right.error("Not started: see what is missing above.")
elif start:
    try:
        spec = spec_from(draft)
        opener = next((p.id for p in spec.people() if p.role == "facilitator"), session.FACILITATOR)
        debate_id = session.host().create(spec, by=opener, client=session.client())
    except DebateError as error:
        right.error(safe_text(str(error)), icon=":material/error:")
    else:
        draft_store.forget()
        invitations.open_door(debate_id)
        session.open_room_as_facilitator(debate_id)
