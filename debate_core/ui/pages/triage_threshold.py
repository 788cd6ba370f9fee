"""The threshold of triage on the track record page: the proposal of this quarter with two buttons, and all answers."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from debate_core.errors import NotAllowed
from debate_core.host.debate_list import DebateRow
from debate_core.host.triage_thresholds import ThresholdAnswer
from debate_core.language import _
from debate_core.report.facts.triage_threshold import ThresholdProposal, propose_threshold
from debate_core.report.phrases.triage_threshold import answer_sentence, proposal_sentence, threshold_sentence
from debate_core.ui.kit import failures, session
from debate_core.ui.kit.dates import day_words
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.pages.metrics import readable_facts


def draw(rows: Sequence[DebateRow]) -> None:
    """Draw the threshold in use and the proposal from all real debates, independent of the filters of the page."""
    thresholds, owner = session.host().thresholds, session.owner()
    real = readable_facts([row for row in rows if row.why_left_out() is None])[0]
    proposal = propose_threshold(real, thresholds.quarter())
    answers, current = thresholds.answers(owner), thresholds.current(owner)
    if not (proposal.n or answers or any(facts.cost_usd for facts in real)):
        # A multiple of the price says nothing while every debate was free and no outcome is known.
        return
    st.subheader(_("When is a debate worth its price?"), anchor=False)
    session.show_problem()
    if any(answer.quarter == proposal.quarter for answer in answers):
        st.markdown(safe_text(threshold_sentence(current)))
    else:
        _draw_proposal(proposal, current, owner)
    for answer in answers:
        st.caption(safe_line(_answer_words(answer)))


def _draw_proposal(proposal: ThresholdProposal, current: int, owner: str) -> None:
    told = f"{threshold_sentence(current)} {proposal_sentence(proposal, current)}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(safe_text(told))
        if proposal.times in (None, current):
            return
        for accepted, label in (
            (True, _("Accept {times} times", times=proposal.times)),
            (False, _("Keep {times} times", times=current)),
        ):
            key = f"threshold_{'accept' if accepted else 'decline'}"
            st.button(label, key=key, on_click=_answer, args=(proposal, owner), kwargs={"accepted": accepted})


def _answer(proposal: ThresholdProposal, owner: str, *, accepted: bool) -> None:
    """Store the answer, unless the login has changed since the page was drawn."""
    by = owner or session.own_name() or session.FACILITATOR

    def write() -> None:
        if session.owner() != owner:
            raise NotAllowed(failures.OTHER_ACCOUNT)
        session.host().thresholds.answer(proposal, accepted=accepted, by=by, owner=owner)

    session.keep_as_host(write, unsaved=_("The answer was not saved."))


def _answer_words(answer: ThresholdAnswer) -> str:
    account = session.host().accounts.by_id(answer.by)
    return answer_sentence(
        answer.quarter,
        answer.times,
        accepted=answer.accepted,
        by=account.words if account else answer.by,
        day=day_words(date.fromisoformat(answer.at[:10])),
        reason=answer.reason,
    )
