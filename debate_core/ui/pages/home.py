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
from debate_core.language import Words, _, _n, message
from debate_core.report.facts.vote_bars import OptionBar, VoteBars
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.presets import EXAMPLE_QUESTIONS
from debate_core.spec.presets.systems import SINGLE_CALL
from debate_core.spec.rules import Majority
from debate_core.spec.values import MAX_QUESTION_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.face import parts
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
_FILE = "reopen"
_TAKEN = "reopen-taken"
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
    wanted = _search() if len(rows) > PAGE_ROWS else ""
    found = matching(rows, wanted)
    if not found:
        st.caption(_("No question has {wanted} in it.", wanted=safe_line(wanted)))
        return
    words = _my_words(found)
    numbers = debate_rows.numbers(rows)
    now = debate_rows.running_now(found)
    is_live = now is not None and now.id not in words
    with st.container():
        if now and is_live:
            _live([now], numbers, title=_("Live"), key="live_now", large=now)
        _waiting([row for row in found if row.id in words], numbers, words, large=now)
    shown = _chosen(found, is_searched=bool(wanted.split()))
    others = [row for row in shown if row.id not in words and row is not now]
    title = _("Also live") if is_live else _("Live")
    _live([row for row in others if debate_rows.goes_on(row)], numbers, title=title)
    _closed([row for row in others if not debate_rows.goes_on(row)], numbers, with_filter=len(shown) > PAGE_ROWS)
    if shown and not others and session.owner():
        st.caption(_("All of these wait for you, above."))


def _search() -> str:
    """What is looked for; empty for everything."""
    with st.container(width=420):
        wanted = st.text_input(
            _("Search"),
            key="home_search",
            placeholder=_("Words of a question"),
            type="search",
            label_visibility="collapsed",
        )
    return wanted or ""


def _my_words(rows: Sequence[DebateRow]) -> Mapping[str, str]:
    """Debate -> the word on its button, for those that wait for me; what is put away waits for nobody."""
    words = {row.id: debate_rows.my_word(row) for row in rows if not row.ownership.archived}
    return {debate: word for debate, word in words.items() if word}


_GROUPS = Words(
    {"mine": "Mine", "part": "I take part", "organisation": "Organisation", "all": "All", "archive": "Archive"}
)
_EMPTY = Words(
    {
        "mine": "You own no debate that is not in the archive. Whoever starts one owns it.",
        "part": "You take part in no debate of somebody else. A link or a code lets you into one.",
        "organisation": "No debate is open to the organisation. Whoever owns one can open it.",
        "all": "Every debate is in the archive.",
    }
)


def _chosen(found: Sequence[DebateRow], *, is_searched: bool) -> Sequence[DebateRow]:
    """The rows of one group; whoever is logged in chooses by whose they are."""
    groups = _groups(found)
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
        st.caption(_("None of these has the words that you look for."))
    elif not groups[group]:
        st.caption(_EMPTY[group])
    return groups[group]


def _groups(found: Sequence[DebateRow]) -> Mapping[str, Sequence[DebateRow]]:
    """By whose they are, and what was put away."""
    away = [row for row in found if row.ownership.archived]
    groups = _by_owner([row for row in found if not row.ownership.archived])
    return {**groups, "archive": away} if away else groups


def _by_owner(rows: Sequence[DebateRow]) -> Mapping[str, Sequence[DebateRow]]:
    """What is mine, what I take part in, and what all who log in may read; in one where nobody is logged in."""
    me = session.owner()
    if not me:
        return {"all": rows}
    groups: dict[str, list[DebateRow]] = {"mine": [], "part": [], "organisation": []}
    for row in rows:
        groups[_group_of(row, me)].append(row)
    return groups


def _group_of(row: DebateRow, me: str) -> str:
    if row.ownership.owner == me:
        return "mine"
    return "part" if session.host().takes_part(row, st.context.cookies) else "organisation"


def _waiting(
    rows: Sequence[DebateRow], numbers: Mapping[str, int], words: Mapping[str, str], *, large: DebateRow | None
) -> None:
    """Draw debates that go on in a room before signatures, which can wait."""
    if not rows:
        return
    st.subheader(_("Waiting for you"), anchor=False)
    rows = sorted(rows, key=lambda row: (row is not large, not debate_rows.runs_with_people(row)))
    more = rows[PAGE_ROWS:]
    first = rows[:PAGE_ROWS]
    label = _("Waiting for you")
    debate_rows.draw(first, numbers, label=label, key="waiting", words=words, first_is_next=True, large=large)
    if more:
        with st.expander(_("{more} more", more=len(more)), key="more-waiting"):
            debate_rows.draw(more, numbers, label=_("Also waiting for you"), key="waiting_more", words=words)


def _live(
    rows: Sequence[DebateRow],
    numbers: Mapping[str, int],
    *,
    title: str,
    key: str = "live",
    large: DebateRow | None = None,
) -> None:
    if rows:
        st.subheader(title, anchor=False)
        rows = sorted(rows, key=lambda row: not debate_rows.runs_with_people(row))
        debate_rows.draw(rows, numbers, label=title, key=key, large=large)


_FILTERS: Mapping[str, Callable[[DebateRow], bool]] = {
    "Accepted": lambda row: (
        row.sign_off.option is not None and bool(row.sign_off.signed) and not row.sign_off.waits_for
    ),
    "Not signed": lambda row: not row.sign_off.signed,
    "Undecided": lambda row: row.sign_off.option is None and not row.sign_off.signed,
    "Review due": lambda row: bool(row.sign_off.revisit),
}


def _closed(rows: Sequence[DebateRow], numbers: Mapping[str, int], *, with_filter: bool) -> None:
    """Debates that are over, latest first, a page at a time."""
    if not rows:
        return
    title, filters = st.columns([1, 2], vertical_alignment="bottom")
    title.subheader(_("Closed"), anchor=False)
    if with_filter:
        with filters.container(horizontal=True, horizontal_alignment="right"):
            kinds = [*_FILTERS]
            kind = st.pills(_("Show"), kinds, key="closed_kind", label_visibility="collapsed", format_func=_in_gray)
        if kind:
            rows = [row for row in rows if _FILTERS[kind](row)]
    if not rows:
        st.caption(_("None of them."))
        return
    drawn = st.container()
    pages = -(-len(rows) // PAGE_ROWS)
    # Drawn first: with fewer pages than before it begins again with the first one.
    page = st.pagination(pages, key="finished_page") if pages > 1 else 1
    at = (page - 1) * PAGE_ROWS
    with drawn:
        debate_rows.draw(rows[at : at + PAGE_ROWS], numbers, label=_("Closed"), key="closed")


def _in_gray(words: str) -> str:
    """Streamlit writes what is chosen in the colour of its buttons, which is hard to read in the dark."""
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
        parts.plain_row(f"example_{at}", question, " · ".join(options), button=_("Start"))
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
    if asked and question and question.strip():
        _set_up(SetupDraft(question=question))
    elif asked:
        st.error(_("Type first what you have to decide."), icon=":material/error:")


def _set_up(draft: SetupDraft) -> None:
    """Set-up begins with this; where no model can argue, whoever sits here decides."""
    draft_store.begin(draft)
    if not draft_store.current().by_key:
        draft_store.change(draft_store.current(), protocol=SINGLE_CALL.name)
    st.switch_page("setup.py")


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
    shipped = session.host().rehearsals()
    rows = [parts.plain_row(row.name, row.title, row.summary, button=_("Watch")) for row in shipped]
    if chosen := parts.draw_list(rows, label=_("Examples to watch"), key="rehearsals"):
        _start(chosen, PACES[pace or "Read along"])


def setups() -> None:
    """Scripts that were imported on the command line and wait to be started."""
    for name, text in session.host().drafts.scripts().items():
        with st.container(border=True, key=f"setup_{name}"):
            _offer(text, name, called=name)


def _start(name: str, pace_cps: int) -> None:
    _enter(partial(session.host().start_rehearsal, name, pace_cps=pace_cps))


def _enter(start: Callable[..., str]) -> None:
    """Open a debate and go to its room, or say why there is none."""
    try:
        begin = partial(start, by=session.FACILITATOR, client=session.client(), owner=session.owner())
        debate_id = session.as_host(begin)
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
        return
    session.open_room_as_facilitator(debate_id)


def reopen() -> None:
    """A record comes back as it was, after it has been re-counted; a script can be started."""
    file = st.file_uploader(
        _("A record (events.jsonl) or a script (.json)"),
        type=["jsonl", "json"],
        key=_FILE,
        on_change=_take_in,
        help=_("A record that was changed or cut short is refused, and the line is named."),
    )
    if file is None:
        return
    if file.name.endswith(".jsonl"):
        _taken_in(file.name)
        return
    try:
        text = utf8("it", file.getvalue())
    except DebateError as error:
        _refused(file.name, error)
        return
    _offer(text, "upload", called=file.name)


def _take_in() -> None:
    """Before the list is drawn, so that it has the record; once, however often the page is drawn with the file."""
    file = st.session_state[_FILE]
    if file is None or not file.name.endswith(".jsonl"):
        return
    try:
        take_in = partial(session.host().import_record, client=session.client(), owner=session.owner())
        taken = session.as_host(partial(take_in, file.getvalue()))
    except DebateError as error:
        st.session_state[_TAKEN] = error
    else:
        st.session_state[_TAKEN] = taken


def _taken_in(file_name: str) -> None:
    """What became of the record that was brought last, and the way to its results."""
    taken: DebateError | str | None = st.session_state.get(_TAKEN)
    if isinstance(taken, DebateError):
        _refused(file_name, taken)
    if not isinstance(taken, str):
        return
    state = session.host().state(taken)
    if not session.may_look(state):
        st.error(_("A debate with this id is here already, and it is somebody else's."))
        return
    st.success(_("The record keeps its own rules. It is in the list of debates now."))
    record.way_back(state)
    if pressed(_("See its results"), key="see-its-results", type="primary"):
        session.open_page("results.py", taken)


def _refused(called: str, error: DebateError) -> None:
    st.error(safe_text(f"{called}: {session.told(error)}"), icon=":material/error:")


def _offer(text: str, key: str, *, called: str) -> None:
    try:
        spec = spec_of(read_script(text))
    except DebateError as error:
        _refused(called, error)
        return
    st.markdown(f"**{safe_line(spec.question)}**")
    st.caption(f"{safe_line(', '.join(spec.options))} · {_n(len(spec.seats), '{n} seat', '{n} seats')}")
    if pressed(_("Start this script"), type="primary", icon=_PLAY, key=f"start_{key}"):
        pace_cps = PACES[st.session_state.get("pace") or "Read along"]
        _enter(partial(session.host().create, spec, script_text=text, pace_cps=pace_cps))
