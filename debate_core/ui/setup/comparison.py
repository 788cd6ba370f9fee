"""Whether the question of a debate that is set up is asked without a debate too, and what that will use."""

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


def compare(draft: SetupDraft) -> SetupDraft:
    """One switch, off until somebody wants it; nothing where no model sits, or where no answer is a single one."""
    if not _can_be(draft):
        return draft
    compared = st.toggle(
        _("Compare with a single answer"),
        draft.compared,
        key="setup_compared",
        help=_("The same models are asked once, and as often as the debate asks them, without hearing one another."),
    )
    draft = draft.model_copy(update={"compared": compared})
    if problem(draft) is None:
        st.caption(safe_line(_price(draft)))
    return draft


def wished(draft: SetupDraft) -> tuple[BaselineName, ...]:
    """What is to be asked without a debate once it is over."""
    return BASELINES if draft.compared and _can_be(draft) else ()


def _can_be(draft: SetupDraft) -> bool:
    return draft.has_models() and not draft.rules().paired


def _price(draft: SetupDraft) -> str:
    more = baselines_forecast(spec_from(draft), BASELINES)
    return _n(
        more.calls,
        "About {n} call more, {cost}, once the debate is over. A limit of money counts it too.",
        "About {n} calls more, {cost}, once the debate is over. A limit of money counts them too.",
        cost=price_words(more.cost_usd),
    )
