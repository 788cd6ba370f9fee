"""The offer to end a debate of models after its blind first ballot, with the price of going on and one button.

Knows no rules: the engine refuses what is not allowed.
"""

from functools import partial

import streamlit as st

from debate_core.language import _, _n
from debate_core.record.acts import LastRound
from debate_core.record.commands import Stop
from debate_core.record.state import State
from debate_core.report.phrases.costs import usd_words
from debate_core.seats.early_end import early_end
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room.buttons import act_button, command_button

REASON = "ended after the blind first ballot"


def show(state: State, me: Me) -> None:
    """Draw the offer for the facilitator; nothing once a second ballot is counted, or if people have seats."""
    offer = early_end(state, me.actor) if me.facilitator else None
    if offer is None:
        return
    with st.container(border=True, key="blind-first"):
        st.markdown(_(":material/speed: **The first ballot is counted.** No seat had read another one before it."))
        if offer.usage.cost_usd is None:
            st.caption(_("The price of going on is unknown."))
            return
        price = _n(
            offer.usage.calls,
            "Going on takes {n} more call, forecast at {usd}.",
            "Going on takes {n} more calls, forecast at {usd}.",
            usd=usd_words(offer.usage.cost_usd),
        )
        st.markdown(safe_text(price))
        if offer.is_last_round:
            act_button(state, me, _("Make this the last round"), LastRound(reason=REASON), key="blind-last-round")
            return
        command_button(state, me, _("Stop here"), partial(Stop, reason=REASON), key="blind-stop")
        st.caption(_("After a stop nothing is decided; the first ballot stays in the record."))
