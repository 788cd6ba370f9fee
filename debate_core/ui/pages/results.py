"""The results page: the decision, and below it tabs, of which only the open one is drawn."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import streamlit as st

from debate_core.language import _, _n, message
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.polls import poll_progress, revealed_results
from debate_core.report.facts.who_judged import judges as judges_of
from debate_core.report.figures import ranking, votes
from debate_core.report.phrases.tournament import compared_words
from debate_core.report.phrases.voters import WHO
from debate_core.spec.contents import Evaluation
from debate_core.ui.kit import session
from debate_core.ui.kit.chart import draw_chart
from debate_core.ui.kit.components.ranked import draw_matches, draw_proposals
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.results import (
    ballots,
    decision,
    evidence,
    judges,
    offices,
    overview,
    polls,
    process,
    recommendation,
    sections,
    synthesis,
    transcript,
    whatif,
)
from debate_core.ui.results.tabs import TAB, TURN, tab_row
from debate_core.ui.room import spending
from debate_core.ui.room.live.transcript import blind_seats
from debate_core.ui.room.role_panels import links

_STYLE = """<style>
@media (max-width: 500px) { [data-testid="stTabs"] [role="tablist"] { gap: 0.5rem } }
</style>"""
"""All tabs in one row of a phone."""
DETAIL = "vote-detail"
"""The chosen detail below the votes, in the session."""


def show(account: Account) -> None:
    """Draw the decision and the tabs; the address keeps the open tab."""
    empty = {*_empty_tabs(account)}
    tab_of = {_(name): name for name in _TABS if name not in empty}
    known = list(tab_of)
    row = tab_row()
    is_first = _open_tab(row, tab_of) == known[0]
    # Containers keep the buttons and tabs below in place, regardless of the number of elements.
    with st.container():
        if is_first:
            in_places((overview.hero, overview.alarms, overview.buttons), account)
        else:
            in_places((overview.strip, overview.alarms), account)
        overview.desk(account)
        st.html(_STYLE)
    tabs = st.tabs(known, key=row, on_change="rerun")
    for name, tab in zip(known, tabs, strict=True):
        if tab.open:
            with tab:
                _TABS[tab_of[name]](account)


def _empty_tabs(account: Account) -> Iterator[str]:
    """Yield the tabs that can have no content in this debate."""
    if not judges_of(account.state) and not account.turns_giving(Evaluation):
        yield "Judges"
    if account.ruling.is_compared and not account.claims and not _has_synthesis(account):
        yield "Evidence"


def _has_synthesis(account: Account) -> bool:
    """True if a phase of this protocol gives a synthesis."""
    return any(phase.gives == "synthesis" for phase in account.state.spec.protocol.phases())


def _open_tab(row: str, tab_of: Mapping[str, str]) -> str:
    """The open tab of this row; the address gets its English name, which opens it in every language."""
    first = next(iter(tab_of))
    if row not in st.session_state:
        st.session_state[row] = _(st.query_params.get(TAB, "Overview"))
    if st.session_state[row] not in tab_of:
        # The tab was open for another debate, or its name is mistyped.
        st.session_state[row] = first
    opened: str = st.session_state[row]
    if tab_of[opened] != "Transcript":
        st.query_params.pop(TURN, None)
    if opened == first:
        st.query_params.pop(TAB, None)
    else:
        st.query_params[TAB] = tab_of[opened]
    return opened


def _draw_votes(account: Account) -> None:
    """Draw the votes that decide; below them one detail, drawn once it is chosen."""
    decides = account.state.spec.terms.decides
    if decides == "debaters":
        in_places([_draw_votes_of_seats], account)
    else:
        in_places([polls.show], account, [decides])
    details = [*_list_details(account)]
    labels = {name: label for name, label, _draw in details}
    if not details:
        return
    st.subheader(_("Details"), anchor=False)
    if st.session_state.get(DETAIL) not in labels:
        # The detail was chosen for another debate.
        st.session_state.pop(DETAIL, None)
    chosen = st.pills(_("Details"), labels, format_func=labels.__getitem__, key=DETAIL, label_visibility="collapsed")
    for name, _label, draw in details:
        if name == chosen:
            with st.container(key=f"detail-{name}"):
                draw(account)


def _list_details(account: Account) -> Iterator[tuple[str, str, Callable[[Account], None]]]:
    """Name, label and drawing of each table or calculation about the votes."""
    state = account.state
    decides = state.spec.terms.decides
    if any(revealed_results(state)):
        yield "recount", _(":material/calculate: Find your ballot by its receipt"), polls.recount
    if decides == "debaters":
        if votes.sureness_table(account):
            yield "sure", _(":material/table: How sure the seats were"), _draw_sureness
    elif moved := polls.moved_of(account, decides):
        label = _n(
            len(moved),
            ":material/table: {n} change of mind: {voters}",
            ":material/table: {n} changes of mind: {voters}",
            voters=WHO[decides],
        )
        yield "moves", label, partial(polls.draw_moves, electorates=[decides])
    yield from _list_advice(state)
    if whatif.can_ask(account):
        yield "what-if", _(":material/alt_route: What if"), whatif.section


def _list_advice(state: State) -> Iterator[tuple[str, str, Callable[[Account], None]]]:
    """The same for the votes that do not decide."""
    decides = state.spec.terms.decides
    advisers = [row.electorate for row in poll_progress(state, "final") if row.electorate != decides]
    if state.spec.has_people and advisers:
        shown = (polls.show, polls.draw_moves)
        label = _(":material/groups: Advice of the people")
        yield "advice-people", label, lambda account: in_places(shown, account, advisers)
    if decides != "debaters":
        label = _(":material/event_seat: Advice of the seats")
        yield "advice-seats", label, lambda account: in_places((_draw_votes_of_seats, _draw_sureness), account)


def _draw_votes_of_seats(account: Account) -> None:
    state = account.state
    if account.ruling.is_compared:
        _draw_ranking(account)
        return
    st.header(_("Votes of the seats") if state.spec.has_people else _("Votes"), anchor=False)
    if not state.counted:
        is_counted = account.ruling.is_counted
        st.caption(_("No ballot has been counted.") if is_counted else _("These rules count no ballots."))
    ballots.draw_vote(account, "debaters")
    if not state.counted:
        return
    st.subheader(_("Ballots that changed"), anchor=False)
    sections.changes(account)
    polls.draw_crux(account, "debaters")


def _draw_sureness(account: Account) -> None:
    if sure := votes.sureness_table(account):
        st.caption(_("Self-reported. The track record shows how often such estimates were right."))
        draw_table(sure, alt=_("How sure each seat said it was"))


def _draw_ranking(account: Account) -> None:
    st.header(_("Ranking"), anchor=False)
    st.caption(
        _("{compared}. The line through each point is its 95 % interval.", compared=compared_words(account.state))
    )
    if blind_seats(account.state, account.reader.holds):
        st.caption(_("Shown once you have given your comparisons of this round, so that it does not influence you."))
        return
    if not account.compared:
        st.caption(_("Nothing has been compared yet."))
        return
    draw_chart(account, ranking.RANKING)
    if account.state.outcome and session.may_host():
        best = {"best": account.state.debate}
        st.page_link("setup.py", label=_("Debate the best"), icon=":material/forum:", query_params=best)
    draw_matches(account)
    draw_proposals(account)


def _draw_evidence(account: Account) -> None:
    with st.container():
        evidence.show(account)
    with st.container():
        if _has_synthesis(account):
            st.header(_("Synthesis"), anchor=False)
            synthesis.show(account)


def _draw_process(account: Account) -> None:
    in_places((process.at_a_glance, process.course, process.against_result), account)
    with st.container():
        if account.overrides:
            with st.expander(_("What people did"), icon=":material/table:", key="what-people-did"):
                sections.acts(account)
    in_places((offices.participation, offices.steering), account)
    in_places([process.hints], account)
    with st.container():
        if spending.has_models(account.state):
            st.header(_("Models and cost"), anchor=False)
            spending.section(account)


def _draw_files(account: Account) -> None:
    st.header(_("Downloads"), anchor=False)
    with st.container():
        if decision.has_file(account):
            page, repository, everything = st.columns(3)
            decision.decision_file(account, page, repository)
            sections.exports(account, everything, with_page=False)
        else:
            sections.exports(account, st.container(), with_page=True)
    with st.container():
        links.to_read(account.state)


_TABS: Mapping[str, Callable[[Account], None]] = {
    message("Overview"): lambda account: in_places(
        (recommendation.section, overview.section, offices.verdicts), account
    ),
    message("Votes"): _draw_votes,
    message("Evidence"): _draw_evidence,
    message("Transcript"): transcript.show,
    message("Judges"): lambda account: in_places((judges.show, offices.evaluations), account),
    message("Process"): _draw_process,
    message("Files"): _draw_files,
}
