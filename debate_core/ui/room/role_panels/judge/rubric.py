"""The rubric: each option from 1 to 5 under every criterion that applies, or "not enough to judge"."""

from collections.abc import Mapping, Sequence

import streamlit as st

from debate_core.engine import judge_view
from debate_core.engine.stage import judges_late
from debate_core.language import Words, _, message
from debate_core.record.acts import Criterion, Judged, Rated
from debate_core.record.state import State
from debate_core.report.facts.judgements import CRITERIA, criteria_that_apply
from debate_core.report.facts.vote_bars import letters
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me

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
_STEPS = {str(step): step for step in range(len(SCORES))}
"""By their text, because a browser may send anything, and True == 1."""


def draw_rubric(state: State, me: Me) -> None:
    """Draw the rubric of this judge, whose latest one counts: a row for each criterion below each option."""
    own = state.room.done_by(me.actor, Judged)
    starts = _list_values(state, own[-1]) if own else {}
    draft = FormDraft(f"{state.debate}/{me.actor}/rubric", state.debate, me, starts=starts)
    options = judge_view.option_order(state, me.actor)
    of_letter = letters(state.spec.options)
    criteria = criteria_that_apply(state.spec)
    fields = [*_rows(state, me)]

    def keep_in_draft() -> None:
        draft.fill({field: _words_at(step) for field, step in zip(fields, _read_steps(draft, fields), strict=True)})

    parts.ask_ballot(
        _("Rubric"),
        _("How well was each option argued, regardless of your own opinion? 1 is poor, 5 is very good."),
        "rubric",
        [parts.NamedOption(letter=of_letter[option], option=option, meaning="") for option in options],
        parts.GivenPoints(points=_read_steps(draft, fields), abstains=False),
        most=len(SCORES) - 1,
        words=[*map(_, SCORES)],
        drivers=[(CRITERIA[criterion], "") for criterion in criteria],
        key=draft.part("scores"),
        on_said=keep_in_draft,
    )
    with st.expander(_("What 1, 3 and 5 mean"), icon=":material/help:", key="rubric-anchors", type="compact"):
        st.markdown("\n".join(f"- **{CRITERIA[criterion]}.** {ANCHORS[criterion]}" for criterion in criteria))
    st.text_area(_("Comment (may stay empty)"), max_chars=MAX_TEXT_CHARS, height=68, **draft.value("comment"))
    label = _("Give this rubric")
    words = _("Not given yet; your entries are kept.")
    if own:
        label = _("Change my rubric")
        words = _("Your rubric is in and can be changed until the reveal.")
        if judges_late(state, me.actor):
            words = _("Your rubric is in and can be changed.")
    with st.container(key="give-in-reach"):
        st.caption(_("{words} Rows without a score are left out.", words=words))
        st.button(label, key="give-rubric", type="primary", width="stretch", on_click=_give, args=(state, me, draft))


def _rows(state: State, me: Me) -> Mapping[str, tuple[str, Criterion]]:
    """Map the field of each row, in the order of the screen, to its option and criterion."""
    return {
        _field(state, option, criterion): (option, criterion)
        for criterion in criteria_that_apply(state.spec)
        for option in judge_view.option_order(state, me.actor)
    }


def _field(state: State, option: str, criterion: Criterion) -> str:
    return f"{criterion}.{state.spec.options.index(option)}"


def _list_values(state: State, given: Judged) -> Mapping[str, str]:
    """The values of the fields as in this rubric."""
    scores = {_field(state, rated.option, rated.criterion): str(rated.score or NOT_ENOUGH) for rated in given.ratings}
    return {"comment": given.comment, **scores}


def _words_at(step: int | None) -> str:
    """The place in `SCORES` as the text of a draft; empty for a row without a score."""
    return "" if step is None else SCORES[step]


def _read_steps(draft: FormDraft, fields: Sequence[str]) -> list[int | None]:
    """The place in `SCORES` of each row: as tapped in this window, else as in the draft; None for an open row."""
    taps = parts.said(draft.part("scores"))
    points = taps.get("points") if isinstance(taps, Mapping) else None
    if isinstance(points, Sequence) and len(points) == len(fields):
        return [_STEPS.get(str(point)) for point in points]
    kept = [draft.text(field) for field in fields]
    return [SCORES.index(words) if words in SCORES else None for words in kept]


def _ratings(state: State, me: Me, draft: FormDraft) -> tuple[Rated, ...]:
    rows = _rows(state, me)
    steps = _read_steps(draft, [*rows])
    return tuple(
        Rated(option=option, criterion=criterion, score=None if SCORES[step] == NOT_ENOUGH else int(SCORES[step]))
        for (option, criterion), step in zip(rows.values(), steps, strict=True)
        if step is not None
    )


def _give(state: State, me: Me, draft: FormDraft) -> None:
    ratings = _ratings(state, me, draft)
    if not ratings:
        session.set_problem(_("the rubric is empty: choose a score for at least one row"))
    elif session.act(state, me, Judged(ratings=ratings, comment=draft.text("comment"))):
        session.tell(_("Your rubric is in"))
        draft.drop()
