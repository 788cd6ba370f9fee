"""The pieces of the home page: cards of running debates, rehearsals, the list of finished ones, re-opening a file.

Knows no rules; asks the host.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial

import streamlit as st

from debate_core.errors import DebateError
from debate_core.host.debate_list import DebateRow, SignOff
from debate_core.host.door.cookies import cookie_name
from debate_core.host.uploads import utf8
from debate_core.report.facts.decision import date_has_come
from debate_core.seats.scripted import Script, read_script, spec_of
from debate_core.spec.presets import EXAMPLE_QUESTIONS
from debate_core.text import plural
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import Colour, origin_badge, rehearsal_badge, status_badge, waiting_words
from debate_core.ui.kit.protocol_words import title_of
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.pages import record
from debate_core.ui.results import sign_off
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import example

GOING_ON = ("running", "waiting", "paused", "lobby", "prevote", "held")
PACES = {"Read along": 60, "Quick": 400, "At once": 0}
"""Characters per second; 0 = each turn appears whole."""
PAGE_ROWS = 8
QUEUE_ROWS = 4
JUDGE_FIRST = "it is judged first"
_PLAY = ":material/play_arrow:"


def unspoiled(rows: Sequence[DebateRow]) -> tuple[DebateRow, ...]:
    """Every row; of a debate that whoever sits here has to judge or may have to, nothing of what was decided."""
    return tuple(_without_decision(row) if _to_be_judged(row) else row for row in rows)


def _without_decision(row: DebateRow) -> DebateRow:
    return replace(row, status="over", decision=JUDGE_FIRST, sign_off=SignOff())


def _to_be_judged(row: DebateRow) -> bool:
    if row.status in GOING_ON or not (row.awaits_judges or cookie_name(row.id) in st.context.cookies):
        return False
    state = session.host().state(row.id)
    return not session.may_see_result(state, session.me(state))


def matching(rows: Sequence[DebateRow], search: str) -> tuple[DebateRow, ...]:
    """Debates whose question or decision has every word that is searched for."""
    words = search.casefold().split()

    def has_every_word(row: DebateRow) -> bool:
        text = f"{row.question} {row.decision or ''}".casefold()
        return all(word in text for word in words)

    return tuple(row for row in rows if has_every_word(row))


def when_words(opened_at: str) -> str:
    """`21 Nov 2026, 22:48 UTC`."""
    return datetime.fromisoformat(opened_at).strftime("%-d %b %Y, %H:%M UTC")


def _kind_badges(row: DebateRow) -> None:
    if row.rehearsal:
        rehearsal_badge()
    if row.origin_unknown:
        origin_badge()


def cards(rows: Sequence[DebateRow]) -> None:
    """One card per debate that goes on."""
    grid = st.grid(3, min_column_width=300)
    for row in rows:
        with grid.container(border=True, height="stretch", key=f"card_{row.id}"):
            with st.container(horizontal=True, gap="xsmall"):
                status_badge(row.status)
                _kind_badges(row)
            st.markdown(f"**{safe_line(row.question, max_chars=160)}**")
            progress = [f"Round {row.round} of {row.max_rounds}"]
            if row.waiting_for:
                progress.append(safe_line(waiting_words(row), max_chars=80))
            st.caption(" · ".join(progress))
            st.space("stretch")
            if st.button("Go to the room", key=f"open_{row.id}", icon=":material/forum:", width="stretch"):
                session.open_page("room.py", row.id)


_WAITS: dict[str, tuple[str, Colour, str]] = {
    "vote": ("Waits for the final vote", "blue", "The final vote decides, and it is not counted and revealed yet."),
    "signature": ("Waits for the signature", "yellow", "The count has decided; the approver has not signed."),
    "decision": ("Waits for a word", "orange", "The count decided nothing: somebody has to."),
    "changes": ("Changes come first", "orange", "It was accepted with changes: it holds once it is signed with them."),
    "escalated": ("Escalated", "red", "It was signed as escalated: somebody with the mandate has to decide."),
}


def is_due(row: DebateRow, today: date) -> bool:
    """True if a date of the revisit note has come."""
    return date_has_come(row.sign_off.revisit, today)


def queue(rows: Sequence[DebateRow]) -> None:
    """Debates that are over and wait for somebody's word; nothing if none do."""
    _queue_of("Waiting for a word", [row for row in rows if row.sign_off.waits_for])


def due(rows: Sequence[DebateRow]) -> None:
    """Decisions whose date has come, to say what became of them; nothing if there are none."""
    today = datetime.now(UTC).date()
    _queue_of("These decisions are due", [row for row in rows if not row.sign_off.waits_for and is_due(row, today)])


def _queue_of(title: str, waiting: Sequence[DebateRow]) -> None:
    if not waiting:
        return
    st.header(title, anchor=False)
    shown = QUEUE_ROWS if len(waiting) > QUEUE_ROWS + 2 else len(waiting)
    for row in waiting[:shown]:
        _queued(row)
    if waiting[shown:]:
        with st.expander(f"{len(waiting) - shown} more"):
            for row in waiting[shown:]:
                _queued(row)


def _queued(row: DebateRow) -> None:
    due: tuple[str, Colour, str] = (
        f"Look at it again: {row.sign_off.revisit}",
        "violet",
        "The date that was signed has come: did the decision hold, was it revised, or reversed?",
    )
    words, colour, why = _WAITS.get(row.sign_off.waits_for, due)
    with st.container(border=True, key=f"queue_{row.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(safe_line(words, max_chars=80), color=colour, icon=":material/draw:")
            _kind_badges(row)
            st.markdown(f"**{safe_line(row.question, max_chars=160)}**", width="content")
        by = "Signed" if row.sign_off.signed else "Counted"
        option = f" {by}: {safe_line(row.sign_off.option, max_chars=80)}." if row.sign_off.option else ""
        st.caption(f"{why}{option}")
        about = f"Decide: {safe_line(row.question, max_chars=60)}"
        label = "Go to the decision" if row.sign_off.waits_for else "Say what became of it"
        if st.button(label, key=f"decide_{row.id}", icon=":material/how_to_vote:", help=about):
            sign_off.open_desk()
            session.open_page("results.py", row.id)


def examples() -> None:
    """Questions to begin with; one click fills the set-up page."""
    grid = st.grid(3, min_column_width=280)
    for number, (question, options) in enumerate(EXAMPLE_QUESTIONS):
        with grid.container(border=True, height="stretch"):
            st.markdown(f"**{question}**")
            st.caption(" · ".join(options))
            st.space("stretch")
            if st.button("Use this question", key=f"example_{number}", icon=":material/edit:", width="stretch"):
                draft_store.begin(example(question, options))
                st.switch_page("setup.py")


def rehearsals() -> None:
    """One card per shipped rehearsal; one click starts it."""
    pace = st.segmented_control("Pace", list(PACES), default="Read along", required=True, key="pace") or "Read along"
    grid = st.grid(3, min_column_width=280)
    for row in session.host().rehearsals():
        with grid.container(border=True, height="stretch"):
            rehearsal_badge()
            st.markdown(f"**{safe_line(row.title)}**")
            st.caption(safe_text(row.summary))
            st.space("stretch")
            if st.button("Open the rehearsal", key=f"rehearse_{row.name}", icon=_PLAY, width="stretch"):
                _start(row.name, PACES[pace])


def setups() -> None:
    """Scripts that were imported on the command line and wait to be started."""
    for name, text in session.host().drafts.scripts().items():
        with st.container(border=True, key=f"setup_{name}"):
            _offer(read_script(text), text, name)


def _start(name: str, pace_cps: int) -> None:
    _enter(partial(session.host().start_rehearsal, name, pace_cps=pace_cps))


def _enter(start: Callable[..., str]) -> None:
    """Open a debate and go to its room, or say why there is none."""
    try:
        debate_id = start(by=session.FACILITATOR, client=session.client())
    except DebateError as error:
        st.error(safe_text(str(error)), icon=":material/error:")
        return
    session.open_room_as_facilitator(debate_id)


def finished(rows: Sequence[DebateRow]) -> None:
    """Debates that are over, latest first, a page at a time."""
    pages = -(-len(rows) // PAGE_ROWS)
    page = st.session_state.get("finished_page", 1) if pages > 1 else 1
    for row in rows[(min(page, pages) - 1) * PAGE_ROWS :][:PAGE_ROWS]:
        with st.container(border=True, key=f"row_{row.id}"):
            columns = st.columns([6, 2, 3, 3], vertical_alignment="center")
            columns[0].markdown(f"**{safe_line(row.question, max_chars=200)}**")
            columns[0].caption(f"{title_of(row.protocol)} · {when_words(row.opened_at)}")
            with columns[1], st.container(gap="xxsmall"):
                status_badge(row.status)
                _kind_badges(row)
            columns[2].caption("Decision")
            columns[2].markdown(safe_line(row.decision or "none", max_chars=80))
            with columns[3].container(horizontal=True, horizontal_alignment="right"):
                _ways_in(row)
    if pages > 1:
        st.pagination(pages, key="finished_page")


def _ways_in(row: DebateRow) -> None:
    about = safe_line(row.question, max_chars=60)
    if st.button("Results", key=f"results_{row.id}", icon=":material/how_to_vote:", help=f"Results of: {about}"):
        session.open_page("results.py", row.id)
    if st.button("Room", key=f"open_{row.id}", type="tertiary", help=f"Transcript of: {about}"):
        session.open_page("room.py", row.id)


def reopen() -> None:
    """A record comes back as it was, after it has been re-counted; a script can be started."""
    file = st.file_uploader(
        "A record (events.jsonl) or a script (.json)",
        type=["jsonl", "json"],
        key="reopen",
        help="A record that was changed or cut short is refused, and the line is named.",
    )
    if file is None:
        return
    try:
        if file.name.endswith(".jsonl"):
            debate_id = session.host().import_record(file.getvalue(), client=session.client())
            st.success("The record keeps its own rules. It is in the list of debates now.")
            record.way_back(session.host().state(debate_id))
            if st.button("See its results", type="primary"):
                session.open_page("results.py", debate_id)
            return
        text = utf8("it", file.getvalue())
        script = read_script(text)
    except DebateError as error:
        st.error(safe_text(f"{file.name}: {error}"), icon=":material/error:")
        return
    _offer(script, text, "upload")


def _offer(script: Script, text: str, key: str) -> None:
    try:
        spec = spec_of(script)
    except DebateError as error:
        st.error(safe_text(str(error)), icon=":material/error:")
        return
    st.markdown(f"**{safe_line(spec.question)}**")
    st.caption(f"{safe_line(', '.join(spec.options))} · {plural(len(spec.seats), 'seat')}")
    if st.button("Start this script", type="primary", icon=_PLAY, key=f"start_{key}"):
        pace_cps = PACES[st.session_state.get("pace") or "Read along"]
        _enter(partial(session.host().create, spec, script_text=text, pace_cps=pace_cps))
