"""The rubric: each option from 1 to 5 under every criterion that applies, or "not enough to judge"."""

import streamlit as st

from debate_core.engine import judge_view
from debate_core.language import Words, _, message
from debate_core.record.acts import Criterion, Judged, Rated
from debate_core.record.state import State
from debate_core.report.facts.judgements import CRITERIA, criteria_that_apply
from debate_core.report.facts.vote_bars import letters
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label, safe_line

ANCHORS: Words[Criterion] = Words(
    {
        "evidence": "1: claims stand alone. 3: some rest on sources. "
        "5: every claim that matters rests on a checked one.",
        "facts": "1: facts are wrong or made up. 3: small slips. 5: exact, and open about what is not known.",
        "clash": "1: talks past the other side. 3: answers some of it. 5: meets its strongest points head on.",
        "responsiveness": "1: questions stay open. 3: some are answered. 5: each one is answered to the point.",
        "clarity": "1: one cannot say what is claimed. 3: mostly clear. "
        "5: one could repeat each argument after a reading.",
        "feasibility": "1: without a plan. 3: a plan with gaps. 5: steps, effort and people that hold up.",
        "risk": "1: risks are hidden. 3: some are named. 5: the worst ones are named with what would be done.",
    }
)
"""The meaning of 1, 3 and 5."""
NOT_ENOUGH = message("not enough")
SCORES = ("1", "2", "3", "4", "5", NOT_ENOUGH)


def draw_rubric(state: State, me: Me) -> None:
    """Draw the rubric of this judge, whose latest one counts."""
    if not judge_view.complete_rounds(state):
        st.info(_("The rubric opens when the first round is over."))
        return
    draft = FormDraft(f"{state.debate}/{me.actor}/rubric", state.debate, me)
    own = [judged.fact for judged in state.room.of(Judged) if judged.by == me.actor]
    last = own[-1] if own else None
    before = _scores_before(last)
    st.caption(_("How well was each option argued, regardless of your own opinion? 1 is poor, 5 is very good."))
    options = judge_view.option_order(state, me.actor)
    of_option = letters(state.spec.options)
    criteria = criteria_that_apply(state.spec)
    for criterion in criteria:
        words = CRITERIA[criterion]
        st.markdown(f"**{words}**", help=ANCHORS[criterion])
        for option in options:
            name = f"{criterion}.{state.spec.options.index(option)}"
            letter = of_option[option]
            st.caption(f"{letter} · {safe_line(option)}")
            st.segmented_control(
                safe_label(_("{criterion}, {letter} · {option}", criterion=words, letter=letter, option=option)),
                SCORES,
                format_func=_,
                label_visibility="collapsed",
                **draft.pill_of(name, SCORES, before.get((option, criterion))),
            )
    comment = draft.value("comment", last.comment if last else "")
    st.text_area(_("Comment (may stay empty)"), max_chars=MAX_TEXT_CHARS, height=90, **comment)
    cells = len(options) * len(criteria)
    st.caption(
        _(
            "{ratings} of {cells} cells are filled in. Empty cells are left out.",
            ratings=len(_ratings(state, draft)),
            cells=cells,
        )
    )
    label = _("Change my rubric") if last else _("Give this rubric")
    st.button(label, key="give-rubric", type="primary", on_click=_give, args=(state, me, draft))


def _scores_before(last: Judged | None) -> dict[tuple[str, Criterion], str]:
    ratings = last.ratings if last else ()
    return {(r.option, r.criterion): NOT_ENOUGH if r.score is None else str(r.score) for r in ratings}


def _ratings(state: State, draft: FormDraft) -> tuple[Rated, ...]:
    ratings = []
    for criterion in criteria_that_apply(state.spec):
        for place, option in enumerate(state.spec.options):
            if cell := draft.text(f"{criterion}.{place}"):
                score = None if cell == NOT_ENOUGH else int(cell)
                ratings.append(Rated(option=option, criterion=criterion, score=score))
    return tuple(ratings)


def _give(state: State, me: Me, draft: FormDraft) -> None:
    ratings = _ratings(state, draft)
    if not ratings:
        session.set_problem(_("the rubric is empty: choose a score for at least one cell"))
    elif session.act(state, me, Judged(ratings=ratings, comment=draft.text("comment"))):
        draft.drop()
