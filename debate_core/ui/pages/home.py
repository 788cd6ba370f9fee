"""Parts of the debates page: head, lists, the welcome for a first visit, examples and files to open.

Knows no rules; asks the host.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from debate_core.errors import DebateError
from debate_core.host.access.cookies import cookie_name
from debate_core.host.debate_list import DebateRow, SignOff, matching_rows
from debate_core.host.uploads import utf8
from debate_core.language import Words, _, _n, message
from debate_core.record.page import RECORD_TYPES, is_record_file
from debate_core.report.facts.vote_bars import OptionBar, VoteBars
from debate_core.report.phrases.decision_status import STATUS
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.presets import EXAMPLE_QUESTIONS
from debate_core.spec.presets.systems import SINGLE_CALL
from debate_core.spec.rules import Majority
from debate_core.spec.values import MAX_QUESTION_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed, submitted
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.pages import debate_rows, imports, record, rehearsals, setup_again
from debate_core.ui.pages.debate_rows import GOING_ON, JUDGE_FIRST
from debate_core.ui.pages.rehearsals import READ_ALONG_CPS
from debate_core.ui.room import join
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import SetupDraft, example
from debate_core.ui.setup.people import WORKSHOPS, of_workshop

PACES = {message("Read along"): READ_ALONG_CPS, message("Quick"): 400, message("At once"): 0}
"""Characters per second; 0 = each turn appears whole."""
PAGE_ROWS = 8
"""Rows of a list whose debates are read. With more debates there is a search field."""
CLOSED_ROWS = 60
"""Closed debates on one page: a screen and a half on a laptop."""
FEW_ROWS = 4
"""So many debates that are over are read and drawn as rows with their count; more have two lines each."""
_FILE = "reopen"
_IMPORTED = "reopen-taken"
EXAMPLES_LABEL = message("Examples to watch, and files to open")
_WORKSHOP = message(
    "People in a room decide, in 25 minutes: they join with their phones, vote before and after, and one of them signs."
)
_PLAY = ":material/play_arrow:"
_HEAD = """<style>
.st-key-home-head h1 { padding: 0 }
.st-key-home-head [data-testid=stHeading] [data-testid=stMarkdownContainer] { margin: 0 }
@media (max-width: 640px) {
  .st-key-home-head > * { gap: 0.5rem }
  .st-key-home-head [data-testid=stLayoutWrapper]:has(> * > .st-key-join-home) { flex: 1 0 100% }
  .st-key-home-head [data-testid=stLayoutWrapper]:has([data-testid=stTextInput]),
  .st-key-home-head [data-testid=stElementContainer]:has(> [data-testid=stButton]) { flex: 1; min-width: 40% }
}
</style>"""
"""On a phone every row of the head fills the width."""


def unspoiled(rows: Sequence[DebateRow]) -> tuple[DebateRow, ...]:
    """All rows, without the decision of the debates that this person has to judge or may have to judge."""
    # Read once, because Streamlit builds the cookies at each access.
    cookies = st.context.cookies
    return tuple(
        replace(row, status="over", decision=_(JUDGE_FIRST), sign_off=SignOff())
        if _is_to_be_judged(row, cookies)
        else row
        for row in rows
    )


def _is_to_be_judged(row: DebateRow, cookies: Mapping[str, str]) -> bool:
    if row.status in GOING_ON or not (row.awaits_judges or cookie_name(row.id) in cookies):
        return False
    state = session.host().state(row.id)
    return not session.may_see_result(state, session.me(state))


def head() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the title, the field for a code and the button for a workshop; the menu has the one for a new debate.

    Return the place of the search and the row of the buttons.
    """
    st.html(_HEAD)
    with st.container(key="home-head"):
        left, right = st.columns([2, 3], vertical_alignment="center")
    beside = left.container(horizontal=True, vertical_alignment="center", gap="medium")
    beside.container(width="content").title(_("Debates"), anchor=False)
    ways = right.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center")
    with ways:
        with st.container(width=270):
            join.show("home")
        if pressed(
            _("New workshop: 25 min with people"), key="new_workshop", icon=":material/groups:", help=_(_WORKSHOP)
        ):
            draft_store.begin(of_workshop(WORKSHOPS[0]))
            st.switch_page("setup.py")
    return beside, ways


_ListName = Literal["live", "unsigned", "finished"]


def lists(rows: Sequence[DebateRow], place: DeltaGenerator) -> None:
    """Draw the debates that wait for this person, those under way, those without a signature, and the finished ones.

    The search is drawn in `place`.
    """
    wanted = _draw_search(place) if len(rows) > PAGE_ROWS else ""
    found = matching_rows(rows, wanted)
    if not found:
        st.caption(_("No debate matches “{wanted}”.", wanted=safe_line(wanted)))
        return
    words = _words_of_tasks(found)
    numbers = debate_rows.numbers(rows)
    live = [row for row in debate_rows.live_now(found) if row.id not in words][:PAGE_ROWS]
    with st.container():
        _draw_waiting(_wait_for_me(found, words), numbers, words)
        to_sign = st.container()
        if live:
            title = _("Under way")
            st.subheader(title, anchor=False)
            debate_rows.draw(live, numbers, label=title, key="live_now")
    above = {*words, *(row.id for row in live)}
    groups = _group_rows(found)
    shown = _choose_group(groups, is_searched=bool(wanted.split()))
    goes_on_above = bool(live) and len(groups) == 1
    above_live = to_sign if len(groups) == 1 else None
    _draw_others(shown, above, numbers, has_live=bool(live), goes_on_above=goes_on_above, to_sign=above_live)


def _wait_for_me(rows: Sequence[DebateRow], words: Mapping[str, str]) -> list[DebateRow]:
    """Rows with a task: first where something happens now, then those under way."""
    waiting = [row for row in rows if row.id in words]
    place = {row.id: at for at, row in enumerate(debate_rows.live_now(waiting))}
    return sorted(waiting, key=lambda row: (place.get(row.id, len(place)), not debate_rows.goes_on(row)))


def _words_of_tasks(rows: Sequence[DebateRow]) -> Mapping[str, str]:
    """Map debate ids to the task that waits for this person, as a word; archived debates wait for no one."""
    words = {}
    for row in rows:
        if not row.ownership.archived and (word := debate_rows.my_word(row)):
            words[row.id] = word
    return words


def _draw_others(
    shown: Sequence[DebateRow],
    above: Set[str],
    numbers: Mapping[str, int],
    *,
    has_live: bool,
    goes_on_above: bool,
    to_sign: DeltaGenerator | None,
) -> None:
    """Draw the debates that are not `above` already: those under way, those that wait for a signature, the others.

    With `goes_on_above` the list just above is of debates under way, too, and its heading is for both. A few
    debates without a signature are drawn in the place `to_sign`, if this person may sign one of them.
    """
    sections = _by_list(row for row in shown if row.id not in above)
    title = _("Also under way") if has_live else _("Under way")
    _draw_under_way(sections["live"], numbers, title, with_heading=not goes_on_above)
    with_filter = len(shown) > PAGE_ROWS
    titles: Mapping[_ListName, str] = {"unsigned": _("Waiting for a signature"), "finished": _("Finished")}
    places: dict[_ListName, AbstractContextManager[object]] = {}
    if to_sign and _is_first(sections["unsigned"]):
        places["unsigned"] = to_sign
    for name, over_title in titles.items():
        with places.get(name, nullcontext()):
            _draw_over(over_title, sections[name], numbers, key=name, with_filter=with_filter)
    if shown and not any(sections.values()) and session.owner():
        st.caption(_("All of these are above."))


def _by_list(rows: Iterable[DebateRow]) -> Mapping[_ListName, Sequence[DebateRow]]:
    sections: dict[_ListName, list[DebateRow]] = {"live": [], "unsigned": [], "finished": []}
    for row in rows:
        sections[_list_of(row)].append(row)
    return sections


def _is_first(rows: Sequence[DebateRow]) -> bool:
    """True for a few rows of which this person may sign one: they come before what there is only to follow."""
    return len(rows) <= FEW_ROWS and any(map(debate_rows.may_be_signed_here, rows))


def _list_of(row: DebateRow) -> _ListName:
    if debate_rows.goes_on(row):
        return "live"
    return "unsigned" if debate_rows.awaits_signature(row) else "finished"


def _draw_search(place: DeltaGenerator) -> str:
    with place.container(width=220):
        wanted = st.text_input(
            _("Search"),
            key="home_search",
            placeholder=_("Words of a question"),
            type="search",
            label_visibility="collapsed",
        )
    return wanted or ""


_GROUPS = Words(
    {"mine": "Mine", "part": "I take part", "organisation": "Organisation", "all": "All", "archive": "Archive"}
)
_EMPTY = Words(
    {
        "mine": "You own no debate outside the archive. You own the debates that you start.",
        "part": "You do not take part in anyone else's debate. Join one with a link or a code.",
        "organisation": "No debate is open to the organisation. The owner of a debate can open it.",
        "all": "Every debate is in the archive.",
    }
)


def _choose_group(groups: Mapping[str, Sequence[DebateRow]], *, is_searched: bool) -> Sequence[DebateRow]:
    """The rows of the chosen group; without a choice if there is only one group."""
    first, *others = groups
    if not others:
        return groups[first]
    chosen = st.segmented_control(
        _("Whose debates"),
        list(groups),
        default=first,
        key="home_group",
        required=True,
        format_func=lambda group: f":gray[{_GROUPS[group]} · {len(groups[group])}]",
        label_visibility="collapsed",
    )
    group = chosen if chosen in groups else first
    if not groups[group] and is_searched:
        st.caption(_("No debate in this list matches the search."))
    elif not groups[group]:
        st.caption(_EMPTY[group])
    return groups[group]


def _group_rows(found: Sequence[DebateRow]) -> Mapping[str, Sequence[DebateRow]]:
    """Sort the rows into groups by owner, or into one without a login; archived debates have their own group."""
    me = session.owner()
    groups: dict[str, list[DebateRow]] = {"mine": [], "part": [], "organisation": []} if me else {"all": []}
    archive = []
    cookies = st.context.cookies
    for row in found:
        if row.ownership.archived:
            archive.append(row)
        elif not me:
            groups["all"].append(row)
        elif row.ownership.owner == me:
            groups["mine"].append(row)
        elif session.host().takes_part(row, cookies):
            groups["part"].append(row)
        else:
            groups["organisation"].append(row)
    return groups | ({"archive": archive} if archive else {})


def _draw_waiting(rows: Sequence[DebateRow], numbers: Mapping[str, int], words: Mapping[str, str]) -> None:
    """Draw the debates with a task of this person, in this order."""
    if not rows:
        return
    title = _("Waiting for you")
    st.subheader(title, anchor=False)
    first, more = rows[:PAGE_ROWS], rows[PAGE_ROWS:]
    debate_rows.draw(first, numbers, label=title, key="waiting", words=words)
    if more:
        drawer = st.expander(_("{more} more", more=len(more)), key="more-waiting", on_change="rerun")
        if drawer.open:
            with drawer:
                label = _("Also waiting for you")
                debate_rows.draw_closed(more, numbers, label=label, key="waiting_more", words=words)


def _draw_under_way(rows: Sequence[DebateRow], numbers: Mapping[str, int], title: str, *, with_heading: bool) -> None:
    """Draw debates that go on without this person, a few at a time: each of them is read."""
    if not rows:
        return
    if with_heading:
        st.subheader(title, anchor=False)
    drawn = st.container()
    at = _draw_pages(len(rows), PAGE_ROWS, key="live_page")
    with drawn:
        debate_rows.draw(rows[at : at + PAGE_ROWS], numbers, label=title, key="live")


def _draw_pages(n: int, size: int, *, key: str) -> int:
    """Draw the page numbers of a list if it has several pages; return the place of the first row to draw.

    Call it before drawing the rows: Streamlit resets the page number if there are fewer pages than before.
    """
    pages = -(-n // size)
    page: int = st.pagination(pages, key=key) if pages > 1 else 1
    return (page - 1) * size


_FILTERS: Mapping[str, Callable[[DebateRow], bool]] = {
    message("Decided and signed"): lambda row: STATUS[row.sign_off.standing] == STATUS["accepted"],
    message("Decided, not signed"): lambda row: row.sign_off.standing == "counted",
    message("Undecided"): lambda row: STATUS[row.sign_off.standing] == STATUS["undecided"],
    message("Review due"): lambda row: bool(row.sign_off.revisit),
}


def _draw_over(
    title: str, rows: Sequence[DebateRow], numbers: Mapping[str, int], *, key: str, with_filter: bool
) -> None:
    """Draw debates that are over: a few as rows with their count, else two lines each, a page at a time.

    A filter offers the statuses that occur.
    """
    if not rows:
        return
    if len(rows) <= FEW_ROWS:
        st.subheader(title, anchor=False)
        debate_rows.draw(rows, numbers, label=title, key=key, on_again=setup_again.open_for)
        return
    heading, filters = st.columns([1, 2], vertical_alignment="bottom")
    heading.subheader(title, anchor=False)
    kinds = [name for name, fits in _FILTERS.items() if any(map(fits, rows))]
    kind = None
    if with_filter and len(kinds) > 1:
        with filters.container(horizontal=True, horizontal_alignment="right"):
            kind = st.pills(_("Show"), kinds, key=f"{key}_kind", label_visibility="collapsed", format_func=_in_gray)
    if kind:
        rows = [row for row in rows if _FILTERS[kind](row)]
    drawn = st.container()
    at = _draw_pages(len(rows), CLOSED_ROWS, key=f"{key}_page")
    with drawn:
        shown = rows[at : at + CLOSED_ROWS]
        debate_rows.draw_closed(shown, numbers, label=title, key=key, on_again=setup_again.open_for)


def _in_gray(words: str) -> str:
    """Colour a choice: Streamlit's own colour for the selected one is hard to read in the dark theme."""
    return f":gray[{_(words)}]"


_EXAMPLE = VoteBars(
    voters="room",
    decides=True,
    is_sealed=False,
    rule=Majority(),
    bars=(
        OptionBar("A", "Outbox table", 7, 3, wins=True),
        OptionBar("B", "Change data capture", 4, 6, wins=False),
        OptionBar("C", "Publish with retries", 1, 3, wins=False),
    ),
    of=12,
    needed=7,
    cast=12,
    eligible=12,
)


def welcome() -> None:
    """Draw the page for a person without debates: an introduction, a rehearsal, and questions to start from."""
    introduction, shown = st.columns([6, 5], gap="large", vertical_alignment="center")
    with introduction:
        st.header(_("From an open question to a signed decision"), anchor=False)
        parts.draw_way((_("Ask"), _("Debate"), _("Vote"), _("Sign")), key="steps")
        st.markdown(
            _(
                "Seats argue your options in rounds and quote your documents. You vote against a line that was "
                "agreed before the start."
            )
        )
        first = session.host().rehearsals()[0].name
        if pressed(
            _("Watch a debate"), key="watch", type="primary", icon=_PLAY, help=_("A rehearsal: nothing to type.")
        ):
            rehearsals.enter(partial(session.host().start_rehearsal, first, pace_cps=PACES["Read along"]))
    with shown.container(border=True):
        parts.draw_votes(_EXAMPLE, key="example_votes", title=_("What you get: an example"))
    st.subheader(_("Start from a question"), anchor=False)
    _ask_question()
    rows = [
        parts.plain_row(f"example_{at}", question, " · ".join(options), button=_("Start"))
        for at, (question, options) in enumerate(EXAMPLE_QUESTIONS)
    ]
    if chosen := parts.draw_list(rows, label=_("Questions to start from"), key="examples"):
        _set_up(example(*EXAMPLE_QUESTIONS[int(chosen.removeprefix("example_"))]))


def _ask_question() -> None:
    """Draw a field for a question, which is enough to begin set-up."""
    with (
        st.container(key="asking"),
        st.form("own_question", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        question = st.text_input(_("What needs to be decided?"), max_chars=MAX_QUESTION_CHARS)
        asked = submitted(_("Set it up"), key="set-it-up")
    if asked and question and question.strip():
        _set_up(SetupDraft(question=question))
    elif asked:
        st.error(_("Type first what you have to decide."), icon=":material/error:")


def _set_up(draft: SetupDraft) -> None:
    """Open set-up with this draft; if no model is available, the protocol is a decision by one person."""
    draft_store.begin(draft)
    if not draft_store.current().by_key:
        draft_store.change(draft_store.current(), protocol=SINGLE_CALL.name)
    st.switch_page("setup.py")


def examples_and_files() -> None:
    """Draw rehearsals, and the field for records and scripts, in an expander: few people need them twice."""
    with st.expander(_(EXAMPLES_LABEL), icon=":material/theater_comedy:", key="rehearsals-drawer"):
        draw_rehearsals()
        reopen()


def draw_rehearsals() -> None:
    """Draw one row per shipped rehearsal; one click starts it."""
    pace = st.segmented_control(
        _("Pace"),
        list(PACES),
        default="Read along",
        required=True,
        key="pace",
        help=_("The seats follow a script, so that you can see how a debate runs. No real decision is made."),
        format_func=_in_gray,
    )
    shipped = session.host().rehearsals()
    rows = [parts.plain_row(row.name, row.title, row.summary, button=_("Watch")) for row in shipped]
    if chosen := parts.draw_list(rows, label=_("Examples to watch"), key="rehearsals"):
        rehearsals.enter(partial(session.host().start_rehearsal, chosen, pace_cps=PACES[pace or "Read along"]))


def setups() -> None:
    """Draw the scripts and drafts that were imported on the command line and not opened yet."""
    for name, text in session.host().drafts.scripts().items():
        with st.container(border=True, key=f"setup_{name}"):
            _offer_script(text, name, called=name)
    imports.draw_kept()


def reopen() -> None:
    """Draw the upload of a record, which is verified and added, a script, which can be started, or a file to review."""
    file = st.file_uploader(
        _("A record, a script, a decision record, ballots, a table of options or a transcript"),
        type=[*RECORD_TYPES, "json", *(kind for kind in imports.TYPES if kind not in RECORD_TYPES)],
        key=_FILE,
        on_change=_read_upload,
        help=_(
            "A record (.jsonl, .html) that was changed or cut short is refused, and the line is named. A script "
            "(.json) can be started. Every other file is shown for review first."
        ),
    )
    if file is None:
        return
    if imports.is_reviewed(file.name, file.getvalue()):
        imports.draw_review()
        return
    if is_record_file(file.name):
        _draw_imported(file.name)
        return
    try:
        text = utf8("it", file.getvalue())
    except DebateError as error:
        _show_refusal(file.name, error)
        return
    _offer_script(text, "upload", called=file.name)


def _read_upload() -> None:
    """Import the uploaded record, or read a file for review.

    A callback runs before the list is drawn, which then contains the record, and once for each upload.
    """
    file = st.session_state[_FILE]
    if file is not None and imports.is_reviewed(file.name, file.getvalue()):
        imports.read(file.name, file.getvalue())
        return
    if file is None or not is_record_file(file.name):
        return
    try:
        record_of = partial(session.host().import_record, client=session.client(), owner=session.owner())
        st.session_state[_IMPORTED] = session.as_host(partial(record_of, file.getvalue()))
    except DebateError as error:
        st.session_state[_IMPORTED] = error


def _draw_imported(file_name: str) -> None:
    """Draw the result of the last import, with a button to the results."""
    imported: DebateError | str | None = st.session_state.get(_IMPORTED)
    if isinstance(imported, DebateError):
        _show_refusal(file_name, imported)
    if not isinstance(imported, str):
        return
    state = session.host().state(imported)
    if not session.may_look(state):
        st.error(_("A debate with this id already exists here, and it belongs to someone else."))
        return
    st.success(_("The record is consistent. It is in the list of debates now."))
    record.way_back(state)
    if pressed(_("See its results"), key="see-its-results", type="primary"):
        session.open_page("results.py", imported)


def _show_refusal(called: str, error: DebateError) -> None:
    st.error(safe_text(f"{called}: {session.told(error)}"), icon=":material/error:")


def _offer_script(text: str, key: str, *, called: str) -> None:
    try:
        spec = spec_of(read_script(text))
    except DebateError as error:
        _show_refusal(called, error)
        return
    st.markdown(f"**{safe_line(spec.question)}**")
    st.caption(f"{safe_line(', '.join(spec.options))} · {_n(len(spec.seats), '{n} seat', '{n} seats')}")
    if pressed(_("Start this script"), type="primary", icon=_PLAY, key=f"start_{key}"):
        pace_cps = PACES[st.session_state.get("pace") or "Read along"]
        rehearsals.enter(partial(session.host().create, spec, script_text=text, pace_cps=pace_cps))
