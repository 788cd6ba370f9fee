"""The status of a debate, as a word and as badges."""

from typing import Literal

import streamlit as st

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.host.debate_list import DebateRow
from debate_core.language import _, message
from debate_core.record.state import State
from debate_core.report.facts.health import ORIGIN_UNKNOWN
from debate_core.report.phrases.foreword import held_elsewhere_words
from debate_core.spec.panels import diversity
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_line

Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "primary"]
STATUS: dict[str, tuple[str, Colour]] = {
    "running": (message("Running"), "green"),
    "waiting": (message("Waiting for people"), "orange"),
    "paused": (message("Paused"), "yellow"),
    "lobby": (message("Lobby open"), "orange"),
    "collect": (message("Collecting options"), "orange"),
    "brief": (message("Reading the brief"), "orange"),
    "facts": (message("Writing what they know"), "orange"),
    "prevote": (message("The vote is open"), "orange"),
    "held": (message("Waiting for the facilitator"), "orange"),
    "vote": (message("The vote decides"), "orange"),
    "voting": (message("The vote is open"), "orange"),
    "sealed": (message("Closed, not revealed yet"), "orange"),
    "decided": (message("Decided"), "blue"),
    "undecided": (message("Undecided"), "violet"),
    "truncated": (message("Cut short"), "red"),
    "over": (message("Over"), "gray"),
    "aborted": (message("Stopped"), "red"),
}
"""Words and colour of each status."""


def origin_badge() -> None:
    """Draw the badge of a record of unknown origin."""
    st.badge(_(ORIGIN_UNKNOWN), color="orange", icon=":material/upload_file:")


def seat_badges(state: State) -> None:
    """Draw badges for a transcript, unknown origin, scripted seats, the evidence panel, and models of one family."""
    if words := held_elsewhere_words(state.spec.held_elsewhere):
        st.badge(safe_line(words), color="orange", icon=":material/record_voice_over:")
    if session.host().is_origin_unknown(state.debate):
        origin_badge()
    if state.spec.rehearsal:
        st.badge(_("Rehearsal"), color="gray", icon=":material/theater_comedy:")
    if state.spec.evidence_panel():
        st.badge(_("Evidence panel: no model"), color="gray", icon=":material/menu_book:")
    if diversity(state.spec).single_family:
        single_family_badge()


def single_family_badge() -> None:
    """Draw the badge of models that may share errors."""
    st.badge(_("Single family: shared-bias risk"), color="orange", icon=":material/group_work:")


def status_of(state: State) -> str:
    """Return the status: the outcome, else running, paused, or waiting for people or the facilitator."""
    if state.outcome:
        final = stage.final_decision(state)
        # If people vote, the debaters' decision is only advice.
        if final.by != "debaters":
            if final.pending:
                poll = state.room.polls.get("final")
                if poll is None:
                    return "vote"
                return "voting" if poll.closed is None else "sealed"
            return "decided" if final.option else "undecided"
        return state.outcome.status
    if stage.waits_as_agreed(state):
        return stage.why_it_waits(state)
    return flow(state)


def flow(state: State) -> Literal["running", "waiting", "paused"]:
    """Return whether an open debate runs, waits for people only, or is paused."""
    if state.paused is not None:
        return "paused"
    waits_for_people_only = all(stage.by_people(state, r.seat) for r in requests(state))
    return "waiting" if waits_for_people_only else "running"


def waiting_words(row: DebateRow) -> str:
    """Return `waiting for Database expert`, or an empty text."""
    seats = ", ".join(map(in_words, row.waiting_for))
    return _("waiting for {seats}", seats=seats) if seats else ""
