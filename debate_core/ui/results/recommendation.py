"""The ranked recommendation on the results page. Counts nothing."""

import streamlit as st

from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.phrases.recommendation import no_count_sentence, ranked_by_sentence, recommendation_table
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_text


def section(account: Account) -> None:
    """Draw the options by recommended place; nothing where no ranking was agreed."""
    if account.state.spec.protocol.recommends is None:
        return
    st.header(_("Ranked recommendation"), anchor=False)
    found = account.recommendation
    if found is None:
        st.caption(_("The options are ranked when the debate is over."))
        return
    draw_table(
        recommendation_table(found), key="recommendation", height="content", alt=_("Options by recommended place")
    )
    st.caption(safe_text(f"{ranked_by_sentence(found)} {no_count_sentence(account)}"))
