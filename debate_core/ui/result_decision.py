"""The decision on the results page: as arithmetic first, then the same desk as in the room.

Where a vote of people decides, theirs stands on top and the count of the debaters below it. Called by the results page.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.report.facts.decision import Decision, decision_of
from debate_core.report.words.outcome import agreement_words, outcome_lines, outcome_sentence
from debate_core.report.words.rules import agreed_words, chance_sentence, drivers_sentence
from debate_core.ui import session
from debate_core.ui.desks import decision
from debate_core.ui.parts import show_line, show_text

FOLLOW_S = 3.0


def outcome(state: State) -> None:
    """The outcome in words and numbers, and the rule it was reached by."""
    headline, arithmetic = outcome_lines(state)
    found = decision_of(state)
    if state.outcome and found.counted_by != "debaters":
        headline, arithmetic = _by_people(found), f"{found.arithmetic}\n\n{outcome_sentence(state)}"
    spec = state.spec
    chance = chance_sentence(
        spec.protocol.decide, len(spec.debaters()), len(spec.options), weight=sum(s.weight for s in spec.debaters())
    )
    small = [f"Agreed before the start: {agreed_words(spec)}", chance, drivers_sentence(spec.drivers)]
    if state.outcome:
        small.append(f"Agreement, by code alone: {agreement_words(state)}.")
    with st.container(border=True):
        st.header(show_line(headline), anchor=False)
        st.markdown(show_text(arithmetic))
        st.caption("  \n".join(show_line(text) for text in small if text))
    if state.outcome is None and st.button("Go to the room", icon=":material/forum:"):
        session.open_page("room.py", state.debate)


def _by_people(found: Decision) -> str:
    """What the final vote of the panel or of the room says."""
    if found.pending:
        return f"Not decided yet: the final vote of the {found.counted_by} decides"
    return f"Decided by the {found.counted_by}: {found.counted}" if found.counted else "Nothing was decided"


def section(state: State) -> None:
    """Nothing while the debate goes on."""
    if state.outcome is None:
        return
    st.header("Decision and signature", anchor=False)
    if state.spec.rehearsal:
        st.caption("A rehearsal: a signature here is practice, and the decision record says so.")
    decision.show(state, session.me(state))


@st.fragment(run_every=FOLLOW_S)
def look_again(debate_id: str, version: int) -> None:
    """Whoever waits here for a signature sees it when it is there."""
    if session.host().state(debate_id).version != version:
        st.rerun()
