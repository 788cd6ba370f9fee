"""The page of messages, for hosts: channels with a test, open requests to people, and sent and undelivered messages.

Of an address it shows the host alone, because the rest can be a secret. Undelivered messages of debates that this host
does not find in their list are only counted.
"""

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING

import streamlit as st

from debate_core.errors import DebateError
from debate_core.language import Words, _, _n, spoken_list
from debate_core.report.facts.messages import KIND_OF
from debate_core.report.phrases.messages import KINDS
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.dates import minute_words
from debate_core.ui.kit.tables import draw_wrapping, safe_rows
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.pages import messages_setup, messages_waiting
from debate_core.ui.pages.messages_setup import CHANNEL_KINDS

if TYPE_CHECKING:
    # Without channels, a server loads nothing of these.
    from debate_core.host.messages.channels import MessageChannel
    from debate_core.host.messages.faults import FaultReason
    from debate_core.host.messages.outbox import Delivery, QueuedMessage
    from debate_core.host.messages.post_office import PostOffice

MAX_SHOWN = 50
_FAULTS: "Words[FaultReason]" = Words(
    {
        "inside": "{detail} is inside the network: DEBATE_MESSAGES_ALLOW must name it",
        "late": "no answer within {detail} s",
        "connection": "no connection: {detail}",
        "redirect": "the receiver redirects ({detail}), and messages follow no redirect",
        "status": "the receiver answered {detail}",
        "login": "the mail server refused the login",
        "no_tls": "{detail} offers no TLS: use smtps://, or name it in DEBATE_MESSAGES_ALLOW",
        "no_channel": "the settings no longer have this channel",
        "broken": "an error in this program, see its log ({detail})",
    }
)


def link() -> None:
    """Draw a link to this page where the operator has listed channels."""
    office = session.host().messages
    if office is None:
        return
    n_dead = len(office.outbox.dead())
    label = _("Messages: {n} undelivered", n=n_dead) if n_dead else _("Messages")
    st.page_link("messages.py", label=label, icon=":material/send:")


def show() -> None:
    """Draw the channels, the requests to people and the deliveries; without channels, the way to get them."""
    st.title(_("Messages"), anchor=False)
    session.show_problem()
    office = session.host().messages
    waiting = messages_waiting.list_waiting()
    if office is None:
        _draw_state(waiting.words, _("No channel is set up: this server sends nothing."))
        messages_waiting.draw(waiting, None)
        messages_setup.draw_ways()
        messages_setup.draw_kinds()
        return
    n_dead = len(office.outbox.dead())
    fault = _n(n_dead, "{n} message is undelivered.", "{n} messages are undelivered.") if n_dead else ""
    _draw_state(waiting.words, fault)
    messages_waiting.draw(waiting, office)
    _draw_undelivered(office)
    _draw_sent(office)
    st.subheader(_("Channels"), anchor=False)
    for channel in office.settings.channels.values():
        _draw_channel(office, channel)


def _draw_state(waiting: str, fault: str) -> None:
    """Say in one line what waits for people, and what is wrong."""
    icon = ":material/error:" if fault else ":material/check_circle:"
    st.markdown(f"{icon} **{waiting}** {fault or _('No message is undelivered.')}")


def _fault_words(reason: "FaultReason", detail: str) -> str:
    return _(_FAULTS.english(reason), detail=detail)


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
        st.error(safe_text(capitalized(f"{_fault_words(fault.reason, fault.detail)}.")))


def _health_words(office: "PostOffice", name: str) -> tuple[str, ...]:
    health = office.outbox.health(name)
    words = []
    if health.delivered_at:
        words.append(_("Last delivered: {time}", time=minute_words(health.delivered_at)))
    if health.failures and health.reason:
        why = _fault_words(health.reason, health.detail)
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


def _draw_undelivered(office: "PostOffice") -> None:
    dead = office.outbox.dead()
    st.subheader(_("Undelivered"), anchor=False)
    if not dead:
        st.caption(_("None."))
        return
    questions = {row.id: row.question for row in session.debates()}
    mine = [one for one in dead if one.debate in questions]
    for number, message in enumerate(mine[:MAX_SHOWN], start=1):
        _draw_dead(office, message, number, questions[message.debate])
    if len(mine) > MAX_SHOWN:
        st.caption(_("{n} older ones follow when these are sent or dropped.", n=len(mine) - MAX_SHOWN))
    if n_others := len(dead) - len(mine):
        st.caption(_n(n_others, "{n} belongs to a debate of someone else.", "{n} belong to debates of others."))


def _draw_sent(office: "PostOffice") -> None:
    """Draw the latest messages that a receiver took; those of debates of others are left out."""
    questions = {row.id: row.question for row in session.debates()}
    taken: list[tuple[str, dict[str, object]]] = []
    for channel in office.settings.channels.values():
        reader = f"{channel.name}: {channel.spec.person or _('all its readers')}"
        for one in office.outbox.health(channel.name).latest:
            if not one.debate or one.debate in questions:
                taken.append((one.at, _sent_row(one, reader, questions)))
    st.subheader(_("Delivered"), anchor=False)
    if not taken:
        st.caption(_("Nothing was sent yet."))
        return
    taken.sort(key=itemgetter(0), reverse=True)
    rows = [row for _at, row in taken[:MAX_SHOWN]]
    draw_wrapping(safe_rows(rows), alt=_("Delivered messages"), key="messages-sent", narrow=2)


def _sent_row(one: "Delivery", reader: str, questions: Mapping[str, str]) -> dict[str, object]:
    return {
        _("When"): minute_words(one.at),
        _("Message"): KINDS[KIND_OF[one.topic]] if one.topic else _("Test"),
        _("Debate"): questions.get(one.debate, ""),
        _("To"): reader,
    }


def _draw_dead(office: "PostOffice", message: "QueuedMessage", number: int, question: str) -> None:
    with st.container(border=True, key=f"dead-{message.id}"):
        kind, channel = KINDS[KIND_OF[message.topic]], safe_line(message.channel)
        st.markdown(f"{number}: **{kind}** · {safe_line(question, max_chars=100)} · {channel}")
        why = _fault_words(message.reason, message.detail) if message.reason else ""
        attempts = _n(message.attempts, "{n} attempt", "{n} attempts")
        st.caption(safe_line(f"{minute_words(message.at)} · {attempts} · {why}"))
        with st.container(horizontal=True):
            for label, key, do in (
                (_("Send {number} again", number=number), "again", office.outbox.send_again),
                (_("Drop {number}", number=number), "drop", office.outbox.drop),
            ):
                st.button(label, key=f"{key}-{message.id}", on_click=_handle, args=(office, message.id, do))


def _handle(office: "PostOffice", message_id: str, do: "Callable[[QueuedMessage], None]") -> None:
    """Change a dead letter, unless another host has done so."""

    def change() -> None:
        message = office.outbox.dead_letter(message_id)
        if message is not None and message.debate in {row.id for row in session.debates()}:
            do(message)

    session.keep_as_host(change, unsaved=_("Nothing was changed."))
