"""The judges beside the transcript: how many have answered, the facilitator's reveal, and then their probabilities.

Before the reveal no one sees a probability, not even the facilitator.
"""

import streamlit as st

from debate_core.engine import judge_view
from debate_core.engine.anchoring import is_vote_under_way
from debate_core.engine.stage import judges_late, present, revealed_round
from debate_core.language import _
from debate_core.record.acts import BeliefsRevealed
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.who_judged import judges as judges_of
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.beliefs import beliefs_part
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room.buttons import act_button


def draw_judges(state: State, me: Me) -> None:
    """Draw the judges; nothing before a round has ended, and for late judges before their verdict.

    During a vote of people the mean is left out.
    """
    number = judge_view.complete_rounds(state)
    if not number or not (judge_ids(state) or judges_of(state)) or not may_read_mean(state, me):
        return
    is_due, shows_mean = number > revealed_round(state), not is_vote_under_way(state)
    if not is_due and not shows_mean:
        return
    with st.container(border=True, key="judges-aside", gap="small"):
        st.markdown(_("**Judges, advice**"))
        if is_due:
            _draw_progress(state, me, number)
        if shows_mean:
            _draw_revealed(state, number)


def may_read_mean(state: State, me: Me) -> bool:
    """False for a judge who reads blind, and for a late judge before their verdict."""
    is_early = judges_late(state, me.actor) and not judge_view.may_see_result(state, me.actor)
    return not is_early and not judge_view.reads_blind(state, me.actor)


def _draw_revealed(state: State, number: int) -> None:
    """Draw the mean of the revealed probabilities, option by option."""
    if not judgements.has_revealed(state):
        if revealed_round(state) >= number:
            st.caption(_("The judges were revealed: none had given probabilities."))
        return
    if drawn := beliefs_part(state, title=""):
        st.markdown(_("How likely each option is right, on average, in percent:"))
        parts.draw(drawn, key="judges-mean")
    if agreement := judgements.agreement_on_screen(state):
        st.caption(safe_text(agreement))
    if still_sealed := judgements.sealed_rounds_words(state):
        st.caption(still_sealed)


def judge_ids(state: State) -> tuple[str, ...]:
    """Ids of the present judges."""
    return tuple(p.id for p in present(state) if p.role == "judge")


def who_is_in(state: State, number: int) -> tuple[str, ...]:
    """Judges who gave what is asked after this round; after the end, their final probabilities."""
    asks_final = judge_view.is_final(state, number)
    judges = []
    for judge in judge_ids(state):
        report = judge_view.reports(state, judge).get(number)
        if report and (report.final or not asks_final):
            judges.append(judge)
    return tuple(judges)


def _draw_progress(state: State, me: Me, number: int) -> None:
    everyone = judge_ids(state)
    inside = who_is_in(state, number)
    what = _("probabilities after round {number}", number=number)
    if judge_view.is_final(state, number):
        what = _("final probabilities")
    so_far = _("{inside} of {everybody}", inside=len(inside), everybody=len(everyone))
    st.progress(len(inside) / max(len(everyone), 1), _("{so_far} judges in: {what}", so_far=so_far, what=what))
    if not me.facilitator or not session.may(state, me, BeliefsRevealed):
        st.caption(_("Sealed until the facilitator reveals them."))
        return
    all_in = len(inside) == len(everyone)
    label = _("Reveal the judges") if all_in else _("Reveal now, with {so_far}", so_far=so_far)
    reveal = BeliefsRevealed(round=number)
    act_button(state, me, label, reveal, key="reveal-beliefs", type="primary" if all_in else "secondary")
    if not all_in:
        st.caption(_("After that, missing judges can give no probabilities for this round or an earlier one."))
