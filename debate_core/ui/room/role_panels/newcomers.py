"""People who came by the link for all: more than were expected, and a way to remove those who came after a moment.

For facilitators. The record keeps who was removed, and the reason.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

import streamlit as st

from debate_core.host.access.door import Door
from debate_core.language import _, _n
from debate_core.record.acts import PersonJoined, PersonLeft
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_SETTING
from debate_core.ui.kit.session import Me
from debate_core.ui.room.invitations import show_out

CROWD = 10
"""Arrivals from one address within one minute from which the facilitator gets a warning."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person who came by the link for all and is still here."""

    person: str
    at: str
    voted: bool
    """True if they have a ballot in a poll that is open."""


def newcomers(door: Door, state: State) -> tuple[Newcomer, ...]:
    """List them in the order of their arrival."""
    invited = {listed.invite.person for listed in door.invitations.of(state.debate)}
    voted = {person for poll in state.room.polls.values() if poll.closed is None for person in poll.ballots}
    return tuple(
        Newcomer(done.fact.person.id, done.at, done.fact.person.id in voted)
        for done in state.room.of(PersonJoined)
        if done.fact.person.id not in invited | state.room.left
    )


def draw_expected_people(state: State, me: Me) -> None:
    """Draw a field for the number of people expected."""
    key = f"expected-{state.debate}"
    kept = session.host().expected_people(state.debate)
    count = st.number_input(
        _("How many people do you expect by the link for all?"),
        0,
        500,
        kept,
        key=key,
        placeholder=_("not said"),
        width=320,
    )
    if count != kept:
        write = partial(session.host().expect_people, state.debate, count)
        session.keep(state.debate, me, write, unsaved=UNSAVED_SETTING)


def draw_warning(state: State, door: Door) -> None:
    """Warn of more people than were expected, and of many from one address."""
    expected = st.session_state.get(f"expected-{state.debate}", session.host().expected_people(state.debate))
    n_came = len(newcomers(door, state))
    if warning := warning_words(n_came, expected, door.arrivals.most_at_once(state.debate)):
        st.warning(warning, icon=":material/group_add:")


def warning_words(n_came: int, n_expected: int | None, most_at_once: int) -> str:
    """The warning for the facilitator; empty if there is none."""
    said = []
    if n_expected is not None and n_came > n_expected:
        said.append(
            _("{n_came} joined by the link for all, {n_expected} expected.", n_came=n_came, n_expected=n_expected)
        )
    if most_at_once >= CROWD:
        said.append(
            _(
                "{most_at_once} of them came from one address within one minute, as from behind one router.",
                most_at_once=most_at_once,
            )
        )
    return " ".join(said)


def draw_removal(state: State, me: Me, door: Door) -> None:
    """Draw the removal of everyone who came by the link for all since a moment, with their ballots in open polls."""
    came = newcomers(door, state)
    if not came:
        return
    since = st.selectbox(
        _("Remove everyone who joined by the public link since"),
        sorted({newcomer.at[:16] for newcomer in came}, reverse=True),
        index=None,
        format_func=lambda moment: moment_words(moment, came),
        key=f"since-{state.debate}",
        placeholder=_("Choose a moment"),
    )
    if since is None:
        return
    reason = st.text_input(_("Reason for removing them"), key=f"why-since-{state.debate}", max_chars=200) or ""
    st.caption(_("They cannot come back. Their ballots in open polls are removed too; finished counts stay."))
    people = _n(len(_later_than(since, came)), "{n} person", "{n} people")
    st.button(
        _("Remove {people}", people=people),
        key=f"remove-since-{state.debate}",
        disabled=not reason.strip(),
        help=None if reason.strip() else _("Write the reason first."),
        on_click=_remove,
        args=(state, me, came),
    )


def _remove(state: State, me: Me, came: tuple[Newcomer, ...]) -> None:
    """Remove the newcomers on the drawn page since the moment that is chosen at the press."""
    since = st.session_state.get(f"since-{state.debate}")
    if since is None:
        return
    reason = str(st.session_state.get(f"why-since-{state.debate}") or "").strip()
    for newcomer in _later_than(since, came):
        if not show_out(state, me, PersonLeft(person=newcomer.person, reason=reason, withdrawn=True)):
            return


def moment_words(moment: str, came: tuple[Newcomer, ...]) -> str:
    """Such as `14:03 UTC: 60 people, 30 ballots`."""
    late = _later_than(moment, came)
    at = datetime.fromisoformat(moment).strftime("%H:%M")
    ballots = _n(sum(newcomer.voted for newcomer in late), "{n} ballot", "{n} ballots")
    people = _n(len(late), "{n} person", "{n} people")
    return _("{at} UTC: {people}, {ballots}", at=at, people=people, ballots=ballots)


def _later_than(moment: str, came: tuple[Newcomer, ...]) -> list[Newcomer]:
    return [newcomer for newcomer in came if newcomer.at[:16] >= moment]
