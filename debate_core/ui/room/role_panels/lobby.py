"""The lobby until the first turn: how to join, the people who have come, and the ground rules.

For a stranger, an explanation and the field for the code.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

import streamlit as st

from debate_core.engine import stage
from debate_core.host.access.door import Door
from debate_core.host.access.invites import Invite
from debate_core.host.attendance import here_now
from debate_core.language import _, _n, message
from debate_core.record.state import State
from debate_core.report.facts.agenda import steps_to_come
from debate_core.report.facts.option_meanings import option_meanings
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.agreement import contract
from debate_core.report.phrases.voters import WITH_A_VOTE
from debate_core.report.phrases.who_decided import count_name, rule_words
from debate_core.spec.people import Person
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id, safe_label, safe_line
from debate_core.ui.kit.words import HEADS
from debate_core.ui.room import controls, invitations, join
from debate_core.ui.room.role_panels import links, newcomers, workshop_date
from debate_core.ui.room.role_panels.ballot import option_marks
from debate_core.ui.setup.summary import contract_card

FOR_THE_WALL = message(
    "Open it on the computer of the projector: this link shows the page on the wall, and nothing else."
)
GATHERING = ("lobby", "prevote")
_STYLE = """<style>
.st-key-lobby h1 { padding: 0; font-size: 3.2rem; letter-spacing: 0.03em; white-space: nowrap; }
.st-key-lobby h3 { padding: 0; }
.st-key-lobby [data-testid="stMarkdownContainer"]:has(h1, h3) { margin-bottom: 0; }
.st-key-way-in { flex-wrap: wrap-reverse !important; }
.st-key-way-in > :last-child { flex: 1 1 17rem; min-width: 17rem; }
.st-key-way-in p { font-size: 1.1rem; }
.st-key-who-is-here { padding-top: 0.9rem; border-top: 1px solid color-mix(in srgb, currentColor 16%, transparent); }
</style>"""
STAY = message("Keep this page open; it updates automatically.")
OBSERVING = message("To take part, open your link or enter the code.")


def draw_lobby(state: State, me: Me) -> None:
    """Draw the lobby for this person; nothing once the debate has begun."""
    if not gathers(state):
        return
    if me.person is None:
        _draw_agreement(state, is_open=stage.stage(state) == "lobby")
    elif me.facilitator:
        _draw_for_facilitator(state, me)
    else:
        _draw_for_guest(state, me)
        _draw_agreement(state, is_open=False)


def _draw_for_guest(state: State, me: Me) -> None:
    """Draw who this person is, what will happen, and how it is decided."""
    assert me.person is not None
    with st.container(border=True, key="lobby-guest"):
        st.html(_STYLE)
        name = safe_line(me.person.name)
        waits = _title(state)
        st.subheader(waits or _("You are in, {name}", name=name), anchor=False)
        soon = "" if waits else _("The debate begins soon.")
        votes_later = me.has_vote and stage.stage(state) == "lobby"
        keep_open = _("Keep this page open: your ballot will appear here.") if votes_later else _(STAY)
        what = _vote_words(state) if votes_later else ""
        st.markdown(" ".join(filter(None, (soon, what, keep_open))))
        if not state.room.polls:
            # An open vote has them above.
            _draw_choice(state)
        st.markdown(_("**What happens next:** {steps}", steps=safe_line(steps_to_come(state))))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(_("You are **{name}**, {role}.", name=name, role=part_words(me)), width="content")
            controls.show(state, me, is_named=True)


def _vote_words(state: State) -> str:
    """Say when this person votes; empty without a vote of people."""
    match state.spec.terms.pre_vote != "none", state.spec.terms.final_vote != "none":
        case True, True:
            return _("You vote before the debate and again after it.")
        case True, False:
            return _("You vote before the debate.")
        case False, True:
            return _("You vote after the debate.")
        case _:
            return ""


def has_who_i_am(state: State, me: Me) -> bool:
    """True if the lobby draws the field in which a person changes their name."""
    return gathers(state) and me.person is not None and not me.facilitator


def gathers(state: State) -> bool:
    """True for a debate with people that has not begun."""
    return state.spec.has_people and stage.stage(state) in GATHERING


def draw_stranger(state: State) -> None:
    """Draw an explanation and the field for the code, for a person without a cookie."""
    with st.container(border=True, key="stranger"):
        where = _("The debate has not begun.")
        if state.outcome and stage.final_decision(state).pending:
            where = _("The rounds are over, and a vote decides.")
        elif state.outcome:
            where = _("The debate is over.")
        elif state.room.begun:
            where = _("The debate is going on.")
        session.show_problem()
        words, field = st.columns([3, 2], vertical_alignment="center")
        with words:
            st.markdown(f"**{_('You are watching.')}** {where} {_(OBSERVING)}")
            st.markdown(" · ".join(_named_options(state)))
            st.markdown(_who_decides(state))
        if was := session.was(state.debate):
            st.warning(
                _(
                    "You were here as {was}. Your link was taken back, or you were removed. Ask the facilitator.",
                    was=safe_line(was, max_chars=40),
                ),
                icon=":material/logout:",
            )
        with field:
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
            return _("Everyone votes, then the debate begins")
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


def draw_way_in(state: State, me: Me, draw_people: Callable[[], None]) -> None:
    """Draw for the facilitator how people join, and who has come; `draw_people` draws their names.

    Once a vote is open, one line with the code is left of it.
    """
    if not gathers(state) or not me.facilitator:
        return
    door = session.host().door_for(state.debate, by=me.actor)
    with st.container(border=True, key="lobby"):
        st.html(_STYLE)
        invite = invitations.open_invite(door, state)
        here = invitations.come(door, state, me.actor)
        has_code = not state.room.polls
        if has_code:
            st.subheader(_title(state) or _("How people join"), anchor=False)
        st.markdown(_here_by_role(state, here))
        if has_code:
            _draw_code(door, invite)
        elif invite is not None:
            st.markdown(_late_words(invite))
        with st.container(key="who-is-here"):
            draw_people()


def _late_words(invite: Invite) -> str:
    """The way in for those who come late, in one line."""
    link = safe_line(join.typed(join.join_link(links.address())))
    return _("To join: open **{link}**, type **{code}**", link=link, code=invite.shown_code())


def _here_by_role(state: State, here: Collection[Person]) -> str:
    """`1 of 20 people here`, and of which roles people are missing."""
    words = f"**{here_words(len(here), len(stage.present(state)))}**"
    missing = missing_words(state, here)
    return f"{words} · {missing}" if missing else words


def _draw_code(door: Door, invite: Invite | None) -> None:
    """Draw the QR code, and beside it the address and the code to join.

    Where only this computer could use them, the reason and the cure come first, and there is no QR code.
    """
    if invite is None:
        st.caption(_("The link for all is closed: open it again under “Links” below."))
        return
    address = links.address()
    join.draw_warning(address, in_lobby=True)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="way-in"):
        if address.is_for_phones:
            st.image(join.qr_svg(join.join_link(address, door.token(invite))), width=220, alt=_("QR code to join"))
        with st.container(gap="small"):
            link = safe_line(join.typed(join.join_link(address)))
            if not address.is_for_phones:
                st.markdown(_("On this computer, open **{link}** and type", link=link))
            elif invite.role == "voter":
                st.markdown(_("To vote: scan, or open **{link}** and type", link=link))
            else:
                st.markdown(_("To watch: scan, or open **{link}** and type", link=link))
            st.markdown(f"# {invite.shown_code()}")


def draw_wall_link(state: State, me: Me) -> None:
    """Draw for the facilitator the link to the projector's page, while people gather."""
    if gathers(state) and me.facilitator:
        token = session.host().door_for(state.debate, by=me.actor).screen_token(state.debate)
        label = _("Open the projector's page")
        st.link_button(label, f"/wall/{token}", icon=":material/cast:", help=_(FOR_THE_WALL), width="stretch")


def _draw_calendar_entry(state: State, door: Door) -> None:
    invite = invitations.open_invite(door, state)
    if invite is not None:
        last_day = datetime.fromisoformat(invite.expires_at).date() - timedelta(days=1)
        link = join.join_link(links.address(), door.token(invite))
        workshop_date.draw_calendar_entry(state, link, last_day=last_day)


def _draw_for_facilitator(state: State, me: Me) -> None:
    """Draw a warning about those who came, and the links of all people with the calendar entry."""
    door = session.host().door_for(state.debate, by=me.actor)
    with st.container():
        newcomers.draw_warning(state, door)
    links.show(invitations.Maker(state, me, door), lambda: _draw_calendar_entry(state, door))


def draw_agreed(state: State, me: Me) -> None:
    """Draw for the facilitator the ground rules and the number of people expected, while people gather."""
    if not (gathers(state) and me.facilitator):
        return
    _draw_agreement(state, is_open=False)
    newcomers.draw_expected_people(state, me)
    if not state.room.polls:
        st.caption(_("Who votes where, and with which weight, is fixed once the first vote is open."))


def _draw_choice(state: State) -> None:
    """Draw the options with their meaning, and who elects one of them; the ground rules have the whole rule."""
    meanings = option_meanings(state)
    of_option = (meanings.get(option, "") for option in state.spec.options)
    options = [
        f"{option}  \n:small[{safe_label(meaning)}]" if meaning else option
        for option, meaning in zip(_named_options(state), of_option, strict=True)
    ]
    st.markdown("\n\n".join(options) or _("The options are collected before the first vote."))
    st.markdown(_who_decides(state))


def _who_decides(state: State) -> str:
    """The electorate and its rule."""
    account = accounts.mine(state)
    who = safe_line(", ".join(filter(None, (count_name(account.once(who_decided).counted), rule_words(account)))))
    return _("**Who decides:** {who}", who=who)


def _named_options(state: State) -> list[str]:
    """The options with their letters, as Markdown."""
    marks = option_marks(state)
    return [f"{marks.get(option, '')} {safe_line(option)}".strip() for option in state.spec.options]


def who_is_here(state: State, me: Me) -> Sequence[str]:
    """Ids of the people with an open page, on the page of a facilitator while people gather; () elsewhere."""
    if not (me.facilitator and gathers(state)):
        return ()
    return here_now(state, session.host().attendances.of(state.debate), me.actor)


def here_words(come: int, expected: int) -> str:
    """Such as `1 of 20 people here`; without the number of people once all are here, as `20 people are here`."""
    if come >= expected:
        return _n(come, "{n} person is here", "{n} people are here")
    return _n(expected, "{come} of {n} person here", "{come} of {n} people here", come=come)


def missing_words(state: State, here: Collection[Person]) -> str:
    """The roles of which people are missing: `Missing: 1 judge, 3 voters`; empty once all are here."""
    come = Counter(person.role for person in here)
    left = Counter(person.role for person in stage.present(state)) - come
    words = ", ".join(_n(n, *HEADS[role]) for role, n in left.items())
    return _("Missing: {people}", people=words) if words else ""


def _draw_agreement(state: State, *, is_open: bool) -> None:
    with st.expander(_("Ground rules"), icon=":material/contract:", expanded=is_open, key="agreed"):
        contract_card(contract(state.spec, stage.present(state)))
