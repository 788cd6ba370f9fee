"""What everybody accepts: what all groups of people read in a passage, and what divides them, under the evidence.

Knows no rules: draws what an account says, which names nobody.
"""

from collections.abc import Sequence

import streamlit as st

from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.opinion_groups import GroupStatement
from debate_core.report.words.opinion_groups import (
    group_names,
    groups_words,
    how_found,
    statement_cells,
    titled_statements,
)


def show(account: Account) -> None:
    """The groups and two tables, or one sentence that says what is missing; nothing where few have marked."""
    found = account.opinion_groups
    if found is None:
        return
    st.subheader(_("What everybody accepts"), anchor=False)
    st.markdown(groups_words(found))
    if not found.sizes:
        return
    for title, nothing, statements in titled_statements(found):
        if statements:
            st.markdown(f"**{title}**")
            _table(account, group_names(found), statements, title)
        else:
            st.markdown(nothing)
    st.caption(how_found(found))


def _table(account: Account, groups: Sequence[str], statements: Sequence[GroupStatement], title: str) -> None:
    numbers = account.state.claim_numbers()
    claims = account.state.claims
    head = (_("Read as"), *groups)
    rows = [
        {
            _("No."): numbers[row.claim_id],
            _("Passage"): claims[row.claim_id].quote or claims[row.claim_id].text,
            **dict(zip(head, statement_cells(row), strict=True)),
        }
        for row in statements
    ]
    widths = {
        _("No."): st.column_config.NumberColumn(width=40),
        _("Passage"): st.column_config.TextColumn(width="medium"),
    }
    st.dataframe(rows, hide_index=True, column_config=widths, key=f"groups-{statements[0].found}", alt=title)
