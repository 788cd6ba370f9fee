"""The lobby until the first turn: how to join, the people who have come, and the ground rules.

For a stranger, an explanation and the field for the code.
"""

from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta

import streamlit as st

from debate_core.engine import stage
from debate_core.host.access.door import Door
from debate_core.language import _, _n, message
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.report.phrases.agreement import contract
from debate_core.report.phrases.voters import WITH_A_VOTE
from debate_core.spec.people import Person
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id, safe_line
from debate_core.ui.kit.words import HEADS
from debate_core.ui.room import invitations, join
from debate_core.ui.room.role_panels import links, newcomers, workshop_date
from debate_core.ui.setup.summary import contract_card

LOOK_S = 2.0
FOR_THE_WALL = message(
    "Open it on the computer of the projector: this link shows the page on the wall, and nothing else."
)
GATHERING = ("lobby", "prevote")
OBSERVING = message("You are watching. To take part you need a link to this debate.")


def draw_lobby(state: State, me: Me) -> None:
    """Draw the lobby for this person; nothing once the debate has begun."""
    if not gathers(state):
        return
    if me.person is None:
        _draw_agreement(state)
    elif me.facilitator:
        _draw_for_facilitator(state, me)
    else:
        assert me.person is not None
        with st.container(border=True, key="lobby-guest"):
            st.subheader(_title(state) or _("The debate begins soon"), anchor=False)
            st.markdown(_("You are **{name}**, {role}.", name=safe_line(me.person.name), role=part_words(me)))
            st.caption(_("Keep this page open; it updates automatically. You can change your name under “I am”."))
        _draw_agreement(state)


def gathers(state: State) -> bool:
    """True for a debate with people that has not begun."""
    return state.spec.has_people and stage.stage(state) in GATHERING


def draw_stranger(state: State) -> None:
    """Draw an explanation and the field for the code, for a person without a cookie."""
    with st.container(border=True, key="stranger"):
        where = _("The debate has not begun.")
        if state.outcome:
            where = _("The debate is over.")
        elif state.room.begun:
            where = _("The debate is going on.")
        session.show_problem()
        st.markdown(_("**By invitation only.** {where} {observing}", where=where, observing=_(OBSERVING)))
        if was := session.was(state.debate):
            st.warning(
                _(
                    "You were here as {was}. Your link was taken back, or you were removed. Ask the facilitator.",
                    was=safe_line(was, max_chars=40),
                ),
                icon=":material/logout:",
            )
        join.show("room")


def _title(state: State) -> str:
    """The step before the debate begins; empty while people only gather."""
    match stage.why_it_waits(state):
        case "collect":
            return _("First, propose options")
        case "brief":
            return _("First, read the brief")
        case "facts":
            return _("First, write what you know")
        case "prevote":
            return _("Vote first, then the debate begins")
        case _:
            return ""


def part_words(me: Me) -> str:
    """The part of a person: `with a vote in the room`, `judge`, `approver, with a vote in the room`."""
    assert me.person is not None
    words = named(me.person.role)
    if me.person.seats:
        words += _(", for {seats}", seats=", ".join(safe_id(seat) for seat in me.person.seats))
    if not me.person.electorate:
        return words
    where = WITH_A_VOTE[me.person.electorate]
    return where if me.role == "voter" else f"{words}, {where}"


def _draw_for_facilitator(state: State, me: Me) -> None:
    door = session.host().door_for(state.debate, by=me.actor)
    with st.container(border=True, key="lobby"):
        st.subheader(_title(state) or _("The lobby is open"), anchor=False)
        _draw_way_in(state, door)
        here = invitations.come(door, state)
        st.session_state[_count_key(state)] = len(here)
        st.markdown(f"**{here_words(len(here))}**: {count_words(state, here)}")
        newcomers.draw_expected_people(state, me, door)
        if not state.room.polls:
            st.caption(_("Who votes where, and with which weight, is fixed once the first vote is open."))
    _draw_agreement(state)
    links.show(invitations.Maker(state, me, door))


def _draw_way_in(state: State, door: Door) -> None:
    invite = invitations.open_invite(door, state)
    if invite is None:
        st.caption(_("The link for all is closed: open it again under “Links” below."))
        return
    address = links.address()
    link = join.join_link(address, door.token(invite))
    beside = st.container(horizontal=True, vertical_alignment="center")
    beside.image(join.qr_svg(link), width=150, alt=_("QR code to join"))
    with beside.container(gap=None):
        st.caption(_("To vote: scan, or open") if invite.role == "voter" else _("To watch: scan, or open"))
        st.markdown(f"**{safe_line(join.join_link(address))}**")
        st.markdown(f"# {invite.shown_code()}", help=_("The code has no letters that look alike."))
    if address.warning:
        st.warning(safe_line(address.warning), icon=":material/wifi_off:")
    wall = f"/wall/{door.screen_token(state.debate)}"
    with st.container(horizontal=True):
        st.link_button(
            _("Open the projector's page"), wall, icon=":material/cast:", type="tertiary", help=_(FOR_THE_WALL)
        )
        last_day = datetime.fromisoformat(invite.expires_at).date() - timedelta(days=1)
        workshop_date.draw_calendar_entry(state, link, last_day=last_day)


@st.fragment(run_every=LOOK_S)
def look_again(debate_id: str) -> None:
    """Redraw the page when a person has come: people on the list leave no event when they do.

    For the page of a facilitator while people gather, beside the fragment of the room and never in it: where two
    fragments cross, the inner one writes into a part that is gone, and the whole page goes blank.
    """
    state = session.host().state(debate_id)
    if not gathers(state):
        st.rerun()
    come = len(invitations.come(session.host().door, state))
    if st.session_state.setdefault(_count_key(state), come) != come:
        st.rerun()


def _count_key(state: State) -> str:
    return f"come {state.debate}"


def here_words(number: int) -> str:
    """Such as `1 person is here`, `5 people are here`."""
    return _n(number, "{n} person is here", "{n} people are here")


def count_words(state: State, here: Collection[Person]) -> str:
    """The people who have come, of those who take part, by role: `1 facilitator, 1 of 2 judges`."""
    come = Counter(person.role for person in here)
    words = []
    for role, expected in Counter(person.role for person in stage.present(state)).items():
        of = _("{come} of ", come=come[role]) if come[role] < expected else ""
        words.append(f"{of}{_n(expected, *HEADS[role])}")
    return ", ".join(words)


def _draw_agreement(state: State) -> None:
    is_open = stage.stage(state) == "lobby"
    with st.expander(_("Ground rules"), icon=":material/contract:", expanded=is_open, key="agreed"):
        contract_card(contract(state.spec, stage.present(state)))
