"""The practice page: judge debates with a known answer and read the score and the mistakes at once.

Uses the judge's desk of the room. The address keeps the person and the debate: `?who=Ann&case=pool_size`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from debate_core.errors import DebateError
from debate_core.evaluation import practice
from debate_core.evaluation.practice import PracticeCase, PracticeResult
from debate_core.evaluation.practice_files import PracticeFile, keep, read_practice_file
from debate_core.language import _, _n, said
from debate_core.names import visible_name
from debate_core.record.state import State
from debate_core.report.facts.judge_statistics import brier_score
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.parts import RowPart
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.role_panels.judge import desk

WHO, CASE = "who", "case"
"""Parameters of the address."""
_FIELD = "practice_name_field"
_FILE = "practice_file"
_IMPORTED = "practice_file_told"
_HEAD = """<style>
.st-key-practice-head { flex-wrap: wrap; gap: 0.25rem 1rem }
.st-key-practice-head > :has(h1) { flex: 1 0 100% }
.st-key-practice-head h1 { padding: 0; font-size: 1.25rem }
</style>"""
"""The way back in one row, and below it the question."""


@dataclass(frozen=True, slots=True)
class OwnPractice:
    """The progress of one person with one practice debate; `state` None = not begun."""

    case: PracticeCase
    state: State | None

    @property
    def result(self) -> PracticeResult | None:
        """The score; None before the final probabilities."""
        return practice.result_of(self.state, self.case) if self.state else None


def link() -> None:
    """Draw a link to this page."""
    st.page_link("practice.py", label=_("Practise judging"), icon=":material/how_to_vote:")


def show() -> None:
    """Ask for a name, then draw the list or the chosen debate."""
    in_address = visible_name(st.query_params.get(WHO, ""))[:80]
    name: str = in_address or st.session_state.get(session.PRACTISES, "")
    if not name:
        st.title(_("Practice"), anchor=False)
        _ask_name()
        return
    st.session_state[session.PRACTISES] = name
    st.query_params[WHO] = name
    owner = session.owner()
    cases = practice.all_cases(session.host(), owner=owner)
    mine = {
        key: OwnPractice(case, practice.begun(session.host(), case, name, owner=owner)) for key, case in cases.items()
    }
    chosen = st.query_params.get(CASE, "")
    if chosen in mine:
        _draw_debate(mine, chosen, name)
        return
    st.title(_("Practice"), anchor=False)
    if chosen:
        st.error(_("This practice debate does not exist. Choose one from the list."), icon=":material/error:")
    _draw_list(mine, name)


def _ask_name() -> None:
    n = len(practice.all_cases(session.host(), owner=session.owner()))
    st.markdown(
        _(
            "Find out how well your probabilities hold before a real decision depends on them: {n} short debates with "
            "a known answer, a few minutes each.",
            n=n,
        )
    )
    left, right = st.columns([55, 45], gap="large")
    with right:
        _draw_example()
    with left:
        st.markdown(
            _(
                "1. Read the debate, without the names of the speakers.\n"
                "2. Say how likely each option is the right one, after every round.\n"
                "3. See the right answer, your score and the mistakes in the debate."
            )
        )
        _draw_name()


def _draw_example() -> None:
    """Draw how a judged debate ends: the probabilities of a reader beside the right answer."""
    with st.container(border=True, key="practice-example"):
        st.badge(_("Example"), icon=":material/science:", color="gray")
        st.markdown(_("**Does the cache survive a restart?**"))
        for words, share in ((_("Yes"), 30), (_("No"), 70)):
            st.progress(share / 100, _("You: {option} {share} %", option=words, share=share))
        score = brier_score({"no": 0.7, "yes": 0.3}, "no")
        st.markdown(
            _(
                ":material/check: The right answer is **No**. Your score is **{score:.2f}**: 0 is best, 1 is worst, "
                "and 50 % for each answer gives 0.25.",
                score=score,
            )
        )


def _draw_name() -> None:
    with (
        st.container(key="practising"),
        st.form("practice_name", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input(_("Name for your results"), value=session.known_name(), max_chars=80, key=_FIELD, width=420)
        asked = st.form_submit_button(_("Begin"), type="primary", on_click=_take_name)
    st.caption(
        _(
            "The name only finds your results again: it is no password, and everyone here who types it sees them. A "
            "made-up name does."
        )
    )
    if asked:
        st.error(_("Type a name first: your results are kept under it."), icon=":material/error:")


def _take_name() -> None:
    st.query_params[WHO] = visible_name(st.session_state[_FIELD])


def _draw_list(mine: Mapping[str, OwnPractice], name: str) -> None:
    person = practice.judge_of(name)
    with st.container():
        _draw_progress(mine, safe_line(person.name))
    following = _find_next(mine)
    rows = [_make_row(key, own, is_next=key == following) for key, own in mine.items()]
    if pressed := parts.draw_list(rows, label=_("Practice debates"), key="practice_list"):
        st.query_params[CASE] = pressed
        st.rerun()
    _draw_upload()
    st.button(_("Practise as someone else"), type="tertiary", icon=":material/person:", on_click=_leave)


def _draw_upload() -> None:
    with st.expander(
        _("Practise on debates from a file"), icon=":material/upload_file:", key="practice-from-file", type="compact"
    ):
        st.caption(
            _(
                "One debate of your own (.json), or recorded debates between two sides with the right answer, one per "
                "line (.jsonl), in the format of New York University."
            )
        )
        file = st.file_uploader(
            _("A file of practice debates"), type=["jsonl", "json"], key=_FILE, on_change=_import_file
        )
        imported = st.session_state.get(_IMPORTED)
        if file is None or imported is None:
            return
        if isinstance(imported, DebateError):
            st.error(safe_text(session.told(imported)), icon=":material/error:")
        else:
            st.success(_describe_import(imported), icon=":material/check_circle:")


def _import_file() -> None:
    """Import the uploaded file; a callback runs before the list is drawn, which then contains its debates."""
    file = st.session_state[_FILE]
    if file is None:
        return
    try:
        found = read_practice_file(file.name, file.getvalue())
        session.as_host(partial(keep, session.host().drafts, found, owner=session.owner()))
        st.session_state[_IMPORTED] = found
    except DebateError as error:
        st.session_state[_IMPORTED] = error


def _describe_import(found: PracticeFile) -> str:
    words = _n(len(found.cases), "{n} debate is in the list now.", "{n} debates are in the list now.")
    if found.left_out:
        words += " " + _n(
            found.left_out,
            "{n} line was skipped: it is not a debate between two sides.",
            "{n} lines were skipped: they are not debates between two sides.",
        )
    return words


def _draw_progress(mine: Mapping[str, OwnPractice], who: str) -> None:
    done = [own.result for own in mine.values() if own.result]
    words = _("{who}: {done} of {cases} judged", who=who, done=len(done), cases=len(mine))
    st.progress(len(done) / max(len(mine), 1), words)
    if done and len(done) == len(mine):
        mean = sum(result.brier for result in done) / len(done)
        st.success(
            _("You have judged all of them. Your mean Brier score is {mean:.2f}; 0 is best.", mean=mean),
            icon=":material/check_circle:",
        )
        st.page_link("metrics.py", label=_("See it in the track record"), icon=":material/monitoring:")


def _make_row(key: str, own: OwnPractice, *, is_next: bool) -> RowPart:
    count = ""
    if own.result:
        button = _("See again")
        count = _("Brier {brier:.2f}", brier=own.result.brier)
    elif own.state:
        button = _("Go on")
        count = _("begun")
    else:
        button = _("Judge")
    options = " · ".join(own.case.options)
    return parts.plain_row(key, own.case.question, options, button=button, count=count, primary=is_next)


def _find_next(mine: Mapping[str, OwnPractice], after: str = "") -> str:
    """The first debate that is not judged yet, starting after `after`; empty if all are judged."""
    keys = [*mine]
    at = keys.index(after) + 1 if after in keys else 0
    return next((key for key in (*keys[at:], *keys[:at]) if mine[key].result is None), "")


def _close(following: str = "") -> None:
    """Leave the debate for the next one, or for the list."""
    st.query_params.pop(CASE, None)
    if following:
        st.query_params[CASE] = following


def _leave() -> None:
    _close()
    st.query_params.pop(WHO, None)
    st.session_state.pop(session.PRACTISES, None)


def _draw_debate(mine: Mapping[str, OwnPractice], key: str, name: str) -> None:
    case = mine[key].case
    host = session.host()
    with st.container(key="practice-head", horizontal=True, vertical_alignment="center"):
        st.html(_HEAD)
        st.button(_("All practice debates"), type="tertiary", icon=":material/arrow_back:", on_click=_close)
        n_done = sum(own.result is not None for own in mine.values())
        st.caption(_("{done} of {cases} judged", done=n_done, cases=len(mine)))
        st.title(safe_line(case.question), anchor=False)
    try:
        begin = partial(practice.begin, host, key, name, client=session.client(), owner=session.owner())
        state = session.as_host(begin)
        state = practice.settle(host, state, case)
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
        return
    me = session.me(state)
    result = practice.result_of(state, case)
    with st.container():
        if result:
            _draw_feedback(state, me, case, result)
            _draw_next(_find_next({**mine, key: OwnPractice(case, state)}, after=key))
    for number, source in enumerate(case.sources, start=1):
        with st.expander(
            safe_line(source.title), icon=":material/description:", key=f"practice-document-{number}", type="compact"
        ):
            st.markdown(safe_text(source.text))
    with st.container(border=True, key="practice-desk"):
        st.html(desk.STYLE)
        desk.probabilities(state, me)
        if not result:
            st.caption(_("You read blind."), help=_(desk.BLIND))
        session.show_problem()


def _draw_feedback(state: State, me: Me, case: PracticeCase, result: PracticeResult) -> None:
    """Draw the right answer, the score of this judge, the reason, and the mistakes in the debate."""
    right = safe_line(result.right)
    words = _("**{right}** was right. You gave it {percent} %.", right=right, percent=result.percent)
    if result.is_favourite:
        st.success(words, icon=":material/check_circle:")
    elif result.is_level:
        st.info(words, icon=":material/balance:")
    else:
        st.warning(words, icon=":material/cancel:")
    even = brier_score({option: 1 / len(case.options) for option in case.options}, case.right)
    st.markdown(
        _(
            "Your Brier score is {brier:.2f}: 0 is best, 1 is worst, and equal shares for all options give {even:.2f}. "
            "Your log score is {log_score:.2f} bits: 0 is best.",
            brier=result.brier,
            even=even,
            log_score=result.log_score,
        )
    )
    st.subheader(_("Why it was right"), anchor=False)
    st.markdown(safe_text(case.truth) if case.truth else _("The file gives the right answer, but no reason."))
    if case.mistakes:
        st.subheader(_("Mistakes in the debate"), anchor=False)
    for mistake in case.mistakes:
        mistaken = _(
            "Round {round}, {speaker}: “{words}”",
            round=mistake.round,
            speaker=said(practice.speaker_of(state, mistake.option, me.actor)),
            words=mistake.words,
        )
        st.markdown(f"- {safe_line(mistaken)}  \n  {safe_line(mistake.why)}")


def _draw_next(following: str) -> None:
    if following:
        st.button(_("Next debate"), key="practice-next", type="primary", on_click=_close, args=(following,))
    else:
        st.success(_("That was the last one. Your results are in the track record."), icon=":material/check_circle:")
        st.page_link("metrics.py", label=_("See it in the track record"), icon=":material/monitoring:")
