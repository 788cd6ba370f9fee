"""Who came by the link for all: how many more than were expected, and a way to remove whoever came after a moment.

For facilitators. What is removed stays in the record, and so does the reason.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

import streamlit as st

from debate_core.host.door.door import Door
from debate_core.language import _, _n
from debate_core.record.acts import PersonJoined, PersonLeft
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_SETTING
from debate_core.ui.kit.session import Me
from debate_core.ui.room.invitations import show_out

CROWD = 10
"""From so many on within one minute from one address it is worth a look."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who came by the link for all, and is still here."""

    person: str
    at: str
    voted: bool
    """True if they have a ballot in a poll that is open."""


def newcomers(door: Door, state: State) -> tuple[Newcomer, ...]:
    """In the order in which they came."""
    invited = {listed.invite.person for listed in door.invitations.of(state.debate)}
    voted = {person for poll in state.room.polls.values() if poll.closed is None for person in poll.ballots}
    return tuple(
        Newcomer(done.fact.person.id, done.at, done.fact.person.id in voted)
        for done in state.room.of(PersonJoined)
        if done.fact.person.id not in invited | state.room.left
    )


def expected(state: State, me: Me, door: Door) -> None:
    """A field for how many people should come, and what is odd about those who did."""
    came = newcomers(door, state)
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
    if warning := warning_words(len(came), count, door.arrivals.most_at_once(state.debate)):
        st.warning(warning, icon=":material/group_add:")


def warning_words(n_came: int, n_expected: int | None, most_at_once: int) -> str:
    """What whoever leads should look at; empty if there is nothing."""
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


def remove(state: State, me: Me, door: Door) -> None:
    """Choose a moment; everybody who came by the link for all after it goes, with their ballots in open polls."""
    came = newcomers(door, state)
    if not came:
        return
    moments = sorted({newcomer.at[:16] for newcomer in came}, reverse=True)
    since = st.selectbox(
        _("Remove everyone who joined by the public link since"),
        moments,
        index=None,
        format_func=lambda moment: moment_words(moment, came),
        key=_since(state),
        placeholder=_("Choose a moment"),
    )
    if since is None:
        return
    st.text_input(_("Reason for removing them"), key=f"why-since-{state.debate}", max_chars=200)
    reason = _reason(state)
    st.caption(_("They cannot come back. Their ballots in open polls go with them; what was counted before stays."))
    st.button(
        _("Remove {people}", people=_people(len(_late(since, came)))),
        key=f"remove-since-{state.debate}",
        disabled=not reason,
        help=None if reason else _("Write the reason first."),
        on_click=_remove,
        args=(state, me, came),
    )


def moment_words(moment: str, came: tuple[Newcomer, ...]) -> str:
    """`14:03 UTC: 60 people, 30 ballots`."""
    late = _late(moment, came)
    at = datetime.fromisoformat(moment).strftime("%H:%M")
    ballots = _n(sum(newcomer.voted for newcomer in late), "{n} ballot", "{n} ballots")
    return _("{at} UTC: {people}, {ballots}", at=at, people=_people(len(late)), ballots=ballots)


def _late(moment: str, came: tuple[Newcomer, ...]) -> list[Newcomer]:
    return [newcomer for newcomer in came if newcomer.at[:16] >= moment]


def _since(state: State) -> str:
    return f"since-{state.debate}"


def _reason(state: State) -> str:
    """What stands in the field now."""
    return str(st.session_state.get(f"why-since-{state.debate}") or "").strip()


def _people(n: int) -> str:
    return _("1 person") if n == 1 else _("{people} people", people=n)


def _remove(state: State, me: Me, came: tuple[Newcomer, ...]) -> None:
    """Of those whom the page has counted, all since the moment that is chosen as the button is pressed."""
    since = st.session_state.get(_since(state))
    if since is None:
        return
    reason = _reason(state)
    for newcomer in _late(since, came):
        if not show_out(state, me, PersonLeft(person=newcomer.person, reason=reason, withdrawn=True)):
            return
