"""The course of a debate: whether all were heard, whether people stepped in, and what code found.

Knows no rules: draws values of an account.
"""

from collections.abc import Iterable, Iterator, Sequence

import streamlit as st

from debate_core.language import _, _n
from debate_core.report.facts.account import Account
from debate_core.report.facts.health import FLAGS
from debate_core.report.phrases.cautions import HINTS, level_of
from debate_core.report.phrases.course import (
    CourseFigure,
    calls_sentence,
    course_figures,
    override_sentence,
    participation_figures,
    quote_check_sentences,
    rule_sentence,
    silent_sentence,
)
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.rules import advice_sentence, agreed_words
from debate_core.report.phrases.timeline import TimelineStep, timeline
from debate_core.text import capitalized
from debate_core.ui.kit.dates import times_of_day
from debate_core.ui.kit.tables import draw_wrapping
from debate_core.ui.kit.text import safe_line, safe_text

CheckNote = tuple[str, str, str]
"""Name, sentence and turns of a flag or finding."""


def course(account: Account) -> None:
    """Draw the steps of the debate with their times and those who took part; interventions are marked."""
    steps = timeline(account) if account.state.outcome else ()
    if not steps:
        return
    st.header(_("How it went"), anchor=False)
    day, times = times_of_day([step.at for step in steps], has_seconds=False)
    st.caption(day)
    rows = [
        {_("Time"): time, _("Step"): _step_words(step), _("Who"): safe_line(capitalized(step.who))}
        for time, step in zip(times, steps, strict=True)
    ]
    draw_wrapping(rows, alt=_("Steps of the debate with their times"), key="course", is_short=True)


def _step_words(step: TimelineStep) -> str:
    stepped_in = f"{_('Stepped in:')} " if step.intervenes else ""
    words = f"**{stepped_in}{safe_line(step.name)}**"
    return f"{words} · {safe_line(step.beside)}" if step.beside else words


def at_a_glance(account: Account) -> None:
    """Draw what a reader who was not there asks first, each question with its answer."""
    if account.state.outcome:
        st.header(_("At a glance"), anchor=False)
        with st.container(border=True, gap="small", key="process-answers"):
            for question, answer, beside in _list_answers(account):
                asked, said = st.columns([1, 3], gap=None)
                asked.caption(question)
                with said.container(gap=None):
                    st.markdown(f"**{safe_line(answer)}**")
                    st.caption(safe_line(beside))
    figures = course_figures(account)
    words = f"{_in_words(figures)}. {calls_sentence(account)}".rstrip()
    st.caption(safe_line(words), help=safe_line(" ".join(figure.note for figure in figures)) or None)


def _in_words(figures: Iterable[CourseFigure]) -> str:
    return " · ".join(f"{figure.label}: {figure.value}" for figure in figures)


def _list_answers(account: Account) -> Iterator[tuple[str, str, str]]:
    """Question, answer and note."""
    spec = account.state.spec
    yield _("Decided as agreed?"), rule_sentence(account), advice_sentence(spec) or agreed_words(spec)
    yield _("Who was heard?"), silent_sentence(account), _in_words(participation_figures(account))
    yield _("Who stepped in?"), account.steering, override_sentence(account)
    if account.claims:
        yield _("Was the evidence checked?"), *quote_check_sentences(account)
    against = len(_list_notes(account, hints=False))
    found = _("The automatic checks found no fault in the result.")
    if against:
        found = _n(against, "{n} point weighs against the result.", "{n} points weigh against the result.")
    yield _("What did the checks find?"), found, _("Checks by code are no proof of quality.")


def against_result(account: Account) -> None:
    """Draw what weighs against the result."""
    if account.state.outcome and (against := _list_notes(account, hints=False)):
        st.header(_("What weighs against the result"), anchor=False)
        _draw_notes(against)


def hints(account: Account) -> None:
    """Draw the notes on texts of single seats in a fold, the weightiest first."""
    if not account.state.outcome or not (found := _list_notes(account, hints=True)):
        return
    label = _n(
        len(found),
        "{n} note on the texts of single seats, which changes no count",
        "{n} notes on the texts of single seats, which change no count",
    )
    with st.expander(label, icon=":material/sticky_note_2:", key="text-hints"):
        _draw_notes(sorted(found, key=lambda note: HINTS.index(note[0])))


def _draw_notes(notes: Sequence[CheckNote]) -> None:
    for _name, words, places in notes:
        st.markdown(f"- {words}", help=places or None)


def _list_notes(account: Account, *, hints: bool) -> list[CheckNote]:
    """The notes on texts of single seats, or all others."""
    found = [*((name, safe_text(FLAGS[name]), "") for name in account.flags), *_list_findings(account)]
    return [note for note in found if (level_of(note[0]) == "hint") == hints]


def _list_findings(account: Account) -> Iterator[CheckNote]:
    pairs = sum(row.differs for row in account.same_vote) if account.state.outcome else 0
    for finding in account.findings:
        if pairs and finding.name == "different_reasons":
            words = _n(
                pairs,
                "{n} pair of seats votes alike for different reasons: see the tab Evidence.",
                "{n} pairs of seats vote alike for different reasons: see the tab Evidence.",
            )
            yield finding.name, words, ""
            continue
        where = dict.fromkeys(in_names(account, turn) for turn in finding.turns)
        words = safe_text(in_names(account, finding.sentence))
        yield finding.name, words, ", ".join(map(safe_line, where))
