"""Is a debate the right thing? Questions on the set-up page, and what the sources recommend; it holds nothing back.

Judges nothing itself: `debate_core.spec.advice` does.
"""

import re
from collections.abc import Sequence
from typing import get_args

import streamlit as st

from debate_core.language import Words, _
from debate_core.seats.forecast import forecast
from debate_core.spec.advice import (
    CONDITIONS,
    OBJECTIONS,
    REMARKS,
    Advice,
    AdviceReason,
    Answer,
    Answers,
    Question,
    QuestionKind,
    Recommendation,
    recommend,
    words,
)
from debate_core.text import capitalized
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.protocol_words import title_of
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import SetupDraft
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


def advice(draft: SetupDraft) -> SetupDraft:
    """The questions and the recommendation; the draft with the answers, and with the words if they are to be kept."""
    with st.expander(_("Is a debate the right thing?"), icon=":material/alt_route:", key="setup-advice"):
        st.caption(_("Answer what you know; the rest stays unknown. This only advises and never holds the start back."))
        answers = _answers(draft.triage)
        priced = answers.model_copy(update={"debate_usd": _cost(draft)})
        recommendation = recommend(priced, draft.named_options())
        _recommendation(recommendation)
        keeps = st.checkbox(
            _("Keep this with the debate"),
            value=bool(draft.context),
            key="setup_triage_keep",
            help=_("It is recorded as part of what is known of the situation, which every seat reads."),
        )
    return draft.model_copy(update={"triage": answers, "context": words(recommendation) if keeps else ""})


def _cost(draft: SetupDraft) -> str | None:
    """From the forecast; unknown where no model sits, as nobody knows the price of people's time."""
    bare = draft.model_copy(update={"context": ""})
    if not draft.has_models() or problem(bare) is not None:
        return None
    return forecast(spec_from(bare)).total.cost_usd


def _answers(before: Answers) -> Answers:
    typed: dict[str, str | None] = {"task": before.task}
    for title, questions in (
        (_("All of these should hold"), CONDITIONS),
        (_("None of these should hold"), OBJECTIONS),
        (_("Worth knowing"), REMARKS),
    ):
        st.markdown(f"**{title}**")
        typed |= _yes_or_no(questions, before)
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
    typed["downside_usd"] = _amount(downside or "")
    return Answers.model_validate(typed)


def _yes_or_no(questions: Sequence[Question], before: Answers) -> dict[str, str | None]:
    grid = st.grid(2, min_column_width=280)
    answers: dict[str, str | None] = {}
    for question in questions:
        answer = grid.segmented_control(
            question.text,
            get_args(Answer),
            default=before.to(question.name),
            format_func=_ANSWERS.__getitem__,
            required=True,
            key=f"setup_triage_{question.name}",
        )
        answers[question.name] = answer or "unknown"
    return answers


_AMOUNT = re.compile(
    r"(?P<whole>[0-9]{1,9}|[0-9]{1,3}(?P<mark>[.,])[0-9]{3}((?P=mark)[0-9]{3})?)((?!(?P=mark))[.,](?P<cents>[0-9]{1,2}))?"
)
"""Thousands and cents as in English or as in German: three digits after a mark are thousands, fewer are cents."""


def read_amount(typed: str) -> str | None:
    """`1.234,50` -> `1234.50`; None if it is no amount."""
    read = _AMOUNT.fullmatch("".join(typed.strip().removeprefix("$").split()))
    if read is None:
        return None
    whole = re.sub("[.,]", "", read["whole"])
    cents = read["cents"]
    return f"{whole}.{cents}" if cents else whole


def _amount(typed: str) -> str | None:
    """The amount as decimal text; None, with a sentence on the page, if it is none."""
    amount = read_amount(typed)
    if amount is None and typed.strip():
        st.markdown(
            _(
                ":red[:material/block: {typed} is no amount in USD: write it as in 50,000.]",
                typed=safe_line(typed, max_chars=40),
            )
        )
    return amount


def _recommendation(advised: Recommendation) -> None:
    colour, icon = _ADVICE[advised.advice]
    st.markdown(f":{colour}[{icon} **{safe_line(advised.sentence)}**]")
    reasons = [_reason_line(reason) for reason in advised.reasons if reason.says != "open"]
    if reasons:
        st.markdown("  \n".join(reasons))
    for other in advised.alternatives:
        rules = _(" Under Rules: {protocol}.", protocol=title_of(other.preset)) if other.preset else ""
        name = safe_line(capitalized(other.name))
        st.markdown(f":material/subdirectory_arrow_right: **{name}**: {safe_line(other.sentence + rules)}")
    if advised.frames:
        sides = [safe_line(f"{frame.name}: {frame.claim}") for frame in advised.frames]
        st.caption(_("Sides to assign: {sides}", sides=" · ".join(sides)))


def _reason_line(reason: AdviceReason) -> str:
    return f"{_SIGNS[reason.says]} {safe_line(reason.sentence)}"
