"""The pieces of the debates page: its head, the lists, the first page of all, and examples and files to open.

Knows no rules; asks the host.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from debate_core.errors import DebateError
from debate_core.host.debate_list import DebateRow, SignOff
from debate_core.host.door.cookies import cookie_name
from debate_core.host.uploads import utf8
from debate_core.language import Words, _, _n, message, said
from debate_core.report.facts.vote_bars import OptionBar, VoteBars
from debate_core.seats.scripted import Script, read_script, spec_of
from debate_core.spec.presets import EXAMPLE_QUESTIONS
from debate_core.spec.presets.systems import SINGLE_CALL
from debate_core.spec.values import MAX_QUESTION_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.face.parts import RowPart
from debate_core.ui.kit.presses import pressed, submitted
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.pages import debate_rows, record
from debate_core.ui.pages.debate_rows import GOING_ON, JUDGE_FIRST
from debate_core.ui.room import join
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import SetupDraft, example
from debate_core.ui.setup.people import WORKSHOPS, of_workshop

PACES = {message("Read along"): 60, message("Quick"): 400, message("At once"): 0}
"""Characters per second; 0 = each turn appears whole."""
PAGE_ROWS = 8
"""Of one list; with more debates than this there is a search."""
EXAMPLES_LABEL = message("Examples to watch, and files to open")
_WORKSHOP = message(
    "People in a room decide, in 25 minutes: they join with their phones, vote before and after, and one of them signs."
)
_PLAY = ":material/play_arrow:"


def unspoiled(rows: Sequence[DebateRow]) -> tuple[DebateRow, ...]:
    """Every row; of a debate that whoever sits here has to judge or may have to, nothing of what was decided."""
    return tuple(_without_decision(row) if _to_be_judged(row) else row for row in rows)


def _without_decision(row: DebateRow) -> DebateRow:
    return replace(row, status="over", decision=_(JUDGE_FIRST), sign_off=SignOff())


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


def head() -> DeltaGenerator:
    """The title; at the right the field for a code and a new debate, in a row that is returned."""
    title, right = st.columns([2, 3], vertical_alignment="center")
    title.title(_("Debates"), anchor=False)
    ways = right.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center")
    with ways:
        with st.container(width=250):
            join.show("home")
        if pressed(_("New workshop"), key="new_workshop", icon=":material/groups:", help=_(_WORKSHOP)):
            draft_store.begin(of_workshop(WORKSHOPS[0]))
            st.switch_page("setup.py")
        if pressed(_("New debate"), key="new_debate", icon=":material/add:"):
            st.switch_page("setup.py")
    return ways


def lists(rows: Sequence[DebateRow]) -> None:
    """What waits for me, what goes on, what is over; with many debates a search."""
    if len(rows) > PAGE_ROWS:
        with st.container(width=420):
            field = st.text_input(
                _("Search"),
                key="home_search",
                placeholder=_("Words of a question"),
                type="search",
                label_visibility="collapsed",
            )
        wanted = field or ""
        rows = matching(rows, wanted)
        if not rows:
            st.caption(_("No question has {wanted} in it.", wanted=safe_line(wanted or "")))
    away = [row for row in rows if row.ownership.archived]
    words = {row.id: debate_rows.my_word(row) for row in rows if not row.ownership.archived}
    _waiting([row for row in rows if words.get(row.id)], words)
    rows = _chosen([row for row in rows if row.id in words], away)
    live = [row for row in rows if debate_rows.goes_on(row) and not words.get(row.id)]
    if live:
        st.subheader(_("Live"), anchor=False)
        debate_rows.draw(live, label=_("Live"), key="live")
    closed = [row for row in rows if not debate_rows.goes_on(row) and not words.get(row.id)]
    if closed:
        _closed(closed, with_filter=len(rows) > PAGE_ROWS)
    if rows and session.owner() and not live and not closed:
        st.caption(_("All of these wait for you, above."))


_GROUPS = Words(
    {"mine": "Mine", "part": "I take part", "organisation": "Organisation", "all": "All", "archive": "Archive"}
)
_EMPTY = Words(
    {
        "mine": "You own no debate that is not in the archive. Whoever starts one owns it.",
        "part": "You take part in no debate of somebody else. A link or a code lets you into one.",
        "organisation": "No debate is open to the organisation. Whoever owns one can open it.",
    }
)


def _chosen(rows: Sequence[DebateRow], away: Sequence[DebateRow]) -> Sequence[DebateRow]:
    """The rows of one group; whoever is logged in chooses by whose they are."""
    groups = _groups(rows)
    if away:
        groups["archive"] = away
    if len(groups) == 1:
        return rows
    chosen = st.segmented_control(
        _("Whose debates"),
        list(groups),
        default=next(iter(groups)),
        key="home_group",
        required=True,
        format_func=lambda group: f":gray[{_GROUPS[group]} · {len(groups[group])}]",
        label_visibility="collapsed",
    )
    shown = groups.get(chosen or "", rows)
    if not shown and chosen in _EMPTY:
        st.caption(_EMPTY[chosen])
    return shown


def _groups(rows: Sequence[DebateRow]) -> dict[str, Sequence[DebateRow]]:
    """What is mine, what I take part in, and what all who log in may read; in one where nobody is logged in."""
    me, host = session.owner(), session.host()
    if not me:
        return {"all": rows}
    mine = [row for row in rows if row.ownership.owner == me]
    others = [row for row in rows if row.ownership.owner != me]
    in_them = {row.id for row in others if host.takes_part(row, st.context.cookies)}
    return {
        "mine": mine,
        "part": [row for row in others if row.id in in_them],
        "organisation": [row for row in others if row.id not in in_them],
    }


def _waiting(rows: Sequence[DebateRow], words: Mapping[str, str]) -> None:
    if not rows:
        return
    st.subheader(_("Waiting for you"), anchor=False)
    shown, more = rows[:PAGE_ROWS], rows[PAGE_ROWS:]
    debate_rows.draw(shown, label=_("Waiting for you"), key="waiting", words=words, first_is_next=True)
    if more:
        with st.expander(_("{more} more", more=len(more)), key="more-waiting"):
            debate_rows.draw(more, label=_("Also waiting for you"), key="waiting_more", words=words)


_FILTERS: Mapping[str, Callable[[DebateRow], bool]] = {
    "Accepted": lambda row: row.sign_off.signed in ("accept", "accept_with_changes"),
    "Not signed": lambda row: not row.sign_off.signed,
    "Undecided": lambda row: row.status in ("undecided", "truncated", "aborted"),
    "Look again": lambda row: bool(row.sign_off.revisit),
}


def _closed(rows: Sequence[DebateRow], *, with_filter: bool) -> None:
    """Debates that are over, latest first, a page at a time."""
    title, filters = st.columns([1, 2], vertical_alignment="bottom")
    title.subheader(_("Closed"), anchor=False)
    if with_filter:
        with filters.container(horizontal=True, horizontal_alignment="right"):
            kinds = [*_FILTERS]
            kind = st.pills(_("Show"), kinds, key="closed_kind", label_visibility="collapsed", format_func=_in_gray)
        rows = [row for row in rows if _FILTERS[kind](row)] if kind else rows
    if not rows:
        st.caption(_("None of them."))
        return
    pages = -(-len(rows) // PAGE_ROWS)
    page = st.session_state.get("finished_page", 1) if pages > 1 else 1
    at = (min(page, pages) - 1) * PAGE_ROWS
    debate_rows.draw(rows[at : at + PAGE_ROWS], label=_("Closed"), key="closed")
    if pages > 1:
        st.pagination(pages, key="finished_page")


def _in_gray(words: str) -> str:
    """Streamlit writes what is chosen in the colour of its buttons, which is hard to read in the dark."""
    return f":gray[{_(words)}]"


_EXAMPLE = VoteBars(
    voters="room",
    decides=True,
    is_sealed=False,
    unit="votes",
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
    """The page of whoever has no debate yet: what this is, one to watch, and questions to start from."""
    told, shown = st.columns([6, 5], gap="large", vertical_alignment="center")
    with told:
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
            _start(first, PACES["Read along"])
    with shown.container(border=True):
        parts.draw_votes(_EXAMPLE, key="example_votes", title=_("What you get: an example"))
    st.subheader(_("Start from a question"), anchor=False)
    _own_question()
    rows = [
        _plain_row(f"example_{at}", question, " · ".join(options), button=_("Start"))
        for at, (question, options) in enumerate(EXAMPLE_QUESTIONS)
    ]
    if chosen := parts.draw_list(rows, label=_("Questions to start from"), key="examples"):
        _set_up(example(*EXAMPLE_QUESTIONS[int(chosen.removeprefix("example_"))]))


def _own_question() -> None:
    """A question is enough to begin with; Enter takes it to set-up."""
    with (
        st.container(key="asking"),
        st.form("own_question", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        question = st.text_input(_("What do you have to decide?"), max_chars=MAX_QUESTION_CHARS)
        asked = submitted(_("Set it up"), key="set-it-up")
    if asked and question:
        _set_up(SetupDraft(question=question))


def _set_up(draft: SetupDraft) -> None:
    """Set-up begins with this; where no model can argue, whoever sits here decides."""
    draft_store.begin(draft)
    if not draft_store.current().by_key:
        draft_store.change(draft_store.current(), protocol=SINGLE_CALL.name)
    st.switch_page("setup.py")


def _plain_row(name: str, title: str, beside: str, *, button: str) -> RowPart:
    return RowPart(
        name=name,
        question=title,
        beside=beside,
        chips=[],
        phases=[],
        stands="",
        letter="",
        decided=False,
        votes=None,
        count="",
        button=button,
        primary=False,
        date="",
    )


def examples_and_files() -> None:
    """Rehearsals to watch, and records and scripts to open; folded away, as few need them twice."""
    with st.expander(_(EXAMPLES_LABEL), icon=":material/theater_comedy:", key="rehearsals-drawer"):
        rehearsals()
        reopen()


def rehearsals() -> None:
    """One row per shipped rehearsal; one click starts it."""
    help_words = _("Scripted seats speak, so that you can see how a debate runs. Nobody decided anything in one.")
    pace = st.segmented_control(
        _("Pace"),
        list(PACES),
        default="Read along",
        required=True,
        key="pace",
        help=help_words,
        format_func=_in_gray,
    )
    rows = [_plain_row(row.name, row.title, row.summary, button=_("Watch")) for row in session.host().rehearsals()]
    if chosen := parts.draw_list(rows, label=_("Examples to watch"), key="rehearsals"):
        _start(chosen, PACES[pace or "Read along"])


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
        debate_id = start(by=session.FACILITATOR, client=session.client(), owner=session.owner())
    except DebateError as error:
        st.error(safe_text(said(error)), icon=":material/error:")
        return
    session.open_room_as_facilitator(debate_id)


def reopen() -> None:
    """A record comes back as it was, after it has been re-counted; a script can be started."""
    file = st.file_uploader(
        _("A record (events.jsonl) or a script (.json)"),
        type=["jsonl", "json"],
        key="reopen",
        help=_("A record that was changed or cut short is refused, and the line is named."),
    )
    if file is None:
        return
    try:
        if file.name.endswith(".jsonl"):
            data = file.getvalue()
            debate_id = session.host().import_record(data, client=session.client(), owner=session.owner())
            if not session.may_look(session.host().state(debate_id)):
                st.error(_("A debate with this id is here already, and it is somebody else's."))
                return
            st.success(_("The record keeps its own rules. It is in the list of debates now."))
            record.way_back(session.host().state(debate_id))
            if pressed(_("See its results"), key="see-its-results", type="primary"):
                session.open_page("results.py", debate_id)
            return
        text = utf8("it", file.getvalue())
        script = read_script(text)
    except DebateError as error:
        st.error(safe_text(f"{file.name}: {said(error)}"), icon=":material/error:")
        return
    _offer(script, text, "upload")


def _offer(script: Script, text: str, key: str) -> None:
    try:
        spec = spec_of(script)
    except DebateError as error:
        st.error(safe_text(said(error)), icon=":material/error:")
        return
    st.markdown(f"**{safe_line(spec.question)}**")
    st.caption(f"{safe_line(', '.join(spec.options))} · {_n(len(spec.seats), '{n} seat', '{n} seats')}")
    if pressed(_("Start this script"), type="primary", icon=_PLAY, key=f"start_{key}"):
        pace_cps = PACES[st.session_state.get("pace") or "Read along"]
        _enter(partial(session.host().create, spec, script_text=text, pace_cps=pace_cps))
