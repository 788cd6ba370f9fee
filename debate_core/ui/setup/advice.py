"""Questions about whether a debate is the right method, and the recommendation, which never blocks the start.

Judges nothing: `debate_core.spec.advice` does.
"""

import re
from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from debate_core.errors import StoreError
from debate_core.language import Words, _
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.seats.forecast import forecast
from debate_core.spec.advice import (
    CONDITIONS,
    DOWNSIDE_TIMES,
    OBJECTIONS,
    REMARKS,
    Advice,
    Answers,
    Question,
    QuestionKind,
    Recommendation,
    recommend,
    words,
)
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.fields import select_word
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.readiness import problem

_ANSWERS = Words({"yes": "Yes", "no": "No", "unknown": "Not known"})
_KINDS: Words[QuestionKind] = Words(
    {
        "claim": "Whether a claim is true",
        "hypotheses": "Which of two explanations holds",
        "risk": "How well or badly it will go",
        "plans": "Which of several plans to take",
        "unknown": "Not known",
    }
)
_ADVICE: dict[Advice, tuple[Colour, str]] = {
    "debate": ("green", ":material/forum:"),
    "simpler": ("orange", ":material/alt_route:"),
    "cannot_say": ("gray", ":material/help:"),
}
_SIGNS = {"for": ":material/add:", "against": ":material/remove:", "open": ":material/question_mark:"}


def edit_advice(draft: SetupDraft) -> SetupDraft:
    """Draw the questions and the recommendation; the draft gets the answers, and the recommendation if it is kept."""
    st.caption(_("Answer what you know. This is only advice: you can always start."))
    answers = _edit_answers(draft.triage)
    bare = draft.replace(context="")
    # Without models the cost is unknown, because the price of people's time is.
    can_forecast = draft.has_models() and problem(bare) is None
    cost_usd = forecast(spec_from(bare)).total.cost_usd if can_forecast else None
    options = draft.named_options() or draft.stances_to_decide()
    asked = answers.model_copy(update={"debate_usd": cost_usd})
    recommendation = recommend(asked, options, times=_threshold())
    _draw_recommendation(recommendation)
    keeps = st.checkbox(
        _("Keep this with the debate"),
        value=bool(draft.context),
        key="setup_triage_keep",
        help=_("It is recorded as background, which every seat reads."),
    )
    return draft.replace(triage=answers, context=words(recommendation) if keeps else "")


def _threshold() -> int:
    """The accepted threshold; the published one if the store cannot be read."""
    with suppress(StoreError):
        return session.host().thresholds.current(session.owner())
    return DOWNSIDE_TIMES


def _edit_answers(before: Answers) -> Answers:
    typed: dict[str, str | None] = {"task": before.task}
    for title, questions in (
        (_("All of these should hold"), CONDITIONS),
        (_("None of these should hold"), OBJECTIONS),
        (_("Worth knowing"), REMARKS),
    ):
        st.markdown(f"**{title}**")
        typed |= _edit_yes_or_no(questions, before)
    grid = st.grid(3, min_column_width=180)
    kinds = list(_KINDS)
    typed["kind"] = grid.selectbox(
        _("Kind of question"),
        kinds,
        index=kinds.index(before.kind),
        format_func=_KINDS.__getitem__,
        key="setup_triage_kind",
    )
    downside = grid.text_input(
        _("A wrong decision would cost (USD)"),
        before.downside_usd or "",
        key="setup_triage_downside",
        placeholder=_("not known"),
    )
    downside = downside or ""
    typed["downside_usd"] = read_amount(downside)
    if typed["downside_usd"] is None and downside.strip():
        st.markdown(
            _(
                ":red[:material/block: {typed} is not an amount in USD: write it like 50,000.]",
                typed=safe_line(downside, max_chars=40),
            )
        )
    return Answers.model_validate(typed)


def _edit_yes_or_no(questions: Sequence[Question], before: Answers) -> dict[str, str | None]:
    grid = st.grid(2, min_column_width=280)
    answers: dict[str, str | None] = {}
    for question in questions:
        with grid.container():
            answers[question.name] = select_word(
                question.text, _ANSWERS, before.to(question.name), key=f"setup_triage_{question.name}"
            )
    return answers


_AMOUNT = re.compile(
    r"(?P<whole>[0-9]{1,9}|[0-9]{1,3}(?P<mark>[.,])[0-9]{3}((?P=mark)[0-9]{3})?)((?!(?P=mark))[.,](?P<cents>[0-9]{1,2}))?"
)
"""`50,000`, `1,234.50` or `1.234,50`: three digits after a mark are thousands, fewer are cents."""


def read_amount(typed: str) -> str | None:
    """Return `1234.50` for `1.234,50`; None for text that is no amount."""
    read = _AMOUNT.fullmatch("".join(typed.strip().removeprefix("$").split()))
    if read is None:
        return None
    whole = re.sub("[.,]", "", read["whole"])
    cents = read["cents"]
    return f"{whole}.{cents}" if cents else whole


def _draw_recommendation(advised: Recommendation) -> None:
    colour, icon = _ADVICE[advised.advice]
    st.markdown(f":{colour}[{icon} **{safe_line(advised.sentence)}**]")
    reasons = [f"{_SIGNS[r.says]} {safe_line(r.sentence)}" for r in advised.reasons if r.says != "open"]
    if reasons:
        st.markdown("  \n".join(reasons))
    for other in advised.alternatives:
        rules = _(" In step 3, Protocol: {protocol}.", protocol=title_of(other.preset)) if other.preset else ""
        name = safe_line(capitalized(other.name))
        st.markdown(f":material/subdirectory_arrow_right: **{name}**: {safe_line(other.sentence + rules)}")
    if advised.frames:
        sides = [safe_line(f"{frame.name}: {frame.claim}") for frame in advised.frames]
        st.caption(_("Sides to assign: {sides}", sides=" · ".join(sides)))
