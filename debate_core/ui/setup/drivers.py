"""What weighs in the decision: the drivers of a debate that is set up, each with its weight out of 100.

Draws the drivers and gives the draft as it stands now; none are needed.
"""

import streamlit as st

from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.ui.setup import question
from debate_core.ui.setup.draft import Draft, DriverDraft


def drivers(draft: Draft) -> Draft:
    """A name and a weight for each; every seat reads them, and the decision record lists them."""
    with st.expander("Decision drivers (optional)", icon=":material/flag:", expanded=bool(draft.drivers)):
        st.caption("What a good decision is measured by. All seats read them; the weights sum to 100.")
        typed = tuple(_row(draft, n, driver) for n, driver in enumerate(draft.drivers, start=1))
        draft = draft.model_copy(update={"drivers": typed})
        with st.container(horizontal=True):
            if len(typed) < MAX_DRIVERS:
                st.button("Add a driver", icon=":material/add:", type="tertiary", on_click=_add, args=(draft,))
            if len(typed) > 1:
                st.button(
                    "Same weight for all", icon=":material/balance:", type="tertiary", on_click=_even, args=(draft,)
                )
        if typed:
            st.caption(f"The weights sum to {sum(d.weight for d in typed)} of 100.")
    return draft


def _row(draft: Draft, number: int, driver: DriverDraft) -> DriverDraft:
    key = f"setup_driver_{driver.key}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        name = st.text_input(
            f"Driver {number}", driver.name, key=f"{key}_name", max_chars=120, placeholder="time until it works"
        )
        weight = st.number_input("Weight", 1, 100, driver.weight, key=f"{key}_weight_{driver.shown}", width=120)
        rest = tuple(d for d in draft.drivers if d.key != driver.key)
        question.cross(f"driver {number}", f"{key}_drop", lambda: question.put(question.held(), drivers=_evened(rest)))
    return driver.model_copy(update={"name": name or "", "weight": weight})


def _add(draft: Draft) -> None:
    made = draft.made + 1
    question.put(draft, drivers=_evened((*draft.drivers, DriverDraft(key=f"d{made}"))), made=made)


def _even(draft: Draft) -> None:
    question.put(draft, drivers=_evened(draft.drivers))


def _evened(given: tuple[DriverDraft, ...]) -> tuple[DriverDraft, ...]:
    """Weights as level as whole numbers allow; what is over goes to the first."""
    each, over = divmod(100, len(given)) if given else (0, 0)
    # Another number of the widget: what it holds would beat the value given here.
    return tuple(d.model_copy(update={"weight": each + (n < over), "shown": d.shown + 1}) for n, d in enumerate(given))
