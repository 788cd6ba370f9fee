"""The page of messages, for hosts: what is wrong and waits, the debates with their messages, the channels with a test.

Of an address it shows the host alone, because the rest can be a secret. Undelivered messages of debates that this host
does not find in their list are only counted.
"""

from typing import TYPE_CHECKING

import streamlit as st

from debate_core.errors import DebateError
from debate_core.language import _, _n, spoken_list
from debate_core.report.phrases.messages import KINDS
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.dates import minute_words
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.pages import messages_debates, messages_setup
from debate_core.ui.pages.messages_debates import Overview, fault_words
from debate_core.ui.pages.messages_setup import CHANNEL_KINDS

if TYPE_CHECKING:
    # Without channels, a server loads nothing of these.
    from debate_core.host.messages.channels import MessageChannel
    from debate_core.host.messages.post_office import PostOffice


def link() -> None:
    """Draw a link to this page where the operator has listed channels."""
    office = session.host().messages
    if office is None:
        return
    n_dead = len(office.outbox.dead())
    label = _("Messages: {n} undelivered", n=n_dead) if n_dead else _("Messages")
    st.page_link("messages.py", label=label, icon=":material/send:")


def show() -> None:
    """Draw what is wrong and what waits, the debates with their messages, and where messages go."""
    st.title(_("Messages"), anchor=False)
    session.show_problem()
    office = session.host().messages
    overview = messages_debates.read_overview(office)
    _draw_state(overview, office)
    if office is None:
        messages_setup.draw_ways(has_channels=False)
    messages_debates.draw(overview, office)
    if office is not None and (n_others := _count_of_others(office)):
        st.caption(
            _n(
                n_others,
                "{n} undelivered message belongs to a debate of someone else.",
                "{n} undelivered messages belong to debates of others.",
            )
        )
    if office is not None:
        st.subheader(_("Where messages go"), anchor=False)
        for channel in office.settings.channels.values():
            _draw_channel(office, channel)
        messages_setup.draw_ways(has_channels=True)
    messages_setup.draw_kinds()


def _draw_state(overview: Overview, office: "PostOffice | None") -> None:
    """Say in one line what is wrong, what waits for this person, and what waits for others."""
    fault = _fault_of(office) if office else ""
    state = _("Nothing is wrong.") if office else _("No channel is set up: this server sends nothing.")
    mine = sum(bool(one.task) for one in overview.debates)
    others = sum(one.waits and not one.task for one in overview.debates)
    waiting = [
        _n(mine, "{n} debate waits for you.", "{n} debates wait for you.") if mine else _("Nothing waits for you."),
        _n(others, "{n} debate waits for others.", "{n} debates wait for others.") if others else "",
    ]
    icon = "error" if fault else "check_circle" if office else "info"
    st.markdown(f":material/{icon}: **{fault or state}** {' '.join(filter(None, waiting))}")


def _fault_of(office: "PostOffice") -> str:
    """Return that messages are undelivered or that a channel fails; empty if nothing is wrong."""
    if n_dead := len(office.outbox.dead()):
        return _n(n_dead, "{n} message is undelivered.", "{n} messages are undelivered.")
    failing = [safe_line(name) for name in office.settings.channels if office.outbox.health(name).failures]
    return _n(len(failing), "{names} fails.", "{names} fail.", names=spoken_list(failing)) if failing else ""


def _count_of_others(office: "PostOffice") -> int:
    mine = {row.id for row in session.debates()}
    return sum(one.debate not in mine for one in office.outbox.dead())


def _draw_channel(office: "PostOffice", channel: "MessageChannel") -> None:
    spec = channel.spec
    with st.container(border=True, key=f"channel-{channel.name}"):
        left, right = st.columns([3, 1], vertical_alignment="center")
        readers = safe_line(spec.person) if spec.person else _("all its readers")
        left.markdown(f"**{safe_line(channel.name)}** · {CHANNEL_KINDS[spec.kind]} · {safe_line(channel.shown)}")
        kinds = spoken_list([KINDS[kind] for kind in spec.events])
        left.caption(_("To {readers}: {kinds}", readers=readers, kinds=kinds))
        pressed = right.button(
            _("Send a test to {name}", name=safe_label(channel.name)),
            key=f"test-{channel.name}",
            icon=":material/send:",
        )
        if pressed:
            _send_test(office, channel.name)
        for words in _health_words(office, channel.name):
            st.caption(safe_line(words))


def _send_test(office: "PostOffice", name: str) -> None:
    try:
        with st.spinner(_("Sending")):
            fault = session.as_host(lambda: office.send_test(name, client=session.client()))
    except DebateError as error:
        st.error(safe_text(session.told(error)))
        return
    if fault is None:
        st.success(_("The receiver took the test."))
    else:
        st.error(safe_text(capitalized(f"{fault_words(fault.reason, fault.detail)}.")))


def _health_words(office: "PostOffice", name: str) -> tuple[str, ...]:
    health = office.outbox.health(name)
    words = []
    if health.delivered_at:
        words.append(_("Last delivered: {time}", time=minute_words(health.delivered_at)))
    if health.failures and health.reason:
        why = fault_words(health.reason, health.detail)
        time = minute_words(health.failed_at)
        words.append(
            _n(
                health.failures,
                "{n} failed attempt since then, on {time}: {why}",
                "{n} failed attempts since then, the last one on {time}: {why}",
                time=time,
                why=why,
            )
            if health.delivered_at
            else _n(
                health.failures,
                "{n} failed attempt, on {time}: {why}",
                "{n} failed attempts, the last one on {time}: {why}",
                time=time,
                why=why,
            )
        )
    return tuple(words) or (_("Nothing was sent yet."),)
