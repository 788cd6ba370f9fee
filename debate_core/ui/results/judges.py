"""Probabilities and scores of judges on screens: a judge's own, and after the reveal those of all judges.

Each figure has a table. Knows no rules and seals nothing: `report.facts.judgements` gives only revealed values.
"""

from decimal import Decimal

import plotly.graph_objects as go
import streamlit as st

from debate_core.engine import judge_view
from debate_core.language import Language, _, _n, current, format_number
from debate_core.record.acts import BeliefReported
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision_outcomes import right_option
from debate_core.report.facts.who_judged import judge_flags
from debate_core.report.facts.who_judged import judges as judges_of
from debate_core.report.figures import judges
from debate_core.report.phrases.names import in_names
from debate_core.text import capitalized
from debate_core.ui.kit.chart import draw_chart, draw_figure, theme
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.beliefs import beliefs_part
from debate_core.ui.kit.dates import spell_days
from debate_core.ui.kit.tables import draw_table, draw_wrapping, safe_rows
from debate_core.ui.kit.text import safe_line, safe_text


@st.cache_resource(max_entries=64, show_spinner=False)
def _own_figure(
    options: tuple[str, ...],
    given: tuple[str, ...],
    shade: str,
    language: Language,  # noqa: ARG001
) -> go.Figure:
    reports = [BeliefReported.model_validate_json(r) for r in given]
    return judges.own_chart(options, {r.round: r for r in reports}, shade)


def own(state: State, person_id: str) -> None:
    """Draw this judge's probabilities of several rounds: those of the last one stand above."""
    given = judge_view.reports(state, person_id)
    if len(given) < 2:
        return
    # Charts take the longest to load, so this one is drawn when the expander is opened.
    so_far = st.expander(
        _("My probabilities by round"),
        icon=":material/show_chart:",
        key="judge-so-far",
        on_change="rerun",
        type="compact",
    )
    if not so_far.open:
        return
    with so_far:
        rows = judges.own_table(state.spec.options, given)
        drawn = _own_figure(state.spec.options, tuple(r.model_dump_json() for r in given.values()), theme(), current())
        draw_figure(drawn, key="own-beliefs", alt=_("Your probability of each option by round"))
        draw_table(rows, alt=_("Your probabilities in percent, by round"))


def _draw_revealed(account: Account) -> None:
    """Draw the favourite of the judges, their mean, and a fold with the probabilities of each over the rounds."""
    state = account.state
    last = judges.last_table(state)
    if favourite := judgements.favourite_sentence(state):
        st.markdown(f"**{safe_line(favourite)}**")
    if bars := beliefs_part(state, title=_("Probability that it is the right option, in percent")):
        parts.draw(bars, key="beliefs")
    agreement = safe_text(judgements.agreement_on_screen(state))
    words = _("A reading of the judges, not the decision. {agreement}", agreement=agreement).rstrip()
    st.caption(f"{safe_line(capitalized(judgements.reading_words(state)))}. {words}")
    if still_sealed := judgements.sealed_rounds_words(state):
        st.caption(still_sealed)
    # Charts take the longest to load, so this one is drawn when the expander is opened.
    label = _("Each judge, round by round")
    fold = st.expander(label, icon=":material/show_chart:", key="judges-by-round", on_change="rerun")
    if fold.open:
        with fold:
            if len(last) > 1:
                draw_wrapping(safe_rows(last), alt=_("The last probabilities of each judge"), key="judges-last")
            draw_chart(account, judges.BELIEFS)
            _draw_moves(state)


def _draw_moves(state: State) -> None:
    moved = [
        _(
            "- After round {round}, **{name}**: {option} {before} % → {after} %",
            round=m.round,
            name=safe_line(state.room.people[m.judge].name),
            option=safe_line(m.option),
            before=m.before,
            after=m.after,
        )
        for m in judgements.moves(state)
    ]
    if moved:
        st.markdown("\n".join([_("**The largest change of each judge from round to round**"), "", *moved]))
    elif judgements.can_have_moved(state):
        st.markdown(_("No one moved between the revealed rounds."))


def show(account: Account) -> None:
    """Draw everything that judges gave; nothing without judges."""
    state = account.state
    judged = judges_of(state)
    if not judged:
        return
    st.header(_("Judges"), anchor=False)
    for flag in judge_flags(state):
        st.markdown(f":material/flag: {safe_text(flag)}")
    if judgements.revealed_together(state):
        _draw_revealed(account)
    for sentence in judgements.late_sentences(state):
        st.markdown(f":material/schedule: {safe_text(spell_days(sentence))}")
    if judgements.has_revealed(state):
        _draw_scores(account)
    else:
        st.caption(
            _n(
                len(judged),
                "{n} judge gave something; it is sealed until the facilitator reveals it.",
                "{n} judges gave something; it is sealed until the facilitator reveals it.",
            )
        )
    if account.rubrics:
        _draw_rubric(account)
    if account.comparisons:
        _draw_comparisons(account)


def _draw_scores(account: Account) -> None:
    """Draw the scores of the last probabilities, if the right option is recorded."""
    state = account.state
    right = right_option(state)
    if right is None:
        st.caption(
            _(
                "Scores appear here once the facilitator or an approver records how the decision turned out, usually "
                "after its review date."
            )
        )
        return
    last = {r.judge: r for r in account.judgements if r.option == right}
    names = {alias: state.room.people[i].name for i, alias in judges_of(state).items()}
    st.subheader(_("How they did"), anchor=False)
    st.caption(_("{right} turned out right. Brier: 0 is best, 1 worst. Log score: 0 is best.", right=safe_line(right)))
    rows = [
        {
            _("Who"): names[judge],
            _("Gave it"): _decimal(row.probability),
            "Brier": _decimal(row.brier),
            _("Log score (bits)"): _decimal(row.log_score),
        }
        for judge, row in last.items()
    ]
    draw_wrapping(safe_rows(rows), alt=_("Scores of the judges' last probabilities"), key="judges-scores")


def _decimal(figure: str | None) -> str:
    return "" if figure is None else format_number(Decimal(figure))


def _draw_rubric(account: Account) -> None:
    st.subheader(_("Rubric"), anchor=False)
    st.caption(_("Mean of the judges, 1 is poor and 5 very good; an empty cell had not enough to judge."))
    draw_chart(account, judges.RUBRIC)


def _draw_comparisons(account: Account) -> None:
    """Draw the strengths of the compared turns (Bradley-Terry model)."""
    rows = account.comparisons
    st.subheader(_("Turns compared side by side"), anchor=False)
    st.caption(f"{_n(len(rows), '{n} comparison', '{n} comparisons')}.")
    groups = sorted({row.group for row in account.strengths})
    if not groups:
        st.caption(_("Too few readings to say how strong each turn is: it takes two of each turn."))
        return
    st.caption(
        _(
            "A turn of strength 2 beats one of 1 in two of three readings; the true strength lies within the "
            "interval in 95 of 100 cases."
        )
    )
    if len(groups) > 1:
        st.caption(_("Turns of different groups never met, and cannot be compared."))
    table = [
        {
            **({_("Group"): row.group} if len(groups) > 1 else {}),
            _("Turn"): in_names(account, row.turn),
            _("Strength"): format_number(row.strength, ".2f"),
            _("Interval"): _("{low:.2f} to {high:.2f}", low=row.low, high=row.high),
            _("Compared"): row.readings,
        }
        for row in account.strengths
    ]
    draw_table(table, alt=_("Strength of each compared turn"))
