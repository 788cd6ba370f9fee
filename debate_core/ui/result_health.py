"""What code noticed about a debate, and what other rules would have said of the same ballots. Neither decides anything.

Knows no detector and no rule: draws what `report` derived. Called by the results page.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.report.facts.health import FLAGS, findings, flags
from debate_core.report.facts.repetition import Finding
from debate_core.report.facts.robustness import WhatIf, flip_words, robustness_sentence, what_if
from debate_core.spec.values import in_words
from debate_core.ui.parts import by_version, show_line, show_text


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={State: by_version})
def _noticed(state: State) -> tuple[Finding, ...]:
    """Once per version: comparing every turn with every other takes up to half a second."""
    return findings(state)


def health(state: State) -> None:
    """Flags and findings, each with its reason and the turns it is about."""
    noticed = _noticed(state)
    held = flags(state)
    if not noticed and not held:
        st.caption("Code noticed nothing that should make you careful. That is no proof of quality.")
        return
    for name in held:
        st.markdown(f":material/flag: {show_text(FLAGS[name])}")
    for one in noticed:
        turns = f" :gray[({', '.join(map(show_line, one.turns))})]" if one.turns else ""
        st.markdown(f":material/search: {show_text(one.sentence)}{turns}")
    st.caption("Found by code from words and votes; a person has to judge what they mean. They change no count.")


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={State: by_version})
def _robust(state: State) -> tuple[tuple[WhatIf, ...], str]:
    """Once per version: the search for the fewest ballots counts some thousand times."""
    return what_if(state), robustness_sentence(state)


def other_rules(state: State) -> None:
    """The agreed rule and every other one that these ballots can feed."""
    rows, sentence = _robust(state)
    if not rows:
        return
    st.markdown(show_text(sentence))
    st.dataframe(
        [
            {
                "Rule": in_words(row.rule) + (" (agreed)" if row.agreed else ""),
                "Votes needed": "the most" if row.needed is None else str(row.needed),
                "Result": ", ".join(row.winners) + (" (tie)" if len(row.winners) > 1 else "") or "undecided",
                "Ballots from flipping": flip_words(row.flip),
            }
            for row in rows
        ],
        hide_index=True,
        key="what_if",
        alt="What other rules would have said of the same ballots",
    )
