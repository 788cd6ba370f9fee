"""The links of a room, for facilitators only: the link for all, and personal links, to copy, replace or take back.

No record contains a link; it contains the changes of links.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import get_args

import streamlit as st

from debate_core.host.access.invites import InviteStatus
from debate_core.language import _, message
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.spec.people import Electorate, Person, RoomRole
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.room import invitations, join
from debate_core.ui.room.invitations import Maker

STATUS: dict[InviteStatus, tuple[str, Colour]] = {
    "ready": (message("not here yet"), "orange"),
    "used": (message("has come"), "green"),
    "expired": (message("link expired"), "gray"),
    "revoked": (message("taken back"), "red"),
}
ROLES: tuple[RoomRole, ...] = get_args(RoomRole)
VOTES: dict[str, Electorate | None] = {
    message("No vote"): None,
    message("With the named people"): "panel",
    message("In the room"): "room",
}


def address() -> join.JoinAddress:
    """The beginning of links, for phones."""
    return join.join_address(
        st.context.url or "",
        public_url=session.host().public_url,
        listens_on=st.get_option("server.address") or "",
    )


def to_read(state: State) -> None:
    """Draw the link to the results for the facilitator, if results are open by link."""
    if state.outcome is None or state.spec.terms.readers != "link" or not session.me(state).facilitator:
        return
    st.caption(
        _("Anyone with this link can read the results and download the files, as long as this server keeps them.")
    )
    token = session.host().door.results_token(state.debate)
    st.code(f"{address().url}/read/{token}", language=None, wrap_lines=True)


def show(maker: Maker, draw_last: Callable[[], None] = lambda: None) -> None:
    """Draw everyone with a personal link, the link for all, and the form for a new link.

    `draw_last` draws what comes after them.
    """
    rows = invitations.rows(maker.door, maker.state)
    come = sum(row.listed.status == "used" for row in rows)
    with st.expander(
        _("Links: {come} of {rows} have been opened", come=come, rows=len(rows)),
        icon=":material/link:",
        key="links",
        type="compact",
    ):
        st.caption(
            _("Each link is for one person and works once. Send it to them alone; it is shown only to facilitators.")
        )
        st.text_input(_("Reason for what you change here, for the record"), key=invitations.WHY, max_chars=200)
        with st.container():
            for row in rows:
                _draw_link(maker, row)
        in_places((_draw_linkless, _draw_open_link, _draw_form), maker)
        draw_last()


def _draw_link(maker: Maker, row: invitations.LinkRow) -> None:
    invite = row.listed.invite
    known, colour = STATUS[row.listed.status]
    words = _(known)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"link-{invite.id}"):
        st.markdown(f"**{safe_line(row.name, max_chars=40)}** · {named(row.role)}", width="stretch")
        st.badge(words, color=colour)
        name = safe_label(row.name, max_chars=40)
        with st.popover(_("Link of {name}", name=name), key=f"more-{invite.id}"):
            if row.listed.status == "ready":
                st.code(join.join_link(address(), maker.door.token(invite)), language=None, wrap_lines=True)
            else:
                st.caption(_("This link no longer works: {words}.", words=words))
            if row.listed.status != "revoked":
                take_back = _("Take back the link of {name}", name=name)
                st.button(take_back, key=f"revoke-{invite.id}", on_click=maker.take_back, args=(invite,))
                st.caption(_("Anyone who joined with it is removed at once."))
            again = _("New link for {name}", name=name)
            st.button(again, key=f"rotate-{invite.id}", on_click=maker.again, args=(invite,))


def labels(people: Iterable[Person]) -> dict[str, str]:
    """Labels of people by id, numbered where they are equal: a list with equal labels would return the last one."""
    by_id: dict[str, str] = {}
    times = Counter[str]()
    for person in people:
        words = f"{person.name} · {named(person.role)}"
        times[words] += 1
        by_id[person.id] = words if times[words] == 1 else f"{words} ({times[words]})"
    return by_id


def choose(label: str, people: Iterable[Person], *, key: str) -> Person | None:
    """Draw a choice of one of these people; None until one is chosen."""
    by_id = {person.id: person for person in people}
    words = labels(by_id.values())
    chosen = st.selectbox(
        label, [*by_id], index=None, key=key, format_func=words.__getitem__, placeholder=_("choose a person")
    )
    return by_id.get(chosen or "")


def _draw_linkless(maker: Maker) -> None:
    """Draw a link for people in the room who have none: guests, and everyone in an imported record."""
    people = invitations.without_link(maker.door, maker.state)
    if not people:
        return
    key = f"linkless-{maker.state.debate}"

    def make() -> None:
        for person in people:
            if person.id == st.session_state.get(key):
                maker.link(person)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="link-for-somebody"):
        who = choose(_("People here without a personal link"), people, key=key)
        st.button(_("Make their link"), key="link-them", disabled=who is None, on_click=make)


def _draw_open_link(maker: Maker) -> None:
    invite = invitations.open_invite(maker.door, maker.state)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="link-for-all"):
        if invite is None:
            st.markdown(_("**The link for all is closed**"), width="stretch")
            st.button(_("Open it again"), key="open-for-all", on_click=maker.reopen)
            return
        st.markdown(_("**Link for all** · {role}", role=named(invite.role)), width="stretch")
        with st.popover(_("Link for all"), key="more-for-all"):
            st.code(join.join_link(address(), maker.door.token(invite)), language=None, wrap_lines=True)
            st.button(_("Close it"), key="close-for-all", on_click=maker.take_back, args=(invite,))
            st.button(_("New link and code"), key="rotate-for-all", on_click=maker.again, args=(invite,))


def _draw_form(maker: Maker) -> None:
    taken = {seat for person in maker.state.room.people.values() for seat in person.seats}
    seats = [one.id for one in maker.state.spec.seats if one.occupant == "human" and one.id not in taken]

    def make() -> None:
        form = st.session_state
        electorate = VOTES[form["invite-votes"]]
        chosen = tuple(form["invite-seats"])
        maker.invite(invitations.Invitee(form["invite-role"], form["invite-name"], electorate, chosen))

    key = f"invite-{maker.state.debate}"
    with st.container(key="invite"), st.form(key, clear_on_submit=True, border=True):
        st.markdown(_("**Invite someone**"))
        st.text_input(_("Name"), max_chars=80, key="invite-name")
        left, right = st.columns(2)
        left.selectbox(_("Role of the new person"), ROLES, ROLES.index("judge"), key="invite-role", format_func=named)
        right.selectbox(_("Votes"), list(VOTES), key="invite-votes", format_func=_)
        st.multiselect(_("Speaks for"), seats, key="invite-seats", format_func=in_words, placeholder=_("no seat"))
        st.form_submit_button(_("Make the link"), icon=":material/add_link:", on_click=make)
