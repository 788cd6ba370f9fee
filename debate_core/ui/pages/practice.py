"""Practice: judge debates whose truth is known, and be told at once which answer held, how one did and what was wrong.

It is judged at the judge's desk. The address keeps who practises and with what: `?who=Ann&case=pool_size`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from debate_core.errors import DebateError
from debate_core.evaluation import practice
from debate_core.evaluation.practice import PracticeCase, PracticeResult
from debate_core.evaluation.practice_files import PracticeFile, keep, read_practice_file
from debate_core.language import _, _n
from debate_core.names import visible_name
from debate_core.record.state import State
from debate_core.report.facts.judge_statistics import brier_score
from debate_core.ui.kit import session
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.face.parts import RowPart
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room.desks.judge import desk, reading

WHO, CASE = "who", "case"
"""What the address keeps."""
_FIELD = "practice_name_field"
_FILE = "practice_file"
_TOLD = "practice_file_told"


@dataclass(frozen=True, slots=True)
class OwnPractice:
    """How far somebody has come with one practice debate; `state` None = not begun."""

    case: PracticeCase
    state: State | None

    @property
    def result(self) -> PracticeResult | None:
        """How well they did; None before their final word."""
        return practice.result_of(self.state, self.case) if self.state else None


def link() -> None:
    """The way to this page, on pages where one thinks of judging."""
    st.page_link("practice.py", label=_("Practise judging"), icon=":material/how_to_vote:")


def show() -> None:
    """The name first, then the list or the debate that was chosen."""
    st.title(_("Practice"), anchor=False)
    name = _who()
    if not name:
        _ask_name()
        return
    mine = _own(name)
    chosen = st.query_params.get(CASE, "")
    if chosen in mine:
        _debate(mine, chosen, name)
        return
    if chosen:
        st.error(_("There is no such practice debate. Choose one of the list."), icon=":material/error:")
    _list(mine, name)


def _who() -> str:
    in_address = visible_name(st.query_params.get(WHO, ""))[:80]
    name: str = in_address or st.session_state.get(session.PRACTISES, "")
    if name:
        st.session_state[session.PRACTISES] = name
        st.query_params[WHO] = name
    return name


def _ask_name() -> None:
    st.markdown(
        _(
            "You judge short debates whose truth is known, without knowing who speaks. After each one you read which "
            "answer held, how well you did, and what in the debate did not hold. So you have a track record "
            "before your first real decision."
        )
    )
    with (
        st.container(key="practising"),
        st.form("practice_name", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input(_("Your name on the record"), value=session.known_name(), max_chars=80, key=_FIELD)
        asked = st.form_submit_button(_("Begin"), type="primary", on_click=_take_name)
    st.caption(_("Use the same name to continue. Anyone who knows it can see your results."))
    if asked:
        st.error(_("Type a name first: your results are kept under it."), icon=":material/error:")


def _take_name() -> None:
    st.query_params[WHO] = visible_name(st.session_state[_FIELD])


def _own(name: str) -> Mapping[str, OwnPractice]:
    host = session.host()
    owner = session.owner()
    cases = practice.all_cases(host, owner=owner)
    return {key: OwnPractice(case, practice.begun(host, case, name, owner=owner)) for key, case in cases.items()}


def _list(mine: Mapping[str, OwnPractice], name: str) -> None:
    person = practice.judge_of(name)
    with st.container():
        _progress(mine, safe_line(person.name))
    following = _next(mine)
    rows = [_row(key, own, is_next=key == following) for key, own in mine.items()]
    pressed = parts.draw_list(rows, label=_("Practice debates"), key="practice_list")
    if pressed:
        _open(pressed)
    _from_file()
    st.button(_("Somebody else practises"), type="tertiary", icon=":material/person:", on_click=_leave)


def _from_file() -> None:
    """More debates to practise on."""
    with st.expander(_("Practise on debates from a file"), icon=":material/upload_file:", key="practice-from-file"):
        st.caption(
            _(
                "One debate of your own (.json), or recorded debates between two sides with the right answer, one a "
                "line (.jsonl), as New York University published them."
            )
        )
        file = st.file_uploader(_("A file of practice debates"), type=["jsonl", "json"], key=_FILE, on_change=_take_in)
        told = st.session_state.get(_TOLD)
        if file is None or told is None:
            return
        if isinstance(told, DebateError):
            st.error(safe_text(session.told(told)), icon=":material/error:")
        else:
            st.success(_taken_in(told), icon=":material/check_circle:")


def _take_in() -> None:
    """Before the list is drawn, so that it has them."""
    file = st.session_state[_FILE]
    if file is None:
        return
    try:
        found = read_practice_file(file.name, file.getvalue())
        session.as_host(partial(keep, session.host().drafts, found, owner=session.owner()))
    except DebateError as error:
        st.session_state[_TOLD] = error
    else:
        st.session_state[_TOLD] = found


def _taken_in(found: PracticeFile) -> str:
    taken = _n(len(found.cases), "{n} debate is in the list now.", "{n} debates are in the list now.")
    if not found.left_out:
        return taken
    left_out = _n(
        found.left_out,
        "{n} line is left out: it is no debate between two sides.",
        "{n} lines are left out: they are no debates between two sides.",
    )
    return f"{taken} {left_out}"


def _progress(mine: Mapping[str, OwnPractice], who: str) -> None:
    done = [own.result for own in mine.values() if own.result]
    words = _("{who}: {done} of {cases}", who=who, done=len(done), cases=len(mine))
    st.progress(len(done) / max(len(mine), 1), words)
    if done and len(done) == len(mine):
        mean = sum(result.brier for result in done) / len(done)
        st.success(
            _("You have judged all of them. Your mean Brier score is {mean:.2f}; 0 is best.", mean=mean),
            icon=":material/check_circle:",
        )
        st.page_link("metrics.py", label=_("See it in the track record"), icon=":material/monitoring:")


def _row(key: str, own: OwnPractice, *, is_next: bool) -> RowPart:
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


def _next(mine: Mapping[str, OwnPractice], after: str = "") -> str:
    """The first that is not judged yet, beginning after this one; empty if all are."""
    keys = [*mine]
    at = keys.index(after) + 1 if after in keys else 0
    return next((key for key in (*keys[at:], *keys[:at]) if mine[key].result is None), "")


def _open(key: str) -> None:
    st.query_params[CASE] = key
    reading.turn_over()
    st.rerun()


def _close() -> None:
    st.query_params.pop(CASE, None)
    reading.turn_over()


def _follow(key: str) -> None:
    _close()
    st.query_params[CASE] = key


def _leave() -> None:
    _close()
    st.query_params.pop(WHO, None)
    st.session_state.pop(session.PRACTISES, None)


def _debate(mine: Mapping[str, OwnPractice], key: str, name: str) -> None:
    case = mine[key].case
    host = session.host()
    st.button(_("All practice debates"), type="tertiary", icon=":material/arrow_back:", on_click=_close)
    try:
        begin = partial(practice.begin, host, key, name, client=session.client(), owner=session.owner())
        state = session.as_host(begin)
        state = practice.settle(host, state, case)
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
        return
    st.caption(_("Debate {number} of {cases}", number=[*mine].index(key) + 1, cases=len(mine)))
    st.header(safe_line(case.question), anchor=False)
    me = session.me(state)
    result = practice.result_of(state, case)
    with st.container():
        if result:
            _feedback(state, me, case, result)
            _go_on(_next({**mine, key: OwnPractice(case, state)}, after=key))
    _documents(case)
    with st.container(border=True, key="practice-desk"):
        if not result:
            st.caption(_(desk.BLIND))
        desk.probabilities(state, me)
        session.show_problem()


def _documents(case: PracticeCase) -> None:
    """What the sides quote: whoever judges may look it up, as in a room."""
    for number, source in enumerate(case.sources, start=1):
        with st.expander(safe_line(source.title), icon=":material/description:", key=f"practice-document-{number}"):
            st.markdown(safe_text(source.text))


def _feedback(state: State, me: Me, case: PracticeCase, result: PracticeResult) -> None:
    """Which answer held, how far this judge was from it, why it held, and what did not."""
    right = safe_line(result.right)
    told = _("**{right}** was right. You gave it {percent} %.", right=right, percent=result.percent)
    if result.is_favourite:
        st.success(told, icon=":material/check_circle:")
    elif result.is_level:
        st.info(told, icon=":material/balance:")
    else:
        st.warning(told, icon=":material/cancel:")
    even = brier_score({option: 1 / len(case.options) for option in case.options}, case.right)
    st.markdown(
        _(
            "Your Brier score is {brier:.2f}: 0 is best, 1 worst, and {even:.2f} is what the same share for "
            "each option gives. Your log score is {log_score:.2f} bits: 0 is best.",
            brier=result.brier,
            even=even,
            log_score=result.log_score,
        )
    )
    st.subheader(_("Why it was right"), anchor=False)
    st.markdown(safe_text(case.truth) if case.truth else _("The file says which answer is right, and not why."))
    if case.mistakes:
        st.subheader(_("What did not hold"), anchor=False)
    for mistake in case.mistakes:
        said = _(
            "Round {round}, {speaker}: “{words}”",
            round=mistake.round,
            speaker=practice.speaker_of(state, mistake.option, me.actor),
            words=mistake.words,
        )
        st.markdown(f"- {safe_line(said)}  \n  {safe_line(mistake.why)}")


def _go_on(following: str) -> None:
    if following:
        st.button(_("Next debate"), key="practice-next", type="primary", on_click=_follow, args=(following,))
    else:
        st.success(_("That was the last one. Your results are in the track record."), icon=":material/check_circle:")
        st.page_link("metrics.py", label=_("See it in the track record"), icon=":material/monitoring:")
