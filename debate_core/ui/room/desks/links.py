"""Links of a room, for facilitators alone: the one for all, and one for each person, copied, replaced or taken back.

A link is shown to nobody else and stands in no record; that it was changed does.
"""

from collections import Counter
from collections.abc import Iterable
from typing import get_args

import streamlit as st

from debate_core.host.door.invites import InviteStatus
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
    message("In the panel"): "panel",
    message("In the room"): "room",
}


def address() -> join.JoinAddress:
    """Where links begin, for phones."""
    return join.join_address(
        st.context.url or "",
        public_url=session.host().public_url,
        listens_on=st.get_option("server.address") or "",
    )


def to_read(state: State) -> None:
    """The link that opens the results to others, for whoever leads, where it was agreed that one does."""
    if state.outcome is None or state.spec.terms.readers != "link" or not session.me(state).facilitator:
        return
    st.caption(
        _("Whoever opens this link reads the results and takes the files, for as long as this server keeps them.")
    )
    token = session.host().door.results_token(state.debate)
    st.code(f"{address().url}/read/{token}", language=None, wrap_lines=True)


def show(maker: Maker) -> None:
    """Everybody with a link of their own, the link for all, and a new link."""
    rows = invitations.rows(maker.door, maker.state)
    come = sum(row.listed.status == "used" for row in rows)
    with st.expander(
        _("Links: {come} of {rows} have come", come=come, rows=len(rows)), icon=":material/link:", key="links"
    ):
        st.caption(
            _("Each link is for one person and works once. Send it to them alone; it is shown only to facilitators.")
        )
        st.text_input(_("Reason for what you change here, for the record"), key=invitations.WHY, max_chars=200)
        with st.container():
            for row in rows:
                _row(maker, row)
        in_places((_for_somebody, _for_all, _invite), maker)


def _row(maker: Maker, row: invitations.LinkRow) -> None:
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
                st.caption(_("This link does not work any more: {words}.", words=words))
            if row.listed.status != "revoked":
                st.button(
                    _("Take back the link of {name}", name=name),
                    key=f"revoke-{invite.id}",
                    on_click=maker.take_back,
                    args=(invite,),
                )
                st.caption(_("Who came in by it is out at once."))
            st.button(
                _("New link for {name}", name=name), key=f"rotate-{invite.id}", on_click=maker.again, args=(invite,)
            )


def labels(people: Iterable[Person]) -> dict[str, str]:
    """People in a list, by their ids. Who is called alike is numbered: of equal lines a list would give the last."""
    by_id: dict[str, str] = {}
    times = Counter[str]()
    for person in people:
        words = f"{person.name} · {named(person.role)}"
        times[words] += 1
        by_id[person.id] = words if times[words] == 1 else f"{words} ({times[words]})"
    return by_id


def choose(label: str, people: Iterable[Person], *, key: str) -> Person | None:
    """One of these people, as picked on the screen."""
    by_id = {person.id: person for person in people}
    words = labels(by_id.values())
    chosen = st.selectbox(
        label, [*by_id], index=None, key=key, format_func=words.__getitem__, placeholder=_("choose a person")
    )
    return by_id.get(chosen or "")


def _for_somebody(maker: Maker) -> None:
    """A link for one of those in the room who have none: guests, and everybody in a record from elsewhere."""
    people = invitations.without_link(maker.door, maker.state)
    if not people:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="link-for-somebody"):
        key = f"linkless-{maker.state.debate}"
        who = choose(_("Here without a link of their own"), people, key=key)
        asked = (maker, people, key)
        st.button(_("Make their link"), key="link-them", disabled=who is None, on_click=_link, args=asked)


def _link(maker: Maker, people: tuple[Person, ...], key: str) -> None:
    """For whoever is chosen as the button is pressed."""
    who = next((person for person in people if person.id == st.session_state.get(key)), None)
    if who:
        maker.link(who)


def _for_all(maker: Maker) -> None:
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


def _invite(maker: Maker) -> None:
    """A link for somebody who is not on the list yet."""
    key = f"invite-{maker.state.debate}"
    with st.container(key="invite"), st.form(key, clear_on_submit=True, border=True):
        st.markdown(_("**Invite somebody**"))
        st.text_input(_("Name"), max_chars=80, key="invite-name")
        left, right = st.columns(2)
        left.selectbox(_("Role of the new person"), ROLES, ROLES.index("judge"), key="invite-role", format_func=named)
        right.selectbox(_("Votes"), list(VOTES), key="invite-votes", format_func=_)
        seats = _free_seats(maker.state)
        st.multiselect(_("Speaks for"), seats, key="invite-seats", format_func=in_words, placeholder=_("no seat"))
        st.form_submit_button(_("Make the link"), icon=":material/add_link:", on_click=_make, args=(maker,))


def _make(maker: Maker) -> None:
    form = st.session_state
    electorate = VOTES[form["invite-votes"]]
    seats = tuple(form["invite-seats"])
    maker.invite(invitations.Invitee(form["invite-role"], form["invite-name"], electorate, seats))


def _free_seats(state: State) -> list[str]:
    """Seats that are kept for a person and that nobody has."""
    taken = {s for p in state.room.people.values() for s in p.seats}
    return [s.id for s in state.spec.seats if s.occupant == "human" and s.id not in taken]
