"""New debate: three short steps, and beside them the ground rules, the missing fields and the start."""

from functools import partial

import streamlit as st

from debate_core.errors import DebateError
from debate_core.language import _
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room import invitations, join
from debate_core.ui.room.role_panels import links
from debate_core.ui.setup import agent_questions, comparison, draft_store, models, people, steps, summary
from debate_core.ui.setup.fork import of_challenged, of_open_points, of_the_best
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.readiness import question_fault

# The card stays in sight while a long step is scrolled. On a phone it is below the step, and its button stays at the
# bottom of the screen; a start that appears leaves the button to the next step in its place. There the four answers to
# "Who decides?" are two by two, and the parts of the rule below each other.
# Streamlit draws a step once more while the user leaves it; that copy is hidden.
_IN_SIGHT = """<style>
@media (min-width: 641px) {
  [data-testid=stColumn]:has(.st-key-card) { position: sticky; top: 4rem; align-self: flex-start }
}
@media (max-width: 640px) {
  [class*="st-key-setup_decider_"] [role=radiogroup] { display: grid; grid-template-columns: 1fr 1fr; gap: 4px }
  [class*="st-key-setup_decider_"] [role=radiogroup] button { border: 1px solid var(--edge, #8e9095); margin: 0 }
  .st-key-setup-in-short p { white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
  .st-key-setup-votes { flex-direction: column; align-items: stretch }
  .st-key-setup-votes > * { flex: none; width: 100% }
  .st-key-setup-start:has(button) { position: fixed; z-index: 99; inset: auto 0 0 0; padding: 0.5rem 1rem;
    width: 100%; background: Canvas; border-top: 1px solid #8e909566 }
  .st-key-setup-next { flex-direction: column-reverse }
  [data-testid=stMainBlockContainer]:has(.st-key-setup-start button) { padding-bottom: 7.5rem }
}
@media (min-width: 641px) { .st-key-setup-in-short { display: none } }
[data-testid=stLayoutWrapper]:has(> [class*="st-key-left-"]) { display: none }
</style>"""

# A link from the ranking of a tournament.
if ranked := st.query_params.get("best"):
    del st.query_params["best"]
    draft_store.begin(of_the_best(session.look_at(ranked)))
# A link from the results of a debate that decided nothing, or whose decision is challenged.
if unresolved := st.query_params.get("follow"):
    del st.query_params["follow"]
    try:
        before = accounts.public(accounts.mine(session.look_at(unresolved)))
        draft_store.begin(of_challenged(before) if before.decision.challenges else of_open_points(before))
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
# A link to a question of a program; afterwards it opens the debate that was started from it.
if asked := st.query_params.get("asked"):
    del st.query_params["asked"]
    agent_questions.open_from_link(asked)

st.title(_("New debate"), anchor=False)
st.html(_IN_SIGHT)
steps.link_back()
if answered := draft_store.load().asked:
    agent_questions.draw_origin(answered)
left, right = st.columns([64, 36], gap="medium")
with left:
    draft = steps.draw_steps(draft_store.load(), warn_of_address=partial(join.draw_warning, links.address()))

with right, st.container(border=True, key="card"):
    # The name is asked for beside the start, below the rules that it completes.
    card = st.container()
    draft = people.edit_own_name(draft)
    with card:
        ready = summary.draw_card(draft, models.cannot_sit(draft), step=st.session_state[steps.OPEN])
    draft = people.edit_access(draft)
    draft_store.keep(draft)
    with st.container():
        session.show_problem()
    with st.container(key="setup-start", gap="xsmall"):
        if st.session_state[steps.OPEN] == "people" and not question_fault(draft):
            with st.container(key="setup-in-short"):
                summary.draw_short(draft)
        start = steps.draw_main_button(draft, ready=ready)

if start and not ready:
    right.error(_("Not started: see what is missing above."))
elif start:
    try:
        spec = spec_from(draft)
        opener = next((p.id for p in spec.people() if p.role == "facilitator"), session.FACILITATOR)
        create = partial(
            session.host().create,
            spec,
            by=opener,
            client=session.client(),
            baselines=comparison.wished(draft),
            owner=session.owner(),
            shared=draft.is_shared(),
        )
        debate_id = session.as_host(create)
    except DebateError as error:
        right.error(safe_text(session.told(error)), icon=":material/error:")
    else:
        draft_store.forget()
        invitations.open_door(debate_id)
        session.open_room_as_facilitator(debate_id)
