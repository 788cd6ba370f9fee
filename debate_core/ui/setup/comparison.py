"""The switch for baselines on the set-up page: answers to the same question without a debate, and their cost."""

import streamlit as st

from debate_core.language import _, _n
from debate_core.seats.forecast import baselines_forecast
from debate_core.spec.presets.baselines import BASELINES
from debate_core.spec.values import BaselineName
from debate_core.ui.kit.text import safe_line
from debate_core.ui.kit.words import price_words
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.readiness import problem


def edit_comparison(draft: SetupDraft) -> SetupDraft:
    """Draw the switch, if baselines are possible."""
    if not _has_baselines(draft):
        return draft
    compared = st.toggle(
        _("Compare with answers without a debate"),
        draft.compared,
        key="setup_compared",
        help=_(
            "The same models are asked once, and as often as the debate asks them, without hearing one another; and "
            "once with a supervisor who checks the answer before it is corrected."
        ),
    )
    draft = draft.replace(compared=compared)
    if problem(draft) is None:
        more = baselines_forecast(spec_from(draft), BASELINES)
        price = _n(
            more.calls,
            "About {n} more call, {cost}, after the debate. It counts towards the cost limit.",
            "About {n} more calls, {cost}, after the debate. They count towards the cost limit.",
            cost=price_words(more.cost_usd),
        )
        st.caption(safe_line(price))
    return draft


def wished(draft: SetupDraft) -> tuple[BaselineName, ...]:
    """Return the baselines to request after the debate."""
    return BASELINES if draft.compared and _has_baselines(draft) else ()


def _has_baselines(draft: SetupDraft) -> bool:
    """Return whether models sit here, and whether one answer can name an option (not in a tournament)."""
    return draft.has_models() and not draft.rules().paired
